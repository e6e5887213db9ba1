"""A model in ONNX, the exchange format that most servers and devices run; for skl2onnx too.

One `TreeEnsembleRegressor` walks all trees and says which leaf of each tree a row reaches. What the leaves
say stands in tables of the full precision beside it: the operator itself would round it to float32, and
cannot hold a label that is not the largest count. Sums go over the trees in the order of `predict`.
"""

from typing import Any, Literal

import numpy as np

from treelib.tree.formats.exported import CATEGORY, MISSING, read_model

OPSET, ML_OPSET = 15, 3  # of 2021: runtimes of all kinds have them
IR_VERSION = 8  # the format of files that goes with them
MOST_LEAVES = 2**24  # of a tree; the operator gives leaves as float32


def to_onnx(model: Any, dtype: Literal["float64", "float32"] = "float64") -> Any:
    """ONNX model with the same predictions as a model.

    Parameters
    ----------
    model : Tree or estimator
        A tree, or a fitted estimator of this package.
    dtype : {"float64", "float32"}
        Type of the numeric input. Every sample of that type is predicted as by `predict`: for float32 each
        threshold is rounded down to float32.

    Returns
    -------
    onnx.ModelProto
        Its input is "X" (n, n_columns). With categorical columns, "X" holds the numeric columns, and each
        categorical column is an input (n, 1) with its name: text, with "" for missing, or numbers. Outputs
        are "label" (n,) and "probabilities" (n, n_classes), for regression "variable" (n, 1). If the model
        refuses missing values, NaN in "X" raises an error.

    Raises
    ------
    ImportError
        If the package onnx is missing: ``pip install "treelib-companion[onnx]"``.
    TypeError, ValueError
        If `model` is not a model of this package or cannot be exported (see `treelib.tree.formats.exported`).

    Examples
    --------
    >>> from treelib.tree import Tree, formats
    >>> model = formats.to_onnx(Tree.from_nested((0, 2.5, 0, 1)))  # doctest: +SKIP
    >>> [output.name for output in model.graph.output]  # doctest: +SKIP
    ['label', 'probabilities']
    """
    try:
        from onnx import TensorProto, checker, helper
    except ImportError as error:
        raise ImportError('ONNX needs the package onnx: pip install "treelib-companion[onnx]".') from error
    if dtype not in ("float64", "float32"):
        raise ValueError(f"dtype={dtype!r} must be 'float64' or 'float32'.")
    exported = read_model(model)
    real = TensorProto.DOUBLE if dtype == "float64" else TensorProto.FLOAT
    graph = _Nodes()
    numbers = [i for i, column in enumerate(exported.columns) if column.categories is None]
    inputs, columns = [], {}
    if numbers or len(exported.columns) == 0:
        inputs.append(helper.make_tensor_value_info("X", real, [None, len(numbers)]))
    taken = {"X", "label", "probabilities", "variable"}
    for i, column in enumerate(exported.columns):
        if column.categories is not None:
            kind = TensorProto.STRING if column.is_text else real
            columns[i] = column.name if column.name not in taken else f"column {i}"
            taken.add(columns[i])
            inputs.append(helper.make_tensor_value_info(columns[i], kind, [None, 1]))
    write_graph(graph, exported, "X" if numbers else None, columns, dtype)
    outputs = [helper.make_tensor_value_info("variable", TensorProto.DOUBLE, [None, 1])]
    if not exported.is_regression:
        label = {"str": TensorProto.STRING, "bool": TensorProto.BOOL, "float": TensorProto.DOUBLE}
        kind = label.get(_class_kind(exported), TensorProto.INT64)
        outputs = [
            helper.make_tensor_value_info("label", kind, [None]),
            helper.make_tensor_value_info("probabilities", TensorProto.DOUBLE, [None, exported.width]),
        ]
    made = helper.make_graph(graph.nodes, "treelib", inputs, outputs, graph.constants)
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid("ai.onnx.ml", ML_OPSET)]
    found = helper.make_model(made, opset_imports=opsets, producer_name="treelib", ir_version=IR_VERSION)
    found.doc_string = exported.summary()
    checker.check_model(found)
    return found


