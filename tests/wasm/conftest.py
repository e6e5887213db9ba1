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
