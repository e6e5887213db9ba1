"""The built site as the tests over it see it: where it is, and which pages it has."""

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
    """Pages to open in a browser: of the records, all made by one function, the first page of each paper."""
    seen = set()
    for path in html_files():
        is_record = path.parent.name == "records"
        if path != FORWARD and not (is_record and path.name.split(".")[0] in seen):
            yield path
        if is_record:
            seen.add(path.name.split(".")[0])


def local(path):
    return path.relative_to(SITE).as_posix()
