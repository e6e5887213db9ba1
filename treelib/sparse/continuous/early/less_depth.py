"""Trees of less depth first, for a search that its limit of time will likely end.

A search that goes on to its end finds the best tree of all that it may return. One that is stopped has looked
at few of them, and the best tree of less depth, which is found much sooner, may be better than its own.
"""

import numpy as np

from treelib.search.budget import INTERRUPTED, MEMORY_LIMIT, OPTIMAL, part_of
from treelib.sparse.continuous.prepare import Until, seconds_to_start

# of the limit of time, what a search goes alone
ALONE_OF_LIMIT = 0.1
# of the time left then, what trees of less depth may take: a search for deeper ones takes longer than theirs,
# and would not end where these do not
SHARE = 0.75
# steps between two looks at whether a search goes alone
TURN = 4


def seconds_alone(budget):
    """Seconds until a search will likely be stopped; infinity without a limit of time."""
    return np.inf if budget.time_limit is None else ALONE_OF_LIMIT * budget.time_limit - budget.seconds


def run_alone(search, budget, most_steps=np.inf):
    """Run `search` until it will likely be stopped, for so many steps at most. Returns the status or None."""
    while True:
        status = search.run(budget, min(search.steps + TURN, most_steps))
        if status is not None or search.steps >= most_steps or seconds_alone(budget) <= 0:
            return status


def improve_within_leaves(make, search, data, max_leaves, best, budget):
    """The best tree of so little depth that it has no more than `max_leaves` leaves, or `best`.

    Parameters
    ----------
    make : callable of rows, data, depth and a tree to start from, which gives a `Search`
    search : Search that waits or has ended, at any price
    data : Data, by which trees are compared
    best : NumberTree of any depth
    """
    depth = max_leaves.bit_length() - 1
    if depth >= search.depth:
        return best
    _, shallow = _search_depth(make, search, data, depth, best, budget, SHARE * budget.time_left)
    return best if shallow is None else shallow.tree(Until(budget, np.inf))


def improve_deep(make, search, budget):
    """Let `search` look only for trees that are better than those of narrow passes, and than all of depth
    three and four; these raise its `floor`.

    make : as in `improve_within_leaves`. search : Search with a price, of trees deeper than three
    """
    until = budget.seconds + SHARE * budget.time_left
    todo = [(depth, True) for depth in sorted({4, search.depth}, reverse=True)]
    todo += [(depth, False) for depth in (3, 4) if search.deep.frames["ruled"][0] < depth < search.depth]
    for k, (depth, is_narrow) in enumerate(todo):
        best = min(search.trees, key=search.data.objective, default=None)
        seconds = (until - budget.seconds) / (2 if todo[k + 1 :] else 1)
        status, own = _search_depth(make, search, search.data, depth, best, budget, seconds, is_narrow)
        if own is not None:
            search._start_from(own.tree(Until(budget, np.inf)))
        if status == OPTIMAL and not is_narrow:  # trees that are deeper have two leaves more than levels here
            search.floor = max(search.floor, min(own.best, (depth + 2) * search.numbers.price))


def _search_depth(make, beside, data, depth, best, budget, seconds, is_narrow=False):
    """Status of a search for trees of at most `depth` that are better than `best`, and the `Search`; None
    where there was no room or time for it beside the one that waits. It begins with narrow passes, and if
    `is_narrow` makes no others."""
    has_room = budget.exceeded(n_bytes=2 * beside.n_bytes) != MEMORY_LIMIT
    if not has_room or seconds < 2 * seconds_to_start(beside.rows):
        return None, None
    # what the part records is told to nobody: it bounds no deeper tree
    own = make(beside.rows, data, depth, best)
    part = part_of(budget, seconds)
    own.has_greedy, own.bytes_beside, own.deep.now["width"] = True, beside.n_bytes, 1
    status = None
    while status is None and not (is_narrow and own.deep.now["width"][0] == 0):
        status = own.run(part, own.steps + TURN)
    part.n_bytes = 0  # its arrays are gone
    if status == INTERRUPTED:
        budget.stop()  # it has swallowed the Ctrl-C that was meant for all
    return status, own
