"""What the theorems of the paper say of a tree and of a search, tried and counted in exact fractions."""

import random
from dataclasses import asdict, dataclass
from fractions import Fraction
from math import comb, perm

import numpy as np

from treelib.ledger import store
from treelib.ledger.experiments import experiment
from treelib.ledger.protocol.evidence import EXHAUSTIVE, RANDOM
from treelib.ledger.protocol.judging import Trials, judge, judge_statement, judges, stated
from treelib.papers.osdt.exhaustive import (
    N_FEATURES,
    Problem,
    Tally,
    small_data,
    try_all_small,
    try_theorems,
)
from treelib.papers.osdt.settings import N_PROBLEMS, SEVEN, load
from treelib.papers.osdt.table_2 import bounds_by_data
from treelib.sparse.paper.branch_and_bound import branch_and_bound

MOST_ROWS = 3  # of the problems that are all tried
SMALL_PRICES = Fraction(1, 10), Fraction(3, 10)
COUNTED = ("D.1", "D.2", "E.2")


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


@experiment(
    "osdt.theorems.small",
    item="Appendices B to F",
    title="The theorems, on all trees of all problems of a few rows",
    cases=lambda: [{"most_rows": MOST_ROWS}],
    seconds=28,
)
def theorems_small(case):
    """How often each statement was tried, and how often it failed."""
    tallies = try_all_small(case["most_rows"])
    return [{"statement": name, **asdict(tally)} for name, tally in tallies.items()]


@experiment(
    "osdt.bounds.small",
    item="Appendices D and E",
    title="Trees that whole searches evaluate against the bounds on their number, on small problems",
    cases=lambda: [{"most_rows": MOST_ROWS, "n_problems": N_PROBLEMS, "seed": 0}],
    seconds=5,
)
def bounds_small(case):
    """How often each bound was tried, on all small problems and on random ones, and how often it failed."""
    kinds = kinds_of_problems(case)
    found = {(how, name): Tally() for how in kinds for name in COUNTED}
    for how, problems in kinds.items():
        for problem in problems:
            rows, labels, price = problem.given
            run = branch_and_bound(np.array(rows), np.array(labels), float(price))
            start = Fraction(float(run.trace["objective"][0])).limit_denominator(10**6)
            bounds = (
                bound_at_start(price, N_FEATURES, start),
                bound_in_all(price, N_FEATURES),
                bound_with_symmetry(price, N_FEATURES),
            )
            for name, bound in zip(COUNTED, bounds, strict=True):
                found[how, name].add(run.n_evaluated <= bound, problem)
    return [{"how": how, "statement": name, **asdict(tally)} for (how, name), tally in found.items()]


def kinds_of_problems(case):
    """All problems of few rows and random ones, as a case asks: dict of how to list of `Problem`."""
    draw = random.Random(case["seed"])
    return {
        EXHAUSTIVE: [
            Problem(rows, labels, price)
            for rows, labels in small_data(case["most_rows"])
            for price in SMALL_PRICES
        ],
        RANDOM: [Problem.random(draw) for _ in range(case["n_problems"])],
    }


def tallies(experiment="osdt.theorems"):
    """Stored tallies of the theorems on small problems, dict of the statement to `Tally`."""
    [(_, rows)] = store.outcomes(experiment)
    return {row["statement"]: Tally(row["n_tried"], row["n_failed"], row["worst"]) for row in rows}


_CHILDREN = "trees with a choice of leaves kept and each tree grown from the others"
_PLACES = {
    "3.1": _CHILDREN,
    "3.2": f"{_CHILDREN}, larger than they",
    "3.3": "splits of optimal trees",
    "3.4": "splits of optimal trees into two leaves",
    "3.5": "leaves of optimal trees that split",
    "B.1": "trees",
    "B.2": _CHILDREN,
    "C.1": "optimal trees",
    "C.2 (leaf free)": "optimal trees",
    "C.3": f"{_CHILDREN}, of a bound below the objective of a single leaf",
    "E.1": "trees that split, against the first with the same leaves",
    "F.1": "trees, and their best descendants, with one split asked of another column",
}
# claim -> the statements of `exhaustive.try_theorems` that it consists of; `_PLACES` says what is a case
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
    "osdt.sc.corollary-c-2.statement": ("C.2 (leaf free)",),
    "osdt.sc.theorem-c-3.statement": ("C.3",),
    "osdt.se.corollary-e-1.statement": ("E.1",),
    "osdt.sf.theorem-f-1.statement": ("F.1", "F.1 (children)"),
}

_STRICT = (
    "the strict sign does not go with the floor: the proof gives a number below a quotient, hence at most "
    "the "
    "floor of it; with 'at most' it holds"
)
_EMPTY = "the empty tree counts no leaf, as in Algorithm 1 and the proof of Theorem E.2"


