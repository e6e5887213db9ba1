"""Figures 1, 2 and 5: what a price of leaves does to loss and size, and for which criterion."""

from itertools import combinations

import numpy as np

from treelib.ledger.protocol.judging import Trials, judge_statement, judges, redrawn, untestable
from treelib.ledger.verdicts import verdicts_on
from treelib.papers.tsallis import splits
from treelib.papers.tsallis.section_4 import nested_pieces, small_trees
from treelib.papers.tsallis.splits import LEVEL, STANDARD, half_width, show
from treelib.papers.tsallis.table_2 import (
    FIXED_ALPHA,
    FIXED_BETA,
    N_SPLITS,
    VARIED_ALPHAS,
    VARIED_BETAS,
    pruned,
)


@verdicts_on("tsallis")
@judges(
    "tsallis.f1.*",
    "tsallis.f2.description.*",
    "tsallis.f5.*",
    "tsallis.s9.mccp.claim",
    "tsallis.s9.mccp.different-optima",
    "tsallis.s9.frontier.claim",
    "tsallis.s9.frontier.pushed",
    "tsallis.s0.abstract.claim",
)
def judge_pruning_figures(results=None):
    """Verdicts on Figures 1, 2 and 5 and on what the text says of them, list of Verdict.

    results : dict of (data, alpha, beta) to `Pruned`, as a page computes them; None: the stored ones
    """
    of = pruned if results is None else lambda *criterion: results[criterion]
    source = {"experiment": "tsallis.pruning"} if results is None else {}
    gini = {data: of(data, *STANDARD["Gini"]) for data in splits.MAIN}
    figures = {
        "tsallis.f1.description.plot": "test loss against the price of a leaf on four data sets",
        "tsallis.f2.description.plot": "accuracy against the price of all leaves on four data sets",
        "tsallis.f5.description.plot": "the same for several criteria on Iris and Wine",
    }
    return [
        *(redrawn(claim_id, text, **source) for claim_id, text in figures.items()),
        judge_statement(
            "tsallis.s9.mccp.claim",
            [
                Trials.of(map(nested_pieces, small_trees()), "trees of at most 4 leaves", "exhaustive"),
                Trials.of(
                    (
                        (f"split {row['split']} of {data}", len(row["complexities"]) <= row["leaves"])
                        for data, results in gini.items()
                        for row in results.rows
                    ),
                    f"splits of {len(gini)} data sets, at most as many pieces as leaves",
                    "random",
                ),
            ],
            cause="a loss has more pieces than leaves",
            **source,
        ),
        _judge_difference(gini, source),
        *_judge_frontiers(of, source),
        _judge_abstract(gini, source),
    ]  # fmt: skip


def _judge_difference(gini, source):
    """Whether data sets want different complexities: the best of one is clearly worse on another."""
    trials = []
    for one, other in combinations(gini, 2):
        lost = [_lost(gini[a], gini[b].best[0]) for a, b in ((one, other), (other, one))]
        gain, width = max(lost, key=lambda pair: pair[0] - pair[1])
        trials.append((f"{one} and {other}, {gain:+.2f} ± {width:.2f} points", bool(gain > width)))
    return judge_statement(
        "tsallis.s9.mccp.different-optima",
        Trials.of(
            trials,
            "pairs of data sets, the best complexity of one behind on the other by more than the error",
            chance=1 - LEVEL,
        ),
        cause="no best complexity is clearly worse on another data set",
        note=", ".join(f"{data} {results.best[0]:.4f}" for data, results in gini.items()),
        **source,
    )


def _judge_abstract(gini, source):
    """Whether a learned price of leaves makes trees more accurate and smaller at once, against none."""
    trials, level = [], 0
    for data, results in gini.items():
        others = results.accuracy.sum(axis=0) - results.accuracy
        for row, own, leaves, rest in zip(
            results.rows, results.accuracy, results.leaves, others, strict=True
        ):
            piece = int(rest.argmax())
            if own[piece] == own[0]:
                level += 1
                continue
            better = bool(own[piece] > own[0] and leaves[piece] < leaves[0])
            trials.append((f"split {row['split']} of {data}", better))
    return judge_statement(
        "tsallis.s0.abstract.claim",
        Trials.of(trials, "splits at which a complexity learned from the others changes the accuracy: it "
                  "gives a smaller and more accurate tree", "random"),
        cause="on most splits the pruned tree is not both smaller and more accurate than the whole one",
        note=f"on {level} more splits, which are left out, it is as accurate; the tree to compare with "
            "is the whole "
        "one grown by Gini, so that only the accuracy can fail; tuned splitting is left out, and splits of "
        "one data set share rows",
        **source,
    )  # fmt: skip


