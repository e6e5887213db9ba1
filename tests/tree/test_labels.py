"""Numbers that a tree shows to people."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

from treelib import (
    DyadicTreeClassifier,
    OptimalSparseTreeClassifier,
    TopDownForestClassifier,
    TopDownTreeClassifier,
    TopDownTreeRegressor,
    Tree,
)
from treelib.tree import formats
from treelib.tree.drawing import plot_tree
from treelib.tree.labels import Labels


@pytest.mark.parametrize(
    ("threshold", "text"),
    [
        (150972.5, "150972.5"),
        (20100650.0, "20100650"),
        (1789.5, "1789.5"),
        (-1789.5, "-1789.5"),
        (12345.678, "12345.68"),
        (957.5, "957.5"),
        (0.15075, "0.15075"),
        (1e13, "1e+13"),
        (0.0, "0"),
    ],
)
def test_large_thresholds_are_written_out(threshold, text):
    """A rounded threshold that names other rows than the tree."""
    tree = Tree.from_nested(("x", threshold, [2, 8], [30, 10]), feature_names=["x"])
    assert f"x <= {text}:" in tree.to_text()
    assert f"x <= {text}" in tree.to_rules()[0]
    assert text in tree.to_dot() and text in tree.to_svg()


def test_a_shown_threshold_parts_the_rows_as_the_tree_does():
    """Counts of dates, codes and platelets in the hundred thousands: 1.51e+05 is no rule."""
    rng = np.random.default_rng(0)
    X = rng.integers(150_000, 152_000, (500, 1)).astype(float)
    tree = OptimalSparseTreeClassifier(0.01).fit(X, X[:, 0] > 150_973).tree_
    shown = float(Labels(tree).threshold[0])
    assert np.array_equal(X[:, 0] <= shown, X[:, 0] <= tree.threshold[0])


MODELS = (
    OptimalSparseTreeClassifier(0.001, max_depth=3),
    TopDownTreeClassifier(max_depth=4),
    DyadicTreeClassifier(),
)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
@pytest.mark.parametrize("values", ["offset", "steps", "noise", "tiny", "seconds"])
def test_every_shown_threshold_parts_the_training_rows(model, values):
    """A number of four digits in a column whose values agree in six; also after JSON and pickle."""
    rng = np.random.default_rng(1)
    x = {
        "offset": 52.5200 + rng.integers(0, 400, 300) / 1e5,
        "steps": rng.choice([1.08414, 1.08428, 1.08463, 1.08471, 7.0], 300),
        "noise": rng.normal(size=300),
        "tiny": 1e-9 * (1 + rng.integers(0, 50, 300) / 1e4),
        "seconds": 1.7e9 + rng.integers(0, 200, 300) / 100,
    }[values]
    X = np.c_[x, rng.normal(size=300)]
    tree = model.fit(X, (x > np.median(x)) ^ (X[:, 1] > 1)).tree_
    for one in (tree, Tree.from_json(tree.to_json()), pickle.loads(pickle.dumps(tree))):
        shown = Labels(one).threshold
        assert one.n_leaves > 1 and one.digits == tree.digits
        for node in np.flatnonzero(~one.is_leaf):
            column = X[:, one.feature[node]]
            assert np.array_equal(column <= float(shown[node]), column <= one.threshold[node]), shown[node]


def test_numbers_are_no_flags():
    """A temperature from -3 to 3, split at 0.5: "not temperature". A flag that is asked as a number."""
    x, flag = np.tile([-3.0, 0, 1, 3], 30), np.repeat([0, 1], 60)
    X = pd.DataFrame({"temperature": x, "rain": flag})
    for model in (OptimalSparseTreeClassifier(0.001), TopDownTreeClassifier()):
        text = str(model.fit(X, (x > 0.5) ^ flag).tree_)
        assert "temperature <= 0.5" in text and "not temperature" not in text and "not rain" in text
        assert dict(model.tree_.digits)[1] == 0


def test_a_test_of_a_category_says_its_opposite():
    """A test "insured = false" with branches "no" and "yes", which say the opposite of the value."""
    names = ("insured = false", "colour in {a, b}", "wind is missing")
    nested = (0, 0.5, (1, 0.5, 0, 1), (2, 0.5, 1, 0))
    tree = Tree.from_nested(nested, feature_names=names, class_names=("dry", "wet"))
    first = tree.to_rules()[0]
    assert first == "if insured != false and colour not in {a, b} then dry"
    assert "if insured = false and wind is not missing then wet" in tree.to_rules()
    for drawing in (tree.to_dot(), tree.to_svg(), "".join(text.get_text() for text in tree.plot().texts)):
        assert "≠ false" in drawing and "= false" in drawing


def test_digits_are_checked():
    """Digits of a column that is not there, or in JSON something that is no pair."""
    tree = Tree.from_nested((0, 0.1234567, 0, 1))
    with pytest.raises(ValueError, match="digits must hold pairs of a column below 1"):
        tree.replace(digits=[(1, 5)])
    with pytest.raises(ValueError, match="digits"):
        Tree.from_json(tree.replace(digits=[(0, 5)]).to_json().replace("[[0, 5]]", "[[0, 5, 1]]"))


def test_digits_that_are_asked_for_stay():
    """An exact threshold that is rounded, and a mean of a large target with an exponent."""
    tree = Tree.from_nested(("x", 1234.56789, 150_972.53, 3.0), feature_names=["x"], is_regression=True)
    assert "1234.56789" in tree.to_text(digits=None) and "1234.57" in tree.to_text(digits=6)
    assert "150972.5" in tree.to_text()


def test_every_form_says_where_missing_values_go():
    """A rule "if age <= 4.5", two of whose six rows are missing."""
    age = [1, 2, 3, 4, np.nan, np.nan, 5, 6, 7, 8]
    tree = TopDownTreeClassifier().fit(pd.DataFrame({"age": age}), [0] * 6 + [1] * 4).tree_
    assert tree.to_rules() == [
        "if (age <= 4.5 or missing) then 0 (6 samples, 0 errors)",
        "if (age > 4.5 and not missing) then 1 (4 samples, 0 errors)",
    ]
    assert "(age <= 4.5 or missing): 0" in tree.to_text()
    drawn = [text.get_text() for text in tree.plot().texts]
    assert "≤ 4.5 or missing" in drawn
    for drawing in (tree.to_dot(), tree.to_svg()):
        assert "≤ 4.5 or missing" in drawing and "> 4.5 or" not in drawing
    right = tree.replace(missing_go_to_left=[0, 0, 0])
    assert "missing" not in right.to_text() + right.to_svg() + right.to_dot() + "".join(right.to_rules())
    assert tree.to_rules(missing=False)[0].startswith("if age <= 4.5 then")


def test_nothing_is_said_of_columns_that_missed_nothing():
    """Words on missing values at every split, where one column of three misses some; a lost note of it."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, (300, 3)).astype(float)
    X[rng.random(300) < 0.3, 1] = np.nan
    y = (X[:, 0] > 2) ^ (np.nan_to_num(X[:, 1], nan=0.0) > 2) ^ (X[:, 2] > 1)
    tree = TopDownTreeClassifier(max_depth=6, ccp_alpha=0.001).fit(X, y).tree_
    forest = TopDownForestClassifier(n_estimators=2, max_depth=5, random_state=0).fit(X, y)
    assert (
        tree.missing_go_to_left[tree.feature != 1].any() and tree.missing_go_to_left[tree.feature == 1].any()
    )
    for one in (tree, *forest.trees_, pickle.loads(pickle.dumps(tree)), Tree.from_json(tree.to_json())):
        assert one.features_with_missing == (1,)
        said = {line.split("x[")[1][0] for line in one.to_text().splitlines() if "missing" in line}
        assert said == {"1"}
    unknown = tree.replace(features_with_missing=None)
    assert len({line.split("x[")[1][0] for line in unknown.to_text().splitlines() if "missing" in line}) > 1
    with pytest.raises(ValueError, match="features_with_missing must hold columns from 0 to 2"):
        tree.replace(features_with_missing=[3])


