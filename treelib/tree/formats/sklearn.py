"""Trees from and to fitted scikit-learn estimators.

scikit-learn casts X to float32 and compares that with float64 thresholds; a `Tree` compares float64. The two
can differ only for values that move across a threshold when they are rounded to float32. Values that
float32 holds exactly (all 0/1 data, small integers) are always treated alike. `from_sklearn` can move the
thresholds so that nothing differs for any float64 value. The other way no threshold does that, since
scikit-learn cannot tell two values apart that round to one float32; `to_sklearn` can keep those up to the
threshold together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from treelib.table.warned import warn
from treelib.tree.formats.exported import read_model
from treelib.tree.labels import tree_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from treelib.tree.nodes import TreeNodes


def read_sklearn(estimator, make, feature_names=None, class_names=None, match_float32=False):
    """What `make` makes of the fields of a fitted tree; see `treelib.tree.formats.from_sklearn`.

    make : callable with the fields of a `treelib.tree.stored.Tree`
    """
    from sklearn.base import is_regressor
    from sklearn.utils.validation import check_is_fitted

    raw = estimator
    if hasattr(estimator, "fit"):
        check_is_fitted(estimator)
        raw = getattr(estimator, "tree_", None)
    if not hasattr(raw, "children_left"):
        raise TypeError(
            f"{type(estimator).__name__} is not a fitted decision tree of scikit-learn; it has no tree_."
        )
    if raw.n_outputs != 1:
        raise ValueError(f"The tree predicts {raw.n_outputs} outputs; only trees with one can be converted.")
    value = raw.value[:, 0, :]
    if hasattr(estimator, "fit"):
        is_regression = is_regressor(estimator)
        if not is_regression and class_names is None:
            codes = np.arange(len(estimator.classes_))
            if not np.array_equal(estimator.classes_, codes):
                class_names = [str(name) for name in estimator.classes_]
        if feature_names is None:
            feature_names = getattr(estimator, "feature_names_in_", None)
    else:
        is_regression = value.shape[1] == 1
    label = None
    if not is_regression:
        label = value.argmax(axis=1)
        value = _counts(value, raw.weighted_n_node_samples)
    threshold = raw.threshold
    if match_float32:
        threshold = np.where(raw.children_left < 0, threshold, float32_boundary(threshold))
    return make(
        children_left=raw.children_left,
        children_right=raw.children_right,
        feature=raw.feature,
        threshold=threshold,
        value=value,
        n_features=int(raw.n_features),
        n_node_samples=raw.n_node_samples,
        label=label,
        missing_go_to_left=raw.missing_go_to_left,
        feature_names=None if feature_names is None else [str(name) for name in feature_names],
        class_names=class_names,
        is_regression=is_regression,
    )


def to_sklearn(tree: TreeNodes | Any, classes: ArrayLike | None = None, match_float32: bool = False) -> Any:
    """Fitted scikit-learn estimator with the same predictions for all values that float32 holds exactly.

    scikit-learn rounds X to float32. This can move a value to the other side of a threshold such as 1.1 if it
    equals the threshold or lies within one float32 step of it; use ``match_float32=True`` for such data.

    Parameters
    ----------
    tree : Tree or estimator
        A tree, or a fitted estimator of one, on numeric features.
    classes : array-like of shape (n_classes,) or None
        Sorted labels for `predict` to return. None: those of the estimator, or for a Tree the indices 0, 1,
        ..., as returned by its `predict`.
    match_float32 : bool
        Round each threshold t to float32, so that every float64 value <= t goes left. One difference remains:
        a value above t that rounds to the same float32 as t, such as float32(t), goes left too.

    Returns
    -------
    DecisionTreeClassifier or DecisionTreeRegressor
        ``predict_proba`` gives the class fractions of the leaf, or 1 for the label if this is not the first
        maximum of the counts or there are no counts. Impurities are Gini impurities for classification, and 0
        for regression, since a `Tree` does not store them.

    Warns
    -----
    UserWarning
        If the tree refuses missing values, which scikit-learn's trees cannot.

    Raises
    ------
    TypeError
        If `tree` has no single tree.
    ValueError
        If the estimator's tree alone does not give its predictions: with several trees, or with encoded
        categories.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelib import OptimalSparseTreeClassifier
    >>> from treelib.tree import formats
    >>> X, y = load_iris(return_X_y=True)
    >>> model = OptimalSparseTreeClassifier(0.02).fit(X, y)
    >>> copy = formats.to_sklearn(model)
    >>> type(copy).__name__, bool((copy.predict(X) == model.predict(X)).all())
    ('DecisionTreeClassifier', True)
    """
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
    from sklearn.tree._tree import Tree as SklearnTree

    if not hasattr(tree, "children_left"):
        model, tree = tree, tree_of(tree)
        exported = read_model(model)
        if len(exported.trees) != 1 or exported.has_categories:
            why = "encodes categories" if exported.has_categories else "predicts by several trees"
            raise ValueError(
                f"A {type(model).__name__} that {why} cannot become a tree of scikit-learn; give its tree_."
            )
        classes = getattr(model, "classes_", None) if classes is None else classes
    if tree.refuses_missing:
        warn("The scikit-learn tree will predict rows with missing values, which this tree refuses.")
    if tree.n_features == 0:
        raise ValueError("scikit-learn does not support trees with 0 features.")
    weight = tree.n_node_samples.astype(np.float64)
    value = tree.value.copy()
    impurity = np.zeros(tree.n_nodes)
    if not tree.is_regression:
        counted = value.sum(axis=1)
        weight = np.where(counted > 0, counted, weight)
        value /= np.where(counted > 0, counted, 1.0)[:, None]
        odd = np.flatnonzero((value.argmax(axis=1) != tree.label) | (counted == 0))
        value[odd] = np.eye(tree.n_classes)[tree.label[odd]]
        impurity = 1.0 - (value**2).sum(axis=1)
    n_classes = np.array([tree.n_classes], dtype=np.intp)
    raw = SklearnTree(tree.n_features, n_classes, 1)
    nodes: Any = np.zeros(tree.n_nodes, dtype=_node_dtype())
    nodes["left_child"] = tree.children_left
    nodes["right_child"] = tree.children_right
    nodes["feature"] = tree.feature
    nodes["threshold"] = _rounded_to_float32(tree.threshold) if match_float32 else tree.threshold
    nodes["impurity"] = impurity
    nodes["n_node_samples"] = tree.n_node_samples
    nodes["weighted_n_node_samples"] = weight
    nodes["missing_go_to_left"] = tree.missing_go_to_left
    raw.__setstate__(
        {
            "max_depth": tree.max_depth,
            "node_count": tree.n_nodes,
            "nodes": nodes,
            "values": np.ascontiguousarray(value[:, None, :]),
        }
    )

    estimator = DecisionTreeRegressor() if tree.is_regression else DecisionTreeClassifier()
    estimator.tree_ = raw
    estimator.n_features_in_ = tree.n_features
    estimator.max_features_ = tree.n_features
    estimator.n_outputs_ = 1
    if not tree.is_regression:
        classes = np.arange(tree.n_classes) if classes is None else np.asarray(classes)
        if classes.shape != (tree.n_classes,) or not (classes[:-1] < classes[1:]).all():
            raise ValueError(f"classes must be {tree.n_classes} different labels in ascending order.")
        estimator.classes_ = classes
        estimator.n_classes_ = tree.n_classes
    return estimator


def float32_boundary(threshold):
    """Largest float64 x with ``float32(x) <= threshold``, for each threshold.

    Rounding to the nearest float32 (ties to even) is monotone, so x is the middle between the last float32
    that is <= threshold and the next one, or just below it when the middle rounds up.

    Parameters
    ----------
    threshold : float64 array

    Returns
    -------
    float64 array
    """
    threshold = np.asarray(threshold, dtype=np.float64)
    with np.errstate(over="ignore"):
        below = threshold.astype(np.float32)
        below = np.where(below > threshold, np.nextafter(below, np.float32(-np.inf)), below)
        above = np.nextafter(below, np.float32(np.inf))
        # both cast whole: before numpy 2, a float64 scalar leaves a float32 array in float32
        middle = below.astype(np.float64) / 2 + above.astype(np.float64) / 2
        boundary = np.where(middle.astype(np.float32) == below, middle, np.nextafter(middle, -np.inf))
    # scikit-learn refuses values beyond float32, so any boundary there will do
    return np.where(np.isfinite(above) & np.isfinite(below), boundary, threshold)


def _rounded_to_float32(threshold):
    """The nearest float32 of each threshold, as float64; those beyond all finite ones stay."""
    with np.errstate(over="ignore"):
        rounded = threshold.astype(np.float32).astype(np.float64)
    return np.where(np.isfinite(rounded), rounded, threshold)


def _counts(fractions, weight):
    """Weighted counts from fractions, with rounding errors of whole numbers removed."""
    counts = fractions * weight[:, None]
    whole = np.rint(counts)
    return np.where(np.abs(counts - whole) <= 1e-9 * np.maximum(weight[:, None], 1.0), whole, counts)


def _node_dtype():
    from sklearn.tree import DecisionTreeRegressor

    return DecisionTreeRegressor().fit([[0.0]], [0.0]).tree_.__getstate__()["nodes"].dtype
