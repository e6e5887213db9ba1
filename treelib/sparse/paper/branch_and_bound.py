"""The branch and bound of the paper, as written: Algorithm 1 with every bound a switch.

Source: Hu, Rudin and Seltzer 2019, Section 3 and Appendices A to G. The objective is the fraction of rows
misclassified plus `regularization` for every leaf. `treelib.sparse.exact.minimise` is the faster engine for
the same objective; this one is for seeing what the paper's search does, and reproduces its counts.

A *state* is a tree and a mask of its leaves that are split next; all others never change again. Taking a
state off the queue tries every combination of columns for the leaves to be split; each new tree that the
bounds let through is pushed once for every allowed mask over its new leaves. What the text leaves open, and
the printed counts fix:

- "trees evaluated" are the states pushed, the root not counted;
- columns are tried in the order of their Gini reduction at the root (`bnb_order` for the fine print);
- curiosity is the lower bound divided by the fraction of rows in unchanged leaves, where no row counts as
  a hundredth of a row; the queue is Python's heapq to the letter;
- node support (Theorem 3.3) is used as its stronger kin: a leaf whose loss is at most lambda is not split;
- a feature is dead in a leaf when one half would get at most lambda right (Theorem 3.5), and dead in the
  leaves built from it afterwards;
- a split that gains at most lambda needs one of its halves split next (Theorem 3.4);
- a mask never takes up an unchanged leaf, so every tree has one derivation, level by level, apart from
  reorderings of the same leaves, which the tree cache catches (Corollary E.1);
- losses are added as doubles in leaf order, and an incumbent that is smaller by rounding alone counts as an
  improvement: without lookahead the last one, at the printed 3,078,274, is of that kind.

With them every finished row of Table 2 comes out to the tree, also "no lookahead": 284,651,888 trees, in 50
seconds of one core and 1.1 GB (printed: 31,721 s, 10 GB).
"""

from dataclasses import dataclass

import numpy as np

from treelib.search.budget import INTERRUPTED, MEMORY_LIMIT, OPTIMAL, Budget, SearchResult
from treelib.sparse.paper import border, expand, search_state
from treelib.sparse.paper.bounds import BOUNDS, DEFAULT_BOUNDS, switches
from treelib.sparse.paper.search_state import POLICIES
from treelib.sparse.paper.state_queue import lowest_open_bound
from treelib.table.checks import check_choice

EXHAUSTED = "exhausted"

# units of work between two looks at the clock, a few milliseconds
STEP = 20_000

# seconds between two points of the trace, and the share of the time that computing them may take
TRACE_SECONDS = 0.01
TRACE_SHARE = 0.05

# where a look at the bounds of all states takes so many seconds, a limit leaves the bound of the look before:
# what no tree could be better than, no tree is better than later
LONG_LOOK = 0.5

# bytes of each cell and row until the search begins, and of each cell while the CART tree grows
BYTES_A_CELL, BYTES_A_ROW, BYTES_OF_CART = 1, 80, 7

TRACE_FIELDS = ("seconds", "objective", "lower_bound", "nodes", "queue", "bytes")

# of a search, by their names in its state
COUNTERS = {
    "n_taken": "n_taken",
    "n_distinct_leaves": "n_leaves",
    "n_distinct_trees": "n_trees",
    "queue_peak": "queue_peak",
}

# two sums of the same losses in another order differ by less
TOLERANCE = 1e-12


@dataclass
class BranchAndBoundResult(SearchResult):
    """`SearchResult` with the paper's two counts.

    Attributes
    ----------
    status : as in `SearchResult`, or "exhausted": the queue is empty, but the paper's strict leaf-count bound
        dropped trees that it cannot exclude, so that `lower_bound` stays below `objective`
    n_evaluated : int, states (tree and mask) that were pushed
    n_evaluated_to_optimum : int, `n_evaluated` when the last incumbent was found; 0 if that was the start
    trace : dict of arrays: ``seconds``, ``objective`` of the incumbent, ``lower_bound``, ``nodes`` (trees
        evaluated), ``queue`` (states waiting), ``bytes`` (of all tables)
    """

    n_evaluated: int = 0
    n_evaluated_to_optimum: int = 0


