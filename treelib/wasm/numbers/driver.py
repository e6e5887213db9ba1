"""The exact search on numbers, over all thresholds, for the page: start, step, bounds, find, read.

The driver is that of Python: `treelib.sparse.continuous.search.Search`, with the greedy tree and the splits
that it starts from, is compiled for the page as it stands, some of its expressions in other words (`words`).
In Python a search for two classes has other arrays than one for more; here both have the same, some of them
empty (`SHALLOW`). Rows are sorted, and trees labelled, in `rows`; the inner loop has its widths in `lanes`.
"""

import numpy as np
from numba import carray, njit, types
from numba.extending import overload_attribute, overload_method

from treelib.compiled.splitmix import next_random
from treelib.sparse.continuous import greedy, number_tree, splits
from treelib.sparse.continuous.arrays import (
    Deep,
    Numbers,
    Shallow,
    block_size,
    make_deep,
    make_shallow,
    most_sets,
)
from treelib.sparse.continuous.search import Search, _larger, bounds_of
from treelib.wasm.language import words
from treelib.wasm.language.same_source import bytes_of, compiled, same, structure
from treelib.wasm.language.words import Apart, replaceable, said, said_class
from treelib.wasm.numbers import lanes, rows
from treelib.wasm.numbers.lanes import advance
from treelib.wasm.numbers.rows import Tree, sort_rows, table_of

# answers of `step`. PAUSED never leaves it
RUNNING, PROVED, NO_MEMORY, STOPPED, PAUSED = range(5)
# the type of the lanes, whose sums are whole numbers up to the number of rows
KIND = np.int32
LEAF = (-1, 0.0, -1, -1)  # of the length of a split, so that a list can hold both

FIELDS = ["rows", "data", "max_depth", "total", "trees", "has_greedy", "numbers", "depth", "leaf"]
FIELDS += ["is_leaf", "steps", "shallow", "deep"]
BudgetType, Budget = structure("Budget", ["most_bytes", "n_left", "status"])
PageType, Page = structure("Page", ["search", "budget", "status", "tree"])


@overload_method(BudgetType, "exceeded")
def exceeded(budget, nodes, n_bytes):
    """What ends a search or pauses it, or 0; asked once before each step."""

    def ask(budget, nodes, n_bytes):
        if budget.status == STOPPED:
            return STOPPED
        budget.status = 0
        if n_bytes > budget.most_bytes:
            budget.status = NO_MEMORY
        elif budget.n_left == 0:
            budget.status = PAUSED
        budget.n_left -= 1
        return budget.status

    return ask


GROWS = replaceable(Shallow, Deep)


# ---- lists and tables in words that numba knows ------------------------------------------------------


@compiled
def random_keys(n):
    """Keys of rows, uint64 (n, 2): others than Python's, which moves no answer."""
    keys, seed = np.empty((n, 2), np.uint64), np.full(1, 20250225, np.uint64)
    for i in range(n):
        keys[i, 0], keys[i, 1] = next_random(seed) | np.uint64(1), next_random(seed) | np.uint64(1)
    return keys


@compiled
def largest_of_rows(table):
    """``table.max(axis=1)``."""
    most = np.empty(len(table))
    for i in range(len(table)):
        most[i] = table[i].max()
    return most


@compiled
def no_places():
    """An empty list of whole numbers."""
    places = [0]
    places.pop()
    return places


@compiled
def no_nodes():
    """An empty list of nodes (feature, below, above)."""
    nodes = [(0, 0, 0)]
    nodes.pop()
    return nodes


@compiled
def listed_nodes(array):
    """Nodes of the search as tuples."""
    nodes = no_nodes()
    for node in array:
        nodes.append((np.int64(node["feature"]), np.int64(node["below"]), np.int64(node["above"])))
    return nodes


@compiled
def no_trees():
    """An empty list of trees."""
    none = np.empty(0, np.int64)
    trees = [Tree(none, np.empty(0), none, none, none, 0.0)]
    trees.pop()
    return trees


