"""Ensembles of fitted scikit-learn estimators."""

import numpy as np

from treelib.bornagain.ensemble.voting import HARD, SOFT, Ensemble
from treelib.table.checks import check_choice
from treelib.tree.formats.reading import from_sklearn as tree_from_sklearn
from treelib.tree.stored import Tree


def from_sklearn(estimator, voting=HARD, match_float32=True):
    """`Ensemble` of a fitted scikit-learn classifier made of decision trees.

    Parameters
    ----------
    estimator : fitted estimator
        RandomForestClassifier, ExtraTreesClassifier, BaggingClassifier of decision trees,
        AdaBoostClassifier of decision trees, or a single DecisionTreeClassifier.
    voting : {"hard", "soft"}
        "hard" is the paper's rule: each tree votes for one class, in AdaBoost with the weight of the tree,
        which is how AdaBoost predicts. "soft" averages the class fractions of the leaves, which is how
        scikit-learn's forests and bagging predict.
    match_float32 : bool
        X is rounded to float32 by scikit-learn before comparing. True moves each threshold to the largest
        float64 that still goes left, so that the ensemble agrees with the estimator for every float64 X.
        False keeps the printed thresholds, which differ only within one float32 step.

    Returns
    -------
    Ensemble
        The trees.

    Raises
    ------
    TypeError
        For anything else. Gradient boosting adds real-valued scores:
        `treelib.bornagain.boosting.reading.from_boosted` reads it.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from treelib.bornagain.ensemble.reading import from_sklearn
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = RandomForestClassifier(5, max_depth=3, random_state=0).fit(X, y)
    >>> ensemble = from_sklearn(forest, voting="soft")
    >>> bool((ensemble.predict(X) == forest.predict(X)).all())
    True
    """
    from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier
    from sklearn.tree import DecisionTreeClassifier
    from sklearn.utils.validation import check_is_fitted

    check_kind(estimator)
    check_is_fitted(estimator)
    check_choice("voting", voting, (HARD, SOFT))
    members, weights, columns = [estimator], None, None
    if not isinstance(estimator, DecisionTreeClassifier):
        members = list(estimator.estimators_)
    if isinstance(estimator, AdaBoostClassifier):
        if voting == SOFT:
            raise ValueError("AdaBoost predicts by weighted hard votes; voting='soft' is not its rule.")
        weights = np.asarray(estimator.estimator_weights_, dtype=np.float64)[: len(members)]
    if isinstance(estimator, BaggingClassifier):
        columns = estimator.estimators_features_
    if getattr(estimator, "n_outputs_", 1) != 1:
        raise ValueError(f"The estimator predicts {estimator.n_outputs_} outputs; born-again trees have one.")
    classes = np.asarray(estimator.classes_)
    # members of forests and baggings are fitted to class codes, those of AdaBoost to the labels
    codes = classes if isinstance(estimator, AdaBoostClassifier) else np.arange(len(classes))
    if isinstance(estimator, DecisionTreeClassifier):
        codes = classes
    trees = []
    for k, member in enumerate(members):
        if not isinstance(member, DecisionTreeClassifier):
            raise TypeError(f"Member {k} is a {type(member).__name__}; only decision trees can be read.")
        tree = tree_from_sklearn(member, match_float32=match_float32)
        own = np.searchsorted(codes, member.classes_)
        features = None if columns is None else columns[k]
        trees.append(_over_all(tree, own, len(classes), features, estimator.n_features_in_))
    if weights is not None:
        if not (np.isfinite(weights).all() and (weights >= 0).all()):
            raise ValueError("The estimator has trees of negative or infinite weight.")
        keep = np.flatnonzero(weights > 0)
        trees, weights = [trees[k] for k in keep], weights[keep]
    return Ensemble(
        trees,
        weights,
        voting,
        classes=classes,
        feature_names=getattr(estimator, "feature_names_in_", None),
    )


def check_kind(estimator):
    """TypeError for an estimator, fitted or not, of a kind that `from_sklearn` does not read."""
    from sklearn.ensemble import (
        AdaBoostClassifier,
        BaggingClassifier,
        ExtraTreesClassifier,
        RandomForestClassifier,
    )
    from sklearn.tree import DecisionTreeClassifier

    known = (AdaBoostClassifier, BaggingClassifier, ExtraTreesClassifier, RandomForestClassifier)
    if not isinstance(estimator, (*known, DecisionTreeClassifier)):
        raise TypeError(_refusal(estimator))


def _over_all(tree, own_classes, n_classes, columns, n_features):
    """`tree` of a member over all classes and features of the ensemble, without names.

    Parameters
    ----------
    own_classes : int (tree.n_classes,), index in the ensemble of each class of the member
    columns : int (tree.n_features,), feature of the ensemble that is each column; None: the same
    """
    value = np.zeros((tree.n_nodes, n_classes))
    value[:, own_classes] = tree.value
    feature = tree.feature
    if columns is not None:
        feature = np.where(tree.is_leaf, feature, np.asarray(columns)[np.maximum(feature, 0)])
    return Tree(
        children_left=tree.children_left,
        children_right=tree.children_right,
        feature=feature,
        threshold=tree.threshold,
        value=value,
        n_features=n_features,
        n_node_samples=tree.n_node_samples,
        label=np.asarray(own_classes)[tree.label],
        missing_go_to_left=tree.missing_go_to_left,
    )


def _refusal(estimator):
    from sklearn.base import is_regressor

    name = type(estimator).__name__
    if is_regressor(estimator):
        return f"{name} is a regressor; a born-again tree predicts classes: give a classifier."
    if "GradientBoosting" in name or name.startswith(("XGB", "LGBM")):
        return (
            f"{name} adds up real-valued scores; its trees do not vote. "
            "give it to BornAgainTreeClassifier().from_ensemble, which reads boosted classifiers."
        )
    if hasattr(estimator, "trees_"):
        return f"{name} is no ensemble of scikit-learn; give its trees_, once it is fitted, to from_ensemble."
    return (
        f"{name} is no ensemble that can be read; give a fitted RandomForestClassifier, "
        "ExtraTreesClassifier, BaggingClassifier or AdaBoostClassifier of decision trees, a boosted "
        "classifier of scikit-learn, XGBoost or LightGBM, or a list of Trees."
    )
