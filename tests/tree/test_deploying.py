"""Models written as C, JavaScript and ONNX predict, to the last bit, what the model predicts."""

import ctypes
import json
import pickle
import shutil
import sqlite3
import subprocess
from contextlib import closing
from importlib.util import find_spec

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import treelib
from tests.strategies.tree import critical_points, trees
from tests.tree import programs
from treelib.cli import main
from treelib.topdown.learn.selection import PrunedTreeClassifier
from treelib.tree import formats
from treelib.tree.formats.exported import read_model
from treelib.tree.formats.onnx import largest_float32
from treelib.tree.stored import Tree

N_ROWS = 20_000  # twenty and more on each threshold

needs_c = pytest.mark.skipif(programs.compiler() is None, reason="no C compiler: cc, gcc, clang or ziglang")
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
needs_onnx = pytest.mark.skipif(
    find_spec("onnx") is None or find_spec("onnxruntime") is None, reason="pip install onnx onnxruntime"
)
FORMATS = [
    pytest.param("c", marks=needs_c),
    pytest.param("javascript", marks=needs_node),
    pytest.param("onnx", marks=needs_onnx),
    pytest.param("onnx32", marks=needs_onnx),
]


def table(n_rows=300, seed=0):
    """Numbers of several scales, text and numbers as categories, and missing values; classes and targets."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": random.integers(18, 90, n_rows).astype(float),
            "rate": random.normal(size=n_rows) / 3,
            "size of *it*/": 10.0 ** random.integers(-12, 12, n_rows) * random.random(n_rows),
            "colour": random.choice(['red "é"', "blue??/", "back\\slash", "'"], n_rows),
            "kind": pd.Categorical(random.choice([1, 2, 40], n_rows)),
        }
    )
    frame.loc[random.random(n_rows) < 0.1, "rate"] = np.nan
    frame.loc[random.random(n_rows) < 0.1, "colour"] = None
    target = frame["age"] / 30 + frame["rate"].fillna(3) + (frame["colour"] == "'") * 2.0
    target += frame["kind"].astype(float) / 20 + random.normal(size=n_rows) / 2
    return (
        frame,
        pd.cut(target, 3, labels=["low", 'mid "é"', "high"]).astype(str).to_numpy(),
        target.to_numpy(),
    )


def fitted(name):
    """A fitted estimator of each kind; those that read categories read them."""
    frame, classes, target = table()
    numbers = frame[["age", "rate", "size of *it*/"]].to_numpy()
    full = np.nan_to_num(numbers, nan=0.0).round(1)
    yes_no = (target > target.mean()).astype(int)
    made = {
        "sparse": lambda: treelib.OptimalSparseTreeClassifier(0.02, max_thresholds=4).fit(frame, yes_no),
        "sparse numbers": lambda: treelib.OptimalSparseTreeClassifier(0.05).fit(numbers, yes_no == 1),
        "dyadic": lambda: treelib.DyadicTreeClassifier(0.02).fit(frame, classes),
        "bornagain": lambda: treelib.BornAgainTreeClassifier(random_state=0).fit(full[:, :2], yes_no),
        "bayes": lambda: treelib.BayesianTreeClassifier(n_iter=400, random_state=0).fit(frame, classes),
        "bayes best": lambda: treelib.BayesianTreeClassifier(
            n_iter=400, prediction="best", random_state=0
        ).fit(frame, classes),
        "topdown": lambda: treelib.TopDownTreeClassifier(max_depth=6).fit(frame, classes),
        "topdown deep": lambda: treelib.TopDownTreeClassifier().fit(
            np.arange(250.0)[:, None] / 3, np.arange(250) % 2 + 5
        ),
        "topdown weighted": lambda: treelib.TopDownTreeClassifier(class_weight="balanced").fit(
            frame, np.where(yes_no == 1, 2.0, -1.0)
        ),
        "pruned": lambda: PrunedTreeClassifier(treelib.TopDownTreeClassifier(), 0.01).fit(numbers, classes),
        "subsets": lambda: treelib.TopDownTreeClassifier(max_depth=5, category_tests="subsets").fit(
            frame, classes
        ),
        "subsets regressor": lambda: treelib.TopDownTreeRegressor(
            max_depth=5, category_tests="subsets", categorical_features=["colour", "kind", "age"]
        ).fit(frame, target),
        "subsets forest": lambda: treelib.TopDownForestClassifier(
            n_estimators=9, max_depth=5, category_tests="subsets", random_state=0
        ).fit(frame, classes),
        "subsets forest regressor": lambda: treelib.TopDownForestRegressor(
            n_estimators=9, max_depth=5, category_tests="subsets", random_state=0
        ).fit(frame, target),
        "regressor": lambda: treelib.TopDownTreeRegressor(max_depth=5).fit(frame, target),
        "forest": lambda: treelib.TopDownForestClassifier(n_estimators=9, random_state=0).fit(frame, classes),
        "forest regressor": lambda: treelib.TopDownForestRegressor(n_estimators=9, random_state=0).fit(
            frame, target
        ),
        "one leaf": lambda: treelib.TopDownTreeClassifier(max_depth=0).fit(numbers, classes),
    }
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # short chains
        return made[name]()


ESTIMATORS = (
    "sparse",
    "sparse numbers",
    "dyadic",
    "bornagain",
    "bayes",
    "bayes best",
    "topdown",
    "topdown deep",
    "topdown weighted",
    "pruned",
    "subsets",
    "subsets regressor",
    "subsets forest",
    "subsets forest regressor",
    "regressor",
    "forest",
    "forest regressor",
    "one leaf",
)


def run(format, model, X, folder):
    """(answers, probabilities) of a model in a format."""
    if format == "c":
        return programs.run_c(model, X, folder)
    if format == "javascript":
        return programs.run_javascript(model, X, folder)
    return programs.run_onnx(model, X, "float32" if format == "onnx32" else "float64")


def rows_for(model, format, n_rows=N_ROWS, seed=0):
    """Rows that a model takes: the born-again tree and those fitted to arrays take no names."""
    exported = read_model(model)
    X = programs.border_rows(model, n_rows, seed, dtype=np.float32 if format == "onnx32" else float)
    if isinstance(model, treelib.BornAgainTreeClassifier):
        X = X.fillna(0.5)
    if isinstance(model, Tree) or not hasattr(getattr(model, "estimator_", model), "feature_names_in_"):
        return X.to_numpy()
    for i, column in enumerate(exported.columns):
        if column.categories and not column.is_text:
            X[column.name] = pd.Categorical(X.iloc[:, i])
    return X


@pytest.fixture(scope="module")
def models():
    """Each estimator, fitted once."""
    return {}


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", ESTIMATORS)
def test_estimator_predicts_the_same_elsewhere(name, format, models, tmp_path):
    """Would catch a tie, a missing value, a category, a threshold or a sum that another program treats
    otherwise, on thresholds and on the numbers next to them."""
    if name not in models:
        models[name] = fitted(name)
    model = models[name]
    X = rows_for(model, format)
    assert programs.n_mismatches(model, X, run(format, model, X, tmp_path)) == 0


@needs_c
@needs_node
@needs_onnx
@given(tree=trees(max_leaves=12), seed=st.integers(0, 99))
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_tree_predicts_the_same_elsewhere(tree, seed, tmp_path):
    """Would catch infinite thresholds and values, labels that are no maximum, and splits of no rows."""
    X = critical_points(tree)
    X = X[np.random.default_rng(seed).permutation(len(X))[:3000]]
    for format in ("c", "javascript", "onnx"):
        assert programs.n_mismatches(tree, X, run(format, tree, X, tmp_path)) == 0, format


@needs_c
def test_a_split_that_every_row_passes_compiles(tmp_path):
    """A compiler's warning of a row that nobody looks at: all goes left at +inf, missing values too."""
    both = {"children_left": [1, -1, -1], "children_right": [2, -1, -1], "feature": [0, -2, -2]}
    both |= {"threshold": [np.inf, -2, -2], "missing_go_to_left": [1, 0, 0], "n_features": 1}
    tree = Tree(**both, value=[[2, 2], [2, 0], [0, 2]])
    X = np.array([[0.0], [np.nan], [np.inf]])
    assert programs.n_mismatches(tree, X, run("c", tree, X, tmp_path)) == 0


