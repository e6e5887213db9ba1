"""Optimal dyadic trees against CART on the three large data sets (Table 7).

The paper's protocol: ten random partitions into design and test rows. For dyadic trees the design set is cut
into training and validation rows, and of all solutions of the training rows the one with the least validation
error is taken. CART grows on the whole design set by the Gini index and is pruned by cost-complexity with ten
folds. Not said, and chosen here: among equally good solutions the smallest; the CART tree of least error in
the folds, not the smallest within one standard error of it, which is reported beside it.
"""

from math import sqrt

import numpy as np

from treelib import TopDownForestClassifier, datasets, dyadic
from treelib.ledger.experiments import experiment
from treelib.ledger.protocol.declared import declared, kept
from treelib.ledger.protocol.judging import WHOLE, Draws, Trials, judge_statement, judges
from treelib.papers.dyadic.settings import (
    LARGE,
    PARTS,
    ROWS,
    compressed,
    design_rows,
    load,
    training_rows,
)
from treelib.topdown.prune.methods import cost_complexity_path
from treelib.tree.stored import Tree

PARTITIONS = 10
MORE = {"spambase": 20}  # as many as a least and a largest value ask for
FOLDS = 10
SPAMBASE_ALL = "bornagain/Spambase"  # all 57 features
N_TREES = 200


@experiment(
    "dyadic.t7",
    item="Table 7",
    title="Optimal dyadic trees against CART, ten random partitions or twenty",
    cases=lambda: [{"row": row, "partition": i} for row in LARGE for i in range(MORE.get(row, PARTITIONS))],
    datasets=lambda case: (ROWS[case["row"]].data,),
    seconds=30,
    kind="statistical",
)
def table_7(case):
    row, partition = case["row"], case["partition"]
    X, y = load(row)
    design, test = design_rows(row, partition)
    train = training_rows(row, partition, partition)
    held_out = np.setdiff1d(design, train)
    grid = compressed(row, train).grid
    path = dyadic.solution_path(
        X[train], y[train], box=(grid.low, grid.high), max_splits=grid.n_splits, closed=grid.closed
    )
    # the classes are 0 and 1, so labels are codes
    errors = [solution.tree.error(X[held_out], y[held_out]) for solution in path]
    chosen = path[int(np.argmin(errors))]
    best, smallest = cart(X[design], y[design], seed=partition)
    return {
        "n_solutions": len(path),
        "odt_error": chosen.tree.error(X[test], y[test]),
        "odt_leaves": chosen.n_leaves,
        "cart_error": best.error(X[test], y[test]),
        "cart_leaves": best.n_leaves,
        "cart_1se_error": smallest.error(X[test], y[test]),
        "cart_1se_leaves": smallest.n_leaves,
    }


@experiment(
    "dyadic.all-features",
    item="Appendix A",
    title="Spambase with all its features, under the partitions of Table 7",
    cases=lambda: [{"partitions": PARTITIONS}],
    datasets=(ROWS["spambase"].data, SPAMBASE_ALL),
    seconds=15,
    kind="statistical",
)
def all_features(case):
    return [with_all_features(partition) for partition in range(case["partitions"])]


@experiment(
    "dyadic.mushroom-features",
    item="Appendix A",
    title="Mushroom with all its features: CART grown in full, under the partitions of Table 7",
    cases=lambda: [{"partitions": PARTITIONS}],
    datasets=(ROWS["mushroom"].data,),
    seconds=3,
    kind="statistical",
)
def mushroom_features(case):
    data = datasets.load(ROWS["mushroom"].data)
    found = []
    for partition in range(case["partitions"]):
        design, test = design_rows("mushroom", partition)
        tree = grown(data.X[design], data.y[design], seed=partition)
        found.append(
            {
                "partition": partition,
                "n_features": data.X.shape[1],
                "cart_wrong": int((tree.predict(data.X[test]) != data.y[test]).sum()),
                "n_test": len(test),
                "cart_leaves": tree.n_leaves,
            }
        )
    return found


