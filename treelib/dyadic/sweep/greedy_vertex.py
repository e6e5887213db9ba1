"""A greedy dyadic tree: what a search that a limit stops hands back where it has found nothing better."""

import time
from fractions import Fraction
from heapq import heappop, heappush

import numpy as np

from treelib.dyadic.sweep.all_prices import Vertex
from treelib.dyadic.sweep.vertex_tree import N_NODE_FIELDS, NODE_RIGHT

SECONDS_TO_GROW = 0.5  # what is not split by then stays a leaf
MOST_CELLS = 1 << 20  # rows x features: with more, the first split alone takes longer


def is_cheap(n_rows, n_features):
    """Whether a greedy tree of so many rows is a matter of milliseconds."""
    return n_rows * n_features <= MOST_CELLS


def bytes_of(codes, losses):
    """Bytes that `greedy_vertex` takes beside its rows, about."""
    return 3 * codes.nbytes + 2 * losses.nbytes


def greedy_vertex(codes, losses, n_splits, price, *, free_empty=False):
    """The greedy tree, pruned to the least loss + price x leaves, as a `Vertex`.

    Split first is the rectangle of largest impurity, 1 / sum of 1 / loss over the labels: with two classes
    half of the Gini impurity. Taken is the halving after which the sum of the impurities is least; the first
    feature of those that are equally good.

    Parameters
    ----------
    codes : int64 (m, d), finest cells of the surrogates
    losses : (m, K), of each label, 0 or more
    n_splits : int (d,)
    price : Fraction, of a leaf, in units of the losses
    free_empty : bool, whether empty leaves are left out of the tree
    """
    until = time.perf_counter() + SECONDS_TO_GROW
    grown, heap = [], []
    whole = np.zeros(len(n_splits), dtype=np.int64)
    _open(grown, heap, np.arange(len(codes)), losses, whole, price)
    while heap and time.perf_counter() < until:
        _, at, rows, made = heappop(heap)
        split = _best_split(codes, losses, n_splits, rows, made, free_empty)
        if split is None:
            continue
        feature, rows, made, goes_right = split
        shift = n_splits[feature] - made[feature]
        place = feature, int(made[feature]), int(codes[rows[0], feature] >> shift)
        made = made + (np.arange(len(n_splits)) == feature)
        children = [
            _open(grown, heap, part, losses, made, price) for part in (rows[~goes_right], rows[goes_right])
        ]
        grown[at] = (*grown[at][:2], place, children)
    return _pruned(grown, price)


def _open(grown, heap, rows, losses, made, price):
    """Add a leaf of `rows` to the tree, and to the rectangles that may be split; returns its number."""
    of_label = losses[rows].sum(axis=0)
    label = int(of_label.argmin())
    grown.append((of_label[label].item(), label, None, None))
    if of_label[label] > price:  # else no split can pay for a leaf more
        heappush(heap, (-float(_impurity(of_label)), len(grown) - 1, rows, made))
    return len(grown) - 1


def _impurity(of_label):
    """Of losses (..., K), 0 where one of them is."""
    with np.errstate(divide="ignore"):
        return 1 / (1 / np.asarray(of_label, dtype=np.float64)).sum(axis=-1)


def _best_split(codes, losses, n_splits, rows, made, free_empty):
    """Feature, rows, halvings made before and which rows go right, of the best halving; None where there is
    none. Where empty leaves are left out, halvings that part nothing are made by the way."""
    while True:
        open_to = np.flatnonzero(made < n_splits)
        here = codes[rows]
        bits = (here[:, open_to] >> (n_splits - made - 1)[open_to]) & 1
        of_rows = losses[rows].astype(np.float64)
        right = bits.T.astype(np.float64) @ of_rows
        left = np.maximum(of_rows.sum(axis=0) - right, 0.0)
        n_right = bits.sum(axis=0)
        parts = (n_right > 0) & (n_right < len(rows))
        if not parts.any() and not (here != here[0]).any():
            return None  # one cell
        left_over = np.where(parts | (not free_empty), _impurity(left) + _impurity(right), np.inf)
        best = int(left_over.argmin())
        if np.isfinite(left_over[best]):
            return int(open_to[best]), rows, made, bits[:, best] == 1
        made = made.copy()
        made[open_to] += 1


def _pruned(grown, price):
    """`Vertex` of the grown nodes, (loss, label, place of the split, children), pruned from the leaves up."""
    best = [None] * len(grown)  # (cost, leaves, loss, whether split) of each node
    for at in range(len(grown) - 1, -1, -1):  # children come after their parents
        loss, _, place, children = grown[at]
        loss = Fraction(loss)
        best[at] = loss + price, 1, loss, False
        if place is not None:
            cost, n_leaves, of_halves = (sum(best[child][k] for child in children) for k in range(3))
            if cost < best[at][0]:
                best[at] = cost, n_leaves, of_halves, True
    nodes, stack = [], [(0, -1)]  # a right child knows its parent
    while stack:
        at, parent = stack.pop()
        if parent >= 0:
            nodes[parent][NODE_RIGHT] = len(nodes)
        _, label, place, children = grown[at]
        if best[at][3]:
            stack += [(children[1], len(nodes)), (children[0], -1)]
            nodes.append([*place, label, -1])
        else:
            nodes.append([-1, 0, 0, label, -1])
    return Vertex(best[0][1], best[0][2], np.array(nodes, dtype=np.int64).reshape(-1, N_NODE_FIELDS))