def test_largest_float32_below():
    """Would catch thresholds rounded to the nearest float32, which moves rows across them."""
    values = np.array([0.1, -0.1, 1 / 3, 1e300, -1e300, 5e-324, -5e-324, 0.5, np.inf, 16777217.0])
    found = largest_float32(values)
    assert (found <= values).all()
    with np.errstate(over="ignore"):
        assert (np.nextafter(found, np.float32(np.inf)).astype(float) > values)[:-2].all()
    assert found[7] == 0.5 and found[8] == np.inf


@needs_c
def test_c_finds_the_code_of_a_category(models, tmp_path):
    """Would catch a text that is not escaped, or a code that is not the place among the categories."""
    model = models.setdefault("topdown", fitted("topdown"))
    (tmp_path / "model.c").write_text(formats.to_c(model, name="m"), encoding="utf-8")
    library = tmp_path / "model.so"
    command = [*programs.compiler(), "-shared", "-fPIC", "model.c", "-o", str(library)]
    subprocess.run(command, cwd=tmp_path, check=True)
    found = ctypes.CDLL(str(library))
    found.m_code.restype, found.m_code.argtypes = ctypes.c_double, [ctypes.c_int, ctypes.c_char_p]
    column = model.encoder_.categories_[3]
    assert [found.m_code(3, text.encode()) for text in column] == list(range(len(column)))
    assert found.m_code(3, b"never seen") == -1 and np.isnan(found.m_code(3, None))
    names = (ctypes.c_char_p * len(model.classes_)).in_dll(found, "m_class_names")
    assert [name.decode() for name in names] == model.classes_.tolist()


