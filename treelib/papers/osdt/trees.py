"""The data sets of the sparse-tree paper, and trees on them whose numbers are counted, not reported.

Every number is counted from a stored `Tree` and the data, in integers and fractions, never taken from a
solver's report: a printed digit is compared with an exact one.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np

from treelib import OptimalSparseTreeClassifier
from treelib.papers.osdt.settings import CART_DEPTH, DATA, LAMBDA, load
from treelib.tree.stored import Tree

_SQUARES = [
    f"{row} {column}" for row in ("top", "middle", "bottom") for column in ("left", "centre", "right")
]


@dataclass(frozen=True)
class Scored:
    """A tree with what it does on a data set, counted from both.

    Attributes
    ----------
    data : str, the paper's name of the data set
    tree : Tree, counted on the data
    n_errors, n_samples : int
    regularization : Fraction or None
    lower_bound : float or None, proven lower bound of the optimum, from the search
    """

    data: str
    tree: Tree
    n_errors: int
    n_samples: int
    regularization: Fraction | None = None
    lower_bound: float | None = None

    @property
    def n_leaves(self):
        return self.tree.n_leaves

    @property
    def accuracy(self):
        """Percent of the samples classified rightly, Fraction."""
        return Fraction(100 * (self.n_samples - self.n_errors), self.n_samples)

    @property
    def objective(self):
        """Equation (4): error + regularization x leaves, Fraction."""
        return self.value(self.regularization)

    def value(self, regularization):
        """Objective at any regularization (Fraction)."""
        return Fraction(self.n_errors, self.n_samples) + regularization * self.n_leaves


def score(tree, data, regularization=None, lower_bound=None):
    """`Scored` tree on the data set called `data` in the paper."""
    table = load(data)
    n_errors = int(np.count_nonzero(tree.predict(table.X) != table.y))
    return Scored(data, tree, n_errors, len(table.y), regularization, lower_bound)


@cache
def optimal_tree(data, regularization):
    """Optimal sparse tree of a data set, `Scored`; `regularization` is a Fraction.

    Raises
    ------
    RuntimeError
        The search did not prove its tree optimal, or reports another objective than the tree has.
    """
    table = load(data)
    model = OptimalSparseTreeClassifier(float(regularization), max_thresholds=10).fit(table.X, table.y)
    scored = score(named(model.tree_, data), data, Fraction(regularization), model.lower_bound_)
    if not model.is_optimal_ or abs(scored.objective - Fraction(model.lower_bound_)) > Fraction(1, 10**9):
        raise RuntimeError(f"{data} at {regularization}: not proved optimal, or the report is wrong.")
    return scored


@cache
def cart_tree(data, n_leaves, max_depth=CART_DEPTH):
    """CART tree of at most `n_leaves` leaves, grown best first by scikit-learn, `Scored`."""
    from sklearn.tree import DecisionTreeClassifier

    table = load(data)
    model = DecisionTreeClassifier(max_leaf_nodes=n_leaves, max_depth=max_depth, random_state=0)
    tree = Tree.from_sklearn(model.fit(table.X, table.y)).recount(table.X, table.y)
    return score(named(tree, data), data)


def tree_features():
    """Columns of the recidivism data that the optimal tree of Figure 4 reads, in file order."""
    tree = optimal_tree("COMPAS", LAMBDA["COMPAS"]).tree
    return sorted(set(tree.feature[~tree.is_leaf].tolist()))


def columns_of_figure_3(n_features):
    """So many columns of the recidivism data, those of the optimal tree first, list of int."""
    first = tree_features()
    others = [column for column in range(load("COMPAS").X.shape[1]) if column not in first]
    return (first + others)[:n_features]


def named(tree, data):
    """The tree with names of features and classes that a reader of the figures understands."""
    table = load(data)
    features, classes = list(table.feature_names), list(table.class_names)
    if data == "Tic-Tac-Toe":
        features = [f"{_SQUARES[int(name[4])]} is {name[-1]}" for name in features]
        classes = ["x does not win", "x wins"]
    elif data.startswith("Monk"):
        features = [name.replace("_", " = ") for name in features]
        classes = ["other", "monk"]
    elif data == "COMPAS":
        features = [name.replace("-", " ").replace(":=", " = ").replace(":", " ") for name in features]
        features = [f"{name[:-4]} 2 to 3" if name.endswith(" 2 3") else name for name in features]
        classes = ["no arrest", "arrest"]
    return tree.replace(feature_names=features, class_names=classes)


def readable(tree, name):
    """`named` by the name with which `treelib.datasets.load` knows the data, such as "compas-binary"."""
    return named(tree, next(data for data, key in DATA.items() if key == name))
