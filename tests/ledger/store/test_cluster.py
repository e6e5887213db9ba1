"""The same results in this process, in others, and on a Dask cluster; a killed worker loses nothing."""

import json
import os
import signal
import subprocess
import sys
import time
from importlib import import_module
from itertools import pairwise

import joblib
import numpy as np
import pytest

from treelib import cli
from treelib.compiled import sources
from treelib.ledger import experiments, store
from treelib.ledger.store import lines as store_files
from treelib.ledger.store import one_case

NO_DASK = "Dask is not installed; `make env-ci` installs the extra 'cluster'"
# cheap experiments of two methods whose results are exact: (name, number of cases)
SWEEPS = (("osdt.f3", 4), ("dyadic.t4", 3))

# imported by every process that runs its cases: by the test, and by workers through --preload
PLUGIN = """
import time
from treelib.ledger import experiments as registry

@registry.experiment("osdt.slow", item="", title="", cases=lambda: [{"x": x} for x in range(24)], seconds=8)
def slow(case):
    time.sleep(0.1)
    return {"y": case["x"] ** 2}

@registry.experiment("osdt.alone", item="", title="", cases=lambda: [{"x": x} for x in range(6)], seconds=1,
                     kind="timing")
def alone(case):
    began = time.time()
    time.sleep(0.1)
    return {"began_seconds": began, "ended_seconds": time.time()}
"""


