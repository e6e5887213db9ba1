"""Fewest re-weighted trees of boosted models on six of FIPE's data sets: ``make bench-compress``.

Emine, Forel, Malek and Vidal (AAAI 2025) prune boosted ensembles so that the class stays the same
everywhere, with a commercial solver. Here are six of their eleven data sets, those that the project holds,
split 80 to 20, and about 50 trees of depth 2 to 4 each. A compressed ensemble is certified over the whole
feature space; the fewest trees are proved too, or the lower bound is given. Classes are also compared on
random rows with those of the library. One thread, one process; seconds of CPU, without those of compiling.
Results: ``data/results/bench_compress.json``; each record has its limit and its commit.
"""

import argparse
import json
import math
import sys
import time
import warnings
from importlib.metadata import version
from importlib.util import find_spec

import numpy as np

from tests.benchmarks.jobs.runner import ROOT, machine, write_results

SETS = {
    "Seeds": "bornagain/Seeds/raw",
    "COMPAS": "bornagain/COMPAS-ProPublica/raw",
    "FICO": "bornagain/FICO/raw",
    "Breast cancer": "bornagain/Breast-Cancer-Wisconsin/raw",
    "Pima": "bornagain/Pima-Diabetes/raw",
    "Spambase": "bornagain/Spambase",
}
MODELS = ("AdaBoost", "GradientBoosting", "XGBoost", "LightGBM")
RESULTS = ROOT / "data" / "results" / "bench_compress.json"
TIME_LIMIT = 600.0
N_RANDOM = 100_000
WHEN = ("date", "commit", "load_at_start")  # of the machine, kept with each record
MOST_CELLS = 1_000_000  # of a compressed ensemble whose born-again tree is looked for


def unfitted(name, n_classes):
    """Model of about 50 trees: rounds of a boosted model have one tree a class where there are more than
    two."""
    rounds = 50 if n_classes == 2 else 50 // n_classes
    if name == "AdaBoost":
        from sklearn.ensemble import AdaBoostClassifier
        from sklearn.tree import DecisionTreeClassifier

        return AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=50, random_state=0)
    if name == "GradientBoosting":
        from sklearn.ensemble import GradientBoostingClassifier

        return GradientBoostingClassifier(n_estimators=rounds, max_depth=2, random_state=0)
    if name == "XGBoost":
        from xgboost import XGBClassifier

        return XGBClassifier(n_estimators=rounds, max_depth=3, random_state=0, n_jobs=1)
    from lightgbm import LGBMClassifier

    return LGBMClassifier(n_estimators=rounds, max_depth=4, random_state=0, n_jobs=1, verbose=-1)


def measure(data, name, time_limit):
    """Record of one data set and model."""
    from sklearn.model_selection import train_test_split

    from treelib import BornAgainTreeClassifier, datasets
    from treelib.bornagain.compression import compress
    from treelib.bornagain.ensemble.cells import thresholds
    from treelib.bornagain.ensemble.reading import as_ensemble

    table = datasets.load(SETS[data])
    X, y = np.asarray(table.X, dtype=float), np.unique(np.asarray(table.y), return_inverse=True)[1]
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.2, random_state=0)
    model = unfitted(name, len(np.unique(y))).fit(X_train, y_train)
    ensemble = as_ensemble(model)
    start = time.process_time()
    found = compress(model, X_train, time_limit=time_limit)
    cpu = time.process_time() - start
    rows = random_rows(ensemble, X)
    classes = found.ensemble.classes[found.ensemble.predict(rows)]
    n_cells = math.prod(len(cuts) + 1 for cuts in thresholds(found.ensemble))
    record = {
        "data": data,
        "model": name,
        "n_features": X.shape[1],
        "n_classes": len(np.unique(y)),
        "n_trees": found.n_original,
        "n_kept": found.n_trees,
        "lower_bound": found.lower_bound,
        "status": found.status,
        "covers_missing": found.covers_missing,
        "n_leaves": ensemble.n_leaves,
        "n_leaves_kept": found.ensemble.n_leaves,
        "n_thresholds": sum(map(len, thresholds(ensemble))),
        "n_boxes": found.stats["n_boxes"],
        "n_programs": found.stats["n_programs"],
        "cpu_seconds": cpu,
        "wall_seconds": found.seconds,
        "test_accuracy": float((model.predict(X_test) == y_test).mean()),
        "n_random_rows": len(rows),
        "n_mismatches": int((classes != model.predict(rows)).sum()),
    }
    if n_cells <= MOST_CELLS:
        reborn = BornAgainTreeClassifier(objective="leaves", time_limit=20.0).from_ensemble(found.ensemble)
        record |= {"reborn_leaves": int(reborn.tree_.n_leaves), "reborn_depth": int(reborn.tree_.max_depth)}
        record |= {"reborn_status": reborn.status_, "n_cells": n_cells}
    return record


