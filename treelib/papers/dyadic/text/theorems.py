"""Lemmas 1 to 4 and Corollary 1 tried on all dyadic trees of small random problems, in exact fractions.

A problem is a handful of rows in a tiny grid. Every tree of it is known as (error, leaves), and the optimal
trees also as trees, so each statement is checked as it is printed, and Lemma 4 also as it should read.
"""

from fractions import Fraction
from functools import cache
from itertools import pairwise, product

import numpy as np

from treelib.ledger import store
from treelib.ledger.experiments import experiment
from treelib.ledger.protocol.judging import EXHAUSTIVE, RANDOM, Trials, judge_statement, judges

STATEMENTS = (
    "lemma 1",
    "lemma 2",
    "lemma 3",
    "corollary 1",
    "corollary 1 (repaired)",
    "lemma 4",
    "lemma 4 (repaired)",
)


class Problem:
    """Rows of a tiny grid.

    Parameters
    ----------
    codes : int (n, d), finest cells. losses : int (n, K). n_splits : (d,), the k_i.
    """

    def __init__(self, codes, losses, n_splits):
        self.codes, self.losses, self.n_splits = codes, losses, tuple(map(int, n_splits))
        self.root = tuple((0, 0) for _ in self.n_splits)
        self.values = cache(self._values)
        self.best = cache(self._best)

    def leaf_error(self, rectangle):
        """Error of the single leaf over a rectangle, a tuple of (level, interval number)."""
        totals = self.losses[self._inside(rectangle)].sum(axis=0)
        return int(totals.min())

    def halves(self, rectangle):
        """Pairs of halves, one for each coordinate that can still be split."""
        for i, (level, place) in enumerate(rectangle):
            if level < self.n_splits[i]:
                yield tuple(
                    (*rectangle[:i], (level + 1, 2 * place + side), *rectangle[i + 1 :]) for side in (0, 1)
                )

    def _inside(self, rectangle):
        inside = np.ones(len(self.codes), dtype=bool)
        for i, (level, place) in enumerate(rectangle):
            inside &= self.codes[:, i] >> (self.n_splits[i] - level) == place
        return inside

    def _values(self, rectangle):
        """(error, leaves) of every tree over a rectangle."""
        if not self._inside(rectangle).any():
            return frozenset({(0, 1)})
        found = {(self.leaf_error(rectangle), 1)}
        for left, right in self.halves(rectangle):
            found |= {(e + f, m + n) for e, m in self.values(left) for f, n in self.values(right)}
        return frozenset(found)

    def minimisers(self, price):
        """(error, leaves) of all trees of least risk."""
        least = min(e + price * m for e, m in self.values(self.root))
        return [(e, m) for e, m in self.values(self.root) if e + price * m == least]

    def selected(self, price):
        """The solution value of Definition 2: most leaves among the minimisers."""
        return max(self.minimisers(price), key=lambda pair: pair[1])

    def sequence(self):
        """Definition 3, from lambda = 1 in the paper's unit, here the number of rows, down to 0."""
        prices = {
            Fraction(e - f, n - m)
            for e, m in self.values(self.root)
            for f, n in self.values(self.root)
            if n > m and e > f
        }
        ordered = sorted(prices, reverse=True)
        probes = [max([*ordered, Fraction(0)]) + 1]
        for price, following in pairwise([*ordered, Fraction(0)]):
            probes += [price, (price + following) / 2]
        found = []
        for price in probes:
            pair = self.selected(price)
            if not found or found[-1] != pair:
                found.append(pair)
        return found

    def tree(self, error, leaves):
        """A tree (rectangle, children) with these values; children is None at a leaf."""
        return self._tree(self.root, error, leaves)

    def _tree(self, rectangle, error, leaves):
        is_empty = not self._inside(rectangle).any()
        if leaves == 1 and error == (0 if is_empty else self.leaf_error(rectangle)):
            return rectangle, None
        for left, right in self.halves(rectangle):
            for e, m in self.values(left):
                if (error - e, leaves - m) in self.values(right):
                    return rectangle, (self._tree(left, e, m), self._tree(right, error - e, leaves - m))
        raise ValueError(f"no tree over {rectangle} has error {error} and {leaves} leaves")

    def _best(self, tree):
        """Least-error prunings of a tree by size: dict of leaves to (error, collapsed subtrees)."""
        rectangle, children = tree
        found = {1: (self.leaf_error(rectangle), (tree,) if children else ())}
        if children:
            left, right = map(self.best, children)
            for m, (e, some) in left.items():
                for n, (f, others) in right.items():
                    if m + n not in found or e + f < found[m + n][0]:
                        found[m + n] = e + f, (*some, *others)
        return found


