"""The algorithms that the chapters show in plain Python find what the package finds."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.twins.bornagain.regions import Regions
from treelib import OptimalSparseTreeClassifier

pytest.importorskip("jupytext", reason="the chapters are read by jupytext, of the extra 'book'")


def shown_in(chapter):
    """A fixture: the algorithms of a chapter."""

    def load():
        from tests.twins.chapters import algorithms

        return algorithms(chapter)

    return pytest.fixture(scope="module")(load)


osdt, bornagain = shown_in("osdt"), shown_in("bornagain_picture")


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
