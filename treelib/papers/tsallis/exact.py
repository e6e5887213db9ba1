"""The loss as an exact function of alpha (Section 3.1): every piece, not samples on a grid.

The instances are those of Table 1: the training sets of `splits.tuning_parts`, their loss on the test part.
"""

from treelib.ledger.experiments import experiment
from treelib.papers.tsallis import splits
from treelib.papers.tsallis.splits import GRID_ALPHAS, MAX_DEPTH
from treelib.topdown.learn import splitting_risk

INTERVAL = (0.2, 3.05)
BETAS = (1, 2, 6)
N_SEEDS = 10


@experiment(
    "tsallis.exact-alpha",
    item="Section 3.1, Theorems 3.3 and 3.4",
    title="Test loss as an exact step function of alpha",
    cases=lambda: [{"data": data, "beta": beta} for data in splits.MAIN for beta in BETAS],
    datasets=lambda case: (splits.NAMES[case["data"]],),
    seconds=60,
    kind="exact",
)
def exact_alpha(case):
    """Mean loss over the instances of `N_SEEDS` draws.

    Returns
    -------
    dict: ``breakpoints`` (n_pieces + 1) and ``losses`` (n_pieces) of the mean; ``pieces``, behaviours of the
    learner on each instance; ``worst_case``, decimal logarithm of the bound of Theorem 3.3 on the first
    instance; ``unresolved``, places where rounding leaves a change of the tree in doubt; ``at_grid``, for
    each of `GRID_ALPHAS` and draw the test rows predicted wrongly, summed over the five runs; ``on_edge``,
    those pairs (place of alpha, draw) where alpha is a breakpoint of a run: two trees are equally good there
    """
    X, y = splits.samples(case["data"])
    instances = []
    for seed in range(N_SEEDS):
        test, folds = splits.tuning_parts(len(y), seed)
        instances += [splitting_risk.Instance(X[train], y[train], X[test], y[test]) for train, _ in folds]
    found = splitting_risk.exact_loss(instances, "alpha", INTERVAL, beta=case["beta"], max_depth=MAX_DEPTH)
    k, n_test = splits.N_FOLDS, len(y) // 5
    at_grid = [
        [
            sum(round(float(part.steps(alpha)) * n_test) for part in found.instances[k * s : k * (s + 1)])
            for s in range(N_SEEDS)
        ]
        for alpha in GRID_ALPHAS
    ]
    on_edge = [
        [i, s]
        for i, alpha in enumerate(GRID_ALPHAS)
        for s in range(N_SEEDS)
        if any(_is_edge(alpha, part.steps) for part in found.instances[k * s : k * (s + 1)])
    ]
    first = found.instances[0]
    n_splits, n_classes = 2**MAX_DEPTH - 1, int(y.max()) + 1
    return {
        "breakpoints": found.loss.breakpoints.tolist(),
        "losses": found.loss.values.tolist(),
        "pieces": [len(part.steps) for part in found.instances],
        "worst_case": splitting_risk.log10_worst_case(first.n_functions, n_splits, n_classes, case["beta"]),
        "unresolved": sum(len(part.unresolved) for part in found.instances),
        "at_grid": at_grid,
        "on_edge": on_edge,
    }


def _is_edge(alpha, steps):
    """Whether `alpha` is a breakpoint inside the interval, within the width to which these are isolated."""
    return bool((abs(steps.breakpoints[1:-1] - alpha) < 1e-9).any())
