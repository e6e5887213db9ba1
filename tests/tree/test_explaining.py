"""Reasons and nearest changes against brute force over all rows there can be."""

import json
import shutil
import subprocess
import time
from itertools import product

import numpy as np
import pandas as pd
import pytest

from treelib import OptimalSparseTreeClassifier, TopDownForestClassifier, TopDownTreeClassifier
from treelib.tree.explaining import Explainer
from treelib.tree.formats import to_javascript
from treelib.tree.stored import Tree

N_TREES = 2_000  # of which 10,000 were tried once
THRESHOLDS = (0.5, 1.5)
VALUES = (0.0, 1.0, 2.0, np.nan)  # one of each cell between the thresholds, and missing


def random_tree(random, n_features, depth=3):
    """A random tree over numbers, tests of which may be "is it missing?"."""

    def grown(left):
        if left == 0 or random.random() < 0.2:
            return int(random.integers(0, 3))
        threshold = np.inf if random.random() < 0.1 else random.choice(THRESHOLDS)
        return (int(random.integers(0, n_features)), float(threshold), grown(left - 1), grown(left - 1))

    tree = Tree.from_nested(
        (0, 0.5, grown(depth - 1), grown(depth - 1)),
        n_features=n_features,
        n_classes=3,
        feature_names=[f"x{j}" for j in range(n_features)],
    )
    return tree.replace(missing_go_to_left=random.random(tree.n_nodes) < 0.5)


@pytest.mark.parametrize("seed", range(4))
def test_explanations_are_those_of_brute_force(seed):
    """A reason that does not force the prediction or holds a column too many; a change that is not the
    nearest, or gives the class of the row."""
    random = np.random.default_rng(seed)
    n_features = 3
    cells = np.array(list(product(VALUES, repeat=n_features)))
    for _ in range(N_TREES // 4):
        tree = random_tree(random, n_features)
        answers = tree.predict(cells)
        fixed = [f"x{j}" for j in range(n_features) if random.random() < 0.2]
        ways = {f"x{j}": int(random.choice([1, -1])) for j in range(n_features) if random.random() < 0.3}
        row = cells[random.integers(len(cells))]
        wishes = {"fixed": fixed, "directions": ways, "scale": {"x0": 1.0, "x1": 2.0, "x2": 4.0}}
        found = Explainer(tree, **wishes, yes_no=False).explain(row[None])[0]
        answer = tree.predict(row[None])[0]
        assert found.prediction == answer
        same = (cells == row) | np.isnan(cells) & np.isnan(row)
        reason = [int(one.column[1:]) for one in found.reason]
        assert (answers[same[:, reason].all(axis=1)] == answer).all()
        for column in reason:
            rest = [one for one in reason if one != column]
            assert (answers[same[:, rest].all(axis=1)] != answer).any()
        assert set(reason) <= {int(one.column[1:]) for one in found.path}
        assert _cost_of(found, row) == pytest.approx(_least(cells, answers, row, answer, fixed, ways))
        if found.change:
            changed = row.copy()
            for one in found.change:
                changed[int(one.column[1:])] = one.value
            assert tree.predict(changed[None])[0] == found.instead != answer


def _cost_of(found, row):
    """(columns, size) of a change as one number, or infinity."""
    if not found.change:
        return np.inf
    return sum(1000 + _step(row[int(one.column[1:])], one.value, int(one.column[1:])) for one in found.change)


def _step(before, after, column):
    return 1.0 if np.isnan(before) else abs(after - before) / (1.0, 2.0, 4.0)[column]


def _least(cells, answers, row, answer, fixed, ways):
    """The least cost of a change, over the cells and the values at their borders."""
    least = np.inf
    for cell in cells[answers != answer]:
        cost = 0.0
        for column, (before, after) in enumerate(zip(row, cell, strict=True)):
            if before == after or (np.isnan(before) and np.isnan(after)):
                continue
            name = f"x{column}"
            if np.isnan(after) or name in fixed:
                cost = np.inf
            elif not np.isnan(before) and np.sign(after - before) != ways.get(name, np.sign(after - before)):
                cost = np.inf
            else:
                border = after - 0.5 if after > before else after + 0.5
                cost += 1000 + _step(before, before if np.isnan(before) else border, column)
        least = min(least, cost)
    return least


def test_categories_and_classes_are_named():
    """A column of categories explained feature by feature, or a change to two categories at once."""
    X = pd.DataFrame({"colour": ["red", "green", "blue", None] * 20, "size": np.arange(80) % 7})
    y = np.where((X["colour"] == "red") & (X["size"] > 2), "yes", "no")
    model = OptimalSparseTreeClassifier(0.01, max_depth=2).fit(X, y)
    for one, text in zip(model.explain(X), model.predict(X), strict=True):
        assert one.prediction == text
    found = model.explain(pd.DataFrame({"colour": ["red", "green"], "size": [5, 5]}))
    assert str(found[0]) == (
        "yes, because colour is red and size is above 2.5. It would be no if colour were not red."
    ) or "size were at most 2.5" in str(found[0])
    assert str(found[1]) == "no, because colour is not red. It would be yes if colour were red."
    only = model.explain(pd.DataFrame({"colour": ["green"], "size": [1]}), fixed=["colour"])[0]
    assert only.change == () and only.instead is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fixed": ["nobody"]}, "no column 'nobody'"),
        ({"wanted": "maybe"}, "no class 'maybe'"),
        ({"directions": {"x0": 2}}, "only grow"),
    ],
)
def test_wishes_that_mean_nothing(options, message):
    """A wish that is passed over in silence."""
    with pytest.raises(ValueError, match=message):
        Explainer(Tree.from_nested((0, 0.5, 0, 1), feature_names=["x0"]), **options)


