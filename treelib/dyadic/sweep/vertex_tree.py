"""The tree behind a vertex of a hull, read off the tables that the sweep leaves."""

import numpy as np

from treelib.compiled.jit import kernel
from treelib.dyadic.sweep.hulls import ERROR_BITS, ERROR_MASK, ONE_LEAF, hulls_have_room, steps_first
from treelib.dyadic.sweep.one_pass import LEVEL, N_CONTROL, N_ROWS_READ, UNSOLVED, begin_split, open_half
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
    UNPARTED,
    WASTE,
    enter_half,
    fill_half,
    look_at_rows,
    part_rows,
)

# columns of the nodes written: feature (-1 at leaves), halvings of that feature before, interval among those
# of that level, class, right child
NODE_FEATURE, NODE_LEVEL, NODE_INTERVAL, NODE_LABEL, NODE_RIGHT = 0, 1, 2, 3, 4
N_NODE_FIELDS = 5

READ, NO_ROOM, LOST, PAUSED = 0, 1, 2, 3

# what the control of reading holds beside that of a pass: level on top, nodes written, next attempt to find
# the split of that level, rows read after which to pause
AT_LEVEL, AT_NODE, AT_ATTEMPT, STOP_AT = N_CONTROL, N_CONTROL + 1, N_CONTROL + 2, N_CONTROL + 3
N_READING = N_CONTROL + 4

# values of STAGE while reading
_NEW, _LEFT_DONE, _DONE, _SPLITTING = 0, 1, 2, 3

# of the box at a level while a tree is read: its vertex, the right half's share of it, its node
TARGET = np.dtype([("vertex", np.int64), ("right", np.int64), ("node", np.int64)])


@kernel(inner=True)
def share_vertex(hulls, first, second, target):
    """Vertex of hull `first` that with one of hull `second` makes up `target`; -1: none does."""
    a, a_end = hulls.start[first], hulls.start[first + 1]
    b, b_end = hulls.start[second], hulls.start[second + 1]
    while True:
        word = hulls.vertices[a] + hulls.vertices[b]
        if word == target:
            return hulls.vertices[a]
        if word >> ERROR_BITS >= target >> ERROR_BITS or (a + 1 == a_end and b + 1 == b_end):
            return np.int64(-1)
        if steps_first(hulls, a, a_end, b, b_end):
            a += 1
        else:
            b += 1


@kernel(inner=True, inline=True)
def find_halves(problem, stack, table, hulls, control, window, level, feature):
    """Note the hulls of both halves of a split; returns whether the sweep has both."""
    frame = stack.frames[level]
    begin_split(problem, stack, table, control, level, feature)
    has_both = True
    for side in range(2):
        if frame[LEFT_HULL + side] == UNSOLVED:
            number = open_half(problem, stack, table, hulls, control, window, level, side)
            frame[LEFT_HULL + side] = number
            has_both &= number != UNSOLVED
    return has_both


@kernel(inner=True, inline=True)
def choose_split(problem, stack, table, hulls, control, window, level, target):
    """Find a split that leads to `target`, and part the rows by it; returns the left half's share of
    `target`.

    -1: there is none. -2: the hulls lack room. -3: so many rows are read that it is time to pause. After the
    last two, `control` says which attempt is next.
    """
    frame, features = stack.frames[level], stack.features[level]
    n_features = len(problem.word)
    leaves, error = target >> ERROR_BITS, target & ERROR_MASK
    answer = np.int64(-1)
    # trees of a single split that parts the rows come first: their halves need not be in the table
    for attempt in range(control[AT_ATTEMPT], 2 * n_features):
        feature = attempt % n_features
        is_single = attempt < n_features
        waste = features[WASTE, feature]
        split_error = features[LEFT_ERROR, feature] + features[RIGHT_ERROR, feature]
        if waste == UNPARTED or (is_single and (leaves != 2 + waste or error != split_error)):
            continue
        if is_single:
            frame[FEATURE] = feature
            answer = ONE_LEAF | features[LEFT_ERROR, feature]
            if waste > 0:
                key = problem.rows[problem.word[feature], frame[FIRST]]
                goes_right = (key >> features[MARKER, feature]) & 1
                answer = ONE_LEAF if goes_right else target - ONE_LEAF
            break
        is_late = control[N_ROWS_READ] > control[STOP_AT]
        if is_late or not hulls_have_room(hulls, 2 * (n_features + 1)):
            control[AT_ATTEMPT] = attempt
            return np.int64(-3 if is_late else -2)
        if find_halves(problem, stack, table, hulls, control, window, level, feature):
            answer = share_vertex(hulls, frame[LEFT_HULL], frame[RIGHT_HULL], target)
            if answer >= 0:
                break
    control[AT_ATTEMPT] = 0
    feature = frame[FEATURE]
    frame[MIDDLE] = part_rows(
        problem.rows, frame[FIRST], frame[LAST], problem.word[feature], features[MARKER, feature]
    )
    control[LEVEL] = -1
    return answer


