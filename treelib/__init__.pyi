# Written by .ci/stubs.py from the signatures and its tables of types; not to be edited.
from collections.abc import Callable, Iterable
from fractions import Fraction
from os import PathLike
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from typing_extensions import Self

from treelib.bornagain.compression.search import compress as compress
from treelib.bornagain.proof.certificate import Certificate
from treelib.owndata.by_options import tune as tune
from treelib.search.interrupt import keep_going as keep_going
from treelib.tree.explaining import Explanation
from treelib.tree.stored import Tree as Tree

__version__: str

class _HasShape(Protocol):
    @property
    def shape(self) -> tuple[Any, ...]: ...

Table: TypeAlias = ArrayLike | _HasShape  # arrays, data frames, sparse matrices

class BayesianTreeClassifier(ClassifierMixin, BaseEstimator):
    acceptance_: Any
    best_log_posterior_: Any
    classes_: NDArray[Any]
    encoder_: Any
    ess_: Any
    feature_names_in_: Any
    log_posterior_: Any
    n_features_in_: int
    n_leaves_: Any
    n_rules_: Any
    r_hat_: Any
    status_: str
    tree_: Tree
    def __init__(
        self,
        sigma: float = ...,
        phi: float = ...,
        *,
        concentration: ArrayLike = ...,
        max_leaf_nodes: int | None = ...,
        min_samples_leaf: float = ...,
        max_thresholds: int | None = ...,
        prediction: Literal["mean", "best", "last"] = ...,
        n_iter: int = ...,
        burn_in: float = ...,
        thin: int = ...,
        n_chains: int = ...,
        categorical_features: ArrayLike | str | None = ...,
        time_limit: float | None = ...,
        memory_limit: int | str | None = ...,
        n_jobs: int | None = ...,
        random_state: int | np.random.RandomState | None = ...,
        verbose: bool | int = ...,
    ) -> None: ...
    def apply(
        self,
        X: Table,
    ) -> NDArray[np.intp]: ...
    def decision_path(
        self,
        X: Table,
    ) -> Any: ...
    def explain(
        self,
        X: Table,
        *,
        wanted: Any = ...,
        fixed: Iterable[str] = ...,
        directions: dict[str, int] | None = ...,
        scale: dict[str, float] | None = ...,
    ) -> list[Explanation]: ...
    def export(
        self,
        to: str,
        **options: Any,
    ) -> Any: ...
    @property
    def feature_importances_(self) -> NDArray[np.float64]: ...
    def fit(
        self,
        X: Table,
        y: ArrayLike,
        sample_weight: ArrayLike | None = ...,
    ) -> Self: ...
    def get_depth(
        self,
    ) -> int: ...
    def get_n_leaves(
        self,
    ) -> int: ...
    def get_params(
        self,
        deep: bool = ...,
    ) -> dict[str, Any]: ...
    @property
    def n_classes_(self) -> int: ...
    def onnx_converter(
        self,
    ) -> Callable[..., None]: ...
    def onnx_shape_calculator(
        self,
    ) -> Callable[..., None]: ...
    def plot(
        self,
        ax: Any = ...,
        **options: Any,
    ) -> Any: ...
    def predict(
        self,
        X: Table,
    ) -> NDArray[Any]: ...
    def predict_log_proba(
        self,
        X: Table,
    ) -> NDArray[np.float64]: ...
    def predict_proba(
        self,
        X: Table,
    ) -> NDArray[np.float64]: ...
    def score(
        self,
        X: Table,
        y: ArrayLike,
        sample_weight: ArrayLike | None = ...,
    ) -> float: ...
    def set_params(
        self,
        **params: Any,
    ) -> Self: ...
    def to_text(
        self,
        **options: Any,
    ) -> str: ...

