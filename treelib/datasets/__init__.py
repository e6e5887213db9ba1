"""The data sets of the four papers, each checked against a registry.

>>> from treelib import datasets
>>> data = datasets.load("tic-tac-toe")
>>> data.X.shape, data.class_names
((958, 18), ('no', 'yes'))

``names()`` lists all data sets, and ``info(name)`` describes one without loading it. Names without a slash
belong to the sparse-tree paper; those of the other papers begin with ``bornagain/``, ``dyadic/`` and
``tsallis/``. Data sets that the project may not ship are found through ``TREELIB_DATA_DIR`` or downloaded
once (see `treelib.datasets.files`); ``path(name, fold)`` returns the path of such a file.
"""

import difflib
import hashlib
import operator
from dataclasses import dataclass, fields
from functools import lru_cache

import numpy as np

from treelib.datasets import files
from treelib.datasets.files import DatasetError
from treelib.datasets.registry import REGISTRY, Entry
from treelib.datasets.sources import raetsch
from treelib.table.checks import check_choice

__all__ = [
    "Dataset",
    "DatasetError",
    "Entry",
    "content_sha256",
    "info",
    "load",
    "names",
    "path",
    "raetsch_split",
    "table",
]

RAETSCH_SETS = ("banana", "breast_cancer", "diabetis", "flare_solar", "thyroid", "titanic")


@dataclass(frozen=True, eq=False)
class Dataset:
    """One loaded data set.

    Attributes
    ----------
    name : str
    X : float64 (n_samples, n_features)
        Feature values, C-contiguous.
    y : intp (n_samples,)
        Class indices into `class_names`.
    feature_names, class_names : tuple of str
    target : str
        Name of the class column.
    origin, licence : str
        Source of the data set, and its terms of use.
    sample_weight : float64 (n_samples,)
        Number of occurrences of each row; None if each occurs once.

    Examples
    --------
    >>> from treelib import datasets
    >>> data = datasets.load("monk1")
    >>> data.X.shape, data.feature_names
    ((124, 11), ('a1_1', 'a1_2', 'a2_1', 'a2_2', 'a3_1', 'a4_1', 'a4_2', 'a5_1', 'a5_2', 'a5_3', 'a6_1'))
    >>> data.frame().head(2)
       a1_1  a1_2  a2_1  a2_2  a3_1  a4_1  a4_2  a5_1  a5_2  a5_3  a6_1 class_1
    0   1.0   0.0   1.0   0.0   1.0   1.0   0.0   0.0   0.0   1.0   1.0       1
    1   1.0   0.0   1.0   0.0   1.0   1.0   0.0   0.0   0.0   1.0   0.0       1
    """

    name: str
    X: np.ndarray
    y: np.ndarray
    feature_names: tuple
    class_names: tuple
    target: str
    origin: str
    licence: str
    sample_weight: np.ndarray | None = None

    def frame(self):
        """The data set as a data frame, with class names in the last column.

        Returns
        -------
        pandas.DataFrame
            One row per sample.
        """
        import pandas as pd

        table = pd.DataFrame(self.X, columns=list(self.feature_names))
        return table.assign(**{self.target: np.array(self.class_names)[self.y]})


def names(paper=None):
    """Names of all data sets, or of those of one paper.

    Parameters
    ----------
    paper : {"osdt", "bornagain", "dyadic", "tsallis"} or None
        Only data sets of this paper. None: all.

    Returns
    -------
    tuple of str
        The names, in the order of the registry.

    Examples
    --------
    >>> from treelib import datasets
    >>> [name for name in datasets.names("osdt") if name.startswith("monk")]
    ['monk1', 'monk2', 'monk3', 'monk1-test', 'monk2-test', 'monk3-test']
    """
    papers = sorted({key for entry in REGISTRY.values() for key in entry.papers})
    if paper is not None:
        check_choice("paper", paper, papers)
    return tuple(name for name, entry in REGISTRY.items() if paper is None or paper in entry.papers)


def info(name):
    """Registry entry of a data set, without loading it.

    Parameters
    ----------
    name : str
        One of `names`.

    Returns
    -------
    Entry
        The entry.

    Examples
    --------
    >>> from treelib import datasets
    >>> datasets.info("monk1").papers, datasets.info("monk1").n_features
    (('osdt',), 11)
    """
    if not isinstance(name, str):
        raise TypeError(f"The name of a data set is text, not {type(name).__name__}.")
    if name not in REGISTRY:
        hint = _did_you_mean(name, REGISTRY)
        raise ValueError(f"There is no data set {name!r}.{hint} treelib.datasets.names() lists all.")
    return REGISTRY[name]


