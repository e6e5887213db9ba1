"""What is known of every data set before it is loaded."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from treelib.datasets import read


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One line of the registry.

    Attributes
    ----------
    name : str, the name `load` knows.
    title, description : str.
    papers : tuple of str, which of ``osdt``, ``bornagain``, ``tsallis``, ``dyadic`` use the set.
    kind : {"generated", "vendored", "mirror", "scikit-learn"}, where `load` finds it.
    n_samples, n_features : int.
    target : str, name of the class column.
    class_names : tuple of str.
    class_counts : tuple of int, samples of each class.
    sha256 : str, digest of the loaded content, see `treelib.datasets.content_sha256`.
    origin, licence, citation : str.
    """

    name: str
    title: str
    description: str
    papers: tuple
    kind: str
    n_samples: int
    n_features: int
    target: str = "class"
    class_names: tuple
    class_counts: tuple
    sha256: str
    origin: str
    licence: str
    citation: str
    read: Callable = field(repr=False)


UCI = "https://archive.ics.uci.edu/dataset/"
CC_BY = "CC BY 4.0"

_ENTRIES = [
    Entry(
        name="compas-binary",
        title="COMPAS recidivism, binary columns",
        description="Defendants of Broward County; arrested again within two years?",
        papers=("osdt",),
        kind="vendored",
        n_samples=6907,
        n_features=12,
        target="recidivate-within-two-years:1",
        class_names=("no", "yes"),
        class_counts=(3711, 3196),
        sha256="",
        origin="https://github.com/propublica/compas-analysis",
        licence="",
        citation="",
        read=partial(read.vendored, "compas"),
    ),
    Entry(
        name="fico-binary",
        title="FICO",
        description="FICO",
        papers=("osdt",),
        kind="vendored",
        n_samples=10459,
        n_features=17,
        target="RiskPerform",
        class_names=("Bad", "Good"),
        class_counts=(5459, 5000),
        sha256="",
        origin="",
        licence="",
        citation="",
        read=partial(read.vendored, "fico"),
    ),
    Entry(
        name="tic-tac-toe",
        title="",
        description="",
        papers=("osdt",),
        kind="generated",
        n_samples=958,
        n_features=18,
        target="target",
        class_names=("no", "yes"),
        class_counts=(332, 626),
        sha256="",
        origin=UCI + "101",
        licence=CC_BY,
        citation="",
        read=read.tic_tac_toe,
    ),
    Entry(
        name="car-evaluation",
        title="",
        description="",
        papers=("osdt",),
        kind="generated",
        n_samples=1728,
        n_features=15,
        target="class_1",
        class_names=("unacc", "acc"),
        class_counts=(1210, 518),
        sha256="",
        origin=UCI + "19",
        licence=CC_BY,
        citation="",
        read=read.car_evaluation,
    ),
    *(
        Entry(
            name=f"monk{problem}",
            title="",
            description="",
            papers=("osdt",),
            kind="generated",
            n_samples=sum(counts),
            n_features=11,
            target="class_1",
            class_names=("0", "1"),
            class_counts=counts,
            sha256="",
            origin=UCI + "70",
            licence=CC_BY,
            citation="",
            read=partial(read.monk_train, problem),
        )
        for problem, counts in ((1, (62, 62)), (2, (105, 64)), (3, (62, 60)))
    ),
]

REGISTRY = {entry.name: entry for entry in _ENTRIES}
