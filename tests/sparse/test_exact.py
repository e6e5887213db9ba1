"""The exact search against brute force over all trees, stopped early, and with useless hashes."""

import signal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.twins.sparse import optimal_trees as naive
from treelib import datasets
from treelib.compiled.bits import hash_words
from treelib.search.budget import INTERRUPTED, MEMORY_LIMIT, NODE_LIMIT, OPTIMAL, TIME_LIMIT, Budget
from treelib.sparse.column_tree import ColumnTree
from treelib.sparse.exact import minimise as exact
from treelib.sparse.exact.minimise import minimise

# both sides of every place where the answer changes its kind: no price, no split worth it, one leaf
PRICES = [0.0, 1e-7, 0.003, 0.01, 0.03, 0.1, 0.25, 0.4999, 0.5, 0.7, 3.0]


def simple_costs(y, n_classes, weights=None):
    costs = (np.arange(n_classes) != y[:, None]).astype(float)
    return costs if weights is None else costs * weights[:, None]


@st.composite
def problems(draw, max_rows=12, max_columns=4):
    """(columns, costs, regularization, total, max_depth): repeated rows, conflicting labels, ties."""
    p = draw(st.integers(1, max_columns))
    n = draw(st.integers(1, max_rows))
    codes = draw(st.lists(st.integers(0, 2**p - 1), min_size=n, max_size=n))
    columns = (np.array(codes)[:, None] >> np.arange(p)).astype(np.uint8) & 1
    n_classes = draw(st.integers(2, 4))
    y = np.array(draw(st.lists(st.integers(0, n_classes - 1), min_size=n, max_size=n)))
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    kind = draw(st.sampled_from(["none", "whole", "real", "tiny", "huge"]))
    weights = {
        "none": np.ones(n),
        "whole": rng.integers(1, 6, n).astype(float),
        "real": rng.uniform(0.1, 3, n),
        "tiny": rng.uniform(1e-9, 1e-8, n),
        "huge": rng.integers(1, 1000, n) * 1e9,
    }[kind]
    costs = simple_costs(y, n_classes)
    if draw(st.booleans()):
        costs = draw(st.sampled_from([1.0, 0.37])) * rng.integers(0, 4, (n_classes, n_classes))[y]
    # a multiple of 1 / n makes leaf and split cost the same
    price = draw(st.sampled_from(PRICES) | st.integers(0, n).map(lambda k: k / n))
    depth = draw(st.sampled_from([None, None, 1, 2, 3]))
    return columns, costs * weights[:, None], price, float(weights.sum()), depth


def check_optimal(columns, costs, regularization, total, max_depth, **options):
    """The search must return the brute-force optimum, and a tree that has it."""
    optimum, _ = naive.optimal_tree(columns, costs, regularization, total, max_depth)
    found = minimise(columns, costs, regularization, total=total, max_depth=max_depth, **options)
    tolerance = 1e-10 * max(1.0, optimum)
    assert found.objective == pytest.approx(optimum, rel=0, abs=tolerance)
    assert found.tree.objective(columns, costs, regularization, total) == pytest.approx(
        found.objective, 1e-12
    )
    assert found.status == OPTIMAL and found.lower_bound == found.objective
    assert max_depth is None or depth_of(found.tree) <= max_depth
    return found


def depth_of(tree):
    depth = np.zeros(tree.n_nodes, int)
    for node in np.flatnonzero(tree.column >= 0):
        depth[[tree.false_child[node], tree.true_child[node]]] = depth[node] + 1
    return depth.max()


@settings(max_examples=400)
@given(problems())
def test_equals_brute_force(problem):
    """A wrong optimum: ties, repeated rows, conflicts, weights, costs, two to four classes, depth limits."""
    check_optimal(*problem)


