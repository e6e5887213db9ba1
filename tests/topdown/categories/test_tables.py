"""Estimators whose trees test subsets of categories: tables in, answers, texts and SQL out."""

import pickle
import sqlite3
import tracemalloc
import warnings
from contextlib import closing

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from treelib import (
    OptimalSparseTreeClassifier,
    TopDownForestClassifier,
    TopDownForestRegressor,
    TopDownTreeClassifier,
    TopDownTreeRegressor,
)
from treelib.table import sparse_rows
from treelib.topdown.categories import estimating
from treelib.tree import Tree, formats


def people(n=400, seed=0):
    """Numbers and text with missing values; yes where the colour is one of three and the age is low."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": random.integers(1, 60, n).astype(float),
            "colour": random.choice(["red", "it's", "blue", "green", "grey", 'a "b"'], n),
            "town": random.choice([f"town {i}" for i in range(25)], n),
        }
    )
    frame.loc[random.random(n) < 0.1, "colour"] = None
    yes = frame["colour"].isin(["red", "it's", "blue"]) & (frame["age"] < 40)
    return frame, np.where(yes ^ (random.random(n) < 0.03), "yes", "no")


def strangers(frame, n=500, seed=1):
    """Rows with categories and missing values that training did not have."""
    random = np.random.default_rng(seed)
    found = pd.DataFrame({name: random.choice(column, n) for name, column in frame.items()})
    found.loc[random.random(n) < 0.2, "town"] = None
    found.loc[random.random(n) < 0.2, "colour"] = "pink"
    return found


def subsets(kind=TopDownTreeClassifier, **options):
    return kind(category_tests="subsets", **options)


def test_a_tree_says_its_subsets_in_words():
    """Would catch a set that is written on the wrong side, or two tests where one does."""
    frame, y = people()
    model = subsets(max_leaf_nodes=3).fit(frame, y)
    assert str(model.tree_).splitlines()[1:] == [
        "├─ colour not in {blue, it's, red}: no (218 samples, 9 errors)",
        "└─ colour in {blue, it's, red}",
        "   ├─ age <= 39.5: yes (110 samples, 2 errors)",
        "   └─ age > 39.5: no (72 samples, 5 errors)",
    ]
    assert Tree.from_json(model.tree_.to_json()) == model.tree_
    assert "colour in {blue," in model.tree_.to_svg()
    assert "colour in {blue, it's, red}" in model.tree_.to_dot()
    np.testing.assert_array_equal(model.feature_importances_ > 0, [True, True, False])


def test_what_a_node_never_saw_goes_with_most_of_its_rows():
    """Would catch unknown and missing categories that are taken for the first one, or for a member."""
    X = pd.DataFrame({"c": list("aaabbbccd")})
    model = subsets().fit(X, [0, 0, 0, 0, 0, 0, 1, 1, 1])
    assert model.tree_.feature_names == ("c in {c, d}",)
    new = pd.DataFrame({"c": ["a", "c", "never seen", None, np.nan]})
    assert model.predict(new).tolist() == [0, 1, 0, 0, 0]
    most = subsets().fit(X, [1, 1, 1, 1, 1, 1, 0, 0, 0])
    assert most.predict(new).tolist() == [1, 0, 1, 1, 1]


@pytest.mark.parametrize("tests", ["each", "subsets"])
@pytest.mark.parametrize("kind", [TopDownTreeClassifier, TopDownTreeRegressor])
def test_sql_over_the_columns_of_the_table_predicts_the_same(kind, tests):
    """Would catch NULL that falls out of NOT IN, a set on the wrong side, and quotes inside of names."""
    frame, y = people()
    y = y if kind is TopDownTreeClassifier else (y == "yes") + frame["age"] / 9
    model = kind(category_tests=tests, min_samples_leaf=3).fit(frame, y)
    new = strangers(frame)
    with closing(sqlite3.connect(":memory:")) as database:
        new.to_sql("t", database, index=False)
        said = [row[0] for row in database.execute(f"SELECT {formats.to_sql(model)} FROM t ORDER BY rowid")]
    assert (np.array(said) == model.predict(new)).all()
    assert "IN (" in formats.to_sql(model, columns=["a", "b", "c"])
    with pytest.raises(ValueError, match="columns has 1 entries; this estimator needs 3"):
        formats.to_sql(model, columns=["a"])


def test_rows_in_blocks_are_rows_at_once(monkeypatch):
    """Would catch a block that is lost or taken twice; the encoded table has a column a subset."""
    frame, y = people()
    model, new = subsets().fit(frame, y), strangers(frame)
    whole = model.predict(new), model.predict_proba(new), model.apply(new)
    monkeypatch.setattr(sparse_rows, "_ENCODED", 7 * model.encoder_.n_features_out_)
    for at_once, found in zip(
        whole, (model.predict(new), model.predict_proba(new), model.apply(new)), strict=True
    ):
        np.testing.assert_array_equal(at_once, found)
    assert model.decision_path(new).shape == (len(new), model.tree_.n_nodes)


def test_other_tables_and_tools():
    """Would catch names, masks or lists read as other columns, and a model that does not survive a copy."""
    frame, y = people()
    model = subsets(max_depth=4).fit(frame, y)
    new = strangers(frame)
    plain = subsets(max_depth=4, categorical_features=[False, True, True]).fit(frame.to_numpy(object), y)
    by_name = subsets(max_depth=4, categorical_features=["colour", 2]).fit(frame, y)
    for other in (pickle.loads(pickle.dumps(model)), clone(model).fit(frame, y), by_name):
        assert (other.predict(new) == model.predict(new)).all()
    assert (plain.predict(new.to_numpy(object)) == model.predict(new)).all()
    assert (plain.predict(new.to_numpy(object).tolist()) == model.predict(new)).all()
    numbers = frame[["age"]].to_numpy()
    assert (
        subsets().fit(csr_matrix(numbers), y).tree_
        == TopDownTreeClassifier().fit(csr_matrix(numbers), y).tree_
    )
    assert subsets().fit(numbers, y).tree_ == TopDownTreeClassifier().fit(numbers, y).tree_
    with pytest.raises(ValueError, match="category_tests='one' must be one of 'each', 'subsets'"):
        TopDownTreeClassifier(category_tests="one").fit(frame, y)


def test_pruning_keeps_the_subsets_that_are_left():
    """Would catch features of pruned tests that stay, or that name another node's set."""
    frame, y = people()
    full = subsets().fit(frame, y)
    path = subsets().cost_complexity_pruning_path(frame, y).ccp_alphas
    pruned = subsets(ccp_alpha=float(path[-3])).fit(frame, y)
    assert pruned.get_n_leaves() < full.get_n_leaves()
    assert set(pruned.tree_.feature_names[1:]) <= set(full.tree_.feature_names[1:])
    tested = set(pruned.tree_.feature[~pruned.tree_.is_leaf])
    assert set(range(1, pruned.tree_.n_features)) <= tested
    assert np.mean(pruned.predict(frame) == y) == 1 - pruned.tree_.error(
        pruned.encoder_.transform(frame), np.searchsorted(pruned.classes_, y)
    )


