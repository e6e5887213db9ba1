"""The comparison of all methods, and what the papers ask of each other."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import rankdata

from treelib import datasets
from treelib.experiments import family_comparison as comparison
from treelib.experiments import family_forests as forests
from treelib.experiments import family_tables as tables


@pytest.fixture(scope="module")
def iris():
    data = datasets.load("tsallis/iris")
    return data.X[::2], data.y[::2]


def test_forest_and_born_again_tree_are_one_function(iris):
    """A forest that is scored by another vote than the one its born-again tree copies."""
    X, y = iris
    forest = comparison.fit("forest", {}, X, y, 0, 5.0)
    tree = comparison.fit("born-again", {}, X, y, 0, 5.0)
    points = np.random.default_rng(0).uniform(X.min(axis=0), X.max(axis=0), (500, X.shape[1]))
    assert np.array_equal(forest.predict(points), tree.predict(points))
    assert comparison.size(forest)[0] == sum(one.n_leaves for one in forest.tree_.trees)


@pytest.mark.parametrize("method", ["cart", "exact", "dyadic", "tsallis", "born-again-pruned"])
def test_one_method(method):
    """A fold that is scored on rows it was trained on, or a size that is not the tree's."""
    found = comparison.compare({"data": "tsallis/iris", "method": method, "seed": 0})
    assert len(found["error"]) == comparison.N_OUTER
    assert 0 < np.mean(found["error"]) < 0.15
    assert all(leaves <= 2**depth for leaves, depth in zip(found["leaves"], found["depth"], strict=True))
    assert found["not_run"] == ""


def test_settings_are_chosen_on_the_training_rows_alone(iris, monkeypatch):
    """An inner fold that reaches beyond the rows it was given."""
    X, y = iris
    seen = []
    whole = comparison.fit

    def spy(method, settings, X_part, *rest):
        seen.append(len(X_part))
        return whole(method, settings, X_part, *rest)

    monkeypatch.setattr(comparison, "fit", spy)
    assert comparison.choose("cart", X[:60], y[:60], 0) in comparison.grid("cart")
    assert max(seen) == 40
    assert len(seen) == comparison.N_INNER * len(comparison.PRICES)


def test_nemenyi():
    """The critical value of Demsar's Table 5: 2.850 for six methods at 5 %."""
    assert comparison.nemenyi(6, 14) == pytest.approx(2.850 * np.sqrt(6 * 7 / (6 * 14)), abs=2e-3)


def test_mean_ranks():
    """Ranks that take a data set in which a method is missing."""
    table = pd.DataFrame({"a": [1.0, 2, 1, np.nan], "b": [2.0, 2, 3, 1], "c": [3.0, 1, 2, 0]})
    ranks, n_data, p, critical = tables.mean_ranks(table)
    naive = np.mean([rankdata(row) for row in table.to_numpy()[:3]], axis=0)
    assert n_data == 3 and 0 < p < 1 and critical == comparison.nemenyi(3, 3)
    assert ranks[["a", "b", "c"]].tolist() == pytest.approx(naive.tolist())


def test_half_width():
    """An interval that takes folds with shared training rows for independent ones."""
    errors = np.array([0.1, 0.2, 0.15, 0.1, 0.2])
    naive = 2.776445 * errors.std(ddof=1) / np.sqrt(5)
    assert tables.half_width(errors) == pytest.approx(naive * np.sqrt(1 + 5 / 4), rel=1e-6)


def test_tuned_forests():
    """A forest that is tuned on test rows, or a born-again tree that is not faithful to the forest."""
    rows = forests.tsallis_forests({"data": "tsallis/iris", "seed": 0})
    assert [(row["fold"], row["forest"]) for row in rows] == [
        (fold, name) for fold in range(comparison.N_OUTER) for name in ("gini", "tuned")
    ]
    for row in rows:
        assert row["proved"] and row["pruned_leaves"] <= row["leaves"] <= 2 ** row["depth"]
        assert (row["alpha"], row["beta"]) in forests.CRITERIA
        assert row["forest"] == "tuned" or (row["alpha"], row["beta"]) == forests.GINI


def test_gini_is_chosen_when_nothing_is_better():
    """Tuning that departs from Gini without a reason: two classes that one split parts."""
    X = np.repeat([[0.0], [1.0]], 12, axis=0)
    assert forests.choose(X, np.repeat([0, 1], 12), 0) == forests.GINI
