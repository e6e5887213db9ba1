"""Running tasks side by side: in processes of this machine, or on the workers of a cluster."""

import os
from concurrent.futures import FIRST_COMPLETED, wait
from concurrent.futures.process import BrokenProcessPool

from treelib.ledger import experiments
from treelib.ledger.store import cluster, one_case
from treelib.ledger.store.schedule import MEMORY_SHARE, admissible
from treelib.search.budget import memory_of_machine

IDLE_SECONDS = 120  # a worker without work ends, also one whose parent was killed
GROWTH = 2e9  # bytes that a worker may keep from case to case before another takes its place
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


def outcomes(tasks, lanes):
    """(task, record or None, error text or None) of each task as it is done.

    On a cluster (`treelib.ledger.store.cluster`) its workers are the lanes.
    """
    longest_first = sorted((one for one in tasks if not one.alone), key=lambda one: -one.seconds)
    alone = [one for one in tasks if one.alone]
    if client := cluster.current():
        yield from cluster.outcomes(client, longest_first)
        yield from cluster.outcomes(client, alone, 1)
        return
    yield from _side_by_side(longest_first, lanes) if lanes > 1 else map(_here, longest_first)
    yield from map(_here, alone)


def _side_by_side(tasks, lanes):
    """As `outcomes`, in `lanes` processes. What was running when a process died is tried once more, alone."""
    broken = []
    for one, entry, error in _pool(tasks, lanes):
        if isinstance(error, BrokenProcessPool):
            broken.append(one)
        else:
            yield one, entry, error
    if broken and lanes > 1:
        for one in broken:
            yield from _side_by_side([one], 1)
    else:
        for one in broken:
            yield one, None, f"{one.case}: the process was ended by the system, perhaps for want of memory"


def _pool(tasks, lanes):
    waiting, limit = list(tasks), MEMORY_SHARE * memory_of_machine()
    while waiting:
        executor, running = _executor(lanes), {}
        try:
            sound = True
            while running or (waiting and sound):
                while sound and len(running) < lanes:
                    one = admissible(waiting, running.values(), limit)
                    if one is None:
                        break
                    try:
                        function, arguments = experiments.elsewhere(one_case.run_case, one.name, one.case)
                        running[executor.submit(function, *arguments)] = one
                    except BrokenProcessPool:
                        sound = False
                    else:
                        waiting.remove(one)
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    one, error = running.pop(future), future.exception()
                    sound = sound and not isinstance(error, BrokenProcessPool)
                    yield (one, None, error) if error else (one, *future.result()[1:])
        finally:
            executor.shutdown(kill_workers=bool(running))


def _executor(lanes):
    from joblib.externals.loky import ProcessPoolExecutor

    threads = str(max(1, (os.cpu_count() or 1) // lanes))
    env = dict.fromkeys(THREADS, threads)
    return ProcessPoolExecutor(lanes, timeout=IDLE_SECONDS, env=env, initializer=_keep_worker)


def _keep_worker():
    """Let this worker keep its kernels and data sets. By itself loky takes 300 MB more than after the first
    case for a leak and ends the worker; the next one imports and loads everything again, some seconds."""
    from joblib.externals.loky import process_executor

    process_executor._MAX_MEMORY_LEAK_SIZE = GROWTH


def _here(one):
    _, entry, error = one_case.run_case(one.name, one.case)
    return one, entry, error
