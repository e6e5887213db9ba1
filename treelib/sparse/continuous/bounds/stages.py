"""The lower bound of a search that takes long: stage by stage, one more leaf each.

A search that goes through the cuts of the root one by one knows little of all trees before it ends. Each
stage asks less: is there a tree that costs less than so many leaves without an error? The work grows about
tenfold with each leaf, so the stages before the last cost little, and each that finds nothing is a bound.
Stages and search take turns: the search finds better trees, the stages bound them.
"""

from treelib.search.budget import OPTIMAL, status_of
from treelib.sparse.continuous.deep import CUT
from treelib.sparse.continuous.early.less_depth import improve_deep, run_alone, seconds_alone
from treelib.sparse.continuous.prepare import seconds_to_start

# steps that a search goes alone (about a second), and those of a turn: what a search may be late
ALONE, TURN = 200, 4


def run_in_stages(search, budget, make):
    """Run `search` to its end or to a limit, with stages beside it from the time on when it takes long.

    search : Search with a price, of trees deeper than three. make : see `improve_deep`

    Returns the status. The search has the tree and the bound of both. A limit of nodes counts its own.
    """
    status, has_improved = run_alone(search, budget, ALONE), False
    if status is None and budget.time_left < seconds_to_start(search.rows):
        return search.run(budget)  # it would be over when the arrays of the stages are there
    stages = Stages(search) if status is None else None
    while status is None:
        try:
            if not has_improved and seconds_alone(budget) <= 0:
                has_improved = True
                improve_deep(make, search, budget)
            if stages.run(budget):
                return OPTIMAL
            if not search.has_room_beside(stages, budget):
                return search.run(budget)
        except KeyboardInterrupt as stop:
            return status_of(stop)
        status = search.run(budget, search.steps + TURN)
    return status


class Stages:
    """The stages beside a search; they raise its `floor`.

    Parameters
    ----------
    search : Search with a price, of trees deeper than three. What it knows of sets is known to the stages,
        and the other way; what else they keep counts among its bytes.
    """

    def __init__(self, search):
        self.search, self.own = search, search.anew()
        self.own.deep.frames["ruled"][0] = search.deep.frames["ruled"][0]
        self._begin(max(search.floor, 4 * search.numbers.price))

    def _begin(self, floor):
        """Begin the stage after the one that found no tree below `floor`."""
        now, root = self.own.deep.now[0], self.own.deep.frames[0]
        target = min(floor + self.search.numbers.price, self.search.best)
        now["level"], now["stack"] = 0, 0
        root["state"], root["size"], root["target"], root["best"] = CUT, 0, target, target

    def run(self, budget):
        """One turn, or as much of it as there is time for; True where the search is proved to have the best
        tree."""
        own, search = self.own, self.search
        tolerance = search.numbers.tolerance
        _tell(search, own)
        is_proved, n_steps = False, 0
        while n_steps < TURN and not is_proved and own.due(budget) is None:
            n_steps += 1
            if not own.step():
                continue
            root = own.deep.frames[0]
            if root["best"] < root["target"] - tolerance:
                search._start_from(own.tree())
                is_proved = True
            else:
                search.floor = max(search.floor, float(root["target"]))
                is_proved = search.floor >= search.best - tolerance
                self._begin(search.floor)
        _tell(own, search)
        return is_proved

    @property
    def n_bytes(self):
        """Of what the stages keep for themselves."""
        return self.own.n_bytes - self.own.deep.known.nbytes - self.own.deep.bounds.nbytes


def _tell(one, other):
    """What `one` knows of sets, to `other`."""
    other.deep = other.deep._replace(known=one.deep.known, bounds=one.deep.bounds)
    other.deep.now["n_known"] = one.deep.now["n_known"]
