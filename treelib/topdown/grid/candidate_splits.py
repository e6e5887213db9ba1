"""Compiled steps of `treelib.topdown.grid.walk`: candidate splits of a node, and the best of each criterion.

A candidate is a point, the class counts on its left. The cost of a split is a function of the point alone,
the same for a point and its mirror image (left and right exchanged). Two facts leave few points:

- equal points and mirror images cost the same;
- where the criterion is concave, the cost is a concave function of the point, so that its least value over
  any set of points is taken at a vertex of their convex hull. With two classes the hull is found directly;
  with more, the points between two values whose rows are all of one class are left out, since they lie on a
  segment between their neighbours (Fayyad and Irani 1992 for the entropy).
"""

from typing import NamedTuple

import numpy as np

from treelib.compiled.jit import kernel
from treelib.topdown.grow.impurity import TSALLIS, is_whole, margin, part, tsallis_cost, tsallis_power
from treelib.topdown.grow.presort import CLASS_SHIFT, FIRST, count_missing
from treelib.topdown.grow.scan import finish_side

HASHED = np.uint64(0x9E3779B97F4A7C15)
AT_ONCE, BLOCK = 256, 64  # points whose costs are made, and compared, together


class Criteria(NamedTuple):
    """Criteria as numbers, by place.

    codes : intp (n_criteria,). alphas, betas : float64 (n_criteria,)
    tables : float64 (n_tables, n + 1), parts of the counts 0, 1, ...; one for all of a code and alpha
    table_of : intp (n_criteria,), rows of `tables`
    """

    codes: np.ndarray
    alphas: np.ndarray
    betas: np.ndarray
    tables: np.ndarray
    table_of: np.ndarray


class Room(NamedTuple):
    """Arrays for at most `room` candidates of a node with at most n rows of its first class.

    points : int32 (room, n_classes). splits : int32 (room, 4), see `list_of_feature`
    keep : uint8 (room,). slots : int32 (a power of two, more than 2 room)
    ends : intp (2, n + 1, 2). chain : intp (n + 1,)
    """

    points: np.ndarray
    splits: np.ndarray
    keep: np.ndarray
    slots: np.ndarray
    ends: np.ndarray
    chain: np.ndarray


def make_room(room, n, n_classes):
    """`Room` for so many candidates and up to n rows of a class."""
    return Room(
        np.empty((room, n_classes), dtype=np.int32),
        np.empty((room, 4), dtype=np.int32),
        np.empty(room, dtype=np.uint8),
        np.empty(1 << max(4, (2 * room).bit_length()), dtype=np.int32),
        np.empty((2, n + 1, 2), dtype=np.intp),
        np.empty(n + 1, dtype=np.intp),
    )


@kernel(allocates=False)
def fill_table(code, alpha, first, table):
    """Write the parts of the counts from `first` on into `table`, float64 (m,), for one code and alpha."""
    for i in range(len(table)):
        table[i] = part(code, alpha, float(first + i))


@kernel(allocates=False)
def count_classes(codes, shift, counts):
    """Class counts of the rows in `codes`, uint (m,); `counts` intp (n_classes,), written."""
    mask = (1 << (shift - CLASS_SHIFT)) - 1
    counts[:] = 0
    for i in range(len(codes)):
        counts[(np.int64(codes[i]) >> CLASS_SHIFT) & mask] += 1


@kernel(allocates=False)
def list_candidates(codes, first, last, shift, min_leaf, is_concave, total, room):
    """Candidate splits by the features `first` to `last` - 1, of equal and mirrored ones the first, and where
    the criterion is concave only those that may be best; returns their number.

    Parameters
    ----------
    codes : uint (n_features, m), rows of the node in order of each feature
    first, last, shift, min_leaf : int. is_concave : bool
    total : intp (n_classes,), class counts of the node
    room : Room, written: 2 m candidates a feature and 1; those that are kept come first
    """
    n, points, splits = 0, room.points, room.splits
    between_classes = is_concave and len(total) > 2
    for feature in range(first, last):
        here = points[n:], splits[n:]
        n += list_of_feature(codes[feature], shift, feature, min_leaf, between_classes, here[0], here[1])
    if is_concave and len(total) == 2:
        ends = room.ends[:, : total[0] + 1]
        mark_hull(points, n, total, ends[0], ends[1], room.chain, room.keep)
    else:
        n_slots = 16
        while n_slots <= 2 * n:
            n_slots *= 2
        mark_distinct(points, n, total, room.slots[:n_slots], room.keep)
    to = 0
    for i in range(n):
        if room.keep[i]:
            move_candidate(points, splits, i, to)
            to += 1
    return to


