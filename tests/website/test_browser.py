"""The built site in a real browser: every page, and every part that a reader can use."""

import shutil
import threading
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.website.pages import SITE, browsed, local, needs_site
from treelib.ledger import verdicts

CHROMIUM = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"]
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
FLAGS += ["--disable-component-update", "--disable-sync", "--no-first-run"]

pytestmark = [needs_site, pytest.mark.browser]


@pytest.fixture(scope="module")
def site_url():
    class Quiet(SimpleHTTPRequestHandler):
        protocol_version = "HTTP/1.1"  # one connection for many files

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=SITE)) as server:
        server.handle_error = lambda *_: None  # a page that was left before all of it was read
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="module")
def browser():
    driver = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed; run `make env-ci`"
    )
    program = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if program is None:
        pytest.skip("no Chromium on this machine")
    with driver.sync_playwright() as session:
        running = session.chromium.launch(executable_path=program, args=FLAGS)
        yield running
        running.close()


@pytest.fixture
def opened(browser):
    """Makes windows in contexts of their own, all closed at the end.

    Nothing moves in them: a check that meets a colour on its way sees neither the old nor the new one.
    """
    contexts = []

    def window(**options):
        contexts.append(browser.new_context(**{"reduced_motion": "reduce"} | options))
        return contexts[-1].new_page()

    yield window
    for context in contexts:
        context.close()


def settle(window):
    """Wait until a page looks as it will: fonts loaded, colours chosen, nothing on its way."""
    window.evaluate("document.fonts.ready")
    until(window, "document.documentElement.dataset.theme !== 'auto' && !document.getAnimations().length")


def until(window, ready, seconds=30):
    """Wait for a condition, asked from here: a page may forbid the driver to evaluate texts in it."""
    end = time.monotonic() + seconds
    while not window.evaluate(ready):
        assert time.monotonic() < end, f"{window.url} never came to rest: {ready}"
        time.sleep(0.02)


# formulas that were not set when the book was built
TEX_LEFT = """
[...document.querySelectorAll("article .math")].some((one) => !one.querySelector(".formula svg"))
  || [...document.querySelectorAll("article :is(p, li, td, figcaption)")]
    .some((one) => one.textContent.includes("\\\\("))
"""

CUT_FORMULAS = """
[...document.querySelectorAll(".formula.display")].some((one) => one.scrollWidth > one.clientWidth)
"""

# numbered tables that are wider than the column
CUT_TABLES = """
[...document.querySelectorAll("article table:has(.caption-number)")]
  .filter((table) => table.scrollWidth > table.clientWidth + 1)
  .map((table) => table.querySelector(".caption-number").textContent)
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_pages_in_a_browser(opened, site_url, width, scheme):
    """A console error, a request that fails or leaves the site, or a page that moves sideways on a phone."""
    problems, current = [], ""
    window = opened(viewport={"width": width, "height": 900}, color_scheme=scheme)

    def note(text):
        problems.append(f"{current}: {text}")

    window.on("console", lambda message: message.type == "error" and note(message.text))
    window.on("pageerror", lambda error: note(error))
    # ERR_ABORTED: the next page was opened while this one still loaded a font
    window.on("requestfailed", lambda r: "ERR_ABORTED" in r.failure or note(f"{r.failure}: {r.url}"))
    window.on(
        "response", lambda response: response.status >= 400 and note(f"{response.status}: {response.url}")
    )
    window.on(
        "request", lambda request: request.url.startswith((site_url, "data:", "blob:")) or note(request.url)
    )
    for path in browsed():
        current = local(path)
        window.goto(site_url + current)
        settle(window)
        if width < window.evaluate("document.documentElement.scrollWidth"):
            note("scrolls sideways")
        if width > 1000 and current.startswith("notebooks/"):
            window.evaluate(CUT_TABLES) and note(f"a table is cut off: {window.evaluate(CUT_TABLES)}")
        if window.evaluate(TEX_LEFT):
            note("a formula is shown as TeX")
        if current == "notebooks/osdt.html" and window.evaluate(CUT_FORMULAS):
            note("an equation is cut off")
    assert not problems


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_has_its_colours_from_the_start(opened, site_url, scheme):
    """A first page that is light until the theme's script has run, and only then fades to dark."""
    window = opened(color_scheme=scheme, reduced_motion="no-preference")
    window.add_init_script(
        "window.faded = []; addEventListener('transitionrun', event => faded.push(event.target.className))"
    )
    window.goto(site_url + "book/cite.html")
    settle(window)
    assert window.evaluate("document.documentElement.dataset.theme") == scheme
    assert window.evaluate("faded") == []


