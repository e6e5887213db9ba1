"""Verdicts on the paper's definitions, algorithms and theorems.

What a theorem says with an unstated constant cannot be refuted by counting; what can be counted is counted
here or in `treelib.papers.tsallis.judge_theorems`, and the verdict says which part that was.
"""

import numpy as np

from treelib import TopDownTreeClassifier, datasets
from treelib.ledger import store
from treelib.ledger.claims import TAKEN_OVER, find, judge, judge_statement, load, untestable
from treelib.papers.tsallis import formulas as computed
from treelib.papers.tsallis import splits, summary
from treelib.papers.tsallis.judge_tables import TABLE_1, TABLE_2
from treelib.papers.tsallis.judge_text import NO_XGBOOST

CITED = "a cited result, up to a constant that is not stated; used, not tested"


def judge_criteria():
    """Section 3.1: the family and what it contains."""
    same = _family_members()
    return [
        *judge_family(),
        *judge_prior(),
        *judge_splits(),
        judge_statement(
            "tsallis.s3-1.proposition-3-1.statement",
            all(same.values()) and all(_is_member(name) for name in splits.STANDARD),
            "on random class shares each criterion is a multiple of its member; trees of depth "
            f"{splits.MAX_DEPTH} by the family's member and by the criterion itself are the "
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
    for data in splits.MAIN:
        X, y = splits.samples(data)
        for criterion, (alpha, beta) in splits.STANDARD.items():
            if criterion == "KM96" and y.max() > 1:
                continue  # the criterion itself is defined for two classes
            member = TopDownTreeClassifier("tsallis", alpha=alpha, beta=beta, max_depth=splits.MAX_DEPTH)
            itself = TopDownTreeClassifier(names[criterion], max_depth=splits.MAX_DEPTH)
            same[criterion, data] = member.fit(X, y).tree_.same_function(itself.fit(X, y).tree_)
    return same


def _is_member(name):
    alpha, beta = splits.STANDARD[name]
    return computed.members(name, [alpha], [beta], 2 if name == "KM96" else 3) == [(alpha, beta)]


def _grows_by_largest_decrease(n_splits=6):
    """Algorithm 1 on Iris, each step against all splits of all leaves, by Gini impurity."""
    X, y = splits.samples("Iris")
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


def judge_family():
    """Section 3.1: which member of the family each standard criterion is, and the formula itself."""
    members = {
        name: computed.members(name, splits.GRID_ALPHAS, splits.GRID_BETAS, 2 if name == "KM96" else 3)
        for name in splits.STANDARD
    }

    n_points = len(splits.GRID_ALPHAS) * len(splits.GRID_BETAS)

    def is_only(claim, name, part):
        found = {point[part] for point in members[name]}
        return judge_statement(
            f"tsallis.s3-1.{claim}.{('alpha', 'beta')[part]}",
            found == {splits.STANDARD[name][part]},
            f"{', '.join(f'{value:g}' for value in sorted(found))}: of {n_points} points of the grid only "
            f"{', '.join(map(str, members[name]))} give a multiple of the criterion",
            cause="another member of the family gives the criterion, or none",
        )

    error, n_same, n_all = computed.follows_the_formula(*splits.samples("Iris"))
    return [
        *(is_only("gini", "Gini", part) for part in (0, 1)),
        *(is_only("km96", "KM96", part) for part in (0, 1)),
        is_only("entropy", "Entropy", 0),
        judge_statement(
            "tsallis.s3-1.definition.tsallis",
            error < 1e-9 and n_same == n_all,
            f"the learner's criterion is the printed formula within {error:.0e}; with another C {n_same} of "
            f"{n_all} trees are the same",
            cause="another criterion, or C changes a tree",
        ),
    ]


def judge_prior(sigma=0.6, phi=1.0):
    """Section 3.3: the prior of Bayesian trees, seen where the labels say nothing."""
    odds, error, expected, moves = computed.prior_odds(sigma, phi)
    return [
        judge_statement(
            "tsallis.s3-3.bayesian.split-probability",
            abs(odds - expected) <= error and set(moves) == {"split", "prune", "change", "swap"},
            f"at sigma = {sigma:g}, phi = {phi:g} sampled trees have odds of {odds:.2f} ± {error:.2f} of a "
            f"single leaf to a single split, by the prior {expected:.2f}; moves: {', '.join(moves)}",
            cause="trees are sampled from another prior, or by other moves",
        )
    ]


def judge_splits():
    """How the data were split, from the printed cells of Tables 1 and 2 alone."""

    def cells(table, rows, suffix):
        claims = load("tsallis").values()
        return [
            (float(claim.number), datasets.info(splits.NAMES[rows[key]]).n_samples)
            for key in rows
            for claim in claims
            if claim.id.startswith(f"tsallis.{table}.{key}.acc-") and not claim.id.endswith(suffix)
        ]

    first, second = cells("t1", TABLE_1, "-ci95"), cells("t2", TABLE_2, "-ci95")
    runs, share, n_fit = computed.likeliest_split(first, runs=range(1, 21))
    _, share_2, n_fit_2 = computed.likeliest_split(second)
    why = (
        f"{n_fit} of {len(first)} cells of Table 1 are whole numbers of {runs} test parts of {share} %, "
        f"which "
        "speaks for this more than for any other number up to 20 and any share up to a half"
    )
    why_2 = (
        f"{n_fit_2} of {len(second)} cells of Table 2 are whole numbers of one test part of {share_2} %, "
        f"which "
        "speaks for this share more than for any other up to a half"
    )
    return [
        _found("tsallis.s9.tuning.folds", runs, why),
        _found("tsallis.s9.tuning.test-share", share, why),
        _found("tsallis.s9.tuning.train-share", 100 - share, why),
        _found("tsallis.sb-2.pruning.test-share", share_2, why_2),
        _found("tsallis.sb-2.pruning.train-share", 100 - share_2, why_2),
    ]


def _found(claim_id, value, how):
    """Verdict on a setting that printed cells give away."""
    holds = value == find(claim_id).number
    return judge_statement(claim_id, holds, f"{value}: {how}", cause="the cells speak for another setting")


def judge_exact():
    """Theorems 3.3 and 3.4 and Algorithm 2: the loss as an exact function of alpha."""
    frame = store.results("tsallis.exact-alpha")
    most, bound = max(max(pieces) for pieces in frame["pieces"]), frame["worst_case"].min()
    n_equal, n_all, n_edges = summary.grid_agreement()
    counted = (
        f"at most {most} behaviours of the learner for alpha in an interval, over {len(frame)} pairs of data "
        f"set and beta; the bound is above 10^{int(bound)}"
    )
    agree = (
        f"equal to {n_equal} of {n_all} losses that the learner gives on the grid ({n_edges} more are at "
        "breakpoints, where two trees are equally good)"
    )
    runs, steps = computed.behaviours_without_loss(*splits.samples("Wine"))
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
            why="run time by counts of pieces; the constant is not stated. R must count changes of the "
            "tree, not "
            f"of the summed loss: grown to the end on Wine, trees change {runs - 1} times with alpha and "
            f"their "
            f"loss {steps} times",
            cause=f"only {agree}",
            **found,
        ),
        judge_statement(
            "tsallis.s3-1.algorithm-2.statement", n_equal == n_all, agree, cause=f"only {agree}", **found
        ),
    ]


