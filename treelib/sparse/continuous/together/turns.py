"""A search that takes long, in turns with what makes its trees and its bound better.

Where leaves have a price and depth has no narrow limit, the turns are those of `bounds.stages`. Elsewhere the
sides of a first good tree are searched (`sides`), and then parts of the rows give a bound (`bounds.parts`).
"""

import numpy as np

from treelib.search.budget import Stopped, status_of
from treelib.sparse.continuous.arrays import UNLIMITED
from treelib.sparse.continuous.bounds.parts import Parts
from treelib.sparse.continuous.bounds.stages import run_in_stages
from treelib.sparse.continuous.early.sides import improve_sides

# steps of a turn; those that a search goes without parts (about a second), or this part of its limit
TURN, ALONE, ALONE_OF_LIMIT = 16, 320, 0.25
# of the time of a turn the parts take this much as well
SHARE = 0.5
# widths of the narrow passes that come before the sides of their best tree are searched
FIRST_WIDTHS = (1, 2, 4, 8, 16)


def run_in_turns(search, budget, make):
    """Run `search` to its end or to a limit; returns the status. It has the tree and the bound of all.

    make : callable of the arguments of `Search` that makes one beside it
    """
    if search.depth > 3 and search.numbers.price > 0:
        return run_in_stages(search, budget, make)
    if search.is_leaf or search.depth <= 2 or search.depth == UNLIMITED:
        return search.run(budget)
    parts, has_improved = None, search.depth == 3
    while True:
        began = budget.seconds
        status = search.run(budget, search.steps + TURN)
        if status is not None:
            return status
        spent = budget.seconds - began
        is_long = search.steps >= ALONE or began >= ALONE_OF_LIMIT * (budget.time_limit or np.inf)
        try:
            if not has_improved and search.deep.now["width"][0] not in FIRST_WIDTHS:
                has_improved = True
                improve_sides(search, budget)
            elif is_long:
                parts = Parts(search) if parts is None else parts
                if parts.promise >= search._lower_of_root():
                    parts.run(budget, budget.seconds + SHARE * spent)
        except (Stopped, KeyboardInterrupt) as stop:
            return status_of(stop)
