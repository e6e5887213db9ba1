"""Exact empirical risk of splitting parameters, against growth in decimals of 50 digits."""

import gc
import time
import tracemalloc
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning

from tests.twins.topdown.risk import gamma, grow, splits, tsallis, tweedie
from treelib import TopDownTreeClassifier
from treelib.search.budget import Budget
from treelib.topdown.criteria import resolve
from treelib.topdown.grow.learner import Limits, Problem, learn
from treelib.topdown.learn import execution, shared_time, splitting_risk
from treelib.topdown.learn import instance as instance_module
from treelib.topdown.learn.envelope import lower_envelope
from treelib.topdown.learn.families import (
    DIGITS,
    FAR,
    Gamma,
    TsallisAlpha,
    TsallisBeta,
    TsallisFarAlpha,
    _terms_of_shape,
)
from treelib.topdown.learn.joint_risk import joint_loss
from treelib.topdown.learn.selection import SplitAndPruneFamily, select_algorithm
from treelib.topdown.learn.splitting_risk import Instance, exact_loss, log10_worst_case, minimise_tsallis

SLOW = settings(deadline=None, max_examples=25)


@st.composite
def classification(draw, n_classes=3):
    n = draw(st.integers(2, 14))
    X = draw(st.lists(st.lists(st.integers(0, 4), min_size=2, max_size=2), min_size=n, max_size=n))
    y = draw(st.lists(st.integers(0, n_classes - 1), min_size=n, max_size=n))
    return np.array(X, dtype=float), np.unique(y, return_inverse=True)[1]


growth = st.sampled_from(
    [{"max_depth": 1}, {"max_depth": 2}, {"max_depth": None}, {"max_splits": 2}, {"max_splits": 4}]
)


def tree_splits(tree):
    return [
        None if leaf else (int(feature), float(threshold))
        for leaf, feature, threshold in zip(tree.is_leaf, tree.feature, tree.threshold, strict=True)
    ]


def check_everywhere(found, X, y, impurity_at, options, n_points=7):
    """The trees of `found` against the twin on a grid, and close to both sides of every breakpoint."""
    (instance,) = found.instances
    low, high = instance.steps.domain
    near = [x for b in instance.brackets for x in (b.low - 1e-7, b.high + 1e-7)]
    points = [x for x in (*np.linspace(low, high, n_points + 2)[1:-1], *near) if low < x < high]
    for x in points:
        if any(b.low <= x <= b.high for b in (*instance.brackets, *instance.unresolved)):
            continue
        tree = found.trees(x)[0]
        naive = grow(X, list(y), impurity_at(x), **options)
        assert tree_splits(tree) == splits(naive), f"at {x}"
        assert found.loss(x) == pytest.approx(tree.error(X, y))


@SLOW
@given(classification(), st.sampled_from([1, 2, 3, 5]), growth)
def test_trees_over_alpha_are_those_of_the_twin(data, beta, options):
    """A wrong winner, a missed breakpoint, or another tie rule, for any growth."""
    X, y = data
    found = exact_loss(Instance(X, y), "alpha", (0.05, 4.0), beta=beta, **options)
    classes = sorted(set(y))
    check_everywhere(found, X, y, lambda a: lambda labels: tsallis(labels, classes, a, beta), options)
    assert found.is_certified or found.largest_bracket < 1e-8


def test_a_crossing_at_a_small_angle_is_narrowed_in_decimals():
    """A bracket of 1.5e-8 around a root where two scores part too slowly for doubles."""
    X = [[3, 3], [4, 1], [3, 2], [1, 1], [0, 1], [1, 0], [3, 2], [1, 3], [0, 0], [1, 0], [3, 0], [4, 1]]
    X, y = np.array(X, dtype=float), np.array([1, 0, 1, 2, 0, 0, 1, 1, 1, 0, 0, 1])
    found = exact_loss(Instance(X, y), "alpha", (0.05, 4.0))
    check_everywhere(found, X, y, lambda a: lambda labels: tsallis(labels, range(3), a, 1), {})
    assert found.largest_bracket < 2e-10 and len(found.instances[0].brackets) == 2


