"""Tables of every shape under limits: is a stopped search late, too large, or worse than a greedy tree?

``python -m tests.suites.limits.shapes --json FILE [--cases N] [--cells N]`` measures the cases of the grid
one by one and adds a line of JSON for each. Cases that the file holds already are passed over, so a run can
be stopped and gone on with. `record_figures` makes the table on "How it is tested" of the file.

A case is a table, a search and a limit. Late is what the processor still did after the limit, which other
programs on the machine cannot lengthen much; too large is what the process grew by at its peak (Linux). The
optimal tree is compared with the greedy tree: scikit-learn's, grown under the same depth and leaves by the
Gini index and cut back to the objective. So are paths and Rashomon sets, of tables up to `MOST_COMPARED`
cells. ``--others`` draws from the other searches of `searches`.
"""

import argparse
import json
import random
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from tests.suites.limits import searches as others
from tests.suites.limits.measuring import resident, work_after
from treelib import OptimalSparseTreeClassifier

ROWS = (10, 100, 1_000, 5_000, 20_000, 200_000, 1_000_000)
COLUMNS = (1, 3, 8, 20, 100, 1_000, 5_000)
# values of a column; 0: all different
VALUES = (2, 10, 100, 0)
CLASSES = (2, 2, 3, 10, 50)
EXTRAS = ("", "", "weights", "missing", "categories")
# parameters of the search. A price without a limit of depth, and limits without a price.
SEARCHES = (
    {"regularization": 0.01},
    {"regularization": 0.001, "max_depth": 4},
    {"regularization": 0.0, "max_depth": 2},
    {"regularization": 0.0, "max_depth": 3},
    {"regularization": 0.005, "max_leaf_nodes": 5},
)
# those of `searches` by what they read: any table, numbers, or two classes of columns of 0 and 1
OTHERS = {
    "any": ("constrained", "required tests", "regularization path", "Rashomon set", "dyadic", "Bayesian",
            "top-down tree", "top-down tree, regression", "forest"),
    "numbers": ("born-again", "top-down tree, own criterion", "grid of criteria", "exact risk",
                "joint exact risk", "pessimistic risk", "selection"),
    "bits": ("branch and bound", "BinOCT"),
}  # fmt: skip
# those that look for the trees of a price, and the greedy tree of what they are compared with
COMPARED = {
    "regularization path": {"regularization": others.LOWEST},
    "Rashomon set": {"regularization": others.OF_RASHOMON},
}
MOST_COMPARED = 10**7
LIMITS = (
    *({"time_limit": seconds} for seconds in (1.0, 1.0, 1.0, 10.0)),
    *({"memory_limit": size, "time_limit": 5.0} for size in (50e6, 500e6, 2e9)),
)
MOST_CELLS = 2 * 10**7
# what a search may be late, in seconds and as a share of the limit, and larger than its limit
LATE, LATE_SHARE, LARGER = 1.0, 0.05, 1.25
# of the errors of tables whose tree has more leaves than the dyadic search can number, whose program is too
# large for the solver, or whose column of one value is to be tested
REFUSED = ("lower max_splits", "choose a smaller depth", "has one value in training")
# growth of a process that counts: its own objects and code are a few megabytes
LEAST_GROWTH = 20e6


def grid(seed=0, most_cells=MOST_CELLS, least_cells=0, searches=SEARCHES):
    """Cases without end, as dicts of plain values; each seed draws its own. Every axis is drawn evenly."""
    draw = random.Random(seed)
    while True:
        case = {
            "rows": draw.choice(ROWS),
            "columns": draw.choice(COLUMNS),
            "values": draw.choice(VALUES),
            "classes": draw.choice(CLASSES),
            "extra": draw.choice(EXTRAS),
            "search": draw.choice(searches),
            "limits": draw.choice(LIMITS),
            "seed": draw.randrange(2**31),
        }
        cells = case["rows"] * case["columns"]
        if least_cells <= cells <= most_cells and case["classes"] <= case["rows"]:
            yield case


