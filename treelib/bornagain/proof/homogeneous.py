"""Proof that all cells of a region have one class: by branch and bound on boxes, by HiGHS, or both."""

import numpy as np

from treelib.bornagain.ensemble.cells import thresholds
from treelib.bornagain.proof.program import NEEDS, RegionProgram
from treelib.bornagain.regions.levels import (
    HOMOGENEOUS,
    UNDECIDED,
    VIOLATED,
    box_search,
    level_forest,
    search_boxes,
    start_boxes,
)
from treelib.search.highs import import_highspy
from treelib.table.checks import check_choice

AUTO, BOXES, MILP = PROOFS = ("auto", "boxes", "milp")

__all__ = ["HOMOGENEOUS", "PROOFS", "UNDECIDED", "VIOLATED", "RegionProver"]

_STEP_NODES = 3_000_000  # of the forest, looked at between two looks at the clock: some 50 ms
_BOXES_BEFORE_MILP = 200_000


class RegionProver:
    """Decides whether regions of the feature space of one ensemble are homogeneous.

    Parameters
    ----------
    ensemble : Ensemble
    proof : {"auto", "boxes", "milp"}
        "boxes": branch and bound on boxes of cells (`treelib.bornagain.regions.levels.search_boxes`).
        "milp": the integer program on HiGHS (`treelib.bornagain.proof.program`), as in Section 4.5 of the
        paper; where floating point cannot tell two sums of votes apart, boxes decide.
        "auto": boxes, and HiGHS for a region that is not decided soon, if it is installed.
    levels : sequence of float64 arrays or None, thresholds that cut the cells; default those of the ensemble

    Attributes
    ----------
    forest : LevelForest
    levels : tuple of float64 arrays
    boxes : BoxSearch, scratch space. tolerance : as in `search_boxes`
    first_boxes : int, boxes to look at before `go_on` is called
    n_proofs, n_boxes, n_programs : int, regions asked about, boxes looked at, integer programs solved
    """

    def __init__(self, ensemble, proof=AUTO, levels=None):
        self.proof = check_choice("proof", proof, PROOFS)
        if proof == MILP:
            import_highspy(NEEDS)  # its absence is known before the search, not after
        self.levels = tuple(thresholds(ensemble) if levels is None else levels)
        self.n_levels = np.array([len(cuts) for cuts in self.levels])
        self.forest = level_forest(ensemble, self.levels)
        self.n_proofs = self.n_boxes = self.n_programs = 0
        self.boxes = box_search(self.forest, self.n_levels)
        votes = self.forest.votes
        self.tolerance = votes.dtype.type(ensemble.tolerance)
        self._program = None
        self._step = max(20, _STEP_NODES // len(self.forest.feature))
        self.first_boxes = 0 if proof == MILP else self._step

    @property
    def highest(self):
        """Highest cell, int64 (p,); the lowest is 0."""
        return self.n_levels.astype(np.int64)

    def prove(self, low, high, label, budget=None):
        """Whether every cell of the region from `low` to `high` (int64 (p,)) has class `label`.

        Returns
        -------
        outcome : HOMOGENEOUS, VIOLATED, or UNDECIDED where a limit of `budget` came first
        cell : int64 (p,), a cell of another class, or None
        """
        self.n_proofs += 1
        start_boxes(self.boxes, low, high, label)
        return self.go_on(low, high, label, budget)

    def go_on(self, low, high, label, budget=None):
        """As `prove`, where the proof has begun in `boxes`."""
        may_program = self.proof != BOXES
        if self.proof == MILP:
            may_program = False
            outcome, cell = self._by_program(low, high, label, budget)
            if outcome != UNDECIDED:
                return outcome, self._keep(cell)
        n_boxes = 0
        while budget is None or not budget.exceeded():
            outcome, n_new = search_boxes(self.forest, self.boxes, self._step, self.tolerance)
            n_boxes += n_new
            self.n_boxes += n_new
            if outcome != UNDECIDED:
                return outcome, self.boxes.cell[0].copy() if outcome == VIOLATED else None
            if may_program and n_boxes >= _BOXES_BEFORE_MILP:
                may_program = False
                outcome, cell = self._by_program(low, high, label, budget)
                if outcome != UNDECIDED:
                    return outcome, self._keep(cell)
        return UNDECIDED, None

    def _keep(self, cell):
        """`cell`, which is now in `boxes` as well."""
        if cell is not None:
            self.boxes.cell[0] = cell
        return cell

    def _by_program(self, low, high, label, budget):
        if self._program is None:
            try:
                self._program = RegionProgram(self.forest, self.n_levels)
            except ImportError:
                if self.proof == MILP:
                    raise
                return UNDECIDED, None
        before = self._program.n_runs
        outcome = self._program.search(low, high, label, budget)
        self.n_programs += self._program.n_runs - before
        return outcome
