"""Figure 4: XGBoost's regularisation strength lambda, over many random splits.

The boosting is the package xgboost itself (extra ``boost``): 10 trees of depth 5 at learning rate 1, as in
the paper, and its defaults for everything else. The paper averages 10,000 iterations; what an iteration is
it does not say. Here it is a random 80-20 split.
"""

import numpy as np

from treelib.ledger.experiments import experiment
from treelib.papers.tsallis import splits as tsallis

LAMBDAS = (0.0, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0)
N_TREES, MAX_DEPTH, LEARNING_RATE = 10, 5, 1.0
N_SPLITS, BLOCK = 400, 100


@experiment(
    "tsallis.boosting",
    item="Figure 4",
    title="Test accuracy of XGBoost against lambda",
    cases=lambda: [
        {"data": data, "first_split": first} for data in tsallis.MAIN for first in range(0, N_SPLITS, BLOCK)
    ],
    datasets=lambda case: (tsallis.NAMES[case["data"]],),
    seconds=94,
    kind="statistical",
    tolerance=0.02,
)
def boost(case):
    """Test rows predicted rightly, for each split of the block and each of `LAMBDAS`.

    Returns
    -------
    dict: ``n_test`` and ``right``, a list over splits of lists over lambdas
    """
    X, y = tsallis.samples(case["data"])
    splits = range(case["first_split"], case["first_split"] + BLOCK)
    parts = [tsallis.pruning_parts(len(y), split) for split in splits]
    return {"n_test": len(parts[0].test), "right": [_right(X, y, *part) for part in parts]}


def _right(X, y, train, test):
    import xgboost

    n_classes = int(y.max()) + 1
    # the objective of the package's own classifier, without its checks, which take as long as the trees
    objective = "binary:logistic" if n_classes == 2 else "multi:softmax"
    settings = {
        "objective": objective,
        "max_depth": MAX_DEPTH,
        "eta": LEARNING_RATE,
        "tree_method": "exact",
        "nthread": 1,
        "seed": 0,
        **({"num_class": n_classes} if n_classes > 2 else {}),
    }
    known = xgboost.DMatrix(X[train], y[train], nthread=1)
    asked = xgboost.DMatrix(X[test], nthread=1)
    right = []
    for strength in LAMBDAS:
        fitted = xgboost.train({**settings, "reg_lambda": strength}, known, N_TREES)
        predicted = fitted.predict(asked)
        codes = predicted > 0.5 if n_classes == 2 else predicted
        right.append(int(np.sum(codes == y[test])))
    return right