@settings(max_examples=60)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(2, 4),
    st.sampled_from([0.0, 0.002, 0.005, 0.01, 0.02]),
    st.sampled_from([None, 3, 4, 5]),
)
def test_equals_brute_force_on_deep_trees(seed, n_classes, regularization, max_depth):
    """A wrong optimum where the search must go below the trees that pair counts solve outright."""
    rng = np.random.default_rng(seed)
    columns = rng.integers(0, 2, (int(rng.integers(30, 90)), 6), dtype=np.uint8)
    y = rng.integers(0, n_classes, 64)[columns @ (1 << np.arange(6))]
    y = np.where(rng.random(len(y)) < 0.1, rng.integers(0, n_classes, len(y)), y)
    weights = rng.integers(1, 4, len(y)).astype(float)
    costs = simple_costs(y, n_classes, weights)
    check_optimal(columns, costs, regularization, weights.sum(), max_depth)


def optimum_by_subcubes(columns, costs, regularization, total, max_depth=None):
    """Optimal objective from a table of all 3**p sets of rows that a path can cut out (p small).

    Axis j of the table says what is known of column j: 0, 1, or 2 for either.
    """
    p = columns.shape[1]
    cost = np.zeros((2,) * p + (costs.shape[1],))
    np.add.at(cost, tuple(columns.T.astype(np.intp)), costs)
    for j in range(p):
        cost = np.concatenate([cost, cost.sum(axis=j, keepdims=True)], axis=j)
    best = leaf = cost.min(axis=-1) / total + regularization
    for _ in range(p if max_depth is None else max_depth):
        deeper = leaf.copy()
        for j in range(p):
            either = np.moveaxis(deeper, j, 0)[2]
            zero, one, _ = np.moveaxis(best, j, 0)
            np.minimum(either, zero + one, out=either)
        best = deeper
    return best[(2,) * p]