def judge_pruning_theory():
    """Section 4."""
    tried = [computed.minimises_over_all_prunings(*splits.samples(data)) for data in splits.MAIN]
    return [
        judge_statement(
            "tsallis.s4.mccp.definition",
            all(holds for holds, _, _ in tried),
            f"each of {sum(n for _, _, n in tried)} trees of the paths on {len(tried)} data sets is the "
            f"smallest minimiser of R(T, D) over all {sum(n for _, n, _ in tried)} prunings",
            cause="a tree of the path is not the smallest minimiser",
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
    first, second = (computed.degree_of_score_comparison(tree) for tree in (1, 2))
    degree = judge_statement(
        "tsallis.s6.gj-algorithm.degree",
        max(first, second) <= 6,
        f"{first} where two splits of the first tree are compared, {second} in the second tree of an example "
        "with squared loss",
        cause="from the second tree on gradients hold the weights G / (H + lambda) of earlier leaves, and "
        "the "
        "degree grows with their number; the theorem needs only its logarithm and stands. With the logistic "
        "loss the weights stand in exponentials, and scores are no rational functions",
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


def judge_taken_over():
    """Definitions and cited results."""
    return [
        untestable("tsallis.s2-1.definition-1.statement", TAKEN_OVER),
        untestable("tsallis.sa-1.definition-2.statement", TAKEN_OVER),
        untestable("tsallis.s2-1.theorem-2-1.statement", CITED),
        untestable("tsallis.sa-1.theorem-a-1.statement", CITED),
        untestable("tsallis.s5.remark-1.statement", "an outlook: it claims nothing"),
    ]