@compiled
def values_at(X, rows, feature, below, above):
    """Values of two rows in a column."""
    return X[rows[below], feature], X[rows[above], feature]


@compiled
def set_two(number, k, first):
    """The numbers of both sides of node k."""
    number[2 * k], number[2 * k + 1] = first, first + 1


@compiled
def best_of(search, found):
    """The best of `found` and the trees that the search started from, the first of equals."""
    best = found
    for tree in search.trees:
        if search.data.objective(tree) < search.data.objective(best):
            best = tree
    return best


midpoint = same(number_tree.midpoint)
FROM_PLAN = said(
    number_tree.from_plan,
    {
        "feature, threshold, left, right = [], [], [], []": (
            "feature, threshold, left, right = no_places(), [0.0 for _ in range(0)], no_places(), no_places()"
        ),
        "todo = [(0, None, -1)]": "todo = [(0, -1, -1)]",
        "if links is not None: links[parent] = node": (
            "if links == 0: left[parent] = node\nif links == 1: right[parent] = node"
        ),
        "(item[3], right, node)": "(item[3], 1, node)",
        "(item[2], left, node)": "(item[2], 0, node)",
        "integers = (np.array(part, np.intp) for part in (left, right, np.zeros(len(feature))))": "",
        "NumberTree(np.array(feature, np.intp), np.array(threshold, float), *integers)": (
            "Tree(np.array(feature), np.array(threshold), np.array(left), np.array(right), "
            "np.zeros(len(feature), np.int64), np.nan)"
        ),
    },
    LEAF=LEAF,
    Tree=Tree,
    no_places=no_places,
)
BEST_SPLITS = said(splits.best_splits, {"_is_over(check)": "False"})
WEIGHTS = same(splits.weights_by_class)
PRUNED = said(greedy._pruned, {}, LEAF=LEAF)
LARGEST = {"weights.max(axis=1)": "largest_of_rows(weights)"}
GREEDY = said(
    greedy.greedy_tree,
    {
        **LARGEST,
        "plan, cost, level, depth = [LEAF], [], [0], 0": (
            "plan, cost, level, depth = [LEAF], [0.0 for _ in range(0)], [0], 0"
        ),
        "cost += (errors + numbers.price).tolist()": "for one in errors: cost.append(one + numbers.price)",
        "X[rows.rows[[found['below'][k], found['above'][k]]], feature]": (
            "values_at(X, rows.rows, feature, found['below'][k], found['above'][k])"
        ),
        "number[[2 * k, 2 * k + 1]] = (len(below), len(below) + 1)": "set_two(number, k, len(below))",
        "below = []": "below = no_places()",
        "_order(rows, node_of_row, min_rows)": "rows.order",
        "best_splits(numbers, order, node_of_row, weights, criterion, check)": (
            "best_splits(numbers, order, node_of_row, weights, criterion)"
        ),
        "from_plan(_pruned(plan, cost) if prunes else plan)": "from_plan(_pruned(plan, cost))",
    },
    LEAF=LEAF, largest_of_rows=largest_of_rows, no_places=no_places, values_at=values_at, set_two=set_two,
)  # fmt: skip
LARGER = said(
    _larger,
    {"(max(2 * len(array), wanted), *array.shape[1:])": "(max(2 * len(array), wanted),) + array.shape[1:]"},
)
BLOCK, SETS, DEEP, BOUNDS = same(block_size), same(most_sets), same(make_deep), same(bounds_of)