@pytest.mark.parametrize("max_depth", [None, 3, 4, 5])
@pytest.mark.parametrize("switches", ["usual", "short steps", "raising from the start", "small table"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_equals_table_of_subcubes(monkeypatch, switches, n_classes, max_depth):
    """A wrong optimum on sets of many words, or one that depends on pauses, stacks or the table's growth."""
    if switches != "usual":
        monkeypatch.setattr(exact, "WORK_A_STEP", 500)
    if switches == "raising from the start":
        monkeypatch.setattr(exact, "RAISE_AFTER", -1.0)
    if switches == "small table":
        monkeypatch.setattr(exact, "FIRST_CAPACITY", 1)
    n_nodes = 0
    for seed in range(6):
        rng = np.random.default_rng([seed, n_classes])
        n, p = int(rng.integers(200, 2500)), int(rng.integers(7, 10))
        columns = (rng.random((n, p)) < rng.uniform(0.2, 0.8, p)).astype(np.uint8)
        y = rng.integers(0, n_classes, 2**5)[columns[:, :5] @ (1 << np.arange(5))]
        y = np.where(rng.random(n) < rng.choice([0.05, 0.3]), rng.integers(0, n_classes, n), y)
        weights = rng.integers(1, 30, n).astype(float) if seed % 2 else rng.uniform(0.5, 2.0, n)
        costs, price = simple_costs(y, n_classes, weights), float(rng.choice([0.0005, 0.002, 0.006]))
        optimum = optimum_by_subcubes(columns, costs, price, weights.sum(), max_depth)
        found = minimise(columns, costs, price, total=weights.sum(), max_depth=max_depth)
        assert found.is_optimal and found.lower_bound == found.objective
        assert found.objective == pytest.approx(optimum, rel=0, abs=1e-10)
        counted = found.tree.objective(columns, costs, price, weights.sum())
        assert counted == pytest.approx(found.objective, rel=0, abs=1e-12)
        n_nodes += found.stats["n_nodes"]
    assert max_depth is not None or n_nodes > 1000, "the problems are too easy"


@pytest.mark.parametrize("max_depth", [None, 5])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_sets_of_many_words(n_classes, max_depth):
    """A wrong optimum where sets are counted in packed copies of their rows (more than 48 words)."""
    rng = np.random.default_rng(n_classes)
    columns = (np.arange(2**12)[:, None] >> np.arange(12)).astype(np.uint8) & 1
    y = rng.integers(0, n_classes, 2**6)[columns[:, 3:9] @ (1 << np.arange(6))]
    y = np.where(rng.random(len(y)) < 0.1, rng.integers(0, n_classes, len(y)), y)
    costs = simple_costs(y, n_classes, rng.integers(1, 4, len(y)))
    total = costs.max(axis=1).sum()
    optimum = optimum_by_subcubes(columns, costs, 0.002, total, max_depth)
    found = minimise(columns, costs, 0.002, total=total, max_depth=max_depth)
    assert found.is_optimal and found.objective == pytest.approx(optimum, rel=0, abs=1e-10)


def parity(p, relevant):
    """All 2**p rows; the class is the parity of the first `relevant` columns: no split helps on its own."""
    columns = (np.arange(2**p)[:, None] >> np.arange(p)).astype(np.uint8) & 1
    return columns, columns[:, :relevant].sum(axis=1) % 2


@pytest.mark.parametrize("relevant", [2, 3, 4, 5])
def test_parity_needs_every_split(relevant):
    """A bound that stops where the first splits gain nothing (0.14 on four columns is a known trap)."""
    columns, y = parity(6, relevant)
    for price in (0.0, 0.14 / 4, 0.4999 / (2**relevant - 1), 0.5001 / (2**relevant - 1), 0.14):
        found = check_optimal(columns, simple_costs(y, 2), price, None, None)
        expected = min(price * 2**relevant, 0.5 + price)
        assert found.objective == pytest.approx(expected, rel=0, abs=1e-12)


def medium_problem(seed=0, n=400, p=14, n_classes=2):
    """Large enough that the search opens a few thousand nodes."""
    rng = np.random.default_rng(seed)
    columns = rng.integers(0, 2, (n, p), dtype=np.uint8)
    y = rng.integers(0, n_classes, 2**5)[columns[:, :5] @ (1 << np.arange(5))]
    y = np.where(rng.random(n) < 0.2, rng.integers(0, n_classes, n), y)
    return columns, simple_costs(y, n_classes)


@pytest.fixture(scope="module")
def medium():
    columns, costs = medium_problem()
    return columns, costs, 0.008, minimise(columns, costs, 0.008)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("max_depth", [None, 4])
def test_equal_problems_have_equal_optima(n_classes, max_depth):
    """An optimum that depends on the order of rows, columns or classes, on which value is 1, on rows
    written twice or as weights, or on columns that repeat others."""
    columns, costs = medium_problem(1, 300, 9, n_classes)
    rng = np.random.default_rng(5)
    rows, order = rng.permutation(len(columns)), rng.permutation(columns.shape[1])

    def objective(columns, costs, total=None):
        return minimise(columns, costs, 0.01, total=total, max_depth=max_depth).objective

    expected = objective(columns, costs)
    turned = columns[rows][:, order]
    turned[:, ::2] ^= 1
    times = rng.integers(1, 4, len(columns))
    for other in (
        (turned, costs[rows][:, ::-1]),
        (np.hstack([columns, 1 - columns, np.ones_like(columns)]), costs),
        (np.vstack([columns] * 3), np.vstack([costs] * 3)),
        (columns, 0.3 * costs, 0.3 * len(costs)),
    ):
        assert objective(*other) == pytest.approx(expected, rel=0, abs=1e-10)
    repeated = objective(np.repeat(columns, times, axis=0), np.repeat(costs, times, axis=0))
    assert objective(columns, costs * times[:, None], times.sum()) == pytest.approx(repeated, abs=1e-12)


def interrupt_after(n_looks):
    """A `cancel` for Budget that sends this process a Ctrl-C at its n-th call."""
    looks = iter(range(n_looks))

    def cancel():
        if next(looks, None) is None:
            signal.raise_signal(signal.SIGINT)
        return False

    return cancel


def cancel_after(n_looks):
    looks = iter(range(n_looks))
    return lambda: next(looks, None) is None


STOPS = {
    "time at once": (lambda: {"time_limit": 1e-9}, TIME_LIMIT),
    "time": (lambda: {"time_limit": 0.003}, TIME_LIMIT),
    "one node": (lambda: {"node_limit": 1}, NODE_LIMIT),
    "nodes": (lambda: {"node_limit": 300}, NODE_LIMIT),
    "no memory": (lambda: {"memory_limit": 1}, MEMORY_LIMIT),
    "memory": (lambda: {"memory_limit": "400 kB"}, MEMORY_LIMIT),
    "cancelled at once": (lambda: {"cancel": cancel_after(0)}, INTERRUPTED),
    "cancelled": (lambda: {"cancel": cancel_after(20)}, INTERRUPTED),
    "Ctrl-C at once": (lambda: {"cancel": interrupt_after(0)}, INTERRUPTED),
    "Ctrl-C": (lambda: {"cancel": interrupt_after(20)}, INTERRUPTED),
}


@pytest.mark.parametrize("stop", STOPS)
def test_stopped_search_keeps_tree_and_valid_bound(monkeypatch, medium, stop):
    """A limit or Ctrl-C that raises, loses the best tree, or leaves a bound above the optimum."""
    columns, costs, regularization, best = medium
    monkeypatch.setattr(exact, "WORK_A_STEP", 1)
    limits, status = STOPS[stop]
    found = minimise(columns, costs, regularization, budget=Budget(**limits()))
    assert found.status == status and not found.is_optimal
    assert 0 <= found.lower_bound <= best.objective + 1e-12
    assert found.objective >= best.objective - 1e-12
    assert found.objective <= costs.mean(axis=0).min() + regularization + 1e-12
    assert found.tree.objective(columns, costs, regularization) == pytest.approx(found.objective, abs=1e-12)


def test_bounds_close_in_on_the_optimum(monkeypatch, medium):
    """A lower bound that passes the optimum or falls, or an incumbent that gets worse, at any pause."""
    columns, costs, regularization, best = medium
    monkeypatch.setattr(exact, "WORK_A_STEP", 1)
    found = minimise(columns, costs, regularization)
    assert found.objective == best.objective and found.is_optimal
    trace = found.trace
    assert len(trace["seconds"]) > 5
    assert (np.diff(trace["objective"]) <= 1e-12).all() and (np.diff(trace["lower_bound"]) >= -1e-12).all()
    assert (trace["lower_bound"] <= best.objective + 1e-12).all()
    assert (trace["objective"] >= best.objective - 1e-12).all()
    assert trace["objective"][-1] == trace["lower_bound"][-1] == best.objective


@pytest.mark.parametrize("stop_after", [0, 10, None])
def test_result_is_never_worse_than_the_initial_tree(monkeypatch, medium, stop_after):
    """A warm start that is lost when the search stops early, or kept when the search found better."""
    columns, costs, regularization, best = medium
    monkeypatch.setattr(exact, "WORK_A_STEP", 1)
    for initial in (best.tree, ColumnTree.leaf(1)):
        budget = Budget() if stop_after is None else Budget(cancel=cancel_after(stop_after))
        found = minimise(columns, costs, regularization, initial=initial, budget=budget)
        limit = best.objective if stop_after is None else initial.objective(columns, costs, regularization)
        assert best.objective - 1e-12 <= found.objective <= limit + 1e-12
        assert found.lower_bound <= best.objective + 1e-12


def test_a_stopped_search_reads_no_tree_that_is_no_better(monkeypatch, medium):
    """Seconds after the limit for a tree that is thrown away."""
    columns, costs, regularization, best = medium
    monkeypatch.setattr(exact, "read_tree", None)
    budget = Budget(cancel=cancel_after(0))
    found = minimise(columns, costs, regularization, initial=best.tree, budget=budget)
    assert found.status == INTERRUPTED and found.objective == pytest.approx(best.objective, abs=1e-12)


def test_hash_collisions_change_no_answer(monkeypatch):
    """Two sets of rows with one hash taken for the same set."""

    def useless_hash(*problem):
        reduced = real_reduce(*problem)
        assert reduced.n_rows <= 32
        keys = np.zeros_like(reduced.problem.hash_keys)
        return reduced._replace(problem=reduced.problem._replace(hash_keys=keys))

    # with keys of zero, all sets of the first 32 rows of a word have the hash of their depth
    sets = [np.array([rows], np.uint64) for rows in (1, 2, 0b1011, 2**32 - 1)]
    assert len({int(hash_words(rows, np.zeros(1, np.uint64), np.uint64(5))) for rows in sets}) == 1
    real_reduce = exact.reduce_problem
    n_nodes = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        codes = rng.choice(64, 32, replace=False)
        columns = (codes[:, None] >> np.arange(6)).astype(np.uint8) & 1
        costs = simple_costs(rng.integers(0, 3, 32), 3)
        monkeypatch.setattr(exact, "reduce_problem", useless_hash)
        collided = check_optimal(columns, costs, 0.01, None, (None, 4)[seed % 2])
        monkeypatch.setattr(exact, "reduce_problem", real_reduce)
        usual = minimise(columns, costs, 0.01, max_depth=(None, 4)[seed % 2])
        assert collided.tree.objective(columns, costs, 0.01) == usual.objective
        assert collided.stats["n_nodes"] == usual.stats["n_nodes"]
        n_nodes += usual.stats["n_nodes"]
    assert n_nodes > 500, "too few sets to collide"


# data set, regularization, leaves and errors of the optimal trees on which three public solvers agree
KNOWN_OPTIMA = [
    ("monk1", "0.1", 2, 33),
    ("monk1", "0.05", 5, 11),
    ("monk1", "0.025", 8, 0),
    ("monk2", "0.025", 7, 37),
    ("monk2", "0.01", 20, 11),
    ("monk3", "0.025", 6, 15),
    ("monk3", "0.01", 9, 8),
    ("tic-tac-toe", "0.025", 6, 190),
    ("tic-tac-toe", "0.01", 9, 154),
    ("car-evaluation", "0.025", 3, 250),
    ("car-evaluation", "0.01", 7, 130),
    ("compas-binary", "0.025", 2, 2494),
    ("compas-binary", "0.01", 3, 2382),
    ("compas-binary", "0.005", 5, 2286),
    ("fico-binary", "0.05", 2, 3180),
    ("fico-binary", "0.005", 4, 3019),
]


@pytest.mark.parametrize("name, regularization, leaves, errors", KNOWN_OPTIMA)
def test_known_optima_of_the_paper_data(name, regularization, leaves, errors):
    """Another optimum than the public solvers', counted in whole errors and leaves on the rows."""
    data = datasets.load(name)
    columns = data.X.astype(np.uint8)
    found = minimise(columns, simple_costs(data.y, 2), float(regularization))
    wrong = round(found.tree.objective(columns, simple_costs(data.y, 2), 0.0) * len(data.y))
    price = Fraction(regularization)
    objective = Fraction(wrong, len(data.y)) + price * found.tree.n_leaves
    assert objective == Fraction(errors, len(data.y)) + price * leaves
    assert found.objective == pytest.approx(float(objective), rel=0, abs=1e-12)
    assert found.is_optimal


@pytest.mark.parametrize("factor", [2.0**58, 1e19, 1e150, 1e300, 2.0**-58, 1e-150, 1e-290])
def test_size_of_costs_changes_nothing(factor):
    """Costs beyond 2**50 overflowed int64, tiny ones became NaN: a leaf was called optimal."""
    rng = np.random.default_rng(0)
    columns = rng.integers(0, 2, (40, 5), dtype=np.uint8)
    costs = (rng.integers(0, 2, 40)[:, None] != np.arange(2)).astype(float)
    small = minimise(columns, costs, 0.02)
    large = minimise(columns, costs * factor, 0.02, total=40 * factor)
    assert large.is_optimal and large.tree.n_leaves == small.tree.n_leaves > 1
    assert large.objective == pytest.approx(small.objective, rel=1e-9)


def test_weights_of_many_sizes_keep_the_optimum():
    """Costs over twelve decades must be rounded to what the table of costs can hold, not wrap around."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        columns = rng.integers(0, 2, (12, 4), dtype=np.uint8)
        weights = np.rint(10.0 ** rng.uniform(0, 12, 12) * 2.0**44)
        costs = weights[:, None] * (rng.integers(0, 2, 12)[:, None] != np.arange(2))
        total = weights.sum()
        expected, _ = naive.optimal_tree(columns, costs, 0.01, total)
        assert minimise(columns, costs, 0.01, total=total).objective == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("price", [1e3, 1e300, 1e308])
def test_huge_price_is_a_leaf_at_once(price):
    """A price that overflows made the search wait for ever for a bound that is not a number."""
    columns = np.array([[0], [1]] * 4, dtype=np.uint8)
    costs = np.array([[0.0, 1e6], [1e6, 0.0]] * 4)
    result = minimise(columns, costs, price, total=8e6)
    assert result.is_optimal and result.tree.n_leaves == 1


def test_memory_limit_below_the_first_tables():
    """Very many columns must give what fits, a grown tree or a leaf, with a bound; not a MemoryError."""
    rng = np.random.default_rng(0)
    columns = rng.integers(0, 2, (60, 4000), dtype=np.uint8)
    costs = (rng.integers(0, 2, 60)[:, None] != np.arange(2)).astype(float)
    leaf = minimise(columns, costs, 0.01, budget=Budget(memory_limit="0.1 MB"))
    assert leaf.status == "memory_limit" and leaf.tree.n_leaves == 1
    grown = minimise(columns, costs, 0.01, budget=Budget(memory_limit="50 MB"))
    assert grown.status == "memory_limit" and grown.stats["n_bytes"] <= 50e6
    assert grown.lower_bound <= grown.objective < leaf.objective
    assert grown.objective == pytest.approx(grown.tree.objective(columns, costs, 0.01))


def test_more_columns_than_the_machine_can_pair(monkeypatch, medium):
    """A MemoryError, or a process ended by the system, where nobody set a limit."""
    columns, costs, regularization, best = medium
    monkeypatch.setattr(exact, "_bytes_to_start", lambda problem, n_lanes: 1e15)
    found = minimise(columns, costs, regularization)
    assert found.status == "memory_limit" and found.tree.n_leaves > 1
    assert found.lower_bound <= best.objective <= found.objective


@pytest.mark.parametrize("looks", [0, 1, 2, 5, 20, 60])
def test_a_watched_step_is_stopped_with_valid_bounds(monkeypatch, medium, looks):
    """Bounds of pairs half counted, a tree read from them, or another answer where the clock watches."""
    columns, costs, regularization, best = medium
    monkeypatch.setattr(exact, "LONG_STEP", 0)
    monkeypatch.setattr(exact, "WORK_A_STEP", 20_000)
    found = minimise(columns, costs, regularization, budget=Budget(cancel=cancel_after(looks)))
    assert found.status == "interrupted"
    assert found.lower_bound <= best.objective + 1e-12 and best.objective <= found.objective + 1e-12
    assert found.objective == pytest.approx(found.tree.objective(columns, costs, regularization))


@pytest.mark.parametrize("seed", range(4))
def test_watched_steps_change_nothing(monkeypatch, seed):
    """A tree or a count that depends on whether a thread of its own took the steps."""
    columns, costs = medium_problem(seed, n=300, p=12)
    plain = minimise(columns, costs, 0.01)
    monkeypatch.setattr(exact, "LONG_STEP", 0)
    watched = minimise(columns, costs, 0.01)
    assert watched.stats == plain.stats and watched.objective == plain.objective
    assert all(np.array_equal(a, b) for a, b in zip(watched.tree, plain.tree, strict=True))


@pytest.mark.parametrize("limit", [1_000_000, 2_500_000, 6_000_000])
def test_memory_limit_holds_when_tables_grow(limit):
    """Tables that double before anyone has looked at the limit."""
    rng = np.random.default_rng(0)
    columns = rng.integers(0, 2, (600, 30), dtype=np.uint8)
    costs = ((columns[:, :5].sum(axis=1) + rng.normal(0, 1, 600) > 2.5)[:, None] != np.arange(2)).astype(
        float
    )
    result = minimise(columns, costs, 0.001, budget=Budget(memory_limit=limit, time_limit=60))
    assert result.status == "memory_limit"
    assert result.stats["n_bytes"] <= limit
    assert result.lower_bound <= result.objective
