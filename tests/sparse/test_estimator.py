"""`OptimalSparseTreeClassifier` against naive search."""

import signal
import tracemalloc
import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

import treelib.sparse.estimator
import treelib.sparse.on_numbers
import treelib.sparse.training
import treelib.table.binarize
from tests.twins.sparse import optimal_trees as naive
from treelib import OptimalSparseTreeClassifier, Tree
from treelib.search.budget import Budget, SearchResult
from treelib.sparse.exact import minimise

REGULARIZATIONS = [0.0, 0.01, 0.06, 0.2, 0.7]


def small_problem(seed, n_classes=2, missing=0.0):
    """Few distinct rows with conflicting labels; labels depend on the features in part."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 12))
    X = rng.integers(0, 3, size=(n, 3)).astype(float)
    y = np.where(rng.random(n) < 0.7, X.sum(axis=1) % n_classes, rng.integers(n_classes, size=n)).astype(int)
    X[rng.random(X.shape) < missing] = np.nan
    return rng, X, y


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from(REGULARIZATIONS), st.sampled_from([None, 1, 2]))
def test_objective_is_the_naive_optimum(seed, regularization, max_depth):
    """An objective above the optimum, or one that the tree does not have on the data."""
    _, X, y = small_problem(seed, missing=0.1)
    model = OptimalSparseTreeClassifier(regularization, max_depth=max_depth).fit(X, y)
    costs = (np.unique(y) != y[:, None]).astype(float)
    optimum, _ = naive.optimal_tree(model.binarizer_.transform(X), costs, regularization, max_depth=max_depth)
    assert model.objective_ == pytest.approx(optimum, abs=1e-12)
    error = np.mean(model.predict(X) != y)
    assert model.objective_ == pytest.approx(error + regularization * model.get_n_leaves(), abs=1e-12)
    assert model.is_optimal_ and model.status_ == "optimal" and model.gap_ == pytest.approx(0, abs=1e-12)
    assert max_depth is None or model.get_depth() <= max_depth


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from(REGULARIZATIONS), st.booleans())
def test_costs_and_weights_are_the_naive_optimum(seed, regularization, with_costs):
    """Weights or a cost matrix applied to the wrong class, row or total."""
    rng, X, y = small_problem(seed, n_classes=3)
    weights = rng.integers(1, 5, len(y)) / 4
    classes = np.unique(y)
    cost_matrix = rng.integers(0, 5, (len(classes), len(classes))) / 2 if with_costs else None
    model = OptimalSparseTreeClassifier(regularization, cost_matrix=cost_matrix).fit(X, y, weights)
    used = 1 - np.eye(len(classes)) if cost_matrix is None else cost_matrix
    costs = used[np.searchsorted(classes, y)] * weights[:, None]
    optimum, _ = naive.optimal_tree(model.binarizer_.transform(X), costs, regularization, weights.sum())
    assert model.objective_ == pytest.approx(optimum, abs=1e-11)
    predicted = np.searchsorted(classes, model.predict(X))
    paid = costs[np.arange(len(y)), predicted].sum() / weights.sum()
    assert model.objective_ == pytest.approx(paid + regularization * model.get_n_leaves(), abs=1e-11)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from(REGULARIZATIONS))
def test_weights_are_repeated_rows(seed, regularization):
    """A weight of 2 must mean two equal rows and a weight of 0 none, in thresholds and in errors."""
    rng, X, y = small_problem(seed)
    X[:, 0] = rng.normal(size=len(y)).round(1)
    weights = rng.integers(0, 4, len(y))
    weights[0] = 1
    settings_ = {"regularization": regularization, "max_thresholds": 2, "max_depth": 3}
    weighted = OptimalSparseTreeClassifier(**settings_).fit(X, y, weights)
    repeated = OptimalSparseTreeClassifier(**settings_).fit(np.repeat(X, weights, 0), np.repeat(y, weights))
    assert weighted.objective_ == pytest.approx(repeated.objective_, abs=1e-12)
    kept = weights > 0
    np.testing.assert_allclose(weighted.predict_proba(X[kept]).sum(axis=1), 1)


@pytest.mark.parametrize("options", [{}, {"time_limit": 1e-9}, {"memory_limit": 1}, {"max_thresholds": 3}])
def test_class_weights_that_overflow_are_refused(options):
    """A stopped search whose tree predicts NaN, since nothing else looks at the sum."""
    X, y = load_breast_cancer(return_X_y=True)
    model = OptimalSparseTreeClassifier(0.01, class_weight={0: 1e307, 1: 1e307}, **options)
    with pytest.raises(ValueError, match="too large"):
        model.fit(X, y)


def test_class_weight_multiplies_row_weights():
    """'balanced' and a dict must equal the row weights they stand for."""
    _, X, y = small_problem(3)
    y[:2] = 0, 1
    balanced = OptimalSparseTreeClassifier(0.05, class_weight="balanced").fit(X, y)
    counts = np.bincount(y)
    by_dict = OptimalSparseTreeClassifier(0.05, class_weight={0: counts[1], 1: counts[0]}).fit(X, y)
    by_row = OptimalSparseTreeClassifier(0.05).fit(X, y, sample_weight=counts[1 - y])
    assert balanced.objective_ == pytest.approx(by_row.objective_, abs=1e-12)
    assert by_dict.objective_ == pytest.approx(by_row.objective_, abs=1e-12)


def test_cost_matrix_decides_the_label_not_the_probability():
    """With costs, the cheapest class wins over the most frequent one, and the probabilities stay counts."""
    X, y = np.zeros((4, 1)), np.array(["ill", "well", "well", "well"])
    model = OptimalSparseTreeClassifier(0.1, cost_matrix=[[0, 9], [1, 0]]).fit(X, y)
    assert model.predict([[0]]).tolist() == ["ill"]
    assert model.predict_proba([[0]]).tolist() == [[0.25, 0.75]]
    assert model.objective_ == pytest.approx(3 / 4 + 0.1)


def test_missing_values_have_a_branch():
    """A tree must be able to ask 'is it missing?', and NaN must go right where training had none."""
    X = np.array([[1.0, 1], [2, 2], [np.nan, 1], [np.nan, 2], [3, 1]])
    y = X[:, 0].astype(str) == "nan"
    model = OptimalSparseTreeClassifier(0.01).fit(X, y)
    assert model.tree_.threshold[0] == np.inf and model.get_n_leaves() == 2
    assert model.predict([[np.nan, 0], [99, 0]]).tolist() == [True, False]
    complete = OptimalSparseTreeClassifier(0.01).fit([[1.0], [2.0]], [0, 1])
    assert complete.predict([[np.nan]]).tolist() == [1]


def test_categories_are_tests_of_their_own():
    """One category against the rest must be a single split with a readable name."""
    X = pd.DataFrame({"colour": ["red", "green", "blue", "red", None], "size": [1, 2, 3, 4, 5]})
    model = OptimalSparseTreeClassifier(0.01).fit(X, X["colour"] == "red")
    assert model.tree_.feature_names[model.tree_.feature[0]] == "colour = red"
    assert (model.get_n_leaves(), model.tree_.threshold[0]) == (2, 0.5)
    new = pd.DataFrame({"colour": ["pink", "red"], "size": [1, 1]})
    assert model.predict(new).tolist() == [False, True]
    assert model.feature_names_in_.tolist() == ["colour", "size"] and model.n_features_in_ == 2
    by_index = OptimalSparseTreeClassifier(0.01, categorical_features=[0]).fit(
        X.to_numpy(), X["colour"] == "red"
    )
    assert by_index.objective_ == model.objective_
    assert by_index.tree_.feature_names[by_index.tree_.feature[0]] == "x0 = red"


def test_thresholds_are_in_original_units():
    """A reader of the tree needs years, not column numbers."""
    age = np.arange(20.0, 80.0)
    model = OptimalSparseTreeClassifier(0.01, max_thresholds=None).fit(age[:, None], age > 43)
    assert model.tree_.threshold[0] == 43.5 and model.objective_ == pytest.approx(0.02)


@pytest.mark.parametrize("regularization", [0.51, 1, 100.0])
def test_large_regularization_gives_one_leaf(regularization):
    """No split of two classes can pay for a leaf of 0.5 or more."""
    X, y = np.eye(6), np.arange(6) % 2
    model = OptimalSparseTreeClassifier(regularization).fit(X, y)
    assert model.get_n_leaves() == 1 and model.objective_ == 0.5 + regularization


def test_zero_regularization_reaches_the_least_error():
    """With free leaves only rows that no tree can tell apart may stay wrong."""
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [1, 1]])
    model = OptimalSparseTreeClassifier(0).fit(X, [0, 1, 1, 0, 1])
    assert model.objective_ == pytest.approx(0.2) and model.score(X, [0, 1, 1, 0, 1]) == 0.8


@pytest.mark.parametrize("initial", ["cart", "tree", "own"])
def test_warm_start_changes_no_optimum(initial):
    """A start from a foreign tree may save time; the answer stays."""
    _, X, y = small_problem(11)
    y[:2] = 0, 1
    cold = OptimalSparseTreeClassifier(0.02).fit(X, y)
    start = {
        "cart": DecisionTreeClassifier(random_state=0).fit(X, y),
        "tree": Tree.from_nested((2, 0.3, 0, (1, 17.0, 1, 0)), 3),
        "own": cold,
    }[initial]
    warm = OptimalSparseTreeClassifier(0.02, initial_tree=start).fit(X, y)
    assert warm.objective_ == cold.objective_ and warm.is_optimal_


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"max_leaf_nodes": True}, "max_leaf_nodes"),
        ({"n_jobs": 0}, "n_jobs"),
        ({"n_jobs": "all"}, "n_jobs"),
        ({"class_weight": {0: 0, 1: 0}}, "no row"),
        ({"categorical_features": ["a"]}, "no column"),
    ],
)
def test_bad_parameters(parameters, message):
    """A wrong setting must be named together with what is right; most are in tests/suites/bad_input."""
    with pytest.raises(ValueError, match=message):
        OptimalSparseTreeClassifier(**parameters).fit(np.eye(3), [0, 1, 1])


def test_initial_tree_of_another_kind():
    """A warm start that is no tree must be refused in words."""
    with pytest.raises(TypeError, match="initial_tree is a str"):
        OptimalSparseTreeClassifier(initial_tree="cart").fit(np.eye(3), [0, 1, 1])
    with pytest.raises(TypeError, match="OptimalSparseTreeClassifier that is not fitted"):
        OptimalSparseTreeClassifier(initial_tree=OptimalSparseTreeClassifier()).fit(np.eye(3), [0, 1, 1])


def xor_of(n_bits):
    """All rows of n bits, labelled by parity: no tree is good before it is complete."""
    X = (np.arange(2**n_bits)[:, None] >> np.arange(n_bits)) & 1
    return X, X.sum(axis=1) % 2


@pytest.mark.parametrize("max_leaf_nodes", [None, 300, 40])
@pytest.mark.parametrize("limit", [{"time_limit": 1e-9}, {"node_limit": 1}, {"memory_limit": 1}])
def test_limits_return_a_tree_and_a_valid_bound(limit, max_leaf_nodes):
    """A limit must give a usable tree with a true bound and a warning, never an exception."""
    X, y = xor_of(8)
    with pytest.warns(ConvergenceWarning, match="gap"):
        model = OptimalSparseTreeClassifier(0.0005, max_leaf_nodes=max_leaf_nodes, **limit).fit(X, y)
    assert model.status_ == next(iter(limit)) and not model.is_optimal_
    # 40 leaves leave 111 rows wrong, as the search proves where nothing stops it
    optimum = 256 * 0.0005 if max_leaf_nodes != 40 else 111 / 256 + 40 * 0.0005
    assert 0 <= model.lower_bound_ <= optimum + 1e-12 <= model.objective_ + 1e-12
    assert model.objective_ == pytest.approx(model.tree_.objective(X, y, 0.0005), abs=1e-12)
    assert model.gap_ == pytest.approx(1 - model.lower_bound_ / model.objective_)


@pytest.mark.parametrize("is_told", [False, True])
def test_columns_that_no_machine_holds_end_the_search(monkeypatch, is_told):
    """The numpy error of an array of a hundred gigabytes, or a machine that swaps, where every threshold is a
    column. Some systems do not say what they hold."""

    def too_large(X, feature, threshold, check=None):
        raise MemoryError(f"Unable to allocate {len(X) * len(feature)} bytes")

    if is_told:
        monkeypatch.setattr(treelib.search.budget, "memory_of_machine", lambda: 100_000)
    else:
        monkeypatch.setattr(treelib.table.binarize, "_compare", too_large)
    X = np.random.default_rng(0).random((300, 2))
    y = (X[:, 0] > 0.5).astype(int)
    model = OptimalSparseTreeClassifier(0.01, max_thresholds=1000)
    with pytest.warns(ConvergenceWarning, match="max_thresholds"):
        model.fit(X, y)
    assert model.status_ == "memory_limit" and model.lower_bound_ <= model.objective_
    assert model.objective_ == pytest.approx(0.02, abs=1e-12)  # the greedy tree
    model = OptimalSparseTreeClassifier()
    with pytest.warns(ConvergenceWarning, match="max_thresholds=10 makes it shorter"):
        path = model.regularization_path(X, y)
    assert path.status == "memory_limit" and path.solutions[-1].error == 0  # that of the greedy tree
    with pytest.warns(ConvergenceWarning, match="max_thresholds=10 makes it shorter"):
        found = model.rashomon_set(X, y)
    assert found.status == "memory_limit" and len(found.trees) == 1


def test_fit_without_a_limit_does_not_warn():
    """A proved tree must come without warnings, or users learn to ignore them."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        OptimalSparseTreeClassifier().fit(np.eye(4), [0, 1, 1, 0])