def write_graph(graph, exported, X, columns, dtype, outputs=None):
    """Add all nodes of a model to a graph.

    Parameters
    ----------
    graph : `_Nodes`, or another object with its methods
    exported : Exported
    X : str or None, name of the columns of numbers
    columns : dict of an index of a column with categories to the name of its input
    dtype : {"float64", "float32"}, of the numbers that go in
    outputs : names of the outputs; default "label" and "probabilities", or "variable"
    """
    numbers, X = X, _encoded(graph, exported, X, columns, dtype)
    leaves = graph.add(
        "TreeEnsembleRegressor", [X], domain="ai.onnx.ml", **_ensemble(exported, np.dtype(dtype))
    )
    leaves = graph.add("Cast", [leaves], to=7)  # int64
    if exported.refuses_missing and numbers is not None:
        leaves = graph.add("Add", [leaves, _refusal(graph, numbers)])
    rows, total = exported.leaf_rows(), None
    for tree, (table, _) in enumerate(rows):
        leaf = leaves if len(rows) == 1 else graph.add("Gather", [leaves, graph.constant([tree])], axis=1)
        leaf = graph.add("Reshape", [leaf, graph.constant([-1])])
        part = graph.add("Gather", [graph.constant(table), leaf])
        total = part if total is None else graph.add("Add", [total, part])
    outputs = outputs or (["variable"] if exported.is_regression else ["label", "probabilities"])
    graph.add("Div", [total, graph.constant(np.array([exported.divisor]))], name=outputs[-1])
    if exported.is_regression:
        return
    if exported.labels is not None:
        code = graph.add("Gather", [graph.constant(rows[0][1].astype(np.int64)), leaf])
    else:
        code = graph.add("ArgMax", [outputs[-1]], axis=1, keepdims=0)
    graph.add("Gather", [graph.constant(_class_array(exported)), code], name=outputs[0])


def _refusal(graph, X):
    """Name of (n, 1) zeros, looked up at places that do not exist where `X` holds NaN: ONNX has no operator
    that refuses, but must end the run there, and say the name of the node."""
    missing = graph.add("Cast", [graph.add("IsNaN", [X])], to=7)
    missing = graph.add("ReduceMax", [missing], axes=[1], keepdims=1)
    return graph.add("Gather", [graph.constant([0]), missing], hint="missing_values_are_refused")


class _Nodes:
    """Nodes and constants of a graph, each with a new name."""

    def __init__(self):
        self.nodes, self.constants = [], []

    def add(self, operator, inputs, name=None, domain="", hint="treelib", **attributes):
        """Add a node with one output; returns the name of that, which begins with `hint` or is `name`."""
        from onnx import helper

        name = name or f"{hint}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [name], name=name, domain=domain, **attributes))
        return name

    def constant(self, values):
        """Add a constant; returns its name."""
        self.constants.append(_tensor(values, f"treelib_constant_{len(self.constants)}"))
        return self.constants[-1].name


def _tensor(values, name):
    from onnx import TensorProto, helper, numpy_helper

    values = np.asarray(values)
    if values.dtype.kind in "UO":
        texts = [text.encode("utf-8", "surrogatepass") for text in values.ravel().tolist()]
        return helper.make_tensor(name, TensorProto.STRING, values.shape, texts)
    return numpy_helper.from_array(np.ascontiguousarray(values), name)


def _encoded(graph, exported, X, columns, dtype):
    """Name of the features that the trees test, (n, n_features), made of the columns."""
    if not columns:
        return X
    parts = [X] if X is not None else []
    for i, name in columns.items():
        column = exported.columns[i]
        kinds = [feature.kind for feature in exported.features if feature.column == i]
        if not kinds:
            continue
        is_one = []
        if column.is_text:  # codes of the categories, behind them that of a missing text
            texts = [*column.categories, *([""] if MISSING in kinds else [])]
            if len(set(texts)) < len(texts):
                raise ValueError(
                    f"Column {column.name!r} has the category '' beside missing values; rename it."
                )
            codes = graph.add(
                "LabelEncoder",
                [name],
                domain="ai.onnx.ml",
                keys_strings=texts,
                values_int64s=list(range(len(texts))),
                default_int64=-1,
            )
            is_one.append(graph.add("Equal", [codes, graph.constant([list(range(len(texts)))])]))
        else:
            if CATEGORY in kinds:
                numbers = np.array([column.categories], dtype=dtype)
                if not np.array_equal(numbers, np.array([column.categories], dtype=float)):
                    raise ValueError(f"Column {column.name!r} has categories that float32 cannot hold.")
                is_one.append(graph.add("Equal", [name, graph.constant(numbers)]))
            if MISSING in kinds:
                is_one.append(graph.add("IsNaN", [name]))
        parts += [graph.add("Cast", [part], to=11 if dtype == "float64" else 1) for part in is_one]
    return parts[0] if len(parts) == 1 else graph.add("Concat", parts, axis=1)


