"""The best single split of many nodes against every cut of every feature, one by one."""

import numpy as np
import pytest

from treelib.search.budget import Budget
from treelib.sparse.continuous import leaves, prepare, search, sorting, splits
from treelib.sparse.continuous.arrays import Numbers, bytes_to_search, make_deep, make_shallow
from treelib.sparse.continuous.greedy import grown, pruned, unmerged
from treelib.sparse.continuous.number_tree import from_plan, labelled
from treelib.sparse.continuous.prepare import Data
from treelib.sparse.continuous.search import has_many_values
from treelib.sparse.continuous.sorting import SortedOnDemand, sort_rows


def grown_on(rows, X, data, max_depth=None, max_leaves=None):
    """The greedy tree of `Sorted` rows, cut back and labelled."""
    return pruned(grown(rows, X, data.regularization, max_depth), data, max_leaves)


def problem(seed, n=40, p=6, n_classes=3):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 5, (n, p)).astype(float), rng.integers(0, n_classes, n)
    X[rng.random((n, p)) < 0.1] = np.nan
    rows = sort_rows(X, y, rng.integers(1, 4, n).astype(float), lambda *_: None)
    numbers = Numbers(
        n_features=len(rows.features),
        n_classes=n_classes,
        price=0.0,
        tolerance=0.0,
        classes=rows.classes,
        weight=rows.weight,
        keys=np.zeros((0, 2), np.uint64),
    )
    node_of_row = rng.integers(-1, 3, len(rows.weight))
    return X, rows, numbers, node_of_row


def problem_of_two(n):
    """`X`, float64 (n, 4), and two classes that a tree of depth two tells apart."""
    X = np.random.default_rng(5).random((n, 4))
    return X, ((X[:, 0] > 0.5) ^ (X[:, 1] > 0.4)).astype(int)


def scores(X, rows, numbers, node_of_row, node, criterion):
    """Score of every cut of a node, over all features."""
    at = np.flatnonzero(node_of_row == node)
    classes, weight = numbers.classes[at], np.abs(numbers.weight[at].astype(float))
    found = []
    for column in rows.features:
        values = np.nan_to_num(X[rows.rows[at], column], nan=np.inf)
        for cut in np.unique(values)[:-1]:
            sides = [
                np.bincount(classes[side], weight[side], numbers.n_classes)
                for side in (values <= cut, values > cut)
            ]
            if criterion == splits.GINI:
                found.append(-sum((side**2).sum() / side.sum() for side in sides))
            else:
                found.append(sum(side.sum() - side.max() for side in sides))
    return found


@pytest.mark.parametrize("cells", [1, 100, 2**15])
@pytest.mark.parametrize("criterion", [splits.ERRORS, splits.GINI])
@pytest.mark.parametrize("n_classes", [2, 3, 7])
def test_best_of_all_cuts(monkeypatch, n_classes, criterion, cells):
    """A feature left out, or counted under another number, where several are scanned in one call; a class of
    most weight that another has overtaken."""
    monkeypatch.setattr(splits, "CELLS", cells)
    for seed in range(20):
        X, rows, numbers, node_of_row = problem(seed, n_classes=n_classes)
        weights = splits.weights_by_class(numbers, node_of_row, 3)
        found = splits.best_splits(numbers, rows.order, node_of_row, weights, criterion)
        for node in range(3):
            assert found["score"][node] == pytest.approx(
                min(scores(X, rows, numbers, node_of_row, node, criterion), default=np.inf)
            )
            if found["score"][node] < np.inf:
                column = rows.features[found["feature"][node]]
                below, above = X[rows.rows[[found["below"][node], found["above"][node]]], column]
                assert below < above or np.isnan(above)


def test_a_labelled_tree_knows_its_error():
    """An objective of other rows or weights than those that gave the labels."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X, y = rng.random((30, 2)), rng.integers(0, 3, 30)
        for weights in (None, rng.random(30) + 0.1):
            tree = labelled(from_plan([(1, 0.4, 1, 2), -1, (0, 0.7, 3, 4), -1, -1]), X, y, weights, 3)
            assert tree.error + 0.05 * 3 == tree.objective(X, y, 0.05, weights)


@pytest.mark.parametrize(("n", "p", "n_classes", "kind", "n_levels"), [
    (3000, 5, 2, np.int32, 1), (3000, 1, 2, np.int64, 8), (2000, 9, 7, np.int32, 8),
])  # fmt: skip
def test_room_is_known_before_it_is_taken(n, p, n_classes, kind, n_levels):
    """A search that takes more memory than its limit allows, and counts it when it has it."""
    order = np.zeros((p, n), np.int32)
    arrays = *make_shallow(n, p, n_classes, kind), *make_deep(order, kind, n_levels)
    taken = sum(array.nbytes for array in arrays)
    assert taken - 150_000 <= bytes_to_search(n, p, n_classes, kind, n_levels) <= taken


def test_many_values_are_seen_in_the_first_columns(monkeypatch):
    """A table that is sorted as a whole to be told that it has many values; or another answer."""
    rng = np.random.default_rng(2)
    for n, p in ((50, 3), (1000, 4), (40_000, 3), (3000, 500)):
        for n_values in (2, 15, 30, 1000):
            X = np.floor(rng.random((n, p)) * n_values)
            values = np.sort(X if n * p <= 2**20 else X[:: n // 1000 + 1], axis=0)
            is_many = np.count_nonzero(values[1:] > values[:-1]) > search.MANY_THRESHOLDS
            assert has_many_values(X) == is_many
    seen, sort = [], np.sort
    monkeypatch.setattr(np, "sort", lambda values, axis: seen.append(values.size) or sort(values, axis=axis))
    assert has_many_values(rng.random((1000, 1000))) and sum(seen) < 10**5


@pytest.mark.parametrize("n_columns", [1, 2, 5, 9])
def test_equal_rows_are_found_from_the_first_columns(monkeypatch, n_columns):
    """Rows that differ in a late column taken for equal, or equal ones for different."""
    rng = np.random.default_rng(n_columns)
    X, y = rng.integers(0, 3, (60, 9)).astype(float), rng.integers(0, 3, 60)
    X[:20] = X[20:40]
    X[3, 8], X[5, 0] = np.nan, -0.0
    known = [sort_rows(X, classes) for classes in (y, y > 1)]
    for first in (1, 2, 4, 9):
        monkeypatch.setattr(sorting, "FIRST_COLUMNS", (first,))
        for rows, classes in zip(known, (y, y > 1), strict=True):
            for one, other in zip(sort_rows(X[:, :], classes), rows, strict=True):
                np.testing.assert_array_equal(one, other)
    looks = []
    X[:, 0] = np.arange(60)
    monkeypatch.setattr(sorting, "FIRST_COLUMNS", (n_columns,))
    sorting._equal_rows(X, None, lambda: looks.append(None))
    assert len(looks) == 1  # one round


@pytest.mark.parametrize("n_columns", [1, 3])
def test_a_table_is_left_as_it_was(n_columns):
    """The caller's column sorted in place: of a single one, its rows are its columns."""
    X = np.random.default_rng(1).random((50, n_columns))
    before = X.copy()
    sort_rows(X, np.arange(50) % 2)
    np.testing.assert_array_equal(X, before)


