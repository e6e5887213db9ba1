"""XGBoost in Section 6: its split score beside the gain that the package reports, and the degree of
comparing two scores."""

from fractions import Fraction
from itertools import product

import numpy as np

from treelib.ledger import store
from treelib.ledger.claims import find
from treelib.ledger.experiments import experiment
from treelib.ledger.protocol.judging import judge_statement, judges, stated
from treelib.papers.tsallis import splits

LAMBDAS = (0.0, 1.0, 10.0)
PRINTED_DEGREE = int(find("tsallis.s6.gj-algorithm.degree").number)
NEAR = 1e-4  # relative, of numbers that the package keeps in float32


@experiment(
    "tsallis.boosting-score",
    item="Section 6, Algorithm 3",
    title="XGBoost's split score",
    cases=lambda: [{"data": data} for data in ("Breast cancer", "Banknote")],
    datasets=splits.data_of,
    seconds=1,
    kind="statistical",
    tolerance=1e-3,
)
def score_first_split(case):
    """The first split by the package and by the paper's formulas, one row for each of `LAMBDAS`.

    Returns
    -------
    list of dict: ``reg_lambda``; ``reported`` and ``formula``, gain of the first split; ``weights`` of its
    two leaves, and those that minimise the sum of the losses (``of_sum``) or their mean (``of_mean``) with
    half of lambda times the squared weights, to second order; ``sum_away``, the most by which the prediction
    of three trees differs from the sum of theirs
    """
    import xgboost

    X, y = splits.samples(case["data"])
    known = xgboost.DMatrix(X, y, nthread=1)
    rows = []
    for strength in LAMBDAS:
        settings = {"objective": "binary:logistic", "base_score": 0.5, "max_depth": 1, "nthread": 1}
        settings |= {"tree_method": "exact", "reg_lambda": strength, "learning_rate": 1.0}
        fitted = xgboost.train(settings, known, 3)
        root, *leaves = fitted.trees_to_dataframe().iloc[:3].to_dict("records")
        goes_left = X[:, int(root["Feature"][1:])].astype(np.float32) < np.float32(root["Split"])
        single = [fitted.predict(known, iteration_range=(k, k + 1), output_margin=True) for k in range(3)]
        away = np.abs(fitted.predict(known, output_margin=True) - np.sum(single, axis=0)).max()
        rows.append(
            {
                "reg_lambda": strength,
                "reported": float(root["Gain"]),
                "formula": best_score(X, y, strength),
                "weights": [float(leaf["Gain"]) for leaf in leaves],
                "of_sum": [best_weight(y[side], strength) for side in (goes_left, ~goes_left)],
                "of_mean": [best_weight(y[side], strength * len(y)) for side in (goes_left, ~goes_left)],
                "sum_away": float(away),
            }
        )
    return rows


def best_weight(y, strength):
    """``-G / (H + lambda)`` of a leaf for the logistic loss at probability one half: float."""
    return float((y - 0.5).sum() / (0.25 * len(y) + strength))


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


def degree_of_score_comparison(tree, n=12, seed=0):
    """Degree in lambda of the comparison of two splits of the root in the first or second tree of a boosting.

    Squared loss from 0. In the first tree gradients are numbers. In the second they hold the weights
    ``G / (H + lambda)`` of the first one's leaves, here three, so that sums over a side have a denominator of
    three factors.

    Parameters
    ----------
    tree : {1, 2}

    Returns
    -------
    int, the larger degree of numerator and denominator, without common factors
    """
    rng = np.random.default_rng(seed)
    y = [Fraction(int(value)) for value in rng.integers(1, 30, n)]
    leaf = [0] * 2 + [1] * 4 + [2] * (n - 6)  # leaves of the first tree, of different sizes
    gradients = [([-value], [Fraction(1)]) for value in y]
    if tree == 2:
        for one in set(leaf):
            rows = [i for i in range(n) if leaf[i] == one]
            weight = [sum(y[i] for i in rows)], [Fraction(len(rows)), Fraction(1)]
            for i in rows:
                gradients[i] = _add(gradients[i], weight)
    score = [Fraction(0)], [Fraction(1)]
    for sign, left in ((1, range(0, n, 4)), (-1, range(0, n, 3))):
        for rows in (list(left), [i for i in range(n) if i not in left]):
            total = [Fraction(0)], [Fraction(1)]
            for i in rows:
                total = _add(total, gradients[i])
            top, bottom = total
            square = _product(top, top), _product(_product(bottom, bottom), [len(rows), Fraction(1)])
            score = _add(score, ([sign * value for value in square[0]], square[1]))
    return max(len(score[0]), len(score[1])) - 1


