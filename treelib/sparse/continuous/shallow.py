"""The best tree of depth two of one set of rows, 32 splits of the root at a time.

An interval of cuts of one feature holds none that is better than the best tree known if a bound says so: with
every row that passes from the right side to the left, the cost of the left rises by its weight at most and
never falls, that of the right falls by its weight at most and never rises. What the ends of the interval cost
then bounds all cuts between. The cuts of one batch of lanes come from any intervals of any features; those
left over between them become new intervals.

The search is taken in steps: `advance_shallow` returns when its work is used up, and goes on when called
again.
"""

import numpy as np

from treelib.compiled.jit import kernel
from treelib.sparse.continuous.arrays import ALIVE, FIRST, ROW_SHIFT
from treelib.sparse.continuous.lanes import (
    BEST_LEFT,
    BEST_RIGHT,
    LANES,
    LOW_LEFT,
    LOW_RIGHT,
    SUM_LEFT,
    TOP_LEFT,
    TOP_RIGHT,
    WHOLE_LEFT,
    WHOLE_RIGHT,
    scan_feature,
)

OPEN, POP, SCAN, FINISHED, FULL = range(5)


@kernel(inner=True)
def begin_shallow(numbers, shallow, pool, frame):
    """Aim at the set of rows of `frame`: trees of depth two better than its target."""
    now = shallow.now[0]
    m, p = np.int64(frame["n_rows"]), numbers.n_features
    base = np.int64(frame["base"])
    now["phase"], now["cursor"], now["n_rows"], now["base"] = OPEN, 0, m, base
    now["depth"] = min(np.int64(frame["depth"]), 2)
    now["feature"] = -1
    now["best"] = frame["target"]
    shallow.tally[0, :] = 0.0
    total = 0.0
    for i in range(m):
        row = pool[base + p * m + i]
        w = numbers.weight[row]
        shallow.weight[i] = w
        shallow.classes[i] = numbers.classes[row]
        shallow.tally[0, numbers.classes[row]] += abs(w)
        total += abs(w)
    now["total"] = total
    now["signed"] = shallow.tally[0, 1] - shallow.tally[0, 0]
    most = 0.0
    for k in range(numbers.n_classes):
        most = max(most, shallow.tally[0, k])
    now["leaf"] = total - most + numbers.price
    # A tree that is deeper than two has a side of three leaves or more; if it has five leaves at most, the
    # other side has two at most, whose cost is found here. The cuts where these cost too much are the root of
    # none.
    deeper = frame["depth"] > 2 and not frame["easy"] and numbers.price > 0
    now["keeps"] = deeper and min(now["leaf"], now["best"]) < 6 * numbers.price
    now["rest"] = 3 * numbers.price if now["keeps"] else np.inf
    frame["keeps"] = now["keeps"]
    frame["total"] = total


@kernel(inner=True)
def advance_shallow(numbers, shallow, pool, work):
    """Go on until the phase is FINISHED, or FULL (the queue must grow), or `work` rows have been scanned.

    Returns the work that is left.
    """
    now = shallow.now[0]
    p, m = numbers.n_features, np.int64(now["n_rows"])
    if now["phase"] == FULL:
        now["phase"] = POP
    # of few rows in many classes the counts, which every scan clears, take the longest
    a_scan = m + np.int64(shallow.counts.shape[0])
    while work > 0 and now["phase"] < FINISHED:
        work -= a_scan
        g = np.int64(now["cursor"])
        now["cursor"] = g + 1
        if now["phase"] == OPEN:
            if g < p:
                _open_feature(numbers, shallow, pool, g)
            else:
                _begin_queue(numbers, shallow)
        elif now["phase"] == POP:
            _make_room(shallow)
            if now["phase"] == POP:
                _choose_lanes(numbers, shallow)
        elif g < p:
            start = now["base"] + g * m
            scan_feature(
                pool, start, m, shallow.mask, shallow.weight, shallow.classes, shallow.state, shallow.counts,
                shallow.running,
            )  # fmt: skip
        else:
            _read_lanes(numbers, shallow, pool)
            now["phase"] = POP
    return work


