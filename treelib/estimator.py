"""Base of the scikit-learn estimators: validate, encode, and predict with the fitted ``tree_``.

``fit`` of a subclass calls `_validate_training` and sets ``tree_``, a `treelib.tree.stored.Tree` over the
encoded features (`treelib.table.encode.TableEncoder`); everything else reads that tree.
"""

from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, check_is_fitted, column_or_1d, validate_data

from treelib.documentation import link_template
from treelib.search.budget import MEMORY_LIMIT, memory_of_machine, warn_stopped
from treelib.search.interrupt import end_of_fit
from treelib.table.checks import odd_numbers
from treelib.table.encode import TableEncoder
from treelib.table.frames import checked_table, is_frame, refuse_masked, targets, warn_of_large_integers
from treelib.table.labels import classes_and_codes
from treelib.table.refusal import explained
from treelib.table.sparse_rows import dense, row_wise
from treelib.table.weights import check_weights
from treelib.tree.formats.exported import shares
from treelib.tree.speaking import Speaks

LARGEST_TARGET = 1e150  # of a regression: its square is below the 1e308 of float64

# A class of estimators whose fields, with their defaults, are the parameters: they are said once, and its
# constructor keeps what it is given, which `fit` checks. Array-likes and seeds are of the type object.
with_parameters = dataclass(eq=False, repr=False)


@contextmanager
def whole_or_not_at_all(estimator):
    """A block that fits an estimator: where it fails, the estimator is left as it was.

    One that kept the new encoder or the new classes beside the old tree would answer wrongly. A fit that
    Ctrl-C ended with a tree is whole: KeyboardInterrupt is raised after it (`treelib.keep_going`).
    """
    before = dict(vars(estimator))
    try:
        yield
    except BaseException:
        vars(estimator).clear()
        vars(estimator).update(before)
        raise
    rows = vars(estimator).pop("_training_rows", None)
    if (
        rows is not None
        and hasattr(estimator, "tree_")
        and getattr(estimator.encoder_, "sets_", None) is None
    ):
        estimator.tree_ = estimator.tree_.with_digits(rows)
    end_of_fit(estimator)


