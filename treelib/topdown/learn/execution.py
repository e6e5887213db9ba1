"""The execution tree of top-down growth: every tree that the learner builds as one parameter varies.

A state is an interval of the parameter on which the splits made so far are the same, and the leaves still
open. It branches where the next split changes: inside a leaf where the best split of its rows changes
(`SplitNode`), and, when growing best-first, where another leaf gains more. States are visited depth first and
from left to right (Algorithm 2), so that a search stopped early is exact up to the point it reached. Rows
that were met before are not solved again on the part of the interval that is known.
"""

from bisect import bisect_right
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from treelib.search.budget import Stopped, go_on, status_of
from treelib.topdown.learn.envelope import lower_envelope
from treelib.topdown.learn.families import find_splits
from treelib.tree.building import NO_CHILD, NO_FEATURE, NO_THRESHOLD
from treelib.tree.stored import Tree

_FEW_CLASSES = 6  # that are sorted by exchanges of columns
_CELLS_AT_ONCE = 1 << 17  # rows times features whose splits are listed between two looks at the clock
# bytes of the small objects of each table, arrays apart (measured)
_NODE_BYTES, _ENVELOPE_BYTES, _PIECE_BYTES, _STATE_BYTES = 4000, 1000, 400, 600


class PiecewiseBest:
    """Best candidate of some scores as a function of the parameter, solved where it is asked for."""

    def __init__(self, scores, problem):
        self.scores = scores
        self.problem = problem
        self.solved = []  # disjoint (low, high, Envelope), ascending

    def on(self, low, high):
        """Pieces (low, high, winner) that cover [low, high], and the brackets met there."""
        if self.scores.n == 1:
            return [(low, high, 0)], {}, []
        pieces, brackets, unresolved = [], {}, []
        for _, _, envelope in self._cover(low, high):
            brackets.update(envelope.brackets)
            unresolved += [gap for gap in envelope.unresolved if gap.high > low and gap.low < high]
            start = max(bisect_right(envelope.edges, low) - 1, 0)
            for i in range(start, len(envelope.winners)):
                first, last = max(envelope.edges[i], low), min(envelope.edges[i + 1], high)
                if first < last:
                    pieces.append((first, last, envelope.winners[i]))
        joined = pieces[:1]
        for piece in pieces[1:]:
            if piece[2] == joined[-1][2]:
                joined[-1] = (joined[-1][0], piece[1], piece[2])
            else:
                joined.append(piece)
        return joined, brackets, unresolved

    def _cover(self, low, high):
        """Solved intervals that meet [low, high], after the gaps between them were solved."""
        gaps, at = [], low
        for a, b, _ in self.solved:
            if b <= at or a >= high:
                continue
            if a > at:
                gaps.append((at, a))
            at = b
        if at < high:
            gaps.append((at, high))
        if gaps:
            problem = self.problem
            for a, b in gaps:
                found = lower_envelope(self.scores, a, b, problem.tolerance, problem.go_on)
                self.solved.append((a, b, found))
                problem.n_bytes += _ENVELOPE_BYTES + _PIECE_BYTES * len(found.winners)
            self.solved.sort(key=lambda part: part[0])
        return [part for part in self.solved if part[1] > low and part[0] < high]


class SplitNode:
    """A set of training rows: its counts, its splits, and the best of them as a function of the parameter.

    Attributes
    ----------
    rows : intp (m,), ascending
    value : float64 (n_classes,), counts; for regression (1,), the mean
    n_splits : int, 0 for a node that cannot be split; the number `n_splits` itself says "do not split"
    """

    def __init__(self, identity, rows, problem):
        self.identity, self.rows, self.problem = identity, rows, problem
        codes, targets = problem.codes, problem.targets
        counts = np.bincount(codes[rows], minlength=problem.n_classes).astype(np.float64)
        self.total = counts if not problem.is_regression else np.array([len(rows), targets[rows].sum()])
        self.value = counts if not problem.is_regression else self.total[1:] / len(rows)
        self.n_splits, self._children = 0, {}
        pure = (
            (targets[rows] == targets[rows[0]]).all()
            if problem.is_regression
            else np.count_nonzero(counts) < 2
        )
        if pure:
            return
        self.feature, self.threshold, left, sums = _all_splits(problem, rows)
        problem.go_on()
        if problem.is_regression:
            left = np.stack([left[:, 0], sums], axis=1)
        else:
            keep = _first_of_equals(left, self.total)
            self.feature, self.threshold, left = self.feature[keep], self.threshold[keep], left[keep]
        self.left = left
        self.n_splits = len(left)
        if self.n_splits:
            # the last candidate leaves the rows together: where a criterion is not concave, that can be best
            left = np.concatenate([left, self.total[None, :]])
            sides = np.stack([left, self.total - left, np.zeros_like(left)], axis=1)
            self.best = PiecewiseBest(problem.scores(sides), problem)

    @property
    def n_bytes(self):
        """What it holds, in bytes."""
        total = _NODE_BYTES + 2 * self.rows.nbytes
        if self.n_splits:
            arrays = (self.feature, self.threshold, self.left, *vars(self.best.scores).values())
            total += sum(array.nbytes for array in arrays if isinstance(array, np.ndarray))
        return total

    def children(self, split):
        """The two nodes of a split."""
        if split not in self._children:
            goes_left = self.problem.X[self.rows, self.feature[split]] <= self.threshold[split]
            self._children[split] = (
                self.problem.node(self.rows[goes_left]),
                self.problem.node(self.rows[~goes_left]),
            )
        return self._children[split]

    def sides(self, split):
        """float64 (3, c): left child, right child and parent, for the comparison with other leaves."""
        return np.stack([self.left[split], self.total - self.left[split], self.total])


