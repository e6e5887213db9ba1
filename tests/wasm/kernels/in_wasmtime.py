"""The committed WebAssembly modules, run by wasmtime as a page runs them."""

import math

import numpy as np
import pytest

from treelib.sparse.paper.bounds import BOUNDS
from treelib.wasm import manifest

# what numba's code on this machine calls; outside of their domain a page's answer is not a number
MATH = {"expm1": math.expm1, "log": math.log, "log1p": lambda x: math.log1p(x) if x > -1 else -math.inf}
MATH |= {"exp2": lambda power: 2.0**power, "log2": math.log2}
_modules = {}


def runtime():
    """The package wasmtime; without it the test that calls is skipped, not this module that others import."""
    return pytest.importorskip("wasmtime", reason="wasmtime is not installed; `make env-ci` installs it")


def compiled(name):
    """Engine and module of a driver, compiled once in a process."""
    wasmtime = runtime()
    if name not in _modules:
        engine = wasmtime.Engine()
        _modules[name] = engine, wasmtime.Module.from_file(engine, str(manifest.FOLDER / f"{name}.wasm"))
    return _modules[name]


class Machine:
    """A fresh instance of a module, with its own memory.

    Parameters
    ----------
    name : str, driver
    most_bytes : int or None, the memory it may grow to; beyond, it is refused as in a page
    """

    def __init__(self, name, most_bytes=None):
        wasmtime = runtime()
        engine, module = compiled(name)
        self.store = wasmtime.Store(engine)
        if most_bytes is not None:
            self.store.set_limits(memory_size=most_bytes)
        given = [self._function(name, one) for one in module.imports]
        self.exports = wasmtime.Instance(self.store, module, given).exports(self.store)

    def _function(self, name, one):
        """The mathematical function that a module asks for, as this machine's C library has it."""
        assert (one.module, one.name) in {("env", known) for known in MATH}, (
            f"{name}.wasm asks for {one.name}"
        )
        wasmtime = runtime()
        kind = wasmtime.FuncType([wasmtime.ValType.f64()], [wasmtime.ValType.f64()])
        return wasmtime.Func(self.store, kind, self.library(one.name))

    def library(self, name):
        return MATH[name]

    def call(self, name, *values):
        return self.exports[name](self.store, *values)

    def put(self, array):
        """Copy an array into the memory; its address."""
        address = self.room(array.nbytes)
        self.exports["memory"].write(self.store, np.ascontiguousarray(array).tobytes(), address)
        return address

    def room(self, n_bytes):
        address = self.call("tl_alloc", max(n_bytes, 1))
        if not address:
            raise MemoryError
        return address

    def get(self, address, dtype, *shape):
        n_bytes = np.dtype(dtype).itemsize * int(np.prod(shape))
        raw = self.exports["memory"].read(self.store, address, address + n_bytes)
        return np.frombuffer(raw, dtype).reshape(shape).copy()


class _Stepped:
    """A `search` of a `machine` that goes on step by step, under a `limit`."""

    RUNNING = 0

    def step(self):
        return self.machine.call("step", self.search, self.limit)

    def run(self, n_steps=None):
        """Step to the end, or so many times; the last answer."""
        answer, done = self.RUNNING, 0
        while answer == self.RUNNING and done != n_steps:
            answer, done = self.step(), done + 1
        return answer


class SparseSearch(_Stepped):
    """The exact search of `treelib.sparse.exact.minimise` in a page."""

    PROVED, NO_MEMORY = 1, 2

    def __init__(
        self, columns, costs, regularization, *, total=None, max_depth=None, limit=2.0**31, most_bytes=None
    ):
        self.machine = Machine("sparse", most_bytes)
        columns, costs = np.asarray(columns, np.uint8), np.asarray(costs, np.float64)
        self.limit, self.shape = float(limit), (*columns.shape, costs.shape[1])
        self.places = self.machine.put(columns), self.machine.put(costs)
        total = float(len(columns) if total is None else total)
        depth = -1 if max_depth is None else max_depth
        self.search = self.machine.call(
            "start", *self.places, *self.shape, float(regularization), total, depth, self.limit
        )
        if not self.search:
            raise MemoryError
        self.numbers = self.machine.room(8 * 8)

    def bounds(self):
        """Objective known, lower bound, nodes, bytes, room for a tree."""
        self.machine.call("bounds", self.search, self.numbers)
        return self.machine.get(self.numbers, np.float64, 5)

    def read(self):
        """The tree as a list of four lists, and a dict of what is known of it."""
        room = int(self.bounds()[4])
        out = self.machine.room(8 * 4 * room)
        n = self.machine.call("read", self.search, *self.places, *self.shape, out, room, self.numbers)
        assert n > 0
        tree = self.machine.get(out, np.int64, 4, room)[:, :n].tolist()
        names = ["objective", "lower_bound", "is_optimal", "n_nodes", "n_evaluated"]
        names += ["n_columns_looked_at", "n_table_hits", "n_merged_rows"]
        self.machine.call("tl_free", out)
        return tree, dict(zip(names, self.machine.get(self.numbers, np.float64, 8).tolist(), strict=True))


