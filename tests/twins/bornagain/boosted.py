"""Sums of scores of saved boosted models, row by row and node by node, as the libraries describe them."""

import json
import math

import numpy as np


def xgboost_sums(text, X):
    """Sums of each tree's group, float32 (n, n_groups), without the base score; of gbtree and dart.

    Only the trees of ``attributes["best_iteration"]``, if the file has it, as the estimator predicts.
    """
    learner = json.loads(text)["learner"]
    booster = learner["gradient_booster"]
    weights = booster["weight_drop"] if booster["name"] == "dart" else None
    model = booster["model"] if weights is None else booster["gbtree"]["model"]
    n_groups = max(1, int(learner["learner_model_param"]["num_class"]))
    best = (learner.get("attributes") or {}).get("best_iteration")
    n_trees = len(model["trees"]) if best is None else int(model["iteration_indptr"][int(best) + 1])
    sums = np.zeros((len(X), n_groups), dtype=np.float32)
    for row, x in enumerate(X):
        for k in range(n_trees):
            tree, node = model["trees"][k], 0
            while int(tree["left_children"][node]) != -1:
                value = np.float32(x[int(tree["split_indices"][node])])
                goes_left = value < np.float32(tree["split_conditions"][node])
                if np.isnan(value):
                    goes_left = int(tree["default_left"][node])
                node = int(tree["left_children" if goes_left else "right_children"][node])
            leaf = np.float32(tree["split_conditions"][node])
            sums[row, int(model["tree_info"][k])] += (
                leaf if weights is None else leaf * np.float32(weights[k])
            )
    return sums


def lightgbm_sums(text, X):
    """Sums of each tree's group, float64 (n, n_groups)."""
    text = "\n".join([*(line.strip() for line in text.split("\n")), ""])
    head, *blocks = text.split("\nend of trees\n")[0].split("\nTree=")
    fields = dict(line.partition("=")[::2] for line in head.split("\n"))
    n_groups = int(fields["num_tree_per_iteration"])
    sums = np.zeros((len(X), n_groups))
    for k, block in enumerate(blocks):
        parts = [line.partition("=") for line in block.split("\n")]
        tree = {key: value.split() for key, _, value in parts}
        for row, x in enumerate(X):
            node = 0 if int(tree["num_leaves"][0]) > 1 else -1
            while node >= 0:
                side = "left_child" if _goes_left(tree, node, x) else "right_child"
                node = int(tree[side][node])
            sums[row, k % n_groups] += float(tree["leaf_value"][-1 - node])
    return sums


def _goes_left(tree, node, x):
    value = x[int(tree["split_feature"][node])]
    cut, kind = float(tree["threshold"][node]), int(tree["decision_type"][node])
    if kind & 1:
        code = -1 if math.isnan(value) else int(value)
        start, end = (int(tree["cat_boundaries"][int(cut) + k]) for k in (0, 1))
        if not 0 <= code < 32 * (end - start):
            return False
        return bool(int(tree["cat_threshold"][start + code // 32]) >> code % 32 & 1)
    missing = kind >> 2
    if math.isnan(value) and missing != 2:
        value = 0.0
    if (missing == 1 and abs(value) <= float(np.float32(1e-35))) or math.isnan(value):
        return bool(kind & 2)
    return value <= cut
