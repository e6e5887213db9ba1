"""The simulated schedule against a step-by-step one, and its bounds; measured sweeps give the same trees."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treelib.papers.across import many_machines
from treelib.papers.across import scaling as family_scaling
from treelib.papers.across.many_machines import Work


def naive_makespan(work, n_workers):
    """Give each case, the longest first, to the worker that is free first."""
    free_at = [0.0] * n_workers
    for one in sorted(work, reverse=True):
        free_at.sort()
        free_at[0] += one.seconds
    return max(free_at)


seconds = st.lists(st.floats(0.01, 100), min_size=1, max_size=25)


@given(seconds, st.integers(1, 8))
def test_list_scheduling(times, n_workers):
    """A worker that idles while a case waits; a makespan outside Graham's bounds."""
    work = [Work(t, "a") for t in times]
    found = many_machines.makespan(work, n_workers)
    assert found == pytest.approx(naive_makespan(work, n_workers))
    least = max(max(times), sum(times) / n_workers)
    assert least * (1 - 1e-9) <= found <= sum(times) / n_workers + max(times) + 1e-9


@given(seconds, st.integers(1, 8), st.floats(0.001, 1))
def test_one_process_hands_out_all_cases(times, n_workers, overhead):
    """Cases that are sent at the same moment, which makes a thousand workers look free of cost."""
    work = [Work(t, "a") for t in times]
    found = many_machines.makespan(work, n_workers, overhead)
    assert found >= len(times) * overhead + min(times) - 1e-9
    assert found <= sum(times) + len(times) * overhead + 1e-9
    assert many_machines.makespan(work, 1, overhead) == pytest.approx(sum(times) + len(times) * overhead)


@given(seconds, seconds)
def test_limits_of_an_experiment(times, others):
    """More cases of an experiment at a time than it allows; a limit that stops the others as well."""
    limited = [Work(t, "limited", 1) for t in times]
    found = many_machines.makespan([*limited, *(Work(t, "free") for t in others)], 100)
    assert found == pytest.approx(max(sum(times), max(others)))


def test_timings_come_last():
    """A curve that lets timings run beside other cases."""
    beside, alone = [Work(2.0, "a")] * 4, [Work(1.0, "t")] * 3
    rows = many_machines.curve(beside, alone, (1, 4), 0.0)
    assert [row["seconds"] for row in rows] == [8.0, 2.0] and [row["whole"] for row in rows] == [11.0, 5.0]
    assert [row["efficiency"] for row in rows] == [1.0, 1.0]


@pytest.mark.parametrize("work", ["nothing", "grid"])
def test_every_way_gives_the_same(work, monkeypatch):
    """A sweep that is fast because it does something else."""
    monkeypatch.setitem(family_scaling.N_TASKS, work, 3)
    monkeypatch.setattr(family_scaling, "RUNS", 1)
    ways = [("here", 1), ("threads", 2), ("processes", 2)]
    found = [family_scaling.scaling({"work": work, "way": way, "workers": n}) for way, n in ways]
    assert len({row["digest"] for row in found}) == 1 and found[0]["n_tasks"] == 3
