"""Importances, paths and pruning of the top-down estimators, against scikit-learn's."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from treelib import (
    TopDownForestClassifier,
    TopDownForestRegressor,
    TopDownTreeClassifier,
    TopDownTreeRegressor,
)


def samples(n_classes=0, n=3000):
    """Data so large and noisy that no two splits of a node of 100 rows are equally good: scikit-learn breaks
    ties at random. Features are numbers of float32, which it keeps."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 5)).astype(np.float32).astype(float)
    mean = np.exp(0.6 * X[:, 0] + 0.4 * X[:, 1] * X[:, 2])
    y = rng.poisson(mean)
    return X, np.minimum(y, n_classes - 1) if n_classes else y.astype(float)


def parts(estimator, X):
    """Training rows that share a leaf: what of a tree does not depend on where thresholds are rounded."""
    leaves = estimator.apply(X)
    return {tuple(np.flatnonzero(leaves == leaf)) for leaf in np.unique(leaves)}


PAIRS = [
    (TopDownTreeClassifier("gini"), DecisionTreeClassifier(random_state=0), 2),
    (TopDownTreeClassifier("gini"), DecisionTreeClassifier(random_state=0), 4),
    (TopDownTreeClassifier("entropy"), DecisionTreeClassifier(criterion="entropy", random_state=0), 3),
    (TopDownTreeRegressor(), DecisionTreeRegressor(random_state=0), 0),
    (TopDownTreeRegressor("poisson"), DecisionTreeRegressor(criterion="poisson", random_state=0), 0),
]


@pytest.mark.parametrize("ours, theirs, n_classes", PAIRS)
@pytest.mark.parametrize("weighted", [False, True])
def test_importances_are_those_of_scikit_learn(ours, theirs, n_classes, weighted):
    """Falls of impurity in another unit, weights left out, or given to other nodes' features."""
    X, y = samples(n_classes)
    weight = np.random.default_rng(1).integers(1, 4, len(y)).astype(float) if weighted else None
    ours = clone(ours).set_params(min_samples_leaf=100).fit(X, y, weight)
    theirs = clone(theirs).set_params(min_samples_leaf=100).fit(X, y, weight)
    assert parts(ours, X) == parts(theirs, X)
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, rtol=0, atol=1e-12)
    expected = theirs.decision_path(X.astype(np.float32)).toarray()
    assert np.array_equal(ours.decision_path(X).toarray().sum(axis=1), expected.sum(axis=1))


