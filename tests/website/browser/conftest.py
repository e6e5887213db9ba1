"""A server of the built site, and windows of a real browser."""

import pytest

from tests.wasm import browsers
from tests.website.pages import served


@pytest.fixture(scope="module")
def site_url():
    with served() as address:
        yield address


@pytest.fixture(scope="module")
def browser():
    with browsers.running() as running:
        yield running


@pytest.fixture
def opened(browser):
    """Makes windows in contexts of their own, all closed at the end.

    Nothing moves in them: a check that meets a colour on its way sees neither the old nor the new one.
    """
    contexts = []

    def window(**options):
        contexts.append(browser.new_context(**{"reduced_motion": "reduce"} | options))
        return contexts[-1].new_page()

    yield window
    for context in contexts:
        context.close()