@pytest.mark.parametrize("max_leaf_nodes", [None, 3])
def test_search_options_are_passed_on(monkeypatch, max_leaf_nodes):
    """Limits, depth and leaves must reach the search, and an interrupted one must warn."""
    seen = {}

    def record(columns, costs, regularization, *, budget, total, initial, max_depth, max_leaves=None, **_):
        seen.update(max_depth=max_depth, max_leaves=max_leaves, total=total, time_limit=budget.time_limit)
        seen.update(verbose=budget.verbose)
        _, tree = naive.optimal_tree(columns, costs, regularization, total)
        return SearchResult("interrupted", 0.3, 0.2, tree)

    monkeypatch.setattr(treelib.sparse.on_columns, "minimise_either", record)
    model = OptimalSparseTreeClassifier(
        0.1, max_depth=2, max_leaf_nodes=max_leaf_nodes, time_limit=5, verbose=1
    )
    with pytest.warns(ConvergenceWarning, match="interrupted"), pytest.raises(KeyboardInterrupt):
        model.fit(np.eye(4), [0, 1, 1, 0], sample_weight=[1, 2, 3, 4])
    expected = {"max_depth": 2, "max_leaves": max_leaf_nodes, "total": 10.0}
    assert seen == {**expected, "time_limit": 5.0, "verbose": True}
    assert model.gap_ == pytest.approx(1 / 3) and not model.is_optimal_


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 5), st.sampled_from([None, 2]))
def test_leaf_limit_is_the_naive_optimum(seed, max_leaf_nodes, max_depth):
    """A tree with too many leaves, or one that is not the best of those with few."""
    _, X, y = small_problem(seed, n_classes=3)
    model = OptimalSparseTreeClassifier(0.01, max_leaf_nodes=max_leaf_nodes, max_depth=max_depth).fit(X, y)
    costs = (np.unique(y) != y[:, None]).astype(float)
    least = naive.least_costs(model.binarizer_.transform(X), costs, max_depth)
    optimum = min(cost / len(y) + 0.01 * k for k, cost in least.items() if k <= max_leaf_nodes)
    assert model.objective_ == pytest.approx(optimum, abs=1e-12) and model.is_optimal_
    assert model.get_n_leaves() <= max_leaf_nodes