@kernel(allocates=False)
def read_tree(problem, stack, table, hulls, control, window, targets, nodes):
    """Write the tree of a vertex of the whole box, described in level 0, into `nodes` in preorder.

    targets : TARGET (levels,), the first with the vertex; the others are work space.
    nodes : int64 (2 leaves - 1, N_NODE_FIELDS).
    control : int64 (N_READING,), zeros to begin with but for STOP_AT.
    The other arguments are as the sweep left them.
    Returns READ, NO_ROOM where the hulls need more, or PAUSED where STOP_AT is passed: call again after both,
    nothing is lost. LOST is an error.
    """
    level, n_nodes = control[AT_LEVEL], control[AT_NODE]
    if n_nodes == 0:
        targets[0]["node"] = -1
        stack.frames[0, HULL_BEGIN] = stack.frames[0, HULL_END] = 0
        stack.frames[0, STAGE] = _NEW
    while level >= 0:
        frame, features = stack.frames[level], stack.features[level]
        if frame[STAGE] == _NEW:
            node = n_nodes
            n_nodes += 1
            parent = targets[level - 1]["node"] if level > 0 else -1
            if level > 0 and stack.frames[level - 1, STAGE] == _DONE:
                nodes[parent, NODE_RIGHT] = node
            targets[level]["node"] = node
            nodes[node, NODE_FEATURE] = nodes[node, NODE_RIGHT] = -1
            frame[STAGE] = _DONE
            if frame[FIRST] == frame[LAST]:
                # a leaf without rows takes the label of the closest ancestor that has some (Section 3)
                nodes[node, NODE_LABEL] = nodes[parent, NODE_LABEL] if parent >= 0 else 0
                level -= 1
                continue
            look_at_rows(problem, stack, level)
            best = 0
            for c in range(1, problem.n_classes):
                if stack.totals[c] < stack.totals[best]:
                    best = c
            nodes[node, NODE_LABEL] = best
            if targets[level]["vertex"] >> ERROR_BITS == 1:
                level -= 1
                continue
            frame[STAGE] = _SPLITTING
        if frame[STAGE] == _SPLITTING:
            vertex = targets[level]["vertex"]
            share = choose_split(problem, stack, table, hulls, control, window, level, vertex)
            if share < 0:
                frame[STAGE] = _SPLITTING
                control[AT_LEVEL], control[AT_NODE] = level, n_nodes
                return LOST if share == -1 else (NO_ROOM if share == -2 else PAUSED)
            node, feature = targets[level]["node"], frame[FEATURE]
            w, marker = problem.word[feature], features[MARKER, feature]
            halvings = problem.n_splits[feature] - (marker - problem.shift[feature])
            nodes[node, NODE_FEATURE] = feature
            nodes[node, NODE_LEVEL] = halvings
            nodes[node, NODE_INTERVAL] = (stack.keys[level, w] >> (marker + 1)) & ((1 << halvings) - 1)
            targets[level]["right"] = targets[level]["vertex"] - share
            frame[STAGE] = _LEFT_DONE
            side = 0
            targets[level + 1]["vertex"] = share
        elif frame[STAGE] == _LEFT_DONE:
            frame[STAGE] = _DONE
            side = 1
            targets[level + 1]["vertex"] = targets[level]["right"]
        else:
            level -= 1
            continue
        enter_half(problem, stack, level, frame[FEATURE], side)
        fill_half(stack, level, frame[FEATURE], side)
        level += 1
        stack.frames[level, STAGE] = _NEW
        stack.frames[level, HULL_BEGIN] = stack.frames[level, HULL_END] = 0
    return READ
