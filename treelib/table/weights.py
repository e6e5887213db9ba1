"""Weights of rows: as given, and times those of their classes."""

import numbers

import numpy as np

from treelib.table.frames import refuse_masked

LEAST_WEIGHT = 1e-300  # of a positive weight: below about 1e-308 float64 has fewer and fewer digits


def class_weight_factors(class_weight, classes, y_codes, weights=None):
    """Factor of each class, float64 (n_classes,).

    Parameters
    ----------
    class_weight : None, dict of class -> factor (1 for the classes it lacks), or "balanced": total weight
        over (number of classes that occur x weight of the class), so that all classes weigh the same
    classes : (n_classes,) the classes as the user names them
    y_codes : (n,) intp
    weights : (n,) float64 or None
    """
    factors = np.ones(len(classes))
    if class_weight is None:
        return factors
    if isinstance(class_weight, str) and class_weight == "balanced":
        class_totals = np.bincount(y_codes, weights=weights, minlength=len(classes)).astype(float)
        occurs = class_totals > 0
        factors[occurs] = class_totals.sum() / (np.count_nonzero(occurs) * class_totals[occurs])
        return factors
    if not isinstance(class_weight, dict):
        raise ValueError(
            f"class_weight={class_weight!r} is not understood; give None, 'balanced', "
            "or a dict of class -> weight."
        )
    code_of = {label: code for code, label in enumerate(classes.tolist())}
    unknown = [label for label in class_weight if label not in code_of]
    # a fold of a cross-validation may lack a class, but names that miss the classes present are a mistake
    if unknown and any(label not in class_weight for label in code_of):
        raise ValueError(
            f"class_weight names the class(es) {unknown}, which y does not hold; "
            f"the classes are {list(code_of)[:10]}."
        )
    for label, factor in class_weight.items():
        if not isinstance(factor, numbers.Real) or not (factor == 0 or LEAST_WEIGHT <= factor < np.inf):
            raise ValueError(
                f"class_weight gives class {label!r} the weight {factor!r}; give 0, or a finite number from "
                f"{LEAST_WEIGHT:g}."
            )
        if label in code_of:
            factors[code_of[label]] = factor
    return factors


def weigh_classes(class_weight, classes, y_codes, weights=None):
    """Weights of rows times the factors of their classes, float64 (n,); None where all are 1. Arguments as of
    `class_weight_factors`."""
    if class_weight is None:
        return weights
    factors = class_weight_factors(class_weight, classes, y_codes, weights)[y_codes]
    return factors if weights is None else weights * factors


def weigh_rows(X, y_codes, sample_weight, class_weight, classes):
    """Drop the rows without weight.

    Returns X and y_codes of the others, their sample weights (which place the thresholds) and their
    sample weights times class weights (which count errors); None where all are 1.
    """
    weights = weigh_classes(class_weight, classes, y_codes, sample_weight)
    if weights is None:
        return X, y_codes, None, None
    keep = weights > 0
    if not keep.any():
        raise ValueError("class_weight and sample_weight leave no row with a positive weight.")
    if not np.isfinite(weights.sum()):
        raise ValueError("class_weight and sample_weight are too large: they overflow; give smaller ones.")
    if keep.all():
        return X, y_codes, sample_weight, weights
    sample_weight = None if sample_weight is None else sample_weight[keep]
    return X[keep], y_codes[keep], sample_weight, weights[keep]


def check_weights(sample_weight, n_rows):
    """`sample_weight` as float64 (n_rows,), or None; finite, not negative, and not all zero."""
    if sample_weight is None:
        return None
    refuse_masked("sample_weight", sample_weight, "give these rows 0, or a weight")
    if isinstance(sample_weight, numbers.Real):
        sample_weight = np.full(n_rows, sample_weight)
    try:
        weights = np.asarray(sample_weight)
        if weights.dtype.kind in "mMc":  # numpy would turn these into numbers
            raise TypeError(f"its dtype is {weights.dtype}")
        weights = weights.astype(np.float64, copy=False)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"sample_weight must hold one number a row: {str(error).rstrip('.')}.") from None
    if weights.ndim != 1:
        raise ValueError(
            f"Sample weights must be 1D array or scalar: sample_weight has shape {weights.shape}; "
            "give one weight a row."
        )
    if len(weights) != n_rows:
        raise ValueError(
            f"sample_weight has {len(weights)} entries for {n_rows} rows; give one weight a row."
        )
    least, largest = weights.min(initial=np.inf), weights.max(initial=-np.inf)
    if not (np.isfinite(least) and np.isfinite(largest)):
        raise ValueError("sample_weight holds NaN or infinity; give a finite number for each row.")
    if least < 0:
        raise ValueError("Negative values in sample_weight; give each row 0 or more.")
    if largest == 0:
        raise ValueError("sample_weight is zero for every row; give at least one row a positive weight.")
    if least == 0:
        least = weights.min(where=weights > 0, initial=np.inf)
    if least < LEAST_WEIGHT:
        raise ValueError(
            f"sample_weight holds numbers between 0 and {LEAST_WEIGHT:g}, whose products lose their digits; "
            "give 0, or multiply all weights by one number."
        )
    if not np.isfinite(weights.sum()):
        raise ValueError("sample_weight is too large: its sum overflows; divide all weights by one number.")
    return weights
