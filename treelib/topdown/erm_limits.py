"""Limits of an exact loss over several instances: how they share the time, and what a stop is called."""

import warnings

from sklearn.exceptions import ConvergenceWarning

from treelib.budget import Budget


def part_of_time(budget, share):
    """`budget` with a part of the time that is left of it, 0 < share <= 1; the other limits are its own."""
    if budget.time_limit is None or share == 1:
        return budget
    time_limit = max(share * budget.time_left, 1e-9)
    return Budget(time_limit, budget.memory_limit, budget.node_limit, cancel=budget.cancel)


def warn_stopped(status):
    """ConvergenceWarning at the line that asked for the loss: two calls up."""
    warnings.warn(
        f"The search stopped before the end of the interval ({status}); the loss covers a part of it.",
        ConvergenceWarning,
        stacklevel=3,
    )
