"""Files as people have them: encodings, words to Excel, marks of numbers, truth values, odd words, codes."""

import sqlite3
from contextlib import closing

import numpy as np
import pandas as pd
import pytest

from treelib.cli import main
from treelib.owndata import export
from treelib.owndata.columns.cells import Reading
from treelib.owndata.fit import fit_table
from treelib.owndata.predict import predict_file, stored
from treelib.owndata.read import read_table


def table(path, text, target="y", encoding="utf-8", **options):
    path.write_bytes(text.encode(encoding))
    return read_table(path, target, **options)


def lines(head, row, n=40):
    return head + "\n" + "".join(row(i) + "\n" for i in range(n))


@pytest.mark.parametrize("sign", [";", ",", "\t", "|"])
@pytest.mark.parametrize("word", ["sep={}", '"SEP={}"'])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_line_that_excel_hides_names_the_separator(tmp_path, sign, word, end):
    """ "name every column", of a file in which Excel shows a name over each."""
    text = word.format(sign) + "\n" + lines(f"a{sign}y", lambda i: f"{i % 7}{sign}{i % 2}")
    found = table(tmp_path / "t.csv", text.replace("\n", end))
    assert list(found.X) == ["a"] and len(found.y) == 40 and found.notes == []


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
def test_encodings_are_read(tmp_path, encoding):
    """A file of Excel, of Windows or of an old program that must be saved anew."""
    text = lines("größe,y", lambda i: f"{i % 5},{('süß', 'groß')[i % 2]}")
    if encoding == "utf-16-le":
        text = "\ufeff" + text
    found = table(tmp_path / "t.csv", text, encoding=encoding)
    assert list(found.X) == ["größe"] and set(found.y) == {"süß", "groß"}
    assert [note[:25] for note in found.notes] == ["The file is not in UTF-8;"] * (encoding == "cp1252")


@pytest.mark.parametrize(
    ("columns", "values", "note"),
    [
        (
            {"a": ["0,75", "12,5"], "b": ["9.870", "120"]},
            {"a": [0.75, 12.5], "b": [9870, 120]},
            "decimal commas",
        ),
        ({"b": ["2.000.300", "77"]}, {"b": [2000300, 77]}, "decimal commas"),
        ({"b": ["98,765", "43"]}, {"b": [98765, 43]}, "was read as 98765. --decimal , reads"),
        ({"b": ["98.765", "43"]}, {"b": [98.765, 43]}, "was read as 98.765. --decimal , reads"),
        (
            {"a": ["0.75", "3"], "b": ["9,870", "120"]},
            {"a": [0.75, 3], "b": [9870, 120]},
            "separate thousands",
        ),
        ({"b": ["9'870,5", "120"]}, {"b": [9870.5, 120]}, "decimal commas"),
    ],
)
@pytest.mark.parametrize("sign", [";", "\t", "|"])
def test_marks_of_numbers_are_one_decision_for_the_file(tmp_path, columns, values, note, sign):
    """13.505 of an income read as 13.5 beside prices such as 3,50."""
    frame = pd.DataFrame({name: words * 20 for name, words in columns.items()} | {"y": ["n", "p"] * 20})
    found = table(tmp_path / "t.csv", frame.to_csv(index=False, sep=sign))
    for name, expected in values.items():
        assert found.X[name].tolist() == expected * 20
    assert note in " ".join(found.notes)


def test_the_decimal_mark_can_be_given(tmp_path):
    """Advice that has no effect."""
    text = lines("b;y", lambda i: f"{('98.765', '43')[i % 2]};{i % 2}")
    found = table(tmp_path / "t.csv", text, reading=Reading(decimal=","))
    assert sorted(set(found.X["b"])) == [43, 98765] and found.notes == []
    words = ["--target", "y", "--decimal", ",", "--quiet", "--out", str(tmp_path / "r.html")]
    assert main(["fit", str(tmp_path / "t.csv"), *words]) == 0
    # and a new file of one row, which does not tell, has the marks of the fit
    tree, about = stored(tmp_path / "r.json")
    (tmp_path / "new.csv").write_text("b\n98.765\n")
    assert about["decimal"] == "," and predict_file(tree, about, tmp_path / "new.csv")[0].prediction[0] == "0"


TRUTHS = [("yes", "no"), ("True", "False"), ("Y", "N"), ("1", "0"), ("t", "f")]


@pytest.mark.parametrize("words", [words for words in TRUTHS if words != ("1", "0")])  # which are numbers
@pytest.mark.parametrize("has_missing", [False, True])
def test_truth_values_are_the_same_everywhere(tmp_path, words, has_missing):
    """A tree whose SQL finds 'True' in no cell, or that takes 1 for a category it never saw."""
    cells = [*words, ""] if has_missing else list(words)
    rows = [f"{cells[i % len(cells)]},{i % 5},{'ill' if i % len(cells) == 0 else 'well'}" for i in range(60)]
    path = tmp_path / "t.csv"
    path.write_text("smoker,age,state\n" + "\n".join(rows) + "\n")
    found = read_table(path, "state")
    assert list(found.X) == ["smoker", "age"]
    fitted = fit_table(found, say=lambda line: None)
    sql = export.of_tree(fitted.tree, found.sql)
    for other in TRUTHS:
        said = [other[words.index(row.split(",")[0])] if row[0] != "," else None for row in rows]
        with closing(sqlite3.connect(":memory:")) as connection:
            pd.DataFrame({"smoker": said, "age": 1}).to_sql("t", connection, index=False)
            answers = [row[0] for row in connection.execute(f"SELECT {sql} FROM t")]
        assert answers == found.y.tolist()
    assert main(["fit", str(path), "--target", "state", "--quiet", "--out", str(tmp_path / "r.html")]) == 0
    for other in TRUTHS:
        (tmp_path / "new.csv").write_text(f"smoker,age\n{other[0]},1\n{other[1]},1\n")
        told, notes = predict_file(*stored(tmp_path / "r.json"), tmp_path / "new.csv")
        assert told["prediction"].tolist() == ["ill", "well"] and notes == []


