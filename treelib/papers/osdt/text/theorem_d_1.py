"""Theorem D.1 at every step of small searches: the trees still to come against the bound on their number."""

from fractions import Fraction
from math import perm

import numpy as np

from treelib.ledger.experiments import experiment
from treelib.papers.osdt.exhaustive import N_FEATURES
from treelib.papers.osdt.settings import N_PROBLEMS
from treelib.papers.osdt.text.theorems import MOST_ROWS, bound_in_all, bound_with_symmetry, kinds_of_problems
from treelib.sparse.paper import border, expand, search_state
from treelib.sparse.paper.bounds import DEFAULT_BOUNDS, switches
from treelib.sparse.paper.search_state import POLICIES, leaf_is_split


@experiment(
    "osdt.bounds.steps",
    item="Appendix D",
    title="Trees still to be evaluated against Theorem D.1, at every step of small searches",
    cases=lambda: [{"most_rows": MOST_ROWS, "n_problems": N_PROBLEMS, "seed": 0}],
    seconds=5,
)
def bounds_steps(case):
    """How often the bound was asked for, how often it failed, and how near it came (that of Theorem D.1 where
    every tree in the queue counts one at least), for both kinds of problems: list of dict."""
    found = []
    for how, problems in kinds_of_problems(case).items():
        one = {"how": how, "n_tried": 0, "n_failed": 0, "n_failed_counted_once": 0, "worst": ""}
        nearest = {"D.1": 0.0, "D.2": 0.0, "E.2": 0.0}
        for problem in problems:
            price, seen = problem.given[-1], steps(*problem.given)
            in_all = seen[0][0] - 1  # the root is in the queue at first, and no tree evaluated
            for name, bound in (("D.2", bound_in_all), ("E.2", bound_with_symmetry)):
                nearest[name] = max(nearest[name], in_all / bound(price, N_FEATURES))
            for left, bound, by_letter in seen:
                one["n_tried"] += 1
                one["n_failed"] += left > by_letter
                one["n_failed_counted_once"] += left > bound
                nearest["D.1"] = max(nearest["D.1"], left / bound)
                if left > by_letter and not one["worst"]:
                    one["worst"] = f"{problem.text()}: {left} trees, bound {by_letter}"
        one |= nearest
        found.append(one)
    return found


def steps(rows, labels, regularization):
    """The search on a problem, before each state that it takes off the queue.

    Parameters
    ----------
    rows : list of 0/1 rows
    labels : list of 0 and 1
    regularization : Fraction

    Returns
    -------
    list of (trees in the queue or yet to be put there, bound of Theorem D.1, the bound where a tree whose own
    bound has passed the best objective since counts nothing, as the printed sum has it), ints
    """
    X, y = np.array(rows, dtype=np.uint8), np.array(labels)
    columns, counts = border.merge_rows(X, y)
    on = switches(list(DEFAULT_BOUNDS))
    curiosity = POLICIES.index("curiosity")
    search = search_state.new_search(columns, counts, float(regularization), curiosity, False, on)
    expand.plant_root(search)
    now, seen, code = search.now[0], [], expand.PAUSED
    while code != expand.DONE:
        if now["phase"] == expand.TAKE and now["queue_size"]:
            waiting = now["n_evaluated"] - now["queue_size"]
            seen.append((waiting, *_bounds(search, regularization, len(y))))
        code = expand.advance(search, 1)
        if code not in (expand.PAUSED, expand.IMPROVED, expand.DONE):
            raise MemoryError("A search on a few rows fills no table: make the problems smaller.")
    return [(int(now["n_evaluated"] - waiting), *bounds) for waiting, *bounds in seen]


def _bounds(search, price, n):
    """Theorem D.1 for the queue as it is: (every tree in it counts, those out of reach do not), ints."""
    best = Fraction(float(search.now[0]["best"])).limit_denominator(10**6)
    every = by_letter = 0
    for state in search.queue[: search.now[0]["queue_size"]]:
        first, last = search.tree["start"][state["tree"]], search.tree["start"][state["tree"] + 1]
        leaves = search.leaf[search.tree_leaf[first:last]]
        kept = [not leaf_is_split(state["mask"], i, len(leaves)) for i in range(len(leaves))]
        bound = Fraction(int(leaves["n_wrong"][kept].sum()), n) + price * len(leaves)
        room = min((best - bound) // price, 3**N_FEATURES - sum(kept))
        free = 3**N_FEATURES - sum(kept)
        by_letter += sum(perm(free, k) for k in range(room + 1))
        every += sum(perm(free, k) for k in range(max(room, 0) + 1))
    return every, by_letter
