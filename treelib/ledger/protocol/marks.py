"""Which function decides: a mark on the functions that judge, and what they may judge.

A function that judges says so, and which claims it judges::

    @judges("osdt.t2.*")
    def judge_table_2(): ...

While it runs, every verdict that is asked for carries its name, and a claim that it did not announce is
refused. Importing the module registers it: nothing else lists the functions that judge, and all verdicts on a
paper are what those of its folder give when they are called without arguments, a list or a dict by claim.
"""

import functools
import inspect
from contextvars import ContextVar
from dataclasses import dataclass
from fnmatch import fnmatchcase


@dataclass(frozen=True)
class Judge:
    """A function that judges: its name, its file and first line, and the patterns of ids it may judge."""

    name: str
    file: str
    line: int
    patterns: tuple


JUDGES = {}  # name of the function to Judge
ON = {}  # paper to the marked functions of its folder: called without arguments, they give its verdicts
_PAPERS = "treelib.papers."
_current = ContextVar("judge", default=None)


def judges(*patterns):
    """Mark a function as one that judges the claims whose ids fit one of `patterns` (``osdt.t2.*``).

    A marked function may call others, marked or not; the innermost marked one is named by the verdict.

    Raises
    ------
    TypeError
        The function is a generator: it would judge after it had returned.
    ValueError
        There is no pattern.
    """
    if not patterns or not all(isinstance(pattern, str) and "." in pattern for pattern in patterns):
        raise ValueError('Say which claims the function judges: @judges("osdt.t2.*").')

    def mark(function):
        plain = inspect.unwrap(function)
        if inspect.isgeneratorfunction(plain):
            raise TypeError(f"{plain.__name__} yields: return a list, so that it judges while it runs.")
        module = plain.__module__.removeprefix(_PAPERS)
        code = plain.__code__
        judge = Judge(f"{module}.{plain.__qualname__}", code.co_filename, code.co_firstlineno, patterns)
        JUDGES[judge.name] = judge

        @functools.wraps(function)
        def judging(*args, **kwargs):
            before = _current.set(judge)
            try:
                return function(*args, **kwargs)
            finally:
                _current.reset(before)

        if plain.__module__.startswith(_PAPERS):
            ON.setdefault(patterns[0].partition(".")[0], []).append(judging)
        return judging

    return mark


def check_of(claim_id):
    """Name of the marked function that runs now, str.

    Raises
    ------
    ValueError
        None runs, or one that did not announce this claim.
    """
    judge = _current.get()
    if judge is None:
        raise ValueError(f'{claim_id}: mark the function that judges it with @judges("{claim_id}").')
    if not any(fnmatchcase(claim_id, pattern) for pattern in judge.patterns):
        raise ValueError(f"{judge.name} is marked for {', '.join(judge.patterns)}, not for {claim_id}.")
    return judge.name
