"""XGBoost: models from fitted estimators and from their JSON, which is read without the library.

A row goes left iff its float32 value is below the split condition. Leaf values are float32 and are added in
float32 in the order of the trees, beginning with the base score. ``dart`` multiplies each leaf value by the
weight of its tree; ``XGBClassifier.predict`` adds the base score to a leaf value and takes it away again
before it multiplies (its in-place prediction), ``Booster.predict`` does not.
"""

import json

import numpy as np

from treelib.bornagain.boosting.fields import (
    MAX_FEATURES,
    MAX_TREES,
    float32,
    real,
    reals,
    take,
    whole,
    wholes,
)
from treelib.bornagain.boosting.links import xgboost_cut, xgboost_margin
from treelib.bornagain.boosting.pieces import MAX_NODES, build
from treelib.bornagain.boosting.scored import LARGEST, SOFTMAX, ScoredEnsemble, score_table
from treelib.bornagain.ensemble.voting import MAX_CLASSES
from treelib.tree.formats.sklearn import float32_boundary

_BINARY, _MULTI = ("binary:logistic", "binary:logitraw", "reg:logistic"), ("multi:softprob", "multi:softmax")


def from_xgboost(model):
    """`ScoredEnsemble` of a fitted XGBClassifier or Booster.

    An XGBClassifier that stopped early predicts with the rounds up to its best; a Booster with all.
    """
    is_estimator = hasattr(model, "get_booster")
    try:
        booster = model.get_booster() if is_estimator else model
    except Exception as error:
        raise ValueError(f"The {type(model).__name__} is not fitted ({error}).") from None
    if is_estimator and callable(getattr(model, "objective", None)):
        raise ValueError(_unknown_objective("a function of your own"))
    saved = load_json(bytes(booster.save_raw("json")).decode("utf-8"))
    found = ensemble_of(saved, as_booster=not is_estimator)
    return found.with_classes(model.classes_) if is_estimator else found


