"""Formulas of the paper, computed: what holds, and that the checks can fail."""

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine

from treelib import BayesianTreeClassifier
from treelib.papers.tsallis import exact_loss, section_4
from treelib.papers.tsallis.splits import GRID_ALPHAS, GRID_BETAS
from treelib.papers.tsallis.text import section_3_1, section_6, section_9
from treelib.papers.tsallis.text import section_b_1 as readings
from treelib.topdown.criteria import resolve
from treelib.tree.stored import Tree


def test_members_of_the_family_are_unique():
    """A grid with a point beside the standard ones that grows the same trees."""
    p, two = (np.random.default_rng(0).dirichlet(np.ones(n_classes), 200) for n_classes in (3, 2))

    def multiples(wanted, shares, alphas=GRID_ALPHAS, betas=GRID_BETAS):
        points = [(alpha, beta) for alpha in alphas for beta in betas]
        ratios = (resolve("tsallis", alpha=a, beta=b).impurity(shares) / wanted for a, b in points)
        pairs = zip(points, ratios, strict=True)
        return [point for point, ratio in pairs if np.ptp(ratio) <= 1e-9 * abs(ratio[0])]

    assert multiples(1 - (p**2).sum(axis=1), p) == [(2.0, 1)]
    assert multiples(np.sqrt(two.prod(axis=1)), two) == [(0.5, 2)]
    assert {alpha for alpha, _ in multiples((p * np.log(p)).sum(axis=1), p)} == {1.0}
    # with two classes alpha = 3 is a multiple of Gini impurity too
    assert multiples(two.prod(axis=1), two, [2.0, 2.5, 3.0], [1]) == [(2.0, 1), (3.0, 1)]


def test_constant_changes_no_tree():
    """A learner that does not follow the printed formula, or a comparison of a tree with itself."""
    assert section_3_1.follows_the_formula() < 1e-9
    X, y = load_iris(return_X_y=True)
    assert section_3_1.keeps_the_tree(X, y, 2.0, 1, 7.0)
    assert not section_3_1.keeps_the_tree(X, y, 2.0, 1, -1.0)  # the worst splits


def test_trees_change_where_their_loss_does_not():
    behaviours, steps = exact_loss.behaviours_without_loss(*load_wine(return_X_y=True))
    assert behaviours > 1 and steps == 0


def test_prior_is_the_printed_one():
    """sigma and phi in each other's place would give other odds."""
    sigma, phi = 0.6, 1.0
    X = np.random.default_rng(0).random((100, 3))
    # all rows have one class, so every tree with rows in all leaves is as likely as under the prior
    options = {"n_iter": 10_000, "burn_in": 0.1, "thin": 5, "n_chains": 6, "random_state": 0}
    model = BayesianTreeClassifier(sigma, phi, **options).fit(X, np.zeros(len(X), dtype=int))
    odds = (model.n_leaves_ == 1).sum(axis=1) / (model.n_leaves_ == 2).sum(axis=1)
    expected = (1 - sigma) / (sigma * (1 - sigma * 2.0**-phi) ** 2)
    assert abs(odds.mean() - expected) <= 3 * odds.std(ddof=1) / np.sqrt(len(odds)) < 0.2
    assert sorted(model.acceptance_) == ["change", "prune", "split", "swap"]


def test_path_minimises_over_all_prunings():
    holds, n_prunings, n_pieces = section_4.minimises_over_all_prunings(*load_iris(return_X_y=True))
    assert holds and n_prunings > n_pieces > 1


def test_a_split_that_saves_no_error_is_not_selected_at_price_0():
    """A tree that is called selected at price 0 because it ties with a smaller one."""
    needed = Tree.from_nested((0, 0.5, [2, 0], [0, 1]), 1, n_classes=2)
    idle = Tree.from_nested((0, 0.5, (0, 0.2, [2, 0], [2, 1]), [0, 1]), 1, n_classes=2)
    assert section_4.whole_at_zero(needed) == ("a tree of 2 leaves, 2 of them enough", True, 0)
    assert section_4.whole_at_zero(idle) == ("a tree of 3 leaves, 2 of them enough", False, 1)