def test_a_large_table_has_one_greedy_tree_a_price(monkeypatch):
    """The same tree made twice before a search within leaves, for a third of its time."""
    X, y = problem_of_two(300)
    made = []
    greedy = search.Search.greedy
    monkeypatch.setattr(search.Search, "greedy", lambda self, budget: made.append(0) or greedy(self, budget))
    monkeypatch.setattr(search, "WORK_A_STEP", 100)
    monkeypatch.setattr(leaves, "WORK_A_STEP", 100)
    found = leaves.optimal_tree_within(X, y, max_leaves=8, max_depth=3)
    assert found.status == "optimal" and len(made) == 1


@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("seed", range(5))
def test_the_last_splits_of_a_greedy_tree_have_the_fewest_errors(seed, depth):
    """A split of best Gini gain above two leaves, where another makes fewer errors."""
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 5, (60, 4)).astype(float), rng.integers(0, 3, 60)
    tree = grown_on(sort_rows(X, y), X, Data(X, y, None, 3, 0.0), depth)

    def stump(inside):
        sides = [inside & (X[:, j] <= cut) for j in range(4) for cut in range(5)]
        return min(errors(side) + errors(inside & ~side) for side in sides)

    def errors(inside):
        return inside.sum() - np.bincount(y[inside], minlength=3).max()

    parts = [np.ones(60, bool)]
    if depth == 2:
        left = X[:, tree.feature[0]] <= tree.threshold[0]
        parts = [left, ~left]
    assert round(tree.error * 60) == sum(map(stump, parts))


@pytest.mark.parametrize("has_weights", [False, True])
def test_a_tree_grown_on_single_columns_is_that_of_all(monkeypatch, has_weights):
    """Another tree where the columns are sorted when they are looked at; a constant column that is split."""
    monkeypatch.setattr(sorting, "_CELLS", 1)
    monkeypatch.setattr(splits, "CELLS", 1)
    for seed in range(10):
        rng = np.random.default_rng(seed)
        X, y = rng.integers(0, 30, (60, 4)) / 4.0, rng.integers(0, 3, 60)
        X[rng.random(X.shape) < 0.1], X[:, 2] = np.nan, 7.0
        weights = rng.integers(1, 5, 60) / 2 if has_weights else None
        data = Data(X, y, weights, 3, 0.01)
        for limits in ((None, None), (3, None), (None, 4)):
            known = grown_on(sort_rows(X, y, weights), X, data, *limits)
            heavy = np.ones(60) if weights is None else weights
            every = np.arange(4)
            by_column = unmerged(y, heavy, 3, SortedOnDemand(X, every), every)
            found = grown_on(by_column, X, data, *limits)
            assert data.objective(found) == pytest.approx(data.objective(known), abs=1e-12)
            assert np.array_equal(found.feature, known.feature)
            np.testing.assert_array_equal(found.threshold, known.threshold)


def test_a_table_without_room_for_its_order_has_a_greedy_tree_of_all_rows():
    """A tree of some rows, worse than a greedy one, where the memory ends but not the time."""
    rng = np.random.default_rng(0)
    X, y = rng.random((3000, 30)), rng.integers(0, 2, 3000)
    y[X[:, 7] > 0.6] = 1
    budget = Budget(memory_limit=X.size * prepare.BYTES_TO_SORT - 1)
    data, rows, status = prepare.prepare(X, y, 0.01, None, budget, 4)
    assert rows is None and status == "memory_limit"
    greedy = grown_on(sort_rows(X, y), X, data, 4)
    assert data.objective(data.first) <= data.objective(greedy) + 1e-12
    tight = Budget(memory_limit=prepare.BYTES_A_ROW * 3000 - 1)
    assert prepare.prepare(X, y, 0.01, None, tight, 4)[0].first is not None
