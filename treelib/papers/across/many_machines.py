"""How long a sweep takes on many machines: list scheduling of the stored times of cases, on paper.

The rule is that of `treelib.ledger.store.schedule`: the longest case that may run goes to the next free
worker; timings come last, one at a time. One process hands out all cases, and takes `overhead` for each.
"""

from heapq import heappop, heappush
from typing import NamedTuple

from treelib.ledger import experiments, store


class Work(NamedTuple):
    """A case to be scheduled: seconds, experiment, and how many of the experiment may run at a time."""

    seconds: float
    experiment: str
    at_once: int | None = None


def stored_work():
    """(cases that may run side by side, timings) of all stored results, two lists of `Work`."""
    beside, alone = [], []
    for experiment in experiments.to_run()[0]:
        name = experiment.name
        for entry in store.records(experiment).values():
            # on a busy machine a case waits: the smaller of clock and processor, as the schedule takes it
            ran = entry["provenance"]
            work = Work(min(ran["seconds"], ran["cpu_seconds"]), name, experiment.jobs)
            (alone if experiment.runs_alone(entry["case"]) else beside).append(work)
    return beside, alone


def makespan(work, n_workers, overhead=0.0):
    """Seconds from the first to the last, by list scheduling, the longest first.

    Parameters
    ----------
    work : list of `Work`
    n_workers : int
    overhead : float, seconds for which the one process that hands out cases is busy with each

    Returns
    -------
    float. By Graham's bound for list scheduling without limits and overhead, less than the sum of all
    divided by the workers, plus the longest.
    """
    waiting = sorted(work, reverse=True)
    running, at_once, now, sent = [], {}, 0.0, 0.0
    while waiting or running:
        free = n_workers - len(running)
        held = []
        for one in waiting if free else ():
            if len(held) == free:
                break
            if at_once.get(one.experiment, 0) < (one.at_once or len(work)):
                at_once[one.experiment] = at_once.get(one.experiment, 0) + 1
                held.append(one)
        for one in held:
            waiting.remove(one)
            sent = max(sent, now) + overhead
            heappush(running, (sent + one.seconds, one.experiment))
        now, experiment = heappop(running)
        at_once[experiment] -= 1
    return now


def curve(beside, alone, workers, overhead):
    """Makespan and efficiency for each number of workers.

    Returns
    -------
    list of dict: ``workers``; ``seconds`` of the cases side by side; ``efficiency``, their sum divided by
    workers and seconds; ``whole``, with the timings after them
    """
    total = sum(one.seconds for one in beside)
    last = sum(one.seconds + overhead for one in alone)
    rows = []
    for n in workers:
        seconds = makespan(beside, n, overhead)
        rows.append(
            {"workers": n, "seconds": seconds, "efficiency": total / (n * seconds), "whole": seconds + last}
        )
    return rows
