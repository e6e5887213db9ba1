"""The leaf cache: every set of literals is counted once, whatever the order of its splits."""

import math

import numpy as np

from treelib.bits import ONE, lowest_bit
from treelib.jit import kernel
from treelib.sparse.bnb_state import EMPTY, N_LEAVES


@kernel
def find_child(s, leaf, column, value):
    """Leaf of `leaf` with the literal (column, value) added, built if it is new.

    s : Search with room for one more leaf. Returns the id of the leaf.
    """
    child = s.leaf_child[leaf, column, value]
    if child != EMPTY:
        return np.int64(child)
    h = s.leaf_hash[leaf] ^ s.literal_key[column, value]
    mask = np.uint64(len(s.leaf_slot) - 1)
    at = h & mask
    while s.leaf_slot[at] != EMPTY:
        known = np.int64(s.leaf_slot[at])
        if s.leaf_hash[known] == h and _is_extension(s.leaf_literal, known, leaf, column, value):
            s.leaf_child[leaf, column, value] = known
            return known
        at = (at + ONE) & mask
    child = s.count[N_LEAVES]
    s.count[N_LEAVES] = child + 1
    s.leaf_slot[at] = child
    s.leaf_hash[child] = h
    s.leaf_child[leaf, column, value] = child
    s.leaf_literal[child] = s.leaf_literal[leaf]
    s.leaf_literal[child, column] = value
    # what is useless above stays useless below; what the parent learns later is not passed on
    s.leaf_dead[child] = s.leaf_dead[leaf]
    for w in range(s.columns.shape[1]):
        part = s.columns[column, w] if value == 1 else ~s.columns[column, w]
        s.leaf_rows[child, w] = s.leaf_rows[leaf, w] & part
    complete_leaf(s, child)
    return child


@kernel
def complete_leaf(s, leaf):
    """Count the rows of a leaf whose rows, literals and dead columns are set, and what follows from them."""
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
    s.leaf_n_rows[leaf] = n
    s.leaf_n_wrong[leaf] = wrong
    s.leaf_loss[leaf] = wrong / s.n_rows
    s.leaf_equivalent[leaf] = minority / s.n_rows
    s.leaf_entropy[leaf] = 0.0
    if wrong > 0:
        share = wrong / n
        s.leaf_entropy[leaf] = (-share * math.log2(share) - (1 - share) * math.log2(1 - share)) * n
    s.leaf_stamp[leaf] = -1
    n_open = 0
    for j in range(s.columns.shape[0]):
        s.leaf_child[leaf, j, 0] = EMPTY
        s.leaf_child[leaf, j, 1] = EMPTY
        n_open += s.leaf_literal[leaf, j] < 0 and s.leaf_dead[leaf, j] == 0
    s.leaf_open[leaf] = n_open


@kernel
def is_too_weak(s, leaf):
    """Theorem 3.5: a leaf that gets at most a fraction lambda of all rows right costs more than it saves."""
    return (s.leaf_n_rows[leaf] - s.leaf_n_wrong[leaf]) / s.n_rows <= s.regularization


@kernel
def bury_column(s, leaf, column):
    """Never again split `leaf`, or a leaf built from it from now on, on `column`."""
    if s.leaf_dead[leaf, column] == 0:
        s.leaf_dead[leaf, column] = 1
        s.leaf_open[leaf] -= 1


@kernel
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


@kernel
def _is_extension(literal, known, leaf, column, value):
    if literal[known, column] != value:
        return False
    for j in range(literal.shape[1]):
        if j != column and literal[known, j] != literal[leaf, j]:
            return False
    return True
