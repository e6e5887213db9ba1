"""XGBoost's split score (Section 6, Algorithm 3) beside the gain that the package reports."""

import numpy as np

from treelib.ledger.experiments import experiment
from treelib.papers.tsallis import splits

LAMBDAS = (0.0, 1.0, 10.0)


@experiment(
    "tsallis.boosting-score",
    item="Section 6, Algorithm 3",
    title="XGBoost's split score",
    cases=lambda: [{"data": data} for data in ("Breast cancer", "Banknote")],
    datasets=lambda case: (splits.NAMES[case["data"]],),
    seconds=1,
    kind="statistical",
    tolerance=1e-3,
)
def score_first_split(case):
    """Gain of the first split by the package and by the paper's formula, one row for each of `LAMBDAS`."""
    import xgboost

    X, y = splits.samples(case["data"])
    known = xgboost.DMatrix(X, y, nthread=1)
    rows = []
    for strength in LAMBDAS:
        settings = {"objective": "binary:logistic", "base_score": 0.5, "max_depth": 1, "nthread": 1}
        fitted = xgboost.train({**settings, "tree_method": "exact", "reg_lambda": strength}, known, 1)
        reported = float(fitted.trees_to_dataframe()["Gain"].iloc[0])
        rows.append({"reg_lambda": strength, "reported": reported, "formula": best_score(X, y, strength)})
    return rows


def best_score(X, y, strength):
    """Highest ``G_L^2/(H_L + lambda) + G_R^2/(H_R + lambda) - G^2/(H + lambda)`` over all splits.

    Gradients and hessians are those of the logistic loss at probability one half; a side with a hessian below
    1 is no split, which is the package's default.
    """
    gradient, hessian = 0.5 - y, np.full(len(y), 0.25)
    total = gradient.sum() ** 2 / (hessian.sum() + strength)
    best = 0.0
    for column in X.T:
        order = np.argsort(column, kind="stable")
        g, h = np.cumsum(gradient[order])[:-1], np.cumsum(hessian[order])[:-1]
        g_right, h_right = gradient.sum() - g, hessian.sum() - h
        possible = (np.diff(column[order]) > 0) & (h >= 1) & (h_right >= 1)
        score = g**2 / (h + strength) + g_right**2 / (h_right + strength) - total
        best = max(best, score[possible].max(initial=0.0))
    return float(best)
