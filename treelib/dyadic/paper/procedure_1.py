"""Kernel of the memoised recursion: Procedure 1 with a database, an explicit stack and the test of Lemma 1.

A frame is a rectangle being worked on. Its rows stand in `Frames.rows` of its level; splitting them along the
current coordinate writes both halves to the level below, the left half from the front and the right half
from the back, so nothing is copied twice. Errors and leaves are whole numbers; the leaf penalty is the
fraction numerator / denominator, so risks compare exactly.
"""

from typing import NamedTuple

import numpy as np

from treelib.compiled.jit import kernel
from treelib.dyadic.paper.hash_tables import Database, find, touch

# ties between trees of equal risk: the first found (strict < of Procedure 1), most leaves (Definition 2),
# fewest
FIRST, LARGEST, SMALLEST = 0, 1, 2
TIES = {"first": FIRST, "largest": LARGEST, "smallest": SMALLEST}

LEAF = -1  # `Entries.split` of a leaf
NO_LABEL = -1  # `Entries.label` of an empty rectangle
OPEN_ENTRY = -2  # and of a rectangle that is still being worked on

# fields of a frame
ENTRY, START, COUNT, COORDINATE, STAGE, N_LEFT, N_RIGHT, WAITING, BEST_ERROR, BEST_LEAVES, BEST_SPLIT = range(
    11
)
LEFT_ERROR, LEFT_LEAVES, RIGHT_ERROR, RIGHT_LEAVES, TOUCHED = range(11, 16)
N_FIELDS = 16

# fields of `control`: level on top (-1: done), entries, those expanded, lookups, hits, empty halves, row
# reads, and as a fraction the largest split ratio below the price so far
LEVEL, N_ENTRIES, N_EXPANDED, N_LOOKUPS, N_HITS, N_EMPTY, N_ROWS, RATIO_ERROR, RATIO_LEAVES = range(9)
N_CONTROL = 9

DONE, PAUSED, FULL = 0, 1, 2

# reads of a row that take as long as a lookup in large tables and what comes of it
_LOOKUP = np.int64(50)


class Rules(NamedTuple):
    """Settings of one run, all int64.

    numerator, denominator : leaf penalty, in units of the losses
    prune : 1 where a rectangle with less error than the price is a leaf at once (Lemma 1)
    tie : FIRST, LARGEST or SMALLEST
    ratio_offset : leaves taken off in the split ratio: 0 as printed in Definition 4, 1 with Lemma 4 corrected
    store_empty : 1 to store empty rectangles too, which the paper's counts of rectangles include
    """

    numerator: int
    denominator: int
    prune: int
    tie: int
    ratio_offset: int
    store_empty: int


class Rows(NamedTuple):
    """codes : int64 (n, d), finest cells. losses : int64 (n, K). n_splits : int64 (d,)."""

    codes: np.ndarray
    losses: np.ndarray
    n_splits: np.ndarray


# What a lookup reads and writes of a rectangle that it meets again, side by side in half a cache line.
RECTANGLE = np.dtype(
    [
        ("key", np.int64),
        ("error", np.int64),
        ("reach", np.int64),
        ("leaves", np.int32),
        ("split", np.int16),
        ("label", np.int16),
    ]
)


class Entries(NamedTuple):
    """What is stored of the rectangles visited, in order of the first visit.

    known : RECTANGLE. error, leaves : of the optimal tree. split : coordinate of the optimal split, LEAF or
        OPEN_ENTRY. label : of the majority. reach : largest error of a visited rectangle that has it as a
        child: a run whose price is above does not visit it.
    leaf_error : int64, error of the single leaf.
    """

    known: np.ndarray
    leaf_error: np.ndarray


class Frames(NamedTuple):
    """frame : int64 (levels, N_FIELDS). depth : int64 (levels, d), splits made. rows : int32 (levels + 1, n).
    totals : int64 (K,), work space."""

    frame: np.ndarray
    depth: np.ndarray
    rows: np.ndarray
    totals: np.ndarray


class State(NamedTuple):
    """All that a run reads and changes. control : int64 (N_CONTROL,), see above."""

    rows: Rows
    database: Database
    entries: Entries
    frames: Frames
    rules: Rules
    control: np.ndarray


@kernel(inner=True)
def _is_better(error, leaves, best_error, best_leaves, rules):
    """Whether a tree replaces the best one so far."""
    risk = rules.denominator * error + rules.numerator * leaves
    best = rules.denominator * best_error + rules.numerator * best_leaves
    if risk != best or rules.tie == FIRST:
        return risk < best
    return leaves > best_leaves if rules.tie == LARGEST else leaves < best_leaves


