"""Prediction intervals of extremes and means, against draws of known distributions."""

import numpy as np
import pytest

from treelib.ledger.sampling import MOST, part_of, prediction, widened

DRAWS = {
    "exponential": lambda random, n: random.exponential(size=n) + 5,
    "normal": lambda random, n: random.normal(20, 1, n),
    "lognormal": lambda random, n: random.lognormal(size=n),
}


@pytest.mark.parametrize("part", ["min", "mean", "max"])
@pytest.mark.parametrize("sizes", [(100, 100), (10, 10), (10, 100)])
@pytest.mark.parametrize("name", sorted(DRAWS))
def test_intervals_hold_new_draws(name, sizes, part):
    """An interval that misses new extremes much more often than it says, or never."""
    random, (n, n_new) = np.random.default_rng(1), sizes
    inside = []
    for _ in range(400):
        low, high = prediction(DRAWS[name](random, n), part, n_new)
        inside.append(low <= part_of(DRAWS[name](random, n_new), part) <= high)
    assert 0.8 <= np.mean(inside) <= 1, np.mean(inside)


def test_draws_that_do_not_vary():
    """Room for chance where there is none."""
    for part in ("min", "mean", "max"):
        assert prediction([3.0] * 10, part, 100) == pytest.approx((3, 3))
        assert widened([3.0] * 10, part, 100, (0.8, 1.25)) == pytest.approx((0.8, 1.25))


def test_chance_excuses_no_more_than_a_factor_of_two():
    """Draws so wild that every printed value would pass."""
    low, high = widened([1.0, 10.0, 1e3, 1e6], "max", 4)
    assert (low, high) == (1 / MOST, MOST)
    low, high = widened([0.0, 0.0, 5.0], "min", 3)
    assert low > 0
    assert high == MOST
