"""The readers of what strangers write, as functions of bytes for a fuzzer.

Each one reads its bytes and may refuse them with the error that its reader promises. Any other error, or a
thing that was accepted and does not survive being written and read again, is a failure.
"""

import json
import math
import tempfile
import warnings
from functools import cache
from pathlib import Path

import numpy as np

from tests.twins.bornagain.boosted import lightgbm_sums, xgboost_sums
from treelib.bornagain.boosting.reading import parse_boosted
from treelib.bornagain.ensemble.text_format import format_forest, parse_forest
from treelib.ledger.store import lines as store_files
from treelib.owndata.read import read_table
from treelib.tree.stored import Tree


def tree(data):
    """`Tree.from_json`."""
    try:
        found = Tree.from_json(data, max_nodes=1000, max_depth=200)
    except ValueError:
        return
    assert Tree.from_json(found.to_json()) == found
    if found.n_features <= 10_000:
        assert len(found.predict(np.zeros((2, found.n_features)))) == 2


def forest(data):
    """`parse_forest`, the text format of the born-again paper's authors."""
    try:
        found = parse_forest(data.decode("utf-8", "replace"))
    except ValueError:
        return
    again = parse_forest(format_forest(found))
    assert all(one == two for one, two in zip(found.trees, again.trees, strict=True))


def table(data):
    """`read_table`, the CSV reader of ``treelib fit``, on a file whose target is its last named column."""
    path = _file("table.csv")
    path.write_bytes(data)
    head = data.split(b"\n")[0].decode("utf-8", "replace").strip()
    for separator in (None, ";"):
        target = head.split(separator or ",")[-1].strip().strip('"') or "y"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of pandas, on columns of mixed types
            try:
                found = read_table(path, target, separator=separator)
            except ValueError:
                continue
        assert len(found.X) == len(found.y) and len(found.classes) >= 2
        assert not np.isinf(found.X.to_numpy()).any()


