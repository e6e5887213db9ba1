"""Rectangles, rows and what a look at the rows of a rectangle tells, for the sweep.

A rectangle is a dyadic interval for each feature. Its key holds for feature i a field of k_i + 1 bits: the
bits of the path to the interval, then a one, then zeros. (That is the endpoint sum of Section 6, p_i + q_i
in units of the finest cells.) The row keys hold the bits of the finest cell in the same places, and a zero
at the end, so the bit of a row under the marker tells in which half of the rectangle the row lies. Fields do
not straddle words.
"""

from typing import NamedTuple

import numpy as np

from treelib.compiled.jit import kernel
from treelib.dyadic.sweep.hulls import ERROR_BITS, ONE_LEAF, is_dominated, reduce_to_hull

WORD_BITS = 62  # the sign bit stays free, and with it all shifts of int64 are plain

# rows of `Stack.features` (left and right side by side): marker bit of each feature, splits without effect
# before one that parts the rows (UNPARTED: none does), least error of both sides of that split, whether the
# feature was tried
MARKER, WASTE, LEFT_ERROR, RIGHT_ERROR, TRIED = 0, 1, 2, 3, 4
N_FEATURE_FIELDS = 5
UNPARTED = 1 << 20
LARGEST = np.int64(2**62)

# columns of `Stack.frames`: rows of the rectangle (a range), first row of the right half, what is to be done,
# feature that is being tried, hulls of both halves, range of the best hull so far in `Stack.hull`
FIRST, LAST, MIDDLE, STAGE, FEATURE, LEFT_HULL, RIGHT_HULL, HULL_BEGIN, HULL_END = 0, 1, 2, 3, 4, 5, 6, 7, 8
N_FRAME_FIELDS = 9


class Problem(NamedTuple):
    """Rows and grid.

    rows : int64 (n_words + loss words, m), words of the key of each row and words of its losses; the sweep
        permutes the rows.
    word, shift, n_splits : int64 (d,), where the field of each feature is, and the k_i.
    free_empty : int64 (1,), 1 where leaves without rows are free.
    n_classes : int
    loss_bits : int, of one class in a word of losses: 31 (two classes a word) or 62 (one). No sum of the
        losses of a class has more.
    """

    rows: np.ndarray
    word: np.ndarray
    shift: np.ndarray
    n_splits: np.ndarray
    free_empty: np.ndarray
    n_classes: int
    loss_bits: int


class Stack(NamedTuple):
    """Rectangles being worked on, one a level.

    frames : int64 (levels, N_FRAME_FIELDS). features : int64 (levels, N_FEATURE_FIELDS, d). keys : int64
    (levels, n_words). hull : int64, hulls of all levels one after another. sums, spare : int64, work space,
    as long as `hull`. totals : int64 (n_classes,), losses of the rows looked at last. masks : int64
    (n_words,), work space.
    """

    frames: np.ndarray
    features: np.ndarray
    keys: np.ndarray
    hull: np.ndarray
    sums: np.ndarray
    spare: np.ndarray
    totals: np.ndarray
    masks: np.ndarray


@kernel(inner=True)
def look_at_rows(problem, stack, level):
    """Fill in `Stack.features` of `level` from its rows; returns the error of the rectangle as one leaf."""
    rows, totals = problem.rows, stack.totals
    frame, features, key = stack.frames[level], stack.features[level], stack.keys[level]
    n_words, n_features, n_classes = len(key), len(problem.word), problem.n_classes
    first, last = frame[FIRST], frame[LAST]
    for w in range(n_words):
        keys = rows[w, first:last]
        some, every = keys[0], keys[0]
        for r in range(len(keys)):
            some |= keys[r]
            every &= keys[r]
        stack.masks[w] = some ^ every
    loss_bits, a_word = problem.loss_bits, WORD_BITS // problem.loss_bits
    mask = (np.int64(1) << loss_bits) - 1
    error = LARGEST
    for at in range(rows.shape[0] - n_words):
        losses = rows[n_words + at, first:last]
        total = np.int64(0)
        for r in range(len(losses)):
            total += losses[r]
        for c in range(a_word * at, min(a_word * (at + 1), n_classes)):
            totals[c] = total & mask
            error = min(error, totals[c])
            total >>= loss_bits
    for i in range(n_features):
        w, shift, marker = problem.word[i], problem.shift[i], features[MARKER, i]
        differs = (stack.masks[w] & ((2 << marker) - 1)) >> (shift + 1)
        features[TRIED, i] = 0
        if differs == 0:
            features[WASTE, i] = UNPARTED
            continue
        bit = marker
        while (stack.masks[w] >> bit) & 1 == 0:
            bit -= 1
        features[WASTE, i] = marker - bit
        if problem.free_empty[0] and bit < marker:
            # the halves without rows cost nothing, so the rectangle may as well be the smaller one
            keep = rows[w, first] & ((2 << marker) - 1) & ~((2 << bit) - 1)
            key[w] = (key[w] & ~(1 << marker)) | keep | (1 << bit)
            features[MARKER, i] = bit
            features[WASTE, i] = 0
        left, right = LARGEST, LARGEST
        keys = rows[w, first:last]
        for at in range(rows.shape[0] - n_words):
            losses = rows[n_words + at, first:last]
            total = np.int64(0)
            for r in range(len(losses)):
                total += losses[r] & -((keys[r] >> bit) & 1)
            for c in range(a_word * at, min(a_word * (at + 1), n_classes)):
                right = min(right, total & mask)
                left = min(left, totals[c] - (total & mask))
                total >>= loss_bits
        features[LEFT_ERROR, i] = left
        features[RIGHT_ERROR, i] = right
    return error


