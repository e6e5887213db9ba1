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
from treelib.ledger.protocol.judging import judge_statement, judges
from treelib.ledger.sampling import SURE
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
    seconds=5,
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


@judges("bornagain.s4-2.scaling.*")
def judge_growth():
    """Verdicts on what the text says of Figure 3, list of Verdict."""
    frame = store.results("bornagain.f3")
    means = frame.groupby(["axis", "value"])[["visited", "recursion_seconds"]].mean()
    growth, slower = (
        {axis: of[axis, values[-1]] / of[axis, values[0]] for axis, values in GROWTH.items()}
        for of in (means["visited"], means["recursion_seconds"])
    )
    work = means["visited"]["features"]
    share = power_share(frame[frame["axis"] == "features"])
    return [
        judge_statement(
            "bornagain.s4-2.scaling.growth-in-p",
            [
                ((f"{a} to {b}", work[b] > work[a]) for a, b in pairwise(GROWTH["features"])),
                iter([_exponential(work)]),
            ],
            withhold=1 - SURE < share < SURE,
            numbers={"share": share, "times": growth["features"], "slower": slower["features"]},
            experiment="bornagain.f3",
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
            numbers={
                "much": MUCH_LESS,
                "factor": growth["features"] / growth["trees"],
                "trees": growth["trees"],
                "slower_trees": slower["trees"],
                "slower_features": slower["features"],
            }
            | {f"n_{axis}": max(GROWTH[axis]) / min(GROWTH[axis]) for axis in GROWTH},
            experiment="bornagain.f3",
        ),
        judge_fall("decrease-in-n", "visited"),
        judge_fall("fewer-hyperplanes", "hyperplanes"),
    ]


def judge_fall(claim, column):
    """Verdict on a number that falls with more samples, by its mean over many pairs of forests.

    claim : str, end of the id. column : of `pairs`
    """
    found = store.results("bornagain.f3.pairs")
    fall = found[f"{column}_few"] - found[f"{column}_all"]
    width = norm.ppf((1 + SURE) / 2) * fall.std() / np.sqrt(len(fall))
    return judge_statement(
        f"bornagain.s4-2.scaling.{claim}",
        [(f"mean fall {fall.mean():.3g}, 99 % half-width {width:.2g}", fall.mean() > width, width)],
        withhold=bool(abs(fall.mean()) <= width),
        numbers={"n": len(fall), "few": ENDS[0], "all": ENDS[1]}
        | {"fewer": (fall > 0).sum(), "more": (fall < 0).sum(), "same": (fall == 0).sum()},
        experiment="bornagain.f3.pairs",
    )


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
