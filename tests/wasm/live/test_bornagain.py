"""The born-again part of a chapter in browsers, against the package."""

import json
import re

import pytest

from tests.wasm import browsers
from treelib import Tree, datasets
from treelib.bornagain import as_ensemble, certify, minimise
from treelib.papers.across import live
from treelib.wasm.tables import OFFERED

pytestmark = pytest.mark.browser
PART = "born_again", "banana"


def tree_of(nodes, d, k):
    """`Tree` of a page's nodes: feature, threshold, left, right, class."""

    def nested(at):
        feature, cut, left, right, label = nodes[at]
        return label if feature is None else (feature, cut, nested(left), nested(right))

    return Tree.from_nested(nested(0), d, n_classes=k)


@pytest.mark.parametrize(
    "name, d, k, settings",
    [("banana", 2, 2, (3, 2, 1, 1)), ("banana", 2, 2, (7, 3, 4, 0)), ("iris", 4, 3, (5, 2, 2, 1))],
)
def test_tree_is_the_smallest_of_the_forest_that_the_page_grew(window, name, d, k, settings):
    """A forest that is drawn otherwise than searched, a tree that is unfaithful, or too large."""
    if window.input_value("[data-live] select") != name:
        window.locator("[data-live] select").first.select_option(name)
    for place, value in enumerate(settings[:3]):
        window.locator("[data-live] input").nth(place).fill(str(value))
    window.select_option("#live-least", str(settings[3]))
    shown = " ".join(map(str, (name, *settings)))
    browsers.until(window, f"document.querySelector('[data-live]').dataset.shown === '{shown}'")
    said = "document.querySelector('[data-live] [role=status]').textContent"
    browsers.until(window, f"{said}.includes('become one tree')")
    grown = json.loads(window.get_attribute("[data-live]", "data-forest"))
    forest = as_ensemble([tree_of(nodes, d, k) for nodes in grown])
    found = minimise(forest, "leaves" if settings[3] else "depth")
    assert certify(found.tree, forest).faithful
    words = window.text_content("[data-live] [role=status]")
    total, leaves = re.match(
        r"\d+ trees? with (\d+) leaves in all become one tree of (\d+) lea", words
    ).groups()
    assert int(total) == forest.n_leaves and int(leaves) == found.tree.n_leaves
    names = datasets.load(OFFERED[name][0]).class_names
    names = [
        live.words().get(OFFERED[name][0], {}).get("classes", {}).get(one, one) for one in map(str, names)
    ]
    assert browsers.drawn_classes(window) == [names[k] for k in found.tree.label[found.tree.is_leaf]]
    if d == 2:
        assert window.locator(".live-plane").nth(1).locator("rect").count() == found.tree.n_leaves
    assert window.problems == [] and window.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_forest_that_is_too_large_gets_a_word(window):
    """A page that hangs, or ends in an error of the script."""
    window.locator("[data-live] select").first.select_option("wine")
    for place, value in enumerate((12, 4, 1)):
        window.locator("[data-live] input").nth(place).fill(str(value))
    browsers.until(
        window, "(document.querySelector('[data-live]').dataset.shown ?? '').startsWith('wine 12 4 1 ')"
    )
    browsers.until(
        window, "!document.querySelector('[data-live] [role=status]').textContent.startsWith('Growing')"
    )
    assert "too many for the memory of this page" in window.text_content("[data-live] [role=status]")
    assert window.problems == []


def test_a_large_forest_can_be_stopped_and_another_set_clears_the_tree(window):
    """Twenty seconds that nobody can end; Banana's tree below the name of Wine."""
    choice, stop = window.locator("[data-live] select").first, window.get_by_role("button", name="Stop")
    choice.select_option("banana")
    for place, value in enumerate((3, 2, 1)):
        window.locator("[data-live] input").nth(place).fill(str(value))
    browsers.until(
        window,
        "/^3 trees .* become one/.test(document.querySelector('[data-live] [role=status]').textContent)",
    )
    assert window.locator(".live-tree svg").count() == 1
    assert window.locator("[data-live] output").all_text_contents() == ["3", "2", "1"]
    for place, value in enumerate((12, 4)):
        window.locator("[data-live] input").nth(place).fill(str(value))
    choice.select_option("wine")
    assert window.locator(".live-tree svg").count() == 0
    stop.press("Enter")
    browsers.until(
        window, "document.querySelector('[data-live] [role=status]').textContent.startsWith('Stopped.')"
    )
    assert stop.evaluate("button => button === document.activeElement")
    assert window.locator(".live-tree svg").count() == 0 and window.problems == []
