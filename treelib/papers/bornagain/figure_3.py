"""Figure 3 and Section 4.2: how the search grows with samples, features and trees."""

import time
from itertools import pairwise

import numpy as np
import pandas as pd
from scipy.stats import norm

from treelib.bornagain.ensemble.cells import thresholds
from treelib.bornagain.paper.algorithms import minimise_by_recursion
from treelib.ledger import store
from treelib.ledger.experiments import TIMING, experiment
from treelib.ledger.protocol.judging import Trials, judge_statement, judges, redrawn, withheld
from treelib.ledger.sampling import SURE
from treelib.ledger.verdicts import verdicts_on
from treelib.papers.bornagain.figure_2 import boxes_of
from treelib.papers.bornagain.settings import BASELINE, DATA, FOLDS, GROWTH, load, train_forest
from treelib.papers.bornagain.trees import search
from treelib.tree.style import method_style

GROWTH_LIMITS = {"time_limit": 60, "memory_limit": "3 GB"}


@experiment(
    "bornagain.f3",
    item="Figure 3",
    title="Growth of the recursion and of the exact search for depth with samples, features and trees",
    cases=lambda: [{"axis": axis, "value": value} for axis, values in GROWTH.items() for value in values],
    datasets=(DATA["FI"],),
    seconds=12,
    kind=TIMING,
)
def figure_3(case):
    """Ten random subsets of FICO, one a fold; a row each.

    The subset is drawn first, then cut into folds; the forest is trained on all parts but the fold's.
    """
    size = BASELINE | {case["axis"]: case["value"]}
    table, rows = load("FI"), []
    for fold in FOLDS:
        rng = np.random.default_rng(fold)
        drawn = np.sort(rng.choice(len(table.X), size["samples"], replace=False))
        columns = np.sort(rng.choice(table.X.shape[1], size["features"], replace=False))
        ensemble = trained_without(fold, drawn, columns, size["trees"])
        result, seconds = search(ensemble, "D", **GROWTH_LIMITS)
        row = {name: int(result.stats[name]) for name in ("n_cells", "n_regions", "n_states")}
        if fold == FOLDS[0]:
            minimise_by_recursion(ensemble, "depth")  # compiled or loaded outside of measured time
        began = time.process_time()
        printed = minimise_by_recursion(ensemble, "depth")
        row |= {"recursion_seconds": time.process_time() - began, "visited": int(printed.stats["n_states"])}
        row["hyperplanes"] = sum(map(len, thresholds(ensemble)))
        depth = {"depth": result.tree.max_depth, "status": result.status}
        rows.append({"fold": fold} | row | depth | {"search_seconds": seconds})
    return rows


def trained_without(fold, drawn, columns, n_trees):
    """Forest of some rows and columns of FICO, trained on all of ten parts of the rows but the fold's."""
    table, parts = load("FI"), np.array_split(drawn, len(FOLDS))
    train = np.concatenate([part for number, part in enumerate(parts, 1) if number != fold])
    return train_forest(table.X[np.ix_(train, columns)], table.y[train], fold, n_trees)


MUCH_LESS = 2  # times: "significantly less"
ENDS = GROWTH["samples"][0], GROWTH["samples"][-1]


@experiment(
    "bornagain.f3.pairs",
    item="Section 4.2",
    title="Few samples and all of them on the same columns, two hundred times",
    cases=lambda: [{"runs": 200}],
    datasets=(DATA["FI"],),
    seconds=10,
    kind="statistical",
)
def pairs(case):
    """Distinct hyperplanes and regions visited by Algorithm 1 with the fewest and with all samples.

    Returns
    -------
    list of dict: ``run``; ``hyperplanes_few``, ``hyperplanes_all``, ``visited_few``, ``visited_all``
    """
    table, rows = load("FI"), []
    for run in range(1, case["runs"] + 1):
        rng = np.random.default_rng(run)
        columns = np.sort(rng.choice(table.X.shape[1], BASELINE["features"], replace=False))
        row = {"run": run}
        for name, n in zip(("few", "all"), ENDS, strict=True):
            drawn = np.sort(rng.choice(len(table.X), n, replace=False))
            ensemble = trained_without(run, drawn, columns, BASELINE["trees"])
            row[f"hyperplanes_{name}"] = sum(map(len, thresholds(ensemble)))
            row[f"visited_{name}"] = int(minimise_by_recursion(ensemble, "depth").stats["n_states"])
        rows.append(row)
    return rows


# ---- drawn and judged --------------------------------------------------------------------------------------


def draw(panels):
    """Growth of the CPU time of Algorithm 1 with samples, features and trees (Figure 3)."""
    found = store.results("bornagain.f3")
    for axes, (axis, values) in zip(panels, GROWTH.items(), strict=True):
        some = found[found["axis"] == axis]
        boxes = [(1000 * some[some["value"] == value]["recursion_seconds"]).tolist() for value in values]
        boxes_of(axes, boxes, range(len(values)), 0.6, method_style("born-again")["color"])
        axes.set_xticks(range(len(values)), map(str, values), rotation=60)
        axes.set(yscale="log", xlabel=axis)
    panels[0].set_ylabel("milliseconds")


def growth_of_regions(panels):
    """Regions of the filtered cells along the axes of Figure 3: mean and range over ten runs."""
    found, style = store.results("bornagain.f3"), method_style("born-again")
    for axes, (axis, values) in zip(panels, GROWTH.items(), strict=True):
        grouped = found[found["axis"] == axis].groupby("value")["n_regions"]
        place = range(len(values))
        axes.plot(place, [grouped.mean()[value] for value in values], **(style | {"label": ""}))
        axes.fill_between(
            place,
            [grouped.min()[value] for value in values],
            [grouped.max()[value] for value in values],
            color=style["color"],
            alpha=0.25,
        )
        axes.set_xticks(place, map(str, values), rotation=60)
        axes.set(yscale="log", xlabel=axis)
    panels[0].set_ylabel("regions")


