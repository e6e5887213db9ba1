"""The one-pass path against brute force, and its promises under limits."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.twins.dyadic.brute_force import reachable, solution_values
from treelib import DyadicTreeClassifier, datasets
from treelib.dyadic.boxes import DyadicGrid, bounding_box, choose_n_splits
from treelib.dyadic.compress import merge_cells, merge_duplicates, merge_rows, row_losses
from treelib.dyadic.paper.recursion import Recursion, make_rows
from treelib.dyadic.solutions import solution_path
from treelib.dyadic.sweep import all_prices
from treelib.dyadic.sweep.all_prices import sweep_path
from treelib.dyadic.sweep.vertex_tree import PAUSED
from treelib.search.budget import MEMORY_LIMIT, NODE_LIMIT, OPTIMAL, TIME_LIMIT, Budget


@st.composite
def problems(draw, most_rows=14, most_splits=6, whole=True):
    """Distinct cells with losses on a tiny grid: (codes, losses, n_splits)."""
    n_splits = draw(
        st.lists(st.integers(0, 3), min_size=1, max_size=4).filter(lambda ks: sum(ks) <= most_splits)
    )
    n_rows = draw(st.integers(1, most_rows))
    n_classes = draw(st.integers(2, 3))
    codes = np.array(
        [[draw(st.integers(0, 2**k - 1)) for k in n_splits] for _ in range(n_rows)], dtype=np.int64
    )
    number = st.integers(0, 3) if whole else st.sampled_from((0.0, 0.1, 0.25, 1 / 3, 1.5))
    losses = np.array([[draw(number) for _ in range(n_classes)] for _ in range(n_rows)])
    merged = merge_rows(codes, losses, keep_zero=draw(st.booleans()))
    return merged.rows, merged.losses, n_splits


def loss_of_nodes(nodes, codes, losses, n_splits, free_empty):
    """(leaves, loss) of a tree as `read_tree` writes it, walked row by row."""
    total, reached = Fraction(0), set()
    for code, loss in zip(codes.tolist(), losses.tolist(), strict=True):
        node = 0
        while nodes[node, 0] >= 0:
            feature, level, interval, _, right = nodes[node].tolist()
            # free empty leaves are left out of the tree, so a row may lie beside the interval
            middle = (2 * interval + 1) << (n_splits[feature] - level - 1)
            node = right if code[feature] >= middle else node + 1
        reached.add(node)
        total += Fraction(loss[nodes[node, 3]])
    leaves = int((nodes[:, 0] < 0).sum())
    if free_empty:
        assert leaves == max(1, len(reached))
    return leaves, total


@settings(max_examples=150)
@given(problems(), st.booleans())
def test_path_is_that_of_brute_force(problem, free_empty):
    """A hull that misses a vertex, keeps a wrong one, or belongs to another tree than the one returned."""
    codes, losses, n_splits = problem
    result = sweep_path(codes, losses, n_splits, free_empty=free_empty)
    values = [(vertex.n_leaves, vertex.loss) for vertex in result.vertices]
    if len(codes) == 0:
        assert values == [(1, 0)]
        return
    assert values == solution_values(reachable(codes, losses, n_splits, free_empty))
    assert result.status == OPTIMAL and result.proved == 0
    for vertex in result.vertices:
        found = loss_of_nodes(vertex.nodes, codes, losses, n_splits, free_empty)
        assert found == (vertex.n_leaves, vertex.loss)


@settings(max_examples=80)
@given(problems(), st.fractions(0, 5, max_denominator=12), st.booleans())
def test_path_down_to_a_price(problem, low, staged):
    """A lowest price that cuts the path at the wrong place, above all where two trees tie there."""
    codes, losses, n_splits = problem
    result = sweep_path(codes, losses, n_splits, low=low, staged=staged)
    if len(codes) == 0:
        return
    whole = solution_values(reachable(codes, losses, n_splits))
    slopes = [(b - d) / (c - a) for (a, b), (c, d) in pairwise(whole)]
    kept = 1 + sum(slope >= low for slope in slopes)
    assert [(vertex.n_leaves, vertex.loss) for vertex in result.vertices] == whole[:kept]
    assert list(result.breaks) == slopes[: kept - 1]


@settings(max_examples=60)
@given(problems(), st.fractions(0, 4, max_denominator=6), st.fractions(0, 3, max_denominator=6))
def test_prices_within_two_ends(problem, low, more):
    """A hull cut on the left that loses a vertex, keeps one too many, or takes the smaller of a tie."""
    codes, losses, n_splits = problem
    high = low + more
    if len(codes) == 0 or high == 0:
        return
    whole = sweep_path(codes, losses, n_splits)
    kept = [
        vertex[:2]
        for vertex, above, below in zip(
            whole.vertices, [np.inf, *whole.breaks], [*whole.breaks, -1], strict=True
        )
        if above >= low and below < high
    ]
    result = sweep_path(codes, losses, n_splits, low=low, high=high)
    assert [vertex[:2] for vertex in result.vertices] == kept
    for vertex in result.vertices:
        assert loss_of_nodes(vertex.nodes, codes, losses, n_splits, False) == vertex[:2]


@settings(max_examples=60)
@given(problems(whole=False))
def test_losses_that_are_not_whole(problem):
    """Rounding that loses a tree: the losses of the solutions must be those of brute force to 1e-9."""
    codes, losses, n_splits = problem
    if len(codes) == 0:
        return
    result = sweep_path(codes, losses, n_splits)
    points = reachable(codes, losses, n_splits)
    for price in [0.01, 0.1, 0.4, 1.0, *(float(b) * f for b in result.breaks for f in (0.9, 1.1))]:
        best = min(float(loss) + price * leaves for leaves, loss in points)
        ours = min(float(vertex.loss) + price * vertex.n_leaves for vertex in result.vertices)
        assert ours == pytest.approx(best, abs=1e-9)


@pytest.mark.parametrize("name", ["dyadic/thyroid", "dyadic/titanic", "dyadic/banana"])
def test_real_data_agree_with_the_recursion(name):
    """A pass that goes wrong only at real size: the paper's recursion finds the same values
    at every breakpoint, where Definition 2 takes the larger tree, and between them."""
    data = datasets.load(name)
    losses = row_losses(data.y, 2)
    distinct = merge_duplicates(data.X, losses)
    box = bounding_box(data.X, 0.02)
    n_splits = choose_n_splits(distinct.rows, distinct.losses, *box).n_splits
    cells = merge_cells(DyadicGrid(*box, n_splits), distinct.rows, distinct.losses)
    path = sweep_path(cells.rows, cells.losses, n_splits)
    rows = make_rows(cells.rows, cells.losses, n_splits)
    ends = [path.breaks[0] + 1, *path.breaks, path.breaks[-1] / 2]
    for place, vertex in enumerate(path.vertices):
        for price in ((ends[place] + ends[place + 1]) / 2, ends[place]) if place % 5 == 0 else ():
            run = Recursion(rows, price)
            run.run()
            assert (run.outcome().leaves, run.outcome().error) == vertex[:2]


def random_problem(seed=0, n_rows=300, n_splits=(4, 4, 4)):
    rng = np.random.default_rng(seed)
    codes = np.stack([rng.integers(0, 2**k, n_rows) for k in n_splits], axis=1)
    y = rng.integers(0, 2, n_rows)
    merged = merge_rows(codes, np.stack([y, 1 - y], axis=1))
    return merged.rows, merged.losses, list(n_splits)


def test_stages_change_nothing():
    """Passes at higher prices that leak into the last one."""
    problem = random_problem()
    one, many = sweep_path(*problem, staged=False), sweep_path(*problem, staged=True)
    assert one.stats["passes"] == 1 < many.stats["passes"]
    assert one.breaks == many.breaks
    assert [v[:2] for v in one.vertices] == [v[:2] for v in many.vertices]


def test_wide_keys_and_tables_that_grow():
    """Keys of several words, and tables, hulls and stack that are enlarged in the middle of the search."""
    codes, losses, _ = random_problem(n_splits=(5, 5))
    few = sweep_path(codes, losses, [5, 5])
    # the same cells, 2^26 times as fine, and four features that part nothing
    wide = np.concatenate([codes << 26, np.zeros((len(codes), 4), np.int64)], axis=1)
    many = sweep_path(wide, losses, [31, 31, 31, 31, 0, 0])
    assert [v[:2] for v in few.vertices] == [v[:2] for v in many.vertices]


@pytest.mark.parametrize(
    "limits, status",
    [
        ({"time_limit": 1e-9}, TIME_LIMIT),
        ({"node_limit": 2000}, NODE_LIMIT),
        ({"memory_limit": 300_000}, MEMORY_LIMIT),
    ],
)
def test_limits_leave_a_proved_part(limits, status):
    """A stopped search whose solutions are not the beginning of the path, or that claims too much."""
    problem = random_problem(n_rows=2000, n_splits=(6, 6, 5))
    whole = sweep_path(*problem, low=Fraction(1, 2))
    stopped = sweep_path(*problem, budget=Budget(**limits))
    assert stopped.status == status
    kept = len(stopped.vertices)
    assert [v[:2] for v in stopped.vertices] == [v[:2] for v in whole.vertices[:kept]]
    assert all(price >= stopped.proved for price in stopped.breaks)
    assert all(price < stopped.proved for price in whole.breaks[kept - 1 :])


def test_interrupt_keeps_what_is_proved():
    """Ctrl-C that loses the finished passes."""
    calls = []

    def cancel():
        calls.append(1)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return False

    result = sweep_path(*random_problem(n_rows=2000, n_splits=(6, 6, 5)), budget=Budget(cancel=cancel))
    assert result.status == "interrupted" and len(result.vertices) >= 1 and result.proved > 0


def test_one_row_and_no_row():
    """Roots without anything to split."""
    for n in (0, 1):
        result = sweep_path(np.zeros((n, 2), np.int64), np.array([[0, 1]] * n).reshape(n, 2), [3, 3])
        assert [v[:2] for v in result.vertices] == [(1, 0)] and result.breaks == ()


CODES, LOSSES = np.array([[0, 1], [3, 2]]), np.eye(2)


@pytest.mark.parametrize(
    ("codes", "losses", "n_splits"),
    [
        (CODES, LOSSES, [-1, 2]),
        (CODES, LOSSES, [63, 2]),
        (CODES, LOSSES, [1, 2]),
        (CODES - 1, LOSSES, [2, 2]),
        (CODES, LOSSES, [2]),
        (CODES, LOSSES[:1], [2, 2]),
        (CODES, LOSSES[:, :0], [2, 2]),
        (CODES, -LOSSES, [2, 2]),
        (CODES, LOSSES * np.nan, [2, 2]),
        (CODES, LOSSES + np.inf, [2, 2]),
    ],
)
def test_rows_outside_the_grid_reach_no_kernel(codes, losses, n_splits):
    """A kernel that writes outside its arrays and ends the process."""
    with pytest.raises(ValueError, match=r"fit together|from 0 to|no classes|not negative"):
        sweep_path(codes, losses, n_splits)


@pytest.mark.parametrize(
    ("codes", "n_splits", "message"),
    [
        (CODES + 0.5, [2, 2], "codes must hold whole numbers"),
        (CODES * np.nan, [2, 2], "codes must hold whole numbers"),
        (CODES * 1e300, [2, 2], "codes must hold whole numbers"),
        (CODES.astype(str), [2, 2], "codes must hold whole numbers"),
        (CODES, [2, 2.5], "n_splits must hold whole numbers"),
        (CODES, ["2", "2"], "n_splits must hold whole numbers"),
    ],
)
def test_codes_that_are_not_whole_are_not_rounded(codes, n_splits, message):
    """A row that is counted in a cell where it does not lie."""
    with pytest.raises(ValueError, match=message):
        sweep_path(codes, LOSSES, n_splits)


def test_whole_numbers_of_any_type_are_the_same():
    """Floats without a fraction refused, or narrow integers that overflow when they are shifted."""
    codes, losses, n_splits = random_problem()
    expected = sweep_path(codes, losses, n_splits)
    for kind in (float, np.int8, np.uint64, ">i4"):
        found = sweep_path(codes.astype(kind), losses, np.array(n_splits, dtype=kind))
        assert found.breaks == expected.breaks


def test_rows_that_are_not_merged_are_refused():
    """What every tree pays, counted in the losses of the path: of equal rows, or of rows without a 0."""
    codes, losses, n_splits = random_problem()
    shuffled = np.random.default_rng(0).permutation(len(codes))
    assert sweep_path(codes[shuffled], losses[shuffled], n_splits).breaks
    for place in (0, 100, len(codes)):
        twice = np.insert(codes, place, codes[7], axis=0), np.insert(losses, place, losses[7], axis=0)
        with pytest.raises(ValueError, match=r"Two rows of codes are equal; .*merge_rows"):
            sweep_path(*twice, n_splits)
    with pytest.raises(ValueError, match="Two rows of codes are equal"):
        sweep_path(np.zeros((2, 0), int), LOSSES, [])
    with pytest.raises(ValueError, match=r"least loss of each row must be 0; .*merge_rows"):
        sweep_path(CODES, LOSSES + np.array([[0], [1]]), [2, 2])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"low": "1"}, "low='1' must be a number"),
        ({"low": None}, "low=None must be a number"),
        ({"low": True}, "low=True must be a number"),
        ({"high": "1"}, "high='1' must be a number"),
        ({"low": -1}, "make no sense; give 0 <= low <= high"),
        ({"low": np.nan}, "make no sense"),
        ({"low": np.inf}, "make no sense.* low finite"),
        ({"high": np.nan}, "make no sense"),
        ({"high": 0}, "make no sense.* 0 < high"),
        ({"low": 2, "high": 1}, "Prices from 2 to 1 make no sense"),
        ({"total": 0}, "total=0 must be a positive number, the weight of all rows"),
        ({"total": -2.5}, "total=-2.5 must be"),
        ({"total": np.nan}, "total=nan must be"),
        ({"total": np.inf}, "total=inf must be"),
        ({"total": "2"}, "total='2' must be"),
        ({"offset": -1}, "offset=-1 must be a finite number, 0 or more"),
        ({"offset": np.inf}, "offset=inf must be"),
        ({"offset": None}, "offset=None must be"),
    ],
)
def test_prices_and_units_that_make_no_sense(options, message):
    """A division by zero in the middle of the search, and text refused in the words of other modules."""
    with pytest.raises(ValueError, match=message):
        sweep_path(CODES, LOSSES, [2, 2], **options)


@pytest.mark.parametrize("price", [-0.1, np.nan, np.inf, None, "0.1"])
def test_solution_path_names_its_own_price(price):
    """A price refused in units of the losses, under a name that the caller never gave."""
    with pytest.raises(ValueError, match=r"min_regularization=.* must be a finite number, 0 or more"):
        solution_path(CODES, [0, 1], max_splits=1, min_regularization=price)


def test_prices_of_any_type_are_the_same():
    """A price that is refused for its type, or overflows in it."""
    problem = random_problem()
    expected = sweep_path(*problem, low=Fraction(3, 2), high=Fraction(4))
    assert len(expected.vertices) > 1
    for low, high in ((1.5, 4), (np.float32(1.5), np.int64(4)), (np.float64(1.5), np.uint8(4))):
        assert sweep_path(*problem, low=low, high=high, total=np.float32(2.5)).breaks == expected.breaks


@pytest.mark.parametrize("kind", [str, complex])
def test_losses_are_real_numbers(kind):
    """Imaginary parts dropped with a mere warning, and text refused in the words of numpy's insides."""
    with pytest.raises(ValueError, match="Losses must be real numbers"):
        sweep_path(CODES, LOSSES.astype(kind), [2, 2])


