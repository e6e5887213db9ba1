"""Random forests on any criterion: reproducibility, out-of-bag predictions."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import cross_val_score

from treelib import TopDownForestClassifier, TopDownForestRegressor, TopDownTreeClassifier
from treelib.compiled.jit import kernel
from treelib.search.budget import Budget, Stopped
from treelib.topdown import forest
from treelib.topdown.criteria import resolve
from treelib.topdown.forest import _Forest
from treelib.topdown.forest_parts import n_draws_of
from treelib.topdown.grow.few_features import order_node
from treelib.topdown.grow.learner import Limits, Problem, arrange_rows, learn, sort_rows
from treelib.topdown.grow.presort import repeat_rows


@kernel(allocates=False)
def enter_order_node(lines, begin, end, shift, ranks, n_known, keys, ordered):
    """`order_node`, which has no entry from Python."""
    return order_node(lines, begin, end, shift, ranks, n_known, keys, ordered)


@given(st.integers(0, 2**32 - 1), st.integers(1, 12), st.integers(1, 3))
def test_repeated_codes_are_those_of_the_repeated_rows(seed, n, p):
    """A bootstrap sample with a row lost, out of order, or with a wrong mark of a new value."""
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 4, (n, p)).astype(float), rng.integers(0, 3, n)
    X[rng.random((n, p)) < 0.2] = np.nan
    times = rng.integers(0, 3, n)
    ordered = sort_rows(Problem(X, y, 3))
    codes = np.empty((p, times.sum()), dtype=ordered.codes.dtype)
    repeat_rows(ordered.codes, ordered.shift, times, codes)
    for feature in range(p):
        rows = codes[feature] >> ordered.shift
        assert np.array_equal(np.bincount(rows, minlength=n), times)
        values = X[rows, feature]
        assert np.array_equal(values, np.sort(values), equal_nan=True)
        is_new = np.ones(len(rows), bool)
        is_new[1:] = ~((values[1:] == values[:-1]) | (np.isnan(values[1:]) & np.isnan(values[:-1])))
        assert np.array_equal((codes[feature] & 1).astype(bool), is_new)


@given(st.integers(0, 2**32 - 1), st.integers(2, 80), st.sampled_from([2, 3, 6, 50, 2000]), st.booleans())
def test_rows_put_in_order_by_ranks_are_those_that_were_sorted(seed, n, n_distinct, has_missing):
    """Counting, insertion or passes over digits that lose a row, the order of ties, or a mark."""
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, n_distinct, (n, 8)).astype(float), rng.integers(0, 3, n)
    if has_missing:
        X[rng.random((n, 8)) < 0.2] = np.nan
    problem, limits = Problem(X, y, 3), Limits(max_features=1)
    ordered = sort_rows(problem)
    arranged = arrange_rows(problem, resolve("gini"), limits)
    begin, end = sorted(rng.choice(n + 1, 2, replace=False))
    rows = arranged.codes[0, begin:end] >> arranged.shift
    keys = np.empty((3, max(256, n)), dtype=np.int64)
    for feature in range(8):
        codes = np.zeros(n, dtype=ordered.codes.dtype)
        differs = enter_order_node(
            arranged.codes[0],
            begin,
            end,
            arranged.shift,
            arranged.ranks[feature],
            arranged.n_known[feature],
            keys,
            codes,
        )
        values = X[rows, feature]
        order = np.argsort(values, kind="stable")  # missing values last
        expected = arranged.codes[0, begin:end][order]
        values = values[order]
        before = np.append(np.nan, values[:-1])
        is_new = (values != before) & ~(np.isnan(values) & np.isnan(before))
        is_new[0] = True
        assert differs == (is_new.sum() > 1)
        if differs:
            assert np.array_equal(codes[begin:end], expected | (2 * np.isnan(values)) | is_new)


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.sampled_from(["gini", "km", "misclassification"]), st.integers(1, 3))
def test_ranks_give_the_tree_of_sorted_lists(seed, criterion, min_leaf):
    """Another tree where rows are put in order node by node: ties, missing values, repeated rows, limits."""
    rng = np.random.default_rng(seed)
    n, n_classes = int(rng.integers(2, 60)), int(rng.integers(2, 4))
    X, y = rng.integers(0, rng.choice([2, 5, 1000]), (n, 8)).astype(float), rng.integers(0, n_classes, n)
    X[rng.random((n, 8)) < rng.choice([0, 0.2])] = np.nan
    is_weighted = rng.random() < 0.5
    problem = Problem(X, y, n_classes, rng.integers(1, 4, n) * 1.0 if is_weighted else None)
    criterion = resolve(criterion)
    max_splits = int(rng.integers(1, 20))
    limits = Limits(max_features=2, min_leaf=min_leaf, best_first=True, max_splits=max_splits)
    arranged, ordered = arrange_rows(problem, criterion, limits), sort_rows(problem)
    assert arranged.ranks is not None and ordered.ranks is None
    fast, slow = (
        learn(problem, criterion, limits, 5, rows).to_tree(8, n_classes) for rows in (arranged, ordered)
    )
    assert fast == slow


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from(["gini", "km", "entropy"]), st.sampled_from([None, 0.5]))
def test_each_tree_is_grown_on_the_rows_drawn_for_it(seed, criterion, max_samples):
    """A draw with a row too few, weights of other rows, or an out-of-bag mean over trees that saw the row."""
    rng = np.random.default_rng(seed)
    n, n_classes = int(rng.integers(3, 25)), int(rng.integers(2, 4))
    X, y = rng.integers(0, 5, (n, 3)).astype(float), rng.integers(0, n_classes, n)
    X[rng.random((n, 3)) < rng.choice([0.0, 0.2])] = np.nan
    y[:n_classes] = np.arange(n_classes)
    weight = rng.integers(1, 4, n) * 1.0 if rng.random() < 0.5 else None
    limits = {"max_features": None, "max_depth": int(rng.integers(1, 5))}
    model = TopDownForestClassifier(
        criterion, n_estimators=4, oob_score=True, max_samples=max_samples, random_state=seed, **limits
    ).fit(X, y, weight)
    n_draws, shares, n_trees = n_draws_of(max_samples, True, n), np.zeros((n, n_classes)), np.zeros((n, 1))
    for tree, rows in zip(model.trees_, model.estimators_samples_, strict=True):
        assert len(rows) == n_draws
        drawn = np.sort(rows)
        alone = learn(
            Problem(X[drawn], y[drawn], n_classes, None if weight is None else weight[drawn]),
            resolve(criterion),
            Limits(max_depth=limits["max_depth"]),
        ).to_tree(3, n_classes)
        assert alone.same_function(tree) and np.array_equal(alone.value, tree.value)
        left_out = ~np.isin(np.arange(n), drawn)
        value = tree.predict_value(X)
        shares[left_out] += (value / value.sum(axis=1, keepdims=True))[left_out]
        n_trees += left_out[:, None]
    with np.errstate(invalid="ignore"):
        np.testing.assert_allclose(model.oob_decision_function_, shares / n_trees, atol=1e-15)


def test_rows_are_drawn_as_by_scikit_learn():
    """Seeds or draws of our own: a forest cannot be compared with scikit-learn's tree by tree."""
    X, y = load_breast_cancer(return_X_y=True)
    settings_ = {"n_estimators": 4, "max_features": None, "max_samples": 0.5, "random_state": 5}
    ours, theirs = (make(**settings_).fit(X, y) for make in (TopDownForestClassifier, RandomForestClassifier))
    np.testing.assert_array_equal(ours.estimators_samples_, theirs.estimators_samples_)


