"""The pages on disk: each claim has its card, figures are sharp on both grounds, and no page is heavy."""

import gzip
import json
import re
from urllib.parse import unquote, urljoin

import pytest

from tests.website.built.test_book import page
from tests.website.pages import SITE, html_files, local, needs_site, redirects
from treelib.ledger import verdicts
from treelib.ledger.page.place import card_page
from treelib.ledger.papers import papers
from treelib.ledger.tables import verdict_class


@needs_site
def test_every_claim_has_a_card():
    """A claim without value, rule, citation or report; a card that is not at its address."""
    texts = {}
    for row in verdicts.read():
        path = SITE / f"{card_page(row['id'])}.html"
        if path not in texts:
            texts[path] = path.read_text(encoding="utf-8")
        _, mark, card = texts[path].partition(f'<section class="claim-card" id="{row["id"]}">')
        card = card.partition("</section>")[0]
        assert mark, row["id"]
        assert (
            f'class="{verdict_class(row["verdict"], row["fitted"])}"' in card
            and "@misc{treelib." + row["id"] in card
        ), row["id"]
        assert "#rule-" in card and "Discrepancy" in card and f"result {row['id']}" in card, row["id"]


@needs_site
def test_verdicts_lead_to_cards():
    """A scorecard row, or a verdict of a chapter, whose number has no address to cite."""
    links = page(SITE / "book" / "scorecard.html").links
    assert sum(link.startswith("../claims/") for link in links) > 1000
    chapter = (SITE / "notebooks" / "osdt.html").read_text(encoding="utf-8")
    found = re.findall(r'<a class="verdict [\w ]+"[^>]*href="([^"]*)"', chapter)
    cards = ("../claims/osdt.", "../book/scorecard.html#osdt.finding.")
    assert found and all(link.startswith(cards) for link in found)


@needs_site
def test_a_claim_has_one_verdict_on_all_pages():
    """A page that judges by few runs of its own, and says otherwise of a claim than its card."""
    known = {row["id"]: verdict_class(row["verdict"], row["fitted"]) for row in verdicts.read()}
    link = r'<a class="(verdict \w+(?: fitted)?)[^>]*href="[^"#]*claims/[^"#]*#([\w.-]+)"'
    told = [
        (local(path), claim_id, said)
        for path in html_files()
        for said, claim_id in re.findall(link, path.read_text(encoding="utf-8"))
    ]
    assert len(told) > 300  # equal cells of a table carry no label
    assert not [one for one in told if known[one[1]] != one[2]]


@needs_site
def test_pages_that_speak_of_a_paper_link_it():
    """A page that names the authors of a paper, and no way from there to the paper."""
    wrong = []
    for path in html_files():
        text = path.read_text(encoding="utf-8")
        article = text.partition("<article")[2].partition("</article>")[0]
        words = " ".join(re.sub(r"<[^>]*>", " ", article).split())
        for paper in papers().values():
            last = [name.split()[-1] for name in paper.authors]
            said = re.search(rf"{last[0]}(, {last[1]}| and {last[1]}| et al)", words)
            if said and paper.url not in article:
                wrong.append(f"{local(path)}: {said[0]}")
    assert not wrong


@needs_site
def test_ids_of_errata_are_links():
    """The id of an erratum in a note, and no way from there to what it says."""
    n_links = 0
    for path in sorted((SITE / "notebooks").glob("*.html")):
        text = path.read_text(encoding="utf-8").partition("<article")[2].partition("</article>")[0]
        n_links += text.count('href="errata.html#errata.')
        words = re.sub(r"<a\b.*?</a>|<[^>]*>", " ", text, flags=re.DOTALL)
        assert not re.search(r"\berrata\.(osdt|bornagain|tsallis|dyadic)\.\w", words), local(path)
    assert n_links


@needs_site
def test_code_keeps_its_quotes():
    """A call that fails when it is pasted, since its quotes were curled; a paragraph within a paragraph."""
    for path in html_files():
        text = path.read_text(encoding="utf-8")
        for code in re.findall(r"<code\b[^>]*>.*?</code>", text, flags=re.DOTALL):
            assert not re.search("[\u201c\u201d\u2018\u2019]", code), (local(path), code)
        assert not re.search(r"<p\b[^>]*>(?:(?!</p>).)*<p class=\"origin", text, flags=re.DOTALL), local(path)


