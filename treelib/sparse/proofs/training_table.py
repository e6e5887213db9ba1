"""The rows of a fit as the checker reads them: a CSV text, and exact numbers."""

import csv
import io
from fractions import Fraction

import numpy as np

from treelib.sparse.proofs.problem import fraction_of
from treelib.table.checks import check_price
from treelib.table.frames import columns_meant
from treelib.table.weights import check_weights, weigh_classes


class TrainingTable:
    """Training rows of a fitted `OptimalSparseTreeClassifier`.

    Attributes
    ----------
    names : list of str, values : float64 (n, p), of the columns that may be tested, categories as 0 and 1
    thresholds : list of float64 arrays, those that were candidates, or None for all
    costs : list of lists of Fraction (n, n_classes), price : Fraction, in the same units, total : Fraction
    """

    def __init__(self, model, X, y, sample_weight):
        encoded = model._encode(X)
        encoder, n = model.encoder_, len(encoded)
        of_table = getattr(model, "feature_names_in_", [f"x{j}" for j in range(model.n_features_in_)])
        of_table = [str(name) for name in of_table]
        names = encoder.feature_names_out_ or of_table
        self.sources = [of_table[j] for j in encoder.columns_out()]
        allowed = of_table
        if model.allowed_features is not None:
            chosen = columns_meant("allowed_features", model.allowed_features, of_table, len(of_table))
            allowed = [of_table[j] for j in chosen]
        kept = [j for j, source in enumerate(self.sources) if source in allowed]
        self.numeric = [of_table[j] for j in encoder.numeric_ if of_table[j] in allowed]
        self.categorical = [of_table[j] for j in encoder.categories_ if of_table[j] in allowed]
        self.names, self.values = [names[j] for j in kept], np.asarray(encoded, float)[:, kept]
        self.sources = [self.sources[j] for j in kept]
        self.encoded_names, self.encoded = names, encoded
        self.thresholds = None
        if not model.proof_scope_.startswith("all thresholds"):
            feature, threshold = model.binarizer_.candidate_feature_, model.binarizer_.candidate_threshold_
            self.thresholds = [threshold[(feature == j) & np.isfinite(threshold)] for j in kept]
        self.model, self.labels = model, [str(label) for label in model.classes_.tolist()]
        self._count(np.asarray(y).ravel(), sample_weight, n)

    def _count(self, y, sample_weight, n):
        model = self.model
        if len(y) != n or not np.isin(y, model.classes_).all():
            raise ValueError("y is not that of the fit: it has other classes, or another number of rows.")
        self.codes = np.searchsorted(model.classes_, y)
        weights = weigh_classes(
            model.class_weight, model.classes_, self.codes, check_weights(sample_weight, n)
        )
        self.weights = None if weights is None else [fraction_of(weight) for weight in weights]
        matrix = 1 - np.eye(len(self.labels)) if model.cost_matrix is None else np.asarray(model.cost_matrix)
        self.matrix = [[fraction_of(cost) for cost in row] for row in matrix]
        ones = [Fraction(1)] * n if weights is None else self.weights
        rows = zip(ones, self.codes.tolist(), strict=True)
        self.costs = [[weight * cost for cost in self.matrix[code]] for weight, code in rows]
        self.total = sum(ones)
        self.price = fraction_of(check_price("regularization", model.regularization)) * self.total

    def cost_of(self, tree):
        """What a tree costs, Fraction."""
        predicted = tree.label[tree.apply(self.encoded)].tolist()
        return sum(row[k] for row, k in zip(self.costs, predicted, strict=True)) + self.price * tree.n_leaves

    def _free_name(self, name):
        while name in self.sources:
            name += "_"
        return name

    def text(self):
        """The table as CSV text: numbers, categories, the class and the weight."""
        columns = {name: self._numbers(name) for name in self.numeric}
        columns |= {name: self._categories(name) for name in self.categorical}
        columns[self._free_name("target")] = [self.labels[code] for code in self.codes]
        if self.weights is not None:
            columns[self._free_name("weight")] = list(map(str, self.weights))
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows([list(columns), *zip(*columns.values(), strict=True)])
        return out.getvalue()

    def _numbers(self, name):
        values = self.values[:, self.sources.index(name)].tolist()
        return ["" if x != x else int(x) if x.is_integer() else repr(x) for x in values]

    def _categories(self, name):
        cells = [""] * len(self.values)
        for j, source in enumerate(self.sources):
            if source == name and self.names[j] != f"{name} is missing":
                text = self.names[j].removeprefix(f"{name} = ")
                if not text:
                    raise ValueError(
                        f"Column {name!r} has an empty text among its categories; give it a name."
                    )
                for i in np.flatnonzero(self.values[:, j]):
                    cells[i] = text
        return cells

    def head(self):
        """What the first line of a proof says of the table, the objective and the tree."""
        costs = None
        if self.model.cost_matrix is not None:
            rows = [dict(zip(self.labels, map(str, row), strict=True)) for row in self.matrix]
            costs = dict(zip(self.labels, rows, strict=True))
        listed = {}
        if self.thresholds is not None:
            numbers = [self.names.index(name) for name in self.numeric]
            listed = {"thresholds": {self.names[j]: self.thresholds[j].tolist() for j in numbers}}
        return {
            "numbers": self.numeric,
            "categories": self.categorical,
            "target": self._free_name("target"),
            "weight": None if self.weights is None else self._free_name("weight"),
            "costs": costs,
            **listed,
            "regularization": str(fraction_of(self.model.regularization)),
            "max_depth": self.model.max_depth,
            "tree": self._node(self.model.tree_, 0),
        }

    def _node(self, tree, i):
        if tree.is_leaf[i]:
            return {"label": self.labels[tree.label[i]]}
        value = float(tree.threshold[i])
        return {
            "column": self.encoded_names[tree.feature[i]],
            "value": None if np.isinf(value) else value,
            "<=": self._node(tree, tree.children_left[i]),
            ">": self._node(tree, tree.children_right[i]),
        }
