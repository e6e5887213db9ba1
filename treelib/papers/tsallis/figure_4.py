"""Figure 4: XGBoost's regularisation strength lambda, over many random splits.

The boosting is the package xgboost itself (extra ``boost``): 10 trees of depth 5 at learning rate 1, as in
the paper, and its defaults for everything else. The paper averages 10,000 iterations; what an iteration is
it does not say. Here it is a random 80-20 split.
"""

from functools import cache

import numpy as np

from treelib.ledger import store
from treelib.ledger.claims import find
from treelib.ledger.experiments import experiment
from treelib.ledger.protocol.judging import judges
from treelib.papers.tsallis import splits
from treelib.papers.tsallis.figure_3 import judge_different
from treelib.papers.tsallis.splits import half_width

LAMBDAS = (0.0, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0)
N_TREES, MAX_DEPTH, LEARNING_RATE = 10, 5, 1.0
N_SPLITS, BLOCK = 400, 100


@experiment(
    "tsallis.boosting",
    item="Figure 4",
    title="Test accuracy of XGBoost against lambda",
    cases=lambda: [
        {"data": data, "first_split": first} for data in splits.MAIN for first in range(0, N_SPLITS, BLOCK)
    ],
    datasets=splits.data_of,
    seconds=62,
    kind="statistical",
    tolerance=0.02,
)
def boost(case):
    """Test rows predicted rightly, for each split of the block and each of `LAMBDAS`.

    Returns
    -------
    dict: ``n_test`` and ``right``, a list over splits of lists over lambdas
    """
    X, y = splits.samples(case["data"])
    drawn = range(case["first_split"], case["first_split"] + BLOCK)
    parts = [splits.pruning_parts(len(y), split) for split in drawn]
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
        # the rounds of `xgboost.train`, without its callbacks and without a second copy at the end
        fitted = xgboost.Booster({**settings, "reg_lambda": strength}, [known])
        for number in range(N_TREES):
            fitted.update(known, number)
        predicted = fitted.predict(asked)
        codes = predicted > 0.5 if n_classes == 2 else predicted
        right.append(int(np.sum(codes == y[test])))
    return right


N_RESAMPLES = 1000


@cache
def boosting(data):
    """Accuracy of XGBoost, float (n_splits, n_lambdas)."""
    cases = [case for case in store.registry.get("tsallis.boosting").cases() if case["data"] == data]
    frame = store.results("tsallis.boosting", cases=cases)
    blocks = zip(frame["right"], frame["n_test"], strict=True)
    return np.concatenate([100 * np.array(right) / n_test for right, n_test in blocks])


def boosting_choice(data):
    """Best lambda of a data set and how sure it is.

    Returns
    -------
    dict: ``best``, the lambda of highest mean accuracy; ``share``, how often it wins when the splits are
    drawn anew; ``set``, the lambdas not significantly worse by paired differences; ``accuracy``, float
    """
    accuracy = boosting(data)
    best = int(accuracy.mean(axis=0).argmax())
    draws = np.random.default_rng(0).multinomial(
        len(accuracy), [1 / len(accuracy)] * len(accuracy), size=N_RESAMPLES
    )
    winners = (draws @ accuracy).argmax(axis=1)
    lost = accuracy[:, [best]] - accuracy
    near = lost.mean(axis=0) <= half_width(lost)
    lambdas = LAMBDAS
    return {
        "best": lambdas[best],
        "share": float((winners == best).mean()),
        "set": [value for value, keep in zip(lambdas, near, strict=True) if keep],
        "accuracy": float(accuracy[:, best].mean()),
    }


@judges("tsallis.s9.xgboost.claim")
def judge_boosting():
    """Verdict on what the text says of Figure 4, list of Verdict."""
    choices = {data: boosting_choice(data) for data in splits.MAIN}
    best = ", ".join(
        f"{data} {choice['best']:g} (not told apart: {', '.join(f'{x:g}' for x in choice['set'])})"
        for data, choice in choices.items()
    )
    printed = int(find("tsallis.s9.xgboost.iterations").number)
    hours = store.registry.get("tsallis.boosting").seconds * printed / N_SPLITS / 3600
    return [
        judge_different(
            "tsallis.s9.xgboost.claim",
            {data: boosting(data) for data in splits.MAIN},
            {"what": "lambda", "n_splits": N_SPLITS, "printed": printed, "hours": hours, "best": best},
            experiment="tsallis.boosting",
        )
    ]
