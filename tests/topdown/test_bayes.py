"""Bayesian trees: the sampler against the listed posterior, the estimator, the diagnostics."""

import itertools
import pickle
import re
import tracemalloc
import warnings
from concurrent.futures import wait

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning

from tests.twins.topdown.bayesian import posterior
from treelib.search.budget import Budget
from treelib.topdown.bayes import draws as draws_module
from treelib.topdown.bayes import estimator as bayesian
from treelib.topdown.bayes.chain import LEFT, RIGHT, RULE, run_chain, start_chain
from treelib.topdown.bayes.diagnostics import disagreement, effective_sample_size, split_r_hat
from treelib.topdown.bayes.estimator import BayesianTreeClassifier, new_chain
from treelib.tree import formats

PROBLEMS = {
    "one feature": ([[0], [1], [1], [2], [3]], [0, 0, 1, 1, 0], 4, 1),
    "two features": ([[0, 1], [1, 0], [1, 2], [2, 1], [0, 0], [2, 2]], [0, 1, 2, 1, 0, 1], 3, 1),
    # here most of the probability is on trees with two prunable nodes, and siblings of one rule
    "exclusive or": (
        [[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)],
        [0, 0, 1, 1, 1, 1, 0, 0],
        5,
        1,
    ),
    "small leaves forbidden": ([[0, 1], [1, 0], [1, 2], [2, 1], [0, 0], [2, 2]], [0, 1, 0, 1, 0, 1], 4, 2),
}


def small_problem(name):
    """Data of the kernels, and the listed posterior."""
    X, y, max_leaves, min_rows = PROBLEMS[name]
    model = BayesianTreeClassifier(0.8, 0.7, max_leaf_nodes=max_leaves, min_samples_leaf=min_rows)
    X, y = np.array(X, dtype=float), np.array(y)
    model.concentration = np.linspace(0.5, 1.5, y.max() + 1)
    model.classes_ = np.unique(y)
    weights = np.linspace(1, 2, len(y))
    data = model._data(X, y, weights, Budget())
    goes_left = X[:, data.rule_feature].T <= data.rule_threshold[:, None]
    listed = posterior(goes_left, y, weights, model.concentration, 0.8, 0.7, max_leaves, min_rows)
    return data, 2 * max_leaves - 1, *listed


def shape(chain, slot=0):
    rule = int(chain.nodes[RULE, slot])
    if rule < 0:
        return None
    return rule, shape(chain, chain.nodes[LEFT, slot]), shape(chain, chain.nodes[RIGHT, slot])


