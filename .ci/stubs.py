"""Write ``treelib/__init__.pyi``: the types of the public interface, for editors and for mypy.

``python .ci/stubs.py`` reads the signatures of the estimators as they run and looks up the type of each
parameter, attribute and result in the tables below. A name without a type is an error, so that a new
parameter cannot stay without one; a test compares the file with what this program would write.
"""

import inspect
import re
import sys
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
STUB = ROOT / "treelib" / "__init__.pyi"
PACKAGES = ("treelib.tree", "treelib.tree.formats")  # whose public names have types where they are defined

PARAMETERS = {
    "X": "Table",
    "allowed_features": "ArrayLike | str | int | None",
    "alpha": "float",
    "ax": "Any",
    "beta": "float",
    "bootstrap": "bool",
    "box": "ArrayLike | None",
    "burn_in": "float",
    "categorical_features": "ArrayLike | str | None",
    "category_tests": 'Literal["each", "subsets"]',
    "ccp_alpha": "float",
    "class_weight": "dict[Any, float] | str | None",
    "closed": 'Literal["right", "left"]',
    "concentration": "ArrayLike",
    "cost_matrix": "ArrayLike | None",
    "criterion": "str | Callable[..., Any]",
    "deep": "bool",
    "directions": "dict[str, int] | None",
    "ensemble": "Any",
    "epsilon": "float",
    "fixed": "Iterable[str]",
    "forest": "Any",
    "free_empty_leaves": "bool",
    "gamma": "float",
    "initial_tree": "Any",
    "max_depth": "int | None",
    "max_features": "float | str | None",
    "max_leaf_nodes": "int | None",
    "max_leaves": "int | None",
    "max_rectangles": "float | None",
    "max_samples": "float | None",
    "max_splits": "int | str | None",
    "max_thresholds": "int | None",
    "max_trees": "int | None",
    "memory_limit": "int | str | None",
    "method": 'Literal["exact", "heuristic"]',
    "min_impurity_decrease": "float",
    "min_regularization": "float | Fraction",
    "min_samples_leaf": "float",
    "min_samples_split": "float",
    "min_weight_fraction_leaf": "float",
    "monotonic_cst": "ArrayLike | dict[Any, int] | None",
    "n_chains": "int",
    "n_estimators": "int",
    "n_iter": "int",
    "n_jobs": "int | None",
    "node_limit": "int | None",
    "objective": "str",
    "oob_score": "bool | Callable[..., Any]",
    "options": "Any",
    "params": "Any",
    "phi": "float",
    "power": "float",
    "prediction": 'Literal["mean", "best", "last"]',
    "random_state": "int | np.random.RandomState | None",
    "regularization": "float | Fraction | str",
    "required_features": "ArrayLike | str | int | None",
    "path": "str | PathLike[str]",
    "sample_weight": "ArrayLike | None",
    "table": "str | PathLike[str]",
    "scale": "dict[str, float] | None",
    "sigma": "float",
    "split_rule": "str",
    "thin": "int",
    "time_limit": "float | None",
    "to": "str",
    "verbose": "bool | int",
    "voting": 'Literal["hard", "soft"]',
    "wanted": "Any",
    "warm_start": "bool",
    "widen": "float",
    "y": "ArrayLike",
}
RESULTS = {
    "apply": "NDArray[np.intp]",
    "certify": "Certificate",
    "cost_complexity_pruning_path": "Any",
    "decision_path": "Any",
    "explain": "list[Explanation]",
    "export": "Any",
    "fit": "Self",
    "from_ensemble": "Self",
    "get_depth": "int",
    "get_n_leaves": "int",
    "get_params": "dict[str, Any]",
    "onnx_converter": "Callable[..., None]",
    "onnx_shape_calculator": "Callable[..., None]",
    "plot": "Any",
    "post_prune": "Tree",
    "predict": "NDArray[Any]",
    "predict_log_proba": "NDArray[np.float64]",
    "predict_proba": "NDArray[np.float64]",
    "rashomon_set": "Any",
    "write_proof": "Any",
    "regularization_path": "Any",
    "score": "float",
    "set_params": "Self",
    "to_text": "str",
}
# attributes of fitted estimators that have one type; all others are Any
ATTRIBUTES = {
    "classes_": "NDArray[Any]",
    "estimators_": "list[Any]",
    "feature_importances_": "NDArray[np.float64]",
    "is_optimal_": "bool",
    "lower_bound_": "float",
    "n_classes_": "int",
    "n_features_in_": "int",
    "objective_": "float",
    "status_": "str",
    "tree_": "Tree",
    "trees_": "list[Tree]",
}
_THEIRS = ("get_params", "score", "set_params")