def test_spellings_of_a_truth_value_are_one_class(tmp_path):
    """Four classes of TRUE, true, False and FALSE."""
    words = ["TRUE", "TRUE", "true", "False", "FALSE", "False"]
    found = table(tmp_path / "t.csv", lines("a,y", lambda i: f"{i % 6 // 3},{words[i % 6]}"))
    assert found.classes.tolist() == ["False", "TRUE"]


@pytest.mark.parametrize(
    "word", ["lost", "n.a.", "N.A.", "na", "NONE", "Null", ">75", "75 years", "#REF!", "size"]
)
def test_an_odd_word_among_numbers_is_missing_and_named(tmp_path, word):
    """Some thirty categories of a size in which one cell is no number."""
    text = lines("size,y", lambda i: f"{word if i == 17 else i * 7 % 31},{i * 7 % 31 > 15}", 50)
    found = table(tmp_path / "t.csv", text)
    assert list(found.X) == ["size"] and np.isnan(found.X["size"]).sum() == 1
    assert f"missing: '{word}' (1 cell)" in " ".join(found.notes)
    asked = read_table(tmp_path / "t.csv", "y", reading=Reading(categorical=("size",)))
    assert len(asked.X.columns) > 20


@pytest.mark.parametrize("again", ["size,y", " size ,y", '"size","y"'])
def test_names_again_among_the_rows_are_left_out(tmp_path, again):
    """Files that were joined: the name of the target as a class of its own."""
    text = lines("size,y", lambda i: again if i in (3, 17) else f"{i * 7 % 31},{i * 7 % 31 > 15}", 50)
    found = table(tmp_path / "t.csv", text)
    assert found.classes.tolist() == ["False", "True"] and len(found.y) == 48
    assert found.notes == ["left out 2 rows repeating the column names."]


def test_two_spellings_of_a_code_are_one_category(tmp_path):
    """A code 3 of the fit that is 3.0 in the file to predict, and "no category"."""
    text = lines(
        "code,y", lambda i: f"{('3', '5.0', '8', '3.0')[i % 4]},{'in' if i % 4 in (0, 3) else 'out'}"
    )
    path = tmp_path / "t.csv"
    found = table(path, text, reading=Reading(categorical=("code",)))
    assert list(found.X) == ["code = 3", "code = 5", "code = 8"]
    assert "\"code\" IN ('3', '3.0')" in found.sql[0]
    words = ["--target", "y", "--categorical", "code", "--quiet", "--out", str(tmp_path / "r.html")]
    assert main(["fit", str(path), *words]) == 0
    (tmp_path / "new.csv").write_text("code\n3.0\n5\n8.0\n")
    told, notes = predict_file(*stored(tmp_path / "r.json"), tmp_path / "new.csv")
    assert told["prediction"].tolist() == ["in", "out", "out"] and notes == []


@pytest.mark.parametrize(
    ("name", "value", "is_left_out"),
    [
        ("record_id", lambda i: 7 * i % 101, True),
        ("number", lambda i: 3 + i + i // 4, True),
        ("income", lambda i: 1000 + 37 * i, False),
        ("income", lambda i: (1000 + 37 * i) * 7 % 5003, False),
        ("name", lambda i: f"person {i}", True),
    ],
)
def test_identifiers_are_left_out_by_name(tmp_path, name, value, is_left_out):
    """A row number in five splits; or an amount that is left out because all are different."""
    found = table(tmp_path / "t.csv", lines(f"{name},a,y", lambda i: f"{value(i)},{i % 3},{i % 2}", 60))
    assert (name not in found.X) == is_left_out
    assert ("left out" in " ".join(found.notes)) == is_left_out


def test_lines_that_do_not_fit_are_named(tmp_path):
    """A line that is filled up silently, with its values in other columns than they were written for."""
    with pytest.raises(ValueError, match="line 3 has 2 values, but the first line names 3 columns"):
        table(tmp_path / "t.csv", "a,b,y\n1,2,n\n2,p\n")
    with pytest.raises(ValueError, match="line 2: a quotation mark is never closed"):
        table(tmp_path / "t.csv", 'a,b,y\n"1,2,n\n2,3,p\n')


def test_the_index_of_a_frame_is_named_by_its_place(tmp_path):
    """A column without a name that stops the reading, or is tested."""
    found = table(tmp_path / "t.csv", lines(",a,y", lambda i: f"{i},{i % 3},{i % 2}"))
    assert list(found.X) == ["a"] and found.notes == ["column 1: left out, it numbers the rows."]
