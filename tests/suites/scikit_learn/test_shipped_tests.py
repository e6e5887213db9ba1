"""The tests that scikit-learn ships for its trees and forests, on ours, raw.

What must fail and why stands in ``expected.csv``, one line a test, or one for all the cases of a
test; an expected failure that passes is a failure, so the list stays true, but for those that hang on chance
(`sometimes`). The list belongs to one release of scikit-learn: with another one, tests come and go, and the
suite is left out.
"""

import csv
from pathlib import Path

import pytest
import sklearn

from tests.suites.scikit_learn import shipped_tests

LIST_OF = "1.9"
if not sklearn.__version__.startswith(f"{LIST_OF}."):
    pytest.skip(f"the list of expected failures is that of scikit-learn {LIST_OF}", allow_module_level=True)

with open(Path(__file__).with_name("expected.csv"), newline="", encoding="utf-8") as lines:
    EXPECTED = {row["test"]: (row["reason"], row["sometimes"] != "yes") for row in csv.DictReader(lines)}

# forests by the absolute error: 20 seconds of work
LONG = ("test_forest_missing_value_is_predictive", "test_forest_missing_values_is_resilient")

for suite in shipped_tests.SUITES:
    for name, value in vars(shipped_tests.tests_of(suite)).items():
        if name.startswith("test_"):
            ours = f"test_{suite}_{name.removeprefix('test_')}"
            globals()[ours] = pytest.mark.long(value) if ours in LONG else value


@pytest.fixture
def global_random_seed():
    """The seed that scikit-learn's own run uses unless it is told another."""
    return 42


@pytest.fixture(autouse=True)
def expected(request):
    """Marks what must fail."""
    node = request.node
    reason, always = EXPECTED.get(node.name, EXPECTED.get(node.originalname, (None, None)))
    if reason is not None:
        request.applymarker(pytest.mark.xfail(reason=reason, strict=always))