class Square:
    """``(e^-x - 1/2)^2 + lift`` against 0: they touch at ln 2 if `lift` is 0, and cross if it is less."""

    n = 2

    def __init__(self, lift=Decimal(0), in_decimals=False):
        self.lift, self.in_decimals = lift, in_decimals
        self.relative_error = Decimal(10) ** -40 if in_decimals else 1e-15

    def evaluate(self, x, which):
        power = (-Decimal(x)).exp()
        parts = [[power * power, 0], [power, 0]]
        parts = np.array(parts, dtype=object if self.in_decimals else float)[:, which]
        return parts

    def constants(self, which):
        constants = [Decimal("0.25") + self.lift, Decimal(0)]
        return np.array(constants, dtype=object if self.in_decimals else float)[which]

    def key(self, i):
        return i

    exact_key = key

    def precise(self):
        return None if self.in_decimals else Square(self.lift, in_decimals=True)


def test_a_touching_is_bracketed_and_a_near_touching_resolved():
    """A double root around which doubles see nothing for 1e-7, or two roots 2e-8 apart taken for none."""
    touching = lower_envelope(Square(), 0.0, 2.0)
    (doubt,) = touching.unresolved
    assert touching.winners == [1]
    assert doubt.low <= np.log(2) <= doubt.high and doubt.high - doubt.low < 4e-10
    lift = Decimal("-2.5e-17")  # roots where e^-x = 1/2 -+ 5e-9
    crossing = lower_envelope(Square(lift), 0.0, 2.0)
    assert crossing.winners == [1, 0, 1] and all(b.isolated for b in crossing.brackets.values())
    roots = [-np.log(0.5 + 5e-9), -np.log(0.5 - 5e-9)]
    assert crossing.edges[1:-1] == pytest.approx(roots, abs=2e-10)


@SLOW
@given(classification(), st.sampled_from([0.5, 0.3, 2.0, 1.5]), growth)
def test_trees_over_beta_are_those_of_the_twin(data, alpha, options):
    """The wrong direction of the comparison on one side of alpha = 1, or pure leaves forgotten."""
    X, y = data
    found = exact_loss(Instance(X, y), "beta", (0.1, 6.0), alpha=alpha, **options)
    classes = sorted(set(y))
    check_everywhere(found, X, y, lambda b: lambda labels: tsallis(labels, classes, alpha, b), options)


@SLOW
@given(classification(), growth)
def test_trees_over_gamma_are_those_of_the_twin(data, options):
    """Leaves that lack a class, whose impurity is 0 in the geometric family."""
    X, y = data
    found = exact_loss(Instance(X, y), "gamma", (0.02, 1.0), **options)
    classes = sorted(set(y))
    check_everywhere(found, X, y, lambda g: lambda labels: gamma(labels, classes, g), options)


@settings(deadline=None, max_examples=12)
@given(classification(n_classes=6), growth)
def test_trees_over_the_tweedie_power_are_those_of_the_twin(data, options):
    """A term of the deviance that was dropped though it differs between trees; targets of 0."""
    X, y = data
    found = exact_loss(Instance(X, y.astype(float)), "power", (0.0, 0.95), **options)
    check_everywhere(found, X, y.astype(float), lambda p: lambda ys: tweedie(ys, p), options)


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
@pytest.mark.parametrize("options", [{"max_depth": 5}, {"max_splits": 8}])
def test_real_data_is_certified_and_far_below_the_worst_case(load, options):
    """Brackets that stay wide on real data, or pieces that explode."""
    X, y = load(return_X_y=True)
    found = exact_loss(Instance(X[::2], y[::2], X[1::2], y[1::2]), "alpha", (0.0, 8.0), beta=2, **options)
    assert found.status == "optimal" and found.largest_bracket < 1e-8
    (instance,) = found.instances
    assert not instance.unresolved and all(b.isolated for b in instance.brackets)
    n_classes = len(np.unique(y))
    assert np.log10(found.n_pieces) < log10_worst_case(instance.n_functions, 8, n_classes, beta=2)
    for low, high in found.minimisers():
        middle = (low + high) / 2
        assert found.trees(middle)[0].error(X[1::2], y[1::2]) == pytest.approx(found.loss.minimum)


