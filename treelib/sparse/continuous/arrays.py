"""The arrays of the search, in the NamedTuples in which the kernels see them.

Integer weights and errors are in units of ``1 / scale`` of the caller's weight (see `sorting`). The cost of a
tree is its errors plus `price` for every leaf; costs are float64, exact for whole numbers.
"""

from typing import NamedTuple

import numpy as np

from treelib.sparse.continuous.lanes import LANES

# a depth without limit
UNLIMITED = 1 << 30
# sets that a level remembers at most, and bytes that those of eight levels take (512 of 32,768 rows)
MOST_SETS, SET_BYTES = 512, 2**24
# bits of a code: the row above them, a root split that may hold the optimum, the first row of its value
ROW_SHIFT, ALIVE, FIRST = 2, 2, 1

# An interval of cuts lo .. hi of one feature. `a` and `b` are the weights left of the cuts lo - 1 and hi + 1,
# whose sides have been bounded: at least `left_a` and `right_a`, `left_b` and `right_b`.
INTERVAL = np.dtype(
    [
        ("feature", "i4"),
        ("lo", "i4"),
        ("hi", "i4"),
        ("spare", "i4"),
        *((name, "f8") for name in ("a", "b", "left_a", "right_a", "left_b", "right_b")),
    ]
)

# A lane: the interval of its batch, the cut and the feature. `end` closes the lanes of an interval.
LANE = np.dtype([("interval", "i8"), ("end", "i8"), ("cut", "i8"), ("feature", "i8")])

# The state of the search for trees of depth two.
SHALLOW = np.dtype(
    [
        *(
            (name, "i8")
            for name in ("phase", "cursor", "head", "tail", "n_open", "n_lanes", "n_rows", "base")
        ),
        *((name, "i8") for name in ("depth", "keeps", "feature", "at", "n_batches", "n_tried")),
        *((name, "f8") for name in ("total", "signed", "best", "leaf", "stump", "rest")),
    ]
)

# A set of rows on the path of the search. `base`: where its block of the pool begins; `tree`, `size`: its
# best tree among the nodes; `easy`: only trees of depth two count. `n_sets`: sides remembered so far.
# `by_bound`: the intervals of all features wait together, `n_taken` of them have been taken, those below
# `top` wait. `lo` .. `right_b`: the interval at hand.
FRAME = np.dtype(
    [
        *((name, "i8") for name in ("state", "depth", "n_rows", "base", "loads", "tree", "size", "easy")),
        *(
            (name, "i8")
            for name in ("keeps", "cursor", "feature", "n_cuts", "stack", "lo", "hi", "cut", "at")
        ),
        *((name, "i8") for name in ("turn", "first", "side", "n_sets")),
        *((name, "i8") for name in ("by_bound", "n_taken", "top")),
        ("key", "u8"),
        ("key2", "u8"),
        *((name, "f8") for name in ("target", "best", "total", "more", "split")),
        *((name, "f8") for name in ("a", "b", "left_a", "right_a", "left_b", "right_b")),
    ]
)

# A side of the cut at hand: its lower bound, whether that is its optimum, and its tree if it is known.
SIDE = np.dtype([("lower", "f8"), ("exact", "i8"), ("tree", "i8"), ("size", "i8")])

# A node of a tree in preorder: rows with less than or as much as row `below` go left, from row `above` on
# right. feature -1: the best leaf or single split of the rows that come here, found when the tree is read.
NODE = np.dtype([("feature", "i4"), ("below", "i4"), ("above", "i4")])

# What the driver reads: the level of the search, counters (`n_like`: cuts that sets much like their sides
# ruled out), what was too small for the next step, whether every row weighs 1, and the features that each set
# takes in this pass, with one cut each (0: all of both).
CONTROL = np.dtype(
    [
        *((name, "i8") for name in ("level", "stack", "n_nodes", "n_hits", "n_known", "n_like")),
        *((name, "i8") for name in ("wanted", "top_level", "is_unit", "width")),
    ]
)


class Numbers(NamedTuple):
    """The rows that are searched, and the prices.

    Attributes
    ----------
    n_features, n_classes : int
    price, tolerance : float. Costs that differ by less than `tolerance` are equal.
    classes : int32 (n,)
    weight : lane type (n,), positive; for two classes negative for class 0
    keys : uint64 (n, 2), random: a set of rows is known by the exclusive or of its keys
    """

    n_features: int
    n_classes: int
    price: float
    tolerance: float
    classes: np.ndarray
    weight: np.ndarray
    keys: np.ndarray


class Shallow(NamedTuple):
    """Work space of the search for trees of depth two among the m rows of one set.

    Attributes
    ----------
    now : SHALLOW (1,)
    queue : INTERVAL, those from ``head`` to ``tail`` wait
    lanes : LANE (33,)
    cut_at : int32 (p, n), rows left of each cut of a feature; cut_load : lane type (p, n), their weight
    position : int32 (p, n), place of a row in the order of a feature
    n_cuts : int64 (p,). error : float64 (p,), least errors of one split. ranked : int32 (p,), scratch.
    mask : uint32 (n,). weight : lane type (n,), classes : int32 (n,), those of the set.
    state, counts, running : see `lanes.scan_feature`
    tally : float64 (4, n_classes). most : float64 (n + 1,) or (0,), scratch for more than two classes.
    """

    now: np.ndarray
    queue: np.ndarray
    lanes: np.ndarray
    cut_at: np.ndarray
    cut_load: np.ndarray
    position: np.ndarray
    n_cuts: np.ndarray
    error: np.ndarray
    ranked: np.ndarray
    mask: np.ndarray
    weight: np.ndarray
    classes: np.ndarray
    state: np.ndarray
    counts: np.ndarray
    running: np.ndarray
    tally: np.ndarray
    most: np.ndarray


