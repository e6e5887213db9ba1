"""Runs of BinOCT for the figures, and the verdicts built on them."""

from fractions import Fraction

import numpy as np
import pytest

from treelib import OptimalSparseTreeClassifier
from treelib.papers.osdt import (
    binoct,
    figures_4_to_6,
    figures_7_and_8,
    figures_10_to_16,
    settings,
    trees,
)
from treelib.tree.stored import Tree

pytest.importorskip("highspy")

# seconds; what is tested holds wherever HiGHS is stopped
SHORT = 0.5


def case_of(tree, data, depth, regularization=Fraction(0), **changes):
    """A `Case` as if HiGHS had found `tree`."""
    fields = {
        "scored": trees.score(tree, data, regularization, 0.0),
        "depth": depth,
        "regularization": regularization,
        "status": "time_limit",
        "seconds": 20.0,
        "time_limit": 20.0,
        "n_nodes": 1,
        "trace": {},
        "optimum": binoct.optimum_of_depth(data, depth, regularization),
    }
    return binoct.Case(**{**fields, **changes})


@pytest.mark.parametrize("data", ["Monk1", "Monk3", "COMPAS"])
def test_complete_tree_of_depth_one(data):
    """A case whose numbers come from other data, another depth or the solver's own report."""
    case = binoct.run_case(data, 1, time_limit=60.0)
    table = settings.load(data)
    best = max(
        sum(np.bincount(table.y[side], minlength=2).max() for side in (column == 0, column == 1))
        for column in table.X.T
    )
    assert case.status == "optimal" and case.is_optimal
    assert case.scored.accuracy == Fraction(100 * int(best), len(table.y))
    row = case.row()
    assert (row["data"], row["depth"], row["leaves"]) == (data, 1, 2)
    assert row["accuracy"] == pytest.approx(100 * (1 - row["objective"]))
    assert row["objective"] == pytest.approx(row["lower_bound"]) == pytest.approx(row["optimum"])


@pytest.mark.parametrize("data", list(settings.FIGURE_8))
def test_depth_of_figure_8_holds_the_optimal_sparse_tree(data):
    """A depth at which the program could not find the tree it is compared with, or one more than needed."""
    price, depth = settings.FIGURE_8[data]
    optimum = trees.optimal_tree(data, price).objective
    assert binoct.optimum_of_depth(data, depth, price).objective == optimum
    if depth > 1:
        assert binoct.optimum_of_depth(data, depth - 1, price).objective > optimum


def test_stopped_runs_bracket_the_optimum():
    """A bound above the optimum, or an objective below it: one of the two solvers would be wrong."""
    for data in ("COMPAS", "Monk1", "Monk3"):
        price, depth = settings.FIGURE_8[data]
        case = binoct.run_case(data, depth, price, SHORT)
        optimum = case.optimum.value(case.regularization)
        assert case.scored.lower_bound <= float(optimum) + 1e-9
        assert case.objective >= optimum


def test_printed_monk_tree_is_the_optimum_of_its_depth_and_the_printed_game_tree_is_not():
    """What the page says of Figures 5 and 6: 113 of 124 is the best at depth 3, 735 of 958 is not."""
    monk, game = (binoct.optimum_of_depth(data, 3) for data in ("Monk1", "Tic-Tac-Toe"))
    assert monk.n_errors == 124 - 113
    assert game.n_samples - game.n_errors == 742 > 735


def test_useless_splits_of_figure_6():
    """A count that takes a split with one label on both sides, or out of reach, for a useful one."""
    useful = (0, 0.5, (1, 0.5, 0, 1), (2, 0.5, 1, 0))
    one_label = (0, 0.5, (1, 0.5, 0, 0), (2, 0.5, 1, 1))
    out_of_reach = (0, 0.5, (0, 0.5, 0, 1), (2, 0.5, 1, 0))
    counts = []
    for nested in (useful, one_label, out_of_reach):
        tree = Tree.from_nested(nested, settings.load("Monk1").X.shape[1])
        counts.append(case_of(tree, "Monk1", 2).n_useless_splits)
    assert counts == [0, 2, 1]


def test_complete_trees_are_judged_by_the_best_of_their_depth():
    """A verdict that hangs on how far the clock let HiGHS come; an accuracy below the best, called wrong."""
    verdicts = figures_4_to_6.judge_trees()
    for claim, expected in (("osdt.f6.binoct.accuracy", "match"), ("osdt.f5.binoct.accuracy", "untestable")):
        assert verdicts[claim].verdict == expected
        assert verdicts[claim].reading.endswith("the best of its depth")
    assert "30 minutes" in verdicts["osdt.f5.binoct.accuracy"].reason


