"""A program that uses the public interface, for mypy: right uses pass, and each wrong one is found.

mypy warns of a "type: ignore" that it does not need, so a mistake that it no longer sees is an error here.
"""

from typing import Any, assert_type

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from treelib import (
    BornAgainTreeClassifier,
    OptimalSparseTreeClassifier,
    TopDownForestClassifier,
    TopDownTreeRegressor,
    Tree,
)
from treelib.tree import formats


def fit(frame: pd.DataFrame, X: NDArray[np.float64], y: NDArray[np.intp]) -> None:
    """What users do."""
    model = OptimalSparseTreeClassifier(0.01, max_depth=3, time_limit=60).fit(frame, y)
    assert_type(model, OptimalSparseTreeClassifier)
    assert_type(model.tree_, Tree)
    assert_type(model.tree_.n_leaves, int)
    assert_type(model.tree_.apply(X), NDArray[np.intp])
    assert_type(model.predict_proba(X), NDArray[np.float64])
    assert_type(model.predict([[1.0, 2.0]]), NDArray[Any])
    assert_type(TopDownForestClassifier(n_jobs=2).fit(X, y).get_n_leaves(), int)
    assert_type(BornAgainTreeClassifier(voting="soft").from_ensemble(model).post_prune(X), Tree)
    assert_type(TopDownTreeRegressor("poisson").fit(X, y).score(X, y), float)
    tree = Tree.from_nested((0, 0.5, 0, 1), feature_names=["age"])
    assert_type(tree.to_c(name="model"), str)
    assert_type(formats.to_rules(tree), list[str])
    assert_type(formats.from_json(tree.to_json()).same_function(tree), bool)


def misuse(tree: Tree) -> None:
    """What mypy must find."""
    OptimalSparseTreeClassifier(max_depht=3)  # type: ignore[call-arg]
    OptimalSparseTreeClassifier(time_limit="60 s")  # type: ignore[arg-type]
    BornAgainTreeClassifier(voting="median")  # type: ignore[arg-type]
    tree.same_function("x0 <= 2")  # type: ignore[arg-type]
    print(tree.n_leafs)  # type: ignore[attr-defined]
    tree.n_leaves = 3  # type: ignore[misc]
    tree.to_text(max_depth="3") + 1  # type: ignore[operator]
    formats.to_onnx(tree, dtype="float16")  # type: ignore[arg-type]
