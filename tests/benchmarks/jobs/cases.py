"""What is measured: data sets as 0/1 columns, and problems over them."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from treelib import datasets
from treelib.table.binarize import Binarizer

OSDT_SETS = ("monk1", "monk2", "monk3", "tic-tac-toe", "car-evaluation", "compas-binary", "fico-binary")
REGULARIZATIONS = (0.05, 0.025, 0.01, 0.005, 0.0025)
DEPTHS = (3, 4, 5, 6)


class Case(NamedTuple):
    """One problem: data set (see `load_columns`), leaf penalty, depth limit or None."""

    data: str
    regularization: float
    max_depth: object = None

    @property
    def name(self):
        depth = "" if self.max_depth is None else f" depth {self.max_depth}"
        return f"{self.data} {self.regularization:g}{depth}"


def osdt_cases(max_depths=(None,)):
    return [
        Case(data, regularization, max_depth)
        for max_depth in max_depths
        for data in OSDT_SETS
        for regularization in REGULARIZATIONS
    ]


@lru_cache(maxsize=4)
def load_columns(name):
    """0/1 columns uint8 (n, p) and class codes intp (n,).

    `name` is that of a data set of the registry; ``NAME/qK`` takes at most K thresholds of each feature, at
    quantiles, as the estimator does; ``synthetic/key=value,...`` is made by `synthetic`.
    """
    kind, _, rest = name.partition("/")
    if kind == "synthetic":
        return synthetic(
            **{key: float(value) for key, value in (part.split("=") for part in rest.split(","))}
        )
    data_name, _, thresholds = name.rpartition("/q")
    data = datasets.load(data_name or name)
    return Binarizer(int(thresholds) if data_name else None).fit_transform(data.X), data.y


def synthetic(n, p, distinct=0, noise=0.1, seed=0):
    """Rows of p fair bits, labelled by a random tree of depth 4 over 12 of them, with noise.

    `distinct` rows are drawn and repeated up to n (0: all n rows are fresh); the label noise of every row is
    its own, so repeated rows conflict.
    """
    n, p, distinct = int(n), int(p), int(distinct)
    rng = np.random.default_rng(int(seed))
    columns = rng.integers(0, 2, (distinct or n, p), dtype=np.uint8)
    if distinct:
        columns = columns[np.arange(n) % distinct]
    relevant = rng.choice(p, min(p, 12), replace=False)
    node = np.zeros(n, np.intp)
    tests = rng.choice(relevant, 2**4 - 1)
    for _ in range(4):
        node = 2 * node + 1 + columns[np.arange(n), tests[node]]
    y = rng.integers(0, 2, 2**5)[node]
    return np.ascontiguousarray(columns), (y ^ (rng.random(n) < noise)).astype(np.intp)
