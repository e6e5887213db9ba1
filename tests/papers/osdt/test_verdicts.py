"""Verdicts on the claims about methods, definitions and settings."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from treelib.ledger.claims import load
from treelib.papers.osdt import figures_4_to_6, figures_10_to_16, statements
from treelib.papers.osdt.figure_1 import Point
from treelib.papers.osdt.settings import PRICES


def test_every_claim_is_judged_somewhere():
    """A claim without any line of code that judges it; that each is judged once, the chapter checks."""
    folder = Path(statements.__file__).parent
    text = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    by_pattern = ("osdt.t1.d-", "osdt.t2.", "osdt.f9.", "osdt.f1", "osdt.s4.ablation-machine")
    by_pattern += ("osdt.s4.other-machine", "osdt.s4.scalability.time-to-optimum-share")
    unnamed = [claim for claim in load("osdt") if claim not in text and not claim.startswith(by_pattern)]
    assert not unnamed


def test_perfect_shapes():
    """A count of perfect trees for numbers of leaves that have none."""
    assert [statements._perfect_shapes(n) for n in (1, 2, 3, 4, 6, 8)] == [1, 1, 0, 1, 0, 1]


def test_settings_have_one_verdict_each():
    """A setting that is judged twice, or a machine that passes as tested."""
    verdicts = statements.judge_settings()
    assert len({verdict.claim.id for verdict in verdicts}) == len(verdicts)
    by_id = {verdict.claim.id: verdict.verdict for verdict in verdicts}
    assert by_id["osdt.s4.datasets.count"] == by_id["osdt.s4.compas.prediction-horizon"] == "match"
    assert by_id["osdt.s4.ablation-machine.ram"] == "untestable"


def test_means_over_folds_are_by_method_and_price(monkeypatch):
    """Folds of one price averaged into another."""
    points = [
        Point(method, leaves, train, test, fold, price)
        for price, shift in zip(PRICES, (0, 10, 20, 30), strict=True)
        for fold in (1, 2)
        for method, leaves, train, test in (
            ("osdt", 2 * fold, 60 + shift + fold, 50 + shift),
            ("cart", 2, 59 + shift, 51 + shift),
        )
    ]
    monkeypatch.setattr(figures_10_to_16, "folds", lambda data: points)
    means = figures_10_to_16.fold_means("Car")
    assert means[0] == ("osdt", PRICES[0], 3.0, 61.5, 50.0)
    assert figures_10_to_16.gain_over_cart("Car") == pytest.approx((2.5, -1.0))


def test_drawings_are_checked_against_the_trees():
    """A drawing that passes whatever it shows."""
    game, compas = figures_4_to_6.figure_tree("Tic-Tac-Toe"), figures_4_to_6.figure_tree("COMPAS")
    cases = {
        figure: SimpleNamespace(scored=tree, n_useless_splits=0)
        for figure, tree in (("5", game), ("6", game), ("7", compas))
    }
    verdicts = {verdict.claim.id: verdict for verdict in statements.judge_drawings(cases)}
    assert verdicts["osdt.f4.description.tree"].verdict == "close"
    for figure in ("f6", "f7"):  # no useless split, and the tree of another price
        assert verdicts[f"osdt.{figure}.description.trees"].verdict == "differs"
