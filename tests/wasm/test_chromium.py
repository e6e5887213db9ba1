"""Random problems of every method in Chromium, against wasmtime and Python."""

import pytest

from tests.wasm.in_chromium import METHODS, chromium, compare

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def page():
    with chromium() as (page, _):
        yield page


@pytest.mark.parametrize("method", METHODS)
def test_random_problems_are_equal_in_a_browser(page, method):
    """A module that a browser runs otherwise: another width of its vectors, order of sums, or logarithm."""
    assert not compare(page, method, 20)


@pytest.mark.long
@pytest.mark.parametrize("method", METHODS)
def test_many_random_problems_are_equal_in_a_browser(page, method):
    """The same, for what only one problem in hundreds shows."""
    assert not compare(page, method, 1000)


def test_an_answer_that_differs_is_seen(page, monkeypatch):
    """A comparison that finds nothing, whatever the browser says."""
    from tests.wasm.machine import SparseSearch

    run = SparseSearch.step
    monkeypatch.setattr(SparseSearch, "step", lambda search: _lied(search, run(search)))
    assert len(compare(page, "exact search", 3)) == 3


def _lied(search, answer):
    steps = search.machine.steps
    steps[-1][-1] = str(int(steps[-1][-1]) + 1)
    return answer