@kernel(inner=True)
def _open_feature(numbers, shallow, pool, g):
    """Cuts of feature g, the places of the rows, and the least errors of a split at one of the cuts."""
    now = shallow.now[0]
    m = np.int64(now["n_rows"])
    start = np.int64(now["base"]) + g * m
    if numbers.n_classes == 2:
        n, s, top, low = 0, np.int64(0), np.int64(0), np.int64(0)
        load = np.int64(0)
        for j in range(m):
            code = pool[start + j]
            row = code >> ROW_SHIFT
            if code & FIRST and j > 0:
                shallow.cut_at[g, n] = j
                shallow.cut_load[g, n] = load
                n += 1
                top, low = max(top, s), min(low, s)
            w = np.int64(shallow.weight[row])
            s += w
            load += abs(w)
            shallow.position[g, row] = j
        shallow.n_cuts[g] = n
        top, low = max(top, s), min(low, s)
        shallow.error[g] = min(shallow.tally[0, 1] - top, shallow.tally[0, 0] + low)
        return
    n, load, most = 0, np.int64(0), 0.0
    tally, kept = shallow.tally[1], shallow.most
    tally[:] = 0.0
    for j in range(m):
        code = pool[start + j]
        row = code >> ROW_SHIFT
        if code & FIRST and j > 0:
            shallow.cut_at[g, n] = j
            shallow.cut_load[g, n] = load
            kept[n] = most
            n += 1
        w = np.int64(shallow.weight[row])
        load += w
        tally[shallow.classes[row]] += w
        most = max(most, tally[shallow.classes[row]])
        shallow.position[g, row] = j
    shallow.n_cuts[g] = n
    right = most
    most = 0.0
    tally[:] = 0.0
    for j in range(m - 1, -1, -1):
        code = pool[start + j]
        row = code >> ROW_SHIFT
        tally[shallow.classes[row]] += shallow.weight[row]
        most = max(most, tally[shallow.classes[row]])
        if code & FIRST and j > 0:
            n -= 1
            right = max(right, kept[n] + most)
    shallow.error[g] = now["total"] - right


@kernel(inner=True)
def sort_by(key, order, n):
    """Put 0 .. n - 1 into `order`, ascending in `key`, equal ones in their order. O(n log^2 n)."""
    for i in range(n):
        order[i] = i
    gap = 1
    while gap < n // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, n):
            item = order[i]
            k = i
            while k >= gap:
                other = order[k - gap]
                if key[other] < key[item] or (key[other] == key[item] and other < item):
                    break
                order[k] = other
                k -= gap
            order[k] = item
        gap //= 3


@kernel(inner=True)
def _begin_queue(numbers, shallow):
    """Leaf and single split; then all cuts of all features wait, the features of the best splits first."""
    now = shallow.now[0]
    p, price = numbers.n_features, numbers.price
    least = np.inf
    for g in range(p):
        least = min(least, shallow.error[g])
    now["stump"] = least + 2 * price
    whole = min(now["leaf"], now["stump"])
    if whole < now["best"] - numbers.tolerance:
        now["best"] = whole
    now["phase"] = FINISHED
    if now["depth"] < 2 or now["best"] <= 3 * price + numbers.tolerance:
        return
    now["phase"] = POP
    sort_by(shallow.error, shallow.ranked, p)
    tail = 0
    for k in range(p):
        g = shallow.ranked[k]
        if shallow.n_cuts[g] == 0:
            continue
        q = shallow.queue[tail]
        q["feature"], q["lo"], q["hi"] = g, 0, shallow.n_cuts[g] - 1
        q["a"], q["b"] = 0.0, now["total"]
        q["left_a"], q["right_a"], q["left_b"], q["right_b"] = price, whole, whole, price
        tail += 1
    now["head"], now["tail"] = 0, tail


