"""The mixed-integer program of BinOCT and of regularised BinOCT, as sparse arrays.

Verwer and Zhang 2019, "Learning optimal classification trees using a binary linear program formulation",
AAAI; with the leaf penalty of Hu, Rudin and Seltzer 2019, Appendix J, equations 27 and 28. In the notation
of their Table 3, for 0/1 features::

    minimise   sum e[l, c] + lambda R sum alpha[l]
    subject to sum_f f[n, f] = 1                                              every inner node n
               sum_l x[r, l] = 1                                              every row r
               sum_c p[l, c] = 1                                              every leaf l
               M f[n, f] + sum of x[r, l], V[r, f] = 1, l left of n   <= M    every n, f (M: as many rows)
               M f[n, f] + sum of x[r, l], V[r, f] = 0, l right of n  <= M    every n, f
               sum of w[r, c] x[r, l] over r - M p[l, c] <= e[l, c]           every l, c
               sum of x[r, l] over r <= R alpha[l]                            every l, if regularised

`f`, `p` and `alpha` are binary, `e` and `x` (printed l[r, l]) continuous. Inner nodes are numbered as in a
heap: the children of n are 2n + 1 (value 0) and 2n + 2 (value 1); leaves from left to right.

What is ours: a 0/1 feature has one threshold, so the printed threshold variables t[n, t], their binary
encoding and the constraint on values outside all thresholds fall away; rows with equal features are one row
with weights w; and what a merged row costs under every class is taken off beforehand (`merged_of`). Every M
is the least that serves its own constraint, as Verwer and Zhang advise. Errors are divided by the number of
rows afterwards, so that lambda is that of optimal sparse trees; the equations print counts.
"""

from typing import NamedTuple

import numpy as np

# non-zeros of the constraints; HiGHS takes about 100 bytes for each
MOST_TERMS = 30_000_000


class MergedRows(NamedTuple):
    """Rows that no two trees treat alike.

    Attributes
    ----------
    columns : bool (n_merged, p)
    weights : float64 (n_merged, n_classes), rows of each class beyond those of the least frequent class
    base_errors : float, errors that every tree makes: at best a merged row is called by its most frequent
        class, and then each of the other classes costs at least as many rows as the least frequent one has.
        Merged rows with as many of every class cost the same under any tree and are dropped.
    """

    columns: np.ndarray
    weights: np.ndarray
    base_errors: float


def distinct_rows(X, y, n_classes):
    """The distinct rows of X, ascending, and how many rows of each class each of them stands for.

    Parameters
    ----------
    X : bool (n, p)
    y : intp (n,)

    Returns
    -------
    bool (n_distinct, p), and float64 (n_distinct, n_classes)
    """
    keys, group = np.unique(_keys(X), return_inverse=True)
    counts = np.bincount(group.ravel() * n_classes + y, minlength=len(keys) * n_classes)
    keys = keys.astype(">u8") if keys.dtype == np.uint64 else keys
    packed = keys.view(np.uint8).reshape(len(keys), -1)
    columns = np.unpackbits(packed, axis=1, count=X.shape[1]).astype(bool)
    return columns, counts.reshape(-1, n_classes).astype(float)


def _keys(X):
    """One item for each row of bool (n, p), in their order: of the bits of the row, those of the first column
    highest."""
    packed = np.ascontiguousarray(np.packbits(X, axis=1))
    if packed.shape[1] <= 8:
        packed = np.pad(packed, ((0, 0), (0, 8 - packed.shape[1])))
        return packed.view(">u8").ravel().astype(np.uint64)
    return packed.view(np.dtype((np.void, packed.shape[1]))).ravel()


def merged_of(columns, counts):
    """`MergedRows` of what `distinct_rows` gives."""
    n_classes = counts.shape[1]
    least = counts.min(axis=1, keepdims=True)
    weights = counts - least
    kept = weights.any(axis=1)
    return MergedRows(columns[kept], weights[kept], float((n_classes - 1) * least.sum()))


def find_leaf(features, columns):
    """Leaf from left to right, intp (n,), that each row reaches.

    Parameters
    ----------
    features : intp (2**depth - 1,), the feature of each inner node of a complete tree, as in a heap
    columns : bool (n, p)
    """
    node = np.zeros(len(columns), dtype=np.intp)
    rows = np.arange(len(columns))
    for _ in range(len(features).bit_length()):
        node = 2 * node + 1 + columns[rows, features[node]]
    return node - len(features)


def count_terms(rows, depth):
    """About how many terms the program of `MergedRows` and a depth has."""
    n_classes, (n_rows, n_features) = rows.weights.shape[1], rows.columns.shape
    return max(n_rows, 1) * 2**depth * (depth * n_features / 2 + n_classes + 2)


def check_size(rows, depth):
    """Refuse `MergedRows` and a depth whose program would not fit into memory."""
    n_terms = count_terms(rows, depth)
    if n_terms > MOST_TERMS:
        raise ValueError(
            f"depth={depth} makes a program of about {n_terms:.0e} terms, more than {MOST_TERMS:.0e}; "
            "choose a smaller depth."
        )


