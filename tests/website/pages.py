"""The built site as the tests over it see it: where it is, and which pages it has."""

import re
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import yaml

from tests.wasm.browsers import until

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "_build" / "html"
FORWARD = SITE / "index.html"  # holds nothing but the way to the first page

needs_site = pytest.mark.skipif(not FORWARD.is_file(), reason="no site in _build/html; run `make book`")


def html_files():
    """Pages of the site; the theme leaves one of its templates among the static files.

    Addresses that pages once had are left out: they hold nothing but the way to another.
    """
    once = {SITE / f"{page}.html" for page in redirects()}
    return sorted(
        path
        for path in SITE.rglob("*.html")
        if "_static" not in path.relative_to(SITE).parts and path not in once
    )


def redirects():
    """Pages that were, without ending, and where each leads."""
    return yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["sphinx"]["config"]["redirects"]


def browsed():
    """Pages to open in a browser: all but those made by one function of which another has shown all there is.

    Of records and of cards one page a paper; of listings of sources those with an element, by name and class,
    that no listing before them has.
    """
    seen = set()
    for path in html_files():
        kinds = {path}
        if path.parent.name in ("records", "claims"):
            kinds = {(path.parent.name, path.name.split(".")[0])}
        elif "_modules" in path.parts:
            kinds = set(re.findall(r'<(\w+)[^>]* class="([^"]*)"', path.read_text(encoding="utf-8")))
        if path != FORWARD and not kinds <= seen:
            yield path
        seen |= kinds


def local(path):
    return path.relative_to(SITE).as_posix()


@contextmanager
def served():
    """Address of a server of the site that lives as long as the context: str, ends with a slash."""

    class Quiet(SimpleHTTPRequestHandler):
        protocol_version = "HTTP/1.1"  # one connection for many files

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=SITE)) as server:
        server.handle_error = lambda *_: None  # a page that was left before all of it was read
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def settle(window):
    """Wait until a page looks as it will: fonts loaded, colours chosen, nothing on its way."""
    window.evaluate("document.fonts.ready")
    until(window, "document.documentElement.dataset.theme !== 'auto' && !document.getAnimations().length")
