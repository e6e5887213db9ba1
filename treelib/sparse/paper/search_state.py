"""State of the branch and bound over leaf sets: one NamedTuple of arrays, built and enlarged here.

A tree is a set of leaves, a leaf a set of literals (column, value). Three tables hold what was seen: every
leaf once, every tree once (Hu, Rudin and Seltzer 2019, Appendix G.3), and the queue of trees with a mask of
the leaves to be split next. Kernels never allocate: they return "grow" and the driver enlarges a table.

Rows with equal columns are merged; all counts stay integers, so a loss is the same number as on all rows.
"""

from typing import NamedTuple

import numpy as np

from treelib.compiled.bits import fetch_early
from treelib.compiled.jit import kernel
from treelib.compiled.splitmix import next_random

POLICIES = ("curiosity", "lower_bound", "objective", "entropy", "breadth", "depth")
CURIOSITY, LOWER_BOUND, OBJECTIVE, ENTROPY, BREADTH, DEPTH = range(len(POLICIES))

# a mask has one bit for each new leaf, two for each leaf that was split
MAX_SPLIT = 32

EMPTY = -1

# trees whose numbers a state of the queue can hold
MOST_TREES = 2**31


# Records instead of many arrays: each array of the NamedTuple below costs compile time in every kernel.
LEAF = np.dtype(
    [
        ("hash", np.uint64),
        ("n_rows", np.int64),
        ("n_wrong", np.int64),
        ("entropy", np.float64),  # bits, times n_rows
        ("n_open", np.int64),  # columns neither used nor dead
        ("stamp", np.int64),  # last state taken that keeps the leaf unchanged
    ]
)
# apart, so that the leaves of a million trees are summed up within the cache
LOSS = np.dtype(
    [
        ("loss", np.float64),  # n_wrong / rows of the data
        ("equivalent", np.float64),  # b0 of the paper, the loss that no split can undo
    ]
)
TREE = np.dtype([("start", np.int64), ("hash", np.uint64)])
# 16 bytes: the four grandchildren of an entry of the queue stand in one line of the cache
STATE = np.dtype(
    [
        ("metric", np.float64),
        ("tree", np.uint32),  # twice its number; 1 more: beaten when it was pushed, and so for good
        ("mask", np.uint32),  # WIDE: tree and mask stand in `Search.wide`, whose place is in `tree`
    ]
)
WIDE = np.uint32(0xFFFFFFFF)
WIDE_STATE = np.dtype([("tree", np.int64), ("mask", np.uint64)])
# an entry that sinks through the queue: where it is, the place behind the heap it sinks in, where it was
SINKING, MOST_SINKING = np.dtype([("at", np.uint64), ("size", np.uint64), ("metric", np.float64)]), 8
# position i of the state being expanded: its i-th leaf to be split, or the i-th new leaf of its child
PLACE = np.dtype(
    [
        ("split", np.int64),
        ("n_candidates", np.int64),
        ("choice", np.int64),  # which candidate is next
        ("fresh", np.int64),
        # sums over what stays as it is of the child with the mask at hand: its unchanged leaves, and those of
        # the new ones before the i-th that are not split
        ("loss", np.float64),
        ("entropy", np.float64),
        ("n_rows", np.int64),
        ("equivalent", np.float64),  # and b0 over those of them that are
    ]
)
NOW = np.dtype(
    [
        ("phase", np.int64),
        ("after_push", np.int64),  # phase that follows PUSH
        ("n_leaves", np.int64),
        ("n_trees", np.int64),
        ("queue_size", np.int64),
        ("queue_peak", np.int64),
        ("n_evaluated", np.int64),
        ("n_to_optimum", np.int64),
        ("n_taken", np.int64),
        ("n_wide", np.int64),
        ("most_leaves", np.float64),  # of a tree of these columns
        ("best_tree", np.int64),  # -1: a tree from outside
        ("best", np.float64),
        ("dropped", np.float64),  # least bound of the states dropped without proof
        # the state being expanded
        ("tree", np.int64),
        ("mask", np.uint64),
        ("n_split", np.int64),
        ("n_unchanged", np.int64),
        ("unchanged_rows", np.int64),
        ("unchanged_loss", np.float64),
        ("unchanged_entropy", np.float64),
        ("unchanged_hash", np.uint64),
        ("split_equivalent", np.float64),
        # its child at hand
        ("child", np.int64),
        ("child_objective", np.float64),
        ("child_mask", np.uint64),
        ("splittable", np.uint64),
        ("required", np.uint64),  # a bit for each pair of which one must be split on, that of the second
        ("changed", np.uint64),  # bits of the mask that changed since the sums of `PLACE` were made
    ]
)

