"""Growth with a criterion that is a Python function: compiled steps, and one call of it for many splits."""

import numpy as np

from treelib.search.budget import Stopped, status_of
from treelib.topdown.criteria import evaluate
from treelib.topdown.grid.candidate_splits import mark_distinct
from treelib.topdown.grow import python_criterion_kernels
from treelib.topdown.grow.one_tree import BEGIN, COST, DEPTH, END, FEATURE
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
        python_criterion_kernels.enter_root(rows, rule, scratch, nodes)
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
            at = python_criterion_kernels.next_node(rule, nodes, n_waiting)
            node = nodes.waiting[at]
            n_waiting -= 1
            nodes.waiting[at] = nodes.waiting[n_waiting]
            python_criterion_kernels.split_rows(rows, rule, scratch, nodes, node, n_nodes)
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
        return python_criterion_kernels.keep_best(self.rows, self.rule, scratch, nodes, node)

    def _weigh(self, nodes, node, features):
        """Best split of `node` by some features against the best so far."""
        k = 0
        for feature in features:
            k += python_criterion_kernels.list_splits(
                self.rows, self.rule, nodes, node, feature, self.splits[k:], self.counts[k:]
            )
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
        best = costs.argmin()
        if costs[best] < self.scratch.cost[0]:
            self.scratch.cost[0], self.scratch.split[0, :3] = costs[best], self.splits[first[best]]

    def _costs(self, counts):
        """Impurity times weight of nodes with class weights `counts` (n_classes, m).

        One class after the other in memory: a function that sums over the classes is then several times
        faster than with one short row a node.
        """
        weight = counts.sum(axis=0)
        return weight * evaluate(self.function, (counts / weight).T)
