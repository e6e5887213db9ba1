"""Constraints of `treelib fit`: what the tree keeps to, what the report says, what is refused."""

import numpy as np
import pandas as pd
import pytest

from treelib.cli import main
from treelib.owndata.guided import GuidedTree
from treelib.tree import Tree


@pytest.fixture
def loans(tmp_path):
    """A table of numbers and a category, in which risk falls with income but for a dent."""
    random = np.random.default_rng(0)
    n = 300
    frame = pd.DataFrame(
        {
            "income": random.integers(1, 11, n),
            "debts": random.integers(0, 5, n),
            "town": random.choice(["Oslo", "Rome", "Bonn"], n),
        }
    )
    bad = (frame.income < 6) ^ frame.income.isin([3, 4]) ^ (random.random(n) < 0.05)
    frame["paid"] = np.where(bad, "no", "yes")
    frame["amount"] = frame.income * 100 + random.normal(0, 50, n)
    path = tmp_path / "loans.csv"
    frame.to_csv(path, index=False)
    return path


def run(loans, *words, target="paid"):
    """(exit code, tree, text of the report) of one command."""
    out = loans.with_name("report.html")
    drop = "amount" if target == "paid" else "paid"
    code = main(["fit", str(loans), "--target", target, "--drop", drop, "--out", str(out), "--quiet", *words])
    return code, Tree.from_json(out.with_suffix(".json").read_text()), out.read_text()


def test_sparse_tree_keeps_to_all_constraints(loans, capsys):
    """Would catch an option that is read and not handed on, or a proof that does not name it."""
    low = ("--regularization", "0.03", "--time-limit", "20")
    code, free, report = run(loans, *low)
    assert code == 0 and "constraints" not in report
    words = (
        "--monotonic",
        "income=+1",
        "--min-samples-leaf",
        "12",
        "--require",
        "debts",
        "--allow",
        "income",
    )
    code, tree, report = run(loans, *low, *words, "--allow", "debts")
    assert code == 0
    said = (
        "leaves of at least 12 rows; predictions never fall with income (from no to yes); "
        "tests of income, debts only; testing debts"
    )
    assert said in report and said in capsys.readouterr().out
    assert "no tree over the same candidate splits that satisfies the constraints has less" in report
    assert tree.n_node_samples[tree.is_leaf].min() >= 12
    tested = {tree.feature_names[feature] for feature in tree.feature[~tree.is_leaf]}
    assert "debts" in tested <= {"income", "debts"}
    assert "their path does not support these constraints" in report
    X = np.zeros((25, tree.n_features))
    for debts in range(5):
        X[:, 0], X[:, 1] = np.arange(25), debts
        assert (np.diff(tree.predict(X)) >= 0).all()
    assert (np.diff(free.predict(X)) < 0).any()  # the dent that the order forbids


def test_allowed_categories_and_tuning(loans):
    """Would catch a category that is allowed by its column's name and lost, and a path that ignores it."""
    code, tree, report = run(loans, "--allow", "town", "--tune", "--time-limit", "10")
    assert code == 0 and "tests of town only" in report
    tested = {tree.feature_names[feature] for feature in tree.feature[~tree.is_leaf]}
    assert tested <= {"town = Oslo", "town = Rome", "town = Bonn"}


@pytest.mark.parametrize(("target", "words"), [("paid", ["--method", "topdown"]), ("amount", [])])
@pytest.mark.parametrize("least", ["30", "0.1"])
def test_greedy_trees_have_a_least_leaf(loans, target, words, least):
    """Would catch a least leaf that only the search of optimal trees knows, or a share taken for rows."""
    for price in (["--regularization", "0"], ["--tune"]):
        code, tree, report = run(loans, "--min-samples-leaf", least, *words, *price, target=target)
        assert code == 0 and tree.n_node_samples[tree.is_leaf].min() >= 30
        assert f"leaves of at least {'30 rows' if least == '30' else '10 % of the rows'}" in report


@pytest.mark.parametrize("method", ["sparse", "topdown"])
def test_limits_of_size(loans, capsys, method):
    """--max-depth and --max-leaves that the guide names and the command does not know."""
    words = ("--method", method, "--regularization", "0.002", "--time-limit", "5")
    free = run(loans, *words)[1]
    assert free.n_leaves > 3 and free.max_depth > 2
    assert run(loans, *words, "--max-depth", "2")[1].max_depth <= 2
    code, tree, report = run(loans, *words, "--max-leaves", "3")
    assert code == 0 and 1 < tree.n_leaves <= 3 and "at most 3 leaves" in report


