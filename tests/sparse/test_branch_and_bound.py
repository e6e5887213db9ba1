"""The paper's branch and bound: printed counts, its plain twin, brute force, the authors' faults."""

import heapq

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.twins.sparse import optimal_trees as naive
from tests.twins.sparse.branch_and_bound import ALL_BOUNDS, NaiveSearch
from treelib import datasets
from treelib.sparse.paper import border, column_order, expand, search_state, state_queue
from treelib.sparse.paper.bounds import BOUNDS, DEFAULT_BOUNDS, switches
from treelib.sparse.paper.branch_and_bound import POLICIES, branch_and_bound
from treelib.tree.stored import Tree

REGULARIZATIONS = (0.01, 0.03, 0.05, 0.1, 0.14, 0.2, 0.3, 1.0, 7.0)


@st.composite
def problems(draw, max_rows=12, max_columns=3):
    """(X, y, regularization); rows and labels free, so that equal rows with mixed labels are common."""
    p = draw(st.integers(1, max_columns))
    rows = draw(st.lists(st.tuples(*[st.integers(0, 1)] * (p + 1)), min_size=1, max_size=max_rows))
    table = np.array(rows)
    return table[:, :-1], table[:, -1], draw(st.sampled_from(REGULARIZATIONS))


def optimal_value(X, y, regularization):
    costs = np.column_stack([y == 1, y == 0]).astype(float)
    return naive.optimal_tree(X, costs, regularization)[0]


def exclusive_or(n_columns):
    """All rows of 0/1 columns, labelled by the exclusive or of the first two."""
    X = (np.arange(2**n_columns)[:, None] >> np.arange(n_columns)) & 1
    return X, X[:, 0] ^ X[:, 1]


def test_more_columns_than_a_power_of_two_can_say():
    """An overflow of the number of leaves that there could be."""
    X = np.zeros((6, 1030), int)
    X[:3, 1029] = 1
    result = branch_and_bound(X, X[:, 1029], 0.05)
    assert result.status == "optimal" and result.tree.n_leaves == 2


@pytest.mark.parametrize("trees", [10, 10**9])
def test_a_machine_without_room_is_a_limit(trees, monkeypatch):
    """Memory that is refused, or trees beyond the numbers of the queue: an error, not the best tree."""
    X, y = exclusive_or(6)
    monkeypatch.setattr(search_state, "MOST_TREES", trees)
    if trees > 10:

        def refuse(*_):
            raise MemoryError

        monkeypatch.setattr(search_state, "with_more_trees", refuse)
    result = branch_and_bound(X, y, 0.001, bounds=())
    assert result.status == "memory_limit" and 0 <= result.lower_bound <= result.objective


# ---- the numbers of the paper ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("without", "warm_start", "n_evaluated", "n_to_optimum"),
    [
        (None, "cart", 232_402, 16_001),
        ("node_support", "cart", 279_763, 18_880),
        ("incremental_accuracy", "cart", 546_402, 21_686),
        ("accuracy", "cart", 475_691, 19_676),
        (None, None, 241_306, 18_195),
        ("node_support", None, 278_868, 21_232),
        ("incremental_accuracy", None, 548_618, 24_682),
        ("accuracy", None, 482_013, 23_075),
    ],
)
def test_counts_of_table_2(without, warm_start, n_evaluated, n_to_optimum):
    """Any change of traversal, tie order or summation order against the printed counts of Table 2."""
    data = datasets.load("compas-binary")
    result = branch_and_bound(
        data.X,
        data.y,
        0.005,
        warm_start=warm_start,
        bounds=[name for name in DEFAULT_BOUNDS if name != without],
        convention="paper",
    )
    assert (result.n_evaluated, result.n_evaluated_to_optimum) == (n_evaluated, n_to_optimum)
    assert result.status == "optimal"
    assert result.objective == pytest.approx(0.355969, abs=1e-6)
    assert result.tree.n_leaves == 5
    assert round(1 - result.tree.error(data.X, data.y), 4) == 0.6690  # caption of Figure 4


