"""Blocks in which Python looks for no garbage."""

import gc
from contextlib import contextmanager


@contextmanager
def garbage_kept():
    """A block that makes very many objects and hardly a cycle of them: to walk through all of them for
    garbage, again and again, takes a large part of its time."""
    was_looking = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_looking:
            gc.enable()
