"""The live parts of chapters in browsers, against the package."""

import re

import pytest

from treelib import OptimalSparseTreeClassifier, datasets
from treelib.papers.across import live
from treelib.wasm.tables import OFFERED, TOLD

PART = "price_of_a_leaf", "monk1"


def test_part_is_a_sentence_outside_of_the_book():
    """A downloaded notebook that loads scripts from somewhere."""
    assert live.price_of_a_leaf("monk1", "a < b") == "<p>a &lt; b</p>"


# the data sets of the paper that the chapter is about
SEVEN = ["monk1", "monk2", "monk3", "compas", "fico", "tic-tac-toe", "car-evaluation"]


@pytest.mark.browser
@pytest.mark.parametrize("name", [*SEVEN, "iris"])
def test_control_goes_over_every_optimal_tree(window, name):
    """A tree that is skipped or never optimal, other prices, a slider that rises as they fall."""
    window.wait_for_selector("[data-live][data-ready]")
    if window.input_value("[data-live] select") != name:
        window.evaluate("document.querySelector('[data-live]').removeAttribute('data-ready')")
        window.select_option("[data-live] select", name)
        window.wait_for_selector("[data-live][data-ready]")
    key, least = OFFERED[name]
    data = datasets.load(key)
    path = OptimalSparseTreeClassifier(max_thresholds=10).regularization_path(
        data.X, data.y, min_regularization=least
    )
    expected = [
        (solution.n_leaves, round(solution.error * len(data.y))) for solution in reversed(path.solutions)
    ]
    found = []
    for position in range(int(window.get_attribute("[data-live] input", "max")) + 1):
        window.fill("[data-live] input", str(position))
        said = window.text_content("[data-live] [role=status]")
        leaves, errors = re.match(r"(\d+) lea\w+, (\d+) of", said).groups()
        found.append((int(leaves), int(errors)))
    assert found == expected
    assert TOLD[name][1] in window.text_content("[data-live]")
    assert window.problems == [] and window.evaluate("document.documentElement.scrollWidth") <= 390
