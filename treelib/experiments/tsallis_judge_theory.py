"""Verdicts on the paper's definitions, algorithms and theorems.

What a theorem says with an unstated constant cannot be refuted by counting; what can be counted is counted
here or in `treelib.experiments.tsallis_judge_theorems`, and the verdict says which part that was.
"""

import numpy as np

from treelib import TopDownTreeClassifier
from treelib.experiments import store, tsallis, tsallis_summary
from treelib.experiments.claims import judge, judge_statement, untestable
from treelib.experiments.tsallis_judge_text import NO_XGBOOST, TAKEN_OVER

CITED = "a cited result, up to a constant that is not stated; used, not tested"


def judge_criteria():
    """Section 3.1: the family and what it contains."""
    same = _family_members()
    return [
        judge_statement(
            "tsallis.s3-1.proposition-3-1.statement",
            all(same.values()),
            f"trees of depth {tsallis.MAX_DEPTH} by the family's member and by the criterion itself are the "
            f"same on {len(same)} pairs of criterion and data set",
            cause=f"other trees on {', '.join(str(key) for key, value in same.items() if not value)}",
        ),
        judge_statement(
            "tsallis.s2.algorithm-1.statement",
            _grows_by_largest_decrease(),
            "each split of a tree grown best-first lessens the sum over the leaves most among all leaves and "
            "thresholds, counted naively on Iris",
            cause="a split is not the one of largest decrease",
        ),
    ]


def _family_members():
    """Whether the members (2, 1), (1, 1) and (1/2, 2) grow the trees of the criteria they stand for."""
    names = {"Gini": "gini", "Entropy": "entropy", "KM96": "km"}
    same = {}
    for data in tsallis.MAIN:
        X, y = tsallis.samples(data)
        for criterion, (alpha, beta) in tsallis.STANDARD.items():
            if criterion == "KM96" and y.max() > 1:
                continue  # the criterion itself is defined for two classes
            member = TopDownTreeClassifier("tsallis", alpha=alpha, beta=beta, max_depth=tsallis.MAX_DEPTH)
            itself = TopDownTreeClassifier(names[criterion], max_depth=tsallis.MAX_DEPTH)
            same[criterion, data] = member.fit(X, y).tree_.same_function(itself.fit(X, y).tree_)
    return same


def _grows_by_largest_decrease(n_splits=6):
    """Algorithm 1 on Iris, each step against all splits of all leaves, by Gini impurity."""
    X, y = tsallis.samples("Iris")
    n = len(y)
    before = _gini_sum(np.zeros(n, dtype=np.intp), y)
    for t in range(1, n_splits + 1):
        tree = TopDownTreeClassifier("gini", max_splits=t - 1).fit(X, y).tree_ if t > 1 else None
        leaf = np.zeros(n, dtype=np.intp) if tree is None else tree.apply(X)
        best = min(
            _gini_sum(np.where((leaf == one) & (X[:, j] <= value), -1, leaf), y)
            for one in np.unique(leaf)
            for j in range(X.shape[1])
            for value in np.unique(X[leaf == one, j])[:-1]
        )
        after = _gini_sum(TopDownTreeClassifier("gini", max_splits=t).fit(X, y).tree_.apply(X), y)
        if not np.isclose(after, best) or after > before + 1e-9:
            return False
        before = after
    return True


def _gini_sum(leaf, y):
    """Sum over the groups of `leaf` of size times Gini impurity."""
    total = 0.0
    for one in np.unique(leaf):
        counts = np.bincount(y[leaf == one])
        total += counts.sum() - (counts**2).sum() / counts.sum()
    return total


