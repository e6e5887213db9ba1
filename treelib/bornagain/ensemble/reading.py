"""Where ensembles come from: fitted scikit-learn estimators, text files of the paper's authors, `Tree`s."""

from treelib.bornagain.boosting.reading import from_boosted, is_boosted
from treelib.bornagain.ensemble.from_sklearn import from_sklearn
from treelib.bornagain.ensemble.text_format import format_forest, parse_forest, read_forest, write_forest
from treelib.bornagain.ensemble.voting import Ensemble
from treelib.tree.stored import Tree

__all__ = [
    "Ensemble",
    "as_ensemble",
    "format_forest",
    "from_sklearn",
    "parse_forest",
    "read_forest",
    "write_forest",
]


def as_ensemble(forest, **options):
    """Convert any supported model or trees to an `Ensemble`.

    Parameters
    ----------
    forest : object
        `Ensemble` (returned as it is), result of `treelib.compress`, Tree, sequence of Tree, fitted
        scikit-learn estimator, or fitted boosted model (`treelib.bornagain.boosting.reading.from_boosted`).
    **options
        For sequences the parameters of `Ensemble`, for estimators those of `from_sklearn`.

    Returns
    -------
    Ensemble
        The trees.

    Examples
    --------
    >>> from treelib import Tree
    >>> from treelib.bornagain.ensemble.reading import as_ensemble
    >>> stump = Tree.from_nested((0, 2.0, 0, 1))
    >>> as_ensemble([stump, stump, stump])
    <Ensemble: 3 trees, depth 1, 6 leaves, hard votes, 1 features, 2 classes>
    """
    forest = getattr(forest, "_as_ensemble", forest)
    if isinstance(forest, Ensemble):
        if options:
            raise TypeError(f"An Ensemble takes no further options, such as {next(iter(options))!r}.")
        return forest
    if isinstance(forest, Tree):
        return Ensemble([forest], **options)
    if isinstance(forest, (list, tuple)):
        return Ensemble(forest, **options)
    if is_boosted(forest):
        if options:
            raise TypeError(f"A boosted model takes no further options, such as {next(iter(options))!r}.")
        return from_boosted(forest)
    return from_sklearn(forest, **options)
