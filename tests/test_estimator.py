"""The base of the scikit-learn estimators."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

import treelib.estimator
from treelib import OptimalSparseTreeClassifier
from treelib.estimator import TreeClassifier, TreeRegressor, _odd_of_plain, validate_numbers
from treelib.table.weights import class_weight_factors
from treelib.tree.stored import Tree


class StumpClassifier(TreeClassifier):
    """Splits the first feature at 0.5, whatever the data."""

    def __init__(self, categorical_features=None):
        self.categorical_features = categorical_features

    def fit(self, X, y, sample_weight=None):
        X, y, weights = self._validate_training(X, y, sample_weight)
        y_codes = self._encode_classes(y)
        stump = Tree.from_nested((0, 0.5, 0, 1), X.shape[1], n_classes=len(self.classes_))
        self.tree_ = stump.recount(X, y_codes, weights)
        return self


class StumpRegressor(TreeRegressor):
    """Splits the first feature at 0.5, whatever the data."""

    def fit(self, X, y):
        X, y, _ = self._validate_training(X, y, None)
        self.tree_ = Tree.from_nested((0, 0.5, 0.0, 0.0), X.shape[1], is_regression=True).recount(X, y)
        return self


X = np.array([[0.0], [0.0], [1.0], [1.0], [1.0], [1.0]])
Y = np.array(["no", "yes", "yes", "yes", "no", "yes"])


def test_predictions_read_the_tree():
    """Classes must come back as the user named them, probabilities as weighted fractions of the leaf."""
    model = StumpClassifier().fit(X, Y, sample_weight=[1, 3, 1, 1, 2, 1])
    assert model.predict([[0.2], [0.9]]).tolist() == ["no", "yes"]
    np.testing.assert_allclose(model.predict_proba([[0.2], [0.9]]), [[0.25, 0.75], [0.4, 0.6]])
    assert model.apply([[0.2], [0.9], [np.nan]]).tolist() == [1, 2, 2]
    assert (model.get_depth(), model.get_n_leaves()) == (1, 2)


def test_regressor_predicts_means():
    """The regressor must return the mean of the leaf as a flat array."""
    model = StumpRegressor().fit(X, [1, 3, 2, 2, 2, 6])
    assert model.predict([[0.0], [1.0]]).tolist() == [2.0, 3.0]
    assert model.score(X, [2, 2, 3, 3, 3, 3]) == 1.0


@pytest.mark.parametrize("method", ["predict", "predict_proba", "apply", "get_depth", "get_n_leaves"])
def test_not_fitted(method):
    """Before fit, every method must say so instead of failing on a missing attribute."""
    arguments = () if method.startswith("get") else (X,)
    with pytest.raises(NotFittedError):
        getattr(StumpClassifier(), method)(*arguments)


def test_lists_keep_their_types_where_columns_are_categorical():
    """numpy would turn a nested list of numbers and text into text alone."""
    model = StumpClassifier([1]).fit([[0, "a"], [1, "b"], [1, "b"]], [0, 1, 1])
    assert model.encoder_.feature_names_out_ == ("x0", "x1 = a", "x1 = b")
    assert model.predict([[1, "c"], [0, "c"]]).tolist() == [1, 0]


@pytest.mark.parametrize("categorical", [None, ["b"]])
def test_other_columns_in_prediction_are_refused(categorical):
    """Renamed or missing columns must not be read by position, categorical or not."""
    frame = pd.DataFrame({"a": [0, 1, 1], "b": [1, 2, 3]})
    model = StumpClassifier(categorical).fit(frame, [0, 1, 1])
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame.rename(columns={"a": "z"}))
    with pytest.raises(ValueError, match=r"feature names|features"):
        model.predict(frame[["a"]])


def test_training_without_rows():
    """A table of categories skips scikit-learn's own check of its size."""
    with pytest.raises(ValueError, match="0 rows"):
        StumpClassifier(["c"]).fit(pd.DataFrame({"c": []}), [])


