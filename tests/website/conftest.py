"""A server of the built site, and windows of a real browser."""

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.wasm import browsers
from tests.website.pages import SITE


@pytest.fixture(scope="module")
def site_url():
    class Quiet(SimpleHTTPRequestHandler):
        protocol_version = "HTTP/1.1"  # one connection for many files

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=SITE)) as server:
        server.handle_error = lambda *_: None  # a page that was left before all of it was read
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="module")
def browser():
    session, running = browsers.launch()
    yield running
    running.close()
    session.stop()


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
