"""Theorems D.1, D.2 and E.2: how many trees Algorithm 1 goes through, in each way that they can be counted.

A plain Algorithm 1 on problems small enough to see every state. A state is a tree with its leaves shared
out into kept ones and ones to be split, as Section 3 has it: the same leaves shared out otherwise are another
tree.
"""

import random
from collections import deque
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import perm

from treelib.ledger.experiments import experiment
from treelib.ledger.protocol.evidence import EXHAUSTIVE, RANDOM
from treelib.papers.osdt.exhaustive import N_FEATURES, Problem, Tally, all_trees, small_data
from treelib.papers.osdt.text.theorems import MOST_ROWS, bound_in_all, bound_with_symmetry

# what is counted: the text says that trees in the queue, or put there later, are those that remain
QUEUED, COMPUTED = "trees put into the queue", "objectives computed"
QUEUED_SETS, COMPUTED_SETS = "sets of leaves put into the queue", "sets of leaves whose objective is computed"
UNITS = QUEUED, COMPUTED, QUEUED_SETS, COMPUTED_SETS
# whose algorithm: as printed a tree is asked for its bound when it leaves the queue, by Section G.4 before
PRINTED, CHECKED = "as printed", "with the check of Section G.4"
ALGORITHM, NOTHING = "Algorithm 1", "with nothing to split at the start"
N_DRAWN, LEAST_PRICE = 150, Fraction(10, 100)
PRICES = Fraction(1, 10), Fraction(1, 5), Fraction(3, 10)


@dataclass(frozen=True)
class Counts:
    """What one run of Algorithm 1 goes through.

    Attributes
    ----------
    best : int, the least objective found, in the units of `Whole`
    of : dict of unit to number of trees
    steps : list of (trees that remain, bound of Theorem D.1, length of the queue, best objective), before
        each removal
    """

    best: int
    of: dict
    steps: list


def algorithm_1(problem, *, checked=False, symmetric=False, start="root", watch=False):
    """Algorithm 1 with no bound but that of Theorem 3.1, breadth first.

    Parameters
    ----------
    problem : Whole; its `empty` is H of the empty tree
    checked : bool, put a tree into the queue only when its bounds, of Theorem B.2 and Lemma 3.2 as well, are
        below the best objective, and compute objectives there (Section G.4)
    symmetric : bool, leave out a tree that was there in another order (Corollary E.1)
    start : {"root", "printed"}, the empty tree as a leaf to be split, or with nothing to split as printed
    watch : bool, keep `Counts.steps`

    Returns
    -------
    Counts; the objectives start from 1, for a tree that is not there
    """
    whole, best = frozenset(), problem.units
    ledger = _Remaining(problem) if watch else None
    root = (frozenset(), frozenset([whole] if start == "root" else []))
    queue, seen, steps, computed, waiting = deque(), set(), [], [], []

    def evaluate(state):
        computed.append(state)
        return min(best, problem.bound(state[0] | state[1], frozenset()))

    def put(state):
        queue.append(state)
        waiting.append(state)
        if watch:
            ledger.add(state, best)

    put(root)
    if checked:  # the empty tree is the first current best
        best = evaluate(root)
    while queue:
        if watch:
            steps.append((len(waiting) - len(queue), ledger.bound(queue, best), len(queue), best))
        state = queue.popleft()
        if watch:
            ledger.remove(state, best)
        if problem.bound(*state) >= best:
            continue
        if not checked:
            best = evaluate(state)
        for new in _splits(state[1], problem.n_columns):
            for some in _subsets(new):
                child = (state[0] | (new - some), some)
                if symmetric and child in seen:
                    continue
                if symmetric:
                    seen.add(child)
                if checked:
                    best = evaluate(child)
                    if problem.bound(*child) + problem.more(some) >= best:
                        continue
                put(child)
    sets = {
        name: len({kept | some for kept, some in states})
        for name, states in ((QUEUED_SETS, waiting), (COMPUTED_SETS, computed))
    }
    remaining = [(len(waiting) - gone, *rest) for gone, *rest in steps]
    return Counts(best, {QUEUED: len(waiting), COMPUTED: len(computed)} | sets, remaining)


class Whole:
    """A problem in whole numbers: hundredths of a row, as a price is hundredths of the rows.

    The empty tree counts no leaf, as Algorithm 1 and the proof of Theorem E.2 write it; `empty` is 1 where it
    does.

    Attributes
    ----------
    price : int, of a leaf
    n_columns : int, that a leaf may be split on: the first ones
    units : int, the objective 1 of a tree that is not there
    """

    def __init__(self, rows, labels, regularization, n_columns=N_FEATURES, empty=0):
        problem = Problem(rows, labels, regularization, empty)
        self.problem, self.n_columns, self.empty = problem, n_columns, empty
        self.price, self.units = int(100 * problem.price), 100 * problem.n
        best = min(problem.objective(tree) for tree in all_trees(tuple(range(n_columns)), n_columns))
        self.best = min(int(100 * best), self.units)
        self._loss, self._unsolvable = {}, {}

    def loss(self, leaf):
        if leaf not in self._loss:
            self._loss[leaf] = 100 * self.problem.loss(tuple(leaf))
        return self._loss[leaf]

    def bound(self, kept, opened):
        """b of equation (5)."""
        leaves = len(kept) + len(opened)
        if not leaves or frozenset() in kept or frozenset() in opened:
            leaves = self.empty
        return sum(map(self.loss, kept)) + self.price * leaves

    def more(self, opened):
        """What Theorem B.2 and Lemma 3.2 add to the bound of a tree with leaves to be split."""
        for leaf in opened:
            if leaf not in self._unsolvable:
                self._unsolvable[leaf] = 100 * self.problem.unsolvable(tuple(leaf))
        return sum(self._unsolvable[leaf] for leaf in opened) + self.price * bool(opened)


