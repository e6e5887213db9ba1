"""The live parts of chapters in browsers, against the package."""

import re

import pytest

from tests.wasm import browsers
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


@pytest.mark.browser
def test_a_search_can_be_stopped_and_leaves_what_it_found(window):
    """Half a minute in which nothing answers; a tree of the data set before below the name of another."""
    choice, stop = window.locator("[data-live] select"), window.get_by_role("button", name="Stop")
    tree, said = window.locator("[data-live] .live-tree"), window.locator("[data-live] [role=status]")
    window.select_option("[data-live] select", "iris")
    window.wait_for_selector("[data-live][data-ready]")
    assert stop.get_attribute("aria-disabled") == "true" and tree.locator("svg").count() == 1
    choice.select_option("wine")  # half a minute
    assert tree.locator("svg").count() == 0 and not stop.get_attribute("aria-disabled")
    browsers.until(
        window, "/[1-9] optimal tree/.test(document.querySelector('[data-live] [role=status]').textContent)"
    )
    stop.press("Enter")
    assert "Stopped: " in said.text_content() and "found and proved" in said.text_content()
    assert stop.evaluate("button => button === document.activeElement")
    assert tree.locator("svg").count() == 1 and "there may be others" in said.text_content()
    choice.select_option("wine")
    window.wait_for_timeout(50)
    choice.select_option("monk1")  # the choice answers while a search runs
    window.wait_for_selector("[data-live][data-ready]")
    assert "Stopped" not in said.text_content() and window.problems == []
    # a search that reaches its own limit leaves as much as one that is stopped
    window.evaluate("""() => {
        const solver = treelibSolver.Solver.prototype, { solve } = solver;
        solver.solve = function (given, calls) { return solve.call(this, { ...given, seconds: 1 }, calls); };
    }""")
    choice.select_option("wine")
    browsers.until(window, "document.querySelector('[data-live]').dataset.ready === 'yes'")
    assert (
        "Ended, the search took longer than a minute: 1 optimal tree found and proved" in said.text_content()
    )
    assert tree.locator("svg").count() == 1 and stop.get_attribute("aria-disabled") == "true"


@pytest.mark.browser
def test_a_slider_says_its_place_and_the_tree_speaks_as_the_figures(window):
    """A slider without a number, a tree of raw names as text beside figures that are drawn."""
    window.select_option("[data-live] select", "monk2")
    window.select_option("[data-live] select", "monk1")
    window.wait_for_selector("[data-live][data-ready]")
    slider = window.locator("[data-live] input[type=range]")
    for place in (0, 1):
        slider.fill(str(place))
        leaves = len(browsers.drawn_samples(window))
        assert (
            window.locator("[data-live] output").text_content() == f"{leaves} leaves"
            if leaves > 1
            else "1 leaf"
        )
    assert set(browsers.drawn_classes(window)) == {"other", "monk"}
    texts = window.locator("[data-live] .live-tree text").all_text_contents()
    assert {"a5 = 1", "no", "yes"} <= set(texts) and not any("_" in text for text in texts)
    assert "a5 = 1 no: " in window.locator("[data-live] .live-tree desc").text_content()
    boxes = window.locator("[data-live] .live-tree rect").evaluate_all(
        "all => all.map((one) => ['x', 'y', 'width', 'height'].map((name) => Number(one.getAttribute(name))))"
    )
    for i, (x, y, width, height) in enumerate(boxes):
        for a, b, wide, high in boxes[:i]:
            assert x >= a + wide or a >= x + width or y >= b + high or b >= y + height, "boxes overlap"