@pytest.mark.parametrize("name", PROBLEMS)
def test_chain_samples_the_listed_posterior_in_detailed_balance(name):
    """A wrong acceptance ratio of any move, a likelihood that lags behind the tree, trees that are never met.

    Long runs only see that the posterior is stationary, and slow ones not even that. The probability of each
    step and of the way back, as counted, must have the ratio that the listed posterior demands.
    """
    data, capacity, probability, joint = small_problem(name)
    chain = new_chain(data, capacity, (1, 2))
    start_chain(data, chain, 0.8, 0.7)
    n_steps = 120_000
    visits, flow = dict.fromkeys(probability, 0), {}
    before = shape(chain)
    for _ in range(n_steps):
        run_chain(data, chain, 1)
        now = shape(chain)
        visits[now] += 1  # a KeyError is a tree of probability 0
        if now != before:
            flow[before, now] = flow.get((before, now), 0) + 1
        before = now
    distance = sum(abs(visits[tree] / n_steps - p) for tree, p in probability.items()) / 2
    assert distance < 0.05
    squares = []
    for (a, b), there in flow.items():
        back = flow.get((b, a), 0)
        if repr(a) < repr(b) and min(there, back) >= 20:
            found = np.log(there / visits[a]) - np.log(back / visits[b])
            squares.append((found - joint[b] + joint[a]) ** 2 / (1 / there + 1 / back))
    assert len(squares) > 10
    assert sum(squares) < len(squares) + 4 * np.sqrt(2 * len(squares))
    # the log posterior is carried along move by move; at the end it must still be that of the tree
    constant = {key: joint[key] for key in (shape(chain), None)}
    assert chain.log_posterior[0] == pytest.approx(constant[shape(chain)], abs=1e-8)
    assert chain.log_posterior[1] == pytest.approx(max(joint.values()), abs=1e-8)


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from([0.3, 0.95]),
    st.sampled_from([0.0, 0.5, 2.0]),
    st.integers(1, 4),
    st.integers(1, 2),
)
def test_every_tree_met_has_its_log_posterior(seed, sigma, phi, max_leaves, min_rows):
    """A tree of probability 0, or a likelihood or prior that a move leaves behind."""
    rng = np.random.default_rng(seed)
    n, p, n_classes = rng.integers(1, 8), rng.integers(1, 3), rng.integers(1, 4)
    X, y = rng.integers(0, 3, (n, p)).astype(float), rng.integers(0, n_classes, n)
    X[rng.random((n, p)) < rng.choice([0.0, 0.2])] = np.nan
    weights = rng.choice([0.5, 1.0, 3.0], n)
    model = BayesianTreeClassifier(sigma, phi, max_leaf_nodes=max_leaves, min_samples_leaf=min_rows)
    model.concentration, model.classes_ = rng.uniform(0.3, 2, n_classes), np.arange(n_classes)
    data = model._data(X, y, weights, Budget())
    goes_left = X[:, data.rule_feature].T <= data.rule_threshold[:, None]
    joint = posterior(goes_left, y, weights, model.concentration, sigma, phi, max_leaves, min_rows)[1]
    chain = new_chain(data, 2 * max_leaves - 1, tuple(int(part) for part in rng.integers(1, 2**31, 2)))
    start_chain(data, chain, sigma, phi)
    highest = -np.inf
    for _ in range(150):
        run_chain(data, chain, 1)
        assert chain.log_posterior[0] == pytest.approx(joint[shape(chain)], abs=1e-8)
        highest = max(highest, joint[shape(chain)])
    assert chain.log_posterior[1] == pytest.approx(highest, abs=1e-8) or highest < joint[None]


def test_threads_and_repetition_change_nothing():
    """Random numbers that depend on threads, chunks, or global state."""
    X, y = load_wine(return_X_y=True)
    one = BayesianTreeClassifier(n_iter=2000, random_state=3).fit(X, y)
    two = BayesianTreeClassifier(n_iter=2000, random_state=3, n_jobs=2).fit(X, y)
    assert np.array_equal(one.log_posterior_, two.log_posterior_) and one.tree_ == two.tree_
    assert np.array_equal(one.predict_proba(X), two.predict_proba(X))
    other = BayesianTreeClassifier(n_iter=2000, random_state=4).fit(X, y)
    assert not np.array_equal(one.log_posterior_, other.log_posterior_)


@pytest.mark.parametrize("prediction", ["mean", "best", "last"])
def test_predictions_come_from_the_trees(prediction):
    """The wrong tree, counts without the prior, or a forest that reads the wrong child."""
    X, y = load_iris(return_X_y=True)
    model = BayesianTreeClassifier(n_iter=2000, prediction=prediction, random_state=0, concentration=0.5).fit(
        X, y
    )
    probabilities = model.predict_proba(X)
    assert np.allclose(probabilities.sum(axis=1), 1) and model.score(X, y) > 0.9
    if prediction == "mean":
        forest, expected = model.forest_, np.zeros_like(probabilities)
        for root, share in zip(forest.roots, forest.shares, strict=True):
            for row, x in enumerate(X):
                node = root
                while forest.feature[node] >= 0:
                    goes_left = x[forest.feature[node]] <= forest.threshold[node]
                    node = node + 1 if goes_left else forest.right[node]
                expected[row] += share * forest.probabilities[node]
        assert np.allclose(probabilities, expected)
    else:
        value = model.tree_.predict_value(X) + 0.5
        assert np.allclose(probabilities, value / value.sum(axis=1, keepdims=True))
        assert model.tree_.n_leaves == 1 or np.array_equal(model.predict(X), model.tree_.predict(X))


