"""`treelib predict`: the stored tree on the table that it was fitted to, and on others."""

import json

import numpy as np
import pandas as pd
import pytest

from treelib.cli import main
from treelib.owndata.predict import predict_file, stored
from treelib.tree import Tree


@pytest.fixture
def people(tmp_path):
    """A table with all kinds of columns, and a class that follows each of them in part."""
    rng = np.random.default_rng(0)
    n = 300
    frame = pd.DataFrame(
        {
            "sex": rng.choice(["m", "f"], n),
            "smokes": rng.choice(["True", "False", ""], n),
            "diabetic": rng.choice(["True", "False"], n),
            "oedema": rng.choice(["None", "mild", "severe", ""], n),
            "code": rng.choice(["007", "07", "7"], n),
            "age": rng.integers(20, 80, n).astype(str),
            "pay": [f"${value:,}.50" for value in rng.integers(500, 9000, n)],
        }
    )
    score = (
        1 * (frame.sex == "m") + (frame.oedema == "None") + (frame.code == "07") + (frame.smokes == "True")
    )
    frame["ill"] = np.where(
        score + (frame.diabetic == "True") + (frame.age.astype(int) > 50) > 2, "yes", "no"
    )
    frame.loc[::9, "age"] = "NA"
    frame.to_csv(path := tmp_path / "people.csv", index=False)
    return path


def fitted(path, *words, target="ill"):
    out = path.with_name("r.html")
    words = ["--regularization", "0", "--method", "topdown", "--out", str(out), "--quiet", *words]
    assert main(["fit", str(path), "--target", target, *words]) == 0
    return out.with_suffix(".json")


@pytest.mark.parametrize("target", ["ill", "pay"])
def test_it_predicts_the_table_of_the_fit(people, capsys, target):
    """ "could not convert string to float: 'm'"; a column that is read otherwise than it was in the fit."""
    from treelib.owndata.read import read_table

    model, out = fitted(people, target=target), people.with_name("p.csv")
    capsys.readouterr()
    assert main(["predict", str(model), str(people), "--out", str(out)]) == 0
    assert capsys.readouterr() == (f"wrote {out}: 300 rows\n", "")
    tree, table = Tree.from_json(model.read_text()), read_table(people, target, task="auto")
    expected, found = tree.predict(table.X.to_numpy()), pd.read_csv(out)
    if target == "pay":
        np.testing.assert_allclose(found["prediction"], expected)
        return
    assert tree.n_leaves > 20
    assert found["prediction"].tolist() == [tree.class_names[code] for code in expected]
    assert np.allclose(found[["share of no", "share of yes"]].sum(axis=1), 1)
    assert (found["prediction"] == table.y).mean() > 0.95


def test_a_few_rows_are_read_as_many_were(people, capsys):
    """A file whose rows alone would make numbers of codes, or truth values of categories."""
    model = fitted(people)
    whole = predict_file(*stored(model), people)[0]
    for place in (3, 9, 27):
        few = people.with_name("few.csv")
        pd.read_csv(people, dtype=str, keep_default_na=False).iloc[[place]].to_csv(few, index=False)
        found, notes = predict_file(*stored(model), few)
        assert not notes
        pd.testing.assert_frame_equal(found, whole.iloc[[place]].reset_index(drop=True))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"rename": {"sex": "Sex"}},
            "uses the column 'sex', which the file does not have (did you mean 'Sex'?)",
        ),
        ({"age": "old"}, "the column 'age' holds 'old', which is not a number"),
        ({"diabetic": "perhaps"}, "the column 'diabetic' holds 'perhaps', which is neither true nor false"),
    ],
)
def test_files_that_do_not_fit(people, capsys, change, message):
    """A traceback, or predictions from columns that are not those of the fit."""
    model, frame = fitted(people), pd.read_csv(people, dtype=str, keep_default_na=False)
    frame = frame.rename(columns=change["rename"]) if "rename" in change else frame.assign(**change)
    frame.to_csv(people, index=False)
    assert main(["predict", str(model), str(people)]) == 2
    assert message in capsys.readouterr().err


def test_unseen_categories_are_named(people, capsys):
    """A new category that passes for another, without a word."""
    model, frame = fitted(people), pd.read_csv(people, dtype=str, keep_default_na=False)
    frame.assign(oedema="huge", sex="").to_csv(people, index=False)
    capsys.readouterr()
    assert main(["predict", str(model), str(people)]) == 0
    said = capsys.readouterr()
    assert "oedema: 300 rows hold 'huge', not seen in training" in said.err
    assert "sex: missing in 300 rows, not in training" in said.err
    assert said.out.startswith("prediction,share of no,share of yes\n") and said.out.count("\n") == 301


