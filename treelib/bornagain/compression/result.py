"""What `treelib.bornagain.compress` returns."""

from dataclasses import dataclass, field

import numpy as np

from treelib.search.budget import OPTIMAL


@dataclass(frozen=True)
class Compressed:
    """The smallest certified ensemble that was found.

    Attributes
    ----------
    ensemble : ScoredEnsemble with whole scores
        Its class is proved to be that of the original everywhere; the original itself where no smaller one
        was certified.
    kept : int array
        The trees of the original that are left, in its order.
    weights : float array
        One a kept tree: by what its scores are multiplied. They add up to the number of trees of the
        original.
    n_trees, n_original : int
        Trees that are kept, and trees of the original.
    lower_bound : int
        No fewer trees will do; where `margin` is not 0, for weights that leave such a margin.
    margin : float
        0 where the bound holds for all weights; else the share of the sum of all weights by which the right
        class leads everywhere, at least.
    status : {"optimal", "time_limit", "interrupted", "margin"}
        "margin": fewer trees than these, if they will do, leave a smaller margin than floating point can
        tell from none.
    covers_missing : bool
        Whether the proof holds for missing values too.
    seconds : float
    stats : dict
        Counts of boxes, cells, programs and needs; ``trace`` of (seconds, n_trees, lower_bound).

    Examples
    --------
    >>> from treelib import Tree, compress
    >>> found = compress([Tree.from_nested((0, 1.0, 0, 1))] * 5)
    >>> found.n_trees, found.lower_bound, found.kept.size, found.weights
    (1, 1, 1, array([5.]))
    """

    ensemble: object
    kept: np.ndarray
    weights: np.ndarray
    n_trees: int
    n_original: int
    lower_bound: int
    margin: float
    status: str
    covers_missing: bool
    seconds: float
    stats: dict = field(default_factory=dict)

    @property
    def _as_ensemble(self):
        """What `treelib.bornagain.as_ensemble` takes it for."""
        return self.ensemble

    @property
    def is_optimal(self):
        return self.status == OPTIMAL

    def __repr__(self):
        bound = "the fewest" if self.is_optimal else f"at least {self.lower_bound} needed, {self.status}"
        return f"<Compressed: {self.n_trees} of {self.n_original} trees, {bound}, {self.seconds:.2f} s>"
