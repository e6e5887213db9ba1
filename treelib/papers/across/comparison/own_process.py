"""Calls of foreign compiled code in a process apart: a crash, hang or leak there ends nothing else."""

import faulthandler
import os
import pickle
import signal
import sys
import warnings
from multiprocessing.connection import Connection, Pipe
from pathlib import Path

# a process that has grown by this share of its limit answers no further call
LEAK = 0.25


class Ended(Exception):
    """The call did not come back; the text says why: "time limit", "out of memory", a signal or an error."""


class OwnProcess:
    """A forked process, which starts with all that this one has loaded, and answers one call after another.

    Use it as a context; no process outlives it. A process that is ended, or that keeps memory where the
    system can tell, is replaced by a fresh one at the next call. What it prints goes nowhere. Forking needs a
    POSIX system.

    Parameters
    ----------
    memory : float, bytes a process may reserve beyond what this one has, where the system can tell
    """

    def __init__(self, memory=2 * 2**30):
        self._memory, self._child, self._pipe = memory, 0, None

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._end(kill=True)

    def call(self, function, seconds):
        """Value of ``function()`` from the process.

        Parameters
        ----------
        function : callable without arguments; it and its value can be pickled
        seconds : float, after which the process is ended, also in the midst of compiled code

        Raises
        ------
        Ended
        """
        if not self._child:
            self._start()
        try:
            self._pipe.send((function, seconds))
            message = self._pipe.recv()
        except (EOFError, OSError):
            raise Ended(self._end()) from None
        if message["is_last"]:
            self._end(kill=True)
        if "error" in message:
            raise Ended(message["error"])
        return pickle.loads(message["value"])

    def _start(self):
        self._pipe, theirs = Pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        with warnings.catch_warnings():
            # no other thread of the processes that run cases holds a lock that the call needs
            warnings.simplefilter("ignore", DeprecationWarning)
            self._child = os.fork()
        if self._child == 0:
            self._pipe.close()
            _answer_calls(theirs, self._memory)
        theirs.close()

    def _end(self, kill=False):
        """Let go of the process, if there is one; why it has ended, where it did so itself."""
        child, self._child = self._child, 0
        if not child:
            return ""
        self._pipe.close()
        if kill:
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        if not os.WIFSIGNALED(status):
            return "no answer"
        number = os.WTERMSIG(status)
        return "time limit" if number == signal.SIGALRM else signal.Signals(number).name


def _answer_calls(pipe: Connection, memory):
    """The process's part: it never returns."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        faulthandler.disable()
        at_first = _address_space()
        _limit(at_first + memory)
        is_last = False
        while not is_last:
            function, seconds = pipe.recv()
            signal.signal(signal.SIGALRM, signal.SIG_DFL)  # the call before may have left another
            signal.setitimer(signal.ITIMER_REAL, seconds)
            message = _outcome(function)
            signal.setitimer(signal.ITIMER_REAL, 0)
            is_last = "error" in message or _address_space() > at_first + LEAK * memory
            pipe.send(message | {"is_last": is_last})
    finally:  # also where the other side has closed the pipe
        os._exit(0)


def _outcome(function):
    try:
        return {"value": pickle.dumps(function())}
    except MemoryError:
        return {"error": "out of memory"}
    except BaseException as error:
        return {"error": f"{type(error).__name__}: {error}"[:300]}


def _address_space():
    """Bytes of address space that this process has reserved; 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _limit(most):
    """Bound the address space of this process, where it is known how much it has."""
    import resource  # here, because Windows has none

    if _address_space():
        resource.setrlimit(resource.RLIMIT_AS, (int(most), int(most)))
