"""Nodes of a tree in flat arrays, with scikit-learn's names and sentinels: checked, walked and counted.

Nodes are in preorder: the root is node 0, the left child of node ``i`` is node ``i + 1``, and a subtree is a
contiguous range of nodes. A row goes left iff ``x[feature] <= threshold``; NaN goes left iff
`missing_go_to_left`. A 0/1 feature splits at 0.5, so that left means "false".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from treelib.search.budget import go_on
from treelib.table.frames import refuse_masked
from treelib.table.refusal import explanation
from treelib.tree import comparing
from treelib.tree.building import NO_CHILD, checked_fields, float_array, frozen, nested_fields
from treelib.tree.digits import digits_of
from treelib.tree.walking import find_leaves

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray
    from typing_extensions import Self

_BLOCK = 2048  # rows walked at once: what is converted stays in the cache, 3 times faster than all 100,000
_CELLS = 2**18  # converted at once, of wide tables


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class TreeNodes:
    """Nodes of a binary decision tree and what they say of rows; `treelib.Tree` is this, read and written.

    Fields, checks and errors are those of `treelib.Tree`.
    """

    children_left: NDArray[np.intp]
    children_right: NDArray[np.intp]
    feature: NDArray[np.intp]
    threshold: NDArray[np.float64]
    value: NDArray[np.float64]
    n_features: int
    n_node_samples: NDArray[np.intp] = None  # type: ignore[assignment]  # filled in when it is built
    label: NDArray[np.intp] = None  # type: ignore[assignment]
    missing_go_to_left: NDArray[np.uint8] = None  # type: ignore[assignment]
    features_with_missing: tuple[int, ...] | None = None
    refuses_missing: bool = False
    digits: tuple[tuple[int, int], ...] | None = None
    feature_names: tuple[str, ...] | None = None
    class_names: tuple[str, ...] | None = None
    is_regression: bool = False

    if TYPE_CHECKING:  # what is given need not be arrays yet

        def __init__(
            self,
            *,
            children_left: ArrayLike,
            children_right: ArrayLike,
            feature: ArrayLike,
            threshold: ArrayLike,
            value: ArrayLike,
            n_features: int,
            n_node_samples: ArrayLike | None = None,
            label: ArrayLike | None = None,
            missing_go_to_left: ArrayLike | None = None,
            features_with_missing: Sequence[int] | None = None,
            refuses_missing: bool = False,
            digits: Sequence[tuple[int, int]] | None = None,
            feature_names: Sequence[str] | None = None,
            class_names: Sequence[str] | None = None,
            is_regression: bool = False,
        ) -> None: ...

    def __post_init__(self):
        for name, checked in checked_fields(self).items():
            object.__setattr__(self, name, checked)

    # ---- construction -------------------------------------------------------------------------------

    @classmethod
    def from_nested(
        cls,
        nested: Any,
        n_features: int | None = None,
        *,
        n_classes: int | None = None,
        feature_names: Sequence[str] | None = None,
        class_names: Sequence[str] | None = None,
        is_regression: bool = False,
    ) -> Self:
        """Tree from nested tuples, convenient for copying one from a page.

        Parameters
        ----------
        nested : tuple or leaf
            A split ``(feature, threshold, left, right)`` with an optional fifth item
            `missing_go_to_left`, or a leaf. `feature` is a feature index, or one of `feature_names`. A leaf
            is a class index, or one of `class_names`, or a list of class counts; for regression a number.
        n_features : int
            Default: the number of `feature_names`, or else the largest feature index used + 1.
        n_classes : int
            Default: the number of `class_names`, or else the largest class index used + 1 (at least 2).
        feature_names, class_names, is_regression
            As in `Tree`.

        Returns
        -------
        Tree
            Inner nodes hold the sum of the counts below them. Leaves given only by their class have zero
            counts (no data); inner nodes above them predict the class of their first leaf until `recount`.
        """
        return cls(**nested_fields(nested, n_features, n_classes, feature_names, class_names, is_regression))

    def replace(self, **changes: Any) -> Self:
        """Copy with `changes` to some fields, validated again; ``label=None`` relabels by `value`."""
        return type(self)(**{**self._fields(), **changes})

    # ---- shape --------------------------------------------------------------------------------------

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return len(self.feature)

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return (self.n_nodes + 1) // 2

    @property
    def n_classes(self) -> int:
        """Number of classes; 1 for a regression tree."""
        return self.value.shape[1]

    @cached_property
    def is_leaf(self) -> NDArray[np.bool_]:
        """Whether each node is a leaf, bool (n_nodes,)."""
        return frozen(self.feature < 0)

    @cached_property
    def parent(self) -> NDArray[np.intp]:
        """Parent of each node, intp (n_nodes,), -1 at the root."""
        parent = np.full(self.n_nodes, NO_CHILD, dtype=np.intp)
        inner = np.flatnonzero(~self.is_leaf)
        parent[self.children_left[inner]] = inner
        parent[self.children_right[inner]] = inner
        return frozen(parent)

    @cached_property
    def node_depth(self) -> NDArray[np.intp]:
        """Number of splits above each node, intp (n_nodes,)."""
        depth = [0] * self.n_nodes
        for node, parent in enumerate(self.parent.tolist()):
            if parent >= 0:
                depth[node] = depth[parent] + 1
        return frozen(np.array(depth, dtype=np.intp))

    @cached_property
    def max_depth(self) -> int:
        """Number of splits on the longest path; 0 for a single leaf."""
        return int(self.node_depth.max())

    # ---- prediction ---------------------------------------------------------------------------------

    def apply(self, X: ArrayLike) -> NDArray[np.intp]:
        """Leaf that each sample reaches.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Numbers, converted to float64; NaN means missing. Columns are matched by position; a data frame
            with this tree's names in a different order is rejected, and so is NaN if the tree
            `refuses_missing`.

        Returns
        -------
        intp ndarray of shape (n_samples,)
            Node indices.
        """
        return self._leaves(self._check_X(X))

    def _leaves(self, X, check=go_on):
        """Leaf of each row of a checked `X`; `check` is asked between blocks of rows, and may raise."""
        nodes = self.children_right, self.feature, self.threshold, self.missing_go_to_left
        if check is go_on and X.dtype == np.float64 and X.flags.c_contiguous:
            return find_leaves(X, *nodes)  # nothing to convert, nobody to ask
        leaf = np.empty(len(X), dtype=np.intp)
        step = max(1, min(_BLOCK, _CELLS // max(1, X.shape[1])))
        for start in range(0, len(X), step):
            check()
            block = slice(start, start + step)
            leaf[block] = find_leaves(np.ascontiguousarray(X[block], dtype=np.float64), *nodes)
        return leaf

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Class index predicted for each sample; for regression the mean.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            The classes as intp, for regression the means as float64.
        """
        return self.value[self.apply(X), 0] if self.is_regression else self.label[self.apply(X)]

    def predict_value(self, X: ArrayLike) -> NDArray[np.float64]:
        """`value` of the leaf that each sample of `X` reaches, float64 (n_samples, n_classes)."""
        return self.value[self.apply(X)]

    # ---- the tree on data ---------------------------------------------------------------------------

    def recount(
        self,
        X: ArrayLike,
        y_codes: ArrayLike,
        sample_weight: ArrayLike | None = None,
        check: Callable[[], object] = go_on,
    ) -> Self:
        """The same tree with `value` and `n_node_samples` recomputed from the given data; labels are kept.

        A regression node that receives no weight keeps its value.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples.
        y_codes : array-like of shape (n_samples,)
            Class indices; for regression the targets, as float.
        sample_weight : array-like of shape (n_samples,) or None
            Non-negative weights. None: all samples have weight 1.
        check : callable
            Called every few milliseconds; it may raise to abort.

        Returns
        -------
        Tree
            The new tree.
        """
        rows = self._check_X(X)
        y, weight = self._check_y(y_codes, sample_weight, len(rows))
        leaf = self._leaves(rows, check)
        n_nodes, width = self.n_nodes, self.n_classes
        check()
        samples = np.bincount(leaf, minlength=n_nodes)
        check()
        if self.is_regression:
            value = np.bincount(leaf, weight * y, n_nodes)[:, None]
        else:
            value = np.bincount(leaf * width + y, weight, n_nodes * width).reshape(n_nodes, width)
        check()
        total = np.bincount(leaf, weight, n_nodes)
        inner = np.flatnonzero(~self.is_leaf)
        inner = inner[np.argsort(-self.node_depth[inner], kind="stable")]
        for level in np.split(inner, np.flatnonzero(np.diff(self.node_depth[inner])) + 1):
            for table in (samples, value, total):
                table[level] = table[self.children_left[level]] + table[self.children_right[level]]
        if self.is_regression:
            known = total > 0
            value[known, 0] /= total[known]
            value[~known] = self.value[~known]
        return self.replace(value=value, n_node_samples=samples)

    def with_digits(self, X: ArrayLike) -> Self:
        """The same tree with the `digits` that its thresholds need over the values of `X`."""
        return self.replace(digits=digits_of(self, X))

    def error(
        self,
        X: ArrayLike,
        y_codes: ArrayLike,
        sample_weight: ArrayLike | None = None,
        check: Callable[[], object] = go_on,
    ) -> float:
        """Weighted fraction of misclassified samples; for regression the mean squared error.

        Parameters
        ----------
        X, y_codes, sample_weight, check
            As in `recount`.

        Returns
        -------
        float
            The error.
        """
        leaf = self._leaves(self._check_X(X), check)
        predicted = self.value[leaf, 0] if self.is_regression else self.label[leaf]
        check()
        y, weight = self._check_y(y_codes, sample_weight, len(predicted))
        if len(y) == 0 or not weight.sum() > 0:
            raise ValueError("The error needs at least one row with positive weight.")
        loss = (predicted - y) ** 2 if self.is_regression else predicted != y
        if sample_weight is None:
            return float(loss.sum() / len(y))
        return float(weight @ loss / weight.sum())

    def objective(
        self, X: ArrayLike, y_codes: ArrayLike, regularization: float, sample_weight: ArrayLike | None = None
    ) -> float:
        """`error` + `regularization` * number of leaves, the objective of optimal sparse trees.

        Parameters
        ----------
        X, y_codes, sample_weight
            As in `recount`.
        regularization : float
            Leaf penalty.

        Returns
        -------
        float
            The objective.
        """
        return self.error(X, y_codes, sample_weight) + regularization * self.n_leaves

    # ---- comparison and simplification --------------------------------------------------------------

    def difference(self, other: TreeNodes, missing: bool = True) -> NDArray[np.float64] | None:
        """A point where two trees predict differently, or None if they are the same function.

        The comparison is exact over all float64 points, including infinities, and over NaN if `missing` is
        true and neither tree refuses it. It compares labels (values for regression), not counts.

        Parameters
        ----------
        other : Tree
            A tree with the same number of features and the same task.
        missing : bool
            Also compare points with NaN.

        Returns
        -------
        float64 (n_features,) or None
            The point.
        """
        return comparing.difference(self, other, missing)

    def same_function(self, other: TreeNodes, missing: bool = True) -> bool:
        """Whether it predicts like `other` at every point, including NaN if `missing`; see `difference`."""
        return self.difference(other, missing) is None

    def simplified(self) -> Self:
        """The same function with fewer nodes.

        Removes splits that send all points to one side, and splits whose two children are leaves with the
        same label (for regression, the same value).

        Returns
        -------
        Tree
            The simplified tree.
        """
        return comparing.simplified(self)

    def pruned(self, nodes: ArrayLike) -> Self:
        """Tree in which the given inner `nodes` become leaves, keeping their label and value."""
        left, right = self.children_left.copy(), self.children_right.copy()
        closed = np.atleast_1d(np.asarray(nodes, dtype=np.intp))
        if ((closed < 0) | (closed >= self.n_nodes)).any():
            raise ValueError(f"nodes={closed.tolist()} must be node ids from 0 to {self.n_nodes - 1}.")
        left[closed] = right[closed] = NO_CHILD
        return self.rewired(left, right)

    def rewired(
        self, children_left: ArrayLike, children_right: ArrayLike, root: int = 0, **changes: Any
    ) -> Self:
        """Tree of the nodes below `root` with new children; unreachable nodes are dropped.

        Parameters
        ----------
        children_left, children_right : int (n_nodes,)
            Node indices of this tree, -1 at leaves.
        root : int
            Node that becomes the root.
        **changes
            Replacements for fields of this tree, indexed by its nodes.

        Returns
        -------
        Tree
            The new tree.
        """
        left, right = np.asarray(children_left).tolist(), np.asarray(children_right).tolist()
        keep, stack = [], [root]
        while stack:
            node = stack.pop()
            keep.append(node)
            if left[node] != NO_CHILD:
                stack += (right[node], left[node])
        new_id = np.full(self.n_nodes + 1, NO_CHILD, dtype=np.intp)
        new_id[keep] = np.arange(len(keep))
        table = {**self._fields(), **changes, "children_left": new_id[left], "children_right": new_id[right]}
        per_node = [f.name for f in fields(self) if isinstance(getattr(self, f.name), np.ndarray)]
        return self.replace(**{**changes, **{name: np.asarray(table[name])[keep] for name in per_node}})

    # ---- protocol -----------------------------------------------------------------------------------

    def __eq__(self, other):
        """Whether all fields are equal, node by node, but for how numbers are written; for equal predictions
        see `same_function`."""
        if not isinstance(other, TreeNodes):
            return NotImplemented
        mine, theirs = self._fields(), other._fields()
        return all(np.array_equal(mine[name], theirs[name]) for name in mine if name != "digits")

    def __hash__(self):
        return hash((self.feature.tobytes(), self.threshold.tobytes(), self.label.tobytes()))

    def __repr__(self):
        leaves = "1 leaf" if self.n_leaves == 1 else f"{self.n_leaves} leaves"
        task = "regression" if self.is_regression else f"{self.n_classes} classes"
        return f"<Tree: {leaves}, depth {self.max_depth}, {self.n_features} features, {task}>"

    def __getstate__(self):
        return self._fields()

    def __setstate__(self, state):
        """What skops calls when it loads a file; it checks the fields as the constructor does."""
        if not isinstance(state, dict) or state.keys() != {f.name for f in fields(self)}:
            raise ValueError("The state is not that of a Tree: its fields are others.")
        self.__init__(**state)

    def _fields(self):
        return {f.name: getattr(self, f.name) for f in fields(self)}

    # ---- checks -------------------------------------------------------------------------------------

    def _check_X(self, X):
        """`X` as a numeric array of the right shape, in whatever type and layout it came."""
        refuse_masked("X", X, "give X.filled(np.nan)")
        self._check_order(X)
        given = X
        try:
            X = np.asarray(X)
            if X.dtype.kind not in "fiub":  # complex numbers, dates and durations are not safe to convert
                X = X.astype(np.float64, casting="safe" if X.dtype.kind in "cmM" else "unsafe")
        except (TypeError, ValueError, OverflowError) as error:
            message = f"X must be a table of numbers ({error}); encode text and categories first."
            raise ValueError(message) from None
        if X.ndim != 2 or X.shape[1] != self.n_features:
            raise ValueError(f"X has shape {X.shape}; this tree needs (n_rows, {self.n_features}).")
        if self.refuses_missing and X.dtype.kind == "f" and np.isnan(X).any():
            found = "Input X contains NaN"
            raise ValueError(explanation(given, found, "") or explanation(X, found, ""))
        return X

    def _check_order(self, X):
        """Refuse a frame with the names of this tree in another order; other names are left alone."""
        if self.feature_names is None or not hasattr(X, "columns"):
            return
        names = tuple(str(name) for name in X.columns)
        if names != self.feature_names and sorted(names) == sorted(self.feature_names):
            place = next(i for i, name in enumerate(names) if name != self.feature_names[i])
            raise ValueError(
                f"X has the columns of this tree in another order: column {place} is {names[place]!r}, not "
                f"{self.feature_names[place]!r}; give X[list(tree.feature_names)]."
            )

    def _check_y(self, y, sample_weight, n_rows):
        y = np.asarray(y)
        if y.shape != (n_rows,):
            raise ValueError(
                f"y_codes has shape {y.shape}; it must be ({n_rows},), one entry for each row of X."
            )
        if self.is_regression:
            y = float_array("y", y, (n_rows,))
        elif y.dtype.kind not in "iub":
            raise TypeError(
                f"y_codes must hold integer class indices, not {y.dtype}; use np.searchsorted(classes, y)."
            )
        elif n_rows and not (0 <= y.min() and y.max() < self.n_classes):
            raise ValueError(f"y_codes must be class indices from 0 to {self.n_classes - 1}.")
        else:
            y = y.astype(np.intp)
        if sample_weight is None:
            return y, np.ones(n_rows)
        weight = float_array("sample_weight", sample_weight, (n_rows,))
        if not np.isfinite(weight).all() or (weight < 0).any():
            raise ValueError("sample_weight must be finite and not negative.")
        return y, weight
