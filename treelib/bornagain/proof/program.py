"""The integer program that proves a region homogeneous, on HiGHS.

For one class and one rival, the program looks for the cell of a region where the rival's votes exceed those
of the class most. Vidal, Pacheco and Schiffer 2020, Section 4.5, ask an integer programming solver for this
and leave the program open; here it is that of Misic 2020, "Optimization of tree ensembles"::

    minimise   sum over trees t and leaves i of  (votes[t, i, class] - votes[t, i, rival]) y[t, i]
    subject to sum_i y[t, i] = 1                                        every tree t
               sum of y[t, i], i left of s    <= u[j, l]                every split s, at l of feature j
               sum of y[t, i], i right of s   <= 1 - u[j, l]            every split s
               u[j, l] <= u[j, l + 1]                                   every feature j
               u binary, y >= 0

`u[j, l]` says that the cell lies below threshold l of feature j. Cells of a region are those with some `u`
fixed, so the program is built once for an ensemble, and only bounds and costs change from region to region.
HiGHS is optional: ``pip install treelib-companion[milp]``.
"""

import numpy as np

from treelib.bornagain.regions.levels import HOMOGENEOUS, UNDECIDED, VIOLATED, classes_at
from treelib.search.highs import import_highspy, silent_solver

NEEDS = "Proofs by integer programming use"

# votes that are whole numbers up to this are handed over as they are, others with the largest scaled to 1
_LARGEST_WHOLE = 2**10
_TOLERANCE = 1e-4  # far above HiGHS's own of 1e-6