# Rows of a long table are alike, so are tokens of one kind in a listing; axe takes minutes over thousands.
KEEP_ONE_OF_A_KIND = """
document.querySelectorAll('tbody tr:nth-child(n+40)').forEach((row) => row.remove());
for (const listing of document.querySelectorAll('.highlight pre')) {
  const seen = new Set();
  for (const token of [...listing.querySelectorAll('span')].filter((span) => !span.children.length)) {
    let kind = '';
    for (let part = token; part !== listing; part = part.parentElement) kind += `${part.className} < `;
    if (seen.has(kind) && !token.id) token.replaceWith(token.textContent);
    seen.add(kind);
  }
}
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_accessible(opened, site_url, scheme):
    """A serious violation that axe-core finds: contrast too low, a control without a name, a wrong role."""
    base = pytest.importorskip("axe_playwright_python.base", reason="run `make env-ci`")
    axe = base.AXE_FILE_PATH.read_text(encoding="utf-8")
    window, problems = opened(viewport={"width": 1280, "height": 900}, color_scheme=scheme), []
    for path in browsed():
        window.goto(site_url + local(path))
        settle(window)
        window.evaluate(KEEP_ONE_OF_A_KIND)
        window.evaluate(axe)
        found = window.evaluate("axe.run(document, {resultTypes: ['violations']})")
        for violation in found["violations"]:
            if violation["impact"] in ("serious", "critical"):
                first = violation["nodes"][0]
                problems.append(f"{local(path)}: {violation['id']}: {first['target']} {first['html'][:200]}")
    assert not problems


def test_interactive_parts(opened, site_url):
    """A part that does not start, a slider without effect, a check that does not count."""
    window = opened()
    window.goto(site_url + "notebooks/verify.html")
    buttons = window.locator("div.play[data-play=verify] button")
    assert buttons.count() > 5
    for i in range(buttons.count()):
        buttons.nth(i).click()
    window.wait_for_function(
        "document.querySelectorAll('.play-answer .verdict').length === "
        "document.querySelectorAll('div.play[data-play=verify]').length"
    )
    assert set(window.locator(".play-answer .verdict").all_inner_texts()) == {"The stored result holds."}

    window.goto(site_url + "notebooks/play.html")
    parts = window.locator("div.play.ready")
    assert parts.count() == window.locator("div.play").count() > 1
    sliders = window.locator("div.play input[type=range]").all()
    assert sliders
    for slider in sliders:
        before = slider.get_attribute("aria-valuetext")
        slider.focus()
        window.keyboard.press("Home")
        window.keyboard.press("ArrowRight")
        window.keyboard.press("ArrowRight")
        after = slider.get_attribute("aria-valuetext")
        window.keyboard.press("ArrowRight")
        assert len({before, after, slider.get_attribute("aria-valuetext")}) > 1


@pytest.mark.parametrize("has_touch", [False, True])
def test_parts_answer_to_finger_mouse_and_key(opened, site_url, has_touch):
    """A step button, a chart or a grid that takes no touch; a look at the grid that is taken for a choice."""
    window = opened(viewport={"width": 390 if has_touch else 1280, "height": 900}, has_touch=has_touch)

    def press(part, **where):
        part.tap(**where) if has_touch else part.click(**where)

    window.goto(site_url + "notebooks/play.html")
    path = window.locator("div.play[data-play=path]")
    slider = path.locator("input")
    slider.focus()
    window.keyboard.press("End")  # the highest price
    told, last = slider.get_attribute("aria-valuetext"), int(slider.input_value())
    assert "optimal sparse tree: 1 leaf" in told and "dyadic tree" in told
    assert path.get_by_role("button", name="one step on").is_disabled()
    press(path.get_by_role("button", name="one step back"))
    assert int(slider.input_value()) == last - 1
    box = path.locator("svg.play-chart").bounding_box()
    position = {"x": box["width"] - 14, "y": box["height"] / 2}
    press(path.locator("svg.play-chart"), position=position)  # the largest tree
    assert int(slider.input_value()) < last - 1

    heat = window.locator("div.play[data-play=heat]")
    cells, words = heat.locator("svg.play-heat rect:not(.here)"), heat.locator("p[aria-live]")
    heat.scroll_into_view_if_needed()
    before, place = None, heat.bounding_box()
    while before != place:  # a live part that starts when it comes near moves what is below it
        window.wait_for_timeout(300)
        before, place = place, heat.bounding_box()
    press(cells.nth(2))
    chosen = words.inner_text()
    if not has_touch:
        cells.nth(40).hover()
        assert words.inner_text() != chosen
        window.mouse.move(1, 1)
        assert words.inner_text() == chosen
    heat.locator("svg.play-heat").focus()
    window.keyboard.press("ArrowUp")
    assert words.inner_text() != chosen
    second = heat.get_by_label("β", exact=True)
    assert second.input_value() == "1"
    second.focus()
    window.keyboard.press("ArrowLeft")
    assert words.inner_text() == chosen
    assert window.evaluate("document.documentElement.scrollWidth") <= window.viewport_size["width"]


def test_a_search_plays_and_stops(opened, site_url):
    """A film that cannot be stopped by the keyboard, or that rushes readers who asked for calm."""
    window = opened()
    window.clock.install()
    window.goto(site_url + "notebooks/play.html")
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
    first = window.locator("div.play[data-play=verify] button").first
    first.press("Enter")
    assert first.evaluate("button => button === document.activeElement")
    count = window.locator("div.play[data-play=verify]").count()
    window.get_by_role("button", name=f"Verify all {count}").press("Enter")
    window.get_by_text(f"{count} of {count} stored results hold.").wait_for()


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
    claim = verdicts.read()[0]["id"]
    window.goto(f"{site_url}search.html?q={claim}")
    window.locator(".search-claims a").first.click()
    window.wait_for_url(f"**/claims/*#{claim}")
    assert window.locator(f"section[id='{claim}']").is_visible()


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


def test_abbreviations_are_explained_to_the_keyboard(opened, site_url):
    """A code of a data set in a table that only those can read who remember the list above."""
    window = opened(viewport={"width": 1280, "height": 900})
    window.goto(site_url + "notebooks/bornagain.html")
    link = window.locator("table a.term", has_text="BC").first
    window.keyboard.press("Tab")
    link.focus()
    assert "Breast" in window.get_by_role("tooltip").inner_text()


def test_an_engine_loads_when_it_is_near(opened, site_url):
    """A reader who waits for an engine far below; one that never comes, or comes twice."""
    window, loaded = opened(viewport={"width": 1280, "height": 400}), []
    window.on("request", lambda request: loaded.append(request.url.rpartition("/")[2]))
    window.goto(site_url + "notebooks/osdt.html")
    assert window.locator("#note").count() == 1  # its scripts have run
    assert "sparse.wasm.js" not in loaded
    window.locator("[data-live]").first.scroll_into_view_if_needed()
    window.wait_for_selector("[data-live][data-ready]")
    assert loaded.count("sparse.wasm.js") == 1


def test_formulas_are_part_of_the_page(opened, site_url):
    """A formula that a script has to set, or that no screen reader is told of."""
    window = opened(java_script_enabled=False, color_scheme="light")
    window.goto(site_url + "notebooks/osdt.html")
    formulas = window.locator(".formula")
    assert formulas.count() > 20
    for kind in ("svg[aria-hidden=true]", "math"):
        assert window.locator(f".formula > {kind}").count() == formulas.count()
    box = window.locator(".formula.display svg").first.bounding_box()
    assert box["width"] > 200 and box["height"] > 60


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


QUICK = ["book/welcome", "notebooks/osdt", "notebooks/bornagain", "book/scorecard", "book/your_table"]


@pytest.mark.parametrize("page", QUICK)
def test_a_slow_machine_is_ready_soon(opened, site_url, page):
    """A page that keeps a processor of a quarter of this one's speed busy for more than 2.5 seconds.

    Counted is what the page's own thread computes, since the machine does other things meanwhile.
    """
    spent = []
    for _ in range(3):
        window = opened(viewport={"width": 1280, "height": 900})
        session = window.context.new_cdp_session(window)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        window.goto(f"{site_url}{page}.html")
        window.wait_for_timeout(2000)
        metrics = session.send("Performance.getMetrics")["metrics"]
        spent.append(next(one["value"] for one in metrics if one["name"] == "TaskDuration"))
    assert 4 * min(spent) < 2.5


def test_a_card_copies_its_citation(browser, opened, site_url):
    """A button that copies nothing, or another citation."""
    window = opened(permissions=["clipboard-read", "clipboard-write"])
    window.goto(site_url + "claims/osdt.t2.html")
    part = window.locator("details.cite").nth(1)
    part.locator("summary").click()
    part.get_by_role("button", name="Copy as BibTeX").click()
    part.get_by_role("button", name="Copied").wait_for()
    assert window.evaluate("navigator.clipboard.readText()") == part.locator("pre").inner_text()


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
    window.goto(f"{SITE.as_uri()}/notebooks/play.html")
    window.wait_for_function(
        "document.querySelectorAll('div.play.ready').length === document.querySelectorAll('div.play').length"
    )
    window.goto(f"{SITE.as_uri()}/notebooks/verify.html")
    window.locator("div.play[data-play=verify] button").first.click()
    window.locator(".play-answer .verdict").first.wait_for()
    assert window.locator(".play-answer .verdict").first.inner_text() == "The stored result holds."
    window.goto(f"{SITE.as_uri()}/search.html?q=lookahead")
    window.locator("#search-results li a").nth(3).wait_for()


def test_scorecard_filters_and_sorts(opened, site_url):
    """A filter that hides too much or nothing, a sort that loses rows, a form without a keyboard."""
    window = opened()
    window.goto(site_url + "book/scorecard.html")
    kept = verdicts.read()
    differing = [row for row in kept if row["verdict"] == "differs"]
    window.get_by_label("Verdict").focus()
    window.keyboard.type("differs")
    found, n_pages = rows_of_all_pages(window)
    assert sorted(row["id"] for row in found) == sorted(row["id"] for row in differing)
    assert window.get_by_role("status").inner_text().startswith(f"{len(differing)} of {len(kept)} claims")
    assert n_pages == -(-len(differing) // 100)
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


def test_parts_show_a_picture_without_scripts(opened, site_url):
    """A page that is empty where scripts are off."""
    window = opened(java_script_enabled=False)
    window.goto(site_url + "notebooks/play.html")
    parts = window.locator("div.play").all()
    assert parts
    for part in parts:
        assert part.locator("svg, img").first.is_visible()
    window.goto(site_url + "book/scorecard.html")
    rows = window.locator(".scorecard tbody tr")
    assert rows.count() == len(verdicts.read())
    window.locator("details.scorecard summary").last.click()
    assert rows.last.is_visible()