def _lost(results, complexity):
    """Accuracy lost by another complexity than the one that is best on the other half of the splits."""
    piece = np.searchsorted(results.complexities, complexity, side="right") - 1
    lost = []
    for half in (0, 1):
        best = int(results.accuracy[half::2].mean(axis=0).argmax())
        lost.append((results.accuracy[:, best] - results.accuracy[:, piece])[1 - half :: 2])
    lost = np.concatenate(lost)
    return float(lost.mean()), float(half_width(lost))


def _judge_frontiers(of, source, sizes=range(2, 9)):
    """Whether criteria dominate at different sizes, and whether some criterion is ahead of Gini at a size.

    A criterion is chosen on one half of the splits and judged on the other: the best of nine on the splits
    that it was chosen on is ahead by chance alone.

    of : callable of data set, alpha and beta that gives the `Pruned`
    source : dict, where these come from, for the verdicts
    """
    criteria = list(dict.fromkeys(point for panel in criteria_of_figure_5() for point in panel))
    ahead, swapped, best = [], [], {}
    for data in ("Iris", "Wine"):
        known = {s: np.array([of(data, *point).of_size(s) for point in criteria]) for s in sizes}
        gini = criteria.index(STANDARD["Gini"])
        for size, accuracy in known.items():
            best[data, size] = int(accuracy.mean(axis=1).argmax())
            gain, width = _chosen_over(accuracy, gini)
            ahead.append((f"{data}, {size} leaves: {gain:+.2f} ± {width:.2f} points", bool(gain > width)))
        for small, large in combinations(sizes, 2):
            one, other = best[data, small], best[data, large]
            leads = [known[small][one] - known[small][other], known[large][other] - known[large][one]]
            is_clear = one != other and all(lead.mean() > half_width(lead) for lead in leads)
            swapped.append((f"{data}, {small} and {large} leaves", bool(is_clear)))
    winners = "; ".join(
        f"{data}: " + ", ".join(f"{s} leaves {show(criteria[best[data, s]])}" for s in sizes)
        for data in ("Iris", "Wine")
    )
    shown = ", ".join(
        f"{sum(is_ahead for name, is_ahead in ahead if name.startswith(data))} of {len(sizes)} sizes on "
        f"{data}"
        for data in ("Iris", "Wine")
    )
    return [
        _somewhere("tsallis.s9.frontier.claim", swapped, "pairs of sizes whose best criteria are each "
        "clearly ahead",
                   f"best means: {winners}", source),
        _somewhere("tsallis.s9.frontier.pushed", ahead, "sizes at which a criterion chosen on half of the "
        "splits is "
                   "clearly ahead of Gini on the others", f"{shown}; neighbouring sizes share their "
                   "splits", source),
    ]  # fmt: skip


def _somewhere(claim_id, trials, where, note, source):
    """Verdict on a claim that something can be; that our splits do not show it does not refute it."""
    found = Trials.of(trials, where, chance=(1 - LEVEL) / 2)
    if not found.held:
        cause = f"no power: paired differences over {N_SPLITS} splits tell nothing apart"
        ours = f"{found.text()}; {note}" if note else found.text()
        return untestable(claim_id, cause, ours=ours, **source)
    return judge_statement(claim_id, found, cause="seen nowhere", note=note, **source)


def _chosen_over(accuracy, standard):
    """Gain over one criterion of the one that is best on the other half.

    accuracy : float (n_criteria, n_splits)
    """
    gains = []
    for half in (0, 1):
        best = int(accuracy[:, half::2].mean(axis=1).argmax())
        gains.append((accuracy[best] - accuracy[standard])[1 - half :: 2])
    gains = np.concatenate(gains)
    return float(gains.mean()), float(half_width(gains))


def criteria_of_figure_5():
    """The criteria of Figure 5's two panels: list of lists of (alpha, beta)."""
    return [
        [(alpha, FIXED_BETA) for alpha in VARIED_ALPHAS],
        [(FIXED_ALPHA, beta) for beta in VARIED_BETAS],
    ]
