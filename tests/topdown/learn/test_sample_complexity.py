"""Sample complexity: printed formulas, a guarantee that holds in simulation, dimensions by brute force."""

from itertools import chain, combinations
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treelib.topdown.learn.sample_complexity import (
    dimension_of_pieces,
    dimension_of_union,
    failure_probability,
    guaranteed_excess,
    ln_pieces,
    printed_dimension_of_union,
    sufficient_size,
)

ALL = {"t": 5, "n_functions": 100, "n_classes": 3, "n_betas": 4, "n": 200, "n_trees": 10}


def test_formulas_are_those_printed():
    """A factor that moved: each bound of the paper written down once more."""
    assert ln_pieces("alpha, beta", **ALL) == pytest.approx(log(4 * 100**10 * 5**10 * 7**15))
    assert ln_pieces("joint", **ALL) == pytest.approx(log(4 * 100**10 * 5**11 * 7**15))
    assert ln_pieces("gamma", **ALL) == pytest.approx(log(100**10 * 5**10))
    assert ln_pieces("power", **ALL) == pytest.approx(log(100**10 * 5**10 * 200**5))
    assert ln_pieces("complexity", t=5) == log(5)


def test_missing_numbers_are_asked_for():
    """A formula that silently takes a default for what it needs."""
    with pytest.raises(ValueError, match="needs n_functions"):
        ln_pieces("gamma", t=4)
    with pytest.raises(ValueError, match="parameter='depth' must be one of 'alpha, beta'"):
        ln_pieces("depth", t=4)
    with pytest.raises(ValueError, match="delta"):
        sufficient_size(5.0, 0.1, 0)


@given(st.floats(0, 400), st.floats(0.02, 0.9), st.floats(0.001, 0.5), st.integers(1, 3))
def test_size_and_excess_are_inverse(ln_behaviours, epsilon, delta, n_parameters):
    """A size that does not guarantee what it was asked for, or is larger than needed."""
    size = sufficient_size(ln_behaviours, epsilon, delta, n_parameters=n_parameters)
    assert guaranteed_excess(size, ln_behaviours, delta, n_parameters=n_parameters) <= epsilon * (1 + 1e-9)
    assert failure_probability(size, ln_behaviours, epsilon, n_parameters=n_parameters) <= delta
    assert failure_probability(size - 1, ln_behaviours, epsilon, n_parameters=n_parameters) > delta


def test_guarantee_holds_in_simulation():
    """A guarantee that is violated more often than it may be, on step losses with noise."""
    rng = np.random.default_rng(0)
    n_pieces, n_repeats, n_instances = 8, 200, 3000
    excess = guaranteed_excess(n_instances, log(n_pieces), 0.1)
    assert excess < 1
    truth = rng.uniform(0.3, 0.7, n_pieces)
    worse = 0
    for _ in range(n_repeats):
        means = rng.binomial(n_instances, truth) / n_instances
        worse += truth[means.argmin()] - truth.min() > excess
    assert worse <= 0.1 * n_repeats


def shattered(sets, points):
    return len({frozenset(one & points) for one in sets}) == 2 ** len(points)


@pytest.mark.parametrize("d", [1, 2, 3])
def test_two_classes_attain_the_bound_of_their_union(d):
    """The counterexample to the constant of Theorem 8.1, by listing all sets."""
    points = frozenset(range(2 * d + 1))
    subsets = [
        frozenset(one) for one in chain.from_iterable(combinations(points, k) for k in range(2 * d + 2))
    ]
    small, large = ([s for s in subsets if len(s) <= d], [s for s in subsets if len(s) > d])
    for sets in (small, large):
        dimension = max(len(p) for p in subsets if shattered(sets, p))
        assert dimension == d
    assert shattered(small + large, points)
    assert dimension_of_union(2, d) == 2 * d + 1 > printed_dimension_of_union(2, d)


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 10**6), st.integers(2, 4))
def test_step_losses_shatter_no_more_than_the_bound(seed, n_pieces):
    """A bound on the pseudo-dimension of piecewise-constant losses that is too small."""
    rng = np.random.default_rng(seed)
    m = dimension_of_pieces(n_pieces) + 1
    cuts = np.sort(rng.random((m, n_pieces - 1)), axis=1)
    signs = rng.integers(0, 2, (m, n_pieces))
    x = np.append((cuts.ravel()[:, None] + [-1e-9, 1e-9]).ravel(), 0.5)
    patterns = {tuple(signs[i, np.searchsorted(cuts[i], value)] for i in range(m)) for value in x}
    assert len(patterns) < 2**m
