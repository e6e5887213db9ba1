"""treelib.tree.formats: text, rules, SQL, Graphviz, SVG, JSON and scikit-learn."""

import json
import re
import sqlite3
from xml.etree import ElementTree

import numpy as np
import pytest
import sklearn
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier

from tests.strategies.tree import critical_points, trees
from treelib.tree.formats.json import to_json
from treelib.tree.formats.reading import from_json
from treelib.tree.formats.sklearn import float32_boundary
from treelib.tree.formats.svg import text_width
from treelib.tree.labels import wrap
from treelib.tree.stored import Tree

NASTY = "<b>&\"'\\]]>;-- \n\x00\x1b é漢"
TREE = Tree.from_nested(
    ("priors:>3", 0.5, ("age", 23.5, [3, 20], [70, 9]), [8, 90]),
    feature_names=("age", "priors:>3"),
    class_names=("no", "yes"),
)


# ---- text and rules ------------------------------------------------------------------------------------


def test_text_of_a_small_tree():
    """Would catch branches under the wrong parent, or the sides of a 0/1 feature exchanged."""
    assert TREE.to_text() == "\n".join(
        [
            "Decision tree with 3 leaves, depth 2",
            "├─ not priors:>3",
            "│  ├─ age <= 23.5: yes (23 samples, 3 errors)",
            "│  └─ age > 23.5: no (79 samples, 9 errors)",
            "└─ priors:>3: yes (98 samples, 8 errors)",
        ]
    )
    assert str(TREE) == TREE.to_text()
    assert Tree.from_nested(1).to_text() == "class 1"
    assert "x[0] <= 0.5: 2.5" in Tree.from_nested((0, 0.5, 2.5, 1.0), is_regression=True).to_text(
        yes_no=False
    )


def test_rules_join_the_tests_of_a_feature():
    """Would catch a rule that repeats a feature, or keeps the weaker of two bounds."""
    tree = Tree.from_nested((0, 5, (0, 2, (0, 3, 0, 1), (1, 0.5, 0, 1)), 1), n_features=2)
    assert tree.to_rules() == [
        "if x[0] <= 2 then class 0",
        "if 3 < x[0] <= 2 then class 1",
        "if 2 < x[0] <= 5 and not x[1] then class 0",
        "if 2 < x[0] <= 5 and x[1] then class 1",
        "if x[0] > 5 then class 1",
    ]
    assert Tree.from_nested(0).to_rules() == ["always class 0"]


def test_words_for_missing_values():
    """Would catch a split on missingness that reads like one on infinity."""
    tree = Tree.from_nested((0, np.inf, (0, 1.5, 0, 1, 1), 1))
    assert tree.to_rules() == [
        "if x[0] <= 1.5 then class 0",
        "if (x[0] > 1.5 and not missing) then class 1",
        "if x[0] is missing then class 1",
    ]
    tree = Tree.from_nested((0, 1.5, 0, 1, 1))
    assert tree.to_rules() == [
        "if (x[0] <= 1.5 or missing) then class 0",
        "if (x[0] > 1.5 and not missing) then class 1",
    ]


def test_rules_of_leaves_that_no_row_reaches():
    """Would catch "yes" where a 0/1 feature was asked twice with contrary answers."""
    tree = Tree.from_nested((0, 0.5, (0, 0.5, 0, 1), (0, 0.5, 1, 0)))
    assert tree.to_rules() == [
        "if not x[0] then class 0",
        "if 0.5 < x[0] <= 0.5 then class 1",
        "if 0.5 < x[0] <= 0.5 then class 1",
        "if x[0] then class 0",
    ]


def test_close_thresholds_stay_apart():
    """Would catch rounding that writes two different tests as one."""
    tree = Tree.from_nested((0, 1.00001, 0, (0, 1.00002, 1, 0)))
    assert "x[0] <= 1.00001" in tree.to_text() and "x[0] <= 1.00002" in tree.to_text()
    assert "0.30000000000000004" in Tree.from_nested((0, 0.1 + 0.2, 0, 1)).to_text(digits=None)


