"""Time and memory of growing trees: one clock and one count of bytes for a tree, or for a whole forest."""

import os
import sys
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from treelib.budget import INTERRUPTED, Budget, Stopped
from treelib.topdown.grow import N_NODES, STOP, grow

# rows times features from which a tree takes so long that it is watched without a limit, for Ctrl-C
_LONG = 1 << 22
_OBJECTS_OF_A_TREE = 1500  # bytes of the tree and of the heads of its arrays


class TreeBudget:
    """The budget of trees, `n_at_once` of which grow at the same time, beside those that are kept.

    Parameters
    ----------
    time_limit, memory_limit, verbose : as in `treelib.budget.Budget`; the bytes are those of the learner's
        tables and of the trees, not of the training data
    n_at_once : int

    Attributes
    ----------
    held : int, bytes that all trees share and that the finished ones take
    most : int, largest number of bytes so far
    status : str or None, what ended the growth early
    """

    def __init__(self, time_limit=None, memory_limit=None, verbose=False, n_at_once=1, tells_nodes=False):
        self.budget = Budget(time_limit, memory_limit, cancel=self._look)
        self.n_at_once, self.verbose, self.tells_nodes = n_at_once, verbose, tells_nodes
        self.is_limited = time_limit is not None or memory_limit is not None
        self.held = self.most = 0
        self.status = None
        self._state, self._last_line = None, 0.0

    def __getstate__(self):
        limits = self.budget.time_limit, self.budget.memory_limit
        return {**self.__dict__, "_state": None, "budget": limits}, self.budget.seconds

    def __setstate__(self, state):
        own, seconds = state
        self.__dict__.update(own)
        self.budget = Budget(*own["budget"], cancel=self._look)
        self.budget.start -= seconds  # another machine has another clock

    def stop(self, status):
        """End the growth of all trees; the first `status` is kept."""
        self.status = self.status or status

    def until_stopped(self, items):
        """`items`, until the growth is ended."""
        for item in items:
            status = self.budget.due()
            if status is not None:
                self.stop(status)
                return
            yield item

    def check(self, n_bytes=0, shared=0):
        """Raise `Stopped` where a limit is met, if each growing tree takes `n_bytes`, and all `shared`."""
        total = self.held + shared + self.n_at_once * n_bytes
        status = self.budget.exceeded(n_bytes=total)
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
            while not (self.budget.watch(step, stop) if is_watched else step()):
                self.check(own + bytes_of_longer(nodes))
                nodes = longer(nodes)
            if nodes.state[STOP]:
                raise Stopped(self.status or self.budget.due() or INTERRUPTED)
        except (Stopped, KeyboardInterrupt) as stopped:
            nodes.state[STOP] = 1
            grow(rows, rule, scratch, nodes)  # what waits for its split is a leaf
            return nodes, status_of(stopped)
        return nodes, None

    def tell(self, text, last=False):
        """Show `text` on standard error if asked to, now and then; the last one for good."""
        now = self.budget.seconds
        live = self.verbose and (sys.stderr.isatty() or "JPY_PARENT_PID" in os.environ)
        if not self.verbose or not (last or now - self._last_line > (0.2 if live else 5.0)):
            return
        self._last_line = now
        end = "\n" if last or not live else ""
        print(("\r" if live else "") + f"{now:8.1f} s  {text}", end=end, file=sys.stderr, flush=True)

    def _look(self):
        """Whether to stop, asked while a tree grows."""
        if self.tells_nodes and self._state is not None:
            self.tell(f"{self._state[N_NODES]:,} nodes")
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


def status_of(stop):
    """Status of what ended the growth, `Stopped` or KeyboardInterrupt."""
    return getattr(stop, "status", INTERRUPTED)


def warn_stopped(status, what, stacklevel):
    """ConvergenceWarning at the line so many calls up."""
    text = f"The growth stopped early ({status}): {what}."
    warnings.warn(text, ConvergenceWarning, stacklevel=stacklevel)
