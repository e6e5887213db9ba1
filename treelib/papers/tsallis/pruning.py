"""Table 2 and Figures 1, 2 and 5: trees pruned by every method on many random splits.

The paper leaves open on which rows reduced error pruning prunes, the constants of the bottom-up rule, and
what "the best parameter" is chosen on. Settings here: a quarter of the training rows is held out for reduced
error pruning, which grows its tree on the others; ``c2 = 0`` and several ``c1``; and of cost-complexity
pruning the whole exact step function is kept, so that every way to choose can be looked at afterwards.
"""

from treelib import TopDownTreeClassifier
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
    datasets=lambda case: (splits.NAMES[case["data"]],),
    seconds=5,
    kind="exact",
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


def grow(X, y, alpha, beta):
    """Tree of an (alpha, beta)-Tsallis criterion, grown until no split is left."""
    return TopDownTreeClassifier(criterion="tsallis", alpha=alpha, beta=beta).fit(X, y).tree_
