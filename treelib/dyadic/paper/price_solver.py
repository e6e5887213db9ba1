"""`PriceSolver`: the pruned recursion at many prices of a leaf, over recorded rectangles.

A search over lambda asks for hundreds of prices, most of them near one before. A solver keeps the optima of
its last price and evaluates only what another price can change (`treelib.dyadic.paper.settled_rectangles`):
over the 373 prices of the heuristic search of diabetes each rectangle 5.6 times, which takes 3 s in place of
39.
"""

from fractions import Fraction

import numpy as np

from treelib.dyadic.paper import procedure_1 as rules
from treelib.dyadic.paper import settled_rectangles as k
from treelib.dyadic.paper.recorded_rectangles import count_at
from treelib.dyadic.paper.recursion import Outcome


class PriceSolver:
    """Solver of one rule for ties and one split ratio; called with a price it gives an `Outcome`, equal to
    that of `treelib.dyadic.paper.recursion.solve`, and keeps it.

    Parameters
    ----------
    graph : Graph, of `treelib.dyadic.paper.recorded_rectangles.record`
    tie, ratio : as in `treelib.dyadic.paper.recursion.Recursion`; ratio None: no split ratios are
        kept, so fewer prices change anything
    parents : int32 (m, d), of another solver of the same graph, or None

    Attributes
    ----------
    n_evaluated : int, rectangles evaluated at all prices so far
    """

    def __init__(self, graph, *, tie="largest", ratio="printed", parents=None):
        self.graph, self.n_evaluated = graph, 0
        self._terms = [
            np.int64(rules.TIES[tie]),
            np.int64(k.NO_RATIO if ratio is None else ratio == "corrected"),
        ]
        n, (n_expanded, d) = len(graph.leaf_error), graph.children.shape[:2]
        if parents is None:
            parents = np.full((n, d), -1, dtype=np.int32)
            k.find_parents(graph.children, n - n_expanded, parents)
        # no fraction kept has larger terms: errors, and leaves of trees that are better than a single leaf
        kind = np.int32 if graph.leaf_error[-1] < 2**31 else np.int64
        n_blocks = -(-n // k.BLOCK)
        sizes = {"low": n, "high": n, "ratio": n} | dict.fromkeys(
            ("block_low", "block_high", "block_ratio"), n_blocks
        )
        value = np.empty((n + 2, 2), dtype=kind)
        value[-2:] = 0, 1
        self._settled = k.Settled(
            value=value,
            changed=np.empty(n, dtype=np.uint8),
            block_changed=np.empty(n_blocks, dtype=np.uint8),
            parents=parents,
            sums=np.zeros((d + 1, 2), dtype=np.int64),
            **{name: np.empty((size, 2), dtype=kind) for name, size in sizes.items()},
        )
        k.begin(graph.leaf_error, n - n_expanded, self._settled)
        # expanded at each whole number of errors that a leaf may cost
        counts = np.bincount(graph.leaf_error[n - n_expanded :], minlength=len(graph.visited))
        self._expanded = np.cumsum(counts[::-1])[::-1]
        self._found = {}

    @property
    def parents(self):
        """Positions of the wholes, int32 (m, d), for another solver."""
        return self._settled.parents

    def __call__(self, price):
        price = Fraction(price)
        if price not in self._found:
            self._found[price] = self._solve(price)
        return self._found[price]

    def _solve(self, price):
        terms = k.Terms(np.int64(price.numerator), np.int64(price.denominator), *self._terms)
        answer = np.zeros(3, dtype=np.int64)
        k.settle(self.graph.leaf_error, self.graph.children, self._settled, terms, answer)
        self.n_evaluated += int(answer[0])
        error, leaves = map(int, self._settled.value[-3])
        ceiling = -(-price.numerator // price.denominator)
        return Outcome(
            error,
            leaves,
            n_visited=count_at(self.graph.visited, ceiling),
            n_expanded=int(self._expanded[ceiling]) if ceiling < len(self._expanded) else 0,
            ratio=Fraction(int(answer[1]), int(answer[2])) or None,
        )


class PriceSolvers:
    """The `PriceSolver` of each rule for ties and each split ratio on one graph, made when it is asked for.

    graph : Graph
    """

    def __init__(self, graph):
        self.graph, self._made = graph, {}

    def __call__(self, tie="largest", ratio="printed"):
        """`PriceSolver`; arguments as there."""
        if (tie, ratio) not in self._made:
            parents = next((one.parents for one in self._made.values()), None)
            self._made[tie, ratio] = PriceSolver(self.graph, tie=tie, ratio=ratio, parents=parents)
        return self._made[tie, ratio]
