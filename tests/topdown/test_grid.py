"""Trees of a whole grid of criteria: the same trees as one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedKFold

from tests.twins.topdown.learner import best_decrease
from treelib import TopDownTreeClassifier
from treelib.topdown.criteria import resolve
from treelib.topdown.grid import candidate_splits, walk
from treelib.topdown.grid.fit_grid import fit_grid, tsallis_grid
from treelib.topdown.grow.learner import Limits, Problem, learn

CRITERIA = [
    *tsallis_grid((0.3, 0.7, 1, 1.5, 3), (1, 2, 3.5, 20)),
    "entropy",
    "km",
    resolve("gamma", gamma=0.2),
    resolve("gamma", gamma=1.5),
]


def squared_gini(p):
    return (1 - (p**2).sum(axis=1)) ** 2


@pytest.mark.parametrize("limits", [{"max_depth": 4}, {"max_splits": 5}, {"max_depth": 3, "max_splits": 4}])
@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_trees_and_accuracies_are_those_of_single_fits(load, limits):
    """A candidate left out that is best for some criterion, criteria mixed up, or another order of splits."""
    X, y = load(return_X_y=True)
    rng = np.random.default_rng(0)
    X[rng.random(X.shape) < 0.05] = np.nan
    folds = list(StratifiedKFold(3, shuffle=True, random_state=1).split(X, y))
    criteria = [*CRITERIA, squared_gini]
    options = {**limits, "min_samples_leaf": 2}
    result = fit_grid(X, y, criteria, folds=folds, return_trees=True, **options)
    if "max_splits" in options:
        options["max_leaf_nodes"] = options.pop("max_splits") + 1
    for c, criterion in enumerate(criteria):
        for f, (train, test) in enumerate(folds):
            model = TopDownTreeClassifier(criterion, **options).fit(X[train], y[train])
            assert result.trees[c][f].same_function(model.tree_)
            assert np.isclose(result.accuracy[c, f], model.score(X[test], y[test]))
            assert np.isclose(result.train_accuracy[c, f], model.score(X[train], y[train]))
            assert result.n_leaves[c, f] == model.get_n_leaves()


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.sampled_from([{}, {"max_splits": 3}, {"max_depth": 2}]))
def test_equal_splits_are_told_apart_as_by_single_fits(seed, limits):
    """Of equal splits one that a single fit does not take: in a mirrored column, or one left out as inner."""
    rng = np.random.default_rng(seed)
    n, n_classes = rng.integers(4, 40), rng.integers(2, 5)
    X, y = rng.integers(0, rng.integers(2, 12), (n, 2)).astype(float), rng.integers(0, n_classes, n)
    X = np.c_[X, -X, X[:, :1]]
    flat = ["misclassification", resolve("tsallis", alpha=0), resolve("tsallis", alpha=8, beta=8)]
    criteria = ["gini", "entropy", resolve("gamma", gamma=0.2), *flat, squared_gini]
    fold = np.arange(n), np.arange(1)
    together = fit_grid(X, y, criteria, folds=[fold], return_trees=True, **limits)
    if "max_splits" in limits:
        limits = {"max_leaf_nodes": limits["max_splits"] + 1}
    for criterion, (tree,) in zip(criteria, together.trees, strict=True):
        assert tree.same_function(TopDownTreeClassifier(criterion, **limits).fit(X, y).tree_)


@pytest.mark.parametrize("load", [load_iris, load_breast_cancer])
def test_other_rows_and_smaller_trees_are_those_of_grids_of_their_own(load):
    """Rows counted for another group of them, a part of a tree that stops elsewhere than the tree alone."""
    X, y = load(return_X_y=True)
    rows = np.random.default_rng(2).permutation(len(y))
    folds, other = [(rows[:80], rows[80:110]), (rows[40:100], rows[:30])], [rows[105:], rows[:60]]
    smaller = [
        {"max_depth": 2},
        {"max_splits": 1},
        {"max_splits": 4},
        {"max_splits": 50},
        {"max_splits": 0},
        {},
    ]
    criteria = tsallis_grid([0.5, 1.0, 2.0], [1, 4])
    result = fit_grid(X, y, criteria, folds=folds, other=other, smaller=smaller)
    elsewhere = [(train, rows) for (train, _), rows in zip(folds, other, strict=True)]
    assert np.array_equal(result.other_accuracy, fit_grid(X, y, criteria, folds=elsewhere).accuracy)
    for limits, found in zip(smaller, result.smaller_accuracy, strict=True):
        assert np.array_equal(found, fit_grid(X, y, criteria, folds=folds, **limits).accuracy)
    with pytest.raises(ValueError, match="depth-first"):
        fit_grid(X, y, criteria, folds=folds, smaller=smaller, max_splits=5)
    for wrong in ({"max_depth": 1, "max_splits": 2}, {"min_samples_leaf": 5}):
        with pytest.raises(ValueError, match="one of max_depth and max_splits"):
            fit_grid(X, y, criteria, folds=folds, smaller=[wrong])


def test_betas_of_one_alpha_in_any_order():
    """Steps of a larger beta, or of another alpha, that are taken for those of a smaller one."""
    X, y = load_wine(return_X_y=True)
    rows = np.random.default_rng(3).permutation(len(y))
    folds = [(rows[:100], rows[100:])]
    for betas in ((5, 2, 7), (1, 2.5, 3, 3, 1), (2,)):
        criteria = tsallis_grid([0.7, 2.2], betas)
        together = fit_grid(X, y, criteria, folds=folds, return_trees=True)
        for criterion, (tree,) in zip(criteria, together.trees, strict=True):
            alone = fit_grid(X, y, [criterion], folds=folds, return_trees=True).trees[0][0]
            assert tree == alone


def test_splits_that_are_scored_piece_by_piece_are_the_same(monkeypatch):
    """The best split of a piece that is not the first, or another of two that are as good."""
    rng = np.random.default_rng(5)
    X, y = rng.integers(0, 300, (900, 6)) / 7, rng.integers(0, 3, 900)
    criteria = tsallis_grid([0.5, 1.0, 2.0, 3.3], [0.5, 1, 2, 4, 8])
    folds = [(np.arange(450), np.arange(450, 900))]
    whole = fit_grid(X, y, criteria, folds=folds, max_depth=3, return_trees=True)
    size = candidate_splits.AT_ONCE
    monkeypatch.setattr(walk, "_POINTS_AT_ONCE", walk._MEMBERS_AT_ONCE * size)
    pieces, best_points = [], candidate_splits.best_points

    def counted(group, kernel_criteria, points, some, *rest):
        pieces.append(some[1] - some[0])
        return best_points(group, kernel_criteria, points, some, *rest)

    monkeypatch.setattr(candidate_splits, "best_points", counted)
    found = fit_grid(X, y, criteria, folds=folds, max_depth=3, return_trees=True)
    assert max(pieces) == size and len(pieces) > 20
    assert found.trees == whole.trees and np.array_equal(found.accuracy, whole.accuracy)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 4), st.sampled_from([{"max_depth": 3}, {"max_splits": 4}]))
def test_random_problems_give_the_trees_of_single_fits(seed, n_classes, limits):
    """The same where splits tie, values are missing, columns repeat and folds lack a class."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 30))
    X, y = rng.integers(0, rng.integers(2, 6), (n, 3)).astype(float), rng.integers(0, n_classes, n)
    X[:, 2] = X[:, rng.integers(3)]
    X[rng.random((n, 3)) < rng.choice([0.0, 0.2])] = np.nan
    rows = rng.permutation(n)
    folds = [(rows[: n // 2], rows[n // 2 :]), (rows[n // 2 :], rows[: n // 2])]
    criteria = [CRITERIA[c] for c in rng.choice(len(CRITERIA), 4, replace=False)]
    y[rng.permutation(n)[:n_classes]] = np.arange(n_classes)
    min_leaf = int(rng.integers(1, 3))
    result = fit_grid(X, y, criteria, folds=folds, return_trees=True, min_samples_leaf=min_leaf, **limits)
    limits = Limits(min_leaf=min_leaf, best_first="max_splits" in limits, **limits)
    for c, criterion in enumerate(criteria):
        for f, (train, test) in enumerate(folds):
            # a fold that lacks a class still counts it
            part = Problem(X[train], y[train], n_classes)
            alone = learn(part, resolve(criterion), limits).to_tree(3, n_classes)
            assert result.n_leaves[c, f] == alone.n_leaves
            assert result.trees[c][f].same_function(alone)
            assert result.accuracy[c, f] == pytest.approx(np.mean(alone.predict(X[test]) == y[test]))


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.integers(2, 3), st.floats(0.1, 4), st.sampled_from([1, 2, 3, 0.4]))
def test_first_split_is_the_best_of_all(seed, n_classes, alpha, beta):
    """Candidates dropped although the criterion is not concave, or a hull that lacks a vertex."""
    rng = np.random.default_rng(seed)
    n = rng.integers(2, 16)
    X, y = rng.integers(0, 7, (n, 2)).astype(float), rng.integers(0, n_classes, n)
    y[: min(n, n_classes)] = np.arange(n_classes)[:n]
    criterion = resolve("tsallis", alpha=alpha, beta=beta)

    def cost(mask):
        counts = np.bincount(y[mask], minlength=n_classes)
        return counts.sum() * criterion.impurity(counts) if counts.any() else 0.0

    folds = [(np.arange(n), np.arange(n))]
    tree = fit_grid(X, y, [criterion], folds=folds, max_depth=1, return_trees=True).trees[0][0]
    best = best_decrease(X, cost)
    if tree.n_leaves == 1:
        assert best is None or best < 1e-9
    else:
        left = X[:, tree.feature[0]] <= tree.threshold[0]
        fall = cost(np.ones(n, bool)) - cost(left) - cost(~left)
        assert np.isclose(fall, best, atol=1e-9)


@given(st.integers(0, 2**32 - 1), st.integers(1, 40), st.integers(1, 9))
def test_hull_has_every_point_that_minimises_a_concave_function(seed, n_points, size):
    """A vertex lost by the chain, or one kept twice."""
    rng = np.random.default_rng(seed)
    total = rng.integers(1, size + 1, 2)
    points = (rng.integers(0, size + 1, (n_points, 2)) % (total + 1)).astype(np.int32)
    lowest, highest = np.empty((2, total[0] + 1, 2), dtype=np.intp)
    keep = np.empty(n_points, dtype=np.uint8)
    chain = np.empty(total[0] + 1, dtype=np.intp)
    candidate_splits.mark_hull(points, n_points, total, lowest, highest, chain, keep)
    kept = points[keep == 1]
    both = np.vstack([kept, total - kept])
    everything = np.vstack([points, total - points])
    for direction in rng.normal(size=(50, 2)):
        assert np.isclose((both @ direction).max(), (everything @ direction).max())


def test_grid_refuses_bad_data():
    """Shapes that do not fit, or a power beyond float64, that would reach a kernel."""
    X, y = load_iris(return_X_y=True)
    folds = [(np.arange(100), np.arange(100, 150))]
    with pytest.raises(ValueError, match="shape"):
        fit_grid(X, y[:-1], ["gini"], folds=folds)
    with pytest.raises(ValueError, match="too large"):
        fit_grid(X, y, tsallis_grid([1e4], [1]), folds=folds)
    with pytest.raises(ValueError, match="y holds NaN"):
        fit_grid(X, np.where(y == 1, np.nan, y), ["gini"], folds=folds)


ROWS = np.arange(150)


@pytest.mark.parametrize(
    "fold",
    [
        (ROWS, ROWS[:0]),
        (ROWS[:0], ROWS),
        (ROWS, np.zeros(150, bool)),
        (ROWS, np.ones(5, bool)),
        (ROWS, [0, 150]),
        ([-151, 0], ROWS),
        (ROWS + 0.0, ROWS),
        (ROWS.reshape(2, 75), ROWS),
        (None, ROWS),
        ("rows", ROWS),
        (ROWS,),
        (ROWS, ROWS, ROWS),
    ],
    ids=range(12),
)
def test_fold_that_is_none(fold):
    """An accuracy of 0 over no row, or an error from within a kernel."""
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match=r"Fold 1 (must hold|has \d parts)"):
        fit_grid(X, y, ["gini"], folds=iter([(ROWS, ROWS), fold]))


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_limits_keep_the_folds_that_are_done(n_jobs):
    """A grid that no limit ends, or folds half done among the results."""
    rng = np.random.default_rng(0)
    X, y = rng.random((200, 3)), rng.integers(0, 2, 200)
    folds = [(np.arange(100), np.arange(100, 200)), (np.arange(100, 200), np.arange(100))]
    whole = fit_grid(X, y, ["gini", "entropy"], folds=folds, return_trees=True)
    assert whole.status == "optimal"
    with pytest.warns(ConvergenceWarning, match="0 of 2 folds"):
        none = fit_grid(X, y, ["gini", "entropy"], folds=folds, time_limit=1e-9, n_jobs=n_jobs)
    assert none.status == "time_limit" and np.isnan(none.accuracy).all()
    asked = []
    fit_grid(X, y, ["gini", "entropy"], folds=folds[:1], cancel=lambda: asked.append(0))

    looks = iter(range(len(asked) + 2))
    with pytest.warns(ConvergenceWarning, match="1 of 2 folds"):
        half = fit_grid(
            X,
            y,
            ["gini", "entropy"],
            folds=folds,
            cancel=lambda: next(looks, None) is None,
            return_trees=True,
        )
    assert half.status == "interrupted" and half.trees[0][1] is None
    assert half.accuracy[:, 0].tolist() == whole.accuracy[:, 0].tolist()
    assert half.trees[0][0] == whole.trees[0][0]


def test_ctrl_c_keeps_the_folds_that_are_done():
    """Hours of work lost to an impatient reader."""
    rng = np.random.default_rng(0)
    X, y = rng.random((100, 3)), rng.integers(0, 2, 100)
    folds = [(np.arange(50), np.arange(50, 100)), (np.arange(50, 100), np.arange(50))]
    looks = []
    fit_grid(X, y, ["gini"], folds=folds[:1], cancel=lambda: looks.append(0))

    def cancel():
        if not looks:
            raise KeyboardInterrupt
        looks.pop()

    with pytest.warns(ConvergenceWarning, match="interrupted"):
        found = fit_grid(X, y, ["gini"], folds=folds, cancel=cancel)
    assert np.isfinite(found.accuracy[0, 0]) and np.isnan(found.accuracy[0, 1])


def test_verbose_tells_how_many_folds_are_done(capsys):
    """A long grid without a word, or words that nobody asked for."""
    rng = np.random.default_rng(0)
    X, y = rng.random((100, 3)), rng.integers(0, 2, 100)
    folds = [(np.arange(50), np.arange(50, 100))]
    fit_grid(X, y, ["gini"], folds=folds)
    assert capsys.readouterr().err == ""
    fit_grid(X, y, ["gini"], folds=folds, verbose=True)
    assert "1 of 1 folds\n" in capsys.readouterr().err


def test_a_table_of_parts_is_filled_once_for_each_alpha(monkeypatch):
    """Tables of all criteria filled, whatever was cancelled; a table for each of several with one alpha."""
    filled, fill = [], candidate_splits.fill_table

    def remember(*arguments):
        filled.append(arguments[1])
        return fill(*arguments)

    monkeypatch.setattr(candidate_splits, "fill_table", remember)
    X, y = load_iris(return_X_y=True)
    fold, criteria = (np.arange(100), np.arange(100, 150)), tsallis_grid([0.5, 2.0, 3.0], range(1, 9))
    fit_grid(X, y, criteria, folds=[fold], max_depth=3)
    assert sorted(filled) == [0.5, 2.0, 3.0]
    filled.clear()
    with pytest.warns(ConvergenceWarning, match="interrupted"):
        fit_grid(X, y, criteria, folds=[fold], cancel=lambda: bool(filled))
    assert len(filled) == 1
