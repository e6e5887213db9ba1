"""What is known of every data set before it is loaded: ``data/registry.csv``, and the reader of each name."""

import csv
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from treelib.datasets import files, read
from treelib.datasets.origins import ORIGINS


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One line of the registry.

    Attributes
    ----------
    name : str, the name `treelib.datasets.load` knows.
    papers : tuple of str, which of ``osdt``, ``bornagain``, ``tsallis``, ``dyadic`` use the set.
    kind : str, where `load` finds it: ``"generated"`` from rules; ``"vendored"``, a copy in the project;
        ``"scikit-learn"``, ships with it; ``"mirror"``, the folder TREELIB_DATA_DIR or a pinned download;
        ``"online"``, a download only.
    n_samples, n_features : int.
    target : str, name of the class column.
    class_names : tuple of str.
    class_counts : tuple of int, samples of each class.
    sha256 : str, digest of the content, see `treelib.datasets.content_sha256`; empty where it is not known.
    note : str, what to know of this form of the set.
    title, description, origin, licence, citation : str, of the source.

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


def _vendored(folder, features=None):
    """Reader of the project's copy of `folder`, its columns called `features` where that is given."""
    return partial(read.vendored, folder, tuple(features.split()) if features else None)


_HTRU2 = read.htru2
_PIMA = _vendored("pima-diabetes")
_SEEDS = _vendored("seeds")

READERS = {
    "compas-binary": _vendored("compas"),
    "fico-binary": _vendored("fico"),
    "tic-tac-toe": read.tic_tac_toe,
    "car-evaluation": read.car_evaluation,
    "monk1": partial(read.monk_train, 1),
    "monk2": partial(read.monk_train, 2),
    "monk3": partial(read.monk_train, 3),
    "monk1-test": partial(read.monk_test, 1),
    "monk2-test": partial(read.monk_test, 2),
    "monk3-test": partial(read.monk_test, 3),
    "bornagain/Breast-Cancer-Wisconsin": _vendored("breast-cancer-wisconsin"),
    "bornagain/Breast-Cancer-Wisconsin/raw": _vendored("breast-cancer-wisconsin"),
    "bornagain/COMPAS-ProPublica": _vendored("compas"),
    "bornagain/COMPAS-ProPublica/raw": _vendored("compas"),
    "bornagain/FICO": _vendored("fico"),
    "bornagain/FICO/raw": _vendored("fico"),
    "bornagain/HTRU2": partial(read.binned, _HTRU2),
    "bornagain/HTRU2/raw": _HTRU2,
    "bornagain/Pima-Diabetes": partial(read.binned, _PIMA),
    "bornagain/Pima-Diabetes/raw": _PIMA,
    "bornagain/Seeds": partial(read.binned, _SEEDS),
    "bornagain/Seeds/raw": _SEEDS,
    "bornagain/Ionosphere": _vendored("ionosphere"),
    "bornagain/Spambase": _vendored("spambase-all"),
    "dyadic/banana": _vendored("banana"),
    "dyadic/breast_cancer": _vendored("breast-cancer"),
    "dyadic/diabetes": _vendored("pima-diabetes", "preg plas pres skin insu mass pedi age"),
    "dyadic/flare_solar": _vendored("flare-solar"),
    "dyadic/thyroid": _vendored("thyroid"),
    "dyadic/titanic": read.titanic,
    "dyadic/spambase": _vendored("spambase"),
    "dyadic/intrusion": read.intrusion,
    "dyadic/intrusion-counts": read.intrusion_counts,
    "dyadic/mushroom": read.mushroom,
    "dyadic/raetsch/banana": partial(read.raetsch, "banana"),
    "dyadic/raetsch/breast_cancer": partial(read.raetsch, "breast_cancer"),
    "dyadic/raetsch/diabetis": partial(read.raetsch, "diabetis"),
    "dyadic/raetsch/flare_solar": partial(read.raetsch, "flare_solar"),
    "dyadic/raetsch/thyroid": partial(read.raetsch, "thyroid"),
    "dyadic/raetsch/titanic": partial(read.raetsch, "titanic"),
    "tsallis/iris": partial(read.scikit_learn, "load_iris"),
    "tsallis/wine": partial(read.scikit_learn, "load_wine"),
    "tsallis/wdbc": partial(read.scikit_learn, "load_breast_cancer"),
    "tsallis/digits": partial(read.scikit_learn, "load_digits"),
    "tsallis/banknote": _vendored("banknote"),
    "tsallis/seeds": _SEEDS,
    "tsallis/glass": _vendored("glass"),
    "tsallis/cryotherapy": read.cryotherapy,
    "tsallis/algerian_forest_fires": read.algerian_forest_fires,
    "tsallis/HAR": read.har,
    "tsallis/HAR-like": _vendored("har-like"),
}


def _load_registry():
    entries = {}
    with open(files.data_root() / "registry.csv", newline="", encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            origin = ORIGINS[row["source"]]
            entries[row["name"]] = Entry(
                name=row["name"],
                papers=tuple(row["papers"].split("|")),
                kind=row["kind"],
                n_samples=int(row["n_samples"]),
                n_features=int(row["n_features"]),
                target=row["target"],
                class_names=tuple(row["class_names"].split("|")),
                class_counts=tuple(int(count) for count in row["class_counts"].split("|")),
                sha256=row["sha256"],
                note=row["note"],
                title=origin.title,
                description=origin.description,
                origin=origin.address,
                licence=origin.licence,
                citation=origin.citation,
                read=READERS[row["name"]],
            )
    return entries


REGISTRY = _load_registry()
