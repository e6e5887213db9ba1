"""Faults on purpose: ``treelib reproduce`` killed at random moments, on a full disk, and twice at a time.

``python tests/suites/faults/runs.py --kills 200 --json FILE`` kills as often and says what it found. It runs
in a forked process, which is cheap, on an experiment of this file: its cases take a millisecond, its results
some kilobytes, so that much of the time goes into writing. The process tells through a pipe which case is on
the disk before it goes on; nothing it told may be lost.
"""

import argparse
import contextlib
import io
import json
import os
import random
import resource
import signal
import sys
import tempfile
import time
import warnings
from pathlib import Path

from treelib import cli, papers  # noqa: F401, says where experiments are, before `install` says otherwise
from treelib.ledger import experiments, store
from treelib.ledger.store import lines, running

NAME = "osdt.tiny"
N_CASES = 30
CASES = [{"x": x, "seed": 7} for x in range(N_CASES)]


def tiny(case):
    rng = random.Random(case["x"] + case["seed"])
    time.sleep(0.001)
    return {"values": [rng.random() for _ in range(400)], "square": case["x"] ** 2}


def install():
    """Make the experiment of this file the only one, and leave out the verdicts, which are not under test.

    The sources are read here: each forked process would read them again, and be killed before it begins.
    """
    experiments._FINDERS[:] = [lambda group: None]
    experiments._REGISTERED.clear()
    options = {"item": "", "title": "A test", "cases": lambda: CASES, "seconds": 0.1, "jobs": 1}
    experiments.experiment(NAME, **options)(tiny)
    cli._judge_complete = lambda groups: 0
    running.commit = lambda: ""  # half a second of git
    experiments.get(NAME).digest()


def start(folder, tell=None, limit=None):
    """`treelib reproduce` in a forked process; its id.

    tell : descriptor that the number of a case is written to once its record is on the disk, or None
    limit : int, bytes that a file may have at most, or None
    """
    sys.stdout.flush()
    process = os.fork()
    if process:
        return process
    code = 70
    try:
        store.committed = lambda: folder
        if limit is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        if tell is not None:
            append = lines.append

            def append_and_tell(path, entry):
                append(path, entry)
                os.write(tell, bytes([entry["case"]["x"]]))

            lines.append = append_and_tell
        text = io.StringIO()
        with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
            code = cli.main(["reproduce", NAME, "--quiet"])
        (folder.parent / "said").write_text(text.getvalue())
    finally:
        os._exit(code)


def finish(folder, **options):
    """Exit code of an undisturbed run, and what it said."""
    code = os.waitstatus_to_exitcode(os.waitpid(start(folder, **options), 0)[1])
    return code, (folder.parent / "said").read_text()


def results_in(folder):
    """Result by case, in the order of the file."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a torn last line is dropped with a warning
        return {e["case"]["x"]: e["result"] for e in lines.read(folder / f"{NAME}.jsonl")}


def kill_once(folder, moment, after_first):
    """Start a run and kill it `moment` seconds after its start or its first case: the cases it had told of,
    and whether it was alive."""
    reader, writer = os.pipe()
    process = start(folder, tell=writer)
    os.close(writer)
    told = set(os.read(reader, 1)) if after_first else set()
    time.sleep(moment)
    os.kill(process, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    with os.fdopen(reader, "rb") as pipe:
        told |= set(pipe.read())
    return told, status == -signal.SIGKILL


def kill_often(n_kills, seed=0):
    """Kill `n_kills` runs; a dict of counts.

    A folder is used until its run comes to the end; then it must hold what an undisturbed run gives.
    """
    rng, root = random.Random(seed), Path(tempfile.mkdtemp())
    began = time.perf_counter()
    (root / "calm").mkdir()
    code, _ = finish(root / "calm" / "results")
    seconds = time.perf_counter() - began
    calm = results_in(root / "calm" / "results")
    assert code == 0 and list(calm) == [case["x"] for case in CASES]
    names = "kills half_way torn_lines files_damaged cases_lost reruns reruns_that_differ left_behind"
    counts = dict.fromkeys(names.split(), 0)
    turn, told = 0, set()
    while counts["kills"] < n_kills:
        folder = root / str(turn) / "results"
        folder.parent.mkdir(exist_ok=True)
        path = folder / f"{NAME}.jsonl"
        after_first = rng.random() < 0.7
        more, killed = kill_once(folder, rng.uniform(0, seconds / (1 + after_first)), after_first)
        told |= more
        if killed:
            counts["kills"] += 1
            counts["half_way"] += 0 < len(told) < N_CASES
            text = path.read_bytes() if path.is_file() else b""
            counts["torn_lines"] += bool(text) and not text.endswith(b"\n")
            try:
                kept = results_in(folder)
            except lines.StoreError:
                counts["files_damaged"] += 1
                kept = {}
            counts["cases_lost"] += len(told - kept.keys())
            if rng.random() < 0.5:
                continue  # kill the same folder's run again
        code, _ = finish(folder)
        counts["reruns"] += 1
        rest = {p.name for p in folder.iterdir()} - {path.name, ".lock"}
        counts["left_behind"] += len(rest)
        counts["reruns_that_differ"] += code != 0 or list(results_in(folder).items()) != list(calm.items())
        turn, told = turn + 1, set()
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    install()
    began = time.perf_counter()
    counts = kill_often(options.kills, options.seed)
    counts["seconds"] = round(time.perf_counter() - began, 1)
    print(json.dumps(counts))
    if options.json:
        Path(options.json).write_text(json.dumps(counts, indent=1) + "\n")


if __name__ == "__main__":
    main()