def test_prior_decides_without_data():
    """A prior that is ignored: one row leaves the prior as it is, and no rule to split by."""
    model = BayesianTreeClassifier(random_state=0, n_iter=100).fit([[1.0]], ["a"])
    assert model.n_rules_ == 0 and model.tree_.n_leaves == 1 and model.predict([[5.0]]) == ["a"]


def test_larger_trees_with_larger_sigma_and_smaller_phi():
    """sigma and phi in each other's place."""
    X, y = load_breast_cancer(return_X_y=True)
    means = [
        BayesianTreeClassifier(sigma, phi, n_iter=4000, random_state=0).fit(X, y).n_leaves_.mean()
        for sigma, phi in ((0.05, 3.0), (0.95, 3.0), (0.95, 0.1))
    ]
    assert means[0] < means[1] < means[2]


def test_weights_are_repetitions_and_missing_values_split():
    """Weights that only some of the counts see; NaN that raises or goes astray."""
    X, y = load_wine(return_X_y=True)
    X[::7, 0] = np.nan
    weights = np.random.default_rng(0).integers(0, 3, len(y))
    weighted = BayesianTreeClassifier(n_iter=1000, random_state=0).fit(X, y, weights)
    repeated = BayesianTreeClassifier(n_iter=1000, random_state=0).fit(
        X.repeat(weights, axis=0), y.repeat(weights)
    )
    assert np.allclose(weighted.predict_proba(X), repeated.predict_proba(X))
    assert np.isinf(weighted._data(X, y, np.ones(len(y)), Budget()).rule_threshold).sum() == 1


def test_time_limit_keeps_what_was_drawn():
    """A limit that is ignored, or that leaves chains without a tree."""
    X, y = load_breast_cancer(return_X_y=True)
    with pytest.warns(ConvergenceWarning, match="time_limit"):
        model = BayesianTreeClassifier(n_iter=10**9, time_limit=0.2, random_state=0).fit(X, y)
    assert model.status_ == "time_limit" and model.score(X, y) > 0.6
    assert pickle.loads(pickle.dumps(model)).score(X, y) == model.score(X, y)


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_ctrl_c_ends_all_chains(monkeypatch, n_jobs):
    """Chains that wait for a thread and run for hours after Ctrl-C, or draws that are lost with it."""
    X, y = load_breast_cancer(return_X_y=True)
    calls = itertools.count()

    def interrupted(*arguments, **options):
        if next(calls) == 20:
            raise KeyboardInterrupt
        return wait(*arguments, **options)

    monkeypatch.setattr(bayesian, "wait", interrupted)
    model = BayesianTreeClassifier(n_iter=10**9, burn_in=0.0, n_jobs=n_jobs, random_state=0)
    with pytest.warns(ConvergenceWarning, match="interrupted"), pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert model.status_ == "interrupted" and model.score(X, y) > 0.8


@pytest.mark.parametrize("limit", [{"time_limit": 1e-9}, {"memory_limit": 1}])
@pytest.mark.parametrize("has_categories", [False, True])
def test_limit_met_while_the_table_is_read_leaves_a_leaf(limit, has_categories):
    """A limit that is asked only once chains run, or a table that is needed where there was no room."""
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    if has_categories:
        X = X.assign(size=np.where(X["mean area"] > 500, "large", "small"))
    with pytest.warns(ConvergenceWarning, match=next(iter(limit))):
        model = BayesianTreeClassifier(**limit, random_state=0).fit(X, y)
    assert model.status_ == next(iter(limit)) and model.tree_.n_leaves == 1 and model.n_rules_ == 0
    n_class = np.bincount(y)
    np.testing.assert_array_equal(model.tree_.value[0], n_class)
    np.testing.assert_allclose(model.predict_proba(X[:3]), [(n_class + 1) / (len(y) + 2)] * 3)


