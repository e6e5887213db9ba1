"""Growth with a criterion that is a Python function: compiled steps, and one call of it for many splits."""

import numpy as np

from treelib.compiled.jit import kernel
from treelib.search.budget import Stopped, status_of
from treelib.topdown.criteria import evaluate, first_of_least
from treelib.topdown.grid.candidate_splits import mark_distinct
from treelib.topdown.grow.one_tree import (
    BEGIN,
    COST,
    DEPTH,
    END,
    FEATURE,
    choose,
    enter_node,
    keep_split,
    note_split,
    place_node,
    split_node,
)
from treelib.topdown.grow.presort import CLASS_SHIFT, FIRST, count_missing, divide
from treelib.topdown.grow.room import bytes_of, bytes_of_longer, longer

# splits whose class counts are held at once: enough to make the calls of the function few
_SPLITS_AT_ONCE = 1 << 16


class OwnSearch:
    """Best splits of nodes by a function of class proportions.

    Parameters
    ----------
    function : (m, n_classes) proportions -> (m,)
    rows, rule, scratch : as in `treelib.topdown.grow.one_tree.grow`
    rng : numpy Generator that draws features
    """

    def __init__(self, function, rows, rule, scratch, rng):
        self.function, self.rows, self.rule, self.scratch, self.rng = function, rows, rule, scratch, rng
        room = max(_SPLITS_AT_ONCE, 2 * rows.codes.shape[1]) + 1
        room = min(room, 2 * rows.codes.size + 1)
        self.splits = np.empty((room, 3), dtype=np.intp)
        self.counts = np.empty((room, rule.n_classes))
        # of its own tables and those it was given
        self.n_bytes = self.splits.nbytes + self.counts.nbytes + bytes_of((rows.codes, *scratch))

    def grow(self, nodes, budget):
        """The tree into `nodes`, which is returned with room as needed, and what ended its growth early.

        budget : Budget, asked before every node
        """
        rule, rows, scratch = self.rule, self.rows, self.scratch
        enter_root(rows, rule, scratch, nodes)
        n_nodes, n_waiting, n_splits, fresh, status = 1, 0, 0, (0,), None
        while True:
            try:
                n_waiting = self._search(nodes, fresh, n_waiting, n_splits, budget)
                if n_waiting == 0 or n_splits >= rule.max_splits:
                    break
                if n_nodes + 2 > len(nodes.whole):
                    budget.check(self.n_bytes + bytes_of_longer(nodes))
                    nodes = longer(nodes)
            except (Stopped, KeyboardInterrupt) as stop:
                status = status_of(stop)
                nodes.whole[n_nodes - len(fresh) : n_nodes, FEATURE] = -1
                break
            at = next_node(rule, nodes, n_waiting)
            node = nodes.waiting[at]
            n_waiting -= 1
            nodes.waiting[at] = nodes.waiting[n_waiting]
            split_rows(rows, rule, scratch, nodes, node, n_nodes)
            fresh = (n_nodes, n_nodes + 1)
            n_nodes, n_splits = n_nodes + 2, n_splits + 1
        nodes.whole[nodes.waiting[:n_waiting], FEATURE] = -1
        nodes.state[:] = n_nodes, 0, n_splits, 0
        return nodes, status

    def _search(self, nodes, fresh, n_waiting, n_splits, budget):
        """Put the nodes `fresh` in line that have a good split; returns the number of nodes in line."""
        is_wanted = [bool(wanted) for wanted in self.scratch.wanted]
        for side in range(len(fresh) - 1, -1, -1):
            node = fresh[side]
            self._note_cost(nodes, node)
            may = n_splits < self.rule.max_splits and nodes.whole[node, DEPTH] < self.rule.max_depth
            if may and is_wanted[side] and self._find_split(nodes, node, budget):
                nodes.waiting[n_waiting] = node
                n_waiting += 1
        return n_waiting

    def _note_cost(self, nodes, node):
        """Write the impurity times weight of a node that was just entered."""
        nodes.real[node, COST] = self._costs(nodes.value[node][:, None])[0]

    def _most_at_once(self, n):
        """Number of features whose splits of a node of `n` rows have room."""
        return (len(self.splits) - 1) // (2 * n)

    def _find_split(self, nodes, node, budget):
        """Write the best split of `node` into it; returns whether there is one."""
        n_features, scratch = len(self.rows.codes), self.scratch
        scratch.cost[0], scratch.split[0, 0] = np.inf, -1
        draws = self.rule.max_features < n_features
        features = self.rng.permutation(n_features) if draws else np.arange(n_features)
        n = nodes.whole[node, END] - nodes.whole[node, BEGIN]
        done = 0
        while done < n_features and (done < self.rule.max_features or scratch.split[0, 0] < 0):
            wish = self.rule.max_features - done if done < self.rule.max_features else 1
            budget.check(self.n_bytes)
            step = max(1, min(wish, self._most_at_once(n)))
            self._weigh(nodes, node, features[done : done + step])
            done += step
        return keep_best(self.rows, self.rule, scratch, nodes, node)

    def _weigh(self, nodes, node, features):
        """Best split of `node` by some features against the best so far."""
        k = 0
        for feature in features:
            k += list_splits(self.rows, self.rule, nodes, node, feature, self.splits[k:], self.counts[k:])
        if k == 0:
            return
        left, total = self.counts[:k], nodes.value[node]
        first = np.arange(k)
        if len(self.rows.weight) == 0:  # splits with the same counts cost the same, and there are many
            keep = np.empty(k, dtype=np.bool_)
            slots = np.empty(1 << (2 * k).bit_length(), dtype=np.intp)
            mark_distinct(left.astype(np.int32), k, total.astype(np.intp), slots, keep.view(np.uint8))
            first = np.flatnonzero(keep)
        halves = np.empty((len(total), 2, len(first)))
        halves[:, 0] = left.take(first, axis=0).T
        np.subtract(total[:, None], halves[:, 0], out=halves[:, 1])
        if len(self.rows.weight):  # a rest of rounding would count as a class
            halves[:, 1][halves[:, 1] < 1e-13 * total.sum()] = 0.0
        costs = self._costs(halves.reshape(len(total), -1)).reshape(2, -1).sum(axis=0)
        best = first_of_least(costs, nodes.real[node, COST], self.scratch.cost[0])
        if best >= 0:
            self.scratch.cost[0], self.scratch.split[0, :3] = costs[best], self.splits[first[best]]

    def _costs(self, counts):
        """Impurity times weight of nodes with class weights `counts` (n_classes, m).

        One class after the other in memory: a function that sums over the classes is then several times
        faster than with one short row a node.
        """
        weight = counts.sum(axis=0)
        return weight * evaluate(self.function, (counts / weight).T)