class Deep(NamedTuple):
    """The path of the search: one set of rows a level.

    Attributes
    ----------
    now : CONTROL (1,)
    frames : FRAME (levels,). sides : SIDE (levels, 2).
    pool : int32, for each level a block of codes (p, m), and of m each: row numbers in the whole, places in
        the order of the feature at hand, its cuts; last the p features in the order of the search.
    loads : lane type, for each level the weight left of the cuts
    stack : INTERVAL, those that wait, deepest level last
    nodes : NODE, the best tree of each level, and of both sides of its cut
    new_row : int32 (n,), scratch. gain : float64 (p,), scratch.
    known : uint64 (size, 2), keys of sets solved or bounded. bounds : float64 (size, 2), lower bound and
        optimum (infinity while not known).
    sets : uint64 (levels, 2 + s, words), bits of rows: both sides of the cut of a level, and the last s sides
        that were searched. floors : float64 (levels, s, 2), their lower bounds and weights. s is 0 where
        leaves cost nothing.
    """

    now: np.ndarray
    frames: np.ndarray
    sides: np.ndarray
    pool: np.ndarray
    loads: np.ndarray
    stack: np.ndarray
    nodes: np.ndarray
    new_row: np.ndarray
    gain: np.ndarray
    known: np.ndarray
    bounds: np.ndarray
    sets: np.ndarray
    floors: np.ndarray


def make_shallow(n, p, n_classes, kind):
    """`Shallow` for at most n rows of p features, in lanes of the type `kind`."""
    is_two = n_classes == 2
    return Shallow(
        now=np.zeros(1, SHALLOW),
        queue=np.zeros(p + min(p * n, 1024) + 4 * LANES, INTERVAL),
        lanes=np.zeros(LANES + 1, LANE),
        cut_at=np.empty((p, n), np.int32),
        cut_load=np.empty((p, n), kind),
        position=np.empty((p, n), np.int32),
        n_cuts=np.zeros(p, np.int64),
        error=np.zeros(p),
        ranked=np.zeros(p, np.int32),
        mask=np.zeros(n, np.uint32),
        weight=np.zeros(n, kind),
        classes=np.zeros(n, np.int32),
        state=np.zeros((5, LANES), kind),
        counts=np.zeros(0, kind) if is_two else np.zeros((2 * n_classes, LANES), kind),
        running=np.zeros((0 if is_two else 2 * n + 2, LANES), kind),
        tally=np.zeros((4, n_classes)),
        most=np.zeros(0 if is_two else n + 1),
    )


def make_deep(order, kind, n_levels, is_priced=False):
    """`Deep` at the set of all rows, whose codes are `order` int32 (p, n).

    is_priced : bool, whether leaves cost something: only then sets are compared with others (`similar`)
    """
    p, n = order.shape
    block = block_size(n, p)
    n_sets = most_sets(n, n_levels) if is_priced else 0
    pool = np.empty(block * (1 if n_levels == 1 else 3), np.int32)
    pool[: p * n] = order.ravel()
    pool[p * n : p * n + n] = np.arange(n)
    return Deep(
        now=np.zeros(1, CONTROL),
        frames=np.zeros(n_levels, FRAME),
        sides=np.zeros((n_levels, 2), SIDE),
        pool=pool,
        loads=np.zeros((n + 1) * 3, kind),
        stack=np.zeros(256, INTERVAL),
        nodes=np.zeros(256, NODE),
        new_row=np.zeros(n, np.int32),
        gain=np.zeros(p),
        known=np.zeros((1024, 2), np.uint64),
        bounds=np.zeros((1024, 2)),
        sets=np.zeros((n_levels, 2 + n_sets, -(-n // 64) if n_sets else 0), np.uint64),
        floors=np.zeros((n_levels, n_sets, 2)),
    )


def most_sets(n, n_levels):
    """Sets of n rows that a level remembers."""
    return min(MOST_SETS, SET_BYTES // max(n, 1)) if n_levels > 1 else 0


def bytes_to_search(n, p, n_classes, kind, n_levels, is_priced=False):
    """Bytes of what `make_shallow` and `make_deep` make, but for what does not grow with the rows."""
    lane, n_blocks = np.dtype(kind).itemsize, 1 if n_levels == 1 else 3
    a_row = 12 + 5 * lane + (0 if n_classes <= 2 else 2 * LANES * lane + 8)
    sets = n_levels * (2 + most_sets(n, n_levels)) * n // 8 if is_priced else 0
    return n * (a_row + p * (8 + lane)) + 4 * n_blocks * block_size(n, p) + sets


def block_size(n, p):
    """Numbers in the block of a set of n rows."""
    return p * n + 3 * n + p + 2
