"""Table 1, Figures 3 and 6: test accuracy over the grid of (alpha, beta), on many random splits.

For each seed a fifth of the rows is held out for the test, and the others are cut in five; each of the five
training sets leaves one part out (`splits.tuning_parts`), on which cross validation measures, and each of
the five trees is measured on the test part too, which is what the paper prints. Trees have depth 5, and are
not pruned. A node is split unless every split makes the criterion worse, which only happens where it is not
concave.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cache

import numpy as np

from treelib.ledger import store
from treelib.ledger.experiments import experiment
from treelib.ledger.protocol import notes
from treelib.ledger.protocol.judging import Trials, Wins, judge_statement
from treelib.papers.tsallis import splits
from treelib.papers.tsallis.splits import GRID_ALPHAS, GRID_BETAS, MAX_DEPTH, STANDARD, half_width
from treelib.topdown.grid.fit_grid import fit_grid, tsallis_grid

N_SEEDS, BLOCK = 50, 10
N_SEEDS_LOOK_ALIKE, BLOCK_LOOK_ALIKE = 10, 5  # of many features, and of no printed number
MARKED = {  # points whose runs are kept one by one
    data: list(dict.fromkeys([*STANDARD.values(), *([splits.NAMED[data]] if data in splits.NAMED else [])]))
    for data in (*splits.MAIN, *splits.ADDITIONAL, *splits.LOOK_ALIKE)
}


def tuning_cases():
    """Blocks of seeds of every data set."""
    blocks = [(data, N_SEEDS, BLOCK) for data in (*splits.MAIN, *splits.ADDITIONAL)]
    blocks += [(data, N_SEEDS_LOOK_ALIKE, BLOCK_LOOK_ALIKE) for data in splits.LOOK_ALIKE]
    return [
        {"data": data, "first_seed": first, "n_seeds": block}
        for data, n_seeds, block in blocks
        for first in range(0, n_seeds, block)
    ]


@experiment(
    "tsallis.tuning",
    item="Table 1, Figures 3 and 6",
    title="Test accuracy over (alpha, beta)",
    cases=tuning_cases,
    datasets=splits.data_of,
    seconds=44,
)
def tune(case):
    """Rows predicted rightly at every point of the grid, one row for each seed of the block.

    Returns
    -------
    list of dict: ``seed``; ``n_test``, ``n_valid``, rows of the test part and of all validation parts
    together; what `count_right` counts
    """
    X, y = splits.samples(case["data"])
    rows = []
    for seed in range(case["first_seed"], case["first_seed"] + case["n_seeds"]):
        test, folds = splits.tuning_parts(len(y), seed)
        counts = count_right(X, y, test, folds, MARKED[case["data"]])
        rows.append({"seed": seed, "n_test": len(test), "n_valid": len(y) - len(test), **counts})
    return rows


def count_right(X, y, test, folds, marked, alphas=GRID_ALPHAS, betas=GRID_BETAS):
    """Rows predicted rightly over the grid.

    Returns
    -------
    dict: ``test``, ``valid``, lists over alphas of lists over betas of rows right, summed over the runs;
    ``runs``, for each point of `marked` the list of the runs' rows right on the test part; ``leaves``, for
    each point of `marked` the leaves of the runs' trees together
    """
    criteria = tsallis_grid(alphas, betas)
    shape = len(alphas), len(betas), len(folds)

    # one growth of the trees of a training part, which are measured on both of its other parts
    valid = [rows for _, rows in folds]
    found = fit_grid(
        X, y, criteria, folds=[(train, test) for train, _ in folds], other=valid, max_depth=MAX_DEPTH
    )

    def counted(accuracy, n_rows):
        return np.rint(accuracy * n_rows).astype(np.int64).reshape(shape)

    on_test = counted(found.accuracy, len(test))
    on_valid = counted(found.other_accuracy, [len(rows) for rows in valid])
    leaves = found.n_leaves.reshape(shape)
    places = [(alphas.index(alpha), betas.index(beta)) for alpha, beta in marked]
    return {
        "test": on_test.sum(axis=2).tolist(),
        "valid": on_valid.sum(axis=2).tolist(),
        "runs": [on_test[i, j].tolist() for i, j in places],
        "leaves": [int(leaves[i, j].sum()) for i, j in places],
    }


N_RESAMPLES = 1000


@dataclass(frozen=True, eq=False)
class Tuning:
    """Accuracies over the grid of (alpha, beta) on one data set.

    Attributes
    ----------
    data : str
    test : float (n_seeds, n_alphas, n_betas), mean of five runs on the test part
    valid : float (n_seeds, n_alphas, n_betas), mean of the five parts left out in cross validation
    runs : dict of a point to float (n_seeds, 5), its runs on the test part
    leaves : dict of a point to float, mean leaves of its trees
    alphas, betas : tuples, the grid
    """

    data: str
    test: np.ndarray
    valid: np.ndarray
    runs: dict
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

    def rank(self, point):
        """Place of a point by mean accuracy, 1 for the best."""
        return int((self.mean > self.mean[self.index(point)]).sum()) + 1

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
    marked = MARKED[data]
    single = dict(zip(marked, np.swapaxes(100 * runs / n_test, 0, 1), strict=True))
    leaves = dict(zip(marked, np.mean(frame["leaves"].tolist(), axis=0) / splits.N_FOLDS, strict=True))
    return Tuning(data, 100 * test / n_test / splits.N_FOLDS, 100 * valid / n_valid, single, leaves)


def judge_different(claim_id, accuracy, numbers, **source):
    """Verdict on "data sets want different parameters": one test a data set, its best against a common one.

    accuracy : dict of data set to float (n_draws, n_points). numbers, source : as for `judge_somewhere`
    """
    found, trials = splits.own_over_common(accuracy), []
    for data, gains in found.items():
        width = splits.sure_width(gains, len(found))
        trials.append((splits.lead_text(data, gains.mean(), width), bool(gains.mean() > width)))
    return judge_somewhere(claim_id, trials, numbers, **source)


def judge_somewhere(claim_id, trials, numbers, **source):
    """Verdict on a claim that something can be; that our draws do not show it does not refute it.

    trials : list of (str, bool), tests of random runs. numbers : dict, for the sentences of the notes, which
    have the trials as well, `leads`. source : experiment
    """
    numbers = {"leads": "; ".join(text for text, _ in trials), **numbers}
    where = notes.text(claim_id, notes.CASES, numbers)
    tried = Trials.of(trials, where, chance=splits.SURE / len(trials))
    return judge_statement(claim_id, tried, withhold=not tried.held, numbers=numbers, **source)


# ---- the best point of one choice, many times ------------------------------------------------------------

N_CHOICES = 500


@experiment(
    "tsallis.choice",
    item="Table 1, Appendix B.1",
    title="The best (alpha, beta) of many draws",
    cases=lambda: [{"data": data} for data in splits.NAMED],
    datasets=splits.data_of,
    seconds=105,
)
def choose(case):
    """The point that the paper names among all of the grid, over `N_CHOICES` draws of five runs.

    Returns
    -------
    dict: ``wins``, for each alpha a list over betas of the draws on which the point is the best, of equals
    each a part; ``wins_of_beta``, the same among the betas of the named alpha; ``rank`` of the named point by
    mean accuracy; ``lost``, mean and half width of what it lies below the point that is best on the other
    half of the draws; ``level``, share of the grid not significantly below the best; ``over_km96``, for each
    beta mean and half width of the lead at the alpha of KM96 over KM96
    """
    X, y = splits.samples(case["data"])
    criteria, right = tsallis_grid(GRID_ALPHAS, GRID_BETAS), []
    for seed in range(N_CHOICES):
        test, folds = splits.tuning_parts(len(y), seed)
        parts = [(train, test) for train, _ in folds]
        right.append(fit_grid(X, y, criteria, folds=parts, max_depth=MAX_DEPTH).accuracy.mean(axis=1))
    test = (100 * np.array(right)).round(9).reshape(N_CHOICES, len(GRID_ALPHAS), len(GRID_BETAS))
    found, named = Tuning(case["data"], test, test, {}, {}), splits.NAMED[case["data"]]
    votes, alpha = found.winners(), GRID_ALPHAS.index(named[0])
    of_beta = test[:, alpha] == test[:, alpha].max(axis=1, keepdims=True)
    km96 = STANDARD["KM96"]
    return {
        "wins": [[round(votes[a, b], 6) for b in GRID_BETAS] for a in GRID_ALPHAS],
        "wins_of_beta": (of_beta / of_beta.sum(axis=1, keepdims=True)).sum(axis=0).round(6).tolist(),
        "rank": int((found.mean > found.mean[found.index(named)]).sum()) + 1,
        "lost": list(found.halves(over=named)),
        "level": found.near_best(),
        "over_km96": [list(found.gain((km96[0], beta), km96)) for beta in GRID_BETAS],
    }


@cache
def chosen(data):
    """Result of `choose`."""
    return store.record("tsallis.choice", {"data": data})["result"]


def wins(data, part):
    """How often each (alpha, beta) is the best, as evidence on alpha (`part` 0) or beta (1): `Wins`."""
    points = [(alpha, beta) for alpha in GRID_ALPHAS for beta in GRID_BETAS]
    counts = dict(zip(points, np.ravel(chosen(data)["wins"]).tolist(), strict=True))
    return Wins(counts, round(sum(counts.values())), splits.NAMED[data], part)


# ---- Figures 3 and 6 -------------------------------------------------------------------------------------


def map_of(rows):
    """Mean test accuracy in percent over the grid, from rows of the experiment: DataFrame, alpha by beta."""
    import pandas as pd

    shares = [
        np.array(right) / (splits.N_FOLDS * n) for right, n in zip(rows["test"], rows["n_test"], strict=True)
    ]
    return pd.DataFrame(100 * np.mean(shares, axis=0), GRID_ALPHAS, GRID_BETAS)


def draw_maps(maps):
    """Heat maps as in Figures 3 and 6: the best point and the standard criteria marked.

    maps : dict of data set to DataFrame of accuracy, alpha by beta
    """
    import matplotlib.pyplot as plt
    from matplotlib.patheffects import withStroke

    from treelib.tree.style import use_style

    use_style()
    n_rows = -(-len(maps) // 2)
    figure, panels = plt.subplots(n_rows, 2, figsize=(7, 3.2 * n_rows), squeeze=False)
    for panel in panels.flat[len(maps) :]:
        panel.set_visible(False)
    for panel, (data, accuracy) in zip(panels.flat, maps.items(), strict=False):
        alphas, betas = list(accuracy.index), list(accuracy.columns)
        drawn = panel.pcolormesh(
            range(len(betas)), range(len(alphas)), accuracy, cmap="viridis", shading="nearest"
        )
        figure.colorbar(drawn, ax=panel, format="%.2f")
        alpha, beta = accuracy.stack().idxmax()
        panel.plot(betas.index(beta), alphas.index(alpha), "*", color="#dd1fa6", markersize=12)
        for name, (alpha, beta) in STANDARD.items():
            if alpha in alphas and beta in betas:
                outline = [withStroke(linewidth=2.5, foreground="#14181e")]
                place = betas.index(beta), alphas.index(alpha)
                panel.text(*place, name[0], color="#ffffff", ha="center", va="center", path_effects=outline)
        panel.set(
            title=data,
            xlabel="β",
            ylabel="\N{GREEK SMALL LETTER ALPHA}",
            xticks=range(len(betas)),
            xticklabels=betas,
        )
        panel.set(yticks=range(0, len(alphas), 4), yticklabels=[f"{value:g}" for value in alphas[::4]])
        panel.grid(False)
    plt.show()
