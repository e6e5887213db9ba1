"""Boxes, grids, the choice of k and compression against definitions written out."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treelib.dyadic import boxes as grid_module
from treelib.dyadic import training as training_module
from treelib.dyadic.boxes import DyadicGrid, bounding_box, choose_n_splits, fewest_splits, group_rows
from treelib.dyadic.compress import merge_cells, merge_duplicates, merge_rows, row_losses
from treelib.dyadic.solutions import solution_path
from treelib.dyadic.sweep.all_prices import sweep_path
from treelib.dyadic.training import GridSettings, prepare

values = st.sampled_from([0.0, 0.1, 0.25, 0.3, 0.5, 0.7, 1.0, 2.0, -1.5, np.nan])


@st.composite
def tables(draw, max_rows=12, max_features=3):
    n, d = draw(st.integers(1, max_rows)), draw(st.integers(1, max_features))
    X = np.array([[draw(values) for _ in range(d)] for _ in range(n)])
    return X, np.array([draw(st.integers(0, 2)) for _ in range(n)])


def test_cells_of_a_box_by_hand():
    """Cells closed on the wrong side, or ends of the box outside the grid."""
    x = np.array([-5.0, 0, 0.9, 1, 1.1, 2, 2.5, 3, 4, 9, np.nan])[:, None]
    right = DyadicGrid([0.0], [4.0], [2]).codes(x)[:, 0]
    left = DyadicGrid([0.0], [4.0], [2], "left").codes(x)[:, 0]
    assert right.tolist() == [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 3]
    assert left.tolist() == [0, 0, 0, 1, 1, 2, 2, 3, 3, 3, 3]


@given(tables(), st.integers(0, 5), st.sampled_from(["right", "left"]))
def test_codes_follow_the_splits_of_trees(table, k, closed):
    """A row in another cell than the one a tree's tests lead to, at any level."""
    X, _ = table
    grid = DyadicGrid(*bounding_box(X), np.full(X.shape[1], k), closed)
    codes = grid.codes(X)
    for row, feature in np.ndindex(X.shape):
        interval = 0
        for level in range(k):
            interval = 2 * interval + int(not X[row, feature] <= grid.threshold(feature, level, interval))
        assert codes[row, feature] == interval


def test_numbers_of_rectangles():
    """Counts of Section 6: those of titanic and diabetes are printed in Table 5."""
    grid = DyadicGrid(np.zeros(3), np.ones(3), [2, 1, 1])
    assert grid.n_rectangles == 63 and grid.rectangles_per_row == 12
    assert DyadicGrid(np.zeros(8), np.ones(8), [3] * 8).n_rectangles == 15**8


def test_box_rule():
    """Widening on one side only, by the wrong amount, or of a constant feature."""
    X = np.array([[0.0, 5.0, np.nan], [10.0, 5.0, np.nan], [4.0, np.nan, np.nan]])
    low, high = bounding_box(X, 0.02)
    assert np.allclose(low, [-0.1, 5, 0]) and np.allclose(high, [10.1, 5, 0])


def loss_of_partition(codes, losses):
    groups = {}
    for code, loss in zip(map(tuple, codes.tolist()), losses, strict=True):
        groups[code] = groups.get(code, 0) + loss
    return sum(total.min() for total in groups.values())


@settings(max_examples=60)
@given(tables(), st.sampled_from(["coordinate", "joint"]))
def test_choice_of_k_is_section_5(table, rule):
    """A uniform k that is not the smallest without loss, or a k_i that is not the smallest possible."""
    X, y = table
    distinct = merge_duplicates(X, row_losses(y, 3))
    low, high = bounding_box(X)
    most = 6
    chosen = choose_n_splits(distinct.rows, distinct.losses, low, high, rule=rule, most=most)

    def codes(n_splits):
        return DyadicGrid(low, high, n_splits).codes(distinct.rows)

    d = X.shape[1]
    by_k = [loss_of_partition(codes([k] * d), distinct.losses) for k in range(most + 1)]
    uniform = min(k for k in range(most + 1) if by_k[k] == by_k[most])
    assert chosen.uniform == uniform and chosen.loss == by_k[most]
    finest = codes([uniform] * d)
    n_cells = len(np.unique(finest, axis=0))
    if rule == "coordinate":
        for i in range(d):
            same = [
                k
                for k in range(uniform + 1)
                if len(np.unique(finest[:, i] >> (uniform - k))) == len(np.unique(finest[:, i]))
            ]
            assert chosen.n_splits[i] == min(same)
    else:
        assert len(np.unique(codes(chosen.n_splits), axis=0)) == n_cells
        for i in np.flatnonzero(chosen.n_splits):
            coarser = chosen.n_splits - (np.arange(d) == i)
            assert len(np.unique(codes(coarser), axis=0)) < n_cells


