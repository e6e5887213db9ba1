"""Node arrays of a `Tree`: what is checked and converted at construction, and trees written as tuples."""

import numpy as np

from treelib.table.checks import check_count
from treelib.tree.walking import walk_preorder

NO_CHILD = -1
NO_FEATURE = -2
NO_THRESHOLD = -2.0
_FEW_NODES = 256  # walked without the compiled kernel, which takes a while to compile


def checked_fields(tree):
    """Fields of `tree`, checked, converted, in preorder; arrays are new and read-only. See `Tree`."""
    left = int_array("children_left", tree.children_left)
    n_nodes = len(left)
    if n_nodes == 0:
        raise ValueError("A tree has at least one node, its root; children_left is empty.")
    right = int_array("children_right", tree.children_right, n_nodes)
    n_features = int(check_count("n_features", tree.n_features, "an integer >= 0", least=0))
    order = preorder(left, right)
    leaf = left == NO_CHILD

    feature = int_array("feature", tree.feature, n_nodes)
    bad = ~leaf & ((feature < 0) | (feature >= n_features))
    if bad.any():
        node = int(bad.argmax())
        raise ValueError(
            f"feature[{node}]={feature[node]} of an inner node must be a column from 0 to {n_features - 1}."
        )
    threshold = float_array("threshold", tree.threshold, (n_nodes,))
    bad = ~leaf & (np.isnan(threshold) | np.isneginf(threshold))
    if bad.any():
        node = int(bad.argmax())
        raise ValueError(f"threshold[{node}]={threshold[node]} of an inner node must be finite or +inf.")
    missing = _int_array_or_zeros("missing_go_to_left", tree.missing_go_to_left, n_nodes)
    if ((missing != 0) & (missing != 1)).any():
        raise ValueError("missing_go_to_left must hold 0 or 1 only.")

    if np.ndim(tree.value) != 2 or np.shape(tree.value)[1] == 0:
        raise ValueError(
            f"value has shape {np.shape(tree.value)}; it must be (n_nodes, n_classes), "
            "or (n_nodes, 1) for regression."
        )
    n_classes = np.shape(tree.value)[1]
    value = float_array("value", tree.value, (n_nodes, n_classes))
    if not np.isfinite(value).all() or (not tree.is_regression and (value < 0).any()):
        raise ValueError("value must be finite, and not negative where it counts classes.")
    if tree.is_regression and (n_classes != 1 or tree.class_names is not None):
        raise ValueError("A regression tree has one value per node and no class_names.")
    samples = _int_array_or_zeros("n_node_samples", tree.n_node_samples, n_nodes)
    if (samples < 0).any():
        raise ValueError("n_node_samples must not be negative.")
    label = value.argmax(axis=1) if tree.label is None else int_array("label", tree.label, n_nodes)
    if ((label < 0) | (label >= n_classes)).any():
        raise ValueError(f"label must hold class indices from 0 to {n_classes - 1}.")

    new_id = np.full(n_nodes + 1, NO_CHILD, dtype=np.intp)  # its last entry maps -1 to -1
    new_id[order] = np.arange(n_nodes)
    leaf = leaf[order]
    return {
        "children_left": frozen(new_id[left[order]]),
        "children_right": frozen(new_id[right[order]]),
        "feature": frozen(np.where(leaf, NO_FEATURE, feature[order])),
        "threshold": frozen(np.where(leaf, NO_THRESHOLD, threshold[order])),
        "value": frozen(value[order]),
        "n_node_samples": frozen(samples[order]),
        "label": frozen(label[order]),
        "missing_go_to_left": frozen(np.where(leaf, 0, missing[order]).astype(np.uint8)),
        "features_with_missing": _columns(tree.features_with_missing, n_features),
        "refuses_missing": bool(tree.refuses_missing),
        "digits": _digits(tree.digits, n_features),
        "n_features": n_features,
        "feature_names": _names("feature_names", tree.feature_names, n_features),
        "class_names": _names("class_names", tree.class_names, n_classes),
        "is_regression": bool(tree.is_regression),
    }


