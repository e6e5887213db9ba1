"""Parts of ``make bench-continuous`` that run on request: ``--large``, ``--anytime``, ``--gaps``.

Each part is kept beside the pairs in ``data/results/bench_continuous.json``, under "parts", with the machine
of its own run. Seconds are processor time: a machine that others share makes no curve longer.
"""

import resource
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np

from tests.benchmarks.jobs.cases import Case, load_columns
from tests.benchmarks.jobs.runner import ROOT, Workers
from treelib import OptimalSparseTreeClassifier, datasets
from treelib.search.budget import Budget
from treelib.sparse.continuous.search import optimal_tree

N_ROWS, N_COLUMNS, FEW_VALUES = 1_000_000, 20, 256
# bytes that a fit of a million rows may take, and seconds of the clock at depth three
MEMORY, LARGE_LIMIT = "4G", 100.0
CURVES = ("bornagain/Pima-Diabetes/raw", "tsallis/digits", "bornagain/Spambase", "bornagain/HTRU2/raw")
CURVE_DEPTH, CURVE_SECONDS = 4, 5.0
CONTREE_LIMITS = (0.3, 1.0, 3.0)
# thresholds a column and levels of lookahead of licketysplit, which takes columns of 0 and 1
LICKETY = ((10, 1), (30, 1))
OPEN = (("tsallis/wdbc", 0.01), ("bornagain/Pima-Diabetes/raw", 0.02))
GAP_SECONDS = 60


# ---- a million rows -----------------------------------------------------------------------------------


def large_table(n_values=None, n_rows=N_ROWS, noise=0.1, seed=1):
    """Rows of `N_COLUMNS` random numbers, all different or of so many values, labelled by a depth-three tree.

    Each row has the wrong class with probability `noise`.
    """
    rng = np.random.default_rng(seed)
    X = rng.random((n_rows, N_COLUMNS))
    y = np.zeros(n_rows, np.intp)
    node = np.zeros(n_rows, np.intp)
    for _ in range(3):
        cuts = 0.35 + 0.3 * rng.random(8)
        is_right = X[np.arange(n_rows), node] > cuts[node]
        node = 2 * node + 1 + is_right
    y = node % 2
    y = np.where(rng.random(n_rows) < noise, 1 - y, y)
    return (X if n_values is None else np.floor(X * n_values)), y


def large():
    """A million rows of different numbers and of 256 values: depth two to the proof, three to the limit."""
    small_X, small_y = large_table(n_rows=50_000)
    for depth in (2, 3):  # kernels are compiled, also those that count many rows
        _quiet_fit(small_X, small_y, depth, 3.0)
    records = []
    for n_values in (None, FEW_VALUES):
        X, y = large_table(n_values)
        for depth in (2, 3):
            start = time.process_time()
            model = _quiet_fit(X, y, depth, LARGE_LIMIT)
            seconds = time.process_time() - start
            errors = int((model.predict(X) != y).sum())
            records.append(
                {
                    "values": n_values or "all different", "n_rows": len(X), "n_columns": X.shape[1],
                    "max_depth": depth, "seconds": round(seconds, 2), "status": model.status_,
                    "errors": errors, "lower_bound": int(np.ceil(model.lower_bound_ * len(y) - 1e-6)),
                    "greedy_errors": greedy_errors(X, y, depth), "table_bytes": int(X.nbytes),
                    "search_bytes": int(model.search_stats_["n_bytes"]),
                    "peak_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
                }
            )  # fmt: skip
            print(records[-1], flush=True)
    return {"limit": LARGE_LIMIT, "memory_limit": MEMORY, "records": records}


def greedy_errors(X, y, depth):
    """Errors of the tree of scikit-learn, which takes the best Gini gain."""
    from sklearn.tree import DecisionTreeClassifier

    greedy = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(X, y)
    return int((greedy.predict(X) != y).sum())


def _quiet_fit(X, y, depth, limit):
    model = OptimalSparseTreeClassifier(0.0, max_depth=depth, time_limit=limit, memory_limit=MEMORY)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(X, y)


# ---- best tree and bound over time --------------------------------------------------------------------


def anytime(python=None):
    """Errors of the best tree and bound over processor seconds: ours, pytrees-rs, pycontree, licketysplit.

    python : path of an interpreter that has pytrees-rs, or None to leave it out
    """
    records = []
    for name in CURVES:
        data = datasets.load(name)
        X = np.ascontiguousarray(np.asarray(data.X, np.float32), np.float64)
        y = np.unique(data.y, return_inverse=True)[1]
        curves = [ours(X, y), *contree(X, y), *lickety(name, y)]
        if python is not None:
            curves.append(pytrees(python, X, y))
        for curve in curves:
            records.append({"data": name, **curve})
            print(name, curve["program"], at_second(curve["points"], 1.0), curve["points"][-1:], flush=True)
    return {"max_depth": CURVE_DEPTH, "seconds": CURVE_SECONDS, "records": records}


def at_second(points, seconds):
    """Fewest errors of a curve at that time, or None."""
    return min((point[1] for point in points if point[0] <= seconds), default=None)


