"""What the stored results say: means, their uncertainty, and how stable a choice is.

All accuracies are percentages. A random split is drawn for each seed; since all splits are of one data set
they are not independent, so a confidence interval over seeds says how far the mean depends on the draw of
splits, not how far on the data.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cache

import numpy as np

from treelib.ledger import store
from treelib.papers.tsallis import boosting as tsallis_boosting
from treelib.papers.tsallis import pruning, splits
from treelib.papers.tsallis import tuning as tsallis_tuning
from treelib.papers.tsallis.splits import GRID_ALPHAS, GRID_BETAS, STANDARD

LEVEL = 0.95
N_RESAMPLES = 1000


def half_width(values, axis=0):
    """Half width of the 95 % confidence interval of the mean, by Student's t."""
    from scipy.stats import t

    values = np.asarray(values, dtype=float)
    n = values.shape[axis]
    return t.ppf((1 + LEVEL) / 2, n - 1) * values.std(axis=axis, ddof=1) / np.sqrt(n)


def central(values):
    """The range of the central 95 % of `values`, a pair of float."""
    low, high = np.quantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


# ---- the grid of criteria: Table 1, Figures 3 and 6 ----------------------------------------------------


@dataclass(frozen=True, eq=False)
class Tuning:
    """Accuracies over the grid of (alpha, beta) on one data set.

    Attributes
    ----------
    data : str
    test : float (n_seeds, n_alphas, n_betas), mean of five runs on the test part
    valid : float (n_seeds, n_alphas, n_betas), mean of the five parts left out in cross validation
    spread : dict of a point to float (n_seeds,), half width of the 95 % interval of the five runs
    leaves : dict of a point to float, mean leaves of its trees
    alphas, betas : tuples, the grid
    """

    data: str
    test: np.ndarray
    valid: np.ndarray
    spread: dict
    leaves: dict
    alphas: tuple = GRID_ALPHAS
    betas: tuple = GRID_BETAS

    @property
    def n_seeds(self):
        return len(self.test)

    @property
    def mean(self):
        """float (n_alphas, n_betas), over all seeds"""
        return self.test.mean(axis=0)

    def index(self, point):
        """Place of a pair (alpha, beta) in the grid."""
        return self.alphas.index(point[0]), self.betas.index(point[1])

    def point(self, index):
        """(alpha, beta) of a place in the flattened grid."""
        i, j = np.unravel_index(index, self.mean.shape)
        return self.alphas[i], self.betas[j]

    def at(self, point):
        """Test accuracy of all seeds at one point of the grid, float (n_seeds,)."""
        return self.test[(slice(None), *self.index(point))]

    @property
    def best(self):
        """(alpha, beta) of the highest mean accuracy; the first of equals."""
        return self.point(self.mean.argmax())

    def winners(self):
        """How often each point is the best of a single seed; equals share one vote. Counter, most first."""
        votes = Counter()
        for test in self.test.reshape(self.n_seeds, -1):
            equal = np.flatnonzero(test == test.max())
            for index in equal:
                votes[self.point(index)] += 1 / len(equal)
        return votes

    def n_equal(self):
        """Mean number of points of the grid that share the first place of a seed."""
        flat = self.test.reshape(self.n_seeds, -1)
        return float((flat == flat.max(axis=1, keepdims=True)).sum(axis=1).mean())

    def resampled(self):
        """How often each point is the best when the seeds are drawn anew with replacement: shares."""
        random = np.random.default_rng(0)
        flat = self.test.reshape(self.n_seeds, -1)
        draws = random.multinomial(self.n_seeds, [1 / self.n_seeds] * self.n_seeds, size=N_RESAMPLES)
        winners = (draws @ flat).argmax(axis=1)
        return Counter({self.point(i): n / N_RESAMPLES for i, n in Counter(winners.tolist()).most_common()})

    def near_best(self):
        """Share of the grid whose mean is not significantly below the best one, by paired differences."""
        flat = self.test.reshape(self.n_seeds, -1)
        lost = flat[:, [flat.mean(axis=0).argmax()]] - flat
        return float((lost.mean(axis=0) <= half_width(lost)).mean())

    def gain(self, point, over):
        """Mean paired difference of accuracy of two points, and the half width of its interval."""
        difference = self.at(point) - self.at(over)
        return float(difference.mean()), float(half_width(difference))

    def halves(self, over=STANDARD["Gini"]):
        """Gain over a standard criterion of the point that is best on one half of the seeds, measured on the
        other half, both ways: what is left when the point is not chosen on the splits it is judged on."""
        gains = []
        for chosen_on, judged_on in ((0, 1), (1, 0)):
            point = self.point(self.test[chosen_on::2].mean(axis=0).argmax())
            gains.append((self.at(point) - self.at(over))[judged_on::2])
        gains = np.concatenate(gains)
        return float(gains.mean()), float(half_width(gains))

    def learned(self, over=(STANDARD["Gini"],)):
        """Gain of the point that cross validation picks within each seed, on that seed's test part: what
        somebody gets who learns the parameters from the data. Of equals the mean.

        over : points among which cross validation picks for comparison, in the same way
        """
        places = tuple(np.array([self.index(point) for point in over]).T)
        gains = []
        for valid, test in zip(self.valid, self.test, strict=True):
            few = test[places][valid[places] == valid[places].max()].mean()
            gains.append(test[valid == valid.max()].mean() - few)
        return float(np.mean(gains)), float(half_width(gains))


