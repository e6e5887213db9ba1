"""In which order cases run, and which of them side by side.

Cases of timing experiments run last, one at a time and with nothing beside them: then all kernels are
compiled and on disk, and no neighbour takes the caches of the processor. On two cores that other work
shared, one neighbour more made the CPU seconds of nine cases 2 to 13 % more (medians of five runs), in
four of them by more than repeated runs differ, and a search that its limit of time stops did half the
work. All others, with the timings that are compared with nothing (`Experiment.beside`), share one queue
over all experiments, the longest first, so that no long case is left over at the end with one processor
idle. A case waits while it and those that run would need more memory together than `MEMORY_SHARE` of the
machine's.
"""

import os
from dataclasses import dataclass

from treelib.ledger import experiments

MEMORY_SHARE = 0.7


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

    experiment: experiments.Experiment
    case: dict
    seconds: float
    memory: float

    @property
    def name(self):
        return self.experiment.name

    @property
    def alone(self):
        """Whether nothing may run beside it."""
        return self.experiment.runs_alone(self.case)


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
