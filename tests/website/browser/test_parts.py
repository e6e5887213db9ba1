"""The parts of the built site that a reader uses, in a real browser: by mouse, finger and keyboard."""

import pytest

from tests.website.pages import SITE, needs_site
from treelib.ledger import verdicts

pytestmark = [needs_site, pytest.mark.browser]


def test_interactive_parts(opened, site_url):
    """A part that does not start, a check that does not count."""
    window = opened()
    window.goto(site_url + "notebooks/verify.html")
    buttons = window.locator("div.part[data-verify] button")
    assert buttons.count() > 5
    for i in range(buttons.count()):
        buttons.nth(i).click()
    window.wait_for_function(
        "document.querySelectorAll('.part-answer .verdict').length === "
        "document.querySelectorAll('div.part[data-verify]').length"
    )
    assert set(window.locator(".part-answer .verdict").all_inner_texts()) == {"The stored result holds."}


def test_a_search_plays_and_stops(opened, site_url):
    """A film that cannot be stopped by the keyboard, or that rushes readers who asked for calm."""
    window = opened()
    window.clock.install()
    window.goto(site_url + "notebooks/osdt.html")
    part = window.locator("[data-live=steps]")
    part.scroll_into_view_if_needed()
    window.wait_for_selector("[data-live=steps][data-ready]")
    slider = part.locator("input")
    part.get_by_role("button", name="Play").press("Enter")
    window.clock.run_for(1000)
    assert slider.input_value() == "1"
    window.clock.run_for(1000)
    assert slider.input_value() == "2"
    part.get_by_role("button", name="Pause").press("Enter")
    window.clock.run_for(10_000)
    assert slider.input_value() == "2"


def test_all_stored_trees_hold_at_one_click(opened, site_url):
    """One button for all that forgets some; a button that loses the keyboard's place when it is pressed."""
    window = opened()
    window.goto(site_url + "notebooks/verify.html")
    first = window.locator("div.part[data-verify] button").first
    first.press("Enter")
    assert first.evaluate("button => button === document.activeElement")
    count = window.locator("div.part[data-verify]").count()
    window.get_by_role("button", name=f"Verify all {count}").press("Enter")
    window.get_by_text(f"{count} of {count} stored results hold.").wait_for()


def test_an_engine_loads_when_it_is_near(opened, site_url):
    """A reader who waits for an engine far below; one that never comes, or comes twice."""
    window, loaded = opened(viewport={"width": 1280, "height": 400}), []
    window.on("request", lambda request: loaded.append(request.url.rpartition("/")[2]))
    window.goto(site_url + "notebooks/osdt.html")
    assert window.locator("#note").count() == 1  # its scripts have run
    assert "sparse.wasm.js" not in loaded
    window.locator("[data-live=price]").scroll_into_view_if_needed()
    window.wait_for_selector("[data-live=price][data-ready]")
    assert loaded.count("sparse.wasm.js") == 1


def test_a_report_is_as_tall_as_its_content(opened, site_url):
    """A report in a window of its own within the page, of which a quarter is seen."""
    window = opened(viewport={"width": 1280, "height": 900})
    window.goto(site_url + "notebooks/own_data.html")
    frame = window.locator("iframe").first
    window.wait_for_function(
        "(() => { const frame = document.querySelector('iframe');"
        " return frame.clientHeight >= frame.contentDocument.documentElement.scrollHeight; })()"
    )
    assert frame.bounding_box()["height"] > 800


def test_site_works_from_disk(opened):
    """A part that needs a server: an unpacked archive whose search, sliders or checks do nothing."""
    window = opened()
    window.goto(f"{SITE.as_uri()}/notebooks/osdt.html")
    part = window.locator("[data-live=steps]")
    part.scroll_into_view_if_needed()
    window.wait_for_selector("[data-live=steps][data-ready]")
    slider = part.locator("input[type=range]")
    slider.focus()
    window.keyboard.press("ArrowRight")
    window.wait_for_selector("[data-live=steps][data-shown='monk1 0.05 2']")
    window.goto(f"{SITE.as_uri()}/notebooks/verify.html")
    window.locator("div.part[data-verify] button").first.click()
    window.locator(".part-answer .verdict").first.wait_for()
    assert window.locator(".part-answer .verdict").first.inner_text() == "The stored result holds."
    window.goto(f"{SITE.as_uri()}/search.html?q=lookahead")
    window.locator("#search-results li a").nth(3).wait_for()


def test_parts_show_a_picture_without_scripts(opened, site_url):
    """A page that is empty where scripts are off."""
    window = opened(java_script_enabled=False)
    window.goto(site_url + "notebooks/verify.html")
    parts = window.locator("div.part[data-verify]").all()
    assert parts
    for part in parts:
        assert part.locator("svg, img").first.is_visible()
    window.goto(site_url + "book/scorecard.html")
    rows = window.locator(".scorecard tbody tr")
    assert rows.count() == len(verdicts.read())
    window.locator("details.scorecard > summary").last.click()
    assert rows.last.is_visible()


def test_a_report_in_a_page_is_as_tall_as_what_it_holds(opened, site_url):
    """A frame that grows for ever, or one that cuts its report off."""
    heights = {}
    for width in (390, 1400):
        window = opened(viewport={"width": width, "height": 900})
        window.goto(site_url + "notebooks/own_data.html")
        frame = window.locator(".bd-article iframe[srcdoc]").first
        measure = "frame => [frame.clientHeight, frame.contentDocument.body.getBoundingClientRect().bottom]"
        window.wait_for_timeout(1000)
        found = [frame.evaluate(measure)]
        window.wait_for_timeout(500)
        found.append(frame.evaluate(measure))
        assert found[0] == found[1] and 0 <= found[0][0] - found[0][1] < 40
        heights[width] = found[0][0]
    assert heights[390] > heights[1400] > 500
