"""Generalisation of a learned parameter: the pieces it is computed from."""

import numpy as np
import pytest

from treelib.papers.tsallis import exact_loss as learning
from treelib.topdown.learn.step_function import StepFunction


def test_common_pieces_keep_every_function():
    """Values that shift by a piece where breakpoints are put together."""
    steps = [StepFunction([0, 1, 3], [5, 7]), StepFunction([0, 2, 3], [1, 2])]
    edges, values = learning.on_common_pieces(steps)
    assert edges.tolist() == [0, 1, 2, 3] and values.tolist() == [[5, 7, 7], [1, 1, 2]]


def test_longest_run_is_measured_in_width():
    """A run counted in pieces instead of width, or a middle outside the run."""
    good, widths = np.array([True, True, False, True, False]), np.array([0.1, 0.1, 0.2, 1.0, 0.5])
    assert learning.middle_of_longest_run(good, widths) == 3
    assert learning.middle_of_longest_run(np.array([True] * 5), np.ones(5)) == 2


def test_all_instances_learn_the_best_parameter():
    """An excess that stays although the instances are the distribution itself."""
    rng = np.random.default_rng(0)
    losses = rng.random((20, 6))
    excess, gap, optimism = learning.learned(losses, losses.mean(axis=0), np.ones(6), 20, rng)
    assert excess == pytest.approx(0) and gap == pytest.approx(0) and optimism == pytest.approx(0)
    one = [learning.learned(losses, losses.mean(axis=0), np.ones(6), 1, rng) for _ in range(50)]
    assert np.mean([e for e, _, _ in one]) > 0 and np.mean([o for _, _, o in one]) > 0


def test_deviation_falls_with_the_number_of_instances(monkeypatch):
    """Means that do not come nearer to each other, or an excess that is more than twice the deviation."""
    monkeypatch.setattr(learning, "POOL", 60)
    monkeypatch.setattr(learning, "SIZES", (1, 5, 25))
    result = learning.generalisation({"data": "Wine", "beta": 1, "seed": 0})
    gap, excess = np.array(result["gap"]), np.array(result["excess"])
    assert (np.diff(gap.mean(axis=1)) < 0).all()
    assert (excess <= 2 * gap + 1e-12).all()
    assert result["sufficient"] < result["sufficient_worst_case"]
    assert result["guaranteed"] == sorted(result["guaranteed"], reverse=True)
