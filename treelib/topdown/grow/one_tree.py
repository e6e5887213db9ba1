"""Compiled growth of one tree: best-first to a number of splits (Algorithm 1), or depth-first.

A node is a range of positions that holds its rows in the sorted list of every feature; a split divides the
range in all lists and keeps their order (`treelib.topdown.grow.presort`). Nothing is sorted while a tree
grows. Where nodes look at few of many features, there is one list instead, and its rows are put in order by
the features that were drawn (`treelib.topdown.grow.few_features`).

That a member of `Rows` is None is part of its type: what needs it is left out when the kernels are compiled,
which takes half the time then. Numba sees it where the member is an argument of its own.
"""

from typing import NamedTuple

import numpy as np

from treelib.compiled.jit import kernel
from treelib.compiled.splitmix import next_random
from treelib.topdown.grow.few_features import has_ranks, order_node
from treelib.topdown.grow.impurity import (
    ABSOLUTE_ERROR,
    GINI,
    TSALLIS,
    gini_cost,
    margin,
    mean_gain,
    node_cost,
)
from treelib.topdown.grow.medians import node_spread
from treelib.topdown.grow.presort import CLASS_SHIFT, count_missing, divide
from treelib.topdown.grow.scan import (
    Line,
    has_parts,
    scan_gini,
    scan_medians,
    scan_parts,
    scan_targets,
    scan_two_classes,
    scan_two_classes_parts,
)

# columns of the whole numbers of a node
BEGIN, END, DEPTH, FEATURE, POSITION, MISSING_LEFT, LEFT, RIGHT, BEFORE, AFTER = range(10)
# columns of its real numbers
COST, DECREASE = range(2)
# places of ``Nodes.state``
N_NODES, N_WAITING, N_SPLITS, STOP = range(4)


class Rows(NamedTuple):
    """Training rows as the learner scans them; the lists are divided while a tree grows.

    codes : uint32 or uint64, (n_features, n), see `treelib.topdown.grow.presort`; with ranks (1, n), a list
        of the rows in no order
    ranks : uint16 or uint32 (n_features, n_all), of the values (`treelib.topdown.grow.few_features`), or None
    n_known : intp (n_features,), distinct values that are not missing; None without ranks
    target : float64 (n_all,) for regression, centred for the squared error; None for classification
    weight : float64 (n_all,), or empty for ones
    table : float64, parts of the counts 0, 1, ... (`treelib.topdown.grow.impurity.fill_parts`); empty
        where weights are no whole numbers; None for Gini impurity and for regression, but for the absolute
        error the room of `treelib.topdown.grow.medians`
    """

    codes: np.ndarray
    ranks: np.ndarray
    n_known: np.ndarray
    target: np.ndarray
    weight: np.ndarray
    table: np.ndarray


class Rule(NamedTuple):
    """What to grow.

    code, alpha, beta : criterion
    n_classes : int, 0 for regression
    shift : int, lowest bit of the row number in a code
    max_depth, max_splits : int
    best_first : bool, split the leaf of largest decrease next; else depth-first
    min_split, min_leaf : int, rows
    min_weight : float, of a leaf; 0 where all weights are 1, which `min_leaf` then takes care of
    min_decrease : float, in units of impurity times weight
    max_features : int, features looked at for a split
    """

    code: int
    alpha: float
    beta: float
    n_classes: int
    shift: int
    max_depth: int
    max_splits: int
    best_first: bool
    min_split: int
    min_leaf: int
    min_weight: float
    min_decrease: float
    max_features: int


class Scratch(NamedTuple):
    """Room for the search of two children.

    goes_left : uint8 (n_all,). buffer : uint (n,). features : intp (n_features,), a permutation
    sides : float64 (4, n_classes). cost : float64 (2,), of the best split of each child
    keys : int64 (3, n or 256 if that is more), see `treelib.topdown.grow.few_features.order_node`; None
        without ranks
    split : intp (2, 6), its FEATURE, POSITION, MISSING_LEFT, BEFORE and AFTER, and the number of missing
        values; feature -1 for none
    wanted : uint8 (2,), whether a child may be split. seed : uint64 (1,), state of the generator
    """

    goes_left: np.ndarray
    buffer: np.ndarray
    keys: np.ndarray
    features: np.ndarray
    sides: np.ndarray
    cost: np.ndarray
    split: np.ndarray
    wanted: np.ndarray
    seed: np.ndarray