def test_a_forest_has_no_path():
    """The path of its first tree, given for that of the forest."""
    X, y = np.arange(20.0)[:, None], np.arange(20) % 2
    with pytest.raises((ValueError, AttributeError), match=r"trees|no attribute"):
        TopDownForestClassifier(n_estimators=2, n_jobs=1).fit(X, y).explain(X)


def test_subsets_are_refused():
    """A reason by subsets of categories, which the columns of the table do not know."""
    X = pd.DataFrame({"kind": list("abcdef") * 30, "x": np.tile(np.arange(9.0), 20)})
    y = np.isin(X["kind"], ["a", "c", "e"]) & (X["x"] > 3)
    model = TopDownTreeClassifier(category_tests="subsets").fit(X, y)
    with pytest.raises(ValueError, match="subsets"):
        model.explain(X)


def test_a_row_takes_less_than_a_millisecond():
    """An explanation that a page of many rows waits for."""
    random = np.random.default_rng(0)
    X = random.random((2000, 20))
    y = (X[:, 0] + X[:, 1] * X[:, 2] > 0.8).astype(int)
    explainer = Explainer(TopDownTreeClassifier(max_leaf_nodes=60).fit(X, y))
    seconds = []
    for row in X[:300]:
        began = time.process_time()
        explainer.explain(row[None])
        seconds.append(time.process_time() - began)
    assert np.median(seconds) < 1e-3, np.median(seconds)


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_javascript_explains_alike(tmp_path):
    """An exported program that gives another reason or change than Python."""
    random = np.random.default_rng(0)
    n = 400
    X = pd.DataFrame(
        {
            "colour": random.choice(["red", "green", "blue", None], n),
            "size": random.random(n).round(2),
            "age": np.where(random.random(n) < 0.1, np.nan, random.integers(18, 90, n)),
        }
    )
    y = np.where((X["colour"] == "red") ^ (X["size"] > 0.4) | (X["age"] > 60), "yes", "no")
    for model in (TopDownTreeClassifier(max_leaf_nodes=12).fit(X, y), TopDownTreeClassifier().fit(X, y)):
        rows = X.head(100)
        wishes = {"fixed": ["colour"], "directions": {"age": 1}}
        (tmp_path / "model.mjs").write_text(to_javascript(model, explain=True), encoding="utf-8")
        listed = json.loads(rows.astype(object).where(rows.notna(), None).to_json(orient="records"))
        (tmp_path / "rows.json").write_text(json.dumps([listed, wishes]))
        (tmp_path / "all.mjs").write_text(
            'import { readFileSync } from "node:fs";\nimport { explain } from "./model.mjs";\n'
            'const [rows, wishes] = JSON.parse(readFileSync("rows.json"));\n'
            "const said = rows.map((row) => [explain(row).sentence, explain(row, wishes).sentence]);\n"
            "console.log(JSON.stringify(said));\n"
        )
        done = subprocess.run(["node", "all.mjs"], cwd=tmp_path, check=True, capture_output=True, text=True)
        there = [list(map(str, model.explain(rows))), list(map(str, model.explain(rows, **wishes)))]
        assert json.loads(done.stdout) == [list(pair) for pair in zip(*there, strict=True)]