def test_class_weight_factors():
    """Wrong factors would minimise another error than the one asked for."""
    y_codes, weights = np.array([0, 0, 0, 1]), np.array([1.0, 1.0, 2.0, 1.0])
    classes = np.array(["a", "b", "c"])
    assert class_weight_factors(None, classes, y_codes).tolist() == [1, 1, 1]
    assert class_weight_factors({"b": 3}, classes, y_codes).tolist() == [1, 3, 1]
    assert class_weight_factors({"a": 1, "b": 3, "c": 0, "d": 5}, classes, y_codes).tolist() == [1, 3, 0]
    balanced = class_weight_factors("balanced", classes, y_codes, weights)
    np.testing.assert_allclose(balanced, [5 / 8, 5 / 2, 1])


def _validated(data, options):
    """What `validate_numbers` returns or raises, and what it sets."""
    model = OptimalSparseTreeClassifier()
    if not options.get("reset", True):
        model.n_features_in_ = 3
    if options.pop("named", False):
        model.feature_names_in_ = np.array(["a", "b", "c"], dtype=object)
    try:
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            found = validate_numbers(model, *data, **options)
    except (TypeError, ValueError) as error:
        return type(error), str(error)
    parts = found if isinstance(found, tuple) else (found,)
    for part in parts:
        assert type(part) is np.ndarray
    assert parts[0].flags.c_contiguous and parts[0].dtype == np.float64
    known = {name: np.asarray(value).tolist() for name, value in vars(model).items() if name.endswith("_")}
    return [(part.tolist(), str(part.dtype)) for part in parts], known, [str(one.message) for one in said]


def test_plain_arrays_are_validated_as_scikit_learn_does(monkeypatch):
    """A table passed that scikit-learn refuses, other numbers, or attributes that are left from before."""
    X = np.arange(12.0).reshape(4, 3) / 7
    tables = [X, X.astype(np.float32), X.astype(np.float16), (7 * X).astype(np.uint8), X > 1, X.T.copy().T]
    tables += [X.tolist(), X[::2], X[:, :2], X[:0], X[:, :0], X[0], X[None], X + 0j, X.astype(object)]
    tables += [X.astype(np.longdouble), X.astype(str), np.ma.masked_less(X, -1)]
    for value in (np.nan, np.inf, -np.inf, 1e308):
        tables.append(X.copy())
        tables[-1][[1, 3], 2] = value
    tables.append(X.copy())
    tables[-1][:, 0] = np.inf, -np.inf, np.nan, 0.0
    targets = [np.arange(4) % 2, np.arange(4) % 2 > 0, np.array(list("abab")), [0, 1, 0, 1], np.arange(3)]
    targets += [np.arange(4) / 2, np.arange(4)[:, None] % 2, np.array([0.0, np.nan, 1, 1]), None]
    cases = [((table, y), {}) for table in tables for y in targets]
    cases += [((table,), {"reset": False, **more}) for table in tables for more in ({}, {"named": True})]
    found = [_validated(data, dict(options)) for data, options in cases]
    n_plain = sum(
        _odd_of_plain(OptimalSparseTreeClassifier(), *data) is not None for data, _ in cases if len(data) == 2
    )
    monkeypatch.setattr(treelib.estimator, "_odd_of_plain", lambda *_, **__: None)
    known = [_validated(data, dict(options)) for data, options in cases]
    assert n_plain > 20
    for case, one, other in zip(cases, found, known, strict=True):
        assert repr(one) == repr(other), case


def test_a_small_fit_does_without_validate_data(monkeypatch):
    """A quarter of a small fit spent on looking for what an array of numbers cannot have."""
    monkeypatch.setattr(treelib.estimator, "validate_data", lambda *_, **__: pytest.fail("asked"))
    X, y = np.eye(6, dtype=np.uint8), np.arange(6) % 2
    model = OptimalSparseTreeClassifier().fit(X, y)
    assert model.predict(X.astype(float)).shape == (6,)
