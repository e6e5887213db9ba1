"""Random problems of every method in browsers, against wasmtime and Python."""

import json
import math
from types import SimpleNamespace

import pytest

from tests.wasm.kernels import in_wasmtime, test_topdown
from tests.wasm.kernels.in_browser import METHODS, compare, empty_page

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def page(browser_name):
    with empty_page(browser_name) as (page, _):
        yield page


# what asks its browser for logarithms or powers
ASKING = ("born-again tree", "top-down tree", "the paper's branch and bound")


def check(page, browser_name, method, n_problems):
    """The kernel answers bit for bit, and with the browser's own logarithms too but for Firefox's."""
    bad, own = compare(page, method, n_problems)
    assert not bad
    if browser_name == "firefox" and method in ASKING:
        assert len(own) < n_problems / 2, "far more than last digits"
    else:
        assert not own


@pytest.mark.parametrize("method", METHODS)
def test_random_problems_are_equal_in_a_browser(page, browser_name, method):
    """A module that a browser runs otherwise: another width of its vectors, order of sums, or logarithm."""
    check(page, browser_name, method, 20)


@pytest.mark.long
@pytest.mark.parametrize("method", METHODS)
def test_many_random_problems_are_equal_in_a_browser(page, browser_name, method):
    """The same, for what only one problem in hundreds shows."""
    check(page, browser_name, method, 1000)


def test_an_answer_that_differs_is_seen(page, monkeypatch):
    """A comparison that finds nothing, whatever the browser says."""
    from tests.wasm.kernels.in_wasmtime import SparseSearch

    run = SparseSearch.step
    monkeypatch.setattr(SparseSearch, "step", lambda search: _lied(search, run(search)))
    assert len(compare(page, "exact search", 3)[0]) == 3


def _lied(search, answer):
    steps = search.machine.steps
    steps[-1][-1] = str(int(steps[-1][-1]) + 1)
    return answer


def test_a_logarithm_that_differs_is_told_from_a_kernel_that_does(page, monkeypatch):
    """A kernel called wrong for the browser's logarithm, or a browser's logarithm that no count shows."""
    monkeypatch.setitem(in_wasmtime.MATH, "log", lambda value: math.nextafter(math.log(value), 0.0))
    monkeypatch.setattr(test_topdown, "differences", _grow)
    bad, own = compare(page, "top-down tree", 20)
    assert not bad and own


def _grow(*problem):
    in_wasmtime.GrownTree(*problem)
    return []


def test_only_what_firefox_does_not_know_is_mended():
    """An error of Firefox that the driver, and so a test, never sees."""
    pytest.importorskip("tornado", reason="run `make env-ci`")
    from tests.wasm.firefox import Relay

    def mended(said):
        return Relay.mended(SimpleNamespace(forgiven={3}), json.loads(json.dumps(said)))

    unknown = {"type": "error", "id": 4, "error": "unknown command", "message": "none"}
    assert mended(unknown) == unknown
    assert mended(unknown | {"id": 3}) == {"type": "success", "id": 3, "result": {}}
    answer = {"type": "success", "id": 3, "result": {"text": "unknown command"}}
    assert mended(answer) == answer
    file = {"url": "blob:1", "navigation": None, "status": "complete"}
    event = {"type": "event", "method": "browsingContext.downloadEnd", "params": file}
    assert mended(event)["params"] == file | {"download": "blob:1"}
    named = event | {"params": file | {"download": "7"}}
    assert mended(named) == named
