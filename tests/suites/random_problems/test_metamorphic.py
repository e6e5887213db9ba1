"""Relations that hold whatever the right answer is: a problem and its changed copy must agree.

Rows and columns in another order, classes under other names, whole weights instead of repeated rows, one more
copy of a column, units of measurement.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treelib import DyadicTreeClassifier, OptimalSparseTreeClassifier, TopDownTreeClassifier


@st.composite
def tables(draw, most_rows=24, most_columns=3):
    """(X, y): few distinct values, so that rows and columns repeat and splits tie; two or three classes."""
    n, p = draw(st.integers(2, most_rows)), draw(st.integers(1, most_columns))
    cells = draw(st.lists(st.integers(0, 4), min_size=n * p, max_size=n * p))
    y = np.array(draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)))
    return np.array(cells, dtype=float).reshape(n, p), y


def changes(X, y, seed):
    """name -> (X, y, weights) of copies of a problem that have the same optimum."""
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(len(X)), rng.permutation(X.shape[1])
    times = rng.integers(1, 4, len(X))
    swapped = rng.permutation(3)
    scale = 2.0 ** rng.integers(-3, 4)
    return {
        "rows in another order": (X[rows], y[rows], None),
        "columns in another order": (X[:, columns], y, None),
        "classes under other names": (X, swapped[y], None),
        "a column twice": (np.column_stack([X, X[:, -1]]), y, None),
        "another unit": (X * scale, y, None),
        "weights of one": (X, y, np.ones(len(y))),
        "weights of three": (X, y, np.full(len(y), 3.0)),
        "weights for repeated rows": (X, y, times.astype(float)),
        "repeated rows": (np.repeat(X, times, axis=0), np.repeat(y, times), None),
    }


def check(value_of, X, y, seed):
    """`value_of(X, y, weights)` is the same for the problem and all its copies.

    The two copies with repeated rows are compared with each other.
    """
    base = value_of(X, y, None)
    found = {name: value_of(*changed) for name, changed in changes(X, y, seed).items()}
    repeated = found.pop("repeated rows")
    assert found.pop("weights for repeated rows") == pytest.approx(repeated, rel=1e-9, abs=1e-12)
    for name, value in found.items():
        assert value == pytest.approx(base, rel=1e-9, abs=1e-12), name


@settings(max_examples=40)
@given(tables(), st.sampled_from([0.0, 0.01, 0.05, 0.1]), st.integers(0, 2**32 - 1))
def test_optimal_sparse_tree(table, regularization, seed):
    """An optimum that depends on the order or the names of what it is given."""

    def value_of(X, y, weights):
        model = OptimalSparseTreeClassifier(regularization).fit(X, y, sample_weight=weights)
        assert model.is_optimal_
        error = 1 - model.score(X, y, sample_weight=weights)
        assert model.objective_ == pytest.approx(error + regularization * model.get_n_leaves(), abs=1e-9)
        return model.objective_

    check(value_of, *table, seed)


@settings(max_examples=40)
@given(tables(), st.sampled_from([0.01, 0.05, 0.1]), st.integers(0, 2**32 - 1))
def test_dyadic_tree(table, regularization, seed):
    """The same of trees that halve intervals."""

    def value_of(X, y, weights):
        model = DyadicTreeClassifier(regularization, max_splits=3).fit(X, y, sample_weight=weights)
        assert model.is_optimal_
        return model.objective_

    check(value_of, *table, seed)


@settings(max_examples=40)
@given(tables(), st.sampled_from(["gini", "entropy", "km"]), st.integers(0, 2**32 - 1))
def test_topdown_tree(table, criterion, seed):
    """A greedy learner whose first split is not the best: where splits tie, later ones may differ."""

    def value_of(X, y, weights):
        model = TopDownTreeClassifier(criterion=criterion, max_leaf_nodes=2)
        tree = model.fit(X, y, sample_weight=weights).tree_
        value = tree.value
        share = value / value.sum(axis=1, keepdims=True)
        weight = value.sum(axis=1) / value[0].sum()
        impurity = {
            "gini": 1 - (share**2).sum(axis=1),
            "entropy": -(share * np.log(np.where(share > 0, share, 1))).sum(axis=1),
            "km": np.sqrt(np.maximum(1 - (share**2).sum(axis=1), 0)),
        }[criterion]
        return tree.n_leaves, float(weight[tree.is_leaf] @ impurity[tree.is_leaf])

    if criterion == "km":  # the criterion is a formula of its own; its number of leaves is enough
        check(lambda *problem: value_of(*problem)[0], *table, seed)
    else:
        check(value_of, *table, seed)
