"""Random problems by the thousand against naive twins and relations; see `differential`."""

import pytest

from tests.suites.random_problems.differential import PEERS, SUITES, draw, share

# runs beside the other tests with imodels, in tests/sparse/test_peers.py
ELSEWHERE = "exact search and imodels"
ALL = [pytest.param(name, marks=pytest.mark.peers(PEERS[name])) if name in PEERS else name for name in SUITES]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("name", ALL)
def test_ten_thousand_problems(name, seed):
    """A wrong answer that a few hundred examples do not meet."""
    assert draw(name, share(name, 1000), seed)["failures"] == []


@pytest.mark.parametrize("name", [one for one in ALL if ELSEWHERE not in getattr(one, "values", ())])
def test_every_suite_runs(name):
    """A test that asks for a fixture, which nobody gives it here."""
    found = draw(name, 3, 0)
    assert found["problems"] == 3 and found["failures"] == []


def test_a_failure_is_counted(monkeypatch):
    """A driver that runs nothing, or that swallows what fails."""
    from tests.sparse import test_rashomon

    def wrong(*_, **__):
        raise AssertionError("a wrong answer")

    assert draw("Rashomon set", 5, 0)["problems"] == 5
    monkeypatch.setattr(test_rashomon, "rashomon_set", wrong)
    assert draw("Rashomon set", 5, 0)["failures"]
