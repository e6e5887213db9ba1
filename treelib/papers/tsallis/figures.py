"""Numbers behind the figures of the chapter that are quick to make, and names that pages show."""

import json

import numpy as np

from treelib.datasets.files import data_root
from treelib.papers.tsallis import pruning as tsallis_pruning
from treelib.papers.tsallis import splits
from treelib.papers.tsallis.boosting import LAMBDAS
from treelib.papers.tsallis.boosting import N_SPLITS as N_BOOSTED
from treelib.papers.tsallis.exact import BETAS as EXACT_BETAS
from treelib.papers.tsallis.exact import N_SEEDS as N_EXACT_SEEDS
from treelib.papers.tsallis.example import documented_example
from treelib.papers.tsallis.generalisation import DELTA as GENERALISATION_DELTA
from treelib.papers.tsallis.generalisation import EPSILON as GENERALISATION_EPSILON
from treelib.papers.tsallis.generalisation import SIZES as GENERALISATION_SIZES
from treelib.papers.tsallis.judge_tables import DEFAULT_C1, METHODS_2, TABLE_1, TABLE_2, is_one_split, table_2
from treelib.papers.tsallis.judge_text import criteria_of_figure_5
from treelib.papers.tsallis.pruning import C1, ETA, HELD_OUT
from treelib.papers.tsallis.readings import N_SEEDS as N_READ
from treelib.papers.tsallis.readings import READINGS
from treelib.papers.tsallis.tuning import NAMED as PRINTED
from treelib.topdown.prune import methods

__all__ = [
    "C1",
    "CURVES",
    "DEFAULT_C1",
    "ETA",
    "EXACT_BETAS",
    "GENERALISATION_DELTA",
    "GENERALISATION_EPSILON",
    "GENERALISATION_SIZES",
    "HELD_OUT",
    "LAMBDAS",
    "METHODS_2",
    "N_BOOSTED",
    "N_EXACT_SEEDS",
    "N_READ",
    "PRINTED",
    "READINGS",
    "TABLE_1",
    "TABLE_2",
    "benchmark_lines",
    "criteria_of_figure_5",
    "criterion_curves",
    "documented_example",
    "example_path",
    "is_one_split",
    "own_criterion_lines",
    "table_2",
]

CURVES = {
    "Gini (2, 1)": (2.0, 1),
    "entropy (1, 1)": (1.0, 1),
    "Kearns-Mansour (0.5, 2)": (0.5, 2),
    "(2.45, 6)": (2.45, 6),
    "(0.5, 12), not concave": (0.5, 12),
}


def benchmark_lines():
    """Cells of the table of `make bench-topdown`: for each data set the rows, and the largest share of
    scikit-learn's time that single trees, a grid of criteria and forests took; empty where not measured.

    There are none where ``data/results/bench_topdown.json`` has not been written.
    """
    parts = ("fit", "grid", "forest")
    rows, shares = {}, {}
    for record in _benchmark_records(*parts):
        part, data = record["part"], record["data"]
        rows[data] = record["n_rows"]
        share = record["seconds"] / record["peer_seconds"]
        shares[data, part] = max(share, shares.get((data, part), 0.0))
    order = sorted(rows, key=lambda data: (rows[data], data))
    return [
        (
            _data_label(data),
            f"{rows[data]:,}",
            *(f"{shares[data, part]:.3f}" if (data, part) in shares else "" for part in parts),
        )
        for data in order
    ]


def own_criterion_lines():
    """The fits of `make bench-topdown` with a criterion that is a Python function.

    Returns
    -------
    peers : list of str, the other programs
    lines : list of tuples of str: data, rows, milliseconds here, and for each of `peers` how many times as
        long it took; empty where not measured
    """
    records = _benchmark_records("own")
    peers = list(dict.fromkeys(record["peer"] for record in records))
    sets = sorted({(record["n_rows"], record["data"]) for record in records})
    times = {(r["data"], r["peer"]): r["peer_seconds"] / r["seconds"] for r in records}
    ours = {record["data"]: record["seconds"] for record in records}
    return peers, [
        (
            _data_label(data),
            f"{n_rows:,}",
            f"{1000 * ours[data]:.2f}",
            *(f"{times[data, peer]:.0f}" if (data, peer) in times else "" for peer in peers),
        )
        for n_rows, data in sets
    ]


def _benchmark_records(*parts):
    path = data_root() / "results" / "bench_topdown.json"
    if not path.is_file():
        return []
    records = json.loads(path.read_text(encoding="utf-8"))["records"]
    return [record for record in records if record["part"] in parts]


def _data_label(data):
    return data.removeprefix("tsallis/").replace("_", " ")


def criterion_curves(n=201):
    """Impurity of two classes against the share of the second, each scaled to a largest value of 1.

    Returns
    -------
    share : float (n,)
    curves : dict of name to float (n,)
    """
    share = np.linspace(0, 1, n)
    return share, {name: _scaled(tsallis_entropy(share, *point)) for name, point in CURVES.items()}


def tsallis_entropy(share, alpha, beta):
    """(alpha, beta)-Tsallis entropy of two classes as the paper's Section 3.1 prints it, with C = 1."""
    both = np.stack([share, 1 - share])
    if alpha == 1:  # the limit of Proposition 3.1
        return -beta * (both * np.log(both, out=np.zeros_like(both), where=both > 0)).sum(axis=0)
    return (1 - (both**alpha).sum(axis=0) ** beta) / (alpha - 1)


def _scaled(curve):
    return curve / curve.max()


def example_path(data, split=0):
    """Cost-complexity path of a tree grown by Gini impurity, and the test errors of its trees.

    Returns
    -------
    path : treelib.topdown.prune.methods.PruningPath
    errors : float (n_pieces,)
    """
    X, y = splits.samples(data)
    train, test = splits.pruning_parts(len(y), split)
    tree = tsallis_pruning.grow(X[train], y[train], *splits.STANDARD["Gini"])
    path = methods.cost_complexity_path(tree)
    return path, path.errors(X[test], y[test])
