"""Warnings that point at the line of the user's program, however deep in the package they come from."""

import sys
import warnings

PACKAGE = __name__.partition(".")[0]


def warn(message, category=UserWarning):
    """Warn, at the line that called the package."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == PACKAGE:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
