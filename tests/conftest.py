"""Settings of the whole suite."""

import gc
import re
import signal
import sys
from collections import Counter
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import settings

import treelib.papers  # noqa: F401, registers the experiments, verdicts and errata
from treelib.ledger import store

# the first call of a kernel compiles it, so a deadline per example would fail by chance
settings.register_profile("suite", deadline=None)
settings.load_profile("suite")

# a shell that runs the suite in the background has Ctrl-C ignored, which the tests of Ctrl-C need
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

PEERS = ("imodels", "pystreed", "licketysplit", "gosdt")
WITHOUT_KERNELS = "test_access.py"  # its tests run in a browser alone


def _place(item, file):
    """Tests with a smaller tuple run earlier. file : int, which of the files it is in"""
    if item.get_closest_marker("browser"):
        return 0, item.path.name != WITHOUT_KERNELS, -file
    peers = item.get_closest_marker("peers")
    return (1 if peers and "imodels" in peers.args else 2,)


def pytest_collection_modifyitems(items):
    """Skip tests marked ``peers`` (or ``peers("name", ...)``) where these packages are not installed.

    Tests in a browser come first: each takes up to a minute, and one at the end leaves all other cores idle.
    The one that calls no kernel leads, and `test_browser.py`, which calls those of every method, ends them:
    other processes compile the same kernels in the first seconds. Those with imodels follow, in one process,
    since its search takes half a minute to compile: elsewhere a second process takes over a part of them, and
    compiles it too.
    """
    files = {path: place for place, path in enumerate(dict.fromkeys(item.path for item in items))}
    items.sort(key=lambda item: _place(item, files[item.path]))
    for item in items:
        marker = item.get_closest_marker("peers")
        missing = [name for name in marker.args or PEERS if find_spec(name) is None] if marker else []
        if missing:
            reason = f"{', '.join(missing)} not installed; `make env-ci` installs the peers"
            item.add_marker(pytest.mark.skip(reason=reason))


def pytest_collection_finish():
    """Look for garbage seldom, and not among the tests and modules that stay.

    It took a third of the time of tests that read the syntax trees of the whole package.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)


def skips_by_reason(reports):
    """How many tests were skipped for each reason: its first words, so that a package has one line."""
    reasons = (report.longrepr[2].removeprefix("Skipped: ") for report in reports)
    reasons = (re.sub("^could not import '(.*?)'", r"\1 is not installed", reason) for reason in reasons)
    return Counter(re.split("[:;]", reason)[0] for reason in reasons)


def pytest_terminal_summary(terminalreporter):
    """What was not tried on this machine, before the failures and the line of totals."""
    skips = skips_by_reason(terminalreporter.getreports("skipped"))
    if skips:
        terminalreporter.section(f"{skips.total():,} skipped, by reason")
        for reason, n in skips.most_common():
            terminalreporter.line(f"{n:6,}  {reason}")


@pytest.fixture(scope="session", autouse=True)
def no_results_of_the_user(tmp_path_factory):
    """What earlier runs left in the user's cache folder is neither read nor changed: results go to a new one.

    A test that names a cache folder of its own finds its results there.
    """
    overlay, users, empty = store.overlay, store.overlay(), tmp_path_factory.mktemp("results")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "overlay", lambda: empty if overlay() == users else overlay())
        yield


@pytest.fixture(scope="module")
def book():
    """A module of the book's tools by its name."""
    for package in ("jupyter_cache", "jupytext", "pygments", "sphinx", "yaml"):
        pytest.importorskip(package, reason="the extra 'book' is not installed")
    folder = str(Path(__file__).parents[1] / "book" / "_ext")
    sys.path.insert(0, folder)
    try:
        yield import_module
    finally:
        sys.path.remove(folder)
