"""BinOCT and regularised BinOCT on HiGHS: one run as a case, beside the optimum of its depth.

The paper ran BinOCT on a commercial solver with eight threads for 30 minutes, and regularised BinOCT for an
hour. Here HiGHS has one thread and seconds. The exact engine adds what neither knew: the optimum over trees
of the same depth (a complete tree can do what any tree of at most its depth does, so without a price of
leaves the two have the same least error). Where the clock stops HiGHS, another run may find another tree.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np

from treelib import OptimalSparseTreeClassifier
from treelib.ledger import experiments, store
from treelib.ledger.experiments import TIMING
from treelib.papers.osdt.settings import data_of, load
from treelib.papers.osdt.trees import Scored, named, score
from treelib.sparse.binoct.fit import binoct
from treelib.tree.stored import Tree

# seconds that HiGHS gets for the tree of a figure
FIGURE_SECONDS = {"5": 8.0, "6": 8.0, "7": 30.0, "8": 5.0}


@dataclass(frozen=True)
class Case:
    """One run of BinOCT.

    Attributes
    ----------
    scored : Scored, the tree and its errors, counted from tree and training data; its `lower_bound` is what
        HiGHS proved of the objective (of the error, without regularization)
    depth : int
    regularization : Fraction, 0 for BinOCT
    status : str, as in `treelib.search.budget.SearchResult`
    seconds, time_limit : float
    n_nodes : int, nodes of HiGHS's search
    trace : dict of arrays ``seconds``, ``objective``, ``lower_bound``, ``nodes``
    optimum : Scored, best tree of at most this depth, by the exact engine; the program's true optimum
    """

    scored: Scored
    depth: int
    regularization: Fraction
    status: str
    seconds: float
    time_limit: float
    n_nodes: int
    trace: dict
    optimum: Scored

    @property
    def objective(self):
        """Error + regularization x leaves, Fraction; without regularization the error."""
        return self.scored.value(self.regularization)

    @property
    def is_optimal(self):
        """Whether the tree is optimal among those of its depth, proved by HiGHS or not."""
        return self.objective == self.optimum.value(self.regularization)

    @property
    def n_useless_splits(self):
        """Splits that change no prediction: one side out of reach, or one label on both sides."""
        return self.scored.n_leaves - self.scored.tree.simplified().n_leaves

    def row(self):
        """The case as a dict of plain numbers, for a table."""
        return {
            "data": self.scored.data,
            "depth": self.depth,
            "regularization": float(self.regularization),
            "leaves": self.scored.n_leaves,
            "useless_splits": self.n_useless_splits,
            "accuracy": float(self.scored.accuracy),
            "objective": float(self.objective),
            "lower_bound": self.scored.lower_bound,
            "status": self.status,
            "seconds": self.seconds,
            "nodes": self.n_nodes,
            "optimum": float(self.optimum.value(self.regularization)),
            "optimal_accuracy": float(self.optimum.accuracy),
            "is_optimal": self.is_optimal,
        }


@cache
def run_case(data, depth, regularization=Fraction(0), time_limit=10.0, seed=0):
    """`Case` of one data set, under the paper's name; kept for the session.

    Parameters
    ----------
    data : str, key of `treelib.papers.osdt.settings.DATA`
    depth : int
    regularization : Fraction, leaf penalty; 0 for BinOCT
    time_limit : float, seconds
    seed : int, of HiGHS and CART
    """
    table = load(data)
    regularization = Fraction(regularization)
    result = binoct(
        table.X, table.y, depth, regularization=float(regularization), time_limit=time_limit, seed=seed
    )
    return Case(
        scored=score(named(result.tree, data), data, regularization, result.lower_bound),
        depth=depth,
        regularization=regularization,
        status=result.status,
        seconds=result.stats["seconds"],
        time_limit=time_limit,
        n_nodes=result.stats["n_nodes"],
        trace=result.trace,
        optimum=optimum_of_depth(data, depth, regularization),
    )


@cache
def optimum_of_depth(data, depth, regularization=Fraction(0)):
    """Best tree of at most `depth`, `Scored`, proved by the exact engine."""
    table = load(data)
    model = OptimalSparseTreeClassifier(float(regularization), max_thresholds=10, max_depth=depth).fit(
        table.X, table.y
    )
    if not model.is_optimal_:
        raise RuntimeError(f"{data} at depth {depth} and {regularization}: not proved optimal.")
    return score(named(model.tree_, data), data, Fraction(regularization), model.lower_bound_)


# ---- as experiments ----------------------------------------------------------------------------------------


def to_row(case):
    """A `Case` as the result of an experiment."""
    return {
        "tree": case.scored.tree.to_json(),
        "lower_bound": case.scored.lower_bound,
        "status": case.status,
        "n_nodes": case.n_nodes,
        "trace": {name: np.asarray(column).tolist() for name, column in case.trace.items()},
        "optimum": case.optimum.tree.to_json(),
        "seconds": case.seconds,
    }


def from_row(asked, row):
    """The `Case` of a stored result; `asked` is the case of the experiment."""
    data, regularization = asked["data"], Fraction(asked["regularization"])

    def scored(text, lower_bound=None):
        return score(Tree.from_json(text), data, regularization, lower_bound)

    return Case(
        scored=scored(row["tree"], row["lower_bound"]),
        depth=asked["depth"],
        regularization=regularization,
        status=row["status"],
        seconds=row["seconds"],
        time_limit=asked["time_limit"],
        n_nodes=row["n_nodes"],
        trace={name: np.array(column, dtype=float) for name, column in row["trace"].items()},
        optimum=scored(row["optimum"]),
    )


def _asked(data, depth, time_limit, regularization=Fraction(0)):
    return {"data": data, "depth": depth, "regularization": str(regularization), "time_limit": time_limit}


def run_stored_case(case):
    """One run of BinOCT as an experiment asks for it."""
    return to_row(run_case(case["data"], case["depth"], Fraction(case["regularization"]), case["time_limit"]))


# what the trace and the tree hold depends on how far the clock let the solver come
_RUNS = {
    "datasets": data_of,
    "measured": ("tree", "lower_bound", "status", "n_nodes", "trace"),
}


@cache
def cases_of(figure):
    """Stored runs of BinOCT for a figure ("1", "5", "6", "7" or "8"): list of `Case`."""
    return [from_row(asked, row) for asked, row in store.outcomes(f"osdt.f{figure}")]


def _figure(number):
    """The only case of a figure, as the source of a verdict."""
    [case] = experiments.get(f"osdt.f{number}").cases()
    return store.source(f"osdt.f{number}", **case)


def _explain(case):
    """Why a tree of BinOCT is another than the printed one."""
    best = f"the best tree of depth {case.depth} has {float(case.optimum.accuracy):.3f} % (exact engine)"
    if case.is_optimal:
        return f"the printed tree is BinOCT's best after 30 minutes, not the optimum; {best}"
    return f"HiGHS was stopped after {case.time_limit:.0f} s; {best}"


# ---- the time of the paper -----------------------------------------------------------------------------


@experiments.experiment(
    "osdt.f5.half-hour",
    item="Figure 5",
    title="BinOCT on Tic-Tac-Toe with the 30 minutes of the paper",
    cases=lambda: [_asked("Tic-Tac-Toe", 3, 1800.0)],
    datasets=data_of,
    seconds=1800,
    kind=TIMING,
    measured=("tree", "objective", "lower_bound", "status", "n_nodes", "trace"),
    on_request=True,
)
def half_hour(case):
    """One run of BinOCT as long as the paper's."""
    table = load(case["data"])
    result = binoct(table.X, table.y, case["depth"], time_limit=case["time_limit"])
    return {
        "objective": result.objective,
        "lower_bound": result.lower_bound,
        "status": result.status,
        "n_nodes": result.stats["n_nodes"],
        "seconds": result.stats["seconds"],
        "trace": {name: np.asarray(column).tolist() for name, column in result.trace.items()},
        "tree": result.tree.to_json(),
    }


def half_hours():
    """Stored runs as long as the paper's, list of (case, result, provenance)."""
    name = "osdt.f5.half-hour"
    found = store.outcomes(name)  # where nothing is stored it takes half an hour
    return [(case, result, store.record(name, case)["provenance"]) for case, result in found]