@settings(max_examples=60)
@given(tables(), st.booleans(), st.integers(0, 3))
def test_compression_keeps_the_loss_of_every_labelling(table, keep_zero, k):
    """Surrogates that change the error of some tree by more than the offset."""
    X, y = table
    losses = row_losses(y, 3, weights=np.arange(1, len(y) + 1), cost_matrix=[[0, 1, 5], [2, 0, 1], [1, 1, 0]])
    grid = DyadicGrid(*bounding_box(X), np.full(X.shape[1], k))
    cells = merge_cells(grid, X, losses, keep_zero=keep_zero)
    codes = grid.codes(X)
    assert (cells.losses.min(axis=1, initial=9) == 0).all() or len(cells.losses) == 0
    assert keep_zero or (len(cells.losses) == 0 or cells.losses.any(axis=1).all())
    kept = cells.index >= 0
    assert np.array_equal(cells.rows[cells.index[kept]], codes[kept])
    rng = np.random.default_rng(0)
    label_of = {tuple(code): int(rng.integers(3)) for code in np.unique(codes, axis=0).tolist()}
    paid = sum(losses[r, label_of[tuple(codes[r].tolist())]] for r in range(len(X)))
    ours = sum(cells.losses[s, label_of[tuple(cells.rows[s].tolist())]] for s in range(len(cells.rows)))
    assert paid == ours + cells.offset


def test_groups_are_those_of_equal_rows():
    """NaN that differs from itself, or groups in another order than that of the rows."""
    rows = np.array([[1.0, np.nan], [0.0, 2.0], [1.0, np.nan], [0.0, 1.0]])
    assert group_rows(rows).tolist() == [2, 1, 2, 0]
    assert merge_rows(rows, np.ones((4, 2), int), keep_zero=True).counts.tolist() == [1, 1, 2]


@settings(max_examples=100)
@given(st.lists(st.lists(st.integers(0, 2), min_size=3, max_size=3), min_size=1, max_size=8))
def test_groups_of_rows_that_are_apart_early(rows):
    """Columns left out that do not say the same of all rows, or that part rows which are not apart yet."""
    expected = np.unique(np.array(rows), axis=0, return_inverse=True)[1].ravel()
    assert group_rows(np.array(rows)).tolist() == expected.tolist()


@settings(max_examples=60)
@given(st.lists(st.lists(st.integers(0, 15), min_size=3, max_size=3), min_size=1, max_size=6))
def test_fewest_splits_are_those_of_each_column_alone(rows):
    """A column that is lowered too far, or by what another column needs."""
    codes = np.array(rows)
    naive = [
        next(k for k in range(5) if len(set(column >> (4 - k))) == len(set(column))) for column in codes.T
    ]
    assert fewest_splits(codes, 4).tolist() == naive