class Nodes(NamedTuple):
    """Nodes made so far, and those that may be split.

    whole : intp (room, 10), columns BEGIN ... AFTER; FEATURE, LEFT and RIGHT are -1 at leaves; BEFORE and
        AFTER are the rows whose values the threshold lies between
    real : float64 (room, 2), columns COST, DECREASE
    value : float64 (room, n_classes) class weights; for regression (room, 2), weight and weighted sum
    waiting : intp (room,), nodes whose best split is known and not made
    state : intp (4,), numbers of nodes, of waiting nodes, and of splits made; not 0 in STOP, which another
        thread may set, ends the growth
    """

    whole: np.ndarray
    real: np.ndarray
    value: np.ndarray
    waiting: np.ndarray
    state: np.ndarray


@kernel(allocates=False)
def grow(rows, rule, scratch, nodes):
    """Grow a tree until it is done, is stopped or the room for nodes is used up; call again with more room.

    Parameters
    ----------
    rows : Rows, whose codes are changed
    rule : Rule
    scratch : Scratch
    nodes : Nodes, with state 0 before the first call and room for 3 nodes or more

    Returns
    -------
    bool, whether the tree is done. Then nodes that could still be split are leaves, and have their best split
    in FEATURE, POSITION and DECREASE no more.
    """
    whole, waiting = nodes.whole, nodes.waiting
    n_nodes, n_waiting, n_splits = nodes.state[N_NODES], nodes.state[N_WAITING], nodes.state[N_SPLITS]
    fresh, divided = 0, -1
    if n_nodes == 0:
        none = n_nodes  # a variable, so that these calls and the others have one compiled form
        place_node(whole, none, none, rows.codes.shape[1], none)
        enter_node(rows, rule, scratch, nodes, none, none, none)
        n_nodes, fresh = 1, 1
    is_done = False
    while True:
        if fresh > 0 and n_splits < rule.max_splits:
            search(rows, rule, scratch, nodes, n_nodes - fresh, fresh, divided)
            for side in range(fresh - 1, -1, -1):  # the left child is the last in line, taken by depth-first
                if keep_split(rule, scratch, nodes, n_nodes - fresh + side, side):
                    waiting[n_waiting] = n_nodes - fresh + side
                    n_waiting += 1
        is_done = n_waiting == 0 or n_splits >= rule.max_splits or nodes.state[STOP] != 0
        if is_done or n_nodes + 2 > len(whole):
            break
        at = choose(rule, nodes, n_waiting)
        node = waiting[at]
        n_waiting -= 1
        waiting[at] = waiting[n_waiting]
        divided = split_node(rows, rule, scratch, nodes, node, n_nodes)
        n_splits += 1
        n_nodes, fresh = n_nodes + 2, 2
        nodes.state[N_NODES] = n_nodes  # for those who watch
    if is_done:
        for i in range(n_waiting):
            whole[waiting[i], FEATURE] = -1
    nodes.state[N_NODES], nodes.state[N_WAITING], nodes.state[N_SPLITS] = n_nodes, n_waiting, n_splits
    return is_done


@kernel(inner=True, inline=True)
def split_node(rows, rule, scratch, nodes, node, n_nodes):
    """Make the best split of `node`; its children become the nodes `n_nodes` and `n_nodes` + 1.

    Only the list of the feature of the split is divided, or the only one, and the children are counted along
    it. Returns its number.
    """
    whole = nodes.whole
    mark_sides(rows, rule, scratch, nodes, node)
    begin, end = whole[node, BEGIN], whole[node, END]
    feature = np.int64(0) if has_ranks(rows.ranks) else whole[node, FEATURE]
    middle = divide(rows.codes[feature], begin, end, rule.shift, scratch.goes_left, scratch.buffer)
    whole[node, LEFT], whole[node, RIGHT] = n_nodes, n_nodes + 1
    for side in range(2):
        start, stop = (begin, middle) if side == 0 else (middle, end)
        place_node(whole, n_nodes + side, start, stop, whole[node, DEPTH] + 1)
        enter_node(rows, rule, scratch, nodes, n_nodes + side, feature, side)
    return feature


