"""What the theorems of the paper say of a tree and of a search, tried and counted in exact fractions."""

from dataclasses import asdict, dataclass
from fractions import Fraction
from math import comb, perm

import numpy as np

from treelib.ledger import store
from treelib.ledger.claims import judge, judge_statement
from treelib.ledger.experiments import experiment
from treelib.papers.osdt.exhaustive import Tally, try_theorems
from treelib.papers.osdt.settings import N_PROBLEMS, SEVEN, load
from treelib.papers.osdt.table_2 import bounds_by_data


@dataclass(frozen=True)
class Condition:
    """A necessary condition of optimality, at the place in the tree where it is tightest.

    Attributes
    ----------
    theorem : str, as numbered in the paper
    says : str, the quantity that is bounded
    value, limit : Fraction or int; the condition is ``value >= limit``, or ``<=`` if `is_upper`
    """

    theorem: str
    says: str
    value: Fraction
    limit: Fraction
    is_upper: bool = False

    @property
    def holds(self):
        return self.value <= self.limit if self.is_upper else self.value >= self.limit


def necessary_conditions(tree, X, y, regularization):
    """The conditions that every optimal tree meets (Theorems 3.3 to 3.5 and C.1, Section 4).

    Parameters
    ----------
    tree : Tree
    X : array-like (n, n_features)
    y : int (n,), class codes
    regularization : Fraction

    Returns
    -------
    list of Condition; one that has no place in the tree (a single leaf has no siblings) is left out
    """
    tree = tree.recount(X, y)
    n = len(y)
    counts = tree.value.astype(int)
    right = counts[np.arange(tree.n_nodes), tree.label]
    inner = np.flatnonzero(~tree.is_leaf)
    left_child, right_child = tree.children_left[inner], tree.children_right[inner]
    both_leaves = tree.is_leaf[left_child] & tree.is_leaf[right_child]
    gain = (right[left_child] + right[right_child] - counts[inner].max(axis=1))[both_leaves]
    equal = int((tree.label[left_child] == tree.label[right_child])[both_leaves].sum())
    objective = Fraction(n - int(right[tree.is_leaf].sum()), n) + regularization * tree.n_leaves

    conditions = []
    if len(inner):
        support = Fraction(int(tree.n_node_samples[inner].min()), n)
        conditions = [
            Condition("Theorem 3.3", "samples at a split", support, 2 * regularization),
            Condition("Theorem 3.4", "gain of a last split", Fraction(int(gain.min()), n), regularization),
        ]
    accurate = Fraction(int(right[tree.is_leaf].min()), n)
    if tree.n_leaves > 1:
        conditions.append(Condition("Theorem 3.5", "samples right in a leaf", accurate, regularization))
    conditions.append(
        Condition("Theorem C.1", "leaves", Fraction(tree.n_leaves), objective / regularization, True)
    )
    conditions.append(
        Condition("Section 4", "sibling leaves of one label", Fraction(equal), Fraction(0), True)
    )
    return conditions


# ---- how many trees could there be: Appendices C to E ------------------------------------------------------


def max_leaves(regularization, n_features):
    """Corollary C.2: most leaves of an optimal tree, known beforehand."""
    return min(int(1 / (2 * Fraction(regularization))), 2**n_features)


def bound_at_start(regularization, n_features, best):
    """Theorem D.1 when the queue holds the root alone: bound on the trees still to be evaluated.

    best : Fraction, the objective known at the start
    """
    room = int((Fraction(best) - regularization) / regularization)  # the root's lower bound is one leaf
    n_leaves = 3**n_features
    return sum(perm(n_leaves, k) for k in range(min(room, n_leaves) + 1))


def bound_in_all(regularization, n_features):
    """Corollary D.2: bound on the trees evaluated, from the regularization and the features alone."""
    return sum(perm(3**n_features, k) for k in range(max_leaves(regularization, n_features) + 1))


def bound_with_symmetry(regularization, n_features):
    """Theorem E.2: the bound with symmetry-aware pruning; there are no trees deeper than the features."""
    deepest = min(max_leaves(regularization, n_features), n_features)
    return count_up_to_depth(n_features, deepest) - saved_by_symmetry(n_features, deepest)


def count_up_to_depth(n_features, depth):
    """Trees of at most this depth, the leaf included: ``1 + sum of N_k`` of equation (1), by a recursion
    that is fast where the numbers have thousands of digits."""
    return 1 if depth == 0 else 1 + n_features * count_up_to_depth(n_features - 1, depth - 1) ** 2


def saved_by_symmetry(n_features, n_leaves):
    """Evaluations that symmetry-aware pruning saves, Appendix E.1."""
    return sum(perm(n_features, k) - comb(n_features, k) for k in range(1, n_leaves + 1))