@needs_site
def test_drawings_have_no_fixed_height():
    """Empty room above and below a drawing that the column makes narrower."""
    for path in sorted((SITE / "notebooks").glob("*.html")):
        for image in page(path).images:
            if "for-light" in image.get("class", ""):
                assert "height" not in image.get("style", "") and int(image["height"]) > 0, local(path)


@needs_site
def test_figures_are_drawings_for_both_grounds():
    """A figure of pixels, whose edges a sharp screen shows; a dark page with the ink of a light one."""
    n_drawings = 0
    for path in sorted((SITE / "notebooks").glob("*.html")):
        images = [image for image in page(path).images if "_images/" in image["src"]]
        assert all(image["src"].endswith(".svg") for image in images), path.stem
        n_light = sum("for-light" in image.get("class", "") for image in images)
        n_dark = sum("for-dark" in image.get("class", "") for image in images)
        assert n_light == n_dark and n_light + n_dark == len(images), path.stem
        n_drawings += n_light
    assert n_drawings > 20


def compressed(path):
    """Size of a file as a server sends it, bytes; fonts and pictures are packed already."""
    packed = path.suffix in (".woff", ".woff2", ".png")
    return path.stat().st_size if packed else len(gzip.compress(path.read_bytes(), 6))


def needed(path):
    """Files that a page loads before a reader does anything, itself first."""
    files, later = [path], {image["src"] for image in page(path).images if image.get("loading") == "lazy"}
    for load in page(path).loads:
        if not load.startswith("data:") and load not in later:
            files.append(SITE / unquote(urljoin(local(path), load)).partition("?")[0])
    return list(dict.fromkeys(files))


@needs_site
def test_pages_are_light():
    """A first page of more than 300 kB, another of more than 500 kB, all as a server sends them."""
    sizes, first = {}, SITE / "book" / "welcome.html"
    for path in html_files():
        files = needed(path)
        for file in files:
            sizes[file] = sizes.get(file) or compressed(file)
        most = 300_000 if path == first else 500_000
        assert sum(sizes[file] for file in files) <= most, local(path)


@needs_site
def test_icons_of_the_pages_are_in_the_fonts():
    """An icon that the font made for this site lacks: an empty button."""
    reader = pytest.importorskip("fontTools.ttLib", reason="the extra 'book' is not installed")
    css = (SITE / "_static" / "styles" / "pydata-sphinx-theme.css").read_text(encoding="utf-8")
    names, signs = set(), set()
    for path in html_files():
        for classes in re.findall(r'<i class="([^"]*)"', path.read_text(encoding="utf-8")):
            names |= {name for name in classes.split() if name.startswith("fa-")}
    names -= {"fa-solid", "fa-regular", "fa-brands", "fa-lg"}
    assert {"fa-download", "fa-magnifying-glass"} <= names  # the repository's appears when the site is public
    for file in (SITE / "_static" / "vendor" / "fontawesome" / "webfonts").iterdir():
        signs.update(reader.TTFont(file).getBestCmap() or {})
    for name in names:
        found = re.search(rf'\.{name}:before[^{{]*\{{content:"\\([0-9a-f]+)"', css)
        assert found and int(found[1], 16) in signs, name


@needs_site
def test_a_shortened_result_leads_to_the_whole_record():
    """A value that ends in dots, and the rest of it nowhere; the record of another case."""
    n_records = 0
    for path in sorted((SITE / "records").glob("*.html")):
        text = path.read_text(encoding="utf-8")
        for key, link in re.findall(r'<code id="r([^"]*)">.*?<a href="([^"]*)" aria-label="the whole', text):
            record = json.loads((path.parent / unquote(link)).read_text(encoding="utf-8"))
            assert record["key"] == key and record["experiment"] == path.stem
            n_records += 1
    assert n_records > 1000


@needs_site
def test_old_addresses_lead_on():
    """A bookmark of a page that was merged, which leads nowhere or to a section that is not there."""
    assert redirects()
    for name, target in redirects().items():
        old = SITE / f"{name}.html"
        new, _, section = target.partition("#")
        assert target in old.read_text(encoding="utf-8")
        assert not section or f'id="{section}"' in (old.parent / new).read_text(encoding="utf-8")
        assert (old.parent / new).is_file()
