"""Weights in `treelib fit`: those of classes as they were asked for, and what each row weighs."""

import numpy as np

from treelib.table.weights import class_weight_factors

BALANCED = "balanced"


def parsed(words):
    """What ``--class-weight`` says: None, "balanced", or dict of class name -> factor.

    Parameters
    ----------
    words : list of str, "balanced" alone, or one ``CLASS=WEIGHT`` for each class that does not weigh 1

    Raises
    ------
    ValueError
        A word is neither, a class stands twice, or a weight is not a finite number above 0.
    """
    if not words:
        return None
    if words == [BALANCED]:
        return BALANCED
    factors = {}
    for word in words:
        name, is_pair, text = word.rpartition("=")
        try:
            factor = float(text)
        except ValueError:
            factor = np.nan
        if not is_pair or not 0 < factor < np.inf:
            raise ValueError(
                f"--class-weight {word} is not understood: give balanced, or CLASS=WEIGHT with a weight "
                "above 0, such as --class-weight ill=5, once for each class."
            )
        if name in factors:
            raise ValueError(f"--class-weight names the class {name!r} twice.")
        factors[name] = factor
    return factors


def of_classes(class_weight, y, rows=None):
    """What an estimator takes as `class_weight`, and the weight of each class: (value, dict) or (None, None).

    Parameters
    ----------
    class_weight : None, "balanced", or dict of class name -> factor; classes that it lacks weigh 1
    y : array (n,), classes
    rows : float (n,), weights of the rows, or None; "balanced" makes classes alike with them

    Raises
    ------
    ValueError
        The table has no such class.
    """
    if class_weight is None:
        return None, None
    classes, codes = np.unique(y, return_inverse=True)
    if class_weight != BALANCED:
        named = {str(one): one for one in classes.tolist()}
        unknown = [name for name in class_weight if name not in named]
        if unknown:
            raise ValueError(
                f"--class-weight names the class {unknown[0]!r}, which is not in the target; its classes "
                f"are {', '.join(list(named)[:10])}."
            )
        class_weight = {one: class_weight.get(name, 1.0) for name, one in named.items()}
    factors = class_weight_factors(class_weight, classes, codes, rows)
    return class_weight, dict(zip(classes.tolist(), factors.tolist(), strict=True))


def of_rows(of_class, y, rows=None):
    """Weight of each row times that of its class, float64 (n,), or None where all are 1.

    of_class : dict of class -> weight, as `of_classes` gives it, or None. rows : float (n,) or None
    """
    if of_class is None:
        return rows
    factors = np.array([of_class[one] for one in y.tolist()])
    return factors if rows is None else rows * factors


def part(weights, rows):
    """Weights of some rows; None for ones."""
    return None if weights is None else weights[rows]