# what the driver says in other words
INSTEAD = {
    "__init__": {
        "self.trees, self.has_greedy = [], False": "self.trees, self.has_greedy = no_trees(), False",
        "rng = np.random.default_rng(20250225)": "",
        "rng.integers(1, 2 ** 63, (n, 2), dtype=np.uint64)": "random_keys(n)",
        "max_depth is None": "max_depth < 0",
        "initial is not None": "False",
        "by_class.max(initial=0)": "(by_class.max() if len(by_class) else 0)",
    },
    "_nodes": {"self.deep.nodes[:root['size']].tolist()": "listed_nodes(self.deep.nodes[:root['size']])"},
    "_lower_of_queue": {
        "[]": "self.shallow.lanes['interval'][:0]",
        "np.concatenate([np.arange(now['head'], now['tail']), taken]).astype(np.intp)": (
            "np.concatenate((np.arange(now['head'], now['tail']), taken))"
        ),
    },
    "run": {
        "budget.due() or OPTIMAL": "OPTIMAL",
        "status is not None": "status != 0",
        "budget.record(self.in_units(self.best), self.in_units(self.lower), self.n_nodes)": "",
    },
    "_start_from_greedy": {"self.has_greedy": "self.has_greedy or budget.status == PAUSED"},
    "greedy": {
        "check = patient(budget, self.rows.order.size)": "",
        "greedy_tree(self.numbers, self.rows, self.data.X, self.max_depth, check)": (
            "greedy_tree(self.numbers, self.rows, self.data.X, self.max_depth)"
        ),
    },
    "_found_tree": {
        **LARGEST,
        "[] if self.is_leaf else self._nodes()": "no_nodes() if self.is_leaf else self._nodes()",
        "plan, ends = [LEAF] * len(nodes), []": "plan, ends = [LEAF] * len(nodes), no_places()",
        "[None] * len(nodes)": "[np.arange(len(rows.rows))] * len(nodes)",
        "X[rows.rows[[below, above]], column]": "values_at(X, rows.rows, column, below, above)",
        "X[rows.rows[[found['below'][number], found['above'][number]]], column]": (
            "values_at(X, rows.rows, column, found['below'][number], found['above'][number])"
        ),
    },
    "tree": {
        "min(found, *self.trees, key=self.data.objective) if self.trees else found": "best_of(self, found)",
    },
}
NAMES = {
    **{name: globals()[name] for name in ("no_trees", "random_keys", "listed_nodes", "no_nodes", "best_of")},
    **{"LEAF": LEAF, "no_places": no_places, "largest_of_rows": largest_of_rows, "values_at": values_at},
    **{"OPTIMAL": PROVED, "PAUSED": PAUSED},
}
METHODS = ["__init__", "in_units", "_nodes", "_lower_of_root", "_lower_of_queue", "run", "step"]
METHODS += ["_start_from_greedy", "greedy", "_start_from", "_make_room", "_found_tree", "tree"]
PROPERTIES = ["n_nodes", "best", "_looks_at_root", "lower"]


SHALLOW = {
    "is_two = n_classes == 2": (
        "is_two = n_classes == 2\n"
        "n_counts, n_running, n_most = (0, 0, 0) if is_two else (2 * n_classes, 2 * n + 2, n + 1)"
    ),
    "np.zeros(0, kind) if is_two else np.zeros((2 * n_classes, LANES), kind)": (
        "np.zeros((n_counts, LANES), kind)"
    ),
    "0 if is_two else 2 * n + 2": "n_running",
    "0 if is_two else n + 1": "n_most",
}


SearchType, Numbered = structure("Numbered", FIELDS)
ARRAYS = said(make_shallow, SHALLOW)
SEARCH = said_class(SearchType, Search, METHODS, PROPERTIES, INSTEAD, advance=advance, **NAMES)


@overload_attribute(SearchType, "n_bytes")
def n_bytes(search):
    """Of the arrays that grow, and of the sorted rows."""
    return lambda search: bytes_of(search.shallow[:]) + bytes_of(search.deep[:]) + search.rows.order.nbytes


@compiled
def new_search(rows, data):
    """A `Search` on which nothing was begun, for any number of classes."""
    numbers = Numbers(0, 0, 0.0, 0.0, rows.classes, rows.weight, random_keys(0))
    return Numbered(
        rows, data, -1, 0.0, no_trees(), False, numbers, 0, 0.0, True, 0,
        make_shallow(1, 1, 2, KIND), make_deep(np.zeros((1, 1), np.int32), KIND, 1),
    )  # fmt: skip


