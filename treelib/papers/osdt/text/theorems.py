"""What the theorems of the paper say of a tree and of a search, tried and counted in exact fractions."""

from dataclasses import asdict, dataclass
from fractions import Fraction
from math import comb, perm

import numpy as np

from treelib.ledger import store
from treelib.ledger.experiments import experiment
from treelib.ledger.protocol import notes
from treelib.ledger.protocol.judging import EXHAUSTIVE, RANDOM, by_id, judge, judge_statement, judges
from treelib.papers.osdt.exhaustive import (
    N_FEATURES,
    ONE_LEAF,
    Tally,
    try_all_small,
    try_theorems,
)
from treelib.papers.osdt.settings import N_PROBLEMS
from treelib.papers.osdt.table_1 import count_up_to_depth

MOST_ROWS = 3  # of the problems that are all tried
SMALL_PRICES = Fraction(1, 10), Fraction(3, 10)
FEW_ROWS, N_LARGE, MANY_ROWS = 12, 100, 300  # of random problems


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


def bound_in_all(regularization, n_features):
    """Corollary D.2: bound on the trees evaluated, from the regularization and the features alone."""
    return sum(perm(3**n_features, k) for k in range(max_leaves(regularization, n_features) + 1))


def bound_with_symmetry(regularization, n_features):
    """Theorem E.2: the bound with symmetry-aware pruning; there are no trees deeper than the features."""
    deepest = min(max_leaves(regularization, n_features), n_features)
    return count_up_to_depth(n_features, deepest) - saved_by_symmetry(n_features, deepest)


def saved_by_symmetry(n_features, n_leaves):
    """Evaluations that symmetry-aware pruning saves, Appendix E.1."""
    return sum(perm(n_features, k) - comb(n_features, k) for k in range(1, n_leaves + 1))


# ---- tried -------------------------------------------------------------------------------------------------


@experiment(
    "osdt.theorems",
    item="Appendices B to F",
    title="The theorems, on all trees of small random problems",
    cases=lambda: [
        {"n_problems": N_PROBLEMS, "seed": 0, "most_rows": FEW_ROWS},
        {"n_problems": N_LARGE, "seed": 1, "most_rows": MANY_ROWS},
    ],
    seconds=5,
)
def theorems(case):
    """How often each statement was tried, and how often it failed."""
    tallies = try_theorems(case["n_problems"], case["seed"], case["most_rows"])
    return [{"statement": name, **asdict(tally)} for name, tally in tallies.items()]


@experiment(
    "osdt.theorems.small",
    item="Appendices B to F",
    title="The theorems, on all trees of all problems of a few rows",
    cases=lambda: [{"most_rows": MOST_ROWS}],
    seconds=11,
)
def theorems_small(case):
    """How often each statement was tried, and how often it failed."""
    tallies = try_all_small(case["most_rows"])
    return [{"statement": name, **asdict(tally)} for name, tally in tallies.items()]


def tallies(experiment="osdt.theorems"):
    """Stored tallies of the theorems on small problems, dict of the statement to `Tally`."""
    return together(
        {row["statement"]: Tally.of(row) for row in rows} for _, rows in store.outcomes(experiment)
    )


def together(parts):
    """Tallies of several runs, each a dict, as those of one."""
    found = {}
    for part in parts:
        for name, more in part.items():
            one = found.setdefault(name, Tally())
            one.n_tried, one.n_failed = one.n_tried + more.n_tried, one.n_failed + more.n_failed
            one.worst = one.worst or more.worst
    return found


# claim -> the statements of `exhaustive.try_theorems` that it consists of
TRIED = {
    "osdt.s3-3.theorem-3-1.statement": ("3.1",),
    "osdt.s3-3.lemma-3-2.statement": ("3.2",),
    "osdt.s3-4.theorem-3-3.statement": ("3.3",),
    "osdt.s3-2.node-support.threshold": ("3.3",),
    "osdt.s3-4.theorem-3-4.statement": ("3.4",),
    "osdt.s3-4.theorem-3-5.statement": ("3.5", "3.5 (columns)"),
    "osdt.sb.proposition-b-1.statement": ("B.1",),
    "osdt.sb.theorem-b-2.statement": ("B.2",),
    "osdt.sc.theorem-c-1.statement": ("C.1",),
    "osdt.sc.corollary-c-2.statement": ("C.2",),
    "osdt.sc.theorem-c-3.statement": ("C.3",),
    "osdt.se.corollary-e-1.statement": ("E.1", "E.1 (children)"),
    "osdt.sf.theorem-f-1.statement": ("F.1", "F.1 (children)"),
}