@judges("osdt.s3*", "osdt.sb.*", "osdt.sc.*", "osdt.se.*", "osdt.sf.*")
def judge_theorems(random=None, small=None):
    """Verdicts on the theorems that all trees of tiny problems decide, dict of claim id to Verdict.

    random, small : of `exhaustive.try_theorems` and `try_all_small`; default the stored tallies
    """
    source = {} if random is not None and small is not None else {"experiment": "osdt.theorems"}
    random = tallies() if random is None else random
    small = tallies("osdt.theorems.small") if small is None else small
    kinds = (
        (
            small,
            f"of all problems of at most {MOST_ROWS} rows and {N_FEATURES} columns",
            EXHAUSTIVE,
        ),
        (
            random,
            f"of each of {N_PROBLEMS} problems of 2 to 12 rows and {N_FEATURES} columns",
            RANDOM,
        ),
    )
    found = [
        judge_statement(
            claim,
            [
                _trials([some[name] for name in statements], f"{_PLACES[statements[0]]}, {where}", how)
                for some, where, how in kinds
            ],
            cause=_STRICT
            if claim.startswith("osdt.sc.theorem-c-3")
            else "counterexamples among the cases tried",
            note=_EMPTY if "corollary-c-2" in claim else "",
            **source,
        )
        for claim, statements in TRIED.items()
    ]
    found += [
        stated("osdt.s3-1.objective-equation-4.statement"),
        stated("osdt.s3.child-trees-equation-2.statement"),
    ]
    return {verdict.claim.id: verdict for verdict in found}


def _trials(some, where, how):
    worst = next((tally.worst for tally in some if tally.worst), "")
    return Trials(sum(t.n_tried for t in some), sum(t.n_failed for t in some), worst, where, how)


LETTER = (
    "a tree in the queue whose own bound has passed the best objective since gives an empty sum, though the "
    "text counts it as remaining"
)


@judges("osdt.sd.*", "osdt.se-1.*")
def judge_bounds_on_trees(rows=None, small=None, steps=None):
    """Verdicts on Theorems D.1 to E.2, dict of claim id to Verdict.

    rows : of `bound_rows`, one for each complete search; default those
    small, steps : rows of `bounds_small` and of `remaining.bounds_steps`; default the stored ones
    """
    searched = {} if None not in (rows, small) else {"experiment": "osdt.bounds.small"}
    stepped = {} if steps is not None else {"experiment": "osdt.bounds.steps"}
    rows = bound_rows() if rows is None else rows
    small = store.outcomes("osdt.bounds.small")[0][1] if small is None else small
    steps = store.outcomes("osdt.bounds.steps")[0][1] if steps is None else steps
    claims = {"osdt.sd.corollary-d-2.statement": ("D.2", 3), "osdt.se-1.theorem-e-2.statement": ("E.2", 4)}
    tried = {(row["how"], row["statement"]): row for row in small}
    near = {row["how"]: row for row in steps}
    problems = {
        EXHAUSTIVE: f"problems of at most {MOST_ROWS} rows and {N_FEATURES} columns",
        RANDOM: f"problems of 2 to 12 rows and {N_FEATURES} columns",
    }
    found = [
        judge_statement(
            claim,
            [
                Trials.of(((row[0], row[place] >= row[5]) for row in rows), "the data sets, trees evaluated"),
                *(
                    _of_small(tried[how, name], f"whole searches on {of}", how)
                    for how, of in problems.items()
                ),
            ],
            cause="more trees are evaluated than the bound allows",
            note=f"nearest: {max(one[name] for one in near.values()):.2g} of the bound, on small problems; "
            "on the data sets the bounds are beyond reach",
            **searched,
        )
        for claim, (name, place) in claims.items()
    ]
    once = sum(one["n_failed_counted_once"] for one in steps)
    found += [
        judge_statement(
            "osdt.sd.theorem-d-1.statement",
            [
                _of_small(near[how], f"states of the queue, before each step of a search, on {of}", how)
                for how, of in problems.items()
            ],
            cause=f"{LETTER}; counted once, it fails in {once} states, and the nearest reaches "
            f"{max(one['D.1'] for one in near.values()):.2g} of the bound",
            **stepped,
        ),
        judge("osdt.se-1.symmetry-aware-pruning.m-10-k-5", saved_by_symmetry(10, 5)),
        judge("osdt.se-1.symmetry-aware-pruning.m-20-k-10", saved_by_symmetry(20, 10)),
    ]
    return {verdict.claim.id: verdict for verdict in found}


def _of_small(row, where, how):
    return Trials(row["n_tried"], row["n_failed"], row["worst"], where, how)


def bound_rows(searches=None):
    """Bounds on the trees evaluated beside those evaluated: list of (data, regularization, D.1 at the start,
    D.2, E.2, trees evaluated), for the searches that end by themselves.

    searches : dict as of `bounds_by_data`; default that of the stored searches
    """
    rows, searches = [], bounds_by_data() if searches is None else searches
    for data, price in SEVEN.items():
        found = searches[data, None]
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
