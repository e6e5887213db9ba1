"""Running one case in this process, with what is worth knowing of the run."""

import os
import platform
import sys
import time
from datetime import datetime, timezone
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from treelib.ledger import experiments
from treelib.ledger.store import keys, lines
from treelib.ledger.store.lines import plain

PACKAGES = (
    *("numpy", "numba", "scikit-learn", "scipy", "pandas", "highspy", "xgboost"),
    *("imodels", "pystreed", "gosdt", "licketysplit"),
)


class NotAtHand(str):
    """Why a case was not run: the text for a data set or a package that is missing here."""


def run_case(name, case):
    """Run one case in this process: (case, record or None, error text or None).

    The record lacks what only the process that asks for it can know: version and commit of the sources.
    """
    from treelib.datasets import DatasetError

    experiment = experiments.get(name)
    before, key = experiments.loaded_digest(name), keys.key(name, case)
    started = datetime.now(timezone.utc)
    _forget_peak()
    clock, processor = time.perf_counter(), _cpu_seconds()
    try:
        result = experiment.function(dict(case))
        seconds, cpu_seconds = time.perf_counter() - clock, _cpu_seconds() - processor
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
        "data": {data: keys.data_digest(data) for data in experiment.datasets_of(case)},
        "sources": before,
        "seed": case.get("seed"),
        "started": started.isoformat(timespec="seconds"),
        "seconds": round(seconds, 6),
        "cpu_seconds": round(cpu_seconds, 6),
        "peak_bytes": _peak_bytes(),
        **machine(),
    }
    entry = {"version": lines.VERSION, "experiment": name, "key": key, "case": case}
    return case, {**entry, "result": result, "provenance": provenance}, None


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


def _checked(result, case):
    rows = result if isinstance(result, list) else [result]
    if not rows or not all(isinstance(row, dict) for row in rows):
        raise TypeError("a result is a dict, or a list of dicts with at least one")
    for row in rows:
        twice = sorted(name for name in row.keys() & case.keys() if row[name] != case[name])
        if twice:
            raise ValueError(f"the result gives {', '.join(twice)} another value than the case")
    return result


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


def _cpu_seconds():
    """CPU time of this process and of those it started and saw end."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


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
