"""What a run under limits took beyond them: work after the time limit, and growth of the process."""

import gc
import threading
import time
from pathlib import Path


def work_after(seconds, run):
    """Seconds of this process's work after `seconds` of the clock until `run` is done, and its answer."""
    marks = []
    clock = threading.Timer(seconds, lambda: marks.append(time.process_time()))
    clock.start()
    answer = run()
    end = time.process_time()
    clock.cancel()
    return (end - marks[0] if marks else 0.0), answer


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
