"""Verdicts on all claims of the paper, and the folds."""

import pytest

from treelib.ledger import errata
from treelib.ledger.protocol import judging
from treelib.papers.osdt import figures_10_to_16
from treelib.papers.osdt.figure_1 import Point
from treelib.papers.osdt.settings import PRICES


def test_settings_and_machines_are_taken_over():
    """A setting that passes as found."""
    taken = ("osdt.s4.ablation-machine.ram", "osdt.s4.datasets.count", "osdt.sg-1.leaf.stored-fields")
    assert {judging.without_run(claim).verdict for claim in taken} == {"stated"}


def test_errata_show():
    """A mistake of the paper whose evidence no longer holds."""
    for item in errata.errata("osdt"):
        assert item.check() or item.evidence is None


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


def test_gains_count_only_where_training_is_better(monkeypatch):
    """A test accuracy that is compared where CART is as good in training."""
    points = [
        Point("osdt", 3, 80.0, 75.0, 1, PRICES[0]),
        Point("cart", 3, 79.0, 76.0, 1, PRICES[0]),
        Point("osdt", 3, 80.0, 75.0, 2, PRICES[0]),
        Point("cart", 3, 80.0, 70.0, 2, PRICES[0]),
        Point("binoct", 4, 80.0, 70.0, 2),
    ]
    monkeypatch.setattr(figures_10_to_16, "folds", lambda data: points)
    assert [gain for _, gain in figures_10_to_16.pairs("Car")] == [-1.0]