def test_memory_limit_counts_chains():
    """Nodes of chains that may have as many leaves as there are rows."""
    X = np.random.default_rng(0).random((20_000, 2))
    options = {"max_leaf_nodes": 20_000, "max_thresholds": 5, "memory_limit": "10 MB", "n_chains": 4}
    tracemalloc.start()
    with pytest.warns(ConvergenceWarning, match="memory_limit"):
        BayesianTreeClassifier(**options).fit(X, (X[:, 0] > 0.5).astype(int))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1.05e7


def test_memory_limit_counts_draws():
    """Draws that are held but not counted: the forest of them grows with the time."""
    X, y = load_breast_cancer(return_X_y=True)
    limit = 2e6
    model = BayesianTreeClassifier(n_iter=10**9, burn_in=0.0, memory_limit=limit, n_chains=2, random_state=0)
    tracemalloc.start()
    try:
        with pytest.warns(ConvergenceWarning, match="memory_limit"):
            model.fit(X, y)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert model.status_ == "memory_limit" and model.log_posterior_.shape[1] > 100
    assert peak <= 1.1 * limit + 4 * X.nbytes  # and copies of the data


def test_verbose_shows_progress(capsys):
    """A silent run of minutes, or a count that does not end at the moves that were asked for."""
    X, y = load_breast_cancer(return_X_y=True)
    quiet = BayesianTreeClassifier(n_iter=2000, random_state=0).fit(X, y)
    assert capsys.readouterr().err == ""
    model = BayesianTreeClassifier(n_iter=2000, random_state=0, verbose=1).fit(X, y)
    last = capsys.readouterr().err.splitlines()[-1]
    assert "8,000 of 8,000 moves" in last and f"{model.best_log_posterior_:.2f}" in last
    assert model.best_log_posterior_ == quiet.best_log_posterior_


@pytest.mark.parametrize(
    ("options", "moves", "draws"),
    [
        ({"n_iter": 500}, 500, 25),
        ({"n_iter": 500, "thin": 10**6}, 500, 1),
        ({"n_iter": 500, "burn_in": 0.25, "thin": 100}, 425, 3),
        ({"n_iter": 1}, 1, 1),
    ],
)
def test_a_chain_makes_the_moves_it_is_asked_for(capsys, options, moves, draws):
    """5,000 moves instead of 2,000, or a million where draws are further apart than the chain is long."""
    with pytest.warns(ConvergenceWarning):
        model = BayesianTreeClassifier(random_state=0, verbose=1, **options).fit(*load_iris(return_X_y=True))
    assert f" {4 * moves:,} of {4 * moves:,} moves" in capsys.readouterr().err.splitlines()[-1]
    assert model.log_posterior_.shape == (4, draws)


@pytest.mark.parametrize("options", [{"n_iter": 10}, {"n_iter": 4, "thin": 1, "max_leaf_nodes": 1}])
def test_too_few_draws_are_not_called_converged(options):
    """One draw, which differs from no other."""
    with pytest.warns(ConvergenceWarning, match="too few draws"):
        model = BayesianTreeClassifier(n_chains=1, random_state=0, **options).fit(*load_iris(return_X_y=True))
    assert model.status_ == "not_converged" and np.isnan(model.r_hat_)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        alone = BayesianTreeClassifier(n_chains=1, random_state=0, **options).fit(
            np.ones((4, 1)), [0, 1, 0, 1]
        )
    assert alone.status_ == "converged"


@pytest.mark.parametrize("most", [None, 1, 3])
@pytest.mark.parametrize("block", [1, 40, 10**6])
def test_rules_are_those_of_each_feature_alone(most, block, monkeypatch):
    """A rule lost, moved or given to another feature where many features are sorted at a time."""
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(size=(20, 9)), 1)
    X[rng.random(X.shape) < 0.2] = np.nan
    X[:, 3], X[:, 4], X[:, 5] = np.nan, 1.0, np.where(rng.random(20) < 0.5, -0.0, 0.0)
    X[:2, 6] = np.nextafter(1.0, 2.0), 1.0
    expected = []
    for feature, column in enumerate(X.T):
        known = column[~np.isnan(column)]
        distinct = np.unique(known)
        cuts = [a if a / 2 + b / 2 >= b else a / 2 + b / 2 for a, b in itertools.pairwise(distinct)]
        if most is not None and len(cuts) > most:
            below = np.array([np.mean(known <= cut) for cut in cuts])
            chosen = {int(abs(below - share / (most + 1)).argmin()) for share in range(1, most + 1)}
            cuts = [cuts[k] for k in sorted(chosen)]
        if 0 < len(known) < len(column):
            cuts.append(np.inf)
        expected += [(feature, cut) for cut in cuts]
    monkeypatch.setattr(bayesian, "_BLOCK", block)
    assert list(zip(*bayesian._rules(X, most), strict=True)) == expected


