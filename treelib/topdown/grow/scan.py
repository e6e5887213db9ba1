"""Compiled search for the best split of one node along one sorted feature.

A scan moves rows one by one from the right side to the left and weighs every place where the value changes.
All return ``(cost, position)``: the least sum of impurity times weight of the two sides, and the number of
the first code on the right; position -1 where no split is allowed, or none is better than the best before. Of
splits whose costs are equal but for rounding the first is taken (`treelib.topdown.grow.impurity.margin`).
"""

from typing import NamedTuple

import numpy as np

from treelib.compiled.jit import kernel
from treelib.topdown.grow.impurity import (
    GEOMETRIC,
    GINI,
    MISCLASSIFICATION,
    finish,
    margin,
    mean_gain,
    part,
    tsallis_cost,
)
from treelib.topdown.grow.medians import LEFT_SIDE, RIGHT_SIDE, clear, put, spread
from treelib.topdown.grow.presort import CLASS_SHIFT, FIRST


class Line(NamedTuple):
    """The rows of a node along one feature, and where they may be split.

    codes : uint (n_all,). begin, end : int, those of the node
    low, high : int, smallest and largest position allowed
    n_left : int, rows at the end, of missing value, that are on the left from the start
    scale : float, the cost of the node without a split
    below : float, a cost that the split must be below; infinity for any
    """

    codes: np.ndarray
    begin: int
    end: int
    low: int
    high: int
    n_left: int
    scale: float
    below: float


@kernel(inner=True)
def scan_two_classes(line, ones_left, ones):
    """Gini impurity of two classes, rows of weight 1.

    Parameters
    ----------
    line : Line
    ones_left, ones : int, rows of class 1 that are on the left from the start, and all of the node
    """
    codes, begin, end, low, high, n_left, scale, below = line
    n, scale, below = end - begin, 0.5 * scale, 0.5 * below
    best, position = np.inf, -1
    for i in range(begin, high):
        ones_left += np.int64(codes[i] >> CLASS_SHIFT) & 1
        n_left += 1
        if i + 1 >= low and codes[i + 1] & FIRST:
            n_right = n - n_left
            ones_right = ones - ones_left
            cost = float((n_left - ones_left) * ones_left) / n_left
            cost += float((n_right - ones_right) * ones_right) / n_right
            if cost < below:
                best, below, position = cost, cost - margin(cost, scale), i + 1
    return 2.0 * best, position


@kernel(inner=True)
def scan_two_classes_parts(line, ones_left, ones, rule, table):
    """Tsallis entropy of two classes, rows of weight 1: as `scan_parts` to the last bit, in half the time.

    Parameters
    ----------
    line, ones_left, ones : as in `scan_two_classes`
    rule : `treelib.topdown.grow.one_tree.Rule`
    table : float64 (n_all + 1,), parts of the counts 0, 1, 2, ...; None: nothing is done
    """
    if table is None:
        return np.inf, -1
    codes, begin, end, low, high, n_left, scale, below = line
    n, alpha, beta = end - begin, rule.alpha, rule.beta
    best, position = np.inf, -1
    for i in range(begin, high):
        ones_left += np.int64(codes[i] >> CLASS_SHIFT) & 1
        n_left += 1
        if i + 1 >= low and codes[i + 1] & FIRST:
            n_right = n - n_left
            ones_right = ones - ones_left
            whole = table[n_left]
            entropy = whole - (table[n_left - ones_left] + table[ones_left])
            cost = tsallis_cost(alpha, beta, float(n_left), entropy / (n_left + (alpha - 1.0) * whole))
            whole = table[n_right]
            entropy = whole - (table[n_right - ones_right] + table[ones_right])
            cost += tsallis_cost(alpha, beta, float(n_right), entropy / (n_right + (alpha - 1.0) * whole))
            if cost < below:
                best, below, position = cost, cost - margin(cost, scale), i + 1
    return best, position


