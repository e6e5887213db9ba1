"""State of the branch and bound over leaf sets: one NamedTuple of arrays, built and enlarged here.

A tree is a set of leaves, a leaf a set of literals (column, value). Three tables hold what was seen: every
leaf once, every tree once (Hu, Rudin and Seltzer 2019, Appendix G.3), and the queue of trees with a mask of
the leaves to be split next. Kernels never allocate: they return "grow" and the driver enlarges a table.

Rows with equal columns are merged; all counts stay integers, so a loss is the same number as on all rows.
"""

from typing import NamedTuple

import numpy as np

from treelib.jit import kernel

# switches, in the order of `Search.on`
BOUNDS = (
    "node_support",
    "incremental_accuracy",
    "accuracy",
    "lookahead",
    "equivalent_points",
    "leaf_count",
    "permutation",
    "similar_support",
)
(
    NODE_SUPPORT,
    INCREMENTAL_ACCURACY,
    ACCURACY,
    LOOKAHEAD,
    EQUIVALENT_POINTS,
    LEAF_COUNT,
    PERMUTATION,
    SIMILAR_SUPPORT,
) = range(len(BOUNDS))

POLICIES = ("curiosity", "lower_bound", "objective", "entropy", "breadth", "depth")
CURIOSITY, LOWER_BOUND, OBJECTIVE, ENTROPY, BREADTH, DEPTH = range(len(POLICIES))

# entries of `Search.count`
(
    PHASE,
    AFTER_PUSH,
    N_LEAVES,
    N_TREES,
    QUEUE_SIZE,
    QUEUE_PEAK,
    N_EVALUATED,
    N_TO_OPTIMUM,
    N_POPPED,
    BEST_TREE,
    TREE,
    N_SPLIT,
    N_UNCHANGED,
    UNCHANGED_ROWS,
    CHILD,
    N_REQUIRED,
    N_COUNTS,
) = range(17)

# entries of `Search.number`
BEST, PRUNED_OPEN, UNCHANGED_LOSS, UNCHANGED_ENTROPY, SPLIT_EQUIVALENT, CHILD_OBJECTIVE, N_NUMBERS = range(7)

# entries of `Search.word`
MASK, CHILD_MASK, SPLITTABLE, UNCHANGED_HASH, N_WORDS = range(5)

# a mask has one bit for each new leaf, two for each leaf that was split
MAX_SPLIT = 32

EMPTY = -1


class Search(NamedTuple):
    """Everything the kernels read and write; columns in the order the search tries them.

    A mask numbers the leaves of a tree from its end: bit 0 is the last leaf.
    """

    # problem and settings
    columns: np.ndarray  # uint64 (n_columns, n_words), bit u: merged row u has value 1
    class_counts: np.ndarray  # int64 (n_merged, 2), rows of class 0 and 1
    literal_key: np.ndarray  # uint64 (n_columns, 2), random, for hashing leaves
    n_rows: int  # rows before merging
    regularization: float
    policy: int
    paper: int  # 1: the paper's strict leaf-count bound and the candidate order of the authors' program
    on: np.ndarray  # uint8 (n_bounds,)

    # leaf cache
    leaf_rows: np.ndarray  # uint64 (capacity, n_words)
    leaf_literal: np.ndarray  # int8 (capacity, n_columns): 0, 1, or -1 where the column is unused
    leaf_dead: np.ndarray  # uint8 (capacity, n_columns): splitting on the column is proved useless
    leaf_child: np.ndarray  # int32 (capacity, n_columns, 2): ids of the two halves, -1 unknown
    leaf_open: np.ndarray  # int32 (capacity,): columns neither used nor dead
    leaf_n_rows: np.ndarray  # int64 (capacity,)
    leaf_n_wrong: np.ndarray  # int64 (capacity,)
    leaf_loss: np.ndarray  # float64 (capacity,): n_wrong / n_rows of the data
    leaf_equivalent: np.ndarray  # float64 (capacity,): b0, the loss that no split can undo
    leaf_entropy: np.ndarray  # float64 (capacity,): bits, times the rows of the leaf
    leaf_hash: np.ndarray  # uint64 (capacity,)
    leaf_slot: np.ndarray  # int32 (power of two >= 2 capacity,): open addressing, -1 empty
    leaf_stamp: np.ndarray  # int64 (capacity,): last popped state that keeps the leaf unchanged

    # tree cache
    tree_start: np.ndarray  # int64 (capacity + 1,): leaves of tree t are tree_leaf[start[t]:start[t + 1]]
    tree_leaf: np.ndarray  # int32 (pool,)
    tree_hash: np.ndarray  # uint64 (capacity,)
    tree_slot: np.ndarray  # int32 (power of two >= 2 capacity,)

    # queue, a binary heap
    queue_metric: np.ndarray  # float64 (capacity,)
    queue_tree: np.ndarray  # int32 (capacity,)
    queue_mask: np.ndarray  # uint64 (capacity,)

    # cursor: the state being expanded, so that a step can stop anywhere
    split: np.ndarray  # int32 (64,): its leaves to be split, in leaf order
    candidate: np.ndarray  # int32 (MAX_SPLIT, n_columns): columns to try
    n_candidates: np.ndarray  # int64 (MAX_SPLIT,)
    choice: np.ndarray  # int64 (MAX_SPLIT,): the next combination of candidates
    fresh: np.ndarray  # int32 (2 MAX_SPLIT,): new leaves of the child at hand
    required: np.ndarray  # uint64 (MAX_SPLIT,): pairs of new leaves of which one must be split on
    similar_bound: np.ndarray  # float64 (n_columns,): bound of the sibling that splits the last leaf there
    scratch: np.ndarray  # int32 (3, table): tables of the candidate order

    count: np.ndarray  # int64 (N_COUNTS,)
    number: np.ndarray  # float64 (N_NUMBERS,)
    word: np.ndarray  # uint64 (N_WORDS,)

    @property
    def n_bytes(self):
        return sum(field.nbytes for field in self if isinstance(field, np.ndarray))