@pytest.mark.parametrize("bootstrap", [True, False])
def test_each_estimator_is_grown_again_from_its_rows(bootstrap):
    """A seed of a tree that is not the one it drew its features with, or rows that are not its own."""
    X, y = load_breast_cancer(return_X_y=True)
    weight = (np.arange(len(y)) % 3 > 0) * 1.0
    model = TopDownForestClassifier(
        n_estimators=4, max_features=3, bootstrap=bootstrap, max_depth=4, random_state=0
    ).fit(X, y, weight)
    for one, rows in zip(model.estimators_, model.estimators_samples_, strict=True):
        assert rows.dtype == np.int32 and (weight[rows] > 0).all()
        again = clone(one).fit(X[rows], y[rows])
        assert again.tree_.same_function(one.tree_) and np.array_equal(again.tree_.value, one.tree_.value)


def test_parameters_of_another_library_are_taken_or_refused():
    """warm_start=True taken silently: the trees of the fit before would be lost without a word."""
    X, y = load_breast_cancer(return_X_y=True)
    TopDownForestClassifier(n_estimators=2, warm_start=False).fit(X, y)
    with pytest.raises(ValueError, match="fit the forest anew with more n_estimators"):
        TopDownForestRegressor(n_estimators=2, warm_start=True).fit(X, y)


