"""Subsets of categories as one test, against all 2^(k - 1) - 1 of them."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.twins.topdown.learner import best_decrease, deviance, impurity
from treelib.topdown.criteria import resolve, resolve_regression
from treelib.topdown.grow.learner import Limits, Problem, learn
from treelib.topdown.grow.one_tree import BEGIN, COST, END, FEATURE, LEFT, RIGHT

CLASS_CRITERIA = {
    "gini": {},
    "entropy": {},
    "km": {},
    "misclassification": {},
    "tsallis": {"alpha": 1.7, "beta": 2},
    "gamma": {"gamma": 0.4},
    "bent": {},  # not concave, a Python function
}
MEAN_CRITERIA = {"squared_error": 0.0, "poisson": 1.0, "tweedie": 0.3}


def bent(p):
    return np.sqrt(np.maximum((1 - p**2).sum(axis=1), 0)) * (1 + (p**3).sum(axis=1))


def g(name, p):
    return float(bent(p[None])[0]) if name == "bent" else impurity(name, p, **CLASS_CRITERIA[name])


@st.composite
def problems(draw, n_classes=None, most=7):
    """(`Problem`, columns of categories): codes beside numbers with ties and missing values."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, n_numbers, n_columns = draw(st.integers(1, 30)), draw(st.integers(0, 2)), draw(st.integers(1, 2))
    X = rng.integers(0, 5, (n, n_numbers + n_columns)).astype(float)
    X[rng.random(X.shape) < draw(st.sampled_from([0.0, 0.3]))] = np.nan
    X[:, n_numbers:] = rng.integers(0, draw(st.integers(1, most)), (n, n_columns))
    y = rng.integers(0, n_classes, n) if n_classes else rng.integers(0, 5, n) + 0.25
    weight = draw(st.sampled_from(["none", "whole", "real"]))
    weight = {"none": None, "whole": rng.integers(1, 4, n) * 1.0, "real": rng.random(n) + 0.1}[weight]
    is_category = np.arange(n_numbers + n_columns) >= n_numbers
    return Problem(X, y, n_classes or 0, weight, categories=is_category)


def check_every_split(problem, criterion, cost, limits):
    """Each inner node has the best of all splits of its rows, and each leaf none that is allowed."""
    grown = learn(problem, criterion, limits._replace(min_decrease=1e-7))
    whole, X = grown.nodes.whole[: grown.nodes.state[0]], problem.X
    columns = np.flatnonzero(problem.categories)
    members = {0: np.arange(len(X))}
    for node in range(len(whole)):
        rows, feature = members[node], whole[node, FEATURE]
        assert len(rows) == whole[node, END] - whole[node, BEGIN]

        def cost_here(part, rows=rows):
            return cost(rows[part])

        best = best_decrease(X[rows], cost_here, limits.min_leaf, columns)
        if feature < 0:
            assert best is None or best < 1e-6 * len(X) or cost(rows) < 1e-9
            continue
        x = X[rows, feature]
        if feature in columns:
            left = ~np.isin(x, grown.subsets[node])
            assert left.sum() >= (~left).sum() > 0  # what it never saw goes left, with most rows
        else:
            left = x <= grown.threshold[node]
            if left.sum() != whole[whole[node, LEFT], END] - whole[whole[node, LEFT], BEGIN]:
                left |= np.isnan(x)
        assert min(left.sum(), (~left).sum()) >= limits.min_leaf
        fall = cost_here(np.ones(len(rows), bool)) - cost_here(left) - cost_here(~left)
        assert fall >= best - 1e-9 * (1 + abs(cost(np.arange(len(X)))))
        members[whole[node, LEFT]], members[whole[node, RIGHT]] = rows[left], rows[~left]


def check_classes(problem, name, limits):
    criterion = resolve(bent) if name == "bent" else resolve(name, **CLASS_CRITERIA[name])
    w = np.ones(len(problem.X)) if problem.weight is None else problem.weight

    def cost(rows):
        counts = np.bincount(problem.y[rows], w[rows], problem.n_classes)
        return counts.sum() * g(name, counts / counts.sum()) if len(rows) else 0.0

    check_every_split(problem, criterion, cost, limits)


@settings(max_examples=60)
@given(problems(2), st.sampled_from(sorted(CLASS_CRITERIA)))
def test_two_classes_have_the_best_subset(problem, name):
    """An order by anything but the share of a class, runs of a category torn apart, a wrong side."""
    check_classes(problem, name, Limits())


@settings(max_examples=60)
@given(st.integers(3, 5).flatmap(problems), st.sampled_from(sorted(CLASS_CRITERIA)), st.integers(1, 4))
def test_few_categories_have_the_best_subset(problem, name, min_leaf):
    """Subsets left out, counted wrongly, or taken although a side is too small."""
    check_classes(problem, name, Limits(min_leaf=min_leaf))


@settings(max_examples=60)
@given(problems(most=9), st.sampled_from(sorted(MEAN_CRITERIA)))
def test_regression_has_the_best_subset(problem, name):
    """An order by sums in the place of means, weights left out, a wrong deviance."""
    w = np.ones(len(problem.X)) if problem.weight is None else problem.weight
    power = MEAN_CRITERIA[name]

    def cost(rows):
        return w[rows].sum() * deviance(name, problem.y[rows], w[rows], power) if len(rows) else 0.0

    check_every_split(problem, resolve_regression(name, power=power), cost, Limits())


def test_ten_categories_of_five_classes_need_more_than_a_few_orders():
    """All subsets left to the orders tried beyond ten categories, which find most of the best ones."""
    random = np.random.default_rng(0)
    for _ in range(100):
        x = np.repeat(np.arange(10), random.integers(1, 6, 10))
        y = np.array([random.choice(5, p=p) for p in random.dirichlet(np.ones(5), 10)[x]])
        problem = Problem(x[:, None].astype(float), y, 5, categories=np.array([True]))
        grown = learn(problem, resolve("gini"), Limits(max_splits=1))
        counts = [np.bincount(y[x == k], minlength=5) for k in range(10)]
        left = (np.arange(1, 512)[:, None] >> np.arange(10) & 1) @ np.array(counts)
        sides = np.stack([left, np.bincount(y, minlength=5) - left])
        weight = sides.sum(axis=2)
        best = (weight - (sides**2).sum(axis=2) / weight).sum(axis=0).min()
        assert np.isclose(grown.nodes.real[1:3, COST].sum(), best)