@kernel(inner=True)
def scan_gini(line, rule, weight, left, right, total_left, total_right):
    """Gini impurity of any number of classes.

    Parameters
    ----------
    line : Line
    rule : `treelib.topdown.grow.one_tree.Rule`
    weight : float64 (n_rows,), or empty for ones
    left, right : float64 (n_classes,), weights of the two sides at the start, changed
    total_left, total_right : float, their sums
    """
    codes, low, scale, below = line.codes, line.low, line.scale, line.below
    shift, least = rule.shift, rule.min_weight
    class_mask = (1 << (shift - CLASS_SHIFT)) - 1
    pairs_left, pairs_right = _pairs(left, total_left), _pairs(right, total_right)
    best, position, w = np.inf, -1, 1.0
    for i in range(line.begin, line.high):
        code = np.int64(codes[i])
        k = (code >> CLASS_SHIFT) & class_mask
        if len(weight) > 0:
            w = weight[code >> shift]
        pairs_left += 2.0 * w * (total_left - left[k])
        pairs_right -= 2.0 * w * (total_right - right[k])
        left[k] += w
        right[k] -= w
        total_left += w
        total_right -= w
        if i + 1 >= low and codes[i + 1] & FIRST and total_left >= least and total_right >= least:
            cost = pairs_left / total_left + pairs_right / total_right
            if cost < below:  # what rounding has added up to in the running sums decides nothing
                cost = _pairs(left, total_left) / total_left + _pairs(right, total_right) / total_right
            if cost < below:
                best, below, position = cost, cost - margin(cost, scale), i + 1
    return best, position


@kernel(inner=True)
def _pairs(side, total):
    """Sum over the classes of their weight times that of the others: the Gini impurity times weight^2."""
    pairs = 0.0
    for k in range(len(side)):
        pairs += side[k] * (total - side[k])
    return pairs


@kernel(inner=True)
def scan_parts(line, rule, weight, table, sides, total_left, total_right):
    """Any classification criterion: sum, product or largest of the parts of the classes.

    Parameters
    ----------
    line, rule, weight, total_left, total_right : as in `scan_gini`
    table : float64, parts of the counts 0, 1, 2, ...; empty where weights are no whole numbers; None for Gini
        impurity, and nothing is done
    sides : float64 (4, n_classes): weights of the left and right side at the start, and room for their parts
    """
    if table is None:
        return np.inf, -1
    codes, low, scale, below = line.codes, line.low, line.scale, line.below
    left, right, left_parts, right_parts = sides[0], sides[1], sides[2], sides[3]
    code_of, alpha, beta, shift, least = rule.code, rule.alpha, rule.beta, rule.shift, rule.min_weight
    class_mask = (1 << (shift - CLASS_SHIFT)) - 1
    n_classes = len(left)
    rounding = 1e-13 * (total_left + total_right)
    for k in range(n_classes):
        left_parts[k] = _part(code_of, alpha, left[k], table)
        right_parts[k] = _part(code_of, alpha, right[k], table)
    best, position, w = np.inf, -1, 1.0
    for i in range(line.begin, line.high):
        code = np.int64(codes[i])
        k = (code >> CLASS_SHIFT) & class_mask
        if len(weight) > 0:
            w = weight[code >> shift]
        left[k] += w
        right[k] -= w
        total_left += w
        total_right -= w
        if len(table) == 0 and right[k] < rounding:
            right[k] = 0.0  # a rest of rounding would count as a class
        left_parts[k] = _part(code_of, alpha, left[k], table)
        right_parts[k] = _part(code_of, alpha, right[k], table)
        if i + 1 >= low and codes[i + 1] & FIRST and total_left >= least and total_right >= least:
            part_left = _part(code_of, alpha, total_left, table)
            part_right = _part(code_of, alpha, total_right, table)
            cost = finish_side(code_of, alpha, beta, total_left, part_left, left_parts)
            cost += finish_side(code_of, alpha, beta, total_right, part_right, right_parts)
            if cost < below:
                best, below, position = cost, cost - margin(cost, scale), i + 1
    return best, position