def with_all_features(partition):
    """Test errors of CART and of a random forest on all features of Spambase: dict."""
    data = datasets.load(SPAMBASE_ALL)
    # this copy ends four rows earlier; the others are those of the four features, in the same order
    design, test = (rows[rows < len(data.y)] for rows in design_rows("spambase", partition))
    best, _ = cart(data.X[design], data.y[design], seed=partition)
    forest = TopDownForestClassifier(n_estimators=N_TREES, random_state=partition)
    forest.fit(data.X[design], data.y[design])
    return {
        "partition": partition,
        "cart_error": best.error(data.X[test], data.y[test]),
        "cart_leaves": best.n_leaves,
        "forest_error": float(1 - forest.score(data.X[test], data.y[test])),
    }


def cart(X, y, seed):
    """CART with pruning by ten folds: the tree of least error in the folds, and the smallest within one
    standard error of it."""
    random = np.random.default_rng(seed)
    fold = random.permutation(len(y)) % FOLDS
    whole = cost_complexity_path(grown(X, y, seed))
    breaks = list(map(float, whole.breakpoints))
    # the usual representative of a piece: the geometric mean of its ends
    alphas = [sqrt(a * b) for a, b in zip(breaks, [*breaks[1:], breaks[-1]], strict=True)]
    wrong = np.zeros(len(alphas))
    for k in range(FOLDS):
        path = cost_complexity_path(grown(X[fold != k], y[fold != k], seed))
        errors = path.errors(X[fold == k], y[fold == k])
        wrong += [errors[path.piece(alpha)] * (fold == k).sum() for alpha in alphas]
    error = wrong / len(y)
    # of equal errors the last one is the smallest tree
    best = len(error) - 1 - int(np.argmin(error[::-1]))
    limit = error[best] + sqrt(error[best] * (1 - error[best]) / len(y))
    return whole[best], whole[int(np.flatnonzero(error <= limit)[-1])]


def grown(X, y, seed):
    """The full CART tree by the Gini index."""
    from sklearn.tree import DecisionTreeClassifier

    return Tree.from_sklearn(DecisionTreeClassifier(random_state=seed).fit(X, y))


# ---- cells ------------------------------------------------------------------------------------------------

# Cells that print no error at all: a bound of half a unit of their last digit, 0.5, would refuse nothing.
ZEROS = {("odt", "error", part) for part in PARTS} | {("cart", "error", "min")}


def _of(method, what, part):
    """What a cell reads: errors or leaves of a method, where it prints 0 whether no test row is wrong."""

    def read(lines, peers):
        values = lines[f"{method}_{what}"]
        if lines["row"].iloc[0] != "mushroom" or (method, what, part) not in ZEROS:
            return Draws(values)
        wrong = zip(lines["partition"], values.tolist(), strict=True)
        trials = ((f"partition {partition}", error == 0, error) for partition, error in wrong)
        return Trials.of(trials, "partitions, no test row wrong")

    return read


@declared(
    "dyadic.t7.{row}.{cell}",
    {
        f"{method}-{what}-{part}": _of(method, what, part)
        for method in ("odt", "cart")
        for what in ("error", "leaves")
        for part in PARTS
    },
)
def partitions():
    """The trees of Table 7, a line a data set and partition."""
    return kept("dyadic.t7")


@judges("dyadic.sa.table-7.claim")
def judge_claim():
    """Verdict on what the paper concludes from the table: dyadic trees tend to be smaller than CART's."""
    mean = kept("dyadic.t7").groupby("row")[["odt_error", "cart_error", "odt_leaves", "cart_leaves"]].mean()
    mean = mean.loc[list(LARGE)]
    more = (mean["odt_leaves"] - mean["cart_leaves"]).to_dict()
    gaps = (mean["odt_error"] - mean["cart_error"]).to_dict()
    trials = ((f"{row}, mean leaves more than CART", n < 0, n) for row, n in more.items())
    numbers = {
        "as_nodes": int((mean["odt_leaves"] < 2 * mean["cart_leaves"] - 1).sum()),
        "gaps": ", ".join(f"{row} {gap:+.4f}" for row, gap in gaps.items()),
    }
    return [
        judge_statement("dyadic.sa.table-7.claim", trials, how=WHOLE, numbers=numbers, experiment="dyadic.t7")
    ]
