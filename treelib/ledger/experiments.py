"""The experiments behind the tables and figures: what they are, and where they are defined.

An experiment is a function of one case, registered by a decorator in a module of ``treelib/papers``::

    @experiment("osdt.t2", item="Table 2", title="Trees evaluated",
                cases=lambda: [{"without": None}, {"without": "lookahead"}],
                datasets=("compas-binary",), seconds=30)
    def table_2(case):
        ...
        return {"n_evaluated": 232402}

`treelib.ledger.store` runs the cases and keeps the results. These become stale when the function changes, or
anything that it reaches (`treelib.ledger.reach`), wherever that stands. What it reaches by a text, which
nobody can follow without running it, is declared: ``depends=(function, ...)``. A correction of what describes
an experiment, or of the list of its cases, leaves its results as they are.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from treelib.ledger import reach
from treelib.ledger.papers import groups

KINDS = EXACT, STATISTICAL, TIMING = ("exact", "statistical", "timing")

# Places whose code can change without changing a result: how experiments are kept and shown, drawings, and
# the data sets, whose contents are in the key of a result by their checksums. A test holds that they exist.
APART = (
    "treelib.datasets",
    "treelib.ledger",
    "treelib.sparse.proofs",
    "treelib.compiled.sources",
    "treelib.compiled.cache_check",
    "treelib.compiled.compiling",
    "treelib.compiled.disk_cache",
    "treelib.tree.layout",
    "treelib.tree.drawing",
    "treelib.tree.explaining",
    "treelib.tree.speaking",
    "treelib.tree.style",
    "treelib.tree.formats.dot",
    "treelib.tree.formats.sql",
    "treelib.tree.formats.svg",
    "treelib.tree.formats.text",
)

_REGISTERED = {}
_FINDERS = []


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """One experiment.

    Attributes
    ----------
    name : str, ``<paper>.<item>``, for ever the same
    paper : str
    item : str, the paper's table, figure or section
    title : str
    function : callable, of a case (dict) to a result (dict of JSON values, or a list of such rows)
    module : str, where it is defined
    cases : callable, gives the list of cases, dicts of JSON scalars
    datasets : tuple of str, or callable of a case to such; names of `treelib.datasets` or of files in
        ``data/downloads.csv``
    seconds : float, about what all cases take one after the other; a test compares it with what they took
    kind : {"exact", "statistical", "timing"}
    measured : tuple of str, columns of the result that another run need not repeat
    tolerance : float, largest relative difference of another run, of the numbers of a statistical experiment
    jobs : int or None, most cases at a time
    beside : callable of a case to bool, or None: cases of a timing experiment whose seconds are shown but
        compared with nothing, and that may therefore run beside those of other experiments
    memory : float, bytes that the process of the hungriest case needs
    depends : tuple of functions, classes or addresses (``module.name``) that `function` reaches by a text
    on_request : bool, whether it runs only when it is named: its time limit is what is tried, so it takes all
        of it. A run of all experiments leaves its record, which stands whatever has changed beneath since.
    """

    name: str
    paper: str
    item: str
    title: str
    function: Callable
    module: str
    cases: Callable
    seconds: float
    datasets: tuple | Callable = ()
    kind: str = EXACT
    measured: tuple = ()
    tolerance: float = 1e-6
    jobs: int | None = None
    beside: Callable | None = None
    memory: float = 1e9
    depends: tuple = ()
    on_request: bool = False

    def datasets_of(self, case):
        """Names of the data sets that a case needs, tuple of str."""
        return tuple(self.datasets(case) if callable(self.datasets) else self.datasets)

    def runs_alone(self, case):
        """Whether nothing may run beside a case, bool."""
        return self.kind == TIMING and not (self.beside is not None and self.beside(case))

    def digest(self):
        """Digest of the code that the results depend on, as it is on disk now, 16 hexadecimal digits.

        Of the settings only that it is timed counts, since it then runs alone; data and case are in the key.

        Raises
        ------
        ValueError
            There is no such definition as `depends` names.
        """
        beneath = sorted({reach.digest(one, APART) for one in self.depends})
        words = [reach.digest(self.function, APART), *beneath, *(["alone"] if self.kind == TIMING else [])]
        return hashlib.sha256(" ".join(words).encode()).hexdigest()[:16]

    def is_measured(self, column):
        """Whether a column is a measurement, which another run does not repeat: named after seconds or
        bytes, or declared so."""
        return column in self.measured or "seconds" in column or "bytes" in column


def experiment(name, *, kind=EXACT, jobs=None, **settings):
    """Register the decorated function of one case as an experiment.

    Timing experiments run one case at a time, with nothing beside it unless `beside` allows it. The function
    stays as it is and must stand at module level.

    Parameters
    ----------
    name, kind, jobs, **settings : attributes of `Experiment`, which has the defaults; the paper is the first
        part of the name
    """
    paper, dot, _ = name.partition(".")
    if paper not in groups() or not dot:
        raise ValueError(f"{name!r}: a name begins with its paper ({', '.join(groups())}) and a dot.")
    if kind not in KINDS:
        raise ValueError(f"{name}: kind={kind!r} is unknown; give one of {', '.join(KINDS)}.")
    settings |= {"name": name, "paper": paper, "kind": kind, "jobs": 1 if kind == TIMING else jobs}

    def register(function):
        known = _REGISTERED.get(name)
        where = (function.__module__, function.__qualname__)
        if known and (known.module, known.function.__qualname__) != where:
            raise ValueError(f"Experiment {name!r} is defined twice, in {known.module} and {where[0]}.")
        _REGISTERED[name] = Experiment(function=function, module=function.__module__, **settings)
        return function

    return register


def get(name):
    """The experiment called `name`, or given as such; ValueError, with the known names, if there is none."""
    if isinstance(name, Experiment):
        return name
    if name not in _REGISTERED:
        paper = str(name).partition(".")[0]
        if paper in groups():
            find(paper)
    if name not in _REGISTERED:
        raise ValueError(f"There is no experiment {name!r}. Known are: {', '.join(names()) or 'none'}.")
    return _REGISTERED[name]


def names(paper=None):
    """Names of all experiments, or of those of one paper, in order of papers and names."""
    for key in groups() if paper is None else (paper,):
        find(key)
    order = {key: place for place, key in enumerate(groups())}
    found = [entry for entry in _REGISTERED.values() if paper in (None, entry.paper)]
    return [entry.name for entry in sorted(found, key=lambda entry: (order[entry.paper], entry.name))]


def select(*patterns):
    """Experiments that the patterns name: one, or all whose names begin so (``osdt``); all without a pattern.

    Raises
    ------
    ValueError
        A pattern names nothing.
    """
    if not patterns:
        return [get(name) for name in names()]
    chosen = {}
    for pattern in patterns:
        paper = pattern.partition(".")[0]
        known = names(paper) if paper in groups() else ()
        found = [name for name in known if name.startswith(f"{pattern}.")]
        found = [pattern] if pattern in known else found
        if not found:
            raise ValueError(
                f"No experiment is called {pattern!r}. Known are: {', '.join(names()) or 'none'}."
            )
        chosen.update({name: get(name) for name in found})
    return list(chosen.values())


def to_run(*patterns):
    """What the patterns ask for: (experiments to run, experiments left as they are stored), two lists.

    An experiment that runs on request is left, unless a pattern is its whole name.
    """
    chosen = select(*patterns)
    left = [one for one in chosen if one.on_request and one.name not in patterns]
    return [one for one in chosen if one not in left], left


@cache
def loaded_digest(name):
    """Digest of an experiment's code as it was when this process first asked for it.

    A process runs the code that it imported, whatever was edited since: its results carry this digest.
    """
    return get(name).digest()


def found_by(load):
    """Say who knows the experiments: `load`, a function of a group that imports their modules.

    `treelib.papers` says so when it is imported; the ledger does not know it.
    """
    if load not in _FINDERS:
        _FINDERS.append(load)


def elsewhere(function, *arguments):
    """(function, arguments) for another process, which then knows the experiments as this one does."""
    return _there, (tuple(_FINDERS), function, *arguments)


def _there(_finders, function, *arguments):
    return function(*arguments)  # reading the finders has imported their modules


@cache
def find(group):
    """Import what registers the experiments, verdicts and errata of a group.

    Raises
    ------
    RuntimeError
        Nobody has said where they are.
    """
    if not _FINDERS:
        raise RuntimeError("No experiments are known yet: import treelib.papers first.")
    for load in _FINDERS:
        load(group)
