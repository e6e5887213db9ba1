"""Tables as they come: row numbers, huge numbers, dates, lists, decimals, workbooks."""

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from treelib.cli import main
from treelib.owndata.read import read_table


def awkward(path, n=60):
    """A file with what real ones have: counted rows, huge numbers, dates, and rows without a target."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "row": 10**17 + np.arange(n),
            "account": 2**60 + 3 * rng.permutation(n),
            "seen": pd.date_range("2024-01-01", periods=n).strftime("%d/%m/%Y"),
            "far": np.where(np.arange(n) % 2, 1e300, 1.0),
            "age": rng.integers(20, 80, n),
        }
    )
    frame["ill"] = np.where(frame["age"] > 50, "yes", "no")
    frame.loc[::7, "ill"] = None
    frame.to_csv(path, index=False)
    return path


def test_awkward_columns_are_named(tmp_path):
    """Row numbers that are tested since rows without a target broke their count; numbers that collapse."""
    table = read_table(awkward(tmp_path / "t.csv"), "ill")
    assert list(table.X.columns) == ["account", "far", "age"]
    notes = dict(note.split(": ", 1) for note in table.notes[1:])
    assert notes["row"] == "left out, it numbers the rows."
    assert "float64 distinguishes only 2 of its 51 whole numbers" in notes["account"]


@pytest.mark.parametrize(("step", "left"), [(1, "left out, it is constant. "), (10**9, "")])
def test_whole_numbers_of_more_than_64_bits_are_told_apart_or_named(tmp_path, step, left):
    """Digits that get lost without a word, since pandas hands such a column on as text."""
    path = tmp_path / "t.csv"
    rows = [f"{10**25 + step * (k % 9)},{k % 5},{k % 2}" for k in range(60)]
    path.write_text("\n".join(["long,a,y", *rows]))
    notes = dict(note.split(": ", 1) for note in read_table(path, "y").notes)
    assert notes["long"].startswith(f"{left}float64 distinguishes only ")


@pytest.mark.parametrize(
    "words, message",
    [
        (["--target", "seen"], "it holds times; cut them into ranges"),
        (["--target", "ill", "--method", "bornagain"], "far: values beyond 3.4e38, but a random forest"),
        (["--target", "ill", "--allow", "age", "--require", "far"], "add --allow far"),
        (["--target", "ill", "--time-limit", "-1"], "--time-limit=-1.0 must be a positive number of seconds"),
    ],
)
def test_command_names_awkward_columns(tmp_path, capsys, words, message):
    """An error in the words of another program, or one that names no column and no way out."""
    path = awkward(tmp_path / "t.csv")
    assert main(["fit", str(path), *words, "--quiet", "--out", str(tmp_path / "r.html")]) == 2
    assert message in capsys.readouterr().err


def test_lists_and_decimals_of_parquet(tmp_path):
    """A traceback of pandas for a column of lists, or money in decimals that becomes categories."""
    pytest.importorskip("pyarrow")
    file = tmp_path / "t.parquet"
    pay = [Decimal(f"{k % 60}.25") for k in range(120)]
    frame = pd.DataFrame({"tags": [["a", "b"]] * 120, "pay": pay, "y": np.arange(120) % 2})
    frame.to_parquet(file)
    table = read_table(file, "y")
    assert table.notes == ["tags: left out, it holds lists or records; extract what matters into columns."]
    np.testing.assert_array_equal(table.X["pay"], np.array(pay, float))
    with pytest.raises(ValueError, match="'tags' is neither classes nor a quantity: it holds lists"):
        read_table(file, "tags")
    book = tmp_path / "book.xlsx"
    book.write_bytes(b"PK")
    with pytest.raises(ValueError, match="save its sheet as CSV"):
        read_table(book, "y")