@verdicts_on("bornagain")
@judges("bornagain.s4-2.scaling.*", "bornagain.f3.description.*")
def verdicts():
    """Verdicts on Figure 3 and what the text says of it, list of Verdict."""
    frame = store.results("bornagain.f3")
    means = frame.groupby(["axis", "value"])[["visited", "recursion_seconds"]].mean()
    work = means["visited"]
    steps = list(pairwise(GROWTH["features"]))
    growth = {axis: work[axis, values[-1]] / work[axis, values[0]] for axis, values in GROWTH.items()}
    seconds = means["recursion_seconds"]
    slower = {axis: seconds[axis, ends[-1]] / seconds[axis, ends[0]] for axis, ends in GROWTH.items()}
    origin = {"experiment": "bornagain.f3", "cause": "it grows in another way here"}
    return [
        _judge_growth(
            frame,
            [
                Trials.of(
                    ((f"{a} to {b}", work["features", b] > work["features", a]) for a, b in steps),
                    "steps from one number of features to the next: mean regions visited by Algorithm 1 rise",
                ),
                Trials.of(
                    [_exponential(work["features"])], "an exponential in p fits better than a power of p"
                ),
            ],
            f"{growth['features']:,.0f} times the regions from first to last, and "
            f"{slower['features']:.0f} times the seconds, of which most are fixed costs",
            origin,
        ),
        judge_statement(
            "bornagain.s4-2.scaling.trees-less",
            [
                (
                    "mean regions visited",
                    MUCH_LESS * growth["trees"] < growth["features"],
                    growth["trees"] / growth["features"],
                )
            ],
            f"growth from first to last value, {MUCH_LESS} times as much with the features as with "
            "the trees, or more",
            note="how much is significant is not said: any factor up to "
            f"{growth['features'] / growth['trees']:.1f} says the same; with the "
            f"trees {growth['trees']:.1f} times the regions; the seconds, {slower['trees']:.1f} times with "
            f"the trees and {slower['features']:.1f} times with the features, are mostly fixed costs; "
            f"the trees grow {max(GROWTH['trees']) / min(GROWTH['trees']):.1f}-fold, the "
            f"features {max(GROWTH['features']) / min(GROWTH['features']):.1f}-fold",
            **origin,
        ),
        judge_fall("decrease-in-n", "visited", "regions visited by Algorithm 1"),
        judge_fall("fewer-hyperplanes", "hyperplanes", "distinct hyperplanes of the forest"),
        redrawn(
            "bornagain.f3.description.boxplots",
            f"drawn for {sum(map(len, GROWTH.values()))} settings with ten runs each",
            experiment="bornagain.f3",
        ),
    ]


@judges("bornagain.s4-2.scaling.decrease-in-n", "bornagain.s4-2.scaling.fewer-hyperplanes")
def judge_fall(claim, column, what):
    """Verdict on a number that falls with more samples, by its mean over many pairs of forests.

    claim : str, end of the id. column : of `pairs`. what : str, in words
    """
    found = store.results("bornagain.f3.pairs")
    fall = found[f"{column}_few"] - found[f"{column}_all"]
    width = norm.ppf((1 + SURE) / 2) * fall.std() / np.sqrt(len(fall))
    trials = Trials.of(
        [(f"mean fall {fall.mean():.3g}, 99 % half-width {width:.2g}", fall.mean() > width, width)],
        f"mean of {what} over {len(fall)} pairs of forests: {ENDS[1]:,} samples against {ENDS[0]}, the same "
        "columns",
    )
    note = f"fewer in {(fall > 0).sum()}, more in {(fall < 0).sum()}, as many in {(fall == 0).sum()} pairs"
    return judge_statement(
        f"bornagain.s4-2.scaling.{claim}",
        trials,
        cause="the mean rises",
        withhold="within the error of the mean" * bool(abs(fall.mean()) <= width),
        note=note,
        experiment="bornagain.f3.pairs",
    )


def _judge_growth(frame, trials, note, origin):
    """Verdict on "exponential growth in p": only where our runs, drawn anew, tell it from a power."""
    claim, share = "bornagain.s4-2.scaling.growth-in-p", power_share(frame[frame["axis"] == "features"])
    if 1 - SURE < share < SURE:
        why = f"a power of p fits better in {share:.0%} of resamplings of our runs: they are not told apart"
        return withheld(claim, trials, why, note=note, experiment=origin["experiment"])
    return judge_statement(claim, trials, note=note, **origin)


def power_share(runs, n_resamples=1000):
    """Share of resamplings of the runs of each p in which a power of p fits better than an exponential.

    runs : DataFrame, a line for each run: ``value``, the number of features, and ``visited``
    """
    random = np.random.default_rng(0)
    groups = runs.groupby("value")["visited"]
    means = {
        p: random.choice(some.to_numpy(float), (n_resamples, len(some))).mean(axis=1) for p, some in groups
    }
    drawn = pd.DataFrame(means)
    return float(np.mean([not _exponential(one)[1] for _, one in drawn.iterrows()]))


def _exponential(work):
    """("fit of log regions", whether a line in p fits better than one in log p, by how much it does not)."""
    p, y = np.array(work.index, dtype=float), np.log(work.to_numpy())
    line, power = (np.polyfit(x, y, 1, full=True)[1][0] for x in (p, np.log(p)))
    return "fit of log regions", bool(line < power), line - power
