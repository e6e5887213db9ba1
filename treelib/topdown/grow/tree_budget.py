"""Time and memory of growing trees: one clock and one count of bytes for a tree, or for a whole forest."""

import numpy as np

from treelib.search.budget import INTERRUPTED, Budget, Stopped, status_of
from treelib.topdown.grow.one_tree import N_NODES, STOP, grow

# rows times features from which a tree takes so long that it is watched without a limit, for Ctrl-C
_LONG = 1 << 22
_OBJECTS_OF_A_TREE = 1500  # bytes of the tree and of the heads of its arrays


class TreeBudget(Budget):
    """The budget of trees, `n_at_once` of which grow at the same time, beside those that are kept.

    Parameters
    ----------
    time_limit, memory_limit, verbose : as in `treelib.search.budget.Budget`; the bytes are those of the
        learner's tables and of the trees, not of the training data
    n_at_once : int

    Attributes
    ----------
    held : int, bytes that all trees share and that the finished ones take
    most : int, largest number of bytes so far
    status : str or None, what ended the growth early
    """

    def __init__(self, time_limit=None, memory_limit=None, verbose=False, n_at_once=1, tells_nodes=False):
        super().__init__(time_limit, memory_limit, verbose=verbose, cancel=self._look)
        self.n_at_once, self.tells_nodes = n_at_once, tells_nodes
        self.is_limited = time_limit is not None or memory_limit is not None
        self.held = self.most = 0
        self.status = self._state = None

    def __getstate__(self):
        own, seconds = super().__getstate__()
        return {**own, "_state": None}, seconds

    def stop(self, status):
        """End the growth of all trees; the first `status` is kept."""
        self.status = self.status or status

    def until_stopped(self, items):
        """`items`, until the growth is ended."""
        for item in items:
            status = self.due()
            if status is not None:
                self.stop(status)
                return
            yield item

    def check(self, n_bytes=0, shared=0):
        """Raise `Stopped` where a limit is met, if each growing tree takes `n_bytes`, and all `shared`."""
        total = self.held + shared + self.n_at_once * n_bytes
        status = self.exceeded(n_bytes=total)
        if status is not None:
            raise Stopped(status)
        self.most = max(self.most, total)

    def grow(self, rows, rule, scratch, nodes):
        """The nodes of a tree, and what ended its growth early or None; arguments as of `grow`."""
        own = bytes_of((rows.codes, *scratch))

        def step():
            return grow(rows, rule, scratch, nodes)

        def stop():
            nodes.state[STOP] = 1

        is_long = rows.codes.shape[1] * rule.max_features > _LONG
        is_watched = self.is_limited or self.verbose or is_long
        self._state = nodes.state
        try:
            self.check(own + bytes_of(nodes))
            while not (self.watch(step, stop) if is_watched else step()):
                self.check(own + bytes_of_longer(nodes))
                nodes = longer(nodes)
            if nodes.state[STOP]:
                raise Stopped(self.status or self.due() or INTERRUPTED)
        except (Stopped, KeyboardInterrupt) as stopped:
            nodes.state[STOP] = 1
            grow(rows, rule, scratch, nodes)  # what waits for its split is a leaf
            return nodes, status_of(stopped)
        return nodes, None

    def _look(self):
        """Whether to stop, asked while a tree grows."""
        if self.tells_nodes and self._state is not None:
            self.show(f"{self._state[N_NODES]:,} nodes")
        return self.status is not None


def longer(nodes):
    """`nodes` with twice the room."""
    tables = ("whole", "real", "value", "waiting")
    return nodes._replace(**{name: np.concatenate([getattr(nodes, name)] * 2) for name in tables})


def bytes_of(arrays):
    """Bytes of the arrays among `arrays`."""
    return sum(array.nbytes for array in arrays if array is not None)


def bytes_of_longer(nodes):
    """Bytes of `nodes` while they are made longer, the new ones beside the old."""
    return 3 * bytes_of(nodes)


def bytes_of_tree(tree):
    """Bytes of a `Tree`, nearly."""
    arrays = (value for value in vars(tree).values() if isinstance(value, np.ndarray))
    return bytes_of(arrays) + _OBJECTS_OF_A_TREE