def table():
    """The registry as a pandas DataFrame, one row per data set.

    Returns
    -------
    pandas.DataFrame
        One row per data set.

    Examples
    --------
    >>> from treelib import datasets
    >>> table = datasets.table().set_index("name")
    >>> table.loc["monk1", "kind"], int(table.loc["monk1", "n_samples"])
    ('generated', 124)
    """
    import pandas as pd

    columns = [field.name for field in fields(Entry) if field.name != "read"]
    return pd.DataFrame(
        [{column: getattr(entry, column) for column in columns} for entry in REGISTRY.values()]
    )


def load(name):
    """Load the data set called `name`.

    The content is checked against the registry (shape, class counts, SHA-256) when the data set is first read
    in a process. Every call returns new arrays, which may be modified.

    Parameters
    ----------
    name : str
        One of `names`.

    Returns
    -------
    Dataset
        The set.

    Raises
    ------
    ValueError
        If there is no such data set; the message names similar ones.
    DatasetError
        If a file is missing, damaged or cannot be downloaded; the message says what to do.

    Examples
    --------
    >>> from treelib import datasets
    >>> data = datasets.load("monk1")
    >>> data.X.shape, data.class_names
    ((124, 11), ('0', '1'))
    """
    entry = info(name)
    X, y, feature_names, sample_weight = _read(entry.name)
    return Dataset(
        name=entry.name,
        X=X.copy(),
        y=y.copy(),
        feature_names=feature_names,
        class_names=entry.class_names,
        target=entry.target,
        origin=entry.origin,
        licence=entry.licence,
        sample_weight=None if sample_weight is None else sample_weight.copy(),
    )


def path(name, fold=None):
    """Local path of one file of a data set, for custom readers.

    Parameters
    ----------
    name : str
        Either ``"bornagain/<set>/forests"``, for the paper's random forest of one `fold`, or the name of a
        file listed in ``data/downloads.csv``.
    fold : int
        From 1 to 10, only for forests.

    Returns
    -------
    pathlib.Path
        The file.

    Raises
    ------
    ValueError
        If there is no such file.
    DatasetError
        As for `load`.

    Examples
    --------
    >>> from treelib import datasets
    >>> datasets.path("bornagain/Seeds/forests", fold=1)  # doctest: +SKIP
    >>> datasets.path("bornagain/Seeds/forests", fold=11)
    Traceback (most recent call last):
        ...
    ValueError: fold=11 does not exist: the forests of Seeds have the folds 1 to 10.
    """
    known = files.downloads()
    relative = name
    if name.endswith("/forests"):
        stem = name.split("/")[-2]
        relative = f"{name}/{stem}.RF{fold}.txt"
        if relative not in known and f"{name}/{stem}.RF1.txt" in known:
            raise ValueError(f"fold={fold!r} does not exist: the forests of {stem} have the folds 1 to 10.")
    elif fold is not None:
        raise ValueError(f"fold={fold!r} has no meaning for {name!r}; leave it out.")
    if relative not in known:
        folders = {key.rpartition("/")[0] for key in known if "/forests/" in key}
        raise ValueError(f"There is no file {name!r}.{_did_you_mean(name, [*known, *folders])}")
    try:
        return files.fetch(relative)
    except DatasetError as error:
        raise DatasetError(f"File {relative!r}: {error}") from None


