"""`treelib fit --weights`: a row of weight 3 counts as three equal rows, in all that is searched and said."""

import numpy as np
import pandas as pd
import pytest

import treelib
from treelib.cli import main
from treelib.owndata import predict, tuning
from treelib.owndata.fit import fit_table
from treelib.owndata.read import read_table
from treelib.owndata.regression import CRITERIA, fit_regression
from treelib.owndata.report.facts import facts


def silent(line):
    """Nobody listens."""


def survey(n=300, seed=0):
    """People with weights of 0 to 3, of which those above 40 with a high b are ill."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {"age": random.integers(20, 60, n), "b": random.integers(0, 4, n), "c": random.random(n).round(2)}
    )
    is_ill = ((frame.age > 40) & (frame.b > 1)) ^ (random.random(n) < 0.2)
    frame["ill"] = np.where(is_ill, "yes", "no")
    frame["visits"] = random.poisson(np.where(is_ill, 60, 20)) + frame.age
    frame["w"] = random.integers(0, 4, n)
    return frame


@pytest.fixture
def twins(tmp_path):
    """Paths of a table with weights, and of one with rows in their place."""
    frame = survey()
    paths = tmp_path / "weighted.csv", tmp_path / "repeated.csv"
    frame.to_csv(paths[0], index=False)
    frame.loc[frame.index.repeat(frame.w)].drop(columns="w").to_csv(paths[1], index=False)
    return paths


def tables(twins, target, drop):
    weighted = read_table(twins[0], target, drop=[drop], weights="w", task="auto")
    return weighted, read_table(twins[1], target, drop=[drop], task="auto")


@pytest.mark.parametrize("class_weight", [None, "balanced", {"yes": 2.0}])
@pytest.mark.parametrize("method", ["sparse", "dyadic", "topdown"])
def test_weights_are_rows(method, class_weight, twins):
    """A search, an error or a count that leaves the weights out."""
    weighted, repeated = tables(twins, "ill", "visits")
    assert "w" not in weighted.X and len(weighted.y) < len(survey())  # rows of weight 0 are absent
    one, other = (
        fit_table(table, method, regularization=0.03, class_weight=class_weight, say=silent)
        for table in (weighted, repeated)
    )
    assert one.tree.n_leaves > 1 and one.tree.same_function(other.tree)
    assert one.tree.value == pytest.approx(other.tree.value)
    assert one.training_error == pytest.approx(other.training_error)
    assert one.weighted_error == pytest.approx(other.weighted_error)
    assert np.array(one.frontier) == pytest.approx(np.array(other.frontier))
    shown = [dict(facts(fitted)) for fitted in (one, other)]
    for name in ("training error", "error when always predicting the most frequent class", "optimality"):
        assert shown[0].get(name) == shown[1].get(name)


@pytest.mark.parametrize("score", tuning.SCORES)
def test_folds_weigh_their_rows(score, twins):
    """Cross-validation that counts rows: the folds of the twin hold the same rows, as often as they weigh."""
    weighted, repeated = tables(twins, "ill", "visits")
    random, found = np.random.default_rng(1), []
    of_row = random.integers(0, 3, len(weighted.y))
    for table, fold in ((weighted, of_row), (repeated, of_row.repeat(weighted.weights.astype(int)))):
        folds = [tuning.Fold(np.flatnonzero(fold != k), np.flatnonzero(fold == k), table.X) for k in range(3)]
        options = {"depth": 2, "class_weight": "balanced", "weights": table.weights}
        along = tuning.along_folds("sparse", table.y, folds, [0.1, 0.02], 60.0, **options)
        codes = (table.y == "yes").astype(int)
        of_test = [None if table.weights is None else table.weights[rows] for _, rows, _ in folds]
        found.append(
            [
                [
                    tuning.loss(score, codes[rows], of_price[rows], w)
                    for (_, rows, _), w in zip(folds, of_test, strict=True)
                ]
                for of_price in along.probabilities
            ]
        )
    assert np.array(found[0]) == pytest.approx(np.array(found[1]), abs=1e-6)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_weights_of_quantities_are_rows(criterion, twins):
    """A regression tree, its errors, or the mean beside it without weights."""
    one, other = (
        fit_regression(table, regularization=0.02, criterion=criterion, say=silent)
        for table in tables(twins, "visits", "ill")
    )
    assert one.tree.n_leaves > 2 and one.tree.same_function(other.tree)
    assert one.training_error == pytest.approx(other.training_error)
    assert np.array(one.frontier) == pytest.approx(np.array(other.frontier))
    assert dict(facts(one))["target"] == dict(facts(other))["target"]


def test_new_rows_weigh_too(twins, tmp_path):
    """An error on a file of tests that counts its rows."""
    weighted, repeated = tables(twins, "ill", "visits")
    fitted = fit_table(weighted, regularization=0.03, say=silent)
    frame = survey(200, seed=5)
    frame.to_csv(tmp_path / "new.csv", index=False)
    frame.loc[frame.index.repeat(frame.w)].to_csv(tmp_path / "all.csv", index=False)
    one, _ = predict.tested(fitted.tree, predict.description(weighted), tmp_path / "new.csv")
    other, _ = predict.tested(fitted.tree, predict.description(repeated), tmp_path / "all.csv")
    assert (one.error, one.baseline) == pytest.approx((other.error, other.baseline))
    assert one.standard_error > 1.1 * other.standard_error  # rows of weight 3 are no three people


def test_the_command_and_python_obey(twins, tmp_path, capsys):
    """An option that never reaches the fit, or a report that does not say it."""
    words = [
        "fit",
        str(twins[0]),
        "--target",
        "ill",
        "--drop",
        "visits",
        "--weights",
        "w",
        "--tune",
        "--quiet",
    ]
    assert main([*words, "--out", str(tmp_path / "r.html"), "--test", str(twins[0])]) == 0
    said = capsys.readouterr().out
    assert "weights of the rows: w, 1 to 3; worth" in said and "error on weighted.csv" in said
    frame = survey()
    X = frame[["age", "b", "c"]]
    by_column = treelib.tune(X.assign(w=frame.w), frame.ill, weights="w")
    by_array = treelib.tune(X, frame.ill, weights=frame.w.to_numpy())
    assert by_column.tree.same_function(by_array.tree) and by_column.error == by_array.error
    assert (by_array.predict(X) == by_column.predict(X)).all()
    assert by_column.error != treelib.tune(X, frame.ill).error


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, -2.5], "--weights w: -2.5 is below 0"),
        ([1, None], "--weights w: 150 rows with a value of 'ill' lack a finite weight"),
        ([1, np.inf], "lack a finite weight"),
        ([0, 0], "--weights w: all weights are 0"),
        (["much", "little"], "--weights w: the column holds no numbers"),
    ],
)
def test_wrong_weights(weights, message, tmp_path):
    """A weight that no survey gives, and that a search would read as something else."""
    survey().assign(w=weights * 150).to_csv(tmp_path / "a.csv", index=False)
    with pytest.raises(ValueError, match=message):
        read_table(tmp_path / "a.csv", "ill", weights="w")


def test_weights_that_leave_one_class(tmp_path):
    """A target of one value, once the rows of weight 0 are gone; or weights that are the target."""
    frame = survey()
    frame.assign(w=(frame.ill == "yes") * 2).to_csv(tmp_path / "a.csv", index=False)
    with pytest.raises(ValueError, match="have one value of the target 'ill'"):
        read_table(tmp_path / "a.csv", "ill", weights="w")
    with pytest.raises(ValueError, match="this is the target"):
        read_table(tmp_path / "a.csv", "b", weights="b")
