"""The book: its build, and its pages on disk."""

import json
import os
import re
import zipfile
from functools import cache
from html.parser import HTMLParser
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from pkgutil import resolve_name
from types import SimpleNamespace
from urllib.parse import unquote, urldefrag, urljoin, urlparse

import pytest

import treelib
from tests.website.pages import FORWARD, ROOT, SITE, html_files, local, needs_site


@pytest.fixture(scope="module")
def build(book):
    """The build driver."""
    return book("build")


# --- the build ---------------------------------------------------------------------------------------------


def test_reader_stamps_what_a_chapter_depends_on(build, monkeypatch):
    """A library edit that leaves the key of a page's cached results as it was."""
    chapters = import_module("chapters")
    text = "# %% [markdown]\n# # Title\n\n# %%\nfrom treelib.search import budget\n\n# %%\n1 + 1\n"
    alone = "# %%\n1 + 1\n"

    def stamps(text):
        return [cell.metadata.get("depends_on") for cell in chapters.read(text).cells]

    before, unrelated = stamps(text), stamps(alone)
    assert before[0] is None and before[1] and before[2] is None
    monkeypatch.setattr(
        chapters.sources, "digest", lambda names: "edited" if "treelib.search.budget" in names else ""
    )
    assert stamps(text) != before
    monkeypatch.setattr(chapters.sources, "digest", lambda names: "")
    edited = stamps(alone)
    monkeypatch.setattr(
        chapters.sources, "digest", lambda names: "edited" if "treelib.search.budget" in names else ""
    )
    assert stamps(alone) == edited
    assert len(unrelated) == 1


def test_results_of_one_paper_touch_its_chapters_only(build):
    """New results of one paper that re-execute the chapters of all, or none."""
    chapters = import_module("chapters")

    def seen(text):
        modules = chapters.sources.closure(chapters.sources.imported_modules(text))
        return {path.relative_to(ROOT / "data").as_posix() for path in chapters._data_of(modules)}

    sparse, dyadic = seen("from treelib.papers.osdt import search"), seen("from treelib import dyadic")
    assert {"claims/osdt.csv", "results/osdt.t2.jsonl", "registry.csv"} <= sparse
    assert not any(name.startswith(("claims/", "results/")) for name in dyadic)
    assert "results/verdicts.csv" not in sparse
    bench = seen("from treelib.papers.across import engine")
    assert "results/bench_sparse.json" in bench and "results/osdt.t2.jsonl" not in bench


def test_templates_beneath_a_chapter_count(build):
    """A template of an export or a report that was edited, and a page that shows what the old one made."""
    chapters = import_module("chapters")

    def seen(text):
        modules = chapters.sources.closure(chapters.sources.imported_modules(text))
        return {path.name for path in chapters._templates_of(modules)}

    assert {"c.jinja", "javascript.jinja", "explain.js"} <= seen("from treelib.tree.formats import to_c")
    assert "page.html" in seen("from treelib.owndata.report import page")
    assert not any(name.endswith((".py", ".pyi")) for name in seen("from treelib.tree.formats import to_c"))


def test_execution_keeps_the_key_and_reports_errors(build, tmp_path):
    """An executed notebook that Sphinx would not find in the cache, or a failing cell that passes."""
    chapters = import_module("chapters")
    cache = import_module("jupyter_cache").get_cache(tmp_path / "cache")
    good, bad = chapters.read("# %%\n40 + 2\n"), chapters.read("# %%\nraise ValueError('on purpose')\n")
    key = cache.create_hashed_notebook(good)[1]
    path = ROOT / "notebooks" / "trial.py"  # gives the kernel its folder; never written
    seconds, error = build.run_chapter((path, good))
    assert seconds > 0 and error is None
    assert cache.create_hashed_notebook(good)[1] == key
    assert good.cells[0].outputs[0]["data"]["text/plain"] == "42"
    assert "on purpose" in build.run_chapter((path, bad))[1]


