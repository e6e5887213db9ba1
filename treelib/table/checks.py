"""Numbers that a caller gives, checked in one place for all methods: each refusal names the argument.

The searches behind believe what they are given: a price below 0 would lead to a wrong tree, or to no end at
all. True and False are no numbers here; numpy's numbers and fractions are. Every ``check_`` returns the value
as it was given, so that a fraction stays exact, or raises ValueError ``name=value must be ...``.
"""

import math
import numbers
from fractions import Fraction

import numpy as np

# numbers that stay near the processor between two looks at them
CELLS_AT_ONCE = 2**16
# share of a limit by which rounding may miss it: 0.07 * 100 is above 7, and ten weights of 0.1 are below 1
ROUNDING = 1e-12


def is_whole(value):
    """Whether `value` is an integer, of Python or numpy, and no truth value."""
    return type(value) is int or (isinstance(value, numbers.Integral) and not isinstance(value, bool))


def is_real(value):
    """Whether `value` is a real number, of Python or numpy, NaN and infinity included, and no truth value."""
    return type(value) in (float, int) or (isinstance(value, numbers.Real) and not isinstance(value, bool))


def exact(number):
    """Value of a finite real number as a Fraction; of a float of any width, that of its bits."""
    if isinstance(number, numbers.Rational):  # numpy's integers, left as they are, would overflow later
        return Fraction(int(number.numerator), int(number.denominator))
    return Fraction(*number.as_integer_ratio())


def as_printed(number):
    """Exact value of a Fraction or an integer; of a float, the decimal it is printed as. Infinity stays."""
    if isinstance(number, Fraction) or number == np.inf:
        return number
    return Fraction(int(number) if isinstance(number, numbers.Integral) else str(float(number)))


def rows_of_fraction(fraction, n):
    """The least whole number that is `fraction` of `n` at least, but for rounding: 0.07 of 100 is 7."""
    return math.ceil(fraction * n * (1 - ROUNDING))


def check_count(name, value, what="a positive integer", least=1):
    """`value` if it is an integer, `least` or more; `what` says so in the message."""
    if not is_whole(value) or value < least:
        raise ValueError(f"{name}={value!r} must be {what}.")
    return value


def check_number(name, value, what="a finite number, 0 or more"):
    """`value` if it is a finite real number, 0 or more; `what` says so in the message."""
    if not is_real(value) or not 0 <= value < np.inf:
        raise ValueError(f"{name}={value!r} must be {what}.")
    return value


def check_positive(name, value, what="a positive number", finite=True):
    """`value` if it is a real number above 0, and not infinity if `finite`; `what` says so in the message."""
    if not is_real(value) or not value > 0 or (finite and value == np.inf):
        raise ValueError(f"{name}={value!r} must be {what}.")
    return value


def check_price(name, value):
    """`value` if it is a leaf penalty: a finite real number, 0 or more."""
    return check_number(
        name,
        value,
        "a finite number, 0 or more, in units of the objective: 0.01 is one training row in a hundred",
    )


def check_price_of_path(name, value):
    """`value` if it is a leaf penalty, or infinity, which the first tree of a path serves."""
    return value if is_real(value) and value == np.inf else check_price(name, value)


def check_limits(**limits):
    """ValueError for a limit of the size of trees that is neither None nor an integer, 1 or more."""
    for name, limit in limits.items():
        if limit is not None:
            check_count(name, limit, "a positive integer, or None for no limit")


def check_choice(name, value, choices):
    """`value` if it is one of the texts `choices`, or None where that is one of them."""
    if not (value is None or isinstance(value, str)) or value not in choices:
        raise ValueError(f"{name}={value!r} must be one of {', '.join(map(repr, choices))}.")
    return value


def check_flag(name, value):
    """`value` as a bool; integers such as a level of verbosity, 0 or more, count as truth values."""
    if type(value) is int and value >= 0:
        return value > 0
    if not (isinstance(value, np.bool_) or (isinstance(value, numbers.Integral) and value >= 0)):
        levels = ", or a whole number, 0 or more" if name == "verbose" else ""
        raise ValueError(f"{name}={value!r} must be True or False{levels}.")
    return bool(value)


def check_n_jobs(n_jobs):
    """ValueError for an ``n_jobs`` that joblib would not take: 0, or neither None nor an integer."""
    if n_jobs is not None and (not is_whole(n_jobs) or n_jobs == 0):
        raise ValueError(
            f"n_jobs={n_jobs!r} must be a positive integer, -1 for all processors, or None for 1."
        )


def writeable(array):
    """`array`, or a copy of a read-only one: kernels are compiled for writeable arrays."""
    return array if array.flags.writeable and array.flags.c_contiguous else array.copy()


def holds_bits(values):
    """Whether an array holds 0 and 1 only. One of bytes is not copied, as it may be large."""
    if values.dtype in (bool, np.uint8):
        return values.max(initial=0) <= 1
    return np.asarray((values == 0) | (values == 1)).all()


def odd_numbers(X):
    """What an array of numbers holds besides finite ones: "infinity", "NaN" (and no infinity), or "".

    Memory is read once, part by part.
    """
    if X.flags.f_contiguous:
        X = X.T
    found, step = "", max(1, CELLS_AT_ONCE * len(X) // max(X.size, 1))
    with np.errstate(over="ignore", invalid="ignore"):
        for start in range(0, len(X), step):
            part = X[start : start + step]
            if np.isfinite(part.sum(dtype=np.float64)):  # then so are they all; others may be nevertheless
                continue
            if np.isinf(part).any():
                return "infinity"
            if not found and np.isnan(part).any():
                found = "NaN"
    return found


def go_on(n_bytes=0):
    """Stands for `treelib.search.budget.Budget.check` where there is no limit."""
