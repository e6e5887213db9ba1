"""The benchmark on numbers: its tables, its curves, and that a part measured anew keeps what is stored."""

import json

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from tests.benchmarks.searches import continuous, continuous_parts


def test_a_part_measured_anew_keeps_the_pairs_and_the_other_parts(tmp_path, monkeypatch):
    """A run on request that overwrites the comparison, or another part."""
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"summary": {"pairs": 1}, "parts": {"gaps": {"x": 1}}, "records": [{"a": 1}]}))
    monkeypatch.setattr(continuous, "RESULTS", path)
    monkeypatch.setitem(continuous_parts.PARTS, "large", lambda: {"records": [2]})
    continuous.main(["--large"])
    kept = json.loads(path.read_text())
    assert kept["summary"] == {"pairs": 1} and kept["records"] == [{"a": 1}]
    assert kept["parts"]["gaps"] == {"x": 1} and kept["parts"]["large"]["records"] == [2]
    assert "cpu" in kept["parts"]["large"]["machine"] and continuous.stored_parts() == kept["parts"]


@pytest.mark.parametrize("n_values", [None, 16])
def test_the_large_table_hides_a_tree_of_depth_three(n_values):
    """Labels that no tree explains, no noise, or numbers that repeat where they must not."""
    X, y = continuous_parts.large_table(n_values, n_rows=4000)
    assert all(len(np.unique(column)) == (n_values or 4000) for column in X.T)
    deep = DecisionTreeClassifier(min_samples_leaf=20, random_state=0).fit(X, y)
    assert 0.05 < (deep.predict(X) != y).mean() < 0.2 and 0.3 < y.mean() < 0.7


def test_a_thinned_curve_keeps_every_better_tree_and_its_end():
    """A curve that loses the tree of a moment, or the last bound."""
    points = [
        [0.1, 50, 0],
        [0.2, 40, 0],
        [0.3, 40, 0],
        [0.4, 40, 1],
        [0.5, 39, 1],
        [0.6, 39, 39],
        [0.7, 39, 39],
    ]
    kept = continuous_parts.thinned(points)
    assert kept == [points[0], points[1], points[3], points[4], points[5], points[6]]
    assert continuous_parts.at_second(kept, 0.45) == 40 and continuous_parts.at_second(kept, 0.05) is None
