"""Compressed ensembles against every set of trees on every cell, and the parts of the search by
themselves."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.ensemble import AdaBoostClassifier, GradientBoostingClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from tests.strategies.tree import trees
from tests.suites.limits.measuring import work_after
from tests.twins.bornagain.compress import every_cell, fewest_trees
from treelib import BornAgainTreeClassifier, Tree
from treelib.bornagain.boosting.scored import ScoredEnsemble
from treelib.bornagain.compression import compress
from treelib.bornagain.compression.cover import Cover
from treelib.bornagain.compression.rows import MARGIN
from treelib.bornagain.compression.separate import Separation
from treelib.bornagain.compression.space import Space
from treelib.bornagain.ensemble.from_sklearn import from_sklearn
from treelib.bornagain.ensemble.voting import Ensemble
from treelib.search.budget import Budget

CUTS = (0.0, 0.5, 2.0)
WHOLE = (-3, -2, -1, 0, 1, 2, 3)


@st.composite
def ensembles(draw, most=5):
    """Small ensembles: votes with weights, or scores (whole, float32 or float64) with a base."""
    shapes = trees(regression=False, missing=False, thresholds=CUTS)
    some = draw(st.lists(shapes, min_size=1, max_size=most))
    some = [tree for tree in some if tree.n_classes == some[0].n_classes]
    if draw(st.booleans()):
        weights = draw(st.lists(st.sampled_from([1.0, 2.0, 3.0]), min_size=len(some), max_size=len(some)))
        return Ensemble(some, weights)
    n_classes = draw(st.integers(2, 3))
    kind = draw(st.sampled_from([np.int64, np.float32, np.float64]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))

    def scores(n):
        found = rng.choice(WHOLE, size=(n, n_classes))
        return (found if kind == np.int64 else found + rng.normal(size=found.shape)).astype(kind)

    tables = [scores(tree.n_nodes) for tree in some]
    rule = draw(st.sampled_from(["largest", "softmax"])) if kind != np.int64 else "largest"
    return ScoredEnsemble(some, tables, scores(1)[0], rule=rule)


@settings(max_examples=60)
@given(ensembles())
def test_no_set_of_trees_is_smaller(ensemble):
    """A class changed somewhere, a bound above the optimum, or a set of trees that is not the smallest."""
    found = compress(ensemble)
    points, classes = every_cell(ensemble)
    np.testing.assert_array_equal(found.ensemble.predict(points), classes)
    smallest = fewest_trees(ensemble, MARGIN)
    assert found.lower_bound <= smallest == found.n_trees
    assert found.is_optimal or found.status == "margin"


@settings(max_examples=60)
@given(ensembles(), st.integers(0, 2**32 - 1))
def test_separation_finds_a_difference_iff_there_is_one(ensemble, seed):
    """A bound that throws away a box with a difference, or a cell that is called different and is not."""
    rng = np.random.default_rng(seed)
    space = Space(ensemble)
    factor = rng.choice([0, 1, 1, 1, 2], size=space.n_roots)
    root = np.repeat(np.arange(space.n_roots), np.diff(space.forest.first))
    votes = np.rint(space.votes * factor[root][:, None] * 1024).astype(np.int64)
    other = space.forest._replace(votes=votes, divisor=np.ones(1))
    from treelib.bornagain.regions.levels import classes_at

    shape = space.n_levels + 1
    cells = np.stack(np.unravel_index(np.arange(shape.prod()), shape), axis=1).astype(np.int64)
    differs = classes_at(other, cells) != space.classes(cells)
    proof, n_found, is_whole = Separation(space, votes, 3), 0, False
    while not is_whole:
        some, is_whole = proof.run(Budget())
        n_found += len(some)
        assert (classes_at(other, some) != space.classes(some)).all()
    assert (n_found > 0) == differs.any()


@settings(max_examples=50)
@given(st.lists(st.sets(st.integers(0, 5), min_size=1), max_size=8))
def test_cover_is_the_smallest(sets):
    """A cover that misses a set, or a bound that is not the size of the smallest."""
    cover = Cover(6)
    for one in sets:
        cover.add(np.isin(np.arange(6), list(one)))
    chosen, bound = cover.fewest(10.0)
    assert all(one & set(np.flatnonzero(chosen).tolist()) for one in sets)
    smallest = min(
        bin(some).count("1") for some in range(64) if all(any(some >> t & 1 for t in one) for one in sets)
    )
    assert chosen.sum() == bound == smallest


@pytest.mark.parametrize(
    "model",
    [
        AdaBoostClassifier(n_estimators=20, random_state=0),
        GradientBoostingClassifier(n_estimators=4, max_depth=2, random_state=0),
        RandomForestClassifier(8, max_depth=2, random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
def test_compressed_model_and_its_tree_predict_as_the_model(model):
    """A compressed ensemble that loses the labels of the classes, or that cannot be reborn."""
    X, y = load_iris(return_X_y=True)
    labels = np.array(["a", "b", "c"])[y]
    model.fit(X, labels)
    found = compress(model, X)
    reborn = BornAgainTreeClassifier().from_ensemble(model)
    again = BornAgainTreeClassifier().from_ensemble(found.ensemble)
    np.testing.assert_array_equal(found.ensemble.classes[found.ensemble.predict(X)], reborn.predict(X))
    assert again.tree_.max_depth == reborn.tree_.max_depth and again.certify()
    assert reborn.tree_.same_function(again.tree_, missing=False)
    assert len(found.weights) == found.n_trees == len(found.kept)
    assert found.n_trees <= found.n_original


def test_equal_trees_become_one():
    """A sum of equal trees that is not seen to be one tree with a weight."""
    stumps = [Tree.from_nested((0, 1.0, 0, 1))] * 5
    found = compress(stumps)
    assert found.is_optimal and found.n_trees == 1 and found.margin == 0.0
    assert repr(found).startswith("<Compressed: 1 of 5 trees, the fewest")


def test_one_class_everywhere_needs_no_tree():
    """A constant ensemble that keeps a tree, or one whose rare class no sample meets taken for constant."""
    constant = compress([Tree.from_nested((0, 1.0, 1, 1))])
    assert (constant.n_trees, constant.ensemble.predict([[5.0]]).tolist()) == (0, [1])
    rare = 0
    for j in range(30):  # one cell of 2**30
        rare = (j, 0.5, 1, rare)
    found = compress([Tree.from_nested(rare, n_features=30)])
    point = np.ones((1, 30))
    assert found.n_trees == 1
    assert found.ensemble.predict(np.concatenate([point, 0 * point])).tolist() == [0, 1]


def test_limit_returns_the_best_certified_ensemble():
    """A limit that ends in an error, or in an ensemble that nobody certified."""
    X, y = load_iris(return_X_y=True)
    model = RandomForestClassifier(20, max_depth=4, random_state=0).fit(X, y)
    found = compress(model, X, time_limit=1e-6)
    assert found.status == "time_limit" and found.n_trees == 20 and found.lower_bound <= 20
    stopped = compress(model, X, budget=Budget(cancel=lambda: True))
    assert stopped.status == "interrupted" and not stopped.is_optimal


def test_a_tree_of_thousands_of_leaves_keeps_the_limit():
    """Walks along the lines of 4,000 thresholds that nothing interrupts: 4 s late."""
    X = np.arange(4000.0)[:, None]
    model = DecisionTreeClassifier(random_state=0).fit(X, np.arange(4000) % 2)
    compress(model, time_limit=0.01)  # compiles
    for limit in (0.05, 0.5):
        late, found = work_after(limit, lambda limit=limit: compress(model, time_limit=limit))
        assert late < 1 and found.status == "time_limit" and found.n_trees == 1


def test_steps_change_no_cell(monkeypatch):
    """A step that forgets a cell, or begins the random numbers or the counts anew."""
    X, y = load_iris(return_X_y=True)
    ensemble = from_sklearn(RandomForestClassifier(5, max_depth=4, random_state=0).fit(X, y))

    def looked_at():
        space = Space(ensemble)
        cells = space.sample(300, 0, X)
        classes = space.classes(cells)
        votes = np.roll(space.forest.votes, 1, axis=1)
        found = space.leaves(cells), *space.neighbours(cells, classes, 200, 1), *space.crossings(cells, 5)
        return classes, space.differences(votes, cells), *found

    whole = looked_at()
    monkeypatch.setattr("treelib.bornagain.compression.space._STEP_VISITS", 500)
    assert all(map(np.array_equal, whole, looked_at()))


def test_what_missing_values_do_is_said():
    """A proof that is taken to hold for missing values where it does not."""
    plain, left = Tree.from_nested((0, 1.0, 0, 1)), Tree.from_nested((0, 1.0, 0, 1, 1))
    assert compress([plain]).covers_missing and not compress([left]).covers_missing


def test_whole_weights_of_large_scores_do_not_overflow():
    """Sums beyond 2**62 of whole weights and scores of AdaBoost, which are large themselves."""
    random = np.random.default_rng(0)
    for _ in range(27):
        X = random.integers(0, 4, (60, 2)).astype(float)
        y = ((X.sum(axis=1) + random.integers(0, 3, 60)) % 2).astype(int)
    model = AdaBoostClassifier(n_estimators=5, random_state=0).fit(X, y)
    small = compress(model)
    grid = np.array(list(product(np.arange(-0.5, 4.0, 0.5), repeat=2)))
    assert (small.ensemble.classes[small.ensemble.predict(grid)] == model.predict(grid)).all()


def test_what_was_compressed_is_taken_for_its_ensemble():
    """An AttributeError about tags of scikit-learn where `from_ensemble` gets what `compress` returns."""
    stump, other = Tree.from_nested((0, 1.0, 0, 1), 2), Tree.from_nested((1, -2.0, 1, 0), 2)
    small = compress([stump, stump, stump, other])
    tree = BornAgainTreeClassifier().from_ensemble(small).tree_
    assert tree.same_function(BornAgainTreeClassifier().from_ensemble(small.ensemble).tree_)


@pytest.mark.parametrize("names", [("petal length", "sepal  width"), ("petal_length", "sepal width")])
def test_names_that_lightgbm_spells_otherwise_are_known(names):
    """A frame of the training refused, since LightGBM writes underscores for the blanks in its names."""
    trees = [Tree.from_nested((0, 1.5, 0, 1), n_features=2)]
    spelled = [name.replace(" ", "_") for name in names]
    scores = [np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])]
    ensemble = ScoredEnsemble(trees, scores, np.zeros(2), feature_names=spelled, source="LightGBM")
    model = BornAgainTreeClassifier().from_ensemble(ensemble)
    X = pd.DataFrame([[1.0, 5.0], [2.0, 5.0]], columns=names)
    assert model.predict(X).tolist() == [0, 1] == model.predict(X.set_axis(spelled, axis=1)).tolist()
    assert list(X.columns) == list(names)
    with pytest.raises(ValueError, match="feature names"):
        model.predict(X[list(names[::-1])])
    with pytest.raises(ValueError, match="feature names"):
        model.predict(X.set_axis(["petal-length", spelled[1]], axis=1))
