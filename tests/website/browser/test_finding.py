"""How a reader finds something, in a real browser: the search, and the scorecard's filters and pages."""

import pytest

from tests.website.pages import needs_site
from treelib.ledger import verdicts

pytestmark = [needs_site, pytest.mark.browser]


@pytest.mark.parametrize("term", ["Tsallis", "born-again", "lambda", "regularization_path"])
def test_search_finds_what_readers_look_for(opened, site_url, term):
    """A search that needs a server of its own, or that finds nothing for the words of the book."""
    window = opened()
    window.goto(f"{site_url}search.html?q={term}")
    # results come in one by one
    window.locator("#search-results li a").nth(2).wait_for()


def test_search_ranks_chapters_before_code_and_finds_claims(opened, site_url):
    """A reader who looks for a method and gets lists of parameters; a claim that its id does not find."""
    window = opened()
    for term in ("Tsallis", "born-again"):
        window.goto(f"{site_url}search.html?q={term}")
        window.locator("#search-results li a").nth(4).wait_for()
        found = window.locator("#search-results > ul > li > a, #search-results > li > a")
        first = found.evaluate_all("links => links.slice(0, 4).map(link => link.getAttribute('href'))")
        assert not any("book/api" in link for link in first), term
    for term in ("cite", "scorecard", "glossary"):
        window.goto(f"{site_url}search.html?q={term}")
        window.locator("#search-results li a").first.wait_for()
        first = window.locator("#search-results > ul > li > a, #search-results > li > a").first
        assert first.get_attribute("href").startswith(f"book/{term}.html"), term
        text = window.locator("#search-results > ul > li, #search-results > li").first.inner_text()
        assert "Contents" not in text, term  # what stands around the article
    window.goto(f"{site_url}search.html?q=Theorem 4.1")
    window.locator(".search-claims a").first.click()
    window.wait_for_url("**/claims/tsallis.s4.html#tsallis.s4.theorem-4-1.statement")
    claim = verdicts.read()[0]["id"]
    window.goto(f"{site_url}search.html?q={claim}")
    window.locator(".search-claims a").first.click()
    window.wait_for_url(f"**/claims/*#{claim}")
    assert window.locator(f"section[id='{claim}']").is_visible()


@pytest.mark.parametrize(
    ("term", "card"),
    [
        ("232402", "osdt.t2.html#osdt.t2.all-bounds.trees-evaluated"),
        ("232,402", "osdt.t2.html#osdt.t2.all-bounds.trees-evaluated"),
        ("66.135 %", "osdt.f9.html#osdt.f9.compas.cart-accuracy"),
        ("Table 2 of Hu et al.", "osdt.t2.html#osdt.t2.all-bounds.total-time"),
        ("COMPAS accuracy", "osdt.f9.html#osdt.f9.compas.cart-accuracy"),
        ("66.135 compas", "osdt.f9.html#osdt.f9.compas.cart-accuracy"),
        ("solutions banana", "dyadic.t2.html#dyadic.t2.banana.distinct-solutions"),
        ("iris best \u03b1", "tsallis.t1.html#tsallis.t1.iris.best-alpha"),
        ("iris best alpha", "tsallis.t1.html#tsallis.t1.iris.best-alpha"),
        ("FICO leaves", "bornagain.t2.html#bornagain.t2.fi.d-leaves"),
        ("71", "dyadic.t2.html#dyadic.t2.banana.distinct-solutions"),
    ],
)
def test_search_finds_numbers_and_tables(opened, site_url, term, card):
    """A printed number, a table of a paper, or a claim in words, that only a claim's id finds."""
    window = opened()
    window.goto(f"{site_url}search.html?q={term.replace('%', '%25')}")
    links = window.locator(".search-claims a")
    links.first.wait_for()
    window.locator(".search-summary:not(:empty)").wait_for()
    assert "did not match" not in window.locator("#search-results").inner_text()  # below what was found
    assert f"claims/{card}" in links.evaluate_all("links => links.map(link => link.getAttribute('href'))")


def test_search_marks_no_single_letter_and_says_what_it_does_with_numbers(opened, site_url):
    """Every "d" of every word marked; a number that "no page has" though chapters show it."""
    window = opened()
    window.goto(f"{site_url}search.html?q=objective D leaves")
    window.locator("#search-results .highlighted").first.wait_for()
    marked = window.locator("#search-results .highlighted").all_inner_texts()
    assert min(map(len, marked)) > 1
    window.goto(f"{site_url}search.html?q=71")
    window.get_by_text("Pages are searched for words, not for numbers").wait_for()


@pytest.mark.parametrize(
    ("term", "page"),
    [
        ("missing values", "notebooks/own_data"),
        ("install", "book/welcome"),
        ("scikit-learn", "notebooks/guide"),
    ],
)
def test_search_answers_questions_of_practice(opened, site_url, term, page):
    """A reader who asks how something is done, and gets the chapters that have the word."""
    window = opened()
    window.goto(f"{site_url}search.html?q={term}")
    first = window.locator("#search-results > ul > li > a, #search-results > li > a").first
    first.wait_for()
    assert first.get_attribute("href").startswith(f"{page}.html")