def results(data):
    """`store_files.read`, stored results."""
    path = _file("results.jsonl")
    path.write_bytes(data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a torn last line is dropped with a warning
        try:
            found = store_files.read(path)
        except store_files.StoreError:
            return
    assert all(store_files.seal(entry) == entry for entry in found)


def xgboost(data):
    """`parse_boosted`, the JSON of a saved model; what it accepts predicts as the naive twin."""
    text = data.decode("utf-8", "replace")
    _boosted(text if text.lstrip()[:1] == "{" else "{" + text, xgboost_sums)


def lightgbm(data):
    """`parse_boosted`, the text of a saved model; what it accepts predicts as the naive twin."""
    text = data.decode("utf-8", "replace")
    _boosted(text if text.lstrip()[:4] == "tree" else "tree\n" + text, lightgbm_sums)


def _boosted(text, sums):
    try:
        found = parse_boosted(text)
    except ValueError as error:
        assert len(str(error)) > 20
        return
    if found.n_features > 10_000:
        return
    rng = np.random.default_rng(0)
    rows = rng.choice([-1e9, -1.0, 0.0, 0.5, 1.0, 2.0, 3.0, 40.0, 1e9, np.nan], size=(9, found.n_features))
    for tree in found.trees[:20]:
        for node in np.flatnonzero(~tree.is_leaf)[:20]:
            rows[rng.integers(9), tree.feature[node]] = tree.threshold[node]
    rows[np.isinf(rows)] = 5.0
    known = sums(text, rows)
    if known.shape[1] == 1:
        ours = found.predict_votes(rows)[:, 1] - found.base[1]
    else:
        ours = found.predict_votes(rows) - found.base
    known = known.reshape(ours.shape).astype(np.float64)
    size = 1.0 + found.largest_scores.sum()  # the twin adds the base last: sums agree but for rounding
    assert np.abs(ours - known).max() <= 1e-5 * size, (ours, known)
    assert found.predict(rows).max() < found.n_classes


READERS = {reader.__name__: reader for reader in (tree, forest, table, results, xgboost, lightgbm)}


def seeds(name):
    """Bytes that each reader accepts, to start from."""
    if name == "tree":
        one = Tree.from_nested((0, 0.5, (1, math.inf, 0, 1), 2), 3, class_names=tuple("abc"))
        two = Tree.from_nested((0, -1e-300, 1.5, 2.5), 1, is_regression=True)
        return [one.to_json().encode(), two.to_json(indent=1).encode()]
    if name == "forest":
        from treelib.bornagain.ensemble.voting import Ensemble

        trees = [Tree.from_nested((j, 0.5, 0, (1, 2.25, 1, 0)), 3, n_classes=2) for j in range(2)]
        return [format_forest(Ensemble(trees)).encode()]
    if name == "table":
        return [
            b"a,b,y\n1,red,0\n2.5,green,1\n,red,0\n4,,1\n",
            b'a;b;y\n"1,5";x;no\n2;"z ""q""";yes\n3;x;yes\n',
            b"a\ty\n1e308\ttrue\n-1e308\tfalse\n2020-01-01\ttrue\n",
        ]
    if name == "xgboost":
        return [
            json.dumps(_xgboost(**options)).encode() for options in ({}, {"dart": True}, {"n_classes": 3})
        ]
    if name == "lightgbm":
        return [_LIGHTGBM.encode(), _THREE.encode()]
    lines = [
        store_files.seal({"case": {"x": x, "name": "a"}, "key": "k", "result": {"y": [x / 7]}})
        for x in (1, 2)
    ]
    return ["".join(json.dumps(line) + "\n" for line in lines).encode()]


def _xgboost(dart=False, n_classes=0):
    """A small model as XGBoost saves it."""
    split = {"left_children": [1, -1, 3, -1, -1], "right_children": [2, -1, 4, -1, -1]}
    split |= {"split_indices": [0, 0, 1, 0, 0], "split_conditions": [0.5, -0.25, 2.0, 0.75, -1.5]}
    split |= {"default_left": [1, 0, 0, 0, 0], "tree_param": {"num_nodes": "5", "size_leaf_vector": "1"}}
    n_trees = max(2, n_classes)
    model = {"trees": [split] * n_trees, "tree_info": [k % max(1, n_classes) for k in range(n_trees)]}
    model |= {"gbtree_model_param": {"num_trees": str(n_trees)}, "iteration_indptr": [0, n_trees]}
    booster = {"name": "gbtree", "model": model}
    if dart:
        booster = {"name": "dart", "gbtree": {"model": model}, "weight_drop": [0.5, 0.25]}
    objective = "multi:softprob" if n_classes else "binary:logistic"
    param = {"base_score": "5E-1", "num_class": str(n_classes), "num_feature": "2", "num_target": "1"}
    learner = {"gradient_booster": booster, "learner_model_param": param, "objective": {"name": objective}}
    return {"learner": learner | {"attributes": {}, "feature_names": ["a", "b"]}, "version": [3, 2, 0]}


# splits of every kind: categories, zeros as missing, missing apart, missing as zero
_TREE = """num_leaves=5
num_cat=1
split_feature=0 1 1 1
threshold=0 0.5 2 -1
decision_type=1 6 10 2
left_child=1 2 -1 -4
right_child=3 -2 -3 -5
leaf_value=0.5 -0.25 1.5 -2 0.125
cat_boundaries=0 2
cat_threshold=41 3
"""
_LIGHTGBM = (
    "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nmax_feature_idx=1\nobjective=binary sigmoid:1\n"
    + "".join(f"\nTree={k}\n{_TREE}" for k in range(3))
    + "\nend of trees\n"
)
_THREE = (
    _LIGHTGBM.replace("binary sigmoid:1", "multiclass num_class:3")
    .replace("num_class=1", "num_class=3")
    .replace("per_iteration=1", "per_iteration=3")
)


@cache
def _file(name):
    return Path(tempfile.mkdtemp()) / name
