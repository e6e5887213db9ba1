"""Trees with a single leaf on one side of the root: which cuts of a feature can be theirs.

Where the leaf penalty leaves room for few of them, a tree too deep for what has been searched already is
such a chain. Few cuts have an almost pure side, and of those fewer still have to be tried.
"""

import numpy as np

from treelib.compiled.jit import kernel
from treelib.sparse.continuous.arrays import FIRST, ROW_SHIFT


@kernel(inner=True)
def mark_chains(numbers, shallow, deep, level, g):
    """Mark in ``deep.new_row[j]`` the cuts before place j of feature g that leave a single leaf on one side.

    Of neighbouring cuts whose leaf has as many errors the one with most rows in the leaf suffices: what the
    other side loses costs it nothing.
    """
    frame, pool, marked = deep.frames[level], deep.pool, deep.new_row
    p, m, base = numbers.n_features, np.int64(frame["n_rows"]), np.int64(frame["base"])
    # most errors of the leaf, with the leaves that the other side has at least
    most = frame["best"] - numbers.tolerance - (frame["ruled"] + 2) * numbers.price
    left, right = shallow.tally[2], shallow.tally[3]
    left[:] = 0.0
    right[:] = 0.0
    for i in range(m):
        row = pool[base + p * m + i]
        right[numbers.classes[row]] += abs(np.float64(numbers.weight[row]))
    last, wrong_left, wrong_right = np.int64(0), np.inf, np.inf
    for j in range(m):
        code = pool[base + g * m + j]
        marked[j] = 0
        if code & FIRST and j > 0:
            above, below, top, top_left = 0.0, 0.0, 0.0, 0.0
            for k in range(numbers.n_classes):
                above, top = above + right[k], max(top, right[k])
                below, top_left = below + left[k], max(top_left, left[k])
            if below - top_left <= wrong_left and last > 0 and marked[last] < 2:
                marked[last] = 0
            wrong_left = below - top_left
            if wrong_left < most:
                marked[j] = 1
            if above - top < most and above - top < wrong_right:
                marked[j] = 2
            wrong_right = above - top
            last = j
        row = pool[base + p * m + (code >> ROW_SHIFT)]
        weight = abs(np.float64(numbers.weight[row]))
        left[numbers.classes[row]] += weight
        right[numbers.classes[row]] -= weight
