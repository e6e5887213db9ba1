"""Sums in the order in which numpy takes them, so that a last digit does not tell the page from Python."""

import numpy as np
from numba import njit

BLOCK = 128


@njit(error_model="numpy")
def _block_sum(values, first, n):
    if n < 8:
        total = 0.0
        for i in range(n):
            total += values[first + i]
        return total
    part = np.empty(8)
    for j in range(8):
        part[j] = values[first + j]
    done = 8
    while done + 8 <= n:
        for j in range(8):
            part[j] += values[first + done + j]
        done += 8
    total = ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]))
    for i in range(done, n):
        total += values[first + i]
    return total


@njit(error_model="numpy")
def pairwise_sum(values):
    """Sum of `values` float64 (n,) as numpy's ``values.sum()`` adds them: in pairs of blocks, by eights."""
    first, count = np.zeros(64, np.int64), np.zeros(64, np.int64)  # of the ranges above the one looked at
    left, has_left = np.zeros(64), np.zeros(64, np.bool_)
    depth, at, n = 0, 0, len(values)
    while True:
        while n > BLOCK:
            first[depth], count[depth], has_left[depth] = at, n, False
            depth += 1
            n = n // 2 - n // 2 % 8
        total = _block_sum(values, at, n)
        while depth > 0 and has_left[depth - 1]:
            depth -= 1
            total = left[depth] + total
        if depth == 0:
            return total
        left[depth - 1], has_left[depth - 1] = total, True
        half = count[depth - 1] // 2 - count[depth - 1] // 2 % 8
        at, n = first[depth - 1] + half, count[depth - 1] - half
