"""The casting border of the sweep: surrogates and grid as packed integers, and the tables it works in."""

from fractions import Fraction
from math import inf
from typing import NamedTuple

import numpy as np

from treelib.dyadic.sweep.hulls import (
    ERROR_MASK,
    MOST_LEAVES,
    MOST_PRICE,
    MOST_UNIT,
    N_HULLS,
    N_VERTICES,
    ONE_LEAF,
    Window,
    fill_hull_slots,
    make_hulls,
)
from treelib.dyadic.sweep.rows import (
    FIRST,
    LAST,
    MARKER,
    N_FEATURE_FIELDS,
    N_FRAME_FIELDS,
    WORD_BITS,
    Problem,
    Stack,
)


class Packed(NamedTuple):
    """A `Problem` in integers.

    problem : Problem. n_words : int, words of a key. leaf_error, label : int, of the single leaf.
    scale : float, the integer losses are this many times the losses. is_exact : bool, whether they are so
    without rounding; `scale` is 1 then.
    """

    problem: Problem
    n_words: int
    leaf_error: int
    label: int
    scale: float
    is_exact: bool


def pack(codes, losses, n_splits, *, free_empty=False):
    """Pack distinct rows.

    Parameters
    ----------
    codes : int64 (m, d), finest cells, no two rows equal
    losses : (m, K) int64 or float64, the least of each row 0
    n_splits : int (d,)
    free_empty : bool, leaves without rows cost nothing

    Losses that are not whole, or too large, are rounded to a multiple of about 1e-10 of what there is to
    lose.

    Raises
    ------
    ValueError : shapes that do not fit together, codes outside the grid, losses that are negative or not
        finite: the kernels behind would write outside their arrays. Codes and n_splits that are not whole,
        equal rows, and rows without a loss of 0: the losses found would hold what every tree pays.
    """
    codes, losses, n_splits = _whole("codes", codes), np.asarray(losses), _whole("n_splits", n_splits)
    _check(codes, losses, n_splits)
    if len(codes) * (n_splits.sum() + 1) >= MOST_LEAVES:
        raise ValueError(
            f"{len(codes)} distinct cells with {n_splits.sum()} splits on a path could need more than "
            f"{MOST_LEAVES} leaves; lower max_splits."
        )
    losses, scale, is_exact = _whole_losses(losses)
    return pack_whole(codes, losses, n_splits, free_empty, scale, is_exact)


