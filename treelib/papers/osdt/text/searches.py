"""What Section 4 says of searches that are stopped early, and of the order by lower bounds: tried."""

from fractions import Fraction

import numpy as np

from treelib.ledger import store
from treelib.ledger.experiments import experiment
from treelib.ledger.protocol.judging import Trials
from treelib.papers.osdt.settings import DATA, LAMBDA, PRICES, data_of, load
from treelib.search.budget import Budget
from treelib.sparse.paper import border, expand, search_state
from treelib.sparse.paper.branch_and_bound import (
    DEFAULT_BOUNDS,
    TOLERANCE,
    _enlarged,
    _starts,
    _switches,
    _take_if_better,
    branch_and_bound,
)

STOPS = (1, 10, 100, 1_000, 10_000)  # trees evaluated


@experiment(
    "osdt.early-stops",
    item="Section 4",
    title="What a search from CART's objective holds when it is stopped early",
    cases=lambda: [{"data": data, "regularization": str(price)} for data in DATA for price in PRICES],
    datasets=data_of,
    seconds=1,
)
def early_stops(case):
    """Objective of the tree at hand after so many trees, counted from tree and data: list of dict."""
    table = load(case["data"])
    X, y, price = border.check_problem(table.X, table.y, Fraction(case["regularization"]))
    order = list(range(X.shape[1]))
    cart = border.tree_of_leaves(border.cart_leaves(X, y, price), order, X, y)
    single = border.tree_of_leaves([frozenset()], order, X, y)
    found = []
    for stop in STOPS:
        run = branch_and_bound(X, y, price, node_limit=stop, convention="paper")
        found.append(
            {
                "stop": stop,
                "status": run.status,
                **{
                    name: _objective(tree, table, case["regularization"])
                    for name, tree in (("held", run.tree), ("cart", cart), ("leaf", single))
                },
            }
        )
    return found


def _objective(tree, table, price):
    """Objective of a tree, counted in whole rows, text of a Fraction."""
    wrong = int(np.count_nonzero(tree.predict(table.X) != table.y))
    return str(Fraction(wrong, len(table.y)) + Fraction(price) * tree.n_leaves)


def trials_of_early_stops():
    """Whether the tree at hand is as good as CART's: `Trials`; and in how many searches CART is no better
    than a single leaf."""
    tried, useless = [], 0
    for case, rows in store.outcomes("osdt.early-stops"):
        useless += Fraction(rows[0]["cart"]) >= Fraction(rows[0]["leaf"])
        tried += [
            (
                f"{case['data']}, {float(Fraction(case['regularization'])):g}, {row['stop']:,} trees",
                Fraction(row["held"]) <= Fraction(row["cart"]),
                float(Fraction(row["held"]) - Fraction(row["cart"])),
            )
            for row in rows
        ]
    stops = ", ".join(f"{stop:,}" for stop in STOPS)
    return (
        Trials.of(tried, f"searches on seven data sets at four prices, stopped after {stops} trees"),
        useless,
    )


@experiment(
    "osdt.lower-bound-order",
    item="Section 4",
    title="The bound of every tree taken off the queue, in the order of the bounds",
    cases=lambda: [{"data": "COMPAS", "regularization": str(LAMBDA["COMPAS"])}],
    datasets=data_of,
    seconds=20,
)
def lower_bound_order(case):
    """How often the bound falls from one tree that leaves the queue to the next, and where the proof is
    done."""
    table = load(case["data"])
    X, y, price = border.check_problem(table.X, table.y, Fraction(case["regularization"]))
    columns, counts = border.merge_rows(X, y, border.gini_order(X, y))
    on, policy = _switches(DEFAULT_BOUNDS), search_state.LOWER_BOUND
    search = search_state.new_search(columns, counts, price, policy, True, on)
    expand.plant_root(search)
    _take_if_better(search, _starts("cart", X, y, price, Budget())[-1], X, y)
    now, code, last = search.now[0], expand.PAUSED, -np.inf
    found = {"n_taken": 0, "n_falls": 0, "largest_fall": 0.0, "n_ties": 0, "n_waiting_at_proof": None}
    while code != expand.DONE:
        if now["phase"] == expand.TAKE and now["queue_size"]:
            bound = float(search.queue[0]["metric"])
            found["n_taken"] += 1
            # sums of the same losses in another order differ in the last bit
            found["n_falls"] += bound < last - TOLERANCE
            found["largest_fall"] = max(found["largest_fall"], last - bound) if np.isfinite(last) else 0.0
            found["n_ties"] += abs(bound - last) <= TOLERANCE
            last = max(last, bound)
            if found["n_waiting_at_proof"] is None and bound >= now["best"]:
                found["n_waiting_at_proof"] = int(now["queue_size"])
        code = expand.advance(search, 1)
        if code in (expand.LEAVES_FULL, expand.TREES_FULL, expand.QUEUE_FULL):
            search = _enlarged(search, code)
            now = search.now[0]
    return found | {"n_evaluated": int(now["n_evaluated"]), "last_bound": last, "best": float(now["best"])}


def bounds_in_order():
    """The stored run of `lower_bound_order`, dict."""
    [(_, found)] = store.outcomes("osdt.lower-bound-order")
    return found