def test_trees_to_the_optimum_without_lookahead():
    """The one printed count of the long rows of Table 2 that is cheap: 3,078,274 trees to the optimum."""
    data = datasets.load("compas-binary")
    bounds = [name for name in DEFAULT_BOUNDS if name != "lookahead"]
    result = branch_and_bound(data.X, data.y, 0.005, bounds=bounds, convention="paper", node_limit=3_100_000)
    assert result.n_evaluated_to_optimum == 3_078_274
    assert result.objective == pytest.approx(0.355969, abs=1e-6)


@pytest.mark.parametrize("policy", POLICIES)
def test_compas_optimum_under_every_policy(policy):
    """A policy that loses states: the queue outgrows its first table and must keep every entry."""
    data = datasets.load("compas-binary")
    result = branch_and_bound(data.X, data.y, 0.01, policy=policy)
    assert (result.status, result.tree.n_leaves) == ("optimal", 3)
    assert result.objective == pytest.approx(0.374868, abs=1e-6)


@pytest.mark.parametrize(
    ("name", "regularization", "n_leaves", "objective"),
    [("monk1", 0.1, 2, 0.466129), ("monk1", 0.05, 5, 0.338710), ("compas-binary", 0.025, 2, 0.411083)],
)
def test_known_optima(name, regularization, n_leaves, objective):
    """Optima on which three independent solvers agree."""
    data = datasets.load(name)
    result = branch_and_bound(data.X, data.y, regularization)
    assert (result.status, result.tree.n_leaves) == ("optimal", n_leaves)
    assert result.objective == pytest.approx(objective, abs=1e-6)


def test_similar_support_prunes_on_compas():
    """Theorem F.1 switched on without effect, or with an effect on the optimum."""
    data = datasets.load("compas-binary")
    without = branch_and_bound(data.X, data.y, 0.01)
    result = branch_and_bound(data.X, data.y, 0.01, bounds=BOUNDS)
    assert result.n_evaluated < without.n_evaluated
    assert result.objective == without.objective


# ---- the authors' three faults, absent -------------------------------------------------------------------


def test_warm_start_keeps_a_better_single_leaf():
    """CART's tree replacing a better single leaf: tic-tac-toe at 0.05 then ends at 0.400626."""
    data = datasets.load("tic-tac-toe")
    result = branch_and_bound(data.X, data.y, 0.05, node_limit=1000)
    assert result.tree.n_leaves == 1
    assert result.objective == pytest.approx(0.396555, abs=1e-6)


def test_leaf_count_bound_is_not_strict():
    """The strict < of equation (14): it drops the four-leaf tree of exclusive or, 0.56 against 0.64."""
    X, y = exclusive_or(4)
    result = branch_and_bound(X, y, 0.14)
    assert (result.status, result.tree.n_leaves) == ("optimal", 4)
    assert result.objective == pytest.approx(0.56)


def test_paper_convention_does_not_claim_what_it_cannot_prove():
    """The strict < kept for the counts, but its answer sold as optimal."""
    X, y = exclusive_or(4)
    result = branch_and_bound(X, y, 0.14, convention="paper")
    assert result.status == "exhausted"
    assert result.objective == pytest.approx(0.64)
    assert result.lower_bound < 0.56 + 1e-9


def test_cold_start_runs():
    """A cold start that needs the CART tree."""
    X, y = exclusive_or(2)
    result = branch_and_bound(X, y, 0.1, warm_start=None)
    assert (result.status, result.objective) == ("optimal", pytest.approx(0.4))
    assert result.n_evaluated_to_optimum > 0


# ---- against the plain twin and brute force --------------------------------------------------------------


@settings(max_examples=150)
@given(
    problems(),
    st.sampled_from(POLICIES),
    st.sets(st.sampled_from(BOUNDS)),
    st.sampled_from(("paper", "sound")),
    st.booleans(),
)
def test_equals_plain_twin(problem, policy, bounds, convention, is_warm):
    """Any departure from the conventions, on problems full of ties, with any bounds on."""
    X, y, regularization = problem
    result = branch_and_bound(
        X,
        y,
        regularization,
        policy=policy,
        bounds=bounds,
        convention=convention,
        warm_start="cart" if is_warm else None,
    )
    start = None
    if is_warm:
        leaves = border.cart_leaves(X, y, regularization)
        start = border.tree_of_leaves(leaves, range(X.shape[1]), X, y).objective(X, y, regularization)
    twin = NaiveSearch(X.tolist(), y.tolist(), regularization, policy, bounds, convention)
    objective, _, n_evaluated, n_to_optimum = twin.run(start)
    assert (result.n_evaluated, result.n_evaluated_to_optimum) == (n_evaluated, n_to_optimum)
    assert result.objective == pytest.approx(objective, abs=1e-12)
    assert result.stats["n_distinct_leaves"] == len(twin.leaf_cache)