def pack_whole(codes, losses, n_splits, free_empty, scale, is_exact):
    """As `pack`, of int64 arrays that fit; also for the page, so it is written in numba's language."""
    word, shift = _fields(n_splits)
    n_words = int(word.max() if len(word) else 0) + 1
    n_classes, totals = losses.shape[1], losses.sum(axis=0)
    # two classes share a word where no sum can carry over
    loss_bits = WORD_BITS // 2 if totals.max() >> WORD_BITS // 2 == 0 else WORD_BITS
    a_word = WORD_BITS // loss_bits
    rows = np.zeros((n_words + -(-n_classes // a_word), len(codes)), dtype=np.int64)
    for feature in range(len(n_splits)):
        rows[word[feature]] |= codes[:, feature] << (shift[feature] + 1)
    for c in range(n_classes):
        rows[n_words + c // a_word] |= losses[:, c] << (loss_bits * (c % a_word))
    free = np.full(1, free_empty, np.int64)
    problem = Problem(rows, word, shift, n_splits, free, n_classes, loss_bits)
    return Packed(problem, n_words, int(totals.min()), int(totals.argmin()), scale, is_exact)


def _whole(name, values):
    """int64 array of `values`, which are not rounded."""
    values = np.asarray(values)
    is_whole = values.dtype.kind in "biu"
    if values.dtype.kind == "f":
        is_whole = ((values == np.rint(values)) & (np.abs(values) < 2.0**63)).all()
    if not is_whole:
        raise ValueError(f"{name} must hold whole numbers, those of a `treelib.dyadic.boxes.DyadicGrid`.")
    return values.astype(np.int64, copy=False)


def _check(codes, losses, n_splits):
    if codes.ndim != 2 or losses.ndim != 2 or len(codes) != len(losses) or codes.shape[1:] != n_splits.shape:
        raise ValueError(
            f"codes {codes.shape}, losses {losses.shape} and n_splits {n_splits.shape} do not fit together."
        )
    if losses.shape[1] == 0:
        raise ValueError("There are no classes.")
    if (n_splits < 0).any() or (n_splits >= WORD_BITS).any():
        raise ValueError(f"n_splits must be from 0 to {WORD_BITS - 1}.")
    if (codes < 0).any() or (codes >> n_splits).any():
        raise ValueError("Codes must lie from 0 to below 2^k_i.")
    if losses.dtype.kind not in "biuf":
        raise ValueError(f"Losses must be real numbers, not {losses.dtype}.")
    if not (losses >= 0).all() or np.isinf(losses).any():
        raise ValueError("Losses must be finite numbers that are not negative.")
    if losses.min(axis=1).any():
        raise ValueError(
            "The least loss of each row must be 0; `treelib.dyadic.compress.merge_rows` subtracts it."
        )
    if _has_equal_rows(codes):
        raise ValueError(
            "Two rows of codes are equal; `treelib.dyadic.compress.merge_rows` makes them one, and adds up "
            "their losses."
        )


def _has_equal_rows(codes):
    if codes.shape[1] == 0:
        return len(codes) > 1
    # rows in lexicographic order, as `merge_cells` gives them, need not be sorted: 5 ms for 100,000 x 20
    step = np.diff(codes, axis=0)
    first = (step != 0).argmax(axis=1)
    if (np.take_along_axis(step, first[:, None], axis=1) > 0).all():
        return False
    ordered = codes[np.lexsort(codes.T)]
    return bool((ordered[1:] == ordered[:-1]).all(axis=1).any())


def _fields(n_splits):
    """Word and lowest bit of the field of each feature, k_i + 1 bits each, none across two words."""
    word, shift = np.zeros(len(n_splits), np.int64), np.zeros(len(n_splits), np.int64)
    here, used = 0, 0
    for feature, k in enumerate(n_splits.tolist()):
        if used + k + 1 > WORD_BITS:
            here, used = here + 1, 0
        word[feature], shift[feature] = here, used
        used += k + 1
    return word, shift


def _whole_losses(losses):
    """int64 losses whose sum fits a hull's word, their scale, and whether they are exact."""
    most = int(losses.max(axis=1, initial=0).sum()) if losses.dtype.kind in "iu" else inf
    if most <= ERROR_MASK:
        return losses, 1.0, True
    most = float(losses.max(axis=1, initial=0.0).sum())
    # a power of two, so that scaling itself rounds nothing; half a unit of rounding a row must fit as well
    # and a float64 must hold it
    digits = np.floor(np.log2(ERROR_MASK - len(losses)) - np.log2(most)) if most > 0 else 0.0
    scale = 2.0 ** min(digits, 1000.0)
    return np.rint(losses * scale).astype(np.int64), scale, False


def as_window(packed, low, high):
    """`Window` of the prices from `low` to `high` (Fraction, in units of the losses; `high` may be inf)."""
    return Window(*_price(packed, low), *((1, 0) if high == inf else _price(packed, high)))


def _price(packed, price):
    # no rectangle can win more than all losses, so prices above that are all alike
    scaled = min(Fraction(price) * Fraction(packed.scale), Fraction(MOST_PRICE))
    largest_unit = max(1, min(MOST_UNIT, int(MOST_PRICE / max(scaled, 1))))
    scaled = scaled.limit_denominator(largest_unit)
    return scaled.numerator, scaled.denominator


def bytes_of_stack(packed):
    """What `make_stack` takes."""
    problem, n_features = packed.problem, len(packed.problem.word)
    levels = int(problem.n_splits.sum()) + 2
    of_level = N_FRAME_FIELDS + N_FEATURE_FIELDS * n_features + packed.n_words
    length = 1024 + levels * (n_features + 2)
    return 8 * (levels * of_level + 3 * length + problem.n_classes + packed.n_words)


def make_stack(packed):
    """`Stack` with the whole box in level 0."""
    problem = packed.problem
    n_features = len(problem.word)
    levels = int(problem.n_splits.sum()) + 2
    length = 1024 + levels * (n_features + 2)
    stack = Stack(
        frames=np.zeros((levels, N_FRAME_FIELDS), np.int64),
        features=np.zeros((levels, N_FEATURE_FIELDS, n_features), np.int64),
        keys=np.zeros((levels, packed.n_words), np.int64),
        hull=np.zeros(length, np.int64),
        sums=np.zeros(length, np.int64),
        spare=np.zeros(length, np.int64),
        totals=np.zeros(problem.n_classes, np.int64),
        masks=np.zeros(packed.n_words, np.int64),
    )
    stack.frames[0, FIRST], stack.frames[0, LAST] = 0, problem.rows.shape[1]
    for feature in range(n_features):
        marker = problem.shift[feature] + problem.n_splits[feature]
        stack.keys[0, problem.word[feature]] |= 1 << marker
        stack.features[0, MARKER, feature] = marker
    return stack


def lengthen_stack(stack):
    """The same stack with twice the room for hulls."""
    hull = np.zeros(2 * len(stack.hull), np.int64)
    hull[: len(stack.hull)] = stack.hull
    return stack._replace(hull=hull, sums=np.zeros_like(hull), spare=np.zeros_like(hull))


def first_hulls():
    """`Hulls` that hold number `PURE`: one leaf without errors."""
    hulls = make_hulls()
    hulls.vertices[0] = ONE_LEAF
    hulls.start[1] = 1
    hulls.counts[N_HULLS] = hulls.counts[N_VERTICES] = 1
    fill_hull_slots(hulls)
    return hulls