@kernel(inner=True)
def _reject(gain, leaves, rules, control):
    """Take note of the split ratio gain / leaves of a tree that was not chosen, if it is below the price."""
    leaves -= rules.ratio_offset
    if gain <= 0 or leaves <= 0 or gain * rules.denominator >= rules.numerator * leaves:
        return
    if gain * control[RATIO_LEAVES] > control[RATIO_ERROR] * leaves:
        control[RATIO_ERROR] = gain
        control[RATIO_LEAVES] = leaves


@kernel(inner=True)
def _split_rows(rows, frames, level):
    """Part the rows of the frame at `level` along its coordinate; returns the sizes of both halves."""
    frame = frames.frame[level]
    coordinate = frame[COORDINATE]
    bit = rows.n_splits[coordinate] - frames.depth[level, coordinate] - 1
    n_left, back = 0, frames.rows.shape[1]
    for at in range(frame[START], frame[START] + frame[COUNT]):
        row = frames.rows[level, at]
        if (rows.codes[row, coordinate] >> bit) & 1:
            back -= 1
            frames.rows[level + 1, back] = row
        else:
            frames.rows[level + 1, n_left] = row
            n_left += 1
    return n_left, frames.rows.shape[1] - back


@kernel(inner=True)
def _touch_halves(state, level):
    """Fetch what the lookups of all halves of the frame at `level` will read, before any is asked for.

    A lookup in large tables waits for memory twice, for the slot and then for the entry there; those of one
    rectangle wait together where they stand side by side, one after the other once work lies in between.
    """
    rows, database, entries, frames = state.rows, state.database, state.entries, state.frames
    frame = frames.frame[level]
    key = entries.known[frame[ENTRY]]["key"]
    found = np.int64(0)
    for i in range(rows.n_splits.shape[0]):
        left = rows.n_splits[i] - frames.depth[level, i]
        if left > 0:
            step = np.int64(1) << (left - 1 + database.shifts[i])
            found += touch(database.heads, entries.known, key - step)
            found += touch(database.heads, entries.known, key + step)
    frame[TOUCHED] = found  # kept, or the compiler would leave the reads out


@kernel(inner=True)
def _visit(state, level, key, slot, start, count):
    """Store a new rectangle, whose rows stand at level + 1, and push a frame if it must be expanded.

    Returns its entry. ``split`` stays OPEN_ENTRY where it was pushed.
    """
    rows, database, entries, frames, rules, control = state
    entry = control[N_ENTRIES]
    control[N_ENTRIES] += 1
    totals = frames.totals
    totals[:] = 0
    for at in range(start, start + count):
        row = frames.rows[level + 1, at]
        for label in range(totals.shape[0]):
            totals[label] += rows.losses[row, label]
    control[N_ROWS] += count
    best = 0
    for label in range(1, totals.shape[0]):
        if totals[label] < totals[best]:
            best = label
    error = totals[best]
    known = entries.known[entry]
    known["key"], known["error"], known["reach"] = key, error, 0
    known["leaves"], known["split"], known["label"] = 1, LEAF, best
    entries.leaf_error[entry] = error
    database.heads[slot] = entry
    if count == 0:
        known["label"] = NO_LABEL
        return entry
    if rules.prune and error * rules.denominator < rules.numerator:
        return entry
    child = level + 1
    can_split = False
    for i in range(rows.n_splits.shape[0]):
        can_split |= frames.depth[child, i] < rows.n_splits[i]
    if can_split:
        known["split"] = OPEN_ENTRY
        frame = frames.frame[child]
        frame[ENTRY], frame[START], frame[COUNT] = entry, start, count
        frame[COORDINATE], frame[STAGE], frame[WAITING] = 0, 0, -1
        frame[BEST_ERROR], frame[BEST_LEAVES], frame[BEST_SPLIT] = error, 1, LEAF
        control[N_EXPANDED] += 1
        control[LEVEL] = child
        _touch_halves(state, child)
    return entry