def start(*command):
    """A process that cannot outlive the test by much, its messages kept for the reader of a failure."""
    environment = {**os.environ, "DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "error"}
    return subprocess.Popen(
        [sys.executable, "-m", *command], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


def connected(address):
    """`cluster.connect`, entered when both workers are there."""
    from distributed import Client

    from treelib.ledger.store import cluster

    with Client(address) as client:
        client.wait_for_workers(2, timeout=60)
    return cluster.connect(address)


@pytest.fixture(scope="module")
def dask(tmp_path_factory):
    """Address of a scheduler, and its two workers, which know the plugin's experiments as this process does.

    One cluster for all tests, since each process takes seconds to start. What kills a worker comes last.
    """
    pytest.importorskip("distributed", reason=NO_DASK)
    folder, here = tmp_path_factory.mktemp("dask"), ("--host", "127.0.0.1", "--no-dashboard")
    plugin, told = folder / "cluster_plugin.py", folder / "scheduler.json"
    plugin.write_text(PLUGIN)
    scheduler = ("distributed.cli.dask_scheduler", *here, "--port", "0", "--no-show")
    processes, deadline = [start(*scheduler, "--scheduler-file", str(told))], time.monotonic() + 60
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        patch.setattr(experiments, "_REGISTERED", dict(experiments._REGISTERED))
        import_module(plugin.stem)
        try:
            while not (told.is_file() and told.read_text()):
                assert time.monotonic() < deadline, "waited in vain"
                time.sleep(0.02)
            address = json.loads(told.read_text())["address"]
            worker = ("distributed.cli.dask_worker", address, *here, "--nthreads", "1", "--no-nanny")
            worker += ("--local-directory", str(folder), "--death-timeout", "60", "--preload", str(plugin))
            processes += [start(*worker), start(*worker)]
            yield address, processes[1:]
        finally:
            for process in reversed(processes):
                process.kill()
                process.communicate()
    del sys.modules[plugin.stem]


def run_sweeps(folder, jobs=None):
    """Results of the sweeps as text, without what is measured, run anew into `folder`, in one pool."""
    found, sweeps = [], [(experiments.get(name), count) for name, count in SWEEPS]
    chosen = [(experiment, experiment.cases()[:count]) for experiment, count in sweeps]
    summaries = store._run(chosen, jobs, True, None, folder)
    for (experiment, count), made in zip(sweeps, summaries, strict=True):
        name = experiment.name
        if made.failed and "not at hand" in str(made.failed):
            continue
        assert not made.failed and made.n_run == count
        for entry in store_files.read(folder / f"{name}.jsonl"):
            result = entry["result"] if isinstance(entry["result"], list) else [entry["result"]]
            rows = [{k: v for k, v in row.items() if not experiment.is_measured(k)} for row in result]
            found.append(json.dumps([name, entry["key"], entry["case"], rows], sort_keys=True))
    return sorted(found)


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The sweeps run in this process."""
    return run_sweeps(tmp_path_factory.mktemp("one"), jobs=1)


def test_two_processes_give_the_same_bytes(alone, tmp_path):
    """A case whose result depends on what its process ran before, or on a seed of the process, or that gets
    lost."""
    assert len(alone) > 3 and run_sweeps(tmp_path, jobs=2) == alone


def test_a_dask_cluster_gives_the_same_bytes(alone, dask, tmp_path, monkeypatch):
    """A result that changes with the way it travelled; cases that in truth ran here."""

    def here(name, case):
        raise AssertionError(f"{name} ran a case in the process that asks: {case}")

    monkeypatch.setattr(one_case, "run_case", here)  # workers have their own
    with connected(dask[0]):
        assert run_sweeps(tmp_path) == alone


def test_forests_grids_and_chains_on_a_dask_cluster(dask):
    """Trees that differ where joblib sends them elsewhere."""
    from treelib.topdown.bayes.estimator import BayesianTreeClassifier
    from treelib.topdown.forest import TopDownForestClassifier, TopDownForestRegressor
    from treelib.topdown.grid.fit_grid import fit_grid, tsallis_grid

    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 4))
    y = (X[:, 0] + 0.5 * rng.normal(size=120) > 0).astype(int)
    folds = [(np.arange(k, 120, 2), np.arange(1 - k, 120, 2)) for k in (0, 1)]

    def fits(n_jobs):
        options = {"random_state": 0, "n_jobs": n_jobs}
        forest = TopDownForestClassifier(n_estimators=6, **options).fit(X, y)
        means = TopDownForestRegressor(n_estimators=4, **options).fit(X, X[:, 1] * y)
        chains = BayesianTreeClassifier(n_iter=600, n_chains=3, **options).fit(X, y)
        criteria = tsallis_grid([0.5, 2.0], [1, 2])
        grid = fit_grid(X, y, criteria, folds=folds, max_depth=4, return_trees=True, n_jobs=n_jobs)
        trees = [*forest.trees_, *means.trees_, chains.tree_, *(tree for row in grid.trees for tree in row)]
        numbers = [means.predict(X), chains.predict_proba(X), chains.log_posterior_]
        return [tree.to_json() for tree in trees], [part.tobytes() for part in numbers]

    here = fits(None)
    assert fits(2) == here and fits(4) == here
    with joblib.parallel_config(backend="loky"):
        assert fits(2) == here
    with connected(dask[0]):
        assert fits(2) == here


def test_timings_run_one_at_a_time_on_a_cluster_too(dask, tmp_path):
    """Two timings on one machine at a time, because a cluster does not ask how many may run."""
    with connected(dask[0]):
        assert store.run("osdt.alone", folder=tmp_path).n_run == 6
    ran = [entry["result"] for entry in store_files.read(tmp_path / "osdt.alone.jsonl")]
    ran.sort(key=lambda row: row["began_seconds"])
    assert all(a["ended_seconds"] <= b["began_seconds"] for a, b in pairwise(ran))


def test_workers_that_differ_are_refused(dask, monkeypatch):
    """Results of other sources or versions among ours, or times of cases that shared a process."""
    from distributed import Client

    with connected(dask[0]) as client:
        threads = client.nthreads()
    known, numpy = one_case.machine(), {"numpy": "0.1"}
    changes = {
        "sources": (sources, "digest", lambda modules: "other"),
        "numpy": (one_case, "machine", lambda: {**known, "packages": {**known["packages"], **numpy}}),
    }
    for name, change in changes.items():
        with monkeypatch.context() as patch:
            patch.setattr(*change)
            with pytest.raises(ValueError, match=f"has other {name}"), connected(dask[0]):
                pass
    monkeypatch.setattr(Client, "nthreads", lambda self: {**threads, max(threads): 2})
    with pytest.raises(ValueError, match=f"{max(threads)} runs several threads"), connected(dask[0]):
        pass


def test_a_record_of_other_sources_is_not_kept(tmp_path, monkeypatch):
    """A worker that joined later with older code, whose results are filed as ours."""
    run_case = one_case.run_case

    def elsewhere(name, case):
        case, entry, error = run_case(name, case)
        return case, {**entry, "key": "0" * 16}, error

    monkeypatch.setattr(one_case, "run_case", elsewhere)
    made = store.run("osdt.f3", cases=experiments.get("osdt.f3").cases()[:1], folder=tmp_path, jobs=1)
    assert made.n_run == 0 and "other sources" in made.failed[0][1]
    assert not (tmp_path / "osdt.f3.jsonl").exists()


def test_no_scheduler_and_no_dask(capsys, monkeypatch):
    """A traceback, or an hour of waiting, instead of one line that says what is wrong."""
    pytest.importorskip("distributed", reason=NO_DASK)
    from treelib.ledger.store import cluster

    monkeypatch.setattr(cluster, "PATIENCE", 1)
    assert cli.main(["reproduce", "osdt.f3", "--scheduler", "tcp://127.0.0.1:9"]) == 2
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert cli.main(["reproduce", "osdt.f3", "--scheduler", "tcp://127.0.0.1:9"]) == 2
    assert "treelib-companion[cluster]" in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL")
def test_a_killed_dask_worker_loses_nothing(dask, tmp_path, monkeypatch):
    """A cluster on which one machine fails, and the run with it."""
    (address, workers), add = dask, store_files.append

    def append(path, entry):
        add(path, entry)
        if path.read_bytes().count(b"\n") == 5:
            os.kill(workers[0].pid, signal.SIGKILL)

    monkeypatch.setattr(store_files, "append", append)
    with connected(address):
        made = store.run("osdt.slow", folder=tmp_path)
    assert workers[0].wait(timeout=10) == -signal.SIGKILL and workers[1].poll() is None
    assert (made.n_run, made.failed) == (24, [])
    kept = store_files.read(tmp_path / "osdt.slow.jsonl")
    assert sorted((r["case"]["x"], r["result"]["y"]) for r in kept) == [(x, x * x) for x in range(24)]
