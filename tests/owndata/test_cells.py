"""What the cells of a file mean: words for missing values, digits that are codes."""

import numpy as np
import pandas as pd
import pytest

from treelib.cli import main
from treelib.owndata.columns.cells import Reading
from treelib.owndata.fit import fit_table
from treelib.owndata.read import read_table


def written(path, n=200, **columns):
    """A CSV file of columns that repeat some words, and a target y of 0 and 1."""
    columns = {name: [words[i % len(words)] for i in range(n)] for name, words in columns.items()}
    pd.DataFrame({"y": [i // 3 % 2 for i in range(n)]} | columns).to_csv(path, index=False)
    return path


def notes_of(table):
    return dict(note.split(": ", 1) for note in table.notes)


def test_words_of_people_are_categories_of_text(tmp_path):
    """ "None" among the grades of an oedema, read as missing beside "NA": 23.5 % error, and "proved"."""
    rng = np.random.default_rng(0)
    oedema = rng.choice(["NA", "None", "mild", "severe"], 400)
    frame = pd.DataFrame({"oedema": oedema, "ill": np.where(oedema == "None", "no", "yes")})
    frame.to_csv(tmp_path / "t.csv", index=False)
    table = read_table(tmp_path / "t.csv", "ill")
    assert list(table.X.columns) == [f"oedema = {word}" for word in ("NA", "None", "mild", "severe")]
    n = np.isin(oedema, ["NA", "None"]).sum()
    said = f"categories of their own, though the words may mean missing: 'NA', 'None' ({n} cells). --missing"
    assert notes_of(table)["oedema"] == f"{said} NA,None reads them as missing."
    assert fit_table(table, say=lambda line: None).training_error == 0


def test_words_are_missing_where_the_others_are_numbers(tmp_path):
    """A column of numbers that "NA" or "None" turns into one of categories."""
    path = written(
        tmp_path / "t.csv",
        age=["4.5", "NA", "", "7"],
        pay=["$5", "None", "$7", "$9"],
        smokes=["True", "n/a", "False", "True"],
        grade=["a", "nan", "b", ""],
    )
    table = read_table(path, "y")
    assert list(table.X.columns) == ["age", "pay", "smokes", "grade = a", "grade = b", "grade is missing"]
    assert table.X[["age", "pay", "smokes"]].isna().sum().tolist() == [100, 50, 50]
    notes = notes_of(table)
    assert notes["age"] == "counted as missing: 'NA' (50 cells)."
    assert notes["pay"].startswith("counted as missing: 'None' (50 cells). its values are amounts")
    assert notes["grade"] == "counted as missing: 'nan' (50 cells)."


def test_missing_words_that_are_named(tmp_path):
    """A code such as -9 that is a number, and "None" where it does mean that nothing is known."""
    path = written(tmp_path / "t.csv", age=["4.5", "-9", "6", "7"], grade=["None", "a", "b", "NA"])
    table = read_table(path, "y", reading=Reading(missing=("-9", "None")))
    assert np.isnan(table.X["age"]).sum() == 50 and "grade = None" not in table.X
    assert notes_of(table)["age"] == "counted as missing: '-9' (50 cells)."
    assert notes_of(table)["grade"].startswith(
        "counted as missing: 'None' (50 cells). categories of their own"
    )


def test_a_class_called_none(tmp_path):
    """Rows that are left out since their class is a word for what is missing."""
    path = tmp_path / "t.csv"
    path.write_text("a,y\n" + "".join(f"{i % 5},{('None', 'mild')[i % 2]}\n" for i in range(40)))
    table = read_table(path, "y")
    assert list(table.classes) == ["None", "mild"]
    assert "--missing None" in notes_of(table)["y"] and "classes of their own" in notes_of(table)["y"]
    with pytest.raises(ValueError, match="one value only"):
        read_table(path, "y", reading=Reading(missing=("None",)))


def test_digits_that_begin_with_0_are_codes(tmp_path):
    """007, 07 and 7 that become one number, and then "it is constant"."""
    path = written(tmp_path / "t.csv", code=["007", "07", "7"], zip=["01234", "01235", "91234"])
    table = read_table(path, "y")
    assert [name for name in table.X if "code" in name] == ["code = 007", "code = 07", "code = 7"]
    assert [name for name in table.X if "zip" in name] == ["zip = 01234", "zip = 01235", "zip = 91234"]
    assert notes_of(table)["code"].startswith("read as text, since '007' begins with 0 like a code")
    asked = read_table(path, "y", reading=Reading(numeric=("zip",)))
    assert sorted(set(asked.X["zip"])) == [1234, 1235, 91234]


def test_numbers_below_one_are_no_codes(tmp_path):
    """0, 0.5 or -0.5 taken for codes."""
    for words in (["0", "0.5", "-0.5", "10"], ["0,5", "1,5", "0", "2"]):
        assert list(read_table(written(tmp_path / "t.csv", a=words), "y").X) == ["a"]


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_numbers_that_are_categories(tmp_path, kind):
    """--categorical that a kind of file ignores, or categories called 1.0."""
    path = written(tmp_path / "t.csv", site=["1", "2", "", "7"], b=["1", "2"])
    if kind == "parquet":
        pytest.importorskip("pyarrow")
        pd.read_csv(path).to_parquet(path := tmp_path / "t.parquet")
    table = read_table(path, "y", reading=Reading(categorical=("site",)))
    assert list(table.X) == ["b", "site = 1", "site = 2", "site = 7", "site is missing"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--categorical", "gradee"], "did you mean 'grade'"),
        (["--numeric", "grade"], "--numeric grade: the column holds 'a', which is not a number"),
        (["--numeric", "age", "--categorical", "age"], "cannot be both"),
    ],
)
def test_mistakes_are_named(tmp_path, capsys, words, message):
    """An option for a column that has no effect, without a word."""
    path = written(tmp_path / "t.csv", age=["1", "2", "3"], grade=["a", "b", "NA"])
    out = ["--out", str(tmp_path / "r.html")]
    assert main(["fit", str(path), "--target", "y", "--quiet", *out, *words]) == 2
    assert message in capsys.readouterr().err


def test_the_command_hands_them_on(tmp_path, capsys):
    """An option of reading that never reaches the reader."""
    path = written(tmp_path / "t.csv", age=["1", "2", "3"], grade=["a", "b", "NA"], code=["01", "2"])
    words = ["--missing", "NA,x", "--missing", "b", "--categorical", "age", "--numeric", "code"]
    out = ["--out", str(tmp_path / "r.html")]
    assert main(["fit", str(path), "--target", "y", "--quiet", "--method", "topdown", *out, *words]) == 0
    said = capsys.readouterr().out
    assert "grade: counted as missing: 'NA', 'b' (133 cells)." in said and "code: read as text" not in said