def holds(phrase, row):
    """Whether a row meets one condition of a rule; a missing value is larger than every threshold."""
    if phrase in ("always", "never"):
        return phrase == "always"
    x = row[int(re.search(r"x\[(\d+)\]", phrase)[1])]
    inner = re.fullmatch(r"\((.*?)(?: (or|and not) missing)\)", phrase)
    if inner:
        return inner[2] == "or" if np.isnan(x) else holds(inner[1], row)
    if phrase.endswith((" is missing", " is known")):
        return np.isnan(x) == phrase.endswith(" is missing")
    x = np.inf if np.isnan(x) else x
    if " " not in phrase.removeprefix("not "):
        return (x > 0.5) != phrase.startswith("not ")
    low, at_most, more = re.fullmatch(r"(?:(\S+) < )?x\[\d+\](?: <= (\S+))?(?: > (\S+))?", phrase).groups()
    above = [float(bound) for bound in (low, more) if bound is not None]
    return all(x > bound for bound in above) and (at_most is None or x <= float(at_most))


@given(tree=trees(max_leaves=12))
@settings(max_examples=40)
def test_rules_say_what_the_tree_predicts(tree):
    """Would catch two rules that hold for one row, or none; bounds joined wrongly; missing values astray."""
    X = critical_points(tree)
    rules = [
        (re.split(r" and (?!not missing)", start.removeprefix("if ")), answer)
        for start, answer in (
            rule.split(" then ") if " then " in rule else ("always", rule.removeprefix("always "))
            for rule in tree.to_rules(digits=None)
        )
    ]
    for row, expected in zip(X[:: 1 + len(X) // 150], tree.predict(X)[:: 1 + len(X) // 150], strict=True):
        (answer,) = (answer for phrases, answer in rules if all(holds(phrase, row) for phrase in phrases))
        assert float(answer.removeprefix("class ").split()[0]) == expected


@given(tree=trees(max_leaves=20), max_depth=st.integers(0, 4))
@settings(max_examples=40)
def test_what_is_not_written_is_counted(tree, max_depth):
    """Would catch leaves that vanish from an abbreviated text, or a level too many."""
    text = tree.to_text(max_depth=max_depth)
    hidden = [int(n) for n in re.findall(r"… (\d+) leaves, depth \d+", text)]
    shown = tree.is_leaf & (tree.node_depth <= max_depth)
    assert sum(hidden) + shown.sum() == tree.n_leaves
    assert len(hidden) == (~tree.is_leaf & (tree.node_depth == max_depth)).sum()
    assert len(tree.to_rules(max_depth=max_depth)) == shown.sum() + len(hidden)
    if not hidden:
        assert text == tree.to_text()
    for drawing in (tree.to_svg(max_depth=max_depth), tree.to_dot(max_depth=max_depth)):
        assert drawing.count("leaves, depth") >= len(hidden)
    assert f"depth {tree.max_depth}" in text or tree.n_nodes == 1


def test_depths_that_are_none():
    """Would catch an abbreviation by a word or a negative number."""
    for depth in (-1, 1.5, "all", True):
        with pytest.raises(ValueError, match=r"max_depth=.* must be a whole number"):
            TREE.to_text(max_depth=depth)
        with pytest.raises(ValueError, match=r"max_depth=.* must be a whole number"):
            TREE.to_svg(max_depth=depth)


# ---- SQL -----------------------------------------------------------------------------------------------


@given(tree=trees(thresholds=(-1.5, 0.0, 0.5, 2.0, np.inf)))
@settings(max_examples=30)
def test_sql_predicts_the_same_in_a_database(tree):
    """Would catch SQL that sends NULL or ties elsewhere than the tree sends NaN and ties."""
    X = critical_points(tree)
    X = X[~np.isinf(X).any(axis=1)]
    database = sqlite3.connect(":memory:")
    database.execute('CREATE TABLE t ("x0" REAL, "x1" REAL, "x2" REAL)')
    rows = [[None if np.isnan(x) else x for x in row] for row in X.tolist()]
    database.executemany("INSERT INTO t VALUES (?, ?, ?)", rows)
    answers = [row[0] for row in database.execute(f"SELECT {tree.to_sql()} FROM t ORDER BY rowid")]
    np.testing.assert_array_equal(answers, tree.predict(X))


def test_sql_quotes_names():
    """Would catch a class or column name that ends the quotation and becomes code."""
    name = NASTY.replace("\x00", "")
    tree = Tree.from_nested((0, 0.5, 0, 1), feature_names=[name], class_names=["it's", name])
    database = sqlite3.connect(":memory:")
    column = name.replace('"', '""')
    database.execute(f'CREATE TABLE t ("{column}" REAL)')
    database.execute("INSERT INTO t VALUES (0), (1)")
    assert database.execute(f"SELECT {tree.to_sql()} FROM t").fetchall() == [("it's",), (name,)]
    with pytest.raises(ValueError, match="columns has 2 entries; this tree needs 1"):
        tree.to_sql(columns=["a", "b"])


# ---- Graphviz and SVG ----------------------------------------------------------------------------------


def test_dot_has_every_node_and_escapes():
    """Would catch a lost edge, and a name that breaks out of its quotes."""
    tree = TREE.replace(feature_names=('a"; b', "back\\slash"))
    dot = tree.to_dot()
    assert dot.count("->") == tree.n_nodes - 1
    assert '[label="a\\"; b"]' in dot and '[label="back\\\\slash"]' in dot


@given(tree=trees(max_leaves=20))
@settings(max_examples=20)
def test_svg_is_well_formed_and_says_all(tree):
    """Would catch broken XML, or a node, an edge or the accessible name left out."""
    for orientation in ("down", "right"):
        root = ElementTree.fromstring(tree.to_svg(orientation=orientation))
        space = "{http://www.w3.org/2000/svg}"
        assert root.get("role") == "img" and root.get("aria-label") == root.find(f"{space}title").text
        assert len(root.findall(f"{space}path")) == tree.n_nodes - 1
        assert len(root.findall(f"{space}rect[@class='split']")) == tree.n_leaves - 1


def test_svg_escapes_names_and_loads_nothing():
    """Would catch script or markup in a feature name that a page would run."""
    names = ["<script>alert(1)</script>", NASTY]
    svg = TREE.replace(feature_names=names, class_names=names).to_svg(title=NASTY)
    ElementTree.fromstring(svg)
    assert "<script" not in svg and "<b>" not in svg and "\x00" not in svg
    assert not re.search(r"(href|src|url\(|@import)", svg)
    assert "prefers-color-scheme:dark" in svg and "var(--treelib-ink" in svg


def test_html_is_the_svg_in_a_frame_that_scrolls():
    """Would catch a large tree that shrinks to nothing on a phone."""
    html = TREE._repr_html_()
    assert html.startswith('<div style="overflow-x:auto" tabindex="0"') and "min-width:" in html


def test_long_names_are_broken_not_cut():
    """Would catch labels that lose characters, or lines far beyond the width."""
    assert wrap("juvenile-misdemeanors:=0") == ["juvenile-", "misdemeanors:=0"]
    assert wrap("petal length (cm)") == ["petal length (cm)"]
    assert wrap("") == [""]
    assert wrap("x" * 90) == ["x" * 59 + "…"]
    assert text_width("mm", 10) > text_width("ii", 10)


# ---- JSON ----------------------------------------------------------------------------------------------


@given(tree=trees(), names=st.booleans())
@settings(max_examples=60)
def test_json_round_trip_is_exact(tree, names):
    """Would catch a float, an infinite threshold or a name that does not come back."""
    if names:
        tree = tree.replace(feature_names=["a", NASTY, "\ud7ff漢"])
    text = to_json(tree)
    json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    assert from_json(text) == tree
    assert from_json(to_json(tree, indent=1).encode()) == tree


def test_json_floats_come_back_to_the_last_bit():
    """Would catch formatting with too few digits, or subnormal numbers lost."""
    for x in (0.1 + 0.2, 5e-324, 1.7976931348623157e308, -0.0, 1 / 3):
        tree = Tree.from_nested((0, x, [1 / 3, 2], [1e-300, 0]))
        assert from_json(to_json(tree)).threshold.tobytes() == tree.threshold.tobytes()
        assert from_json(to_json(tree)).value.tobytes() == tree.value.tobytes()


def edited(path, value):
    document = json.loads(to_json(TREE))
    *parents, last = path
    table = document
    for key in parents:
        table = table[key]
    if value is KeyError:
        del table[last]
    else:
        table[last] = value
    return json.dumps(document)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not valid JSON"),
        ("[" * 100_000, "nest too deeply|not valid JSON"),
        ("[]", "must be a JSON object, not a list"),
        ('{"format": 1, "format": 2}', "given twice"),
        (b"\xff\xfe\xff", "not valid JSON"),
        (edited(["format"], "other"), "format is 'other'"),
        (edited(["version"], 2), "version 2 is not supported"),
        (edited(["version"], True), "version True is not supported"),
        (edited(["task"], "rank"), "task is 'rank'"),
        (edited(["nodes", "label"], KeyError), "nodes lacks the field 'label'"),
        (edited(["extra"], 1), "unknown field 'extra'"),
        (edited(["n_features"], 1e3), "n_features must be a count"),
        (edited(["n_features"], 10**400), "n_features must be a count"),
        (edited(["feature_names", 0], 7), r"feature_names\[0\] must be a text .*, not 7"),
        (
            edited(["feature_names", 0], "a\ud800"),
            r"feature_names\[0\] .* without lone surrogates, not 'a.ud800'",
        ),
        (edited(["class_names", 1], "\udc00"), r"class_names\[1\] must be a text without lone surrogates"),
        (edited(["feature_names"], "xy"), "feature_names must be a list, not 'xy'"),
        (edited(["nodes", "left"], "x"), "nodes.left must be a list"),
        (edited(["nodes", "feature", 0], True), r"nodes.feature\[0\] must be a column or null, not True"),
        (edited(["nodes", "feature", 0], None), "Node 0: left, right, feature and threshold"),
        (edited(["nodes", "threshold", 0], float("nan")), "NaN is not a JSON number"),
        (edited(["nodes", "threshold", 0], 10**400), r"nodes.threshold\[0\] must be a finite number"),
        (edited(["nodes", "label"], [0]), "nodes.label has 1 entries; nodes.left has 5"),
        (edited(["nodes", "value", 1], [1]), r"nodes.value\[1\] has 1 entries, the first has 2"),
        (edited(["nodes", "value", 0, 0], "1"), r"nodes.value\[0\] must be a list of finite numbers"),
        (edited(["nodes", "left", 0], 4), "child of two nodes"),
        (edited(["nodes", "missing_left", 0], 2), r"nodes.missing_left\[0\] must be 0 or 1"),
    ],
)
def test_json_that_is_no_tree_is_refused(text, message):
    """Would catch damaged or hostile files that crash, hang, or load as another tree."""
    with pytest.raises(ValueError, match=message):
        from_json(text)


