"""Rows of numbers for the page, as `treelib.sparse.continuous.sorting` has them, and trees labelled by them.

Rows are merged and weighed, and trees counted and labelled, by the package's functions, some of their
expressions in other words (`treelib.wasm.language`). Written again is the sorting of columns: numpy sorts
many at a time, along an axis, and a list takes up the numbers of those that vary. numba has neither, and
the functions that would say both in other words are more lines than the loop here. In which order equal
values stand moves no answer. Rows weigh 1 here, so all sums are whole numbers.
"""

import numpy as np
from numba.extending import overload

from treelib.sparse.continuous import number_tree, sorting
from treelib.sparse.continuous.arrays import FIRST, ROW_SHIFT
from treelib.sparse.continuous.number_tree import NumberTree
from treelib.sparse.continuous.prepare import Data
from treelib.sparse.continuous.sorting import Sorted
from treelib.table.packed import group_rows, slots_for
from treelib.wasm.language.same_source import compiled, same, same_class, structure
from treelib.wasm.language.words import said, said_class

# a `Sorted`, a `Data` without weights, and a `NumberTree`; their fields stand by names of their own, since a
# bare call would count as a change of these classes (`treelib.ledger.reach`)
ROW_FIELDS, TREE_FIELDS = list(Sorted._fields), list(NumberTree._fields)
RowsType, Rows = structure("Rows", ROW_FIELDS)
DataType, Table = structure("Table", ["X", "y", "n_classes", "regularization"])
TreeType, Tree = structure("Tree", TREE_FIELDS)
ROWS = same_class(RowsType, Sorted, properties=["n_classes"])
TREE = same_class(TreeType, NumberTree, properties=["n_leaves"])


@compiled
def codes_of(X, classes):
    """Rows and their classes as whole numbers; those of one NaN wherever a value is missing."""
    n, p = X.shape
    codes = np.empty((n, p + 1), np.uint64)
    codes[:, :p] = (X + 0.0).view(np.uint64)
    codes[:, p] = 0  # of two classes the same rows are merged
    if classes.max() > 1:
        codes[:, p] = classes
    for i in range(n):
        for j in range(p):
            if np.isnan(X[i, j]):
                codes[i, j] = np.uint64(0x7FF8000000000000)
    return codes


@compiled
def greatest_divisor(weight):
    """Greatest common divisor of whole numbers, 0 of none."""
    divisor = np.int64(0)
    for one in weight:
        a, b = divisor, one
        while b:
            a, b = b, a % b
        divisor = a
    return divisor


@compiled
def largest_places(table):
    """``table.argmax(axis=1)``."""
    places = np.empty(len(table), np.int64)
    for i in range(len(table)):
        places[i] = table[i].argmax()
    return places


@compiled
def sum_of_largest(table):
    """``table.max(axis=1).sum()``."""
    total = 0.0
    for i in range(len(table)):
        total += table[i].max()
    return total


AS_THEY_STAND = group_rows, slots_for, number_tree._share
for function in AS_THEY_STAND:
    same(function)
EQUAL = said(
    sorting._equal_rows,
    {
        "check()": "",
        # which columns are read first moves no answer
        "sorted({*(few for few in FIRST_COLUMNS if few < X.shape[1]), X.shape[1]})": "(X.shape[1],)",
        "group_rows(_codes(X[:, :n_columns], classes))": "group_rows(codes_of(X[:, :n_columns], classes))",
    },
    codes_of=codes_of,
    group_rows=group_rows,
)
MERGED = said(
    sorting._merge,
    {
        "None if n_classes == 2 else classes": "classes",
        "np.bincount(group, weights, n_groups)": "np.bincount(group, np.ones(len(X)), n_groups)",
    },
)
WHOLE = said(
    sorting._whole_weights,
    {
        "int(np.gcd.reduce(whole))": "greatest_divisor(whole)",
        # of no rows at all
        "2.0 ** min(np.floor(np.log2(MAX_TOTAL) - np.log2(total)), 1000.0) if total > 0 else 1.0": "1.0",
    },
    greatest_divisor=greatest_divisor,
)


@overload(number_tree.counted)
def counted(tree, X, y, weights, n_classes):
    """As there, row by row: numba has no lists of arrays some of which are missing."""

    def count(tree, X, y, weights, n_classes):
        n_nodes = len(tree.feature)
        value, n_rows = np.zeros((n_nodes, n_classes)), np.zeros(n_nodes, np.int64)
        for i in range(len(X)):
            node = 0
            while node >= 0:
                value[node, y[i]] += 1.0
                n_rows[node] += 1
                feature = tree.feature[node]
                is_left = feature >= 0 and X[i, feature] <= tree.threshold[node]
                node = tree.left[node] if is_left else tree.right[node]
        return value, n_rows

    return count


LABELLED = said(
    number_tree.labelled,
    # of whole numbers both errors are the same
    {"return found._replace(error=_share(found.predict(X) != y, weights))": "return found"},
)
NAMED = said(
    number_tree.named,
    {
        "(ends.sum(axis=1) - ends.max(axis=1)).sum()": "ends.sum() - sum_of_largest(ends)",
        "tree._replace(label=value.argmax(axis=1), error=float(wrong / ends.sum()))": (
            "Tree(tree.feature, tree.threshold, tree.left, tree.right, largest_places(value), "
            "wrong / ends.sum())"
        ),
    },
    Tree=Tree,
    largest_places=largest_places,
    sum_of_largest=sum_of_largest,
)


@compiled
def sort_rows(X, y, n_classes, kind):
    """`Rows` of a table.

    X : float64 (n, p), NaN where missing. y : int64 (n,), every class of 0 .. n_classes - 1.
    kind : numpy type of the weights, which holds n
    """
    rows, classes, weights, base = sorting._merge(X, y, None, n_classes, None)
    weight, scale = sorting._whole_weights(weights)
    m, signed = len(weight), weight.astype(kind)
    for i in range(m):
        if n_classes == 2 and classes[i] == 0:
            signed[i] = -signed[i]
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
        rows, features[:p].copy(), order[:p].copy(), classes.astype(np.int32), signed,
        np.arange(n_classes), np.float64(base), scale, np.int64(weight.sum()),
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
        "labelled": {"self.weights": "None"},
        "total": {"len(self.y) if self.weights is None else self.weights.sum()": "len(self.y)"},
    },
)