@judges("osdt.s3*", "osdt.sb.*", "osdt.sc.*", "osdt.se.*", "osdt.sf.*")
def judge_theorems(random=None, small=None):
    """Verdicts on the theorems that all trees of tiny problems decide, dict of claim id to Verdict.

    random, small : of `exhaustive.try_theorems` and `try_all_small`; default the stored tallies

    One reading judges them all: the empty tree counts no leaf. Where it counts one stands beside.
    """
    source = {} if random is not None and small is not None else {"experiment": "osdt.theorems"}
    random = tallies() if random is None else random
    small = tallies("osdt.theorems.small") if small is None else small
    prices = " and ".join(f"{float(price):g}" for price in SMALL_PRICES)
    kinds = (
        (
            small,
            f"of all problems of at most {MOST_ROWS} rows and {N_FEATURES} columns, one of those that differ "
            f"in names of columns and classes or in order, at lambda {prices}",
            EXHAUSTIVE,
        ),
        (
            random,
            f"of each of {N_PROBLEMS} problems of 2 to {FEW_ROWS} rows and {N_LARGE} of up to {MANY_ROWS}, "
            f"{N_FEATURES} columns, lambda 0.01 to 0.4",
            RANDOM,
        ),
    )
    return by_id(
        *(
            judge_statement(
                claim,
                [
                    some[name].trials(f"{place}, {where}", how)
                    for name, place in zip(statements, notes.texts(claim, notes.CASES), strict=True)
                    for some, where, how in kinds
                    if name in some
                ],
                numbers={"one_leaf": _one_leaf([small, random], statements)},
                **source,
            )
            for claim, statements in TRIED.items()
        )
    )


def _one_leaf(kinds, statements):
    """What the same cases give where the empty tree counts a leaf, in words; empty where it plays no part."""
    found = [some[name + ONE_LEAF] for some in kinds for name in statements if name + ONE_LEAF in some]
    if not found:
        return "what it counts plays no part here"
    failed, worst = sum(one.n_failed for one in found), next((one.worst for one in found if one.worst), "")
    n_tried = sum(one.n_tried for one in found)
    text = f"where it counts one, {failed:,} of the {n_tried:,} cases that it touches fail"
    return f"{text} (first {worst})" if failed else text


@judges("osdt.sd.*", "osdt.se-1.*")
def judge_bounds_on_trees(counts=None):
    """Verdicts on Theorems D.1 to E.2, dict of claim id to Verdict.

    counts : rows of `tree_counts.tree_counts`; default the stored ones

    One unit and one algorithm judge all three: the trees put into the queue of Algorithm 1 as printed. Other
    units stand beside; where one of them holds for both statements that they judge, these are open, as
    elsewhere.
    """
    source = {"experiment": "osdt.tree-counts"} if counts is None else {}
    counts = store.outcomes("osdt.tree-counts")[0][1] if counts is None else counts
    by_claim = {
        "osdt.sd.corollary-d-2.statement": _readings(counts, "D.2"),
        "osdt.se-1.theorem-e-2.statement": _readings(counts, "E.2"),
    }
    failures = {
        claim: {reading: sum(one.failed for one in some) for reading, some in readings.items()}
        for claim, readings in by_claim.items()
    }
    printed, checked = trials_of_remaining(counts)
    return by_id(
        *(_judge_bound(claim, readings, failures, source) for claim, readings in by_claim.items()),
        judge_statement(
            "osdt.sd.theorem-d-1.statement",
            printed,
            numbers={what: sum(getattr(one, what) for one in checked) for what in ("failed", "cases")},
            **source,
        ),
        *(
            judge(
                f"osdt.se-1.symmetry-aware-pruning.m-{m}-k-{k}",
                saved_by_symmetry(m, k),
                numbers={"m": m, "k": k},
            )
            for m, k in ((10, 5), (20, 10))
        ),
    )


def _judge_bound(claim, readings, failures, source):
    """Verdict on one of the two bounds that are read in several ways; failures : of both, by reading"""
    failed, (chosen, trials) = failures[claim], next(iter(readings.items()))
    holding = [reading for reading in failed if not any(some[reading] for some in failures.values())]
    beside = [f"{reading} ({n})" for reading, n in failed.items() if n and reading != chosen]
    return judge_statement(
        claim,
        trials,
        withhold=bool(failed[chosen] and holding),
        numbers={
            "beside": ", ".join(beside) or "none",
            "n": len(failed),
            "chosen": chosen,
            "holding": " or ".join(holding),
        },
        **source,
    )


def _readings(counts, name):
    """What the plain Algorithm 1 gives of a statement: dict of reading, the judging one first, to Trials."""
    where = {
        EXHAUSTIVE: f"searches on problems of at most {MOST_ROWS} rows and 1 to {N_FEATURES} columns",
        RANDOM: f"searches on problems of 2 to {FEW_ROWS} rows and {N_FEATURES} columns",
    }
    found = {}
    for row in counts:
        if row["statement"] == name:
            trial = Tally.of(row).trials(f"{where[row['how']]}, {row['reading']}", row["how"])
            found.setdefault(row["reading"], []).append(trial)
    return found


def trials_of_remaining(counts=None):
    """Theorem D.1 on the plain Algorithm 1: Trials as printed, and with the check of Section G.4."""
    counts = store.outcomes("osdt.tree-counts")[0][1] if counts is None else counts
    return tuple(_readings(counts, "D.1").values())


def trials_of_algorithm(counts=None):
    """Whether the plain Algorithm 1 ends with the least objective: dict of reading to Trials."""
    return _readings(store.outcomes("osdt.tree-counts")[0][1] if counts is None else counts, "Algorithm 1")
