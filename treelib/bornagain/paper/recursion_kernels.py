"""Kernels of the paper's recursion over regions, with a table of all regions and an explicit stack.

A region is a pair of cells; feature j contributes the interval (a, b) of its levels, numbered
``first[j, a] + b - a``; the number of a region is the sum of these numbers times `stride`. The table holds
1 + value, and 0 where a region was not visited: whether one was visited matters to the extraction.

Places in large arrays are unsigned: a signed one may count from the end, which costs a question each time.
"""

from typing import NamedTuple

import numpy as np

from treelib.compiled.jit import kernel

DEPTH, LEAVES, DEPTH_LEAVES = 0, 1, 2
SPLIT_BITS = 20  # of a value under DEPTH_LEAVES, in int64; in the table `table_bits`

# columns of a frame
REGION, BOTTOM, TOP, FEATURE, LOW, UP, LOWER, UPPER, SAVED_LOW, SAVED_HIGH = range(10)
N_COLUMNS = 10
TOPMOST, RETURNED, N_CALLS, N_STATES = range(4)  # entries of `Recursion.count`
INFINITE = 1 << 62
_AGAIN = -1  # in place of a value: a part is to be searched first


class Recursion(NamedTuple):
    """State of a recursion that can be stopped and continued.

    n int64 (p,), levels of each feature; first int64 (p, most levels); stride int64 (p,); cell_stride int64
    (p,); classes uint8 (n_cells,); table uint8, uint16 or uint32 (n_regions,); low, high int64 (p,), region
    of the topmost frame; frames int64 (room, 10); count int64 (4,): topmost frame, value returned last,
    recursive calls, regions memorised.
    """

    n: np.ndarray
    first: np.ndarray
    stride: np.ndarray
    cell_stride: np.ndarray
    classes: np.ndarray
    table: np.ndarray
    low: np.ndarray
    high: np.ndarray
    frames: np.ndarray
    count: np.ndarray


@kernel(allocates=False, inner=True)
def _packed(value, objective, table_bits):
    if objective == DEPTH_LEAVES:
        return ((value >> SPLIT_BITS) << table_bits) + (value & ((1 << SPLIT_BITS) - 1)) + 1
    return value + 1


@kernel(allocates=False, inner=True)
def _unpacked(entry, objective, table_bits):
    value = np.int64(entry) - 1
    if objective == DEPTH_LEAVES:
        return ((value >> table_bits) << SPLIT_BITS) + (value & ((1 << table_bits) - 1))
    return value


@kernel(allocates=False, inner=True)
def combined(left, right, objective):
    """Value of a split of parts of these values (line 20 of Algorithms 1 to 3)."""
    if objective == DEPTH:
        return 1 + max(left, right)
    if objective == LEAVES:
        return 1 + left + right
    mask = (1 << SPLIT_BITS) - 1
    depth = 1 + max(left >> SPLIT_BITS, right >> SPLIT_BITS)
    return (depth << SPLIT_BITS) + 1 + (left & mask) + (right & mask)


