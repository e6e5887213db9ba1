"""Settings of the born-again paper's experiments: data sets, folds, forests, and who reads them."""

from functools import cache

import numpy as np

from treelib import datasets
from treelib.bornagain.ensemble.reading import from_sklearn, read_forest

# the paper's abbreviation -> our name, in the order of its tables
DATA = {
    "BC": "bornagain/Breast-Cancer-Wisconsin",
    "CP": "bornagain/COMPAS-ProPublica",
    "FI": "bornagain/FICO",
    "HT": "bornagain/HTRU2",
    "PD": "bornagain/Pima-Diabetes",
    "SE": "bornagain/Seeds",
}
OBJECTIVES = {"D": "depth", "L": "leaves", "DL": "depth-leaves"}
FOLDS = tuple(range(1, 11))

# Section 4.1: the forests
N_TREES, MAX_DEPTH = 10, 3

# Figure 3: what is varied, and what the others are held at
GROWTH = {
    "samples": (250, 500, 750, 1000, 2500, 5000, 7500, 10459),
    "features": (2, 3, 5, 7, 10, 12, 15, 17),
    "trees": (3, 5, 7, 10, 12, 15, 17, 20),
}
BASELINE = {"samples": 2500, "features": 10, "trees": 10}

# seeds of the forests trained here
SEEDS = (0, 1, 2)


@cache
def load(data):
    """`Dataset` under the paper's abbreviation."""
    return datasets.load(DATA[data])


@cache
def folds(data):
    """The ten folds of the authors: list of (training rows, test rows). Neither shuffled nor stratified."""
    from sklearn.model_selection import KFold

    return list(KFold(len(FOLDS)).split(load(data).X))


def forest_files(data):
    """Names in ``data/downloads.csv`` of the authors' ten forests, tuple of str."""
    stem = DATA[data].partition("/")[2]
    return tuple(f"bornagain/{stem}/forests/{stem}.RF{fold}.txt" for fold in FOLDS)


def data_of(case):
    """Data sets of a case."""
    return (DATA[case["data"]],)


def data_and_forest(case):
    """Data set and forest file of a case."""
    return DATA[case["data"]], forest_files(case["data"])[case["fold"] - 1]


def authors_forest(data, fold):
    """The authors' forest of a fold (1 to 10), `Ensemble`; `DatasetError` where it cannot be had."""
    return read_forest(datasets.path(f"{DATA[data]}/forests", fold=fold))


def train_forest(X, y, seed, n_trees=N_TREES, max_depth=MAX_DEPTH):
    """A forest by the paper's recipe, `Ensemble`: bootstrap samples, half of the features at each split.

    The paper's forests come from scikit-learn 0.22.1 and an unknown seed; the same recipe gives others.
    """
    from sklearn.ensemble import RandomForestClassifier

    forest = RandomForestClassifier(
        n_trees, max_depth=max_depth, max_features=max(1, X.shape[1] // 2), random_state=seed
    )
    return from_sklearn(forest.fit(X, y))


def own_forest(data, fold, seed):
    """The forest trained here on a fold's training rows, `Ensemble`; fold and seed decide it."""
    table = load(data)
    train, _ = folds(data)[fold - 1]
    ensemble = train_forest(table.X[train], table.y[train], 100 * seed + fold)
    if ensemble.n_classes != len(np.unique(table.y)):
        raise ValueError(f"{data}, fold {fold}: a class is missing from the training rows.")
    return ensemble
