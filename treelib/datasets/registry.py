"""What is known of every data set before it is loaded: ``data/registry.csv``, and what the sources say."""

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass, field

from treelib.datasets import files, sources


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One line of the registry.

    Attributes
    ----------
    name : str
        The name `treelib.datasets.load` knows.
    papers : tuple of str
        Which of ``osdt``, ``bornagain``, ``tsallis``, ``dyadic`` use the set.
    kind : str
        Where `load` finds it: ``"generated"`` from rules; ``"vendored"``, a copy in the project;
        ``"scikit-learn"``, ships with it; ``"mirror"``, the folder TREELIB_DATA_DIR or a pinned download;
        ``"online"``, a download only.
    n_samples, n_features : int
    target : str
        Name of the class column.
    class_names : tuple of str
    class_counts : tuple of int
        Samples of each class.
    sha256 : str
        Digest of the content, see `treelib.datasets.content_sha256`; empty where it is not known.
    note : str
        What to know of this form of the set.
    title, description, origin, licence, citation : str
        Of the source.

    Examples
    --------
    >>> from treelib import datasets
    >>> entry = datasets.info("monk1")
    >>> entry.kind, entry.n_samples, entry.class_counts
    ('generated', 124, (62, 62))
    """

    name: str
    papers: tuple
    kind: str
    n_samples: int
    n_features: int
    target: str
    class_names: tuple
    class_counts: tuple
    sha256: str
    note: str
    title: str
    description: str
    origin: str
    licence: str
    citation: str
    read: Callable = field(repr=False, compare=False)


def _gathered():
    """(origins, readers) of all modules of `treelib.datasets.sources`, two dicts."""
    origins, readers = {}, {}
    for found in pkgutil.iter_modules(sources.__path__, f"{sources.__name__}."):
        module = importlib.import_module(found.name)
        origins |= module.ORIGINS
        readers |= module.READERS
    return origins, readers


ORIGINS, READERS = _gathered()


def _load_registry():
    entries = {}
    for row in files.read_csv(files.data_root() / "registry.csv"):
        source = dict(vars(ORIGINS[row.pop("source")]))
        source["origin"] = source.pop("address")
        parts = {name: tuple(row[name].split("|")) for name in ("papers", "class_names")}
        parts["class_counts"] = tuple(map(int, row["class_counts"].split("|")))
        sizes = {name: int(row[name]) for name in ("n_samples", "n_features")}
        entries[row["name"]] = Entry(**(row | parts | sizes | source), read=READERS[row["name"]])
    return entries


REGISTRY = _load_registry()