def test_forms_take_a_fitted_estimator():
    """An AttributeError where the page on deploying promises any fitted estimator."""
    frame = pd.DataFrame({"my cat": pd.Categorical(["a", "b", "a", "b"]), "x": [1.0, 2.0, 3.0, 4.0]})
    model = TopDownTreeClassifier().fit(frame, [0, 1, 0, 1])
    for write in (formats.to_text, formats.to_rules, formats.to_json, formats.to_dot, formats.to_svg):
        assert write(model) == write(model.tree_)
        for wrong in (TopDownTreeClassifier(), DecisionTreeClassifier().fit([[0], [1]], [0, 1])):
            with pytest.raises(TypeError, match=r"is no Tree and holds none; give a Tree"):
                write(wrong)
    assert [t.get_text() for t in plot_tree(model).texts] == [t.get_text() for t in model.tree_.plot().texts]


def test_scikit_learn_takes_a_fitted_estimator():
    """An AttributeError where all other formats take an estimator; classes that get lost; a forest."""
    X, y = [[-3.0], [-1.0], [2.5]] * 4, ["left", "right", "right"] * 4
    model = OptimalSparseTreeClassifier(0.01).fit(X, y)
    assert formats.to_sklearn(model).predict(X).tolist() == y
    numbers = TopDownTreeRegressor().fit(X, [1.0, 2.0, 4.0] * 4)
    assert formats.to_sklearn(numbers).predict(X).tolist() == [1.0, 2.0, 4.0] * 4
    categories = TopDownTreeClassifier().fit(pd.DataFrame({"c": pd.Categorical([*"abba"])}), [0, 1, 1, 0])
    with pytest.raises(ValueError, match="encodes categories"):
        formats.to_sklearn(categories)
    with pytest.raises(TypeError, match="is no Tree and holds none"):
        formats.to_sklearn(DecisionTreeClassifier().fit(X, y))


def test_white_space_that_tells_values_apart_is_shown():
    """Two categories, or two classes, that are written alike."""
    values = ["a", "a ", "a  b", "a   b", "a\nb"]
    frame = pd.DataFrame({"c": pd.Categorical(values * 4)})
    model = TopDownTreeClassifier().fit(frame, values * 4)
    shown = ["a", '"a "', '"a  b"', '"a   b"', r'"a\nb"']
    assert set(model.tree_.feature_names) == {f"c = {value}" for value in shown}
    features = {Labels(model.tree_).feature(node) for node in range(5)}
    assert features == set(model.tree_.feature_names)
    answers = {rule.split(" then ")[1].split(" (")[0] for rule in model.tree_.to_rules()}
    assert answers == set(shown)
