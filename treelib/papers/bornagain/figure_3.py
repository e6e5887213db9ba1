"""Figure 3 and Section 4.2: how the search grows with samples, features and trees."""

from functools import cache

import numpy as np

from treelib.ledger import store
from treelib.ledger.claims import judge_statement
from treelib.ledger.experiments import TIMING, experiment
from treelib.ledger.verdicts import verdicts_on
from treelib.papers.bornagain.example import NO_DRAWING
from treelib.papers.bornagain.figure_2 import boxes_of
from treelib.papers.bornagain.settings import BASELINE, DATA, FOLDS, GROWTH, load, train_forest
from treelib.papers.bornagain.trees import search
from treelib.tree.style import method_style

GROWTH_LIMITS = {"time_limit": 60, "memory_limit": "3 GB"}


@experiment(
    "bornagain.f3",
    item="Figure 3",
    title="Growth of the exact search for depth with samples, features and trees",
    cases=lambda: [{"axis": axis, "value": value} for axis, values in GROWTH.items() for value in values],
    datasets=(DATA["FI"],),
    seconds=4,
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
        parts = np.array_split(drawn, len(FOLDS))
        train = np.concatenate([part for number, part in enumerate(parts, 1) if number != fold])
        ensemble = train_forest(table.X[np.ix_(train, columns)], table.y[train], fold, size["trees"])
        result, seconds = search(ensemble, "D", **GROWTH_LIMITS)
        row = {name: int(result.stats[name]) for name in ("n_cells", "n_regions", "n_states")}
        depth = {"depth": result.tree.max_depth, "status": result.status}
        rows.append({"fold": fold} | row | depth | {"search_seconds": seconds})
    return rows


# ---- drawn and judged ----


def draw(panels):
    """Growth of the CPU time with samples, features and trees (Figure 3)."""
    found = store.results("bornagain.f3")
    for axes, (axis, values) in zip(panels, GROWTH.items(), strict=True):
        some = found[found["axis"] == axis]
        boxes = [(1000 * some[some["value"] == value]["search_seconds"]).tolist() for value in values]
        boxes_of(axes, boxes, range(len(values)), 0.6, method_style("born-again")["color"])
        axes.set_xticks(range(len(values)), map(str, values), rotation=60)
        axes.set(yscale="log", xlabel=axis)
    panels[0].set_ylabel("milliseconds")


def growth_of_regions(panels):
    """Regions of the filtered cells along the axes of Figure 3: mean and range over ten runs."""
    found = store.results("bornagain.f3")
    for axes, (axis, values) in zip(panels, GROWTH.items(), strict=True):
        grouped = found[found["axis"] == axis].groupby("value")["n_regions"]
        place = range(len(values))
        axes.plot(place, [grouped.mean()[value] for value in values], **_line())
        axes.fill_between(
            place,
            [grouped.min()[value] for value in values],
            [grouped.max()[value] for value in values],
            color=method_style("born-again")["color"],
            alpha=0.25,
        )
        axes.set_xticks(place, map(str, values), rotation=60)
        axes.set(yscale="log", xlabel=axis)
    panels[0].set_ylabel("regions")


def _line():
    return {**method_style("born-again"), "label": ""}


@cache
def growth_facts():
    """Ratio of the mean number of regions at the last and first value of each axis of Figure 3, dict."""
    frame = store.results("bornagain.f3")
    facts = {}
    for axis, values in GROWTH.items():
        mean = frame[frame["axis"] == axis].groupby("value")["n_regions"].mean()
        facts[axis] = float(mean[values[-1]] / mean[values[0]])
    return facts


@verdicts_on("bornagain")
def verdicts():
    """Verdicts on Figure 3 and what the text says of it, list of Verdict."""
    growth = growth_facts()
    return [
        judge_statement(
            "bornagain.s4-2.scaling.growth-in-p",
            growth["features"] > 10 * growth["trees"] > 0 and growth["samples"] < 1,
            f"regions grow by a factor of {growth['features']:.0f} with the features and of "
            f"{growth['trees']:.1f} with the trees, and change by {growth['samples']:.2f} with the samples",
            cause="regions grow in another way",
            experiment="bornagain.f3",
        ),
        judge_statement(
            "bornagain.f3.description.boxplots",
            growth["features"] > 1,
            f"drawn for {sum(map(len, GROWTH.values()))} settings with ten runs each",
            why=NO_DRAWING,
            cause="nothing grows",
            experiment="bornagain.f3",
        ),
    ]
