"""Gather what the suites that look for faults wrote into ``data/tested/figures.json``.

``python -m tests.suites.record_figures FOLDER`` reads from the folder, each where it is there:
``faults.json`` (of faults/runs.py),
``first_fit.json`` (of tests/benchmarks/waiting/first_fit.py), ``shapes*.jsonl`` (of limits/shapes.py),
``differential*.jsonl`` (of random_problems/differential.py), ``boosted*.jsonl`` (of
random_problems/boosted.py), ``fuzz-<reader>.log`` (what fuzz/run.py printed), ``bounds*.log`` (what pytest
printed under ``make test-bounds``), ``bounds*.jsonl`` (of random problems under NUMBA_BOUNDSCHECK=1),
``tables*.jsonl`` and ``practice*.jsonl`` (of tests/benchmarks/learners), ``proofs*.jsonl`` (of
tests/benchmarks/searches/proofs.py), ``browsers.json`` (of tests/wasm/kernels/in_browser.py) and
``scikit-learn.log`` (what ``pytest -rA tests/suites/scikit_learn/test_shipped_tests.py`` printed). What is
not there keeps its stored figures, and so does each suite of random problems and each fuzzed reader, with the
commits that it ran at. Run it at the commit at which the suites ran: that is what it stores of them.
"""

import json
import re
import sys
from collections import defaultdict
from datetime import date
from pathlib import Path
from statistics import median

from tests.benchmarks.learners.tables import TABLES
from tests.suites.limits.shapes import faults as broken
from tests.suites.limits.shapes import held, limits_of
from treelib.ledger.store import running

# cells of a table up to which its cases are counted together
CELLS = (10**4, 10**6, 10**7, 2 * 10**8)
SHAPE_COUNTS = ("cases", "stopped", "late", "large", "bound", "greedy", "hasty")
NAMED = ("practice", "proofs")  # suites of one record a table, which has a name
PLACE = Path(__file__).parents[2] / "data" / "tested" / "figures.json"


def gather(folder):
    """Dict of the suites that left something in `folder`."""
    found = {}
    if (folder / "faults.json").is_file():
        found["faults"] = json.loads((folder / "faults.json").read_text())
    if (folder / "first_fit.json").is_file():
        found["first fit"] = first_fits(json.loads((folder / "first_fit.json").read_text()))
    records = read_lines(folder.glob("shapes*.jsonl"))
    if records:
        found["shapes"] = shapes(records, by_cells)
        found["shapes, by search"] = shapes(records, by_search)
    records = read_lines(folder.glob("boosted*.jsonl"))
    if records:
        found["readers"] = models_read(records)
    records = read_lines(folder.glob("differential*.jsonl"))
    if records:
        found["differential"] = differential(records)
    runs = {}
    for path in sorted(folder.glob("fuzz-*.log")):
        done = re.search(r"Done (\d+) runs in (\d+) second", path.read_text(errors="replace"))
        runs[path.stem.partition("-")[2]] = done
    if runs:
        found["fuzz"] = {name: {"inputs": int(m[1]), "seconds": int(m[2])} for name, m in runs.items() if m}
    records = read_lines(folder.glob("tables*.jsonl"))
    if records:
        found["tables"] = tables(records)
    for suite in NAMED:
        records = read_lines(folder.glob(f"{suite}*.jsonl"))
        if records:  # the last record of a table counts
            found[suite] = {record.pop("name"): record for record in records}
    if (folder / "scikit-learn.log").is_file():
        found["scikit-learn"] = raw((folder / "scikit-learn.log").read_text())
    if (folder / "browsers.json").is_file():
        found["pages"] = json.loads((folder / "browsers.json").read_text())
    logs = [path.read_text() for path in folder.glob("bounds*.log")]
    if logs:
        found["bounds"] = {
            "tests": sum(count(log, "passed") for log in logs),
            "failed": sum(count(log, "failed") for log in logs),
        }
        random = differential(read_lines(folder.glob("bounds*.jsonl"))).values()
        found["bounds"]["problems"] = sum(row["problems"] for row in random)
        found["bounds"]["failed"] += sum(row["failures"] for row in random)
    return found


def read_lines(paths):
    """Records of files of JSON lines."""
    return [json.loads(line) for path in sorted(paths) for line in path.read_text().splitlines()]


def count(log, word):
    """Number before `word` in the last line of pytest."""
    found = re.search(rf"(\d+) {word}", log.rstrip().splitlines()[-1])
    return int(found[1]) if found else 0


