"""One pass over the rectangles of a grid that finds the best trees for all prices of a leaf.

The hull of a rectangle (`treelib.dyadic.sweep.hulls`) is that of its leaf and, for each split, of the sums of
its halves' hulls: equation 5 of Hush and Porter (2010) for all prices at once. Rectangles are solved depth
first, each once. Four things keep their number down.

- A rectangle without errors is closed by its parent.
- A rectangle is closed at once when its trees with a single split that parts the rows cannot be improved
upon.
- A split is not tried when a lower bound of its hull lies above the hull found so far.
- Splits that leave few errors are tried first.

A half is looked up before its rows are looked at, and rows are parted only where a half is not known yet.
"""

import numpy as np

from treelib.compiled.jit import kernel
from treelib.dyadic.hash_constants import GOLDEN, HALF, SECOND
from treelib.dyadic.sweep.hulls import add_hulls, hulls_have_room, merge_hull, store_hull
from treelib.dyadic.sweep.rows import (
    FEATURE,
    FIRST,
    HULL_BEGIN,
    HULL_END,
    LAST,
    LEFT_ERROR,
    LEFT_HULL,
    MARKER,
    MIDDLE,
    RIGHT_ERROR,
    RIGHT_HULL,
    STAGE,
    TRIED,
    UNPARTED,
    WASTE,
    cannot_help,
    enter_half,
    fill_half,
    look_at_rows,
    part_rows,
    start_hull,
)

PURE = 0  # the hull stored before all others: one leaf without errors, also for halves without rows

# values of STAGE
CHOOSE, OPEN_LEFT, OPEN_RIGHT, COMBINE = 0, 1, 2, 3

# control: level on top (-1: not begun), hull of the whole box once done, counters
LEVEL, ROOT_HULL, N_STORED, N_LOOKED, N_CLOSED, N_HITS, N_ROWS_READ = 0, 1, 2, 3, 4, 5, 6
N_CONTROL = 7

# answers of `advance`
DONE, PAUSED, TABLE_FULL, HULLS_FULL, STACK_FULL = 0, 1, 2, 3, 4

UNSOLVED = -1


@kernel(inner=True)
def find_rectangle(table, key):
    """Slot of the rectangle `key`, or of the free one where it belongs."""
    n_words = len(key)
    h = np.uint64(0)
    for w in range(n_words):
        h = (h ^ np.uint64(key[w])) * GOLDEN
        h ^= h >> HALF
        h *= SECOND
    # the high half of the hash, scaled to the table: any length will do
    slot = np.int64(((h >> HALF) * np.uint64(len(table))) >> HALF)
    while True:
        if table[slot, 0] == 0:
            return slot
        w = 0
        while w < n_words and table[slot, w] == key[w]:
            w += 1
        if w == n_words:
            return slot
        slot += 1
        if slot == len(table):
            slot = 0


@kernel(allocates=False)
def move_rectangles(old, new):
    """Enter all rectangles of table `old` into the empty table `new`."""
    n_words = old.shape[1] - 1
    for slot in range(len(old)):
        if old[slot, 0] != 0:
            to = find_rectangle(new, old[slot, :n_words])
            for w in range(n_words + 1):
                new[to, w] = old[slot, w]


@kernel(inner=True)
def look_up(table, control, key):
    """Number of the hull of a solved rectangle, or UNSOLVED."""
    slot = find_rectangle(table, key)
    if table[slot, 0] == 0:
        return UNSOLVED
    control[N_HITS] += 1
    return table[slot, len(key)]


@kernel(inner=True, inline=True)
def open_rectangle(problem, stack, table, hulls, control, window, level):
    """Number of the hull of the rectangle described in `level`, or UNSOLVED: then `level` is on top.

    There must be room for a hull of d + 1 vertices. With free empty leaves the rectangle shrinks to its rows
    first, and is looked up after that; else `begin_split` has looked it up.
    """
    frame = stack.frames[level]
    n_features = len(problem.word)
    control[N_LOOKED] += 1
    control[N_ROWS_READ] += frame[LAST] - frame[FIRST]
    error = look_at_rows(problem, stack, level)
    if start_hull(stack, level, error, n_features, window):
        control[N_CLOSED] += 1
        return store_hull(hulls, stack.hull, frame[HULL_BEGIN], frame[HULL_END])
    if problem.free_empty[0]:
        number = look_up(table, control, stack.keys[level])
        if number != UNSOLVED:
            return number
    frame[STAGE] = CHOOSE
    control[LEVEL] = level
    return UNSOLVED


@kernel(inner=True)
def open_half(problem, stack, table, hulls, control, window, level, side):
    """The same for the half on `side` (0 left, 1 right) of the split of `level`, whose rows are parted."""
    enter_half(problem, stack, level, stack.frames[level, FEATURE], side)
    fill_half(stack, level, stack.frames[level, FEATURE], side)
    return open_rectangle(problem, stack, table, hulls, control, window, level + 1)


@kernel(inner=True, inline=True)
def enter_rectangle(table, key, number):
    """Enter a new rectangle with the number of its hull; a free slot must be left."""
    slot = find_rectangle(table, key)
    for w in range(len(key)):
        table[slot, w] = key[w]
    table[slot, len(key)] = number