class TreeEstimator(Speaks, BaseEstimator):
    """What tree classifiers and regressors share.

    A subclass with a parameter `categorical_features` accepts data frames and arrays with categorical
    columns. Missing values are accepted everywhere: a NaN counts as larger than every number. So are sparse
    matrices: predictions are made block by block of rows; `fit` makes the table dense, where a method has
    not said `_keeps_sparse`. A fit whose memory limit has no room for the table into which categories are
    encoded stops before its search.
    """

    # scikit-learn's HTML repr links to the entry of the estimator, if an address is configured
    _doc_link_module = "treelib"
    _doc_link_template = property(link_template)
    _keeps_sparse = False

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.sparse = True
        tags.input_tags.categorical = hasattr(self, "categorical_features")
        return tags

    @row_wise
    def apply(self, X):
        """Leaf that each sample of `X` reaches.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Samples to predict.

        Returns
        -------
        intp ndarray of shape (n_samples,)
            Node indices in ``tree_``.
        """
        check_is_fitted(self, "tree_")
        return self.tree_.apply(self._encode(X))

    def decision_path(self, X):
        """Nodes of ``tree_`` that each row of `X` passes.

        Returns
        -------
        scipy.sparse.csr_matrix of shape (n_samples, n_nodes), 1 where it does
        """
        check_is_fitted(self, "tree_")
        return paths(self.tree_, self.apply(X))

    def get_depth(self):
        """Number of splits on the longest path from the root to a leaf.

        Returns
        -------
        int
            Maximum depth, 0 for a single leaf.
        """
        check_is_fitted(self, "tree_")
        return self.tree_.max_depth

    def get_n_leaves(self):
        """Number of leaves of ``tree_``.

        Returns
        -------
        int
            Number of leaves.
        """
        check_is_fitted(self, "tree_")
        return self.tree_.n_leaves

    def _exported(self):
        """What `treelib.tree.formats` writes down: the first four fields of its `Exported`."""
        check_is_fitted(self, "tree_")
        tree = self.tree_
        if tree.is_regression:
            return (tree,), (tree.value,), None, 1.0
        return (tree,), (shares(tree),), tree.label, 1.0

    # skl2onnx asks for these two where it does not know an estimator

    def onnx_shape_calculator(self):
        """Shape calculator for skl2onnx: the function that sets the types of the outputs."""
        from treelib.tree.formats.onnx import shapes_for_skl2onnx

        return shapes_for_skl2onnx

    def onnx_converter(self):
        """Converter for skl2onnx: the function that writes this estimator into a graph."""
        from treelib.tree.formats.onnx import convert_for_skl2onnx

        return convert_for_skl2onnx

    def _validate_training(self, X, y, sample_weight, budget=None):
        """Check all inputs of ``fit`` and set ``encoder_``.

        Parameters
        ----------
        budget : Budget, whose memory limit counts the table into which categories are encoded, or None

        Returns
        -------
        X : (n, n_encoded) float64, C-contiguous, NaN where missing; a CSC matrix where `X` was sparse and
            the estimator says that it `_keeps_sparse`; where the memory limit has no room for the encoded
            table the budget is stopped, and zeros stand for it that take no memory
        y : (n,) array of targets as given
        weights : (n,) float64, or None for equal weights
        """
        self.encoder_ = self._new_encoder(X)
        odd = _odd_of_plain(self, X, y) if self.encoder_.reads_by_dtype else None
        if odd is not None:
            warn_of_large_integers(X)
            _take_columns(self, X)
            X = self._encode_training(X, budget)
            self.encoder_.misses_numbers_ = odd == "NaN"
            self._training_rows = X
            return X, y, check_weights(sample_weight, X.shape[0])
        X, y = checked_table(X), targets(y)
        X = self.encoder_.as_table(X)
        has_categories = self.encoder_.has_categories(X)
        if not has_categories:
            warn_of_large_integers(X)
        if issparse(X):
            X, y = self._validate_sparse(X, y)
        elif has_categories:
            validate_data(self, X, y, skip_check_array=True)
            if X.shape[0] == 0:
                raise ValueError("X has 0 rows; training needs at least one.")
            refuse_masked("y", y, "drop these rows")
            y = column_or_1d(y, warn=True)
            check_consistent_length(X, y)
        else:
            X, y = validate_numbers(self, X, y)
        X = self._encode_training(X, budget)
        self._training_rows = X
        return X, y, check_weights(sample_weight, X.shape[0])

    def _encode_training(self, X, budget):
        """Fit ``encoder_``; the encoded table of `X`, see `_validate_training`."""
        self.encoder_.fit(X, getattr(self, "feature_names_in_", None))
        if issparse(X) or not self.encoder_.categories_:
            return X if issparse(X) else np.ascontiguousarray(X, dtype=np.float64)
        shape = X.shape[0], self.encoder_.n_features_out_
        n_bytes = 8 * shape[0] * shape[1]
        if budget is not None and n_bytes > budget.most_bytes:
            budget.stop(MEMORY_LIMIT)
            warn_stopped(self._why_too_wide(X))
            return np.broadcast_to(0.0, shape)
        encoded = self.encoder_.transform(X)
        if budget is not None:
            budget.reserve(n_bytes)
        return encoded

    def _why_too_wide(self, X):
        """What to do about a table whose categories have no room as columns."""
        found = self.encoder_.categories_
        column = max(found, key=lambda column: len(found[column]))
        name = column if not is_frame(X) else repr(str(X.columns[column]))
        ways = "; category_tests='subsets' needs no columns" * hasattr(self, "category_tests")
        return (
            f"There is no room for the encoded table of {X.shape[0]:,} rows and "
            f"{self.encoder_.n_features_out_:,} columns, and so no split: column {name} makes "
            f"{len(found[column]):,} of them, one a category. "
            f"Leave the column out if it names rows, or join its rare categories{ways}."
        )

    def _new_encoder(self, X):
        """`TableEncoder` for the columns of `X`, not yet fitted."""
        return TableEncoder(getattr(self, "categorical_features", None))

    def _validate_sparse(self, X, y):
        if not isinstance(self.encoder_.categorical_features, (str, type(None))):
            raise ValueError(
                "categorical_features needs a table that is not sparse; expand categories first."
            )
        refuse_masked("y", y, "drop these rows")
        finite = "allow-nan" if self.__sklearn_tags__().input_tags.allow_nan else True
        options = {"accept_sparse": "csc", "dtype": np.float64, "ensure_all_finite": finite}
        X, y = validate_data(self, X, y, **options)
        return (X if self._keeps_sparse else dense(X, type(self).__name__, memory_of_machine())), y

    def _encode(self, X):
        """Encoded matrix of new rows, float64 (n, n_encoded)."""
        X = checked_table(X)
        if self.encoder_.categories_:
            X = self.encoder_.as_table(X)
            if not hasattr(X, "shape"):
                return validate_numbers(self, X, reset=False)  # says what is wrong
            if len(X.shape) != 2:
                raise ValueError(f"X must be a table, one row a sample; it has the shape {X.shape}.")
            validate_data(self, X, reset=False, skip_check_array=True)
            return self.encoder_.transform(X)
        return validate_numbers(self, X, reset=False)


