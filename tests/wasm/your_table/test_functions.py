"""The page's own functions, run by Chromium, against Python: tables read, cut and written out."""

import json
import sqlite3
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
import pytest

from treelib import OptimalSparseTreeClassifier, Tree
from treelib.owndata.columns.preparing import Preparing
from treelib.owndata.read import read_table
from treelib.table.binarize import Binarizer

pytestmark = pytest.mark.browser


def test_thresholds_are_those_of_python(page):
    """A cut that differs in its last digit, or another quantile; with ties, gaps and missing values."""
    cases, expected = [], []
    rng = np.random.default_rng(3)
    for case in range(300):
        n = int(rng.integers(1, 200))
        kind = case % 4
        values = (
            rng.normal(size=n) if kind == 0 else rng.integers(0, int(rng.integers(1, 60)), n).astype(float)
        )
        if kind == 2:
            values = np.round(rng.lognormal(size=n), 1)
        if kind == 3:
            values[rng.random(n) < 0.2] = np.nan
            values[rng.random(n) < 0.5] = 7.0
        limit = [None, 1, 2, 5, 10, 20][rng.integers(0, 6)]
        binarizer = Binarizer(limit)
        if not np.isnan(values).all():
            binarizer.fit_transform(values[:, None])
            cases.append([[None if np.isnan(x) else x for x in values.tolist()], limit])
            expected.append(binarizer.candidate_threshold_.tolist())
    found = page.evaluate(
        """(cases) => cases.map(([values, limit]) => treelibTable.thresholds(
            Float64Array.from(values, (x) => x ?? NaN), limit).map((x) => x === Infinity ? "inf" : x))""",
        cases,
    )
    assert [[float(x) for x in part] for part in found] == expected


def random_csv(rng):
    """Text of a table of numbers, words, truth values and missing values, and its frame."""
    n = int(rng.integers(20, 120))
    frame = pd.DataFrame(
        {
            "size, cm": np.round(rng.normal(10, 5, n), int(rng.integers(0, 3))),
            "count": rng.integers(0, 4, n),
            'the "colour"': rng.choice(["red", "green", "it's blue"], n),
            "flag": rng.random(n) < 0.4,
            "constant": 1,
            "missing": np.where(rng.random(n) < 0.3, np.nan, rng.integers(0, 9, n)),
            "word": np.where(rng.random(n) < 0.2, None, rng.choice(["x", "y"], n)),
        }
    )
    y = (frame["size, cm"] > 11).astype(int) + (frame['the "colour"'] == "red") + (rng.random(n) < 0.2)
    frame["class"] = y if rng.integers(0, 2) else np.array(["no", "yes", "may be", "never"])[y]
    return frame.to_csv(index=False, sep=",;\t|"[rng.integers(0, 4)]), frame


FIT = """([text, target, limit, price, depth]) => new Promise((resolve, reject) => {
  const T = treelibTable, data = T.prepare(T.read(text), target, limit);
  const solver = new treelibSolver.Solver("sparse");
  solver.solve({ ...T.flatten(data), price, depth, seconds: 60, bytes: 1e9 }, {
    error: reject,
    tree: (found) => {
      solver.worker.terminate();
      const nodes = T.grow(found.tree, data);
      resolve({ objective: found.objective, lower: found.lower, optimal: found.optimal, nodes: found.nodes,
                text: T.toText(nodes, data), json: T.toJson(nodes, data), sql: T.toSql(nodes, data),
                python: T.toPython(nodes, data),
                lines: T.inPython(data, "table.csv", { price, depth, limit }) });
    },
  });
})"""


def classes_of(frame, found):
    """What the SQL and the Python that the page wrote say of each row."""
    frame = frame.astype(object).where(frame.notna(), None)
    connection = sqlite3.connect(":memory:")
    frame.to_sql("t", connection, index=False)
    by_sql = [row[0] for row in connection.execute(f"SELECT {found['sql']} FROM t")]
    names = {}
    exec(found["python"], names)
    return by_sql, [names["predict"](row) for row in frame.to_dict("records")]


