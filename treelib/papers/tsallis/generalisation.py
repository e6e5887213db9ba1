"""Does the learned parameter hold for new instances? Excess loss and uniform deviation as N grows.

The distribution over problem instances is that of random splits of one data set, the example that the paper
gives after Theorem 3.3: half of the rows train, at most `MOST_ROWS`, and the others measure the loss. A pool
of instances is cut in two. From one half N are drawn to learn alpha by exact empirical risk minimisation; the
other half stands for the distribution. Losses are exact step functions of alpha, so the largest deviation
over all alpha is a maximum over pieces, not over a grid.
"""

import numpy as np

from treelib.ledger.experiments import experiment
from treelib.papers.tsallis import splits
from treelib.papers.tsallis.splits import MAX_DEPTH
from treelib.topdown.learn import splitting_risk
from treelib.topdown.learn.sample_complexity import guaranteed_excess, ln_pieces, sufficient_size

INTERVAL = (0.2, 3.05)
MOST_ROWS = 200
POOL = 160  # instances, half of them to learn from
SIZES = (1, 2, 4, 8, 16, 32, 64)
N_DRAWS = 50
DELTA = 0.05
EPSILON = 0.05


@experiment(
    "tsallis.generalisation",
    item="Section 3.1.1, Theorem 3.3",
    title="Loss of the learned alpha on new instances as their number grows",
    cases=lambda: [{"data": data, "beta": 1, "seed": 0} for data in splits.MAIN],
    datasets=lambda case: (splits.NAMES[case["data"]],),
    seconds=20,
    kind="statistical",
)
def generalisation(case):
    """Learned alpha against the best one, for N of `SIZES`.

    Returns
    -------
    dict: ``excess``, ``gap`` and ``optimism``, for each N a list over the draws: loss of the learned alpha on
    the held instances minus the least one there; largest deviation of the two means over all alpha; held loss
    of the learned alpha minus its own. ``standard``, excess of Gini (alpha 2) and entropy (alpha 1) for
    this beta. ``least``, the least held loss. ``pieces``, the most of one instance. ``guaranteed``, for each
    N the excess that theory allows with probability 0.95 given that many pieces (1 says nothing).
    ``sufficient``, instances that guarantee an excess of 0.05; ``sufficient_worst_case``, the same with the
    pieces of Theorem 3.3
    """
    X, y = splits.samples(case["data"])
    rng = np.random.default_rng(case["seed"])
    n_train = min(len(y) // 2, MOST_ROWS)
    instances = []
    for _ in range(POOL):
        order = rng.permutation(len(y))
        train, rest = order[:n_train], order[n_train:]
        instances.append(splitting_risk.Instance(X[train], y[train], X[rest], y[rest]))
    found = splitting_risk.exact_loss(instances, "alpha", INTERVAL, beta=case["beta"], max_depth=MAX_DEPTH)
    edges, losses = on_common_pieces([part.steps for part in found.instances])
    learning, held = losses[: POOL // 2], losses[POOL // 2 :].mean(axis=0)
    widths = np.diff(edges)
    excess, gap, optimism = [], [], []
    for size in SIZES:
        drawn = [learned(learning, held, widths, size, rng) for _ in range(N_DRAWS)]
        for kept, values in zip((excess, gap, optimism), zip(*drawn, strict=True), strict=True):
            kept.append(list(values))
    pieces = max(len(part.steps) for part in found.instances)
    worst = ln_pieces(
        "alpha, beta",
        t=2**MAX_DEPTH - 1,
        n_functions=found.instances[0].n_functions,
        n_classes=int(y.max()) + 1,
        n_betas=case["beta"],
    )
    standard = {"Gini": 2.0, "Entropy": 1.0}
    at = {name: int(np.searchsorted(edges, alpha, side="right")) - 1 for name, alpha in standard.items()}
    return {
        "excess": excess,
        "gap": gap,
        "optimism": optimism,
        "standard": {name: float(held[piece] - held.min()) for name, piece in at.items()},
        "least": float(held.min()),
        "pieces": pieces,
        "guaranteed": [guaranteed_excess(size, np.log(pieces), DELTA) for size in SIZES],
        "sufficient": sufficient_size(np.log(pieces), EPSILON, DELTA),
        "sufficient_worst_case": sufficient_size(worst, EPSILON, DELTA),
    }


def on_common_pieces(steps):
    """Step functions of one domain on the pieces of all: edges (k + 1,), values float64 (n, k)."""
    edges = np.unique(np.concatenate([function.breakpoints for function in steps]))
    return edges, np.stack([function(edges[:-1]) for function in steps])


def learned(learning, held, widths, size, rng):
    """Excess, gap and optimism of the alpha learned from `size` instances drawn without replacement.

    Parameters
    ----------
    learning : (n, k), losses of the instances on each piece of alpha. held : (k,), mean loss elsewhere
    widths : (k,), of the pieces; of equally good ones the longest run is taken, at its middle
    """
    mean = learning[rng.choice(len(learning), size, replace=False)].mean(axis=0)
    piece = middle_of_longest_run(mean <= mean.min() + 1e-12, widths)
    excess, optimism = held[piece] - held.min(), held[piece] - mean[piece]
    return float(excess), float(np.abs(mean - held).max()), float(optimism)


def middle_of_longest_run(good, widths):
    """Index of the piece that holds the middle of the longest run of consecutive good pieces."""
    padded = np.concatenate([[False], good, [False]])
    change = np.flatnonzero(padded[1:] != padded[:-1])
    edges = np.concatenate([[0.0], np.cumsum(widths)])
    starts, ends = change[::2], change[1::2]
    longest = int(np.argmax(edges[ends] - edges[starts]))
    middle = (edges[starts[longest]] + edges[ends[longest]]) / 2
    return int(np.clip(np.searchsorted(edges, middle, side="right") - 1, 0, len(widths) - 1))