def nested_fields(nested, n_features, n_classes, feature_names, class_names, is_regression):
    """Fields of the tree written down as `nested` tuples; see `Tree.from_nested`."""
    feature_ids = {name: i for i, name in enumerate(feature_names or ())}
    class_ids = {name: i for i, name in enumerate(class_names or ())}
    left, right, feature, threshold, missing, leaves = [], [], [], [], [], []
    stack = [(nested, None, None)]
    while stack:
        item, parent, siblings = stack.pop()
        node = len(left)
        if parent is not None:
            siblings[parent] = node
        left.append(NO_CHILD)
        right.append(NO_CHILD)
        if isinstance(item, tuple):
            if len(item) not in (4, 5):
                raise ValueError(
                    "A split is (feature, threshold, left, right), or has a fifth item missing_go_to_left; "
                    f"got a tuple of {len(item)} items. Class counts of a leaf go in a list."
                )
            feature.append(_lookup("feature", item[0], feature_ids))
            threshold.append(item[1])
            missing.append(int(item[4]) if len(item) == 5 else 0)
            leaves.append(None)
            stack.append((item[3], node, right))
            stack.append((item[2], node, left))
        elif item is None:
            raise ValueError("A leaf is a class, or a list of class counts, or a mean; got None.")
        else:
            feature.append(NO_FEATURE)
            threshold.append(NO_THRESHOLD)
            missing.append(0)
            leaves.append(item)
    if n_features is None:
        n_features = len(feature_names) if feature_names is not None else max(0, max(feature) + 1)
    if is_regression:
        value, label = _means(leaves, left, right), None
    else:
        value, label = _counts(leaves, left, right, class_ids, n_classes)
    return {
        "children_left": left,
        "children_right": right,
        "feature": feature,
        "threshold": threshold,
        "value": value,
        "n_features": n_features,
        "n_node_samples": None if is_regression else np.rint(value.sum(axis=1)).astype(np.intp),
        "label": label,
        "missing_go_to_left": missing,
        "feature_names": feature_names,
        "class_names": class_names,
        "is_regression": is_regression,
    }


def frozen(array):
    array.setflags(write=False)
    return array


def int_array(name, values, length=None):
    """`values` as intp (length,); an array that is such already is not copied."""
    array = np.asarray(values)
    if array.ndim != 1 or (length is not None and len(array) != length):
        want = "one-dimensional" if length is None else f"({length},), one entry for each node"
        raise ValueError(f"{name} has shape {array.shape}; it must be {want}.")
    if array.size and array.dtype.kind not in "iub":
        raise TypeError(f"{name} must hold integers, not {array.dtype}.")
    return array.astype(np.intp, copy=False)


def _columns(columns, n_features):
    if columns is None:
        return None
    found = np.unique(int_array("features_with_missing", columns))
    if len(found) and not (0 <= found[0] and found[-1] < n_features):
        raise ValueError(f"features_with_missing must hold columns from 0 to {n_features - 1}.")
    found = tuple(found.tolist())
    is_same = isinstance(columns, tuple) and columns == found
    return columns if is_same else found  # trees of a forest hold the same one


def _digits(digits, n_features):
    if digits is None:
        return None
    pairs = tuple((int(feature), int(number)) for feature, number in digits)
    if not all(0 <= feature < n_features and 0 <= number <= 17 for feature, number in pairs):
        raise ValueError(f"digits must hold pairs of a column below {n_features} and a number from 0 to 17.")
    return pairs


def _int_array_or_zeros(name, values, length):
    return np.zeros(length, dtype=np.intp) if values is None else int_array(name, values, length)


