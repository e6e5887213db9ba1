"""How an exact loss over several instances shares the time among them, and what it says of a stop."""

from copy import copy

from treelib.search.budget import MEMORY_LIMIT, Budget, Stopped

_LATE = 0.05  # seconds that the first answer may take after a limit
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


def time_for_one(share, budget):
    """Seconds for the one tree that stands for an answer where a search has none: what is left of its `share`
    of a budget, and some hundredths after that, but not after the whole was over for as long. None: no limit
    of time."""
    if budget.time_limit is None:
        return None
    return max(share.time_left, min(_LATE, budget.time_left + _LATE), 1e-9)


def patient(budget):
    """`budget.check` for the first of several answers: it raises only so long after the limit was met, so
    that a search that is late by little has something to give; for bytes beyond the limit at once."""
    late = []

    def check(n_bytes=0):
        if n_bytes > budget.most_bytes:
            raise Stopped(MEMORY_LIMIT)
        status = budget.due()
        if status is not None:
            if not late:
                late.append(Budget(_LATE))
            if late[0].due() is not None:
                raise Stopped(status)

    return check
