"""The page "Your table, here" and live parts in Chromium and Firefox, from a folder, without the site."""

import re
import shlex
import shutil
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from treelib.ledger.page.place import BOOK_VARIABLE
from treelib.papers.across import live
from treelib.wasm import manifest, tables

ROOT = manifest.FOLDER.parents[2]
PROGRAMS = {
    "chromium": ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"],
    "firefox": ["firefox-esr", "firefox"],
}
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def policy():
    """The content policy that the page's source names."""
    text = (ROOT / "book" / "your_table.md").read_text(encoding="utf-8")
    return re.search(r'"http-equiv=Content-Security-Policy": "(.*)"', text)[1]


def write_page(folder, body=None):
    """The page, or one with another `body`, without the theme of the book, in `folder`; its path."""
    text = (ROOT / "book" / "your_table.md").read_text(encoding="utf-8")
    body = body or re.search(r"```\{raw\} html\n(.*?)```", text, re.DOTALL)[1]
    static = folder / "_static"
    shutil.copytree(manifest.FOLDER, static / "wasm")
    (static / "wasm" / "tables.js").write_text(tables.script(), encoding="utf-8")
    (static / "wasm" / "rules.js").write_text(tables.rules(), encoding="utf-8")
    for name in ("book.css", "parts.css"):
        shutil.copy(ROOT / "book" / "_static" / name, static / name)
    link = '<link rel="stylesheet" href="../_static/{}">'
    styles = link.format("book.css") + link.format("parts.css")
    page = folder / "book" / "your_table.html"
    page.parent.mkdir()
    page.write_text(
        f'<!doctype html><html lang="en" data-theme="light"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy()}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>Your table</title>'
        f"{styles}</head><body><main class='bd-article'><h1>Your table, here</h1>{body}</main></body>"
        "</html>",
        encoding="utf-8",
    )
    return page


def launch(name="chromium"):
    """A driver's session and a running browser, "chromium" or "firefox"; skips where one is missing."""
    driver = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed; run `make env-ci`"
    )
    program = next(filter(None, map(shutil.which, PROGRAMS[name])), None)
    if program is None:
        pytest.skip(f"no {name.capitalize()} on this machine")
    session = driver.sync_playwright().start()
    try:
        if name == "firefox":
            return session, _firefox(session, program)
        return session, session.chromium.launch(executable_path=program, args=FLAGS)
    except BaseException:
        session.stop()
        raise


@contextmanager
def running(browser="chromium"):
    """A running browser: `browser` itself, or one for the name that ends with the context, see `launch`."""
    if not isinstance(browser, str):
        yield browser
        return
    session, browser = launch(browser)
    try:
        yield browser
    finally:
        browser.close()
        session.stop()


def _firefox(session, program):
    """Firefox through `tests.wasm.firefox`, which the driver takes for the program."""
    pytest.importorskip("tornado", reason="tornado is not installed; run `make env-ci`")
    with tempfile.TemporaryDirectory() as folder:
        relay = Path(folder, "firefox")
        command = shlex.join([sys.executable, "-m", "tests.wasm.firefox", program])
        relay.write_text(f'#!/bin/sh\ncd {shlex.quote(str(ROOT))} && exec {command} "$@"\n')
        relay.chmod(0o755)
        return session.firefox.launch(executable_path=relay, channel="moz-firefox")


@contextmanager
def live_part(folder, browser, kind, *given):
    """A page on a phone with a part of `treelib.papers.across.live`; what goes wrong is in its `problems`.

    browser : one of `PROGRAMS`, or a running one. kind : the part, and what it is given
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(BOOK_VARIABLE, "1")
        body = getattr(live, kind)(*given, "not here")
    with running(browser) as browser, browser.new_page(viewport={"width": 390, "height": 850}) as page:
        page.problems = []
        page.on("pageerror", lambda error: page.problems.append(str(error)))
        page.on("console", lambda message: message.type == "error" and page.problems.append(message.text))
        page.goto(address(write_page(folder, body)))
        yield page


def drawn_samples(window):
    """Samples of the leaves of the drawn tree, from left to right."""
    texts = window.locator("[data-live] .live-tree text").all_text_contents()
    return [int(found[1]) for text in texts if (found := re.match(r"(\d+) samples?\b", text))]


def drawn_classes(window):
    """Classes of the leaves of the drawn tree, from left to right."""
    return window.locator('[data-live] .live-tree text[style*="600"]').all_text_contents()


@contextmanager
def own_table(folder, name):
    """The page "Your table, here" in a window of a browser of `PROGRAMS`, ready.

    Its `errors` are texts of errors and of dialogs.
    """
    with running(name) as browser:
        window = browser.new_page()
        window.errors = []
        window.on("pageerror", lambda error: window.errors.append(str(error)))
        window.on("dialog", lambda dialog: (window.errors.append(dialog.message), dialog.dismiss()))
        window.goto(address(write_page(folder)))
        window.wait_for_selector("#your-table[data-ready]")
        yield window


def grows_as_python(name, alpha, beta):
    """Whether every top-down tree in a browser of `PROGRAMS` is Python's, ties of splits included.

    A tree asks its browser for logarithms and powers, but for alpha = 2 with whole beta. Those of Firefox
    differ from those of the C library in the last digit, and of two splits that are equally good the other
    one may win. `tests.wasm.kernels.in_browser` counts it, and compares the kernel with the library's values.
    """
    return name != "firefox" or (alpha == 2 and beta == int(beta))


def until(window, expression, seconds=60):
    """Wait for a condition: the driver would evaluate a text in the page, which its policy forbids."""
    end = time.monotonic() + seconds
    while not window.evaluate(expression):
        assert time.monotonic() < end, f"{window.url}: still not so after {seconds} s: {expression}"
        time.sleep(0.03)


def address(path):
    return Path(path).resolve().as_uri()
