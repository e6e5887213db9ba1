"""The result store: what is kept, what is stale, and what survives a crash."""

import io
import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from types import SimpleNamespace

import numpy as np
import pytest

from treelib import cli
from treelib.ledger import claims, experiments, reproduction, store, verdicts
from treelib.ledger.page import origins
from treelib.ledger.store import keys, lines, one_case, releases, running, schedule

CALLS = []


def square(case):
    CALLS.append(case["x"])
    return {"y": np.int64(case["x"] ** 2), "own_seconds": 0.5}


def rows(case):
    return [{"fold": fold, "y": case["x"] + fold} for fold in (1, 2)]


def no_data(case):
    from treelib.datasets import DatasetError

    raise DatasetError("the file is not here")


def not_finite(case):
    return {"y": float("nan")}


@pytest.fixture
def ground(tmp_path, monkeypatch):
    """An empty project folder of results, an empty cache, and experiments of this file."""
    monkeypatch.setenv("TREELIB_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(store, "committed", lambda: tmp_path / "results")
    monkeypatch.setattr(experiments, "_REGISTERED", {})
    monkeypatch.setattr(experiments, "find", lambda group: None)
    CALLS.clear()
    keys._key.cache_clear()
    experiments.loaded_digest.cache_clear()
    for function in (square, rows, no_data, not_finite):
        experiments.experiment(
            f"osdt.{function.__name__}",
            item="Table 0",
            title="A test",
            cases=lambda: [{"x": x} for x in (3, 1, 2)],
            datasets=("monk1",),
            seconds=1,
            jobs=1,
        )(function)
    yield tmp_path
    keys._key.cache_clear()
    experiments.loaded_digest.cache_clear()


def xs_in(path):
    return [entry["case"]["x"] for entry in lines.read(path)]


def edit_sources(monkeypatch, digest="edited"):
    """Let the code beneath all experiments change."""
    monkeypatch.setattr(experiments.Experiment, "digest", lambda self: digest)
    keys._key.cache_clear()
    experiments.loaded_digest.cache_clear()


def test_results_are_run_once_and_read_afterwards(ground):
    """A store that runs again what it has, or that gives cases in another order."""
    for _ in range(2):
        frame = store.results("osdt.square")
        assert frame["x"].tolist() == [3, 1, 2] and frame["y"].tolist() == [9, 1, 4]
        assert list(frame) == ["x", "y", "own_seconds", "seconds", "peak_bytes"]
    assert CALLS == [3, 1, 2]


def test_results_of_several_rows(ground):
    """Folds of a case that overwrite each other."""
    frame = store.results("osdt.rows")
    assert frame[["x", "fold", "y"]].to_numpy().tolist()[:2] == [[3, 1, 4], [3, 2, 5]]
    assert len(frame) == 6


def test_reading_a_page_changes_no_file_of_the_project(ground):
    """A notebook that writes into the checkout it is built from."""
    store.results("osdt.square")
    assert not (ground / "results").exists()
    assert store.status("osdt.square")["missing"] == 3
    summary = store.run("osdt.square")
    assert (summary.n_kept, summary.n_run) == (0, 3)
    assert store.status("osdt.square") == {"cases": 3, "fresh": 3, "stale": 0, "missing": 0}
    assert [entry["case"]["x"] for entry in lines.read(ground / "results" / "osdt.square.jsonl")] == [
        3,
        1,
        2,
    ]


def test_an_edit_of_the_sources_makes_results_stale(ground, monkeypatch):
    """Stale results shown as if the present code had made them."""
    store.run("osdt.square")
    edit_sources(monkeypatch)
    assert store.status("osdt.square")["stale"] == 3
    assert store.records("osdt.square") == {}
    store.run("osdt.square")
    assert len(CALLS) == 6 and store.status("osdt.square")["fresh"] == 3


def test_the_key_holds_case_data_and_sources(ground, monkeypatch):
    """A change that the key does not notice."""
    key = store.key("osdt.square", {"x": 1})
    others = {store.key("osdt.square", {"x": 2}), store.key("osdt.rows", {"x": 1})}
    with monkeypatch.context() as patch:
        patch.setattr(keys, "data_digest", lambda name: "other data")
        keys._key.cache_clear()
        others.add(store.key("osdt.square", {"x": 1}))
    edit_sources(monkeypatch)
    others.add(store.key("osdt.square", {"x": 1}))
    assert len(others | {key}) == 5


def test_the_build_does_not_hide_stale_results(ground, monkeypatch):
    """A book that silently recomputes what the repository claims to hold."""
    store.run("osdt.square")
    monkeypatch.setenv(store.STALE_VARIABLE, "error")
    assert len(store.results("osdt.square")) == 3
    edit_sources(monkeypatch)
    with pytest.raises(store.Missing, match=r"treelib reproduce osdt\.square"):
        store.results("osdt.square")


def test_a_case_without_its_data_is_named_and_others_are_kept(ground):
    """A missing file that takes finished cases with it, or that passes in silence."""
    with pytest.raises(store.Missing, match="the file is not here"):
        store.results("osdt.no_data")
    assert len(store.results("osdt.no_data", partial=True)) == 0
    with pytest.raises(store.Missing, match="not a finite number"):
        store.results("osdt.not_finite")


def test_sources_edited_during_a_run(ground, monkeypatch):
    """A result filed under the key of code that did not make it."""
    digests = iter(["before", "before", "after"])
    monkeypatch.setattr(experiments.Experiment, "digest", lambda self: next(digests, "after"))
    _, entry, error = one_case.run_case("osdt.square", {"x": 1})
    assert entry is not None and error is None
    _, entry, error = one_case.run_case("osdt.square", {"x": 1})
    assert entry is None and "edited during the run" in error


def test_provenance_says_where_a_result_comes_from(ground):
    """A record that does not let a reader repeat the run."""
    store.run("osdt.square")
    entry = store.record("osdt.square", {"x": 1})
    provenance = entry["provenance"]
    assert entry["result"] == {"y": 1, "own_seconds": 0.5}
    assert (
        provenance["data"]["monk1"] == store.data_digest("monk1") and len(provenance["data"]["monk1"]) == 64
    )
    for name in (
        "treelib",
        "commit",
        "python",
        "packages",
        "cpu",
        "cores",
        "seconds",
        "peak_bytes",
        "started",
    ):
        assert name in provenance
    assert provenance["packages"]["numpy"] == np.__version__


def test_records_keep_to_the_schema(ground):
    """A field that the published schema does not describe."""
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((store.files.data_root() / "results" / "schema.json").read_text())
    store.run("osdt.square")
    store.run("osdt.rows")
    validator = jsonschema.Draft202012Validator(schema)
    for name in ("osdt.square", "osdt.rows"):
        for entry in store.records(name).values():
            validator.validate(entry)
    del entry["provenance"]["sources"]
    assert not validator.is_valid(entry)


# ---- files ------------------------------------------------------------------------------------------------


def test_torn_last_line_is_named_and_dropped(ground):
    """A crash in the middle of a line that makes the whole file unreadable, or that eats the next record."""
    store.run("osdt.square")
    path = ground / "results" / "osdt.square.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[:-40])
    with pytest.warns(UserWarning, match=r"osdt\.square\.jsonl.*dropped"):
        assert len(lines.read(path)) == 2
    assert len(lines.read(path)) == 2  # it is gone
    path.write_bytes(whole[:-40])
    with pytest.warns(UserWarning, match="dropped"):
        assert store.run("osdt.square").n_run == 1
    assert len(lines.read(path)) == 3


@pytest.mark.parametrize(
    "damage", [lambda line: line[:30], lambda line: line.replace(b'"y":9', b'"y":8'), lambda line: b"[]"]
)
def test_damaged_or_edited_line_is_named(ground, damage):
    """A number changed by hand that is shown as computed."""
    store.run("osdt.square")
    path = ground / "results" / "osdt.square.jsonl"
    first, rest = path.read_bytes().split(b"\n", 1)
    path.write_bytes(damage(first) + b"\n" + rest)
    with pytest.raises(store.StoreError, match=r"osdt\.square\.jsonl, line 1.*treelib reproduce"):
        store.results("osdt.square")


def test_writers_side_by_side_lose_nothing(tmp_path):
    """Two processes whose lines run into each other."""
    path = tmp_path / "a.jsonl"

    def write(start):
        for x in range(start, start + 25):
            lines.append(path, {"case": {"x": x}, "result": {"text": "long " * 400}})

    threads = [threading.Thread(target=write, args=(start,)) for start in (0, 100, 200)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(lines.read(path)) == 75


def test_read_only_project(ground, monkeypatch):
    """An installed package, whose folder nobody may write to."""
    monkeypatch.setattr(lines, "is_writable", lambda folder: False)
    store.run("osdt.square")
    assert not (ground / "results").exists()
    assert store.results("osdt.square")["y"].tolist() == [9, 1, 4] and CALLS == [3, 1, 2]


def test_json_knows_every_value_that_is_kept():
    """A numpy number that cannot be written after an hour of computing, or that loses its value."""
    value = {"a": np.float64(0.1), "b": np.arange(3), "c": (1, None), "d": np.bool_(True)}
    assert lines.plain(value) == {"a": 0.1, "b": [0, 1, 2], "c": [1, None], "d": True}
    with pytest.raises(TypeError, match=r"result.*set"):
        lines.plain({"a": {1}})
    with pytest.raises(ValueError, match="finite"):
        lines.plain({"a": np.inf})
    with pytest.raises(TypeError, match="JSON scalars"):
        lines.canonical({"a": [1]})


SCRIPT = """
import sys, time
from pathlib import Path
from treelib import datasets
from treelib.ledger import experiments as registry, store
registry.find = lambda group: None
folder = Path(sys.argv[1])
store.committed = lambda: folder

cases = [{"x": x} for x in range(40)]

@registry.experiment("osdt.slow", item="", title="", cases=lambda: cases, seconds=8, jobs=1)
def slow(case):
    time.sleep(0.05)
    return {"y": case["x"]}

print(store.run("osdt.slow").n_run, flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL")
def test_killed_run_goes_on_where_it_was(tmp_path):
    """kill -9 that costs more than the case in flight."""
    script = tmp_path / "slow.py"
    script.write_text(textwrap.dedent(SCRIPT))
    command = [sys.executable, str(script), str(tmp_path / "results")]
    path = tmp_path / "results" / "osdt.slow.jsonl"
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while (not path.is_file() or path.read_bytes().count(b"\n") < 5) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = path.read_bytes().count(b"\n")
    assert 5 <= kept < 40
    rest = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(rest.stdout) == 40 - kept
    assert xs_in(path) == list(range(40))


# ---- registry ---------------------------------------------------------------------------------------------


def test_selection_by_name_and_paper(ground):
    """A pattern that selects a neighbour, or nothing without a word."""
    assert [e.name for e in experiments.select("osdt.rows")] == ["osdt.rows"]
    assert len(experiments.select("osdt")) == len(experiments.select()) == 4
    for wrong in ("osdt.ro", "tsallis", "other"):
        with pytest.raises(ValueError, match=wrong):
            experiments.select(wrong)


def test_what_runs_on_request_is_left_standing(ground, monkeypatch):
    """A half hour that a run of everything takes by the way, or a record that goes with an edit elsewhere."""
    settings = {"item": "", "title": "", "cases": lambda: [{"x": 5}], "seconds": 1800, "on_request": True}
    experiments.experiment("osdt.long", **settings)(square)
    chosen, [left] = experiments.to_run("osdt")
    assert left.name == "osdt.long" not in [one.name for one in chosen]
    assert experiments.to_run("osdt.long") == ([left], [])
    [line] = reproduction.left([left])
    assert "30 minutes: nothing is stored; `treelib reproduce osdt.long --fresh`" in line
    store.run(left)
    edit_sources(monkeypatch)
    [entry] = store.records(left).values()
    assert entry["result"]["y"] == 25 and not store.is_fresh(left, entry)
    assert store.status(left) == {"cases": 1, "fresh": 1, "stale": 0, "missing": 0}
    assert "and the code beneath it changed since" in origins.stored(left.name, {}, [entry]).line()
    assert f"its record of {entry['provenance']['started'][:10]} stays" in next(reproduction.left([left]))
    assert len(store.tasks(left)) == 1  # named, it is renewed


def test_a_name_belongs_to_one_experiment(ground):
    """Two experiments that write into one file."""
    with pytest.raises(ValueError, match="defined twice"):
        experiments.experiment("osdt.rows", item="", title="", cases=list, seconds=1)(square)
    with pytest.raises(ValueError, match="begins with its paper"):
        experiments.experiment("rows", item="", title="", cases=list, seconds=1)


# ---- what `treelib reproduce` says and where it writes ----------------------------------------------------


@pytest.fixture
def reproduce(ground, monkeypatch, capsys):
    """The command, without the judging of claims: what it printed, and the error stream."""
    monkeypatch.setattr(experiments, "to_run", lambda *names: ([experiments.get(name) for name in names], []))
    monkeypatch.setattr(cli, "_judge_complete", lambda groups: 0)

    def call(*arguments):
        assert cli.main(["reproduce", "--jobs", "1", *arguments]) == 0
        return capsys.readouterr().out

    return call


def test_a_run_says_where_it_writes_and_whether_results_are_as_stored(ground, reproduce, monkeypatch):
    """A command that renews results, and leaves it open whether they are the old ones."""
    said = reproduce("osdt.square", "osdt.rows")
    assert f"results go to {ground / 'results'}" in said and "0 minutes" not in said
    assert "as stored" not in said  # nothing was
    assert "osdt.square: 3 of 3 as stored\n" in reproduce("osdt.square", "--fresh")
    assert reproduce("osdt.square").startswith("checking stored results ...\n1 experiment: 0 cases to run\n")
    path = ground / "results" / "osdt.square.jsonl"
    entries = lines.read(path)
    entries[1]["result"]["y"] = 8
    path.unlink()
    for entry in entries:
        lines.append(path, entry)
    said = reproduce("osdt.square", "osdt.rows", "--fresh")
    assert "osdt.square: 2 of 3 as stored\n" in said and "osdt.rows: 3 of 3 as stored\n" in said
    assert '  {"x":1} row 0, y: 8 stored, 1 now\n' in said


def test_an_installed_package_is_not_written_to(ground, reproduce, monkeypatch):
    """Shipped records that a run overwrites; records that are run again though the package brings them."""
    package = ground / "site-packages" / "treelib"
    monkeypatch.setattr(store, "committed", lambda: package / "_data" / "results")
    store.run("osdt.rows", folder=store.committed())
    monkeypatch.setattr(store.files, "PACKAGE", package)
    shipped = {path: path.read_bytes() for path in package.rglob("*") if path.is_file()}
    assert "0 cases to run" in reproduce("osdt.rows")
    said = reproduce("osdt.rows", "--fresh")
    assert f"results go to {ground / 'cache' / 'results'}" in said and "3 of 3 as stored" in said
    assert "records and verdicts are unchanged" in said
    monkeypatch.setattr(verdicts, "judged", lambda paper: [])
    monkeypatch.setattr(verdicts, "_unsettled", lambda paper: ())
    monkeypatch.setattr(verdicts.choices, "check", lambda unsettled: None)
    monkeypatch.setattr(verdicts.rulebook, "choices", lambda: {"start": {}})
    monkeypatch.setattr(verdicts.choices, "rows", lambda unsettled: [{"choice": "start"}])
    monkeypatch.setattr(verdicts, "all_papers", lambda: ["osdt"])
    monkeypatch.setattr(claims, "load", lambda paper: ["osdt.t2.a"])
    monkeypatch.setattr(verdicts, "read", lambda: [{"id": "osdt.t2.a", "verdict": "match"}])
    verdicts.renew(["osdt"])
    written = {path.name for path in (ground / "cache" / "results").glob("*.csv")}
    assert written == {"verdicts.csv", "choices.csv"}
    assert {path: path.read_bytes() for path in package.rglob("*") if path.is_file()} == shipped


@pytest.mark.filterwarnings("error")
def test_the_bar_ends_at_its_end(monkeypatch):
    """Less than no time left: rounded seconds of the parts that are more than the rounded whole."""
    monkeypatch.setattr(running.sys, "stderr", told := io.StringIO())
    tasks = [schedule.Task(SimpleNamespace(runs_alone=lambda case: False), {}, 0.1, 0.0)] * 3
    monkeypatch.setattr(schedule.Task, "name", "a")
    monkeypatch.setattr(schedule, "expected_seconds", lambda tasks, lanes: 0.29)
    with running._progress(tasks, 1, wanted=True) as bar:
        for task in tasks:
            bar.done(task)
        assert bar._bar.n == bar._bar.total
    assert "100 %" in told.getvalue() and "-00:00" not in told.getvalue()


def test_verdicts_of_a_commit_are_found_from_within_a_checkout(tmp_path, monkeypatch):
    """`results --diff HEAD` of an installed package, in a clean checkout, that finds no such commit."""
    table = tmp_path / "data" / "results" / "verdicts.csv"
    table.parent.mkdir(parents=True)
    table.write_text("id,verdict,ours\nosdt.t2.a,match,1\n", encoding="utf-8")
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    for command in (("init", "-q"), ("add", "."), (*who, "commit", "-q", "-m", "First")):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    monkeypatch.setattr(releases, "data_root", lambda: tmp_path.parent)  # no checkout
    (tmp_path / "within").mkdir()
    monkeypatch.chdir(tmp_path / "within")
    assert releases.read("HEAD") == {"osdt.t2.a": ("match", "1")}
    with pytest.raises(ValueError, match="no commit with verdicts"):
        releases.read("no-such-commit")
