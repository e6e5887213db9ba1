"""Table 1: how many trees and rule lists there are up to a depth, in exact integers."""

from functools import cache
from math import comb, perm

from treelib.ledger.claims import judge, judge_statement


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


def count_rule_lists(n_features, n_rules, max_clauses=2):
    """Number of rule lists with 1 to `n_rules` rules of at most `max_clauses` clauses, exact integer.

    The text stops the sum at ``d - 1``; the values of Table 1 need ``d``.
    """
    n_choices = sum(comb(n_features, n_clauses) for n_clauses in range(1, max_clauses + 1))
    return sum(perm(n_choices, n) for n in range(1, n_rules + 1))


def judge_table_1():
    """Verdicts on Table 1, dict of (depth, n_features, "rule-lists" or "trees") to Verdict."""
    verdicts = {}
    for depth in range(1, 6):
        for n_features in (10, 20):
            claim = f"osdt.t1.d-{depth}.p-{n_features}"
            lists, trees = count_rule_lists(n_features, depth), count_trees(n_features, depth)
            verdicts[depth, n_features, "rule-lists"] = judge(f"{claim}-rule-lists", lists)
            verdicts[depth, n_features, "trees"] = (
                judge(f"{claim}-trees", trees)
                if depth < 5
                else judge_statement(
                    f"{claim}-trees",
                    False,
                    f"{trees:.3e}".replace("e+", "e"),
                    cause="finite, but beyond 2^63 - 1, the largest 64-bit integer; all printed numbers are "
                    "below it",
                )
            )
    return verdicts
