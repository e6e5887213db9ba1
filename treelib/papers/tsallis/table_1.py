"""Table 1: accuracies of four criteria, their half widths, the best parameters, and the text on them.

The runs are those of `treelib.papers.tsallis.figure_3`.
"""

from math import inf, sqrt

import numpy as np
import pandas as pd

from treelib.ledger import store
from treelib.ledger.claims import find
from treelib.ledger.experiments import experiment
from treelib.ledger.protocol.declared import Open, PerDraw, declared, kept
from treelib.ledger.protocol.judging import judge_leads, judges
from treelib.papers.tsallis import splits
from treelib.papers.tsallis.figure_3 import N_SEEDS, judge_different, tuning, wins
from treelib.papers.tsallis.splits import STANDARD, show
from treelib.topdown.grid.fit_grid import fit_grid, tsallis_grid

INTERVALS = {  # half width of the 95 % interval of five runs, over their deviation (from the mean of five);
    # the first is what 95 % asks for with five runs, and the paper prints none
    "Student's t": lambda n: t_quantile(n - 1) / sqrt(n - 1),
    "1.96, deviation over n - 1": lambda n: 1.96 / sqrt(n - 1),
    "1.96, deviation over n": lambda n: 1.96 / sqrt(n),
}
TABLE_1 = {"iris": "Iris", "banknote": "Banknote", "breast-cancer": "Breast cancer", "wine": "Wine"}
COLUMNS = {"gini": STANDARD["Gini"], "entropy": STANDARD["Entropy"], "km96": STANDARD["KM96"]}


SHARED_PART = "five training sets, one test part"
OTHER_PARTS = {"folds": "five folds, each the test part of the others", "parts": "five random test parts"}


