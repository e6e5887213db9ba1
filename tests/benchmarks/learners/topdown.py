"""The top-down learner measured against scikit-learn and two public programs: ``make bench-topdown``.

- ``fit``: whole fits beside `DecisionTreeClassifier` on the same data, small and large;
- ``grid``: 40 alphas x 10 betas on five folds by `fit_grid`, beside one scikit-learn fit a point and fold
  (those of one point are timed, and counted 400 times);
- ``forest``: random forests of 100 trees beside `RandomForestClassifier`, same settings, one thread;
- ``own``: a criterion that no program has built in, beside custom-tree-classifier and csdt, on several sets.

Seconds are processor time of one thread, the least of two or more runs, so that compiling is not in it
(`tests.benchmarks.waiting.first_fit` measures that). csdt asks for one old version of numpy; it runs on the
present one, but has to be installed apart:
``pip install --no-deps --target FOLDER csdt==1.0.9 graphviz``, then ``ARGS="--csdt FOLDER"``.
The results go to ``data/results/bench_topdown.json``; of a run of some parts, these replace those stored, and
``machines`` says where and when.
"""

import argparse
import importlib
import json
import math
import sys
import time

import numpy as np
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from tests.benchmarks.jobs.runner import ROOT, machine, write_results
from treelib import TopDownForestClassifier, TopDownTreeClassifier, Tree, datasets
from treelib.topdown.criteria import resolve
from treelib.topdown.grid.fit_grid import fit_grid, tsallis_grid

RESULTS = ROOT / "data" / "results" / "bench_topdown.json"
REAL = (
    "tsallis/iris",
    "tsallis/wine",
    "tsallis/seeds",
    "tsallis/glass",
    "tsallis/cryotherapy",
    "tsallis/algerian_forest_fires",
    "tsallis/wdbc",
    "tsallis/banknote",
    "tsallis/digits",
)
SYNTHETIC = tuple(f"{n} x {p}" for n in (1000, 10_000, 100_000, 1_000_000) for p in (10, 50))
# few and many rows, features, distinct values and classes
FORESTS = ("tsallis/wine", "tsallis/wdbc", "tsallis/digits", "5000 x 40 bits", "1000 x 500", "20000 x 20")
# two classes each, since one of the programs has a share as its prediction; few and many rows and columns
OWN = (
    "tsallis/cryotherapy",
    "tsallis/algerian_forest_fires",
    "tsallis/wdbc",
    "tsallis/banknote",
    "1000 x 10",
)
GRID = tsallis_grid(np.linspace(0.125, 5, 40), range(1, 11))
QUICK_ROWS = 10_000  # most rows of random data under --quick
REPEAT_SECONDS = 1.0  # within which a third run and those after it must start


def main(arguments=None):
    options = parse(arguments)
    if options.csdt:
        sys.path.append(options.csdt)
    results = {"bench": "topdown", "machine": machine(), "records": []}
    for name, measure in MEASURE.items():
        if options.parts and name not in options.parts:
            continue
        for record in measure(options):
            results["records"].append({"part": name, **record})
            print(show(results["records"][-1]), flush=True)
    results["summary"] = summary(results["records"])
    print(*(f"{key}: {value}" for key, value in results["summary"].items()), sep="\n")
    if options.quick or (options.parts and not RESULTS.is_file()):
        print("part of the benchmark only: results not kept")
    else:
        write_results(RESULTS, merged(results, options.parts) if options.parts else results)


def merged(results, parts):
    """The stored results with some parts measured anew."""
    stored = json.loads(RESULTS.read_text(encoding="utf-8"))
    machines = stored.get("machines", {}) | dict.fromkeys(parts, results["machine"])
    kept = [record for record in stored["records"] if record["part"] not in parts]
    records = sorted(kept + results["records"], key=lambda record: list(MEASURE).index(record["part"]))
    return stored | {"machines": machines, "summary": summary(records), "records": records}


def best_seconds(function, most=50):
    """Processor seconds of the fastest of two to `most` runs, and what the last one returned."""
    best, begin = math.inf, time.perf_counter()
    for run in range(most):
        if run >= 2 and time.perf_counter() - begin > REPEAT_SECONDS:
            break
        start = time.process_time()
        result = function()
        best = min(best, time.process_time() - start)
    return best, result


