"""Choosing an algorithm with its parameters, against trying everything by hand."""

import time

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.tree import DecisionTreeClassifier

from treelib import BayesianTreeClassifier, OptimalSparseTreeClassifier, TopDownTreeClassifier
from treelib.search.budget import Budget
from treelib.topdown.learn import selection
from treelib.topdown.learn.joint_risk import joint_loss
from treelib.topdown.learn.selection import (
    GridFamily,
    PrunedTreeClassifier,
    SplitAndPruneFamily,
    select_algorithm,
)
from treelib.topdown.learn.splitting_risk import Instance


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


class Slow(DecisionTreeClassifier):
    """A tree whose fit takes a twentieth of a second."""

    def fit(self, X, y):
        time.sleep(0.05)
        return super().fit(X, y)


def test_a_limit_leaves_a_choice_among_what_was_tried():
    """A selection that goes on when its time is over, takes untried settings for good, or has no answer."""
    X, y = load_iris(return_X_y=True)
    instances = [Instance(X[::2], y[::2], X[1::2], y[1::2])]
    grid = GridFamily("grid", Slow(), {"max_depth": list(range(1, 200))})
    search = SplitAndPruneFamily(betas=(1, 2), max_depth=3)
    joint_loss(instances, (0.5, 0.6), max_depth=1)
    start = time.perf_counter()
    with pytest.warns(ConvergenceWarning, match="time_limit"):
        found = select_algorithm(instances, [grid, search], budget=Budget(time_limit=1.0))
    assert time.perf_counter() - start < 3.0 and found.status == "time_limit"
    tried = next(choice for choice in found.choices if choice.name == "grid")
    assert tried.status == "time_limit" and 0 < tried.loss < 1 and tried.parameters["max_depth"] < 15
    whole = select_algorithm(instances, [search])
    same = select_algorithm(instances, [search], budget=Budget(time_limit=60))
    assert same.status == whole.status == "optimal" and same.best.parameters == whole.best.parameters
    with pytest.warns(ConvergenceWarning, match="interrupted"):
        none = select_algorithm(instances, [grid, search], budget=Budget(cancel=lambda: True))
    assert none.status == "interrupted" and len(none.choices) == 1


def test_the_only_fit_counts_though_it_ended_late():
    """A finished fit thrown away, or one that ended after the time preferred to one that did not."""
    X, y = load_iris(return_X_y=True)
    instance = Instance(X[::2], y[::2], X[1::2], y[1::2])

    def family(*depths):
        return GridFamily("CART", DecisionTreeClassifier(random_state=0), {"max_depth": depths})

    def choice(budget, *depths):
        with pytest.warns(ConvergenceWarning, match="interrupted"):
            return select_algorithm(instance, [family(*depths)], budget=budget).best

    def after(n_looks):  # a cancel that is found after so many looks
        looks = iter([False] * n_looks)
        return Budget(cancel=lambda: next(looks, True))

    one = choice(after(1), 1)
    assert one.loss == family(1).choose([instance], 0.0, None).loss and one.status == "interrupted"
    # the first setting ends in time, the second late and with less loss
    assert choice(after(3), 1, 3).parameters == {"max_depth": 1}


class Impatient(DecisionTreeClassifier):
    """Ctrl-C comes while the third setting is fitted."""

    def fit(self, X, y):
        if self.max_depth == 3:
            raise KeyboardInterrupt
        return super().fit(X, y)


@pytest.mark.parametrize(("n_jobs", "shares"), [(None, [1, 1, 1]), (2, [0.5, 0.5, 0.5])])
def test_searches_at_the_same_time_share_the_memory(instances, monkeypatch, n_jobs, shares):
    """Searches that together take more than the limit."""
    limits = {}

    def search(*arguments, beta, budget, **options):
        limits[beta] = budget.memory_limit
        return joint_loss(*arguments, beta=beta, budget=budget, **options)

    monkeypatch.setattr(selection, "joint_loss", search)
    SplitAndPruneFamily(betas=(1, 2, 3), max_depth=2).choose(instances, 0.0, n_jobs, Budget(memory_limit=1e9))
    assert [limits[beta] / 1e9 for beta in (1, 2, 3)] == pytest.approx(shares)


def test_ctrl_c_keeps_what_was_done():
    """Hours of fits lost to an impatient reader, with a budget or without."""
    X, y = load_iris(return_X_y=True)
    instance = Instance(X[::2], y[::2], X[1::2], y[1::2])
    done = GridFamily("done", DecisionTreeClassifier(random_state=0), {"max_depth": [1]})
    half = GridFamily("half", Impatient(random_state=0), {"max_depth": [1, 2, 3, 4]})
    never = GridFamily("never", Impatient(), {"max_depth": [3, 1]})
    for budget in (None, Budget(time_limit=100)):
        with pytest.warns(ConvergenceWarning, match="interrupted"):
            found = select_algorithm(instance, [done, half, done], budget=budget)
        assert found.best.parameters == {"max_depth": 2} and len(found.choices) == 2
        with pytest.warns(ConvergenceWarning, match="interrupted"):
            assert select_algorithm(instance, [done, never, half], budget=budget).best.name == "done"
        with pytest.raises(KeyboardInterrupt):
            select_algorithm(instance, [never, done], budget=budget)


def test_progress_tells_what_is_done(capsys):
    """A long choice without a word, or words that nobody asked for."""
    X, y = load_iris(return_X_y=True)
    family = GridFamily("CART", DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2]})
    select_algorithm(Instance(X, y), [family], budget=Budget())
    assert capsys.readouterr().err == ""
    select_algorithm(Instance(X, y), [family], budget=Budget(verbose=True))
    said = capsys.readouterr().err
    assert "CART: 2 of 2 settings, least loss 0.04" in said and "1 of 1 families" in said.splitlines()[-1]