def test_names_that_cannot_be_read_back_are_not_written():
    """Would catch a text that `to_json` writes and `from_json` refuses; a whole pair is a character."""
    smile = TREE.replace(class_names=["no", "\U0001f600"])
    assert from_json(to_json(smile)) == smile
    with pytest.raises(ValueError, match=r"class_names\[1\] must be a text without lone surrogates"):
        to_json(TREE.replace(class_names=["no", "\ud83d"]))


def test_json_limits():
    """Would catch limits that are read but not kept."""
    text = to_json(TREE)
    for limit in ("max_bytes", "max_nodes", "max_depth"):
        with pytest.raises(ValueError, match=f"{limit} allows 1"):
            from_json(text, **{limit: 1})
    with pytest.raises(TypeError, match="reads text, not int"):
        from_json(7)


# ---- scikit-learn --------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [DecisionTreeClassifier, ExtraTreeClassifier, DecisionTreeRegressor])
@pytest.mark.parametrize("best_first", [False, True])
def test_fitted_trees_convert_and_predict_the_same(kind, best_first):
    """Would catch fractions read as counts, other node orders, and the side of missing values."""
    rng = np.random.default_rng(0)
    X = rng.choice([0.0, 0.25, 1.0, 3.0, np.nan], size=(200, 4))
    y = rng.integers(0, 3, 200)
    weight = rng.integers(1, 4, 200)
    estimator = kind(max_leaf_nodes=20 if best_first else None, max_depth=5, random_state=0)
    estimator.fit(X, y, sample_weight=weight)
    tree = Tree.from_sklearn(estimator)
    np.testing.assert_array_equal(tree.predict(X), estimator.predict(X))
    assert tree.n_leaves == estimator.get_n_leaves() and tree.max_depth == estimator.get_depth()
    if kind is not DecisionTreeRegressor:
        assert tree.class_names is None
        assert Tree.from_sklearn(kind().fit(X, y + 1)).class_names == ("1", "2", "3")
        raw = estimator.tree_
        np.testing.assert_allclose(np.sort(tree.value.sum(axis=1)), np.sort(raw.weighted_n_node_samples))
        # before 1.8, scikit-learn counts rows with missing values in nodes that they do not reach
        if np.array_equal(estimator.decision_path(X).sum(axis=0).A1, raw.n_node_samples):
            np.testing.assert_array_equal(tree.value, tree.recount(X, y, weight).value)
        else:
            assert tuple(map(int, sklearn.__version__.split(".")[:2])) < (1, 8)


