"""Nodes that ask more than "is x <= t?", written as threshold splits.

Categories and values that count as zero or missing send some intervals of a feature left and the others
right. Such a node becomes a small tree of threshold splits with copies of the two subtrees below. A category
v of a library that compares codes exactly is the interval of the one number v.
"""

import numpy as np

from treelib.tree.stored import Tree

MAX_NODES = 200_000


class Builder:
    """Node arrays of one tree, filled from the root down.

    Parameters
    ----------
    n_features : int
    name : str, of the tree in messages
    """

    def __init__(self, n_features, name):
        self.n_features, self.name = n_features, name
        self.left, self.right, self.feature, self.threshold = [], [], [], []
        self.missing, self.score = [], []

    def leaf(self, score):
        """Add a leaf; its number."""
        return self._add(-2, -2.0, 0, score)

    def split(self, feature, threshold, missing_left):
        """Add a split whose children are set later; its number."""
        return self._add(feature, threshold, int(missing_left), 0.0)

    def _add(self, feature, threshold, missing, score):
        if len(self.feature) >= MAX_NODES:
            raise ValueError(
                f"{self.name} needs more than {MAX_NODES:,} threshold splits; its categories are too many."
            )
        for values, value in (
            (self.left, -1),
            (self.right, -1),
            (self.feature, feature),
            (self.threshold, threshold),
            (self.missing, missing),
            (self.score, score),
        ):
            values.append(value)
        return len(self.feature) - 1

    def link(self, node, goes_left, child):
        """Make `child` the left or right child of `node`."""
        (self.left if goes_left else self.right)[node] = child

    def tree(self):
        """`Tree` that predicts the score (a regression tree)."""
        return Tree(
            children_left=self.left,
            children_right=self.right,
            feature=self.feature,
            threshold=self.threshold,
            value=np.array(self.score, dtype=np.float64)[:, None],
            n_features=self.n_features,
            missing_go_to_left=self.missing,
            is_regression=True,
        )


def build(read_node, root, n_features, name, max_nodes):
    """`Tree` of a tree whose nodes are read one by one.

    Parameters
    ----------
    read_node : callable of a node's number. A leaf is a float, its score. A split is
        ``(feature, ends, sides, missing_left, left, right)``: interval i of the feature ends with ``ends[i]``
        (the last one at infinity) and goes left iff ``sides[i]``; left and right are numbers of nodes.
    root : int
    max_nodes : int, nodes that the file says it has; a walk that meets more went round in a circle

    Raises
    ------
    ValueError
        With `name`, where the nodes form no tree.
    """
    made, n_read = Builder(n_features, name), 0
    todo = [(root, None, False, frozenset())]
    # `above` is the path of numbers, so that a circle is found before it grows
    while todo:
        number, parent, goes_left, above = todo.pop()
        if number in above:
            raise ValueError(f"{name}: node {number} is its own ancestor.")
        n_read += 1
        if n_read > MAX_NODES:
            raise ValueError(f"{name} has more than {MAX_NODES:,} nodes.")
        found = read_node(number)
        if isinstance(found, float):
            node = made.leaf(found)
        else:
            feature, ends, sides, missing_left, left, right = found
            path = above | {number}
            node = _chain(made, feature, ends, sides, missing_left, (right, left), path, todo)
            if node is None:  # all values go one way
                child = left if sides[0] else right
                if bool(missing_left) == bool(sides[0]):
                    todo.append((child, parent, goes_left, path))
                    continue
                node = made.split(feature, np.inf, False)
                todo.append((child, node, True, path))
                todo.append((right if sides[0] else left, node, False, path))
        if parent is not None:
            made.link(parent, goes_left, node)
    return made.tree()


def _chain(made, feature, ends, sides, missing_left, children, path, todo):
    """Balanced tree of the splits that part neighbouring intervals; its root, or None where none is
    needed."""
    cuts = [end for end, this, after in zip(ends, sides[:-1], sides[1:], strict=True) if this != after]
    if not cuts:
        return None
    first = bool(sides[0])
    # interval i of the merged ones goes left iff i is even and the first does
    side = [first ^ bool(i % 2) for i in range(len(cuts) + 1)]
    home = side.index(bool(missing_left))  # missing values take the path of an interval that goes their way
    root = None
    parts = [(0, len(side) - 1, None, False)]
    while parts:
        low, high, parent, goes_left = parts.pop()
        if low == high:
            todo.append((children[side[low]], parent, goes_left, path))
            continue
        middle = (low + high) // 2
        node = made.split(feature, cuts[middle], home <= middle)
        if parent is None:
            root = node
        else:
            made.link(parent, goes_left, node)
        parts += [(low, middle, node, True), (middle + 1, high, node, False)]
    return root