@kernel(inner=True)
def scan_targets(line, rule, weight, target, counts):
    """Any regression criterion; the cost is minus the gain of the two sides.

    Parameters
    ----------
    line, rule, weight : as in `scan_gini`
    target : float64 (n_rows,); None for classification, and nothing is done
    counts : float64 (2,), weight and weighted sum of the targets of the node
    """
    if target is None:
        return np.inf, -1
    codes, begin, end, low, high, n_left, scale, below = line
    code_of, power, shift, least = rule.code, rule.alpha, rule.shift, rule.min_weight
    # a leaf that predicts 0 has infinite Poisson deviance on any other count. The sum on the right is a
    # difference, which rounding leaves a little above 0: there the last positive count decides
    smallest = -np.inf
    if code_of != GINI and power == 1.0:
        smallest = 0.0
        last = end - n_left - 1
        while last >= begin and target[np.int64(codes[last]) >> shift] <= 0.0:
            last -= 1
        high = min(high, last)
    best, position, w = np.inf, -1, 1.0
    sum_left, total_left = 0.0, 0.0
    for i in range(end - n_left, end):
        row = np.int64(codes[i]) >> shift
        if len(weight) > 0:
            w = weight[row]
        sum_left += w * target[row]
        total_left += w
    total_right, sum_right = counts[0] - total_left, counts[1] - sum_left
    for i in range(begin, high):
        row = np.int64(codes[i]) >> shift
        if len(weight) > 0:
            w = weight[row]
        step = w * target[row]
        sum_left += step
        sum_right -= step
        total_left += w
        total_right -= w
        is_allowed = total_left >= least and total_right >= least
        is_allowed &= sum_left > smallest
        if i + 1 >= low and codes[i + 1] & FIRST and is_allowed:
            cost = -mean_gain(code_of, power, total_left, sum_left)
            cost -= mean_gain(code_of, power, total_right, sum_right)
            if cost < below:
                best, below, position = cost, cost - margin(cost, scale), i + 1
    return best, position


@kernel(inner=True)
def scan_medians(line, rule, weight, target, room, counts):
    """Absolute error; the cost is the sum of the distances from the medians of the two sides.

    Parameters
    ----------
    line, rule, weight, target, counts : as in `scan_targets`
    room : float64, of `treelib.topdown.grow.medians.median_room`; None for other criteria: nothing is done
    """
    if target is None:
        return np.inf, -1
    if room is None:
        return np.inf, -1
    codes, begin, end, low, high, n_left, scale, below = line
    shift, least, w = rule.shift, rule.min_weight, 1.0
    total_left, sum_left = 0.0, 0.0
    for i in range(begin, end):
        row = np.int64(codes[i]) >> shift
        if len(weight) > 0:
            w = weight[row]
        is_left = i >= end - n_left
        put(room, LEFT_SIDE if is_left else RIGHT_SIDE, row, w, target[row])
        if is_left:
            total_left += w
            sum_left += w * target[row]
    best, position = np.inf, -1
    for i in range(begin, high):
        row = np.int64(codes[i]) >> shift
        if len(weight) > 0:
            w = weight[row]
        put(room, LEFT_SIDE, row, w, target[row])
        put(room, RIGHT_SIDE, row, -w, target[row])
        total_left += w
        sum_left += w * target[row]
        total_right = counts[0] - total_left
        if i + 1 >= low and codes[i + 1] & FIRST and total_left >= least and total_right >= least:
            cost = spread(room, LEFT_SIDE, total_left, sum_left)
            cost += spread(room, RIGHT_SIDE, total_right, counts[1] - sum_left)
            if cost < below:
                best, below, position = cost, cost - margin(cost, scale), i + 1
    for i in range(begin, end):
        row = np.int64(codes[i]) >> shift
        clear(room, LEFT_SIDE, row)
        clear(room, RIGHT_SIDE, row)
    return best, position


@kernel(inner=True)
def has_parts(table):
    """Whether parts are looked up in a table."""
    if table is None:
        return False
    return len(table) > 0


@kernel(inner=True)
def _part(code, alpha, count, table):
    return table[int(count)] if len(table) > 0 else part(code, alpha, count)


@kernel(inner=True)
def finish_side(code, alpha, beta, total, total_part, parts):
    """Impurity times weight of a side of weight `total`; `parts` float64 (n_classes,)."""
    joined = 1.0 if code == GEOMETRIC else 0.0
    for k in range(len(parts)):
        if code == GEOMETRIC:
            joined *= parts[k] / total_part
        elif code == MISCLASSIFICATION:
            joined = max(joined, parts[k])
        else:
            joined += parts[k]
    return finish(code, alpha, beta, total, total_part, joined)
