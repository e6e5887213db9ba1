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


READERS = {reader.__name__: reader for reader in (tree, forest, table, results)}


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
    lines = [
        store_files.seal({"case": {"x": x, "name": "a"}, "key": "k", "result": {"y": [x / 7]}})
        for x in (1, 2)
    ]
    return ["".join(json.dumps(line) + "\n" for line in lines).encode()]


@cache
def _file(name):
    return Path(tempfile.mkdtemp()) / name
