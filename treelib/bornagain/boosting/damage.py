"""What a saved model must not be, looked for before it is read: damage that a reader would take for a model,
and small files that grow into gigabytes.

The readers refuse what they cannot read; here is what they could read. Anything that is not as expected is
left to them.
"""

from itertools import pairwise

import numpy as np

MAX_DEPTH = 1000
MAX_SCORES = 50_000_000  # nodes of all trees as they are built, times classes: 400 MB of float64
MAX_CATEGORIES = 20_000_000  # bits of the sets that nodes ask for
_SAVE = "the file is damaged, save the model anew."
_OTHER_ENDS = "\v\f\x1c\x1d\x1e\x85\u2028\u2029"  # lines end here for Python alone
_SAME_SIDE = 1 << 30  # what stands for more nodes than are allowed


def check_fitted(model):
    """Refuse a fitted model that predicts by a rule that its trees do not say.

    Raises
    ------
    ValueError
        For an XGBClassifier to which another value than NaN is missing, and for a model of LightGBM that
        stops adding trees early, row by row.
    """
    missing = getattr(model, "missing", None) if hasattr(model, "get_booster") else None
    if missing is not None and not np.isnan(missing):
        raise ValueError(
            f"The XGBClassifier takes {missing} as missing, which its trees do not say; fit it with "
            "missing=nan on a table that has NaN there."
        )
    params = getattr(getattr(model, "booster_", model), "params", None)
    if isinstance(params, dict) and params.get("pred_early_stop"):
        raise ValueError(
            "The model predicts with pred_early_stop, which leaves trees out row by row; fit it without."
        )


def check_xgboost(saved):
    """Refuse a model of XGBoost with lists of another length than it says, texts among the numbers of a tree,
    nodes with two places, or trees that are too deep or too many.

    Parameters
    ----------
    saved : what its JSON holds

    Raises
    ------
    ValueError
    """
    try:
        learner = saved["learner"]
        booster, param = learner["gradient_booster"], learner["learner_model_param"]
        model = booster["model"] if "model" in booster else booster["gbtree"]["model"]
        trees, n_groups = model["trees"], max(2, int(param["num_class"]))
        n_trees = int(model.get("gbtree_model_param", {}).get("num_trees", len(trees)))
        _plain(str(param["base_score"]), "base_score")
        if not isinstance(learner.get("attributes", {}), dict):
            raise _Damage(f"The attributes of the model are no dictionary; {_SAVE}")
        n_scores = 0
        for k, tree in enumerate(trees):
            left, right = tree["left_children"], tree["right_children"]
            for key, values in tree.items():
                if isinstance(values, list) and any(isinstance(value, str) for value in values):
                    raise _Damage(f"Tree {k} has a text among the numbers of {key}; {_SAVE}")
            n_nodes = int(tree.get("tree_param", {}).get("num_nodes", len(left)))
            if n_nodes != len(left):
                raise _Damage(f"Tree {k} has {len(left)} nodes, its num_nodes is {n_nodes}; {_SAVE}")
            _order(lambda i: None if left[i] < 0 else (left[i], right[i]), 0, f"Tree {k}")  # noqa: B023
            n_scores += len(left) * n_groups
            if n_scores > MAX_SCORES:
                raise _too_many()
    except _Damage as error:
        raise ValueError(str(error)) from None
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return
    if n_trees != len(trees):
        raise ValueError(f"The model has {len(trees)} trees, its num_trees is {n_trees}; {_SAVE}")


def check_lightgbm(text):
    """Refuse text of LightGBM with fewer trees than it says, numbers or lines that only Python takes for
    such, nodes with two places, or trees that are too deep, or too large once their categories are intervals.

    Raises
    ------
    ValueError
    """
    if any(end in text for end in _OTHER_ENDS) or "\r" in text.replace("\r\n", "\n"):
        raise ValueError(f"The text has ends of lines that LightGBM does not write; {_SAVE}")
    lines = [line.strip() for line in text.split("\n")]
    if "end of trees" not in lines:
        return
    head, *blocks = "\n".join(lines[: lines.index("end of trees")]).split("\nTree=")
    fields = dict(line.partition("=")[::2] for line in head.split("\n"))
    if len(fields.get("tree_sizes", "x " * len(blocks)).split()) != len(blocks):
        raise ValueError(f"The text has {len(blocks)} trees, its tree_sizes says otherwise; {_SAVE}")
    n_scores = n_bits = 0
    try:
        n_groups = max(2, int(fields["num_class"]))
        for k, block in enumerate(blocks):
            tree = {key: value.split() for key, _, value in (one.partition("=") for one in block.split("\n"))}
            _plain("".join(map("".join, tree.values())), f"Tree {k}")
            size, bits = _lightgbm_size(tree, f"Tree {k}")
            n_scores, n_bits = n_scores + size * n_groups, n_bits + bits
            if n_scores > MAX_SCORES or n_bits > MAX_CATEGORIES:
                raise _too_many()
    except _Damage as error:
        raise ValueError(str(error)) from None
    except (ValueError, TypeError, LookupError, OverflowError):
        return


def _lightgbm_size(tree, name):
    """Nodes of a tree once each node is threshold splits, and the bits of the sets its nodes ask for."""
    if int(tree["num_leaves"][0]) < 2:
        return 1, 0
    left, right, kinds = (
        [int(x) for x in tree[key]] for key in ("left_child", "right_child", "decision_type")
    )
    turns, widths = _sets(tree) if any(kind & 1 for kind in kinds) else ([], [])
    size, n_bits = {}, 0
    for i in reversed(_order(lambda i: None if i < 0 else (left[i], right[i]), 0, name)):
        if i < 0:
            size[i] = 1
            continue
        n_cuts = 1 if kinds[i] >> 2 != 1 else 3  # zeros as missing values part two more intervals
        if kinds[i] & 1:
            at = int(float(tree["threshold"][i]))
            n_cuts, n_bits = turns[at], n_bits + widths[at]
        copies = n_cuts // 2 + 1
        size[i] = min(_SAME_SIDE, n_cuts + copies * (size[left[i]] + size[right[i]]))
    return size[0], n_bits


def _sets(tree):
    """Of each set of categories how often it turns between in and out, and its bits."""
    starts = [int(x) for x in tree["cat_boundaries"]]
    words = np.array([int(x) for x in tree["cat_threshold"]], dtype=np.uint32)
    turns, widths = [], []
    for a, b in pairwise(starts):
        bits = np.unpackbits(words[a:b].astype("<u4").view(np.uint8), bitorder="little")
        turns.append(int(np.count_nonzero(np.diff(bits, prepend=0, append=0))))
        widths.append(len(bits))
    return turns, widths


def _order(children, root, name):
    """Nodes below `root`, each after the one above it.

    children : callable of a node's number: the numbers of its two children, or None
    """
    order, seen, level = [], {root}, [root]
    for _ in range(MAX_DEPTH):
        below = []
        for node in level:
            below += children(node) or ()
        order += level
        if not below:
            return order
        seen.update(below)
        if len(seen) != len(order) + len(below):
            raise _Damage(f"{name} has a node with two places in the tree; {_SAVE}")
        level = below
    raise _Damage(f"{name} is deeper than {MAX_DEPTH:,} levels; fit one that is less deep.")


def _plain(text, where):
    if not text.isascii() or "_" in text:  # Python alone reads 1_000 and digits of other scripts
        raise _Damage(f"{where} has a number with a sign that does not belong there; {_SAVE}")


def _too_many():
    return _Damage("The trees take too much memory (nodes times classes); save a smaller model.")


class _Damage(Exception):
    """Found, and to be told."""