class BornAgainTreeClassifier(ClassifierMixin, BaseEstimator):
    classes_: NDArray[Any]
    ensemble_: Any
    estimator_: Any
    feature_names_in_: Any
    is_optimal_: bool
    lower_bound_: float
    n_features_in_: int
    objective_: float
    open_leaves_: Any
    result_: Any
    search_stats_: Any
    status_: str
    tree_: Tree
    def __init__(
        self,
        ensemble: Any = ...,
        *,
        objective: str = ...,
        method: Literal["exact", "heuristic"] = ...,
        voting: Literal["hard", "soft"] = ...,
        time_limit: float | None = ...,
        memory_limit: int | str | None = ...,
        n_jobs: int | None = ...,
        random_state: int | np.random.RandomState | None = ...,
        verbose: bool | int = ...,
    ) -> None: ...
    def apply(
        self,
        X: Table,
    ) -> NDArray[np.intp]: ...
    def certify(
        self,
        **options: Any,
    ) -> Certificate: ...
    def decision_path(
        self,
        X: Table,
    ) -> Any: ...
    def explain(
        self,
        X: Table,
        *,
        wanted: Any = ...,
        fixed: Iterable[str] = ...,
        directions: dict[str, int] | None = ...,
        scale: dict[str, float] | None = ...,
    ) -> list[Explanation]: ...
    def export(
        self,
        to: str,
        **options: Any,
    ) -> Any: ...
    @property
    def feature_importances_(self) -> NDArray[np.float64]: ...
    def fit(
        self,
        X: Table,
        y: ArrayLike,
        sample_weight: ArrayLike | None = ...,
    ) -> Self: ...
    def from_ensemble(
        self,
        forest: Any,
    ) -> Self: ...
    def get_depth(
        self,
    ) -> int: ...
    def get_n_leaves(
        self,
    ) -> int: ...
    def get_params(
        self,
        deep: bool = ...,
    ) -> dict[str, Any]: ...
    @property
    def n_classes_(self) -> int: ...
    def onnx_converter(
        self,
    ) -> Callable[..., None]: ...
    def onnx_shape_calculator(
        self,
    ) -> Callable[..., None]: ...
    def plot(
        self,
        ax: Any = ...,
        **options: Any,
    ) -> Any: ...
    def post_prune(
        self,
        X: Table,
        sample_weight: ArrayLike | None = ...,
    ) -> Tree: ...
    def predict(
        self,
        X: Table,
    ) -> NDArray[Any]: ...
    def predict_log_proba(
        self,
        X: Table,
    ) -> NDArray[np.float64]: ...
    def predict_proba(
        self,
        X: Table,
    ) -> NDArray[np.float64]: ...
    def score(
        self,
        X: Table,
        y: ArrayLike,
        sample_weight: ArrayLike | None = ...,
    ) -> float: ...
    def set_params(
        self,
        **params: Any,
    ) -> Self: ...
    def to_text(
        self,
        **options: Any,
    ) -> str: ...

class DyadicTreeClassifier(ClassifierMixin, BaseEstimator):
    classes_: NDArray[Any]
    encoder_: Any
    feature_names_in_: Any
    gap_: Any
    grid_: Any
    is_optimal_: bool
    lower_bound_: float
    n_features_in_: int
    n_splits_: Any
    objective_: float
    path_: Any
    regularization_: Any
    search_stats_: Any
    status_: str
    trace_: Any
    tree_: Tree
    def __init__(
        self,
        regularization: float | Fraction | str = ...,
        *,
        max_splits: int | str | None = ...,
        split_rule: str = ...,
        max_rectangles: float | None = ...,
        box: ArrayLike | None = ...,
        widen: float = ...,
        closed: Literal["right", "left"] = ...,
        free_empty_leaves: bool = ...,
        categorical_features: ArrayLike | str | None = ...,
        class_weight: dict[Any, float] | str | None = ...,
        cost_matrix: ArrayLike | None = ...,
        time_limit: float | None = ...,
        memory_limit: int | str | None = ...,
        node_limit: int | None = ...,
        verbose: bool | int = ...,
    ) -> None: ...
    def apply(
        self,
        X: Table,
    ) -> NDArray[np.intp]: ...
    def decision_path(
        self,
        X: Table,
    ) -> Any: ...
    def explain(
        self,
        X: Table,
        *,
        wanted: Any = ...,
        fixed: Iterable[str] = ...,
        directions: dict[str, int] | None = ...,
        scale: dict[str, float] | None = ...,
    ) -> list[Explanation]: ...
    def export(
        self,
        to: str,
        **options: Any,
    ) -> Any: ...
    @property
    def feature_importances_(self) -> NDArray[np.float64]: ...
    def fit(
        self,
        X: Table,
        y: ArrayLike,
        sample_weight: ArrayLike | None = ...,
    ) -> Self: ...
    def get_depth(
        self,
    ) -> int: ...
    def get_n_leaves(
        self,
    ) -> int: ...
    def get_params(
        self,
        deep: bool = ...,
    ) -> dict[str, Any]: ...
    @property
    def n_classes_(self) -> int: ...
    def onnx_converter(
        self,
    ) -> Callable[..., None]: ...
    def onnx_shape_calculator(
        self,
    ) -> Callable[..., None]: ...
    def plot(
        self,
        ax: Any = ...,
        **options: Any,
    ) -> Any: ...
    def predict(
        self,
        X: Table,
    ) -> NDArray[Any]: ...
    def predict_log_proba(
        self,
        X: Table,
    ) -> NDArray[np.float64]: ...
    def predict_proba(
        self,
        X: Table,
    ) -> NDArray[np.float64]: ...
    def regularization_path(
        self,
        X: Table,
        y: ArrayLike,
        sample_weight: ArrayLike | None = ...,
        *,
        min_regularization: float | Fraction = ...,
    ) -> Any: ...
    def score(
        self,
        X: Table,
        y: ArrayLike,
        sample_weight: ArrayLike | None = ...,
    ) -> float: ...
    def set_params(
        self,
        **params: Any,
    ) -> Self: ...
    def to_text(
        self,
        **options: Any,
    ) -> str: ...