def random_rows(ensemble, X):
    """Rows of thresholds and their neighbours, mixed with values of `X`, float64 (n, n_features)."""
    from treelib.bornagain.ensemble.cells import thresholds

    rng = np.random.default_rng(0)
    rows = X[rng.integers(len(X), size=(N_RANDOM, X.shape[1])), np.arange(X.shape[1])]
    for j, cuts in enumerate(thresholds(ensemble)):
        if len(cuts):
            near = np.concatenate([cuts, np.nextafter(cuts, np.inf)])
            chosen = rng.random(len(rows)) < 0.5
            rows[chosen, j] = rng.choice(near, chosen.sum())
    return rows


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="bench-compress", description=__doc__.partition("\n")[0])
    parser.add_argument("--limit", type=float, default=TIME_LIMIT, help="seconds of each compression")
    parser.add_argument("--sets", nargs="+", choices=list(SETS), default=list(SETS))
    parser.add_argument("--models", nargs="+", choices=MODELS, default=list(MODELS))
    parser.add_argument("--keep", action="store_true", help="put a part in place of what is stored")
    options = parser.parse_args(arguments)
    missing = [name for name in ("xgboost", "lightgbm") if find_spec(name) is None]
    models = [name for name in options.models if name.lower() not in missing]
    warnings.simplefilter("ignore")
    results = {"bench": "compress", "machine": machine(), "time_limit": options.limit, "records": []}
    results["machine"]["versions"] |= {
        name: version(name) for name in ("xgboost", "lightgbm") if name not in missing
    }
    for name in models:
        measure("Seeds", name, 5.0)  # compiles
    for data in options.sets:
        for name in models:
            record = measure(data, name, options.limit) | {"time_limit": options.limit}
            record |= {key: results["machine"][key] for key in WHEN}
            results["records"].append(record)
            print_record(record)
    if options.sets == list(SETS) and models == list(MODELS):
        write_results(RESULTS, results)
    elif options.keep:
        write_results(RESULTS, merged(json.loads(RESULTS.read_text(encoding="utf-8")), results))
    else:
        print("part of the cases only: results not kept")
    return int(any(record["n_mismatches"] for record in results["records"]))


def merged(stored, found):
    """The stored run with the records of `found` in place of those of the same cases."""
    new = {(record["data"], record["model"]): record for record in found["records"]}
    records = [new.get((record["data"], record["model"]), record) for record in stored["records"]]
    return stored | {"records": records}


def print_record(r):
    reborn = f"reborn {r['reborn_leaves']} leaves ({r['reborn_status']})" if "reborn_leaves" in r else ""
    print(
        f"{r['data']:14s} {r['model']:17s} {r['n_kept']:3d} of {r['n_trees']:3d} trees, at least "
        f"{r['lower_bound']:3d}, {r['status']:10s} {r['cpu_seconds']:7.1f} s CPU {r['wall_seconds']:7.1f} s "
        f"{r['n_boxes']:9,d} boxes, {r['n_mismatches']} mismatches {reborn}",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
