"""The table from rectangle keys to entries, and the lists of the paper's own (Section 6).

The paper has a direct index, and a universal hash with lists. What one would write today finds the same
entries: keys mixed by one multiplication, linear probing in a table of a power of two that is at most two
thirds full. Of the paper's hash the lengths of the lists are counted.
"""

from typing import NamedTuple

import numpy as np

from treelib.compiled.jit import kernel
from treelib.dyadic.hash_constants import GOLDEN, HALF
from treelib.dyadic.rectangles import hash_coefficients, key_shifts, n_rectangles
from treelib.search.budget import go_on

# between two looks at the clock, some 5 ms each
_STEP_ENTRIES = 1 << 16
_KEYS_AT_ONCE = 1 << 10  # whose slots are reckoned before they are looked at
_HALF_RANGE = np.int64(1 << 62)
NONE = -1


class Database(NamedTuple):
    """Where the entry of a key is found.

    heads : int32 (slots,), entry at a slot, -1 where there is none
    shifts : int64 (d,), lowest bit of each coordinate in a key
    """

    heads: np.ndarray
    shifts: np.ndarray


def make_database(n_splits, capacity):
    """An empty `Database` for so many entries at first; n_splits : the k_i"""
    size = open_slots(min(capacity, n_rectangles(n_splits)))
    return Database(np.full(size, NONE, dtype=np.int32), key_shifts(n_splits))


def slots_of(database, capacity):
    """Slots of the new table that `grown` makes for `capacity` entries, 0 where the old one does."""
    return open_slots(capacity) if open_slots(capacity) > len(database.heads) else 0


def grown(database, known, n_entries, capacity, check=go_on):
    """The database with room for `capacity` entries; `known` (capacity,), records with a ``key``, holds
    `n_entries` of them.

    check : callable that is asked every few milliseconds, and may raise `treelib.search.budget.Stopped`;
        `database` then stays as it is.
    """
    n_slots = slots_of(database, capacity)
    if n_slots == 0:
        return database
    heads = np.full(n_slots, NONE, dtype=np.int32)
    for first in range(0, n_entries, _STEP_ENTRIES):
        fill_open(heads, known, first, min(n_entries, first + _STEP_ENTRIES))
        check()
    return database._replace(heads=heads)


def open_slots(capacity):
    """Slots of open addressing for so many entries: a power of two, filled to two thirds at most."""
    return 1 << int(capacity * 1.5).bit_length()


def mean_and_longest_chain(keys, n_splits, size, seed):
    """Mean and largest length of the lists of the universal hash, float and int, empty ones left out.

    keys : int64 (n,)
    """
    counts = chain_counts(keys, n_splits, size, seed)
    return len(keys) / int(np.count_nonzero(counts)), int(counts.max())


def chain_counts(keys, n_splits, size, seed):
    """Keys at each slot of the universal hash, uint8 or int32 (size,)."""
    d = len(n_splits)
    coefficients = hash_coefficients(d, size, seed)
    masks = 2 ** (np.asarray(n_splits, dtype=np.int64) + 1) - 1
    # a byte is enough for lists as they are, and a quarter of the memory that each key waits for
    slots = np.empty(_KEYS_AT_ONCE, dtype=np.int64)
    for kind in (np.uint8, np.int32):
        counts = np.zeros(size, dtype=kind)
        if count_chains(keys, coefficients, key_shifts(n_splits), masks, slots, counts, np.iinfo(kind).max):
            break
    return counts


@kernel(inner=True)
def hash_sums(key, coefficients, shifts, masks, size):
    """The universal hash of a key: sum u_i s_i mod size, reduced before it can overflow.

    In: each term u_i s_i is below 2^62, as `size` times the largest sum is.
    """
    h = np.int64(0)
    for i in range(coefficients.shape[0]):
        h += coefficients[i] * ((key >> shifts[i]) & masks[i])
        if h >= _HALF_RANGE:  # a division takes as long as the rest of a term ten times over
            h %= size
    return h % size


@kernel(inner=True)
def mixed(key, n_slots):
    """Slot of a key in a table of a power of two: the high bits of a product (Fibonacci hashing)."""
    h = np.uint64(key) * GOLDEN
    h ^= h >> HALF
    h *= GOLDEN
    return np.int64((h >> HALF) & np.uint64(n_slots - 1))


@kernel(inner=True)
def find(heads, known, key):
    """Entry of `key`, or -1 - slot where a new entry belongs. known : array of records with a ``key``."""
    n_slots = heads.shape[0]
    slot = mixed(key, n_slots)
    entry = np.int64(heads[slot])
    while entry >= 0 and known[entry]["key"] != key:
        slot = (slot + 1) & (n_slots - 1)
        entry = np.int64(heads[slot])
    return entry if entry >= 0 else -1 - slot


@kernel(inner=True)
def touch(heads, known, key):
    """Read what `find` reads first of `key`, without a branch; returns it, of no use."""
    entry = np.int64(heads[mixed(key, heads.shape[0])])
    return known[max(entry, np.int64(0))]["key"]


@kernel(allocates=False)
def fill_open(heads, known, first, stop):
    """Enter the keys of the entries from `first` to `stop` into a table of open addressing."""
    n_slots = heads.shape[0]
    for entry in range(first, stop):
        slot = mixed(known[entry]["key"], n_slots)
        while heads[slot] >= 0:
            slot = (slot + 1) & (n_slots - 1)
        heads[slot] = entry


@kernel(allocates=False)
def count_chains(keys, coefficients, shifts, masks, slots, counts, most):
    """Number of keys at each slot of the universal hash, added to `counts` (size,); returns whether all are
    below `most`, and stops where one is not.

    slots : int64 (m,), work space: the slots of so many keys are reckoned first, and then looked at. Reckoned
        in between, they keep the processor from waiting for many of them at a time.
    """
    for start in range(0, keys.shape[0], slots.shape[0]):
        n = min(slots.shape[0], keys.shape[0] - start)
        for i in range(n):
            slots[i] = hash_sums(keys[start + i], coefficients, shifts, masks, counts.shape[0])
        for i in range(n):
            if counts[slots[i]] == most:
                return False
            counts[slots[i]] += 1
    return True
