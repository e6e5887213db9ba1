"""What the cuts that still wait cost at least: the lower bound of a search that is stopped.

The cuts of the root wait in intervals of all features. As long as one of them is as long as its feature,
nothing is known of its cuts. So every other interval that is taken is the one whose bound is least; the ones
between are the last that were made, which find good trees.
"""

from treelib.compiled.jit import kernel


@kernel(inner=True)
def bring_least(stack, first, end):
    """Of the intervals `first` .. `end` - 1 of the stack, swap the one of the least bound with the last.

    Of equal ones the last is taken. There is room for one more interval at `end`.
    """
    at, least = end - 1, bound_of(stack[end - 1])
    for k in range(end - 2, first - 1, -1):
        lower = bound_of(stack[k])
        if lower < least:
            at, least = k, lower
    _swap(stack, at, end)


@kernel(inner=True)
def bring_feature(stack, first, end, feature):
    """Swap an interval of this feature with the last, if there is one."""
    for k in range(end - 1, first - 1, -1):
        if stack[k]["feature"] == feature:
            _swap(stack, k, end)
            return


@kernel(inner=True)
def _swap(stack, at, end):
    stack[end] = stack[at]
    stack[at] = stack[end - 1]
    stack[end - 1] = stack[end]


@kernel(inner=True)
def bound_of(q):
    """What every cut of an interval costs at least."""
    between = q["right_a"] - q["right_b"] + q["left_b"] - q["left_a"] - (q["b"] - q["a"])
    return q["left_a"] + q["right_b"] + max(0.0, between)
