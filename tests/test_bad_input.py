"""Every estimator on every wrong or odd input: it fits, or says what is wrong, and never crashes."""

import re

import bad_input_outcomes as outcomes
import pytest
from bad_input import DATA, FITS, SETTINGS
from bad_input_outcomes import ESTIMATORS, OTHERWISE, outcome

STORED = outcomes.stored()
SAME_VERSIONS = STORED and STORED["versions"] == outcomes.versions()


def check(found, expected):
    if found == FITS:
        assert FITS in expected.split("|"), f"it fits, but should say {expected!r}"
    else:
        assert expected != FITS, f"it should fit, but says {found}"
        assert re.search(expected, found)


@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.parametrize("case", DATA)
def test_data(name, case):
    """A traceback from the inside, a silent wrong fit, or a crash of the process."""
    found = outcome(name, change=DATA[case][0])
    check(found, OTHERWISE.get((name, case), DATA[case][1]))
    if SAME_VERSIONS:
        assert STORED["data"][case][name] == found, "renew the list: python tests/bad_input_outcomes.py"


@pytest.mark.parametrize(
    ("name", "parameter", "value", "expected"),
    [
        (name, parameter, value, expected)
        for name, parameters in SETTINGS.items()
        for parameter, cases in parameters.items()
        for value, expected in cases
    ],
)
def test_settings(name, parameter, value, expected):
    """A parameter that is believed unchecked, or an error that does not name it."""
    found = outcome(name, settings={parameter: value})
    check(found, expected)
    if SAME_VERSIONS:
        stored = STORED["settings"][f"{parameter}={outcomes.short(value)}"][name]
        assert stored == found, "renew the list: python tests/bad_input_outcomes.py"


def test_the_stored_list_is_that_of_today():
    """A list in the book that shrinks, or that leaves out an input, without anyone noticing."""
    assert set(DATA) <= set(STORED["data"]), "renew the list: python tests/bad_input_outcomes.py"
    gone = set(STORED["data"]) - set(DATA)  # pyarrow and polars are optional
    assert all("arrow" in case or "polars" in case for case in gone), gone
    settings = {name for kinds in SETTINGS.values() for name in outcomes.named(kinds)}
    assert set(STORED["settings"]) == settings
    assert len(DATA) + len(settings) >= 150
