"""treelib fit on a quantity: the same numbers as scikit-learn and a naive count give."""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import KFold
from sklearn.tree import DecisionTreeRegressor

from treelib.cli import main
from treelib.owndata.read import read_table
from treelib.owndata.regression import fit_regression
from treelib.owndata.report.facts import facts
from treelib.owndata.report.page import page
from treelib.tree.stored import Tree


@pytest.fixture(scope="module")
def houses(tmp_path_factory):
    """A table whose price hangs on size, age and place, written as people write amounts."""
    random = np.random.default_rng(0)
    n = 240
    size, age = random.integers(20, 200, n), random.integers(0, 90, n)
    place = random.choice(["centre", "suburb", "village"], n)
    price = 2000.5 * size - 300.0 * age + 90_000 * (place == "centre") + random.normal(size=n).round(2) * 9000
    path = tmp_path_factory.mktemp("houses") / "houses.csv"
    pd.DataFrame(
        {"size": size, "age": age, "place": place, "price": [f"${value:,.2f}" for value in price]}
    ).to_csv(path, index=False)
    return path


def test_quantities_and_classes_are_told_apart(houses, tmp_path):
    """A quantity taken for hundreds of classes, or a few whole numbers for a quantity."""
    table = read_table(houses, "price", task="auto")
    assert table.task == "regression" and table.y.dtype == float
    assert "amounts of $" in " ".join(table.notes) and "treated as a quantity" in " ".join(table.notes)
    few = tmp_path / "few.csv"
    few.write_text("a,y\n" + "\n".join(f"{i % 9},{i % 3}" for i in range(90)))
    assert read_table(few, "y", task="auto").task == "classification"
    asked = read_table(few, "y", task="regression")
    assert asked.task == "regression" and set(asked.y) == {0.0, 1.0, 2.0}
    with pytest.raises(ValueError, match=r"'price' has .* more than 50"):
        read_table(houses, "price")


@pytest.mark.parametrize(("words", "message"), [("x y x y", "no numbers"), ("1 1 1 1", "fewer than two")])
def test_targets_that_are_no_quantity(words, message, tmp_path):
    """A regression on text or on a constant."""
    path = tmp_path / "a.csv"
    path.write_text("a,y\n" + "\n".join(f"{i},{word}" for i, word in enumerate(words.split())))
    with pytest.raises(ValueError, match=message):
        read_table(path, "y", task="regression")


def test_numbers_of_the_report_are_those_of_scikit_learn(houses):
    """An error that is not the one on rows left out, or a price that is no share of the variance."""
    table = read_table(houses, "price", task="auto")
    fitted = fit_regression(table, regularization=0.02, seed=3, say=lambda line: None)
    X, y = table.X.to_numpy(), table.y
    theirs = DecisionTreeRegressor(ccp_alpha=0.02 * y.var(), random_state=0).fit(X, y)
    assert fitted.tree.n_leaves == theirs.get_n_leaves()
    assert fitted.training_error == pytest.approx(1 - theirs.score(X, y))
    errors = []
    for training, testing in KFold(5, shuffle=True, random_state=3).split(y):
        tree = DecisionTreeRegressor(ccp_alpha=0.02 * y.var(), random_state=0).fit(X[training], y[training])
        errors.append(np.mean((tree.predict(X[testing]) - y[testing]) ** 2) / y.var())
    assert fitted.judged.error == pytest.approx(np.mean(errors), rel=0.05)  # ties of splits
    leaves = [n for n, _ in fitted.frontier]
    assert leaves[0] == 1 and leaves[-1] == fitted.tree.n_leaves and leaves == sorted(leaves)
    assert fitted.frontier[0][1] == pytest.approx(1) and fitted.frontier[-1][1] == fitted.training_error


def test_tuning_chooses_on_rows_left_out(houses):
    """A price that is chosen on the rows the tree was grown on: the whole tree."""
    table = read_table(houses, "price", task="auto")
    fitted = fit_regression(table, tune=True, say=lambda line: None)
    means = [judged.error for _, judged in fitted.tuning]
    assert 1 < fitted.tree.n_leaves < 100 and len(fitted.tuning) <= 25
    assert fitted.judged.error <= min(means) + max(one.standard_error for _, one in fitted.tuning)
    prices = [price for price, _ in fitted.tuning]
    assert prices == sorted(prices, reverse=True)
    for regularization, message in ((0.1, "not both"), (-1.0, "0 or more")):
        with pytest.raises(ValueError, match=message):
            fit_regression(table, regularization=regularization, tune=regularization > 0)


def test_command_fits_a_quantity(houses, tmp_path, capsys):
    """A report on a quantity that speaks of classes, or a tree in it that predicts none."""
    out = tmp_path / "report.html"
    assert main(["fit", str(houses), "--target", "price", "--out", str(out), "--quiet"]) == 0
    said = capsys.readouterr().out
    assert "variance left unexplained, training" in said and "classes" not in said
    tree = Tree.from_json(out.with_suffix(".json").read_text(encoding="utf-8"))
    assert tree.is_regression and "root mean squared error" in out.read_text(encoding="utf-8")
    assert "most frequent class" not in out.read_text(encoding="utf-8")
    words = ["fit", str(houses), "--target", "price", "--out", str(out), "--method", "dyadic"]
    assert main(words) == 2
    assert "'price' is a quantity; leave --method out" in capsys.readouterr().err


def test_report_names_the_quantity(houses):
    """Facts of a report that stand in other units than they say."""
    table = read_table(houses, "price", task="auto")
    fitted = fit_regression(table, say=lambda line: None)
    found = dict(facts(fitted))
    assert f"mean {table.y.mean():.6g}" in found["target"]
    off = fitted.judged.predicted - table.y
    assert found["root mean squared error there"] == f"{np.sqrt(np.mean(off**2)):.6g}"
    assert "Confusion matrix" not in page(fitted, "treelib fit")


def test_the_limit_of_time_is_for_quantities_too(tmp_path):
    """--time-limit that only classes know: the medians of 8,000 rows take as long as they take."""
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.random((8000, 12))).add_prefix("x")
    frame["y"] = 10 * np.sin(5 * frame["x0"]) + 5 * frame["x1"] + random.normal(size=len(frame))
    frame.to_csv(path := tmp_path / "long.csv", index=False)
    frame.iloc[:50].to_csv(small := tmp_path / "short.csv", index=False)
    asked = {"criterion": "absolute_error", "tune": True, "say": lambda line: None}
    fit_regression(read_table(small, "y", task="regression"), **asked)  # kernels are loaded
    table = read_table(path, "y", task="regression")
    table.seconds = 0.0
    fitted = fit_regression(table, time_limit=1.0, **asked)
    assert fitted.seconds < 1.0 + 1.0  # what is promised of short limits
    assert any("the limit of 1 s" in note for note in fitted.notes)
