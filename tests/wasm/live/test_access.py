"""The live parts of chapters for everybody: axe, and a way through all controls by keyboard."""

import pytest

from tests.wasm import browsers
from tests.wasm.your_table.test_page import DARK

pytestmark = pytest.mark.browser
PARTS = {
    "price_of_a_leaf": ("monk1",),
    "criterion": ("iris",),
    "dyadic_price": ("thyroid",),
    "born_again": ("iris",),
    "bounds": ("monk1", 0.05),
    "search_steps": ("monk1", 0.1),
}


def try_keys(page):
    """Every control is met by Tab, in the order in which it stands, and sliders go with the arrows."""
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
            told = "([node, old]) => new Promise((done) => { const look = () =>"
            told += " node.ariaValueText !== old ? done(true) : setTimeout(look, 20); look(); })"
            assert page.evaluate(told, [slider.element_handle(), valued])


@pytest.mark.parametrize("kind", PARTS)
def test_parts_are_within_reach_of_everybody(tmp_path, own_browser, kind):
    """A control without a name, a contrast too low, a slider that no key moves or that says nothing of it."""
    base = pytest.importorskip("axe_playwright_python.base", reason="run `make env-ci`")
    with browsers.live_part(tmp_path, own_browser, kind, *PARTS[kind]) as page:
        page.wait_for_selector("[data-live][data-ready]", timeout=60_000)
        page.evaluate(base.AXE_FILE_PATH.read_text(encoding="utf-8"))
        for theme in ("light", "dark"):
            if theme == "dark":
                page.evaluate("document.documentElement.dataset.theme = 'dark'")
                page.add_style_tag(content=DARK)
            found = page.evaluate("axe.run('[data-live]', {preload: false})")["violations"]
            assert [(theme, one["id"], one["nodes"][0]["html"][:200]) for one in found] == []
        try_keys(page)  # the same in both
        assert page.problems == []