def ours(X, y):
    """Our curve: [seconds, errors, bound] where one of both changes."""
    optimal_tree(X, y, max_depth=CURVE_DEPTH, budget=Budget(time_limit=1.0))  # compiled
    clock, start = [], time.process_time()
    budget = Budget()

    def is_late():
        clock.append((budget.seconds, time.process_time() - start))
        return clock[-1][1] > CURVE_SECONDS

    budget.cancel = is_late
    found = optimal_tree(X, y, max_depth=CURVE_DEPTH, budget=budget)
    used = time.process_time() - start
    wall = [0.0, *(one for one, _ in clock), budget.seconds]
    cpu = [0.0, *(two for _, two in clock), used]
    trace = found.trace
    seconds = np.interp(trace["seconds"], wall, cpu)
    points = [
        [round(float(when), 4), round(float(best) * len(y)), int(np.ceil(float(lower) * len(y) - 1e-6))]
        for when, best, lower in zip(seconds, trace["objective"], trace["lower_bound"], strict=True)
    ]
    return {"program": "treelib", "points": thinned(points), "is_proved": found.is_optimal}


def thinned(points):
    """Points where the errors changed, or the bound by more than a hundredth of them; and the last."""
    kept = []
    for point in points:
        if kept and point[1] == kept[-1][1] and point[2] - kept[-1][2] < 0.01 * point[1]:
            continue
        kept.append(point)
    return kept if kept[-1] == points[-1] else [*kept, points[-1]]


def contree(X, y):
    """pycontree tells nothing on its way: a point a limit."""
    try:
        from pycontree import ConTree
    except ImportError:
        return []
    points = []
    for limit in CONTREE_LIMITS:
        start = time.process_time()
        model = ConTree(max_depth=CURVE_DEPTH, time_limit=limit)
        model.fit(X, y)
        seconds = time.process_time() - start
        points.append([round(seconds, 4), int((np.asarray(model.predict(X)) != y).sum())])
    return [{"program": "pycontree", "points": points}]


def lickety(name, y):
    """licketysplit on columns of 0 and 1, as many thresholds a column as told; two classes only."""
    try:
        from licketysplit import LicketySPLITClassifier
    except ImportError:
        return []
    if y.max() > 1:
        return []
    points = []
    for thresholds, lookahead in LICKETY:
        load_columns.cache_clear()
        start = time.process_time()
        columns = load_columns(f"{name}/q{thresholds}")[0]
        model = LicketySPLITClassifier(lambda_leaf=1e-9, depth_budget=CURVE_DEPTH, lookahead_k=lookahead)
        model.fit(columns, y)
        seconds = time.process_time() - start
        errors = int((np.asarray(model.predict(columns)) != y).sum())
        points.append([round(seconds, 4), errors, thresholds, lookahead])
    return [{"program": "licketysplit", "points": sorted(points)}]


# told by an interpreter of its own: pytrees-rs is no dependency of the project
PYTREES = """
import json, sys, time
from importlib.metadata import version
import numpy as np
from pytrees import ConTreeClassifier
table = np.load(sys.argv[1])
depth, seconds = int(sys.argv[2]), float(sys.argv[3])
model = ConTreeClassifier(max_depth=depth, max_time=2 * seconds, sort_by_heuristic=True)
points, start = [], time.process_time()
model.fit_anytime(table["X"], table["y"], lambda *told: points.append([time.process_time() - start, told[0]]))
used = time.process_time() - start
errors = int((model.predict(table["X"]) != table["y"]).sum())
points = [[round(one, 4), int(two)] for one, two in [*points, [used, errors]] if one <= seconds]
print(json.dumps({"points": points, "status": model.status_, "version": version("pytrees-rs")}))
"""


def pytrees(python, X, y):
    """The anytime search of pytrees-rs for trees on numbers: a point a better tree."""
    import json
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.npz"
        np.savez(path, X=X, y=y)
        run = subprocess.run(
            [python, "-c", PYTREES, str(path), str(CURVE_DEPTH), str(CURVE_SECONDS)],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
    return {"program": "pytrees-rs", **json.loads(run.stdout)}


# ---- gaps where nobody proves -------------------------------------------------------------------------


def gaps():
    """Objective and lower bound after `GAP_SECONDS` of the price problems that are open then."""
    records = []
    for name, price in OPEN:
        data = datasets.load(name)
        start = time.process_time()
        y = np.unique(data.y, return_inverse=True)[1]
        budget = Budget(cancel=lambda start=start: time.process_time() - start > GAP_SECONDS)
        found = optimal_tree(np.asarray(data.X, float), y, regularization=price, budget=budget)
        records.append(
            {
                "data": name, "regularization": price, "program": "treelib", "objective": found.objective,
                "lower_bound": found.lower_bound, "leaves": found.tree.n_leaves, "ended": found.status,
                "seconds": round(time.process_time() - start, 2),
            }
        )  # fmt: skip
        print(records[-1], flush=True)
    with Workers(["imodels", "gosdt"]) as workers:  # those that tell a bound
        for name, price in OPEN:
            for solver in workers.solvers:
                told = workers.run(solver, Case(name, price), GAP_SECONDS, repeats=1)
                kept = {
                    key: told.get(key) for key in ("objective", "lower_bound", "leaves", "ended", "error")
                }
                seconds = (told.get("cpu_seconds") or [None])[0]
                one = {"data": name, "regularization": price, "program": solver, **kept}
                records.append({**one, "seconds": seconds})
                print(records[-1], flush=True)
    return {"seconds": GAP_SECONDS, "records": records}


PARTS = {"large": large, "anytime": anytime, "gaps": gaps}
if __name__ == "__main__":
    sys.exit(f"Run `make bench-continuous ARGS=--large` in {ROOT.name}, or --anytime, --gaps.")
