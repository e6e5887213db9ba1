"""The book as one PDF: its pages in reading order, printed by a headless Chromium.

Run by ``make pdf`` after ``make book``; it needs Chromium and nothing else. The pages are taken from the
built site and put into one document, so that links between them lead inside the PDF. Left out, since paper
serves them badly: the scorecard and the records (thousands of rows, to be searched) and the code's reference.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import threading
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from posixpath import join, normpath, split

import build
import yaml
from bs4 import BeautifulSoup
from chapters import ROOT, pages

SITE = ROOT / "_build" / "html"
NAME = "book.pdf"
OFFER = "as-pdf"  # id of the paragraph on the welcome page, hidden as long as there is no PDF
PROGRAMS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
LEFT_OUT = ("book/scorecard", "book/changes", "book/api")
# scripts and what only they serve, code that made a figure, the cards of the first page
_NOT_PRINTED = ("script", "form", "a.headerlink", "details.above-input", ".tag_hide-input > .cell_input")
_NOT_PRINTED += ("details.below-input", f"#{OFFER}", ".sd-container-fluid", "img.for-dark")
_LIMIT = 300  # seconds
_FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
_FLAGS += ["--disable-component-update", "--disable-sync", "--no-first-run"]
# time enough for its drawings before the page is printed
_FLAGS += ["--virtual-time-budget=120000", "--no-pdf-header-footer", "--generate-pdf-document-outline"]


def main():
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        sys.exit(f"A PDF needs Chromium; none of {', '.join(PROGRAMS)} is installed.")
    if not (SITE / "index.html").is_file():
        sys.exit("There is no site to print yet: run `make book` first.")
    whole = SITE / "book" / "printed.html"  # beside the pages, so that their images are found
    text = document()
    whole.write_text(text, encoding="utf-8")
    try:
        print_page(program, "book/printed.html", SITE / NAME)
    finally:
        whole.unlink()
    (SITE / NAME).write_bytes(with_bookmarks((SITE / NAME).read_bytes(), headings(text)))
    offer((SITE / NAME).stat().st_size)
    build.pack_site()
    print(f"The book is in {(SITE / NAME).relative_to(ROOT)} ({(SITE / NAME).stat().st_size / 1e6:.1f} MB).")


def offer(size):
    """Put the download on the welcome page."""
    welcome = SITE / "book" / "welcome.html"
    link = f'<p id="{OFFER}"><a href="../{NAME}">The book as one PDF</a> ({size / 1e6:.1f}\u202fMB)</p>'
    text = re.sub(f'<p id="{OFFER}".*?</p>', link, welcome.read_text(encoding="utf-8"))
    welcome.write_text(text, encoding="utf-8")


def document():
    """All chosen pages as one HTML document."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    chosen = [page for page in pages() if page not in LEFT_OUT and not page.startswith("book/api/")]
    first = BeautifulSoup((SITE / f"{chosen[0]}.html").read_text(encoding="utf-8"), "html.parser")
    styles = "".join(str(link) for link in first.select('head link[rel="stylesheet"]'))
    base = config["html"]["baseurl"].rstrip("/")
    texts = [article(page, set(chosen), base) for page in chosen]
    texts.insert(1, contents(chosen))
    body = "\n".join(texts)
    return (
        f'<!DOCTYPE html><html lang="en" data-theme="light"><head><meta charset="utf-8">'
        f"<title>{config['title']}</title>{styles}</head>"
        f'<body class="printed"><main class="bd-article bd-content">{body}</main></body></html>'
    )


def contents(chosen):
    """What the document holds, by the parts of the table of contents, as links."""
    parts = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))["parts"]
    lines = ['<section class="page"><nav class="listed"><h2>Contents</h2>']
    for part in parts:
        listed = [entry["file"] for entry in part["chapters"] if entry["file"] in chosen]
        links = (f'<li><a href="#{page.replace("/", "-")}">{_title(page)}</a></li>' for page in listed)
        lines.append(f"<h3>{part['caption']}</h3><ul>{''.join(links)}</ul>")
    return "".join(lines) + "</nav></section>"