def test_a_fit_in_the_page_is_the_fit_in_python(page, tmp_path, monkeypatch):
    """A tree that differs in a node, a cut or a count from what the three lines of Python give; a download
    that predicts otherwise, with names in need of quotation marks, words and missing values."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(8)
    for _ in range(25):
        text, frame = random_csv(rng)
        limit, price, depth = [None, 3, 10][rng.integers(0, 3)], [0.01, 0.03][rng.integers(0, 2)], 3
        found = page.evaluate(FIT, [text, "class", limit, price, depth])
        (tmp_path / "table.csv").write_text(text, encoding="utf-8")
        names = {}
        exec(found["lines"], names)
        model = names["model"]
        assert isinstance(model, OptimalSparseTreeClassifier) and found["optimal"] == model.is_optimal_
        tree = Tree.from_json(found["json"])
        if model.binarizer_ is not None:
            assert found["objective"] == model.objective_
            assert found["nodes"] == model.search_stats_["n_nodes"]
            assert tree == model.tree_  # but for how many digits the texts of Python write
        else:  # Python's search on numbers may find another of equally good trees
            assert found["objective"] == pytest.approx(model.objective_, rel=0, abs=1e-12)
        codes = tree.predict(names["table"].X.to_numpy())
        expected = [tree.class_names[code] for code in codes]
        by_sql, by_python = classes_of(frame.drop(columns=["class"]), found)
        assert by_sql == expected and by_python == expected


def test_columns_that_python_leaves_out_are_named(page):
    """Lines of Python that do not leave out what the page left out, or a proof over all columns."""
    rows = "".join(f"{i // 2},w{i},{i % 2}\n" for i in range(60))
    found = page.evaluate(FIT, ["a,name,y\n" + rows, "y", 5, 0.01, 2])
    assert 'read_table("table.csv", "y", preparing=Preparing())' in found["lines"]


def test_downloads_ask_of_what_was_made_of_a_column(page):
    """A download that asks for the category "(other)", which no row holds, or for an order as for words."""
    rng = np.random.default_rng(4)
    n = 400
    town = np.where(rng.random(n) < 0.5, 0, rng.integers(0, 150, n))
    speed = rng.choice(["<9", "9-20", "21+"], n)
    frame = pd.DataFrame({"town": [f"town {one}" for one in town], "speed": speed})
    frame["speed"] = frame["speed"].where(rng.random(n) < 0.9, None)
    frame["class"] = np.where((town > 0) ^ (speed == "21+"), "late", "early")
    found = page.evaluate(FIT, [frame.to_csv(index=False), "class", 10, 0.005, 3])
    tree = Tree.from_json(found["json"])
    tested = {tree.feature_names[j] for j in tree.feature[~tree.is_leaf]}
    assert "speed at least 21+" in tested and "town = town 0" in tested
    common = sorted(set(frame["town"]), key=lambda one: (-(frame["town"] == one).sum(), one))[:49]
    pooled = frame.assign(**{"class": np.where(frame["town"].isin(common), "common", "rare")})
    other = page.evaluate(FIT, [pooled.to_csv(index=False), "class", 10, 0.005, 3])
    assert "town = (other)" in other["text"] and "town is not (other): common" in other["text"]
    for one, said in ((frame, found), (pooled, other)):
        X = read_csv(one.to_csv(index=False))
        tree = Tree.from_json(said["json"])
        expected = [tree.class_names[code] for code in tree.predict(X[list(tree.feature_names)].to_numpy())]
        assert classes_of(one.drop(columns=["class"]), said) == (expected, expected)


def read_csv(text):
    """The columns that `treelib fit` makes of a table."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        path.write_text(text)
        return read_table(path, "class", preparing=Preparing()).X


def test_columns_of_zeros_and_ones_are_not_cut_in_words(page):
    """ "prior>3 <= 0.5" in a tree of a table that has been cut into 0/1 columns before."""
    rows = "".join(f"{i % 2},{i * 7 % 59},{int(i % 2 or i * 7 % 59 > 40)}\n" for i in range(60))
    found = page.evaluate(FIT, ["prior>3,age,y\n" + rows, "y", None, 0.01, 2])
    assert (
        "prior>3 = 0" in found["text"] and "prior>3 = 1" in found["text"] and "age <= 39.5" in found["text"]
    )


READ = """(text) => {
  const { names, columns, separator } = treelibTable.read(text);
  const texts = ({ words, codes }) => Array.from(codes, (at) => words[at]);
  return { names, separator, columns: columns.map(texts) };
}"""


def test_good_tables_of_odd_form_are_read(page):
    """Windows line ends, a byte order mark, quoted line ends, marks written twice, blank lines."""
    texts = {
        "\ufeffa,b\r\n1,2\r\n3,4\r\n": {
            "names": ["a", "b"],
            "columns": [["1", "3"], ["2", "4"]],
            "separator": ",",
        },
        '"a ""x""";b\n"1\n2";\n\n3;4': {
            "names": ['a "x"', "b"],
            "columns": [["1\n2", "3"], ["", "4"]],
            "separator": ";",
        },
        "a|b\r1|2\r": {"names": ["a", "b"], "columns": [["1"], ["2"]], "separator": "|"},
        'a\tb\n "1, 2" \t3\n': {"names": ["a", "b"], "columns": [["1, 2"], ["3"]], "separator": "\t"},
        'a,b\n5" pipe,3\n': {"names": ["a", "b"], "columns": [['5" pipe'], ["3"]], "separator": ","},
    }
    for text, expected in texts.items():
        assert page.evaluate(READ, text) == expected, json.dumps(text)