@pytest.mark.parametrize("beta", [1, 2, 5])
@pytest.mark.parametrize("options", [{"max_depth": 5}, {"max_splits": 8}])
def test_trees_on_a_grid_are_those_of_the_learner(beta, options):
    """Another threshold, tie rule, order of growth or stopping rule than the compiled learner's."""
    X, y = load_wine(return_X_y=True)
    found = exact_loss(Instance(X, y), "alpha", (0.0, 8.0), beta=beta, **options)
    limits = Limits(best_first="max_splits" in options, **options)
    for alpha in np.linspace(0.05, 7.95, 80):
        grown = learn(Problem(X, y, 3), resolve("tsallis", alpha=alpha, beta=beta), limits).to_tree(13, 3)
        assert tree_splits(grown) == tree_splits(found.trees(alpha)[0]), f"at {alpha}"


def test_large_alpha_and_beta_keep_their_digits():
    """1 - S^beta rounded to 1, so that all splits seem equal and the first one wins."""
    X, y = load_wine(return_X_y=True)
    found = exact_loss(Instance(X, y), "alpha", (6.0, 8.0), beta=8, max_depth=3)
    assert found.is_certified and found.largest_bracket < 1e-8
    naive = grow(X, list(y), lambda labels: tsallis(labels, [0, 1, 2], 7.5, 8), max_depth=1)
    assert tree_splits(found.trees(7.5)[0])[0] == splits(naive)[0]


def test_mean_over_instances_is_the_mean_of_their_losses():
    """Breakpoints of one instance that are lost, or a sum where a mean is meant."""
    X, y = load_wine(return_X_y=True)
    rng = np.random.default_rng(0)
    instances = []
    for _ in range(3):
        order = rng.permutation(len(y))
        instances.append(Instance(X[order[:90]], y[order[:90]], X[order[90:]], y[order[90:]]))
    together = exact_loss(instances, beta=3, max_depth=3)
    alone = [exact_loss(instance, beta=3, max_depth=3) for instance in instances]
    x = rng.uniform(0, 8, 200)
    assert np.allclose(together.loss(x), np.mean([one.loss(x) for one in alone], axis=0))
    assert together.n_behaviours == sum(one.n_behaviours - 1 for one in alone) + 1
    alpha, beta, losses = minimise_tsallis(instances, betas=(1, 3), max_depth=3)
    assert losses[beta].loss(alpha) == min(loss.loss.minimum for loss in losses.values())


def test_loss_can_charge_for_leaves():
    """The leaf penalty (Section 7) left out, or charged for inner nodes."""
    X, y = load_iris(return_X_y=True)
    plain = exact_loss(Instance(X, y), max_depth=3)
    priced = exact_loss(Instance(X, y), max_depth=3, leaf_price=0.01)
    x = np.linspace(0.1, 7.9, 20)
    leaves = np.array([priced.trees(value)[0].n_leaves for value in x])
    assert np.allclose(priced.loss(x), plain.loss(x) + 0.01 * leaves)


def test_a_limit_leaves_an_exact_part():
    """A stopped search that claims the whole interval, or is wrong on the part it covers."""
    X, y = load_breast_cancer(return_X_y=True)
    whole = exact_loss(Instance(X, y), max_depth=4)
    with pytest.warns(ConvergenceWarning, match="node_limit"):
        part = exact_loss(Instance(X, y), max_depth=4, budget=Budget(node_limit=40))
    low, high = part.loss.domain
    assert part.status == "node_limit" and low == 0 and high < 8 and not part.is_certified
    x = np.linspace(low, high, 50, endpoint=False)
    assert np.array_equal(part.loss(x), whole.loss(x))


