"""Table 1, Figures 3 and 6: test accuracy over the grid of (alpha, beta), on many random splits.

For each seed a fifth of the rows is held out for the test, and the others are cut in five; each of the five
training sets leaves one part out (`splits.tuning_parts`), on which cross validation measures, and each of
the five trees is measured on the test part too, which is what the paper prints. Trees have depth 5, and are
not pruned. A node is split unless every split makes the criterion worse, which only happens where it is not
concave.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import ceil, exp, floor, log, sqrt

import numpy as np

from treelib.ledger import store
from treelib.ledger.claims import find
from treelib.ledger.experiments import experiment
from treelib.ledger.protocol.judging import (
    Draws,
    Readings,
    Trials,
    Wins,
    judge,
    judge_statement,
    judges,
    redrawn,
    stated,
    untestable,
)
from treelib.ledger.verdicts import verdicts_on
from treelib.papers.tsallis import splits
from treelib.papers.tsallis.splits import (
    GRID_ALPHAS,
    GRID_BETAS,
    MAX_DEPTH,
    STANDARD,
    half_width,
    show,
)
from treelib.topdown.grid.fit_grid import fit_grid, tsallis_grid

N_SEEDS, BLOCK = 50, 10
N_SEEDS_LOOK_ALIKE, BLOCK_LOOK_ALIKE = 10, 5  # of many features, and of no printed number
MARKED = {  # points whose runs are kept one by one
    data: list(dict.fromkeys([*STANDARD.values(), *([splits.NAMED[data]] if data in splits.NAMED else [])]))
    for data in (*splits.MAIN, *splits.ADDITIONAL, *splits.LOOK_ALIKE)
}


def tuning_cases():
    """Blocks of seeds of every data set."""
    blocks = [(data, N_SEEDS, BLOCK) for data in (*splits.MAIN, *splits.ADDITIONAL)]
    blocks += [(data, N_SEEDS_LOOK_ALIKE, BLOCK_LOOK_ALIKE) for data in splits.LOOK_ALIKE]
    return [
        {"data": data, "first_seed": first, "n_seeds": block}
        for data, n_seeds, block in blocks
        for first in range(0, n_seeds, block)
    ]


@experiment(
    "tsallis.tuning",
    item="Table 1, Figures 3 and 6",
    title="Test accuracy over (alpha, beta)",
    cases=tuning_cases,
    datasets=lambda case: (splits.NAMES[case["data"]],),
    seconds=120,
    kind="exact",
)
def tune(case):
    """Rows predicted rightly at every point of the grid, one row for each seed of the block.

    Returns
    -------
    list of dict: ``seed``; ``n_test``, ``n_valid``, rows of the test part and of all validation parts
    together; what `count_right` counts
    """
    X, y = splits.samples(case["data"])
    rows = []
    for seed in range(case["first_seed"], case["first_seed"] + case["n_seeds"]):
        test, folds = splits.tuning_parts(len(y), seed)
        counts = count_right(X, y, test, folds, MARKED[case["data"]])
        rows.append({"seed": seed, "n_test": len(test), "n_valid": len(y) - len(test), **counts})
    return rows


def count_right(X, y, test, folds, marked, alphas=GRID_ALPHAS, betas=GRID_BETAS):
    """Rows predicted rightly over the grid.

    Returns
    -------
    dict: ``test``, ``valid``, lists over alphas of lists over betas of rows right, summed over the runs;
    ``runs``, for each point of `marked` the list of the runs' rows right on the test part; ``leaves``, for
    each point of `marked` the leaves of the runs' trees together
    """
    criteria = tsallis_grid(alphas, betas)
    shape = len(alphas), len(betas), len(folds)

    def counted(parts):
        found = fit_grid(X, y, criteria, folds=parts, max_depth=MAX_DEPTH)
        n_rows = [len(rows) for _, rows in parts]
        return np.rint(found.accuracy * n_rows).astype(np.int64).reshape(shape), found.n_leaves.reshape(shape)

    on_test, leaves = counted([(train, test) for train, _ in folds])
    on_valid, _ = counted(folds)
    places = [(alphas.index(alpha), betas.index(beta)) for alpha, beta in marked]
    return {
        "test": on_test.sum(axis=2).tolist(),
        "valid": on_valid.sum(axis=2).tolist(),
        "runs": [on_test[i, j].tolist() for i, j in places],
        "leaves": [int(leaves[i, j].sum()) for i, j in places],
    }


INTERVALS = {  # half width of the 95 % interval of five runs, over their deviation (from the mean of five)
    "Student's t": lambda n: t_quantile(n - 1) / sqrt(n - 1),
    "1.96, deviation over n - 1": lambda n: 1.96 / sqrt(n - 1),
    "1.96, deviation over n": lambda n: 1.96 / sqrt(n),
}
FORMULA = "Student's t"  # what 95 % asks for with five runs; the paper prints none
NO_RESULTS = "the data may not be shipped, they are not at hand, and no result is kept"
TABLE_1 = {"iris": "Iris", "banknote": "Banknote", "breast-cancer": "Breast cancer", "wine": "Wine"}
COLUMNS = {"gini": STANDARD["Gini"], "entropy": STANDARD["Entropy"], "km96": STANDARD["KM96"]}

N_RESAMPLES = 1000


@dataclass(frozen=True, eq=False)
class Tuning:
    """Accuracies over the grid of (alpha, beta) on one data set.

    Attributes
    ----------
    data : str
    test : float (n_seeds, n_alphas, n_betas), mean of five runs on the test part
    valid : float (n_seeds, n_alphas, n_betas), mean of the five parts left out in cross validation
    runs : dict of a point to float (n_seeds, 5), its runs on the test part
    leaves : dict of a point to float, mean leaves of its trees
    alphas, betas : tuples, the grid
    """

    data: str
    test: np.ndarray
    valid: np.ndarray
    runs: dict
    leaves: dict
    alphas: tuple = GRID_ALPHAS
    betas: tuple = GRID_BETAS

    @property
    def n_seeds(self):
        return len(self.test)

    @property
    def mean(self):
        """float (n_alphas, n_betas), over all seeds"""
        return self.test.mean(axis=0)

    def index(self, point):
        """Place of a pair (alpha, beta) in the grid."""
        return self.alphas.index(point[0]), self.betas.index(point[1])

    def point(self, index):
        """(alpha, beta) of a place in the flattened grid."""
        i, j = np.unravel_index(index, self.mean.shape)
        return self.alphas[i], self.betas[j]

    def at(self, point):
        """Test accuracy of all seeds at one point of the grid, float (n_seeds,)."""
        return self.test[(slice(None), *self.index(point))]

    @property
    def best(self):
        """(alpha, beta) of the highest mean accuracy; the first of equals."""
        return self.point(self.mean.argmax())

    def winners(self):
        """How often each point is the best of a single seed; equals share one vote. Counter, most first."""
        votes = Counter()
        for test in self.test.reshape(self.n_seeds, -1):
            equal = np.flatnonzero(test == test.max())
            for index in equal:
                votes[self.point(index)] += 1 / len(equal)
        return votes

    def wins(self, part):
        """On how many draws some point with each alpha (`part` 0) or beta (1) is a best one: `Wins`."""
        values = (self.alphas, self.betas)[part]
        first = self.test == self.test.max(axis=(1, 2), keepdims=True)
        counts = first.any(axis=2 - part).sum(axis=0)
        return Wins(dict(zip(values, counts.tolist(), strict=True)), self.n_seeds)

    def n_equal(self):
        """Mean number of points of the grid that share the first place of a seed."""
        flat = self.test.reshape(self.n_seeds, -1)
        return float((flat == flat.max(axis=1, keepdims=True)).sum(axis=1).mean())

    def resampled(self):
        """How often each point is the best when the seeds are drawn anew with replacement: shares."""
        random = np.random.default_rng(0)
        flat = self.test.reshape(self.n_seeds, -1)
        draws = random.multinomial(self.n_seeds, [1 / self.n_seeds] * self.n_seeds, size=N_RESAMPLES)
        winners = (draws @ flat).argmax(axis=1)
        return Counter({self.point(i): n / N_RESAMPLES for i, n in Counter(winners.tolist()).most_common()})

    def near_best(self):
        """Share of the grid whose mean is not significantly below the best one, by paired differences."""
        flat = self.test.reshape(self.n_seeds, -1)
        lost = flat[:, [flat.mean(axis=0).argmax()]] - flat
        return float((lost.mean(axis=0) <= half_width(lost)).mean())

    def gain(self, point, over):
        """Mean paired difference of accuracy of two points, and the half width of its interval."""
        difference = self.at(point) - self.at(over)
        return float(difference.mean()), float(half_width(difference))

    def halves(self, over=STANDARD["Gini"]):
        """Gain over a standard criterion of the point that is best on one half of the seeds, measured on the
        other half, both ways: what is left when the point is not chosen on the splits it is judged on."""
        gains = []
        for chosen_on, judged_on in ((0, 1), (1, 0)):
            point = self.point(self.test[chosen_on::2].mean(axis=0).argmax())
            gains.append((self.at(point) - self.at(over))[judged_on::2])
        gains = np.concatenate(gains)
        return float(gains.mean()), float(half_width(gains))

    def learned(self, over=(STANDARD["Gini"],)):
        """Gain of the point that cross validation picks within each seed, on that seed's test part: what
        somebody gets who learns the parameters from the data. Of equals the mean.

        over : points among which cross validation picks for comparison, in the same way
        """
        places = tuple(np.array([self.index(point) for point in over]).T)
        gains = []
        for valid, test in zip(self.valid, self.test, strict=True):
            few = test[places][valid[places] == valid[places].max()].mean()
            gains.append(test[valid == valid.max()].mean() - few)
        return float(np.mean(gains)), float(half_width(gains))


@cache
def tuning(data):
    """`Tuning` of a data set, or None where its results cannot be had (the data are not at hand)."""
    cases = [case for case in store.registry.get("tsallis.tuning").cases() if case["data"] == data]
    try:
        frame = store.results("tsallis.tuning", cases=cases)
    except store.Missing:
        return None
    n_test, n_valid = (frame[name].to_numpy()[:, None, None] for name in ("n_test", "n_valid"))
    test, valid, runs = (np.array(frame[name].tolist()) for name in ("test", "valid", "runs"))
    marked = MARKED[data]
    single = dict(zip(marked, np.swapaxes(100 * runs / n_test, 0, 1), strict=True))
    leaves = dict(zip(marked, np.mean(frame["leaves"].tolist(), axis=0) / splits.N_FOLDS, strict=True))
    return Tuning(data, 100 * test / n_test / splits.N_FOLDS, 100 * valid / n_valid, single, leaves)


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
    chosen = "; a point chosen on the test part looks better than it is" * claim_id.endswith("acc-best")
    open_points = "the paper's grid, draw of the parts and rule for ties are not printed"
    widths = {name: Draws(half_widths(runs, name)) for name in INTERVALS}
    return [
        judge(
            claim_id,
            Draws(runs.mean(axis=1)),
            cause=f"{open_points}{chosen}",
            note="the five runs of a draw share their test part, so that a draw counts as one run",
            **origin,
        ),
        judge(
            f"{claim_id}-ci95",
            Readings("how the interval is computed", FORMULA, widths),
            cause=f"how many runs the paper has, and its formula, are not printed: {formulas_in_words()}",
            **origin,
        ),
    ]


def judge_best(data, ids):
    """Verdicts on the coordinates of a best point.

    Every point of the grid that is best on a draw counts, also where several are equally good.

    data : str. ids : pair of str or None, the claims on alpha and on beta
    """
    results = tuning(data)
    known = [(part, claim_id) for part, claim_id in enumerate(ids) if claim_id]
    if results is None:
        return [untestable(claim_id, NO_RESULTS, experiment="tsallis.tuning") for _, claim_id in known]
    point = splits.NAMED[data]
    rank = int((results.mean > results.mean[results.index(point)]).sum()) + 1
    lost, width = results.halves(over=point)
    again = results.resampled()[results.best]
    note = (
        f"{show(point)} has rank {rank} of {results.mean.size} by its mean over {results.n_seeds} draws, "
        f"{lost:.2f} ± {width:.2f} points below the point that is best on the other half of them; "
        f"{results.n_equal():.1f} points share the first place of a draw, and {show(results.best)} is best "
        f"again in {100 * again:.0f} % of resamplings"
    )
    return [
        judge(one, results.wins(part), cause="no point with this value is ever the best", note=note,
              experiment="tsallis.tuning")
        for part, one in known
    ]  # fmt: skip


def _judge_outperform():
    """Whether the printed points are significantly better than the standard criteria."""
    trials = []
    for data in TABLE_1.values():
        for name, standard in STANDARD.items():
            gain, width = tuning(data).gain(splits.NAMED[data], standard)
            label = f"{data} over {name}, {gain:+.2f} ± {width:.2f} points; short by"
            trials.append((label, bool(gain > width), width - gain))
    learned = {data: tuning(data).learned() for data in TABLE_1.values()}
    picked = ", ".join(f"{data} {gain:+.2f} ± {width:.2f}" for data, (gain, width) in learned.items())
    return judge_statement(
        "tsallis.s9.tuning.claim",
        Trials.of(trials, "pairs of a data set and a standard criterion, paired differences over our draws"),
        cause="not all printed points are significantly better on our draws",
        note=f"parameters that cross validation picks on each draw, against Gini: {picked}",
        experiment="tsallis.tuning",
    )


def _judge_difference():
    """Whether data sets want different parameters: the best point of one is clearly worse on another."""
    known = {data: tuning(data) for data in TABLE_1.values()}
    trials = []
    for one, other in combinations(known, 2):
        lost = [known[a].halves(over=known[b].best) for a, b in ((one, other), (other, one))]
        gain, width = max(lost, key=lambda pair: pair[0] - pair[1])
        trials.append((f"{one} and {other}, {gain:+.2f} ± {width:.2f} points", bool(gain > width)))
    return judge_statement(
        "tsallis.s9.tuning.different-optima",
        Trials.of(trials, "pairs of data sets, the best point of one on the other"),
        cause="not all pairs are told apart: the best point of one data set is level with that of the other",
        note=", ".join(f"{data} {show(results.best)}" for data, results in known.items()),
        experiment="tsallis.tuning",
    )


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