def size(tree):
    """Leaves of a tree (rectangle, children)."""
    return 1 if tree[1] is None else sum(map(size, tree[1]))


def error_of(problem, tree):
    """Error of a tree (rectangle, children)."""
    return problem.leaf_error(tree[0]) if tree[1] is None else sum(error_of(problem, t) for t in tree[1])


def check(problem):
    """What the statements say of one problem: dict of statement to list of bool, one for each case tried."""
    found = {name: [] for name in STATEMENTS}
    root_error = problem.leaf_error(problem.root)
    for price in (root_error + Fraction(1, 7), Fraction(2 * root_error + 1), root_error + Fraction(1, 1000)):
        found["lemma 1"].append(problem.minimisers(price) == [(root_error, 1)])
    sequence = problem.sequence()
    breaks = [Fraction(e - f, n - m) for (e, m), (f, n) in pairwise(sequence)]
    probes = sorted({*breaks, *((a + b) / 2 for a, b in pairwise(breaks)), Fraction(1, 9), Fraction(99)})
    for low, high in pairwise(probes):
        for e, m in problem.minimisers(low):
            for f, n in problem.minimisers(high):
                found["lemma 2"].append(e + low * m <= f + high * n and e <= f and m >= n)
    e_1, ends = sequence[0][0], [*breaks, Fraction(0)]
    for i, pair in enumerate(sequence):
        high, low = (Fraction(e_1) if i == 0 else breaks[i - 1]), ends[i]
        inside = [high, (high + low) / 2, low + (high - low) / 100] if low < high else []
        found["lemma 3"] += [problem.selected(price) == pair for price in inside if price > 0]
        if e_1 > 0:
            found["corollary 1"].append(low < high)
            found["corollary 1 (repaired)"].append(low < high or i == 0)
    for (e, m), (f, n) in pairwise(sequence):
        printed, repaired = lemma_4(problem, (e, m), (f, n))
        found["lemma 4"].append(printed)
        found["lemma 4 (repaired)"].append(repaired)
    return found


def lemma_4(problem, before, after):
    """Whether Lemma 4 holds between two neighbouring solution values, as printed and with |T| - 1 leaves."""
    slope = Fraction(before[0] - after[0], after[1] - before[1])
    _, pruned = problem.best(problem.tree(*after))[before[1]]
    gains = [problem.leaf_error(t[0]) - error_of(problem, t) for t in pruned]
    holds = []
    for offset in (0, 1):
        sizes = [size(t) - offset for t in pruned]
        whole = Fraction(sum(gains), sum(sizes))
        holds.append(slope <= whole <= max(Fraction(g, s) for g, s in zip(gains, sizes, strict=True)))
    return holds


def random_problem(random):
    """A `Problem` of up to eight rows in at most sixteen cells."""
    while True:
        n_splits = random.integers(0, 4, random.integers(1, 4))
        if 1 <= n_splits.sum() <= 4:
            break
    n_cells = 2 ** int(n_splits.sum())
    cells = np.stack(np.unravel_index(np.arange(n_cells), 2**n_splits), axis=1)
    chosen = random.choice(n_cells, random.integers(1, min(8, n_cells) + 1), replace=False)
    losses = random.integers(0, 4, (len(chosen), random.integers(2, 4)))
    return Problem(cells[chosen], losses - losses.min(axis=1, keepdims=True), n_splits)


def two_points():
    """The smallest counterexample: two points of two classes, one split between them."""
    return Problem(np.array([[0], [1]]), np.array([[0, 1], [1, 0]]), [1])