@experiment(
    "tsallis.folds",
    item="Table 1",
    title="Table 1 with five test parts in place of one",
    cases=lambda: [{"data": data} for data in splits.MAIN],
    datasets=splits.data_of,
    seconds=7,
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


N_LEADS, BLOCK = 1000, 50  # draws, seeds 0 and on; so many are grown at a time


@experiment(
    "tsallis.leads",
    item="Section 9",
    title="Leads of the four points of Table 1 over the standard criteria, on many draws",
    cases=lambda: [{"data": data, "draws": N_LEADS} for data in splits.MAIN],
    datasets=splits.data_of,
    seconds=25,
)
def measure_leads(case):
    """Mean lead in points of the point that a row of Table 1 names, and the half width of its 95 % interval
    over the draws: dict of the standard criterion to the pair."""
    X, y = splits.samples(case["data"])
    criteria = [one for point in points_of(case["data"]) for one in tsallis_grid(*zip(point, strict=True))]
    parts, right = splits.test_folds(len(y), case["draws"]), []
    for first in range(0, len(parts), BLOCK * splits.N_FOLDS):
        folds = parts[first : first + BLOCK * splits.N_FOLDS]
        right.append(fit_grid(X, y, criteria, folds=folds, max_depth=splits.MAX_DEPTH).accuracy)
    draws = 100 * np.hstack(right).reshape(len(criteria), -1, splits.N_FOLDS).mean(axis=2)
    leads = dict(zip(STANDARD, draws[0] - draws[1:], strict=True))
    return {name: [float(lead.mean()), float(splits.half_width(lead))] for name, lead in leads.items()}


def leads():
    """Stored leads with the printed ones: list of (str, mean, half width, printed lead)."""
    found = []
    for case, result in store.outcomes("tsallis.leads"):
        for name, pair in result.items():
            cells = (f"tsallis.t1.{KEYS[case['data']]}.acc-{one}" for one in ("best", name.lower()))
            best, other = (float(find(cell).number) for cell in cells)
            found.append((f"{case['data']} over {name}", *pair, best - other))
    return found


def points_of(data):
    """The four points of a row of Table 1: the one it names, Gini, entropy and Kearns-Mansour."""
    return [splits.NAMED[data], *COLUMNS.values()]


def stored_runs(data):
    """Accuracies behind a row of Table 1, float (4, n_draws, 5), from the stored results."""
    known = tuning(data).runs
    return np.stack([known[point] for point in points_of(data)])


KEYS = {data: key for key, data in TABLE_1.items()}
CELLS = {f"acc-{column}": k for k, column in enumerate(("best", *COLUMNS))}


def _runs():
    """Accuracies of the five runs of each draw, a line a data set and draw: columns of `CELLS`."""
    found = kept("tsallis.tuning")
    found = found[found["data"].isin(KEYS)]
    runs = {data: stored_runs(data) for data in KEYS}
    of_cells = {cell: [list(one) for data in runs for one in runs[data][k]] for cell, k in CELLS.items()}
    order = {data: place for place, data in enumerate(KEYS)}
    found = found.sort_values("data", key=lambda data: data.map(order), kind="stable")
    return found.assign(key=found["data"].map(KEYS), **of_cells)


@declared(
    "tsallis.t1.{key}.{cell}",
    {cell: PerDraw(cell, within=(0, 100)) for cell in CELLS},
    Open.of("what the five runs are", (SHARED_PART, *OTHER_PARTS.values())),
)
def accuracies():
    """Mean accuracies of the five runs of each draw, by what the runs are."""
    found = _runs()
    lines = [found.assign(reading=SHARED_PART, **{cell: found[cell].map(np.mean) for cell in CELLS})]
    for one in kept("tsallis.folds").to_dict("records"):
        for name, reading in OTHER_PARTS.items():
            means = {cell: np.mean(one[name][k], axis=1) for cell, k in CELLS.items()}
            lines.append(pd.DataFrame({"key": KEYS[one["data"]], "reading": reading, **means}))
    return pd.concat(lines)


@declared(
    "tsallis.t1.{key}.{cell}",
    {f"{cell}-ci95": PerDraw(cell, within=(0, inf)) for cell in CELLS},
    Open.of("how the interval is computed", INTERVALS),
)
def intervals():
    """Half widths of the interval of each draw, by the formula."""
    found = _runs()
    widths = {
        name: {cell: found[cell].map(lambda runs, name=name: half_widths(runs, name)) for cell in CELLS}
        for name in INTERVALS
    }
    return pd.concat([found.assign(reading=name, **columns) for name, columns in widths.items()])


@declared(
    "tsallis.t1.{key}.{cell}",
    {
        f"best-{name}": lambda lines, _, k=k: wins(lines["data"].iloc[0], k)
        for k, name in enumerate(("alpha", "beta"))
    },
)
def best_points():
    """How often each point of the grid is the best, a line a data set."""
    found = kept("tsallis.choice")
    return found.assign(key=found["data"].map(KEYS))


@judges("tsallis.t1.caption.*", "tsallis.s9.tuning.claim", "tsallis.s9.tuning.different-optima")
def judge_text():
    """Verdicts on what the caption and the text say of Table 1 and Figure 3, list of Verdict."""
    known = {data: tuning(data) for data in KEYS}
    accuracy = {data: results.test.reshape(results.n_seeds, -1) for data, results in known.items()}
    best = ", ".join(f"{data} {show(results.best)}" for data, results in known.items())
    source = {"experiment": "tsallis.tuning"}
    return [
        _judge_outperform(known),
        judge_different(
            "tsallis.s9.tuning.different-optima",
            accuracy,
            {"what": "point of the grid", "best": best},
            **source,
        ),
    ]


def _judge_outperform(known):
    """Whether the printed points are significantly better than the standard criteria."""

    def learned(**over):
        leads = {data: results.learned(**over) for data, results in known.items()}
        return ", ".join(f"{data} {gain:+.2f} ± {width:.2f}" for data, (gain, width) in leads.items())

    numbers = {
        "draws": N_LEADS,
        "picked": learned(),
        "beyond": learned(over=tuple(STANDARD.values())),
    }
    return judge_leads("tsallis.s9.tuning.claim", leads(), numbers=numbers, experiment="tsallis.leads")


# ---- the half widths of Table 1 ------------------------------------------------------------------------


def t_quantile(degrees):
    """Two-sided 95 % quantile of Student's t."""
    from scipy.stats import t

    return float(t.ppf(0.975, degrees))


def half_widths(runs, formula):
    """Half width of the interval of some runs by one of `INTERVALS`; runs float (..., n_runs)."""
    return np.std(runs, axis=-1) * INTERVALS[formula](np.shape(runs)[-1])