@settings(max_examples=150)
@given(problems(), st.sampled_from(POLICIES), st.sets(st.sampled_from(BOUNDS)))
def test_every_switch_combination_is_optimal(problem, policy, bounds):
    """A bound that cuts off the optimum, alone or together with others."""
    X, y, regularization = problem
    result = branch_and_bound(X, y, regularization, policy=policy, bounds=bounds)
    assert result.status == "optimal"
    assert result.objective == pytest.approx(optimal_value(X, y, regularization), abs=1e-12)
    assert result.lower_bound == result.objective
    assert result.tree.objective(X, y, regularization) == result.objective


@pytest.mark.parametrize("bound", BOUNDS)
def test_each_bound_alone_keeps_the_optimum(bound):
    """A bound that removes an optimum where no other hides it: a draw of some bounds meets one by chance."""
    random = np.random.default_rng(20)
    for _ in range(300):
        table = random.integers(0, 2, (random.integers(2, 13), random.integers(2, 5)))
        X, y, regularization = table[:, :-1], table[:, -1], random.choice(REGULARIZATIONS)
        result = branch_and_bound(X, y, regularization, bounds=[bound])
        assert result.objective == pytest.approx(optimal_value(X, y, regularization), abs=1e-12)


@settings(max_examples=40)
@given(problems(max_rows=24, max_columns=5), st.sampled_from(POLICIES), st.sets(st.sampled_from(BOUNDS)))
def test_default_bounds_and_more_are_optimal(problem, policy, more):
    """Mistakes that need deeper trees and several leaves split at once."""
    X, y, regularization = problem
    result = branch_and_bound(X, y, max(regularization, 0.03), policy=policy, bounds={*DEFAULT_BOUNDS, *more})
    assert result.status == "optimal"
    assert result.objective == pytest.approx(optimal_value(X, y, max(regularization, 0.03)), abs=1e-12)


@settings(max_examples=40)
@given(problems(max_rows=20, max_columns=4), st.integers(1, 400), st.sampled_from(("paper", "sound")))
def test_lower_bound_holds_after_a_limit(problem, node_limit, convention):
    """A lower bound above the optimum when the search is cut short, or when the strict bound drops trees."""
    X, y, regularization = problem
    result = branch_and_bound(X, y, regularization, node_limit=node_limit, convention=convention)
    best = optimal_value(X, y, regularization)
    assert result.lower_bound <= best + 1e-12
    assert best <= result.objective + 1e-12
    if result.status == "optimal":
        assert result.lower_bound == result.objective


# ---- parts -----------------------------------------------------------------------------------------------


@settings(max_examples=200)
@given(st.integers(1, 150), st.data())
def test_candidate_order_is_that_of_python_sets(p, data):
    """The paper's candidate order against real sets, with tables that grow, are copied, and have holes."""
    numbers = list(range(1, p + 1))
    used = set(data.draw(st.permutations(numbers))[: data.draw(st.integers(0, min(p, 8)))])
    rest = [number for number in numbers if number not in used]
    dead = set(data.draw(st.permutations(rest))[: data.draw(st.integers(0, len(rest)))])
    columns = np.full(p, search_state.OPEN, np.int8)
    columns[[number - 1 for number in used]] = 1
    columns[[number - 1 for number in dead]] = search_state.DEAD
    search = search_state.new_search(
        np.zeros((p, 1), np.uint64), np.ones((1, 2), np.int64), 0.1, 0, True, None
    )
    out = np.empty(p, np.int32)
    n = column_order.list_candidates(columns, 1, out, search.scratch)
    assert (out[:n] + 1).tolist() == list(set(range(1, p + 1)) - used - dead)
    n = column_order.list_candidates(columns, 0, out, search.scratch)
    assert (out[:n] + 1).tolist() == sorted(set(rest) - dead)


