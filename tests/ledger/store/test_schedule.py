"""Which cases run side by side, in which order, and what is said of them in the end."""

import dataclasses
import json
import os
import signal
import time
from concurrent.futures.process import BrokenProcessPool
from datetime import datetime, timezone

import pytest

from treelib import cli
from treelib.ledger import experiments, reproduction, store
from treelib.ledger.store import one_case, schedule
from treelib.ledger.store import pool as store_pool
from treelib.ledger.store.schedule import Task

GB = 1e9


def experiment(name, *, kind=experiments.EXACT, jobs=None, beside=None, seconds=4.0, memory=GB, n_cases=4):
    def cases():
        return [{"x": i} for i in range(n_cases)]

    about = {"name": f"osdt.{name}", "paper": "osdt", "item": "", "title": "", "function": None, "module": ""}
    limits = {"seconds": seconds, "kind": kind, "jobs": jobs, "beside": beside, "memory": memory}
    return experiments.Experiment(**about, cases=cases, **limits)


def task(name, seconds, memory=GB, **options):
    return Task(experiment(name, **options), {"seconds": seconds}, seconds, memory)


def test_the_longest_run_first_and_timings_last_and_alone(monkeypatch):
    """A long case left over with one processor idle, or a timing beside a neighbour."""
    tasks = [task("a", 1), task("t", 9, kind=experiments.TIMING), task("b", 5), task("a", 3)]
    pooled = []

    def pool(some, lanes):
        pooled.extend(one.seconds for one in some)
        return ((one, {}, None) for one in some)

    monkeypatch.setattr(store_pool, "_pool", pool)
    monkeypatch.setattr(one_case, "run_case", lambda name, case: (case, {}, None))
    assert [one.seconds for one, _, _ in store_pool.outcomes(tasks, 2)] == [5, 3, 1, 9]
    assert pooled == [5, 3, 1]


def test_only_the_timings_that_say_so_run_beside_others():
    """A timing that waits its turn though nothing is compared with it, or one that is disturbed."""
    shown = experiment("t", kind=experiments.TIMING, beside=lambda case: case["seconds"] > 2)
    tasks = [Task(shown, {"seconds": seconds}, seconds, GB) for seconds in (1.0, 3.0)]
    assert [one.alone for one in tasks] == [True, False]
    assert task("t", 1, kind=experiments.TIMING).alone and not task("a", 1).alone


def test_hungry_cases_do_not_run_together():
    """Two cases that end the machine's memory, or a case too large for it that never runs."""
    small, large = task("a", 1, GB), task("b", 2, 6 * GB)
    choose = schedule.admissible
    assert choose([large, small], [large], 8 * GB) is small
    assert choose([large], [large], 8 * GB) is None
    assert choose([large], [], GB) is large
    single = task("c", 1, jobs=1)
    assert choose([single, small], [single], 8 * GB) is small


def test_lanes_and_the_expected_time():
    """A time left that counts every case as if it were alone."""
    alone = task("t", 10, kind=experiments.TIMING)
    some = [task("a", 6), task("a", 4), alone]
    assert schedule.lanes(some, 8) == 2 and schedule.lanes(some, 1) == 1
    assert schedule.lanes([task("c", 1, jobs=1), task("c", 1, jobs=1)], 4) == 1
    assert schedule.lanes([alone], 4) == schedule.lanes([], 4) == 1
    assert schedule.expected_seconds(some, 2) == 16
    assert schedule.expected_seconds([*some, task("b", 30)], 2) == 40


def test_what_a_case_took_before_is_expected_again():
    """A busy machine that lets every later estimate be far too long."""
    known = {"provenance": {"seconds": 90.0, "cpu_seconds": 12.0, "peak_bytes": 5 * GB}}
    again, first = (schedule.task(experiment("a", seconds=8), {}, k) for k in (known, None))
    assert (again.seconds, again.memory) == (12, 5 * GB) and (first.seconds, first.memory) == (2, GB)