def test_stored_trees_without_columns_are_named(people, capsys):
    """A KeyError for a tree of another program, or of an older one."""
    model = fitted(people)
    beside = model.with_suffix(".table.json")
    about = json.loads(beside.read_text())
    for text in (None, "{", json.dumps([1])):
        beside.unlink() if text is None else beside.write_text(text)
        assert main(["predict", str(model), str(people)]) == 2
        said = capsys.readouterr().err
        assert "is missing or damaged" in said or "describes other columns than its tree has" in said
    about["columns"].pop()
    beside.write_text(json.dumps(about))
    assert main(["predict", str(model), str(people)]) == 2
    assert "describes other columns than its tree has" in capsys.readouterr().err
    assert main(["predict", "nothing.json", str(people)]) == 2


@pytest.mark.parametrize("odd", ["a  b", "a\tb", "a\u00a0b", "a\nb", " a", "a ", 'a "b"', "a = b"])
def test_categories_with_odd_white_space_are_those_of_the_fit(odd, tmp_path):
    """A file that `treelib predict` refuses because it writes the name of a category in another way."""
    table = pd.DataFrame({"note": [odd, "c"] * 20, "ill": ["n", "y"] * 20})
    table.to_csv(tmp_path / "table.csv", index=False)
    name = str(tmp_path / "table.html")
    assert main(["fit", str(tmp_path / "table.csv"), "--target", "ill", "--out", name, "--quiet"]) == 0
    tree, about = stored(tmp_path / "table.json")
    found, _ = predict_file(tree, about, tmp_path / "table.csv")
    assert found["prediction"].tolist() == table["ill"].tolist()


def test_why_speaks_of_the_columns_of_the_file(tmp_path, capsys):
    """A reason by encoded features, a change that gives another class than it says, or one that is fixed."""
    random = np.random.default_rng(0)
    n = 400
    frame = pd.DataFrame(
        {
            "income": random.integers(1, 60, n) * 100,
            "speed": random.choice(["1-9", "10-24", "25-39", "40+"], n),
            "town": random.choice(["Oslo", "Rome", "Bonn", None], n),
            "smoker": random.choice(["yes", "no"], n),
        }
    )
    good = (frame.income > 2000) & frame.speed.isin(["1-9", "10-24"]) & (frame.town != "Rome")
    frame["credit"] = np.where(good, "granted", "refused")
    frame.to_csv(path := tmp_path / "people.csv", index=False)
    out = tmp_path / "r.html"
    words = ["fit", str(path), "--target", "credit", "--method", "topdown", "--regularization", "0"]
    assert main([*words, "--quiet", "--out", str(out)]) == 0
    new = pd.DataFrame({"income": [1000], "speed": ["1-9"], "town": ["Bonn"], "smoker": ["no"]})
    new.to_csv(tmp_path / "new.csv", index=False)
    capsys.readouterr()
    ask = ["predict", str(out.with_suffix(".json")), str(tmp_path / "new.csv")]
    assert main([*ask, "--why"]) == 0
    said = capsys.readouterr().out
    assert "because income is at most 2050." in said
    assert "It would be granted if income were above 2050." in said
    assert main([*ask, "--fixed", "income"]) == 0
    said = capsys.readouterr().out
    assert "It would be" not in said and "No allowed change gives another class." in said
    assert main([*ask, "--fixed", "income", "--wanted", "granted"]) == 0
    assert "No allowed change gives granted." in capsys.readouterr().out
    assert main([*ask, "--wanted", "refused"]) == 0
    assert "No allowed change" not in capsys.readouterr().out  # it is refused already
    assert main([*ask, "--change", "income=-1"]) == 0
    assert "It would be" not in capsys.readouterr().out
    pd.DataFrame({"income": [5000], "speed": ["40+"], "town": ["Bonn"], "smoker": ["no"]}).to_csv(
        tmp_path / "new.csv", index=False
    )
    assert main([*ask, "--why", "--wanted", "granted"]) == 0
    assert "granted if speed were 1-9 or 10-24" in capsys.readouterr().out
    for more, message in (
        (["--fixed", "wage"], "no column 'wage'"),
        (["--wanted", "maybe"], "no class 'maybe'"),
        (["--change", "income"], "give NAME=+1 or NAME=-1"),
        (["--change", "town=+1"], "not a numeric column"),
    ):
        assert main([*ask, *more]) == 2
        assert message in capsys.readouterr().err