@pytest.mark.parametrize("memory_limit", [3e6, 9e6, 12e6])
def test_memory_stays_within_its_limit(memory_limit):
    """Tables that are not counted, or counted after they were made; a wrong loss on what was covered."""
    X, y = load_breast_cancer(return_X_y=True)
    options = {"max_depth": 5, "beta": 2}
    exact_loss(
        Instance(X[:50], y[:50]), **options
    )  # compiles; below, what answers where there is no piece: all rows
    with pytest.warns(ConvergenceWarning, match="interrupted"):  # are sorted by another kernel than few
        exact_loss(Instance(X, y), **options, budget=Budget(cancel=lambda: True))
    tracemalloc.start()
    with pytest.warns(ConvergenceWarning, match="memory_limit"):
        part = exact_loss(Instance(X, y), **options, budget=Budget(memory_limit=memory_limit))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak <= 1.1 * memory_limit and part.status == "memory_limit"
    alpha = part.loss.domain[0]
    tree = TopDownTreeClassifier("tsallis", alpha=alpha, beta=2, max_depth=5).fit(X, y).tree_
    assert part.loss(alpha) == pytest.approx(tree.error(X, y), abs=2 / len(y))  # equal splits at alpha = 0


@pytest.mark.parametrize("parameter", ["alpha", "beta", "gamma", "power"])
def test_a_limit_before_the_first_piece_leaves_one_point(parameter):
    """A search that runs on until it has a piece, whatever was cancelled, or has no answer at all."""
    X, y = load_iris(return_X_y=True)
    instances = [Instance(X, y), Instance(X[::2], y[::2])]
    with pytest.warns(ConvergenceWarning, match="interrupted"):
        found = exact_loss(instances, parameter, alpha=2.0, max_depth=2, budget=Budget(cancel=lambda: True))
    low, high = found.loss.domain
    assert low == high and len(found.trees(low)) == 2 and found.best == low
    losses = [tree.error(x.X, x.y) for tree, x in zip(found.trees(low), instances, strict=True)]
    assert found.loss(low) == pytest.approx(np.mean(losses)) and not found.is_certified


def test_no_memory_leaves_an_infinite_loss():
    """A tree that stands for the answer of a search without room, and takes what the search was denied."""
    X = np.random.default_rng(0).random((20_000, 40))
    y = (X[:, 0] > 0.5).astype(int)
    for loss, bound in (
        (exact_loss, lambda found: found.loss.minimum),
        (joint_loss, lambda found: found.minimum),
    ):
        tracemalloc.start()
        with pytest.warns(ConvergenceWarning, match="memory_limit"):
            found = loss(Instance(X, y), max_depth=3, budget=Budget(memory_limit=3e6))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak <= 3.2e6 and bound(found) == np.inf


def test_a_table_is_read_once_for_all_values_of_beta(monkeypatch):
    """A table in the order of columns that is copied for every beta, twice."""
    read = []
    as_table = instance_module._as_table
    monkeypatch.setattr(instance_module, "_as_table", lambda *a, **k: read.append(1) or as_table(*a, **k))
    X, y = load_iris(return_X_y=True)
    instance = Instance(np.asfortranarray(X), y)
    select_algorithm(instance, [SplitAndPruneFamily(betas=(1, 2, 4), max_depth=2)])
    assert len(read) == 1


def test_no_memory_for_the_search_leaves_its_tree_the_time_there_is(monkeypatch):
    """A limit of memory after which one tree may grow as long as it likes, whatever the limit of time."""
    given = []
    loss_at = splitting_risk.loss_at
    monkeypatch.setattr(splitting_risk, "loss_at", lambda *a: given.append(a[-1]) or loss_at(*a))
    X, y = load_iris(return_X_y=True)
    with pytest.warns(ConvergenceWarning, match="memory_limit"):
        exact_loss(Instance(X, y), budget=Budget(time_limit=60, memory_limit=1))
    assert 0 < given[0].time_limit <= 60 + shared_time.GRACE


