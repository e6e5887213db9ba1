"""One search by the paper's branch and bound as a row of numbers: for Table 2 and Figures 2, 3 and 7.

Counts are exact. Runs that the paper needed hours and tens of gigabytes for are stopped at a number of trees,
so that they are the same on every machine. Nothing that runs here knows the exact engine: the optimum is set
beside these results where they are judged.
"""

from dataclasses import asdict, dataclass, field
from fractions import Fraction
from functools import cache
from time import perf_counter

import numpy as np

from treelib import OptimalSparseTreeClassifier
from treelib.ledger import store
from treelib.ledger.experiments import TIMING, experiment
from treelib.papers.osdt.settings import DATA, FIGURE_8, PRICES, SEVEN, data_of, load
from treelib.papers.osdt.trees import optimal_tree
from treelib.sparse.paper.bounds import DEFAULT_BOUNDS
from treelib.sparse.paper.branch_and_bound import branch_and_bound


@dataclass(frozen=True)
class Run:
    """One search.

    Attributes
    ----------
    status : str, as in `treelib.search.budget.SearchResult`
    objective : float, of the best tree found
    n_leaves : int, of that tree
    start : float, the objective that the search began with
    n_evaluated, n_evaluated_to_optimum : int, trees, in all and when the last incumbent was found
    bytes, queue_peak : int, tables of the search alone, without the interpreter, and longest queue
    seconds, seconds_to_optimum : float, of the search, and when the last incumbent was found
    trace : dict of lists ``seconds``, ``objective``, ``lower_bound``, ``nodes``; empty where it is not kept
    """

    status: str
    objective: float
    n_leaves: int
    start: float
    n_evaluated: int
    n_evaluated_to_optimum: int
    bytes: int
    queue_peak: int
    seconds: float
    seconds_to_optimum: float
    trace: dict = field(default_factory=dict)

    @property
    def is_complete(self):
        """Whether the search ended by itself."""
        return self.status in ("optimal", "exhausted")

    def reaches(self, objective):
        """Whether the best tree found has an objective."""
        return abs(self.objective - float(objective)) < 1e-9


def search(X, y, regularization, without=None, tree_limit=None, **options):
    """`Run` of the branch and bound on 0/1 columns `X` and classes `y`.

    Parameters
    ----------
    regularization : Fraction
    without : str or None, a bound to switch off
    tree_limit : int or None, stop after so many trees
    **options : `policy`, `warm_start`, `convention` of `branch_and_bound`
    """
    warm_up()
    bounds = [name for name in DEFAULT_BOUNDS if name != without]
    result = branch_and_bound(X, y, float(regularization), bounds=bounds, node_limit=tree_limit, **options)
    trace = result.trace
    reached = np.flatnonzero(trace["objective"] <= result.objective + 1e-12)
    at = trace["seconds"][reached[0]] if len(reached) else result.stats["seconds"]
    return Run(
        status=result.status,
        objective=float(result.objective),
        n_leaves=int(result.tree.n_leaves),
        start=float(trace["objective"][0]),
        n_evaluated=int(result.n_evaluated),
        n_evaluated_to_optimum=int(result.n_evaluated_to_optimum),
        bytes=int(result.stats["bytes"]),
        queue_peak=int(result.stats["queue_peak"]),
        seconds=float(result.stats["seconds"]),
        seconds_to_optimum=float(at),
        trace={name: np.asarray(column).tolist() for name, column in trace.items()},
    )


@cache
def warm_up():
    """Compile, or load what was compiled: no part of any time."""
    branch_and_bound([[0], [1]], [0, 1], 0.1)


def row(run, trace=False):
    """A `Run` as the result of a case."""
    values = asdict(run)
    if not trace:
        del values["trace"]
    return values


# ---- read again --------------------------------------------------------------------------------------------


@cache
def runs_of(experiment, *columns):
    """Stored searches of an experiment: dict of the case's `columns` (one value, or a tuple) to `Run`."""
    return {
        asked[columns[0]] if len(columns) == 1 else tuple(asked[name] for name in columns): Run(**row)
        for asked, row in store.outcomes(experiment)
    }


@cache
def optimum(data, regularization):
    """The optimal objective of a data set, by the exact engine, Fraction."""
    return optimal_tree(data, regularization).objective


# ---- seconds of the exact engine ---------------------------------------------------------------------------


def _timed_problems():
    problems = [(data, price) for data in DATA for price in PRICES]
    problems += [(data, price) for data, (price, _) in FIGURE_8.items()] + list(SEVEN.items())
    return [{"data": data, "regularization": str(price)} for data, price in dict.fromkeys(problems)]


@experiment(
    "osdt.exact-seconds",
    item="Figures 1 and 8",
    title="Seconds in which the exact engine finds and proves the optimal tree",
    cases=_timed_problems,
    datasets=data_of,
    seconds=2,
    kind=TIMING,
)
def exact_seconds(case):
    """Whole fits, all compiled and loaded: the least of three."""
    table, price = load(case["data"]), float(Fraction(case["regularization"]))
    OptimalSparseTreeClassifier(price, max_thresholds=10).fit(table.X, table.y)
    seconds = []
    for _ in range(3):
        began = perf_counter()
        OptimalSparseTreeClassifier(price, max_thresholds=10).fit(table.X, table.y)
        seconds.append(perf_counter() - began)
    return {"seconds": min(seconds)}


@cache
def seconds_by_problem():
    """Seconds of the exact engine: dict of (data, regularization as text) to seconds."""
    stored = store.outcomes("osdt.exact-seconds")
    return {(asked["data"], asked["regularization"]): row["seconds"] for asked, row in stored}


def seconds_of_exact(data, regularization):
    """Seconds in which the exact engine finds and proves the optimal tree, from the stored run."""
    return seconds_by_problem()[data, str(regularization)]