@kernel(inner=True)
def _make_room(shallow):
    """Room in the queue for the intervals of one more batch; without it the phase becomes FULL."""
    now = shallow.now[0]
    head, tail = np.int64(now["head"]), np.int64(now["tail"])
    if tail + 2 * LANES <= shallow.queue.shape[0]:
        return
    if 2 * (tail - head) + 4 * LANES > shallow.queue.shape[0]:
        now["phase"] = FULL
        return
    for k in range(head, tail):
        shallow.queue[k - head] = shallow.queue[k]
    now["head"], now["tail"] = 0, tail - head


@kernel(inner=True)
def first_from(loads, start, n, least):
    """First k of ``loads[start : start + n]``, ascending, that is not below `least`."""
    lo, hi = 0, n
    while lo < hi:
        mid = (lo + hi) >> 1
        if loads[start + mid] < least:
            lo = mid + 1
        else:
            hi = mid
    return lo


@kernel(inner=True)
def narrow(q, loads, start, n, best, rest):
    """Cut the ends of the interval `q` where no cost is below `best`; False where nothing is left.

    loads : weights left of the n cuts of its feature, from `start` on.
    rest : a cut where one side and this cost less than `best` stays too; infinity for none.
    """
    up = q["b"] - (q["left_b"] - q["left_a"])
    down = q["a"] + (q["right_a"] - q["right_b"])
    slack = best - q["left_a"] - q["right_b"]
    least, most = np.inf, -np.inf  # cuts with weights between these stay
    if max(0.0, down - up) < slack:
        least, most = down - slack, up + slack
    if q["left_a"] + rest < best:
        least, most = -np.inf, max(most, q["b"] - q["left_b"] + best - rest)
    if q["right_b"] + rest < best:
        least, most = min(least, q["a"] + q["right_a"] - best + rest), np.inf
    if least >= most:
        return False
    lo = max(np.int64(q["lo"]), first_from(loads, start, n, least))
    if lo < n and loads[start + lo] <= least:
        lo += 1
    q["lo"] = lo
    q["hi"] = min(np.int64(q["hi"]), first_from(loads, start, n, most) - 1)
    return q["lo"] <= q["hi"]