@kernel(allocates=False)
def run_recursion(r, objective, table_bits, largest, max_calls, shortcuts):
    """Go on with Born-Again (Algorithms 1, 2 or 3) until it ends or has made so many more recursive calls.

    The topmost frame goes through its splits, and looks up both parts, until one is not in the table. That
    one gets a frame, and is searched first; then the split is looked at once more. The calls of a split are
    counted when its parts are known.

    `_depth` and `_sums` are written into this kernel: a call would copy where each array lies, which takes
    longer than the look-ups.

    Parameters
    ----------
    r : Recursion, changed in place
    objective : DEPTH, LEAVES or DEPTH_LEAVES
    table_bits : int, bits of a table entry for the splits under DEPTH_LEAVES
    largest : int, largest value that an entry can hold
    max_calls : int
    shortcuts : bool, under DEPTH, as for `_depth`

    Returns
    -------
    int : 1 when done, 0 to go on, -1 when a value does not fit into the table
    """
    end = r.count[N_CALLS] + max_calls
    at = r.count[TOPMOST]
    while r.count[N_CALLS] < end:
        frame = r.frames[np.uintp(at)]
        if objective == DEPTH:
            value, part, low, high = _depth(r, frame, shortcuts)
        else:
            value, part, low, high = _sums(r, frame, objective, table_bits)
        if value == _AGAIN:
            j = np.uintp(frame[FEATURE])
            a, b = r.low[j], r.high[j]
            bottom = frame[BOTTOM] + (low - a) * r.cell_stride[j]
            top = frame[TOP] + (high - b) * r.cell_stride[j]
            if bottom == top:
                r.table[np.uintp(part)] = 1
                continue
            frame[SAVED_LOW], frame[SAVED_HIGH] = a, b
            r.low[j], r.high[j] = low, high
            at += 1
            r.count[TOPMOST] = at
            frame = r.frames[np.uintp(at)]
            frame[REGION], frame[BOTTOM], frame[TOP] = part, bottom, top
            frame[FEATURE], frame[LOW], frame[UP] = 0, r.low[0], r.high[0]
            frame[LOWER], frame[UPPER] = 0, INFINITE
            continue
        entry = _packed(value, objective, table_bits)
        r.count[RETURNED] = value
        r.count[N_STATES] += 1
        if entry > largest:
            return -1
        if objective == DEPTH_LEAVES and (value & ((1 << SPLIT_BITS) - 1)) + 1 >= 1 << table_bits:
            return -1
        r.table[np.uintp(frame[REGION])] = entry
        at -= 1
        r.count[TOPMOST] = at
        if at < 0:
            return 1
        frame = r.frames[np.uintp(at)]
        j = np.uintp(frame[FEATURE])
        r.low[j], r.high[j] = frame[SAVED_LOW], frame[SAVED_HIGH]
    return 0


@kernel(allocates=False, inner=True, inline=True)
def _depth(r, frame, shortcuts):
    """Value of the region of a frame under DEPTH; or `_AGAIN`, and the part to be searched first: its number
    and its interval of the feature that is split.

    With `shortcuts` as the authors' program, which visits other regions than Algorithm 1: the right part is
    not evaluated where the left one alone rules the split out, and the borders of the binary search move by
    the upper bound.
    """
    p, n_calls, value, part, a, b = np.uintp(len(r.n)), 0, _AGAIN, 0, 0, 0
    region, lower, upper = frame[REGION], frame[LOWER], frame[UPPER]
    j, low, up = np.uintp(frame[FEATURE]), frame[LOW], frame[UP]
    while True:
        if low >= up:
            j += np.uintp(1)
            if j == p:
                value = upper
                break
            low, up = r.low[j], r.high[j]
            continue
        if lower >= upper:
            value = upper
            break
        level = (low + up) >> 1
        a, b, stride = r.low[j], r.high[j], r.stride[j]
        part = region - (b - level) * stride
        left = np.int64(r.table[np.uintp(part)]) - 1
        if left < 0:
            b = level
            break
        if shortcuts and 1 + left >= upper:
            n_calls += 1
            lower, up = max(lower, left), level
            continue
        part = region + (r.first[j, np.uintp(level + 1)] - level - 1 - r.first[j, np.uintp(a)] + a) * stride
        right = np.int64(r.table[np.uintp(part)]) - 1
        if right < 0:
            a = level + 1
            break
        n_calls += 2
        if left + right == 0:
            value = np.int64(r.classes[np.uintp(frame[BOTTOM])] != r.classes[np.uintp(frame[TOP])])
            break
        lower = max(lower, left, right)
        upper = min(upper, 1 + max(left, right))
        if (1 + left >= upper) if shortcuts else (left >= right):
            up = level
        if (1 + right >= upper) if shortcuts else (left <= right):
            low = level + 1
    r.count[N_CALLS] += n_calls
    frame[FEATURE], frame[LOW], frame[UP], frame[LOWER], frame[UPPER] = np.int64(j), low, up, lower, upper
    return value, part, a, b