@compiled
def start_search(X, y, n_classes, regularization, max_depth):
    """The `Page` of a table, ready for its first step; `max_depth` below 0 is no limit.

    X : float64 (n, p), NaN where missing; y : int64 (n,), every class of 0 .. n_classes - 1
    """
    rows, data = sort_rows(X, y, n_classes, KIND), table_of(X, y, n_classes, regularization)
    search = new_search(rows, data)
    search.__init__(rows, data, np.int64(max_depth))
    budget = Budget(0.0, np.int64(0), np.int64(0))
    return Page(search, budget, np.int64(RUNNING), no_trees())


@compiled
def step_search(page, most_bytes):
    """Work for some milliseconds; how the search stands."""
    budget = page.budget
    if page.status == RUNNING:
        budget.most_bytes, budget.n_left = most_bytes, 1
        if budget.status == PAUSED:
            budget.status = 0
        status = page.search.run(budget)
        page.status = RUNNING if status == PAUSED else status
    return page.status


@compiled
def find_tree(page):
    """Keep the best tree known, for `read`; the number of its nodes."""
    found = page.search.tree()
    page.tree.append(found)
    return len(found.feature)


@compiled
def read_search(page, out, cuts, numbers):
    """Write the tree that `find_tree` has kept, and what is known of the search.

    out : int64 (4, n): feature (-1 at leaves), left, right, class. cuts : float64 (n,), thresholds
    numbers : float64 (8,): objective, lower bound, 1 where proved, nodes, batches, lanes, known sets, hits
    """
    search, tree = page.search, page.tree.pop()
    out[0], out[1], out[2], out[3] = tree.feature, tree.left, tree.right, tree.label
    cuts[:] = tree.threshold
    objective = search.data.objective(tree)
    is_proved = page.status == PROVED
    numbers[0], numbers[1] = (
        objective,
        objective if is_proved else min(objective, search.in_units(search.lower)),
    )
    numbers[2] = is_proved
    numbers[3:] = 0.0
    if not search.is_leaf:
        now, deep = search.shallow.now[0], search.deep.now[0]
        numbers[3], numbers[4], numbers[5] = search.n_nodes, now["n_batches"], now["n_tried"]
        numbers[6], numbers[7] = deep["n_known"], deep["n_hits"]
    return 0


@njit
def halt(page):
    """End a search that runs as a limit of time does: with a tree no worse than the greedy one."""
    page.budget.status = STOPPED
    return step_search(page, 0.0)


@njit
def bounds(page, out):
    """Objective known, lower bound, nodes, bytes, to float64 (4,)."""
    values, search = carray(out, (4,)), page.search
    values[0], values[1] = search.in_units(search.best), search.in_units(search.lower)
    values[2], values[3] = search.n_nodes, search.n_bytes
    return 0


@njit
def read(page, n, out, cuts, numbers):
    """`read_search` over the memory of a page, of a tree of n nodes."""
    return read_search(page, carray(out, (4, n)), carray(cuts, (n,)), carray(numbers, (8,)))


# kernels whose loops take most of the time
APART = ("scan_narrow", "scan_wide", "mark_rows", "begin_shallow", "_open_feature", "_cut_rows")
APART += ("best_gain", "list_cuts")
F64, I64 = types.CPointer(types.float64), types.CPointer(types.int64)
COUNT, NUMBER = types.int64, types.float64


@njit
def start(X, y, n, p, n_classes, regularization, max_depth):
    """`start_search` over the memory of a page."""
    return start_search(carray(X, (n, p)), carray(y, (n,)), n_classes, regularization, max_depth)


# what numba is taught there, it finds by no name
TAUGHT = lanes, rows, words
NAMED = {
    "start": (start, (F64, I64, COUNT, COUNT, COUNT, NUMBER, COUNT)),
    "step": (step_search, ("search", NUMBER)),
    "halt": (halt, ("search",)),
    "bounds": (bounds, ("search", F64)),
    "find": (find_tree, ("search",)),
    "read": (read, ("search", COUNT, I64, F64, F64)),
}
EXPORTS = {name: (Apart(function, APART), arguments) for name, (function, arguments) in NAMED.items()}
