"""Trees to start from: any tree over the columns, changed until it keeps to the constraints."""

import numpy as np

from treelib.search.budget import asking
from treelib.sparse.constrained.bounds import bits
from treelib.sparse.constrained.order import best_labels
from treelib.sparse.constrained.partial_trees import Leaf
from treelib.table.checks import go_on


class Repair:
    """Makes trees keep to the constraints: splits with too small sides go, splits on required columns are
    added where they cost least, leaves get the labels of least cost that keep the order.

    `check` is asked between the steps of all that; it may raise."""

    def __init__(self, problem, order, price, max_depth, max_leaves, check=go_on):
        self.problem, self.order, self.price, self.check = problem, order, price, check
        self.max_depth, self.max_leaves = max_depth, max_leaves

    def leaves(self, tree):
        """Closed leaves of a `ColumnTree` that was mended, and their cost with their price; (None, infinity)
        where that fails."""
        found = self._with_required(self._shape(tree))
        if found is None:
            return None, np.inf
        costs = [self.problem.leaf_costs(leaf.rows) for leaf in asking(found, self.check, 64)]
        labels = self._labels(found, costs)
        paid = sum(cost[k] for cost, k in zip(costs, labels, strict=True))
        if not self.problem.n_wanted:
            found, labels = self._merged(found, labels)
        if len(found) > self.max_leaves:
            return None, np.inf
        closed = tuple(leaf._replace(label=k) for leaf, k in zip(found, labels, strict=True))
        return closed, float(paid) + self.price * len(closed)

    def _cut(self, leaf, column):
        """Both sides of a leaf, or None where one is too small or too deep."""
        if leaf.depth < 1:
            return None
        parts = self.problem.sides(leaf.rows, column)
        if min(self.problem.count(part) for part in parts) < self.problem.min_rows:
            return None
        return [
            Leaf((*leaf.path, (column, side)), part, leaf.depth - 1, self.order.cut(leaf.box, column, side))
            for side, part in enumerate(parts)
        ]

    def _shape(self, tree):
        """Open leaves of a tree, less the splits that are not allowed."""
        done, todo = [], [(0, Leaf((), self.problem.everything, self.max_depth, {}))]
        while todo:
            self.check()
            node, leaf = todo.pop()
            column = int(tree.column[node])
            sides = self._cut(leaf, column) if column >= 0 else None
            if sides is not None:
                todo += [(tree.true_child[node], sides[1]), (tree.false_child[node], sides[0])]
            elif column >= 0:  # the larger side takes the place of the split
                parts = self.problem.sides(leaf.rows, column)
                children = tree.false_child[node], tree.true_child[node]
                larger = int(self.problem.count(parts[1]) > self.problem.count(parts[0]))
                todo.append((children[larger], leaf))
            else:
                done.append(leaf)
        return done

    def _with_required(self, leaves):
        """The leaves with a split on each required column, or None where one finds no place."""
        wanted = self.problem.wanted
        tested = {int(wanted[column]) for leaf in leaves for column, _ in leaf.path}
        for number in bits((1 << self.problem.n_wanted) - 1):
            if number in tested:
                continue
            best, chosen = np.inf, None
            for at, leaf in enumerate(leaves):
                self.check()
                before = self.problem.leaf_costs(leaf.rows).min()
                for column in np.flatnonzero(wanted == number).tolist():
                    sides = self._cut(leaf, column)
                    if sides is None:
                        continue
                    more = sum(self.problem.leaf_costs(side.rows).min() for side in sides) - before
                    if more < best:
                        best, chosen = more, (at, sides)
            if chosen is None:
                return None
            leaves = leaves[: chosen[0]] + chosen[1] + leaves[chosen[0] + 1 :]
        return leaves

    def _labels(self, leaves, costs):
        """The class of each leaf; costs : list of float64 (n_classes,), of each leaf as each class."""
        is_ordered = self.problem.is_ordered
        pairs = self.order.pairs([leaf.box for leaf in leaves], self.check) if is_ordered else ()
        return best_labels([cost.tolist() for cost in costs], pairs)

    def _merged(self, leaves, labels):
        """The leaves, sisters of one label merged."""
        leaves, labels = list(leaves), list(labels)
        at = 1
        while at < len(leaves):
            one, other = leaves[at - 1].path, leaves[at].path
            if labels[at - 1] == labels[at] and len(one) == len(other) and one[:-1] == other[:-1]:
                box = {}
                for column, side in one[:-1]:
                    box = self.order.cut(box, column, side)
                rows, depth = leaves[at - 1].rows | leaves[at].rows, leaves[at].depth + 1
                leaves[at - 1 : at + 1] = [Leaf(one[:-1], rows, depth, box)]
                del labels[at]
                at = max(at - 1, 1)
            else:
                at += 1
        return leaves, labels
