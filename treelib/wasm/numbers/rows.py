"""Rows of numbers for the page: sorted as by `treelib.sparse.continuous.sorting`, trees labelled by them.

The package's own sorting merges rows by numpy's functions that numba does not know, and lets a limit end it.
Rows weigh 1 here, so all sums are whole numbers. In which order equal values stand moves no answer.
"""

import numpy as np
from numba import types
from numba.experimental import structref

from treelib.sparse.continuous.arrays import FIRST, ROW_SHIFT
from treelib.sparse.continuous.number_tree import NumberTree
from treelib.sparse.continuous.prepare import Data
from treelib.sparse.continuous.sorting import Sorted
from treelib.sparse.exact.reduction import _group_rows
from treelib.wasm.numbers.words import said_class
from treelib.wasm.same_source import compiled, same_class


@structref.register
class RowsType(types.StructRef):
    """Type of `Rows`."""


class Rows(structref.StructRefProxy):
    """A `treelib.sparse.continuous.sorting.Sorted`."""


@structref.register
class DataType(types.StructRef):
    """Type of `Table`."""


class Table(structref.StructRefProxy):
    """A `treelib.sparse.continuous.prepare.Data` without weights."""


@structref.register
class TreeType(types.StructRef):
    """Type of `Tree`."""


class Tree(structref.StructRefProxy):
    """A `treelib.sparse.continuous.number_tree.NumberTree`."""


# by names of their own: a bare call would count as a change of the classes (`treelib.ledger.reach`)
ROW_FIELDS, TREE_FIELDS = list(Sorted._fields), list(NumberTree._fields)
structref.define_proxy(Rows, RowsType, ROW_FIELDS)
structref.define_proxy(Table, DataType, ["X", "y", "n_classes", "regularization"])
structref.define_proxy(Tree, TreeType, TREE_FIELDS)
ROWS = same_class(RowsType, Sorted, properties=["n_classes"])
TREE = same_class(TreeType, NumberTree, properties=["n_leaves"])


@compiled
def labelled(tree, X, y, n_classes):
    """As `treelib.sparse.continuous.number_tree.labelled`."""
    count = np.zeros((len(tree.feature), n_classes), np.int64)
    for i in range(len(y)):
        node = 0
        count[node, y[i]] += 1
        while tree.feature[node] >= 0:
            is_left = X[i, tree.feature[node]] <= tree.threshold[node]
            node = tree.left[node] if is_left else tree.right[node]
            count[node, y[i]] += 1
    label, n_wrong = np.zeros(len(count), np.int64), 0
    for node in range(len(count)):
        label[node] = count[node].argmax()
        if tree.feature[node] < 0:
            n_wrong += count[node].sum() - count[node].max()
    return Tree(tree.feature, tree.threshold, tree.left, tree.right, label, n_wrong / len(y))


@compiled
def codes_of(X, y, n_classes):
    """Bits of the values uint64, with a column for the class where there are more than two."""
    n, p = X.shape
    codes = np.empty((n, p + (n_classes != 2)), np.uint64)
    codes[:, :p] = (X + 0.0).view(np.uint64)  # -0.0 becomes 0.0
    for i in range(n):
        for j in range(p):
            if np.isnan(X[i, j]):
                codes[i, j] = np.uint64(0x7FF8000000000000)
        if n_classes != 2:
            codes[i, p] = y[i]
    return codes


@compiled
def merge(X, y, n_classes):
    """Rows that differ: one index of each, class, weight int64, and what every tree misclassifies."""
    codes, n = codes_of(X, y, n_classes), len(y)
    slots = np.full(1 << max(4, (2 * n - 1).bit_length()), -1, np.int64)
    group, first = np.empty(n, np.int64), np.empty(n, np.int64)
    n_groups = _group_rows(codes, slots, first, group)
    by_class = np.zeros((n_groups, n_classes), np.int64)
    for i in range(n):
        by_class[group[i], y[i]] += 1
    rows, classes = np.empty(n_groups, np.int64), np.empty(n_groups, np.int32)
    weight, m, base = np.empty(n_groups, np.int64), 0, 0
    for g in range(n_groups):
        rows[m], classes[m], weight[m] = first[g], by_class[g].argmax(), by_class[g].max()
        if n_classes == 2:
            base += by_class[g].min()
            weight[m] -= by_class[g].min()
        m += weight[m] > 0
    return rows[:m].copy(), classes[:m].copy(), weight[:m].copy(), base


@compiled
def greatest_divisor(weight):
    """Greatest common divisor of whole numbers, 1 of none."""
    divisor = np.int64(0)
    for one in weight:
        a, b = divisor, one
        while b:
            a, b = b, a % b
        divisor = a
    return max(divisor, 1)


@compiled
def sort_rows(X, y, n_classes, kind):
    """`Rows` of a table.

    X : float64 (n, p), NaN where missing. y : int64 (n,), every class of 0 .. n_classes - 1.
    kind : numpy type of the weights, which holds n
    """
    rows, classes, weight, base = merge(X, y, n_classes)
    divisor, m = greatest_divisor(weight), len(weight)
    signed = np.empty(m, kind)
    for i in range(m):
        weight[i] //= divisor
        signed[i] = -weight[i] if n_classes == 2 and classes[i] == 0 else weight[i]
    order, features, p = np.empty((X.shape[1], m), np.int32), np.empty(X.shape[1], np.int64), 0
    values = np.empty(m)
    for j in range(X.shape[1]):
        for i in range(m):
            values[i] = X[rows[i], j]
        by_value, is_varied, last = np.argsort(values), False, 0.0
        for i in range(m):
            value = values[by_value[i]]
            is_first = i == 0 or value > last or (np.isnan(value) and not np.isnan(last))
            is_varied |= is_first and i > 0
            order[p, i] = (by_value[i] << ROW_SHIFT) + (FIRST if is_first else 0)
            last = value
        if is_varied:
            features[p] = j
            p += 1
    return Rows(
        rows, features[:p].copy(), order[:p].copy(), classes, signed, np.arange(n_classes),
        np.float64(base), 1.0 / divisor, np.int64(weight.sum()),
    )  # fmt: skip


@compiled
def table_of(X, y, n_classes, regularization):
    """The `Table` that trees are labelled and scored by."""
    return Table(X, y, n_classes, regularization)


DATA = said_class(
    DataType,
    Data,
    ["labelled", "objective"],
    ["total"],
    {
        "labelled": {
            "labelled(tree, self.X, self.y, self.weights, self.n_classes)": (
                "labelled(tree, self.X, self.y, self.n_classes)"
            )
        },
        "total": {"len(self.y) if self.weights is None else self.weights.sum()": "len(self.y)"},
    },
    labelled=labelled,
)