def branch_and_bound(
    X,
    y,
    regularization,
    *,
    policy="curiosity",
    warm_start="cart",
    bounds=DEFAULT_BOUNDS,
    convention="sound",
    time_limit=None,
    memory_limit=None,
    node_limit=None,
    verbose=False,
    cancel=None,
):
    """Optimal sparse decision tree by the paper's branch and bound.

    Parameters
    ----------
    X : array-like (n, p) of 0 and 1
    y : array-like (n,) of 0 and 1
    regularization : float > 0, leaf penalty (lambda)
    policy : {"curiosity", "lower_bound", "objective", "entropy", "breadth", "depth"}
        Which state is taken off the queue first.
    warm_start : {"cart", None}
        "cart": start from the better of the single leaf and scikit-learn's CART tree; None: the single leaf.
    bounds : iterable of names out of `BOUNDS`
        "node_support" (Theorem 3.3), "incremental_accuracy" (3.4), "accuracy" (3.5), "lookahead" (Lemma
        3.2), "equivalent_points" (B.2), "leaf_count" (C.3), "permutation" (E.1), "similar_support" (F.1,
        which the paper only proposes). The objective's own lower bound (3.1) is always on.
    convention : {"sound", "paper"}
        "paper" reproduces the printed counts: the strict ``<`` of equation (14), which drops trees that may
        be optimal, and the column order of the authors' program. "sound" excludes a tree only when it
        cannot be better, and tries columns in ascending order.
    time_limit, memory_limit, node_limit, verbose, cancel : see `treelib.search.budget.Budget`
        `node_limit` counts trees evaluated.

    Returns
    -------
    BranchAndBoundResult
        Also after a limit or KeyboardInterrupt: the best tree so far and a lower bound that holds. The CART
        tree comes before the search, whatever the clock says, and is left out where memory has no room.

    Raises
    ------
    ValueError
        For data other than 0/1 and for settings that do not exist.

    Examples
    --------
    >>> from treelib.sparse import branch_and_bound
    >>> result = branch_and_bound([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0], 0.1)
    >>> result.status, round(result.objective, 6), result.tree.n_leaves
    ('optimal', 0.4, 4)
    """
    budget = Budget(time_limit, memory_limit, node_limit, verbose, cancel)
    X, y, regularization = border.check_problem(X, y, regularization)
    policy = POLICIES.index(check_choice("policy", policy, POLICIES))
    paper = check_choice("convention", convention, ("sound", "paper")) == "paper"
    check_choice("warm_start", warm_start, ("cart", None))
    bounds = _switches(bounds)

    status = _status_before(X, budget)
    starts = _starts(warm_start, X, y, regularization, budget)
    if status is not None:
        return _unsearched(starts, X, y, regularization, status, budget)
    order = border.gini_order(X, y)
    columns, class_counts = border.merge_rows(X, y, order)
    search = search_state.new_search(columns, class_counts, regularization, policy, paper, bounds)
    expand.plant_root(search)
    leaves = starts[-1] if _take_if_better(search, starts[-1], X, y) else starts[0]

    seconds_before = budget.seconds
    search, status, points = _run(search, budget)

    if search.now[0]["best_tree"] >= 0:
        leaves = _leaves_of_best_tree(search, order)
    tree = border.tree_of_leaves(leaves, order.tolist(), X, y)
    objective = tree.objective(X, y, regularization)
    lower_bound = points[-1][2]
    if lower_bound >= objective - TOLERANCE:
        lower_bound = objective
    elif status == OPTIMAL:
        status = EXHAUSTED
    return BranchAndBoundResult(
        status=status,
        objective=objective,
        lower_bound=lower_bound,
        tree=tree,
        trace=dict(zip(TRACE_FIELDS, np.array(points, dtype=float).T, strict=True)),
        stats={
            "seconds": budget.seconds,
            "seconds_before_search": seconds_before,  # merging rows, the CART tree
            **_counters(search, n_merged_rows=len(class_counts)),
        },
        n_evaluated=int(search.now[0]["n_evaluated"]),
        n_evaluated_to_optimum=int(search.now[0]["n_to_optimum"]),
    )


def all_but(*names):
    """The default bounds without those named, tuple: what to give as `bounds` of `branch_and_bound`.

    Parameters
    ----------
    *names : str, of `BOUNDS`; None is left out

    Raises
    ------
    ValueError
        There is no such bound.

    Examples
    --------
    >>> from treelib.sparse import all_but
    >>> "lookahead" in all_but("lookahead")
    False
    """
    off = [check_choice("bounds", name, BOUNDS) for name in names if name is not None]
    return tuple(name for name in DEFAULT_BOUNDS if name not in off)


def _starts(warm_start, X, y, regularization, budget):
    """Leaves of the trees to start from: the single leaf, and the CART tree where it is asked for."""
    starts = [[frozenset()]]
    if warm_start is not None and BYTES_OF_CART * X.size <= budget.most_bytes:
        starts.append(border.cart_leaves(X, y, regularization))
    return starts


def _status_before(X, budget):
    """Status of a limit that leaves no room, or no time, to begin; nothing interrupts that."""
    try:
        return budget.exceeded(n_bytes=BYTES_A_CELL * X.size + BYTES_A_ROW * len(X))
    except KeyboardInterrupt:
        return INTERRUPTED


def _unsearched(starts, X, y, regularization, status, budget):
    """The result where a limit came before the search: the best of the trees to start from."""
    trees = [border.tree_of_leaves(leaves, range(X.shape[1]), X, y) for leaves in starts]
    # the counts of a node hold its errors: no further pass over the rows
    objectives = [
        float(tree.value[tree.is_leaf].min(axis=1).sum() / len(y)) + regularization * tree.n_leaves
        for tree in trees
    ]
    objective = min(objectives)
    lower = min(objective, regularization)
    point = budget.seconds, objective, lower, 0, 0, 0
    return BranchAndBoundResult(
        status=status,
        objective=objective,
        lower_bound=lower,
        tree=trees[objectives.index(objective)],
        trace={name: np.array([float(value)]) for name, value in zip(TRACE_FIELDS, point, strict=True)},
        stats={"seconds": budget.seconds, "seconds_before_search": budget.seconds}
        | dict.fromkeys(("bytes", "n_merged_rows", *COUNTERS), 0),
    )


