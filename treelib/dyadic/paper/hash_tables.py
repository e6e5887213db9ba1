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


def grown(database, known, n_entries):
    """The database with room for all of `known` (capacity,), records with a ``key``, of which `n_entries` are
    entered."""
    n_slots = open_slots(len(known))
    if n_slots <= len(database.heads):
        return database
    heads = np.full(n_slots, NONE, dtype=np.int32)
    fill_open(heads, known, n_entries)
    return database._replace(heads=heads)


def open_slots(capacity):
    """Slots of open addressing for so many entries: a power of two, filled to two thirds at most."""
    return 1 << int(capacity * 1.5).bit_length()


def mean_and_longest_chain(keys, n_splits, size, seed):
    """Mean and largest length of the lists of the universal hash, float and int, empty ones left out.

    keys : int64 (n,)
    """
    slots = hash_slots(keys, n_splits, hash_coefficients(len(n_splits), size, seed), size)
    counts = np.bincount(slots)
    return len(keys) / int(np.count_nonzero(counts)), int(counts.max())


def hash_slots(keys, n_splits, coefficients, size):
    """The universal hash of keys: sum u_i s_i mod size, int64 (n,); `size` times the largest sum is below
    2^62."""
    slots = np.zeros(len(keys), dtype=np.int64)
    for u, shift, k in zip(coefficients, key_shifts(n_splits), n_splits, strict=True):
        slots = (slots + u * ((keys >> shift) & (2 ** (int(k) + 1) - 1))) % size
    return slots


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
def fill_open(heads, known, n_entries):
    """Enter the keys of the first entries into an empty table of open addressing."""
    n_slots = heads.shape[0]
    for entry in range(n_entries):
        slot = mixed(known[entry]["key"], n_slots)
        while heads[slot] >= 0:
            slot = (slot + 1) & (n_slots - 1)
        heads[slot] = entry