class RegionProgram:
    """The program of one ensemble, for any of its regions.

    Parameters
    ----------
    forest : LevelForest
    n_levels : int (p,), number of thresholds of each feature

    Raises
    ------
    ImportError
        Without `highspy`.
    """

    def __init__(self, forest, n_levels):
        self.highspy = import_highspy(NEEDS)
        self.forest = forest
        self.n_levels = np.asarray(n_levels)
        # columns: u of feature 0, u of feature 1, ..., then the leaves of all trees
        self.start = np.concatenate([[0], np.cumsum(self.n_levels)])
        self.leaves = np.flatnonzero(forest.feature < 0)
        votes = forest.votes[self.leaves]
        largest = float(np.abs(votes).max())
        self.is_whole = votes.dtype.kind == "i" and largest <= _LARGEST_WHOLE
        self.votes = votes.astype(float) if self.is_whole else votes / largest
        self.n_runs = 0
        self.highs = silent_solver(self.highspy, threads=1, seed=0)
        self.highs.passModel(self._model())

    def search(self, low, high, label, budget=None):
        """Prove that all cells of a region have class `label`, or find one that has not.

        Parameters
        ----------
        low, high : int64 (p,), lowest and highest cell
        label : int
        budget : Budget or None; HiGHS stops when its time is over

        Returns
        -------
        outcome : HOMOGENEOUS, VIOLATED, or UNDECIDED (no time, or votes too close to tell by floating point)
        cell : int64 (p,), the violating cell, or None
        """
        self._restrict(low, high)
        outcome = HOMOGENEOUS
        for rival in range(self.forest.votes.shape[1]):
            if rival == label:
                continue
            found, cell = self._beat(label, rival, low, high, budget)
            if found == VIOLATED:
                return VIOLATED, cell
            if found == UNDECIDED:
                outcome = UNDECIDED
        return outcome, None

    def _beat(self, label, rival, low, high, budget):
        """As `search`, against one rival: is there a cell with ``lead <= most``?"""
        lead = self.votes[:, label] - self.votes[:, rival]
        # whole votes: the rival wins with a lead of 0 if it is the smaller class, else with one of -1
        most = (0.5 if rival < label else -0.5) if self.is_whole else _TOLERANCE
        first = int(self.start[-1])
        self.highs.changeColsCost(len(lead), np.arange(first, first + len(lead), dtype=np.int32), lead)
        self.highs.setOptionValue("objective_bound", most)  # cells with more do not count ...
        self.highs.setOptionValue("objective_target", most)  # ... and the first with less will do
        if budget is not None and budget.time_limit is not None:
            self.highs.setOptionValue("time_limit", self.highs.getRunTime() + max(budget.time_left, 0.0))
        self.highs.run()
        self.n_runs += 1
        solution = self.highs.getSolution()
        if solution.value_valid:
            cell = self._cell(np.array(solution.col_value[:first]), low, high)
            if classes_at(self.forest, cell[None, :])[0] != label:
                return VIOLATED, cell
        codes = self.highspy.HighsModelStatus
        status, bound = self.highs.getModelStatus(), self.highs.getInfo().mip_dual_bound
        nothing = status in (codes.kInfeasible, codes.kObjectiveBound)
        if nothing or (status == codes.kOptimal and bound > most):
            return HOMOGENEOUS, None
        return UNDECIDED, None

    def _cell(self, u, low, high):
        below = u > 0.5
        return np.array(
            [
                min(max(self.n_levels[j] - below[self.start[j] : self.start[j + 1]].sum(), low[j]), high[j])
                for j in range(len(low))
            ],
            dtype=np.int64,
        )

    def _restrict(self, low, high):
        """Fix `u` outside the region: thresholds at or above the highest level are above every cell."""
        n = int(self.start[-1])
        lower, upper = np.zeros(n), np.ones(n)
        for j in np.flatnonzero(self.n_levels):
            u = slice(self.start[j], self.start[j + 1])
            level = np.arange(self.n_levels[j])
            lower[u] = level >= high[j]
            upper[u] = level >= low[j]
        self.highs.changeColsBounds(n, np.arange(n, dtype=np.int32), lower, upper)

    def _model(self):
        """The program without costs, in HiGHS's form."""
        from scipy.sparse import csr_array

        forest, highspy = self.forest, self.highspy
        n_u, n_columns = int(self.start[-1]), int(self.start[-1]) + len(self.leaves)
        rows, lower, upper = [], [], []
        for tree in range(len(forest.first) - 1):
            self._tree_rows(forest.first[tree], forest.first[tree + 1], rows, lower, upper)
        for j, n in enumerate(self.n_levels):
            for level in range(int(n) - 1):
                u = int(self.start[j]) + level
                rows.append(([u, u + 1], [1.0, -1.0]))
                lower.append(-np.inf)
                upper.append(0.0)
        indptr = np.cumsum([0, *(len(columns) for columns, _ in rows)])
        indices = np.concatenate([columns for columns, _ in rows])
        values = np.concatenate([value for _, value in rows])
        matrix = csr_array((values, indices, indptr), shape=(len(rows), n_columns))
        model = highspy.HighsLp()
        model.num_row_, model.num_col_ = matrix.shape
        model.col_cost_ = np.zeros(n_columns)
        model.col_lower_, model.col_upper_ = np.zeros(n_columns), np.ones(n_columns)
        model.row_lower_, model.row_upper_ = np.array(lower), np.array(upper)
        model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        model.a_matrix_.start_ = matrix.indptr
        model.a_matrix_.index_ = matrix.indices
        model.a_matrix_.value_ = matrix.data
        kinds = [highspy.HighsVarType.kInteger] * n_u
        model.integrality_ = kinds + [highspy.HighsVarType.kContinuous] * len(self.leaves)
        return model

    def _tree_rows(self, first, end, rows, lower, upper):
        """Rows of one tree: one leaf is chosen, and it lies on the right side of every split."""
        forest = self.forest
        column = {int(leaf): int(self.start[-1]) + i for i, leaf in enumerate(self.leaves)}
        own = [column[node] for node in range(first, end) if forest.feature[node] < 0]
        rows.append((own, [1.0] * len(own)))
        lower.append(1.0)
        upper.append(1.0)
        last = subtree_ends(forest, first, end)
        for node in range(first, end):
            j = forest.feature[node]
            if j < 0 or forest.level[node] >= self.n_levels[j]:
                continue
            u = int(self.start[j]) + int(forest.level[node])
            right = int(forest.right[node])
            for begin, stop, sign, bound in (
                (node + 1, right, -1.0, 0.0),
                (right, last[node - first], 1.0, 1.0),
            ):
                leaves = [column[i] for i in range(begin, stop) if forest.feature[i] < 0]
                rows.append(([*leaves, u], [*([1.0] * len(leaves)), sign]))
                lower.append(-np.inf)
                upper.append(bound)


def subtree_ends(forest, first, end):
    """For each node of the tree in [first, end): one past the last node below it, list of int."""
    last = [node + 1 for node in range(first, end)]
    for node in range(end - 1, first - 1, -1):
        if forest.feature[node] >= 0:
            last[node - first] = last[int(forest.right[node]) - first]
    return last