@pytest.mark.parametrize(
    ("typed", "claim"),
    [
        ("COMPAS accuracy", "osdt.f4.osdt.accuracy"),
        ("solutions banana", "dyadic.t2.banana.distinct-solutions"),
        ("iris best alpha", "tsallis.t1.iris.best-alpha"),
        ("\u03b1 iris best", "tsallis.t1.iris.best-alpha"),
        ("fico leaves", "bornagain.t2.fi.d-leaves"),
    ],
)
def test_scorecard_finds_words_in_any_order(opened, site_url, typed, claim):
    """A filter that knows only what stands side by side in a line, and only the paper's abbreviations."""
    window = opened()
    window.goto(site_url + "book/scorecard.html")
    window.get_by_label("Item or words").fill(typed)
    found, _ = rows_of_all_pages(window)
    ids = [row["id"] for row in found]
    assert claim in ids and len(ids) < 300
    window.get_by_label("Item or words").fill(f"{typed} nosuchword")
    assert window.get_by_role("status").inner_text().startswith("0 of ")


def test_scorecard_filters_and_sorts(opened, site_url):
    """A filter that hides too much or nothing, a sort that loses rows, a form without a keyboard."""
    window = opened()
    window.goto(site_url + "book/scorecard.html")
    kept = verdicts.read()
    differing = [row for row in kept if row["verdict"] == "differs" and not row["fitted"]]
    window.get_by_label("Verdict").focus()
    window.keyboard.type("differs")
    found, n_pages = rows_of_all_pages(window)
    assert sorted(row["id"] for row in found) == sorted(row["id"] for row in differing)
    assert window.get_by_role("status").inner_text().startswith(f"{len(differing)} of {len(kept)} claims")
    assert n_pages == -(-len(differing) // 100)
    window.get_by_label("Verdict").select_option("match, fitted")
    n_fitted = sum(row["verdict"] == "match" and bool(row["fitted"]) for row in kept)
    assert window.get_by_role("status").inner_text().startswith(f"{n_fitted} of {len(kept)} claims")
    window.get_by_label("Verdict").select_option("differs")
    window.get_by_label("Sort by").select_option("falling")
    numbers = [float(row["deviation"]) for row in rows_of_all_pages(window)[0] if row["deviation"]]
    assert numbers == sorted(numbers, reverse=True)
    assert len(numbers) == sum(bool(row["deviation"]) for row in differing)


def test_scorecard_has_pages_and_its_state_in_the_address(opened, site_url):
    """A page of metres, a claim that no page shows, a link that shows something else than was sent."""
    window = opened()
    page = site_url + "book/scorecard.html"
    window.goto(page)
    found, _ = rows_of_all_pages(window)
    assert [row["id"] for row in found] == [row["id"] for row in verdicts.read()]
    assert window.evaluate("document.documentElement.scrollHeight") < 60_000
    wide = "table => table.scrollWidth <= table.clientWidth + 1"
    for width in (1600, 1280):
        window.set_viewport_size({"width": width, "height": 900})
        assert window.locator(".scorecard table").first.evaluate(wide), width  # nothing is cut off
    window.goto(page + "#paper=osdt&text=theorem")
    window.reload()
    assert window.locator("select[name='paper']").input_value() == "osdt"
    shown = window.locator(".scorecard tbody tr")
    assert 0 < shown.count() < 100
    assert set(shown.evaluate_all("rows => rows.map(row => row.dataset.paper)")) == {"osdt"}
    window.goto(page + "#paper=bornagain&page=3")
    window.reload()
    assert "201 to 300 shown" in window.get_by_role("status").inner_text()
    window.get_by_role("button", name="Next").first.press("Enter")
    assert window.url.endswith("#paper=bornagain&page=4")
    window.go_back()
    assert "201 to 300 shown" in window.get_by_role("status").inner_text()
    last = found[-1]["id"]
    window.goto(page + f"#{last}")
    window.reload()
    assert window.locator(f"tr[id='{last}']").is_visible()


def rows_of_all_pages(window):
    """Id and deviation of the rows of all pages of the scorecard, and the number of pages."""
    found, n_pages = [], 1
    read = "rows => rows.map(row => ({id: row.id, deviation: row.dataset.deviation}))"
    pages = window.locator(".scorecard-pages select").first
    if pages.is_visible():
        n_pages = pages.locator("option").count()
        pages.select_option("1")
    for number in range(1, n_pages + 1):
        found += window.locator(".scorecard tbody tr").evaluate_all(read)
        if number < n_pages:
            window.get_by_role("button", name="Next").first.click()
    return found, n_pages