class OptimalSparseTreeClassifier(ClassifierMixin, BaseEstimator):
    binarizer_: Any
    classes_: NDArray[Any]
    encoder_: Any
    feature_names_in_: Any
    gap_: Any
    is_optimal_: bool
    lower_bound_: float
    n_features_in_: int
    objective_: float
    proof_scope_: Any
    search_stats_: Any
    status_: str
    trace_: Any
    tree_: Tree
    def __init__(
        self,
        regularization: float | Fraction | str = ...,
        *,
        max_depth: int | None = ...,
        max_leaf_nodes: int | None = ...,
        max_thresholds: int | None = ...,
        min_samples_leaf: float = ...,
        monotonic_cst: ArrayLike | dict[Any, int] | None = ...,
        allowed_features: ArrayLike | str | int | None = ...,
        required_features: ArrayLike | str | int | None = ...,
        categorical_features: ArrayLike | str | None = ...,
        class_weight: dict[Any, float] | str | None = ...,
        cost_matrix: ArrayLike | None = ...,
        initial_tree: Any = ...,
        time_limit: float | None = ...,
        memory_limit: int | str | None = ...,
        node_limit: int | None = ...,
        n_jobs: int | None = ...,
        verbose: bool | int = ...,
    ) -> None: ...
    def apply(
        self,
        X: Table,
    ) -> NDArray[np.intp]: ...
    def decision_path(
        self,
        X: Table,
    ) -> Any: ...
    def explain(
        self,
        X: Table,
        *,
        wanted: Any = ...,
        fixed: Iterable[str] = ...,
        directions: dict[str, int] | None = ...,
        scale: dict[str, float] | None = ...,
    ) -> list[Explanation]: ...
    def export(
        self,
        to: str,
        **options: Any,
    ) -> Any: ...
    @property
    def feature_importances_(self) -> NDArray[np.float64]: ...
    def fit(
        self,
        X: Table,
        y: ArrayLike,
        sample_weight: ArrayLike | None = ...,
    ) -> Self: ...
    def get_depth(
        self,
    ) -> int: ...
    def get_n_leaves(
        self,
    ) -> int: ...
    def get_params(
        self,
        deep: bool = ...,
    ) -> dict[str, Any]: ...
    @property
    def n_classes_(self) -> int: ...
    def onnx_converter(
        self,
    ) -> Callable[..., None]: ...
    def onnx_shape_calculator(
        self,
    ) -> Callable[..., None]: ...
    def plot(
        self,
        ax: Any = ...,
        **options: Any,
    ) -> Any: ...
    def predict(
        self,
        X: Table,
    ) -> NDArray[Any]: ...
    def predict_log_proba(
        self,
        X: Table,
    ) -> NDArray[np.float64]: ...
    def predict_proba(
        self,
        X: Table,
    ) -> NDArray[np.float64]: ...
    def rashomon_set(
        self,
        X: Table,
        y: ArrayLike,
        sample_weight: ArrayLike | None = ...,
        *,
        epsilon: float = ...,
        max_trees: int | None = ...,
    ) -> Any: ...
    def regularization_path(
        self,
        X: Table,
        y: ArrayLike,
        sample_weight: ArrayLike | None = ...,
        *,
        min_regularization: float | Fraction = ...,
    ) -> Any: ...
    def score(
        self,
        X: Table,
        y: ArrayLike,
        sample_weight: ArrayLike | None = ...,
    ) -> float: ...
    def set_params(
        self,
        **params: Any,
    ) -> Self: ...
    def to_text(
        self,
        **options: Any,
    ) -> str: ...
    def write_proof(
        self,
        path: str | PathLike[str],
        X: Table,
        y: ArrayLike,
        sample_weight: ArrayLike | None = ...,
        *,
        table: str | PathLike[str],
        time_limit: float | None = ...,
    ) -> Any: ...