def test_equally_good_trees_differ_in_useless_splits():
    """A count of useless splits that is a fact of the data, and not of which best tree a solver returns."""
    data = settings.load("Monk1")
    errors, numbers = figures_4_to_6.useless_splits_of_best(data.X, data.y)
    assert errors == binoct.optimum_of_depth("Monk1", 3).n_errors and len(numbers) > 1
    column = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    assert figures_4_to_6.useless_splits_of_best(column, column[:, 0])[1] >= {4}  # one column tells all


def test_figure_7_shows_compas():
    """A lambda, a data set or a depth at which the printed 66.223 % do not come out."""
    price = settings.FIGURE_7_LAMBDA
    tree = trees.optimal_tree("COMPAS", price).tree
    verdicts = figures_7_and_8.judge_figures_7_and_8(case_of(tree, "COMPAS", 2, price, status="optimal"))
    assert verdicts["osdt.f7.rbinoct.accuracy"].verdict == "match"
    same = verdicts["osdt.sj.same-trees.claim"]  # at depth 3 the trees of (27) in rows have more leaves
    assert same.verdict == "untestable" and "in rows at depth 3 8" in same.reason
    assert verdicts["osdt.sj.rbinoct.run-time"].verdict == "untestable"
    stump = binoct.optimum_of_depth("COMPAS", 1, price).tree
    verdicts = figures_7_and_8.judge_figures_7_and_8(case_of(stump, "COMPAS", 2, price))
    assert verdicts["osdt.sj.same-trees.claim"].verdict == "differs"


def test_race_counts_seconds_of_the_slower_and_the_faster(monkeypatch):
    """A factor upside down, or a verdict that holds whoever wins."""
    price, depth = settings.FIGURE_8["Monk1"]

    def races(status):
        return [
            case_of(trees.optimal_tree(data, price).tree, data, depth, price, status=status)
            for data in ("FICO", "Monk1")
        ]

    names = ("osdt.sj.convergence.claim", "osdt.sj.rbinoct.total-time-fico-monk1")
    for seconds, expected in ((0.1, "match"), (100.0, "differs")):
        monkeypatch.setattr(figures_7_and_8, "seconds_of_exact", lambda data, price, seconds=seconds: seconds)
        for status, outcome in (("optimal", expected), ("time_limit", "untestable")):
            verdicts = figures_7_and_8.judge_figures_7_and_8(race=races(status))
            assert {verdicts[name].verdict for name in names} == {outcome}


def test_folds_of_the_paper():
    """Folds cut elsewhere, rows trained on that are tested on, or a tree scored on the wrong part."""
    rows = figures_10_to_16.cross_validate("Monk1", 1, time_limit=60.0)
    assert [row["fold"] for row in rows] == list(range(1, 11))
    table = settings.load("Monk1")
    order = np.arange(len(table.y))
    np.random.RandomState(2018).shuffle(order)
    test = np.isin(np.arange(len(table.y)), order[: len(order) // 10 + 1])
    model = OptimalSparseTreeClassifier(0.0, max_depth=1).fit(table.X[~test], table.y[~test])
    assert rows[0]["train"] == pytest.approx(100 * model.score(table.X[~test], table.y[~test]))
    sizes = {len(table.y) // 10, len(table.y) // 10 + 1}
    for row in rows:
        assert any(
            row["test"] * size / 100 == pytest.approx(round(row["test"] * size / 100)) for size in sizes
        )


def test_half_an_hour_is_half_an_hour():
    """A stored run that stopped early, or a tree with another error than it says."""
    [(asked, run, ran)] = binoct.half_hours()
    assert asked["time_limit"] == 1800 and (run["status"] == "optimal" or run["seconds"] >= 1800)
    assert 0 < ran["cpu_seconds"] <= 1.05 * run["seconds"] + 60
    found = trees.score(Tree.from_json(run["tree"]), asked["data"], Fraction(0))
    assert float(1 - found.accuracy / 100) == pytest.approx(run["objective"])
    assert run["lower_bound"] <= float(1 - binoct.optimum_of_depth("Tic-Tac-Toe", 3).accuracy / 100)


def test_a_stored_run_is_read_back_whole():
    """A tree, a bound or a trace that changes on its way through the store."""
    asked = {"data": "Monk1", "depth": 2, "regularization": "1/20", "time_limit": 60.0}
    case = binoct.run_case("Monk1", 2, Fraction(1, 20), 60.0)
    back = binoct.from_row(asked, binoct.to_row(case))
    assert back.scored.tree == case.scored.tree and back.optimum.tree == case.optimum.tree
    assert (back.objective, back.is_optimal, back.row()) == (case.objective, case.is_optimal, case.row())
    assert all(np.array_equal(back.trace[name], case.trace[name]) for name in case.trace)