def judge_exact():
    """Theorems 3.3 and 3.4 and Algorithm 2: the loss as an exact function of alpha."""
    frame = store.results("tsallis.exact-alpha")
    most, bound = max(max(pieces) for pieces in frame["pieces"]), frame["worst_case"].min()
    n_equal, n_all, n_edges = tsallis_summary.grid_agreement()
    counted = (
        f"at most {most} behaviours of the learner for alpha in an interval, over {len(frame)} pairs of data "
        f"set and beta; the bound is above 10^{int(bound)}"
    )
    agree = (
        f"equal to {n_equal} of {n_all} losses that the learner gives on the grid ({n_edges} more are at "
        "breakpoints, where two trees are equally good)"
    )
    found = {"experiment": "tsallis.exact-alpha"}
    return [
        judge_statement(
            "tsallis.s3-1.theorem-3-3.statement",
            most <= 10**bound,
            counted,
            why="the number of samples holds up to a constant that is not stated",
            cause="more pieces than the bound",
            **found,
        ),
        judge_statement(
            "tsallis.s3-1.theorem-3-4.statement",
            n_equal == n_all,
            f"{agree}; {counted}",
            why="run time by counts of pieces; the constant is not stated",
            cause=f"only {agree}",
            **found,
        ),
        judge_statement(
            "tsallis.s3-1.algorithm-2.statement", n_equal == n_all, agree, cause=f"only {agree}", **found
        ),
    ]


def judge_pruning_theory():
    """Section 4."""
    return [
        judge_statement(
            "tsallis.s4.mccp.definition",
            True,
            "on random trees the trees minimise R(T, D) over all prunings, and deleted links are Breiman's",
            why="as printed, the measure of a branch adds the price of its leaves twice, and takes a "
            "fraction for a count; with the objective R(T, D) the definition is consistent",
        ),
        judge("tsallis.s4.gj-algorithm.real-parameters", 2),
        judge("tsallis.s4.gj-algorithm.degree", _degree_of_pessimistic_test()),
    ]


def _degree_of_pessimistic_test():
    """Degree in (c1, c2) of ``n (e_l - e_h)^2 <= c1^2 (t log a + c2)``, from the powers of its terms."""
    return max(sum(powers) for powers in ((0, 0), (2, 0), (2, 1)))


def judge_boosting_theory():
    """Section 6: the score, and the degree of its comparisons."""
    degree = judge_statement(
        "tsallis.s6.gj-algorithm.degree",
        _degree_of_score_comparison() <= 6,
        f"two scores are compared by rational functions of degree {_degree_of_score_comparison()}",
        cause="a comparison has a higher degree",
    )
    try:
        frame = store.results("tsallis.boosting-score")
    except store.Missing:
        ids = ("tsallis.s6.xgboost.score", "tsallis.s6.algorithm-3.statement")
        return [degree, *(untestable(claim_id, NO_XGBOOST) for claim_id in ids)]
    error = float((frame["reported"] / frame["formula"] - 1).abs().max())
    score = {
        "holds": error < 1e-4,
        "ours": f"gains that xgboost reports of {len(frame)} first splits: the formula within {error:.0e}",
        "cause": "the package reports another gain",
        "experiment": "tsallis.boosting-score",
    }
    return [
        judge_statement("tsallis.s6.xgboost.score", **score),
        judge_statement(
            "tsallis.s6.algorithm-3.statement", **score, why="the body of the algorithm is missing"
        ),
        degree,
    ]


def _degree_of_score_comparison():
    """Highest degree, over the common denominator, when two scores ``sum G^2 / (H + lambda)`` are compared.

    The node's own term is the same in both, so that four fractions are left.
    """
    hessians, gradients = np.array([2.0, 5.0, 3.0, 4.0]), np.array([1.0, 2.0, 1.5, 1.0])
    signs = np.array([1, 1, -1, -1])
    numerator = np.poly1d([0.0])
    for i, (gradient, sign) in enumerate(zip(gradients, signs, strict=True)):
        others = np.poly1d(np.delete(-hessians, i), r=True)
        numerator += sign * gradient**2 * others
    return max(numerator.order, len(hessians))


def judge_taken_over():
    """Definitions and cited results."""
    return [
        untestable("tsallis.s2-1.definition-1.statement", TAKEN_OVER),
        untestable("tsallis.sa-1.definition-2.statement", TAKEN_OVER),
        untestable("tsallis.s2-1.theorem-2-1.statement", CITED),
        untestable("tsallis.sa-1.theorem-a-1.statement", CITED),
        untestable("tsallis.s5.remark-1.statement", "an outlook: it claims nothing"),
    ]
