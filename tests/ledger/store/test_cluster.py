"""The same results in this process, in others, and on a Dask cluster; a killed worker loses nothing."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from itertools import pairwise
from pathlib import Path

import joblib
import numpy as np
import pytest

from treelib import cli
from treelib.compiled import sources
from treelib.ledger import experiments, store
from treelib.ledger.store import lines as store_files
from treelib.ledger.store import one_case

NO_DASK = "Dask is not installed; `make env-ci` installs the extra 'cluster'"
ROOT = Path(__file__).resolve().parents[3]
# cheap experiments of two methods whose results are exact: (name, number of cases)
SWEEPS = (("osdt.f3", 4), ("dyadic.t4", 3))

# imported by every process that runs its cases: by the test, and by workers through --preload
PLUGIN = """
import os, time
from pathlib import Path
from treelib.ledger import experiments as registry

registry.find = lambda group: None

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


@contextlib.contextmanager
def dask_cluster(folder, n_workers=2, preload=None):
    """Scheduler and workers in processes of their own, on the loopback address: (address, workers)."""
    file = folder / "scheduler.json"
    scheduler = ["distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0"]
    processes = [start(*scheduler, "--no-dashboard", "--no-show", "--scheduler-file", str(file))]
    try:
        address = wait_for(lambda: file.is_file() and json.loads(file.read_text() or "{}").get("address"))
        preloaded = ["--preload", str(preload)] if preload else []
        workers = [start_worker(address, folder, *preloaded) for _ in range(n_workers)]
        processes += workers
        yield address, workers
    finally:
        end(*reversed(processes))


def start_worker(address, folder, *options, threads=1):
    worker = ["distributed.cli.dask_worker", address, "--nthreads", str(threads), "--no-nanny"]
    worker += ["--no-dashboard", "--host", "127.0.0.1", "--local-directory", str(folder)]
    return start(*worker, "--death-timeout", "60", *options)


def end(*processes):
    for process in processes:
        process.kill()
        process.communicate()


def wait_for(what, seconds=60):
    deadline = time.monotonic() + seconds
    while not (found := what()):
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)
    return found


def connected(address, n_workers=2):
    """`cluster.connect`, entered when all workers are there."""
    from distributed import Client

    from treelib.ledger.store import cluster

    with Client(address) as client:
        client.wait_for_workers(n_workers, timeout=60)
    return cluster.connect(address)


@pytest.fixture(scope="module")
def dask(tmp_path_factory):
    """Address of a scheduler with two workers."""
    pytest.importorskip("distributed", reason=NO_DASK)
    with dask_cluster(tmp_path_factory.mktemp("dask")) as (address, _):
        yield address


@pytest.fixture(scope="module")
def with_plugin(tmp_path_factory):
    """Scheduler and two workers that know the experiments of the plugin: (folder, address, workers).

    A test that kills one of them comes last.
    """
    pytest.importorskip("distributed", reason=NO_DASK)
    folder = tmp_path_factory.mktemp("plugin")
    (folder / "plugin.py").write_text(PLUGIN)
    with dask_cluster(folder, preload=folder / "plugin.py") as (address, workers):
        with connected(address):
            pass
        yield folder, address, workers


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


def test_a_dask_cluster_gives_the_same_bytes(alone, dask, tmp_path):
    """A result that changes with the way it travelled; cases that in truth ran here."""
    with connected(dask) as client:
        assert run_sweeps(tmp_path) == alone
        module = experiments.get("osdt.f3").module
        ran_there = client.run(lambda: module in sys.modules)
    assert list(ran_there.values()) == [True, True]


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
    with connected(dask):
        assert fits(2) == here


def test_timings_run_one_at_a_time_on_a_cluster_too(with_plugin, tmp_path):
    """Two timings on one machine at a time, because a cluster does not ask how many may run."""
    folder, address, _ = with_plugin
    run = """
    with cluster.connect(sys.argv[1]):
        made = store.run("osdt.alone", folder=Path(sys.argv[2]))
    print(made.n_run)
    """
    assert run_script(folder, run, address, tmp_path / "results") == "6"
    ran = [entry["result"] for entry in store_files.read(tmp_path / "results" / "osdt.alone.jsonl")]
    ran.sort(key=lambda row: row["began_seconds"])
    assert all(a["ended_seconds"] <= b["began_seconds"] for a, b in pairwise(ran))


@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL")
def test_a_killed_dask_worker_loses_nothing(with_plugin, tmp_path):
    """A cluster on which one machine fails, and the run with it."""
    folder, address, workers = with_plugin
    kill = """
    address, folder, pid = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    add = store_files.append
    def append(path, entry):
        add(path, entry)
        if path.read_bytes().count(b"\\n") == 5:
            os.kill(pid, signal.SIGKILL)
    store_files.append = append
    with cluster.connect(address):
        made = store.run("osdt.slow", folder=folder)
    print(made.n_run, made.failed)
    """
    out = run_script(folder, kill, address, tmp_path / "results", workers[0].pid)
    assert workers[0].wait(timeout=10) == -signal.SIGKILL and workers[1].poll() is None
    assert out == "24 []"
    kept = store_files.read(tmp_path / "results" / "osdt.slow.jsonl")
    assert sorted((r["case"]["x"], r["result"]["y"]) for r in kept) == [(x, x * x) for x in range(24)]


def run_script(folder, lines, *arguments):
    """Last line that a script prints which knows the experiments of the plugin."""
    script = folder / "script.py"
    known = ["import os, signal, sys", "from pathlib import Path", "import plugin"]
    known += ["from treelib.ledger import store\nfrom treelib.ledger.store import lines as store_files"]
    if "cluster" in lines:
        known.append("from treelib.ledger.store import cluster")
    body = textwrap.indent(textwrap.dedent(lines).strip(), "    ")
    script.write_text("\n".join([*known, "if __name__ == '__main__':", body, ""]))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(folder)])}
    done = subprocess.run(
        [sys.executable, str(script), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip().splitlines()[-1]


def test_workers_that_differ_are_refused(dask, tmp_path, monkeypatch):
    """Results of other sources or versions among ours, or times of cases that shared a process."""
    with connected(dask):
        pass
    known, numpy = one_case.machine(), {"numpy": "0.1"}
    changes = {
        "sources": (sources, "digest", lambda modules: "other"),
        "numpy": (one_case, "machine", lambda: {**known, "packages": {**known["packages"], **numpy}}),
    }
    for name, change in changes.items():
        with monkeypatch.context() as patch:
            patch.setattr(*change)
            with pytest.raises(ValueError, match=f"has other {name}"), connected(dask):
                pass
    third = start_worker(dask, tmp_path, threads=2)
    try:
        with pytest.raises(ValueError, match="several threads"), connected(dask, 3):
            pass
    finally:
        end(third)


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