def mixed_table(n=60, seed=0):
    """Data frame with numbers, missing values and categories, and text classes with some noise."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {"age": rng.integers(20, 70, n).astype(float), "colour": rng.choice(["red", "green"], n)}
    )
    X.loc[rng.random(n) < 0.1, "age"] = np.nan
    y = np.where(X["colour"] == "red", np.where(X["age"] > 55, "yes", "perhaps"), "no")
    return X, np.where(rng.random(n) < 0.1, "perhaps", y), rng.integers(1, 4, n).astype(float)


@pytest.mark.parametrize(
    "options", [{}, {"max_depth": 2}, {"max_leaf_nodes": 3}, {"class_weight": "balanced"}]
)
def test_path_agrees_with_fits(options):
    """A tree of the path that `fit` beats or that has other errors, in the middle of its interval."""
    X, y, weights = mixed_table()
    model = OptimalSparseTreeClassifier(0.3, n_jobs=2, **options)
    path = model.regularization_path(X, y, weights, min_regularization=0.01)
    assert path.is_optimal and len(path.solutions) >= (3 if not options else 2)
    assert not hasattr(model, "tree_") and not hasattr(model, "classes_")
    for solution in path.solutions:
        low, high = float(solution.regularization_low), min(1.0, float(solution.regularization_high))
        fitted = clone(model).set_params(regularization=(low + high) / 2).fit(X, y, weights)
        value = solution.error + fitted.regularization * solution.n_leaves
        assert fitted.objective_ == pytest.approx(value, abs=1e-12)
        assert solution.tree.n_leaves == solution.n_leaves == fitted.get_n_leaves()
        assert solution.tree.feature_names == fitted.tree_.feature_names
        if "class_weight" not in options:
            codes = np.searchsorted(fitted.classes_, y)
            error = solution.tree.error(fitted._encode(X), codes, weights)
            assert error == pytest.approx(solution.error, abs=1e-12)
            assert isinstance(solution.regularization_low, Fraction)


def test_path_with_costs_and_a_warm_start():
    """Settings that `fit` knows and the path forgets."""
    X, y, _ = mixed_table(seed=1)
    costs = [[0, 1, 5], [2, 0, 1], [3, 3, 0]]
    start = OptimalSparseTreeClassifier(0.02).fit(X, y).tree_
    model = OptimalSparseTreeClassifier(0.05, cost_matrix=costs, initial_tree=start).fit(X, y)
    path = model.regularization_path(X, y, min_regularization=0.03)
    found = path.at(0.05)
    assert found.error + 0.05 * found.n_leaves == pytest.approx(model.objective_, abs=1e-12)


def test_rashomon_set_holds_the_fit_and_its_equals():
    """A set without the tree that `fit` finds, objectives that its trees do not have, or a tree twice."""
    X, y, weights = mixed_table(seed=2)
    model = OptimalSparseTreeClassifier(0.02, max_leaf_nodes=4)
    found = model.rashomon_set(X, y, weights, epsilon=0.05)
    fitted = clone(model).fit(X, y, weights)
    codes, encoded = np.searchsorted(fitted.classes_, y), fitted._encode(X)
    assert found.complete and found.optimum == pytest.approx(fitted.objective_, abs=1e-12)
    assert found.objectives[0] == pytest.approx(fitted.objective_, abs=1e-12) and len(found.trees) > 3
    divisions = set()
    for tree, objective in zip(found.trees, found.objectives, strict=True):
        assert tree.objective(encoded, codes, 0.02, weights) == pytest.approx(objective, abs=1e-12)
        assert objective <= found.optimum + 0.05 + 1e-12 and tree.n_leaves <= 4
        _, groups = np.unique(tree.apply(encoded), return_inverse=True)
        divisions.add(frozenset(tuple(np.flatnonzero(groups == g)) for g in range(tree.n_leaves)))
    assert len(divisions) == len(found.trees)
    few = model.rashomon_set(X, y, weights, epsilon=0.05, max_trees=2)
    assert len(few.trees) == 2 and not few.complete


def test_path_and_rashomon_set_refuse_bad_arguments():
    """A wrong argument that ends in a foreign error, or in a wrong answer."""
    model, data = OptimalSparseTreeClassifier(), (np.eye(3), [0, 1, 1])
    for value in (-0.1, np.nan, "0.1"):
        with pytest.raises(ValueError, match="min_regularization"):
            model.regularization_path(*data, min_regularization=value)
        with pytest.raises(ValueError, match="epsilon"):
            model.rashomon_set(*data, epsilon=value)
    with pytest.raises(ValueError, match="max_trees"):
        model.rashomon_set(*data, max_trees=0)


def test_stopped_path_and_rashomon_set_warn():
    """A result without proof that comes without a word."""
    X, y = xor_of(8)
    model = OptimalSparseTreeClassifier(0.0005, node_limit=1)
    with pytest.warns(ConvergenceWarning, match="path"):
        path = model.regularization_path(X, y, min_regularization=0.0005)
    assert path.status == "node_limit" and path.solutions[0].n_leaves == 1
    with pytest.warns(ConvergenceWarning, match="all trees"):
        found = model.rashomon_set(X, y)
    assert not found.complete and len(found.trees) == 1


@pytest.mark.parametrize("max_leaf_nodes", [None, 40])
def test_ctrl_c_keeps_the_best_tree(monkeypatch, max_leaf_nodes):
    """Ctrl-C that throws the work away instead of ending the search with what it has."""
    X, y = xor_of(8)
    looks = iter(range(5 if max_leaf_nodes is None else 1))

    class Interrupted(Budget):
        def exceeded(self, nodes=0, n_bytes=0):
            if next(looks, None) is None:
                signal.raise_signal(signal.SIGINT)
            return super().exceeded(nodes, n_bytes)

    monkeypatch.setattr(treelib.sparse.estimator, "Budget", Interrupted)
    monkeypatch.setattr(minimise, "WORK_A_STEP", 1)
    model = OptimalSparseTreeClassifier(0.0005, max_leaf_nodes=max_leaf_nodes)
    with pytest.warns(ConvergenceWarning, match="interrupted"), pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert model.status_ == "interrupted" and model.lower_bound_ < model.objective_
    assert model.objective_ == pytest.approx(model.tree_.objective(X, y, 0.0005), abs=1e-12)


@pytest.mark.parametrize("max_leaf_nodes", [None, 5])
def test_verbose_shows_progress_and_trace_records_it(capsys, max_leaf_nodes):
    """A silent long search, or a trace that does not end at what was returned."""
    X, y = xor_of(6)
    quiet = OptimalSparseTreeClassifier(0.004, max_leaf_nodes=max_leaf_nodes).fit(X, y)
    assert capsys.readouterr().err == ""
    model = OptimalSparseTreeClassifier(0.004, max_leaf_nodes=max_leaf_nodes, verbose=1).fit(X, y)
    shown = capsys.readouterr().err
    for word in ("objective", "bound", "gap", "nodes/s"):
        assert word in shown
    assert model.objective_ == quiet.objective_
    trace = model.trace_
    assert sorted(trace) == ["lower_bound", "nodes", "objective", "seconds"]
    assert (np.diff(trace["seconds"]) >= 0).all() and (np.diff(trace["lower_bound"]) >= -1e-12).all()
    assert trace["objective"][-1] == model.objective_ and trace["lower_bound"][-1] == model.lower_bound_
    assert model.search_stats_["n_nodes"] >= 1


@pytest.mark.parametrize("n_jobs", [None, 1, 2, -1])
def test_number_of_threads_changes_no_fit(n_jobs):
    """A number of threads that is refused, or that changes the tree."""
    X, y = xor_of(4)
    model = OptimalSparseTreeClassifier(0.01, n_jobs=n_jobs).fit(X, y)
    assert model.tree_ == OptimalSparseTreeClassifier(0.01).fit(X, y).tree_


def test_warm_start_survives_cross_validation():
    """A start that cloning takes away: a tree must reach the fits of a grid search."""
    X, y = xor_of(3)
    X, y = np.tile(X, (5, 1)), np.tile(y, 5)
    start = OptimalSparseTreeClassifier(0.01).fit(X, y).tree_
    assert clone(OptimalSparseTreeClassifier(initial_tree=start)).initial_tree == start
    search = GridSearchCV(OptimalSparseTreeClassifier(initial_tree=start), {"max_depth": [1, 3]}, cv=2)
    assert search.fit(X, y).best_params_ == {"max_depth": 3}


def test_tags_say_what_is_accepted():
    """Tools read the tags to decide what they may pass."""
    tags = OptimalSparseTreeClassifier().__sklearn_tags__()
    assert tags.input_tags.allow_nan and tags.input_tags.categorical and tags.input_tags.sparse
    assert tags.classifier_tags.multi_class and tags.target_tags.required


@pytest.mark.parametrize("method", ["regularization_path", "rashomon_set"])
def test_a_stopped_path_over_all_thresholds_says_what_helps(method):
    """Would catch a limit that ends the slow search over columns of 0 and 1 without a word of the way out."""
    rng = np.random.default_rng(0)
    X = rng.random((500, 6))
    y = (X[:, 0] + X[:, 1] + rng.normal(0, 0.3, 500) > 1).astype(int)
    with pytest.warns(ConvergenceWarning, match="max_thresholds=10"):
        getattr(OptimalSparseTreeClassifier(0.005, time_limit=0.05), method)(X, y)


@pytest.mark.parametrize(
    ("n", "limit"), [(1500, {"time_limit": 0.05}), (1500, {"memory_limit": "3 MB"}), (500, {"node_limit": 2})]
)
@pytest.mark.parametrize("is_given", [False, True])
def test_costs_by_predicted_class_stop_no_worse_than_greedy(n, limit, is_given):
    """A single leaf, or not the tree that was given, where columns of all thresholds take the limit."""
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(0)
    X, costs = rng.random((n, 6)), np.array([[0, 5, 1], [1, 0, 1], [1, 1, 0]])
    y = np.digitize(X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(0, 0.1, len(X)), [0.5, 0.9])
    greedy = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y)
    model = OptimalSparseTreeClassifier(0.001, cost_matrix=costs, max_depth=3, **limit)
    if is_given:
        model.set_params(initial_tree=Tree.from_sklearn(greedy))
    with pytest.warns(ConvergenceWarning):
        model.fit(X, y).fit(X, y)  # the first imports, and compiles on its time what the greedy tree takes
    least = costs[y, greedy.predict(X)].mean() + 0.001 * greedy.get_n_leaves()
    assert model.lower_bound_ <= model.objective_ <= least + 1e-12
    counted = costs[y, model.predict(X)].mean() + 0.001 * model.get_n_leaves()
    assert model.objective_ == pytest.approx(counted, abs=1e-12)


def test_memory_of_the_machine_is_named(monkeypatch):
    """The advice to raise a limit that nobody has set."""
    monkeypatch.setattr("treelib.search.budget.memory_of_machine", lambda: 2_000_000)
    rng = np.random.default_rng(0)
    with pytest.warns(ConvergenceWarning, match="this machine's memory has no room for more; raise the reg"):
        OptimalSparseTreeClassifier(0.001, max_thresholds=300).fit(
            rng.random((600, 8)), rng.integers(0, 2, 600)
        )


def wide_frame(n_values, n):
    """A frame of 30 columns and categories, and two classes; its encoded table takes 392 bytes a row."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, n_values, (n, 30)) / n_values
    y = (X[:, 1] + X[:, 2] * X[:, 3] + rng.normal(0, 0.2, n) > 0.7).astype(int)
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(30)])
    return frame.assign(x0=pd.Categorical(rng.choice([*"abcdefghijklmnopqrst"], n))), y