@pytest.mark.parametrize("n_splits", [[-1, 2], [63, 2], [1, 2], [2]])
def test_recursion_refuses_rows_outside_the_grid(n_splits):
    """A code shifted by a negative number of bits, which may pass as one inside."""
    with pytest.raises(ValueError, match=r"fit together|from 0 to|below"):
        make_rows(CODES, LOSSES.astype(int), n_splits)


@pytest.mark.parametrize("n_features", [3, 40])
def test_the_stack_is_counted_before_it_is_made(monkeypatch, n_features):
    """A stack that is made whatever the limit of memory, or counted as less than it takes."""
    made, make = [], all_prices.make_stack

    def remember(packed):
        made.append((all_prices.bytes_of_stack(packed), make(packed)))
        return made[-1][1]

    monkeypatch.setattr(all_prices, "make_stack", remember)
    rng = np.random.default_rng(0)
    codes = np.unique(rng.integers(0, 4, (20, n_features)), axis=0)
    losses = np.eye(2, dtype=np.int64)[rng.integers(0, 2, len(codes))]
    splits = np.full(n_features, 2)
    stopped = sweep_path(codes, losses, splits, low=1, budget=Budget(memory_limit=20_000))
    assert stopped.status == MEMORY_LIMIT
    assert made == []
    assert sweep_path(codes, losses, splits, low=1, budget=Budget(node_limit=5)).stats["table_bytes"] > 20_000
    wanted, stack = made[0]
    assert wanted == sum(array.nbytes for array in stack)