@pytest.mark.parametrize("block", [1, 25, 10**6])
def test_codes_do_not_depend_on_how_many_columns_are_halved_together(block, monkeypatch):
    """Columns of unequal k that share a block, or one that is left out between two blocks."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(12, 7))
    X[rng.random(X.shape) < 0.1] = np.nan
    grid = DyadicGrid(*bounding_box(X), np.array([0, 3, 1, 0, 5, 2, 4]))
    alone = [
        DyadicGrid([low], [high], [k])
        for low, high, k in zip(grid.low, grid.high, grid.n_splits, strict=True)
    ]
    expected = [one.codes(X[:, [feature]])[:, 0] for feature, one in enumerate(alone)]
    monkeypatch.setattr(grid_module, "_BLOCK", block)
    assert np.array_equal(grid.codes(X), np.transpose(expected))


def test_zero_weight_surrogates_are_a_setting():
    """Titanic has 14 kinds of passengers, of which none ties; two rows that tie vanish unless kept."""
    X, losses = np.array([[0.0], [0.0], [1.0]]), row_losses(np.array([0, 1, 1]), 2)
    assert len(merge_duplicates(X, losses).rows) == 1
    assert len(merge_duplicates(X, losses, keep_zero=True).rows) == 2


def test_whole_losses_stay_whole():
    """Integer losses that become floats and lose exact breakpoints, or floats that are cut."""
    y = np.array([0, 1])
    assert row_losses(y, 2, weights=np.array([2.0, 3.0])).dtype.kind == "i"
    assert row_losses(y, 2, weights=np.array([0.5, 3.0])).dtype.kind == "f"


@pytest.mark.parametrize(
    "settings",
    [
        dict(zip(("split_rule", "closed"), pair, strict=True))
        for pair in itertools.product(("coordinate", "joint"), ("right", "left"))
    ],
)
def test_wide_grids_keep_within_their_bound(settings):
    """A lowered grid over the bound, or one that ignores the feature that matters."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(150, 25))
    y = (np.abs(X[:, 11]) > 0.7).astype(int)
    training = prepare(X, y, 2, settings=GridSettings(max_rectangles=1e5, **settings))
    assert 150 * training.grid.rectangles_per_row <= 1e5
    assert training.grid.n_splits[11] >= 2


@settings(max_examples=60)
@given(
    st.integers(1, 12).flatmap(
        lambda n: st.tuples(
            st.lists(st.lists(st.integers(0, 1023), min_size=3, max_size=3), min_size=n, max_size=n),
            st.lists(st.lists(st.integers(0, 5), min_size=3, max_size=3), min_size=n, max_size=n),
        )
    ),
    st.sampled_from([1, 7 / 3]),
)
def test_features_are_ranked_by_the_best_tree_on_each(table, unit):
    """A feature whose best tree costs more, put before another; the twin is the search for that tree."""
    codes, losses = np.array(table[0]), np.array(table[1])
    losses = losses * unit
    found = training_module.values_alone(codes, losses)
    total = losses.max(axis=1).sum()
    price = Fraction(2 * float(losses.max(axis=1).mean())).limit_denominator(1000)
    for column, value in zip(codes.T, found, strict=True):
        merged = merge_rows(column[:, None], losses)
        path = sweep_path(
            merged.rows, merged.losses, [training_module.RANKING_SPLITS], low=price, staged=False
        )
        best = merged.offset + min(v.loss + price * v.n_leaves for v in path.vertices)
        assert value * total == pytest.approx(float(best), rel=1e-9, abs=1e-9)
    flipped = training_module.values_alone(1023 - codes, losses)
    assert (flipped == found).all()


def test_a_feature_of_many_is_ranked_as_it_is_alone(monkeypatch):
    """Columns mixed up where they are counted in groups."""
    rng = np.random.default_rng(0)
    codes, losses = rng.integers(0, 1024, (30, 11)), rng.integers(0, 3, (30, 2))
    together = training_module.values_alone(codes, losses)
    monkeypatch.setattr(training_module, "MOST_ENTRIES", 3 << 11)
    assert (training_module.values_alone(codes, losses) == together).all()
    alone = [training_module.values_alone(codes[:, [j]], losses)[0] for j in range(11)]
    assert (np.array(alone) == together).all()


@pytest.mark.parametrize("looks", [0, 1, 5, 20])
def test_the_choice_of_a_grid_stops(looks):
    """A grid looked for long after the time is up, or a bound that holds only for the grid with no splits."""
    rng = np.random.default_rng(0)
    X, y = rng.random((60, 3)), rng.integers(0, 2, 60)
    asked = iter(range(looks))
    stopped = solution_path(X, y, cancel=lambda: next(asked, None) is None)
    best = solution_path(X, y)
    assert stopped.status == "interrupted" and stopped.solutions[0].n_leaves == 1
    for price in (0, Fraction(1, 100), Fraction(1, 20), Fraction(1, 4), 1):
        assert stopped.lower_bound(price) <= best.at(price).risk(price) + 1e-12
        assert best.at(price).risk(price) <= stopped.at(price).risk(price) + 1e-12
    assert stopped.lower_bound(1) == stopped.at(1).risk(1)