@cache
def tuning(data):
    """`Tuning` of a data set, or None where its results cannot be had (the data are not at hand)."""
    cases = [case for case in store.registry.get("tsallis.tuning").cases() if case["data"] == data]
    try:
        frame = store.results("tsallis.tuning", cases=cases)
    except store.Missing:
        return None
    n_test, n_valid = (frame[name].to_numpy()[:, None, None] for name in ("n_test", "n_valid"))
    test, valid, runs = (np.array(frame[name].tolist()) for name in ("test", "valid", "runs"))
    widths = half_width(100 * runs / n_test, axis=2)
    marked = tsallis_tuning.MARKED[data]
    spread = dict(zip(marked, widths.T, strict=True))
    leaves = dict(zip(marked, np.mean(frame["leaves"].tolist(), axis=0) / splits.N_FOLDS, strict=True))
    return Tuning(data, 100 * test / n_test / splits.N_FOLDS, 100 * valid / n_valid, spread, leaves)


@cache
def readings(data):
    """How the named point of a data set fares under each of `tsallis_readings.READINGS`.

    Returns
    -------
    dict of reading to dict: ``rank``; ``lost`` and ``gain``, pairs of mean and half width of the interval;
    ``first``, share of the draws on which no point is above it. None without results.
    """
    try:
        frame = store.results("tsallis.readings", cases=[{"data": data}])
    except store.Missing:
        return None
    found = {}
    for row in frame.to_dict("records"):
        lost, gain = ((float(np.mean(row[name])), float(half_width(row[name]))) for name in ("lost", "gain"))
        first = row["is_first"] / len(row["lost"])
        found[row["reading"]] = {"rank": row["rank"], "lost": lost, "gain": gain, "first": first}
    return found


def in_other_readings(data):
    """What other readings of the setting say of the named point, to follow a cause; empty without results."""
    known = readings(data)
    if known is None:
        return ""
    near = sum(one["lost"][0] <= one["lost"][1] for one in known.values())
    ahead = sum(one["gain"][0] > one["gain"][1] for one in known.values())
    return (
        f". Of {len(known)} readings of the setting (depths, limits, rows, thresholds) it is not told apart "
        f"from the best in {near}, and significantly ahead of Gini in {ahead}"
    )


# ---- the loss as a function of alpha -------------------------------------------------------------------


@cache
def exact(data, beta):
    """Mean test loss as an exact function of alpha.

    Returns
    -------
    breakpoints : float (n + 1,). losses : float (n,). pieces : list of int, behaviours on each instance
    """
    case = {"data": data, "beta": beta}
    row = store.results("tsallis.exact-alpha", cases=[case]).iloc[0]
    return np.array(row["breakpoints"]), np.array(row["losses"]), list(row["pieces"])


def grid_agreement():
    """How many losses of the exact function equal those that the learner gave on the grid.

    Returns
    -------
    n_equal, n_all, n_edges : int. Not in `n_all` are the `n_edges` points that are breakpoints, where two
    trees are equally good and either may be grown.
    """
    frame = store.results("tsallis.exact-alpha")
    n_equal = n_all = n_edges = 0
    for data, beta, at_grid, on_edge in zip(
        *(frame[name] for name in ("data", "beta", "at_grid", "on_edge")), strict=True
    ):
        at_grid = np.array(at_grid)
        inside = np.ones(at_grid.shape, dtype=bool)
        for i, seed in on_edge:
            inside[i, seed] = False
        found = tuning(data)
        n_test = len(splits.samples(data)[1]) // 5
        test = found.test[: at_grid.shape[1], :, found.betas.index(beta)].T
        wrong = np.rint((1 - test / 100) * n_test * splits.N_FOLDS)
        n_equal += int((wrong == at_grid)[inside].sum())
        n_all += int(inside.sum())
        n_edges += int((~inside).sum())
    return n_equal, n_all, n_edges


