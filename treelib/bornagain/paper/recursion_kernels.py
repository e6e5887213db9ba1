"""Kernels of the paper's recursion over regions, with a table of all regions and an explicit stack.

A region is a pair of cells; feature j contributes the interval (a, b) of its levels, numbered
``first[j, a] + b - a``; the number of a region is the sum of these numbers times `stride`. The table holds
1 + value, and 0 where a region was not visited: whether one was visited matters to the extraction.
"""

from typing import NamedTuple

import numpy as np

from treelib.compiled.jit import kernel

DEPTH, LEAVES, DEPTH_LEAVES = 0, 1, 2
SPLIT_BITS = 20  # of a value under DEPTH_LEAVES, in int64; in the table `table_bits`

# columns of a frame
REGION, BOTTOM, TOP, FEATURE, LEVEL, LOW, UP, PHASE, LEFT, LOWER, UPPER, SAVED_LOW, SAVED_HIGH = range(13)
N_COLUMNS = 13
NEXT, HAS_LEFT, HAS_RIGHT = 0, 1, 2
INFINITE = 1 << 62


class Recursion(NamedTuple):
    """State of a recursion that can be stopped and continued.

    n int64 (p,), levels of each feature; first int64 (p, most levels); stride int64 (p,); cell_stride int64
    (p,); classes uint8 (n_cells,); table uint8 or uint16 (n_regions,); low, high int64 (p,), region of the
    topmost frame; frames int64 (room, 13); count int64 (4,): topmost frame, value returned last, recursive
    calls, regions memorised.
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


@kernel(allocates=False, inner=True)
def _ask(r, at, j, low, high, objective, table_bits):
    """Value of the region of frame `at` with the interval of feature j replaced: True and the value in
    ``count[1]`` if it is known, else a new frame is put on top."""
    frame = r.frames[at]
    a, b = r.low[j], r.high[j]
    bottom = frame[BOTTOM] + (low - a) * r.cell_stride[j]
    top = frame[TOP] + (high - b) * r.cell_stride[j]
    r.count[2] += 1
    if bottom == top:
        r.count[1] = 0
        return True
    region = frame[REGION] + (r.first[j, low] + high - low - r.first[j, a] - b + a) * r.stride[j]
    entry = r.table[region]
    if entry != 0:
        r.count[1] = _unpacked(entry, objective, table_bits)
        return True
    frame[SAVED_LOW], frame[SAVED_HIGH] = a, b
    r.low[j], r.high[j] = low, high
    new = r.frames[at + 1]
    new[REGION], new[BOTTOM], new[TOP] = region, bottom, top
    new[FEATURE], new[LOW], new[UP] = 0, r.low[0], r.high[0]
    new[PHASE], new[LOWER], new[UPPER] = NEXT, 0, INFINITE
    r.count[0] = at + 1
    return False


@kernel(allocates=False)
def run_recursion(r, objective, table_bits, largest, max_calls):
    """Go on with Born-Again (Algorithms 1, 2 or 3) until it ends or has made so many more recursive calls.

    Two shortcuts of the authors' program are kept under DEPTH, since they decide what is visited: the right
    part is not evaluated where the left one alone rules the split out, and the borders of the binary search
    move by the upper bound.

    Parameters
    ----------
    r : Recursion, changed in place
    objective : DEPTH, LEAVES or DEPTH_LEAVES
    table_bits : int, bits of a table entry for the splits under DEPTH_LEAVES
    largest : int, largest value that an entry can hold
    max_calls : int

    Returns
    -------
    int : 1 when done, 0 to go on, -1 when a value does not fit into the table
    """
    p = len(r.n)
    end = r.count[2] + max_calls
    while r.count[0] >= 0:
        if r.count[2] >= end:
            return 0
        at = r.count[0]
        frame = r.frames[at]
        j = frame[FEATURE]
        if frame[PHASE] == NEXT:
            while j < p and frame[LOW] >= frame[UP]:
                j += 1
                if j < p:
                    frame[LOW], frame[UP] = r.low[j], r.high[j]
            frame[FEATURE] = j
            if j == p or frame[LOWER] >= frame[UPPER]:
                if not _finish(r, at, frame[UPPER], objective, table_bits, largest):
                    return -1
                continue
            level = (frame[LOW] + frame[UP]) // 2 if objective == DEPTH else frame[LOW]
            frame[LEVEL], frame[PHASE] = level, HAS_LEFT
            _ask(r, at, j, r.low[j], level, objective, table_bits)
        elif frame[PHASE] == HAS_LEFT:
            _restore(r, frame, j)
            left, level = r.count[1], frame[LEVEL]
            frame[LEFT] = left
            if objective == DEPTH:
                frame[LOWER] = max(frame[LOWER], left)
                if 1 + left >= frame[UPPER]:
                    frame[UP], frame[PHASE] = level, NEXT
                    continue
            frame[PHASE] = HAS_RIGHT
            _ask(r, at, j, level + 1, r.high[j], objective, table_bits)
        else:
            _restore(r, frame, j)
            left, right, level = frame[LEFT], r.count[1], frame[LEVEL]
            frame[PHASE] = NEXT
            if left == 0 and right == 0:
                same = r.classes[frame[BOTTOM]] == r.classes[frame[TOP]]
                value = 0 if same else combined(0, 0, objective)
                if not _finish(r, at, value, objective, table_bits, largest):
                    return -1
                continue
            value = combined(left, right, objective)
            frame[LOWER] = max(frame[LOWER], left, right)
            if objective == DEPTH:
                if 1 + right < frame[UPPER]:
                    frame[UPPER] = value
                if 1 + left >= frame[UPPER]:
                    frame[UP] = level
                if 1 + right >= frame[UPPER]:
                    frame[LOW] = level + 1
            else:
                frame[UPPER] = min(frame[UPPER], value)
                frame[LOW] = level + 1
    return 1


@kernel(allocates=False, inner=True)
def _finish(r, at, value, objective, table_bits, largest):
    """Memorise the value of the region of frame `at` and take the frame off; False if it does not fit."""
    entry = _packed(value, objective, table_bits)
    fits = entry <= largest
    if objective == DEPTH_LEAVES:
        fits = fits and (value & ((1 << SPLIT_BITS) - 1)) + 1 < 1 << table_bits
    if fits:
        r.table[r.frames[at, REGION]] = entry
    r.count[0] = at - 1
    r.count[1] = value
    r.count[3] += 1
    return fits


@kernel(allocates=False, inner=True)
def _restore(r, frame, j):
    """Put back the interval that a part was evaluated on."""
    if frame[SAVED_HIGH] >= 0:
        r.low[j], r.high[j] = frame[SAVED_LOW], frame[SAVED_HIGH]
        frame[SAVED_HIGH] = -1


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