def test_few_thresholds_are_spread_over_the_quantiles():
    """A limit on thresholds that takes the first ones, or none."""
    X = np.random.default_rng(0).exponential(size=(500, 1))
    y = (X[:, 0] > 1).astype(int)
    model = BayesianTreeClassifier(max_thresholds=9, n_iter=100, random_state=0).fit(X, y)
    data = model._data(X, y, np.ones(len(y)), Budget())
    assert model.n_rules_ == 9
    assert np.allclose((X <= data.rule_threshold).mean(axis=0), np.arange(1, 10) / 10, atol=0.01)


def test_diagnostics_know_good_and_bad_chains():
    """R-hat near 1 for chains that disagree; an effective size that ignores autocorrelation."""
    rng = np.random.default_rng(0)
    independent = rng.normal(size=(4, 1000))
    assert abs(split_r_hat(independent) - 1) < 0.01
    assert 3000 < effective_sample_size(independent) < 5000
    assert split_r_hat(independent + np.arange(4)[:, None]) > 1.5
    walk = np.zeros((4, 1000))
    for i in range(1, 1000):  # AR(1) of coefficient 0.9: n (1 - 0.9) / (1 + 0.9) effective draws
        walk[:, i] = 0.9 * walk[:, i - 1] + independent[:, i]
    assert 100 < effective_sample_size(walk) < 400
    assert split_r_hat(np.ones((4, 100))) == 1 and np.isnan(split_r_hat(np.ones((4, 2))))
    assert np.isinf(split_r_hat(np.ones((2, 100)) * [[0], [1]]))


@pytest.mark.parametrize(
    "wrong",
    [
        {"sigma": 0},
        {"burn_in": 1.0},
        {"thin": 1.5},
    ],
)
def test_wrong_parameters_are_named(wrong):
    """Silent nonsense."""
    with pytest.raises(ValueError, match=next(iter(wrong))):
        BayesianTreeClassifier(**wrong).fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(ValueError, match="concentration"):
        BayesianTreeClassifier(concentration=[1.0, 2.0, 3.0]).fit([[0.0], [1.0]], [0, 1])


def test_certain_and_impossible_splits_stay_finite():
    """ln 0 that turns the log posterior into NaN, or takes its digits away."""
    X, y = load_iris(return_X_y=True)
    certain = BayesianTreeClassifier(
        sigma=1.0, phi=2.0, n_iter=1000, min_samples_leaf=60, random_state=0
    ).fit(X, y)
    steep = BayesianTreeClassifier(sigma=0.5, phi=500.0, n_iter=1000, random_state=0).fit(X, y)
    assert np.isfinite(certain.log_posterior_).all() and np.isfinite(steep.log_posterior_).all()
    assert certain.tree_.n_leaves == 2 and steep.tree_.max_depth <= 1


def test_more_leaves_than_rows_are_no_room_wasted():
    """A table for leaves that no row can reach, terabytes of it."""
    X, y = load_iris(return_X_y=True)
    models = [
        BayesianTreeClassifier(max_leaf_nodes=most, n_iter=400, random_state=0) for most in (len(X), 2**40)
    ]
    one, other = (model.fit(X, y).predict_proba(X) for model in models)
    assert np.array_equal(one, other)


def test_chains_that_disagree_are_not_called_done():
    """Status "optimal" at an R-hat of 6 with four independent draws."""
    X, y = load_wine(return_X_y=True)
    model = BayesianTreeClassifier(n_iter=400, n_chains=4, thin=1, random_state=0)
    with pytest.warns(ConvergenceWarning, match="The chains disagree: R-hat"):
        model.fit(X, y)
    assert model.status_ == "not_converged"
    assert model.r_hat_ > 1.1 or model.ess_ < 100