@settings(max_examples=100)
@given(st.lists(st.one_of(st.none(), st.integers(0, 3)), max_size=60))
def test_queue_moves_like_heapq(steps):
    """Another order among equal metrics than heapq's; None pops, a number pushes."""

    class Entry:
        def __init__(self, metric, name):
            self.metric, self.name = metric, name

        def __lt__(self, other):
            return self.metric < other.metric

    X, y = exclusive_or(2)
    search = search_state.new_search(
        *border.merge_rows(X.astype(np.uint8), y, np.arange(X.shape[1])), 0.1, 0, False, None
    )
    search = search._replace(on=switches(()))
    heap = []
    for name, metric in enumerate(steps):
        if metric is not None:
            heapq.heappush(heap, Entry(metric, name))
            state_queue.push_state(search, float(metric), name, np.uint64(name), name % 2)
        elif heap:
            state_queue.take_state(search)
            expected = heapq.heappop(heap).name
            assert search.now["tree"][0] == search.now["mask"][0] == expected
        assert search.now["queue_size"][0] == len(heap)


@st.composite
def nested_trees(draw, n_columns=5):
    """(nested tree over 0/1 columns, its leaves as sets of literals), no column twice on a path."""
    leaves = []

    def grow(used):
        free = [j for j in range(n_columns) if all(j != column for column, _ in used)]
        if not free or draw(st.integers(0, 2)) == 0:
            leaves.append(used)
            return draw(st.integers(0, 1))
        j = draw(st.sampled_from(free))
        return j, 0.5, grow(used | {(j, 0)}), grow(used | {(j, 1)})

    return grow(frozenset()), leaves


@settings(max_examples=100)
@given(nested_trees(), st.permutations(range(5)))
def test_tree_of_leaves_has_these_leaves(nested_and_leaves, order):
    """Another tree than one with exactly the given leaves, when several columns could be the root."""
    nested, leaves = nested_and_leaves
    X, _ = exclusive_or(5)
    parts = Tree.from_nested(nested, 5).apply(X.astype(float))
    tree = border.tree_of_leaves(leaves, order, X.astype(np.uint8), X[:, 0])
    assert tree.n_leaves == len(leaves)
    assert len(set(zip(parts, tree.apply(X.astype(float)), strict=True))) == len(leaves)


def test_ties_are_called_one():
    """The paper's label of a leaf with equal counts."""
    result = branch_and_bound([[0], [0]], [0, 1], 0.1)
    assert result.tree.label.tolist() == [1]


