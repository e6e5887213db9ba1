"""Trees deeper than two: a search over cuts of the root, whose sides are searched in the same way.

Each set of rows on the path is a frame. It asks for the best tree of depth two first (`shallow`), which gives
a good tree at once and, where the leaf penalty is high, the few cuts that can be the root of a deeper one.
Then it goes through the features, the best Gini gain first, and through the intervals of their cuts as
`shallow` does. A side is searched with a target: above it, a lower bound is all that is asked for.

For good trees early where leaves cost nothing, narrow passes come first: every set takes a few features, of
best Gini gain, each with the one cut that has it, and trees of depth two below. The width doubles from pass
to pass, as in limited discrepancy search (H. Kiossou, P. Schaus and S. Nijssen, "Anytime Optimal Decision
Tree Learning with Continuous Features", ECML PKDD 2026); the last pass takes all. It begins at the root of
the best tree, whose sides are searched in full. Then its root takes the intervals of all features together,
so that the bound rises while it goes on (`bounds.waiting`).

The path is a stack of frames, not a recursion, so the search can stop after any piece of work and go on.
"""

import numpy as np

from treelib.compiled.jit import kernel
from treelib.sparse.continuous.arrays import FIRST, ROW_SHIFT, UNLIMITED
from treelib.sparse.continuous.bounds.known import find_known, key_of_side, note_bounds
from treelib.sparse.continuous.bounds.similar import bound_by_similar, note_sides, note_similar
from treelib.sparse.continuous.bounds.waiting import bring_feature, bring_least
from treelib.sparse.continuous.features import best_gain, list_cuts
from treelib.sparse.continuous.shallow import (
    FINISHED,
    FULL,
    advance_shallow,
    begin_shallow,
    narrow,
    sort_by,
)

# states of a frame
CUT, LOOK, RANK, FEATURE, INTERVAL_STATE, SIDE_STATE, SETTLE, LEAVE = range(8)
# answers of `advance`: solved, more to do, and what must grow first
DONE, MORE, MORE_QUEUE, MORE_LEVELS, MORE_POOL, MORE_STACK, MORE_NODES = range(7)
# turns at a cut: trees of depth two of both sides, all trees of both, trees where only the value is known
EASY, FULL_TURN, TREES, ALL_TURNS = 0, 2, 4, 6
# a side is searched this part of the interval's weight beyond what the best tree needs: its exact cost bounds
# the cuts around (0.5 was best of 0, 0.25, 0.5 and 1)
BEYOND = 0.5
# of so many intervals taken at the root one is that of the least bound (1 and 2 take as long; with 2 good
# trees come sooner)
EVERY = 2
# features at most that a narrow pass takes at the root, and how many times fewer below (after 0.3 seconds on
# Spambase at depth four 375 errors; with 32 and 4, 379)
WIDEST, NARROWER = 64, 8


@kernel(allocates=False)
def advance(numbers, shallow, deep, work):
    """Search on for `work` passed rows; returns DONE, MORE, or what the driver must make larger first."""
    control = deep.now[0]
    while control["level"] >= 0:
        if work <= 0:
            return MORE
        level = np.int64(control["level"])
        frame = deep.frames[level]
        state = frame["state"]
        answer = MORE
        if state == CUT and level == 0:
            frame["state"] = LOOK
            begin_shallow(numbers, shallow, deep.pool, frame)
        elif state == CUT:
            work -= np.int64(deep.frames[level - 1]["n_rows"])
            _cut_rows(numbers, shallow, deep, level)
        elif state == LOOK:
            work = advance_shallow(numbers, shallow, deep.pool, work)
            if shallow.now[0]["phase"] == FULL:
                return MORE_QUEUE
            if shallow.now[0]["phase"] == FINISHED:
                answer = _take_shallow(numbers, shallow, deep, level)
        elif state == RANK:
            work -= np.int64(frame["n_rows"]) + np.int64(shallow.counts.shape[0])
            _rank_feature(numbers, shallow, deep, level)
        elif state == FEATURE:
            work -= np.int64(frame["n_rows"]) + np.int64(shallow.counts.shape[0])
            answer = _open_next(numbers, shallow, deep, level)
        elif state == INTERVAL_STATE:
            # where the intervals of all features wait together, another feature's cuts are listed first
            work -= np.int64(frame["n_rows"]) if frame["by_bound"] else 16
            answer = _next_interval(numbers, shallow, deep, level)
        elif state == SIDE_STATE:
            work -= np.int64(frame["n_rows"])
            answer = _next_side(numbers, shallow, deep, level)
        elif state == SETTLE:
            answer = _settle(numbers, deep, level)
        else:
            _leave(numbers, deep, level)
        if answer != MORE:
            return answer
    return DONE


