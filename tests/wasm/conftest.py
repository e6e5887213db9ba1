"""The browsers in which pages are tried."""

import pytest

from tests.wasm import browsers

BROWSERS = [
    pytest.param(name, marks=[] if name == "chromium" else [pytest.mark.long]) for name in browsers.PROGRAMS
]


@pytest.fixture(scope="module", params=BROWSERS)
def browser_name(request):
    """Chromium in every run; others in `make test-long`, where they are installed."""
    return request.param


@pytest.fixture(scope="module")
def own_browser(browser_name):
    """What to give to `browsers.running`: one Chromium for all tests of a file, of Firefox only the name.

    After many heavy pages under load, one Firefox opened no further ones.
    """
    if browser_name != "chromium":
        yield browser_name
        return
    with browsers.running(browser_name) as browser:
        yield browser


@pytest.fixture(scope="module")
def window(request, tmp_path_factory, browser_name):
    """A live part, ready: its kind and what it is given are `PART` of the file that asks."""
    with browsers.live_part(tmp_path_factory.mktemp("site"), browser_name, *request.module.PART) as page:
        page.wait_for_selector("[data-live][data-ready]")
        yield page


@pytest.fixture(scope="module")
def page(tmp_path_factory, browser_name):
    """The page "Your table, here", ready."""
    with browsers.own_table(tmp_path_factory.mktemp("site"), browser_name) as window:
        yield window