class _Remaining:
    """The bound of Theorem D.1 for the queue as it is, brought up to date with it."""

    def __init__(self, problem):
        self.problem, self.total, self.best = problem, 0, None

    def of(self, state, best):
        free = 3**self.problem.n_columns - len(state[0])
        return _permutations(free, min((best - self.problem.bound(*state)) // self.problem.price, free))

    def add(self, state, best):
        if best == self.best:
            self.total += self.of(state, best)

    def remove(self, state, best):
        if best == self.best:
            self.total -= self.of(state, best)

    def bound(self, queue, best):
        if best != self.best:
            self.total, self.best = sum(self.of(state, best) for state in queue), best
        return self.total


@cache
def _splits(opened, n_columns):
    """The new leaves of each combination of columns to split all leaves of `opened`, list of frozenset."""
    free = [[j for j in range(n_columns) if j not in {column for column, _ in leaf}] for leaf in opened]
    return [
        frozenset(leaf | {(j, value)} for leaf, j in zip(opened, chosen, strict=True) for value in (0, 1))
        for chosen in product(*free)
        if opened
    ]


@cache
def _subsets(leaves):
    return [frozenset(some) for k in range(len(leaves) + 1) for some in combinations(leaves, k)]


@cache
def _permutations(free, most):
    return sum(perm(free, k) for k in range(most + 1))


# ---- tried -------------------------------------------------------------------------------------------------


@experiment(
    "osdt.tree-counts",
    item="Appendices D and E",
    title="Trees that a plain Algorithm 1 goes through, in every way of counting, against the bounds",
    cases=lambda: [{"most_rows": MOST_ROWS, "n_drawn": N_DRAWN, "seed": 0}],
    seconds=2,
)
def tree_counts(case):
    """How often each bound was tried, in each reading, and how often it failed: list of dict."""
    draw = random.Random(case["seed"])
    small = [
        (rows, labels, price, n_columns)
        for n_columns in range(1, N_FEATURES + 1)
        for rows, labels in _of_columns(n_columns, case["most_rows"])
        for price in PRICES
    ]
    drawn = [Problem.random(draw).given for _ in range(case["n_drawn"])]
    drawn = [(rows, labels, max(price, LEAST_PRICE), N_FEATURES) for rows, labels, price in drawn]
    found = {}
    for how, problems in ((EXHAUSTIVE, small), (RANDOM, drawn)):
        for given in problems:
            problem = Whole(*given)
            for name, reading, held, more in said_of_counts(problem):
                found.setdefault((how, name, reading), Tally()).add(held, problem.problem, more)
    return [
        {"how": how, "statement": name, "reading": reading, **asdict(tally)}
        for (how, name, reading), tally in found.items()
    ]


def _of_columns(n_columns, most_rows):
    """All data sets of at most so many rows whose other columns are 0 everywhere, those put last: list of
    (rows, labels)."""
    found = []
    for rows, labels in small_data(most_rows):
        order = sorted(range(N_FEATURES), key=lambda j: not any(row[j] for row in rows))
        if not any(row[j] for row in rows for j in order[n_columns:]):
            found.append(([[row[j] for j in order] for row in rows], labels))
    return found


def said_of_counts(problem):
    """What the theorems and Algorithm 1 say of the runs on one problem: (statement, reading, whether it
    holds, numbers in words)."""
    price = problem.problem.given[-1]
    for how in (PRINTED, CHECKED):
        run = algorithm_1(problem, checked=how == CHECKED, watch=True)
        yield ALGORITHM, how, run.best == problem.best, f"{run.best} instead of {problem.best} hundredths"
        failed = [step for step in run.steps if step[0] > step[1]]
        yield "D.1", how, not failed, _state_in_words(failed[0], problem) if failed else ""
        for name, symmetric, bound in (("D.2", False, bound_in_all), ("E.2", True, bound_with_symmetry)):
            run = algorithm_1(problem, checked=how == CHECKED, symmetric=True) if symmetric else run
            most = bound(price, problem.n_columns)
            for unit in UNITS:
                yield name, f"{unit}, {how}", run.of[unit] <= most, f"{run.of[unit]} trees, bound {most}"
    run = algorithm_1(problem, start="printed")
    yield ALGORITHM, NOTHING, run.best == problem.best, f"{run.best} instead of {problem.best} hundredths"


def _state_in_words(step, problem):
    left, bound, length, best = step
    return f"{left} trees remain, bound {bound}, {length} in the queue, objective {best / problem.units:.4g}"