def test_a_tree_that_grows_too_large_category_by_category_says_so(monkeypatch):
    """Would catch a program of millions of lines."""
    frame, y = people()
    model = subsets().fit(frame, y)
    monkeypatch.setattr(estimating, "MOST_NODES", 20)
    with pytest.raises(ValueError, match="with one category a test the tree has more than 20 nodes"):
        formats.to_c(model)


@pytest.mark.parametrize("kind", [TopDownForestClassifier, TopDownForestRegressor])
def test_forests_have_the_sets_of_all_their_trees(kind, monkeypatch):
    """Would catch a tree that reads another tree's sets, and a forest that depends on the threads."""
    frame, y = people()
    y = y if kind is TopDownForestClassifier else (y == "yes") + frame["age"] / 9
    options = {"n_estimators": 15, "oob_score": True, "max_features": None, "random_state": 0}
    model, threaded = (subsets(kind, n_jobs=n, **options).fit(frame, y) for n in (1, 3))
    assert model.trees_ == threaded.trees_ and model.oob_score_ == threaded.oob_score_ > 0.5
    assert len({tree.n_features for tree in model.trees_}) == 1
    new = strangers(frame)
    single = TopDownTreeClassifier if kind is TopDownForestClassifier else TopDownTreeRegressor
    for k, rows in enumerate(model.estimators_samples_):
        alone = subsets(single, random_state=model.estimators_[k].random_state)
        alone.fit(frame.iloc[rows], np.asarray(y)[rows])
        mine, its = model.trees_[k], alone.tree_
        names = [
            [tree.feature_names[feature] for feature in tree.feature[~tree.is_leaf]] for tree in (mine, its)
        ]
        assert kind is TopDownForestRegressor or names[0] == names[1]
        assert (model.estimators_[k].apply(new) == model.apply(new)[:, k]).all()
        if kind is TopDownForestClassifier:
            assert (model.estimators_[k].predict(new) == alone.predict(new)).all()
    whole = model.predict(new)
    monkeypatch.setattr(sparse_rows, "_ENCODED", 7 * model.encoder_.n_features_out_)
    assert (model.predict(new) == whole).all() and model.apply(new).shape == (len(new), 15)


