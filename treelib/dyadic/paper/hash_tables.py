"""Three tables from rectangle keys to entries: direct index, universal hash with chains, open addressing.

The first two are the paper's (Section 6). The third is what one would write today: keys mixed by one
multiplication, linear probing in a table of a power of two that is at most two thirds full.
"""

from typing import NamedTuple

import numpy as np

from treelib.compiled.jit import kernel
from treelib.dyadic.hash_constants import GOLDEN, HALF
from treelib.dyadic.rectangles import hash_coefficients, hash_size, key_bits, key_shifts, n_rectangles
from treelib.search.budget import go_on
from treelib.table.checks import check_choice

DIRECT, CHAINS, OPEN = 0, 1, 2
KINDS = {"direct": DIRECT, "chains": CHAINS, "open": OPEN}
MOST_DIRECT_BITS = 28
# between two looks at the clock, some 5 ms each
_STEP_SLOTS = 1 << 21
_STEP_ENTRIES = 1 << 16
_KEYS_AT_ONCE = 1 << 10  # whose slots are reckoned before they are looked at
_HALF_RANGE = np.int64(1 << 62)
NONE = -1


class Database(NamedTuple):
    """Where the entry of a key is found.

    heads : int32 (slots,), entry at a slot, -1 where there is none
    links : int32 (capacity,), next entry of the same slot (chains), or one unused element
    coefficients, shifts, masks : int64 (d,), of the universal hash and of the parts of a key
    """

    heads: np.ndarray
    links: np.ndarray
    coefficients: np.ndarray
    shifts: np.ndarray
    masks: np.ndarray


def make_database(kind, n_splits, n_surrogates, capacity, seed=0):
    """An empty `Database`.

    Parameters
    ----------
    kind : {"direct", "chains", "open"}
    n_splits : the k_i. n_surrogates : int, rows. capacity : int, entries that can be told apart at first.
    seed : int, of the random coefficients of the universal hash

    Raises
    ------
    ValueError
        Unknown kind, or too many rectangles for a direct index.
    """
    check_choice("database", kind, KINDS)
    if kind == "direct":
        if key_bits(n_splits) > MOST_DIRECT_BITS:
            raise ValueError(
                f"A direct index of {key_bits(n_splits)}-bit keys is too large (at most {MOST_DIRECT_BITS}); "
                'use database="open".'
            )
        size = 2 ** key_bits(n_splits)
    elif kind == "chains":
        size = hash_size(n_surrogates, n_splits)
    else:
        size = open_slots(min(capacity, n_rectangles(n_splits)))
    d = len(n_splits)
    return Database(
        heads=np.full(size, NONE, dtype=np.int32),
        links=np.full(capacity if kind == "chains" else 1, NONE, dtype=np.int32),
        coefficients=hash_coefficients(d, size, seed),
        shifts=key_shifts(n_splits),
        masks=2 ** (np.asarray(n_splits, dtype=np.int64) + 1) - 1,
    )


def slots_of(database, kind, capacity):
    """Slots of new tables that `grown` makes for `capacity` entries, 0 where the old ones do."""
    if kind == "chains" and capacity > len(database.links):
        return capacity
    if kind == "open" and open_slots(capacity) > len(database.heads):
        return open_slots(capacity)
    return 0


def grown(database, kind, known, n_entries, capacity, check=go_on):
    """The database with room for `capacity` entries; `known` (capacity,), records with a ``key``, holds
    `n_entries` of them.

    check : callable that is asked every few milliseconds, and may raise `treelib.search.budget.Stopped`;
        `database` then stays as it is.
    """
    n_slots = slots_of(database, kind, capacity)
    if n_slots == 0:
        return database
    slots = np.empty(n_slots, dtype=np.int32)
    for first in range(0, n_slots, _STEP_SLOTS):
        slots[first : first + _STEP_SLOTS] = NONE
        check()
    if kind == "chains":
        slots[: len(database.links)] = database.links
        return database._replace(links=slots)
    for first in range(0, n_entries, _STEP_ENTRIES):
        fill_open(slots, known, first, min(n_entries, first + _STEP_ENTRIES))
        check()
    return database._replace(heads=slots)


def open_slots(capacity):
    """Slots of open addressing for so many entries: a power of two, filled to two thirds at most."""
    return 1 << int(capacity * 1.5).bit_length()


def mean_and_longest_chain(keys, n_splits, size, seed):
    """Mean and largest length of the lists of the universal hash, float and int, empty ones left out.

    keys : int64 (n,). Equal to counting the lists of a `Database` of kind "chains" that holds these keys.
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
def find(database, kind, known, key):
    """Entry of `key`, or -1 - slot where a new entry belongs. known : array of records with a ``key``."""
    if kind == DIRECT:
        entry = np.int64(database.heads[key])
        return entry if entry >= 0 else -1 - key
    if kind == CHAINS:
        slot = hash_sums(key, database.coefficients, database.shifts, database.masks, database.heads.shape[0])
        entry = np.int64(database.heads[slot])
        while entry >= 0 and known[entry]["key"] != key:
            entry = np.int64(database.links[entry])
        return entry if entry >= 0 else -1 - slot
    n_slots = database.heads.shape[0]
    slot = mixed(key, n_slots)
    entry = np.int64(database.heads[slot])
    while entry >= 0 and known[entry]["key"] != key:
        slot = (slot + 1) & (n_slots - 1)
        entry = np.int64(database.heads[slot])
    return entry if entry >= 0 else -1 - slot


@kernel(inner=True)
def touch(database, known, key):
    """Read what `find` reads first of `key` in open addressing, without a branch; returns it, of no use."""
    entry = np.int64(database.heads[mixed(key, database.heads.shape[0])])
    return known[max(entry, np.int64(0))]["key"]


@kernel(inner=True)
def insert(database, kind, slot, entry):
    """Put a new entry at the slot that `find` named."""
    if kind == CHAINS:
        database.links[entry] = database.heads[slot]
    database.heads[slot] = entry


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