class TopDownForestClassifier(ClassifierMixin, BaseEstimator):
    classes_: NDArray[Any]
    encoder_: Any
    estimators_: list[Any]
    estimators_samples_: Any
    feature_importances_: NDArray[np.float64]
    n_features_in_: int
    oob_decision_function_: Any
    oob_score_: Any
    search_stats_: Any
    status_: str
    trees_: list[Tree]
    def __init__(
        self,
        criterion: str | Callable[..., Any] = ...,
        *,
        max_depth: int | None = ...,
        max_leaf_nodes: int | None = ...,
        min_samples_split: float = ...,
        min_samples_leaf: float = ...,
        min_weight_fraction_leaf: float = ...,
        min_impurity_decrease: float = ...,
        max_features: float | str | None = ...,
        ccp_alpha: float = ...,
        categorical_features: ArrayLike | str | None = ...,
        category_tests: Literal["each", "subsets"] = ...,
        time_limit: float | None = ...,
        memory_limit: int | str | None = ...,
        verbose: bool | int = ...,
        random_state: int | np.random.RandomState | None = ...,
        alpha: float = ...,
        beta: float = ...,
        gamma: float = ...,
        class_weight: dict[Any, float] | str | None = ...,
        n_estimators: int = ...,
        bootstrap: bool = ...,
        max_samples: float | None = ...,
        oob_score: bool | Callable[..., Any] = ...,
        n_jobs: int | None = ...,
        warm_start: bool = ...,
    ) -> None: ...
    def apply(
        self,
        X: Table,
    ) -> NDArray[np.intp]: ...
    def decision_path(
        self,
        X: Table,
    ) -> Any: ...
    def explain(
        self,
        X: Table,
        *,
        wanted: Any = ...,
        fixed: Iterable[str] = ...,
        directions: dict[str, int] | None = ...,
        scale: dict[str, float] | None = ...,
    ) -> list[Explanation]: ...
    def export(
        self,
        to: str,
        **options: Any,
    ) -> Any: ...
    def fit(
        self,
        X: Table,
        y: ArrayLike,
        sample_weight: ArrayLike | None = ...,
    ) -> Self: ...
    def get_depth(
        self,
    ) -> int: ...
    def get_n_leaves(
        self,
    ) -> int: ...
    def get_params(
        self,
        deep: bool = ...,
    ) -> dict[str, Any]: ...
    @property
    def n_classes_(self) -> int: ...
    def onnx_converter(
        self,
    ) -> Callable[..., None]: ...
    def onnx_shape_calculator(
        self,
    ) -> Callable[..., None]: ...
    def plot(
        self,
        ax: Any = ...,
        **options: Any,
    ) -> Any: ...
    def predict(
        self,
        X: Table,
    ) -> NDArray[Any]: ...
    def predict_log_proba(
        self,
        X: Table,
    ) -> NDArray[np.float64]: ...
    def predict_proba(
        self,
        X: Table,
    ) -> NDArray[np.float64]: ...
    def score(
        self,
        X: Table,
        y: ArrayLike,
        sample_weight: ArrayLike | None = ...,
    ) -> float: ...
    def set_params(
        self,
        **params: Any,
    ) -> Self: ...
    def to_text(
        self,
        **options: Any,
    ) -> str: ...

