"""`treelib fit` as a program: its output, its end, what it says on the way."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from treelib.cli import main
from treelib.owndata import tuning
from treelib.owndata.fit import fit_table
from treelib.owndata.read import read_table


@pytest.fixture
def people(tmp_path):
    """A table of two numbers and a class that follows one of them."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"age": rng.integers(20, 80, 90), "crp": rng.integers(0, 30, 90)})
    frame["ill"] = np.where(frame.age > 50, "yes", "no")
    frame.to_csv(path := tmp_path / "people.csv", index=False)
    return path


def run(capsys, path, *words):
    """(exit code, output) of `treelib fit` by the quick method."""
    out = path.with_name("r.html")
    words = ["fit", str(path), "--method", "topdown", "--out", str(out), *words]
    code = main(words)
    said = capsys.readouterr()
    return code, said.out + said.err


@pytest.mark.parametrize("more", [[], ["--category-tests", "subsets"]])
def test_columns_are_those_of_the_file(people, capsys, more):
    """ "1,500 rows, 11 columns" of a file that has 10, some of which are left out."""
    frame = pd.read_csv(people).assign(town=np.resize(["Rome", "Oslo", "Bonn"], 90), const=1)
    frame.to_csv(people, index=False)
    code, said = run(capsys, people, "--target", "ill", "--quiet", *more)
    assert code == 0
    assert (
        "3 of 4 columns used (5 after encoding)" in said and "columns: 3 of 4 used (5 after encoding)" in said
    )
    assert "3 of 4 used (5 after encoding)" in people.with_name("r.html").read_text()


def test_a_tree_that_is_worth_nothing_says_so_first(people, capsys):
    """A report on noise whose reader has to compare two errors himself."""
    words = "On held-out rows the tree predicts no better than "
    assert words not in run(capsys, people, "--target", "ill", "--quiet")[1]
    assert words not in people.with_name("r.html").read_text()
    frame = pd.read_csv(people)
    frame["ill"] = np.random.default_rng(1).choice(["no", "no", "yes"], len(frame))
    frame.to_csv(people, index=False)
    for more, rival in (
        ([], "always predicting the most frequent class"),
        (["--class-weight", "balanced", "--regularization", "0.5"], "always predicting one class"),
    ):
        assert words + rival in run(capsys, people, "--target", "ill", "--quiet", *more)[1]
        assert words + rival in people.with_name("r.html").read_text()


def test_a_rare_class_that_is_found_needs_no_warning(people, capsys):
    """ "Accuracy hardly reflects it" of a class whose every row was predicted right."""
    frame = pd.read_csv(people)
    frame["ill"] = np.where(frame.age > 72, "yes", "no")
    frame.to_csv(people, index=False)
    assert "hardly reflects" not in run(capsys, people, "--target", "ill", "--quiet")[1]
    frame["ill"] = np.where(np.arange(90) % 10 == 3, "yes", "no")
    frame.to_csv(people, index=False)
    said = run(capsys, people, "--target", "ill", "--quiet")[1]
    assert (
        "The class yes has 10.0 % of the rows, and 0 % of these were predicted correctly when held out"
        in said
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--target", "IL"], "did you mean 'ill'"),
        (["--target", "ill", "--drop", "CRP_mg"], "did you mean 'crp'"),
        (["--target", "ill", "--drop", "age,crp"], "no column 'age,crp' (give 'age' and 'crp' apart)"),
        (["--target", "ill", "--method", "sparse", "--monotonic", "CR=+1"], "did you mean 'crp'"),
        (["--target", "ill", "--method", "sparse", "--monotonic", "Crp=+1"], "did you mean 'crp'"),
        (
            ["--target", "ill", "--method", "sparse", "--require", "icd"],
            "cannot split on the column 'icd'. icd: left out, it is constant.",
        ),
    ],
)
def test_names_that_are_nearly_right(people, capsys, words, message):
    """A wrong name that is only said to be wrong."""
    pd.read_csv(people).assign(icd=1).to_csv(people, index=False)
    code, said = run(capsys, people, *words, "--quiet")
    assert code == 2 and message in said


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["fit", "a.csv", "--traget", "y"], "there is no option --traget (did you mean '--target'"),
        (["fit", "--target", "y", "--drop", "x", "a.csv"], "treelib fit FILE --target COLUMN [options]"),
        (["fit", "a.csv", "--time-limit", "long"], "--time-limit: invalid float value: 'long'"),
    ],
)
def test_words_that_are_not_understood(capsys, words, message):
    """Another option named than the wrong one, or what is wrong below 18 lines of usage."""
    with pytest.raises(SystemExit):
        main(words)
    said = capsys.readouterr().err
    assert message in said and len(said.splitlines()) == 2


@pytest.mark.parametrize(("word", "says"), [("--version", "treelib 1."), ("--help", "Fit decision trees")])
def test_what_the_program_says_of_itself(capsys, word, says):
    """No version, and a help that begins with marks of a docstring."""
    with pytest.raises(SystemExit):
        main([word])
    said = capsys.readouterr().out
    assert says in said and "``" not in said


def test_beside_the_tree_stands_how_it_is_read(people, capsys):
    """A row without an age that goes right at "age > 12.5", which nobody is told."""
    note = "A missing value counts as larger than every number"
    assert note not in run(capsys, people, "--target", "ill", "--quiet")[1]
    frame = pd.read_csv(people)
    frame.loc[::9, "age"] = np.nan
    frame.to_csv(people, index=False)
    said = run(capsys, people, "--target", "ill", "--quiet")[1]
    assert said.index("samples") < said.index(note) < said.index("method:")
    assert note in people.with_name("r.html").read_text()