def test_no_time_for_one_tree_leaves_an_infinite_loss(monkeypatch):
    """A tree that was cut short whose loss is given out as that of the learner's."""
    monkeypatch.setattr(shared_time, "GRACE", 1e-9)
    X, y = load_iris(return_X_y=True)
    instances = [Instance(X, y), Instance(X[::2], y[::2])]
    with pytest.warns(ConvergenceWarning, match="interrupted"):
        found = exact_loss(instances, max_depth=2, budget=Budget(cancel=lambda: True))
    assert found.loss.domain == (0.0, 0.0) and found.loss(0.0) == np.inf and len(found.trees(0.0)) == 2
    assert found.status == "interrupted" and not found.is_certified
    with pytest.warns(ConvergenceWarning, match="interrupted"):
        joint = joint_loss(instances, max_depth=2, budget=Budget(cancel=lambda: True))
    assert joint.minimum == np.inf and joint.status == "interrupted" and joint.n_rectangles == 1
    with pytest.warns(ConvergenceWarning, match="interrupted"):
        chosen = select_algorithm(
            instances, [SplitAndPruneFamily(max_depth=2)], budget=Budget(cancel=lambda: True)
        )
    assert chosen.best.loss == np.inf and chosen.best.estimator.fit(X, y).get_n_leaves() > 1


def test_splits_listed_in_pieces_are_the_same(monkeypatch):
    """Another order of the splits, or some lost, where features are looked at a few at a time."""
    X, y = load_wine(return_X_y=True)
    whole = exact_loss(Instance(X, y), max_depth=3)
    monkeypatch.setattr(execution, "_CELLS_AT_ONCE", 400)
    parts = exact_loss(Instance(X, y), max_depth=3)
    assert np.array_equal(whole.loss.breakpoints, parts.loss.breakpoints)
    assert whole.instances[0].trees == parts.instances[0].trees
    assert whole.instances[0].n_functions == sum(len(np.unique(column)) - 1 for column in X.T)