@pytest.mark.parametrize("n_features", [2, 1000])
def test_many_features_are_looked_at_in_smaller_pieces(monkeypatch, n_features):
    """Steps of a thousand features each between two looks at the clock: a third of a second too late."""
    asked = []

    def noted(problem, stack, table, hulls, control, window, steps, rows):
        asked.append((steps, rows))
        return advance(problem, stack, table, hulls, control, window, steps, rows)

    advance = all_prices.advance
    monkeypatch.setattr(all_prices, "advance", noted)
    rng = np.random.default_rng(0)
    problem = merge_rows(rng.integers(0, 2, (30, n_features)), rng.integers(0, 2, (30, 2)) * 1.0)
    sweep_path(problem.rows, problem.losses, [1] * n_features, budget=Budget(node_limit=100))
    most = all_prices.STEPS_AT_ONCE, all_prices.ROWS_AT_ONCE
    few = all_prices.FEW_FEATURES
    for steps, rows in asked:
        assert 1 <= steps <= most[0] + 1 and 1 <= rows <= most[1]
        if n_features > few:
            assert steps * n_features <= (most[0] + n_features) * few
            assert rows * n_features <= most[1] * few
    assert asked


@pytest.mark.parametrize("n_features", [2000, 6000])
def test_many_features_have_room_for_a_hull(n_features):
    """Tables that are not half full and have no room for one long hull: reading a tree went on for ever."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(50, n_features)), rng.integers(0, 2, 50)
    model = DyadicTreeClassifier(time_limit=30).fit(X, y)
    assert model.status_ == OPTIMAL
    cost = np.mean(model.predict(X) != y) + float(model.regularization_) * model.get_n_leaves()
    assert cost == pytest.approx(model.lower_bound_)


@pytest.mark.parametrize("free_empty", [False, True])
def test_reading_in_pieces_changes_nothing(monkeypatch, free_empty):
    """A pause that forgets where it was, or which split it tried."""
    rng = np.random.default_rng(1)
    problem = merge_rows(rng.integers(0, 4, (60, 5)), np.eye(2)[rng.integers(0, 2, 60)])
    options = {"low": Fraction(1, 2), "free_empty": free_empty, "staged": False}
    at_once = sweep_path(problem.rows, problem.losses, [2] * 5, **options)
    answers, read_tree = [], all_prices.read_tree

    def noted(*args):
        answers.append(read_tree(*args))
        return answers[-1]

    monkeypatch.setattr(all_prices, "read_tree", noted)
    monkeypatch.setattr(all_prices, "ROWS_AT_ONCE", 1)
    in_pieces = sweep_path(problem.rows, problem.losses, [2] * 5, **options)
    assert answers.count(PAUSED) > len(at_once.vertices) > 3
    for one, other in zip(at_once.vertices, in_pieces.vertices, strict=True):
        assert one[:2] == other[:2]
        assert loss_of_nodes(other.nodes, problem.rows, problem.losses, [2] * 5, free_empty) == one[:2]
        np.testing.assert_array_equal(one.nodes, other.nodes)


def test_reading_asks_the_limits(monkeypatch):
    """A tree that is read whatever the time: what the passes before have proved is kept."""
    codes, losses, n_splits = random_problem(n_rows=300, n_splits=(3, 3, 3))
    whole = sweep_path(codes, losses, n_splits, low=1)
    is_reading, read_tree = [], all_prices.read_tree

    def last_one(*args):
        is_reading.append(args[6][0]["vertex"] >> 36 == whole.vertices[-1].n_leaves)
        return read_tree(*args)

    monkeypatch.setattr(all_prices, "read_tree", last_one)
    monkeypatch.setattr(all_prices, "ROWS_AT_ONCE", 1)
    budget = Budget(cancel=lambda: any(is_reading))
    stopped = sweep_path(codes, losses, n_splits, low=1, budget=budget)
    assert stopped.status != OPTIMAL and stopped.proved > 1
    best = min(vertex.loss + vertex.n_leaves for vertex in whole.vertices)
    assert all_prices.lower_bound(stopped, 1) <= best