@kernel(inner=True)
def list_of_feature(codes, shift, feature, min_leaf, between_classes, points, splits):
    """Candidate splits by one feature, missing values on either side.

    Parameters
    ----------
    codes : uint (m,), rows of the node in order of the feature
    shift, feature, min_leaf : int
    between_classes : bool, leave out points between two values whose rows are all of one class
    points : int32 (room, n_classes), written; 2 m + 1 are room enough
    splits : int32 (room, 4), written: feature, position, missing_left, and a scratch column

    Returns
    -------
    int, number of candidates
    """
    m, n_classes = len(codes), points.shape[1]
    mask = (1 << (shift - CLASS_SHIFT)) - 1
    n_missing = count_missing(codes, 0, m)
    n_points = 0
    for missing_left in range(2 if n_missing > 0 else 1):
        n_left = n_missing if missing_left else 0
        low = max(1, min_leaf - n_left)
        high = min(m - min_leaf - n_left, m - n_missing - missing_left)
        start = n_points
        for k in range(n_classes):
            points[n_points, k] = 0
        for i in range(m - n_left, m):
            points[n_points, (np.int64(codes[i]) >> CLASS_SHIFT) & mask] += 1
        kind = -1  # class of all rows of the present value; -1: several
        for i in range(high):
            k = (np.int64(codes[i]) >> CLASS_SHIFT) & mask
            kind = k if codes[i] & FIRST or k == kind else -1
            points[n_points, k] += 1
            if i + 1 >= low and codes[i + 1] & FIRST:
                splits[n_points, 0], splits[n_points, 1] = feature, i + 1
                splits[n_points, 2], splits[n_points, 3] = missing_left, kind
                n_points += 1
                for j in range(n_classes):
                    points[n_points, j] = points[n_points - 1, j]
        if between_classes:
            n_points = drop_inner(points, splits, start, n_points)
    return n_points


@kernel(inner=True)
def drop_inner(points, splits, start, end):
    """Keep of the points ``start:end`` of one feature the first, the last, and those between two classes."""
    to = start
    for i in range(start, end):
        is_inner = start < i < end - 1 and splits[i, 3] >= 0 and splits[i, 3] == splits[i + 1, 3]
        if not is_inner:
            move_candidate(points, splits, i, to)
            to += 1
    return to


@kernel(inner=True)
def move_candidate(points, splits, at, to):
    """Write candidate `at` over candidate `to`."""
    for k in range(splits.shape[1]):
        splits[to, k] = splits[at, k]
    for k in range(points.shape[1]):
        points[to, k] = points[at, k]


@kernel(allocates=False)
def mark_distinct(points, n_points, total, slots, keep):
    """First of all points that are equal or mirror images.

    Parameters
    ----------
    points : int32 (room, n_classes). n_points : int
    total : intp (n_classes,), class counts of the node
    slots : int32 (a power of two, more than `n_points`), scratch: a hash table of point numbers
    keep : uint8 (n_points,), written
    """
    slots[:] = -1
    n_classes, last = points.shape[1], len(slots) - 1
    whole = np.uint64(0)  # the hash is linear: that of the mirror image is what is missing to this one
    for k in range(n_classes):
        whole = whole * HASHED + np.uint64(total[k])
    for i in range(n_points):
        one = np.uint64(0)
        for k in range(n_classes):
            one = one * HASHED + np.uint64(points[i, k])
        mixed = min(one, whole - one) * np.uint64(0xBF58476D1CE4E5B9)
        slot = np.int64(mixed >> np.uint64(20)) & last
        while slots[slot] >= 0 and not is_same(points, i, slots[slot], total):
            slot = (slot + 1) & last
        keep[i] = slots[slot] < 0
        if keep[i]:
            slots[slot] = i


@kernel(inner=True)
def is_same(points, i, j, total):
    """Whether two points are equal or mirror images."""
    same, mirrored = True, True
    for k in range(points.shape[1]):
        same &= points[i, k] == points[j, k]
        mirrored &= points[i, k] + points[j, k] == total[k]
    return same or mirrored


@kernel(allocates=False)
def mark_hull(points, n_points, total, lowest, highest, chain, keep):
    """Vertices of the convex hull of the points and their mirror images, two classes.

    Parameters
    ----------
    points : int32 (room, 2). n_points : int. total : intp (2,)
    lowest, highest : intp (total[0] + 1, 2), scratch: least and largest second count of each first count, and
        the number of the first point that has it (of the point itself or of its mirror image)
    chain : intp (total[0] + 1,), scratch
    keep : uint8 (n_points,), written
    """
    lowest[:, 0] = total[1] + 1
    highest[:, 0] = -1
    for i in range(n_points):
        keep[i] = 0
        for mirror in range(2):
            x, y = np.int64(points[i, 0]), np.int64(points[i, 1])
            if mirror:
                x, y = total[0] - x, total[1] - y
            if y < lowest[x, 0]:
                lowest[x, 0], lowest[x, 1] = y, i
            if y > highest[x, 0]:
                highest[x, 0], highest[x, 1] = y, i
    keep_chain(lowest, 1, total[1] + 1, chain, keep)
    keep_chain(highest, -1, -1, chain, keep)