@kernel(inner=True)
def less_deep(depth):
    """The depth that is left to the children."""
    return depth if depth == UNLIMITED else depth - 1


@kernel(inner=True)
def _cut_rows(numbers, shallow, deep, level):
    """Rows of one side of the cut above, renumbered and in the order of one more feature a call."""
    frame, above = deep.frames[level], deep.frames[level - 1]
    p, pool, new_row = numbers.n_features, deep.pool, deep.new_row
    m, base = np.int64(above["n_rows"]), np.int64(above["base"])
    n, to = np.int64(frame["n_rows"]), np.int64(frame["base"])
    g = np.int64(frame["cursor"])
    frame["cursor"] = g + 1
    if g < 0:
        places, ids, side, at = base + p * m + m, base + p * m, above["side"], above["at"]
        k = 0
        for i in range(m):
            if (pool[places + i] < at) == (side == 0):
                new_row[i] = k
                pool[to + p * n + k] = pool[ids + i]
                k += 1
            else:
                new_row[i] = -1
        return
    if g == p:
        frame["state"] = LOOK
        begin_shallow(numbers, shallow, pool, frame)
        return
    read, write, end = base + g * m, to + g * n, to + (g + 1) * n
    carried = np.int32(0)
    for j in range(m):
        code = pool[read + j]
        row = new_row[code >> ROW_SHIFT]
        carried |= code & FIRST
        if write < end:  # a row of the other side is written over by the next
            pool[write] = (row << ROW_SHIFT) | carried
        kept = row >= 0
        write += np.int64(kept)
        carried = np.int32(0) if kept else carried


@kernel(inner=True)
def _take_shallow(numbers, shallow, deep, level):
    """The answer of the search for trees of depth two; where it settles the set, the frame ends here."""
    frame, found = deep.frames[level], shallow.now[0]
    price, tolerance = numbers.price, numbers.tolerance
    if frame["tree"] + 4 > deep.nodes.shape[0]:
        deep.now[0]["wanted"] = frame["tree"] + 4
        return MORE_NODES
    if found["best"] < frame["target"] - tolerance:
        t, m, base = np.int64(frame["tree"]), np.int64(frame["n_rows"]), np.int64(frame["base"])
        deep.nodes[t]["feature"] = found["feature"]
        frame["size"] = 1
        if found["feature"] >= 0:
            _write_cut(numbers, deep, t, base, m, np.int64(found["feature"]), np.int64(found["at"]))
            deep.nodes[t + 1]["feature"] = -1
            deep.nodes[t + 2]["feature"] = -1
            frame["size"] = 3
    frame["best"] = found["best"]
    frame["split"] = found["best"]
    frame["cursor"] = 0
    # a tree that is not of depth two has four leaves or more
    solved = frame["depth"] <= 2 or frame["easy"] or frame["n_rows"] < 4
    solved = solved or frame["best"] <= 4 * price + tolerance
    frame["state"] = LEAVE if solved else RANK
    if solved and level == 0:
        deep.now[0]["width"] = 0
    return MORE


