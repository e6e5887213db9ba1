"""Numbers that a tree shows to people."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

from treelib import OptimalSparseTreeClassifier, TopDownForestClassifier, TopDownTreeClassifier, Tree
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
        (12345.678, "12345.7"),
        (957.5, "957.5"),
        (0.15075, "0.1507"),
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
