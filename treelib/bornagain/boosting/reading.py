"""One door to boosted models: a fitted one, or the path of a saved one."""

from treelib.bornagain.boosting.damage import check_fitted, check_lightgbm, check_xgboost
from treelib.bornagain.boosting.lightgbm_text import from_lightgbm, parse_lightgbm
from treelib.bornagain.boosting.sklearn_boosting import from_gradient_boosting, from_hist_gradient_boosting
from treelib.bornagain.boosting.xgboost_json import ensemble_of, from_xgboost, load_json
from treelib.bornagain.ensemble.text_format import parse_file

MAX_BYTES = 200_000_000
_READERS = {
    "GradientBoostingClassifier": ("sklearn", from_gradient_boosting),
    "HistGradientBoostingClassifier": ("sklearn", from_hist_gradient_boosting),
    "XGBClassifier": ("xgboost", from_xgboost),
    "XGBRFClassifier": ("xgboost", from_xgboost),
    "LGBMClassifier": ("lightgbm", from_lightgbm),
}
_BOOSTERS = {"xgboost": from_xgboost, "lightgbm": from_lightgbm}


def is_boosted(model):
    """Whether `model` is a boosted model of a library that can be read, fitted or not."""
    return _reader(model) is not None


def from_boosted(model):
    """`ScoredEnsemble` of a fitted boosted model.

    Parameters
    ----------
    model : fitted model
        GradientBoostingClassifier, HistGradientBoostingClassifier, XGBClassifier, XGBRFClassifier,
        LGBMClassifier, or a Booster of XGBoost or LightGBM.

    Returns
    -------
    ScoredEnsemble
        The trees and their scores.

    Raises
    ------
    TypeError
        For anything else.
    ValueError
        For models that cannot be read exactly: linear boosters, unknown objectives, and settings that the
        trees do not capture (an XGBClassifier whose ``missing`` is not NaN, LightGBM with
        ``pred_early_stop``).

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import GradientBoostingClassifier
    >>> from treelib.bornagain.boosting.reading import from_boosted
    >>> X, y = load_iris(return_X_y=True)
    >>> model = GradientBoostingClassifier(n_estimators=5, max_depth=2).fit(X, y)
    >>> ensemble = from_boosted(model)
    >>> ensemble.n_trees, bool((ensemble.predict(X) == model.predict(X)).all())
    (15, True)
    """
    reader = _reader(model)
    if reader is None:
        known = ", ".join(_READERS)
        raise TypeError(f"{type(model).__name__} is no boosted model that can be read; give one of {known}.")
    check_fitted(model)
    return reader(model)


def _reader(model):
    for kind in type(model).__mro__:
        library = kind.__module__.partition(".")[0]
        if kind.__name__ in _READERS and _READERS[kind.__name__][0] == library:
            return _READERS[kind.__name__][1]
        if kind.__name__ == "Booster" and library in _BOOSTERS:
            return _BOOSTERS[library]
    return None


def read_boosted(path, *, max_bytes=MAX_BYTES):
    """`ScoredEnsemble` of a model saved by XGBoost (JSON) or LightGBM (text); neither need be installed.

    Parameters
    ----------
    path : str or Path
        The file.
    max_bytes : int
        Larger files are rejected before they are read.

    Returns
    -------
    ScoredEnsemble
        The trees and their scores.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If it is damaged, or holds a model that cannot be read exactly; the message says what is wrong.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from treelib.bornagain.boosting.reading import read_boosted
    >>> head = ["tree", "num_class=1", "num_tree_per_iteration=1", "max_feature_idx=0", "objective=binary"]
    >>> tree = ["Tree=0", "num_leaves=2", "split_feature=0", "threshold=1.5", "decision_type=2"]
    >>> rest = ["left_child=-1", "right_child=-2", "leaf_value=-0.5 0.25", "end of trees"]
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "model.txt")
    ...     _ = path.write_text(chr(10).join(head + tree + rest))
    ...     read_boosted(path).predict([[1.5], [1.6]])
    array([0, 1])
    """
    no_text = "is no text; save XGBoost models as .json (not .ubj) and LightGBM models as text."
    return parse_file(path, max_bytes, parse_boosted, no_text)


def parse_boosted(text):
    """As `read_boosted`, of the text of a file."""
    begin = text.lstrip()[:5]
    if begin.startswith("{"):
        saved = load_json(text)
        check_xgboost(saved)
        return ensemble_of(saved)
    if begin.startswith("tree"):
        check_lightgbm(text)
        return parse_lightgbm(text)
    raise ValueError("This is neither XGBoost's JSON nor LightGBM's text.")
