"""Table 1, Figures 3 and 6: test accuracy over the grid of (alpha, beta), on many random splits.

For each seed a fifth of the rows is held out for the test, and the others are cut in five; each of the five
training sets leaves one part out (`splits.tuning_parts`), on which cross validation measures, and each of
the five trees is measured on the test part too, which is what the paper prints. Trees have depth 5, and are
not pruned. A node is split unless every split makes the criterion worse, which only happens where it is not
concave.
"""

import numpy as np

from treelib.ledger.experiments import experiment
from treelib.papers.tsallis import splits
from treelib.papers.tsallis.splits import GRID_ALPHAS, GRID_BETAS, MAX_DEPTH, STANDARD
from treelib.topdown.grid.fit_grid import fit_grid, tsallis_grid

N_SEEDS, BLOCK = 50, 10
N_SEEDS_LOOK_ALIKE, BLOCK_LOOK_ALIKE = 10, 5  # of many features, and of no printed number
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
MARKED = {  # points whose runs are kept one by one
    data: list(dict.fromkeys([*STANDARD.values(), *([NAMED[data]] if data in NAMED else [])]))
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
    datasets=lambda case: (splits.NAMES[case["data"]],),
    seconds=120,
    kind="exact",
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

    def counted(parts):
        found = fit_grid(X, y, criteria, folds=parts, max_depth=MAX_DEPTH)
        n_rows = [len(rows) for _, rows in parts]
        return np.rint(found.accuracy * n_rows).astype(np.int64).reshape(shape), found.n_leaves.reshape(shape)

    on_test, leaves = counted([(train, test) for train, _ in folds])
    on_valid, _ = counted(folds)
    places = [(alphas.index(alpha), betas.index(beta)) for alpha, beta in marked]
    return {
        "test": on_test.sum(axis=2).tolist(),
        "valid": on_valid.sum(axis=2).tolist(),
        "runs": [on_test[i, j].tolist() for i, j in places],
        "leaves": [int(leaves[i, j].sum()) for i, j in places],
    }