def make_table(case):
    """X (a data frame where there are categories), y and weights or None of a case: classes with noise."""
    rng = np.random.default_rng(case["seed"])
    n, p, k = case["rows"], case["columns"], case["classes"]
    X = rng.random((n, p))
    if case["values"]:
        X = np.floor(X * case["values"]) / case["values"]
    signal = X[:, 0] + X[:, p // 2] * X[:, -1] + rng.normal(0, 0.2, n)
    ranks = np.argsort(np.argsort(signal))
    y = ranks * k // n
    if case["extra"] == "missing":
        X[rng.random((n, p)) < 0.05] = np.nan
    if case["extra"] == "categories":
        frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(p)])
        for j in range(0, min(p, 3)):
            frame[f"x{j}"] = pd.Categorical(np.floor(np.nan_to_num(X[:, j]) * 5).astype(int).astype(str))
        X = frame
    weights = rng.random(n) + 0.5 if case["extra"] == "weights" else None
    return X, y, weights


def numbers(X):
    """The table without categories and missing values, float64. Here these are larger than all numbers;
    scikit-learn's own trees also try them on the left."""
    if isinstance(X, pd.DataFrame):
        X = pd.get_dummies(X).to_numpy(np.float64)
    return np.where(np.isnan(X), 2.0, X)


def search_of(case, X, y, weights):
    """The search of a case on its table, a function of the limits that returns an `Answer`."""
    search = case["search"]
    if "name" not in search:

        def make(**limits):
            return OptimalSparseTreeClassifier(**search, **limits)

        return others.on_table(make, (X, y, weights))
    name = search["name"]
    if name == "constrained":
        return others.constrained((X, y, weights))
    if name == "required tests":
        return others.constrained((X, y, weights), required=[X.shape[1] - 1])
    if name in OTHERS["any"]:
        return others.SEARCHES[name][0]((X, y, weights))
    if name == "born-again":
        return others.of_forest(RandomForestClassifier(12, max_depth=5, random_state=0).fit(numbers(X), y))
    if name in OTHERS["numbers"]:
        return others.SEARCHES[name][0]((numbers(X), y))
    bits = (numbers(X) > 0.5).astype(np.uint8)
    return others.SEARCHES[name][0]((bits, (y > y[0]).astype(int)))


def limits_of(case):
    """The limits of a case that its search knows: some have none of memory."""
    _, kinds = others.SEARCHES.get(case["search"].get("name"), (None, "memory"))
    return {name: limit for name, limit in case["limits"].items() if "time" in name or "memory" in kinds}


def greedy_objective(X, y, weights, search):
    """Objective of scikit-learn's tree under the limits of `search`, cut back to the objective."""
    X = numbers(X)
    weights = np.ones(len(y)) if weights is None else weights
    price = search["regularization"] * weights.sum()
    leaves, depth = search.get("max_leaf_nodes"), search.get("max_depth")
    # the best trees of a price have few leaves: growing on beyond 12 levels only takes time, and so does to
    # split nodes that weigh less than the leaf penalty, which the cut below takes back
    fewest = 2 if leaves else max(2, int(price / weights.max()))
    model = DecisionTreeClassifier(
        max_depth=depth or 12, max_leaf_nodes=leaves, min_samples_split=fewest, random_state=0
    )
    tree = model.fit(X, y, sample_weight=weights).tree_
    by_class = tree.value[:, 0] * tree.weighted_n_node_samples[:, None]
    cost = by_class.sum(axis=1) - by_class.max(axis=1) + price
    for node in range(tree.node_count - 1, -1, -1):  # children come after their parent
        if tree.children_left[node] >= 0:
            split = cost[tree.children_left[node]] + cost[tree.children_right[node]]
            cost[node] = min(cost[node], split)
    return float(cost[0] / weights.sum())


def measure(case):
    """Record of one case: the case, and what its fit took, held, returned and proved."""
    X, y, weights = make_table(case)
    search = search_of(case, X, y, weights)
    before = resident("VmRSS", forget_peak=True)
    began, work = time.perf_counter(), time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        late, answer = work_after(case["limits"]["time_limit"], lambda: search(**limits_of(case)))
    work_done = time.process_time()
    record = {
        **case,
        "status": answer.status,
        "seconds": round(time.perf_counter() - began, 3),
        "cpu_seconds": round(work_done - work, 3),
        "late": round(late, 3),
        "grown": resident("VmHWM") - before,
        "n_bytes": int(answer.n_bytes) if np.isfinite(answer.n_bytes) else 0,
    }
    if np.isfinite(answer.lower_bound):
        record |= {"objective": answer.objective, "lower_bound": answer.lower_bound}
    if "name" not in case["search"]:
        record["leaves"] = answer.model.get_n_leaves()
    compared = COMPARED.get(case["search"].get("name"), case["search"])
    if "regularization" in compared and ("leaves" in record or X.size <= MOST_COMPARED):
        took = time.process_time()
        record["objective"], record["greedy"] = answer.objective, greedy_objective(X, y, weights, compared)
        record["greedy_seconds"] = round(time.process_time() - took, 3)
    return record


