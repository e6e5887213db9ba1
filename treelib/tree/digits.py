"""How many digits a written threshold needs, so that it parts the same rows as the threshold itself.

Large numbers are written out, since rounded ones name other rows: 150972.5 is no 1.51e+05.
"""

import numpy as np

FEWEST = 4  # significant digits of a threshold that no value lies near
UNKNOWN = 7  # where nobody knows the values: more than float32 holds
YES_NO = 0  # stands for a column that held 0 and 1 alone
_MOST = 17  # float64 has no more
# numbers from the first on are written to their first decimal; from the second on with an exponent
# (thresholds of whole numbers stand half-way between two of them, so these are exact)
_WRITTEN_OUT = 1e3, 1e12


def digits_of(tree, X):
    """Significant digits that the thresholds of each feature need, over the values of `X`.

    Parameters
    ----------
    tree : Tree
    X : (n, n_features), an array, a matrix by columns, or a table on demand; NaN means missing

    Returns
    -------
    tuple of (feature, digits), of the features that the tree tests and that have a value: `YES_NO` where all
    are 0 or 1, else as many, `FEWEST` or more, that every threshold as written parts the values as it does
    """
    found = []
    for feature in np.unique(tree.feature[~tree.is_leaf]).tolist():
        column = X[:, [feature]].toarray()[:, 0] if hasattr(X, "toarray") else X[:, feature]
        column = np.asarray(column, dtype=np.float64)
        values = column[~np.isnan(column)]
        if len(values):
            thresholds = np.unique(tree.threshold[(tree.feature == feature) & np.isfinite(tree.threshold)])
            is_binary = bool(((values == 0) | (values == 1)).all())
            found.append((feature, YES_NO if is_binary else _needed(thresholds, values)))
    return tuple(found)


def _needed(thresholds, values):
    """Digits with which all `thresholds`, ascending, part the `values`."""
    place = np.searchsorted(thresholds, values)  # how many thresholds are below
    below, above = np.full(len(thresholds) + 1, -np.inf), np.full(len(thresholds) + 1, np.inf)
    np.maximum.at(below, place, values)
    np.minimum.at(above, place, values)
    below, above = np.maximum.accumulate(below)[:-1], np.minimum.accumulate(above[::-1])[-2::-1]
    digits = FEWEST
    for threshold, low, high in zip(thresholds.tolist(), below.tolist(), above.tolist(), strict=True):
        while digits < _MOST and not low <= float(written(threshold, digits)) < high:
            digits += 1
    return digits


def written(x, digits):
    """`x` as text with so many significant digits, None for all; large numbers to their first decimal, where
    that is nearer."""
    text = rounded(x, digits)
    least, most = _WRITTEN_OUT
    if digits is None or not least <= abs(x) < most:
        return text
    exact = format(x, f".{len(str(int(abs(x)))) + 1}g")
    return exact if abs(float(exact) - x) <= abs(float(text) - x) else text


def rounded(x, digits):
    """`x` as text with so many significant digits, None for all."""
    return repr(float(x)) if digits is None else format(float(x), f".{digits}g")
