"""Runs of BinOCT and of regularised BinOCT, and the ten folds: Figures 1, 5 to 8 and 10 to 16.

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
from treelib.ledger.experiments import TIMING, experiment
from treelib.papers.osdt.settings import DATA, FIGURE_7_LAMBDA, FIGURE_8, PRICES, load
from treelib.papers.osdt.trees import Scored, named, score
from treelib.sparse.binoct.fit import binoct
from treelib.tree.stored import Tree

# seconds that HiGHS gets for a tree, and the depths asked for
DEPTHS, CASE_SECONDS = (1, 2, 3, 4), 2.0
FIGURE_DEPTH = 3  # of Figures 5 and 6, whose complete trees have eight leaves
FIGURE_SECONDS = {"5": 8.0, "6": 8.0, "7": 30.0, "8": 5.0}

# the folds of the authors' program: samples in file order, shuffled with this seed
N_FOLDS, FOLD_SEED = 10, 2018
FOLD_DEPTH, FOLD_SECONDS = 2, 0.5


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
    data : str, key of `treelib.papers.osdt.figure_trees.DATA`
    depth : int
    regularization : Fraction, price of a leaf; 0 for BinOCT
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


def cross_validate(data, depth, regularization=Fraction(0), time_limit=1.0):
    """Ten folds as the paper cut them: list of dicts with ``fold``, ``train`` and ``test`` accuracy in
    percent, ``leaves``, ``status`` and ``seconds``; Figures 10 to 16."""
    from sklearn.model_selection import KFold

    table = load(data)
    rows = []
    folds = KFold(N_FOLDS, shuffle=True, random_state=FOLD_SEED).split(table.X)
    for fold, (train, test) in enumerate(folds, start=1):
        result = binoct(
            table.X[train],
            table.y[train],
            depth,
            regularization=float(regularization),
            time_limit=time_limit,
        )
        accuracy = {
            part: 100 * (1 - result.tree.error(table.X[at], table.y[at]))
            for part, at in (("train", train), ("test", test))
        }
        rows.append(
            {
                "data": data,
                "fold": fold,
                **accuracy,
                "leaves": result.tree.n_leaves,
                "status": result.status,
                "seconds": result.stats["seconds"],
            }
        )
    return rows


# ---- experiments ------------------------------------------------------------------------------------------


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


def _datasets(case):
    return (DATA[case["data"]],)


def run_stored_case(case):
    """One run of BinOCT as an experiment asks for it."""
    return to_row(run_case(case["data"], case["depth"], Fraction(case["regularization"]), case["time_limit"]))


# what the trace and the tree hold depends on how far the clock let the solver come
_RUNS = {
    "datasets": _datasets,
    "kind": TIMING,
    "measured": ("tree", "lower_bound", "status", "n_nodes", "trace"),
}

experiment(
    "osdt.f1",
    item="Figure 1",
    title="BinOCT on the seven data sets at every depth",
    cases=lambda: [_asked(data, depth, CASE_SECONDS) for data in DATA for depth in DEPTHS],
    seconds=46,
    **_RUNS,
)(run_stored_case)

experiment(
    "osdt.f5",
    item="Figure 5",
    title="BinOCT with eight leaves on Tic-Tac-Toe",
    cases=lambda: [_asked("Tic-Tac-Toe", FIGURE_DEPTH, FIGURE_SECONDS["5"])],
    seconds=8,
    **_RUNS,
)(run_stored_case)

experiment(
    "osdt.f6",
    item="Figure 6",
    title="BinOCT with eight leaves on Monk1",
    cases=lambda: [_asked("Monk1", FIGURE_DEPTH, FIGURE_SECONDS["6"])],
    seconds=8,
    **_RUNS,
)(run_stored_case)

experiment(
    "osdt.f7",
    item="Figure 7",
    title="Regularised BinOCT on the data that Figure 7 shows, which are COMPAS and not Monk1",
    cases=lambda: [_asked("COMPAS", FIGURE_8["COMPAS"][1], FIGURE_SECONDS["7"], FIGURE_7_LAMBDA)],
    seconds=5,
    **_RUNS,
)(run_stored_case)

experiment(
    "osdt.f8",
    item="Figure 8",
    title="Regularised BinOCT on the seven data sets, with its trace",
    cases=lambda: [
        _asked(data, depth, FIGURE_SECONDS["8"], price) for data, (price, depth) in FIGURE_8.items()
    ],
    seconds=35,
    **_RUNS,
)(run_stored_case)


@experiment(
    "osdt.f10",
    item="Figures 10 to 16",
    title="Optimal trees, and CART with as many leaves, on the paper's ten folds",
    cases=lambda: [{"data": data} for data in DATA],
    datasets=_datasets,
    seconds=3,
)
def figures_10_to_16(case):
    """Training and test accuracy in percent, one row a fold, price and method."""
    from sklearn.model_selection import KFold
    from sklearn.tree import DecisionTreeClassifier

    table = load(case["data"])
    rows = []
    cut = KFold(N_FOLDS, shuffle=True, random_state=FOLD_SEED)
    for fold, (train, test) in enumerate(cut.split(table.X), start=1):
        for price in PRICES:
            sparse = OptimalSparseTreeClassifier(float(price), max_thresholds=10).fit(
                table.X[train], table.y[train]
            )
            n_leaves = sparse.tree_.n_leaves
            greedy = DecisionTreeClassifier(max_leaf_nodes=max(n_leaves, 2), random_state=0)
            greedy.fit(table.X[train], table.y[train])
            for method, model, size in (
                ("osdt", sparse, n_leaves),
                ("cart", greedy, int(greedy.get_n_leaves())),
            ):
                accuracy = {
                    part: 100 * float(np.mean(model.predict(table.X[at]) == table.y[at]))
                    for part, at in (("train", train), ("test", test))
                }
                row = {"method": method, "leaves": size, **accuracy, "fold": fold, "price": str(price)}
                rows.append(row)
    return rows


@experiment(
    "osdt.f10.binoct",
    item="Figures 10 to 16",
    title="BinOCT on the paper's ten folds",
    cases=lambda: [{"data": data, "depth": FOLD_DEPTH, "time_limit": FOLD_SECONDS} for data in DATA],
    datasets=_datasets,
    seconds=36,
    kind=TIMING,
    measured=("train", "test", "leaves", "status"),
)
def figures_10_to_16_binoct(case):
    """Training and test accuracy in percent, one row a fold."""
    return cross_validate(case["data"], case["depth"], time_limit=case["time_limit"])
