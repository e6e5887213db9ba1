"""Every page of the built site in a real browser: errors, width, colours, axe, formulas."""

import json
from importlib.util import find_spec

import pytest

from tests.website.pages import browsed, local, needs_site, settle

pytestmark = [needs_site, pytest.mark.browser]


# formulas that were not set when the book was built
TEX_LEFT = """
[...document.querySelectorAll("article .math")].some((one) => !one.querySelector(".formula svg"))
  || [...document.querySelectorAll("article :is(p, li, td, figcaption)")]
    .some((one) => one.textContent.includes("\\\\("))
"""


CUT_FORMULAS = """
[...document.querySelectorAll(".formula.display")].some((one) => one.scrollWidth > one.clientWidth)
"""


# numbered tables and frames of pandas that are wider than the column
CUT_TABLES = """
[...document.querySelectorAll("article :is(table:has(.caption-number), .output:has(table.dataframe))")]
  .filter((table) => table.scrollWidth > table.clientWidth + 1)
  .map((table) => table.querySelector(".caption-number, thead").textContent)
"""


# Rows of a table are alike but for their texts and for their ground, which changes from row to row; so are
# tokens of one kind in a listing. Over thousands of them axe takes minutes.
KEEP_ONE_OF_A_KIND = r"""
for (const body of document.querySelectorAll('tbody')) {
  const seen = new Set();
  for (const row of [...body.rows]) {
    const kind = row.rowIndex % 2 + row.outerHTML
      .replace(/<(svg|math)\b.*?<\/\1>/gs, '<$1>')
      .replace(/ (id|href|title|data-[\w-]+)="[^"]+"/g, ' $1')
      .replace(/>[^<]*\S[^<]*/g, '>text');
    if (seen.has(kind)) row.remove();
    seen.add(kind);
  }
}
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


# Contrast follows from the look of a text and of all that is painted behind it: where one passes, so do all
# of its kind, on later pages too. What has a place of its own, and may cover something else, is told by name
# and class as well.
ONE_CONTRAST_OF_A_KIND = r"""
(kinds) => {
  const grounds = new Map([[null, '']]), check = axe._audit.checks['color-contrast'];
  globalThis.passed = new Set(kinds);
  const ground = (element) => {
    if (!grounds.has(element)) {
      const style = getComputedStyle(element), behind = ground(element.parentElement);
      const own = ['backgroundColor', 'backgroundImage', 'opacity', 'mixBlendMode', 'filter'];
      let painted = own.map((name) => style[name]).join();
      painted = painted === 'rgba(0, 0, 0, 0),none,1,normal,none' ? '' : ` ${painted}`;
      const placed = style.position === 'static' ? '' : ` ${element.tagName}.${element.className}`;
      grounds.set(element, behind + painted + placed);
    }
    return grounds.get(element);
  };
  const evaluate = check.evaluate;
  check.evaluate = function (element, ...more) {
    const style = getComputedStyle(element);
    const own = ['color', 'fontSize', 'fontWeight', 'textShadow', 'webkitTextStroke', 'webkitTextFillColor'];
    const kind = [...own.map((name) => style[name]), ground(element)].join('|');
    if (passed.has(kind)) return true;
    let colours = {};
    const note = (data) => { colours = data; this.data(data); };
    const found = evaluate.call(Object.assign(Object.create(this), { data: note }), element, ...more);
    if (found && colours.fgColor) passed.add(kind);
    return found;
  };
}
"""


# a dark page on a phone is as wide as a light one, and asks for what it asks for on a wide screen
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (390, "light")])
def test_pages_in_a_browser(opened, site_url, width, scheme):
    """A console error, a request that fails or leaves the site, or a page that moves sideways on a phone.

    On a wide screen also a serious violation that axe-core finds: contrast too low, a control without a name,
    a wrong role.

    In dark mode axe looks only at colours, and at what surrounds every page only on the first one.
    """
    axe, passed, has_axe = "", [], find_spec("axe_playwright_python") is not None
    if width > 1000 and has_axe:
        from axe_playwright_python.base import AXE_FILE_PATH

        axe = AXE_FILE_PATH.read_text(encoding="utf-8")
    # preloaded, axe itself asks for what a style sheet imports, at an address relative to the page
    context, options = "document", {"resultTypes": ["violations"], "preload": False}
    if scheme == "dark":
        options["runOnly"] = ["color-contrast", "link-in-text-block"]
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
        if axe:
            window.evaluate(KEEP_ONE_OF_A_KIND)
            window.evaluate(axe)
            window.evaluate(ONE_CONTRAST_OF_A_KIND, passed)
            for violation in window.evaluate(f"axe.run({context}, {json.dumps(options)})")["violations"]:
                if violation["impact"] in ("serious", "critical"):
                    first = violation["nodes"][0]
                    note(f"{violation['id']}: {first['target']} {first['html'][:200]}")
            passed = window.evaluate("[...passed]")
            if scheme == "dark":
                context = "{exclude: ['.bd-header', '.bd-sidebar-primary', '.bd-footer']}"
    assert not problems
    if width > 1000 and not axe:
        pytest.skip("axe is not installed, all else holds; run `make env-ci`")


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


def test_only_what_goes_on_says_so(opened, site_url):
    """ "Swipe" above a table that fits the phone; a wide one whose rest nobody looks for."""
    window = opened(viewport={"width": 390, "height": 850})
    n_hints = 0
    for name in ("notebooks/osdt_experiments", "notebooks/dyadic", "book/scorecard"):
        window.goto(f"{site_url}{name}.html")
        settle(window)
        window.wait_for_timeout(500)  # sizes are looked at after the page was laid out
        found = window.evaluate(
            """() => {
              const kinds = [
                "table.table:has(> caption)", ".cell_output figure:has(img)", ".output:has(table.dataframe)"];
              const told = (part) => ["::before", "::after"].some(
                (place) => getComputedStyle(part, place).content.startsWith('"Swipe'));
              const says = (one) => [...one.querySelectorAll(":scope > caption"), one].some(told);
              return [...document.querySelectorAll(kinds.map((kind) => `.bd-article ${kind}`).join())]
                .filter((one) => one.getClientRects().length && !one.closest("details:not([open])"))
                .map((one) => [one.scrollWidth > one.clientWidth, says(one), one.outerHTML.slice(0, 90)]);
            }"""
        )
        assert not [one for one in found if one[0] != one[1]], name
        n_hints += sum(says for _, says, _ in found)
    assert n_hints
