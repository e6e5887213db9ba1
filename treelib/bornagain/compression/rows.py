"""What weights must satisfy at a cell, and the linear program that finds them.

Of a cell of class a, each other class b gives a row: the weighted scores of a minus those of b must be
positive, or not negative where a < b, since ties go to the smaller class. The scores of each tree are
divided by their largest size, and the weights add up to 1. The program maximises the least margin of the
rows that must be positive. A set of trees that reaches `MARGIN` on all cells is a solution; where it does
not reach it on some, the dual values say which other trees could help.
"""

import numpy as np

MARGIN = 1e-7
_SLACK = 1e-3  # of MARGIN: what the program's own tolerance may take
_OPTIONS = {
    "presolve": False,  # these programs are small: it takes longer than it saves
    "primal_feasibility_tolerance": 1e-10,
    "dual_feasibility_tolerance": 1e-10,
}
_ROWS_AT_ONCE = 60
_BROKEN = 1e-9  # a row below what it must reach by more is broken
_NEAR = 0.1  # of the largest margin: what weights near those of the ensemble must leave


class MarginRows:
    """The rows of the cells met so far.

    Parameters
    ----------
    space : Space

    Attributes
    ----------
    matrix : float64 (n_rows, n_roots). strict : bool (n_rows,), rows that must be positive
    """

    def __init__(self, space):
        self.space = space
        self.matrix = np.zeros((0, space.n_roots))
        self.strict = np.zeros(0, dtype=bool)
        self._known = set()
        self._active = np.zeros(0, dtype=np.intp)
        self.n_programs = 0

    def add(self, cells):
        """Add the rows of cells (int64 (n, p)); the number of those that are new."""
        new = [row for row, cell in enumerate(cells) if cell.tobytes() not in self._known]
        if not new:
            return 0
        cells = np.ascontiguousarray(cells[new])
        self._known.update(cell.tobytes() for cell in cells)
        matrix, strict = rows_of(self.space, cells, self.space.classes(cells))
        self.matrix = np.concatenate([self.matrix, matrix])
        self.strict = np.concatenate([self.strict, strict])
        return len(cells)

    def weights(self, support, only_needs=False):
        """Weights of the roots in `support` (bool (n_roots,)) that satisfy all rows, or why there are none.

        only_needs : bool, any weights will do where there are some; else rows that may be 0 are kept
            positive if that can be

        Returns
        -------
        margin : float, the largest least margin that there is
        weights : float64 (n_roots,), or None where the margin is below `MARGIN`
        needed : bool (n_roots,) or None; where there are no weights, a solution has one of these roots at
            least. None too where the multipliers do not prove it, since the program was not solved well.
        """
        columns = np.flatnonzero(support & self.space.used)
        if not len(columns):  # no tree at all, and there are two classes
            return -1.0, None, self.space.used.copy()
        margin, weights, dual, active = self._maximise(columns, everywhere=False, enough=MARGIN)
        if margin < MARGIN * (1 - _SLACK):
            # each solution has a margin of MARGIN, so that one of its trees has as much in this sum of rows;
            # where the rows that may be 0 are broken, one that does not break their sum
            least = margin / 2 if weights is None else MARGIN * (1 - _SLACK / 2)
            needed = dual @ self.matrix[active] >= least
            return margin, None, None if needed[columns].any() else needed
        if only_needs:
            return margin, weights, None
        margin, weights, _, _ = self._maximise(columns, everywhere=True)
        everywhere = margin >= MARGIN
        if not everywhere:
            margin, weights, _, _ = self._maximise(columns, everywhere=False)
        return margin, self._nearest(columns, margin, everywhere, weights), None

    def with_room(self, support, room):
        """Weights of the roots in `support` that leave the margin `room` on all rows, or None; on those that
        may be 0 too."""
        margin, weights, _, _ = self._maximise(np.flatnonzero(support & self.space.used), True, enough=room)
        return weights if margin >= room else None

    def _nearest(self, columns, margin, everywhere, weights):
        """Weights that satisfy all rows and change those of the ensemble least, in sum; `weights` where the
        program finds none.

        Most weights stay as they are. The cells not met yet are then less likely to change their class, and
        the exact search sees most trees cancel.
        """
        from scipy.optimize import linprog

        own = self.space.size[columns] / self.space.size.sum()
        bounds = [(0.0, None)] * len(columns) + [(0.0, x) for x in own]
        is_strict = self.strict | everywhere
        least = np.where(is_strict, max(MARGIN, _NEAR * min(margin, 1.0)), 0.0)
        base = self.matrix[:, columns] @ own
        active = self._active
        while True:
            rows = self.matrix[active][:, columns]
            self.n_programs += 1
            found = linprog(
                np.ones(2 * len(columns)),
                A_ub=np.vstack(
                    [np.column_stack([-rows, rows]), np.repeat([1.0, -1.0], len(columns))[None, :]]
                ),
                b_ub=np.append(base[active] - least[active], 1.0 - own.sum()),
                bounds=bounds,
                method="highs",
                options=_OPTIONS,
            )
            if found.x is None:
                return weights
            near = np.zeros_like(weights)
            near[columns] = np.maximum(own + found.x[: len(columns)] - found.x[len(columns) :], 0.0)
            broken = self.matrix @ near - least
            if broken[active].min() < -_BROKEN:  # the program calls it solved, and it is not
                return weights
            broken[active] = 0.0
            worst = np.flatnonzero(broken < -_BROKEN)
            if not len(worst):
                return near / near.sum()
            active = np.concatenate([active, worst[np.argsort(broken[worst], kind="stable")[:_ROWS_AT_ONCE]]])

    def _maximise(self, columns, everywhere, enough=1.0):
        """Largest least margin; rows that the solution breaks are added until none is left.

        everywhere : bool, rows that may be 0 must be positive, too
        enough : float, a margin that will do; it need not be the largest then
        """
        from scipy.optimize import linprog

        active = self._active
        if not len(active):
            active = np.arange(min(len(self.matrix), _ROWS_AT_ONCE))
        while True:
            strict = np.ones(len(active), dtype=bool) if everywhere else self.strict[active]
            rows = self.matrix[active][:, columns]
            cost = np.zeros(len(columns) + 1)
            cost[-1] = -1.0
            whole = np.append(np.ones(len(columns)), 0.0)[None, :]
            bounds = [(0.0, None)] * len(columns) + [(None, 1.0)]
            self.n_programs += 1
            found = linprog(
                cost,
                A_ub=np.column_stack([-rows, strict]),
                b_ub=np.zeros(len(active)),
                A_eq=whole,
                b_eq=[1.0],
                bounds=bounds,
                method="highs",
                options=_OPTIONS,
            )
            if found.x is None:  # rows that may be 0 contradict each other
                return self._contradiction(columns, active)
            weights = np.zeros(self.matrix.shape[1])
            weights[columns] = np.maximum(found.x[:-1], 0.0)
            margin = float(found.x[-1])
            value = self.matrix @ weights
            least = np.where(self.strict | everywhere, min(margin, enough), 0.0)
            broken = value - least
            broken[active] = 0.0
            worst = np.flatnonzero(broken < -_BROKEN)
            if margin < MARGIN * (1 - _SLACK) or not len(worst):
                dual = self._dual(-found.ineqlin.marginals, active, everywhere)
                slack = np.where(dual > 0, -np.inf, value[active] - least[active])
                self._active = active[np.argsort(slack, kind="stable")[: _ROWS_AT_ONCE + 2 * len(columns)]]
                return margin, weights, dual, active
            worst = worst[np.argsort(broken[worst], kind="stable")[:_ROWS_AT_ONCE]]
            active = np.concatenate([active, worst])

    def _dual(self, dual, active, everywhere):
        """Multipliers of the rows, those that must be positive adding up to 1."""
        dual = np.maximum(dual, 0.0)
        total = dual.sum() if everywhere else dual[self.strict[active]].sum()
        return dual / total if total > 0 else dual

    def _contradiction(self, columns, active):
        """As `_maximise` where no weights satisfy the rows that may be 0: the margin is what the best weights
        break one of them by, below 0, and there are no weights."""
        from scipy.optimize import linprog

        active = active[~self.strict[active]]
        rows = self.matrix[active][:, columns]
        cost = np.append(np.zeros(len(columns)), -1.0)
        found = linprog(
            cost,
            A_ub=np.column_stack([-rows, np.ones(len(active))]),
            b_ub=np.zeros(len(active)),
            A_eq=np.append(np.ones(len(columns)), 0.0)[None, :],
            b_eq=[1.0],
            bounds=[(0.0, None)] * len(columns) + [(None, 1.0)],
            method="highs",
        )
        dual = np.maximum(-found.ineqlin.marginals, 0.0)
        return min(float(found.x[-1]), -1e-9), None, dual / max(dual.sum(), 1e-300), active


def rows_of(space, cells, classes):
    """Rows of cells: float64 (n, n_roots) and bool (n,), see `MarginRows`; n is cells x (n_classes - 1)."""
    leaves = space.leaves(cells)
    votes = space.votes[leaves] / np.where(space.used, space.size, 1.0)[None, :, None]
    matrix, strict = [], []
    own = np.take_along_axis(votes, classes[:, None, None], axis=2)[:, :, 0]
    for rival in range(space.n_classes):
        here = classes != rival
        matrix.append((own - votes[:, :, rival])[here])
        strict.append((classes > rival)[here])
    return np.concatenate(matrix), np.concatenate(strict)