@pytest.mark.parametrize("n_values", [2, 1000])
def test_an_encoded_table_counts_against_the_memory_limit(n_values):
    """An encoding that alone is several times the memory limit, or an end without a word."""
    (frame, y), limit = wide_frame(n_values, n=100_000), 20e6
    options = {"regularization": 0.001, "max_depth": 3, "memory_limit": limit}
    with pytest.warns(ConvergenceWarning, match="no room for the encoded table"):
        OptimalSparseTreeClassifier(**options).fit(frame, y)  # imports, and reads or compiles kernels
        tracemalloc.start()
        model = OptimalSparseTreeClassifier(**options).fit(frame, y)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 1.25 * limit
    assert model.status_ == "memory_limit" and model.get_n_leaves() == 1
    assert model.lower_bound_ <= model.objective_ == pytest.approx(np.mean(model.predict(frame) != y) + 0.001)


def test_all_searches_answer_where_the_encoded_table_has_no_room():
    """A crash where there is no table, or a leaf that is said to be the optimum."""
    frame, y = wide_frame(1000, n=2000)
    weights = np.arange(len(y)) % 3
    model = OptimalSparseTreeClassifier(
        0.01, memory_limit=400_000, allowed_features=["x0", "x1"], max_depth=2
    )
    with pytest.warns(ConvergenceWarning, match="memory_limit"):
        model.fit(frame, y, weights)
    assert model.get_n_leaves() == 1 and not model.is_optimal_
    for options in ({"min_samples_leaf": 30}, {"monotonic_cst": {"x1": 1}}, {"max_leaf_nodes": 3}):
        other = OptimalSparseTreeClassifier(0.01, memory_limit=400_000, **options)
        with pytest.warns(ConvergenceWarning, match="memory_limit"):
            assert other.fit(frame, y, weights).status_ == "memory_limit"
    with pytest.warns(ConvergenceWarning):
        assert not other.regularization_path(frame, y).is_optimal
    with pytest.warns(ConvergenceWarning):
        assert other.rashomon_set(frame, y).status == "memory_limit"
