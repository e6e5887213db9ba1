"""Crossing the border between 0/1 columns and thresholds."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treelib.sparse.column_tree import ColumnTree, from_nested, from_tree, rows_of_nodes, to_tree
from treelib.table.binarize import Binarizer
from treelib.tree.stored import Tree


def random_nested(rng, n_columns, depth):
    """Nested tree with random columns and labels."""
    label = int(rng.integers(3))
    if depth == 0 or rng.random() < 0.2:
        return label
    halves = (random_nested(rng, n_columns, depth - 1) for _ in range(2))
    return (int(rng.integers(n_columns)), label, *halves)


def label_naively(nested, row):
    while isinstance(nested, tuple):
        nested = nested[3] if row[nested[0]] else nested[2]
    return nested


def problem(rng, n=40):
    X = rng.integers(0, 4, size=(n, 3)).astype(float)
    X[rng.random(X.shape) < 0.1] = np.nan
    binarizer = Binarizer()
    return X, binarizer, binarizer.fit_transform(X)


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_tree_of_thresholds_is_the_same_function(seed):
    """A swapped side or a wrong threshold would predict other labels than the search counted."""
    rng = np.random.default_rng(seed)
    X, binarizer, columns = problem(rng)
    nested = random_nested(rng, binarizer.n_columns_, 3)
    y, weights = rng.integers(0, 3, len(X)), rng.random(len(X))
    tree = to_tree(from_nested(nested), binarizer, columns, y, weights, 3, keep_labels=True)
    assert tree.predict(X).tolist() == [label_naively(nested, row) for row in columns]
    counted = tree.recount(X, y, weights)
    np.testing.assert_allclose(tree.value, counted.value, rtol=1e-12, atol=1e-12)
    assert tree.n_node_samples.tolist() == counted.n_node_samples.tolist()


def test_labels_default_to_the_heaviest_class():
    """predict and predict_proba would disagree if a tie were broken otherwise than by the first maximum."""
    binarizer = Binarizer()
    columns = binarizer.fit_transform(np.array([[0.0], [0.0], [1.0]]))
    tree = to_tree(from_nested((0, 1, 1, 0)), binarizer, columns, np.array([0, 1, 1]), None, 2)
    assert tree.label.tolist() == [1, 0, 1]


def test_rows_of_nodes_are_those_that_pass_the_tests():
    """Rows on the wrong side would spoil every count."""
    columns = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=np.uint8)
    rows = rows_of_nodes(from_nested((0, 0, (1, 0, 0, 1), 1)), columns)
    assert [list(part) for part in rows] == [[0, 1, 2, 3], [0, 1], [0], [1], [2, 3]]


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_objective_is_cost_of_labels_and_leaves(seed):
    """The engine judges trees by this number; a miscounted leaf or row would falsify every objective."""
    rng = np.random.default_rng(seed)
    columns, costs = rng.integers(0, 2, (9, 4)), rng.integers(0, 5, (9, 3)).astype(float)
    nested = random_nested(rng, 4, 3)
    tree = from_nested(nested)
    paid = sum(costs[i, label_naively(nested, row)] for i, row in enumerate(columns))
    n_leaves = len(re.findall(r"\d", re.sub(r"\(\d, \d", "", str(nested))))
    assert tree.objective(columns, costs, 0.25) == pytest.approx(paid / 9 + 0.25 * n_leaves)
    assert tree.objective(columns, costs, 0.25, total=5) == pytest.approx(paid / 5 + 0.25 * n_leaves)


def test_single_leaf():
    """The smallest tree must be a whole tree."""
    tree = ColumnTree.leaf(2)
    assert (tree.n_nodes, tree.n_leaves, tree.label.tolist(), tree.column.tolist()) == (1, 1, [2], [-1])


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_round_trip_keeps_the_partition(seed):
    """A warm start from an own tree must come back as good as it was."""
    rng = np.random.default_rng(seed)
    X, binarizer, columns = problem(rng)
    y = rng.integers(0, 3, len(X))
    costs = (np.arange(3) != y[:, None]).astype(float)
    tree = to_tree(from_nested(random_nested(rng, binarizer.n_columns_, 3)), binarizer, columns, y, None, 3)
    back = from_tree(tree, binarizer, columns, costs)
    again = to_tree(back, binarizer, columns, y, None, 3, keep_labels=True)
    assert again.predict(X).tolist() == tree.predict(X).tolist()
    assert all(len(rows) for rows in rows_of_nodes(back, columns))
    assert back.n_leaves <= tree.n_leaves


def test_foreign_thresholds_move_to_the_nearest_candidate():
    """A tree grown on other data must still be usable: nearest split, best labels, no empty leaf."""
    X = np.array([[1.0, 5.0], [2.0, 5.0], [4.0, 5.0]])
    binarizer = Binarizer()
    columns = binarizer.fit_transform(X)
    costs = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 0.0]])
    foreign = Tree.from_nested((1, 7.0, (0, 1.7, (0, 1.6, 0, 1), (0, 2.9, 0, 1)), 0), 2)
    tree = from_tree(foreign, binarizer, columns, costs)
    expected = from_nested((0, 1, 0, (1, 1, 1, 1)))
    for part, wanted in zip(tree, expected, strict=True):
        np.testing.assert_array_equal(part, wanted)
    assert from_tree(foreign, binarizer, columns, costs, max_depth=1).n_leaves == 2


def test_initial_tree_of_another_table():
    """A tree over another number of features must be refused in words."""
    binarizer = Binarizer()
    columns = binarizer.fit_transform(np.array([[0.0], [1.0]]))
    with pytest.raises(ValueError, match="reads 2 features"):
        from_tree(Tree.from_nested((1, 0.5, 0, 1), 2), binarizer, columns, np.eye(2))