def test_toc_lists_every_page(build):
    """A page or a chapter that was written and then forgotten in the table of contents."""
    pages = import_module("chapters").pages()
    written = [*(ROOT / "book").glob("*.md"), *(ROOT / "book" / "api").glob("*.md")]
    written += (ROOT / "notebooks").glob("*.py")
    assert sorted(pages) == sorted(path.relative_to(ROOT).with_suffix("").as_posix() for path in written)


def test_chapters_are_clean_sources(build):
    """Outputs, execution counts or machine paths in a committed chapter; an empty alternative text."""
    for path in import_module("chapters").chapters():
        text = path.read_text(encoding="utf-8")
        assert "execution_count" not in text and str(Path.home()) + os.sep not in text, path.name
        assert not re.search(r'"alt":\s*""', text), path.name


def test_one_version_everywhere():
    """A release whose citation still names the version before."""
    cited = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert cited[1].strip() == treelib.__version__


def test_api_page_names_everything_public():
    """A public name without reference documentation."""
    page = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "book" / "api").glob("*.md"))
    missing = [name for name in treelib.__all__ if not re.search(rf":: \S*\b{name}$", page, re.MULTILINE)]
    assert not missing, f"add {missing} to book/api"


def test_pages_name_code_that_exists():
    """Prose that tells the reader to use a name the package does not have."""
    texts = [ROOT / "README.md", *(ROOT / "book").glob("*.md"), *(ROOT / "notebooks").glob("*.py")]
    for path in texts:
        for name in re.findall(r"`(treelib(?:\.\w+)+)", path.read_text(encoding="utf-8")):
            try:
                resolve_name(name)
            except (ImportError, AttributeError):
                pytest.fail(f"{path.name} names {name}, which does not exist")


@pytest.mark.parametrize("name", ["README.md", "book/welcome.md"])
def test_first_example_prints_what_it_says(name, capsys):
    """A first example that fails, or whose shown output is not what the package answers today."""
    text = (ROOT / name).read_text(encoding="utf-8")
    code, shown = re.search(r"```python\n(.*?)```\n\n```text\n(.*?)```", text, re.DOTALL).groups()
    names = {}
    exec(code, names)
    assert capsys.readouterr().out == shown
    drawn = (ROOT / "book" / "_static" / "tree.svg").read_text(encoding="utf-8")
    assert drawn == names["model"].tree_.to_svg()  # the picture of the README


@pytest.mark.parametrize(
    ("plain", "pieces"),
    [
        ("right on 66.90 % of 1.5 GB", ["right on 66.90\u202f% of 1.5\u202fGB"]),
        ("8% and -0.40 ± 0.42", ["8\u202f% and \u22120.40\u202f±\u202f0.42"]),
        ("beyond 2^63 - 1", ["beyond 2", "63", " - 1"]),
        ("6.7e+09 or 1e-9", ["6.7\u202f\u00d7\u202f10", "9", " or 10", "\u22129", ""]),
        (
            "if R^c < p_{k+1}^2, 2^{k_i}",
            ["if R", "c", " < p\ue002k+1\ue003", "2", ", 2", "k\ue002i\ue003", ""],
        ),
        ("of n_tried.py, a-b_c, a5_1, lower_bound", None),
        ("in 2026-11-21, folds 3-5, p-Tweedie^2, sources 36e5c5916f", None),
    ],
)
def test_numbers_are_set_for_reading(build, plain, pieces):
    """A unit left alone on a line, a power in a typewriter's spelling; a date taken for a number."""
    assert import_module("typography").set_numbers(plain) == (pieces or [plain])