# entries of `Search.leaf_column`; 0 and 1 are the values of a literal
OPEN, DEAD = -1, 2


class Search(NamedTuple):
    """Everything the kernels read and write; columns in the order the search tries them.

    A mask numbers the leaves of a tree from its end: bit 0 is the last leaf.
    """

    columns: np.ndarray  # uint64 (n_columns, n_words), bit u: merged row u has value 1
    class_counts: np.ndarray  # int64 (n_merged, 2), rows of class 0 and 1
    literal_key: np.ndarray  # uint64 (n_columns, 2), random, for hashing leaves
    n_rows: int  # rows before merging
    regularization: float
    policy: int
    paper: int  # 1: the paper's strict leaf-count bound and the candidate order of the authors' program
    on: np.ndarray  # SWITCHES (1,) of `bounds`

    leaf: np.ndarray  # LEAF (capacity,)
    leaf_loss: np.ndarray  # LOSS (capacity,)
    leaf_rows: np.ndarray  # uint64 (capacity, n_words)
    leaf_column: np.ndarray  # int8 (capacity, n_columns): value of the literal, OPEN or DEAD
    leaf_child: np.ndarray  # int32 (capacity, n_columns, 2): ids of the two halves, -1 unknown
    leaf_slot: np.ndarray  # int32 (power of two >= 2 capacity,): open addressing, -1 empty

    tree: np.ndarray  # TREE (capacity + 1,): leaves of tree t are tree_leaf[start of t : start of t + 1]
    tree_leaf: np.ndarray  # int32 (pool,)
    tree_slot: np.ndarray  # int32 (power of two >= 2 capacity,)

    queue: np.ndarray  # STATE (capacity,), a binary heap
    sinking: np.ndarray  # SINKING (MOST_SINKING,), of one call of `take_beaten`
    wide: np.ndarray  # WIDE_STATE (capacity,), states with a mask of more than 32 bits, kept for good

    # the cursor lives here, so that a step can stop anywhere
    place: np.ndarray  # PLACE (2 MAX_SPLIT + 1,)
    candidate: np.ndarray  # int32 (MAX_SPLIT, n_columns): columns to try at each leaf to be split
    similar_bound: np.ndarray  # float64 (n_columns,): bound of the sibling that splits the last leaf there
    scratch: np.ndarray  # int32 (4, table): tables of the candidate order
    now: np.ndarray  # NOW (1,)

    @property
    def n_bytes(self):
        return sum(field.nbytes for field in self if isinstance(field, np.ndarray))


def new_search(columns, class_counts, regularization, policy, paper, on):
    """Search with empty tables; `expand.plant_root` fills in the root.

    Parameters
    ----------
    columns : uint64 (n_columns, n_words), in search order
    class_counts : int64 (n_merged, 2)
    regularization : float
    policy : int, index into POLICIES
    paper : bool
    on : SWITCHES (1,) of `treelib.sparse.paper.bounds`
    """
    p, n_words = columns.shape
    leaves, trees, queue = 1024, 4096, 16384
    table = 8
    while table <= 4 * p:
        table *= 2
    return Search(
        columns=columns,
        class_counts=class_counts,
        literal_key=literal_keys(p),
        n_rows=int(class_counts.sum()),
        regularization=float(regularization),
        policy=policy,
        paper=int(paper),
        on=on,
        leaf=np.empty(leaves, LEAF),
        leaf_loss=np.empty(leaves, LOSS),
        leaf_rows=np.empty((leaves, n_words), np.uint64),
        leaf_column=np.empty((leaves, p), np.int8),
        leaf_child=np.empty((leaves, p, 2), np.int32),
        leaf_slot=np.full(2 * leaves, EMPTY, np.int32),
        tree=np.empty(trees + 1, TREE),
        tree_leaf=np.empty(8 * trees, np.int32),
        tree_slot=np.full(2 * trees, EMPTY, np.int32),
        queue=np.empty(queue, STATE),
        sinking=np.zeros(MOST_SINKING, SINKING),
        wide=np.empty(1, WIDE_STATE),
        place=np.zeros(2 * MAX_SPLIT + 1, PLACE),
        candidate=np.empty((MAX_SPLIT, p), np.int32),
        similar_bound=np.empty(p),
        scratch=np.empty((4, table), np.int32),
        now=np.zeros(1, NOW),
    )


