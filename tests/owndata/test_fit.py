"""`treelib fit`: tables of one's own, from the file to the report."""

import json
import re
import sqlite3
import time
from contextlib import closing

import numpy as np
import pandas as pd
import pytest

from treelib import OptimalSparseTreeClassifier
from treelib.cli import main
from treelib.owndata import export, fit, regression, tuning
from treelib.owndata.fit import fit_table
from treelib.owndata.read import read_table
from treelib.owndata.report import notes
from treelib.owndata.report.page import page
from treelib.search.budget import Budget
from treelib.tree.stored import Tree


@pytest.fixture
def people(tmp_path):
    """A table with text, numbers, missing values, an identifier, a constant and rows without a class."""
    rng = np.random.default_rng(0)
    n = 120
    frame = pd.DataFrame(
        {
            "id": [f"r{i}" for i in range(n)],
            "age": rng.normal(40, 12, n).round(1),
            "colour": rng.choice(["red", "green", None], n),
            "smoker": rng.random(n) < 0.4,
            "const": 1,
        }
    )
    frame.loc[rng.random(n) < 0.1, "age"] = np.nan
    frame["ill"] = np.where((frame.age > 42) | frame.smoker, "yes <b>", "no")
    frame.loc[:2, "ill"] = None
    path = tmp_path / "people.csv"
    frame.to_csv(path, index=False)
    return path


def test_read_says_what_it_left_out(people):
    """A column or row that vanishes without a word."""
    table = read_table(people, "ill")
    assert list(table.X.columns) == ["age", "smoker", "colour = green", "colour = red", "colour is missing"]
    assert len(table.y) == len(table.X) == 117
    assert len(table.notes) == 3
    assert {note.partition(":")[0].partition(" ")[0] for note in table.notes} == {"3", "id", "const"}


@pytest.mark.parametrize("values", [("1e300", "2e300"), (2**64 - 1, 2**63), ("1e19", "-1e19")])
def test_huge_classes_stay_apart(tmp_path, values):
    """Classes that become one where they are written as int64, or others than those of the file."""
    path = tmp_path / "a.csv"
    path.write_text("a,y\n" + "".join(f"{i % 7},{values[i % 2]}\n" for i in range(30)))
    assert {float(name) for name in read_table(path, "y").classes} == set(map(float, values))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a,y\n1,inf\n2,1\n3,0\n", "target 'y' holds infinite values"),
        ("y,a,b\nr1,0,1,2\nr2,1,2,2\n", "line 2 has 4 values, but the first line names 3 columns"),
    ],
    ids=["infinite classes", "names of rows"],
)
def test_table_that_would_be_misread(tmp_path, content, message):
    """Columns that move to the left by one, so that another one is the target."""
    path = tmp_path / "a.csv"
    path.write_text(content)
    with pytest.raises(ValueError, match=message):
        read_table(path, "y")


def test_separator_at_the_end_of_lines(tmp_path):
    """Columns that move to the left by one, so that another one is the target."""
    path = tmp_path / "a.csv"
    path.write_text("y,a,b\n" + "".join(f"{i % 2},{i % 5},{i % 3},\n" for i in range(30)))
    table = read_table(path, "y")
    assert list(table.X.columns) == ["a", "b"]
    assert table.X["a"].tolist() == [i % 5 for i in range(30)]


@pytest.mark.parametrize("name", ["a.csv.gz", "a.csv.bz2", "a.csv.xz", "a.zip"])
@pytest.mark.parametrize("content", [b"a,y\n1,0\n", b"", b"PK\x03\x04xx", b"\x1f\x8b\x08\x00damaged"])
def test_archive_that_is_none(tmp_path, name, content):
    """A traceback from a library of compression."""
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"cannot be read|is empty|UTF-8"):
        read_table(path, "y")