class Program:
    """Variables and constraints over `MergedRows` for complete trees of one depth.

    Parameters
    ----------
    rows : MergedRows with at least one row
    depth : int
    price : float, leaf penalty in rows (lambda R); 0 leaves `alpha` and its constraints out

    Attributes
    ----------
    cost, lower, upper : float64 (n_variables,), of the variables
    is_integer : bool (n_variables,)
    matrix : scipy.sparse.csr_matrix (n_constraints, n_variables)
    row_lower, row_upper : float64 (n_constraints,)
    """

    def __init__(self, rows, depth, price):
        self.rows = rows
        self.depth = depth
        self.price = price
        self.n_nodes, self.n_leaves = 2**depth - 1, 2**depth
        n_rows, n_features = rows.columns.shape
        n_classes = rows.weights.shape[1]
        shapes = {
            "f": (self.n_nodes, n_features),
            "p": (self.n_leaves, n_classes),
            "e": (self.n_leaves, n_classes),
            "x": (n_rows, self.n_leaves),
            "alpha": (self.n_leaves if price > 0 else 0,),
        }
        end = np.cumsum([np.prod(shape, dtype=int) for shape in shapes.values()])
        self.n_variables = int(end[-1])
        ids = np.split(np.arange(self.n_variables), end[:-1])
        # name of the paper -> ids of the variables, in the shape of their indices
        self.ids = {name: part.reshape(shapes[name]) for name, part in zip(shapes, ids, strict=True)}

        self.is_integer = np.zeros(self.n_variables, dtype=bool)
        for name in ("f", "p", "alpha"):
            self.is_integer[self.ids[name]] = True
        self.cost = np.zeros(self.n_variables)
        self.cost[self.ids["e"]] = 1.0
        self.cost[self.ids["alpha"]] = price
        self.lower = np.zeros(self.n_variables)
        self.upper = np.ones(self.n_variables)
        self.upper[self.ids["e"]] = rows.weights.sum(axis=0)
        self._constrain()

    def _constrain(self):
        from scipy.sparse import csr_matrix

        constraints = list(self._constraints())
        index, value, lower, upper = zip(*constraints, strict=True)
        start = np.cumsum([0] + [len(part) for part in index])
        self.matrix = csr_matrix(
            (np.concatenate(value), np.concatenate(index), start), shape=(len(index), self.n_variables)
        )
        self.row_lower, self.row_upper = np.array(lower), np.array(upper)

    def _constraints(self):
        """(ids, coefficients, lower, upper) of every constraint, in the order of the module's list."""
        columns, weights = self.rows.columns, self.rows.weights
        f, p, e, x, alpha = (self.ids[name] for name in ("f", "p", "e", "x", "alpha"))
        for one_of in (f, x, p):
            for ids in one_of:
                yield ids, np.ones(len(ids)), 1.0, 1.0
        for node in range(self.n_nodes):
            left, right = self._leaves_below(node)
            for feature in range(f.shape[1]):
                for leaves, excluded in ((left, columns[:, feature]), (right, ~columns[:, feature])):
                    big_m = float(np.count_nonzero(excluded))
                    if big_m:
                        ids = x[excluded, leaves].ravel()
                        yield np.append(ids, f[node, feature]), _ones_and(len(ids), big_m), -np.inf, big_m
        total = weights.sum(axis=0)
        for leaf in range(self.n_leaves):
            for c in range(weights.shape[1]):
                some = weights[:, c] > 0
                ids = np.concatenate([x[some, leaf], [p[leaf, c], e[leaf, c]]])
                yield ids, np.concatenate([weights[some, c], [-total[c], -1.0]]), -np.inf, 0.0
            if len(alpha):
                yield np.append(x[:, leaf], alpha[leaf]), _ones_and(len(x), -float(len(x))), -np.inf, 0.0

    def _leaves_below(self, node):
        """Slices of the leaves under the left and the right branch of an inner node."""
        level = (node + 1).bit_length() - 1
        width = self.n_leaves >> level
        start = (node + 1 - (1 << level)) * width
        middle = start + width // 2
        return slice(start, middle), slice(middle, start + width)

    def values_of(self, features):
        """Values float64 (n_variables,) of the best solution with the given feature in each inner node."""
        leaf = find_leaf(features, self.rows.columns)
        weights = np.zeros((self.n_leaves, self.rows.weights.shape[1]))
        np.add.at(weights, leaf, self.rows.weights)
        label = weights.argmax(axis=1)
        values = np.zeros(self.n_variables)
        values[self.ids["f"][np.arange(self.n_nodes), features]] = 1.0
        values[self.ids["x"][np.arange(len(leaf)), leaf]] = 1.0
        values[self.ids["p"][np.arange(self.n_leaves), label]] = 1.0
        weights[np.arange(self.n_leaves), label] = 0.0
        values[self.ids["e"]] = weights
        if self.price > 0:
            values[self.ids["alpha"][np.unique(leaf)]] = 1.0
        return values

    def features_of(self, values):
        """Feature intp (n_nodes,) of each inner node in a solution `values` (n_variables,)."""
        return values[self.ids["f"]].argmax(axis=1)


def _ones_and(n, last):
    return np.append(np.ones(n), last)