@pytest.mark.parametrize("ours, theirs, n_classes", PAIRS)
def test_pruning_gives_the_trees_of_scikit_learn(ours, theirs, n_classes):
    """A price in another unit, a link too few or too many, or impurities of the wrong trees."""
    X, y = samples(n_classes)
    ours = clone(ours).set_params(min_samples_leaf=100)
    theirs = clone(theirs).set_params(min_samples_leaf=100)
    assert parts(clone(ours).fit(X, y), X) == parts(clone(theirs).fit(X, y), X), "before pruning"
    path, known = ours.cost_complexity_pruning_path(X, y), theirs.cost_complexity_pruning_path(X, y)
    distinct = np.append(np.diff(known.ccp_alphas) > 1e-9 * known.ccp_alphas[-1], True)
    np.testing.assert_allclose(path.ccp_alphas[1:], known.ccp_alphas[distinct][1:], rtol=1e-6)
    np.testing.assert_allclose(path.impurities, known.impurities[distinct], rtol=1e-6)
    for ccp_alpha in ((path.ccp_alphas[1:] + path.ccp_alphas[:-1]) / 2)[:: max(1, len(path.ccp_alphas) // 8)]:
        ours.set_params(ccp_alpha=ccp_alpha).fit(X, y)
        theirs.set_params(ccp_alpha=ccp_alpha).fit(X, y)
        assert parts(ours, X) == parts(theirs, X)
        np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, atol=1e-12)


@pytest.mark.parametrize(
    "criterion", ["km", "tsallis", "gamma", "misclassification", lambda p: 1 - (p**2).sum(1)]
)
def test_every_criterion_can_be_pruned(criterion):
    """A criterion whose impurity is counted with another scale than its falls."""
    X, y = load_iris(return_X_y=True)
    model = TopDownTreeClassifier(criterion, alpha=1.5, beta=2, gamma=0.3, min_samples_leaf=3)
    path = model.cost_complexity_pruning_path(X, y)
    assert path.ccp_alphas[0] == 0 and (np.diff(path.ccp_alphas) > 0).all()
    assert (np.diff(path.impurities) > 0).all()
    root = model._criterion().impurity(np.bincount(y))
    assert path.impurities[-1] == pytest.approx(root)
    leaves = [clone(model).set_params(ccp_alpha=a).fit(X, y).get_n_leaves() for a in path.ccp_alphas]
    assert leaves[-1] == 1 and (np.diff(leaves) < 0).all()


def test_path_of_a_row_leads_to_its_leaf():
    """Nodes out of order, of another row, or below the leaf."""
    X, y = load_wine(return_X_y=True)
    model = TopDownTreeClassifier("km", max_leaf_nodes=8).fit(X, y)
    found, leaves = model.decision_path(X), model.apply(X)
    for row in range(0, len(X), 17):
        nodes = found[row].indices
        assert nodes[0] == 0 and leaves[row] in nodes
        assert set(model.tree_.parent[nodes[1:]]) == set(nodes) - {leaves[row]}
    stump = TopDownTreeClassifier(max_depth=0).fit(X, y)
    assert stump.decision_path(X).toarray().tolist() == [[1]] * len(X)
    with pytest.raises(NotFittedError):
        clone(stump).decision_path(X)
    assert not stump.feature_importances_.any()
    with np.errstate(divide="ignore"):
        assert np.array_equal(model.predict_log_proba(X), np.log(model.predict_proba(X)))


def test_categories_of_a_column_are_one_feature():
    """Importances of the encoded features, which the user has never seen."""
    rng = np.random.default_rng(0)
    colour = rng.choice(["red", "green", "blue", "black"], 400)
    frame = pd.DataFrame(
        {"a": rng.normal(size=400), "colour": pd.Categorical(colour), "b": rng.normal(size=400)}
    )
    y = np.isin(colour, ["red", "blue"]) ^ (frame["b"] > 1)
    found = TopDownTreeClassifier().fit(frame, y).feature_importances_
    assert found.shape == (3,) and found.sum() == pytest.approx(1) and found.argmax() == 1


def test_forest_has_the_mean_of_its_trees():
    """Importances that are no mean, lost with pruning; paths of another tree."""
    X, y = load_breast_cancer(return_X_y=True)
    forest = TopDownForestClassifier(n_estimators=300, random_state=0).fit(X, y)
    known = RandomForestClassifier(300, random_state=0).fit(X, y).feature_importances_
    assert forest.feature_importances_.sum() == pytest.approx(1)
    assert np.corrcoef(forest.feature_importances_, known)[0, 1] > 0.9
    whole = TopDownForestClassifier(n_estimators=3, bootstrap=False, max_features=None, max_depth=3).fit(X, y)
    one = TopDownTreeClassifier(max_depth=3).fit(X, y)
    np.testing.assert_allclose(whole.feature_importances_, one.feature_importances_, atol=1e-12)
    found, ends = whole.decision_path(X)
    assert ends.tolist() == [k * one.tree_.n_nodes for k in range(4)]
    assert (found[:, ends[1] : ends[2]] != one.decision_path(X)).nnz == 0
    pruned = TopDownForestClassifier(n_estimators=10, ccp_alpha=0.02, random_state=0).fit(X, y)
    assert pruned.get_n_leaves() < forest.get_n_leaves() / 6 and pruned.score(X, y) > 0.9
    X, y = load_diabetes(return_X_y=True)
    forest = TopDownForestRegressor(n_estimators=20, min_samples_leaf=5, random_state=0).fit(X, y)
    assert forest.feature_importances_.argmax() in (2, 8)


def test_price_is_checked():
    """A negative price, or text, that is taken for none."""
    X, y = load_iris(return_X_y=True)
    for price in (-1, "1", np.inf):
        with pytest.raises(ValueError, match="ccp_alpha"):
            TopDownTreeClassifier(ccp_alpha=price).fit(X, y)