@kernel(inner=True)
def least_waste(features, n_features, without):
    """Fewest splits without effect before one that parts the rows, one on `without` (or -1) made."""
    least = UNPARTED
    for i in range(n_features):
        waste = features[WASTE, i] - (1 if i == without and features[WASTE, i] < UNPARTED else 0)
        least = min(least, waste)
    return least


@kernel(inner=True, inline=True)
def start_hull(stack, level, error, n_features, window):
    """Begin the hull of `level` with its trees of at most one split that parts the rows.

    Returns whether these are all that count: any other tree has three leaves at least, and one more for each
    split without effect.
    """
    frame, features = stack.frames[level], stack.features[level]
    hull = stack.hull
    begin = frame[HULL_BEGIN]
    hull[begin] = ONE_LEAF | error
    end = begin + 1
    for i in range(n_features):
        if features[WASTE, i] == UNPARTED:
            continue
        word = ((2 + features[WASTE, i]) << ERROR_BITS) | (features[LEFT_ERROR, i] + features[RIGHT_ERROR, i])
        at = end
        while at > begin + 1 and hull[at - 1] > word:
            at -= 1
        # of equally many leaves only the least error counts
        if hull[at - 1] >> ERROR_BITS == word >> ERROR_BITS:
            continue
        for move in range(end, at, -1):
            hull[move] = hull[move - 1]
        hull[at] = word
        end += 1
    frame[HULL_END] = reduce_to_hull(hull, begin, end, window)
    least = least_waste(features, n_features, -1)
    return is_dominated((3 + least) << ERROR_BITS, hull, begin, frame[HULL_END], window)


@kernel(inner=True, inline=True)
def cannot_help(stack, level, feature, n_features, window):
    """Whether no tree whose first split is on `feature` can change the hull of `level`.

    A half with errors left costs two leaves at least, or one with these errors.
    """
    frame, features = stack.frames[level], stack.features[level]
    hull, begin, end = stack.hull, frame[HULL_BEGIN], frame[HULL_END]
    if features[WASTE, feature] > 0:
        least = least_waste(features, n_features, feature)
        return is_dominated((4 + least) << ERROR_BITS, hull, begin, end, window)
    left, right = features[LEFT_ERROR, feature], features[RIGHT_ERROR, feature]
    if left == 0 or right == 0:
        # the single split itself is in the hull from the start
        return (left == 0 and right == 0) or is_dominated(3 << ERROR_BITS, hull, begin, end, window)
    return is_dominated((3 << ERROR_BITS) | min(left, right), hull, begin, end, window) and is_dominated(
        4 << ERROR_BITS, hull, begin, end, window
    )


@kernel(inner=True)
def part_rows(rows, first, last, word, bit):
    """Move the rows with a 0 in `bit` of `word` before the others; returns the first of the others."""
    keys = rows[word, first:last]
    left, right = 0, len(keys) - 1
    while True:
        while left <= right and (keys[left] >> bit) & 1 == 0:
            left += 1
        while left <= right and (keys[right] >> bit) & 1 == 1:
            right -= 1
        if left >= right:
            return first + left
        for w in range(rows.shape[0]):
            held = rows[w, first + left]
            rows[w, first + left] = rows[w, first + right]
            rows[w, first + right] = held
        left += 1
        right -= 1


@kernel(inner=True)
def enter_half(problem, stack, level, feature, side):
    """Write into level + 1 the key of the half of `level` on `side` (0 left, 1 right) of `feature`."""
    for w in range(stack.keys.shape[1]):
        stack.keys[level + 1, w] = stack.keys[level, w]
    # the marker moves down one bit, and leaves the side of the split in its place
    half = 1 << (stack.features[level, MARKER, feature] - 1)
    stack.keys[level + 1, problem.word[feature]] += half if side == 1 else -half


@kernel(inner=True)
def fill_half(stack, level, feature, side):
    """Describe the rest of that half, whose rows are parted, in level + 1."""
    above, below = stack.frames[level], stack.frames[level + 1]
    below[FIRST] = above[FIRST] if side == 0 else above[MIDDLE]
    below[LAST] = above[MIDDLE] if side == 0 else above[LAST]
    below[HULL_BEGIN] = above[HULL_END]
    for i in range(stack.features.shape[2]):
        stack.features[level + 1, MARKER, i] = stack.features[level, MARKER, i]
    stack.features[level + 1, MARKER, feature] -= 1
