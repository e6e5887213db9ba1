"""A slice of the grid of `shapes`: what a stopped search returns and proves. How late, the suite says."""

import time
from itertools import islice
from math import factorial

import pytest

from tests.suites.limits import shapes
from tests.suites.limits.measuring import work_after
from tests.suites.record_figures import by_cells, by_search
from tests.suites.record_figures import shapes as summary

SMALL = list(islice((case for case in shapes.grid(7, 10**5) if case["limits"]["time_limit"] < 10), 8))
# 5,000 rows once ended with a single leaf here
KNOWN = {"rows": 5_000, "columns": 8, "values": 0, "classes": 2, "extra": "", "seed": 0}


@pytest.mark.parametrize("name", ["constrained", "dyadic", "top-down tree", "born-again", "branch and bound"])
def test_another_search_keeps_its_promises(name):
    """Would catch a search that a table of the grid breaks, or whose bound is above what it found."""
    for extra in ("weights", "missing", "categories"):
        case = {"rows": 60, "columns": 4, "values": 10, "classes": 3, "extra": extra, "seed": 0}
        record = shapes.measure(case | {"search": {"name": name}, "limits": {"time_limit": 0.3}})
        assert "bound" not in shapes.faults(record), record


def test_work_that_holds_the_interpreter_is_late():
    """Would catch a timer that is held up by what it measures: .16 s after a limit counted as none."""

    def work():
        began = time.process_time()
        factorial(60_000)  # one call, in which no other thread runs
        return time.process_time() - began

    began = time.perf_counter()
    late, worked = work_after(0.001, work)
    # on a busy machine the clock shows more than this process worked
    assert 0.5 * (worked - 0.001) <= late <= time.perf_counter() - began
    assert work_after(60.0, work)[0] == 0.0


@pytest.mark.parametrize("case", SMALL, ids=lambda case: f"{case['rows']}x{case['columns']}-{case['seed']}")
def test_a_small_case_keeps_its_promises(case):
    """Would catch a bound above the objective, or a stopped search that forgets the greedy tree."""
    shapes.measure(case)  # compiles
    record = shapes.measure(case)
    assert not shapes.faults(record), record


@pytest.mark.parametrize("case", [
    KNOWN | {"search": {"regularization": 0.0, "max_depth": 3}, "limits": {"time_limit": 0.5}},
    # columns of 0 and 1, whose search under a memory limit once let go of the rows and so of the greedy tree
    KNOWN | {"rows": 100, "columns": 20, "values": 2, "extra": "missing", "seed": 391961248,
             "search": {"regularization": 0.005, "max_leaf_nodes": 5},
             "limits": {"time_limit": 0.5, "memory_limit": 5e8}},
    KNOWN | {"search": {"name": "regularization path"}, "limits": {"time_limit": 0.5}},
    KNOWN | {"search": {"name": "Rashomon set"}, "limits": {"time_limit": 0.5}},
])  # fmt: skip
def test_a_stopped_search_is_no_worse_than_greedy(case):
    """Would catch a limit that leaves a single leaf where a greedy tree takes a moment."""
    shapes.measure(case)  # compiles
    record = shapes.measure(case)
    assert record.get("leaves", 2) > 1 and "greedy" in record and "greedy" not in shapes.faults(record)


def test_faults_are_seen_and_counted():
    """Would catch a summary that reports a clean grid whatever the records say."""
    good = KNOWN | {
        "search": {},
        "status": "time_limit",
        "late": 0.0,
        "grown": 0,
        "n_bytes": 10,
        "lower_bound": 0.1,
    }
    good |= {
        "objective": 0.2,
        "greedy": 0.2,
        "greedy_seconds": 0.1,
        "cpu_seconds": 1.0,
        "limits": {"time_limit": 1.0, "memory_limit": 50e6},
    }
    bad = good | {"late": 1.3, "grown": 63_000_000, "objective": 0.3, "lower_bound": 0.4}
    assert shapes.faults(good) == []
    assert shapes.faults(bad) == ["late", "large", "bound", "greedy"]
    assert shapes.faults(bad | {"greedy_seconds": 2.0})[-1] == "hasty"
    other = {"search": {"name": "dyadic"}, "rows": 10, "greedy_seconds": 2.0}
    assert summary([good, bad | other], by_search)["dyadic"]["hasty"] == 1
    row = summary([good, bad], by_cells)["up to 1,000,000"]
    assert row == {
        "cases": 2, "stopped": 2, "late": 1, "large": 1, "bound": 1, "greedy": 1, "hasty": 0,
        "most_late": 1.3, "most_memory": 1.26,
    }  # fmt: skip
