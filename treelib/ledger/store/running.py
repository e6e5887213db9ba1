"""Running the cases of experiments and keeping each result as soon as it is there."""

import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import treelib
from treelib.ledger.store import keys, lines, one_case, pool, schedule


@dataclass
class Made:
    """What became of the cases of one experiment; see `store.Summary`."""

    n_run: int = 0
    failed: list = field(default_factory=list)
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    longest: float = 0.0
    peak_bytes: int = 0

    def add(self, ran):
        self.n_run += 1
        self.seconds += ran["seconds"]
        self.cpu_seconds += ran["cpu_seconds"]
        self.longest = max(self.longest, ran["seconds"])
        self.peak_bytes = max(self.peak_bytes, ran["peak_bytes"] or 0)


def run_tasks(tasks, path_of, jobs=None, progress=None):
    """Run tasks (`schedule.Task`) and add each result to its file as soon as it is there.

    path_of : callable of the name of an experiment, its file of results

    Returns
    -------
    dict of the name of each experiment to `Made`
    """
    made = {task.experiment.name: Made() for task in tasks}
    if not tasks:
        return made
    here = _sources()
    lanes = schedule.lanes(tasks, jobs)
    with _progress(tasks, lanes, progress) as bar:
        for task, entry, error in pool.outcomes(tasks, lanes):
            name = task.experiment.name
            if error is None and entry["key"] != keys.key(name, task.case):
                error = f"{task.case}: it was run by other sources than these; start the workers anew"
            if error is None:
                entry["provenance"].update(here)
                lines.append(path_of(name), entry)
                made[name].add(entry["provenance"])
            else:
                made[name].failed.append((task.case, error))
            bar.done(task)
    return made


def environment():
    """What all results of a run on this machine share: versions, machine and commit, dict."""
    return {**_sources(), **one_case.machine()}


def _sources():
    return {"treelib": treelib.__version__, "commit": commit()}


def commit():
    """Commit of the sources, with "+" where they were edited since; empty outside a checkout."""
    root = Path(treelib.__file__).parents[1]
    if not (root / ".git").exists():
        return ""
    try:
        head = _git(root, "rev-parse", "--short=12", "HEAD")
        return head + ("+" if _git(root, "status", "--porcelain", "--", "treelib") else "")
    except (OSError, subprocess.SubprocessError):
        return ""


def _git(root, *arguments):
    command = ["git", "-C", str(root), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=30).stdout.strip()


class _progress:
    """One bar over all tasks. It moves by the seconds that each is expected to take, divided by the number
    of processes where they run side by side, so that the time left is about right."""

    def __init__(self, tasks, lanes, wanted):
        self._lanes = lanes
        self._total = schedule.expected_seconds(tasks, lanes)
        self._wanted = sys.stderr.isatty() if wanted is None else wanted
        self._count, self._n_done, self._bar = len(tasks), 0, None

    def __enter__(self):
        if self._wanted:
            from tqdm import tqdm

            self._bar = tqdm(
                total=self._total,
                bar_format="|{bar:24}| {percentage:3.0f} %{postfix}  {elapsed} gone, {remaining} left",
                mininterval=0.5 if sys.stderr.isatty() else 10,
                dynamic_ncols=True,
                file=sys.stderr,
            )
            self._bar.set_postfix_str(f"0/{self._count} cases")
        return self

    def done(self, task):
        self._n_done += 1
        if self._bar is not None:
            self._bar.set_postfix_str(f"{self._n_done}/{self._count} cases, {task.name}", refresh=False)
            step = task.seconds / (1 if task.alone else self._lanes)
            self._bar.update(min(step, self._total - self._bar.n))  # a rounded sum goes beyond the end

    def __exit__(self, *error):
        if self._bar is not None:
            self._bar.close()
