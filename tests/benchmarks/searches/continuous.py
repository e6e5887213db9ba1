"""The search on numbers as they are measured against pycontree (ConTree): ``make bench-continuous``.

Whole fits of `OptimalSparseTreeClassifier(0, max_depth=...)` beside those of ``ConTree`` on the same table,
in one run, one after the other. Values are rounded to float32, on which ConTree computes. Seconds are
processor time, the median of three fits, or of one that takes longer than `LONG` seconds. A fit that met the
limit of wall time is a ``limit``: its seconds are then a lower bound, and so is the ratio. Where neither
ended the ratio says nothing and counts as 1. Errors are counted on the rows. Of the 16 sets of ConTree's
paper two ship with a package at hand: Bank (banknote) and Htru (HTRU2).

``--files FOLDER`` takes the files of ConTree's authors instead (``datasets/*.txt`` of their repository, the
class first), as they have scaled them. They ship with no package, and so not with this one.

``--add`` keeps the stored pairs of other depths, each with the limit and the machine of its own run.
``--large`` (a million rows), ``--anytime`` (best tree and bound over time beside the peers') and ``--gaps``
(price problems that stay open) measure these parts alone and keep all else: see `continuous_parts`.

The results go to ``data/results/bench_continuous.json``.
"""

import argparse
import json
import math
import time
import warnings
from pathlib import Path
from statistics import geometric_mean

import numpy as np

from tests.benchmarks.jobs.runner import ROOT, machine, write_results
from tests.benchmarks.searches.continuous_parts import PARTS
from treelib import OptimalSparseTreeClassifier, datasets

RESULTS = ROOT / "data" / "results" / "bench_continuous.json"
SETS = (
    "tsallis/iris",
    "tsallis/seeds",
    "tsallis/glass",
    "tsallis/wine",
    "tsallis/wdbc",
    "tsallis/banknote",
    "tsallis/digits",
    "bornagain/Pima-Diabetes/raw",
    "bornagain/Ionosphere",
    "bornagain/Spambase",
    "bornagain/HTRU2/raw",
)
DEPTHS = (2, 3, 4)
LONG = 3.0
# a difference below this many seconds is nothing
SHORT = 0.005


