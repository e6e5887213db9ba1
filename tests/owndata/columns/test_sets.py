"""`--category-tests subsets`: tests that ask for sets of categories, with every method and in every form."""

import json
import sqlite3
from contextlib import closing
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from treelib.cli import main
from treelib.owndata import tuning
from treelib.owndata.columns.preparing import Preparing
from treelib.owndata.columns.sets import in_sets, name_of, with_orders
from treelib.owndata.fit import fit_table
from treelib.owndata.predict import stored
from treelib.owndata.read import read_table
from treelib.owndata.regression import fit_regression

STATES = ["NY", "NJ", "CA", "OR", "TX", "FL", "WA", "NV", "AZ", "UT"]
RICH = ["NY", "NJ", "CA", "OR"]
SETS = ["--category-tests", "subsets"]


@pytest.fixture
def states(tmp_path):
    """Answers, an amount and three classes that follow a set of four states, of which some are not known."""
    random = np.random.default_rng(0)
    n = 400
    frame = pd.DataFrame({"state": random.choice(STATES, n), "age": random.integers(20, 80, n)})
    frame.loc[random.random(n) < 0.08, "state"] = None
    is_rich = frame.state.isin(RICH) | frame.state.isna()
    frame["y"] = np.where(random.random(n) < np.where(is_rich, 0.9, 0.1), "yes", "no")
    frame["amount"] = (10 * is_rich + random.normal(size=n)).round(2)
    frame["part"] = np.where(is_rich, "A", np.where(frame.state.isin(["TX", "FL", "WA"]), "B", "C"))
    frame.to_csv(path := tmp_path / "states.csv", index=False)
    return path


def fit(path, target, *words):
    others = {"y", "amount", "part"} - {target}
    out = path.with_name("r.html")
    command = ["fit", str(path), "--target", target, "--out", str(out), "--quiet", "--drop", *sorted(others)]
    assert main([*command, *SETS, *words]) == 0
    return out


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("y", ["--max-depth", "2"]),
        ("y", ["--max-depth", "2", "--tune"]),
        ("y", ["--method", "topdown"]),
        ("y", ["--method", "topdown", "--max-categories", "6"]),
        ("y", ["--method", "dyadic", "--regularization", "0.05"]),
        ("y", ["--method", "born-again"]),
        ("amount", ["--tune"]),
        ("part", ["--max-depth", "2"]),
        ("part", ["--method", "topdown"]),
    ],
)
def test_every_method_and_form_knows_sets(states, capsys, target, words):
    """A set that one form lacks: another prediction in SQL or of `treelib predict` than in the report."""
    out = fit(states, target, *words)
    said = capsys.readouterr().out
    tree, _ = stored(out.with_suffix(".json"))
    assert any(" in {" in tree.feature_names[k] for k in tree.feature[~tree.is_leaf]), said
    assert " not in {" in out.with_suffix(".rules.txt").read_text()
    assert "sets of categories" in said and "sets of categories" in out.read_text()
    sql = out.with_suffix(".sql").read_text()
    assert " IN ('" in sql and "CASE WHEN CASE" not in sql.replace("\n", " ")
    frame = pd.read_csv(states)
    with closing(sqlite3.connect(":memory:")) as connection:
        frame.to_sql("t", connection, index=False)
        of_sql = pd.read_sql(f"SELECT {sql} AS answer FROM t", connection)["answer"]
    assert main(["predict", str(out.with_suffix(".json")), str(states), "--why"]) == 0
    predicted = pd.read_csv(pd.io.common.StringIO(capsys.readouterr().out))
    assert (predicted["prediction"] == of_sql).all()
    for to in ("javascript", "c"):
        assert main(["export", str(out.with_suffix(".json")), "--to", to]) == 0
    assert " in {" in capsys.readouterr().out


def test_a_category_that_the_fit_did_not_see_is_in_no_set(states, capsys):
    """An unseen category that goes with the states of a set, or a reason that holds for it too."""
    out = fit(states, "y", "--method", "topdown")
    new = pd.read_csv(states).head(3).assign(state=["Rome", "NY", None])
    new.to_csv(path := states.with_name("new.csv"), index=False)
    capsys.readouterr()
    assert main(["predict", str(out.with_suffix(".json")), str(path), "--why"]) == 0
    printed = capsys.readouterr()
    assert "1 row holds 'Rome', not seen in training: no category." in printed.err
    found = pd.read_csv(pd.io.common.StringIO(printed.out))
    assert found["prediction"].tolist() == ["no", "yes", "yes"]
    assert found["why"][0] == (
        "no, because state is none of CA, NJ, NY, OR. It would be yes if state were CA or NJ or NY or OR."
    )
    assert found["why"][1].startswith("yes, because state is CA or NJ or NY or OR.")
    assert found["why"][2].startswith("yes, because state is missing.")