def test_name_too_long_for_a_file():
    """A traceback where the name of a file was pasted wrongly."""
    with pytest.raises(ValueError, match="cannot be read"):
        read_table("x" * 5000, "y")


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_separator_is_found(tmp_path, separator):
    """A German or tabbed file that is read as a single column."""
    path = tmp_path / "a.csv"
    path.write_text(
        "\n".join(separator.join(line) for line in (["a", "b", "y"], ["1", "2", "0"], ["3", "4", "1"]))
    )
    assert list(read_table(path, "y").X.columns) == ["a", "b"]


def test_parquet_equals_csv(people, tmp_path):
    """A format that gives another table."""
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    path = tmp_path / "people.parquet"
    pd.read_csv(people).to_parquet(path)
    one, two = read_table(people, "ill"), read_table(path, "ill")
    pd.testing.assert_frame_equal(one.X, two.X)
    assert np.array_equal(one.y, two.y)


BAD = {
    "no such file": ("missing.csv", None, "no file"),
    "empty": ("e.csv", "", "empty"),
    "one column": ("e.csv", "a\n1\n2\n", "single column"),
    "no such target": ("e.csv", "a,b\n1,2\n", "no column 'y'"),
    "target misspelt": ("e.csv", "a,Y \n1,2\n", r"did you mean 'Y'\?"),
    "two columns of one name": ("e.csv", "a,a,y\n1,2,0\n3,4,1\n", "more than one column has the name 'a'"),
    "no rows": ("e.csv", "a,y\n", "no row has a value"),
    "same name twice, once blank": ("e.csv", "a,y\n,0\n,1\n", "no column is left"),
    "one class": ("e.csv", "a,y\n1,0\n2,0\n", "one value only, '0'"),
    "zero bytes": ("e.csv", "a,y\n1,b\0\n2,b\n", "it contains zero bytes"),
    "quantity": ("e.csv", "a,y\n" + "\n".join(f"{i},{i / 7}" for i in range(60)), "quantity.*Regressor"),
    "ragged": ("e.csv", "a,y\n1,0\n2,1,3\n", "cannot be read"),
    "infinite": ("e.csv", "a,y\n1,0\ninf,1\n", "infinite"),
    "broken gzip": ("e.csv.gz", "not gzip", "cannot be read|not UTF-8"),
    "broken parquet": ("e.parquet", "not parquet", "Parquet"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_tables_are_named(tmp_path, case):
    """A traceback, or an error that does not say what to do."""
    name, text, message = BAD[case]
    path = tmp_path / name
    if text is not None:
        path.write_text(text)
    with pytest.raises(ValueError, match=message):
        read_table(path, "y")


def test_bytes_that_are_no_text(tmp_path):
    """A file that was cut in the middle of a letter, read as if it were written in another code."""
    path = tmp_path / "e.csv"
    path.write_bytes("größe,y\n1,0\n2,groß".encode()[:-1])
    with pytest.raises(ValueError, match="not UTF-8 text"):
        read_table(path, "y")


def test_tuning_takes_the_smallest_tree_within_one_standard_error(people):
    """A rule that the report states and the code does not follow; a limit of time that is passed."""
    table = read_table(people, "ill")
    fitted = fit_table(table, tune=True, time_limit=60, say=lambda line: None)
    assert [price for price, _ in fitted.tuning] == sorted((p for p, _ in fitted.tuning), reverse=True)
    proved = [judged for one in fitted.families if one.path.is_proved for _, judged in one.tuning]
    lowest = min(proved, key=lambda judged: judged.loss)
    allowed = [one.n_leaves for one in proved if one.loss <= lowest.loss + lowest.standard_error]
    assert fitted.is_proved and fitted.judged.n_leaves == min(allowed)
    assert fitted.families[0].method == "topdown" and fitted.families[1].path.depth == 2
    assert fitted.frontier[0][0] == 1 and fitted.frontier[-1][0] == fitted.tree.n_leaves
    assert fitted.frontier[-1][1] == pytest.approx(fitted.training_error)
    least = fit_table(table, tune=True, rule="min", time_limit=60, say=lambda line: None)
    assert least.judged.loss == min(one.losses.mean(axis=1).min() for one in least.families)


@pytest.mark.parametrize("words", [["--max-depth", "2"], ["--max-leaves", "3"], ["--min-samples-leaf", "9"]])
def test_limits_and_tuning_go_together(people, words, tmp_path):
    """Advice to give a limit, which tuning then refuses."""
    out = tmp_path / "r.html"
    command = ["fit", str(people), "--target", "ill", "--tune", "--quiet", "--time-limit", "20"]
    assert main([*command, "--out", str(out), *words]) == 0
    tree = Tree.from_json(out.with_suffix(".json").read_text())
    assert tree.max_depth <= 2 or words[0] != "--max-depth"
    assert tree.n_leaves <= 3 or words[0] != "--max-leaves"
    assert tree.n_node_samples.min() >= 9 or words[0] != "--min-samples-leaf"
    assert "proved: training error" in out.read_text()


def test_a_greedy_tree_that_predicts_better_is_shown():
    """A proved tree of little depth that hides a far better one."""

    def family(method, *means):
        losses = [np.linspace(mean, mean + 0.004, 5) for mean in means]
        judged = [tuning.Judged(None, one, float(k), 0, one) for k, one in enumerate(losses, 1)]
        return tuning.Family(method, None, [(1 / one.n_leaves, one) for one in judged])

    proved, greedy = family("sparse", 0.4, 0.3), family("topdown", 0.4, 0.3)
    assert tuning.choose([greedy, proved], "1se") == (proved, 1)
    better = family("topdown", 0.4, 0.2)
    assert tuning.choose([better, proved], "1se") == (better, 1)
    assert tuning.choose([proved], "min") == (proved, 1)


def test_a_proof_of_some_depth_takes_the_place_of_the_warning(tmp_path, monkeypatch):
    """ "Proved", and beside it "the search stopped before the proof"."""
    real = fit.make

    def stopped_at_once(method, price, seconds, **more):
        return real(method, price, seconds if "max_depth" in more["constraints"] else 1e-4, **more)

    monkeypatch.setattr(fit, "make", stopped_at_once)
    frame = pd.DataFrame(np.random.default_rng(0).random((200, 2)), columns=["a", "b"])
    frame.assign(y=(frame.a > 0.5) ^ (frame.b > 0.5)).to_csv(tmp_path / "xor.csv", index=False)
    fitted = fit_table(read_table(tmp_path / "xor.csv", "y"), say=lambda line: None)
    assert fitted.is_proved and fitted.model.depth
    assert not any("stopped before the proof" in note for note in fitted.notes)


def test_the_note_on_a_greedy_tree_says_what_was_compared():
    """ "By more than one standard error" beside errors that are none of the losses that were compared."""

    def family(method, depth, *losses):
        tree = OptimalSparseTreeClassifier(0.01).fit([[0], [1]], [0, 1]).tree_
        path = tuning.TreePath(np.array([0.01]), [tree], np.array([0, 1]), method == "sparse", depth)
        return tuning.Family(
            method, path, [(0.01, tuning.Judged(None, np.ones(4), 2.0, 0, np.array(losses)))]
        )

    found = [family("topdown", None, 0.1, 0.2, 0.1, 0.2), family("sparse", 2, 0.3, 0.5, 0.3, 0.5)]
    note = notes.on_choice("sparse", found, found[0], 0, "1se", 0.01, "auc")[-1]
    assert "(--score auc) is 0.1500 with 2 leaves; that of the proved trees is 0.4000 with 2 leaves" in note
    assert "The difference is 0.2500, its standard error 0.0289." in note  # not of either loss: 0.0577


def test_stopped_folds_are_counted(tmp_path):
    """A report that says nothing of folds that the clock ended."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.random((400, 12)), columns=[f"x{i}" for i in range(12)])
    frame.assign(y=rng.integers(0, 2, 400)).to_csv(tmp_path / "noise.csv", index=False)
    table = read_table(tmp_path / "noise.csv", "y")
    fitted = fit_table(table, regularization=0.002, time_limit=0.05, say=lambda line: None)
    assert fitted.judged.n_stopped == 5
    assert any(
        "its share of the limit of 0.05 s (40 % of it, for all folds)" in note for note in fitted.notes
    )
    tuned = fit_table(table, tune=True, time_limit=0.01, say=lambda line: None)
    assert any("half of what was left" in note for note in tuned.notes) and not tuned.is_proved


def late_gain():
    """A table where no single split wins a row, and two win one in seven."""
    rng = np.random.default_rng(5)
    X = pd.DataFrame({"a": rng.integers(0, 2, 900), "b": rng.integers(0, 2, 900), "c": rng.random(900)})
    share = np.where(X["a"] == 0, 0.05, np.where(X["b"] == 0, 0.1, 0.8))
    return X, (rng.random(900) < share).astype(int)


@pytest.mark.parametrize("method", ["sparse", "topdown"])
def test_tuning_goes_on_behind_the_trivial_tree(method, tmp_path):
    """Two prices with one leaf each that end the search for a price (credit data: 28 % for 22 %)."""
    X, y = late_gain()
    X.assign(y=y).to_csv(tmp_path / "late.csv", index=False)
    fitted = fit_table(read_table(tmp_path / "late.csv", "y"), method, tune=True, say=lambda line: None)
    assert fitted.tree.n_leaves >= 3 and fitted.training_error < 0.15
    assert fitted.tuning[0][1].n_leaves == 1


@pytest.mark.parametrize("score", tuning.SCORES)
def test_loss_is_that_of_its_definition(score):
    """A score of the wrong sign, or of another column."""
    y = np.array([0, 0, 0, 1, 1])
    given = np.array([0.9, 0.6, 0.4, 0.8, 0.3])  # of class 0
    expected = {
        "accuracy": 2 / 5,
        "balanced-accuracy": 1 - (2 / 3 + 1 / 2) / 2,
        "auc": 1 - 4 / 6,  # pairs of a row of class 1 and one of class 0, in the right order
        "log-loss": -np.mean(np.log([0.9, 0.6, 0.4, 0.2, 0.7])),
    }
    assert tuning.loss(score, y, np.column_stack([given, 1 - given])) == pytest.approx(expected[score])


def test_frontier_holds_the_tree_that_is_shown():
    """A report whose curve ends before its own tree, since a limit stopped the path."""
    X, y = late_gain()
    model = OptimalSparseTreeClassifier(0.01).fit(X, y)
    shown = (model.tree_.n_leaves, 1 - model.score(X, y))
    assert shown in fit._with_shown_tree([(1, 0.5)], *shown)


def test_report_escapes_the_data(people):
    """A class name that becomes part of the page."""
    fitted = fit_table(read_table(people, "ill"), say=lambda line: None)
    text = page(fitted, "treelib fit '<i>'")
    assert "<b>" not in text and "<i>" not in text and "yes &lt;b&gt;" in text
    assert not re.search(r"https?://(?!www\.w3\.org)", text)


def test_command_writes_everything(people, capsys):
    """A command that ends without one of its files, or a stored tree that is not the one in the report."""
    out = people.with_name("report.html")
    assert main(["fit", str(people), "--target", "ill", "--drop", "id", "--out", str(out), "--quiet"]) == 0
    assert capsys.readouterr().out.count("wrote") == 6
    tree = Tree.from_json(out.with_suffix(".json").read_text())
    json.loads(out.with_suffix(".table.json").read_text())
    assert f"<th>leaves</th><td>{tree.n_leaves}</td>" in out.read_text()
    assert f"<th>depth</th><td>{tree.max_depth}</td>" in out.read_text()
    assert "case" in out.with_suffix(".sql").read_text().lower()
    assert out.with_suffix(".svg").read_text().startswith("<svg")
    assert len(out.with_suffix(".rules.txt").read_text().splitlines()) == tree.n_leaves
    assert not list(people.parent.glob(".*"))
    for ending, to in ((".sql", "sql"), (".rules.txt", "rules"), (".svg", "svg")):
        assert main(["export", str(out.with_suffix(".json")), "--to", to]) == 0
        assert capsys.readouterr().out.strip() == out.with_suffix(ending).read_text().strip()


def test_ctrl_c_keeps_the_tree_and_its_report(people, monkeypatch, capsys, tmp_path):
    """A command that Ctrl-C leaves without a tree, or that says afterwards that all went well."""
    of_rows, looks = fit._fit, iter(range(0))

    def look(self, *counts, **more):
        if next(looks, None) is None:
            raise KeyboardInterrupt

    def stopped(*given):
        with monkeypatch.context() as patch:
            patch.setattr(Budget, "exceeded", look)
            return of_rows(*given)

    monkeypatch.setattr(fit, "_fit", stopped)
    out = tmp_path / "report.html"
    words = ["fit", str(people), "--target", "ill", "--out", str(out), "--quiet"]
    assert main(words) == 130
    said = capsys.readouterr()
    assert "interrupted" in said.out and "wrote" in said.out and "Stopped" in said.err
    assert out.is_file()


@pytest.mark.parametrize("is_tuned", [False, True])
def test_ctrl_c_on_a_fold_keeps_a_tree(people, monkeypatch, capsys, tmp_path, is_tuned):
    """Ctrl-C that ends one fold of five, and the next begins; or that throws everything away."""
    looks = []

    def look(self, *counts, **more):
        looks.append(1)
        if len(looks) == 1:
            raise KeyboardInterrupt

    monkeypatch.setattr(Budget, "exceeded", look)
    out = tmp_path / "report.html"
    words = ["fit", str(people), "--target", "ill", "--out", str(out)]
    assert main(words + ["--tune"] * is_tuned) == 130
    said = capsys.readouterr()
    assert "wrote" in said.out and "error on held-out rows: not known" in said.out and "Stopped" in said.err
    assert "Ctrl-C stopped the run before all folds were evaluated" in out.read_text()
    assert Tree.from_json(out.with_suffix(".json").read_text()).n_leaves > 1


@pytest.mark.parametrize("target", ["ill", "age"])
def test_ctrl_c_between_folds_keeps_a_tree(people, monkeypatch, capsys, tmp_path, target):
    """Ctrl-C outside of a search, and on the folds of a regression."""

    def stopped(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(fit, "_errors", stopped)
    monkeypatch.setattr(regression, "_judge", stopped)
    frame = pd.read_csv(people).dropna()
    frame.to_csv(people, index=False)
    out = tmp_path / "report.html"
    words = ["fit", str(people), "--target", target, "--task", "auto", "--method", "topdown"]
    assert main([*words, "--quiet", "--out", str(out)]) == 130
    assert "error on held-out rows: not known" in capsys.readouterr().out and out.is_file()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--target", "nobody"], "no column"),
        (["--target", "ill", "--out", "x.txt"], "end with .html"),
        (["--target", "ill", "--out", "nowhere/x.html"], "no folder"),
        (["--target", "ill", "--tune", "--regularization", "0.1"], "not both"),
        (["--target", "ill", "--method", "bornagain", "--regularization", "0.1"], "no leaf penalty"),
        (["--target", "ill", "--regularization", "-1"], "regularization"),
        (["--target", "ill", "--class-weight", "no"], "CLASS=WEIGHT with a weight above 0"),
        (["--target", "ill", "--class-weight", "no=-1"], "CLASS=WEIGHT with a weight above 0"),
        (
            ["--target", "ill", "--class-weight", "no=2", "--class-weight", "no=3"],
            "names the class 'no' twice",
        ),
        (["--target", "ill", "--class-weight", "well=2"], "its classes are no, yes"),
        (["--target", "ill", "--class-weight", "balanced", "--method", "bornagain"], "copies its ensemble"),
        (["--target", "age", "--task", "regression", "--class-weight", "balanced"], "is a quantity"),
    ],
)
def test_command_names_mistakes(people, capsys, words, message):
    """A traceback on the command line."""
    assert main(["fit", str(people), *words]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("method", ["dyadic", "topdown"])
def test_other_methods(people, method):
    """A method that the command offers and cannot run, or a frontier that misses the tree itself."""
    fitted = fit_table(read_table(people, "ill"), method, regularization=0.02, say=lambda line: None)
    assert fitted.tree.feature_names == tuple(fitted.table.X.columns)
    assert fitted.frontier[0][0] == 1 and fitted.frontier[-1][0] == fitted.tree.n_leaves
    assert fitted.frontier[-1][1] == pytest.approx(fitted.training_error)
    assert len(fitted.judged.errors) == 5
    assert "</html>" in page(fitted, "treelib fit")


def test_german_table(tmp_path):
    """Decimal commas, points between thousands, a byte order mark, signs for missing values, times."""
    rng = np.random.default_rng(0)
    n = 60
    size = rng.normal(170, 10, n).round(1)
    frame = pd.DataFrame(
        {
            "Nr": range(7, 7 + n),
            "Tag": pd.date_range("2023-01-30", periods=n).strftime("%d.%m.%Y"),
            "Größe; cm": [str(value).replace(".", ",") for value in size],
            "Lohn": [f"{40 + i}.000,50" for i in range(n)],
            "Quote": ["-" if i % 9 == 0 else f"0,{i:02d}" for i in range(n)],
            "Ziel": np.where(size > 170, "groß", "klein"),
        }
    )
    path = tmp_path / "de.csv"
    frame.to_csv(path, sep=";", index=False, encoding="utf-8-sig")
    table = read_table(path, "Ziel")
    assert list(table.X.columns) == ["Größe; cm", "Lohn", "Quote"]
    assert table.X["Größe; cm"].tolist() == size.tolist()
    assert table.X["Lohn"].tolist() == [40000.5 + 1000 * i for i in range(n)]
    assert table.X["Quote"].isna().sum() == 7
    words = " ".join(table.notes)
    assert all(
        word in words for word in ("numbers the rows", "holds times", "decimal commas", "missing: '-'")
    )


def test_commas_between_thousands(tmp_path):
    """1,234 of a comma-separated file that is read as 1.234, or left out as one of too many categories."""
    path = tmp_path / "a.csv"
    path.write_text("pay,y\n" + "\n".join(f'"{i},{100 + i}",{i % 2}' for i in range(1, 80)))
    assert read_table(path, "y").X["pay"].tolist() == [1000 * i + 100 + i for i in range(1, 80)]


@pytest.mark.parametrize(
    ("words", "numbers", "note"),
    [
        (["$1,234.50", "$ 12", "-$7.5", "($1,000)"], [1234.5, 12, -7.5, -1000], "amounts of $"),
        (["12 %", "3.5%", "-4 %", "?"], [12, 3.5, -4, np.nan], "12 % is the number 12"),
        (["€ 5", "7 €", "€8", "9€"], [5, 7, 8, 9], "amounts of €"),
        (["1,234", "5", "-12,345.5", "1,000,000"], [1234, 5, -12345.5, 1e6], "separate thousands"),
        (["$5", "€5", "$6", "$7"], None, ""),
        (["5 %", "7", "$6", "3"], None, ""),
        (["($5", "$6", "$7", "$8"], None, ""),
        (["$5 a", "$6", "$7", "$8"], None, ""),
        (["$5%", "$6%", "$7%", "$8%"], None, ""),
        (["$", "$6", "$7", "$8"], None, ""),
        (["$1,23,4", "$6", "$7", "$8"], None, ""),
    ],
)
def test_signs_of_money_and_per_cent(tmp_path, words, numbers, note):
    """Amounts taken for categories; and text, or a mixture of currencies, taken for amounts."""
    path = tmp_path / "a.csv"
    path.write_text(
        "pay,y\n" + "\n".join(f'"{word}",{i % 2}' for i, word in enumerate(words * 3)), encoding="utf-8"
    )
    table = read_table(path, "y")
    if numbers is None:
        assert list(table.X.columns) != ["pay"]
    else:
        np.testing.assert_array_equal(table.X["pay"], numbers * 3)
        assert note in " ".join(table.notes)


@pytest.mark.parametrize("method", ["sparse", "dyadic", "topdown", "bornagain"])
def test_sql_predicts_from_the_columns_of_the_file(people, method):
    """SQL over encoded columns that no database has, or that sends NULL elsewhere than the tree."""
    table = read_table(people, "ill")
    fitted = fit_table(table, method, time_limit=5, say=lambda line: None)
    raw = pd.read_csv(people)
    with closing(sqlite3.connect(":memory:")) as connection:
        raw[raw["ill"].notna()].to_sql("people", connection, index=False)
        query = f"SELECT {export.of_tree(fitted.tree, table.sql)} FROM people"
        found = [row[0] for row in connection.execute(query)]
    assert found == fitted.model.predict(table.X).tolist()


def test_forest_of_a_seed(people):
    """A report that cannot be made again."""
    table = read_table(people, "ill")
    one, two = (fit_table(table, "bornagain", seed=3, say=lambda line: None) for _ in range(2))
    assert one.tree == two.tree and np.array_equal(one.judged.errors, two.judged.errors)


def test_a_class_of_one_row(tmp_path):
    """One odd row that keeps the whole table from being cross-validated."""
    path = tmp_path / "a.csv"
    path.write_text("a,b,y\n" + "\n".join(f"{i % 7},{i % 3},{'odd' if i == 0 else i % 2}" for i in range(40)))
    fitted = fit_table(read_table(path, "y"), say=lambda line: None)
    assert len(fitted.judged.errors) == 5
    assert any("odd" in note for note in fitted.notes)


def test_what_a_frontier_says(people):
    """A promise of optimality for a greedy path, or for one that a limit cut short."""
    table = read_table(people, "ill")
    proved = fit_table(table, "sparse", say=lambda line: None)
    greedy = fit_table(table, "topdown", say=lambda line: None)
    assert proved.frontier_is_proved and "no tree over the same" in page(proved, "")
    assert not greedy.frontier_is_proved and "other trees may be better" in page(greedy, "")
    proved.frontier_is_proved = False
    assert "before a limit" in page(proved, "") and "has a smaller" not in page(proved, "")


def test_names_of_a_wide_table():
    """Minutes of comparing every column's name with every other's."""
    from treelib.owndata.read import _check_names

    began = time.process_time()
    _check_names([f"c{number}" for number in range(20_000)], ["c5"])
    assert time.process_time() - began < 1


def test_whole_numbers_beyond_64_bits_are_numbers(tmp_path):
    """A column of long numbers whose every value becomes a category."""
    file = tmp_path / "t.csv"
    file.write_text(f"a,y\n{10**30},0\n1,1\n,1\n")
    np.testing.assert_array_equal(read_table(file, "y").X["a"], [1e30, 1, np.nan])


@pytest.mark.parametrize("separator", ["abc", "\n", '"'])
def test_separator_that_is_none(tmp_path, separator):
    """An error of pandas that speaks of engines and regular expressions."""
    file = tmp_path / "t.csv"
    file.write_text("a,y\n1,0\n2,1\n")
    with pytest.raises(ValueError, match="must be one character"):
        read_table(file, "y", separator=separator)


def test_error_does_not_name_thousands_of_columns(tmp_path):
    """A message as long as the table is wide."""
    file = tmp_path / "t.csv"
    names = [f"c{i}" for i in range(500)]
    file.write_text("\n".join(",".join(row) for row in ([*names, "y"], ["1"] * 500 + ["0"], ["1"] * 501)))
    with pytest.raises(ValueError, match=r"And 488 more\.$"):
        read_table(file, "y")
