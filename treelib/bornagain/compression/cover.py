"""The fewest trees that meet every set of trees of which one is needed: an integer program on HiGHS."""

import math

import numpy as np

_MOST_SETS = 2000  # of those added at once, the smallest


class Cover:
    """Sets of roots, of each of which a solution holds one at least.

    Parameters
    ----------
    n_roots : int

    Attributes
    ----------
    sets : list of bool (n_roots,), none of which holds another when it is added
    n_programs : int
    """

    def __init__(self, n_roots):
        self.n_roots = n_roots
        self.sets = []
        self._bits = []  # of the sets, as ints
        self.n_programs = 0

    def add(self, needed):
        """Add a set, unless it holds one that is there; whether it was added."""
        needed = np.asarray(needed, dtype=bool)
        bits = int.from_bytes(np.packbits(needed).tobytes(), "big")
        if any(old & bits == old for old in self._bits):
            return False
        kept = [k for k, old in enumerate(self._bits) if old & bits != bits]
        self.sets = [*(self.sets[k] for k in kept), needed]
        self._bits = [*(self._bits[k] for k in kept), bits]
        return True

    def add_all(self, matrix):
        """Add the rows of a bool matrix, small ones first; the number of those that were added."""
        matrix = np.unique(matrix, axis=0)
        order = np.argsort(matrix.sum(axis=1), kind="stable")[:_MOST_SETS]
        return sum(self.add(matrix[k]) for k in order)

    def fewest(self, time_limit):
        """Fewest roots that meet all sets.

        Parameters
        ----------
        time_limit : float, seconds

        Returns
        -------
        chosen : bool (n_roots,), or None where time was too short for any, or a set is empty
        bound : int, no fewer roots meet all sets
        """
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import csr_array

        if not self.sets:
            return np.zeros(self.n_roots, dtype=bool), 0
        matrix = np.array(self.sets)
        if not matrix.any(axis=1).all():
            return None, self.n_roots + 1
        self.n_programs += 1
        found = milp(
            np.ones(self.n_roots),
            integrality=np.ones(self.n_roots),
            bounds=Bounds(0, 1),
            constraints=LinearConstraint(csr_array(matrix.astype(float)), lb=1),
            options={"time_limit": max(min(time_limit, 1e6), 1e-3), "mip_rel_gap": 0.0},
        )
        bound = self.forced
        if found.mip_dual_bound is not None and math.isfinite(found.mip_dual_bound):
            bound = max(bound, math.ceil(found.mip_dual_bound - 1e-6))
        return (None if found.x is None else found.x > 0.5), bound

    @property
    def forced_roots(self):
        """bool (n_roots,), those that each are a set of their own."""
        alone = [one for one in self.sets if one.sum() == 1]
        return np.any(alone, axis=0) if alone else np.zeros(self.n_roots, dtype=bool)

    @property
    def forced(self):
        """Number of roots that each are a set of their own: no solution does without them."""
        return sum(bits.bit_count() == 1 for bits in self._bits)