@pytest.mark.parametrize("criterion", ["entropy", lambda p: 1 - (p**2).sum(axis=1)])
def test_same_forest_for_any_number_of_threads(criterion):
    """A draw or a sum that depends on which thread comes first."""
    X, y = load_breast_cancer(return_X_y=True)
    one, two = (
        TopDownForestClassifier(
            criterion, n_estimators=6, max_depth=4, n_jobs=n_jobs, oob_score=True, random_state=3
        ).fit(X, y)
        for n_jobs in (1, 2)
    )
    assert one.trees_ == two.trees_
    assert np.array_equal(one.predict_proba(X), two.predict_proba(X))
    assert np.array_equal(one.oob_decision_function_, two.oob_decision_function_, equal_nan=True)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_forest_predicts_the_mean_of_its_trees(n_jobs, monkeypatch):
    """Rows lost or counted twice where blocks of rows meet; missing values sent to the wrong side."""
    monkeypatch.setattr(forest, "_BLOCK", 50)
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(101, 3)), rng.integers(0, 3, 101)
    X[rng.random(X.shape) < 0.2] = np.nan
    model = TopDownForestClassifier(n_estimators=7, random_state=0, n_jobs=n_jobs).fit(X, y)
    values = [tree.predict_value(X) for tree in model.trees_]
    expected = sum(value / value.sum(axis=1, keepdims=True) for value in values) / 7
    assert np.array_equal(model.predict_proba(X), expected)
    assert np.array_equal(model.apply(X), np.column_stack([tree.apply(X) for tree in model.trees_]))
    model = TopDownForestRegressor(n_estimators=7, random_state=0, n_jobs=n_jobs).fit(X, y)
    assert np.array_equal(model.predict(X), sum(tree.predict(X) for tree in model.trees_) / 7)


def test_as_accurate_as_scikit_learn():
    """A forest whose trees are all alike, or grown on wrong rows."""
    X, y = load_breast_cancer(return_X_y=True)
    ours = cross_val_score(TopDownForestClassifier(random_state=0), X, y, cv=5).mean()
    reference = cross_val_score(RandomForestClassifier(random_state=0), X, y, cv=5).mean()
    assert ours > reference - 0.015