class TopDownForestRegressor(RegressorMixin, BaseEstimator):
    encoder_: Any
    estimators_: list[Any]
    estimators_samples_: Any
    feature_importances_: NDArray[np.float64]
    n_features_in_: int
    oob_prediction_: Any
    oob_score_: Any
    search_stats_: Any
    status_: str
    trees_: list[Tree]
    def __init__(
        self,
        criterion: str | Callable[..., Any] = ...,
        *,
        max_depth: int | None = ...,
        max_leaf_nodes: int | None = ...,
        min_samples_split: float = ...,
        min_samples_leaf: float = ...,
        min_weight_fraction_leaf: float = ...,
        min_impurity_decrease: float = ...,
        max_features: float | str | None = ...,
        ccp_alpha: float = ...,
        categorical_features: ArrayLike | str | None = ...,
        category_tests: Literal["each", "subsets"] = ...,
        time_limit: float | None = ...,
        memory_limit: int | str | None = ...,
        verbose: bool | int = ...,
        random_state: int | np.random.RandomState | None = ...,
        power: float = ...,
        n_estimators: int = ...,
        bootstrap: bool = ...,
        max_samples: float | None = ...,
        oob_score: bool | Callable[..., Any] = ...,
        n_jobs: int | None = ...,
        warm_start: bool = ...,
    ) -> None: ...
    def apply(
        self,
        X: Table,
    ) -> NDArray[np.intp]: ...
    def decision_path(
        self,
        X: Table,
    ) -> Any: ...
    def explain(
        self,
        X: Table,
        *,
        wanted: Any = ...,
        fixed: Iterable[str] = ...,
        directions: dict[str, int] | None = ...,
        scale: dict[str, float] | None = ...,
    ) -> list[Explanation]: ...
    def export(
        self,
        to: str,
        **options: Any,
    ) -> Any: ...
    def fit(
        self,
        X: Table,
        y: ArrayLike,
        sample_weight: ArrayLike | None = ...,
    ) -> Self: ...
    def get_depth(
        self,
    ) -> int: ...
    def get_n_leaves(
        self,
    ) -> int: ...
    def get_params(
        self,
        deep: bool = ...,
    ) -> dict[str, Any]: ...
    def onnx_converter(
        self,
    ) -> Callable[..., None]: ...
    def onnx_shape_calculator(
        self,
    ) -> Callable[..., None]: ...
    def plot(
        self,
        ax: Any = ...,
        **options: Any,
    ) -> Any: ...
    def predict(
        self,
        X: Table,
    ) -> NDArray[Any]: ...
    def score(
        self,
        X: Table,
        y: ArrayLike,
        sample_weight: ArrayLike | None = ...,
    ) -> float: ...
    def set_params(
        self,
        **params: Any,
    ) -> Self: ...
    def to_text(
        self,
        **options: Any,
    ) -> str: ...

