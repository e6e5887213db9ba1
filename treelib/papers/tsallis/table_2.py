"""Table 2 and Figures 1, 2 and 5: trees pruned by every method on many random splits.

The paper leaves open on which rows reduced error pruning prunes, the constants of the bottom-up rule, and
what "the best parameter" is chosen on. Settings here: a quarter of the training rows is held out for reduced
error pruning, which grows its tree on the others; ``c2 = 0`` and several ``c1``; and of cost-complexity
pruning the whole exact step function is kept, so that every way to choose can be looked at afterwards.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from treelib import TopDownTreeClassifier
from treelib.ledger import store
from treelib.ledger.claims import find
from treelib.ledger.experiments import experiment
from treelib.papers.tsallis import splits
from treelib.papers.tsallis.splits import STANDARD
from treelib.topdown.prune import methods

N_SPLITS = 50
HELD_OUT = 4  # one row in so many is kept from growing for reduced error pruning
C1 = (0.1, 0.25, 0.5, 1.0, 2.0)
VARIED_ALPHAS = (0.5, 1.0, 1.5, 2.0, 2.5)  # Figure 5, beta = 1
VARIED_BETAS = (1, 2, 4, 8)  # Figure 5, alpha = 1.5
FIXED_BETA, FIXED_ALPHA = 1, 1.5
ETA = 0.01


def pruning_cases():
    """Entropy for Table 2, Gini for Figures 1 and 2, and the varied criteria for Figure 5."""
    wanted = [(data, *STANDARD["Entropy"]) for data in splits.PRUNED]
    wanted += [(data, *STANDARD["Gini"]) for data in splits.MAIN]
    for data in ("Iris", "Wine"):
        wanted += [(data, alpha, FIXED_BETA) for alpha in VARIED_ALPHAS]
        wanted += [(data, FIXED_ALPHA, beta) for beta in VARIED_BETAS]
    return [{"data": data, "alpha": alpha, "beta": beta} for data, alpha, beta in dict.fromkeys(wanted)]


@experiment(
    "tsallis.pruning",
    item="Table 2, Figures 1, 2 and 5",
    title="Trees grown to the end, pruned by five methods",
    cases=pruning_cases,
    datasets=splits.data_of,
    seconds=5,
)
def prune_splits(case):
    """One row for each of `N_SPLITS` random splits.

    Returns
    -------
    list of dict: ``split``; ``n_test``; ``unpruned``, test rows that the grown tree predicts rightly, and its
    ``leaves``; ``complexities``, ``path_leaves`` and ``path_right``, the exact step function of minimal
    cost-complexity pruning; ``reduced_error``, ``top_down`` and, for each of `C1`, ``bottom_up``, test rows
    predicted rightly, and the leaves of each as ``..._leaves``.
    """
    X, y = splits.samples(case["data"])
    return [prune_split(X, y, case["alpha"], case["beta"], split) for split in range(N_SPLITS)]


def prune_split(X, y, alpha, beta, split):
    """One row of `prune_splits`."""
    train, test = splits.pruning_parts(len(y), split)
    tree = grow(X[train], y[train], alpha, beta)
    path = methods.cost_complexity_path(tree)
    grown_on, held_out = train[len(train) // HELD_OUT :], train[: len(train) // HELD_OUT]
    smaller = grow(X[grown_on], y[grown_on], alpha, beta)
    reduced = methods.prune_reduced_error(smaller, X[held_out], y[held_out])
    top_down = methods.prune_top_down_pessimistic(tree)
    bottom_up = [methods.prune_bottom_up_pessimistic(tree, c1) for c1 in C1]

    def n_right(pruned):
        return int((pruned.predict(X[test]) == y[test]).sum())

    wrong = path.costs(methods.wrong_counts(tree.recount(X[test], y[test])))
    return {
        "split": split,
        "n_test": len(test),
        "unpruned": n_right(tree),
        "leaves": tree.n_leaves,
        "complexities": [float(complexity) for complexity in path.breakpoints],
        "path_leaves": path.n_leaves.tolist(),
        "path_right": (len(test) - wrong).astype(int).tolist(),
        "reduced_error": n_right(reduced),
        "reduced_error_leaves": reduced.n_leaves,
        "top_down": n_right(top_down),
        "top_down_leaves": top_down.n_leaves,
        "bottom_up": [n_right(pruned) for pruned in bottom_up],
        "bottom_up_leaves": [pruned.n_leaves for pruned in bottom_up],
    }


def grow(X, y, alpha, beta, **limits):
    """Tree of an (alpha, beta)-Tsallis criterion, grown until no split is left, or to its `limits`."""
    return TopDownTreeClassifier(criterion="tsallis", alpha=alpha, beta=beta, **limits).fit(X, y).tree_


SCANNED = {"Iris": 300, "Digits": 40, "Breast cancer": 300, "Wine": 300}  # single splits that are tried


@experiment(
    "tsallis.one-split",
    item="Table 2",
    title="Single splits, in search of one that gives a whole row",
    cases=lambda: [
        {"data": data, "criterion": name} for data in splits.PRUNED for name in ("Entropy", "Gini")
    ],
    datasets=splits.data_of,
    seconds=14,
)
def one_split(case):
    """Test rows predicted rightly by every method on each of many splits.

    Returns
    -------
    list of dict: ``split``, ``unpruned``, ``mccp`` (best tree of the path on the test part), ``rep``, ``tdp``
    and ``bup``, the last a list for `C1`
    """
    X, y = splits.samples(case["data"])
    found = []
    for split in range(SCANNED[case["data"]]):
        row = prune_split(X, y, *STANDARD[case["criterion"]], split)
        names = {"unpruned": "unpruned", "rep": "reduced_error", "tdp": "top_down", "bup": "bottom_up"}
        kept = {name: row[column] for name, column in names.items()}
        found.append({"split": split, "mccp": max(row["path_right"]), **kept})
    return found


TABLE_2 = {"iris": "Iris", "digits": "Digits", "breast-cancer": "Breast cancer", "wine": "Wine"}
N_TEST_2 = {"Iris": 30, "Digits": 360, "Breast cancer": 114, "Wine": 36}
DEFAULT_C1 = 0.1  # fitted: of `C1` the one whose splits hold all four printed cells, see data/fitted.csv
METHODS_2 = {
    "unpruned": "no pruning",
    "mccp": "cost-complexity",
    "rep": "reduced error",
    "tdp": "top-down pessimistic",
    "bup": "bottom-up pessimistic",
}


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

    def frontier(self, eta=ETA):
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
    """`Pruned` of a data set under the (alpha, beta)-Tsallis criterion, from the stored results."""
    case = {"data": data, "alpha": alpha, "beta": beta}
    return collect(store.results("tsallis.pruning", cases=[case]).to_dict("records"))


def collect(rows):
    """`Pruned` of the rows that `prune_split` gives, one a split."""
    complexities = np.unique(np.concatenate([row["complexities"] for row in rows]))
    accuracy, leaves = [], []
    for row in rows:
        piece = np.searchsorted(row["complexities"], complexities, side="right") - 1
        accuracy.append(100 * np.array(row["path_right"])[piece] / row["n_test"])
        leaves.append(np.array(row["path_leaves"])[piece])
    return Pruned(rows, complexities, np.array(accuracy), np.array(leaves))


def methods_of(results):
    """Accuracies on each split behind a row of Table 2: dict of column to float (n_splits,).

    results : `Pruned`
    """
    return {
        "unpruned": results.column("unpruned"),
        "mccp": results.fixed(),
        "rep": results.column("reduced_error"),
        "tdp": results.column("top_down"),
        "bup": results.column("bottom_up")[:, C1.index(DEFAULT_C1)],
    }


def is_one_split(claim_id, data):
    """Whether a cell of Table 2 is the accuracy of a single test part, at the printed digits."""
    return is_share(float(find(claim_id).number), N_TEST_2[data])


def is_share(printed, n):
    """Whether a printed percentage is a whole number of `n` rows, at its two digits."""
    near = int(printed * n / 100)
    return any(f"{100 * k / n:.2f}" == f"{printed:.2f}" for k in range(near - 1, near + 3))


def chances_of_one_split():
    """Chance that a mean over the printed number of splits looks like one split, for each cell that does.

    Returns
    -------
    chances : list of float. n_cells : int, of Table 2
    """
    n_splits = int(find("tsallis.sb-2.pruning.splits").number)
    ids = {f"tsallis.t2.{key}.acc-{column}": data for key, data in TABLE_2.items() for column in METHODS_2}
    single = [N_TEST_2[data] for claim_id, data in ids.items() if is_one_split(claim_id, data)]
    # a mean over s splits of n rows is a multiple of 1 / (s n), known to a hundredth of a percent
    return [max(1 / n_splits, n / 1e4) for n in single], len(ids)