@kernel(inner=True)
def close_half(frame, number):
    """Note the hull of the half that was open, and go on to the next stage."""
    frame[LEFT_HULL + frame[STAGE] - OPEN_LEFT] = number
    frame[STAGE] += 1


@kernel(inner=True, inline=True)
def next_feature(stack, level, n_features, window):
    """Feature to split next: least errors first, then those whose first split has no effect; -1: none."""
    features = stack.features[level]
    while True:
        best, best_value = -1, np.int64(0)
        for i in range(n_features):
            if features[TRIED, i] or features[WASTE, i] == UNPARTED:
                continue
            value = features[LEFT_ERROR, i] + features[RIGHT_ERROR, i] + (features[WASTE, i] << 40)
            if best < 0 or value < best_value:
                best, best_value = i, value
        if best < 0:
            return -1
        features[TRIED, best] = 1
        if not cannot_help(stack, level, best, n_features, window):
            return best


@kernel(inner=True)
def begin_split(problem, stack, table, control, level, feature):
    """Note the hulls of both halves of the split on `feature` as far as they are known.

    Rows are parted only where one is not: most halves are in the table already.
    """
    frame, features = stack.frames[level], stack.features[level]
    w, marker = problem.word[feature], features[MARKER, feature]
    is_waste = features[WASTE, feature] > 0
    side_of_all = (problem.rows[w, frame[FIRST]] >> marker) & 1
    frame[FEATURE] = feature
    is_known = True
    for side in range(2):
        number = UNSOLVED
        if (is_waste and side != side_of_all) or (not is_waste and features[LEFT_ERROR + side, feature] == 0):
            number = PURE
        elif not problem.free_empty[0]:
            enter_half(problem, stack, level, feature, side)
            number = look_up(table, control, stack.keys[level + 1])
        frame[LEFT_HULL + side] = number
        is_known &= number != UNSOLVED
    if is_waste:
        frame[MIDDLE] = frame[FIRST] if side_of_all == 1 else frame[LAST]
    elif not is_known:
        frame[MIDDLE] = part_rows(problem.rows, frame[FIRST], frame[LAST], w, marker)
    frame[STAGE] = COMBINE if is_known else OPEN_LEFT


@kernel(allocates=False)
def advance(problem, stack, table, hulls, control, window, max_steps, max_rows):
    """Go on for `max_steps` steps or until `max_rows` rows are read; returns one of the answers above.

    problem : Problem. stack : Stack, the whole box described in level 0 to begin with. table : int64 (slots,
    n_words + 1), keys and hulls; a key 0 is free. hulls : Hulls, the first of them `PURE`. control : int64
    (N_CONTROL,), level -1 to begin with. window : Window. After TABLE_FULL, HULLS_FULL or STACK_FULL the
    caller makes room and calls again; nothing is lost.
    """
    n_features = len(problem.word)
    stop_at = control[N_ROWS_READ] + max_rows
    if control[LEVEL] < 0:
        stack.frames[0, HULL_BEGIN] = 0
        number = open_rectangle(problem, stack, table, hulls, control, window, 0)
        if number != UNSOLVED:
            control[ROOT_HULL] = number
            return DONE
    for _ in range(max_steps):
        if control[N_ROWS_READ] > stop_at:
            break
        level = control[LEVEL]
        frame = stack.frames[level]
        stage = frame[STAGE]
        if stage == CHOOSE:
            feature = next_feature(stack, level, n_features, window)
            if feature >= 0:
                begin_split(problem, stack, table, control, level, feature)
                continue
            if 5 * (control[N_STORED] + 1) > 4 * len(table):
                return TABLE_FULL
            if not hulls_have_room(hulls, frame[HULL_END] - frame[HULL_BEGIN]):
                return HULLS_FULL
            number = store_hull(hulls, stack.hull, frame[HULL_BEGIN], frame[HULL_END])
            enter_rectangle(table, stack.keys[level], number)
            control[N_STORED] += 1
            if level == 0:
                control[ROOT_HULL] = number
                return DONE
            control[LEVEL] = level - 1
            close_half(stack.frames[level - 1], number)
        elif stage == COMBINE:
            first, second = frame[LEFT_HULL], frame[RIGHT_HULL]
            n_sum = (
                hulls.start[first + 1] - hulls.start[first] + hulls.start[second + 1] - hulls.start[second]
            )
            if frame[HULL_END] + n_sum > len(stack.hull):
                return STACK_FULL
            n_sum = add_hulls(hulls, first, second, stack.sums)
            frame[HULL_END] = merge_hull(
                stack.hull, frame[HULL_BEGIN], frame[HULL_END], stack.sums, n_sum, stack.spare, window
            )
            frame[STAGE] = CHOOSE
        else:
            side = stage - OPEN_LEFT
            number = frame[LEFT_HULL + side]
            if number == UNSOLVED:
                if not hulls_have_room(hulls, n_features + 1):
                    return HULLS_FULL
                if frame[HULL_END] + n_features + 2 > len(stack.hull):
                    return STACK_FULL
                number = open_half(problem, stack, table, hulls, control, window, level, side)
            if number != UNSOLVED:
                close_half(frame, number)
    return PAUSED