@kernel(inner=True)
def keep_chain(ends, sign, unset, chain, keep):
    """Mark the vertices of the lower hull (`sign` 1) or of the upper one (-1) of the columns `ends`, those
    with the value `unset` left out."""
    n = 0
    for x in range(len(ends)):
        if ends[x, 0] == unset:
            continue
        while n >= 2:
            a, b = chain[n - 2], chain[n - 1]
            turn = (b - a) * (ends[x, 0] - ends[a, 0]) - (ends[b, 0] - ends[a, 0]) * (x - a)
            if sign * turn > 0:
                break
            n -= 1
        chain[n] = x
        n += 1
    for i in range(n):
        keep[ends[chain[i], 1]] = 1


@kernel(allocates=False)
def best_points(group, criteria, points, some, total, scratch, best, costs):
    """Best of some candidates and those before, for each criterion: least cost, of equal ones the first
    (`treelib.topdown.grow.impurity.margin`).

    What Tsallis criteria of one alpha share, whatever their beta, is computed once.

    Parameters
    ----------
    group : intp (g,), criteria to look at, those of one code and alpha one after the other
    criteria : Criteria
    points : int32 (k, n_classes). some : (first, last), places in them, `first` a multiple of `AT_ONCE` and
        `last` too, or k. total : intp (n_classes,)
    scratch : (sides float64 (2, n_classes), shared float64 (11, `AT_ONCE`), see `share_alpha`)
    best : intp (g,). costs : float64 (g, 2): of the best split before, infinity at first, and of the node
    """
    n, sides = 0, scratch[0]
    for k in range(len(total)):
        n += total[k]
    for g in range(len(group)):
        c = group[g]
        code, alpha, beta = criteria.codes[c], criteria.alphas[c], criteria.betas[c]
        table = criteria.tables[criteria.table_of[c]]
        for k in range(len(total)):
            sides[0, k] = table[total[k]]
        if code == TSALLIS:
            costs[g, 1] = tsallis_cost(alpha, beta, float(n), side_entropy(alpha, n, table, sides[0]))
        else:
            costs[g, 1] = finish_side(code, alpha, beta, float(n), table[n], sides[0])
    for start in range(some[0], some[1], AT_ONCE):
        best_of_some(group, criteria, points, start, total, scratch, best, costs)


@kernel(inner=True)
def best_of_some(group, criteria, all_points, start, total, scratch, best, costs):
    """`best_points` of some points from number `start` on, so few that `shared` stays in the processor's
    nearest cache. scratch : (sides, shared)"""
    sides, points = scratch[0], all_points[start : start + AT_ONCE]
    shared = scratch[1][:, : len(points)]
    n, n_steps = 0, -1
    for k in range(len(total)):
        n += total[k]
    for g in range(len(group)):
        c = group[g]
        code, alpha, beta = criteria.codes[c], criteria.alphas[c], criteria.betas[c]
        table = criteria.tables[criteria.table_of[c]]
        if code != TSALLIS:
            for i in range(len(points)):
                n_left = fill_sides(table, points, i, total, sides)
                n_right = n - n_left
                cost = finish_side(code, alpha, beta, float(n_left), table[n_left], sides[0])
                cost += finish_side(code, alpha, beta, float(n_right), table[n_right], sides[1])
                shared[10, i] = cost
        else:
            before = group[g - 1] if g > 0 else -1
            if before < 0 or criteria.codes[before] != TSALLIS or criteria.alphas[before] != alpha:
                share_alpha(alpha, table, points, total, n, shared)
                n_steps = -1
            if is_whole(beta):
                n_steps = fill_sums(int(beta), n_steps, shared)
            else:
                n_steps = -1
                fill_powers(alpha, beta, shared)
        first, least = first_below(costs[g, 0], costs[g, 1], shared[10])
        if first >= 0:
            best[g], costs[g, 0] = start + first, least


@kernel(inner=True)
def fill_sides(table, points, i, total, sides):
    """Parts of the classes on both sides of a point into `sides`; returns the number of rows on the left."""
    n_left = 0
    for k in range(len(total)):
        n_left += points[i, k]
        sides[0, k] = table[points[i, k]]
        sides[1, k] = table[total[k] - points[i, k]]
    return n_left


