"""Room of growing trees: bytes of their tables, and growth that is watched and given more room as it goes."""

import numpy as np

from treelib.search.budget import INTERRUPTED, Stopped, status_of
from treelib.topdown.grow.one_tree import N_NODES, STOP, grow

# rows times features from which a tree takes so long that it is watched without a limit, for Ctrl-C
_LONG = 1 << 22
_OBJECTS_OF_A_TREE = 1500  # bytes of the tree and of the heads of its arrays


def grow_within(budget, rows, rule, scratch, nodes, tell=False):
    """The nodes of a tree, and what ended its growth early or None.

    Parameters
    ----------
    budget : Budget, which counts what all trees share and what the finished ones take
    rows, rule, scratch, nodes : as of `treelib.topdown.grow.one_tree.grow`
    tell : bool, show how many nodes there are while it grows
    """
    own = bytes_of((rows.codes, *scratch))

    def step():
        return grow(rows, rule, scratch, nodes)

    def stop():
        nodes.state[STOP] = 1

    def look():
        if tell:
            budget.show(f"{nodes.state[N_NODES]:,} nodes")

    is_limited = budget.time_limit is not None or budget.memory_limit is not None
    is_watched = is_limited or budget.verbose or rows.codes.shape[1] * rule.max_features > _LONG
    try:
        budget.check(own + bytes_of(nodes))
        while not (budget.watch(step, stop, look) if is_watched else step()):
            budget.check(own + bytes_of_longer(nodes))
            nodes = longer(nodes)
        if nodes.state[STOP]:
            raise Stopped(budget.due() or INTERRUPTED)
    except (Stopped, KeyboardInterrupt) as stopped:
        nodes.state[STOP] = 1
        grow(rows, rule, scratch, nodes)  # what waits for its split is a leaf
        return nodes, status_of(stopped)
    return nodes, None


def longer(nodes):
    """`nodes` with twice the room. What is new is not touched: that takes as long as to copy the rest."""
    tables = {}
    for name in ("whole", "real", "value", "waiting"):
        table = getattr(nodes, name)
        tables[name] = np.empty((2 * len(table), *table.shape[1:]), table.dtype)
        tables[name][: len(table)] = table
    return nodes._replace(**tables)


def bytes_of(arrays):
    """Bytes of the arrays among `arrays`."""
    return sum(array.nbytes for array in arrays if array is not None)


def bytes_of_longer(nodes):
    """Bytes of twice as many `nodes` and of the `Tree` that is made of them, nearly. While they are made
    longer the old ones are beside them, which is less."""
    return 9 * bytes_of(nodes) // 2


def bytes_of_tree(tree):
    """Bytes of a `Tree`, nearly."""
    arrays = (value for value in vars(tree).values() if isinstance(value, np.ndarray))
    return bytes_of(arrays) + _OBJECTS_OF_A_TREE
