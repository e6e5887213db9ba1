"""Results of experiments, kept with where they come from.

``results(name)`` gives the results of an experiment as a frame: kept ones where nothing they depend on has
changed, otherwise run now. One result is one line of ``data/results/<experiment>.jsonl``, whose form
``data/results/schema.json`` describes. Its key is a hash of the case, the checksums of the data and the code
beneath (`treelib.ledger.experiments`); a result with another key is stale.

``treelib reproduce`` writes to ``data/results`` of a checkout. What a notebook or an installed package runs
goes to the user's cache folder, so that reading a page changes no file of the project, the records that a
package was shipped with stay, and both work where nothing may be written.

Each result is on disk before the next case counts as done: a run that was killed continues where it was.
"""

import os
from dataclasses import dataclass
from pathlib import Path

from treelib.compiled.cache_root import cache_root
from treelib.compiled.whole_files import left_behind
from treelib.datasets import files
from treelib.ledger import experiments as registry
from treelib.ledger.store import lines, running, schedule
from treelib.ledger.store.keys import data_digest, key
from treelib.ledger.store.lines import StoreError, canonical

STALE_VARIABLE = "TREELIB_STALE"  # "error": never run what is stale, say how to renew it
LIVE_VARIABLE = "TREELIB_LIVE"  # a folder: its results come before all others

__all__ = [
    "Missing",
    "StoreError",
    "Summary",
    "data_digest",
    "is_fresh",
    "kept",
    "key",
    "outcomes",
    "record",
    "records",
    "results",
    "run",
    "run_all",
    "source",
    "status",
    "tasks",
]


class Missing(RuntimeError):
    """Results that are not there and could not be made; the message says why and what to do."""


@dataclass(frozen=True)
class Summary:
    """What became of the cases of one run.

    Attributes
    ----------
    experiment : str
    n_kept, n_run : int, cases whose result was there, and run now
    failed : list of (case, text), what went wrong
    seconds, cpu_seconds, longest : float, of the cases run now: sums, and the seconds of the longest
    peak_bytes : int, of the hungriest of these
    """

    experiment: str
    n_kept: int
    n_run: int
    failed: list
    seconds: float
    cpu_seconds: float = 0.0
    longest: float = 0.0
    peak_bytes: int = 0


def committed():
    """Folder of the results that belong to the project."""
    return files.data_root() / "results"


def overlay():
    """Folder of the user's own results: ``results`` in the cache folder of `treelib.compiled.jit`."""
    return cache_root() / "results"


def target():
    """Folder that ``treelib reproduce`` writes to: the project's in a checkout that may be written, else the
    user's own."""
    is_installed = committed().is_relative_to(files.PACKAGE)
    return overlay() if is_installed or not lines.is_writable(committed()) else committed()


def live():
    """Folder of the results that were computed for the site being built (``make book LIVE=1``), or None."""
    folder = os.environ.get(LIVE_VARIABLE)
    return Path(folder) if folder else None


def results(experiment, *, cases=None, jobs=None, fresh=False, partial=False, progress=None):
    """Results of an experiment, in the order of its cases; what is missing or stale is run first.

    Parameters
    ----------
    experiment : str or Experiment
    cases : list of dict or None, only these; all of the experiment by default
    jobs : int or None, processes; None: as many as there are processors
    fresh : bool, run all anew
    partial : bool, give what can be had instead of raising
    progress : bool or None, show a bar; None: on a terminal only

    Returns
    -------
    pandas.DataFrame
        Columns of the case, columns of the result, and ``seconds`` and ``peak_bytes`` of the run unless the
        result has columns of this name. A result of several rows gives several rows.

    Raises
    ------
    Missing
        Some cases could not be run, or stale results may not be renewed here.
    """
    import pandas as pd

    rows = []
    for case, entry in _fetch(registry.get(experiment), cases, jobs, fresh, partial, progress):
        ran = {name: entry["provenance"][name] for name in ("seconds", "peak_bytes")}
        result = entry["result"]
        rows += [{**ran, **case, **row} for row in (result if isinstance(result, list) else [result])]
    frame = pd.DataFrame(rows)
    last = [column for column in ("seconds", "peak_bytes") if column in frame]
    return frame[[*(column for column in frame if column not in last), *last]]


def outcomes(experiment, *, cases=None, jobs=None, fresh=False, partial=False, progress=None):
    """As `results`, but as they were kept: list of (case, result), a result a dict or a list of rows."""
    found = _fetch(registry.get(experiment), cases, jobs, fresh, partial, progress)
    return [(case, entry["result"]) for case, entry in found]


def record(experiment, case):
    """The record of one case as dict: key, case, result and provenance; `Missing` if there is none."""
    experiment = registry.get(experiment)
    found = records(experiment, [case]).get(canonical(case))
    if found is None:
        raise Missing(f"{experiment.name} has no result for {case}. {_how_to_renew(experiment, 1)}")
    return found


def source(experiment, **part):
    """Where a verdict comes from, as keywords for `judging.judge`: the experiment, and the one case with the
    values `part`; without them the experiment alone.

    Raises
    ------
    ValueError
        No case, or more than one, has these values.
    """
    experiment = registry.get(experiment)
    if not part:
        return {"experiment": experiment.name}
    found = [case for case in experiment.cases() if part.items() <= case.items()]
    if len(found) != 1:
        raise ValueError(f"{experiment.name} has {len(found)} cases with {part}, not one.")
    return {"experiment": experiment.name, "case": found[0]}