@experiment(
    "dyadic.theorems",
    item="Lemmas 1 to 4, Corollary 1",
    title="The paper's statements on all dyadic trees of small problems",
    cases=lambda: [{"seed": seed, "count": 50} for seed in range(8)],
    seconds=2,
)
def theorems(case):
    random = np.random.default_rng(case["seed"])
    tried = dict.fromkeys(STATEMENTS, 0)
    failed = dict.fromkeys(STATEMENTS, 0)
    for _ in range(case["count"]):
        for name, outcomes in check(random_problem(random)).items():
            tried[name] += len(outcomes)
            failed[name] += len(outcomes) - sum(outcomes)
    return {"tried": tried, "failed": failed}


# ---- verdicts ---------------------------------------------------------------------------------------------

SMALL = "problems of one row at most in each of four cells, two classes"
LARGE = "drawn problems of up to 8 rows in 16 cells, two or three classes, whole losses"
NAMED = {
    "lemma 1": "dyadic.s3.lemma-1.statement",
    "lemma 2": "dyadic.s4.lemma-2.statement",
    "lemma 3": "dyadic.s4.lemma-3.statement",
    "corollary 1": "dyadic.s4.corollary-1.statement",
    "lemma 4": "dyadic.s4.lemma-4.statement",
}


def small_problems():
    """Every `Problem` with at most one row in each of four cells, in grids of one and of two coordinates."""
    found = []
    for n_splits in ((2,), (1, 1)):
        cells = np.stack(np.unravel_index(np.arange(4), 2 ** np.array(n_splits)), axis=1)
        for kinds in product((None, (0, 1), (1, 0)), repeat=4):
            held = [i for i, kind in enumerate(kinds) if kind is not None]
            if held:
                found.append(Problem(cells[held], np.array([kinds[i] for i in held]), n_splits))
    return found


def drawn_problems(count=100, seed=100):
    """Random problems, list of `Problem`."""
    random = np.random.default_rng(seed)
    return [random_problem(random) for _ in range(count)]


def tried(holds, random=None):
    """Try a statement on all small problems and on drawn ones: list of two `Trials`.

    Parameters
    ----------
    holds : function of a `Problem`, bool
    random : list of Problem, the drawn ones; by default `drawn_problems`
    """
    found = []
    for problems, where, how in (
        (small_problems(), SMALL, "exhaustive"),
        (random or drawn_problems(), LARGE, "random"),
    ):
        cases = ((f"{words(one)}; rows", bool(holds(one)), -len(one.codes)) for one in problems)
        found.append(Trials.of(cases, where, how))
    return found


def words(problem):
    """A problem in words."""
    return f"cells {problem.codes.tolist()} with losses {problem.losses.tolist()}, k = {problem.n_splits}"


def charitable():
    """How often Corollary 1 holds where a solution value need only be of one of the minimisers: counts."""
    found = tried(is_realized)
    return {what: sum(getattr(one, what) for one in found) for what in ("held", "cases")}


def is_realized(problem):
    """Whether each solution value is that of a minimiser for some lambda above 0 and up to e_1."""
    sequence = problem.sequence()
    e_1 = Fraction(sequence[0][0])
    breaks = [Fraction(e - f, n - m) for (e, m), (f, n) in pairwise(sequence)]
    return not e_1 or all(
        pair in problem.minimisers(at) for pair, at in zip(sequence, [e_1, *breaks], strict=True)
    )


@judges(*NAMED.values())
def judge_lemmas():
    """Verdicts on the lemmas: on all trees of small problems, and of drawn ones; list of Verdict."""
    drawn = [result for _, result in store.outcomes("dyadic.theorems")]
    by_problem = [(one, check(one)) for one in small_problems()]
    found = []
    for name, claim in NAMED.items():
        outcomes = ((words(one), holds) for one, checked in by_problem for holds in checked[name])
        tried, failed = (sum(result[how][name] for result in drawn) for how in ("tried", "failed"))
        random = Trials(tried, failed, "such as two points of two classes", LARGE, RANDOM)
        found.append(
            judge_statement(
                claim,
                [Trials.of(outcomes, SMALL, EXHAUSTIVE), random],
                numbers=charitable() if name == "corollary 1" else None,
                experiment="dyadic.theorems",
            )
        )
    return found
