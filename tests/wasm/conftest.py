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
