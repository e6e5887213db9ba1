"""`treelib fit --class-weight`: searched, tuned, judged and reported with the weights of the classes."""

import re

import numpy as np
import pandas as pd
import pytest

from treelib.cli import main
from treelib.owndata import class_weights, tuning
from treelib.owndata.fit import fit_table
from treelib.owndata.read import read_table
from treelib.owndata.report.facts import facts
from treelib.owndata.report.page import page
from treelib.tree import Tree


def silent(line):
    """Nobody listens."""


@pytest.fixture
def rare(tmp_path):
    """A table of which a tenth is ill: no leaf has more of them than of others, unless they weigh more."""
    rng = np.random.default_rng(1)
    n = 400
    frame = pd.DataFrame({"a": rng.integers(0, 6, n), "b": rng.integers(0, 2, n), "c": rng.integers(0, 4, n)})
    frame["ill"] = np.where(rng.random(n) < np.where((frame.a > 3) & (frame.b == 1), 0.4, 0.03), "yes", "no")
    path = tmp_path / "rare.csv"
    frame.to_csv(path, index=False)
    return path


@pytest.mark.parametrize("method", ["sparse", "dyadic", "topdown"])
def test_a_weight_of_three_is_three_rows(method, rare, tmp_path):
    """Weights that the search, the frontier or the error leaves out: the twin repeats the rows."""
    fitted = fit_table(
        read_table(rare, "ill"), method, regularization=0.01, class_weight={"yes": 3.0}, say=silent
    )
    frame = pd.read_csv(rare)
    repeated = pd.concat([frame, *[frame[frame.ill == "yes"]] * 2])
    repeated.to_csv(tmp_path / "thrice.csv", index=False)
    twin = fit_table(read_table(tmp_path / "thrice.csv", "ill"), method, regularization=0.01, say=silent)
    X = fitted.table.X
    assert fitted.tree.n_leaves > 1 and (fitted.model.predict(X) == twin.model.predict(X)).all()
    assert fitted.weighted_error == pytest.approx(twin.training_error)
    assert [n for n, _ in fitted.frontier] == [n for n, _ in twin.frontier]
    assert [e for _, e in fitted.frontier] == pytest.approx([e for _, e in twin.frontier])
    wrong = fitted.model.predict(X) != fitted.table.y
    assert fitted.training_error == pytest.approx(wrong.mean())


@pytest.mark.parametrize("method", ["sparse", "dyadic", "topdown"])
def test_balanced_weights_find_the_rare_class(method, rare):
    """Tuning that looks at the plain error: it chooses the single leaf, whatever the weights are."""
    plain = fit_table(read_table(rare, "ill"), method, tune=True, time_limit=100, say=silent)
    fitted = fit_table(
        read_table(rare, "ill"), method, tune=True, time_limit=100, class_weight="balanced", say=silent
    )
    true, found = fitted.table.y == "yes", fitted.judged.predicted == "yes"
    assert np.mean(found[true]) > np.mean(plain.judged.predicted[true] == "yes") + 0.2
    assert np.mean(~found[~true]) > 0.5
    weights = class_weights.of_rows(fitted.class_weights, fitted.table.y)
    assert weights[true].sum() == pytest.approx(weights[~true].sum())
    assert fitted.judged.loss == pytest.approx(fitted.judged.weighted.mean())


def test_the_report_says_what_rows_weigh(rare):
    """Weighted errors that are shown as if they were shares of the rows."""
    fitted = fit_table(read_table(rare, "ill"), tune=True, class_weight={"yes": 4.0}, say=silent)
    shown = dict(facts(fitted))
    assert shown["class weights"] == "no: 1, yes: 4"
    assert shown["weighted training error"] == f"{100 * fitted.weighted_error:.2f} %"
    text = page(fitted, "treelib fit")
    assert "rows weighted by class" in text and "weighted training error + leaf penalty x leaves" in text
    plain = fit_table(read_table(rare, "ill"), regularization=0.01, say=silent)
    assert not re.search("weighted|class weights", page(plain, "treelib fit"))


def test_the_command_hands_them_on(rare, capsys, tmp_path):
    """An option that never reaches the fit."""
    words = ["fit", str(rare), "--target", "ill", "--quiet", "--out", str(tmp_path / "r.html")]
    assert main([*words, "--class-weight", "yes=4", "--class-weight", "no=0.5"]) == 0
    assert "class weights: no: 0.5, yes: 4" in capsys.readouterr().out


@pytest.mark.parametrize("score", ["accuracy", "log-loss"])
def test_weights_in_a_loss_are_rows(score):
    """A loss with the weights of other rows, or without them."""
    rng = np.random.default_rng(0)
    y, times = rng.integers(0, 2, 30), rng.integers(1, 4, 30)
    shares = rng.dirichlet([1, 1], 30)
    again = np.repeat(np.arange(30), times)
    expected = tuning.loss(score, y[again], shares[again])
    assert tuning.loss(score, y, shares, times * 1.0) == pytest.approx(expected)


def test_leaves_count_rows(rare, capsys, tmp_path):
    """ "yes (17 samples, 1.74 % error)" where 1 of the 17 is ill: a weighted share beside counts of rows."""
    out = tmp_path / "r.html"
    words = ["fit", str(rare), "--target", "ill", "--quiet", "--out", str(out), "--method", "topdown"]
    assert main([*words, "--class-weight", "balanced"]) == 0
    said = capsys.readouterr().out
    assert "% error)" not in said and "ignore the class weights" in said
    tree, table = Tree.from_json(out.with_suffix(".json").read_text()), read_table(rare, "ill")
    leaf, shown = tree.apply(table.X.to_numpy()), 0
    for node in np.flatnonzero(tree.is_leaf):
        rows = table.y[leaf == node]
        n_wrong = int(np.sum(rows != tree.class_names[tree.label[node]]))
        text = f"({len(rows)} samples, {n_wrong} error" + "s" * (n_wrong != 1)
        assert text in said and text in out.with_suffix(".rules.txt").read_text()
        shown += 2 * n_wrong > len(rows)
    assert shown  # a leaf that answers with the class of its fewer rows
