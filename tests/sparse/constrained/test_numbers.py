"""Constraints over all thresholds of numbers as they are, against the same over a table of all columns."""

from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from tests.suites.limits.measuring import peak_of
from treelib import OptimalSparseTreeClassifier
from treelib.search.budget import Stopped
from treelib.sparse.constrained import numbers
from treelib.sparse.training import TreeProblem

ALL = 10**6  # thresholds a column: the search over columns of 0 and 1, of which none is left out


@st.composite
def problems(draw):
    """A table of few rows with missing values, weights, and constraints of every kind."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, p = draw(st.integers(4, 14)), draw(st.integers(1, 3))
    X = rng.integers(0, draw(st.integers(2, 9)), (n, p)) / 8
    X[rng.random((n, p)) < draw(st.sampled_from([0.0, 0.2]))] = np.nan
    y = rng.integers(0, draw(st.integers(2, 3)), n)
    y[:2] = 0, 1
    options = {
        "min_samples_leaf": draw(st.sampled_from([1, 2, 0.3])),
        "monotonic_cst": draw(st.lists(st.sampled_from([-1, 0, 1]), min_size=p, max_size=p)),
        "max_depth": draw(st.sampled_from([2, 3])),
        "max_leaf_nodes": draw(st.sampled_from([None, 4])),
    }
    if draw(st.booleans()):
        options["required_features"] = [int(np.argmax([len(np.unique(column)) for column in X.T]))]
    weights = rng.integers(1, 5, n).astype(float) if draw(st.booleans()) else None
    return X, y, weights, draw(st.sampled_from([0.0, 0.02, 0.1])), options


def fitted(X, y, weights, price, **options):
    """A model, or the text of the error where there is no tree."""
    patched = mock.patch.object(
        TreeProblem, "reads_numbers", property(lambda problem: problem.max_thresholds is None)
    )
    with patched:
        try:
            return OptimalSparseTreeClassifier(price, **options).fit(X, y, weights)
        except ValueError as error:
            return str(error)


@settings(max_examples=60, deadline=None)
@given(problems())
def test_numbers_have_the_optimum_of_all_columns(problem):
    """A tree that is not the best, one that breaks a constraint, or an optimum of some thresholds only."""
    X, y, weights, price, options = problem
    found = fitted(X, y, weights, price, **options)
    columns = fitted(X, y, weights, price, **options, max_thresholds=ALL)
    if isinstance(columns, str):
        assert found == columns
        return
    assert found.is_optimal_ and found.lower_bound_ == found.objective_ and found.binarizer_ is None
    assert found.objective_ == pytest.approx(columns.objective_, abs=1e-9)
    assert found.proof_scope_ == columns.proof_scope_
    wrong = np.average(found.predict(X) != y, weights=weights)
    assert found.objective_ == pytest.approx(wrong + price * found.get_n_leaves(), abs=1e-9)
    tree = found.tree_
    least = options["min_samples_leaf"]
    least = min(least if isinstance(least, int) else int(np.ceil(least * len(X))), len(X))
    assert tree.n_node_samples[tree.is_leaf].min() >= least
    assert set(options.get("required_features", ())) <= set(tree.feature[~tree.is_leaf])
    values = [np.unique(np.r_[-1.0, column[~np.isnan(column)], 9.0]) for column in X.T]
    label = found.predict(np.stack(np.meshgrid(*values, indexing="ij"), -1).reshape(-1, X.shape[1]))
    label = label.reshape([len(some) for some in values])
    for axis, way in enumerate(options["monotonic_cst"]):
        assert (np.diff(label, axis=axis) * way >= 0).all()


def noise(n=400, p=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    return X, (X[:, 0] + rng.normal(size=n) > 0).astype(int)


def test_a_free_optimum_that_keeps_to_the_constraints_needs_no_columns(monkeypatch):
    """A table of all thresholds that is made though the first tree was proved already."""
    X, y = noise()
    monkeypatch.setattr(numbers, "THRESHOLDS", ())
    free = OptimalSparseTreeClassifier(0.03, max_depth=2).fit(X, y)
    model = OptimalSparseTreeClassifier(0.03, max_depth=2, min_samples_leaf=12).fit(X, y)
    assert model.is_optimal_ and model.objective_ == free.objective_
    assert model.proof_scope_ == "all thresholds; leaves of at least 12 rows"


@pytest.mark.parametrize("limit", [{"time_limit": 1e-9}, {"time_limit": 0.3}, {"node_limit": 5}])
def test_a_stopped_search_has_a_bound_over_all_thresholds(limit):
    """A bound over few thresholds that is taken for one over all, or a tree that breaks the constraint."""
    X, y = noise(120, 2)
    constraints = {"min_samples_leaf": 14, "monotonic_cst": [0, 1], "max_depth": 2}
    best = OptimalSparseTreeClassifier(0.005, **constraints, max_thresholds=ALL).fit(X, y)
    assert best.is_optimal_
    with mock.patch.object(numbers, "memory_of_machine", lambda: 0), pytest.warns(ConvergenceWarning):
        model = OptimalSparseTreeClassifier(0.005, **constraints, **limit).fit(X, y)
    assert model.lower_bound_ <= best.objective_ + 1e-12 <= model.objective_ + 2e-12
    assert model.tree_.n_node_samples[model.tree_.is_leaf].min() >= 14


def test_a_search_that_ends_before_its_first_look_has_a_greedy_tree(monkeypatch):
    """An error, where the limit is over before any tree was looked at, as in a first fit that compiles."""
    X, y = noise(500, 3)
    stopped = mock.Mock(side_effect=Stopped("time_limit"))
    monkeypatch.setattr(numbers.Tests, "columns", stopped)
    with pytest.warns(ConvergenceWarning, match="time_limit"):
        model = OptimalSparseTreeClassifier(0.01, max_depth=2, min_samples_leaf=20).fit(X, y)
    assert model.get_n_leaves() > 1 and model.lower_bound_ <= model.objective_
    assert model.objective_ == pytest.approx(np.mean(model.predict(X) != y) + 0.01 * model.get_n_leaves())
    with pytest.warns(ConvergenceWarning, match="time_limit"):
        model = OptimalSparseTreeClassifier(0.9, max_depth=2, required_features=[0]).fit(X, y)
    assert model.get_n_leaves() == 2 and 0 in model.tree_.feature
    X[:, 0] = np.arange(500) < 50
    with pytest.raises(ValueError, match=r"required_features.*raise the limit"):
        OptimalSparseTreeClassifier(0.9, required_features=[0], min_samples_leaf=100).fit(X, y)


def test_an_order_against_the_data_leaves_the_tree_of_the_other_columns(monkeypatch):
    """A single leaf where a tree that does not test the ordered column would do."""
    X, y = noise(500, 3)
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    others = OptimalSparseTreeClassifier(0.01, max_depth=2, allowed_features=[1, 2]).fit(X, y)
    monkeypatch.setattr(numbers, "memory_of_machine", lambda: 0)
    monkeypatch.setattr(numbers, "THRESHOLDS", (None,))
    with pytest.warns(ConvergenceWarning):
        model = OptimalSparseTreeClassifier(0.01, max_depth=2, monotonic_cst=[-1, 0, 0]).fit(X, y)
    assert model.get_n_leaves() > 1 and model.objective_ <= others.objective_ + 1e-12


def test_a_table_of_columns_that_does_not_fit_is_not_made(monkeypatch):
    """A table of all thresholds beyond the memory of the machine."""
    X, y = noise(100, 2)
    monkeypatch.setattr(numbers, "memory_of_machine", lambda: 1000)
    with pytest.warns(ConvergenceWarning, match="memory_limit"):
        model = OptimalSparseTreeClassifier(0.001, max_depth=3, min_samples_leaf=40).fit(X, y)
    assert model.tree_.n_node_samples[model.tree_.is_leaf].min() >= 40


def test_ctrl_c_keeps_the_best_tree(monkeypatch):
    """A Ctrl-C while columns are made that is lost, or that loses the tree."""
    X, y = noise(100, 2)

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(numbers.Binarizer, "fit_transform", interrupted)
    model = OptimalSparseTreeClassifier(0.001, max_depth=3, min_samples_leaf=40)
    with pytest.raises(KeyboardInterrupt) as caught, pytest.warns(ConvergenceWarning):
        model.fit(X, y)
    assert caught.value.estimator.status_ == "interrupted"


def test_the_costs_of_many_rows_count_as_memory():
    """A table of costs beside columns that take the whole limit: half as much again."""
    X, y = np.random.default_rng(0).normal(size=(200_000, 1)), np.arange(200_000) % 3
    model = OptimalSparseTreeClassifier(0.001, max_depth=4, min_samples_leaf=0.02, memory_limit="20 MB")
    with pytest.warns(ConvergenceWarning, match="memory_limit"):
        model.fit(X, y)  # loads kernels
    _, peak = peak_of(lambda: model.fit(X, y))
    codes = 8 * len(y)
    assert model.status_ == "memory_limit" and peak <= 1.25 * 20e6 + codes


def test_the_columns_that_are_searched_count_as_memory():
    """The table of columns, and a copy of it that merging equal rows made: 64 to 75 MB of 50."""
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (20_000, 1000)).astype(float), np.arange(20_000) % 50
    model = OptimalSparseTreeClassifier(0.001, max_depth=4, required_features=[999], memory_limit="50 MB")
    with pytest.warns(ConvergenceWarning, match="memory_limit"):
        model.fit(X, y)  # loads kernels
    _, peak = peak_of(lambda: model.fit(X, y))
    assert model.status_ == "memory_limit" and peak <= 1.05 * 50e6
    assert (model.tree_.feature == 999).any()
