"""The live parts of chapters in Chromium, against the package."""

import re

import pytest

from tests.wasm import browsers
from tests.wasm.test_page import DARK
from treelib import OptimalSparseTreeClassifier, datasets
from treelib.papers.across import live
from treelib.wasm.tables import OFFERED


def test_part_is_a_sentence_outside_of_the_book():
    """A downloaded notebook that loads scripts from somewhere."""
    assert live.price_of_a_leaf("monk1", "a < b") == "<p>a &lt; b</p>"


@pytest.fixture(scope="module")
def window(tmp_path_factory):
    with browsers.live_part(tmp_path_factory.mktemp("site"), "price_of_a_leaf", "monk1") as page:
        yield page


@pytest.mark.browser
@pytest.mark.parametrize("name", ["monk1", "monk3", "compas", "iris"])
def test_control_goes_over_every_optimal_tree(window, name):
    """A tree of the path that is skipped, one that is never optimal, or another range of prices."""
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
    expected = [(solution.n_leaves, round(solution.error * len(data.y))) for solution in path.solutions]
    found = []
    for position in range(int(window.get_attribute("[data-live] input", "max")) + 1):
        window.fill("[data-live] input", str(position))
        said = window.text_content("[data-live] [role=status]")
        leaves, errors = re.match(r"(\d+) lea\w+, (\d+) of", said).groups()
        found.append((int(leaves), int(errors)))
    assert found == expected
    assert window.problems == [] and window.evaluate("document.documentElement.scrollWidth") <= 390


PARTS = {
    "price_of_a_leaf": ("monk1",),
    "criterion": ("iris",),
    "dyadic_price": ("thyroid",),
    "born_again": ("iris",),
    "bounds": ("monk1", 0.05),
    "search_steps": ("monk1", 0.1),
}


@pytest.mark.browser
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("kind", PARTS)
def test_parts_are_within_reach_of_everybody(tmp_path, kind, theme):
    """A control without a name, a contrast too low, a slider that no key moves or that says nothing of it."""
    base = pytest.importorskip("axe_playwright_python.base", reason="run `make env-ci`")
    with browsers.live_part(tmp_path, kind, *PARTS[kind]) as page:
        if theme == "dark":
            page.evaluate("document.documentElement.dataset.theme = 'dark'")
            page.add_style_tag(content=DARK)
        page.wait_for_selector("[data-live][data-ready]", timeout=60_000)
        page.evaluate(base.AXE_FILE_PATH.read_text(encoding="utf-8"))
        found = page.evaluate("axe.run('[data-live]', {preload: false})")["violations"]
        assert [(one["id"], one["nodes"][0]["html"][:200]) for one in found] == []
        # every control is met on the way with Tab, in the order in which it stands
        wanted = page.locator("[data-live] :is(select, input, button):enabled:visible")
        met = []
        page.evaluate("document.activeElement.blur()")
        for _ in range(60):
            page.keyboard.press("Tab")
            met.append(page.evaluate("document.activeElement.outerHTML"))
        order = [met.index(one.evaluate("node => node.outerHTML")) for one in wanted.all()]
        assert order == sorted(order)
        for slider in page.locator("[data-live] input[type=range]").all():
            slider.focus()
            page.keyboard.press("Home")
            before, valued = slider.input_value(), slider.get_attribute("aria-valuetext")
            page.keyboard.press("ArrowRight")
            assert int(slider.input_value()) == int(before) + 1
            if valued:
                told = (
                    "([node, old]) => new Promise((done) => { const look = () => node.ariaValueText !== old"
                )
                told += " ? done(true) : setTimeout(look, 20); look(); })"
                assert page.evaluate(told, [slider.element_handle(), valued])
        assert page.problems == []