def _run(search, budget):
    """Advance until the queue is empty or a limit is met.

    Returns the search (its tables may have moved), the status, and the points of the trace.
    """
    points, status, next_point, look = [], None, 0.0, 0.0
    try:
        while status is None:
            code = expand.advance(search, STEP)
            if code == expand.DONE:
                status = OPTIMAL
            elif code == expand.TOO_WIDE:
                # its children alone would be more states than any memory holds
                status = MEMORY_LIMIT
            elif code not in (expand.PAUSED, expand.IMPROVED):
                status = budget.exceeded(n_bytes=search.n_bytes + _growth(search, code))
                if status is None:
                    search, status = _with_room(search, code)
            status = status or budget.exceeded(search.now[0]["n_evaluated"], search.n_bytes)
            if code == expand.IMPROVED or budget.seconds >= next_point:
                began = budget.seconds
                points.append(_trace_point(search, budget))
                look = budget.seconds - began
                next_point = budget.seconds + max(TRACE_SECONDS, look / TRACE_SHARE)
    except KeyboardInterrupt:
        status = INTERRUPTED
    known = points[-1][2] if status != OPTIMAL and look > LONG_LOOK else None
    points.append(_trace_point(search, budget, known, last=True))
    return search, status, points


def _trace_point(search, budget, bound=None, last=False):
    """Values of `TRACE_FIELDS` at this moment; bound : float, least bound of the states in the queue, or None
    to look at all of them."""
    now = search.now[0]
    bound = lowest_open_bound(search) if bound is None else bound
    lower_bound = min(now["best"], now["dropped"], bound)
    budget.record(now["best"], lower_bound, now["n_evaluated"], last)
    return budget.seconds, now["best"], lower_bound, now["n_evaluated"], now["queue_size"], search.n_bytes


def _with_room(search, code):
    """The search with more room, and None; the same search and a status where the machine has no more."""
    if code == expand.TREES_FULL and 1.5 * len(search.tree) > search_state.MOST_TREES:
        return search, MEMORY_LIMIT
    try:
        return _enlarged(search, code), None
    except MemoryError:
        return search, MEMORY_LIMIT


def _enlarged(search, code):
    if code == expand.LEAVES_FULL:
        return search_state.with_more_leaves(search)
    if code == expand.TREES_FULL:
        now = search.now[0]
        return search_state.with_more_trees(search, now["n_unchanged"] + 2 * now["n_split"])
    return search_state.with_longer_queue(search)


def _growth(search, code):
    """Bytes needed, at most, besides the present tables while one of them is enlarged."""
    if code == expand.QUEUE_FULL:
        now = search.now[0]
        pairs = (search.queue, now["queue_size"]), (search.wide, now["n_wide"])
        return 2 * sum(table.nbytes for table, size in pairs if size == len(table))
    prefix = "leaf" if code == expand.LEAVES_FULL else "tree"
    return 2 * sum(getattr(search, name).nbytes for name in search._fields if name.startswith(prefix))


def _take_if_better(search, leaves, X, y):
    """Make the tree with the given leaves the incumbent if it beats the one in `search`; returns whether.

    The paper's program takes the CART tree in any case, and can return something worse than one leaf.
    """
    wrong = 0
    for leaf in leaves:
        rows = np.ones(len(X), bool)
        for column, value in leaf:
            rows &= X[:, column] == value
        ones = int(np.count_nonzero(y[rows]))
        wrong += min(ones, int(np.count_nonzero(rows)) - ones)
    objective = wrong / len(X) + search.regularization * len(leaves)
    if objective >= search.now[0]["best"]:
        return False
    search.now[0]["best"] = objective
    search.now[0]["best_tree"] = -1
    return True


def _leaves_of_best_tree(search, order):
    """Leaves of the incumbent as sets of (column of the data, value)."""
    best = search.now[0]["best_tree"]
    ids = search.tree_leaf[search.tree["start"][best] : search.tree["start"][best + 1]]
    return [
        frozenset((int(order[j]), int(value)) for j, value in enumerate(leaf) if value in (0, 1))
        for leaf in search.leaf_column[ids]
    ]


def _counters(search, n_merged_rows):
    now = search.now[0]
    counted = {name: int(now[field]) for name, field in COUNTERS.items()}
    return {"bytes": search.n_bytes, "n_merged_rows": n_merged_rows, **counted}


def _switches(bounds):
    names = [bounds] if isinstance(bounds, str) or not hasattr(bounds, "__iter__") else list(bounds)
    for name in names:
        check_choice("bounds", name, BOUNDS)
    return switches(names)
