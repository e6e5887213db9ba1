"""What it costs to look at a few thresholds of each column instead of all: error on new rows, and size."""

from itertools import product

import numpy as np

from treelib import datasets
from treelib.ledger.experiments import experiment

# columns of numbers; the first two are the raw tables behind the 0/1 data of the sparse-tree paper
DATA = (
    "bornagain/COMPAS-ProPublica/raw",
    "bornagain/FICO/raw",
    "bornagain/Breast-Cancer-Wisconsin/raw",
    "bornagain/Pima-Diabetes/raw",
    "bornagain/Seeds/raw",
    "bornagain/Ionosphere",
    "bornagain/Spambase",
    "tsallis/banknote",
)
THRESHOLDS = (10, 100, None)
LAMBDA, DEPTH, FOLDS, SECONDS = 0.01, 3, 5, 3.0


@experiment(
    "family.thresholds",
    item="Thresholds",
    title="Optimal trees over ten, a hundred and all thresholds a column",
    cases=lambda: [{"data": name, "most": most} for name, most in product(DATA, THRESHOLDS)],
    datasets=lambda case: (case["data"],),
    kind="statistical",
    measured=("n_proved",),
    tolerance=0.1,  # a search that a clock stops may end with another tree
    seconds=64,
)
def thresholds(case):
    """One data set and number of thresholds, a row an outer fold."""
    from sklearn.model_selection import StratifiedKFold

    data = datasets.load(case["data"])
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(data.X, data.y)
    return [
        {"fold": fold, **one_fit(data.X, data.y, training, testing, case["most"])}
        for fold, (training, testing) in enumerate(folds)
    ]


def one_fit(X, y, training, testing, most, seconds=SECONDS):
    """The tree of the training rows over at most so many thresholds a column: dict.

    Returns
    -------
    dict of ``objective`` on the training rows (errors as a share of them, plus the price of the leaves),
    ``test_error``, ``leaves``, and ``n_proved``, 1 where the search ended with a proof
    """
    import warnings

    from treelib import OptimalSparseTreeClassifier

    model = OptimalSparseTreeClassifier(LAMBDA, max_depth=DEPTH, max_thresholds=most, time_limit=seconds)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a limit that stops the search is told by `n_proved`
        model.fit(X[training], y[training])
    return {
        "objective": float(model.objective_),
        "test_error": float(np.mean(model.predict(X[testing]) != y[testing])),
        "leaves": int(model.get_n_leaves()),
        "n_proved": int(model.is_optimal_),
    }
