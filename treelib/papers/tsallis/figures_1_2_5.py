"""Figures 1, 2 and 5: what a price of leaves does to loss and size, and for which criterion."""

import numpy as np

from treelib.ledger.protocol.evidence import WHOLE
from treelib.ledger.protocol.judging import judge_statement, judges, redrawn
from treelib.ledger.verdicts import verdicts_on
from treelib.papers.tsallis import splits
from treelib.papers.tsallis.figure_3 import judge_different, judge_somewhere, tuning
from treelib.papers.tsallis.section_4 import SMALL_TREES, at_most_t_pieces, nested_pieces, small_trees
from treelib.papers.tsallis.splits import STANDARD, half_width, lead_text, sure_width
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
    grown = [(row["leaves"], len(row["complexities"])) for one in gini.values() for row in one.rows]
    trials, why, others = at_most_t_pieces(
        ([nested_pieces(tree)[:2] for tree in small_trees()], SMALL_TREES, "exhaustive"),
        (grown, f"splits of {len(gini)} data sets", "random"),
    )
    return [
        *(redrawn(claim_id, text, **source) for claim_id, text in figures.items()),
        judge_statement(
            "tsallis.s9.mccp.claim",
            trials["leaves"],
            withhold=why,
            note=f"{others}; trees grown by Gini impurity",
            **source,
        ),
        _judge_difference(gini, source),
        *_judge_frontiers(of, source),
        _judge_abstract(gini, source),
    ]  # fmt: skip


def _judge_difference(gini, source):
    """Whether data sets want different complexities."""
    points = np.unique(np.concatenate([results.complexities for results in gini.values()]))
    accuracy = {
        data: results.accuracy[:, np.searchsorted(results.complexities, points, side="right") - 1]
        for data, results in gini.items()
    }
    best = ", ".join(f"{data} {results.best[0]:.4f}" for data, results in gini.items())
    claim = "tsallis.s9.mccp.different-optima"
    return judge_different(claim, accuracy, "complexity", f"best of all splits: {best}", source)


def _judge_abstract(gini, source):
    """Whether a learned price of leaves makes trees more accurate and smaller at once, against none."""
    trials = []
    for data, results in gini.items():
        others = results.accuracy.sum(axis=0) - results.accuracy
        place = np.arange(len(others)), others.argmax(axis=1)
        lead = results.accuracy[place] - results.accuracy[:, 0]
        leaves, whole, width = results.leaves[place].mean(), results.leaves[:, 0].mean(), half_width(lead)
        text = f"{data}, {lead.mean():+.2f} ± {width:.2f} points, {leaves:.1f} leaves for {whole:.1f}"
        trials.append((text, bool(lead.mean() > width and leaves < whole), float(width - lead.mean())))
    split = {data: tuning(data).learned() for data in gini}
    return judge_statement(
        "tsallis.s0.abstract.claim",
        trials,
        "data sets of Section 9 on which the complexity learned from the other splits gives a "
        "smaller tree than no pruning and a more accurate one beyond the error of the mean",
        WHOLE,
        note=f"{'; '.join(text for text, *_ in trials)}; trees grown by Gini impurity, as a data set counts "
        "as a whole; the other half of the sentence, tuned splitting, is judged by tsallis.s9.tuning.claim: "
        "parameters that cross validation picks gain over Gini impurity at depth 5 "
        f"{', '.join(f'{gain:+.2f} ± {width:.2f} on {data}' for data, (gain, width) in split.items())}",
        **source,
    )


SIZES = range(2, 9)
SMALL, LARGE = [0, 1, 2], [3, 4, 5, 6]  # places in `SIZES`: up to 4 leaves, and 5 to 8


def _judge_frontiers(of, source):
    """Whether criteria dominate at different sizes, and whether some criterion is ahead of Gini: one test
    each a data set, of criteria chosen on one half of the splits and compared on the other.

    of : callable of data set, alpha and beta that gives the `Pruned`
    source : dict, where these come from, for the verdicts
    """
    panels = [(alpha, FIXED_BETA) for alpha in VARIED_ALPHAS], [(FIXED_ALPHA, beta) for beta in VARIED_BETAS]
    criteria = list(dict.fromkeys(panels[0] + panels[1]))
    gini, ahead, swapped = criteria.index(STANDARD["Gini"]), [], []
    for data in ("Iris", "Wine"):
        # (n_criteria, n_splits, n_sizes)
        accuracy = np.array([[of(data, *point).of_size(size) for size in SIZES] for point in criteria])
        accuracy = accuracy.swapaxes(1, 2)
        gains = _chosen_over(accuracy, gini)
        width = sure_width(gains, 2)
        ahead.append((lead_text(data, gains.mean(), width), bool(gains.mean() > width)))
        small, large = _chosen_by_size(accuracy)
        leads = [(lead.mean(), sure_width(lead, 4)) for lead in (small, large)]
        parts = zip((f"{data} at up to 4 leaves", "at 5 to 8 leaves"), leads, strict=True)
        text = ", and ".join(lead_text(where, *lead) for where, lead in parts)
        swapped.append((text, all(bool(mean > width) for mean, width in leads)))
    sizes = f"trees of {SIZES[0]} to {SIZES[-1]} leaves, {len(criteria)} criteria"
    halves = "chosen on one half of the splits, compared on the other"
    why = f"paired differences over {N_SPLITS} splits tell nothing apart"
    return [
        judge_somewhere(
            "tsallis.s9.frontier.claim",
            swapped,
            "data sets on which of two criteria, the best at up to 4 leaves and the best at 5 to 8, each "
            f"leads where it is the best; {halves}",
            f"{sizes}; read as accuracy at a given size, and a price eta picks a size",
            why,
            source,
        ),
        judge_somewhere(
            "tsallis.s9.frontier.pushed",
            ahead,
            "data sets on which one criterion, the best as a mean over sizes, is ahead of Gini impurity, "
            f"mean over sizes; {halves}",
            f"{sizes}; the two data sets of Figure 5",
            why,
            source,
        ),
    ]


def _chosen_over(accuracy, standard):
    """Gain over one criterion of the one that is best on the other half, mean over sizes: (n_splits,).

    accuracy : float (n_criteria, n_splits, n_sizes)
    """
    gains, accuracy = [], accuracy.mean(axis=2)
    for half in (0, 1):
        best = accuracy[:, half::2].mean(axis=1).argmax()
        gains.append((accuracy[best] - accuracy[standard])[1 - half :: 2])
    return np.concatenate(gains)


def _chosen_by_size(accuracy):
    """Leads of the criterion best at small sizes over that best at large ones, at small sizes, and the other
    way round at large ones; chosen on the other half: two of float (n_splits,)."""
    leads = [], []
    for half in (0, 1):
        means = accuracy[:, half::2].mean(axis=1)
        one, other = (int(means[:, some].mean(axis=1).argmax()) for some in (SMALL, LARGE))
        difference = (accuracy[one] - accuracy[other])[1 - half :: 2]
        leads[0].append(difference[:, SMALL].mean(axis=1))
        leads[1].append(-difference[:, LARGE].mean(axis=1))
    return tuple(np.concatenate(lead) for lead in leads)