@kernel(allocates=False, inner=True, inline=True)
def _sums(r, frame, objective, table_bits):
    """Value of the region of a frame under LEAVES or DEPTH_LEAVES, or a part, as `_depth`."""
    p, n_calls, value, part, a, b = np.uintp(len(r.n)), 0, _AGAIN, 0, 0, 0
    region, lower, upper = frame[REGION], frame[LOWER], frame[UPPER]
    j, level = np.uintp(frame[FEATURE]), frame[LOW]
    while True:
        if level >= r.high[j]:
            j += np.uintp(1)
            if j == p:
                value = upper
                break
            level = r.low[j]
            continue
        if lower >= upper:
            value = upper
            break
        a, b, stride = r.low[j], r.high[j], r.stride[j]
        part = region - (b - level) * stride
        entry = r.table[np.uintp(part)]
        if entry == 0:
            b = level
            break
        left = _unpacked(entry, objective, table_bits)
        part = region + (r.first[j, np.uintp(level + 1)] - level - 1 - r.first[j, np.uintp(a)] + a) * stride
        entry = r.table[np.uintp(part)]
        if entry == 0:
            a = level + 1
            break
        right = _unpacked(entry, objective, table_bits)
        n_calls += 2
        whole = combined(left, right, objective)
        if left + right == 0:
            same = r.classes[np.uintp(frame[BOTTOM])] == r.classes[np.uintp(frame[TOP])]
            value = 0 if same else whole
            break
        lower, upper = max(lower, left, right), min(upper, whole)
        level += 1
    r.count[N_CALLS] += n_calls
    frame[FEATURE], frame[LOW], frame[LOWER], frame[UPPER] = np.int64(j), level, lower, upper
    return value, part, a, b


@kernel(inner=True)
def _look_up(r, low, high, objective, table_bits):
    """Value of a region, -1 where it was not visited."""
    region, is_cell = 0, True
    for j in range(len(r.n)):
        region += (r.first[j, low[j]] + high[j] - low[j]) * r.stride[j]
        is_cell = is_cell and low[j] == high[j]
    if is_cell:
        return 0
    entry = r.table[region]
    return -1 if entry == 0 else _unpacked(entry, objective, table_bits)


@kernel
def extract(r, objective, table_bits, n_nodes):
    """Algorithm 4: the first split, features and levels ascending, of visited parts that give the value.

    Returns
    -------
    int64 (4, n_nodes) : right child (-1 at leaves; the left child is the next node), feature (-2 at leaves),
        level, class. Fewer columns when `n_nodes` were not enough.
    """
    p = len(r.n)
    nodes = np.full((4, n_nodes), -1, dtype=np.int64)
    room = int(r.n.sum()) + 2
    lows, highs = np.zeros((room, p), dtype=np.int64), np.zeros((room, p), dtype=np.int64)
    parent = np.full(room, -1, dtype=np.int64)
    highs[0] = r.n - 1
    n_stack, made = 1, 0
    low, high = np.empty(p, dtype=np.int64), np.empty(p, dtype=np.int64)
    while n_stack > 0:
        n_stack -= 1
        low[:], high[:] = lows[n_stack], highs[n_stack]
        if made == n_nodes:
            return nodes[:, :0]
        if parent[n_stack] >= 0:
            nodes[0, parent[n_stack]] = made
        value = _look_up(r, low, high, objective, table_bits)
        nodes[1, made], nodes[2, made] = -2, 0
        nodes[3, made] = r.classes[(low * r.cell_stride).sum()]
        made += 1
        if value == 0:
            continue
        found = False
        for j in range(p):
            bottom, top = low[j], high[j]
            for level in range(bottom, top):
                high[j] = level
                left = _look_up(r, low, high, objective, table_bits)
                high[j], low[j] = top, level + 1
                right = _look_up(r, low, high, objective, table_bits)
                low[j] = bottom
                if left < 0 or right < 0 or combined(left, right, objective) != value:
                    continue
                found = True
                nodes[1, made - 1], nodes[2, made - 1] = j, level
                lows[n_stack], highs[n_stack] = low, high
                lows[n_stack, j] = level + 1
                parent[n_stack] = made - 1
                lows[n_stack + 1], highs[n_stack + 1] = low, high
                highs[n_stack + 1, j] = level
                parent[n_stack + 1] = -1
                n_stack += 2
                break
            if found:
                break
    return nodes[:, :made]