def best_set(frame, objective):
    """Least objective of a test of any set of categories, of which a missing value is one."""
    codes = frame["state"].fillna("missing").to_numpy()
    there = sorted(set(codes))
    sets = (some for size in range(1, len(there)) for some in combinations(there, size))
    return min(objective(np.isin(codes, some)) for some in sets)


def test_the_best_set_is_among_those_tried(states):
    """Prefixes of a wrong order: brute force over all sets finds a better test."""
    table = read_table(states, "y", drop=["amount", "part"], preparing=Preparing(category_tests="subsets"))
    frame = pd.read_csv(states)
    is_yes = table.y == "yes"

    def errors(side):
        return sum(min(is_yes[rows].sum(), (~is_yes[rows]).sum()) for rows in (side, ~side)) / len(side)

    fitted = fit_table(table, regularization=0.05, constraints=_depth(1), say=lambda line: None)
    assert fitted.tree.n_leaves == 2 and fitted.is_proved
    assert fitted.training_error == pytest.approx(best_set(frame, errors))
    table = read_table(
        states, "amount", drop=["y", "part"], task="regression", preparing=Preparing(category_tests="subsets")
    )

    def squares(side):
        rest = sum(((table.y[rows] - table.y[rows].mean()) ** 2).sum() for rows in (side, ~side))
        return rest / ((table.y - table.y.mean()) ** 2).sum()

    fitted = fit_regression(table, regularization=0.1, constraints=_depth(1), say=lambda line: None)
    assert fitted.training_error == pytest.approx(best_set(frame, squares))


def _depth(depth):
    from treelib.owndata.constraints import Constraints

    return Constraints({"max_depth": depth}, [])


def test_folds_have_orders_of_their_own_training_rows(states):
    """Orders of all rows in the folds: on noise a cross-validated error below that of no tree."""
    random = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"code": [f"c{k}" for k in random.integers(0, 45, 300)], "y": random.integers(0, 2, 300)}
    )
    frame.to_csv(path := states.with_name("noise.csv"), index=False)
    table = read_table(path, "y", preparing=Preparing(category_tests="subsets"))
    folds = tuning.folds(table, 0)
    for training, held_out, X in folds:
        changed = table.y.copy()
        changed[held_out] = 1 - changed[held_out]
        twin = read_table(path, "y", preparing=Preparing(category_tests="subsets"))
        twin.y = changed
        pd.testing.assert_frame_equal(X, with_orders(twin, training).X)
    fitted = fit_table(table, "topdown", regularization=0.002, say=lambda line: None)
    assert fitted.training_error < 0.4 and fitted.judged.error > 0.42


def test_a_tree_without_sets_is_the_tree_itself(states):
    """A table whose columns change places though no set is tested."""
    plain = read_table(states, "y", drop=["amount", "part"], preparing=Preparing())
    fitted = fit_table(plain, "topdown", say=lambda line: None)
    table, tree = in_sets(plain, fitted.tree)
    assert tree.to_json() == fitted.tree.to_json()
    pd.testing.assert_frame_equal(table.X, plain.X)
    about = json.dumps(table.columns)
    assert "sets" not in about and about == json.dumps(plain.columns)


def test_constraints_know_columns_of_sets(states, capsys):
    """--allow state that forbids its sets; --monotonic of a column that has no order."""
    out = fit(states, "y", "--max-depth", "2", "--allow", "state")
    assert " in {" in out.with_suffix(".rules.txt").read_text()
    out = fit(states, "y", "--max-depth", "2", "--allow", "age")
    assert "state" not in out.with_suffix(".rules.txt").read_text()
    words = ["fit", str(states), "--target", "y", "--quiet", "--out", str(out), *SETS]
    assert main([*words, "--monotonic", "state=+1"]) == 2
    assert "the column holds categories" in capsys.readouterr().err


def test_sets_that_look_alike_are_two(tmp_path):
    """A name that two sets share, of which one is then lost: "a, b" and "c" beside "a" and "b, c"."""
    assert name_of("k", ["a, b", "c"]) != name_of("k", ["a", "b, c"])
    assert name_of("k", ["missing", "c"]) != name_of("k", [None, "c"])
    assert name_of("k", ['a", "b', "c"]) != name_of("k", ["a", "b", "c"])
    assert (name_of("k", ["a"]), name_of("k", [None])) == ("k = a", "k is missing")