def test_a_split_on_missing_values_alone_converts():
    """Would catch thresholds of +inf, which scikit-learn uses to part known from missing."""
    X, y = [[0.0], [1.0], [np.nan], [2.0], [np.nan]], [0, 0, 1, 0, 1]
    estimator = DecisionTreeClassifier().fit(X, y)
    tree = Tree.from_sklearn(estimator)
    assert tree.threshold[0] == np.inf
    assert tree.predict(X).tolist() == y == tree.to_sklearn().predict(X).tolist()


@given(tree=trees())
@settings(max_examples=40)
def test_round_trip_through_scikit_learn(tree):
    """Would catch a node field, a label against the counts, or a missing side lost on the way."""
    estimator = tree.to_sklearn()
    X = critical_points(tree)
    X = X[~np.isinf(X).any(axis=1)].astype(np.float32)
    if len(X):
        np.testing.assert_array_equal(estimator.predict(X), tree.predict(X))
    again = Tree.from_sklearn(estimator)
    assert again.same_function(tree)
    for name in ("children_left", "children_right", "feature", "threshold", "n_node_samples"):
        np.testing.assert_array_equal(getattr(again, name), getattr(tree, name))


@given(tree=trees(thresholds=(1.1, 0.1, -1.7, 1e39, -1e39, np.inf)))
@settings(max_examples=40)
def test_rows_on_thresholds_stay_in_scikit_learn(tree):
    """Would catch x = 1.1, which float32 makes larger, to the right of a threshold of 1.1."""
    X = critical_points(tree)
    largest = 1e30
    X = np.unique(np.clip(np.where(np.isnan(X), 0.0, X), -largest, largest), axis=0)
    steps = np.spacing(np.abs(X).astype(np.float32)).astype(float)
    X = np.vstack([X, np.clip(X + 2 * steps, None, largest)])
    cuts = tree.threshold[~tree.is_leaf]
    # what lies above a threshold and rounds to the same float32 cannot be told apart
    with np.errstate(over="ignore"):
        alike = X.astype(np.float32)[..., None] == cuts.astype(np.float32)
    X = X[~((X[..., None] > cuts) & alike).any(axis=(1, 2))]
    if len(X):
        again = tree.to_sklearn(match_float32=True)
        np.testing.assert_array_equal(again.predict(X), tree.predict(X))