@kernel(inner=True, inline=True)
def choose(rule, nodes, n_waiting):
    """Place in ``nodes.waiting`` of the node to split next: the last, or that of largest decrease.

    Of equal decreases the node made first is taken.
    """
    if not rule.best_first:
        return n_waiting - 1
    real, waiting, at = nodes.real, nodes.waiting, 0
    for i in range(1, n_waiting):
        node, first = waiting[i], waiting[at]
        ahead = real[node, DECREASE] - real[first, DECREASE]
        least = margin(real[node, COST], real[first, COST])
        if ahead > least or (ahead >= -least and node < first):
            at = i
    return at


@kernel(inner=True)
def place_node(whole, node, begin, end, depth):
    """Give a node its rows and its depth; `whole` as in `Nodes`."""
    whole[node, BEGIN], whole[node, END], whole[node, DEPTH] = begin, end, depth


@kernel(inner=True)
def enter_node(rows, rule, scratch, nodes, node, feature, side):
    """Write a placed node as a leaf, counted along `feature`; ``scratch.wanted[side]``: whether it may be
    split."""
    whole, real = nodes.whole, nodes.real
    begin, end = whole[node, BEGIN], whole[node, END]
    whole[node, FEATURE] = whole[node, LEFT] = whole[node, RIGHT] = -1
    whole[node, POSITION] = whole[node, MISSING_LEFT] = 0
    real[node, DECREASE] = 0.0
    codes, counts = rows.codes[feature], nodes.value[node]
    counts[:] = 0.0
    is_pure = count_targets(rows.target, codes, begin, end, rule.shift, rows.weight, counts)
    if rule.n_classes > 0:
        is_pure = count_classes(codes, begin, end, rule.shift, rows.weight, counts)
        real[node, COST] = class_cost(rows.table, rule.code, rule.alpha, rule.beta, counts)
    else:
        real[node, COST] = -target_gain(rows.target, rule.code, rule.alpha, counts)
        if rule.code == ABSOLUTE_ERROR:
            here = node_spread(rows.table, rows.target, codes, begin, end, rule.shift, rows.weight)
            real[node, COST] = here
    n = end - begin
    scratch.wanted[side] = not is_pure and n >= rule.min_split and n >= 2 * rule.min_leaf


@kernel(inner=True)
def count_classes(codes, begin, end, shift, weight, counts):
    """Add the weights of the classes of a node to `counts`; returns whether there is one class only."""
    w, is_pure = 1.0, True
    mask = (1 << (shift - CLASS_SHIFT)) - 1
    kind = (np.int64(codes[begin]) >> CLASS_SHIFT) & mask
    for i in range(begin, end):
        code = np.int64(codes[i])
        k = (code >> CLASS_SHIFT) & mask
        is_pure &= k == kind
        if len(weight) > 0:
            w = weight[code >> shift]
        counts[k] += w
    return is_pure


@kernel(inner=True)
def count_targets(target, codes, begin, end, shift, weight, counts):
    """Add the weight and the weighted sum of the targets of a node to `counts`; whether all are equal."""
    if target is None:
        return True
    w, is_pure = 1.0, True
    kind = target[np.int64(codes[begin]) >> shift]
    for i in range(begin, end):
        row = np.int64(codes[i]) >> shift
        y = target[row]
        is_pure &= y == kind
        if len(weight) > 0:
            w = weight[row]
        counts[0] += w
        counts[1] += w * y
    return is_pure


@kernel(inner=True)
def class_cost(table, code, alpha, beta, counts):
    """Impurity times weight of a node; Gini where there is no table."""
    if table is None:
        return gini_cost(counts)
    return node_cost(code, alpha, beta, counts)


@kernel(inner=True)
def target_gain(target, code, power, counts):
    """`mean_gain` of a node for regression."""
    if target is None:
        return 0.0
    return mean_gain(code, power, counts[0], counts[1])