def test_out_of_bag_score_is_near_that_on_new_data():
    """Out-of-bag predictions by trees that have seen the row."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 5)), rng.integers(0, 2, 300)  # nothing to learn
    model = TopDownForestClassifier(oob_score=True, random_state=0).fit(X, y)
    assert model.score(X, y) > 0.95 and abs(model.oob_score_ - 0.5) < 0.1
    X, y = load_diabetes(return_X_y=True)
    model = TopDownForestRegressor("tweedie", oob_score=True, random_state=0).fit(X, y)
    assert 0.3 < model.oob_score_ < 0.6 and model.score(X, y) > 0.8


def test_bad_forest_parameters_are_refused():
    """A parameter of the forest outside its range."""
    X, y = load_breast_cancer(return_X_y=True)
    bad = ({"n_estimators": 0}, {"max_samples": -1.5}, {"oob_score": True, "bootstrap": False})
    for options in bad:
        with pytest.raises(ValueError):
            TopDownForestClassifier(**options).fit(X, y)


def test_importances_of_trees_count_against_the_memory():
    """Small trees of wide tables, whose importances take most of the room."""
    X, y = np.random.default_rng(0).random((30, 2000)), np.arange(30) % 2
    model = TopDownForestClassifier(n_estimators=200, max_depth=1, max_features=1, random_state=0)
    with pytest.warns(ConvergenceWarning, match="memory_limit"):
        model.set_params(memory_limit=2e6).fit(X, y)
    assert len(model.trees_) * X.shape[1] * 8 < 2e6
    total = np.sum(model._tree_importances, axis=0)
    assert np.array_equal(model.feature_importances_, total / total.sum())


def test_a_memory_limit_leaves_whole_trees_of_the_same_forest():
    """Trees cut short, or other trees than without the limit; bytes that are not counted."""
    X, y = load_breast_cancer(return_X_y=True)
    whole = TopDownForestClassifier(n_estimators=60, random_state=0).fit(X, y)
    assert whole.status_ == "complete"
    limit = whole.search_stats_["peak_bytes"] - 20_000
    with pytest.warns(ConvergenceWarning, match="memory_limit.* of 60 trees") as caught:
        part = TopDownForestClassifier(n_estimators=60, random_state=0, memory_limit=limit).fit(X, y)
    assert caught[0].filename == __file__
    assert part.status_ == "memory_limit" and 1 < len(part.trees_) < 60
    assert part.search_stats_["peak_bytes"] <= limit
    assert all(one == other for one, other in zip(part.trees_, whole.trees_, strict=False))
    assert part.score(X, y) > 0.95


@pytest.mark.filterwarnings("ignore:.*tasks")  # joblib, of the generator that the test gave up
def test_ctrl_c_between_trees_keeps_the_finished_ones(monkeypatch):
    """A forest that is lost, or threads that go on, when Ctrl-C comes while the trees are gathered."""
    X, y = load_breast_cancer(return_X_y=True)
    model = TopDownForestClassifier(n_estimators=10_000, random_state=0, n_jobs=2)
    found = _Forest._in_threads

    def interrupted(self, function, items):
        results = found(self, function, items)
        for _ in range(5):
            yield next(results)
        raise KeyboardInterrupt

    monkeypatch.setattr(_Forest, "_in_threads", interrupted)
    warns = pytest.warns(ConvergenceWarning, match="interrupted.*5 of 10000 trees")
    with warns, pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    monkeypatch.undo()
    assert model.status_ == "interrupted" and len(model.trees_) == 5 and model.score(X, y) > 0.9


@pytest.mark.parametrize("make", [TopDownForestClassifier, TopDownForestRegressor])
def test_a_limit_before_the_first_tree_leaves_one_leaf(make):
    """No forest at all, or a score out of bag of no rows."""
    X, y = load_breast_cancer(return_X_y=True)
    with pytest.warns(ConvergenceWarning, match="memory_limit"):
        model = make(n_estimators=5, oob_score=True, memory_limit=1000).fit(X, y, y + 1.0)
    (tree,) = model.trees_
    assert tree.n_leaves == 1 and np.isnan(model.oob_score_)
    expected = (y * 2.0).sum() / (y + 1.0).sum()
    found = model.predict_proba(X)[:, 1] if hasattr(model, "classes_") else model.predict(X)
    assert found == pytest.approx(expected)


def test_a_budget_that_travels_keeps_its_time():
    """Limits that are forgotten, or counted by another machine's clock, in a process of its own."""
    budget = Budget(time_limit=100, memory_limit="1 MB")
    budget.start -= 60
    copy = pickle.loads(pickle.dumps(budget))
    assert 30 < copy.time_left < 40.1 and copy.memory_limit == 1e6
    copy.stop("interrupted")
    with pytest.raises(Stopped, match="interrupted"):
        copy.check()
    budget.check()


def test_progress_tells_how_many_trees_are_done(capsys):
    """`verbose` without a word, or words without it."""
    X, y = load_breast_cancer(return_X_y=True)
    TopDownForestClassifier(n_estimators=3, verbose=True).fit(X, y)
    assert "3 of 3 trees\n" in capsys.readouterr().err
    TopDownTreeClassifier(verbose=True).fit(X, y)
    assert "nodes\n" in capsys.readouterr().err
    TopDownForestClassifier(n_estimators=3).fit(X, y)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("kind", [TopDownForestClassifier, TopDownForestRegressor])
def test_rows_of_no_weight_are_not_scored_out_of_bag(kind):
    """A fit that is lost because nothing but rows of weight zero is out of bag."""
    X, y, weight = np.arange(4.0)[:, None], np.array([0, 1, 0, 1]), np.array([1.0, 1.0, 0.0, 0.0])
    for seed in range(9):
        options = {"n_estimators": 1, "random_state": seed, "oob_score": True}
        with pytest.warns(UserWarning, match="every tree has seen them"):
            model = kind(**options).fit(X, y, weight)
        with pytest.warns(UserWarning, match="every tree has seen them"):
            without = kind(**options).fit(X[:2], y[:2], weight[:2])
        np.testing.assert_equal(model.oob_score_, without.oob_score_)
