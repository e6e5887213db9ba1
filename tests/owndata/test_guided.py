"""The sparse method of `treelib fit`: candidate tests, and what is never worse than the greedy tree."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.utils.class_weight import compute_sample_weight

from tests.twins.sparse import optimal_trees
from treelib.owndata import tuning
from treelib.owndata.guided import GuidedTree, Tests, best_at_each_price
from treelib.owndata.methods import make
from treelib.sparse.regularization_path import PathSolution

PRICES = (0.2, 0.05, 0.02, 0.01, 0.004, 0.001)


def people(n, seed, missing=0.2, p=3):
    """Numbers of many values with gaps, a column of 0 and 1, and classes that follow them in part."""
    random = np.random.default_rng(seed)
    X = pd.DataFrame(random.normal(size=(n, p)).round(2), columns=[f"x{j}" for j in range(p)])
    X = X.mask(random.random((n, p)) < missing)
    X["flag"] = random.integers(0, 2, n).astype(float)
    rich = (X["x0"] > 1.3) | X["x1"].isna() & (X["flag"] == 1)
    return X, np.where(rich ^ (random.random(n) < 0.1), "yes", "no")


def objective(tree, X, y, price):
    return np.mean(np.unique(y)[tree.predict(X.to_numpy())] != y) + price * tree.n_leaves


@pytest.mark.parametrize("limit", [0.02, 0.4])
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_it_is_never_worse_than_the_greedy_tree(limit, missing):
    """A search over quantiles that a greedy tree with all cuts beats, at a fit or along the path."""
    make("topdown", 0.1).fit(*people(400, 0))  # its kernels are loaded then
    for seed in range(2):
        X, y = people(400, seed, missing)
        path = GuidedTree(0.001, limit).regularization_path(X, y, min_regularization=0.001)
        for price in PRICES:
            greedy = objective(make("topdown", price).fit(X, y).tree_, X, y, price) + 1e-12
            assert objective(path.at(price).tree, X, y, price) <= greedy
            model = GuidedTree(price, limit).fit(X, y)
            assert objective(model.tree_, X, y, price) <= greedy
            assert objective(model.tree_, X, y, price) == pytest.approx(model.objective_)
            assert model.lower_bound_ <= model.objective_ + 1e-12


def test_a_rare_class_that_hangs_on_a_high_value_is_found():
    """Default of ISLR: one leaf and 3.3 % error, since no tenth of the rows ends where the class begins."""
    random = np.random.default_rng(0)
    X = pd.DataFrame({"balance": random.normal(size=4000), "income": random.random(4000)})
    y = np.where((X["balance"] > 2) & (random.random(4000) < 0.9), "yes", "no")
    model = make("sparse", 0.005, 20.0).fit(X, y)
    assert model.tree_.n_leaves == 2 and model.tree_.threshold[0] == pytest.approx(2, abs=0.02)
    assert model.is_optimal_


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([0.01, 0.04, 0.1]), st.sampled_from([None, "balanced"]))
def test_the_proof_is_over_all_cuts_and_both_sides_for_missing_values(seed, price, class_weight):
    """A cut, or a side for missing values, that is left out or becomes another one; nine rows have no more
    than ten cuts a column, so that all are candidates."""
    X, y = people(9, seed, 0.3, p=2)
    if len(np.unique(y)) < 2:
        return
    model = GuidedTree(price, class_weight=class_weight).fit(X, y)
    columns = [X["flag"] == 1]
    for x in (X["x0"].to_numpy(), X["x1"].to_numpy()):
        columns += [np.isnan(x), *(x > cut for cut in x), *(np.isnan(x) | (x > cut) for cut in x)]
    columns = np.unique(np.array(columns, dtype=np.uint8), axis=0).T
    weights = compute_sample_weight(class_weight, y)
    costs = weights[:, None] * (y[:, None] != model.classes_)
    least, _ = optimal_trees.optimal_tree(columns, costs, price, total=weights.sum())
    wrong = np.average(model.predict(X) != y, weights=weights)
    assert model.is_optimal_ and model.objective_ == pytest.approx(least)
    assert model.objective_ == pytest.approx(wrong + price * model.tree_.n_leaves)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000))
def test_a_tree_over_codes_is_a_tree_over_the_table(seed):
    """A threshold that is one cut off, or a missing value that changes sides on the way back."""
    X, y = people(200, seed)
    greedy = make("topdown", 0.0).fit(X, y).tree_
    tests = Tests(X, greedy)
    new = pd.concat(
        [people(300, seed + 1)[0], pd.DataFrame([[c] * 4 for c in greedy.threshold], columns=X.columns)]
    )
    coded = tests.in_codes(greedy)
    there = np.array(greedy.predict(X.to_numpy()))
    assert (coded.predict(tests.codes(X).to_numpy()) == there).all()
    back = tests.in_units(coded)
    assert (back.predict(X.to_numpy()) == there).all()
    assert (back.predict(new.to_numpy()) == coded.predict(tests.codes(new).to_numpy())).all()


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.integers(1, 12), st.integers(0, 40)), min_size=1, max_size=12),
    st.floats(0.001, 0.3),
)
def test_best_at_each_price_is_the_best(points, price):
    """A tree of the hull that is lost, or one that stands for the prices of its neighbour."""
    points = [(1, 50), *points]
    found = best_at_each_price([PathSolution(n, e / 50, 0, np.inf, None) for n, e in points], 0.001)
    chosen = next(one for one in found if price >= one.regularization_low)
    best = min(e / 50 + price * n for n, e in points)
    assert chosen.error + price * chosen.n_leaves == pytest.approx(best)
    lows = [one.regularization_low for one in found]
    assert lows == sorted(lows, reverse=True) and lows[-1] == 0.001 and found[0].n_leaves == 1


def test_the_tree_that_tuning_found_is_kept():
    """A last fit of the chosen price that a limit stops before it is as good as the path."""
    X, y = people(1500, 3)
    path = tuning.path_of("sparse", X, y, 0.002, 1.0)
    tree = path.at(0.002)
    model = make("sparse", 0.002, 0.01, start=tree).fit(X, y)
    assert objective(model.tree_, X, y, 0.002) <= objective(tree, X, y, 0.002) + 1e-12


def test_columns_that_are_not_allowed_are_not_tested():
    """A greedy tree at the start that asks for a column that the user left out."""
    X, y = people(400, 1)
    allowed = {"constraints": {"allowed_features": ["x1", "flag"]}}
    for limit in (0.01, 2.0):
        model = make("sparse", 0.002, limit, **allowed).fit(X, y)
        assert set(model.tree_.feature[~model.tree_.is_leaf]) <= {1, 3}
        path = make("sparse", 0.002, limit, **allowed).regularization_path(X, y, min_regularization=0.002)
        for one in path.solutions:
            assert set(one.tree.feature[~one.tree.is_leaf]) <= {1, 3}