@kernel(inner=True, inline=True)
def mark_sides(rows, rule, scratch, nodes, node):
    """Set ``scratch.goes_left`` of the rows of `node` by its split."""
    whole, feature = nodes.whole, nodes.whole[node, FEATURE]
    begin, end = whole[node, BEGIN], whole[node, END]
    if mark_by_ranks(rows.ranks, rows, rule.shift, whole[node], scratch.goes_left):
        return
    codes = rows.codes[feature]
    known = end - count_missing(codes, begin, end)
    for i in range(begin, end):
        is_left = i < whole[node, POSITION] or (i >= known and whole[node, MISSING_LEFT] == 1)
        scratch.goes_left[np.int64(codes[i]) >> rule.shift] = is_left


@kernel(inner=True)
def mark_by_ranks(ranks, rows, shift, split, goes_left):
    """Set `goes_left` as `split`, a row of ``Nodes.whole``, says; False, with nothing done, without ranks."""
    if ranks is None:
        return False
    own, known, lines = ranks[split[FEATURE]], rows.n_known[split[FEATURE]], rows.codes[0]
    highest = np.int64(own[split[BEFORE]])
    for i in range(split[BEGIN], split[END]):
        row = np.int64(lines[i]) >> shift
        rank = np.int64(own[row])
        goes_left[row] = rank <= highest or (rank >= known and split[MISSING_LEFT] == 1)
    return True


@kernel(inner=True, inline=True)
def search(rows, rule, scratch, nodes, first, n_children, divided):
    """Best splits of the nodes `first` and, if `n_children` is 2, `first` + 1, into ``scratch.split``.

    All lists but that of the feature `divided` (-1: all) are divided between the two first, each just before
    it is scanned, while it is in the cache.
    """
    n_features, whole = len(scratch.features), nodes.whole
    wanted, any_wanted = scratch.wanted, False
    for side in range(n_children):
        if whole[first + side, DEPTH] >= rule.max_depth:
            wanted[side] = 0
        any_wanted |= wanted[side] == 1
        scratch.cost[side] = np.inf
        scratch.split[side, 0] = -1
    if not any_wanted:
        return
    draws = rule.max_features < n_features
    begin, end = whole[first, BEGIN], whole[first + n_children - 1, END]
    for feature in range(len(rows.codes)):
        if nodes.state[STOP] != 0:  # what is left undivided is never read again
            return
        if n_children == 2 and feature != divided:
            divide(rows.codes[feature], begin, end, rule.shift, scratch.goes_left, scratch.buffer)
        if not draws:
            for side in range(n_children):
                if wanted[side] == 1:
                    search_feature(rows, rule, scratch, nodes, first + side, side, feature)
    if draws:
        for side in range(n_children):
            if wanted[side] == 1:
                search_drawn(rows, rule, scratch, nodes, first + side, side)


@kernel(inner=True, inline=True)
def search_drawn(rows, rule, scratch, nodes, node, side):
    """Best split of `node` over features drawn at random, more than asked for while none has a split."""
    features = scratch.features
    n_features = len(features)
    for i in range(n_features):
        if (i >= rule.max_features and scratch.split[side, 0] >= 0) or nodes.state[STOP] != 0:
            break
        j = i + draw_below(scratch.seed, n_features - i)
        features[i], features[j] = features[j], features[i]
        search_feature(rows, rule, scratch, nodes, node, side, features[i])


@kernel(inner=True)
def draw_below(seed, n):
    """Whole number 0 .. n - 1."""
    return np.int64((next_random(seed) >> np.uint64(32)) * np.uint64(n) >> np.uint64(32))


@kernel(inner=True)
def search_feature(rows, rule, scratch, nodes, node, side, feature):
    """Best split of `node` by `feature`, missing values on either side, against the best so far."""
    begin, end = nodes.whole[node, BEGIN], nodes.whole[node, END]
    if not order_by_ranks(rows.ranks, rows, rule.shift, begin, end, feature, scratch):
        return
    codes = scratch.buffer if has_ranks(rows.ranks) else rows.codes[feature]
    n_missing, scale = count_missing(codes, begin, end), nodes.real[node, COST]
    for missing_left in range(2 if n_missing > 0 else 1):
        n_left = n_missing if missing_left else 0
        low = begin + max(1, rule.min_leaf - n_left)
        high = min(end - rule.min_leaf - n_left, end - n_missing - missing_left)
        below = scratch.cost[side]
        if below < np.inf:
            below -= margin(below, scale)
        line = Line(codes, begin, end, low, high, n_left, scale, below)
        cost, position = scan(rows, rule, scratch, line, nodes.value[node])
        if position >= 0:
            scratch.cost[side] = cost
            note_split(rule, scratch.split[side], codes, feature, position, missing_left, n_missing)


