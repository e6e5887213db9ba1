"""Printed digits: whether a number rounds to them, or is cut off to them, decided exactly."""

import re
from decimal import Decimal
from fractions import Fraction
from math import floor

_LONG = re.compile(r"([-<>~]*)(\d{4,})(\.\d+)?")


def exponent(printed):
    """Power of ten of the last printed digit of a Decimal."""
    return printed.as_tuple().exponent


def in_last_digits(number, printed):
    """`number` counted in units of the last digit of `printed` (Decimal), exactly: Fraction."""
    return Fraction(number) / Fraction(10) ** exponent(printed)


def half_unit(printed):
    """Half a unit of the last printed digit, Fraction."""
    return Fraction(10) ** exponent(printed) / 2


def rounds_to(number, printed):
    """Whether `number`, rounded half to even or half up, shows the digits of `printed` (Decimal)."""
    units = in_last_digits(number, printed)
    return in_last_digits(Fraction(printed), printed) in (round(units), floor(units + Fraction(1, 2)))


def is_cut_to(number, printed):
    """Whether `number`, its further digits cut off, shows the digits of `printed` (Decimal)."""
    return in_last_digits(Fraction(printed), printed) == int(in_last_digits(number, printed))


def at_printed_digits(ours, printed):
    """Text of `ours`, rounded to the last digit that `printed` (str) shows and written in the same way."""
    number = Decimal(printed)
    rounded = Decimal(f"{round(in_last_digits(Fraction(ours), number))}e{exponent(number)}")
    return f"{rounded:e}".replace("e+", "e") if "e" in printed.lower() else f"{rounded:f}"


def grouped(text):
    """The text of a number with commas where it has four digits or more before the point; else as it is.

    Examples
    --------
    >>> from treelib.ledger.protocol.digits import grouped
    >>> grouped("2319.5"), grouped("319"), grouped("7.36891e11")
    ('2,319.5', '319', '7.36891e11')
    """
    found = _LONG.fullmatch(text)
    return f"{found[1]}{int(found[2]):,}{found[3] or ''}" if found else text


def significant(number, digits=4):
    """A number in words: so many significant digits, all of its whole part, with commas."""
    number = float(number)
    if 1000 <= abs(number) < 1e15:
        text = f"{number:.{max(0, digits - len(str(int(abs(number)))))}f}"
        return grouped(text.rstrip("0").rstrip(".") if "." in text else text)
    return f"{number:.{digits}g}"