@cache
def _title(page):
    soup = BeautifulSoup((SITE / f"{page}.html").read_text(encoding="utf-8"), "html.parser")
    heading = soup.select_one("article.bd-article h1")
    for link in heading.select("a.headerlink"):
        link.decompose()
    return heading.get_text()


def article(page, chosen, site):
    """The text of one page, its ids and links made those of the whole document."""
    soup = BeautifulSoup((SITE / f"{page}.html").read_text(encoding="utf-8"), "html.parser")
    content = soup.select_one("article.bd-article")
    for part in content.select(", ".join(_NOT_PRINTED)):
        part.decompose()
    for tag in content.select("details.notes"):
        tag["open"] = True
    own = page.replace("/", "-")
    for tag in content.find_all(id=True):
        tag["id"] = f"{own}--{tag['id']}"
    for tag in content.find_all(href=True):
        tag["href"] = _inside(tag["href"], page, chosen, site)
    for tag in content.find_all("img", src=True):
        tag["src"] = "../" + normpath(join(split(page)[0], tag["src"]))
        tag.attrs.pop("loading", None)
    return f'<section class="page" id="{own}">{content.decode_contents()}</section>'


def _inside(link, page, chosen, site):
    """A link between printed pages as an anchor; to other pages as an address on the web."""
    if re.match(r"[a-z]+:", link):
        return link
    target, _, anchor = link.partition("#")
    path = normpath(join(split(page)[0], target)) if target else f"{page}.html"
    name = path.removesuffix(".html")
    if name not in chosen:
        return f"{site}/{path}" + (f"#{anchor}" if anchor else "")
    own = name.replace("/", "-")
    return f"#{own}--{anchor}" if anchor else f"#{own}"


def headings(text):
    """Level and text of all headings of a document, in its order."""
    found = BeautifulSoup(text, "html.parser").find_all(re.compile("^h[1-6]$"))
    return [(int(tag.name[1]), " ".join(tag.get_text().split())) for tag in found]


def with_bookmarks(pdf, headings):
    """The PDF with the bookmarks as the headings are written.

    Chromium repeats the words of a heading that it has moved to another page ("GlossaryGlossary"). It writes
    a bookmark after those below it. Places in the file are kept: what gets shorter is filled up with blanks.
    A file that does not look like this stays as it is.
    """
    titles, above = [], []
    for level, text in [*headings, (0, "")]:
        while above and above[-1][0] >= level:
            titles.append(above.pop()[1])
        above.append((level, text))
    written = list(re.finditer(rb"(?<=<</Title )\((?:[^()\\]|\\.)*\)(?=\s*/Dest)", pdf, re.DOTALL))
    if len(written) != len(titles):
        return pdf
    parts, end = [], 0
    for old, title in zip(written, titles, strict=True):
        new = b"(" + re.sub(rb"([()\\])", rb"\\\1", title.encode("latin-1", "replace")) + b")"
        if len(new) < len(old[0]) and title.isascii():
            parts += [pdf[end : old.start()], new.ljust(len(old[0]))]
            end = old.end()
    return b"".join([*parts, pdf[end:]])


def print_page(program, page, target):
    """Print a page of the site, served on this machine, to a PDF."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=SITE)) as server, \
            tempfile.TemporaryDirectory() as profile:  # fmt: skip
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/{page}"
        command = [program, *_FLAGS, f"--user-data-dir={profile}", f"--print-to-pdf={target}", url]
        done = subprocess.run(command, capture_output=True, text=True, timeout=_LIMIT)
        server.shutdown()
    if done.returncode or not target.is_file():
        sys.exit(f"Chromium printed no PDF:\n{done.stderr[-2000:]}")


if __name__ == "__main__":
    main()