def test_degree_of_scores_grows_from_the_second_tree_on():
    """Two splits of the first tree have four denominators; later sums have those of all leaves besides."""
    assert section_6.degree_of_score_comparison(1) == 4
    assert section_6.degree_of_score_comparison(2) == 10


def test_fractions_of_polynomials_are_in_lowest_terms():
    """1 / (1 + x) + 1 / (1 - x) = 2 / (1 - x^2), and x / (x + x^2) loses its factor."""
    top, bottom = section_6._add(([1], [1, 1]), ([1], [1, -1]))
    assert [value / top[0] for value in bottom] == [0.5, 0, -0.5] and len(top) == 1
    top, bottom = section_6._add(([0, 1], [0, 1, 1]), ([0], [1]))
    assert len(top) == 1 and len(bottom) == 2


def test_split_is_read_off_the_cells():
    """Cells made of five parts of 20 %, and cells of anything."""
    random = np.random.default_rng(0)
    made = [(round(100 * random.integers(100, 150) / 150, 2), 150) for _ in range(6)]
    made += [(round(100 * random.integers(600, 685) / 685, 2), 685) for _ in range(6)]
    assert section_9.likeliest_split(made, runs=range(1, 11)) == ([(5, 20)], 12)
    assert section_9.is_share(96.67, 30) and not section_9.is_share(96.60, 30)


def test_shares_with_as_many_rows_are_not_told_apart():
    """The share that is tried first: of 150 rows two parts of a tenth are as many as one of a fifth."""
    cells = [(96.67, 150), (93.33, 150), (86.67, 150)]
    found = {order: section_9.likeliest_split(cells, runs=runs) for order, runs in
             (("up", range(1, 5)), ("down", range(4, 0, -1)))}  # fmt: skip
    assert sorted(found["up"][0]) == sorted(found["down"][0]) == [(1, 20), (2, 10)]
    [share] = [v for v in section_9.judge_splits() if v.claim.id == "tsallis.sb-2.pruning.test-share"]
    assert share.verdict == "untestable" and "2 x 10 %" in share.reason


def test_place_of_the_named_point():
    """A point that is best everywhere loses nothing, one that is worst has the last rank."""
    shape = 10, len(GRID_ALPHAS), len(GRID_BETAS)
    accuracy = np.random.default_rng(0).random(shape)
    i, j = GRID_ALPHAS.index(0.5), GRID_BETAS.index(2)
    accuracy[:, i, j] = 2.0
    best = readings.place(accuracy, (0.5, 2))
    assert best["rank"] == 1 and best["is_first"] == 10 and not any(best["lost"]) and min(best["gain"]) > 1
    accuracy[:, i, j] = -1.0
    worst = readings.place(accuracy, (0.5, 2))
    assert worst["rank"] == accuracy[0].size and worst["is_first"] == 0 and min(worst["lost"]) > 1


@pytest.mark.parametrize("n_thresholds", [1, 3])
def test_few_thresholds(n_thresholds):
    X = np.random.default_rng(0).random((50, 3))
    assert (np.unique(readings.between_quantiles(X, n_thresholds)).size) == n_thresholds + 1


def test_readings_change_one_thing_at_a_time():
    """Each is a setting of `grid_accuracy`; one case on a small grid says what the first reading says."""
    X, y = load_iris(return_X_y=True)
    (found,) = readings.grid_accuracy(X, y, n_seeds=2, max_depth=2)
    assert found.shape == (2, len(GRID_ALPHAS), len(GRID_BETAS)) and 60 < found.min() <= found.max() <= 100
    for options in readings.READINGS.values():
        assert sum(name != "max_depth" for name in options) <= 1
