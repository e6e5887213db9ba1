"""Table 1: how many trees and rule lists there are up to a depth, in exact integers."""

import random
from functools import cache
from itertools import pairwise
from math import comb, perm

import pandas as pd

from treelib.ledger.claims import find
from treelib.ledger.protocol.declared import Open, declared
from treelib.ledger.protocol.digits import is_cut_to, rounds_to
from treelib.ledger.protocol.judging import EXHAUSTIVE, RANDOM, Trials, judge, judge_statement, judges
from treelib.papers.osdt.exhaustive import all_trees

FEATURES, DEPTHS = (10, 20), (1, 2, 3, 4, 5)


def count_trees_of_depth(n_features, depth):
    """Number of trees of exactly this depth over binary features, equation (1) of the paper.

    Level by level: of the ``2 n`` nodes below ``n`` splits, choose which are split, and on which of the
    features that are left. Exact integer.
    """

    @cache
    def below(level, n_splits):
        if level == depth:
            return 1
        free = n_features - level
        return sum(
            comb(2 * n_splits, n_next) * free**n_next * below(level + 1, n_next)
            for n_next in range(1, 2 * n_splits + 1)
        )

    if depth < 1:
        raise ValueError(f"depth={depth} must be 1 or more: equation (1) counts trees with a split.")
    return n_features * below(1, 1)


def count_trees(n_features, depth):
    """Number of trees with a split and of at most this depth, exact integer."""
    return sum(count_trees_of_depth(n_features, d) for d in range(1, depth + 1))


def count_up_to_depth(n_features, depth):
    """Trees of at most this depth, the leaf included: ``1 + sum of N_k`` of equation (1), by a recursion
    that is fast where the numbers have thousands of digits."""
    return 1 if depth == 0 else 1 + n_features * count_up_to_depth(n_features - 1, depth - 1) ** 2


def count_rule_lists(n_features, n_rules, max_clauses=2):
    """Number of rule lists with 1 to `n_rules` rules of at most `max_clauses` clauses, exact integer.

    The text stops the sum at ``d - 1``; the values of Table 1 need ``d``.
    """
    n_choices = sum(comb(n_features, n_clauses) for n_clauses in range(1, max_clauses + 1))
    return sum(perm(n_choices, n) for n in range(1, n_rules + 1))


def search_spaces(features=FEATURES, depths=DEPTHS):
    """The cells of Table 1: dict of (depth, number of features, "rule-lists" or "trees") to int."""
    counts = {"rule-lists": count_rule_lists, "trees": count_trees}
    return {(d, p, what): count(p, d) for d in depths for p in features for what, count in counts.items()}


def ratio_grows(cells):
    """Whether there are more trees for every rule list at each depth than at the one before: cases."""
    for p in dict.fromkeys(p for _, p, _ in cells):
        ratio = {d: cells[d, p, "trees"] / cells[d, p, "rule-lists"] for d, q, _ in cells if q == p}
        for before, after in pairwise(sorted(ratio)):
            yield f"p = {p}, depth {after}", ratio[after] > ratio[before], ratio[before] - ratio[after]


# ---- cells ------------------------------------------------------------------------------------------------

OVERFLOW = 2**63  # beyond the integers of 64 bits: what “Inf” in quotation marks stands for
NAMES = [f"p-{p}-{what}" for p in FEATURES for what in ("trees", "rule-lists")]
RULES = Open("up to how many rules a list has", {"d": {"fewer": 0}, "d - 1": {"fewer": 1}})


@declared("osdt.t1.{depth}.{cell}", {name: name for name in NAMES if name.endswith("trees")})
def trees():
    """Numbers of trees, a line a depth."""
    return pd.DataFrame([{"depth": f"d-{d}", **_line(d, 0)} for d in DEPTHS], dtype=object)


@declared("osdt.t1.{depth}.{cell}", {name: name for name in NAMES if name.endswith("lists")}, RULES)
def rule_lists():
    """Numbers of rule lists, a line a depth and reading of the sum: Section 2 prints d - 1."""
    lines = [{"depth": f"d-{d}", "fewer": less, **_line(d, less)} for d in DEPTHS for less in (0, 1)]
    return pd.DataFrame(lines, dtype=object)


def _line(depth, fewer):
    counts = {f"p-{p}-trees": count_trees(p, depth) for p in FEATURES}
    counts |= {f"p-{p}-rule-lists": count_rule_lists(p, depth - fewer) for p in FEATURES}
    return {name: number if number < OVERFLOW else "Inf" for name, number in counts.items()}


# ---- sentences --------------------------------------------------------------------------------------------


@judges("osdt.t1.caption.explodes", "osdt.s2.*")
def judge_spaces():
    """Verdicts on what the caption and Section 2 say of the two search spaces, list of Verdict."""
    cells, places = search_spaces(), [(d, p) for d in DEPTHS for p in FEATURES]
    letter = {(d, p): count_rule_lists(p, d - 1) for d, p in places}
    return [
        judge("osdt.s2.catalan.eight-leaf-unlabeled-trees", _shapes(8)),
        judge("osdt.s2.perfect.eight-leaf-unlabeled-trees", _perfect_shapes(8)),
        judge_statement("osdt.t1.caption.explodes", ratio_grows(cells)),
        judge_statement(
            "osdt.s2.corels.search-space",
            (
                (f"d = {d}, p = {p}: {number:,}", _shows(number, f"osdt.t1.d-{d}.p-{p}-rule-lists"))
                for (d, p), number in letter.items()
            ),
        ),
        judge_statement(
            "osdt.s2.search-space.massive",
            (
                (f"d = {d}, p = {p}, lists for every tree", lists < trees_, lists / trees_)
                for d, p in places
                for lists, trees_ in [(cells[d, p, "rule-lists"], cells[d, p, "trees"])]
            ),
        ),
        judge_statement(
            "osdt.s2.equation-1.n-dt",
            [
                Trials.of(
                    _trees_counted(),
                    "pairs of 1 to 4 features and a depth up to 3: trees of exactly this depth, enumerated",
                    EXHAUSTIVE,
                ),
                Trials.of(
                    _trees_recounted(),
                    "pairs of features up to 30 and a depth up to 6: trees counted by their two sides",
                    RANDOM,
                ),
            ],
        ),
    ]


def _shapes(n_leaves):
    """Number of binary trees with so many leaves, by the sizes of the two sides."""
    return sum(_shapes(left) * _shapes(n_leaves - left) for left in range(1, n_leaves)) if n_leaves > 1 else 1


def _perfect_shapes(n_leaves):
    """Number of perfect binary trees with so many leaves."""
    return 1 if n_leaves == 1 else 0 if n_leaves % 2 else _perfect_shapes(n_leaves // 2)


def _shows(number, claim):
    printed = find(claim).number
    return rounds_to(number, printed) or is_cut_to(number, printed)


def _trees_recounted(n_pairs=100, seed=0):
    draw = random.Random(seed)
    for _ in range(n_pairs):
        p = draw.randint(5, 30)
        depth = draw.randint(1, min(p, 6))
        by_sides = count_up_to_depth(p, depth) - count_up_to_depth(p, depth - 1)
        yield f"p = {p}, depth {depth}", count_trees_of_depth(p, depth) == by_sides


def _trees_counted(most=3):
    for p in range(1, most + 2):
        below = 1
        for depth in range(1, min(p, most) + 1):
            up_to = len(all_trees(tuple(range(p)), depth))
            yield f"p = {p}, depth {depth}", count_trees_of_depth(p, depth) == up_to - below
            below = up_to