def test_chains_that_agree_say_so():
    """A warning at every fit, which nobody reads any more."""
    X, y = np.repeat([[0.0], [1.0]], 30, axis=0), np.repeat([0, 1], 30)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = BayesianTreeClassifier(n_iter=20_000, n_chains=3, random_state=0).fit(X, y)
    assert model.status_ == "converged"


def test_forest_holds_the_draws_one_after_another(monkeypatch):
    """Trees lost, doubled or shifted where the draws of the chains are put together."""
    made, tree_of = [], draws_module.tree_of

    def remember(*arrays):
        made.append(tree_of(*arrays))
        return made[-1]

    monkeypatch.setattr(draws_module, "tree_of", remember)
    data, room, _, _ = small_problem("two features")
    chain, draws = new_chain(data, room, [3, 5]), draws_module.Draws()
    start_chain(data, chain, 0.8, 0.7)
    n_draws = 200
    for _ in range(n_draws):
        run_chain(data, chain, 2)
        draws.add(chain)
    forest = draws_module.forest_of([draws, draws], data)
    at = 0
    for root, draw in zip(forest.roots, made * 2, strict=True):
        assert root == at
        nodes = slice(at, at + len(draw.rule))
        assert np.array_equal(forest.right[nodes], np.where(draw.right < 0, -1, draw.right + at))
        inner = draw.rule >= 0
        assert np.array_equal(forest.feature[nodes][inner], data.rule_feature[draw.rule[inner]])
        assert np.array_equal(forest.threshold[nodes][inner], data.rule_threshold[draw.rule[inner]])
        assert (forest.feature[nodes][~inner] < 0).all()
        weight = draw.counts + data.concentration
        assert np.array_equal(forest.probabilities[nodes], weight / weight.sum(axis=1, keepdims=True))
        at += len(draw.rule)
    assert len(forest.right) == at and 20 < len(made) < n_draws
    repeats = forest.shares * 2 * n_draws
    assert np.allclose(repeats, np.round(repeats)) and repeats.sum() == pytest.approx(2 * n_draws)


@pytest.mark.parametrize(
    ("r_hat", "ess", "says", "does_not"),
    [
        (1.04, 51.0, "worth 51 independent", "R-hat"),
        (1.6, 500.0, "R-hat is 1.60", "alike"),
        (1.1001, 99.9, "R-hat is 1.1001 .* worth 99 ", "1.10 "),
    ],
)
def test_only_the_condition_that_failed_is_named(r_hat, ess, says, does_not):
    """ "The chains disagree: R-hat 1.04 (at most 1.1)", where only the draws were too few."""
    text = disagreement(r_hat, ess)
    assert re.search(says, text) and does_not not in text


def test_a_mean_of_trees_is_not_written_as_sql():
    """An expression of one tree that predicts otherwise than the model."""
    X, y = load_iris(return_X_y=True)
    model = BayesianTreeClassifier(n_iter=400, random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="predicts with several trees has no SQL"):
        formats.to_sql(model)
    best = BayesianTreeClassifier(n_iter=400, random_state=0, prediction="best").fit(X, y)
    assert formats.to_sql(best).startswith("CASE")


def test_ctrl_c_in_a_short_fit_is_not_lost(monkeypatch):
    """A signal that comes after the last look of the chains, and of which the caller never hears."""
    X, y = load_iris(return_X_y=True)
    asked = []

    def stopped_once(runs, timeout):
        wait(runs)
        asked.append(timeout)
        if len(asked) == 1:
            raise KeyboardInterrupt
        return runs, ()

    monkeypatch.setattr(bayesian, "wait", stopped_once)
    model = BayesianTreeClassifier(n_iter=400, n_chains=2, random_state=0)
    with pytest.raises(KeyboardInterrupt, match="was stopped and keeps the best"):
        model.fit(X, y)
    assert model.status_ == "interrupted" and model.predict(X).shape == y.shape