def _ensemble(exported, dtype):
    """Attributes of the operator: target k is the leaf of tree k, counted from left to right."""
    from onnx import numpy_helper

    found = {
        f"nodes_{name}": []
        for name in ("treeids", "nodeids", "featureids", "modes", "truenodeids", "falsenodeids")
    }
    found |= {f"target_{name}": [] for name in ("treeids", "nodeids", "ids")}
    found["nodes_missing_value_tracks_true"] = []
    thresholds, weights = [], []
    for k, tree in enumerate(exported.trees):
        if tree.n_leaves > MOST_LEAVES:
            raise ValueError(f"A tree has {tree.n_leaves:,} leaves; ONNX allows at most {MOST_LEAVES:,}.")
        inner = ~tree.is_leaf
        leaves = np.flatnonzero(tree.is_leaf)
        found["nodes_treeids"] += [k] * tree.n_nodes
        found["nodes_nodeids"] += list(range(tree.n_nodes))
        found["nodes_featureids"] += np.where(inner, tree.feature, 0).tolist()
        found["nodes_modes"] += np.where(inner, "BRANCH_LEQ", "LEAF").tolist()
        found["nodes_truenodeids"] += np.where(inner, tree.children_left, 0).tolist()
        found["nodes_falsenodeids"] += np.where(inner, tree.children_right, 0).tolist()
        found["nodes_missing_value_tracks_true"] += (tree.missing_go_to_left * inner).astype(int).tolist()
        found["target_treeids"] += [k] * len(leaves)
        found["target_nodeids"] += leaves.tolist()
        found["target_ids"] += [k] * len(leaves)
        thresholds.append(np.where(inner, tree.threshold, 0.0))
        weights += list(range(len(leaves)))
    thresholds = np.concatenate(thresholds)
    if dtype == np.float64:
        found["nodes_values_as_tensor"] = numpy_helper.from_array(thresholds, "thresholds")
        found["target_weights_as_tensor"] = numpy_helper.from_array(np.array(weights, float), "leaves")
    else:
        found["nodes_values"] = largest_float32(thresholds).tolist()
        found["target_weights"] = [float(weight) for weight in weights]
    return {**found, "n_targets": len(exported.trees), "post_transform": "NONE", "aggregate_function": "SUM"}


def largest_float32(values):
    """The largest float32 that is not above each value: a float32 is below either, or above both.

    Parameters
    ----------
    values : float64 array

    Returns
    -------
    float32 array
    """
    with np.errstate(over="ignore"):
        near = np.asarray(values, dtype=np.float64).astype(np.float32)
    return np.where(near > values, np.nextafter(near, np.float32(-np.inf)), near)


def _class_kind(exported):
    kinds = {type(one).__name__ for one in exported.classes}
    if len(kinds) > 1:
        raise ValueError(f"The classes are of types {', '.join(sorted(kinds))}; ONNX needs one type.")
    return kinds.pop()


def _class_array(exported):
    kind = _class_kind(exported)
    return np.array(exported.classes, dtype=np.int64 if kind == "int" else None)


# ---- skl2onnx: it asks every estimator that it does not know for these two functions ----------------------


def shapes_for_skl2onnx(operator):
    """Set types and shapes of the outputs of one of our estimators in a graph of skl2onnx."""
    from skl2onnx.common import data_types as types

    exported, n_rows = read_model(operator.raw_operator), operator.inputs[0].get_first_dimension()
    if not isinstance(operator.inputs[0].type, (types.FloatTensorType, types.DoubleTensorType)):
        raise ValueError("The estimators of treelib take FloatTensorType or DoubleTensorType in skl2onnx.")
    if exported.has_categories:
        raise ValueError("skl2onnx passes one table of numbers; for categories use formats.to_onnx.")
    real = type(operator.inputs[0].type)
    operator.outputs[-1].type = real([n_rows, exported.width])
    if not exported.is_regression:
        label = {"str": types.StringTensorType, "int": types.Int64TensorType}.get(_class_kind(exported))
        if label is None:
            raise ValueError("skl2onnx supports classes that are text or whole numbers; use formats.to_onnx.")
        operator.outputs[0].type = label([n_rows])


def convert_for_skl2onnx(scope, operator, container):
    """Write one of our estimators into a graph of skl2onnx."""
    from skl2onnx.common.data_types import DoubleTensorType

    exported = read_model(operator.raw_operator)
    is_double = isinstance(operator.inputs[0].type, DoubleTensorType)
    graph = _InContainer(scope, container)
    names = [output.full_name for output in operator.outputs]
    dtype = "float64" if is_double else "float32"
    precise = [*names[:-1], scope.get_unique_variable_name("treelib")]
    write_graph(graph, exported, operator.inputs[0].full_name, {}, dtype, precise)
    container.add_node("Cast", [precise[-1]], [names[-1]], to=11 if is_double else 1, op_version=13)


class _InContainer:
    """`_Nodes` that go into the graph which skl2onnx makes."""

    def __init__(self, scope, container):
        self.scope, self.container = scope, container

    def add(self, operator, inputs, name=None, domain="", hint="treelib", **attributes):
        name = name or self.scope.get_unique_variable_name(hint)
        version = {"ai.onnx.ml": ML_OPSET if operator == "TreeEnsembleRegressor" else 2}.get(domain, 13)
        version = 14 if operator == "Reshape" else version
        self.container.add_node(
            operator, inputs, [name], op_domain=domain, op_version=version, name=name, **attributes
        )
        return name

    def constant(self, values):
        name = self.scope.get_unique_variable_name("treelib_constant")
        tensor = _tensor(values, name)
        self.container.initializers.append(tensor)
        return name