def test_time_is_shared_and_kept():
    """A clock that is only asked between pieces; all the time for the first instance."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 20))
    y = (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=3000) > 0).astype(int)
    exact_loss(Instance(X[:50], y[:50]), max_depth=2)
    with pytest.warns(ConvergenceWarning):
        exact_loss(Instance(X, y), max_depth=6, budget=Budget(cancel=lambda: True))
    start, cpu = time.perf_counter(), time.process_time()
    with pytest.warns(ConvergenceWarning, match="time_limit"):
        found = exact_loss([Instance(X, y)] * 2, max_depth=12, budget=Budget(time_limit=1.0))
    wall, cpu = time.perf_counter() - start, time.process_time() - cpu
    assert min(wall, cpu) < 2 and found.status == "time_limit"


def test_classes_only_in_the_evaluation_data_are_errors():
    """Codes that shift when the evaluation data hold a class that training did not."""
    X = np.array([[0.0], [1.0]])
    found = exact_loss(Instance(X, ["b", "d"], np.array([[0.0], [1.0], [0.0]]), ["b", "d", "a"]))
    assert found.loss.minimum == pytest.approx(1 / 3)


def test_wrong_input_is_named():
    """Silent nonsense for infinite features, negative targets, or an unknown parameter."""
    X, y = np.array([[0.0], [1.0]]), np.array([0, 1])
    with pytest.raises(ValueError, match="finite"):
        exact_loss(Instance(X + np.inf, y))
    with pytest.raises(ValueError, match="at least 0"):
        exact_loss(Instance(X, -y), "power")
    with pytest.raises(ValueError, match="parameter='delta' must be one of 'alpha'"):
        exact_loss(Instance(X, y), "delta")
    with pytest.raises(ValueError, match="whole"):
        exact_loss(Instance(X, y), beta=1.5)
    with pytest.raises(ValueError, match="not 1"):
        exact_loss(Instance(X, y), "beta", alpha=1)


sides = st.lists(st.integers(0, 60), min_size=3, max_size=3).filter(any)


@settings(deadline=None, max_examples=60)
@given(sides, sides, st.sampled_from([1, 2, 5, 8]), st.floats(0, 8), st.floats(0.05, 0.95))
def test_scores_keep_their_bound_of_the_rounding(left, right, beta, alpha, power):
    """A bound of the relative error that is too small: everything that is called proved rests on it."""
    table = np.array([[left, right, np.add(left, right)]], dtype=float)

    def exact(impurity):
        return [impurity(left) + impurity(right), impurity([a + b for a, b in zip(left, right, strict=True)])]

    def check(scores, x, values):
        found = scores.evaluate(x, np.zeros(1, dtype=np.intp))[:, 0]
        for one, value in zip(found, values, strict=True):
            assert abs(Decimal(float(one)) - value) <= Decimal(scores.relative_error) * value
        with localcontext(DIGITS):
            found = scores.precise().evaluate(x, np.zeros(1, dtype=np.intp))[:, 0]
        for one, value in zip(found, values, strict=True):  # of 50 digits, 16 are lost next to alpha = 1
            assert abs(one - value) <= Decimal(10) ** -30 * value

    def labels(counts):
        return [k for k, n in enumerate(counts) for _ in range(n)]

    if alpha <= FAR:
        values = exact(lambda counts: tsallis(labels(counts), range(3), alpha, beta))
        check(TsallisAlpha(table, beta, (0.0, FAR)), alpha, values)
    else:
        far = TsallisFarAlpha(table, beta, (FAR, 8.0))
        rest = exact(lambda counts: sum(counts) * impure_power(counts, alpha, beta))
        check(far, alpha, rest[::-1])
        pure = sum(sum(counts) for counts in (left, right) if sum(n > 0 for n in counts) == 1)
        assert far.constant[0] == -pure
    check(Gamma(table, (0.0, 1.0)), power, exact(lambda c: gamma(labels(c), range(3), power)))
    if alpha not in (0.0, 1.0):
        for x in (0.3, 5.0):
            scores = TsallisBeta(table, alpha, (0.0, 6.0))
            values = exact(lambda counts, x=x: sum(counts) * whole_power(counts, alpha, x))
            check(scores, x, values[::-1] if alpha > 1 else values)


def whole_power(counts, alpha, beta):
    """S^beta in decimals."""
    total = sum(counts)
    power = sum((Decimal(float(alpha)) * (Decimal(n) / total).ln()).exp() for n in counts if n)
    return (Decimal(float(beta)) * power.ln()).exp()


def impure_power(counts, alpha, beta):
    """S^beta, 0 for a pure node."""
    return whole_power(counts, alpha, beta) if sum(n > 0 for n in counts) > 1 else Decimal(0)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=4), st.integers(1, 5), st.floats(0.1, 4))
def test_exponential_terms_add_up_to_the_power(counts, beta, alpha):
    """A coefficient of the multinomial theorem that is wrong, or too many terms (the paper's count)."""
    from math import comb, isclose

    terms = _terms_of_shape(tuple(counts), beta)
    power = sum((count / sum(counts)) ** alpha for count in counts) ** beta
    assert isclose(sum(c * (over / under) ** alpha for (over, under), c in terms), power, rel_tol=1e-9)
    assert len(terms) == comb(beta + len(counts) - 1, len(counts) - 1)


def test_tables_of_an_instance_are_gone_before_the_next():
    """Tables of all instances held at once, which no limit counts: problem and nodes know each other."""
    X, y = load_breast_cancer(return_X_y=True)
    options = {"max_depth": 3, "beta": 2}
    exact_loss(Instance(X, y), **options)
    gc.collect()
    gc.disable()
    try:
        peaks = []
        for n in (1, 4):
            tracemalloc.start()
            exact_loss([Instance(X, y)] * n, **options)
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
    finally:
        gc.enable()
    assert peaks[1] < 1.5 * peaks[0]