def with_more_leaves(search):
    """Search with a leaf cache of twice the size."""
    size = 2 * len(search.leaf)
    leaf, rows = _enlarged(search.leaf, size), _enlarged(search.leaf_rows, size)
    loss = _enlarged(search.leaf_loss, size)
    column, child = _enlarged(search.leaf_column, size), _enlarged(search.leaf_child, size)
    slot = np.full(2 * len(search.leaf_slot), EMPTY, np.int32)
    fill_slots(slot, leaf["hash"], search.now["n_leaves"][0])
    return search._replace(
        leaf_slot=slot, leaf=leaf, leaf_loss=loss, leaf_rows=rows, leaf_column=column, leaf_child=child
    )


def with_more_trees(search, n_more):
    """Search with room for one more tree of `n_more` leaves at least, in whichever of its arrays is full."""
    n_trees = search.now["n_trees"][0]
    if n_trees + 1 == len(search.tree):
        tree = _enlarged(search.tree, len(search.tree) * 3 // 2)
        slot = search.tree_slot
        if search.on[0]["permutation"] and 2 * len(tree) > len(slot):
            slot = np.full(2 * len(slot), EMPTY, np.int32)
            fill_slots(slot, tree["hash"], n_trees)
        search = search._replace(tree=tree, tree_slot=slot)
    if search.tree["start"][n_trees] + n_more > len(search.tree_leaf):
        size = len(search.tree_leaf)
        search = search._replace(tree_leaf=_enlarged(search.tree_leaf, max(size * 3 // 2, size + n_more)))
    return search


def with_longer_queue(search):
    """Search with a queue of one and a half times the size, or more room for wide masks, as one is full."""
    if search.now["n_wide"][0] == len(search.wide):
        search = search._replace(wide=_enlarged(search.wide, 2 * len(search.wide)))
    if search.now["queue_size"][0] == len(search.queue):
        search = search._replace(queue=_enlarged(search.queue, len(search.queue) * 3 // 2))
    return search


def _enlarged(array, size):
    grown = np.empty((size,) + array.shape[1:], array.dtype)  # noqa: RUF005  numba knows no star here
    grown[: len(array)] = array
    return grown


def literal_keys(p):
    """Keys of literals, uint64 (p, 2), for the hashes of leaves."""
    keys = np.empty((p, 2), np.uint64)
    fill_keys(keys, np.full(1, 2019, np.uint64))
    return keys


@kernel(allocates=False)
def fill_keys(keys, seed):
    """Write random words; `seed` uint64 (1,) moves on."""
    for j in range(len(keys)):
        keys[j, 0], keys[j, 1] = next_random(seed), next_random(seed)


@kernel(allocates=False)
def fill_slots(slot, hashes, n):
    """Enter ids 0..n-1 into the empty open-addressing table `slot` (int32, power of two) by their hashes."""
    mask = np.uint64(len(slot) - 1)
    for i in range(n):
        fetch_early(slot, np.int64(hashes[min(i + 32, n - 1)] & mask))
        at = hashes[i] & mask
        while slot[at] != EMPTY:
            at = (at + np.uint64(1)) & mask
        slot[at] = i


@kernel(allocates=False)
def leaf_is_split(mask, i, n_leaves):
    """Whether the leaf at position i of a tree of `n_leaves` is split next; bit 0 of `mask` is the last."""
    bit = n_leaves - 1 - i
    return (bit < 64) & ((mask >> np.uint64(min(bit, 63))) & np.uint64(1) != np.uint64(0))