# ---- tried -------------------------------------------------------------------------------------------------


@experiment(
    "osdt.theorems",
    item="Appendices B to F",
    title="The theorems, on all trees of small random problems",
    cases=lambda: [{"n_problems": N_PROBLEMS, "seed": 0}],
    seconds=3,
)
def theorems(case):
    """How often each statement was tried, and how often it failed."""
    tallies = try_theorems(case["n_problems"], case["seed"])
    return [{"statement": name, **asdict(tally)} for name, tally in tallies.items()]


def tallies():
    """Tallies of the theorems on small random problems, dict of the statement to `Tally`."""
    [(_, rows)] = store.outcomes("osdt.theorems")
    return {row["statement"]: Tally(row["n_tried"], row["n_failed"]) for row in rows}


# claim -> the statements of `osdt_exhaustive.try_theorems` that it consists of
TRIED = {
    "osdt.s3-3.theorem-3-1.statement": ("3.1",),
    "osdt.s3-3.lemma-3-2.statement": ("3.2",),
    "osdt.s3-4.theorem-3-3.statement": ("3.3",),
    "osdt.s3-2.node-support.threshold": ("3.3",),
    "osdt.s3-4.theorem-3-4.statement": ("3.4",),
    "osdt.s3-4.theorem-3-5.statement": ("3.5",),
    "osdt.sb.proposition-b-1.statement": ("B.1",),
    "osdt.sb.theorem-b-2.statement": ("B.2",),
    "osdt.sc.theorem-c-1.statement": ("C.1",),
    "osdt.sc.corollary-c-2.statement": ("C.2",),
    "osdt.sc.theorem-c-3.statement": ("C.3",),
    "osdt.se.corollary-e-1.statement": ("E.1",),
    "osdt.sf.theorem-f-1.statement": ("F.1", "F.1 (children)"),
    "osdt.s3.child-trees-equation-2.statement": ("3.1", "C.3 (safe)"),
}
CAUSES = {
    "osdt.sc.corollary-c-2.statement": "it needs a best objective of at most one half, which a single leaf "
    "that costs nothing gives, but not one that costs lambda as in equation (4); with a free leaf it holds",
    "osdt.sc.theorem-c-3.statement": "the strict sign does not go with the floor: the proof gives a number "
    "below a quotient, hence at most the floor of it; with 'at most' it holds",
}


def judge_theorems(tallies):
    """Verdicts on the theorems that all trees of tiny problems decide, dict of claim id to Verdict.

    tallies : of `osdt_exhaustive.try_theorems`
    """
    verdicts = {}
    for claim, statements in TRIED.items():
        tried = sum(tallies[name].n_tried for name in statements)
        failed = sum(tallies[name].n_failed for name in statements)
        verdicts[claim] = judge_statement(
            claim,
            failed == 0,
            f"{tried:,} cases tried, {failed:,} fail",
            cause=CAUSES.get(claim, "counterexamples among the cases tried"),
            experiment="osdt.theorems",
        )
    return verdicts


def judge_bounds_on_trees(rows):
    """Verdicts on Theorems D.1 to E.2, dict of claim id to Verdict.

    rows : list of (bound D.1, bound D.2, bound E.2, trees evaluated), one for each complete search
    """
    claims = ("osdt.sd.theorem-d-1.statement", "osdt.sd.corollary-d-2.statement")
    claims += ("osdt.se-1.theorem-e-2.statement",)
    verdicts = [
        judge_statement(
            claim,
            all(row[i] >= row[3] for row in rows),
            f"holds in {sum(row[i] >= row[3] for row in rows)} of {len(rows)} complete searches",
            cause="a search evaluated more trees than the bound allows",
            experiment="osdt.bounds",
        )
        for i, claim in enumerate(claims)
    ]
    verdicts += [
        judge("osdt.se-1.symmetry-aware-pruning.m-10-k-5", saved_by_symmetry(10, 5)),
        judge("osdt.se-1.symmetry-aware-pruning.m-20-k-10", saved_by_symmetry(20, 10)),
    ]
    return {verdict.claim.id: verdict for verdict in verdicts}


def bound_rows():
    """Bounds on the trees evaluated beside those evaluated: list of (data, regularization, D.1 at the start,
    D.2, E.2, trees evaluated), for the searches that end by themselves."""
    rows = []
    for data, price in SEVEN.items():
        found = bounds_by_data()[data, None]
        n_features = load(data).X.shape[1]
        if found.is_complete:
            start = Fraction(found.start).limit_denominator(10**6)
            rows.append(
                (
                    data,
                    price,
                    bound_at_start(price, n_features, start),
                    bound_in_all(price, n_features),
                    bound_with_symmetry(price, n_features),
                    found.n_evaluated,
                )
            )
    return rows