@kernel(allocates=False)
def enter_root(rows, rule, scratch, nodes):
    """Write node 0, all rows."""
    place_node(nodes.whole, 0, 0, rows.codes.shape[1], 0)
    enter_node(rows, rule, scratch, nodes, 0, 0, 0)


@kernel(allocates=False)
def next_node(rule, nodes, n_waiting):
    """Place in ``nodes.waiting`` of the node to split next."""
    return choose(rule, nodes, n_waiting)


@kernel(allocates=False)
def split_rows(rows, rule, scratch, nodes, node, n_nodes):
    """Make the best split of `node` and divide the lists of all features."""
    begin, end = nodes.whole[node, BEGIN], nodes.whole[node, END]
    divided = split_node(rows, rule, scratch, nodes, node, n_nodes)
    for feature in range(len(rows.codes)):
        if feature != divided:
            divide(rows.codes[feature], begin, end, rule.shift, scratch.goes_left, scratch.buffer)


@kernel(allocates=False)
def keep_best(rows, rule, scratch, nodes, node):
    """Write the split in ``scratch.split[0]`` into `node`; returns whether it is good enough."""
    scratch.wanted[0] = 1
    split = scratch.split[0]
    if split[0] >= 0:
        codes = rows.codes[split[0]]
        n_missing = count_missing(codes, nodes.whole[node, BEGIN], nodes.whole[node, END])
        note_split(rule, split, codes, split[0], split[1], split[2], n_missing)
    return keep_split(rule, scratch, nodes, node, 0)


@kernel(allocates=False)
def list_splits(rows, rule, nodes, node, feature, splits, counts):
    """All splits of a node by one feature, missing values on either side.

    Parameters
    ----------
    rows, rule, nodes : as in `treelib.topdown.grow.one_tree.grow`
    node, feature : int
    splits : intp (room, 3), written: feature, position, missing_left. Room for 2 splits a row is enough.
    counts : float64 (room, n_classes), written: class weights on the left

    Returns
    -------
    int, number of splits
    """
    codes, weight = rows.codes[feature], rows.weight
    begin, end = nodes.whole[node, BEGIN], nodes.whole[node, END]
    class_mask = (1 << (rule.shift - CLASS_SHIFT)) - 1
    n_missing = count_missing(codes, begin, end)
    total = 0.0
    for k in range(rule.n_classes):
        total += nodes.value[node, k]
    n_splits, w = 0, 1.0
    for missing_left in range(2 if n_missing > 0 else 1):
        n_left = n_missing if missing_left else 0
        low = begin + max(1, rule.min_leaf - n_left)
        high = min(end - rule.min_leaf - n_left, end - n_missing - missing_left)
        left = counts[n_splits]
        left[:] = 0.0
        total_left = 0.0
        for i in range(end - n_left, end + max(high - begin, 0)):
            # first the missing values that go left, then the known ones in order
            at = i if i < end else begin + i - end
            code = np.int64(codes[at])
            if len(weight) > 0:
                w = weight[code >> rule.shift]
            left[(code >> CLASS_SHIFT) & class_mask] += w
            total_left += w
            is_allowed = total_left >= rule.min_weight and total - total_left >= rule.min_weight
            if i >= end and at + 1 >= low and codes[at + 1] & FIRST and is_allowed:
                splits[n_splits, 0], splits[n_splits, 1], splits[n_splits, 2] = feature, at + 1, missing_left
                n_splits += 1
                for k in range(len(left)):
                    counts[n_splits, k] = left[k]
                left = counts[n_splits]
    return n_splits
