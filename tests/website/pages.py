"""The built site as the tests over it see it: where it is, and which pages it has."""

import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "_build" / "html"
FORWARD = SITE / "index.html"  # holds nothing but the way to the first page

needs_site = pytest.mark.skipif(not FORWARD.is_file(), reason="no site in _build/html; run `make book`")


def html_files():
    """Pages of the site; the theme leaves one of its templates among the static files."""
    return sorted(path for path in SITE.rglob("*.html") if "_static" not in path.relative_to(SITE).parts)


def browsed():
    """Pages to open in a browser: of records and of cards, each made by one function, one page a paper."""
    seen = set()
    for path in html_files():
        kind = path.parent.name, path.name.split(".")[0]
        is_alike = kind[0] in ("records", "claims")
        if path != FORWARD and not (is_alike and kind in seen):
            yield path
        if is_alike:
            seen.add(kind)


def local(path):
    return path.relative_to(SITE).as_posix()


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