def test_bookmarks_of_the_pdf_are_the_headings(build):
    """A bookmark that says its words twice, or a PDF whose places no longer fit its table of places."""
    pytest.importorskip("bs4", reason="the extra 'book' is not installed")
    printed = import_module("printed")
    text = "<h1>Book</h1><h2>Part <em>(a)</em></h2><h1>Notes</h1>"
    items = (r"Part Part \(a\)\(a\)", "Book", "NotesNotes")  # as Chromium writes them: what is below first
    pdf = b"%PDF".join(b"<</Title (%s)\n/Dest [1 0 R]>>" % item.encode() for item in items)
    mended = printed.with_bookmarks(pdf, printed.headings(text))
    assert len(mended) == len(pdf)
    assert [re.search(rb"\((.*)\)", part)[1] for part in mended.split(b"%PDF")] == [
        rb"Part \(a\)",
        b"Book",
        b"Notes",
    ]
    assert printed.with_bookmarks(pdf, printed.headings(text + "<h1>One more</h1>")) == pdf


# --- the pages on disk -------------------------------------------------------------------------------------


class Page(HTMLParser):
    """What the checks ask of a page."""

    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.loads, self.images, self.titles, self.lang = [], [], [], [], 0, None
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if attributes.get("id"):
            self.ids.append(attributes["id"])
        if tag == "a" and attributes.get("name"):
            self.ids.append(attributes["name"])
        if tag == "html":
            self.lang = attributes.get("lang")
        self.titles += tag == "h1"
        if tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"])
        if tag == "img":
            self.images.append(attributes)
        if tag in ("script", "img", "iframe", "source", "video", "audio", "embed") and attributes.get("src"):
            self.loads.append(attributes["src"])
        loading = {"stylesheet", "icon", "preload", "prefetch", "preconnect", "modulepreload"}
        if tag == "link" and loading & set((attributes.get("rel") or "").split()):
            self.loads.append(attributes["href"])


@cache
def page(path):
    return Page(path)


def is_foreign(url):
    return urlparse(url).scheme not in ("", "data") or url.startswith("//")


@needs_site
def test_links_and_anchors_lead_somewhere():
    """A link to a page, a file or an anchor that is not there."""
    broken, n_anchors = [], 0
    for path in html_files():
        for link in page(path).links:
            if is_foreign(link) or link == "#" or link.startswith("data:"):
                continue
            target, anchor = urldefrag(urljoin(local(path), link))
            file = (
                SITE / unquote(target).lstrip("/") if target else path
            )  # the page for dead links begins at the root
            file = file / "index.html" if file.is_dir() else file
            n_anchors += bool(anchor)
            if not file.is_file():
                broken.append(f"{local(path)}: {link}")
            elif anchor and file.suffix == ".html" and unquote(anchor) not in page(file).ids:
                broken.append(f"{local(path)}: {link} (no such anchor)")
    assert not broken and n_anchors > 10_000


@needs_site
def test_loads_are_local_files():
    """A script, style sheet, font or image from a third party, or one that is missing."""
    wrong = []
    for path in html_files():
        for load in page(path).loads:
            file = SITE / unquote(urljoin(local(path), load)).partition("?")[0]
            if is_foreign(load) or not (load.startswith("data:") or file.is_file()):
                wrong.append(f"{local(path)}: {load}")
    for path in SITE.rglob("*.css"):
        imports = re.findall(
            r"(?:@import\s+|url\()\s*[\"']?((?:https?:)?//[^\"')]+)", path.read_text(encoding="utf-8")
        )
        wrong += [f"{local(path)}: {url}" for url in imports]
    assert not wrong


@needs_site
def test_pages_are_well_formed_for_readers():
    """An image without alternative text, an id given twice, a page without language or title."""
    wrong = []
    for path in html_files():
        found = page(path)
        wrong += [
            f"{local(path)}: no alt text on {image.get('src')}"
            for image in found.images
            if not image.get("alt")
        ]
        wrong += [f"{local(path)}: id {name!r} twice" for name in set(found.ids) if found.ids.count(name) > 1]
        if path != FORWARD:
            wrong += [f"{local(path)}: no lang or no title"] if not (found.lang and found.titles) else []
    assert not wrong


