"""The one-pass path of optimal dyadic trees, measured: ``make bench-dyadic``.

For each data set, all of it: the complete path in one pass over the rectangles; one solve at the rule of
thumb lambda = 2/n, for that price alone; and the paper's own memoised recursion with lookahead pruning at
the same lambda (`treelib.dyadic.paper.recursion`). Grid and surrogates are made before the clock starts,
trees of the path within it. Seconds are processor time of one thread after a warm-up, the best of `REPEATS`
runs. Bytes are those of the search's tables. ``growth`` is one data set with finer and finer grids: times and
bytes a rectangle against the size of the table.

Beside them stand figures of a public program of 2005 (Rice University, bottom-up dynamic programming without
pruning), which were measured on a machine of this kind earlier and are cited, not run. The results go to
``data/results/bench_dyadic.json``.
"""

import argparse
import json
import sys
from fractions import Fraction

import numpy as np

from tests.benchmarks.jobs.runner import ROOT, best_of, machine, write_results
from treelib import datasets
from treelib.dyadic.paper.recursion import Recursion, make_rows
from treelib.dyadic.sweep.all_prices import sweep_path
from treelib.dyadic.training import GridSettings, prepare
from treelib.search.budget import Budget

RESULTS = ROOT / "data" / "results" / "bench_dyadic.json"
REPEATS = 3
# of wall clock; long, since the machine may be shared and only processor time is reported
TIME_LIMIT = 900
MEMORY_LIMIT = 7e9
# the recursion is not asked where it would take minutes
MOST_FOR_RECURSION = 3e7

# name -> (data set, max_splits, target in seconds of the complete path)
CASES = {
    "titanic": ("dyadic/titanic", "auto", None),
    "thyroid": ("dyadic/thyroid", "auto", 0.3),
    "flare-solar": ("dyadic/flare_solar", "auto", None),
    "banana": ("dyadic/banana", "auto", 0.1),
    "banana k=14": ("dyadic/banana", 14, 0.1),
    "breast cancer": ("dyadic/breast_cancer", "auto", 60),
    "mushroom": ("dyadic/mushroom", "auto", None),
    "spambase": ("dyadic/spambase", "auto", 10),
    "intrusion": ("dyadic/intrusion-counts", "auto", 10),
    "diabetes k=3": ("dyadic/diabetes", 3, None),
    "diabetes k=4": ("dyadic/diabetes", 4, None),
}
GROWTH = {
    "diabetes": [("dyadic/diabetes", k) for k in (1, 2, 3, 4)],
    "spambase": [("dyadic/spambase", k) for k in (4, 6, 8, 10)],
}
MUSHROOM_FEATURES = (5, 9, 12, 13, 14, 15, 19, 20, 21, 22)
# of the program of 2005, by case; rectangles are all that its dictionary holds
CITED = {
    "banana k=14": {"seconds": 0.044, "rectangles": 70_000},
    "diabetes k=3": {"seconds": 49.0, "rectangles": 13_800_000, "bytes": 1e9},
    "all": {"microseconds_a_rectangle": [0.6, 4.0], "bytes_a_rectangle": [55, 110]},
}


def load(name):
    data = datasets.load(name)
    X = data.X
    if "intrusion" in name:
        X = np.log1p(X)  # without it the automatic grid is far from that of the paper
    if "mushroom" in name:
        X = X[:, [number - 1 for number in MUSHROOM_FEATURES]]
    settings = {"weights": data.sample_weight}
    return np.ascontiguousarray(X), data.y, len(data.class_names), settings


def training_of(name, max_splits):
    X, y, n_classes, rows = load(name)
    return prepare(X, y, n_classes, **rows, settings=GridSettings(max_splits))


def sweep(training, **prices):
    """Record of one call of `sweep_path` without stages."""

    def work():
        budget = Budget(TIME_LIMIT, MEMORY_LIMIT)
        n_splits = training.grid.n_splits
        return sweep_path(training.codes, training.losses, n_splits, staged=False, budget=budget, **prices)

    found, seconds = best_of(work, REPEATS)
    stats = found.stats
    return {
        "status": found.status,
        "seconds": seconds,
        "solutions": len(found.vertices),
        "largest_tree": found.vertices[-1].n_leaves,
        "rectangles": stats["rectangles"],
        "looked_at": stats["looked_at"],
        "rectangles_a_second": stats["looked_at"] / seconds,
        "table_bytes": stats["table_bytes"],
        "peak_bytes": stats["peak_bytes"],
        "bytes_a_rectangle": stats["table_bytes"] / max(stats["rectangles"], 1),
    }