def test_a_process_that_dies_takes_no_other_case_with_it(monkeypatch):
    """A case that the system ends for want of memory, and with it the whole run."""
    pools = []

    def pool(some, lanes):
        pools.append(([one.name for one in some], lanes))
        for one in some:
            dies = one.name == "osdt.hungry" or (one.name == "osdt.beside" and lanes == 2)
            yield one, None if dies else {}, BrokenProcessPool() if dies else None

    monkeypatch.setattr(store_pool, "_pool", pool)
    found = {
        one.name: error
        for one, _, error in store_pool.outcomes([task("hungry", 3), task("beside", 2), task("a", 1)], 2)
    }
    assert pools[1:] == [(["osdt.hungry"], 1), (["osdt.beside"], 1)]
    assert found["osdt.beside"] is None and found["osdt.a"] is None
    assert "ended by the system" in found["osdt.hungry"]


@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL")
def test_a_killed_process_is_noticed(monkeypatch):
    """A pool that waits for ever for a process that is not there any more."""
    monkeypatch.setattr(one_case, "run_case", _die)
    tasks = [task("a", 1, n_cases=2), task("a", 2, n_cases=2)]
    found = list(store_pool._pool(tasks, 2))
    assert {one.seconds for one, _, _ in found} == {1, 2}
    assert all(isinstance(error, BrokenProcessPool) for _, _, error in found)


def test_a_worker_keeps_what_it_has_loaded():
    """A worker that is replaced, and loads all kernels and data anew, after cases that left 300 MB behind."""
    executor = store_pool._executor(1)
    try:
        pids = {executor.submit(_grow, n_bytes).result() for n_bytes in (0, 400_000_000, 0)}
    finally:
        executor.shutdown()
    assert len(pids) == 1


_KEPT = []


def _grow(n_bytes):
    _KEPT.append(b"x" * n_bytes)
    time.sleep(1.1 if n_bytes else 0)  # loky looks once a second
    return os.getpid()


def _die(name, case):
    os.kill(os.getpid(), signal.SIGKILL)


# ---- the report -------------------------------------------------------------------------------------------


@pytest.fixture
def absent(tmp_path, monkeypatch):
    """An experiment whose data set is not at hand, and a folder of results of its own."""
    real = experiments.get("osdt.f7.search")
    monkeypatch.setattr(store, "committed", lambda: tmp_path)
    store.run(real)

    def no_data(case):
        from treelib.datasets import DatasetError

        raise DatasetError("the file is not here")

    monkeypatch.setitem(experiments._REGISTERED, real.name, dataclasses.replace(real, function=no_data))
    return real.name


def test_a_data_set_that_is_not_at_hand_leaves_the_stored_result(absent, capsys, monkeypatch):
    """A rerun that fails, or that loses what is stored, for want of a file that may not be shipped."""
    monkeypatch.setattr(cli, "_judge_complete", lambda papers: 0)
    before = store.record(absent, experiments.get(absent).cases()[0])
    assert cli.main(["reproduce", absent, "--fresh", "--quiet"]) == 0
    out = capsys.readouterr().out
    assert "a data set is not at hand: the file is not here; the stored result stays" in out
    assert "0 cases run, 0 kept, 1 not run" in out
    assert store.record(absent, experiments.get(absent).cases()[0]) == before


def test_what_is_neither_run_nor_stored_is_a_failure(absent, tmp_path_factory, capsys, monkeypatch):
    """A run that ends well though a result is missing: a copy in the user's cache folder does not count."""
    users = tmp_path_factory.mktemp("users")
    (store.committed() / f"{absent}.jsonl").rename(users / f"{absent}.jsonl")
    monkeypatch.setattr(store, "overlay", lambda: users)
    assert cli.main(["reproduce", absent, "--quiet"]) == 1
    assert "nothing is stored" in capsys.readouterr().out


def test_the_report_adds_up_and_is_kept(tmp_path, monkeypatch):
    """A summary whose sums are not those of its lines."""
    monkeypatch.setattr(store, "committed", lambda: tmp_path)
    some = [
        store.Summary("osdt.f7.search", 0, 2, [], 8.0, 6.0, 5.0, 2**30),
        store.Summary("osdt.f3", 3, 1, [({"x": 1}, "it failed")], 2.0, 2.0, 2.0, 2**20),
    ]
    found = reproduction.report(some, datetime.now(timezone.utc), 5.0, 2, "treelib reproduce --all")
    reproduction.write(found)
    assert reproduction.read() == json.loads(json.dumps(found)) and found["cpu_seconds"] == 8.0
    text = "\n".join(reproduction.lines(found))
    assert "3 cases run, 3 kept, 1 not run" in text and "2 processes busy for 80 %" in text
    assert reproduction.failures(found) == 1 and "it failed; nothing is stored" in text