def is_fresh(experiment, entry):
    """Whether a record belongs to the code and data as they are now."""
    return entry["key"] == key(experiment, entry["case"])


def records(experiment, cases=None, folders=None):
    """Records with a key that holds now: dict of the canonical text of a case to its record.

    Those of an experiment that runs on request stand in any case; `is_fresh` tells.

    folders : where to look, what matters most last; None: the user's own, the project's, then `live`
    """
    experiment = registry.get(experiment)
    wanted = {canonical(case) for case in (experiment.cases() if cases is None else cases)}
    found = {}
    for folder in folders or (overlay(), committed(), *filter(None, [live()])):
        for entry in lines.read(folder / f"{experiment.name}.jsonl"):
            name = canonical(entry["case"])
            if name in wanted and (experiment.on_request or is_fresh(experiment, entry)):
                found[name] = entry
    return found


def kept(experiment):
    """Committed records whether their key holds now or not: dict of the canonical text of a case to them."""
    return {canonical(entry["case"]): entry for entry in lines.read(_path(registry.get(experiment)))}


def status(experiment):
    """How the committed results of an experiment stand: dict of "cases", "fresh", "stale", "missing"."""
    experiment = registry.get(experiment)
    known, cases = kept(experiment), experiment.cases()
    fresh = len(records(experiment, folders=(committed(),)))
    there = sum(canonical(case) in known for case in cases)
    return {"cases": len(cases), "fresh": fresh, "stale": there - fresh, "missing": len(cases) - there}


def run(experiment, *, cases=None, jobs=None, fresh=False, progress=None, folder=None):
    """Run the cases whose result is missing or stale, and keep each as soon as it is there.

    Parameters
    ----------
    experiment, cases, jobs, fresh, progress : as for `results`
    folder : path or None, where to keep the results; None: in `target`

    Returns
    -------
    Summary
    """
    return _run([(registry.get(experiment), cases)], jobs, fresh, progress, folder)[0]


def run_all(experiments, *, jobs=None, fresh=False, progress=None, folder=None):
    """As `run`, of several experiments: their cases share the processors, see `store.schedule`.

    Returns
    -------
    list of Summary, in the order of the experiments
    """
    chosen = [(registry.get(experiment), None) for experiment in experiments]
    return _run(chosen, jobs, fresh, progress, folder)


def _run(chosen, jobs, fresh, progress, folder):
    todo = {one.name: tasks(one, cases, fresh, folder) for one, cases in chosen}
    folder = folder or target()
    every = [task for some in todo.values() for task in some]
    made = running.run_tasks(every, lambda name: folder / f"{name}.jsonl", jobs, progress)
    summaries = []
    for one, cases in chosen:
        n_cases = len(one.cases() if cases is None else cases)
        of_one = vars(made[one.name]) if one.name in made else {"n_run": 0, "failed": [], "seconds": 0.0}
        summaries.append(Summary(one.name, n_cases - len(todo[one.name]), **of_one))
        if folder == committed():
            _tidy(one, folder / f"{one.name}.jsonl", summaries[-1].n_run)
    return summaries


def _tidy(experiment, path, n_run):
    """Put the lines in the order of the cases. A run that was killed in its last step leaves nothing to run,
    but this."""
    order = [canonical(case) for case in experiment.cases()]
    there = [canonical(entry["case"]) for entry in lines.read(path)]
    if n_run or there != [name for name in order if name in there] or left_behind(path):
        lines.rewrite(path, order)


def tasks(experiment, cases=None, fresh=False, folder=None):
    """The cases that `run` would run, list of `schedule.Task`."""
    experiment, known, found = registry.get(experiment), {}, []
    for place in dict.fromkeys([folder] if folder else [committed(), target()]):
        for entry in lines.read(place / f"{experiment.name}.jsonl"):
            name = canonical(entry["case"])
            if name not in known or is_fresh(experiment, entry):
                known[name] = entry
    for case in experiment.cases() if cases is None else cases:
        entry = known.get(canonical(case))
        if fresh or entry is None or not is_fresh(experiment, entry):
            found.append(schedule.task(experiment, case, entry))
    return found


def _fetch(experiment, cases, jobs, fresh, partial, progress):
    """(case, record) in the order of the cases, after running what is missing or stale."""
    cases = experiment.cases() if cases is None else list(cases)
    found = {} if fresh else records(experiment, cases)
    todo = [case for case in cases if canonical(case) not in found]
    if todo:
        if os.environ.get(STALE_VARIABLE) == "error" and _path(experiment).is_file():
            raise Missing(_how_to_renew(experiment, len(todo)))
        made = run(experiment, cases=todo, jobs=jobs, fresh=fresh, progress=progress, folder=overlay())
        found = records(experiment, cases, (overlay(),) if fresh else None)
    lost = [case for case in cases if canonical(case) not in found]
    if lost and not partial:
        reason = made.failed[0][1] if made.failed else "the run was broken off"
        raise Missing(f"{experiment.name}: {len(lost)} of {len(cases)} cases have no result: {reason}")
    return [(case, found[name]) for case in cases if (name := canonical(case)) in found]


def _path(experiment):
    return committed() / f"{experiment.name}.jsonl"


def _how_to_renew(experiment, n_cases):
    return (
        f"{n_cases} results of {experiment.name} are missing or stale: what they depend on has changed. "
        f"Renew them with `treelib reproduce {experiment.name}`."
    )