def float_array(name, values, shape):
    """`values` as float64 of a shape; an array that is such already is not copied."""
    try:
        array = np.asarray(values)
        is_safe = array.dtype.kind not in "cmM"  # complex numbers, dates and durations are no numbers here
        array = array.astype(np.float64, casting="unsafe" if is_safe else "safe", copy=False)
    except (TypeError, ValueError, OverflowError) as error:
        raise TypeError(f"{name} must hold numbers ({error}).") from None
    if array.shape != shape:
        raise ValueError(f"{name} has shape {array.shape}; it must be {shape}.")
    return array


def _names(name, values, length):
    if values is None:
        return None
    if isinstance(values, str):
        raise TypeError(f"{name} must be a sequence of {length} strings, not one string.")
    values = tuple(str(v) for v in values)
    if len(values) != length:
        raise ValueError(f"{name} has {len(values)} entries; this tree needs {length}.")
    return values


def _lookup(kind, item, ids):
    if isinstance(item, str):
        if item not in ids:
            raise ValueError(f"{kind} {item!r} is not among {kind}_names.")
        return ids[item]
    return item


def preorder(left, right):
    """Node ids in preorder, or a ValueError that says why the two arrays are no binary tree."""
    n_nodes = len(left)
    if n_nodes <= _FEW_NODES:
        walk = getattr(walk_preorder, "py_func", walk_preorder)
        left, right = left.tolist(), right.tolist()
        order, is_seen, stack = [0] * n_nodes, [0] * n_nodes, [0] * (n_nodes + 1)
    else:
        walk = walk_preorder
        left, right = np.ascontiguousarray(left), np.ascontiguousarray(right)
        order, is_seen = np.empty(n_nodes, dtype=np.intp), np.zeros(n_nodes, dtype=np.uint8)
        stack = np.empty(n_nodes + 1, dtype=np.intp)
    n_seen, bad = walk(left, right, order, is_seen, stack)
    if bad >= 0 and not (
        (0 <= left[bad] < n_nodes and 0 <= right[bad] < n_nodes) or left[bad] == right[bad] == NO_CHILD
    ):
        raise ValueError(
            f"Node {bad} has children {left[bad]} and {right[bad]}; "
            f"both must be node ids below {n_nodes}, or both -1 at a leaf."
        )
    if bad >= 0:
        raise ValueError(f"Node {bad} is the child of two nodes, or of itself; every node has one parent.")
    if n_seen != n_nodes:
        raise ValueError(f"Node {list(is_seen).index(0)} cannot be reached from the root, node 0.")
    return np.asarray(order, dtype=np.intp)


def _means(leaves, left, right):
    """Regression values; an inner node holds the plain mean of its children, for want of counts."""
    value = np.zeros((len(leaves), 1))
    for node in range(len(leaves) - 1, -1, -1):  # children come after their parents
        leaf = leaves[node]
        value[node] = (value[left[node]] + value[right[node]]) / 2 if leaf is None else leaf
    return value


def _counts(leaves, left, right, class_ids, n_classes):
    """Class counts and labels; leaves given by class alone count nothing."""
    counts = [leaf if isinstance(leaf, (list, np.ndarray)) else None for leaf in leaves]
    codes = [
        _lookup("class", leaf, class_ids) if leaf is not None and row is None else None
        for leaf, row in zip(leaves, counts, strict=True)
    ]
    if n_classes is None:
        used = [len(row) for row in counts if row is not None] + [c + 1 for c in codes if c is not None]
        n_classes = len(class_ids) or max(2, *used)
    value = np.zeros((len(leaves), n_classes))
    label = np.zeros(len(leaves), dtype=np.intp)
    for node in range(len(leaves) - 1, -1, -1):  # children come after their parents
        if codes[node] is not None:
            label[node] = codes[node]
        elif counts[node] is not None:
            value[node] = float_array("The class counts of a leaf", counts[node], (n_classes,))
            label[node] = value[node].argmax()
        else:
            value[node] = value[left[node]] + value[right[node]]
            label[node] = value[node].argmax() if value[node].any() else label[left[node]]
    return value, label