def recurse(training, price):
    """Record of the paper's recursion at one price."""
    rows = make_rows(training.codes, training.losses, training.grid.n_splits)

    def work():
        run = Recursion(rows, price)
        run.run()
        return run

    run, seconds = best_of(work, REPEATS)
    visited = run.outcome().n_visited
    return {
        "seconds": seconds,
        "rectangles": visited,
        "rectangles_a_second": visited / seconds,
        "bytes_a_rectangle": run.n_bytes / visited,
    }


def measure(name, data, max_splits, target=None):
    training = training_of(data, max_splits)
    price = Fraction(2)
    occupied_at_most = len(training.codes) * training.grid.rectangles_per_row
    record = {
        "case": name,
        "data": data,
        "max_splits": max_splits,
        "n_splits": training.grid.n_splits.tolist(),
        "surrogates": len(training.codes),
        "occupied_at_most": occupied_at_most,
        "target_seconds": target,
        "path": sweep(training),
        "solve": sweep(training, low=price, high=price),
        "recursion": None,
        "cited_2005": CITED.get(name),
    }
    if occupied_at_most <= MOST_FOR_RECURSION:
        record["recursion"] = recurse(training, price)
    show(record)
    return record


def show(record):
    path, solve, recursion = record["path"], record["solve"], record["recursion"]
    line = (
        f"{record['case']:14} path {path['seconds']:8.3f} s {path['solutions']:3} solutions "
        f"{path['rectangles']:>10,} rectangles {path['rectangles_a_second'] / 1e6:5.2f} M/s "
        f"{path['bytes_a_rectangle']:6.1f} bytes each | one solve {solve['seconds']:8.3f} s "
        f"{solve['rectangles']:>10,}"
    )
    if recursion:
        line += f" | recursion {recursion['seconds']:8.3f} s {recursion['rectangles']:>10,}"
    print(line, path["status"], flush=True)


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="bench-dyadic", description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="small cases only; results not kept")
    parser.add_argument(
        "--cases", nargs="+", metavar="NAME", help="measure these anew, keep the stored results of the others"
    )
    options = parser.parse_args(arguments)
    head = {"bench": "dyadic", "machine": machine(), "time_limit": TIME_LIMIT, "memory_limit": MEMORY_LIMIT}
    measure("warm-up", "dyadic/titanic", "auto")
    wanted = [name for name, case in CASES.items() if not options.quick or case[2] in (0.1, 0.3)]
    stored = json.loads(RESULTS.read_text(encoding="utf-8")) if options.cases else {"records": []}
    records = {record["case"]: record for record in stored["records"]}
    for name in options.cases or wanted:
        try:
            records[name] = measure(name, *CASES[name])
        except datasets.DatasetError as missing:
            print(f"{name} left out: {missing}")
    records = [records[name] for name in CASES if name in records]
    if options.quick:
        print("part of the cases only: results not kept")
    else:
        head["growth"] = stored.get("growth") or {}
        for name, points in GROWTH.items():
            head["growth"][name] = measure_growth(name, points, records, head["growth"].get(name, []))
        write_results(RESULTS, {**head, "cited_2005": CITED["all"], "records": records})
    missed = [
        r["case"] for r in records if r["target_seconds"] and r["path"]["seconds"] > r["target_seconds"]
    ]
    print("targets missed:", ", ".join(missed) if missed else "none")
    return 1 if missed else 0


def measure_growth(name, points, records, stored):
    """Records of one data set with finer and finer grids; what `records` or `stored` hold is taken over."""
    found = []
    for data, k in points:
        known = [r["path"] for r in records if (r["data"], r["max_splits"]) == (data, k)]
        known += [record for record in stored if record["max_splits"] == k]
        found.append({**(known[0] if known else sweep(training_of(data, k))), "max_splits": k})
        print(
            f"{name} k={k}: {found[-1]['rectangles']:>10,} rectangles {found[-1]['seconds']:8.3f} s "
            f"{1e6 * found[-1]['seconds'] / max(found[-1]['looked_at'], 1):6.2f} us each "
            f"{found[-1]['bytes_a_rectangle']:8.1f} bytes each",
            flush=True,
        )
    return found


if __name__ == "__main__":
    sys.exit(main())
