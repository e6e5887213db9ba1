"""Choosing an algorithm with its parameters, against trying everything by hand."""

import numpy as np
import pytest
from sklearn.datasets import load_wine

from treelib import BayesianTreeClassifier, OptimalSparseTreeClassifier, TopDownTreeClassifier
from treelib.topdown.erm import Instance
from treelib.topdown.selection import (
    GridFamily,
    PrunedTreeClassifier,
    SplitAndPruneFamily,
    select_algorithm,
)


@pytest.fixture(scope="module")
def instances():
    X, y = load_wine(return_X_y=True)
    made = []
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(y))
        made.append(Instance(X[order[:100]], y[order[:100]], X[order[100:]], y[order[100:]]))
    return made


def mean_loss(estimator, instances, leaf_price):
    losses = []
    for X, y, X_eval, y_eval in instances:
        model = estimator.fit(X, y)
        losses.append(1 - model.score(X_eval, y_eval) + leaf_price * model.get_n_leaves())
    return np.mean(losses)


@pytest.mark.parametrize("leaf_price", [0.0, 0.01])
def test_the_choice_is_the_best_of_all_families(instances, leaf_price):
    """A family that reports a loss its estimator does not have, or one that is overlooked."""
    families = [
        GridFamily("sparse", OptimalSparseTreeClassifier(max_thresholds=3), {"regularization": [0.02, 0.1]}),
        SplitAndPruneFamily(betas=(1, 3)),
        GridFamily("gini", TopDownTreeClassifier(), {"max_depth": [1, 3], "min_samples_leaf": [1, 10]}),
        GridFamily(
            "bayesian",
            BayesianTreeClassifier(prediction="best", n_iter=500, random_state=0),
            {"phi": [0.5, 2.0]},
        ),
    ]
    found = select_algorithm(instances, families, leaf_price=leaf_price)
    assert [choice.loss for choice in found.choices] == sorted(choice.loss for choice in found.choices)
    assert found.best is found.choices[0] and 0 < found.excess <= 1 + 0.01 * 100
    for choice in found.choices:
        assert choice.loss == pytest.approx(mean_loss(choice.estimator, instances, leaf_price))
    exact = next(choice for choice in found.choices if choice.name == "split and prune")
    # the exact family holds unpruned Gini trees of its depth
    gini = mean_loss(TopDownTreeClassifier(max_depth=5), instances, leaf_price)
    assert exact.loss <= gini + 1e-12
    by_threads = select_algorithm(instances, families, leaf_price=leaf_price, n_jobs=2)
    assert [choice.parameters for choice in by_threads.choices] == [c.parameters for c in found.choices]


def test_pruned_classifier_prunes():
    """A pruned tree that is not what predicts."""
    X, y = load_wine(return_X_y=True)
    grown = TopDownTreeClassifier().fit(X, y)
    model = PrunedTreeClassifier(TopDownTreeClassifier(), 0.05).fit(X, y)
    assert 1 < model.get_n_leaves() < grown.get_n_leaves()
    assert np.array_equal(model.predict(X), model.classes_[model.tree_.predict(X)])
    assert np.allclose(model.predict_proba(X).sum(axis=1), 1)


def test_nothing_to_choose_from_is_refused(instances):
    """An empty list that ends in an obscure error."""
    with pytest.raises(ValueError, match="at least one"):
        select_algorithm([], [SplitAndPruneFamily()])
    with pytest.raises(ValueError, match="at least one"):
        select_algorithm(instances, [])