class TreeClassifier(ClassifierMixin, TreeEstimator):
    """Base of classifiers: classes as given by the user outside, 0 .. n_classes - 1 inside."""

    @property
    def n_classes_(self):
        """Number of classes."""
        check_is_fitted(self, "classes_")
        return len(self.classes_)

    @property
    def feature_importances_(self):
        """Share of each feature in the total decrease of Gini impurity over the splits of ``tree_``, float64
        (n_features_in_,); the shares of a feature's categories are summed. Zeros for a tree without
        counts."""
        check_is_fitted(self, "tree_")
        columns = columns_of_encoder(getattr(self, "encoder_", None), self.n_features_in_)
        found = np.bincount(columns, gini_importances(self.tree_), self.n_features_in_)
        total = found.sum()
        return found / total if total > 0 else found

    @row_wise
    def predict(self, X):
        """Predicted class of each sample of `X`.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Samples to predict.

        Returns
        -------
        ndarray of shape (n_samples,)
            The classes.
        """
        check_is_fitted(self, "tree_")
        return self.classes_[self.tree_.predict(self._encode(X))]

    def score(self, X, y, sample_weight=None):
        """Accuracy on `X` (n_samples, n_features) and `y` (n_samples,), weighted by `sample_weight`."""
        return super().score(X, _plain_truth(targets(y)), sample_weight)

    def predict_log_proba(self, X):
        """Logarithm of `predict_proba`, float64 (n_samples, n_classes)."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    @row_wise
    def predict_proba(self, X):
        """Weighted class fractions of the leaf that each sample of `X` reaches.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Samples to predict.

        Returns
        -------
        float64 ndarray of shape (n_samples, n_classes)
            One row per sample, columns in the order of ``classes_``.
        """
        check_is_fitted(self, "tree_")
        leaf, value = self.tree_.apply(self._encode(X)), self.tree_.value
        if len(leaf) < len(value):
            value = value[leaf]
            return value / value.sum(axis=1, keepdims=True)
        with np.errstate(invalid="ignore"):  # nodes that no row of the training data reaches
            value = value / value.sum(axis=1, keepdims=True)
        return value.take(leaf, axis=0)

    def _encode_classes(self, y):
        """Class indices of `y`, intp (n,); sets ``classes_``."""
        if y.dtype.kind == "S":
            raise TypeError("y holds bytes; give text, for example y.astype(str).")
        if y.dtype.kind == "V":
            raise TypeError(f"y is a structured array (dtype {y.dtype}); give one of its fields.")
        if y.dtype.kind in "mM" and np.isnat(y).any():
            raise ValueError("y holds NaT; drop the rows whose class is unknown.")
        if y.dtype.kind == "O" and _has_unknown(y):
            raise ValueError("y holds None or NaN; drop the rows whose class is unknown.")
        y = _plain_truth(y)
        try:
            if y.dtype.kind not in "biu":  # whole numbers are classes; the check is a fifth of a small fit
                _check_classes(y)
            self.classes_, y_codes = classes_and_codes(y)
        except TypeError:
            raise TypeError(
                "y mixes values that have no common order, such as text and None; give classes of one type, "
                "and drop the rows whose class is unknown."
            ) from None
        return y_codes

    def _class_names(self):
        classes = self.classes_
        return tuple(map(str, classes.tolist() if classes.dtype.kind in "biu" else classes))


class TreeRegressor(RegressorMixin, TreeEstimator):
    """Base of regressors: predicts the value of the leaf."""

    @row_wise
    def predict(self, X):
        """Predicted value of each sample of `X`.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Samples to predict.

        Returns
        -------
        float64 ndarray of shape (n_samples,)
            Value of the leaf that each sample reaches.
        """
        check_is_fitted(self, "tree_")
        return self.tree_.predict_value(self._encode(X))[:, 0]

    def _numeric_targets(self, y):
        """`y` as float64 (n,), finite."""
        if getattr(getattr(y, "dtype", None), "kind", "") in ("m", "M"):  # to numpy these are numbers
            raise ValueError(f"y holds dates or durations (dtype {y.dtype}); give one number a row.")
        try:
            y = np.asarray(y, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            raise ValueError("y holds values that are no numbers; give one number a row.") from None
        if not np.isfinite(y).all():
            raise ValueError("y holds NaN or infinity; drop the rows whose target is unknown.")
        if np.abs(y).max() > LARGEST_TARGET:
            raise ValueError(
                f"y holds numbers beyond {LARGEST_TARGET:g}, whose squares overflow; divide y by one number."
            )
        return y


def paths(tree, leaves):
    """csr_matrix of the nodes above and at `leaves`, intp (n,); int64 (n, n_nodes)."""
    from scipy.sparse import csr_matrix

    depth = tree.node_depth[leaves]
    ends = np.cumsum(depth + 1)
    nodes = np.empty(ends[-1] if len(ends) else 0, dtype=np.intp)
    at, node = ends - 1, np.asarray(leaves)
    while len(node):
        nodes[at] = node
        up = tree.parent[node] >= 0
        at, node = at[up] - 1, tree.parent[node[up]]
    found = csr_matrix(
        (np.ones(len(nodes), dtype=np.int64), nodes, np.append(0, ends)), (len(leaves), tree.n_nodes)
    )
    found.sort_indices()
    return found


def gini_importances(tree):
    """Fall of the weighted Gini impurity by the splits of each feature of a classification tree, float64
    (n_features,)."""
    weight = tree.value.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        impurity = np.where(weight > 0, weight - (tree.value**2).sum(axis=1) / weight, 0.0)
    inner = np.flatnonzero(~tree.is_leaf)
    fall = impurity[inner] - impurity[tree.children_left[inner]] - impurity[tree.children_right[inner]]
    return np.bincount(tree.feature[inner], np.maximum(fall, 0.0), tree.n_features)


def columns_of_encoder(encoder, n_columns):
    """Column of the input that each encoded feature is made of, intp (n_features_out_,); `encoder` may be
    None, for a table that is read as it is."""
    return np.arange(n_columns) if encoder is None else encoder.columns_out()


def _plain_truth(y):
    """`y`; truth values that are objects, of which scikit-learn makes no classes, as an array of bool."""
    is_object = getattr(getattr(y, "dtype", None), "kind", "") == "O"
    return y.astype(bool) if is_object and set(map(type, np.ravel(y))) <= {bool, np.bool_} else y


def _has_unknown(y):
    """Whether an object array holds None, pandas' NA or NaN."""
    kinds = set(map(type, y))
    if any(kind.__name__ in ("NoneType", "NAType") for kind in kinds):
        return True
    has_floats = any(issubclass(kind, float) for kind in kinds)
    return has_floats and any(isinstance(label, float) and np.isnan(label) for label in y)