@needs_site
def test_chapters_show_results_and_can_be_downloaded(build):
    """A chapter page without outputs, or a download without the results."""
    assert build.chapters_without_output() == []
    for path in import_module("chapters").chapters():
        source = SITE / "_sources" / path.relative_to(ROOT)
        notebook = json.loads(source.with_suffix(".ipynb").read_text(encoding="utf-8"))
        assert source.is_file()
        assert any(cell.get("outputs") for cell in notebook["cells"])
        links = page(SITE / path.relative_to(ROOT).with_suffix(".html")).links
        assert {source.name, f"{path.stem}.ipynb"} <= {Path(link).name for link in links}


def texts_of(notebook):
    """Markdown that a notebook program would show: of cells and of outputs."""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            yield "".join(cell["source"])
        for output in cell.get("outputs", ()):
            yield "".join(output.get("data", {}).get("text/markdown", ""))


def addresses(build):
    """Addresses of the site and of the repository, empty as long as nothing answers there."""
    config = import_module("yaml").safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    return build.citing.addresses(config)


@needs_site
def test_no_file_names_an_address_that_does_not_answer(build):
    """A citation, a tag, a map of the site or a notebook that sends readers to a site nobody has made yet."""
    if addresses(build)[0]:
        return
    config = (ROOT / "_config.yml").read_text(encoding="utf-8")
    configured = re.findall(r"^ +(?:url|baseurl): https://(\S+?)/?$", config, re.MULTILINE)
    assert len(configured) == 2
    texts = (path for path in SITE.rglob("*") if path.suffix in (".html", ".xml", ".json", ".ipynb", ".py"))
    wrong = [local(path) for path in texts if any(one in path.read_text("utf-8") for one in configured)]
    assert not wrong


def downloads():
    return sorted((SITE / "_sources" / "notebooks").glob("*.ipynb"))


@needs_site
def test_downloads_are_plain_notebooks(build):
    """A role or directive left as it is, a link that is dead outside of the site, a figure without words."""
    nbformat, base, wrong = import_module("nbformat"), addresses(build)[0], []
    left = re.compile(r"\{[a-z:]+\}`|^ *[:`]{3,}\{|\]\((?!https?:|#)|href=\"(?!https?:)", re.MULTILINE)
    assert len(downloads()) == len(import_module("chapters").chapters())
    for path in downloads():
        notebook = json.loads(path.read_text(encoding="utf-8"))
        nbformat.validate(notebook)
        for text in texts_of(notebook):
            wrong += [f"{path.stem}: {found}" for found in left.findall(text)]
            for link in re.findall(re.escape(base) + r"/([^)\"\s]*)", text) if base else ():
                page_name, _, anchor = link.partition("#")
                file = SITE / page_name
                if not file.is_file() or (anchor and anchor not in page(file).ids):
                    wrong.append(f"{path.stem}: {link}")
        for cell, below in pairwise(notebook["cells"]):
            if "figure" in cell["metadata"].get("mystnb", {}):
                assert cell["outputs"][-1]["metadata"]["image/png"]["alt"], path.stem
                # one that depends on parameters is the output of a call, which names those that were changed
                caption = next(texts_of({"cells": [below]}), "")
                assert caption.startswith("*Fig. "), path.stem
    assert not wrong


