"""Figures 1, 2 and 5: what a price of leaves does to loss and size, and for which criterion."""

import numpy as np

from treelib.ledger.claims import judge_statement
from treelib.ledger.verdicts import verdicts_on
from treelib.papers.tsallis import splits
from treelib.papers.tsallis.splits import STANDARD, half_width, show
from treelib.papers.tsallis.table_2 import (
    ETA,
    FIXED_ALPHA,
    FIXED_BETA,
    N_SPLITS,
    VARIED_ALPHAS,
    VARIED_BETAS,
    grow,
    pruned,
)
from treelib.topdown.prune import methods


def example_path(data, split=0):
    """Cost-complexity path of a tree grown by Gini impurity, and the test errors of its trees.

    Returns
    -------
    path : treelib.topdown.prune.methods.PruningPath
    errors : float (n_pieces,)
    """
    X, y = splits.samples(data)
    train, test = splits.pruning_parts(len(y), split)
    tree = grow(X[train], y[train], *splits.STANDARD["Gini"])
    path = methods.cost_complexity_path(tree)
    return path, path.errors(X[test], y[test])


@verdicts_on("tsallis")
def judge_pruning_figures():
    """Figures 1, 2 and 5 and their text."""
    gini = {data: pruned(data, *STANDARD["Gini"]) for data in splits.MAIN}
    pieces = all(
        len(row["complexities"]) <= row["leaves"] for results in gini.values() for row in results.rows
    )
    best = {data: results.best for data, results in gini.items()}
    differ = _told_apart(gini)
    text = (
        f"at most t pieces on all {N_SPLITS} splits of {len(gini)} data sets; best complexities: "
        + ", ".join(f"{data} {complexity:.4f}" for data, (complexity, _) in best.items())
    )
    why = "which data the printed curves show is not in the text"
    no = "a loss has more pieces than leaves, or one complexity is best for all data sets"
    dominance = {data: _dominance(data) for data in ("Iris", "Wine")}
    regimes = "; ".join(f"{data}: {_regime_text(found)}" for data, found in dominance.items())
    several = all(len({name for name, _ in found.values()}) > 1 for found in dominance.values())
    told = any(is_told for found in dominance.values() for _, is_told in found.values())
    reduction, smaller = _frontier_reach(gini)
    unsure = "the means differ so; by paired differences the criteria are not told apart at these sizes"
    return [
        judge_statement(
            "tsallis.f1.description.plot",
            pieces and differ,
            text,
            why=why,
            cause=no,
            experiment="tsallis.pruning",
        ),
        judge_statement(
            "tsallis.s9.mccp.claim", pieces and differ, text, cause=no, experiment="tsallis.pruning"
        ),
        judge_statement(
            "tsallis.f2.description.plot",
            smaller,
            reduction,
            why=why,
            cause="the whole tree has the least objective on some data set",
            experiment="tsallis.pruning",
        ),
        judge_statement(
            "tsallis.f5.description.plot",
            several,
            regimes,
            why="which values the printed curves have is not in the text",
            cause="one criterion is best at all sizes",
            experiment="tsallis.pruning",
        ),
        judge_statement(
            "tsallis.s9.frontier.claim",
            several,
            regimes,
            why="" if told else unsure,
            cause="one criterion is best at all sizes",
            experiment="tsallis.pruning",
        ),
    ]


def _told_apart(results):
    """Whether for some two data sets the best complexity of one is significantly worse on the other."""
    for one in results.values():
        for other in results.values():
            piece = np.searchsorted(one.complexities, other.best[0], side="right") - 1
            lost = one.fixed() - one.accuracy[:, piece]
            if lost.mean() > half_width(lost) > 0:
                return True
    return False


def _frontier_reach(results):
    """Leaves that the best objective needs, against the unpruned tree, and whether these are always fewer."""
    parts, smaller = [], True
    for data, one in results.items():
        leaves, accuracy, objective = one.frontier()
        at = int(objective.argmin())
        smaller &= bool(leaves[at] < leaves[0])
        parts.append(f"{data} {leaves[at]:.1f} of {leaves[0]:.1f} leaves at {accuracy[at]:.1f} %")
    return f"least loss + {ETA:g} leaves, means over {N_SPLITS} splits: " + ", ".join(parts), smaller


def criteria_of_figure_5():
    """The criteria of Figure 5's two panels: list of lists of (alpha, beta)."""
    return [
        [(alpha, FIXED_BETA) for alpha in VARIED_ALPHAS],
        [(FIXED_ALPHA, beta) for beta in VARIED_BETAS],
    ]


def _dominance(data, sizes=range(2, 9)):
    """Best criterion for each number of leaves: dict of size to (criterion, told apart from some other)."""
    criteria = list(dict.fromkeys(point for panel in criteria_of_figure_5() for point in panel))
    found = {}
    for size in sizes:
        accuracy = {point: pruned(data, *point).of_size(size) for point in criteria}
        best = max(criteria, key=lambda point: accuracy[point].mean())
        lost = [accuracy[best] - accuracy[point] for point in criteria if point != best]
        found[size] = best, any(one.mean() > half_width(one) > 0 for one in lost)
    return found


def _regime_text(found):
    return ", ".join(f"{size} leaves {show(point)}" for size, (point, _) in found.items())
