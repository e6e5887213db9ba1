"""The data sets of the four papers: ``load(name)``, ``names()``, ``info(name)``."""

import difflib
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from treelib.datasets.registry import REGISTRY, Entry

__all__ = ["Dataset", "Entry", "info", "load", "names"]


@dataclass(frozen=True, eq=False)
class Dataset:
    """One loaded data set.

    Attributes
    ----------
    name : str.
    X : float64 (n_samples, n_features), C-contiguous.
    y : intp (n_samples,), codes that index `class_names`.
    feature_names, class_names : tuple of str.
    target : str, name of the class column.
    origin, licence : str, where the set comes from and on what terms.
    """

    name: str
    X: np.ndarray
    y: np.ndarray
    feature_names: tuple
    class_names: tuple
    target: str
    origin: str
    licence: str

    def frame(self):
        """The set as a pandas DataFrame, the class names in the last column."""
        import pandas as pd

        table = pd.DataFrame(self.X, columns=list(self.feature_names))
        return table.assign(**{self.target: np.array(self.class_names)[self.y]})


def names():
    """Names of all data sets."""
    return tuple(REGISTRY)


def info(name):
    """Registry entry of `name`."""
    try:
        return REGISTRY[name]
    except (KeyError, TypeError):
        close = difflib.get_close_matches(str(name), REGISTRY, n=3, cutoff=0.4)
        hint = f" Did you mean {' or '.join(map(repr, close))}?" if close else ""
        raise ValueError(
            f"There is no data set {name!r}.{hint} treelib.datasets.names() lists all."
        ) from None


def load(name):
    """Load the data set called `name`; a fresh copy at every call."""
    entry = info(name)
    X, y, feature_names = _read(entry.name)
    return Dataset(
        entry.name,
        X.copy(),
        y.copy(),
        feature_names,
        entry.class_names,
        entry.target,
        entry.origin,
        entry.licence,
    )


@lru_cache(maxsize=16)
def _read(name):
    X, y, feature_names = REGISTRY[name].read()
    return np.ascontiguousarray(X, dtype=np.float64), np.asarray(y, dtype=np.intp), tuple(feature_names)
