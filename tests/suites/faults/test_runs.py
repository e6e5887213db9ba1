"""Killed, starved of disk, or run twice at a time: what is finished stays, and the next run completes it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

if os.name == "nt":
    pytest.skip("no fork, no SIGKILL", allow_module_level=True)

RUNS = Path(__file__).with_name("runs.py")

# runs on a full disk, and two at a time, all forked from one process
STARVED_AND_TWICE = """
import json, os, sys
from pathlib import Path
import runs
runs.install()
folder = Path(sys.argv[1]) / "starved"
code, said = runs.finish(folder, limit=60_000)
kept = len(runs.results_in(folder))
again = runs.finish(folder)[0]
starved = [code, said, kept, again, len(runs.results_in(folder))]
folder = Path(sys.argv[1]) / "twice"
both = [runs.start(folder) for _ in range(2)]
codes = [os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) for process in both]
twice = [codes, list(runs.results_in(folder)), sorted(os.listdir(folder))]
print(json.dumps({"starved": starved, "twice": twice}))
"""


def run(*arguments, timeout=600):
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=RUNS.parent,
        capture_output=True,
        text=True,
        timeout=timeout,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    return run("-c", STARVED_AND_TWICE, tmp_path_factory.mktemp("faults"))


@pytest.mark.parametrize("n_kills", [5, pytest.param(200, marks=pytest.mark.long)])
def test_kill_9_at_random_moments(n_kills):
    """A kill that damages the file, loses a case that was done, or lets the next run end otherwise."""
    found = run(RUNS, "--kills", n_kills, timeout=3000)
    assert found["kills"] == n_kills and found["reruns"] > 0
    for name in ("files_damaged", "cases_lost", "reruns_that_differ", "left_behind"):
        assert found[name] == 0, found


def test_full_disk_is_named_and_costs_nothing_that_was_done(found):
    """A traceback, half a line, or a file that cannot be read after the disk was full."""
    code, said, kept, again, in_the_end = found["starved"]
    assert code == 2 and "cannot be written" in said and "Finished cases are kept" in said
    assert 0 < kept < 30 and again == 0 and in_the_end == 30


def test_two_runs_in_one_folder(found):
    """Two runs whose lines run into each other, or of which one throws away what the other added."""
    codes, cases, files = found["twice"]
    assert codes == [0, 0] and cases == list(range(30))
    assert files == [".lock", "osdt.tiny.jsonl"]


def test_folder_that_cannot_be_written(tmp_path, monkeypatch):
    """A traceback where the results folder is a file, or belongs to somebody else."""
    from treelib.ledger.store import lines

    (tmp_path / "results").write_text("a file in the place of the folder")
    with pytest.raises(lines.StoreError, match=r"results/a\.jsonl cannot be written"):
        lines.append(tmp_path / "results" / "a.jsonl", {"case": {"x": 1}})
