"""Table 1: accuracies of four criteria, their half widths, the best parameters, and the text on them.

The runs are those of `treelib.papers.tsallis.figure_3`.
"""

from functools import cache
from math import ceil, exp, floor, inf, log, sqrt

import numpy as np

from treelib.ledger import store
from treelib.ledger.claims import find
from treelib.ledger.experiments import experiment
from treelib.ledger.protocol.judging import (
    Draws,
    Readings,
    Wins,
    judge,
    judge_leads,
    judges,
    redrawn,
    stated,
    untestable,
)
from treelib.ledger.verdicts import verdicts_on
from treelib.papers.tsallis import splits
from treelib.papers.tsallis.figure_3 import N_CHOICES, N_SEEDS, chosen, judge_different, tuning, wins
from treelib.papers.tsallis.splits import GRID_ALPHAS, GRID_BETAS, STANDARD, show
from treelib.topdown.grid.fit_grid import fit_grid, tsallis_grid

INTERVALS = {  # half width of the 95 % interval of five runs, over their deviation (from the mean of five)
    "Student's t": lambda n: t_quantile(n - 1) / sqrt(n - 1),
    "1.96, deviation over n - 1": lambda n: 1.96 / sqrt(n - 1),
    "1.96, deviation over n": lambda n: 1.96 / sqrt(n),
}
FORMULA = "Student's t"  # what 95 % asks for with five runs; the paper prints none
NO_RESULTS = "the data may not be shipped, they are not at hand, and no result is kept"
TABLE_1 = {"iris": "Iris", "banknote": "Banknote", "breast-cancer": "Breast cancer", "wine": "Wine"}
COLUMNS = {"gini": STANDARD["Gini"], "entropy": STANDARD["Entropy"], "km96": STANDARD["KM96"]}


SHARED_PART = "five training sets, one test part"