@kernel(inner=True)
def _choose_lanes(numbers, shallow):
    """Fill the lanes with cuts of the intervals that wait, and the masks of the rows."""
    now = shallow.now[0]
    m = np.int64(now["n_rows"])
    n, width = 0, np.int64(0)
    while now["head"] < now["tail"] and n < LANES:
        k = np.int64(now["head"])
        now["head"] = k + 1
        q = shallow.queue[k]
        g = np.int64(q["feature"])
        best = now["best"] - numbers.tolerance
        if narrow(q, shallow.cut_load[g], np.int64(0), shallow.n_cuts[g], best, now["rest"]):
            shallow.lanes[n]["interval"] = k
            width += q["hi"] - q["lo"]
            n += 1
    now["n_open"] = n
    now["phase"] = SCAN if n > 0 else FINISHED
    now["cursor"] = 0
    n_lanes = 0
    for k in range(n):
        q = shallow.queue[shallow.lanes[k]["interval"]]
        lo, size = np.int64(q["lo"]), np.int64(q["hi"]) - np.int64(q["lo"]) + 1
        share = min(1 + (LANES - n) * (size - 1) // max(width, 1), size)
        for x in range(share):
            shallow.lanes[n_lanes]["cut"] = lo + (x + 1) * (size + 1) // (share + 1) - 1
            shallow.lanes[n_lanes]["feature"] = q["feature"]
            n_lanes += 1
        shallow.lanes[k]["end"] = n_lanes
    now["n_lanes"] = n_lanes
    now["n_batches"] += 1 if n > 0 else 0
    now["n_tried"] += n_lanes
    shallow.state[:, :] = 0
    mask = shallow.mask
    for i in range(m):
        mask[i] = 0
    for lane in range(n_lanes):
        g = np.int64(shallow.lanes[lane]["feature"])
        at = shallow.cut_at[g, shallow.lanes[lane]["cut"]]
        bit = np.uint32(1) << np.uint32(lane)
        places = shallow.position[g]
        for i in range(m):
            mask[i] |= bit if places[i] < at else np.uint32(0)


@kernel(inner=True)
def _side_costs(numbers, shallow, lane):
    """Costs of both sides of a lane with at most two leaves each."""
    now = shallow.now[0]
    g, cut = np.int64(shallow.lanes[lane]["feature"]), np.int64(shallow.lanes[lane]["cut"])
    left = np.float64(shallow.cut_load[g, cut])
    right = now["total"] - left
    state = shallow.state
    if numbers.n_classes == 2:
        s = np.float64(state[SUM_LEFT, lane])
        one, zero = (left + s) / 2, (left - s) / 2
        leaf_left = min(one, zero)
        stump_left = min(one - state[TOP_LEFT, lane], zero + state[LOW_LEFT, lane])
        s = now["signed"] - s
        one, zero = (right + s) / 2, (right - s) / 2
        leaf_right = min(one, zero)
        stump_right = min(one - state[TOP_RIGHT, lane], zero + state[LOW_RIGHT, lane])
    else:
        leaf_left, leaf_right = left - state[WHOLE_LEFT, lane], right - state[WHOLE_RIGHT, lane]
        stump_left, stump_right = left - state[BEST_LEFT, lane], right - state[BEST_RIGHT, lane]
    price = numbers.price
    return (
        min(leaf_left + price, stump_left + 2 * price),
        min(leaf_right + price, stump_right + 2 * price),
    )


@kernel(inner=True)
def _read_lanes(numbers, shallow, pool):
    """Take the costs of the lanes as bounds, and let what is left between the cuts wait."""
    now = shallow.now[0]
    m = np.int64(now["n_rows"])
    tail = np.int64(now["tail"])
    lane = np.int64(0)  # so that `_side_costs` has one compiled form
    for k in range(now["n_open"]):
        q = shallow.queue[shallow.lanes[k]["interval"]]
        g = np.int64(q["feature"])
        lo, a, left_a, right_a = np.int64(q["lo"]), q["a"], q["left_a"], q["right_a"]
        end = np.int64(shallow.lanes[k]["end"])
        while True:
            cut = np.int64(q["hi"]) + 1
            b, left_b, right_b = q["b"], q["left_b"], q["right_b"]
            if lane < end:
                cut = np.int64(shallow.lanes[lane]["cut"])
                b = np.float64(shallow.cut_load[g, cut])
                left_b, right_b = _side_costs(numbers, shallow, lane)
                if left_b + right_b < now["best"] - numbers.tolerance:
                    now["best"] = left_b + right_b
                    now["feature"], now["at"] = g, shallow.cut_at[g, cut]
                if min(left_b, right_b) + now["rest"] < now["best"] - numbers.tolerance:
                    pool[now["base"] + g * m + shallow.cut_at[g, cut]] |= ALIVE
            least = min(left_a + right_b, min(left_a, right_b) + now["rest"])
            if lo < cut and least < now["best"] - numbers.tolerance:
                new = shallow.queue[tail]
                new["feature"], new["lo"], new["hi"], new["a"], new["b"] = g, lo, cut - 1, a, b
                new["left_a"], new["right_a"], new["left_b"], new["right_b"] = (
                    left_a,
                    right_a,
                    left_b,
                    right_b,
                )
                tail += 1
            if lane == end:
                break
            lo, a, left_a, right_a = cut + 1, b, left_b, right_b
            lane += 1
    now["tail"] = tail