class TopDownTreeClassifier(ClassifierMixin, BaseEstimator):
    classes_: NDArray[Any]
    encoder_: Any
    feature_importances_: NDArray[np.float64]
    feature_names_in_: Any
    n_features_in_: int
    search_stats_: Any
    status_: str
    tree_: Tree
    def __init__(
        self,
        criterion: str | Callable[..., Any] = ...,
        *,
        max_depth: int | None = ...,
        max_leaf_nodes: int | None = ...,
        min_samples_split: float = ...,
        min_samples_leaf: float = ...,
        min_weight_fraction_leaf: float = ...,
        min_impurity_decrease: float = ...,
        max_features: float | str | None = ...,
        ccp_alpha: float = ...,
        categorical_features: ArrayLike | str | None = ...,
        category_tests: Literal["each", "subsets"] = ...,
        time_limit: float | None = ...,
        memory_limit: int | str | None = ...,
        verbose: bool | int = ...,
        random_state: int | np.random.RandomState | None = ...,
        alpha: float = ...,
        beta: float = ...,
        gamma: float = ...,
        class_weight: dict[Any, float] | str | None = ...,
    ) -> None: ...
    def apply(
        self,
        X: Table,
    ) -> NDArray[np.intp]: ...
    def cost_complexity_pruning_path(
        self,
        X: Table,
        y: ArrayLike,
        sample_weight: ArrayLike | None = ...,
    ) -> Any: ...
    def decision_path(
        self,
        X: Table,
    ) -> Any: ...
    def explain(
        self,
        X: Table,
        *,
        wanted: Any = ...,
        fixed: Iterable[str] = ...,
        directions: dict[str, int] | None = ...,
        scale: dict[str, float] | None = ...,
    ) -> list[Explanation]: ...
    def export(
        self,
        to: str,
        **options: Any,
    ) -> Any: ...
    def fit(
        self,
        X: Table,
        y: ArrayLike,
        sample_weight: ArrayLike | None = ...,
    ) -> Self: ...
    def get_depth(
        self,
    ) -> int: ...
    def get_n_leaves(
        self,
    ) -> int: ...
    def get_params(
        self,
        deep: bool = ...,
    ) -> dict[str, Any]: ...
    @property
    def n_classes_(self) -> int: ...
    def onnx_converter(
        self,
    ) -> Callable[..., None]: ...
    def onnx_shape_calculator(
        self,
    ) -> Callable[..., None]: ...
    def plot(
        self,
        ax: Any = ...,
        **options: Any,
    ) -> Any: ...
    def predict(
        self,
        X: Table,
    ) -> NDArray[Any]: ...
    def predict_log_proba(
        self,
        X: Table,
    ) -> NDArray[np.float64]: ...
    def predict_proba(
        self,
        X: Table,
    ) -> NDArray[np.float64]: ...
    def score(
        self,
        X: Table,
        y: ArrayLike,
        sample_weight: ArrayLike | None = ...,
    ) -> float: ...
    def set_params(
        self,
        **params: Any,
    ) -> Self: ...
    def to_text(
        self,
        **options: Any,
    ) -> str: ...

class TopDownTreeRegressor(RegressorMixin, BaseEstimator):
    encoder_: Any
    feature_importances_: NDArray[np.float64]
    feature_names_in_: Any
    n_features_in_: int
    search_stats_: Any
    status_: str
    tree_: Tree
    def __init__(
        self,
        criterion: str | Callable[..., Any] = ...,
        *,
        max_depth: int | None = ...,
        max_leaf_nodes: int | None = ...,
        min_samples_split: float = ...,
        min_samples_leaf: float = ...,
        min_weight_fraction_leaf: float = ...,
        min_impurity_decrease: float = ...,
        max_features: float | str | None = ...,
        ccp_alpha: float = ...,
        categorical_features: ArrayLike | str | None = ...,
        category_tests: Literal["each", "subsets"] = ...,
        time_limit: float | None = ...,
        memory_limit: int | str | None = ...,
        verbose: bool | int = ...,
        random_state: int | np.random.RandomState | None = ...,
        power: float = ...,
    ) -> None: ...
    def apply(
        self,
        X: Table,
    ) -> NDArray[np.intp]: ...
    def cost_complexity_pruning_path(
        self,
        X: Table,
        y: ArrayLike,
        sample_weight: ArrayLike | None = ...,
    ) -> Any: ...
    def decision_path(
        self,
        X: Table,
    ) -> Any: ...
    def explain(
        self,
        X: Table,
        *,
        wanted: Any = ...,
        fixed: Iterable[str] = ...,
        directions: dict[str, int] | None = ...,
        scale: dict[str, float] | None = ...,
    ) -> list[Explanation]: ...
    def export(
        self,
        to: str,
        **options: Any,
    ) -> Any: ...
    def fit(
        self,
        X: Table,
        y: ArrayLike,
        sample_weight: ArrayLike | None = ...,
    ) -> Self: ...
    def get_depth(
        self,
    ) -> int: ...
    def get_n_leaves(
        self,
    ) -> int: ...
    def get_params(
        self,
        deep: bool = ...,
    ) -> dict[str, Any]: ...
    def onnx_converter(
        self,
    ) -> Callable[..., None]: ...
    def onnx_shape_calculator(
        self,
    ) -> Callable[..., None]: ...
    def plot(
        self,
        ax: Any = ...,
        **options: Any,
    ) -> Any: ...
    def predict(
        self,
        X: Table,
    ) -> NDArray[Any]: ...
    def score(
        self,
        X: Table,
        y: ArrayLike,
        sample_weight: ArrayLike | None = ...,
    ) -> float: ...
    def set_params(
        self,
        **params: Any,
    ) -> Self: ...
    def to_text(
        self,
        **options: Any,
    ) -> str: ...
