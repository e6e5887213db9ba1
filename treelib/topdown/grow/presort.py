"""Rows sorted once by every feature, in the form that the learner scans and divides.

Each feature has the rows in ascending order of its values, missing ones last, as one whole number a row,
its `code`::

    row number | class | missing | first of its value

The lowest bit says that the value differs from that of the code before, so that candidate splits are found
without the values; `divide` keeps it right in every part. A scan reads 4 bytes a row, in order.
"""

import numpy as np

from treelib.compiled.jit import kernel

FIRST, MISSING, CLASS_SHIFT = 1, 2, 2
_AT_ONCE = 4  # copies of a row


@kernel(allocates=False)
def encode_features(columns, rankings, rows, classes, shift, codes):
    """Codes of some features.

    Parameters
    ----------
    columns : float64 (k, n), values of the features, NaN where missing
    rankings : intp (k, n), places in `columns` in ascending order of the values, NaN last
    rows : intp (n,), row number of each place; empty where they are the same
    classes : intp (n_all,), by row number; empty for regression
    shift : int, lowest bit of the row number
    codes : uint32 or uint64 (k, n), written
    """
    for k in range(len(columns)):
        values, ranking, out = columns[k], rankings[k], codes[k]
        before, was_missing = 0.0, False
        for i in range(len(ranking)):
            place = ranking[i]
            x = values[place]
            row = rows[place] if len(rows) > 0 else place
            code = row << shift
            if len(classes) > 0:
                code |= classes[row] << CLASS_SHIFT
            is_missing = np.isnan(x)
            if is_missing:
                code |= MISSING
            if i == 0 or (x != before and not (is_missing and was_missing)):
                code |= FIRST
            before, was_missing = x, is_missing
            out[i] = code


@kernel(allocates=False)
def repeat_rows(codes, shift, times, out):
    """Codes in which each row stands as often as `times` says, in sorted order.

    Parameters
    ----------
    codes : uint (n_features, n). shift : int, lowest bit of the row number
    times : intp (n_all,), by row number
    out : uint (n_features, sum of `times` over the rows), written
    """
    room = out.shape[1]
    for feature in range(len(codes)):
        lines, written = codes[feature], out[feature]
        k, first = 0, 0
        for i in range(len(lines)):
            code = np.int64(lines[i])
            rest, count = code & ~FIRST, times[code >> shift]
            first |= code & FIRST
            if k + _AT_ONCE <= room and count <= _AT_ONCE:  # what is too much is written over: no branch
                written[k] = rest | first
                for j in range(1, _AT_ONCE):
                    written[k + j] = rest
            else:
                for j in range(count):
                    written[k + j] = rest | first if j == 0 else rest
            k += count
            first = first if count == 0 else 0


@kernel(inner=True)
def divide(codes, begin, end, shift, goes_left, buffer):
    """Stable partition of ``codes[begin:end]``, rows with `goes_left` 1 first; returns where the rest begins.

    Without branches: each code is written to both sides, and the position of one side moves on. A first
    code of a value that goes to the other side hands its lowest bit to the next of this side.

    Parameters
    ----------
    codes : uint (n,). begin, end, shift : int
    goes_left : uint8 (n_all,), by row number
    buffer : uint (n,), scratch
    """
    left, right = begin, 0
    first_left, first_right = 0, 0
    for i in range(begin, end):
        code = np.int64(codes[i])
        side = np.int64(goes_left[code >> shift])
        first_left |= code & FIRST
        first_right |= code & FIRST
        rest = code & ~FIRST
        codes[left] = rest | first_left
        buffer[right] = rest | first_right
        first_left &= side - 1
        first_right &= -side
        left += side
        right += 1 - side
    for i in range(right):
        codes[left + i] = buffer[i]
    return left


@kernel(inner=True)
def count_missing(codes, begin, end):
    """Number of missing values at the end of ``codes[begin:end]``."""
    i = end
    while i > begin and codes[i - 1] & np.uint32(MISSING):
        i -= 1
    return end - i
