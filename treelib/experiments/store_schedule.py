"""In which order cases run, and which of them side by side.

Cases of timing experiments run last, one at a time and with nothing beside them: then all kernels are
compiled and on disk, and no neighbour takes the caches of the processor. All others share one queue over all
experiments, the longest first, so that no long case is left over at the end with one processor idle. A case
waits while it and those that run would need more memory together than `MEMORY_SHARE` of the machine's.
"""

import os
from concurrent.futures import FIRST_COMPLETED, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass

from treelib.experiments import cluster, registry

MEMORY_SHARE = 0.7
IDLE_SECONDS = 120  # a worker without work ends, also one whose parent was killed
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


@dataclass(frozen=True)
class Task:
    """One case to be run.

    Attributes
    ----------
    experiment : Experiment
    case : dict
    seconds : float, what it is expected to take
    memory : float, bytes that its process is expected to need
    """

    experiment: registry.Experiment
    case: dict
    seconds: float
    memory: float

    @property
    def name(self):
        return self.experiment.name

    @property
    def alone(self):
        """Whether nothing may run beside it."""
        return self.experiment.kind == registry.TIMING


def task(experiment, case, known=None):
    """The task of a case, expected to take what it took before (a record), or else what is declared.

    On a busy machine a case waits: what counts is the smaller of its seconds and its CPU seconds.
    """
    seconds = experiment.seconds / max(1, len(experiment.cases()))
    memory = experiment.memory
    if known is not None:
        ran = known["provenance"]
        seconds = min(ran["seconds"], ran["cpu_seconds"])
        memory = ran["peak_bytes"] or memory
    return Task(experiment, case, max(1e-3, seconds), memory)


def lanes(tasks, jobs=None):
    """How many processes run side by side: `jobs`, or one a processor, but not more than can be used."""
    most = {}
    for one in tasks:
        if not one.alone:
            most.setdefault(one.name, []).append(one)
    usable = sum(min(len(some), some[0].experiment.jobs or len(some)) for some in most.values())
    return max(1, min(jobs or os.cpu_count() or 1, usable))


def expected_seconds(tasks, lanes):
    """What all tasks are expected to take together, on the wall clock."""
    alone = sum(one.seconds for one in tasks if one.alone)
    others = [one.seconds for one in tasks if not one.alone]
    return alone + max(sum(others) / lanes, max(others, default=0.0))


def outcomes(tasks, lanes):
    """(task, record or None, error text or None) of each task as it is done.

    On a cluster (`treelib.experiments.cluster`) its workers are the lanes.
    """
    longest_first = sorted((one for one in tasks if not one.alone), key=lambda one: -one.seconds)
    alone = [one for one in tasks if one.alone]
    if client := cluster.current():
        yield from cluster.outcomes(client, longest_first)
        yield from cluster.outcomes(client, alone, 1)
        return
    yield from _side_by_side(longest_first, lanes) if lanes > 1 else map(_here, longest_first)
    yield from map(_here, alone)


def admissible(waiting, running, limit):
    """The first of the waiting tasks that may run beside the running ones; None if none may.

    limit : float, bytes that all may need together; a task that alone needs more runs by itself
    """
    used = sum(one.memory for one in running)
    for one in waiting:
        at_once = sum(other.name == one.name for other in running)
        fits = not running or used + one.memory <= limit
        if fits and at_once < (one.experiment.jobs or len(waiting) + len(running)):
            return one
    return None


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
                        running[executor.submit(_run, one.name, one.case)] = one
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
    return ProcessPoolExecutor(lanes, timeout=IDLE_SECONDS, env=dict.fromkeys(THREADS, threads))


def _here(one):
    _, entry, error = _run(one.name, one.case)
    return one, entry, error


def _run(name, case):
    from treelib.experiments import store_run

    return store_run.run_case(name, case)


def memory_of_machine():
    """Physical memory in bytes; infinite where the system does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return float("inf")