# ---- pruning: Table 2, Figures 1, 2 and 5 --------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Pruned:
    """Accuracies of pruned trees on many splits of one data set under one criterion.

    Attributes
    ----------
    rows : list of dict, as `pruning.prune_splits` gives them
    complexities : float (n,), all breakpoints of all splits, the first is 0
    accuracy, leaves : (n_splits, n), of each split's tree on ``[complexities[k], complexities[k + 1])``
    """

    rows: list
    complexities: np.ndarray
    accuracy: np.ndarray
    leaves: np.ndarray

    def column(self, name):
        """Accuracy of a method on each split, float (n_splits,); ``bottom_up`` has a column for each c1."""
        right = np.array([row[name] for row in self.rows], dtype=float)
        n_test = np.array([row["n_test"] for row in self.rows])
        return 100 * (right.T / n_test).T

    @property
    def mean(self):
        """Mean accuracy as a step function of the complexity, float (n,)."""
        return self.accuracy.mean(axis=0)

    @property
    def best(self):
        """(complexity, accuracy): the middle of the longest piece of highest mean accuracy."""
        return _middle(self.complexities, self.mean), float(self.mean.max())

    def fixed(self):
        """Accuracy of each split at the complexity that is best over all splits."""
        return self.accuracy[:, int(self.mean.argmax())]

    def oracle(self):
        """Accuracy of each split at the complexity that is best for this very test part."""
        return self.accuracy.max(axis=1)

    def learned(self):
        """Accuracy of each split at a complexity that is best over the other splits."""
        others = self.accuracy.sum(axis=0) - self.accuracy
        return np.array([own[rest.argmax()] for own, rest in zip(self.accuracy, others, strict=True)])

    def best_of_each(self):
        """Best complexity of each split alone, float (n_splits,)."""
        return np.array([_middle(self.complexities, one) for one in self.accuracy])

    def frontier(self, eta=pruning.ETA):
        """Mean of leaves and accuracy at every complexity, and the objective loss + eta leaves.

        Returns
        -------
        leaves, accuracy, objective : float (n,); the objective in fractions, not percent
        """
        leaves = self.leaves.mean(axis=0)
        return leaves, self.mean, 1 - self.mean / 100 + eta * leaves

    def of_size(self, size):
        """Accuracy of the largest tree of each split's path that has at most so many leaves."""
        return self.accuracy[np.arange(len(self.rows)), (self.leaves <= size).argmax(axis=1)]


def _middle(complexities, values):
    """Middle of the longest run of pieces with the highest value; the start of one without an end."""
    is_best = np.append(values == values.max(), False)
    starts = np.flatnonzero(is_best[:-1] & ~np.append(False, is_best[:-2]))
    ends = np.append(complexities, np.inf)
    runs = [(ends[start], ends[start + int(np.argmin(is_best[start:]))]) for start in starts]
    low, high = max(runs, key=lambda run: run[1] - run[0])
    return float(low if np.isinf(high) else (low + high) / 2)


@cache
def pruned(data, alpha, beta):
    """`Pruned` of a data set under the (alpha, beta)-Tsallis criterion."""
    case = {"data": data, "alpha": alpha, "beta": beta}
    rows = store.results("tsallis.pruning", cases=[case]).to_dict("records")
    complexities = np.unique(np.concatenate([row["complexities"] for row in rows]))
    accuracy, leaves = [], []
    for row in rows:
        piece = np.searchsorted(row["complexities"], complexities, side="right") - 1
        accuracy.append(100 * np.array(row["path_right"])[piece] / row["n_test"])
        leaves.append(np.array(row["path_leaves"])[piece])
    return Pruned(rows, complexities, np.array(accuracy), np.array(leaves))


# ---- boosting: Figure 4 --------------------------------------------------------------------------------


@cache
def boosting(data):
    """Accuracy of XGBoost, float (n_splits, n_lambdas), or None where the results cannot be had."""
    cases = [case for case in store.registry.get("tsallis.boosting").cases() if case["data"] == data]
    try:
        frame = store.results("tsallis.boosting", cases=cases)
    except store.Missing:
        return None
    blocks = zip(frame["right"], frame["n_test"], strict=True)
    return np.concatenate([100 * np.array(right) / n_test for right, n_test in blocks])


def boosting_choice(data):
    """Best lambda of a data set and how sure it is; None without results.

    Returns
    -------
    dict: ``best``, the lambda of highest mean accuracy; ``share``, how often it wins when the splits are
    drawn anew; ``set``, the lambdas not significantly worse by paired differences; ``accuracy``, float
    """
    accuracy = boosting(data)
    if accuracy is None:
        return None
    best = int(accuracy.mean(axis=0).argmax())
    draws = np.random.default_rng(0).multinomial(
        len(accuracy), [1 / len(accuracy)] * len(accuracy), size=N_RESAMPLES
    )
    winners = (draws @ accuracy).argmax(axis=1)
    lost = accuracy[:, [best]] - accuracy
    near = lost.mean(axis=0) <= half_width(lost)
    lambdas = tsallis_boosting.LAMBDAS
    return {
        "best": lambdas[best],
        "share": float((winners == best).mean()),
        "set": [value for value, keep in zip(lambdas, near, strict=True) if keep],
        "accuracy": float(accuracy[:, best].mean()),
    }
