"""Running the cases of an experiment, in processes side by side, with what is worth knowing of each run."""

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
from treelib.experiments import registry, store, store_files
from treelib.experiments.store_files import canonical, plain

PACKAGES = ("numpy", "numba", "scikit-learn", "scipy", "pandas", "highspy", "xgboost")


@dataclass
class Made:
    """What became of the cases that were run; see `store.Summary`."""

    n_run: int = 0
    failed: list = field(default_factory=list)
    seconds: float = 0.0


def run_cases(experiment, cases, path, jobs=None, progress=None, known=None):
    """Run `cases` and add each result to the file `path` as soon as it is there: `Made`.

    known : earlier records by canonical case, for the estimate of the time that is left.
    """
    made, began = Made(), time.perf_counter()
    if not cases:
        return made
    common = environment()
    with _progress(experiment, cases, progress, known or {}) as bar:
        for case, entry, error in _outcomes(experiment, cases, jobs):
            if error is None:
                entry["provenance"].update(common)
                store_files.append(path, entry)
                made.n_run += 1
            else:
                made.failed.append((case, error))
            bar.done(case)
    made.seconds = time.perf_counter() - began
    return made


def run_case(name, case):
    """Run one case here: (case, record without the environment or None, error text or None)."""
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
        return case, None, f"{case}: a data set is not at hand: {error}"
    except ModuleNotFoundError as error:
        return case, None, f"{case}: a package is not at hand: `pip install {error.name}`"
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
    }
    entry = {"version": store_files.VERSION, "experiment": name, "key": key, "case": case}
    return case, {**entry, "result": result, "provenance": provenance}, None


def environment():
    """What all results of a run share: versions, machine and commit, dict."""
    packages = {}
    for package in PACKAGES:
        try:
            packages[package] = version(package)
        except PackageNotFoundError:
            continue
    return {
        "treelib": treelib.__version__,
        "commit": commit(),
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


def _outcomes(experiment, cases, jobs):
    """(case, record, error) of each case as it is done."""
    jobs = experiment.jobs or jobs or os.cpu_count() or 1
    if min(jobs, len(cases)) == 1 and not _elsewhere():
        for case in cases:
            yield run_case(experiment.name, case)
        return
    from joblib import Parallel, delayed

    side_by_side = Parallel(
        n_jobs=None if _elsewhere() else min(jobs, len(cases)),
        batch_size=1,
        pre_dispatch="2*n_jobs",
        return_as="generator_unordered",
    )
    yield from side_by_side(delayed(run_case)(experiment.name, case) for case in cases)


def _elsewhere():
    """Whether joblib was told to use another backend, a Dask cluster for one."""
    from joblib.parallel import get_active_backend

    return type(get_active_backend()[0]).__name__ not in ("LokyBackend", "SequentialBackend")


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
    """A bar that moves by the seconds a case is expected to take, so that the time left is about right."""

    def __init__(self, experiment, cases, wanted, known):
        usual = experiment.seconds / max(1, len(experiment.cases()))
        self._weights = {
            canonical(case): max(
                1e-3, known.get(canonical(case), {}).get("provenance", {}).get("seconds", usual)
            )
            for case in cases
        }
        self._wanted = sys.stderr.isatty() if wanted is None else wanted
        self._name, self._count, self._n_done, self._bar = experiment.name, len(cases), 0, None

    def __enter__(self):
        if self._wanted:
            from tqdm import tqdm

            self._bar = tqdm(
                total=sum(self._weights.values()),
                desc=self._name,
                bar_format="{desc} |{bar:24}| {percentage:3.0f} %{postfix} {elapsed} gone, {remaining} left",
                mininterval=0.5 if sys.stderr.isatty() else 10,
                dynamic_ncols=True,
                file=sys.stderr,
            )
            self._bar.set_postfix_str(f"0/{self._count} cases")
        return self

    def done(self, case):
        self._n_done += 1
        if self._bar is not None:
            self._bar.set_postfix_str(f"{self._n_done}/{self._count} cases", refresh=False)
            self._bar.update(self._weights[canonical(case)])

    def __exit__(self, *error):
        if self._bar is not None:
            self._bar.close()