def raetsch_split(name, split):
    """One published split of a data set of Raetsch's benchmark.

    Split 1 of banana and titanic may come from the files ``dyadic/raetsch/*_1.asc`` of TREELIB_DATA_DIR; all
    others need the download ``benchmarks.mat``.

    Parameters
    ----------
    name : str
        One of ``banana breast_cancer diabetis flare_solar thyroid titanic``.
    split : int
        Number of the split, from 1 to 100.

    Returns
    -------
    train : Dataset
        Training samples.
    test : Dataset
        Test samples.

    Examples
    --------
    >>> from treelib import datasets
    >>> train, test = datasets.raetsch_split("banana", 1)  # doctest: +SKIP
    >>> datasets.raetsch_split("iris", 1)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    ValueError: 'iris' is none of the benchmark's sets banana, ...
    """
    if name not in RAETSCH_SETS:
        raise ValueError(f"{name!r} is none of the benchmark's sets {', '.join(RAETSCH_SETS)}.")
    entry = info(f"dyadic/raetsch/{name}")
    try:
        X_train, y_train, X_test, y_test = raetsch.raetsch_split(name, operator.index(split))
    except DatasetError as error:
        raise DatasetError(f"Split {split} of {entry.name!r}: {error}") from None

    def part(which, X, y):
        return Dataset(
            name=f"{entry.name}/{which}-{split}",
            X=np.ascontiguousarray(X, dtype=np.float64),
            y=np.asarray(y, dtype=np.intp),
            feature_names=tuple(f"x{j + 1}" for j in range(entry.n_features)),
            class_names=entry.class_names,
            target=entry.target,
            origin=entry.origin,
            licence=entry.licence,
        )

    return part("train", X_train, y_train), part("test", X_test, y_test)


def content_sha256(X, y, feature_names, class_names, sample_weight=None):
    """SHA-256 of the content of a data set, independent of its file.

    The digest is over the feature names joined by ``;``, a line end, the class names joined by ``;``, a line
    end, `X` as little-endian float64 row by row, `y` as little-endian int64, and `sample_weight`, where there
    is one, as little-endian float64.

    Parameters
    ----------
    X, y, feature_names, class_names, sample_weight
        As in `Dataset`.

    Returns
    -------
    str
        Hexadecimal digits.

    Examples
    --------
    >>> from treelib import datasets
    >>> data = datasets.load("monk1")
    >>> digest = datasets.content_sha256(data.X, data.y, data.feature_names, data.class_names)
    >>> digest == datasets.info("monk1").sha256
    True
    """
    state = hashlib.sha256(f"{';'.join(feature_names)}\n{';'.join(class_names)}\n".encode())
    state.update(np.ascontiguousarray(X, dtype="<f8"))
    state.update(np.ascontiguousarray(y, dtype="<i8"))
    if sample_weight is not None:
        state.update(np.ascontiguousarray(sample_weight, dtype="<f8"))
    return state.hexdigest()


@lru_cache(maxsize=16)
def _read(name):
    entry = REGISTRY[name]
    try:
        X, y, feature_names, *weight = entry.read()
    except DatasetError as error:
        raise DatasetError(f"Data set {name!r}: {error}") from None
    except (ValueError, LookupError, EOFError) as error:
        files.discard_unchecked()
        raise DatasetError(f"Data set {name!r}: the file is damaged or of another form ({error}).") from error
    X = np.ascontiguousarray(X, dtype=np.float64)
    y = np.asarray(y, dtype=np.intp)
    sample_weight = np.asarray(weight[0], dtype=np.float64) if weight else None
    _verify(entry, X, y, tuple(feature_names), sample_weight)
    return X, y, tuple(feature_names), sample_weight


def _verify(entry, X, y, feature_names, sample_weight):
    found = {
        "shape": (X.shape, (entry.n_samples, entry.n_features)),
        "class counts": (
            tuple(np.bincount(y, minlength=len(entry.class_names)).tolist()),
            entry.class_counts,
        ),
        "SHA-256": (content_sha256(X, y, feature_names, entry.class_names, sample_weight), entry.sha256),
    }
    for what, (here, wanted) in found.items():
        if wanted and here != wanted:
            files.discard_unchecked()
            raise DatasetError(
                f"Data set {entry.name!r} ({entry.kind}) is not the one of the registry: its {what} is "
                f"{here}, not {wanted}. What it was read from is damaged or another version; replace it."
            )


def _did_you_mean(name, choices):
    # compared without capitals and without the paper in front: "iris" finds "tsallis/iris"
    spelled = {}
    for choice in choices:
        spelled.setdefault(choice.lower(), choice)
        spelled.setdefault(choice.lower().partition("/")[2] or choice.lower(), choice)
    close = difflib.get_close_matches(name.lower(), spelled, n=6, cutoff=0.5)
    found = list(dict.fromkeys(spelled[key] for key in close))[:3]
    return f" Did you mean {' or '.join(map(repr, found))}?" if found else ""
