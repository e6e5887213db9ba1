"""Words and numbers of a saved model, checked as they are taken out: a damaged file is refused with its
place."""

import math

import numpy as np

MAX_FEATURES = 1_000_000
MAX_TREES = 100_000


def take(holder, key, kind, where):
    """``holder[key]``, which must be a `kind` (type or tuple of types); `where` names the holder in
    messages."""
    if not isinstance(holder, dict) or key not in holder:
        raise ValueError(f"{where} has no {key!r}; this is no saved model, or it is damaged.")
    value = holder[key]
    if not isinstance(value, kind) or isinstance(value, bool):
        raise ValueError(f"{key!r} of {where} is {_short(value)}, of type {type(value).__name__}.")
    return value


def whole(value, low, high, what):
    """`value`, an int or the text of one, as an int from `low` to `high`."""
    number = value
    if isinstance(value, str):
        number = digits_of(value.strip())
    elif isinstance(value, float):
        number = int(value) if value.is_integer() and abs(value) < 2**53 else None
    if not isinstance(number, int) or isinstance(number, bool) or not low <= number <= high:
        raise ValueError(f"{what} is {_short(value)}; a whole number from {low} to {high} is needed.")
    return number


def digits_of(text):
    """Whole number written as `text`, or None."""
    digits = text[1:] if text[:1] == "-" else text
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) <= 15 else None


def wholes(values, n, low, high, what):
    """List of `n` ints from `low` to `high`."""
    _check_list(values, n, what)
    return [whole(value, low, high, f"{what}[{i}]") for i, value in enumerate(values)]


def real(value, what):
    """`value`, a number or the text of one, as a finite float."""
    number = None
    if isinstance(value, (int, float, str)) and not isinstance(value, bool) and len(str(value)) < 100:
        try:
            number = float(value)
        except (ValueError, OverflowError):
            pass
    if number is None or not math.isfinite(number):
        raise ValueError(f"{what} is {_short(value)}; a finite number is needed.")
    return number


def reals(values, n, what):
    """List of `n` finite floats."""
    _check_list(values, n, what)
    return [real(value, f"{what}[{i}]") for i, value in enumerate(values)]


def _check_list(values, n, what):
    if not isinstance(values, list) or len(values) != n:
        raise ValueError(f"{what} must be a list of {n} numbers.")


def float32(value, what):
    """A finite float as a finite float32."""
    if abs(value) > float(np.finfo(np.float32).max):
        raise ValueError(f"{what} is {value!r}, which float32 cannot hold.")
    return np.float32(value)


def _short(value):
    text = repr(value) if not isinstance(value, (list, dict)) else f"a {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."
