"""LightGBM: models from fitted estimators and from their text, which is read without the library.

Leaf values are float64 and are added in float64 in the order of the trees; the average that training began
with is part of the first trees. Numbers go left iff ``x <= threshold``. What a missing value does depends on
the node: it is taken for 0, or has a side of its own, which zeros may share. Categories go left if they are
in the list of the node; a number is cut to a whole one first.
"""

from itertools import pairwise

import numpy as np

from treelib.bornagain.boosting.fields import MAX_FEATURES, MAX_TREES, real, whole
from treelib.bornagain.boosting.links import lightgbm_cut
from treelib.bornagain.boosting.pieces import MAX_NODES, build
from treelib.bornagain.boosting.scored import LARGEST, SOFTMAX, ScoredEnsemble, score_table
from treelib.bornagain.ensemble.voting import MAX_CLASSES

_ZERO = float(np.float32(1e-35))  # numbers up to this size are zeros
_CATEGORICAL, _DEFAULT_LEFT = 1, 2
_TAKEN_FOR_ZERO, _WITH_ZERO, _APART = 0, 1, 2  # what a missing value does


def from_lightgbm(model):
    """`ScoredEnsemble` of a fitted LGBMClassifier or Booster; after early stopping the rounds up to the
    best."""
    is_estimator = not hasattr(model, "model_to_string")
    try:
        booster = model.booster_ if is_estimator else model
    except Exception as error:
        raise ValueError(f"The {type(model).__name__} is not fitted ({error}).") from None
    found = parse_lightgbm(booster.model_to_string())
    return found.with_classes(model.classes_) if is_estimator and hasattr(model, "classes_") else found


def parse_lightgbm(text):
    """`ScoredEnsemble` of the text that ``save_model`` writes.

    Raises
    ------
    ValueError
        For damaged text, linear trees, random forests (averaged output), categories of pandas, objectives
        that are no classification or unknown, and one-against-all.
    """
    head, blocks, rest = _sections(text)
    if "average_output" in head:
        raise ValueError(
            "The model is a random forest of LightGBM (averaged output); boosted ones can be read."
        )
    words = head.get("objective", "a function of your own").split()  # LightGBM keeps no word of such a one
    options = dict(word.partition(":")[::2] for word in words[1:])
    n_features = 1 + whole(_word(head, "max_feature_idx"), 0, MAX_FEATURES - 1, "max_feature_idx")
    n_groups = whole(_word(head, "num_class"), 1, MAX_CLASSES, "num_class")
    per_round = whole(_word(head, "num_tree_per_iteration"), 1, MAX_CLASSES, "num_tree_per_iteration")
    kind = words[0] if words else ""
    if kind == "binary":
        sigmoid = real(options.get("sigmoid", "1"), "sigmoid")
        if not 1e-6 <= sigmoid <= 1e6:
            raise ValueError(f"sigmoid is {sigmoid}; a number from 1e-6 to 1e6 is needed.")
        base, rule = np.array([lightgbm_cut(sigmoid), 0.0]), LARGEST
    elif kind == "multiclass":
        base, rule = np.zeros(n_groups), SOFTMAX
    else:
        raise ValueError(
            f"The objective is {' '.join(words)[:60]!r}. Models fitted with binary or multiclass can be "
            "read: others are no classification, or their scores become a class in a way of their own."
        )
    if (kind == "binary") != (n_groups == 1) or per_round != n_groups:
        raise ValueError(f"num_class is {n_groups}, which does not suit the objective {kind!r}.")
    if any(
        line.startswith("pandas_categorical:") and line[19:].strip() not in ("null", "[]") for line in rest
    ):
        raise ValueError(
            "The model was fitted to pandas categories; give their codes as numbers, and fit anew."
        )
    if not 1 <= len(blocks) <= MAX_TREES or len(blocks) % per_round:
        raise ValueError(f"{len(blocks)} trees are no rounds of {per_round}.")
    trees, scores = [], []
    for k, block in enumerate(blocks):
        tree = _tree(block, n_features, f"Tree {k}")
        trees.append(tree)
        scores.append(score_table(tree, tree.value[:, 0], k % per_round, n_groups))
    names = head.get("feature_names", "").split()
    names = names if len(names) == n_features else None
    return ScoredEnsemble(trees, scores, base, rule=rule, feature_names=names, source="LightGBM")


def _sections(text):
    """Fields of the head, fields of each tree, and the lines after them."""
    lines = text.splitlines()
    if not lines or lines[0].strip() != "tree":
        raise ValueError("This is no text of LightGBM: its first line must be 'tree'.")
    head, blocks, here = {}, [], None
    for number, line in enumerate(lines[1:], start=2):
        line = line.strip()
        if line.startswith("Tree="):
            if whole(line[5:], 0, MAX_TREES, f"line {number}") != len(blocks):
                raise ValueError(f"Line {number}: 'Tree={len(blocks)}' was expected.")
            here = {}
            blocks.append(here)
        elif line == "end of trees":
            return head, blocks, lines[number:]
        elif line:
            key, _, value = line.partition("=")
            (head if here is None else here)[key] = value
    raise ValueError("The text ends before 'end of trees'.")