@needs_node
def test_javascript_takes_rows_by_name_and_refuses_others(tmp_path):
    """Would catch a row that is too short, or text for a number, predicted without a word."""
    tree = Tree.from_nested(("age", 20.5, "yes", "no"), feature_names=["age", "b"], class_names=["no", "yes"])
    (tmp_path / "model.mjs").write_text(formats.to_javascript(tree), encoding="utf-8")
    program = """
    import { predict, columns, classes } from "./model.mjs";
    const said = [predict({ age: 20, b: null }), predict([true, 1]), predict([undefined, 0])];
    said.push(columns, classes);
    for (const row of [[1], { age: "20", b: 1 }, { Age: 20, b: 1 }]) {
      try { said.push(predict(row)); } catch (error) { said.push(error.message); }
    }
    console.log(JSON.stringify(said));
    """
    (tmp_path / "a.mjs").write_text(program, encoding="utf-8")
    said = subprocess.run(["node", "a.mjs"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert said.strip() == (
        '["yes","yes","no",["age","b"],["no","yes"],"a row has 2 values, not 1",'
        '"age must be a number, not string","the row has no age; it needs age, b"]'
    )


def test_what_cannot_be_written_is_refused():
    """Would catch a program that silently means something else."""
    with pytest.raises(TypeError, match="A dict cannot be exported; give a Tree or a fitted estimator"):
        formats.to_c({})
    with pytest.raises(ValueError, match="not fitted"):
        formats.to_javascript(treelib.TopDownTreeClassifier())
    stump = Tree.from_nested((0, 0.5, 0, 1))
    for name in ("", "1a", "a b", "int", 7, "main"):
        with pytest.raises(ValueError, match=r"name=.* must be a valid C name"):
            formats.to_c(stump, name=name)
    mixed = pd.DataFrame({"a": pd.Series(["x", 1, "x", 1], dtype=object)})
    model = treelib.TopDownTreeClassifier().fit(mixed, [0, 1, 0, 1])
    with pytest.raises(ValueError, match="column 'a' holds text beside numbers"):
        formats.to_c(model)
    days = np.array(["2020-01-01", "2021-01-01"], "M8[D]")
    dates = treelib.TopDownTreeClassifier().fit([[0.0], [1.0]], days)
    with pytest.raises(ValueError, match="classes holds values of type date"):
        formats.to_javascript(dates)
    large = treelib.TopDownTreeClassifier().fit([[0.0], [1.0]], [2**60, 2**60 + 1])
    with pytest.raises(ValueError, match=r"whole numbers beyond 2\^53"):
        formats.to_c(large)


def test_born_again_tree_with_open_leaves_is_not_written():
    """Would catch a program that differs from `predict`, which asks the ensemble in open leaves."""
    frame, classes, _ = table()
    model = treelib.BornAgainTreeClassifier(random_state=0).fit(frame[["age"]].to_numpy(), classes)
    model.open_leaves_ = np.array([1])
    with pytest.raises(ValueError, match="1 leaves in which predict asks the ensemble"):
        formats.to_c(model)


@needs_onnx
def test_onnx_refuses_what_it_cannot_say():
    """Would catch an empty text that is taken for a missing one, and a wrong type of numbers."""
    frame = pd.DataFrame({"a": ["", "x", None, "x", "", "x"] * 5})
    model = treelib.TopDownTreeClassifier().fit(frame, [0, 1, 2, 1, 0, 1] * 5)
    with pytest.raises(ValueError, match="has the category '' beside missing values"):
        formats.to_onnx(model)
    with pytest.raises(ValueError, match="dtype='int8' must be"):
        formats.to_onnx(model, dtype="int8")


def refusing(kind):
    """Trees made for numbers alone, each with known rows and rows that miss a value, tested or not."""
    if kind == "born again":
        from sklearn.ensemble import GradientBoostingClassifier

        X = np.random.default_rng(5).integers(-3, 4, (80, 3)).astype(float)
        forest = GradientBoostingClassifier(n_estimators=3, max_depth=2, random_state=0)
        model = treelib.BornAgainTreeClassifier().from_ensemble(
            forest.fit(X, np.where(X[:, 1] > 0, "b", "a"))
        )
        return model, X[:9], np.array([[1, np.nan, 2], [np.nan, 1, 2], [0, -1, np.nan]])
    if kind == "deep":  # written as tables
        model = treelib.TopDownTreeClassifier().fit(np.arange(250.0)[:, None] / 3, np.arange(250) % 2)
        tree = model.tree_.replace(refuses_missing=True, class_names=None)
        return tree, np.arange(40.0)[:, None] / 3, np.array([[np.nan]])
    nested = (0, 2.5, 7.25, (1, 0.0, -1.5, 4.0), 1)
    tree = Tree.from_nested(nested, n_features=3, is_regression=True).replace(refuses_missing=True)
    return (
        tree,
        np.array([[2.5, 0, 0], [3, 1, 1]]),
        np.array([[np.nan, 0, 0], [9, np.nan, 0], [0, 0, np.nan]]),
    )


def answers_of_c(model, X, folder):
    """What C says of the rows, as numbers, with the probabilities behind them."""
    width = 0 if read_model(model).is_regression else read_model(model).width
    (folder / "model.c").write_text(formats.to_c(model), encoding="utf-8")
    library = folder / "model.so"
    subprocess.run(
        [*programs.compiler(), "-shared", "-fPIC", "model.c", "-o", str(library)], cwd=folder, check=True
    )
    found = ctypes.CDLL(str(library))
    found.model_predict.restype = ctypes.c_int if width else ctypes.c_double
    rows = [(ctypes.c_double * len(row))(*row) for row in X]
    said = [[found.model_predict(row)] for row in rows]
    chances = (ctypes.c_double * width)()
    for answer, row in zip(said, rows, strict=True):
        if width:
            found.model_probabilities(row, chances)
            answer += list(chances)
    return np.array(said, dtype=float)


REFUSING = pytest.mark.parametrize("kind", ["born again", "deep", "regression"])


@REFUSING
def test_python_texts_and_sql_refuse_missing_values_as_predict_does(kind):
    """A tree, its copies, its JSON or its expression that answers what `predict` of the model refuses."""
    model, known, missing = refusing(kind)
    tree = model if isinstance(model, Tree) else model.tree_
    copies = tree, Tree.from_json(tree.to_json()), pickle.loads(pickle.dumps(tree)), tree.simplified()
    for row in missing:
        place = int(np.flatnonzero(np.isnan(row))[0])
        for one in (model, *copies):
            with pytest.raises(ValueError, match=f"contains NaN: column {place} holds nan in row 1"):
                one.predict(np.stack([known[0], row]))
    with pytest.raises(ValueError, match="contains NaN: column 'c' holds nan in row 0"):
        tree.replace(n_features=3, feature_names=["a", "b", "c"]).apply(
            pd.DataFrame({"a": [0.0], "b": [1.0], "c": [None]}, dtype=float)
        )
    assert "for rows without missing values" in formats.to_text(model)
    assert "for rows without" not in formats.to_text(tree.replace(refuses_missing=False))
    assert "missing" not in " ".join(formats.to_rules(model))
    with pytest.warns(UserWarning, match="predict rows with missing values, which this tree refuses"):
        formats.to_sklearn(model)
    if kind == "deep":
        return  # beyond what SQLite parses
    names = [f"x{i}" for i in range(known.shape[1])]
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute(f"CREATE TABLE t ({', '.join(names)})")
        rows = [
            [None if np.isnan(x) else x for x in row] for row in np.concatenate([known, missing]).tolist()
        ]
        database.executemany(f"INSERT INTO t VALUES ({', '.join('?' * len(names))})", rows)
        said = [row[0] for row in database.execute(f"SELECT {formats.to_sql(model)} FROM t ORDER BY rowid")]
    assert [str(x) for x in said[: len(known)]] == [str(x) for x in model.predict(known).tolist()]
    assert said[len(known) :] == [None] * len(missing)


@REFUSING
@needs_c
def test_c_has_no_answer_where_predict_refuses(kind, tmp_path):
    """A class or a mean of a row that misses a value, or of one that misses none no answer."""
    model, known, missing = refusing(kind)
    assert programs.n_mismatches(model, known, programs.run_c(model, known, tmp_path)) == 0
    said = answers_of_c(model, missing, tmp_path)
    assert np.isnan(said[:, 1:]).all()
    assert np.isnan(said[:, 0]).all() if kind == "regression" else (said[:, 0] == -1).all()


@REFUSING
@needs_node
def test_javascript_throws_where_predict_refuses(kind, tmp_path):
    """An answer of any function, an explanation among them, to a row that misses a value."""
    model, known, missing = refusing(kind)
    assert programs.n_mismatches(model, known, programs.run_javascript(model, known, tmp_path)) == 0
    (tmp_path / "model.mjs").write_text(formats.to_javascript(model, explain=True), encoding="utf-8")
    rows = json.dumps([[None if np.isnan(x) else x for x in row] for row in missing.tolist()])
    program = f"""
    import * as model from "./model.mjs";
    const said = [];
    for (const row of {rows}) for (const name of ["predict", "probabilities", "explain"]) {{
      if (model[name]) try {{ said.push(model[name](row)); }} catch (error) {{ said.push(error.message); }}
    }}
    console.log(JSON.stringify(said));
    """
    (tmp_path / "a.mjs").write_text(program, encoding="utf-8")
    said = subprocess.run(["node", "a.mjs"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    n_functions = 2 if kind == "regression" else 3
    places = [int(np.flatnonzero(np.isnan(row))[0]) for row in missing for _ in range(n_functions)]
    assert json.loads(said) == [f"x{place} is missing; fill it in first" for place in places]


@REFUSING
@needs_onnx
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_onnx_ends_with_an_error_where_predict_refuses(kind, dtype):
    """An answer to a row that misses a value, or an error that does not say why."""
    model, known, missing = refusing(kind)
    known = known.astype(np.float32).astype(float)
    assert programs.n_mismatches(model, known, programs.run_onnx(model, known, dtype)) == 0
    for row in missing:
        with pytest.raises(Exception, match="missing_values_are_refused"):
            programs.run_onnx(model, np.stack([known[0], row]), dtype)


# what skops is told to trust for each estimator: our own classes, which check what they are given, and
# fractions; see the guide
TRUSTED = {
    "fractions.Fraction",
    "sklearn.tree._tree.Tree",  # the forest behind a born-again tree
    "treelib.bornagain.ensemble.voting.Ensemble",
    "treelib.bornagain.ensemble.voting.Nodes",
    "treelib.bornagain.estimator.BornAgainTreeClassifier",
    "treelib.dyadic.boxes.DyadicGrid",
    "treelib.dyadic.estimator.DyadicTreeClassifier",
    "treelib.dyadic.solutions.Solution",
    "treelib.dyadic.solutions.SolutionPath",
    "treelib.search.budget.SearchResult",
    "treelib.sparse.estimator.OptimalSparseTreeClassifier",
    "treelib.table.binarize.Binarizer",
    "treelib.table.category_sets.CategorySetEncoder",
    "treelib.table.encode.TableEncoder",
    "treelib.topdown.bayes.draws.Forest",
    "treelib.sparse.constrained.parameters.Given",
    "treelib.topdown.bayes.estimator.BayesianTreeClassifier",
    "treelib.topdown.estimator.TopDownTreeClassifier",
    "treelib.topdown.estimator.TopDownTreeRegressor",
    "treelib.topdown.forest.TopDownForestClassifier",
    "treelib.topdown.forest.TopDownForestRegressor",
    "treelib.topdown.grown_tree.GrownTree",
    "treelib.topdown.learn.selection.PrunedTreeClassifier",
    "treelib.tree.stored.Tree",
}


@pytest.mark.parametrize("name", ESTIMATORS)
def test_skops_loads_files_that_name_what_they_hold(name, models):
    """Would catch a fitted attribute that needs another class, a function or pickle, and one that comes back
    changed."""
    io = pytest.importorskip("skops.io")
    model = models.setdefault(name, None) or fitted(name)
    models[name] = model
    data = io.dumps(model)
    unknown = io.get_untrusted_types(data=data)
    assert set(unknown) <= TRUSTED
    back = io.loads(data, trusted=unknown)
    X = rows_for(model, "c", 2000)
    np.testing.assert_array_equal(back.predict(X), model.predict(X))
    if hasattr(model, "tree_"):
        assert back.tree_ == model.tree_ and not back.tree_.threshold.flags.writeable


def test_skops_checks_a_tree_that_it_loads():
    """Would catch a file whose tree points outside its arrays, which a compiled walk would read."""
    io = pytest.importorskip("skops.io")
    tree = Tree.from_nested((0, 0.5, 0, 1))
    for name, wrong in (("children_right", [9, -1, -1]), ("feature", [7, -2, -2])):
        broken = Tree.from_nested((0, 0.5, 0, 1))
        object.__setattr__(broken, name, np.array(wrong))
        with pytest.raises(ValueError, match=r"node ids below 3|must be a column from 0 to 0"):
            io.loads(io.dumps(broken), trusted=["treelib.tree.stored.Tree"])
    assert io.loads(io.dumps(tree), trusted=["treelib.tree.stored.Tree"]) == tree
    with pytest.raises(ValueError, match="The state is not that of a Tree"):
        Tree.__new__(Tree).__setstate__({"value": 1})


@needs_onnx
def test_skl2onnx_finds_our_estimators():
    """Would catch a pipeline with one of our trees that skl2onnx refuses or converts to something else."""
    skl2onnx = pytest.importorskip("skl2onnx")
    import onnxruntime
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    random = np.random.default_rng(0)
    X, y = random.normal(size=(400, 3)), random.integers(0, 3, 400)
    X[:, 0] += y
    for model in (
        treelib.TopDownForestClassifier(n_estimators=5, max_depth=4, random_state=0),
        treelib.OptimalSparseTreeClassifier(0.03, max_thresholds=4),
        treelib.TopDownTreeRegressor(max_depth=3),
    ):
        pipeline = make_pipeline(StandardScaler(), model).fit(X, y)
        made = skl2onnx.to_onnx(pipeline, X[:1])
        said = onnxruntime.InferenceSession(made.SerializeToString()).run(None, {"X": X})
        np.testing.assert_array_equal(said[0].ravel(), pipeline.predict(X))
    model = treelib.TopDownTreeClassifier(max_depth=4).fit(X, np.array(["a", "b", "c"])[y])
    small = X.astype(np.float32)
    made = skl2onnx.to_onnx(model, small[:1])
    said = onnxruntime.InferenceSession(made.SerializeToString()).run(None, {"X": small})
    np.testing.assert_array_equal(said[0], model.predict(small))
    np.testing.assert_array_equal(said[1], model.predict_proba(small).astype(np.float32))


def test_command_writes_a_stored_tree(tmp_path, capsys):
    """Would catch a format that the command cannot write, or another tree than the one in the file."""
    tree = Tree.from_nested(("age", 20.5, 1, 0), feature_names=["age"], class_names=["no", "yes"])
    stored = tmp_path / "tree.json"
    stored.write_text(tree.to_json(), encoding="utf-8")
    for to in ("c", "javascript", "sql", "text", "dot", "svg"):
        assert main(["export", str(stored), "--to", to]) == 0
        assert capsys.readouterr().out.strip() == getattr(formats, f"to_{to}")(tree).strip()
        assert main(["export", str(stored), "--to", to, "--out", str(tmp_path / to)]) == 0
        capsys.readouterr()
        assert (tmp_path / to).read_text(encoding="utf-8").strip() == getattr(formats, f"to_{to}")(
            tree
        ).strip()
    capsys.readouterr()
    assert main(["export", str(stored), "--to", "rules"]) == 0
    assert capsys.readouterr().out.splitlines() == tree.to_rules()
    for words, message in (
        ([str(tmp_path / "none.json"), "--to", "c"], "cannot be read: No such file"),
        ([str(stored), "--to", "onnx"], "name a file with --out"),
        ([str(stored), "--to", "c", "--out", str(tmp_path / "no" / "folder")], "cannot be written"),
        ([str(tmp_path / "c"), "--to", "c"], "not valid JSON"),
    ):
        assert main(["export", *words]) == 2
        assert message in capsys.readouterr().err


@needs_onnx
def test_command_writes_onnx(tmp_path):
    """Would catch a file that is no ONNX model."""
    import onnxruntime

    stored, out = tmp_path / "tree.json", tmp_path / "tree.onnx"
    stored.write_text(Tree.from_nested((0, 20.5, 1, 0)).to_json(), encoding="utf-8")
    assert main(["export", str(stored), "--to", "onnx", "--out", str(out)]) == 0
    said = onnxruntime.InferenceSession(out.read_bytes()).run(None, {"X": np.array([[20.5], [21.0]])})
    assert said[0].tolist() == [1, 0]