def test_a_row_on_the_threshold_of_scikit_learn():
    """Would catch `match_float32` without effect."""
    tree = Tree.from_nested((0, 1.1, 0, 1))
    X = [[1.1], [1.2]]
    assert tree.predict(X).tolist() == [0, 1] == tree.to_sklearn(match_float32=True).predict(X).tolist()
    assert tree.to_sklearn().predict(X).tolist() == [1, 1]


def test_converted_estimator_is_whole():
    """Would catch an estimator that predicts but cannot be cloned, scored, pickled or shown."""
    import pickle

    from sklearn.tree import export_text

    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])
    fitted = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, names[y])
    tree = Tree.from_sklearn(fitted)
    assert tree.class_names == tuple(names)
    estimator = pickle.loads(pickle.dumps(tree.to_sklearn(classes=names)))
    np.testing.assert_array_equal(estimator.predict_proba(X), fitted.predict_proba(X))
    np.testing.assert_allclose(estimator.feature_importances_, fitted.feature_importances_, atol=1e-12)
    assert estimator.score(X, names[y]) == fitted.score(X, names[y])
    assert export_text(estimator) == export_text(fitted)
    with pytest.raises(ValueError, match="3 different labels in ascending order"):
        tree.to_sklearn(classes=["b", "a", "c"])


