"""Rectangles as integers: endpoint sums, how many there are, and hash functions over them (Section 6).

An interval of coordinate i runs from p_i to q_i in units of the finest cells. Its endpoint sum s_i = p_i +
q_i is unique among dyadic intervals: the lowest one bit of s_i is the width q_i - p_i (footnote 4). A
rectangle's key packs its sums side by side, k_i + 1 bits each, the first coordinate lowest.
"""

from math import isqrt, prod

import numpy as np

MOST_KEY_BITS = 62  # a key must stay a positive int64


def endpoint_sum(low, high):
    """Endpoint sum of the dyadic interval from index `low` to `high` (exclusive end, in finest cells)."""
    return low + high


def endpoints(sums):
    """Both endpoint indices of intervals given by their sums (footnote 4): arrays (p, q)."""
    sums = np.asarray(sums)
    width = sums & -sums
    return (sums - width) // 2, (sums + width) // 2


def n_rectangles(n_splits):
    """Number of rectangles, empty ones too: |sigma_k(X)|, the product of 2^(k_i + 1) - 1."""
    return prod(2 ** (int(k) + 1) - 1 for k in n_splits)


def rectangles_per_row(n_splits):
    """Number of rectangles that hold one row: rho, the product of k_i + 1."""
    return prod(int(k) + 1 for k in n_splits)


def key_bits(n_splits):
    """Bits of a key: the sum of k_i + 1."""
    return sum(int(k) + 1 for k in n_splits)


def key_shifts(n_splits):
    """Lowest bit of each coordinate's endpoint sum in a key, int64 (d,).

    Raises
    ------
    ValueError
        A key would need more than 62 bits.
    """
    if key_bits(n_splits) > MOST_KEY_BITS:
        raise ValueError(
            f"n_splits={list(map(int, n_splits))} needs keys of {key_bits(n_splits)} bits; the recursion has "
            f"{MOST_KEY_BITS}. Lower some of them, or use the path over all rectangles."
        )
    bits = np.asarray([int(k) + 1 for k in n_splits], dtype=np.int64)
    return np.concatenate(([0], np.cumsum(bits)[:-1])).astype(np.int64)


def unpack(keys, n_splits):
    """Endpoint sums of packed keys: int64 (n, d)."""
    keys = np.asarray(keys, dtype=np.int64)
    masks = 2 ** (np.asarray(n_splits, dtype=np.int64) + 1) - 1
    return (keys[:, None] >> key_shifts(n_splits)) & masks


def prime_above(number):
    """Smallest prime larger than `number`."""
    candidate = max(2, int(number) + 1)
    while any(candidate % p == 0 for p in range(2, isqrt(candidate) + 1)):
        candidate += 1
    return candidate


def hash_size(n_surrogates, n_splits):
    """Size of the paper's hash table: the smallest prime above min(n rho, |sigma_k|)."""
    return prime_above(min(n_surrogates * rectangles_per_row(n_splits), n_rectangles(n_splits)))


def hash_coefficients(n_features, size, seed):
    """The random u_i of h = sum u_i s_i mod size, uniform over 0 .. size - 1: int64 (d,)."""
    return np.random.default_rng(seed).integers(0, size, n_features)
