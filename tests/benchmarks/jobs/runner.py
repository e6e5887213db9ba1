"""Hands jobs to the workers and collects what they measured."""

import json
import os
import platform
import subprocess
import sys
import time
from datetime import datetime, timezone
from importlib.metadata import version
from pathlib import Path

from tests.benchmarks.jobs.solvers import SOLVERS, is_installed
from treelib.ledger.store.running import commit

ROOT = Path(__file__).resolve().parents[3]


class Workers:
    """One warm process a solver; started at its first job, closed with the context."""

    def __init__(self, solvers):
        self.solvers = [name for name in solvers if is_installed(name)]
        self.missing = [name for name in solvers if not is_installed(name)]
        self.processes = {}
        self.settings = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes.values():
            process.stdin.close()
            process.wait(30)

    def run(self, solver, case, time_limit, repeats=5, seconds=None):
        """Dict of one case and solver: times of all fits (s), scores, how it ended.

        Fits are repeated until `seconds` (default: `time_limit`) are used up, at most `repeats` times.
        """
        if solver not in self.processes:
            self._start(solver)
        process = self.processes[solver]
        job = case._asdict() | {
            "time_limit": time_limit,
            "repeats": repeats,
            "seconds": time_limit if seconds is None else seconds,
        }
        process.stdin.write(json.dumps(job) + "\n")
        process.stdin.flush()
        out = {"solver": solver, **case._asdict(), "time_limit": time_limit, "seconds": []}
        while True:
            message = json.loads(process.stdout.readline())
            out |= message.get("record", {})
            if "error" in message:
                out["error"] = message["error"]
            if "done" in message:
                out["ended"] = message["done"]
                if message["done"] == "ok" and not out["proved"]:
                    out["ended"] = "time limit"
                return out

    def _start(self, solver):
        # two threads of a linear algebra library would blur the times of one
        environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", "tests.benchmarks.jobs.worker", solver],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=environment,
        )
        first = process.stdout.readline()
        if not first:
            raise RuntimeError(
                f"The worker of {solver} did not start; "
                f"run `python -m tests.benchmarks.jobs.worker {solver}`."
            )
        self.processes[solver] = process
        self.settings[solver] = json.loads(first)["settings"]


def best_of(work, repeats):
    """What `work` returns, and the least CPU seconds of so many calls; of one call that takes over five."""
    seconds = []
    while len(seconds) < repeats and (not seconds or seconds[0] < 5):
        start = time.process_time()
        result = work()
        seconds.append(time.process_time() - start)
    return result, min(seconds)


def machine():
    """What the numbers depend on; no paths, no names of hosts or people."""
    cpu = platform.processor()
    if Path("/proc/cpuinfo").exists():
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        cpu = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), cpu)
    packages = [
        "numpy",
        "numba",
        "scikit-learn",
        *(SOLVERS[name][1] for name in SOLVERS if name != "treelib"),
    ]
    return {
        "date": datetime.now(timezone.utc).strftime("%Y-%m-%d"),
        "system": f"{platform.system()} {platform.machine()}",
        "cpu": cpu,
        "cores": os.cpu_count(),
        "load_at_start": round(os.getloadavg()[0], 1),
        "python": platform.python_version(),
        "commit": commit(),
        "versions": {name: version(name) for name in packages if is_known(name)},
    }


def is_known(package):
    try:
        version(package)
    except ImportError:
        return False
    return True


def write_results(path, results):
    """Write JSON with one record a line, in one step: a run that is killed leaves the old file.

    Seconds of repeated fits are rounded to four digits, more than a second run agrees on: they ship with the
    package, and with all digits made a tenth of it.
    """
    head = {key: value for key, value in results.items() if key != "records"}
    lines = ",\n  ".join(json.dumps(_rounded(record), allow_nan=False) for record in results["records"])
    text = json.dumps(head, indent=1, allow_nan=False)[:-2] + f',\n "records": [\n  {lines}\n ]\n}}\n'
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


def _rounded(record):
    repeated = [key for key, value in record.items() if key.endswith("seconds") and isinstance(value, list)]
    return record | {key: [float(f"{second:.4g}") for second in record[key]] for key in repeated}
