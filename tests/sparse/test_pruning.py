"""Cutting a tree back to few leaves, against all ways to do it."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from treelib.sparse.pruning import splits_within


@st.composite
def trees(draw):
    """Children of each node, -1 for leaves, and the cost of each node as a leaf: whole numbers, so that some
    parts cost the same."""
    left, right, todo = [-1], [-1], [0]
    for _ in range(draw(st.integers(0, 7))):
        node = todo.pop(draw(st.integers(0, len(todo) - 1)))
        left[node], right[node] = len(left), len(left) + 1
        todo += [len(left), len(left) + 1]
        left += [-1, -1]
        right += [-1, -1]
    costs = draw(st.lists(st.integers(0, 9), min_size=len(left), max_size=len(left)))
    return np.array(left), np.array(right), np.array(costs, float)


def parts(left, right, node=0):
    """All parts of the tree below a node, as sets of splits that stay."""
    found = [frozenset()]
    if left[node] >= 0:
        for one in parts(left, right, left[node]):
            found += [one | other | {node} for other in parts(left, right, right[node])]
    return found


def cost_of(splits, left, right, leaf, node=0):
    if node not in splits:
        return leaf[node]
    return sum(cost_of(splits, left, right, leaf, child) for child in (left[node], right[node]))


@given(trees(), st.integers(1, 9))
def test_the_part_of_least_cost_and_fewest_leaves(tree, max_leaves):
    """A part that costs more than another one, or as much with more leaves; splits below one that is cut."""
    left, right, leaf = tree
    found = frozenset(np.flatnonzero(splits_within(*tree, max_leaves)).tolist())
    known = parts(left, right)
    assert found in known

    def worth(splits):
        return cost_of(splits, left, right, leaf), len(splits)

    assert worth(found) == min(worth(splits) for splits in known if len(splits) < max_leaves)
