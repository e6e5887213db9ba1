"""The leaf cache: every set of literals is counted once, whatever the order of its splits."""

import math

import numpy as np

from treelib.compiled.bits import ONE, lowest_bit
from treelib.compiled.jit import kernel
from treelib.sparse.paper.search_state import DEAD, EMPTY, OPEN


@kernel(allocates=False)
def find_child(s, leaf, column, value):
    """Leaf of `leaf` with the literal (column, value) added, unknown to `leaf_child` so far; built if new.

    s : Search with room for one more leaf. Returns the id of the leaf, which `leaf_child` holds from now on.
    """
    h = s.leaf[leaf]["hash"] ^ s.literal_key[column, value]
    mask = np.uint64(len(s.leaf_slot) - 1)
    at = h & mask
    while s.leaf_slot[at] != EMPTY:
        known = np.int64(s.leaf_slot[at])
        if s.leaf[known]["hash"] == h and _is_extension(s.leaf_column, known, leaf, column, value):
            s.leaf_child[leaf, column, value] = known
            return known
        at = (at + ONE) & mask
    new = s.now[0]["n_leaves"]
    s.now[0]["n_leaves"] = new + 1
    s.leaf_slot[at] = new
    s.leaf[new]["hash"] = h
    s.leaf_child[leaf, column, value] = new
    # what is useless above stays useless below; what the parent learns later is not passed on
    for j in range(s.columns.shape[0]):
        s.leaf_column[new, j] = s.leaf_column[leaf, j]
    s.leaf_column[new, column] = value
    for w in range(s.columns.shape[1]):
        part = s.columns[column, w] if value == 1 else ~s.columns[column, w]
        s.leaf_rows[new, w] = s.leaf_rows[leaf, w] & part
    complete_leaf(s, new)
    return new


@kernel(allocates=False)
def complete_leaf(s, leaf):
    """Count the rows of a leaf whose rows and columns are set, and what follows from them."""
    zeros = ones = minority = 0
    for w in range(s.leaf_rows.shape[1]):
        word = s.leaf_rows[leaf, w]
        while word != np.uint64(0):
            row = 64 * w + lowest_bit(word)
            word &= word - ONE
            zeros += s.class_counts[row, 0]
            ones += s.class_counts[row, 1]
            minority += min(s.class_counts[row, 0], s.class_counts[row, 1])
    n, wrong = zeros + ones, min(zeros, ones)
    this = s.leaf[leaf]
    this["n_rows"] = n
    this["n_wrong"] = wrong
    s.leaf_loss[leaf]["loss"] = wrong / s.n_rows
    s.leaf_loss[leaf]["equivalent"] = minority / s.n_rows
    this["entropy"] = 0.0
    if wrong > 0:
        share = wrong / n
        this["entropy"] = (-share * math.log2(share) - (1 - share) * math.log2(1 - share)) * n
    this["stamp"] = -1
    n_open = 0
    for j in range(s.columns.shape[0]):
        s.leaf_child[leaf, j, 0] = EMPTY
        s.leaf_child[leaf, j, 1] = EMPTY
        n_open += s.leaf_column[leaf, j] == OPEN
    this["n_open"] = n_open


@kernel(allocates=False)
def bury_column(s, leaf, column):
    """Never again split `leaf`, or a leaf built from it from now on, on `column`."""
    if s.leaf_column[leaf, column] == OPEN:
        s.leaf_column[leaf, column] = DEAD
        s.leaf[leaf]["n_open"] -= 1


@kernel(allocates=False)
def count_apart(s, leaf, column, other):
    """Rows of `leaf` on which two columns differ, int64."""
    n = 0
    for w in range(s.columns.shape[1]):
        word = s.leaf_rows[leaf, w] & (s.columns[column, w] ^ s.columns[other, w])
        while word != np.uint64(0):
            row = 64 * w + lowest_bit(word)
            word &= word - ONE
            n += s.class_counts[row, 0] + s.class_counts[row, 1]
    return n


@kernel(allocates=False)
def _is_extension(leaf_column, known, leaf, column, value):
    """Whether the literals of `known` are those of `leaf` and (column, value)."""
    if leaf_column[known, column] != value:
        return False
    for j in range(leaf_column.shape[1]):
        a, b = leaf_column[known, j], leaf_column[leaf, j]
        # dead columns of the two may differ
        if j != column and a != b and (a in (0, 1) or b in (0, 1)):
            return False
    return True