@pytest.mark.parametrize(
    ("score", "says"),
    [
        ("auc", "area under the ROC curve"),
        ("balanced-accuracy", "balanced accuracy"),
        ("log-loss", "log loss"),
    ],
)
def test_the_score_is_said_of_held_out_and_of_new_rows(people, capsys, score, says):
    """An area under the curve that is in the page alone, as one minus it, and not there for new rows."""
    more = ["--target", "ill", "--quiet", "--tune", "--score", score, "--test", str(people)]
    said = run(capsys, people, *more)[1]
    assert f"{says} on people.csv: {'0.0000' if score == 'log-loss' else '1.0000'}" in said
    assert f"{says} on held-out rows: {'0.' if score == 'log-loss' else '1.0000'}" in said


def test_reading_counts_in_the_limit_of_time(people, monkeypatch):
    """A large file, whose reading comes on top of the seconds that were asked for."""
    table, real, given = read_table(people, "ill"), tuning.families, []
    monkeypatch.setattr(
        tuning, "families", lambda *a, **more: given.append(more["time_limit"]) or real(*a, **more)
    )
    assert 0 < table.seconds < 10
    table.seconds = 40.0
    fitted = fit_table(table, tune=True, time_limit=60.0, say=lambda line: None)
    assert given[0] < 20 and fitted.seconds > 40


def test_the_limit_of_time_is_for_everything(people, capsys):
    """--time-limit 20 that takes 44 s."""
    frame = pd.DataFrame(np.random.default_rng(0).random((2000, 12))).add_prefix("x")
    frame["ill"] = np.random.default_rng(1).integers(0, 2, len(frame))
    frame.to_csv(people, index=False)
    words = ["fit", str(people), "--target", "ill", "--out", str(people.with_name("r.html")), "--quiet"]
    for more in ([], ["--tune"]):
        assert main([*words, "--time-limit", "4", *more]) == 0
        said = capsys.readouterr().out
        assert float(said.partition("seconds in total: ")[2].split()[0]) < 8  # on a busy machine


def command(*words):
    return [sys.executable, "-m", "treelib.cli", *map(str, words)]


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of another kind")
def test_a_reader_that_goes_away(people):
    """`treelib fit ... | head -1`, which ended in a traceback and wrote no report."""
    out = people.with_name("r.html")
    words = ["fit", people, "--target", "ill", "--method", "topdown", "--out", out]
    running = subprocess.Popen(command(*words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    running.stdout.close()  # before the first line
    errors = running.stderr.read()
    running.stderr.close()
    assert running.wait() == 0 and not errors
    assert out.is_file() and out.with_suffix(".sql").is_file()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--regularization", "-1"], "--regularization=-1.0 must be a finite number, 0 or more"),
        (["--time-limit", "0"], "--time-limit=0.0 must be a positive number of seconds"),
    ],
)
def test_numbers_are_refused_before_the_table_is_read(tmp_path, capsys, words, says):
    """A price below 0 that is refused only after a large table was read and the folds begun."""
    code, said = run(capsys, tmp_path / "none.csv", "--target", "ill", *words)
    assert code == 2 and says in said and "there is no file" not in said


def test_json_is_no_table(tmp_path, capsys):
    """Records in JSON taken for a CSV file of odd names, which are then said to occur twice."""
    path = tmp_path / "people.json"
    path.write_text('[{"a": 1, "b": "x"}, {"a": 1, "b": "x"}]')
    code, said = run(capsys, path, "--target", "b")
    assert code == 2 and "people.json is JSON; convert it to CSV" in said


def test_the_interval_of_the_error_stays_between_0_and_100_per_cent():
    """ "7.86 % ± 9.32 %": an error below 0."""
    from treelib.owndata.fit import Judged
    from treelib.owndata.report.facts import interval

    def ends(*errors, most=1.0):
        return interval(Judged(None, np.array(errors), 2.0, 0), most)

    assert ends(0.0, 0.2, 0.0, 0.2, 0.0) == pytest.approx((0.0, 0.2840), abs=5e-5)
    assert ends(1.0, 0.8, 1.0, 0.8, 1.0)[1] == 1.0
    # the mean squared error may be more than the variance
    assert ends(1.0, 0.8, 1.0, 0.8, 1.0, most=np.inf)[1] == pytest.approx(1.1240, abs=5e-5)


def test_the_package_runs_as_a_module():
    """ "No module named treelib.__main__"."""
    done = subprocess.run([sys.executable, "-m", "treelib", "--help"], capture_output=True, text=True)
    assert done.returncode == 0 and "usage: treelib" in done.stdout


def test_notes_that_say_the_same_are_one(tmp_path, capsys):
    """83 lines on 83 columns, above a tree that nobody finds."""
    frame = pd.DataFrame({f"c{k}": np.where(np.arange(90) % (k + 7) == 0, "?", "5") for k in range(9)})
    frame = frame.assign(age=np.arange(90) % 31, y=np.where(np.arange(90) % 31 > 12, "yes", "no"))
    frame.to_csv(path := tmp_path / "t.csv", index=False)
    code, said = run(capsys, path, "--target", "y", "--quiet")
    assert code == 0 and said.count("count") < 5 and "9 columns (c0, c1, c2, ...), as c0: " in said
    text = path.with_name("r.html").read_text()
    assert text.index("<svg") < text.index("9 columns (c0")