HEAD = """# Written by .ci/stubs.py from the signatures and its tables of types; not to be edited.
from collections.abc import Callable, Iterable
from fractions import Fraction
from os import PathLike
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from typing_extensions import Self

"""
BODY = """
__version__: str

class _HasShape(Protocol):
    @property
    def shape(self) -> tuple[Any, ...]: ...

Table: TypeAlias = ArrayLike | _HasShape  # arrays, data frames, sparse matrices
"""


def text():
    """The whole stub."""
    import treelib

    imports, classes = set(), []
    for name, home in sorted(treelib._PUBLIC.items()):
        thing = getattr(treelib, name)
        if inspect.isclass(thing) and hasattr(thing, "fit"):
            classes.append(_class(thing))
        else:
            imports.add(f"from {home} import {name} as {name}\n")
    imports.add("from treelib.bornagain.proof.certificate import Certificate\n")
    imports.add("from treelib.tree.explaining import Explanation\n")
    return HEAD + "".join(sorted(imports)) + BODY + "".join(f"\n{one}" for one in classes)


def texts():
    """{path: text} of all stubs."""
    found = {STUB: text()}
    for package in PACKAGES:
        homes = sorted(import_module(package)._PUBLIC.items(), key=lambda pair: (pair[1], pair[0]))
        lines = [HEAD.splitlines()[0], *(f"from {home} import {name} as {name}" for name, home in homes)]
        path = ROOT.joinpath(*package.split("."), "__init__.pyi")
        found[path] = "\n".join(lines) + "\n"
    return found


def _class(estimator):
    mixin = "ClassifierMixin" if hasattr(estimator, "predict_proba") else "RegressorMixin"
    lines = [f"class {estimator.__name__}({mixin}, BaseEstimator):"]
    attributes = _attributes(inspect.getdoc(estimator))
    lines += [f"    {name}: {ATTRIBUTES.get(name, 'Any')}" for name in sorted(attributes)]
    for name in sorted(dir(estimator)):
        member = inspect.getattr_static(estimator, name)
        if isinstance(member, property) and not name.startswith("_") and name not in attributes:
            lines.append(f"    @property\n    def {name}(self) -> {ATTRIBUTES.get(name, 'Any')}: ...")
        elif inspect.isfunction(member) and (name == "__init__" or not name.startswith("_")):
            # of scikit-learn's methods, which differ from version to version, only the well-known ones
            if not member.__module__.startswith("treelib.") and name not in _THEIRS:
                continue
            lines.append(_method(estimator.__name__, name, member))
    return "\n".join(lines) + "\n"


def _method(owner, name, function):
    parts, starred = ["self"], False
    for p in list(inspect.signature(function).parameters.values())[1:]:
        if p.name not in PARAMETERS:
            raise SystemExit(f"{owner}.{name}: give the parameter {p.name!r} a type in .ci/stubs.py")
        if p.kind is p.VAR_KEYWORD:
            parts.append(f"**{p.name}: {PARAMETERS[p.name]}")
            continue
        if p.kind is p.KEYWORD_ONLY and not starred:
            parts.append("*")
            starred = True
        parts.append(f"{p.name}: {PARAMETERS[p.name]}" + ("" if p.default is p.empty else " = ..."))
    result = "None" if name == "__init__" else RESULTS.get(name)
    if result is None:
        raise SystemExit(f"{owner}.{name}: give its result a type in .ci/stubs.py")
    arguments = "".join(f"        {part},\n" for part in parts)
    return f"    def {name}(\n{arguments}    ) -> {result}: ..."


def _attributes(docstring):
    """Names in the section Attributes of a docstring."""
    section = re.search(r"^Attributes\n-+\n(.*?)(?=^\w[^\n]*\n-+\n|\Z)", docstring, flags=re.S | re.M)
    found = set()
    for line in (section[1] if section else "").splitlines():
        if re.match(r"\w[\w, ]*_\b", line):
            found |= {
                name.strip() for name in line.partition(":")[0].split(",") if name.strip().endswith("_")
            }
    return found


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    for path, content in texts().items():
        path.write_text(content, encoding="utf-8")