def main(arguments=None):
    """Measure, print and store."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="three small sets, results not kept")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds of wall time of a fit")
    parser.add_argument("--depths", type=int, nargs="+", default=DEPTHS)
    parser.add_argument("--add", action="store_true", help="keep the stored pairs of other depths")
    for part in PARTS:
        parser.add_argument(f"--{part}", action="store_true", help="this part only; the pairs are kept")
    parser.add_argument("--files", metavar="FOLDER", help="files of ConTree's authors, kept apart")
    parser.add_argument("--pytrees", metavar="PYTHON", help="an interpreter with pytrees-rs, for --anytime")
    options = parser.parse_args(arguments)
    chosen = [part for part in PARTS if getattr(options, part)]
    if chosen:
        return [keep_part(part, options.pytrees) for part in chosen]
    tables = packaged(SETS[:3] if options.quick else SETS) if options.files is None else files(options.files)
    records = []
    for name, X, y in tables:
        for depth in options.depths:
            records.append({"data": name, **measure(X, y, depth, options.limit), "limit": options.limit})
            print(show(records[-1]), flush=True)
    if options.files is not None:
        print(*(f"{key}: {value}" for key, value in summary(records).items()), sep="\n")
        return keep("files", machine(), {"summary": summary(records), "records": records})
    results = {"bench": "continuous", "machine": machine(), "limit": options.limit, "parts": stored_parts()}
    if options.add:
        results, records = added(results, records, options.depths)
    results |= {"summary": summary(records), "records": records}
    print(*(f"{key}: {value}" for key, value in results["summary"].items()), sep="\n")
    if options.quick:
        print("part of the benchmark only: results not kept")
    else:
        write_results(RESULTS, results)


def packaged(names):
    """Name, X and y of the sets that packages hold, of those at hand."""
    for name in names:
        try:
            data = datasets.load(name)
        except datasets.DatasetError as error:
            print(f"{name}: left out, {type(error).__name__}")
            continue
        X = np.asarray(data.X, np.float32).astype(np.float64)
        yield name, X, np.unique(data.y, return_inverse=True)[1]


def files(folder):
    """Name, X and y of the files in a folder, the class in the first place of a line."""
    paths = sorted(Path(folder).glob("*.txt"))
    if not paths:
        raise SystemExit(f"No file *.txt in {folder}; name the folder `datasets` of ConTree's repository.")
    for path in paths:
        table = np.loadtxt(path, ndmin=2)
        X = table[:, 1:].astype(np.float32).astype(np.float64)
        yield f"contree/{path.stem}", X, np.unique(table[:, 0], return_inverse=True)[1]


def stored_parts():
    """The parts that were measured on request."""
    return json.loads(RESULTS.read_text(encoding="utf-8")).get("parts", {}) if RESULTS.exists() else {}


def keep_part(part, python):
    """Measure a part and store it beside the pairs."""
    told = machine()
    keep(part, told, PARTS[part](python) if part == "anytime" else PARTS[part]())


def keep(part, told, found):
    """Store what was found of a part on the machine `told`."""
    results = json.loads(RESULTS.read_text(encoding="utf-8"))
    results["parts"] = {**results.get("parts", {}), part: {"machine": told, **found}}
    write_results(RESULTS, results)


def added(results, records, depths):
    """Results and records with the stored ones of other depths; the machines of both runs stand apart."""
    old = json.loads(RESULTS.read_text(encoding="utf-8"))
    kept = [{"limit": old["limit"], **one} for one in old["records"] if one["max_depth"] not in depths]
    place = {name: number for number, name in enumerate(SETS)}
    records = sorted(kept + records, key=lambda one: (place[one["data"]], one["max_depth"]))
    new = {"depths": list(depths), "limit": results["limit"], "machine": results["machine"]}
    runs = [run for run in old.get("added", []) if not set(run["depths"]) & set(depths)]
    return {**results, "machine": old["machine"], "limit": old["limit"], "added": [*runs, new]}, records


def measure(X, y, depth, limit):
    """One table at one depth, both programs."""
    from pycontree import ConTree

    model = OptimalSparseTreeClassifier(0.0, max_depth=depth, time_limit=limit)
    peer = ConTree(max_depth=depth, time_limit=limit)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # what is compiled depends on the number of classes and the sum of weights only
        OptimalSparseTreeClassifier(0.0, max_depth=depth, time_limit=1).fit(X, y)
        seconds, _ = processor_seconds(lambda: model.fit(X, y))
        peer_seconds, wall = processor_seconds(lambda: peer.fit(X, y))
    return {
        "n_rows": len(X),
        "n_columns": X.shape[1],
        "n_classes": int(y.max()) + 1,
        "max_depth": depth,
        "seconds": seconds,
        "status": model.status_,
        "errors": int((model.predict(X) != y).sum()),
        "lower_bound": math.ceil(model.lower_bound_ * len(y) - 1e-9),
        "table_bytes": int(X.nbytes),
        "search_bytes": int(model.search_stats_.get("n_bytes", 0)),
        "peer": "pycontree",
        "peer_seconds": peer_seconds,
        "peer_status": "limit" if wall >= limit else "ended",
        "peer_errors": int((np.asarray(peer.predict(X)) != y).sum()),
    }


def processor_seconds(function):
    """Median of processor seconds of three runs, or of one that is long; and the wall seconds of the last."""
    taken = []
    while len(taken) < 3 and (not taken or taken[-1] < LONG):
        wall, start = time.perf_counter(), time.process_time()
        function()
        taken.append(time.process_time() - start)
        wall = time.perf_counter() - wall
    return float(np.median(taken)), wall


def summary(records):
    """Geometric mean of the ratios, how many pairs are slower, and whether errors agree where both ended."""
    both = [r for r in records if r["status"] == "optimal" and r["peer_status"] == "ended"]
    slower = [
        f"{r['data']} depth {r['max_depth']}"
        for r in records
        if r["seconds"] > r["peer_seconds"] and r["seconds"] > SHORT and not has_no_end(r)
    ]
    return {
        "pairs": len(records),
        "geometric mean": mean_ratio(records),
        "geometric mean where one ended": mean_ratio([r for r in records if not has_no_end(r)]),
        "slower": slower,
        "neither ended": [f"{r['data']} depth {r['max_depth']}" for r in records if has_no_end(r)],
        "both proved": len(both),
        "errors differ": [r["data"] for r in both if r["errors"] != r["peer_errors"]],
        "most bytes over 10 tables": max(
            (r["search_bytes"] - 10 * r["table_bytes"] for r in records), default=None
        ),
    }


def has_no_end(record):
    """Whether both programs met the limit."""
    return record["status"] != "optimal" and record["peer_status"] == "limit"


def ratio(record):
    """How many times our seconds the peer took; 1 where neither ended."""
    return 1.0 if has_no_end(record) else record["peer_seconds"] / record["seconds"]


def mean_ratio(records):
    """Geometric mean of the ratios."""
    return round(geometric_mean(map(ratio, records)), 2) if records else None


def show(record):
    """One line."""
    more = ">" if record["peer_status"] == "limit" else " "
    return (
        f"{record['data']:30} depth {record['max_depth']}  {record['seconds']:9.4f} s {record['status']:10}"
        f" {record['errors']:5} errors   pycontree {more}{record['peer_seconds']:9.4f} s "
        f"{record['peer_errors']:5} errors  {more}{ratio(record):.1f}x"
    )


if __name__ == "__main__":
    main()