def test_merged_rows_across_word_borders():
    """Rows 64 and 65 of a bitset lost or counted twice."""
    for n in (63, 64, 65, 128, 129):
        codes = np.arange(n)
        X = ((codes[:, None] >> np.arange(8)) & 1).astype(np.uint8)
        y = (codes % 3 == 0).astype(int)
        words, counts = border.merge_rows(np.vstack([X, X]), np.concatenate([y, y]), np.arange(8)[::-1])
        assert words.shape == (8, -(-n // 64)) and counts.sum() == 2 * n
        ones = [sum(int(word).bit_count() for word in column) for column in words]
        assert ones == X.sum(axis=0)[::-1].tolist()
        result = branch_and_bound(X, y, 0.4)
        assert result.tree.n_node_samples[0] == n


@pytest.mark.parametrize("y", [[0, 0, 0], [1, 1, 1]])
def test_one_class(y):
    """A search that splits a pure root, or fails on it."""
    result = branch_and_bound([[0], [1], [1]], y, 0.1)
    assert (result.status, result.tree.n_leaves, result.objective) == ("optimal", 1, 0.1)
    assert result.tree.label[0] == y[0]


# ---- limits and the trace --------------------------------------------------------------------------------


def interrupt():
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("limit", "status"),
    [
        ({"time_limit": 1e-6}, "time_limit"),
        ({"memory_limit": "2 MB"}, "memory_limit"),
        ({"node_limit": 10_000}, "node_limit"),
        ({"cancel": lambda: True}, "interrupted"),
        ({"cancel": interrupt}, "interrupted"),
    ],
)
def test_limits_return_the_best_so_far(limit, status):
    """A limit that is ignored, that loses the incumbent, or that leaves no valid bound behind."""
    data = datasets.load("compas-binary")
    result = branch_and_bound(data.X, data.y, 0.005, **limit)
    assert result.status == status
    assert result.lower_bound < 0.355969 <= result.objective + 1e-6
    assert result.tree.objective(data.X, data.y, 0.005) == result.objective
    if "memory_limit" in limit:
        assert result.trace["bytes"].max() <= 2e6


def test_more_leaves_at_once_than_a_mask_holds():
    """A mask that overflows in silence; the search must stop with the state still open."""
    X, y = exclusive_or(2)
    search = search_state.new_search(
        *border.merge_rows(X.astype(np.uint8), y, np.arange(X.shape[1])), 0.1, 0, False, None
    )
    search = search._replace(on=switches(()))
    expand.plant_root(search)
    search.now["phase"] = expand.COMBINE
    search.now["n_split"] = search_state.MAX_SPLIT + 1
    assert expand.advance(search, 10) == expand.TOO_WIDE


def test_trace():
    """Trace columns that are missing, go backwards, or end elsewhere than the result."""
    data = datasets.load("monk1")
    result = branch_and_bound(data.X, data.y, 0.05)
    trace = result.trace
    assert set(trace) == {"seconds", "objective", "lower_bound", "nodes", "queue", "bytes"}
    assert len({len(column) for column in trace.values()}) == 1
    assert (np.diff(trace["seconds"]) >= 0).all() and (np.diff(trace["nodes"]) >= 0).all()
    assert (np.diff(trace["objective"]) <= 0).all()
    assert (trace["lower_bound"] <= result.objective + 1e-12).all()
    assert trace["objective"][-1] == pytest.approx(result.objective, abs=1e-12)
    assert (trace["nodes"][-1], trace["queue"][-1]) == (result.n_evaluated, 0)


# ---- bad input -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"X": [[0.5], [1]]}, "0 and 1 only"),
        ({"X": [0, 1]}, "table"),
        ({"X": np.zeros((2, 0))}, "at least one"),
        ({"y": [0, 2]}, "two classes"),
        ({"y": [0]}, "one class code"),
        ({"regularization": 0}, "positive"),
        ({"regularization": "0.1"}, "positive"),
        ({"regularization": float("nan")}, "positive"),
        ({"policy": "best"}, "curiosity"),
        ({"bounds": ["luck"]}, "node_support"),
        ({"bounds": None}, "node_support"),
        ({"convention": "mine"}, "'sound', 'paper'"),
        ({"warm_start": "forest"}, "'cart', None"),
    ],
)
def test_bad_input(change, message):
    """An argument that is accepted though it means nothing, or refused without saying what is allowed."""
    arguments = {"X": [[0], [1]], "y": [0, 1], "regularization": 0.1, **change}
    with pytest.raises(ValueError, match=message):
        branch_and_bound(**arguments)


def test_a_limit_before_the_search_leaves_the_tree_to_start_from(monkeypatch):
    """A search begun when time is up, a CART tree that is lost, or one for which there is no memory."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (4000, 30)).astype(np.uint8)
    y = X[:, 3] ^ (rng.random(len(X)) < 0.1)
    monkeypatch.setattr(border, "merge_rows", None)  # is not called
    for limit, status, n_leaves in (
        ({"time_limit": 1e-9}, "time_limit", 2),
        (
            {"memory_limit": 10**5},
            "memory_limit",
            1,
        ),
    ):
        result = branch_and_bound(X, y, 0.01, **limit)
        assert result.status == status and result.tree.n_leaves == n_leaves
        assert result.objective == pytest.approx(result.tree.objective(X, y, 0.01))
        assert result.lower_bound == 0.01 and result.trace["objective"].tolist() == [result.objective]


def test_bounds_by_one_name():
    """A single name taken apart into letters."""
    assert branch_and_bound([[0], [1]], [0, 1], 0.1, bounds="lookahead").status == "optimal"


def test_twin_knows_the_same_bounds():
    """A switch that the twin does not follow."""
    assert {*ALL_BOUNDS, "similar_support"} == set(BOUNDS)