def data_of(name):
    """X, y of a data set by name, or of random rows for ``n x p``, 0 and 1 for ``n x p bits``."""
    if " x " not in name:
        data = datasets.load(name)
        return np.asarray(data.X, dtype=float), data.y
    n, p = map(int, name.removesuffix(" bits").split(" x "))
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, p))
    y = ((X[:, 0] * X[:, 1] > 0) ^ (rng.random(n) < 0.2)).astype(int)
    return (X > 0).astype(float) if name.endswith("bits") else X, y


def n_random_rows(name):
    """Rows of the random data of this name, 0 for a data set."""
    return int(name.partition(" x ")[0]) if " x " in name else 0


def usable(names, options):
    """Those of the names whose data can be had here, and are small enough for the options."""
    most = QUICK_ROWS if options.quick else math.inf
    stored = available([name for name in names if " x " not in name])
    return [name for name in names if name in stored or 0 < n_random_rows(name) <= most]


def total_cost(tree, criterion):
    """Sum over the leaves of weight times impurity."""
    counts = tree.value[tree.is_leaf]
    return float(resolve(criterion).impurity(counts) @ counts.sum(axis=1))


def measure_fits(options):
    for name in usable(REAL + SYNTHETIC, options):
        X, y = data_of(name)
        for criterion in ("gini", "entropy"):
            for depth in (5, None) if len(X) <= 10_000 else (5,):
                model = TopDownTreeClassifier(criterion, max_depth=depth)
                peer = DecisionTreeClassifier(criterion=criterion, max_depth=depth, random_state=0)
                ours, fitted = best_seconds(lambda model=model, X=X, y=y: model.fit(X, y))
                theirs, reference = best_seconds(lambda peer=peer, X=X, y=y: peer.fit(X, y))
                yield {
                    "data": name,
                    "n_rows": len(X),
                    "criterion": criterion,
                    "max_depth": depth,
                    "seconds": ours,
                    "peer": "scikit-learn",
                    "peer_seconds": theirs,
                    "cost": total_cost(fitted.tree_, criterion),
                    "peer_cost": total_cost(Tree.from_sklearn(reference), criterion),
                }


def measure_grids(options):
    for name in usable(REAL, options):
        X, y = data_of(name)
        folds = list(StratifiedKFold(5, shuffle=True, random_state=0).split(X, y))
        ours, found = best_seconds(lambda X=X, y=y, f=folds: fit_grid(X, y, GRID, folds=f, max_depth=5), 5)

        def one_each(X=X, y=y, folds=folds):
            for train, test in folds:
                DecisionTreeClassifier(max_depth=5).fit(X[train], y[train]).predict(X[test])

        theirs, _ = best_seconds(one_each, 10)
        yield {
            "data": name,
            "n_rows": len(X),
            "n_trees": found.accuracy.size,
            "seconds": ours,
            "peer": "scikit-learn",
            "peer_seconds": theirs * len(GRID),
            "best_accuracy": float(found.accuracy.mean(axis=1).max()),
        }


def measure_forests(options):
    for name in usable(FORESTS, options):
        X, y = data_of(name)
        for criterion in ("gini", "entropy"):
            settings = {"criterion": criterion, "n_estimators": 100, "random_state": 0, "n_jobs": 1}
            model, peer = TopDownForestClassifier(**settings), RandomForestClassifier(**settings)
            scores = [clone(kind).set_params(oob_score=True).fit(X, y).oob_score_ for kind in (model, peer)]
            ours, fitted = best_seconds(lambda model=model, X=X, y=y: model.fit(X, y))
            theirs, reference = best_seconds(lambda peer=peer, X=X, y=y: peer.fit(X, y))
            yield {
                "data": name,
                "n_rows": len(X),
                "criterion": criterion,
                "n_trees": 100,
                "seconds": ours,
                "peer": "scikit-learn",
                "peer_seconds": theirs,
                "leaves": float(np.mean([tree.n_leaves for tree in fitted.trees_])),
                "peer_leaves": float(np.mean([tree.get_n_leaves() for tree in reference.estimators_])),
                "accuracy": float(scores[0]),
                "peer_accuracy": float(scores[1]),
            }


def squared_gini(p):
    """A criterion that no program has built in."""
    return (1 - (p**2).sum(axis=1)) ** 2