def load_json(text):
    """What the JSON of a saved model holds; ValueError where it is damaged."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"This is no JSON of XGBoost ({error}).") from None


def ensemble_of(saved, *, as_booster=False):
    """`ScoredEnsemble` of the JSON that ``save_model("model.json")`` writes.

    Parameters
    ----------
    saved : dict, as `load_json` returns it
    as_booster : bool. False: as the XGBClassifier that loads the file predicts, which uses the rounds up to
        the best one where training stopped early. True: as ``Booster.predict``, with all rounds.

    Raises
    ------
    ValueError
        For damaged models, linear boosters, objectives that are no classification or unknown, splits by
        category, and trees with more than one output.
    """
    learner = take(saved, "learner", dict, "the file")
    objective = take(take(learner, "objective", dict, "learner"), "name", str, "objective")
    if objective not in (*_BINARY, *_MULTI):
        raise ValueError(_unknown_objective(repr(objective)))
    forest, drop = _forest(take(learner, "gradient_booster", dict, "learner"))
    param = take(learner, "learner_model_param", dict, "learner")
    n_features = whole(take(param, "num_feature", (str, int), "param"), 1, MAX_FEATURES, "num_feature")
    n_groups = max(1, whole(take(param, "num_class", (str, int), "param"), 0, MAX_CLASSES, "num_class"))
    if whole(param.get("num_target", "1"), 0, 10**6, "num_target") > 1:
        raise ValueError("The model has several targets; born-again trees have one.")
    is_binary = objective in _BINARY
    if is_binary != (n_groups == 1):
        raise ValueError(f"num_class is {n_groups}, which does not suit the objective {objective!r}.")
    base = _base(param, n_groups, objective)
    n_used = _trees_used(forest, learner, as_booster)
    raw_trees, groups = take(forest, "trees", list, "model"), take(forest, "tree_info", list, "model")
    if not 1 <= len(raw_trees) <= MAX_TREES or n_used < 1:
        raise ValueError(f"The model has {len(raw_trees)} trees; 1 to {MAX_TREES:,} can be read.")
    groups = wholes(groups, len(raw_trees), 0, n_groups - 1, "tree_info")
    weights = None if drop is None else reals(drop, len(raw_trees), "weight_drop")
    trees, scores = [], []
    first = base.copy()
    if is_binary:
        cut = xgboost_cut() if objective != "binary:logitraw" else np.float32(0.5)
        first = np.array([cut, base[0]], dtype=np.float32)
    for k in range(n_used):
        tree = _tree(raw_trees[k], n_features, f"Tree {k}")
        leaf = tree.value[:, 0].astype(np.float32)
        if weights is not None:
            weight = float32(weights[k], f"weight_drop[{k}]")
            if not as_booster:
                leaf = (leaf + base[groups[k]]) - base[groups[k]]
            leaf = leaf * weight
        trees.append(tree)
        scores.append(score_table(tree, leaf, groups[k], n_groups))
    names = learner.get("feature_names") or None
    if names is not None and not (isinstance(names, list) and len(names) == n_features):
        raise ValueError(f"feature_names must be a list of {n_features} names.")
    rule = SOFTMAX if objective == "multi:softprob" else LARGEST
    return ScoredEnsemble(trees, scores, first, rule=rule, feature_names=names, source="XGBoost")


def _forest(booster):
    """The trees of a booster and, of dart, their weights."""
    name = take(booster, "name", str, "gradient_booster")
    if name == "gblinear":
        raise ValueError("The model is linear (gblinear); born-again trees are made from trees.")
    if name == "dart":
        inner = take(booster, "gbtree", dict, "gradient_booster")
        return take(inner, "model", dict, "gbtree"), take(booster, "weight_drop", list, "gradient_booster")
    if name != "gbtree":
        raise ValueError(f"The booster {name!r} is unknown; gbtree and dart can be read.")
    return take(booster, "model", dict, "gradient_booster"), None


def _base(param, n_groups, objective):
    """Sums before the first tree, float32 (n_groups,)."""
    raw = take(param, "base_score", (str, int, float), "param")
    parts = raw.strip().strip("[]").split(",") if isinstance(raw, str) else [raw]
    values = [real(part, "base_score") for part in parts]
    if len(values) == 1:
        values *= n_groups
    if len(values) != n_groups:
        raise ValueError(f"base_score has {len(values)} numbers for {n_groups} classes.")
    values = [float32(value, "base_score") for value in values]
    if objective in ("binary:logistic", "reg:logistic"):
        if not all(0 < value < 1 for value in values):
            raise ValueError(f"base_score is {raw!r}; a probability between 0 and 1 is needed.")
        values = [xgboost_margin(value) for value in values]
    return np.array(values, dtype=np.float32)


def _trees_used(forest, learner, as_booster):
    """How many trees predict."""
    n_trees = len(take(forest, "trees", list, "model"))
    attributes = learner.get("attributes")
    if as_booster or not isinstance(attributes, dict) or "best_iteration" not in attributes:
        return n_trees
    n_rounds = 1 + whole(attributes["best_iteration"], 0, 10**9, "best_iteration")
    starts = forest.get("iteration_indptr")
    if not isinstance(starts, list):
        raise ValueError(
            "The model stopped early, but has no iteration_indptr: save it with XGBoost 2 or newer."
        )
    starts = wholes(starts, len(starts), 0, n_trees, "iteration_indptr")
    if n_rounds >= len(starts):
        raise ValueError(f"best_iteration is {n_rounds - 1}, but only {len(starts) - 1} rounds are there.")
    return starts[n_rounds]


def _tree(raw, n_features, name):
    left = take(raw, "left_children", list, name)
    n = len(left)
    if not 1 <= n <= MAX_NODES:
        raise ValueError(f"{name} has {n} nodes; 1 to {MAX_NODES:,} can be read.")
    left = wholes(left, n, -1, n - 1, f"left_children of {name}")
    right = wholes(take(raw, "right_children", list, name), n, -1, n - 1, f"right_children of {name}")
    feature = take(raw, "split_indices", list, name)
    value = reals(take(raw, "split_conditions", list, name), n, f"split_conditions of {name}")
    missing = [int(side) for side in take(raw, "default_left", list, name) if isinstance(side, (int, bool))]
    missing = wholes(missing, n, 0, 1, f"default_left of {name}")
    kinds = raw.get("split_type") or []
    if not isinstance(kinds, list) or any(kinds) or raw.get("categories"):
        raise ValueError(f"{name} splits by category; encode categories as 0/1 columns before fitting.")
    size = raw.get("tree_param", {}) if isinstance(raw.get("tree_param", {}), dict) else {}
    if whole(size.get("size_leaf_vector", "1"), 0, 10**6, "size_leaf_vector") > 1:
        raise ValueError("The trees have several outputs (multi_strategy); fit with one output a tree.")
    feature = wholes(feature, n, 0, n_features - 1, f"split_indices of {name}")
    value = [float32(one, f"split_conditions of {name}") for one in value]
    # x < c in float32 is x <= the number before c, and the float64 that round to it or less
    before = np.nextafter(np.array(value, dtype=np.float32), np.float32(-np.inf)).astype(np.float64)
    lowest = float(np.finfo(np.float32).min)
    ends = np.where(before < lowest, -np.finfo(np.float64).max, float32_boundary(np.maximum(before, lowest)))

    def read(i):
        if (left[i] < 0) != (right[i] < 0):
            raise ValueError(f"{name}: node {i} has one child.")
        if left[i] < 0:
            return float(value[i])
        return feature[i], [float(ends[i])], [True, False], bool(missing[i]), left[i], right[i]

    return build(read, 0, n_features, name, n)


def _unknown_objective(name):
    return (
        f"The objective is {name}. Models fitted with {', '.join((*_BINARY, *_MULTI))} can be read: "
        "others are no classification, or XGBoost alone does not know how their scores become a class."
    )
