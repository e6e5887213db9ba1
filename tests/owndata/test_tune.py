"""`treelib.tune`: what the command does, in three lines of Python."""

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

import treelib
from treelib.cli import main
from treelib.owndata.predict import stored


@pytest.fixture
def visits():
    """Visits of people from towns, with a date, of which a tenth ends badly."""
    random = np.random.default_rng(0)
    n = 500
    X = pd.DataFrame(
        {
            "day": pd.date_range("2022-01-01", periods=n).strftime("%Y-%m-%d"),
            "town": random.choice(["Oslo", "Rome", "Bonn"], n),
            "age": random.integers(18, 90, n),
        }
    )
    y = pd.Series(np.where((X["age"] > 70) & (X["town"] != "Rome"), "ill", "well"), name="state")
    return X, y


def test_tune_is_the_command(visits, tmp_path):
    """Another tree from Python than from the command line, or predictions of another."""
    X, y = visits
    found = treelib.tune(X, y, time_limit=30)
    X.assign(state=y).to_csv(tmp_path / "visits.csv", index=False)
    out = tmp_path / "report.html"
    words = ["fit", str(tmp_path / "visits.csv"), "--target", "state", "--tune", "--quiet"]
    assert main([*words, "--out", str(out), "--time-limit", "30"]) == 0
    assert stored(out.with_suffix(".json"))[0].same_function(found.tree)
    assert (found.predict(X) == y).mean() > 0.95 and found.is_proved and 0 <= found.error < 0.1
    assert found.explain(X[:3])[0].prediction == found.predict(X[:1])[0]
    assert tmp_path / "mine.html" in found.report(tmp_path / "mine.html")
    with pytest.raises(TypeError, match="no option 'depth'"):
        treelib.tune(X, y, depth=3)


def test_a_quantity_and_its_criterion(visits):
    """A count that is tuned as a class, or a criterion that Python does not hand on."""
    X, _ = visits
    counts = np.random.default_rng(1).poisson(np.where(X["age"] > 50, 9.0, 2.0)) + (X["age"] > 88)
    found = treelib.tune(X, counts, task="regression", criterion="poisson")
    assert found.tree.is_regression and found.tree.n_leaves >= 2 and found.error < 0.8
    assert found.fitted.score == "poisson"


def test_estimators_and_pipelines_speak(visits):
    """`plot`, `to_text` and exports that only a `Tree` has."""
    X, y = load_iris(return_X_y=True, as_frame=True)
    model = treelib.OptimalSparseTreeClassifier(0.02).fit(X, y)
    assert model.to_text() == model.tree_.to_text()
    assert model.export("rules") == model.tree_.to_rules()
    assert "CASE" in model.export("sql")
    with pytest.raises(ValueError, match="to='pdf' must be one of"):
        model.export("pdf")
    pytest.importorskip("matplotlib")
    assert model.plot() is not None
    table, classes = visits
    encoded = ColumnTransformer([("town", OneHotEncoder(), ["town"])], remainder="passthrough")
    pipeline = make_pipeline(encoded, treelib.OptimalSparseTreeClassifier(0.02, max_depth=2))
    pipeline.fit(table.drop(columns="day"), classes)
    assert "town__town_Rome" in treelib.tree.formats.to_text(pipeline)
