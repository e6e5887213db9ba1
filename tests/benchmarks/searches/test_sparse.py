"""The benchmark itself: what it counts, and that no solver can stop a run."""

import json
import os
import signal
import time

import numpy as np
import pytest

from tests.benchmarks.jobs import cases, runner, solvers, worker
from tests.benchmarks.searches import report, sparse

if not hasattr(os, "fork"):
    pytest.skip("the benchmark forks its jobs", allow_module_level=True)

PROBLEM = {"data": "monk1", "regularization": 0.1, "max_depth": None}
JOB = PROBLEM | {"time_limit": 0.05, "repeats": 2, "seconds": 60}
STUMP = (0, 1, (1, 0, 1))


def hang():
    while True:
        pass


def crash():
    os.kill(os.getpid(), signal.SIGKILL)


def fail():
    raise ValueError("no such thing")


def exhaust():
    raise MemoryError


class Stub(solvers.Solver):
    """A solver that returns the same tree for every problem, or does worse."""

    def __init__(self, act=lambda: None):
        self.act = act

    def fit(self, columns, y, regularization, max_depth, time_limit):
        self.act()

    def read(self, model):
        return {"tree": STUMP, "proved": True, "lower_bound": 0.3, "search_seconds": 0.5}


def run_stub(tmp_path, act):
    with open(tmp_path / "answers", "w+") as answers:
        ended = worker.run_apart(Stub(act), JOB, *cases.load_columns("monk1"), answers)
        answers.seek(0)
        return ended, [json.loads(line) for line in answers]


@pytest.mark.parametrize(
    "act, ended",
    [(hang, "time limit"), (crash, "crash: SIGKILL"), (fail, "error"), (exhaust, "out of memory")],
)
def test_a_solver_that_goes_wrong_ends_alone(tmp_path, act, ended):
    """A peer that hangs, crashes or fails and takes the whole run with it, or goes unnoticed."""
    how, messages = run_stub(tmp_path, act)
    assert how == ended
    assert [m["error"] for m in messages] == (["ValueError: no such thing"] if act is fail else [])


def test_the_tree_is_scored_on_the_rows(tmp_path):
    """A solver's own report taken for the score, or errors and leaves miscounted."""
    how, messages = run_stub(tmp_path, lambda: None)
    columns, y = cases.load_columns("monk1")
    predicted = [1 if not row[0] else int(row[1]) for row in columns]
    record = messages[-1]["record"]
    assert how == "ok" and len(record["seconds"]) == len(record["search_seconds"])
    assert len(record["seconds"]) == JOB["repeats"] + worker.MOST_MORE
    assert (record["errors"], record["leaves"], record["depth"]) == (int((y != predicted).sum()), 3, 2)
    assert record["objective"] == pytest.approx(record["errors"] / len(y) + 0.3, abs=1e-12)
    assert record["peak_bytes"] >= 0


def test_a_long_fit_is_not_repeated_for_longer(tmp_path):
    """A benchmark that takes an hour, since every fit is taken for a short one."""
    _, messages = run_stub(tmp_path, lambda: time.sleep(worker.TOGETHER))
    assert len(messages[-1]["record"]["seconds"]) == JOB["repeats"]


def record(solver, seconds, objective=0.25, ended="ok"):
    return {
        "solver": solver,
        **PROBLEM,
        "seconds": seconds,
        "cpu_seconds": seconds,
        "search_seconds": [],
        "objective": objective,
        "ended": ended,
    }


def test_summary_compares_medians_of_equal_problems(capsys):
    """A mean instead of a median, a ratio turned over, a failed case that counts, a wrong optimum unseen."""
    ours = record("treelib", [1.0, 9.0, 2.0])
    results = {"records": [ours, record("imodels", [4.0]), record("gosdt", [1.0], ended="time limit")]}
    assert report.SUMMARY["free"](results)
    assert results["summary"]["imodels"]["geometric_mean"] == 0.5
    assert "gosdt" not in results["summary"]
    assert "goal 0.5: reached" in capsys.readouterr().out
    assert report.remark(ours, record("gosdt", [1.0], 0.3)).startswith("NOT OPTIMAL")
    better = {"records": [ours, record("imodels", [4.0], 0.2)]}
    assert not report.SUMMARY["free"](better)
    assert "OURS IS NOT OPTIMAL" in capsys.readouterr().out


def test_results_file_says_nothing_of_places(tmp_path):
    """A path or a host name in a file that is published."""
    path = tmp_path / "results.json"
    runner.write_results(path, {"machine": runner.machine(), "records": [record("treelib", [1.0])] * 2})
    text = path.read_text()
    assert len(json.loads(text)["records"]) == 2
    assert str(runner.ROOT) not in text and os.uname().nodename not in text
    assert {"cpu", "cores", "python", "versions", "commit"} <= set(json.loads(text)["machine"])


def test_synthetic_rows_repeat_when_asked():
    """Growth plots over rows that are not what their axis says."""
    fresh, _ = cases.load_columns("synthetic/n=500,p=20,seed=3")
    repeated, y = cases.load_columns("synthetic/n=500,p=20,distinct=50,seed=3")
    assert len(np.unique(fresh, axis=0)) == 500 and len(np.unique(repeated, axis=0)) == 50
    assert repeated.shape == (500, 20) and set(y) == {0, 1}


def test_cases_are_those_that_were_asked_for():
    """A filter that lets a long case into a quick run, or an option that is not known."""
    quick = sparse.parse(["--quick"])
    wanted = [case for case in cases.osdt_cases() if sparse.is_wanted(case, quick)]
    assert wanted and not any(case.data == "fico-binary" or case.regularization < 0.01 for case in wanted)
    one = sparse.parse(["--cases", "monk1 0.05"])
    assert [c.name for c in cases.osdt_cases() if sparse.is_wanted(c, one)] == ["monk1 0.05"]
    assert len(cases.osdt_cases()) == 35