@kernel(inner=True)
def _write_cut(numbers, deep, t, base, m, feature, at):
    """Node t of the nodes: the cut at place `at` of a feature, told by the two rows beside it."""
    p, pool = numbers.n_features, deep.pool
    start, ids = base + feature * m, base + p * m
    deep.nodes[t]["feature"] = feature
    deep.nodes[t]["below"] = pool[ids + (pool[start + at - 1] >> ROW_SHIFT)]
    deep.nodes[t]["above"] = pool[ids + (pool[start + at] >> ROW_SHIFT)]


@kernel(inner=True)
def _rank_feature(numbers, shallow, deep, level):
    """Best Gini gain of one more feature a call; after the last, their order."""
    frame = deep.frames[level]
    p, pool = numbers.n_features, deep.pool
    m, base = np.int64(frame["n_rows"]), np.int64(frame["base"])
    g = np.int64(frame["cursor"])
    if g == p:
        ranked = pool[base + p * m + 3 * m + 2 : base + p * m + 3 * m + 2 + p]
        sort_by(deep.gain, ranked, p)
        frame["cursor"], frame["state"] = 0, FEATURE
        frame["stack"], frame["n_taken"] = deep.now[0]["stack"], 0
        frame["by_bound"] = level == 0 and not frame["keeps"] and deep.now[0]["width"] == 0
        return
    frame["cursor"] = g + 1
    deep.gain[g] = -best_gain(numbers, shallow, pool, base + g * m, base + p * m, m)[0]