class Branching:
    """The search of `treelib.sparse.paper.branch_and_bound` in a page, from a cold start."""

    RUNNING, FINISHED, NO_MEMORY = 0, 1, 2
    NAMES = ("best", "lower_bound", "n_evaluated", "n_to_optimum")
    NAMES += ("n_taken", "queue_size", "n_leaves", "n_trees")

    def __init__(self, X, y, regularization, bounds, policy=0, paper=0):
        self.machine, self.shape = Machine("branching"), X.shape
        places = self.machine.put(np.asarray(X, np.uint8)), self.machine.put(np.asarray(y, np.int64))
        on = self.machine.put(np.array([name in bounds for name in BOUNDS], np.uint8))
        self.search = self.machine.call("start", *places, *X.shape, float(regularization), policy, paper, on)
        assert self.search

    def step(self, n_work=20_000, n_states=1 << 40, most_bytes=1e9):
        return self.machine.call("step", self.search, n_work, n_states, float(most_bytes))

    def facts(self):
        """A dict by `NAMES`, and the leaves of the best tree and of the one at hand."""
        out = self.machine.room(8 * 12)
        self.machine.call("facts", self.search, out)
        values = self.machine.get(out, np.float64, 12)
        return dict(zip(self.NAMES, values.tolist(), strict=False)), values[10:].astype(int).tolist()

    def read(self, at_hand=False):
        """Leaves as sets of (column, value), whether each may be split, and the order of the columns."""
        room, p = self.facts()[1][at_hand] + 1, self.shape[1]
        out = self.machine.room(8 * room * (p + 1))
        n = self.machine.call("read", self.search, int(at_hand), out, room)
        table = self.machine.get(out, np.int64, room, p + 1)
        leaves = [frozenset((j, v) for j, v in enumerate(row[:p]) if v >= 0) for row in table[:n].tolist()]
        return leaves, table[:n, p].astype(bool).tolist(), table[n, :p].tolist()


class GrownTree:
    """A tree of `treelib.topdown.grow.learner.learn` in a page: arrays `whole`, `real` and `value`."""

    def __init__(self, X, y, n_classes, alpha, beta, limits):
        machine = Machine("topdown")
        n, d = X.shape
        room = 2 * n + 1
        whole, real, value = (machine.room(8 * room * width) for width in (10, 3, n_classes))
        places = machine.put(np.asarray(X, np.float64)), machine.put(np.asarray(y, np.int64))
        table = machine.call("start", *places, n, d, n_classes)
        n_nodes = machine.call(
            "grow",
            table,
            machine.put(np.array([alpha, beta], np.float64)),
            machine.put(np.array(limits)),
            *(whole, real, value),
        )
        assert n_nodes > 0
        self.whole = machine.get(whole, np.int64, room, 10)[:n_nodes]
        self.real = machine.get(real, np.float64, room, 3)[:n_nodes]
        self.value = machine.get(value, np.float64, room, n_classes)[:n_nodes]


class DyadicPath(_Stepped):
    """The search of `treelib.dyadic.solutions.solution_path` in a page, down to a price in rows a leaf."""

    PROVED, NO_MEMORY, TOO_FINE = 1, 2, 3

    def __init__(self, X, y, n_classes, low, most_bytes=1e9):
        self.machine, self.limit = Machine("dyadic"), float(most_bytes)
        self.n_features = X.shape[1]
        places = self.machine.put(np.asarray(X, np.float64)), self.machine.put(np.asarray(y, np.int64))
        price = low.numerator, low.denominator
        self.search = self.machine.call("start", *places, *X.shape, n_classes, *price)
        assert self.search

    def facts(self):
        """Vertices, rectangles looked at, stored, found again, cells, loss of every tree, of the leaf."""
        out = self.machine.room(8 * 7)
        self.machine.call("facts", self.search, out)
        return [int(value) for value in self.machine.get(out, np.float64, 7)]

    def path(self):
        """Leaves and loss of all solutions, and the halvings of each feature."""
        n = self.facts()[0]
        out, splits = self.machine.room(16 * n), self.machine.room(8 * self.n_features)
        self.machine.call("path", self.search, out, splits)
        return self.machine.get(out, np.int64, n, 2), self.machine.get(splits, np.int64, self.n_features)

    def read(self, place, n_leaves):
        """Nodes and thresholds of a solution's tree."""
        n = 2 * n_leaves - 1
        nodes, cuts = self.machine.room(8 * 5 * n), self.machine.room(8 * n)
        assert self.machine.call("read", self.search, place, n, nodes, cuts) == n
        return self.machine.get(nodes, np.int64, n, 5), self.machine.get(cuts, np.float64, n)


class BornAgain(_Stepped):
    """The search of `treelib.bornagain.exact.minimise` for trees with a vote each in a page."""

    PROVED, TOO_LARGE = 1, 2

    def __init__(self, ensemble, objective, most_bytes=1e9):
        self.machine = Machine("bornagain")
        nodes = ensemble.nodes
        fields = np.stack([nodes.left, nodes.right, nodes.feature, nodes.votes.argmax(axis=1)])
        sizes = np.array([len(nodes.root), len(nodes.left), ensemble.n_features, ensemble.n_classes])
        places = [self.machine.put(array) for array in (nodes.root, fields, nodes.threshold, sizes)]
        self.search = self.machine.call("start", *places, objective, float(most_bytes))
        assert self.search

    def step(self):
        return self.machine.call("step", self.search)

    def facts(self):
        """Thresholds, cells, what matters of both, regions, rows, rows done, regions a row; the bound."""
        out = self.machine.room(8 * 9)
        self.machine.call("facts", self.search, out)
        *counts, bound = self.machine.get(out, np.float64, 9).tolist()
        return [int(value) for value in counts], bound

    def read(self, room=4096):
        """Nodes and thresholds of the tree."""
        nodes, cuts = self.machine.room(32 * room), self.machine.room(8 * room)
        n = self.machine.call("read", self.search, nodes, cuts, room)
        assert n > 0
        return self.machine.get(nodes, np.int64, 4, room)[:, :n], self.machine.get(cuts, np.float64, room)[:n]