@pytest.mark.parametrize("more", [["--regularization", "0.005"], ["--tune"]])
def test_few_leaves_are_proved_over_every_depth(tmp_path, capsys, more):
    """ "The least of every tree of depth 4 at most" of four leaves, which have no more than three levels; and
    beside it that the search stopped before the proof."""
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.normal(size=(190, 8))).add_prefix("x")
    frame.assign(y=random.integers(0, 2, 190)).to_csv(path := tmp_path / "noise.csv", index=False)
    words = ["fit", str(path), "--target", "y", "--quiet", "--out", str(tmp_path / "r.html")]
    assert main([*words, "--max-leaves", "4", "--time-limit", "8", *more]) == 0
    said = capsys.readouterr().out
    assert "no tree over the same candidate splits that satisfies the constraints has less" in said
    assert "stopped before the proof" not in said


def test_fewer_thresholds(loans, capsys):
    """--max-thresholds that the search never sees, or that the report does not name."""
    words = ("--regularization", "0.01", "--time-limit", "5", "--max-thresholds", "3")
    code, _, report = run(loans, *words)
    assert code == 0 and "3 quantiles of each column" in report and "constraints" not in report


def test_a_start_of_fitting_size():
    """A greedy tree with more leaves than allowed, of which the search starts or that a limit hands back."""
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(400, 4)), columns=list("abcd")).mask(random.random((400, 4)) < 0.1)
    y = (X["a"].fillna(1) * X["b"].fillna(1) + random.normal(0, 0.3, 400) > 0).astype(int).to_numpy()
    for limit in (0.01, 5):
        for bound in ({"max_leaf_nodes": 3}, {"max_depth": 2}, {"max_leaf_nodes": 5, "max_depth": 2}):
            tree = GuidedTree(0.001, limit, **bound).fit(X, y).tree_
            assert tree.n_leaves <= bound.get("max_leaf_nodes", 99)
            assert tree.max_depth <= bound.get("max_depth", 99)


def test_classes_that_are_numbers_have_their_order(loans, capsys):
    """ "needs an order of the 11 classes, and these are no numbers"; and classes listed 0, 1, 10, 2."""
    frame = pd.read_csv(loans)
    frame["paid"] = 2 * ((frame.income - 1) // 2) + 2 * (frame.debts == 0)
    frame.to_csv(loans, index=False)
    words = ("--monotonic", "income=+1", "--time-limit", "5", "--regularization", "0.05")
    code, tree, report = run(loans, *words)
    assert code == 0 and tree.class_names == ("0", "2", "4", "6", "8", "10")
    assert "classes: 0, 2, 4, 6, 8, 10" in capsys.readouterr().out
    assert "<th>8</th><th>10</th>" in report and "(from 0 to 2 to 4 to 6 to 8 to 10)" in report
    X = np.zeros((12, tree.n_features))
    X[:, 0] = np.arange(12)
    assert (np.diff(tree.predict(X)) >= 0).all() and tree.n_leaves > 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--min-samples-leaf", "few"], "give a number of rows, such as 20"),
        (["--min-samples-leaf", "0"], "min_samples_leaf=0 must be a positive integer"),
        (["--monotonic", "income"], "give NAME=+1 if the prediction may not fall"),
        (["--monotonic", "income=+1", "--monotonic", "income=-1"], "names the column 'income' twice"),
        (["--monotonic", "town=+1"], "the column holds categories"),
        (["--require", "town"], "name one of them, such as 'town = Bonn'"),
        (["--allow", "wages"], "there is no column 'wages'; the columns are 'income', 'debts', 'town'"),
        (["--allow", "income", "--require", "debts"], "not among the columns of --allow"),
        (["--max-leaves", "1"], "--max-leaves 1 is too small: give 2 or more"),
        (["--max-depth", "0"], "--max-depth 0 is too small"),
        (
            ["--method", "dyadic", "--max-depth", "3"],
            "--max-depth is for --method sparse or topdown, not for",
        ),
        (["--method", "born-again", "--max-leaves", "3"], "--max-leaves is for --method sparse or topdown"),
        (["--method", "topdown", "--max-thresholds", "5"], "--max-thresholds is for --method sparse, not"),
        (["--method", "topdown", "--allow", "income"], "--allow is for --method sparse, not for topdown"),
        (
            ["--method", "dyadic", "--min-samples-leaf", "5"],
            "is for --method sparse or topdown, not for dyadic",
        ),
    ],
)
def test_mistakes_are_named(loans, capsys, words, message):
    """A constraint that is silently left out, or a traceback on the command line."""
    drop = ["--drop", "amount"]
    assert main(["fit", str(loans), "--target", "paid", *drop, "--quiet", *words]) == 2
    assert message in capsys.readouterr().err