def _check_classes(y):
    """`check_classification_targets` of scikit-learn, whose errors say what `y` holds and what to do."""
    try:
        check_classification_targets(y)
    except ValueError as error:
        begin = str(error).partition(". ")[0]
        if "continuous" in begin:
            raise
        kinds = ", ".join(sorted({type(value).__name__ for value in y.ravel().tolist()}))
        raise ValueError(
            f"{begin}: y holds values of type {kinds}; give one class a row, as text, truth values or whole "
            "numbers of 64 bits, for example y.astype(str)."
        ) from None


def validate_numbers(estimator, *data, reset=True):
    """`validate_data` of scikit-learn for a table of numbers: float64, C-contiguous, NaN where missing if the
    estimator allows that. Errors say where the fault is and what to do.

    Plain arrays with nothing to refuse are passed by it, which takes a quarter of a small fit.
    """
    if _odd_of_plain(estimator, *data, reset=reset) is not None:
        if reset:
            _take_columns(estimator, data[0])
        X = np.ascontiguousarray(data[0], dtype=np.float64)
        return (X, *data[1:]) if len(data) > 1 else X
    for y in data[1:]:
        refuse_masked("y", y, "drop these rows")
    tags = estimator.__sklearn_tags__().input_tags
    finite = "allow-nan" if tags.allow_nan else True
    advice = "name it in categorical_features" if tags.categorical else "expand it into 0/1 columns"
    # the sum of both infinities warns before scikit-learn refuses them
    with explained(data[0], advice, *data[1:]), np.errstate(invalid="ignore"):
        return validate_data(
            estimator, *data, dtype=np.float64, order="C", ensure_all_finite=finite, reset=reset
        )


def _take_columns(estimator, X):
    """Have an estimator know the columns of a plain table for training."""
    estimator.n_features_in_ = X.shape[1]
    vars(estimator).pop("feature_names_in_", None)


def _odd_of_plain(estimator, X, y=None, reset=True):
    """`odd_numbers` of `X`, "NaN" or "", where `validate_data` would hand over `X` and `y` as they are, but
    for the type of the numbers; else None."""
    if type(X) is not np.ndarray or X.ndim != 2 or X.dtype.kind not in "biuf" or 0 in X.shape:
        return None
    if not reset:
        known = vars(estimator)
        is_plain = known.get("n_features_in_") == X.shape[1] and "feature_names_in_" not in known
    else:
        is_plain = type(y) is np.ndarray and y.shape == (len(X),) and y.dtype.kind in "biuU"
    if not is_plain or X.dtype.kind != "f":
        return "" if is_plain else None
    odd = "infinity" if X.dtype.itemsize > 8 else odd_numbers(X)
    is_refused = odd == "infinity" or (odd and not estimator.__sklearn_tags__().input_tags.allow_nan)
    return None if is_refused else odd
