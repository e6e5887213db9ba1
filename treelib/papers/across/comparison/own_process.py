"""Calls of foreign compiled code in a process of their own: a crash, hang or leak there ends nothing else."""

import faulthandler
import json
import os
import signal
import sys
import warnings
from pathlib import Path


class Ended(Exception):
    """The call did not come back; the text says why: "time limit", "out of memory", a signal or an error."""


def call(function, seconds, memory=2 * 2**30):
    """Value of ``function()`` from a forked process, which starts with all that this one has loaded.

    What it prints goes nowhere. Forking needs a POSIX system.

    Parameters
    ----------
    function : callable without arguments that returns JSON values
    seconds : float, after which the process is ended, also in the midst of compiled code
    memory : float, bytes it may reserve beyond what this process has, where the system can tell

    Raises
    ------
    Ended
    """
    reading, writing = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    with warnings.catch_warnings():
        # no other thread of the processes that run cases holds a lock that the call needs
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        os.close(reading)
        _answer(function, seconds, memory, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        answer = pipe.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        raise Ended("time limit" if number == signal.SIGALRM else signal.Signals(number).name)
    message = json.loads(answer) if answer else {"error": "no answer"}
    if "error" in message:
        raise Ended(message["error"])
    return message["value"]


def _answer(function, seconds, memory, writing):
    """The child's part: it never returns."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        faulthandler.disable()
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        _limit(memory)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            message = {"value": function()}
        except MemoryError:
            message = {"error": "out of memory"}
        except BaseException as error:
            message = {"error": f"{type(error).__name__}: {error}"[:300]}
        signal.setitimer(signal.ITIMER_REAL, 0)
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(json.dumps(message).encode())
    finally:
        os._exit(0)


def _limit(memory):
    """Bound the address space of this process, where it is known how much it has."""
    import resource  # here, because Windows has none

    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:
        return
    most = int(pages * os.sysconf("SC_PAGE_SIZE") + memory)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
