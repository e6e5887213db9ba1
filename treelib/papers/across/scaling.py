"""Sweeps of independent tasks on one machine: one by one, in threads, in processes, on a Dask cluster.

Each way runs the same tasks and must give the same trees: their digest is a result, the seconds are measured.
"""

import contextlib
import hashlib
import logging
import time

import numpy as np

from treelib import OptimalSparseTreeClassifier, datasets
from treelib.ledger.experiments import experiment
from treelib.topdown.grid.fit_grid import fit_grid, tsallis_grid

N_TASKS = {"nothing": 200, "sparse": 24, "grid": 24}
WAYS = (("here", 1), ("threads", 2), ("processes", 2), ("dask", 1), ("dask", 2))
RUNS = 3
DATA = {"nothing": (), "sparse": ("tic-tac-toe",), "grid": ("tsallis/banknote",)}


def cases():
    return [{"work": work, "way": way, "workers": n} for work in N_TASKS for way, n in WAYS]


@experiment(
    "family.scaling",
    item="Many machines",
    title="Sweeps in threads, processes and on a Dask cluster of one machine",
    cases=cases,
    datasets=lambda case: DATA[case["work"]],
    seconds=45,
    kind="timing",
)
def scaling(case):
    """One sweep, run one way.

    Returns
    -------
    dict: ``n_tasks``; ``digest`` of all that the tasks gave, in their order; ``start_seconds`` of the first
    run, with the start of processes and the loading of kernels in them; ``sweep_seconds``, the least of
    `RUNS` further runs
    """
    work, n_tasks = TASKS[case["work"]], N_TASKS[case["work"]]
    with _mapper(case["way"], case["workers"]) as run:

        def sweep():
            began = time.perf_counter()
            found = run(work, range(n_tasks))
            return time.perf_counter() - began, found

        work(0)  # compiled, and on the disk for other processes
        start_seconds, found = sweep()
        sweep_seconds = min(sweep()[0] for _ in range(RUNS))
    digest = hashlib.sha256("\n".join(found).encode()).hexdigest()[:16]
    return {
        "n_tasks": n_tasks,
        "digest": digest,
        "start_seconds": start_seconds,
        "sweep_seconds": sweep_seconds,
    }


@contextlib.contextmanager
def _mapper(way, workers):
    """Function of a task and its arguments that gives the list of results, for one way."""
    from joblib import Parallel, delayed

    if way != "dask":
        backend = {"here": "sequential", "threads": "threading", "processes": "loky"}[way]
        parallel = Parallel(n_jobs=workers, backend=backend, batch_size=1)
        yield lambda work, seeds: parallel(delayed(work)(seed) for seed in seeds)
        return
    from distributed import Client, LocalCluster

    local = {"n_workers": workers, "threads_per_worker": 1, "host": "127.0.0.1", "dashboard_address": None}
    with LocalCluster(**local, silence_logs=logging.CRITICAL) as cluster, Client(cluster) as client:
        executor = client.get_executor(pure=False)
        yield lambda work, seeds: list(executor.map(work, seeds))


def nothing(seed):
    """No work at all: what is left is the cost of sending it."""
    return str(seed)


def sparse(seed):
    """The optimal sparse tree of a bootstrap sample."""
    data = datasets.load("tic-tac-toe")
    rows = np.random.default_rng(seed).integers(0, len(data.y), len(data.y))
    return (
        OptimalSparseTreeClassifier(0.005, max_thresholds=10).fit(data.X[rows], data.y[rows]).tree_.to_json()
    )


def grid(seed):
    """Trees of 160 criteria on one random half of the rows, and their errors on the other."""
    data = datasets.load("tsallis/banknote")
    order = np.random.default_rng(seed).permutation(len(data.y))
    halves = order[: len(order) // 2], order[len(order) // 2 :]
    criteria = tsallis_grid(np.linspace(0.2, 4, 20), range(1, 9))
    return str(fit_grid(data.X, data.y, criteria, folds=[halves], max_depth=5).accuracy.tolist())


TASKS = {"nothing": nothing, "sparse": sparse, "grid": grid}
