"""The compiled pass over 32 lanes against its twin, lane by lane."""

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treelib.sparse.continuous.lanes import LANES, _scan_python, lane_type, scan_feature


@numba.njit
def scan(codes, start, count, mask, weight, classes, state, counts, running):
    scan_feature(codes, start, count, mask, weight, classes, state, counts, running)


def arrays(rng, n, n_classes, kind, most):
    """Arguments of a pass over n rows in a block that begins three numbers into the pool."""
    weight = rng.integers(1, most + 1, n).astype(kind)
    classes = rng.integers(0, n_classes, n).astype(np.int32)
    if n_classes == 2:
        weight = np.where(classes == 1, weight, -weight).astype(kind)
    is_first = rng.random(n) < 0.6
    is_first[0] = True
    codes = np.concatenate([[-1, -1, -1], 4 * rng.permutation(n) + 2 * (n % 2) + is_first]).astype(np.int32)
    counts = np.zeros(0, kind) if n_classes == 2 else np.zeros((2 * n_classes, LANES), kind)
    mask = rng.integers(0, 2**32, n, dtype=np.uint32)
    return codes, 3, n, mask, weight, classes, counts, np.zeros((2 * n + 2, LANES), kind)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([1, 2, 31, 32, 33, 64, 65]),
    st.sampled_from([2, 3, 6]),
    st.sampled_from([np.int16, np.int32, np.int64]),
    st.integers(0, 2**20),
)
def test_every_lane_is_that_of_the_twin(n, n_classes, kind, seed):
    """A lane that reads its neighbour's side, a cut between equal values, a state lost between features."""
    rng = np.random.default_rng(seed)
    states = np.zeros((2, 5, LANES), kind)
    codes, start, count, mask, weight, classes, counts, running = arrays(rng, n, n_classes, kind, 5)
    for _ in range(2):
        for state, function in zip(states, (scan, _scan_python), strict=True):
            function(codes, start, count, mask, weight, classes, state, counts, running)
        codes[3:] = codes[3:][rng.permutation(n)]
        codes[3] |= 1
    assert (states[0] == states[1]).all()


@pytest.mark.parametrize("total, kind", [(32767, np.int16), (32768, np.int32), (2**31, np.int64)])
def test_lanes_widen_where_sums_need_it(total, kind):
    """Sums that overflow in narrow lanes: rows of class 1 first, so that a sum reaches the whole weight."""
    assert lane_type(total) is kind
    n = 7
    weight = np.full(n, total // n)
    weight[0] += total - weight.sum()
    codes = (4 * np.arange(n) + 1).astype(np.int32)
    state, mask = np.zeros((5, LANES), kind), np.full(n, 2**32 - 1, np.uint32)
    none = np.zeros(0, kind), np.zeros((0, LANES), kind)
    scan(codes, 0, n, mask, weight.astype(kind), np.ones(n, np.int32), state, *none)
    assert (state[0] == total).all() and (state[4] == total).all()
