"""What a link says before it is followed, and what a card gives, in a real browser."""

import pytest

from tests.website.pages import needs_site

pytestmark = [needs_site, pytest.mark.browser]


def test_links_say_what_they_lead_to(opened, site_url):
    """A note that only the mouse opens, that Escape leaves open, or that no screen reader is told of."""
    window = opened(viewport={"width": 390, "height": 800})
    window.goto(site_url + "notebooks/osdt.html")
    link = window.locator("a[data-note]").nth(1)
    link.scroll_into_view_if_needed()
    window.keyboard.press("Tab")  # from here on, focus is the keyboard's
    link.focus()
    note = window.get_by_role("tooltip")
    assert note.is_visible() and note.inner_text() == link.get_attribute("data-note")
    assert link.get_attribute("aria-describedby") == note.get_attribute("id")
    box = note.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 390
    window.keyboard.press("Escape")
    assert note.is_hidden() and link.get_attribute("aria-describedby") is None


NOTED = {
    "article a[href*='references.html#']": ("notebooks/osdt.html", "Hu"),
    "article p a.term": ("notebooks/osdt.html", ""),
    "article a.verdict": ("book/report-osdt.html", "Printed"),
    "table.differing a": ("book/report-osdt.html", "Printed"),
}


def test_notes_open_by_mouse_and_keyboard(opened, site_url):
    """A reference, a word of the glossary, a verdict or a claim's name that says nothing of itself."""
    window = opened(viewport={"width": 1280, "height": 900})
    note = window.get_by_role("tooltip")
    for selector, (page, said) in NOTED.items():
        window.goto(site_url + page)
        link = window.locator(f"{selector}[data-note]").first
        link.hover()
        note.wait_for()
        assert said in note.inner_text() and len(note.inner_text()) > 15, selector
        window.mouse.move(1, 1)
        note.wait_for(state="hidden")
        window.keyboard.press("Tab")
        link.focus()
        assert note.is_visible(), selector


def test_abbreviations_are_explained_to_the_keyboard(opened, site_url):
    """A code of a data set in a table that only those can read who remember the list above."""
    window = opened(viewport={"width": 1280, "height": 900})
    window.goto(site_url + "notebooks/bornagain.html")
    link = window.locator("table a.term", has_text="BC").first
    window.keyboard.press("Tab")
    link.focus()
    assert "Breast" in window.get_by_role("tooltip").inner_text()


def test_a_note_shows_its_formulas(opened, site_url):
    """A note on a theorem that shows the commands of TeX instead of the formula."""
    window = opened(viewport={"width": 1280, "height": 900})
    window.goto(site_url + "notebooks/osdt_experiments.html")
    link = window.locator("a[data-drawn]").first
    link.scroll_into_view_if_needed()
    window.keyboard.press("Tab")
    link.focus()
    note = window.get_by_role("tooltip")
    assert note.locator(".formula svg").count() and "\\(" not in note.inner_text()


def test_a_card_copies_its_citation(browser, opened, site_url):
    """A button that copies nothing, or another citation."""
    window = opened(permissions=["clipboard-read", "clipboard-write"])
    window.goto(site_url + "claims/osdt.t2.html")
    part = window.locator("details.cite").nth(1)
    part.locator("summary").click()
    part.get_by_role("button", name="Copy as BibTeX").click()
    part.get_by_role("button", name="Copied").wait_for()
    assert window.evaluate("navigator.clipboard.readText()") == part.locator("pre").inner_text()