LEAF_FIELDS = tuple(name for name in Search._fields if name.startswith("leaf_") and name != "leaf_slot")
QUEUE_FIELDS = ("queue_metric", "queue_tree", "queue_mask")


def new_search(columns, class_counts, regularization, policy, paper, on):
    """Search with empty tables; the kernels fill in the root.

    Parameters
    ----------
    columns : uint64 (n_columns, n_words), in search order
    class_counts : int64 (n_merged, 2)
    regularization : float
    policy : int, index into POLICIES
    paper : bool
    on : uint8 (n_bounds,)
    """
    p, n_words = columns.shape
    keys = np.random.default_rng(20191208).integers(1, 2**63, size=(p, 2), dtype=np.uint64)
    leaves, trees, queue = 1024, 4096, 16384
    table = 8
    while table <= 4 * p:
        table *= 2
    return Search(
        columns=columns,
        class_counts=class_counts,
        literal_key=keys,
        n_rows=int(class_counts.sum()),
        regularization=float(regularization),
        policy=policy,
        paper=int(paper),
        on=on,
        leaf_rows=np.empty((leaves, n_words), np.uint64),
        leaf_literal=np.empty((leaves, p), np.int8),
        leaf_dead=np.empty((leaves, p), np.uint8),
        leaf_child=np.empty((leaves, p, 2), np.int32),
        leaf_open=np.empty(leaves, np.int32),
        leaf_n_rows=np.empty(leaves, np.int64),
        leaf_n_wrong=np.empty(leaves, np.int64),
        leaf_loss=np.empty(leaves),
        leaf_equivalent=np.empty(leaves),
        leaf_entropy=np.empty(leaves),
        leaf_hash=np.empty(leaves, np.uint64),
        leaf_slot=np.full(2 * leaves, EMPTY, np.int32),
        leaf_stamp=np.empty(leaves, np.int64),
        tree_start=np.zeros(trees + 1, np.int64),
        tree_leaf=np.empty(8 * trees, np.int32),
        tree_hash=np.empty(trees, np.uint64),
        tree_slot=np.full(2 * trees, EMPTY, np.int32),
        queue_metric=np.empty(queue),
        queue_tree=np.empty(queue, np.int32),
        queue_mask=np.empty(queue, np.uint64),
        split=np.empty(64, np.int32),
        candidate=np.empty((MAX_SPLIT, p), np.int32),
        n_candidates=np.empty(MAX_SPLIT, np.int64),
        choice=np.empty(MAX_SPLIT, np.int64),
        fresh=np.empty(2 * MAX_SPLIT, np.int32),
        required=np.empty(MAX_SPLIT, np.uint64),
        similar_bound=np.empty(p),
        scratch=np.empty((3, table), np.int32),
        count=np.zeros(N_COUNTS, np.int64),
        number=np.full(N_NUMBERS, np.inf),
        word=np.zeros(N_WORDS, np.uint64),
    )


def with_more_leaves(search):
    """Search with a leaf cache of twice the size."""
    grown = {name: _enlarged(getattr(search, name), 2.0) for name in LEAF_FIELDS}
    slot = np.full(2 * len(search.leaf_slot), EMPTY, np.int32)
    fill_slots(slot, grown["leaf_hash"], search.count[N_LEAVES])
    return search._replace(leaf_slot=slot, **grown)


def with_more_trees(search, n_more):
    """Search with room for one more tree of `n_more` leaves at least, in whichever of its arrays is full."""
    n_trees = search.count[N_TREES]
    if n_trees >= len(search.tree_hash):
        start = _enlarged(search.tree_start, 1.5)
        hashes = _enlarged(search.tree_hash, 1.5, len(start) - 1)
        slot = search.tree_slot
        if search.on[PERMUTATION] and 2 * len(hashes) > len(slot):
            slot = np.full(2 * len(slot), EMPTY, np.int32)
            fill_slots(slot, hashes, n_trees)
        search = search._replace(tree_start=start, tree_hash=hashes, tree_slot=slot)
    if search.tree_start[n_trees] + n_more > len(search.tree_leaf):
        size = max(int(1.5 * len(search.tree_leaf)), len(search.tree_leaf) + n_more)
        search = search._replace(tree_leaf=_enlarged(search.tree_leaf, 1.0, size))
    return search


def with_longer_queue(search):
    """Search with a queue of one and a half times the size."""
    return search._replace(**{name: _enlarged(getattr(search, name), 1.5) for name in QUEUE_FIELDS})


def _enlarged(array, factor, size=None):
    size = int(factor * len(array)) + 1 if size is None else size
    grown = np.empty((size, *array.shape[1:]), array.dtype)
    grown[: len(array)] = array
    return grown


@kernel
def fill_slots(slot, hashes, n):
    """Enter ids 0..n-1 into the empty open-addressing table `slot` (int32, power of two) by their hashes."""
    mask = np.uint64(len(slot) - 1)
    for i in range(n):
        at = hashes[i] & mask
        while slot[at] != EMPTY:
            at = (at + np.uint64(1)) & mask
        slot[at] = i


@kernel
def leaf_is_split(mask, i, n_leaves):
    """Whether the leaf at position i of a tree of `n_leaves` is split next; bit 0 of `mask` is the last."""
    bit = n_leaves - 1 - i
    return bit < 64 and (mask >> np.uint64(bit)) & np.uint64(1) != np.uint64(0)
