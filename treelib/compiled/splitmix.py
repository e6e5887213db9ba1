"""The pseudo-random numbers of the kernels: splitmix64 (Steele, Lea and Flood 2014), whose state is one word.

Each tree, chain or search has a word of its own, so threads and the order of the work change nothing.
"""

import numpy as np

from treelib.compiled.jit import kernel

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)


@kernel(allocates=False, inner=True)
def next_random(state):
    """Next uint64; `state` uint64 (1,) moves on."""
    state[0] += _STEP
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * _FIRST
    z = (z ^ (z >> np.uint64(27))) * _SECOND
    return z ^ (z >> np.uint64(31))
