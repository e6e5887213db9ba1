"""How an exact loss over several instances shares the time among them, and what it says of a stop."""

from copy import copy

# seconds after a limit within which there must be one answer where a search has none
GRACE = 0.3
STOPPED = "The search stopped before the end of the interval ({}); the loss covers a part of it."


def part_of_time(budget, share):
    """`budget` with a part of the time that is left of it, 0 < share <= 1; all else is its own."""
    if budget.time_limit is None or share == 1:
        return budget
    part = copy(budget)
    part.time_limit = budget.seconds + share * budget.time_left
    return part


def part_of_memory(budget, share=1, held=0):
    """`budget` with a part of what its memory limit leaves beside `held` bytes; all else is its own."""
    if budget.memory_limit is None:
        return budget
    part = copy(budget)
    part.memory_limit = max(share * (budget.memory_limit - held), 1.0)
    return part


def with_grace(budget):
    """`budget` with some tenths of a second after its limit, or from now on where it was cancelled: for the
    first of several answers, so that a search that is late by little has something to give."""
    part = copy(budget)
    if part.time_limit is not None:
        part.time_limit += GRACE
    if part.cancel is not None and part.cancel():
        end = part.seconds + GRACE
        part.cancel = lambda: part.seconds > end
    return part