def test_matching_float32_agrees_on_every_float64():
    """Would catch the rounding of scikit-learn's input, which moves values across a threshold."""
    rng = np.random.default_rng(1)
    X = 1e6 + rng.integers(0, 40, size=(300, 2)) * 0.03  # float32 keeps multiples of 0.0625 here
    y = rng.integers(0, 2, 300)
    estimator = DecisionTreeClassifier(random_state=0).fit(X, y)
    plain, exact = (Tree.from_sklearn(estimator, match_float32=match) for match in (False, True))
    near = np.repeat(plain.threshold[~plain.is_leaf], 2).reshape(-1, 2)
    points = np.vstack([X, near, np.nextafter(near, 9), np.nextafter(near, -9)])
    np.testing.assert_array_equal(exact.predict(points), estimator.predict(points))
    assert not np.array_equal(plain.predict(points), estimator.predict(points))


@given(st.floats(-1e30, 1e30))
def test_float32_boundary_is_the_last_one(threshold):
    """Would catch ties to even, or the sign of zero, handled the wrong way."""
    boundary = float32_boundary(np.array([threshold]))[0]
    assert float(np.float32(boundary)) <= threshold
    assert float(np.float32(np.nextafter(boundary, np.inf))) > threshold


def test_what_is_no_single_tree_is_refused():
    """Would catch forests or several outputs converted to their first tree without a word."""
    X, y = load_iris(return_X_y=True)
    with pytest.raises(TypeError, match="RandomForestClassifier is not a fitted decision tree"):
        Tree.from_sklearn(RandomForestClassifier(3).fit(X, y))
    with pytest.raises(ValueError, match="2 outputs"):
        Tree.from_sklearn(DecisionTreeClassifier().fit(X, np.c_[y, y]))
    with pytest.raises(ValueError, match="not fitted"):
        Tree.from_sklearn(DecisionTreeClassifier())