@kernel(inner=True)
def order_by_ranks(ranks, rows, shift, begin, end, feature, scratch):
    """`order_node` into ``scratch.buffer`` by one of the features; True, with nothing done, without ranks."""
    if ranks is None:
        return True
    lines, n_known = rows.codes[0], rows.n_known[feature]
    return order_node(lines, begin, end, shift, ranks[feature], n_known, scratch.keys, scratch.buffer)


@kernel(inner=True)
def note_split(rule, split, codes, feature, position, missing_left, n_missing):
    """Write the best split so far; `split` is a row of ``Scratch.split``."""
    split[0], split[1], split[2] = feature, position, missing_left
    split[3] = np.int64(codes[position - 1]) >> rule.shift
    split[4] = np.int64(codes[position]) >> rule.shift
    split[5] = n_missing


@kernel(inner=True, inline=True)
def scan(rows, rule, scratch, line, counts):
    """(cost, position) of the best split of a `Line`; `counts` is the row of ``Nodes.value`` of the node."""
    codes, end, n_left = line.codes, line.end, line.n_left
    weight, w = rows.weight, 1.0
    left, right = scratch.sides[0], scratch.sides[1]
    total_left, total = 0.0, 0.0
    for k in range(len(left)):
        left[k] = 0.0
    if rule.n_classes > 0:
        mask = (1 << (rule.shift - CLASS_SHIFT)) - 1
        for i in range(end - n_left, end):
            code = np.int64(codes[i])
            if len(weight) > 0:
                w = weight[code >> rule.shift]
            left[(code >> CLASS_SHIFT) & mask] += w
            total_left += w
        for k in range(len(left)):
            right[k] = counts[k] - left[k]
            total += counts[k]
        is_plain = rule.n_classes == 2 and len(weight) == 0
        if is_plain and rule.code == TSALLIS and has_parts(rows.table):
            ones_left, ones = np.int64(left[1]), np.int64(counts[1])
            return scan_two_classes_parts(line, ones_left, ones, rule, rows.table)
        if rule.code != GINI:
            sides, n_right = scratch.sides, total - total_left
            return scan_parts(line, rule, weight, rows.table, sides, total_left, n_right)
        if is_plain:
            ones_left, ones = np.int64(left[1]), np.int64(counts[1])
            return scan_two_classes(line, ones_left, ones)
        return scan_gini(line, rule, weight, left, right, total_left, total - total_left)
    if rule.code == ABSOLUTE_ERROR:
        return scan_medians(line, rule, weight, rows.target, rows.table, counts)
    return scan_targets(line, rule, weight, rows.target, counts)


@kernel(inner=True, inline=True)
def keep_split(rule, scratch, nodes, node, side):
    """Write the best split of `node` into it; returns whether there is one that is good enough."""
    split = scratch.split[side]
    feature, position = split[0], split[1]
    if scratch.wanted[side] == 0 or feature < 0:
        return False
    cost = nodes.real[node, COST]
    decrease = cost - scratch.cost[side]
    # a split that changes nothing is made, as by scikit-learn: the next one may (exclusive or)
    if decrease < rule.min_decrease - margin(cost, cost):
        return False
    begin, end = nodes.whole[node, BEGIN], nodes.whole[node, END]
    missing_left = split[2]
    if split[5] == 0:  # nothing known: missing values will go with the most rows
        missing_left = np.int64(position - begin > end - position)
    nodes.whole[node, FEATURE], nodes.whole[node, POSITION] = feature, position
    nodes.whole[node, MISSING_LEFT] = missing_left
    nodes.real[node, DECREASE] = decrease
    nodes.whole[node, BEFORE], nodes.whole[node, AFTER] = split[3], split[4]
    return True