@experiment(
    "tsallis.folds",
    item="Table 1",
    title="Table 1 with five test parts in place of one",
    cases=lambda: [{"data": data} for data in splits.MAIN],
    datasets=splits.data_of,
    seconds=14,
)
def use_five_parts(case):
    """Accuracy in percent of the four points of a row of Table 1 where each run has its own test part.

    Returns
    -------
    dict: ``folds``, each of five folds is the test part of the others, and ``parts``, five random fifths; for
    each point a list over draws of lists over runs
    """
    X, y = splits.samples(case["data"])
    criteria = [one for alpha, beta in points_of(case["data"]) for one in tsallis_grid([alpha], [beta])]
    folds, parts = [], []
    for seed in range(N_SEEDS):
        order = np.random.default_rng(seed).permutation(len(y))
        cut = np.array_split(order, splits.N_FOLDS)
        folds += [(np.setdiff1d(order, part), part) for part in cut]
        for run in range(splits.N_FOLDS):
            order = np.random.default_rng((seed, run)).permutation(len(y))
            parts.append((order[len(y) // 5 :], order[: len(y) // 5]))

    def accuracy(some):
        found = fit_grid(X, y, criteria, folds=some, max_depth=splits.MAX_DEPTH).accuracy
        return (100 * found.reshape(len(criteria), N_SEEDS, splits.N_FOLDS)).round(6).tolist()

    return {"folds": accuracy(folds), "parts": accuracy(parts)}


@verdicts_on("tsallis")
@judges("tsallis.t1.*", "tsallis.f3.*", "tsallis.s9.tuning.claim", "tsallis.s9.tuning.different-optima")
def judge_table_1():
    """Verdicts on Table 1, on Figure 3, and on what the text says of them, list of Verdict."""
    return [
        *judge_accuracies(),
        *(
            verdict
            for key, data in TABLE_1.items()
            for verdict in judge_best(data, [f"tsallis.t1.{key}.best-{end}" for end in ("alpha", "beta")])
        ),
        stated("tsallis.t1.caption.confidence", f"its formula is not printed: {formulas_in_words()}"),
        redrawn(
            "tsallis.f3.description.heatmaps",
            "mean accuracy over the grid on four data sets",
            experiment="tsallis.tuning",
        ),
        _judge_outperform(),
        _judge_difference(),
    ]


@judges("tsallis.t1.*")
def judge_accuracies(runs=None):
    """Verdicts on the accuracies of Table 1 and on the half widths beside them, list of Verdict.

    Parameters
    ----------
    runs : dict of data set to float (4, n_draws, 5), accuracies in percent of the points of `points_of` on
        each draw and run, as a page computes them; None: those of the stored results
    """
    found = []
    origin = {"experiment": "tsallis.tuning"} if runs is None else {}
    for key, data in TABLE_1.items():
        some = stored_runs(data) if runs is None else np.asarray(runs[data])
        for column, accuracy in zip(("best", *COLUMNS), some, strict=True):
            found += _judge_accuracy(f"tsallis.t1.{key}.acc-{column}", accuracy, origin)
    return found


def points_of(data):
    """The four points of a row of Table 1: the one it names, Gini, entropy and Kearns-Mansour."""
    return [splits.NAMED[data], *COLUMNS.values()]


def stored_runs(data):
    """Accuracies behind a row of Table 1, float (4, n_draws, 5), from the stored results."""
    known = tuning(data).runs
    return np.stack([known[point] for point in points_of(data)])


def _judge_accuracy(claim_id, runs, origin):
    """An accuracy of Table 1, a mean of the five runs of one draw, and the half width of its interval."""
    column = claim_id.rpartition("-")[2]
    picked = "; a point chosen on the test part looks better than it is" * (column == "best")
    open_points = "the paper's grid, draw of the parts and rule for ties are not printed"
    data = TABLE_1[claim_id.split(".")[2]]
    # the same with a test part for each run
    names = {"folds": "five folds, each the test part of the others", "parts": "five random test parts"}
    others, k = store.record("tsallis.folds", {"data": data})["result"], ("best", *COLUMNS).index(column)
    readings = {SHARED_PART: runs, **{text: np.array(others[name][k]) for name, text in names.items()}}
    readings = {name: Draws(some.mean(axis=1), within=(0, 100)) for name, some in readings.items()}
    widths = {name: Draws(half_widths(runs, name), within=(0, inf)) for name in INTERVALS}
    return [
        judge(
            claim_id,
            Readings("what the five runs are", SHARED_PART, readings),
            cause=f"{open_points}{picked}",
            note="the text has training sets that are random subsets of 80 % and one part of 20 % held out, "
            "so that the five runs of a draw share their test part and a draw counts as one run",
            **origin,
        ),
        judge(
            f"{claim_id}-ci95",
            Readings("how the interval is computed", FORMULA, widths),
            cause="how many runs the paper has, and its formula, are not printed",
            note=f"over all cells: {formulas_in_words()}",
            **origin,
        ),
    ]


def judge_best(data, ids):
    """Verdicts on a best point, (alpha, beta) as one choice; where only beta is named, among the alpha's.

    data : str. ids : pair of str or None, the claims on alpha and on beta
    """
    many, origin = chosen(data), {"experiment": "tsallis.choice"}
    known = [(part, claim_id) for part, claim_id in enumerate(ids) if claim_id]
    if many is None:
        return [untestable(claim_id, NO_RESULTS, **origin) for _, claim_id in known]
    point, (lost, width) = splits.NAMED[data], many["lost"]
    note = (
        f"the paper's {show(point)} has rank {many['rank']} of {len(GRID_ALPHAS) * len(GRID_BETAS)} by its "
        f"mean over {N_CHOICES} draws, {lost:.2f} ± {width:.2f} points below the point that is best on the "
        "other half of them; of equal points each wins a part of a draw"
    )
    cause = "this point is hardly ever the best of a draw; the paper's grid and parts are not printed"
    if None in ids:
        counts = {(beta,): n for beta, n in zip(GRID_BETAS, many["wins_of_beta"], strict=True)}
        found = Wins(counts, round(sum(counts.values())), point[1:])
        note = f"among the betas of alpha = {point[0]:g}, which the text implies; {note}"
        return [judge(one, found, cause=cause, note=note, **origin) for _, one in known]
    note = f"(alpha, beta) is one choice, and its two rows have one verdict; {note}"
    return [judge(one, wins(data, part), cause=cause, note=note, **origin) for part, one in known]


def _judge_outperform():
    """Whether the printed points are significantly better than the standard criteria."""
    trials, less = [], []
    for key, data in TABLE_1.items():
        best = find(f"tsallis.t1.{key}.acc-best").number
        for name, standard in STANDARD.items():
            gain, width = tuning(data).gain(splits.NAMED[data], standard)
            trials.append((f"{data} over {name}", gain, width))
            lead = best - find(f"tsallis.t1.{key}.acc-{name.lower()}").number
            single = tuning(data).at(splits.NAMED[data]) - tuning(data).at(standard)
            if lead > single.max():
                less.append(f"{name} on {data} {gain:+.2f} ± {width:.2f} for a printed {lead:+}")
    learned = {data: tuning(data).learned() for data in TABLE_1.values()}
    picked = ", ".join(f"{data} {gain:+.2f} ± {width:.2f}" for data, (gain, width) in learned.items())
    three = {data: tuning(data).learned(over=tuple(STANDARD.values())) for data in TABLE_1.values()}
    beyond = ", ".join(f"{data} {gain:+.2f} ± {width:.2f}" for data, (gain, width) in three.items())
    return judge_leads(
        "tsallis.s9.tuning.claim",
        trials,
        "pairs of a data set and a standard criterion",
        cause="a printed point is behind a standard criterion",
        note=f"not all printed points are significantly better on our draws, and in {len(less)} of "
        f"{len(trials)} pairs the printed lead, of one draw as the cells look, lies above every single draw "
        f"of ours: {'; '.join(less) or 'none'}. A point that is chosen on the runs it is measured on looks "
        "better than it is, see the leads of the points that cross validation picks on each draw, against "
        f"Gini: {picked}; against the best of Gini, entropy and KM96, picked in the same way: {beyond}",
        experiment="tsallis.tuning",
    )


def _judge_difference():
    """Whether data sets want different parameters: the best point of one is clearly worse on another."""
    known = {data: tuning(data) for data in TABLE_1.values()}
    accuracy = {data: results.test.reshape(results.n_seeds, -1) for data, results in known.items()}
    best = ", ".join(f"{data} {show(results.best)}" for data, results in known.items())
    claim, source = "tsallis.s9.tuning.different-optima", {"experiment": "tsallis.tuning"}
    return judge_different(claim, accuracy, "point of the grid", f"best of all draws: {best}", source)


# ---- the half widths of Table 1 ------------------------------------------------------------------------


def t_quantile(degrees):
    """Two-sided 95 % quantile of Student's t."""
    from scipy.stats import t

    return float(t.ppf(0.975, degrees))


def half_widths(runs, formula):
    """Half width of the interval of each draw by one of `INTERVALS`; runs float (n_draws, n_runs)."""
    return runs.std(axis=1) * INTERVALS[formula](runs.shape[1])


def attainable(mean, half, n_rows, factor, n_runs=5):
    """Whether some runs of `n_rows` test rows have a printed mean and half width, both in percent.

    With k rows right in a run, S the sum of the k and Q that of their squares, the half width is
    ``100 / n_rows * factor * sqrt(Q / n_runs - (S / n_runs)^2)``. S fixes the mean; Q is a whole number that
    is odd when S is. Digits may have been rounded or cut off. Of all such Q some belong to no runs, so this
    errs in favour of the formula.
    """
    low, high = (max(half + part, 0) / 100 * n_rows / factor for part in (-0.0051, 0.0101))
    rows = n_rows * n_runs
    for total in range(floor((mean - 0.02) / 100 * rows), ceil((mean + 0.02) / 100 * rows) + 1):
        if not -0.0051 < 100 * total / rows - mean < 0.0101:
            continue
        squares = [n_runs * (value**2 + (total / n_runs) ** 2) for value in (low, high)]
        if any((q - total) % 2 == 0 for q in range(ceil(squares[0] - 1e-9), floor(squares[1] + 1e-9) + 1)):
            return True
    return False


@cache
def formulas_of_the_interval():
    """What speaks for each of `INTERVALS`: dict of its name to (cells that five runs can give, of all cells,
    mean ratio of the printed half widths to ours)."""
    cells = []
    for key, data in TABLE_1.items():
        n_rows = len(splits.samples(data)[1]) // 5
        for column, runs in zip(("best", *COLUMNS), stored_runs(data), strict=True):
            mean, half = (float(find(f"tsallis.t1.{key}.acc-{column}{end}").number) for end in ("", "-ci95"))
            cells.append((mean, half, n_rows, runs))
    found = {}
    for name, factor in INTERVALS.items():
        fit = sum(attainable(mean, half, n, factor(runs.shape[1])) for mean, half, n, runs in cells)
        ratios = [log(half / half_widths(runs, name).mean()) for _, half, _, runs in cells]
        found[name] = fit, len(cells), exp(np.mean(ratios))
    return found


def formulas_in_words():
    """`formulas_of_the_interval` as a text."""
    return "; ".join(
        f"by {name} five runs can give {fit} of the {n} cells, and the printed ones are {ratio:.2f} of ours"
        for name, (fit, n, ratio) in formulas_of_the_interval().items()
    )
