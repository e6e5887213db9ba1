"""scikit-learn: fitted GradientBoostingClassifier and HistGradientBoostingClassifier.

Both add float64 scores in the order of the rounds, from a starting score on. The largest sum wins, the first
of equal ones. A binary model has one sum: its class is the second where that is at least 0 in gradient
boosting, and above 0 in histogram gradient boosting.
"""

import numpy as np

from treelib.bornagain.boosting.links import JUST_BELOW_ZERO
from treelib.bornagain.boosting.pieces import build
from treelib.bornagain.boosting.scored import ScoredEnsemble, score_table
from treelib.tree.formats.reading import from_sklearn as tree_from_sklearn


def from_gradient_boosting(model):
    """`ScoredEnsemble` of a fitted GradientBoostingClassifier.

    Raises
    ------
    ValueError
        Where training began with an estimator of the user's, whose scores depend on the row.
    """
    from sklearn.dummy import DummyClassifier
    from sklearn.utils.validation import check_is_fitted

    check_is_fitted(model)
    init = model.init_
    if not (isinstance(init, str) or (isinstance(init, DummyClassifier) and init.strategy == "prior")):
        raise ValueError(
            f"The model began with init={type(init).__name__}, whose scores depend on the row; only "
            "init=None and 'zero' can be read."
        )
    start = np.asarray(model._raw_predict_init(np.zeros((1, model.n_features_in_), dtype=np.float32)))[0]
    n_groups = len(start)
    trees, scores = [], []
    for members in model.estimators_:
        for k, member in enumerate(members):
            tree = tree_from_sklearn(member, match_float32=True).replace(feature_names=None)
            trees.append(tree)
            scores.append(score_table(tree, model.learning_rate * tree.value[:, 0], k, n_groups))
    return _ensemble(model, trees, scores, start, JUST_BELOW_ZERO)


def from_hist_gradient_boosting(model):
    """`ScoredEnsemble` of a fitted HistGradientBoostingClassifier, with missing values and categories.

    Raises
    ------
    ValueError
        Where categories are no numbers: there is no threshold between words.
    """
    from sklearn.utils.validation import check_is_fitted

    check_is_fitted(model)
    start = np.asarray(model._baseline_prediction, dtype=np.float64).reshape(-1)
    column, categories = _columns(model)
    trees, scores = [], []
    for members in model._predictors:
        for k, member in enumerate(members):
            tree = _hist_tree(member, column, categories, model.n_features_in_, f"Tree {len(trees)}")
            trees.append(tree)
            scores.append(score_table(tree, tree.value[:, 0], k, len(start)))
    return _ensemble(model, trees, scores, start, 0.0)


def _ensemble(model, trees, scores, start, first):
    """`ScoredEnsemble`; first : float, score of the first of two classes, which wins ties."""
    base = np.array([first, start[0]]) if len(start) == 1 else start
    return ScoredEnsemble(
        trees,
        scores,
        base,
        classes=model.classes_,
        feature_names=getattr(model, "feature_names_in_", None),
        source=type(model).__name__,
    )


def _columns(model):
    """Feature behind each column of the trees, and the numbers behind the codes of each category column.

    Categories come first, encoded as their rank, in the order of the features.
    """
    is_category = getattr(model, "is_categorical_", None)
    n = model.n_features_in_
    if is_category is None or not np.any(is_category):
        return np.arange(n), {}
    is_category = np.asarray(is_category, dtype=bool)
    column = np.concatenate([np.flatnonzero(is_category), np.flatnonzero(~is_category)])
    known = model._preprocessor.named_transformers_["encoder"].categories_
    categories = {}
    for at, values in enumerate(known):
        values = np.asarray(values)
        if values.dtype.kind not in "fiub":
            raise ValueError(
                f"Feature {column[at]} has categories that are no numbers; encode them, and fit anew."
            )
        values = values.astype(np.float64)
        categories[at] = values[~np.isnan(values)]
    return column, categories


def _hist_tree(predictor, column, categories, n_features, name):
    nodes, sets = predictor.nodes, predictor.raw_left_cat_bitsets

    def read(i):
        node = nodes[i]
        if node["is_leaf"]:
            return float(node["value"])
        at, missing = int(node["feature_idx"]), bool(node["missing_go_to_left"])
        children = int(node["left"]), int(node["right"])
        if not node["is_categorical"]:
            cut = float(node["num_threshold"])
            return int(column[at]), [cut], [True, False], missing, *children
        words = sets[int(node["bitset_idx"])]
        ends, sides = [], [missing]
        for code, value in enumerate(categories[at].tolist()):
            goes_left = bool(int(words[code // 32]) >> (code % 32) & 1)
            # numbers between the categories are unknown, and go where missing values go
            if goes_left != missing:
                ends += [float(np.nextafter(value, -np.inf)), value]
                sides += [goes_left, missing]
        if not ends:
            return int(column[at]), [], [missing], missing, *children
        return int(column[at]), ends, sides, missing, *children

    return build(read, 0, n_features, name, len(nodes))
