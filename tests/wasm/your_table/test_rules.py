"""The page reads tables as `treelib fit` does: the examples of the rules, and many files."""

import base64

import pytest

from tests.wasm.your_table.files import drawn
from treelib import OptimalSparseTreeClassifier, Tree
from treelib.owndata.columns.cells import Reading
from treelib.owndata.columns.preparing import Preparing
from treelib.owndata.columns.rules import RULES
from treelib.owndata.read import read_table

pytestmark = pytest.mark.browser

RUN = {
    "separator": "([line]) => treelibReader.separatorOf(line)",
    "number": "([word, decimal]) => treelibReader.number(word, decimal)[0]",
    "decimal": """([columns]) => { const R = treelibReader;
        return R.decimalOf(R.decimalMarks(columns.map((one) => R.countsOf(R.cellsOf(one)))).speaks); }""",
    "kind": """([_, column]) => treelibReader.readColumn("x", treelibReader.cellsOf(column), ".").kind""",
    "identifier": """([name]) => treelibReader.fits("identifier", name)""",
    "order": "([categories]) => treelibReader.orderOf(categories)",
    "parts": """([words]) => treelibReader.timesOf(words).map((time) =>
        (time === time ? Object.values(treelibReader.PARTS).map((part) => part(time)) : null))""",
}


@pytest.mark.parametrize("what", RUN)
def test_examples_of_the_rules(page, what):
    """A rule that the page follows otherwise than tests/owndata/test_rules.py says."""
    examples = RULES["examples"][what]
    expected = [example[0] if what == "kind" else example[-1] for example in examples]
    assert page.evaluate(f"(examples) => examples.map({RUN[what]})", examples) == expected


FIT = """async ([base64, price, depth, limit]) => {
  const T = treelibTable, bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
  let data;
  try { data = T.prepare(T.read(T.decode(bytes)), "class", limit); }
  catch (error) { if (error instanceof T.TableError) return { refused: error.message }; throw error; }
  const solver = new treelibSolver.Solver("sparse");
  const found = await new Promise((tree, error) =>
    solver.solve({ ...T.flatten(data), price, depth, seconds: 60, bytes: 1e9 }, { tree, error }));
  solver.worker.terminate();
  const plain = ({ name, values }) => [name, Array.from(values, (x) => x === x ? x : null)];
  return { notes: data.notes, features: data.features.map(plain), classes: data.classes,
    y: Array.from(data.y), objective: found.objective, json: T.toJson(T.grow(found.tree, data), data) };
}"""
PRICE, DEPTH, LIMIT = 0.02, 2, 5
NAMELESS = {"feature_names": None, "class_names": None}


@pytest.mark.parametrize("seeds", [range(12), pytest.param(range(12, 100), marks=pytest.mark.long)])
def test_command_and_page_read_the_same_table(page, tmp_path, seeds):
    """Columns, notes, classes or a tree that differ between `treelib fit` and the page, of one file."""
    path = tmp_path / "table.csv"
    for seed in seeds:
        content = drawn(seed)
        path.write_bytes(content)
        found = page.evaluate(FIT, [base64.b64encode(content).decode(), PRICE, DEPTH, LIMIT])
        table = read_table(path, "class", reading=Reading(has_advice=False), preparing=Preparing())
        assert "refused" not in found, (seed, found)
        assert found["notes"] == table.notes, seed
        assert [name for name, _ in found["features"]] == list(table.X), seed
        values = table.X.astype(object).where(table.X.notna(), None)
        assert [column for _, column in found["features"]] == [values[name].tolist() for name in values], seed
        assert found["classes"] == [str(one) for one in table.classes], seed
        assert [found["classes"][code] for code in found["y"]] == [str(one) for one in table.y], seed
        model = OptimalSparseTreeClassifier(PRICE, max_depth=DEPTH, max_thresholds=LIMIT).fit(
            table.X, table.y
        )
        assert found["objective"] == pytest.approx(model.objective_, rel=0, abs=1e-12), seed
        if model.binarizer_ is not None:
            assert Tree.from_json(found["json"]).replace(**NAMELESS) == model.tree_.replace(**NAMELESS), seed