def _all_splits(problem, rows):
    """What `find_splits` gives for all features, a few of them at a time."""
    n_features = problem.X.shape[1]
    step = max(1, _CELLS_AT_ONCE // len(rows))
    parts = []
    for first in range(0, n_features, step):
        problem.go_on()
        features = first, min(first + step, n_features)
        parts.append(
            find_splits(problem.X, *features, rows, problem.codes, problem.targets, problem.n_classes)
        )
    return parts[0] if len(parts) == 1 else tuple(map(np.concatenate, zip(*parts, strict=True)))


def _first_of_equals(left, total):
    """Indices of the splits whose children do not have the class counts of an earlier split's, in any order
    of the classes and of the two children: these are equal for every criterion that is symmetric."""
    if len(left) < 2:
        return np.arange(len(left))
    base, n_classes = int(total.sum()) + 1, left.shape[1]
    if base ** (2 * n_classes) < 2**62 and n_classes <= _FEW_CLASSES:
        one, other = (_as_one_number(side, base) for side in (left, total - left))
        keys = np.minimum(one, other) * base**n_classes + np.maximum(one, other)
        return np.sort(np.unique(keys, return_index=True)[1])
    sorted_left, sorted_right = np.sort(left, axis=1), np.sort(total - left, axis=1)
    differ = sorted_left != sorted_right
    first = differ.argmax(axis=1)
    rows = np.arange(len(left))
    swap = sorted_left[rows, first] > sorted_right[rows, first]
    both = np.where(swap[:, None], sorted_right, sorted_left)
    other = np.where(swap[:, None], sorted_left, sorted_right)
    keys = np.concatenate([both, other], axis=1).T
    order = np.lexsort(keys)  # stable: the first of equals comes first
    new = np.append(True, (keys[:, order[1:]] != keys[:, order[:-1]]).any(axis=0))
    return np.sort(order[new])


def _as_one_number(counts, base):
    """Counts (k, c) in ascending order as the digits of one number, int64 (k,)."""
    columns = [column.astype(np.int64) for column in counts.T]
    for end in range(len(columns) - 1, 0, -1):
        for i in range(end):
            low, high = columns[i : i + 2]
            columns[i : i + 2] = np.minimum(low, high), np.maximum(low, high)
    number = columns[0]
    for column in columns[1:]:
        number = number * base + column
    return number


def count_gaps(X, check=go_on):
    """Thresholds of each column, intp (p,); `check` is asked for the bytes of every column, and may raise."""
    gaps = np.empty(X.shape[1], dtype=np.intp)
    for j in range(len(gaps)):
        check(3 * 8 * len(X))
        gaps[j] = len(np.unique(X[:, j])) - 1
    return gaps


class LearnerProblem:
    """Training data of one instance under one family; finds or makes the node of a set of rows.

    Parameters
    ----------
    X : float64 (n, p), C-contiguous. y : int codes (n,), or float targets
    n_classes : int, None for regression
    make_scores : callable of sides -> scores, see `treelib.topdown.learn.families`
    tolerance : float
    budget : Budget or None. n_bytes : int, held already by what counts against it too

    Raises `Stopped` where the budget ends while the thresholds are counted.

    Attributes
    ----------
    n_states : int, of the execution tree, with those of earlier searches. n_bytes : int, held by all tables
    """

    def __init__(self, X, y, n_classes, make_scores, tolerance, budget=None, n_states=0, n_bytes=0):
        self.X = X
        self.is_regression = n_classes is None
        n = len(self.X)
        self.codes = np.zeros(n, dtype=np.intp) if self.is_regression else np.asarray(y, dtype=np.intp)
        self.targets = np.asarray(y, dtype=np.float64) if self.is_regression else np.zeros(n)
        self.n_classes = 1 if self.is_regression else n_classes
        self.scores, self.tolerance = make_scores, tolerance
        self.nodes, self.between = {}, {}
        self.budget, self.n_states, self.n_bytes = budget, n_states, n_bytes
        self.n_gaps = count_gaps(self.X, self.go_on)

    def go_on(self, more_bytes=0):
        """Raise `Stopped` where a limit is met, or would be by `more_bytes` more."""
        if self.budget is not None:
            status = self.budget.exceeded(self.n_states, self.n_bytes + more_bytes)
            if status:
                raise Stopped(status)

    def node(self, rows):
        """The `SplitNode` of `rows`, ascending."""
        key = rows.tobytes()
        if key not in self.nodes:
            self.go_on(self._bytes_to_make(len(rows)))
            node = SplitNode(len(self.nodes), rows, self)
            self.nodes[key] = node
            self.n_bytes += node.n_bytes
        return self.nodes[key]

    def forget(self):
        """Give up all tables now: nodes and problem know each other, so that nobody else does it soon."""
        self.nodes.clear()
        self.between.clear()

    def _bytes_to_make(self, n_rows):
        """What the making of a node takes at most, with what is thrown away on the way."""
        n_splits = int(np.minimum(self.n_gaps, n_rows - 1).sum())
        room = (24 + 8 * self.n_classes) * self.X.shape[1] * (n_rows - 1)  # of `find_splits`
        return _NODE_BYTES + 2 * room + (160 + 160 * self.n_classes) * n_splits

    def best_leaf(self, choices):
        """`PiecewiseBest` between leaves, each with its split: ``choices`` is a tuple of (node, split)."""
        key = tuple((node.identity, split) for node, split in choices)
        if key not in self.between:
            sides = np.stack([node.sides(split) for node, split in choices])
            self.between[key] = PiecewiseBest(self.scores(sides), self)
            self.n_bytes += _NODE_BYTES + 2 * sides.nbytes + 200 * len(choices)
        return self.between[key]


class _State(NamedTuple):
    """An interval and the growth on it. splits : tuple of (slot, SplitNode, split). open : tuple of (slot,
    SplitNode, depth), leaves that can be split. n_slots : int, nodes of the tree so far; the children of a
    split take the next two slots."""

    low: float
    high: float
    splits: tuple
    open: tuple
    n_slots: int


class Piece(NamedTuple):
    """One leaf of the execution tree: an interval, the splits made on it, in order, and what `execute` was
    told to make of them."""

    low: float
    high: float
    splits: tuple
    outcome: object


class Execution(NamedTuple):
    """What `execute` found.

    pieces : list of Piece, left to right; a limit leaves the right part of the interval out, or all of it
    brackets : dict of edge -> Bracket
    unresolved : set of Bracket
    status : str or None, the limit that stopped the search
    n_states : int
    """

    pieces: list
    brackets: dict
    unresolved: set
    status: str
    n_states: int


def execute(problem, low, high, finish, *, max_depth=None, max_splits=None, name=""):
    """All pieces of [low, high], from left to right.

    Parameters
    ----------
    problem : LearnerProblem; the nodes of its budget are the states of the execution tree
    low, high : float
    finish : callable of a piece's splits -> its outcome, called as soon as the piece is known
    max_depth : int or None, growth stops at this depth
    max_splits : int or None. Given: growth is best-first and stops after so many splits (Algorithm 1). None:
        every leaf that can be split is.
    name : str, what the progress line begins with

    Returns
    -------
    Execution
    """
    pieces, brackets, unresolved, status = [], {}, set(), None
    branch = _branch_depth_first if max_splits is None else _branch_best_first
    n_before = problem.n_states
    try:
        root = problem.node(np.arange(len(problem.X), dtype=np.intp))
        stack = [_State(low, high, (), _open(((0, root, 0),), max_depth), 1)]
        problem.n_bytes += _state_bytes(stack[0])
        while stack:
            problem.go_on()
            state = stack.pop()
            problem.n_states += 1
            if problem.budget is not None and problem.budget.verbose:
                done = (state.low - low) / (high - low)
                problem.budget.show(
                    f"{name}: {100 * done:.1f} % done  {len(pieces):,} pieces  {problem.n_states:,} states"
                )
            if not state.open or (max_splits is not None and len(state.splits) >= max_splits):
                pieces.append(Piece(state.low, state.high, state.splits, finish(state.splits)))
                problem.n_bytes += tree_bytes(problem, len(state.splits))
                continue
            problem.n_bytes -= _state_bytes(state)
            parts, found, unclear = branch(problem, state)
            brackets.update(found)
            unresolved.update(unclear)
            problem.n_bytes += _PIECE_BYTES * (len(found) + len(unclear))
            for part in reversed(parts):
                stack.append(_grown(state, *part, max_depth))
                problem.n_bytes += _state_bytes(stack[-1])
    except (Stopped, KeyboardInterrupt) as stop:
        status = status_of(stop)
    return Execution(pieces, brackets, unresolved, status, problem.n_states - n_before)


def _state_bytes(state):
    return _STATE_BYTES + 16 * (len(state.splits) + len(state.open))


def tree_bytes(problem, n_splits):
    """What a piece comes to once its tree is made."""
    return 2 * _NODE_BYTES + (2 * n_splits + 1) * (80 + 8 * problem.n_classes)


def _open(leaves, max_depth):
    return tuple(leaf for leaf in leaves if leaf[1].n_splits and (max_depth is None or leaf[2] < max_depth))


def _grown(state, low, high, position, split, max_depth):
    """State on [low, high] after the open leaf at `position` was split, or closed if that is best."""
    slot, node, depth = state.open[position]
    if split == node.n_splits:
        return state._replace(low=low, high=high, open=(*state.open[:position], *state.open[position + 1 :]))
    left, right = node.children(split)
    new = (state.n_slots, left, depth + 1), (state.n_slots + 1, right, depth + 1)
    return _State(
        low,
        high,
        (*state.splits, (slot, node, split)),
        (*state.open[:position], *state.open[position + 1 :], *_open(new, max_depth)),
        state.n_slots + 2,
    )


def _branch_depth_first(problem, state):
    """Parts (low, high, position, split) of a state's interval, with the next split of the last open leaf."""
    position = len(state.open) - 1
    pieces, brackets, unresolved = state.open[position][1].best.on(state.low, state.high)
    return [(low, high, position, split) for low, high, split in pieces], brackets, unresolved


def _branch_best_first(problem, state):
    """The same, with the leaf whose best split gains most; of equal gains the leaf that was made first. A
    leaf that is best left alone is closed before others are compared."""
    brackets, unresolved, by_leaf = {}, [], []
    for _, node, _ in state.open:
        pieces, found, unclear = node.best.on(state.low, state.high)
        brackets.update(found)
        unresolved += unclear
        by_leaf.append(pieces)
    edges = sorted({edge for pieces in by_leaf for low, high, _ in pieces for edge in (low, high)})
    parts, at = [], [0] * len(by_leaf)
    for low, high in pairwise(edges):
        for leaf, pieces in enumerate(by_leaf):
            at[leaf] += pieces[at[leaf]][1] <= low
        choices = tuple((state.open[leaf][1], pieces[at[leaf]][2]) for leaf, pieces in enumerate(by_leaf))
        closed = [leaf for leaf, (node, split) in enumerate(choices) if split == node.n_splits]
        if closed:
            parts.append((low, high, closed[0], choices[closed[0]][1]))
            continue
        winners, found, unclear = problem.best_leaf(choices).on(low, high)
        brackets.update(found)
        unresolved += unclear
        parts += [(first, last, leaf, choices[leaf][1]) for first, last, leaf in winners]
    return _joined(parts), brackets, unresolved


def _joined(parts):
    joined = parts[:1]
    for part in parts[1:]:
        if part[2:] == joined[-1][2:]:
            joined[-1] = (joined[-1][0], *part[1:])
        else:
            joined.append(part)
    return joined


def to_tree(problem, splits, feature_names=None, class_names=None):
    """`Tree` of the splits of a `Piece`."""
    n_nodes = 2 * len(splits) + 1
    left, right = np.full((2, n_nodes), NO_CHILD)
    feature, threshold = np.full(n_nodes, NO_FEATURE), np.full(n_nodes, NO_THRESHOLD)
    nodes = [problem.node(np.arange(len(problem.X), dtype=np.intp))] + [None] * (n_nodes - 1)
    for order, (slot, node, split) in enumerate(splits):
        left[slot], right[slot] = 2 * order + 1, 2 * order + 2
        feature[slot], threshold[slot] = node.feature[split], node.threshold[split]
        nodes[2 * order + 1], nodes[2 * order + 2] = node.children(split)
    return Tree(
        children_left=left,
        children_right=right,
        feature=feature,
        threshold=threshold,
        value=np.stack([node.value for node in nodes]),
        n_features=problem.X.shape[1],
        n_node_samples=[len(node.rows) for node in nodes],
        feature_names=feature_names,
        class_names=class_names,
        is_regression=problem.is_regression,
    )
