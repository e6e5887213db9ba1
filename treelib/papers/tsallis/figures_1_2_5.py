"""Figures 1, 2 and 5: what a leaf penalty does to loss and size, and for which criterion."""

import numpy as np

from treelib.ledger.protocol.judging import EXHAUSTIVE, RANDOM, WHOLE, judge_statement, judges
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

SOURCE = {"experiment": "tsallis.pruning"}


@judges(
    "tsallis.s9.mccp.claim",
    "tsallis.s9.mccp.different-optima",
    "tsallis.s9.frontier.claim",
    "tsallis.s9.frontier.pushed",
    "tsallis.s0.abstract.claim",
)
def judge_pruning_figures():
    """Verdicts on what the text says of Figures 1, 2 and 5, list of Verdict."""
    gini = {data: pruned(data, *STANDARD["Gini"]) for data in splits.MAIN}
    grown = [(row["leaves"], len(row["complexities"])) for one in gini.values() for row in one.rows]
    trials, is_open, numbers = at_most_t_pieces(
        ([nested_pieces(tree)[:2] for tree in small_trees()], SMALL_TREES, EXHAUSTIVE),
        (grown, f"splits of {len(gini)} data sets", RANDOM),
    )
    return [
        judge_statement(
            "tsallis.s9.mccp.claim", trials["leaves"], withhold=is_open, numbers=numbers, **SOURCE
        ),
        _judge_difference(gini),
        *_judge_frontiers(),
        _judge_abstract(gini),
    ]


def _judge_difference(gini):
    """Whether data sets want different complexities."""
    points = np.unique(np.concatenate([results.complexities for results in gini.values()]))
    accuracy = {
        data: results.accuracy[:, np.searchsorted(results.complexities, points, side="right") - 1]
        for data, results in gini.items()
    }
    best = ", ".join(f"{data} {results.best[0]:.4f}" for data, results in gini.items())
    numbers = {"what": "complexity", "best": best}
    return judge_different("tsallis.s9.mccp.different-optima", accuracy, numbers, **SOURCE)


def _judge_abstract(gini):
    """Whether a learned leaf penalty makes trees more accurate and smaller at once, against none."""
    trials = []
    for data, results in gini.items():
        others = results.accuracy.sum(axis=0) - results.accuracy
        place = np.arange(len(others)), others.argmax(axis=1)
        lead = results.accuracy[place] - results.accuracy[:, 0]
        leaves, whole, width = results.leaves[place].mean(), results.leaves[:, 0].mean(), half_width(lead)
        text = f"{data}, {lead.mean():+.2f} ± {width:.2f} points, {leaves:.1f} leaves for {whole:.1f}"
        trials.append((text, bool(lead.mean() > width and leaves < whole), float(width - lead.mean())))
    learned = {data: tuning(data).learned() for data in gini}
    numbers = {
        "leads": "; ".join(text for text, *_ in trials),
        "learned": ", ".join(
            f"{gain:+.2f} ± {width:.2f} on {data}" for data, (gain, width) in learned.items()
        ),
    }
    return judge_statement("tsallis.s0.abstract.claim", trials, how=WHOLE, numbers=numbers, **SOURCE)


SIZES = range(2, 9)
SMALL, LARGE = [0, 1, 2], [3, 4, 5, 6]  # places in `SIZES`: up to 4 leaves, and 5 to 8


def _judge_frontiers():
    """Whether criteria dominate at different sizes, and whether some criterion is ahead of Gini: one test
    each a data set, of criteria chosen on one half of the splits and compared on the other."""
    panels = [(alpha, FIXED_BETA) for alpha in VARIED_ALPHAS], [(FIXED_ALPHA, beta) for beta in VARIED_BETAS]
    criteria = list(dict.fromkeys(panels[0] + panels[1]))
    gini, ahead, swapped = criteria.index(STANDARD["Gini"]), [], []
    for data in ("Iris", "Wine"):
        # (n_criteria, n_splits, n_sizes)
        accuracy = np.array([[pruned(data, *point).of_size(size) for size in SIZES] for point in criteria])
        accuracy = accuracy.swapaxes(1, 2)
        gains = _chosen_over(accuracy, gini)
        width = sure_width(gains, 2)
        ahead.append((lead_text(data, gains.mean(), width), bool(gains.mean() > width)))
        small, large = _chosen_by_size(accuracy)
        leads = [(lead.mean(), sure_width(lead, 4)) for lead in (small, large)]
        parts = zip((f"{data} at up to 4 leaves", "at 5 to 8 leaves"), leads, strict=True)
        text = ", and ".join(lead_text(where, *lead) for where, lead in parts)
        swapped.append((text, all(bool(mean > width) for mean, width in leads)))
    numbers = {"least": SIZES[0], "most": SIZES[-1], "n": len(criteria), "n_splits": N_SPLITS}
    return [
        judge_somewhere("tsallis.s9.frontier.claim", swapped, numbers, **SOURCE),
        judge_somewhere("tsallis.s9.frontier.pushed", ahead, numbers, **SOURCE),
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
