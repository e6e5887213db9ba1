"""How closely every search keeps its limits: seconds beyond the time limit, bytes beyond the memory limit.

``python -m tests.benchmarks.waiting.limits [--json FILE] [name ...]``. Each problem is
far too hard for its limit. Kernels are compiled by first runs that are not measured. Beside the wall clock
stand the processor's seconds after the limit was reached, which other programs on the machine cannot
lengthen much: of up to three runs the best counts. Memory is what the search says it held, and how far the
process grew at its peak, which counts Python's own too; each run has a process of its own, since memory that
an earlier one gave back would hide it.
"""

import argparse
import json
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from tests.suites.limits.measuring import resident, work_after
from tests.suites.limits.searches import SEARCHES

TIME_LIMITS = (0.1, 0.3, 1.0, 2.0)
MEMORY_LIMITS = (4e6, 20e6)
MOST_SECONDS = 0.2
MOST_SHARE = 0.1


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", help="searches (default: all)")
    parser.add_argument("--json", metavar="FILE", help="write the records here")
    parser.add_argument("--memory", type=float, metavar="BYTES", help="one run under this limit, as JSON")
    options = parser.parse_args()
    if options.memory:
        print(json.dumps(in_this_process(*options.names, options.memory)))
        return
    records = []
    for name in options.names or SEARCHES:
        make, kinds = SEARCHES[name]
        run = make()
        for _ in range(3):  # what the first compiles takes its time, so it does not come far
            measure(run, time_limit=1.0)
        records += [measured(name, run, time_limit=limit) for limit in TIME_LIMITS]
        if "memory" in kinds:
            records += [in_a_process(name, limit) for limit in MEMORY_LIMITS]
        bounds = [r["lower_bound"] for r in records if r["name"] == name and r["lower_bound"] is not None]
        values = [r["objective"] for r in records if r["name"] == name and r["objective"] is not None]
        if bounds and max(bounds) > min(values, default=np.inf) + 1e-9:
            print(f"{name}: a bound of {max(bounds)} is above the value {min(values)} of another run")
    if options.json:
        Path(options.json).write_text(json.dumps(records, indent=1) + "\n")


def in_a_process(name, limit):
    """`in_this_process`, in another one."""
    command = [sys.executable, "-m", "tests.benchmarks.waiting.limits", name, "--memory", str(limit)]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    print("\n".join(lines[:-1]), flush=True)
    return json.loads(lines[-1])


def in_this_process(name, limit):
    """Record of one run under a memory limit, after one that compiles and imports all that it needs."""
    run = SEARCHES[name][0]()
    measure(run, memory_limit=limit / 4, time_limit=1.0)
    return measured(name, run, memory_limit=limit, time_limit=6.0)


def measured(name, run, **limits):
    """One record, and a line that says it."""
    for _ in range(3):
        seconds, over, answer, warned, grown = measure(run, **limits)
        if over < MOST_SECONDS / 2 or "memory_limit" in limits:
            break
    record = {
        "name": name,
        **limits,
        "seconds": round(seconds, 4),
        "cpu_seconds_over": round(over, 4),
        "status": answer.status,
        "warned": warned,
        "n_bytes": _number(answer.n_bytes),
        "grown": grown,
        "objective": _number(answer.objective),
        "lower_bound": _number(answer.lower_bound),
    }
    wanted = limits.get("memory_limit")
    text = f"{name:24} "
    if wanted:
        held = f"{answer.n_bytes / 1e6:7.1f} MB" if answer.n_bytes == answer.n_bytes else "not told"
        text += f"{wanted / 1e6:5.0f} MB: {held}, process {grown / 1e6:+7.1f} MB, {seconds:6.3f} s"
        bad = answer.n_bytes > wanted * (1 + MOST_SHARE) or grown > wanted * (1 + MOST_SHARE) + 10e6
    else:
        text += f"{limits['time_limit']:5.1f} s: {seconds:6.3f} s, {over:.3f} s of work after it"
        bad = over > MOST_SECONDS
    bad |= answer.status != "optimal" and not warned and not hasattr(answer.model, "gap")
    print(f"{text}, {answer.status}{', warned' if warned else ''}{'   <----' if bad else ''}", flush=True)
    return record


def measure(run, **limits):
    """Seconds, the processor's seconds after the time limit, `Answer`, whether it warned, and by how much the
    process grew at its peak."""
    before, start = resident("VmRSS", forget_peak=True), time.perf_counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        over, answer = work_after(limits.get("time_limit", 1e6), lambda: run(**limits))
    seconds = time.perf_counter() - start
    warned = any(issubclass(warning.category, ConvergenceWarning) for warning in caught)
    return seconds, over, answer, warned, resident("VmHWM") - before


def _number(value):
    return None if value is None or not np.isfinite(value) else float(value)


if __name__ == "__main__":
    main()
