"""The search under constraints against a list of all trees, and stopped."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.twins.sparse.constrained import optimal_value
from treelib.search.budget import MEMORY_LIMIT, OPTIMAL, Budget, Stopped
from treelib.sparse.constrained.problem import Columns, ConstrainedProblem, Constraints
from treelib.sparse.constrained.search import minimise_constrained
from treelib.sparse.constrained.small_trees import score_small_trees

PRICES = [0.0, 0.01, 0.05, 0.15]
SEEDS = st.integers(0, 2**32 - 1)


def draw(seed, n_classes=2, ordered=False, required=0, least=1):
    """Random columns of few features, some with missing values or categories; costs; constraints."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 14))
    values, feature, is_missing, category_of = [], [], [], []
    for _ in range(int(rng.integers(2, 4))):
        kind = rng.choice(["number", "number", "missing", "category"])
        if kind == "category":
            chosen, number = rng.integers(0, 3, n), len(category_of)
            for category in (1, 2):
                values.append(chosen == category)
                feature.append(len(category_of))
                is_missing.append(False)
                category_of.append(number)
            continue
        n_columns = int(rng.integers(1, 3))
        codes = rng.integers(0, n_columns + 1, n)
        for r in range(n_columns):
            values.append(codes > r)
            feature.append(len(category_of))
            is_missing.append(kind == "missing" and r == n_columns - 1)
        category_of.append(-1)
    n_features = len(category_of)
    columns = Columns(np.array(values, np.uint8).T, np.array(feature), np.array(is_missing))
    direction = np.zeros(n_features, np.int8)
    if ordered:
        direction = rng.choice([-1, 1, 1, 0], n_features).astype(np.int8)
        direction[np.array(category_of) >= 0] = 0
    numbers = np.full(n_features, -1)
    chosen = rng.permutation(n_features)[: int(rng.integers(1, required + 1))] if required else []
    numbers[chosen] = np.arange(len(chosen))
    trend = columns.values @ rng.normal(size=columns.values.shape[1])
    y = np.clip(np.digitize(trend, np.quantile(trend, [0.5, 0.8])), 0, n_classes - 1)
    y = np.where(rng.random(n) < 0.3, rng.integers(0, n_classes, n), y)
    costs = (np.arange(n_classes) != y[:, None]) * rng.integers(1, 4, n)[:, None].astype(float)
    if rng.random() < 0.3:
        costs = rng.integers(0, 5, (n, n_classes)) / 2
    min_rows = int(rng.integers(2, least + 1)) if least > 1 else 1
    return columns, costs, Constraints(min_rows, direction, numbers, np.array(category_of))


def check(problem, regularization, max_depth, max_leaves=None, **options):
    """Compare with the list of all trees; the tree must have the objective, and keep to the constraints."""
    columns, costs, constraints = problem
    limits = {"max_depth": max_depth, "max_leaves": max_leaves}
    found = minimise_constrained(columns, costs, regularization, constraints, **limits, **options)
    assert found.status == OPTIMAL and found.lower_bound == found.objective
    optimum = optimal_value(columns, costs, regularization, constraints, max_depth, max_leaves)
    assert found.objective == pytest.approx(optimum, abs=1e-12)
    if found.tree is not None:
        own = found.tree.objective(columns.values, costs, regularization)
        assert own == pytest.approx(found.objective, abs=1e-12)
    return found


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.sampled_from(PRICES), st.sampled_from([1, 2, 2, 3]))
def test_least_leaf_equals_brute_force(seed, regularization, max_depth):
    """A leaf below the least size, or a better tree that keeps to it."""
    check(draw(seed, n_classes=2 + seed % 2, least=4), regularization, max_depth)


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.sampled_from(PRICES), st.sampled_from([1, 2, 2, 3]))
def test_order_equals_brute_force(seed, regularization, max_depth):
    """A prediction that falls somewhere in the space, or a better tree in which none does."""
    check(draw(seed, n_classes=2 + (seed % 5 == 0), ordered=True), regularization, max_depth)


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.sampled_from(PRICES), st.sampled_from([1, 2, 2, 3]))
def test_required_equals_brute_force(seed, regularization, max_depth):
    """A tree without a feature that must be tested, or one that pays too much for it."""
    check(draw(seed, n_classes=2 + seed % 2, required=2), regularization, max_depth)


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.sampled_from(PRICES), st.sampled_from([2, 2, 3]), st.sampled_from([None, 2, 3, 4]))
def test_all_at_once_equal_brute_force(seed, regularization, max_depth, max_leaves):
    """Constraints that hold one by one and not together, and a limit of leaves."""
    problem = draw(seed, ordered=True, required=2, least=2)
    check(problem, regularization, max_depth, max_leaves)


def test_rows_are_put_together_between_looks_at_the_limits():
    """Rows grouped in one go whatever the limits, or a stop before the search that leaves no tree."""
    columns, costs, constraints = draw(3)[:3]
    asked = []

    def check(n_bytes=0):
        asked.append(n_bytes)
        if len(asked) > 3:
            raise Stopped(MEMORY_LIMIT)

    with pytest.raises(Stopped):
        ConstrainedProblem(columns, costs, constraints, check=check)
    assert max(asked) > 0
    found = minimise_constrained(columns, costs, 0.01, constraints, budget=Budget(memory_limit=10))
    assert found.status == MEMORY_LIMIT and found.tree.n_leaves == 1
    assert found.objective == pytest.approx(costs.sum(axis=0).min() / len(costs) + 0.01)
    assert found.lower_bound <= found.objective
    needs = constraints._replace(required=np.zeros_like(constraints.required))
    assert minimise_constrained(columns, costs, 0.01, needs, budget=Budget(memory_limit=10)).tree is None


def test_counting_of_the_rows_of_a_set_looks_at_the_flag():
    """A pass over the rows, a step a feature each, that nothing ends: .4 s late on 200,000 rows x 1,000."""
    codes, start = np.ones((50, 3), np.int32), np.arange(4)
    ordered, wanted = np.zeros(3, np.int8), np.full(3, -1)
    amounts, rows = np.ones((50, 3)), np.arange(50)
    sizes = np.array([1, 2, 0, 2])
    counted, _, _ = score_small_trees(
        codes, start, ordered, wanted, amounts, sizes, rows, np.zeros(1, np.int64)
    )
    assert (counted[:, 0] == 50).all()
    ended, _, _ = score_small_trees(codes, start, ordered, wanted, amounts, sizes, rows, np.ones(1, np.int64))
    assert (ended == 0).all()
