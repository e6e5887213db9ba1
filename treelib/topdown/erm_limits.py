"""How an exact loss over several instances shares the time among them, and what it says of a stop."""

from treelib.budget import Budget

STOPPED = "The search stopped before the end of the interval ({}); the loss covers a part of it."


def part_of_time(budget, share):
    """`budget` with a part of the time that is left of it, 0 < share <= 1; the other limits are its own."""
    if budget.time_limit is None or share == 1:
        return budget
    time_limit = max(share * budget.time_left, 1e-9)
    return Budget(time_limit, budget.memory_limit, budget.node_limit, cancel=budget.cancel)
