"""Prediction intervals of extremes and means, against draws of known distributions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treelib.ledger import claims
from treelib.ledger.protocol import rulebook
from treelib.ledger.protocol.judging import Draws
from treelib.ledger.sampling import interval, part_of, prediction

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
        low, high = prediction(DRAWS[name](random, n), part, n_new, level=0.95)
        inside.append(low <= part_of(DRAWS[name](random, n_new), part) <= high)
    assert 0.8 <= np.mean(inside) <= 1, np.mean(inside)


def test_draws_that_do_not_vary():
    """Room for chance where there is none."""
    for part in ("min", "mean", "max"):
        assert prediction([3.0] * 10, part, 100) == pytest.approx((3, 3))
        assert interval([3.0] * 10, part, 100) == pytest.approx((3, 3))


WILD = ([1.0, 10.0, 1e3, 1e6], [0.0, 0.0, 5.0], [1.0, 2.0, 4.0, 100.0])


@given(
    st.sampled_from(WILD) | st.lists(st.floats(0, 1e6), min_size=2, max_size=12),
    st.sampled_from(["min", "mean", "max"]),
    st.floats(0.01, 1e7),
)
def test_chance_excuses_no_more_than_a_factor_of_two(values, part, printed):
    """Draws so wild that every printed value would pass."""
    text = f"{printed:.2f}"
    claim = claims.Claim("osdt.x", "Table 1", "", "", text, "1", "statistical", "", f"sampling: {part} of 4")
    outcome, _ = rulebook.decide(claim, Draws(values))
    if outcome.verdict == "close":
        assert float(text) / 2 <= outcome.ours <= 2 * float(text)