def faults(record):
    """What a record breaks of the promises: any of "late", "large", "bound", "greedy" (worse than it), and
    "hasty" (worse too, but the search had less time than the greedy tree took)."""
    found = []
    if record["late"] > max(LATE, LATE_SHARE * record["limits"]["time_limit"]):
        found.append("late")
    if held(record) > LARGER * limits_of(record).get("memory_limit", np.inf):
        found.append("large")
    if "lower_bound" in record and not 0 <= record["lower_bound"] <= record["objective"] + 1e-9:
        found.append("bound")
    if "greedy" in record and record["objective"] > record["greedy"] + 1e-9:
        # other programs can leave a search less of the processor than its limit
        had = min(record["limits"]["time_limit"], record["cpu_seconds"])
        is_short = had < record["greedy_seconds"]
        found.append("hasty" if is_short else "greedy")
    return found


def held(record):
    """Bytes that a record's search held: what it says, or what the process grew by."""
    return max(record["n_bytes"], record["grown"] if record["grown"] > LEAST_GROWTH else 0)


def warm_up(searches):
    """Compile the kernels of all searches, lane widths and kinds of table: the cases measure none."""
    tables = (
        (2, 100, "", 0),
        (3, 100, "", 0),
        (2, 40_000, "", 0),
        (3, 40_000, "", 0),
        (2, 100, "weights", 0),
    )
    for classes, rows, extra, values in (*tables, (2, 100, "", 2)):
        case = {"rows": rows, "columns": 3, "values": values, "classes": classes, "extra": extra, "seed": 0}
        for search in searches:
            measure(case | {"search": search, "limits": {"time_limit": 0.3}})


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--json", required=True, metavar="FILE", help="lines of JSON; it may hold some already"
    )
    parser.add_argument("--cases", type=int, default=60, help="of the grid (default: 60)")
    parser.add_argument("--cells", type=int, default=MOST_CELLS, help="most rows x columns")
    parser.add_argument("--least", type=int, default=0, help="fewest rows x columns")
    parser.add_argument("--others", action="store_true", help="the other searches, not the optimal tree")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--strict", action="store_true", help="exit code 1 for a wrong bound")
    options = parser.parse_args()
    place = Path(options.json)
    known = [json.loads(line) for line in place.read_text().splitlines()] if place.is_file() else []
    done = {json.dumps([record[name] for name in ("rows", "columns", "seed")]) for record in known}
    searches = SEARCHES
    if options.others:
        searches = [{"name": name} for names in OTHERS.values() for name in names]
    warm_up(searches)
    cases, wrong = grid(options.seed, options.cells, options.least, searches), 0
    for _ in range(options.cases):
        case = next(cases)
        if json.dumps([case[name] for name in ("rows", "columns", "seed")]) in done:
            continue
        try:
            record = measure(case)
        except ValueError as refused:  # a table beyond what a search can count says what to do, at once
            if not any(words in str(refused) for words in REFUSED):
                raise
            print(f"{case} is refused: {refused}", flush=True)
            continue
        if {"late", "large"} & set(faults(record)):  # a kernel that was compiled: the better run counts
            record = min(record, measure(case), key=lambda one: (len(faults(one)), one["late"]))
        with place.open("a") as file:
            file.write(json.dumps(record) + "\n")
        shape = f"{case['rows']:>9,} x {case['columns']:<5} {case['values'] or 'all':>4} {case['classes']:>3}"
        against = " / ".join(f"{record[name]:.4f}" for name in ("objective", "greedy") if name in record)
        print(
            f"{shape} {case['extra']:<11}{case['search']} {case['limits']}: {record['status']}, "
            f"late {record['late']:.2f}, {record['grown'] / 1e6:.0f} MB, {against}",
            *faults(record),
            flush=True,
        )
        wrong += "bound" in faults(record)
    if options.strict and wrong:
        raise SystemExit(f"{wrong} cases with a wrong bound.")


if __name__ == "__main__":
    main()
