"""The algorithms that the chapters show in plain Python find what the package finds."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris

from tests.twins.bornagain.regions import Regions
from tests.twins.dyadic.by_the_book import all_values, procedure_1, solution_sequence
from treelib import OptimalSparseTreeClassifier, TopDownTreeClassifier
from treelib.dyadic import solution_path
from treelib.topdown import Instance, cost_complexity_path, exact_loss

pytest.importorskip("jupytext", reason="the chapters are read by jupytext, of the extra 'book'")


def shown_in(chapter):
    """A fixture: the algorithms of a chapter."""

    def load():
        from tests.twins.chapters import algorithms

        return algorithms(chapter)

    return pytest.fixture(scope="module")(load)


osdt, bornagain, dyadic = map(shown_in, ("osdt", "bornagain_picture", "dyadic"))
splitting, pruning = map(shown_in, ("tsallis", "tsallis_pruning"))


@settings(max_examples=60, deadline=None)
@given(
    n_features=st.integers(1, 3),
    seed=st.integers(0, 2**32 - 1),
    n_samples=st.integers(1, 12),
    penalty=st.sampled_from([Fraction(1, 50), Fraction(1, 16), Fraction(1, 8), Fraction(1, 3)]),
    policy=st.sampled_from(["curiosity", "bound"]),
)
def test_branch_and_bound_finds_the_optimum(osdt, n_features, seed, n_samples, penalty, policy):
    """A bound that drops the optimal tree, or a child that is not made."""
    random = np.random.default_rng(seed)
    X, y = random.integers(0, 2, (n_samples, n_features)), random.integers(0, 2, n_samples)
    optimum = OptimalSparseTreeClassifier(float(penalty)).fit(X, y)
    objective, leaves, _ = osdt.branch_and_bound(X.tolist(), y.tolist(), penalty, policy)
    assert float(objective) == pytest.approx(optimum.objective_)
    assert sum(samples.bit_count() for _, samples in leaves) == n_samples


@settings(max_examples=60, deadline=None)
@given(shape=st.lists(st.integers(1, 4), min_size=1, max_size=3), seed=st.integers(0, 2**32 - 1))
def test_recursions_find_the_least_depth_and_leaves(bornagain, shape, seed):
    """A region that is taken for pure, a threshold that the binary search skips, a wrong memory."""
    grid = np.random.default_rng(seed).integers(0, 2, shape)
    votes, regions = {cell: int(k) for cell, k in np.ndenumerate(grid)}, Regions(grid)
    depth = regions.depth(*regions.whole)
    assert bornagain.smallest(votes)[0] == depth == bornagain.least_depth(votes)[0]
    assert bornagain.smallest(votes, "splits")[0] == regions.leaves(*regions.whole) - 1


@settings(max_examples=60, deadline=None)
@given(k=st.sampled_from([(1,), (3,), (1, 1), (2, 1), (1, 1, 1)]), seed=st.integers(0, 2**32 - 1))
def test_dyadic_recursions_find_all_solutions(dyadic, k, seed):
    """An interval by the wrong bit, a hull without one of its corners, a tie that keeps the smaller tree."""
    random = np.random.default_rng(seed)
    points = [tuple(int(random.integers(2**splits)) for splits in k) for _ in range(random.integers(1, 8))]
    labels = random.integers(0, 2, len(points)).tolist()
    losses = [(label, 1 - label) for label in labels]
    expected = solution_sequence(all_values(points, losses, k))
    hull = dyadic.all_solutions(points, labels, k)
    assert hull == [(leaves, errors) for errors, leaves in expected]
    for penalty in (Fraction(1, 3), 1, Fraction(3, 2)):
        (errors, leaves), n_kept = dyadic.best_tree(points, labels, k, penalty)
        first_error, first_leaves, n_kept_first = procedure_1(points, losses, k, penalty, prune=True)
        assert errors + penalty * leaves == first_error + penalty * first_leaves
        assert (leaves, n_kept) == (
            max(m for m, e in hull if e + penalty * m == errors + penalty * leaves),
            n_kept_first,
        )
    assert searched(dyadic, points, labels, k, *expected[-1]) == expected


def searched(dyadic, points, labels, k, fewest_errors, most_leaves):
    """What the adaptive search of the chapter finds: list of (errors, leaves)."""

    def solve(penalty):
        return dyadic.best_tree(points, labels, k, penalty)[0]

    return dyadic.adaptive_search(solve, fewest_errors, most_leaves)[0]


@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(st.tuples(st.integers(0, 6), st.integers(0, 3), st.integers(0, 1)), min_size=1, max_size=12)
)
@example(rows=[(0, 0, 0), (1, 0, 1)])  # one ratio, where two trees tie
def test_adaptive_search_finds_the_path(dyadic, rows):
    """A solution that appears at the last ratio of the list, and is lost where ties keep the smaller tree."""
    X, y = np.array([row[:2] for row in rows], dtype=float), np.array([row[2] for row in rows])
    path = solution_path(X, y, closed="left")
    points, k = path.grid.codes(X).tolist(), path.grid.n_splits.tolist()
    expected = [(round(one.error * len(y)), one.n_leaves) for one in path]
    assert searched(dyadic, points, y.tolist(), k, *expected[-1]) == expected


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n_splits=st.integers(1, 4),
    criterion=st.sampled_from([(2.0, 1), (1.0, 1), (0.5, 2), (2.45, 2)]),
)
def test_top_down_growth_lowers_the_impurity_as_much(splitting, seed, n_splits, criterion):
    """A split of the wrong leaf, an impurity that is not weighted, a threshold on the wrong side."""
    random = np.random.default_rng(seed)
    X, y = random.integers(0, 5, (12, 2)).astype(float), random.integers(0, 3, 12)
    alpha, beta = criterion
    steps = splitting.grow(X.tolist(), y.tolist(), n_splits, alpha, beta)
    model = TopDownTreeClassifier("tsallis", alpha=alpha, beta=beta, max_leaf_nodes=n_splits + 1)
    tree = model.fit(X, y).tree_
    assert len(steps) == tree.n_leaves - 1
    ours = sum(
        splitting.decrease(y, rows, left, right, alpha, beta)
        for *_, best, choices in steps
        for _, rows, _, _, left, right in [choices[best]]
    )
    leaves = [np.flatnonzero(tree.apply(X) == leaf) for leaf in np.unique(tree.apply(X))]
    after = sum(len(rows) * splitting.tsallis(y[rows].tolist(), alpha, beta) for rows in leaves)
    assert ours == pytest.approx(12 * splitting.tsallis(y.tolist(), alpha, beta) - after)


@pytest.mark.parametrize("seed", [0, 3, 5])
def test_pieces_are_those_of_the_exact_loss(splitting, seed):
    """A breakpoint that is stepped over, or a tree of the piece before."""
    X, y = load_iris(return_X_y=True)
    rows = np.random.default_rng(seed).permutation(150)[:40]
    found = splitting.pieces(X[rows].tolist(), y[rows].tolist(), 3, 0.2, 3.05, beta=1)
    exact = exact_loss([Instance(X[rows], y[rows], X, y)], "alpha", (0.2, 3.05), beta=1, max_splits=3)
    shown = [alpha for alpha, _ in found]
    for breakpoint in exact.loss.breakpoints[:-1]:
        assert min(abs(alpha - breakpoint) for alpha in shown) < 1e-4


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_weakest_links_are_those_of_the_path(pruning, seed):
    """A split that is collapsed too late, or with a leaf too many."""
    random = np.random.default_rng(seed)
    X, y = random.integers(0, 6, (16, 2)).astype(float), random.integers(0, 2, 16)
    tree = TopDownTreeClassifier("gini").fit(X, y).tree_

    def nested(node=0):
        errors = int(tree.value[node].sum() - tree.value[node].max())
        left, right = tree.children_left[node], tree.children_right[node]
        return (errors,) if left < 0 else (errors, nested(left), nested(right))

    path = cost_complexity_path(tree)
    found = [(penalty / 16, leaves) for penalty, _, leaves in pruning.cost_complexity(nested())]
    assert found == list(zip(path.breakpoints, path.n_leaves, strict=True))
