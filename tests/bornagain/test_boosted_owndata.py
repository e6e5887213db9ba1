"""`treelib fit --method born-again --ensemble ...`: the report says what was made, and what was proved."""

from importlib.util import find_spec

import numpy as np
import pytest

from treelib import BornAgainTreeClassifier, cli
from treelib.owndata import methods
from treelib.owndata.fit import fit_table
from treelib.owndata.read import read_table
from treelib.owndata.report.facts import facts


@pytest.fixture
def people(tmp_path):
    path = tmp_path / "people.csv"
    rows = [(i % 5, i % 3, "yes" if (i % 5 > 2) ^ (i % 7 == 0) else "no") for i in range(90)]
    path.write_text("age<x>,pay,ill\n" + "\n".join(",".join(map(str, row)) for row in rows))
    return path


@pytest.mark.parametrize("name", [name for name in methods.ENSEMBLES if name != "forest"])
def test_tree_of_a_boosted_model_on_own_data(people, name):
    """Labels that a library does not take, columns whose names it refuses, a tree of another model."""
    if name in ("xgboost", "lightgbm"):
        pytest.importorskip(name)
    table = read_table(people, "ill")
    fitted = fit_table(table, "bornagain", time_limit=20, ensemble=name, say=lambda line: None)
    inner = fitted.model.model
    expected = fitted.model.classes_[inner.estimator_.predict(table.X.to_numpy())]
    np.testing.assert_array_equal(fitted.model.predict(table.X), expected)
    told = dict(facts(fitted))
    assert told["method"] == f"born-again tree of {methods.ENSEMBLES[name]}"
    assert told["optimality"] == "proved: no tree with the same decisions as the boosted model is shallower"
    assert inner.certify()
    cells = fitted.model.certificate_.n_cells
    said = f"at every point: proved on all {cells:,} cells of the feature space"
    assert told["same decisions as the boosted model"] == said


def test_report_says_what_was_not_certified(people):
    """A stopped search, or a proof that ran out of time, told as a certificate."""
    from dataclasses import replace

    fitted = fit_table(
        read_table(people, "ill"), "bornagain", ensemble="gradient-boosting", say=lambda line: None
    )
    found = fitted.model.certificate_
    for faithful, said in (
        (None, "not proved at every point within 10 seconds"),
        (False, "not at every point"),
    ):
        fitted.model.certificate_ = replace(found, faithful=faithful)
        assert dict(facts(fitted))["same decisions as the boosted model"].startswith(said)


def test_a_missing_value_is_the_median(people):
    """A missing value sent elsewhere than the median, where the fit missed some or none of the column."""
    table = read_table(people, "ill")
    X = table.X.copy()
    X.iloc[::9, 1] = np.nan
    model = methods.FilledBornAgain(BornAgainTreeClassifier(random_state=0)).fit(X, table.y)
    asked = X.copy()
    asked.iloc[1::2, 0] = np.nan
    assert (model.predict(asked) == model.predict(asked.fillna(X.median()))).all()
    assert (model.predict(asked) != model.predict(asked.fillna(X.max()))).any()
    assert model.tree_.features_with_missing == (1,)


def test_command_takes_an_ensemble(people, tmp_path, capsys):
    """An option that the command line does not hand on."""
    out = str(tmp_path / "report.html")
    words = ["fit", str(people), "--target", "ill", "--method", "born-again", "--out", out, "--quiet"]
    assert cli.main([*words, "--ensemble", "gradient-boosting"]) == 0
    assert "born-again tree of gradient boosting" in capsys.readouterr().out


def test_wishes_that_do_not_go_together(people, monkeypatch):
    """An ensemble that is silently left out, or a library that is missing and ends in a traceback."""
    table = read_table(people, "ill")
    with pytest.raises(ValueError, match="--method bornagain"):
        fit_table(table, "sparse", ensemble="xgboost", say=lambda line: None)
    if find_spec("xgboost"):
        monkeypatch.setitem(__import__("sys").modules, "xgboost", None)
    with pytest.raises(ValueError, match=r"treelib-companion\[boost\]"):
        fit_table(table, "bornagain", ensemble="xgboost", say=lambda line: None)
