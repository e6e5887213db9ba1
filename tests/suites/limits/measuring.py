"""What a run under limits took beyond them: work after the time limit, and growth of the process."""

import gc
import threading
import time
import tracemalloc
import warnings
from pathlib import Path


def work_after(seconds, run):
    """Seconds of this process's work after `seconds` of the clock until `run` is done, and its answer.

    Not more than went by on the clock. A call that holds the interpreter (numpy's, or the release of many
    objects) holds up the timer too: what it missed counts as work.
    """
    marks = []
    clock = threading.Timer(seconds, lambda: marks.append((time.perf_counter(), time.process_time())))
    clock.start()
    due = time.perf_counter() + seconds
    answer = run()
    ended = time.perf_counter(), time.process_time()
    clock.cancel()
    at, work = marks[0] if marks else ended
    return max(0.0, min(ended[0] - due, at - due + ended[1] - work)), answer


def peak_of(run):
    """What `run` returns, and the most bytes of Python's and numpy's that it held."""
    tracemalloc.start()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return run(), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def resident(name, forget_peak=False):
    """Bytes of memory of this process ("VmRSS"), or at its peak ("VmHWM"); 0 where the system does not say.

    forget_peak : bool, the peak starts anew from here
    """
    try:
        if forget_peak:
            gc.collect()
            Path("/proc/self/clear_refs").write_text("5")
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return 0
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith(name)), 0)