@pytest.mark.parametrize("kind", [TopDownTreeClassifier, TopDownTreeRegressor, TopDownForestClassifier])
def test_encoded_categories_count_against_the_memory(kind):
    """A table of 0 and 1 a hundred times as large as that of text, made whatever the limit says."""
    frame = pd.DataFrame({"name": np.arange(2000).astype(str), "age": np.arange(2000.0)})
    model = kind(categorical_features=["name"], memory_limit="1 MB")
    tracemalloc.start()
    with pytest.warns(ConvergenceWarning, match="memory_limit"):
        model.fit(frame, np.arange(2000) % 2)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2e6 and model.get_n_leaves() == 1 and len(set(model.predict(frame[:9]))) == 1


@pytest.mark.parametrize("memory_limit", [8e6, 1e7, 13e6, 3e7, None])
def test_trees_that_grow_at_once_share_one_encoded_table(memory_limit):
    """A table that four threads are each thought to hold, and that is not made where there is room for it."""
    random = np.random.default_rng(0)
    frame, y = pd.DataFrame({"name": random.integers(0, 100, 4000).astype(str)}), random.integers(0, 2, 4000)
    model = TopDownForestClassifier(n_estimators=8, n_jobs=4, memory_limit=memory_limit, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(frame, y)
    assert model.status_ == ("complete" if (memory_limit or 1e9) > 9e6 else "memory_limit")
    assert len(model.trees_) and model.predict(frame[:3]).shape == (3,)


@pytest.mark.parametrize("kind", [TopDownTreeClassifier, TopDownTreeRegressor, TopDownForestClassifier])
@pytest.mark.parametrize("limit", [{"time_limit": 1e-9}, {"memory_limit": 1}])
def test_a_stopped_tree_reads_categories(kind, limit):
    """Would catch a tree without sets that is read as if it tested codes."""
    frame, y = people()
    with pytest.warns(ConvergenceWarning):
        model = subsets(kind, **limit).fit(frame, y if kind is not TopDownTreeRegressor else frame["age"])
    assert model.get_n_leaves() == 1 and len(set(model.predict(strangers(frame)))) == 1
    assert (model.feature_importances_ == 0).all()


def test_many_categories_are_predicted_block_by_block(monkeypatch):
    """A table of a column a category, made whole to be predicted; a fit that names no column to leave out."""
    frame = pd.DataFrame({"name": np.arange(300).astype(str), "age": np.arange(300.0)})
    y = np.arange(300) > 100
    for kind in (TopDownTreeClassifier, TopDownForestClassifier, OptimalSparseTreeClassifier):
        model = kind(categorical_features=["name"]).fit(frame, y)
        whole = model.predict(frame), model.predict_proba(frame), model.apply(frame)
        made, transform = [], model.encoder_.transform

        def noted(X, made=made, transform=transform):
            made.append(len(X))
            return transform(X)

        monkeypatch.setattr(model.encoder_, "transform", noted)
        monkeypatch.setattr(sparse_rows, "_ENCODED", 7 * model.encoder_.n_features_out_)
        found = model.predict(frame), model.predict_proba(frame), model.apply(frame)
        for one, other in zip(whole, found, strict=True):
            np.testing.assert_array_equal(one, other)
        assert max(made) == 7
    with pytest.warns(ConvergenceWarning, match="column 'name' makes 300 of them, one a category"):
        TopDownTreeClassifier(memory_limit="0.5 MB").fit(frame, y)