@kernel(inner=True)
def _open_next(numbers, shallow, deep, level):
    """The next feature: places of the rows, its cuts, and the interval of all of them."""
    control, frame = deep.now[0], deep.frames[level]
    p, pool = numbers.n_features, deep.pool
    m, base = np.int64(frame["n_rows"]), np.int64(frame["base"])
    width = np.int64(control["width"])
    if level > 0 and width > 0:
        width = max(1, width // NARROWER)
    if frame["cursor"] == p or (width > 0 and frame["cursor"] == width):
        frame["state"] = INTERVAL_STATE if frame["by_bound"] else LEAVE
        return MORE
    top = np.int64(control["stack"])
    if top >= deep.stack.shape[0]:
        return MORE_STACK
    # where all features wait together, the best is the last on the stack
    rank = p - 1 - np.int64(frame["cursor"]) if frame["by_bound"] else np.int64(frame["cursor"])
    g = np.int64(pool[base + p * m + 3 * m + 2 + rank])
    frame["cursor"] += 1
    n = list_cuts(numbers, shallow, deep, level, g)
    if n == 0:
        return MORE
    # the whole set as one side: what its trees of a level less cost at least
    whole = frame["split"] if frame["depth"] == 3 else min(frame["split"], 4 * numbers.price)
    whole = min(whole, frame["best"])
    q = deep.stack[top]
    q["feature"], q["lo"], q["hi"], q["a"], q["b"] = g, 0, n - 1, 0.0, frame["total"]
    q["left_a"], q["right_a"], q["left_b"], q["right_b"] = numbers.price, whole, whole, numbers.price
    if width > 0:
        at = best_gain(numbers, shallow, pool, base + g * m, base + p * m, m)[1]
        k = 0
        while k < n and pool[base + p * m + 2 * m + k] < at:
            k += 1
        if k == n:
            return MORE
        q["lo"], q["hi"] = k, k
        q["right_a"], q["left_b"] = numbers.price, numbers.price
    control["stack"] = top + 1
    if not frame["by_bound"]:
        frame["stack"] = top
        frame["state"] = INTERVAL_STATE
    return MORE


@kernel(inner=True)
def _next_interval(numbers, shallow, deep, level):
    """Take the next interval that may hold a better tree, and the cut in its middle."""
    control, frame = deep.now[0], deep.frames[level]
    top = np.int64(control["stack"])
    if top == frame["stack"]:
        frame["state"] = LEAVE if frame["by_bound"] else FEATURE
        return MORE
    if top + 2 > deep.stack.shape[0]:
        return MORE_STACK
    control["stack"] = top - 1
    q = deep.stack[top - 1]
    if frame["by_bound"]:
        if frame["n_taken"] == 0 and frame["size"] > 0:
            bring_feature(deep.stack, np.int64(frame["stack"]), top, deep.nodes[frame["tree"]]["feature"])
        elif frame["n_taken"] % EVERY == 0:
            bring_least(deep.stack, np.int64(frame["stack"]), top)
        frame["n_taken"] += 1
        frame["top"] = top - 1
        if frame["feature"] != q["feature"]:
            list_cuts(numbers, shallow, deep, level, np.int64(q["feature"]))
    loads = np.int64(frame["loads"])
    best = frame["best"] - numbers.tolerance
    if not narrow(q, deep.loads, loads, np.int64(frame["n_cuts"]), best, np.inf):
        return MORE
    m, base, g = np.int64(frame["n_rows"]), np.int64(frame["base"]), np.int64(q["feature"])
    cuts = base + numbers.n_features * m + 2 * m
    lo, hi = np.int64(q["lo"]), np.int64(q["hi"])
    k = (lo + hi) >> 1
    if frame["by_bound"] and frame["n_taken"] == 1 and frame["size"] > 0:
        k = _cut_of_tree(deep, base + g * m, cuts, lo, hi, k)
    load = np.float64(deep.loads[loads + k])
    frame["lo"], frame["hi"], frame["cut"], frame["at"] = lo, hi, k, deep.pool[cuts + k]
    frame["a"], frame["b"] = q["a"], q["b"]
    frame["left_a"], frame["right_a"] = q["left_a"], q["right_a"]
    frame["left_b"], frame["right_b"] = q["left_b"], q["right_b"]
    # whole weights have whole costs; a part of a price suffices where easy turns come first
    frame["more"] = np.floor(
        BEYOND * (np.float64(deep.loads[loads + hi]) - np.float64(deep.loads[loads + lo]))
    )
    if numbers.price > 0 and frame["depth"] > 3:
        frame["more"] = min(frame["more"], BEYOND * numbers.price)
    left, right = deep.sides[level, 0], deep.sides[level, 1]
    left["lower"] = max(q["left_a"], q["left_b"] - (q["b"] - load))
    right["lower"] = max(q["right_b"], q["right_a"] - (load - q["a"]))
    for side in range(2):
        deep.sides[level, side]["exact"] = 0
        deep.sides[level, side]["size"] = 0
    if deep.floors.shape[1]:
        note_sides(numbers, deep, level)
        weight = load
        for side in range(2):  # a variable, so that both calls have one compiled form
            at = deep.sides[level, side]
            at["lower"] = bound_by_similar(numbers, deep, level, side, weight, at["lower"])
            weight = frame["total"] - load
    if left["lower"] + right["lower"] >= best:
        frame["state"] = SETTLE
        control["n_like"] += 1
        return MORE
    frame["first"] = 0 if 2 * load >= frame["total"] else 1
    frame["turn"] = EASY if numbers.price > 0 and frame["depth"] > 3 else FULL_TURN
    frame["state"] = SIDE_STATE
    return MORE


@kernel(inner=True)
def _cut_of_tree(deep, start, cuts, lo, hi, k):
    """The cut of the best tree at the root if it is one of ``lo .. hi`` of its feature, else `k`."""
    above = deep.nodes[deep.frames[0]["tree"]]["above"]
    for c in range(lo, hi + 1):
        if deep.pool[start + deep.pool[cuts + c]] >> ROW_SHIFT == above:
            return c
    return k


@kernel(inner=True)
def _next_side(numbers, shallow, deep, level):
    """One turn at the cut: decide whether a side is searched, look it up, or go down to it."""
    control, frame = deep.now[0], deep.frames[level]
    price, tolerance = numbers.price, numbers.tolerance
    turn = np.int64(frame["turn"])
    left, right = deep.sides[level, 0], deep.sides[level, 1]
    hopeless = left["lower"] + right["lower"] >= frame["best"] - tolerance
    both = left["exact"] and right["exact"]
    if turn == ALL_TURNS or (turn == FULL_TURN and hopeless) or (turn >= TREES and (hopeless or not both)):
        frame["state"] = SETTLE
        return MORE
    side = np.int64(frame["first"]) if turn % 2 == 0 else 1 - np.int64(frame["first"])
    one, other = deep.sides[level, side], deep.sides[level, 1 - side]
    if one["exact"] and (turn < TREES or one["size"] > 0):
        frame["turn"] = turn + 1
        return MORE
    goal = frame["best"] - other["lower"]
    if price > 0:  # further cost would let in trees of more leaves, which are another search
        goal = max(goal, min(goal + frame["more"], (np.floor(goal / price) + 1) * price))
    else:
        goal += frame["more"]
    if turn < FULL_TURN:
        goal = 4 * price  # a tree of depth two that costs less; what is known to cost more is not asked again
    elif turn >= TREES:
        goal = one["lower"] + 2 * tolerance
    if level + 1 >= deep.frames.shape[0]:
        return MORE_LEVELS
    child = deep.frames[level + 1]
    m, base, p = np.int64(frame["n_rows"]), np.int64(frame["base"]), numbers.n_features
    depth = less_deep(np.int64(frame["depth"]))
    if deep.frames[0]["depth"] > 3:
        key, key2 = key_of_side(numbers, deep.pool, base + p * m, base + p * m + m, m, frame["at"], side)
        # trees of another depth are another problem
        key ^= np.uint64(depth) * np.uint64(0x9E3779B97F4A7C15)
        child["key"], child["key2"] = key | np.uint64(1), key2
        slot = find_known(deep.known, child["key"], child["key2"])
        if deep.known[slot, 0] != 0 and turn < TREES:
            one["lower"] = max(one["lower"], deep.bounds[slot, 0])
            if deep.bounds[slot, 1] < np.inf:
                one["lower"] = deep.bounds[slot, 1]
                one["exact"] = 1
            if one["exact"] or one["lower"] >= goal - tolerance:
                control["n_hits"] += 1
                frame["turn"] = turn + 1
                return MORE
    if turn < TREES and goal <= one["lower"] + tolerance:
        frame["turn"] = turn + 1
        return MORE
    n = np.int64(frame["at"]) if side == 0 else m - np.int64(frame["at"])
    room = base + p * m + 3 * m + p + 2 + p * n + 3 * n + p + 2
    if room > deep.pool.shape[0] or np.int64(frame["loads"]) + m + n + 2 > deep.loads.shape[0]:
        control["wanted"] = room
        return MORE_POOL
    child["depth"], child["n_rows"], child["target"] = depth, n, goal
    child["base"], child["loads"] = base + p * m + 3 * m + p + 2, frame["loads"] + m + 1
    child["tree"] = frame["tree"] + frame["size"] + left["size"] + right["size"]
    child["size"] = 0
    child["easy"] = turn < FULL_TURN
    child["cursor"], child["state"] = -1, CUT
    frame["side"] = side
    control["n_nodes"] += 1
    control["level"] = level + 1
    control["top_level"] = max(control["top_level"], level + 1)
    return MORE


@kernel(inner=True)
def _widen(numbers, deep):
    """Begin the next pass over the root: of twice the width, or the last, of all features and cuts."""
    control, frame = deep.now[0], deep.frames[0]
    width = 2 * np.int64(control["width"])
    control["width"] = width if width <= min(WIDEST, numbers.n_features) else 0
    frame["state"], frame["n_taken"] = FEATURE, 0
    frame["by_bound"] = not frame["keeps"] and control["width"] == 0
    # sides of depth two are the same at any width
    frame["cursor"] = width // 2 if control["width"] > 0 and frame["depth"] == 3 else 0
    # what has been learnt of sets is true of a narrow search only
    if control["n_known"] > 0:
        deep.known[:, :] = 0
        control["n_known"] = 0
    for k in range(deep.frames.shape[0]):
        deep.frames[k]["n_sets"] = 0


@kernel(inner=True)
def _leave(numbers, deep, level):
    """End of a frame: what it found goes to the frame above, and to the table."""
    control, frame = deep.now[0], deep.frames[level]
    if level == 0 and control["width"] > 0:
        _widen(numbers, deep)
        return
    control["level"] = level - 1
    if level == 0:
        return
    above = deep.frames[level - 1]
    side = deep.sides[level - 1, np.int64(above["side"])]
    above["turn"] += 1
    optimum = np.inf
    if frame["best"] < frame["target"] - numbers.tolerance:
        optimum = frame["best"]
        side["exact"], side["lower"] = 1, optimum
        side["tree"], side["size"] = frame["tree"], frame["size"]
    elif frame["easy"]:
        side["lower"] = max(side["lower"], 4 * numbers.price)
    else:
        side["lower"] = max(side["lower"], frame["target"])
    if deep.floors.shape[1]:
        note_similar(deep, level - 1, np.int64(above["side"]), frame["total"], side["lower"])
    if deep.frames[0]["depth"] > 3:
        note_bounds(deep, frame["key"], frame["key2"], side["lower"], optimum)


@kernel(inner=True)
def _settle(numbers, deep, level):
    """Both sides of a cut are bounded: a better tree is kept, and what is left of the interval waits."""
    control, frame = deep.now[0], deep.frames[level]
    left, right = deep.sides[level, 0], deep.sides[level, 1]
    best = left["lower"] + right["lower"]
    if left["size"] > 0 and right["size"] > 0 and best < frame["best"] - numbers.tolerance:
        tree, size = np.int64(frame["tree"]), np.int64(frame["size"])
        n_left, n_right = np.int64(left["size"]), np.int64(right["size"])
        spare = tree + size + n_left + n_right
        if spare + 1 + n_left + n_right > deep.nodes.shape[0]:
            control["wanted"] = spare + 1 + n_left + n_right
            return MORE_NODES
        m, base = np.int64(frame["n_rows"]), np.int64(frame["base"])
        _write_cut(numbers, deep, spare, base, m, np.int64(frame["feature"]), np.int64(frame["at"]))
        for k in range(n_left):
            deep.nodes[spare + 1 + k] = deep.nodes[left["tree"] + k]
        for k in range(n_right):
            deep.nodes[spare + 1 + n_left + k] = deep.nodes[right["tree"] + k]
        for k in range(1 + n_left + n_right):
            deep.nodes[tree + k] = deep.nodes[spare + k]
        frame["size"] = 1 + n_left + n_right
        frame["best"] = best
        if best <= 4 * numbers.price + numbers.tolerance:
            control["stack"] = frame["stack"]
            frame["state"] = LEAVE
            if level == 0:
                control["width"] = 0
            return MORE
    frame["state"] = INTERVAL_STATE
    k, load = np.int64(frame["cut"]), np.float64(deep.loads[frame["loads"] + frame["cut"]])
    top = np.int64(control["stack"])
    below_is_larger = frame["cut"] - frame["lo"] >= frame["hi"] - frame["cut"]
    for turn in range(2):  # the larger part first: the smaller one is taken next, and the stack stays small
        is_below = (turn == 0) == below_is_larger
        q = deep.stack[top]
        q["feature"] = frame["feature"]
        if is_below and k > frame["lo"]:
            q["lo"], q["hi"], q["a"], q["b"] = frame["lo"], k - 1, frame["a"], load
            q["left_a"], q["right_a"] = frame["left_a"], frame["right_a"]
            q["left_b"], q["right_b"] = left["lower"], right["lower"]
            top += 1
        elif not is_below and k < frame["hi"]:
            q["lo"], q["hi"], q["a"], q["b"] = k + 1, frame["hi"], load, frame["b"]
            q["left_a"], q["right_a"] = left["lower"], right["lower"]
            q["left_b"], q["right_b"] = frame["left_b"], frame["right_b"]
            top += 1
    control["stack"] = top
    return MORE
