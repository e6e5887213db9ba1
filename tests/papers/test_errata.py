"""Errata of the papers: every item that can be computed is, and the counterexamples are right."""

import random
from itertools import combinations, product

import pytest

from treelib.ledger import errata
from treelib.ledger.papers import papers
from treelib.papers.bornagain.text import errata as bornagain_errata
from treelib.papers.tsallis.text import errata as tsallis_errata
from treelib.papers.tsallis.text import theorems as tsallis_theorems

ALL = [item for paper in papers() for item in errata.errata(paper)]


@pytest.mark.parametrize("item", ALL, ids=lambda item: item.id)
def test_evidence_holds(item):
    """A mistake that we charge a paper with, and that it has not made."""
    found = item.check()
    assert bool(found) == (item.evidence is not None)
    assert item.weight in errata.WEIGHTS and item.place and item.printed and item.better


def test_ids_are_stable_names():
    """Two items under one address."""
    assert len({item.id for item in ALL}) == len(ALL)
    assert all(item.id.split(".")[:2] in (["errata", paper] for paper in papers()) for item in ALL)


def test_evidence_that_fails_is_an_error():
    """An item that stays on the page although nothing shows it."""
    item = errata.Erratum("errata.osdt.x", "", "", "", errata.SLIP, "{n}", lambda: (False, {"n": "nothing"}))
    with pytest.raises(ValueError, match="does not hold: nothing"):
        item.check()


def trees(cells, depth):
    """(depth, splits) of all trees of at most `depth` that are right on a row of classes, by enumeration."""
    if len(set(cells)) == 1:
        yield 0, 0
    elif depth:
        for cut in range(1, len(cells)):
            for a, b in product(trees(cells[:cut], depth - 1), trees(cells[cut:], depth - 1)):
                yield 1 + max(a[0], b[0]), 1 + a[1] + b[1]


def test_best_tree_of_a_grid_is_that_of_enumeration():
    """A counterexample to the recursion that only shows a mistake of ours."""
    rng = random.Random(3)
    for _ in range(20):
        classes = [rng.randint(0, 1) for _ in range(6)]
        grid = {(i, 0, 0): label for i, label in enumerate(classes)}
        best = min(trees(classes, 6))
        assert bornagain_errata.true_dl(grid) == best
        printed = bornagain_errata.printed_dl(grid)
        assert printed[0] == best[0] and printed[1] >= best[1]


def test_shattered_sets():
    """A VC dimension that is one too small, so that the bound would hold."""
    intervals = [frozenset(range(a, b)) for a in range(6) for b in range(a, 6)]
    subsets = [frozenset(some) for k in range(6) for some in combinations(range(5), k)]
    assert tsallis_theorems.shattered(intervals, subsets) == 2
    assert tsallis_theorems.shattered([frozenset()], subsets) == 0


def test_shares_of_samples():
    """A printed mean that is called impossible although it is only rounded."""
    from decimal import Decimal

    assert tsallis_errata.is_multiple(Decimal("93.33"), 30) and tsallis_errata.is_multiple(
        Decimal("96.66"), 30
    )
    assert not tsallis_errata.is_multiple(Decimal("80.03"), 30)