def _product(one, other):
    found = [Fraction(0)] * (len(one) + len(other) - 1)
    for (i, a), (j, b) in product(enumerate(one), enumerate(other)):
        found[i + j] += a * b
    return found


def _add(one, other):
    """Sum of two fractions of polynomials (lists of coefficients, constants first), in lowest terms."""
    (a, b), (c, d) = one, other
    left, right = _product(a, d), _product(c, b)
    size = max(len(left), len(right))
    top = [sum(part[i] for part in (left, right) if i < len(part)) for i in range(size)]
    bottom = _product(b, d)
    common = _common(bottom, top)
    return _divide(_trim(top), common)[0], _divide(bottom, common)[0]


def _trim(one):
    size = len(one)
    while size > 1 and one[size - 1] == 0:
        size -= 1
    return one[:size]


def _divide(one, other):
    """Quotient and remainder."""
    rest, quotient = list(one), [Fraction(0)] * max(1, len(one) - len(other) + 1)
    while len(rest) >= len(other) and any(rest):
        shift, factor = len(rest) - len(other), rest[-1] / other[-1]
        quotient[shift] = factor
        rest = [v - factor * other[i - shift] if i >= shift else v for i, v in enumerate(rest)][:-1] or [
            Fraction(0)
        ]
        rest = _trim(rest)
    return quotient, rest


def _common(one, other):
    """Greatest common divisor."""
    one, other = _trim(one), _trim(other)
    while any(other):
        one, other = other, _divide(one, other)[1]
    return one


@judges("tsallis.s6.xgboost.*", "tsallis.s6.gj-algorithm.*")
def judge_boosting_theory():
    """Verdicts on the score of Section 6, what it minimises, and the degree of its comparisons."""
    degrees = {tree: degree_of_score_comparison(tree) for tree in (1, 2)}
    frame = store.results("tsallis.boosting-score")
    named = [f"{row['data']} at lambda = {row['reg_lambda']:g}" for _, row in frame.iterrows()]
    away = (frame["reported"] / frame["formula"] - 1).abs().tolist()
    weights, of_sum, of_mean = (np.array(frame[name].tolist()) for name in ("weights", "of_sum", "of_mean"))
    as_printed, by_sum = (np.abs(weights / some - 1).max(axis=1).tolist() for some in (of_mean, of_sum))
    source = {"experiment": "tsallis.boosting-score"}
    return [
        judge_statement(
            "tsallis.s6.gj-algorithm.degree",
            (
                (f"tree {tree}, degree {found}; more", found <= PRINTED_DEGREE, found - PRINTED_DEGREE)
                for tree, found in degrees.items()
            ),
            numbers={"printed": PRINTED_DEGREE, "first": degrees[1], "second": degrees[2]},
        ),
        judge_statement(
            "tsallis.s6.xgboost.score",
            ((name, one < NEAR, one) for name, one in zip(named, away, strict=True)),
            numbers={"lambdas": ", ".join(f"{one:g}" for one in LAMBDAS)},
            **source,
        ),
        judge_statement(
            "tsallis.s6.xgboost.objective",
            (
                (name, one < NEAR, one)
                for name, one, strength in zip(named, as_printed, frame["reg_lambda"], strict=True)
                if strength > 0
            ),
            numbers={"n_by_sum": sum(one < NEAR for one in by_sum), "n": len(named)},
            **source,
        ),
        stated(
            "tsallis.s6.xgboost.sum-of-trees",
            numbers={"held": int((frame["sum_away"] < NEAR).sum()), "n": len(frame)},
        ),
    ]
