"""What `treelib.bornagain.compress` returns."""

from dataclasses import dataclass, field

import numpy as np

from treelib.search.budget import OPTIMAL


@dataclass(frozen=True)
class Compressed:
    """The smallest certified ensemble found.

    Attributes
    ----------
    ensemble : ScoredEnsemble with whole scores
        Proved to predict the same class as the original everywhere; the original itself if no smaller one was
        certified.
    kept : int array
        Indices of the original trees that are kept, in their order.
    weights : float array
        Factor for the scores of each kept tree. They sum to the number of original trees.
    n_trees, n_original : int
        Number of trees kept, and number of original trees.
    lower_bound : int
        Proven lower bound on the number of trees; if `margin` is not 0, for weights that leave this margin.
    margin : float
        0 if the bound holds for all weights; otherwise it holds for weights with which the right class leads
        everywhere by at least this share of the total weight.
    status : {"optimal", "time_limit", "interrupted", "margin"}
        "margin": a smaller ensemble, if there is one, has a margin too small for floating point to
        distinguish from 0.
    covers_missing : bool
        Whether the proof covers missing values.
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