def measure_own(options):
    for name in usable(OWN, options):
        X, y = data_of(name)
        model = TopDownTreeClassifier(squared_gini, max_depth=5)
        ours, fitted = best_seconds(lambda model=model, X=X, y=y: model.fit(X, y))
        for peer, prepare in PEERS.items():
            try:
                fit, predict = prepare(X, y)
            except ImportError:
                print(f"{peer} is not installed and left out")
                continue
            theirs, fitted_peer = best_seconds(fit, 2)
            yield {
                "data": name,
                "n_rows": len(X),
                "max_depth": 5,
                "seconds": ours,
                "peer": peer,
                "peer_seconds": theirs,
                "accuracy": float(fitted.score(X, y)),
                "peer_accuracy": float((predict(fitted_peer) == y).mean()),
            }


def custom_tree_classifier(X, y):
    """How custom-tree-classifier 1.0.4 fits and predicts; its criteria are functions of the rows' targets."""
    module = importlib.import_module("custom_tree_classifier")
    base = importlib.import_module("custom_tree_classifier.metrics").MetricBase

    class SquaredGini(base):
        @staticmethod
        def compute_metric(metric_data):
            share = metric_data[:, 0].mean() if len(metric_data) else 0.0
            return (1 - share**2 - (1 - share) ** 2) ** 2

        @staticmethod
        def compute_delta(split, metric_data):
            share, of = split.mean(), SquaredGini.compute_metric
            return of(metric_data) - share * of(metric_data[split]) - (1 - share) * of(metric_data[~split])

    def fit():
        model = module.CustomDecisionTreeClassifier(max_depth=5, metric=SquaredGini)
        model.fit(X, y, y[:, None])
        return model

    return fit, lambda model: model.predict_proba(X).argmax(axis=1)


def csdt(X, y):
    """How csdt 1.0.9 fits and predicts; its criteria return a prediction and an impurity."""
    from pandas import DataFrame

    module = importlib.import_module("csdt")

    def squared_gini_of(labels, features, initial):
        share = labels.mean()
        return np.array([share]), (1 - share**2 - (1 - share) ** 2) ** 2

    rows, labels = DataFrame(X), DataFrame(y)

    def fit():
        options = {"max_depth": 5, "min_samples_leaf": 1, "min_samples_split": 2}
        model = module.CSDT(split_criteria=squared_gini_of, **options)
        model.fit(rows, labels)
        return model

    return fit, lambda model: np.asarray(model.predict(rows)).ravel() > 0.5


PEERS = {"custom-tree-classifier": custom_tree_classifier, "csdt": csdt}


MEASURE = {
    "fit": measure_fits,
    "grid": measure_grids,
    "forest": measure_forests,
    "own": measure_own,
}


def available(names):
    """Those of the data sets that can be loaded here."""
    found = []
    for name in names:
        try:
            datasets.load(name)
        except datasets.DatasetError as error:
            print(f"{name} is left out: {error}")
        else:
            found.append(name)
    return found


def summary(records):
    """Largest ratio of our time to the peer's in each part, and where it was."""

    def worst(part, **wanted):
        chosen = [
            r for r in records if r["part"] == part and all(test(r[key]) for key, test in wanted.items())
        ]
        if not chosen:
            return None
        record = max(chosen, key=lambda r: r["seconds"] / r["peer_seconds"])
        return {"ratio": round(record["seconds"] / record["peer_seconds"], 4), "data": record["data"]}

    return {
        "fit, fewer than 10,000 rows": worst("fit", n_rows=lambda n: n < 10_000),
        "fit, 10,000 rows and more": worst("fit", n_rows=lambda n: n >= 10_000),
        "grid": worst("grid"),
        "forest": worst("forest"),
        "own criterion, fewer than 500 rows": worst("own", n_rows=lambda n: n < 500),
        "own criterion, 500 rows and more": worst("own", n_rows=lambda n: n >= 500),
    }


def show(record):
    label = f"{record['part']:7}{record['data']:32}" + " ".join(
        str(record[key]) for key in ("criterion", "max_depth", "kernels", "peer") if key in record
    )
    text = f"{label:60} {1000 * record['seconds']:10.2f} ms"
    if "peer_seconds" in record:
        text += (
            f" of {1000 * record['peer_seconds']:11.2f} ms: {record['seconds'] / record['peer_seconds']:.4f}"
        )
    return text


def parse(arguments):
    parser = argparse.ArgumentParser(prog="bench-topdown", description=__doc__.partition("\n")[0])
    parser.add_argument("--parts", nargs="+", choices=list(MEASURE), help="only these parts")
    parser.add_argument("--quick", action="store_true", help="random data of up to 10,000 rows only")
    parser.add_argument("--csdt", metavar="FOLDER", help="where csdt was installed")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
