"""Random problems of every method: the kernels of the pages under wasmtime against Python, bit for bit."""

from importlib import import_module

import numpy as np
import pytest

# module with `random_problem` and `differences`, how many problems, and their seed
SOME = [
    ("sparse", 300, 24),
    ("dyadic", 150, 10),
    ("bornagain", 150, 12),
    ("topdown", 300, 7),
    ("branching", 200, 26),
]
MANY = [pytest.param(name, 1000, seed + 1, marks=pytest.mark.long) for name, _, seed in SOME]


@pytest.mark.parametrize(("name", "n_problems", "seed"), [*SOME, *MANY])
def test_random_problems_are_equal_bitwise(name, n_problems, seed):
    """A driver that orders, limits, steps or reads otherwise than Python's; a miscompiled kernel."""
    suite, bad = import_module(f"tests.wasm.kernels.test_{name}"), {}
    for case in range(n_problems):
        found = suite.differences(*suite.random_problem(np.random.default_rng([seed, case])))
        if found:
            bad[case] = found
    assert not bad