def first_fits(records):
    """Median seconds of each estimator, from `import` to the fitted model, first and later, by way."""
    seconds = defaultdict(lambda: defaultdict(list))
    for record in records:
        seconds[record["estimator"]][record["way"], record["cached"]].append(record["seconds"])
    return {
        name: {
            f"{way}, {'later' if cached else 'first'}": round(median(runs), 2)
            for (way, cached), runs in ways.items()
        }
        for name, ways in seconds.items()
    }


def by_cells(record):
    return next(f"up to {most:,}" for most in CELLS if record["rows"] * record["columns"] <= most)


def by_search(record):
    return record["search"].get("name", "optimal tree")


def shapes(records, name_of):
    """Cases of the grid of tables by a name: how many, what they break, the worst of each promise."""
    rows = {}
    for record in sorted(records, key=lambda record: record["rows"] * record["columns"]):
        name = name_of(record)
        row = rows.setdefault(name, dict.fromkeys(SHAPE_COUNTS, 0) | {"most_late": 0.0, "most_memory": 0.0})
        wrong = broken(record)
        row["cases"] += 1
        row["stopped"] += record["status"] != "optimal"
        for fault in wrong:
            row[fault] += 1
        row["most_late"] = max(row["most_late"], round(record["late"], 2))
        size = limits_of(record).get("memory_limit")
        if size:
            row["most_memory"] = max(row["most_memory"], round(held(record) / size, 2))
    return rows


def tables(records):
    """What is known of each table, in the order of `TABLES`: the last of equal records counts."""
    found = {f"{package}/{name}": {} for package, name, *_ in TABLES}
    for record in records:
        found[record["table"]] |= {
            key: value for key, value in record.items() if key not in ("table", "commit")
        }
    return {name: row for name, row in found.items() if "sparse" in row}


def raw(log):
    """Tests of each of scikit-learn's suites, and how many passed, those that were expected to fail too."""
    said = re.findall(r"^(PASSED|XPASS|FAILED|XFAIL|ERROR) \S*::test_(tree|forest)_", log, re.MULTILINE)
    return {
        suite: {
            "tests": sum(name == suite for _, name in said),
            "passed": sum(name == suite and word in ("PASSED", "XPASS") for word, name in said),
        }
        for suite in ("tree", "forest")
    }


def models_read(records):
    """Models, rows and differences of each library; the last record of a model counts."""
    libraries = {}
    for record in {(record["library"], record["model"]): record for record in records}.values():
        row = libraries.setdefault(
            record["library"], {"version": record["version"], "models": 0, "from_file": 0}
        )
        row["models"] += 1
        row["from_file"] += record["from_file"]
        row["fewest_rows"] = min(row.get("fewest_rows", record["rows"]), record["rows"])
        for key in ("at_thresholds", "classes", "sums"):
            row[key] = row.get(key, 0) + record[key]
    return libraries


def differential(records):
    """Problems, failures, seeds and commits of each suite; the last run of a seed counts."""
    suites = defaultdict(lambda: {"problems": 0, "failures": 0, "seeds": 0, "commits": []})
    for record in {(record["suite"], record["seed"]): record for record in records}.values():
        row = suites[record["suite"]]
        row["problems"] += record["problems"]
        row["failures"] += len(record["failures"])
        row["seeds"] += 1
        if record["commit"] not in row["commits"]:
            row["commits"].append(record["commit"])
    return suites


def merge(stored, found, commit, day):
    """`stored` figures with those of `found` in their place, in the order of the suites that there are.

    Suites of random problems and fuzzed readers tell their own commits; of the others `stored["stored"]` says
    when they ran.
    """
    from tests.suites.fuzz.readers import READERS
    from tests.suites.random_problems.differential import SUITES

    ran = {name: {"date": day, "commit": commit} for name in found if name not in ("differential", "fuzz")}
    kept = stored | {"stored": stored.get("stored", {}) | ran}
    fuzzed = {name: row | {"commit": commit} for name, row in found.get("fuzz", {}).items()}
    found = found | ({"fuzz": fuzzed} if fuzzed else {})
    if "first fit" in found:  # ways that were not measured again, such as an older commit, keep their seconds
        rows = stored.get("first fit", {})
        found["first fit"] = {name: rows.get(name, {}) | row for name, row in found["first fit"].items()}
    for name in NAMED:  # tables that were not measured again
        found |= {name: stored.get(name, {}) | found[name]} if name in found else {}
    for name, order in (("differential", SUITES), ("fuzz", READERS)):
        rows = kept.get(name, {}) | found.get(name, {})
        found = found | {name: {key: rows[key] for key in order if key in rows}}
    return kept | found


def main():
    stored = json.loads(PLACE.read_text()) if PLACE.is_file() else {}
    figures = merge(stored, gather(Path(sys.argv[1])), running.commit(), date.today().isoformat())
    PLACE.parent.mkdir(exist_ok=True)
    PLACE.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