@needs_site
def test_launch_links(build):
    """A button to Binder or Colab that names another repository or a missing file, or leads nowhere yet."""
    config = import_module("yaml").safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    url, branch = config["repository"]["url"], config["repository"]["branch"]
    owner_name = url.removeprefix("https://github.com/")
    owner, name = owner_name.split("/")
    assert config["html"]["baseurl"] == f"https://{owner}.github.io/{name}/"
    # Binder makes its environment from these two
    assert (ROOT / "environment.yml").is_file() and os.access(ROOT / "postBuild", os.X_OK)
    is_public = config["sphinx"]["config"]["site_is_public"]
    for path in import_module("chapters").chapters():
        links = page(SITE / path.relative_to(ROOT).with_suffix(".html")).links
        source, download = path.relative_to(ROOT).as_posix(), f"_sources/notebooks/{path.stem}.ipynb"
        colab = f"https://colab.research.google.com/github/{owner_name}/blob/gh-pages/{download}"
        binder = f"https://mybinder.org/v2/gh/{owner_name}/{branch}?urlpath=lab/tree/{source}"
        if is_public:
            assert {binder, colab} <= set(links)
        else:
            assert not any(owner_name in link for link in links), path.stem
        install = json.loads((SITE / download).read_text(encoding="utf-8"))["cells"][1]
        how = f"git+{url}" if is_public else "in a checkout: pip install"
        assert install["cell_type"] == "code" and how in "".join(install["source"])


@pytest.mark.parametrize("is_public", [True, False])
def test_buttons_lead_where_something_answers(build, is_public):
    """A button to a repository that nobody has made yet; a chapter without Colab once there is one."""
    book = import_module("treelib_book")
    address = "https://github.com/a/b"
    config = SimpleNamespace(site_is_public=is_public, html_theme_options={"repository_url": address})
    labels = ("launch-buttons", "download-buttons", "source-buttons", "source-issues-button")
    buttons = [{"type": "group", "label": label, "buttons": []} for label in labels]
    context = {"ipynb_source": "notebooks/x.ipynb", "header_buttons": [*buttons, {"type": "javascript"}]}
    book.offer_colab(SimpleNamespace(config=config), "notebooks/x", "page.html", context, None)
    left = [one.get("label") for one in context["header_buttons"]]
    assert left == ([*labels, None] if is_public else ["download-buttons", None])
    assert bool(buttons[0]["buttons"]) == is_public


@needs_site
def test_pages_introduce_themselves(build):
    """A preview of a shared link without picture or words; a first page whose title is said twice."""
    base = addresses(build)[0]
    for path in [SITE / "book" / "welcome.html", *sorted((SITE / "notebooks").glob("*.html"))]:
        head = path.read_text(encoding="utf-8").partition("</head>")[0]
        if 'http-equiv="refresh"' in head:
            continue  # an old address
        said = dict(re.findall(r'<meta (?:name|property)="([\w:]+)" content="([^"]*)"', head))
        assert len(said["description"]) > 60 and not re.search(r"\[ ?\d", said["description"]), path.name
        assert said["og:site_name"] == "Decision trees, reproduced"
        assert said.get("og:url", "") == (f"{base}/{local(path)}" if base else "")
        picture = said.get("og:image", "")
        assert picture.startswith(base) and (SITE / picture.removeprefix(f"{base}/")).is_file() == bool(base)
    title = re.search("<title>(.*?)</title>", (SITE / "book" / "welcome.html").read_text(encoding="utf-8"))
    assert title[1].count("Decision trees") == 1


@needs_site
def test_entrance_and_missing_page(build):
    """A page for dead links that itself has dead links, since it is shown at any depth."""
    base = f"{addresses(build)[0]}/"
    assert (SITE / page(FORWARD).links[0]).is_file()
    for link in page(SITE / "404.html").links:
        target = SITE / link.removeprefix(base)
        assert link.startswith(base) and (target / "index.html" if target.is_dir() else target).is_file()


@needs_site
def test_archive_holds_the_site():
    """An offline copy that lacks pages, or that is older than the site."""
    with zipfile.ZipFile(SITE.with_name("site.zip")) as archive:
        held = {name for name in archive.namelist() if not name.endswith("/")}
    assert held == {local(path) for path in SITE.rglob("*") if path.is_file()}


@needs_site
def test_site_names_no_path_of_the_building_machine():
    """A warning or a path object in an output that shows where the book was built."""
    wrong = [local(path) for path in html_files() if str(ROOT) + os.sep in path.read_text(encoding="utf-8")]
    assert not wrong
