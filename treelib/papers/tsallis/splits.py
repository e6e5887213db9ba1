"""Learning to split and prune: the data of the paper, its random splits, and the grid of its criteria.

The paper leaves open how often it splits, and the values of its grid. Here these are settings:

- `GRID_ALPHAS`: the alphas that the paper prints (0.5, 2, 2.15, 2.45) lie on a grid of step 0.15, and on none
  that is wider. This one has that step and goes a little further both ways; 1 stands for its limit, entropy.
- `tuning_parts`: the test part is the integer below a fifth of the rows, since that gives the denominators of
  Table 1; the other rows are cut in five, and each part left out once.
- `pruning_parts`: scikit-learn's split, a fifth of the rows rounded up, since that gives the denominators of
  Table 2.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from treelib import datasets

MAIN = {  # Section 9
    "Iris": "tsallis/iris",
    "Wine": "tsallis/wine",
    "Breast cancer": "tsallis/wdbc",
    "Banknote": "tsallis/banknote",
}
ADDITIONAL = {  # Appendix B.1
    "Seeds": "tsallis/seeds",
    "Cryotherapy": "tsallis/cryotherapy",
    "Glass identification": "tsallis/glass",
    "Algerian forest fires": "tsallis/algerian_forest_fires",
}
LOOK_ALIKE = {  # stands beside Appendix B.1's set of human activities, which is online only
    "HAR-like": "tsallis/HAR-like",
}
PRUNED = {  # Appendix B.2
    "Iris": "tsallis/iris",
    "Digits": "tsallis/digits",
    "Breast cancer": "tsallis/wdbc",
    "Wine": "tsallis/wine",
}
NAMES = {**MAIN, **ADDITIONAL, **LOOK_ALIKE, **PRUNED}

GRID_ALPHAS = tuple(sorted([round(0.05 + 0.15 * k, 2) for k in range(1, 21)] + [1.0]))
GRID_BETAS = tuple(range(1, 9))
MAX_DEPTH = 5
N_FOLDS = 5
NAMED = {  # the points that Table 1 and Appendix B.1 name
    "Iris": (0.5, 1),
    "Banknote": (2.45, 2),
    "Breast cancer": (0.5, 3),
    "Wine": (2.15, 6),
    "Seeds": (0.5, 2),
    "Cryotherapy": (0.5, 4),
    "Glass identification": (2.45, 6),
    "Algerian forest fires": (2.0, 8),
}
STANDARD = {"Gini": (2.0, 1), "Entropy": (1.0, 1), "KM96": (0.5, 2)}


def data_of(case):
    """Data sets of a case."""
    return (NAMES[case["data"]],)


class Parts(NamedTuple):
    """Row numbers of the parts of one random split; intp arrays."""

    train: np.ndarray
    test: np.ndarray


def load(data):
    """The data set that the paper calls `data`; see `treelib.datasets.load`."""
    return datasets.load(NAMES[data])


def without_date(found):
    """`X` without the columns day, month and year, where it has them.

    The file of the Algerian forest fires has 14 columns beside the class, three of them the date, and all
    rows are of one summer. The region and ten measurements remain; with the class they are the paper's 12
    attributes.
    """
    keep = [j for j, name in enumerate(found.feature_names) if name not in ("day", "month", "year")]
    return np.ascontiguousarray(found.X[:, keep])


@cache
def samples(data):
    """``X`` float64 (n, p) and ``y`` intp (n,) of one of the paper's data sets."""
    found = load(data)
    return without_date(found), found.y


def tuning_parts(n, seed):
    """Five training parts, each four fifths of the four fifths that are not the test part.

    Returns
    -------
    test : intp, floor(n / 5) row numbers
    folds : list of `N_FOLDS` pairs (training rows, validation rows)
    """
    order = np.random.default_rng(seed).permutation(n)
    test, rest = order[: n // 5], order[n // 5 :]
    parts = np.array_split(rest, N_FOLDS)
    return test, [
        (np.concatenate([part for j, part in enumerate(parts) if j != i]), parts[i]) for i in range(N_FOLDS)
    ]


def test_folds(n, n_draws):
    """Training and test rows of every run of the first draws, a draw's five runs one after the other.

    Returns
    -------
    list of ``n_draws * N_FOLDS`` pairs, as `treelib.topdown.fit_grid` takes them
    """
    draws = (tuning_parts(n, seed) for seed in range(n_draws))
    return [(train, test) for test, folds in draws for train, _ in folds]


def pruning_parts(n, seed):
    """Random split of the rows, a fifth of them (rounded up) for the test: `Parts`."""
    from sklearn.model_selection import train_test_split

    return Parts(*train_test_split(np.arange(n), test_size=0.2, random_state=seed))


def show(point):
    """A pair (alpha, beta) for readers."""
    return f"({point[0]:g}, {point[1]})"


# ---- what a mean over splits is worth ---------------------------------------------------------------

LEVEL = 0.95


def half_width(values, axis=0):
    """Half width of the 95 % confidence interval of the mean, by Student's t."""
    from scipy.stats import t

    values = np.asarray(values, dtype=float)
    n = values.shape[axis]
    return t.ppf((1 + LEVEL) / 2, n - 1) * values.std(axis=axis, ddof=1) / np.sqrt(n)


SURE = 0.01  # chance that any of several tests is passed by chance


def sure_width(values, n_tests):
    """By how much the mean of one of several samples must be above 0, so that chance passes any of the tests
    with a probability of `SURE`: one-sided, by Student's t."""
    from scipy.stats import t

    values = np.asarray(values, dtype=float)
    return float(t.ppf(1 - SURE / n_tests, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values)))


def lead_text(what, lead, width):
    """A mean lead in points and the one that is needed, as `sure_width` gives it, in words."""
    return f"{what}, {lead:+.2f} points, {width:.2f} needed"


def own_over_common(accuracy):
    """What the best parameter of each data set gains over the one that is best for all of them together.

    Both are chosen on one half of the draws and compared on the other half, both ways.

    Parameters
    ----------
    accuracy : dict of data set to float (n_draws, n_points), over the same points

    Returns
    -------
    dict of data set to float (n_draws,)
    """
    found = {data: [] for data in accuracy}
    for half in (0, 1):
        means = {data: one[half::2].mean(axis=0) for data, one in accuracy.items()}
        common = int(np.sum(list(means.values()), axis=0).argmax())
        for data, one in accuracy.items():
            own = int(means[data].argmax())
            found[data].append((one[:, own] - one[:, common])[1 - half :: 2])
    return {data: np.concatenate(gains) for data, gains in found.items()}
