"""Running the cases of experiments, with what is worth knowing of each run."""

import os
import platform
import subprocess
import sys
import time
from dataclasses import dataclass, field
from datetime import datetime, timezone
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import treelib
from treelib.experiments import registry, store, store_files, store_schedule
from treelib.experiments.store_files import plain

PACKAGES = ("numpy", "numba", "scikit-learn", "scipy", "pandas", "highspy", "xgboost")


class NotAtHand(str):
    """Why a case was not run: the text for a data set or a package that is missing here."""


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
    """Run tasks (`store_schedule.Task`) and add each result to its file as soon as it is there.

    path_of : callable of the name of an experiment, its file of results

    Returns
    -------
    dict of the name of each experiment to `Made`
    """
    made = {task.experiment.name: Made() for task in tasks}
    if not tasks:
        return made
    here = _sources()
    lanes = store_schedule.lanes(tasks, jobs)
    with _progress(tasks, lanes, progress) as bar:
        for task, entry, error in store_schedule.outcomes(tasks, lanes):
            name = task.experiment.name
            if error is None and entry["key"] != store.key(name, task.case):
                error = f"{task.case}: it was run by other sources than these; start the workers anew"
            if error is None:
                entry["provenance"].update(here)
                store_files.append(path_of(name), entry)
                made[name].add(entry["provenance"])
            else:
                made[name].failed.append((task.case, error))
            bar.done(task)
    return made


def run_case(name, case):
    """Run one case in this process: (case, record or None, error text or None).

    The record lacks what only the process that asks for it can know: version and commit of the sources.
    """
    from treelib.datasets import DatasetError

    experiment = registry.get(name)
    before, key = registry.loaded_digest(name), store.key(name, case)
    started = datetime.now(timezone.utc)
    _forget_peak()
    clock, processor = time.perf_counter(), time.process_time()
    try:
        result = experiment.function(dict(case))
        seconds, cpu_seconds = time.perf_counter() - clock, time.process_time() - processor
        result = _checked(plain(result), case)
    except DatasetError as error:
        return case, None, NotAtHand(f"{case}: a data set is not at hand: {error}")
    except ModuleNotFoundError as error:
        return case, None, NotAtHand(f"{case}: a package is not at hand: `pip install {error.name}`")
    except Exception as error:
        return case, None, f"{case} failed: {type(error).__name__}: {error}"
    if experiment.digest() != before:
        return case, None, f"{case}: the sources were edited during the run; run it again"
    provenance = {
        "data": {data: store.data_digest(data) for data in experiment.datasets_of(case)},
        "sources": before,
        "seed": case.get("seed"),
        "started": started.isoformat(timespec="seconds"),
        "seconds": round(seconds, 6),
        "cpu_seconds": round(cpu_seconds, 6),
        "peak_bytes": _peak_bytes(),
        **machine(),
    }
    entry = {"version": store_files.VERSION, "experiment": name, "key": key, "case": case}
    return case, {**entry, "result": result, "provenance": provenance}, None


def environment():
    """What all results of a run on this machine share: versions, machine and commit, dict."""
    return {**_sources(), **machine()}


def _sources():
    return {"treelib": treelib.__version__, "commit": commit()}


@cache
def machine():
    """What all results of a process share: versions of packages and machine, dict."""
    packages = {}
    for package in PACKAGES:
        try:
            packages[package] = version(package)
        except PackageNotFoundError:
            continue
    return {
        "python": platform.python_version(),
        "packages": packages,
        "platform": f"{platform.system()} {platform.machine()}",
        "cpu": _processor(),
        "cores": os.cpu_count(),
    }


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


def _checked(result, case):
    rows = result if isinstance(result, list) else [result]
    if not rows or not all(isinstance(row, dict) for row in rows):
        raise TypeError("a result is a dict, or a list of dicts with at least one")
    for row in rows:
        twice = sorted(name for name in row.keys() & case.keys() if row[name] != case[name])
        if twice:
            raise ValueError(f"the result gives {', '.join(twice)} another value than the case")
    return result


def _git(root, *arguments):
    command = ["git", "-C", str(root), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=30).stdout.strip()


@cache
def _processor():
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _forget_peak():
    """Start the peak of this process's memory anew, where the system can."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        pass


def _peak_bytes():
    """Peak resident memory of this process, the interpreter included; None where it is not known."""
    try:
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return 1024 * int(line.split()[1])
    except OSError:
        pass
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak


class _progress:
    """One bar over all tasks. It moves by the seconds that each is expected to take, divided by the number
    of processes where they run side by side, so that the time left is about right."""

    def __init__(self, tasks, lanes, wanted):
        self._lanes = lanes
        self._total = store_schedule.expected_seconds(tasks, lanes)
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
            self._bar.update(task.seconds / (1 if task.alone else self._lanes))

    def __exit__(self, *error):
        if self._bar is not None:
            self._bar.close()