@kernel(inner=True)
def share_alpha(alpha, table, points, total, n, shared):
    """What the cost of the points needs that does not depend on beta, into rows of `shared`.

    Entropies of beta = 1 are those of `side_entropy`, n the rows of the node.
    """
    for i in range(len(points)):
        n_left, left, right = 0, 0.0, 0.0
        for k in range(len(total)):
            n_left += points[i, k]
            left += table[points[i, k]]
            right += table[total[k] - points[i, k]]
        shared[0, i], shared[2, i] = n_left, left
        shared[1, i], shared[3, i] = n - n_left, right
    for side in range(2):
        sizes, entropies = shared[side], shared[2 + side]
        for i in range(len(points)):
            whole = table[int(sizes[i])]
            entropy = (whole - entropies[i]) / (sizes[i] + (alpha - 1.0) * whole)
            excess = (alpha - 1.0) * entropy
            entropies[i] = sizes[i] * entropy
            shared[4 + side, i] = 1.0 - excess
            shared[6 + side, i] = excess


@kernel(inner=True)
def side_entropy(alpha, n, table, parts):
    """Tsallis entropy of beta = 1 of n rows, as `treelib.topdown.grow.impurity.finish` computes it."""
    joined = 0.0
    for k in range(len(parts)):
        joined += parts[k]
    return (table[n] - joined) / (n + (alpha - 1.0) * table[n])


@kernel(inner=True)
def fill_sums(beta, n_steps, shared):
    """Costs of all points for a whole beta into ``shared[10]``, those of `tsallis_cost` to the last bit.

    All points take each step of the sum ``1 + S + ... + S^(beta - 1)`` together, which the processor does
    eight at a time. The steps of a smaller beta come first in those of a larger one: ``shared[8:10]`` holds
    the sums after `n_steps` steps, -1 where nothing of this alpha. Returns the steps done.
    """
    left, right, costs = shared[8], shared[9], shared[10]
    rest_left, rest_right = shared[4], shared[5]
    if n_steps < 0 or n_steps > beta - 1:
        n_steps = 0
        left[:] = 1.0
        right[:] = 1.0
    for _ in range(beta - 1 - n_steps):
        for i in range(len(costs)):
            left[i] = 1.0 + rest_left[i] * left[i]
            right[i] = 1.0 + rest_right[i] * right[i]
    for i in range(len(costs)):
        costs[i] = shared[2, i] * left[i] + shared[3, i] * right[i]
    return beta - 1


@kernel(inner=True)
def fill_powers(alpha, beta, shared):
    """The same for any beta, with no steps."""
    costs = shared[10]
    for i in range(len(costs)):
        cost = tsallis_power(alpha, beta, shared[0, i], shared[2, i], np.log1p(-shared[6, i]))
        costs[i] = cost + tsallis_power(alpha, beta, shared[1, i], shared[3, i], np.log1p(-shared[7, i]))


@kernel(inner=True)
def first_below(least, scale, costs):
    """(place, cost) of the first of the least costs; a place of -1 where none is below `least`.

    scale : float, the cost of the node
    """
    first, below = -1, least
    if least < np.inf:
        below -= margin(least, scale)
    for start in range(0, len(costs), BLOCK):
        some = costs[start : start + BLOCK]
        n_less = 0
        for i in range(len(some)):  # without a branch, so that several are compared at a time
            n_less += some[i] < below
        if n_less > 0:
            for i in range(len(some)):
                if some[i] < below:
                    first, least = start + i, some[i]
                    below = least - margin(least, scale)
    return first, least


@kernel(allocates=False)
def mark_sides(codes, shift, along, position, missing_left, goes_left):
    """Say of each row of a node to which of its two children a split gives it.

    Parameters
    ----------
    codes : uint (n_features, m). shift : int
    along, position, missing_left : int, the split: feature, rows on its left, whether missing ones are too
    goes_left : uint8 (n_all,), by row number, written for the rows of the node
    """
    m = codes.shape[1]
    known = m - count_missing(codes[along], 0, m)
    for i in range(m):
        is_left = i < position or (i >= known and missing_left == 1)
        goes_left[np.int64(codes[along, i]) >> shift] = is_left


@kernel(allocates=False)
def take_sides(codes, shift, goes_left, left, right):
    """Rows of a node given to its two children, in order of every feature.

    Parameters
    ----------
    codes : uint (k, m), of some of the features. shift : int
    goes_left : uint8 (n_all,), by row number, of `mark_sides`
    left, right : uint (k, m_left + 1) and (k, m_right + 1), written; the last column is scratch
    """
    for feature in range(len(codes)):
        i_left, i_right, first_left, first_right = 0, 0, 0, 0
        for i in range(codes.shape[1]):
            code = np.int64(codes[feature, i])
            side = np.int64(goes_left[code >> shift])
            first_left |= code & FIRST
            first_right |= code & FIRST
            rest = code & ~FIRST
            left[feature, i_left] = rest | first_left
            right[feature, i_right] = rest | first_right
            first_left &= side - 1
            first_right &= -side
            i_left += side
            i_right += 1 - side