@kernel(inner=True)
def _half(state, level, side):
    """Work on one half (0 left, 1 right) of the current split until its optimum is known.

    Returns 1 when it is, 0 when a frame was pushed for it, -1 when there is no room for it.
    """
    rows, database, entries, frames, rules, control = state
    frame = frames.frame[level]
    count = frame[N_LEFT + side]
    found = LEFT_ERROR + 2 * side
    if count == 0:
        control[N_EMPTY] += 1
    if count == 0 and not rules.store_empty:
        frame[found], frame[found + 1] = 0, 1
        return 1
    entry = frame[WAITING]
    if entry < 0:
        coordinate = frame[COORDINATE]
        quarter = np.int64(1) << (rows.n_splits[coordinate] - frames.depth[level, coordinate] - 1)
        step = quarter << database.shifts[coordinate]
        parent = frame[ENTRY]
        key = entries.known[parent]["key"] + (step if side else -step)
        entry = find(database.heads, entries.known, key)
        if entry < 0:
            if control[N_ENTRIES] == entries.known.shape[0]:
                return -1
            for i in range(rows.n_splits.shape[0]):
                frames.depth[level + 1, i] = frames.depth[level, i]
            frames.depth[level + 1, coordinate] += 1
            start = 0 if side == 0 else frames.rows.shape[1] - count
            entry = _visit(state, level, key, -1 - entry, start, count)
        else:
            control[N_HITS] += 1
        control[N_LOOKUPS] += 1
        known = entries.known[entry]
        known["reach"] = max(known["reach"], entries.leaf_error[parent])
        if known["split"] == OPEN_ENTRY:
            frame[WAITING] = entry
            return 0
    frame[WAITING] = -1
    frame[found], frame[found + 1] = entries.known[entry]["error"], entries.known[entry]["leaves"]
    return 1


@kernel(inner=True)
def _finish(state, level):
    """Store the optimum of the frame at `level` and pop it."""
    entries, control, frame = state.entries, state.control, state.frames.frame[level]
    known = entries.known[frame[ENTRY]]
    known["error"], known["leaves"], known["split"] = frame[BEST_ERROR], frame[BEST_LEAVES], frame[BEST_SPLIT]
    control[LEVEL] = level - 1


@kernel(inner=True)
def _compare(state, level):
    """Compare the split of the current coordinate, both of whose halves are known, with the best so far."""
    entries, rules, control, frame = state.entries, state.rules, state.control, state.frames.frame[level]
    coordinate = frame[COORDINATE]
    leaf_error = entries.leaf_error[frame[ENTRY]]
    error = frame[LEFT_ERROR] + frame[RIGHT_ERROR]
    leaves = frame[LEFT_LEAVES] + frame[RIGHT_LEAVES]
    if _is_better(error, leaves, frame[BEST_ERROR], frame[BEST_LEAVES], rules):
        _reject(leaf_error - frame[BEST_ERROR], frame[BEST_LEAVES], rules, control)
        frame[BEST_ERROR], frame[BEST_LEAVES], frame[BEST_SPLIT] = error, leaves, coordinate
    else:
        _reject(leaf_error - error, leaves, rules, control)


@kernel(allocates=False)
def advance(state, work_limit):
    """Go on with the recursion for about `work_limit` reads of a row; a lookup counts as many.

    The frame of the whole box, or whatever frames a former call left, stands in `state.frames`. Returns DONE,
    PAUSED, or FULL when `state.entries` must grow first; the next call then goes on.
    """
    rows, frames, control = state.rows, state.frames, state.control
    d = rows.n_splits.shape[0]
    stop = control[N_ROWS] + _LOOKUP * control[N_LOOKUPS] + work_limit
    while control[LEVEL] >= 0:
        if control[N_ROWS] + _LOOKUP * control[N_LOOKUPS] >= stop:
            return PAUSED
        level = control[LEVEL]
        frame = frames.frame[level]
        coordinate = frame[COORDINATE]
        if coordinate == d:
            _finish(state, level)
            continue
        if frame[STAGE] == 0:
            if frames.depth[level, coordinate] == rows.n_splits[coordinate]:
                frame[COORDINATE] += 1
                continue
            frame[N_LEFT], frame[N_RIGHT] = _split_rows(rows, frames, level)
            control[N_ROWS] += frame[COUNT]
            frame[STAGE] = 1
        if frame[STAGE] <= 2:
            known = _half(state, level, frame[STAGE] - 1)
            if known < 0:
                return FULL
            frame[STAGE] += known
            continue
        _compare(state, level)
        frame[STAGE] = 0
        frame[COORDINATE] += 1
    return DONE


@kernel(allocates=False)
def begin(state, key):
    """Visit the whole box, whose rows stand in ``frames.rows[0]``; `control` is zero but for LEVEL = -1."""
    slot = -1 - find(state.database.heads, state.entries.known, key)
    _visit(state, -1, key, slot, 0, state.rows.codes.shape[0])
