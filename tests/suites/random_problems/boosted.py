"""Models read by treelib against the libraries that fitted them, on a million rows each.

``python -m tests.suites.random_problems.boosted --json FILE [--rows 1000000] [--libraries xgboost]``: of
every library and kind of model, as fitted and as read from the file that the library saves, the classes and
the sums of scores at random rows, half of whose values are thresholds or their neighbours in float64 and
float32, and at each of these once. A line of JSON a model: rows, and those where a class or a sum differs.
"""

import argparse
import json
import tempfile
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from tests.strategies.boosted_models import LIBRARIES, fitted
from tests.strategies.boosted_rows import rows_at_every_threshold, rows_near_thresholds
from treelib.bornagain.boosting.reading import read_boosted
from treelib.bornagain.ensemble.reading import as_ensemble

_ROWS_AT_ONCE = 100_000


def compare(library, name, n_rows):
    """Record of one model."""
    case = fitted(library, name)
    ensemble = as_ensemble(case.model, **case.options)
    saved = read_saved(library, case.model)
    record = {"library": library, "version": version(library), "model": name, "trees": ensemble.n_trees}
    record |= {"rows": 0, "at_thresholds": 0, "classes": 0, "sums": 0, "from_file": saved is not None}
    parts = [rows_at_every_threshold(ensemble, case.X, 0)]
    record["at_thresholds"] = len(parts[0])
    for seed in range(-(-n_rows // _ROWS_AT_ONCE)):
        n = min(_ROWS_AT_ONCE, n_rows - seed * _ROWS_AT_ONCE)
        parts.append(rows_near_thresholds(ensemble, case.X, n, seed, case.missing))
        record["rows"] += n
    for rows in parts:
        known = case.model.predict(rows)
        sums = None if case.scores is None else case.scores(rows).reshape(len(rows), -1)
        for one in filter(None, (ensemble, saved)):
            # a saved model does not know the labels, which are whole numbers from 0 here
            record["classes"] += int((one.predict(rows) != known).sum())
            if sums is not None:
                ours = one.predict_votes(rows)
                ours = ours[:, 1:] if sums.shape[1] == 1 else ours
                record["sums"] += int((ours != sums).any(axis=1).sum())
    return record


def read_saved(library, model):
    """The model as it is read from its file, None where the library has no file that can be read."""
    with tempfile.TemporaryDirectory() as folder:
        if library == "xgboost":
            path = Path(folder, "model.json")
            model.save_model(path)
        elif library == "lightgbm":
            path = Path(folder, "model.txt")
            model.booster_.save_model(path)
        else:
            return None
        return read_boosted(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--libraries", nargs="+", choices=LIBRARIES, default=list(LIBRARIES))
    parser.add_argument("--json", metavar="FILE", help="add the records to this file of lines")
    options = parser.parse_args()
    for library in options.libraries:
        if find_spec(library.replace("scikit-learn", "sklearn")) is None:
            print(f"{library}: not installed")
            continue
        for name in LIBRARIES[library]:
            record = compare(library, name, options.rows)
            print(", ".join(f"{key} {value}" for key, value in record.items()), flush=True)
            if options.json:
                with open(options.json, "a") as file:
                    file.write(json.dumps(record) + "\n")


if __name__ == "__main__":
    main()