def _word(fields, key):
    if key not in fields:
        raise ValueError(f"The text has no line '{key}=...'; this is no model of LightGBM, or it is damaged.")
    return fields[key]


def _words(fields, key, n, name):
    words = _word(fields, key).split()
    if len(words) != n:
        raise ValueError(f"{name}: {key} has {len(words)} numbers, {n} are needed.")
    return words


def _numbers(fields, key, n, name, low=None, high=None):
    words = _words(fields, key, n, name)
    if low is None:
        return [real(word, f"{name}: {key}") for word in words]
    return [whole(word, low, high, f"{name}: {key}") for word in words]


def _tree(fields, n_features, name):
    n_leaves = whole(_word(fields, "num_leaves"), 1, MAX_NODES, f"{name}: num_leaves")
    if whole(fields.get("is_linear", "0"), 0, 1, f"{name}: is_linear"):
        raise ValueError(f"{name} has linear models in its leaves; fit with linear_tree=False.")
    values = _numbers(fields, "leaf_value", n_leaves, name)
    n = n_leaves - 1
    if n == 0:
        return build(lambda i: values[0], 0, n_features, name, 1)
    feature = _numbers(fields, "split_feature", n, name, 0, n_features - 1)
    # a threshold of infinity parts missing values from all numbers
    threshold = [
        np.inf if word == "inf" else real(word, f"{name}: threshold")
        for word in _words(fields, "threshold", n, name)
    ]
    kind = _numbers(fields, "decision_type", n, name, 0, 15)
    left = _numbers(fields, "left_child", n, name, -n_leaves, n - 1)
    right = _numbers(fields, "right_child", n, name, -n_leaves, n - 1)
    sets = _category_sets(fields, name) if any(one & _CATEGORICAL for one in kind) else []

    def read(i):
        if i < 0:
            return values[-1 - i]
        if kind[i] & _CATEGORICAL:
            at = whole(threshold[i], 0, len(sets) - 1, f"{name}: set of node {i}")
            ends, sides = _of_categories(sets[at])
            return feature[i], ends, sides, False, left[i], right[i]
        ends, sides, missing = _of_numbers(threshold[i], kind[i], name)
        return feature[i], ends, sides, missing, left[i], right[i]

    return build(read, 0, n_features, name, n)


def _of_numbers(cut, kind, name):
    """Intervals of a threshold split: their ends, sides, and the side of missing values."""
    default, missing = bool(kind & _DEFAULT_LEFT), kind >> 2
    below = float(np.nextafter(-_ZERO, -np.inf))
    if -_ZERO <= cut < _ZERO:  # numbers up to this size are zeros to LightGBM before any split sees them
        cut = below if cut < 0 else _ZERO
    if missing == _APART:
        return [cut], [True, False], default
    if missing == _TAKEN_FOR_ZERO:
        return [cut], [True, False], cut >= 0.0
    if missing != _WITH_ZERO:
        raise ValueError(f"{name}: decision_type {kind} is unknown.")
    # zeros go the default way, missing values too, all other numbers by the threshold
    ends = sorted({cut, below, _ZERO})
    last = [*ends[1:], np.inf]
    sides = [ends[0] <= cut]
    for start, end in zip(ends, last, strict=True):
        sides.append(default if start >= below and end <= _ZERO else end <= cut)
    return ends, sides, default


def _of_categories(members):
    """Intervals of a set of categories: v holds the numbers from v to below v + 1, and 0 those above -1."""
    ends, sides = [], [False]
    for v in members:
        start = float(np.nextafter(v, -np.inf)) if v else -1.0
        end = float(np.nextafter(v + 1.0, -np.inf))
        if ends and ends[-1] == start:
            ends[-1] = end
        else:
            ends += [start, end]
            sides += [True, False]
    return ends, sides


def _category_sets(fields, name):
    """Ascending categories of each set."""
    n = whole(_word(fields, "num_cat"), 1, MAX_NODES, f"{name}: num_cat")
    starts = _numbers(fields, "cat_boundaries", n + 1, name, 0, MAX_NODES)
    if starts != sorted(starts) or starts[0] != 0:
        raise ValueError(f"{name}: cat_boundaries must ascend from 0.")
    words = _numbers(fields, "cat_threshold", starts[-1], name, 0, 2**32 - 1)
    return [
        [32 * at + bit for at, word in enumerate(words[a:b]) for bit in range(32) if word >> bit & 1]
        for a, b in pairwise(starts)
    ]
