"""The first fit of every estimator in a process, seconds on the clock: ``make bench-first-fit``.

Each program imports its estimator, reads a table of scikit-learn and fits it; all of that counts. It is run
with an empty cache of compiled kernels, as on a new machine, and again with the cache that it left,
``--runs`` times each. Every run is kept, tables show medians. Ways:

- ``checkout``: this folder, whose kernels are compiled at the first fit;
- ``wheel``: with ``--wheel FILE``, a wheel that brings kernels (``python .ci/kernels_ahead.py``), installed
  into an environment of its own;
- ``before``: with ``--before FOLDER``, another checkout, of an older commit say.

``--json FILE`` writes the records, which `tests.suites.record_figures` takes over as ``first_fit.json``. The
machine should be quiet: numba compiles on one core, and a busy one shows twice the seconds.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from tests.benchmarks.jobs.runner import ROOT
from treelib.ledger.store.running import commit

# the README's example, each other estimator as its own page shows it, and a peer
FITS = {
    "OptimalSparseTreeClassifier": "OptimalSparseTreeClassifier(regularization=0.02)",
    "OptimalSparseTreeClassifier, ten thresholds": (
        "OptimalSparseTreeClassifier(regularization=0.02, max_thresholds=10)"
    ),
    "OptimalSparseTreeClassifier, three classes": "OptimalSparseTreeClassifier(regularization=0.02)",
    "DyadicTreeClassifier": "DyadicTreeClassifier()",
    "TopDownTreeClassifier": "TopDownTreeClassifier()",
    "TopDownTreeRegressor": "TopDownTreeRegressor()",
    "TopDownForestClassifier": "TopDownForestClassifier(n_estimators=10)",
    "TopDownForestRegressor": "TopDownForestRegressor(n_estimators=10)",
    "BayesianTreeClassifier": "BayesianTreeClassifier(time_limit=1)",
    "BornAgainTreeClassifier": (
        "BornAgainTreeClassifier(RandomForestClassifier(5, max_depth=2, random_state=0))"
    ),
    # what importing scikit-learn and pandas takes
    "DecisionTreeClassifier, scikit-learn": "DecisionTreeClassifier()",
}
PEERS = {"DecisionTreeClassifier, scikit-learn": "sklearn.tree"}
TABLES = {"three classes": "load_wine", "Regressor": "load_diabetes"}

# stdout: a line of JSON
PROGRAM = """
import time
began = time.perf_counter()
import warnings
warnings.simplefilter("ignore")
from sklearn.datasets import {load}
from sklearn.ensemble import RandomForestClassifier
from {module} import {estimator}
imported = time.perf_counter()
X, y = {load}(return_X_y=True, as_frame=True)
model = {fit}.fit(X, y)
ended = time.perf_counter()
import json, sys
from pathlib import Path
import treelib
print(json.dumps({{
    "import": imported - began,
    "seconds": ended - began,
    "from": str(Path(treelib.__file__).parent),
}}))
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", help=f"of {', '.join(FITS)} (default: all)")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--wheel", type=Path, metavar="FILE", help="a wheel that brings kernels")
    parser.add_argument("--before", type=Path, metavar="FOLDER", help="another checkout")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the records here")
    options = parser.parse_args()
    unknown = set(options.names) - set(FITS)
    if unknown:
        parser.error(f"there is no {', '.join(sorted(unknown))}; there are: {', '.join(FITS)}.")
    with tempfile.TemporaryDirectory() as scratch:
        ways = {"checkout": (sys.executable, ROOT)}
        if options.wheel:
            ways["wheel"] = (installed(options.wheel.resolve(), Path(scratch) / "env"), None)
        if options.before:
            ways["before"] = (sys.executable, options.before.resolve())
        records = []
        for name in options.names or FITS:
            for way, (python, package) in ways.items():
                records += measured(name, way, python, package, options.runs)
                first, later = (
                    [r["seconds"] for r in records[-options.runs * 2 :]][half::2] for half in (0, 1)
                )
                print(
                    f"{name:45s} {way:10s} first {statistics.median(first):5.1f} s, "
                    f"later {statistics.median(later):5.2f} s",
                    flush=True,
                )
                if options.json:
                    options.json.write_text(json.dumps(records, indent=1) + "\n")


def installed(wheel, folder):
    """Interpreter of a new environment in `folder` with `wheel` and the numba that its kernels are for."""
    from importlib.metadata import version

    venv.create(folder, with_pip=True)
    python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    same = [f"{name}=={version(name)}" for name in ("numba", "numpy", "scikit-learn", "pandas")]
    command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel, *same]
    subprocess.run([*map(str, command)], check=True)
    # once, so that no module of the environment is compiled to byte code while the clock runs
    run(python, None, "OptimalSparseTreeClassifier", folder / "cache")
    return str(python)


def measured(name, way, python, package, runs):
    """Records of `runs` first fits, each followed by a later process: seconds, of import and of all."""
    records = []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as cache:
            for cached in (False, True):
                found = run(python, package, name, cache)
                found = {"estimator": name, "way": way, "cached": cached, **found}
                records.append(found | {"commit": commit() if package in (None, ROOT) else "before"})
    return records


def program(name):
    """`PROGRAM` of an estimator of `FITS`."""
    load = next((table for key, table in TABLES.items() if key in name), "load_breast_cancer")
    module = PEERS.get(name, "treelib")
    return PROGRAM.format(load=load, module=module, estimator=name.partition(",")[0], fit=FITS[name])


def run(python, package, name, cache):
    """What `PROGRAM` of an estimator says, with its kernels in the folder `cache`."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "NUMBA"))}
    clean |= {"TREELIB_CACHE_DIR": str(cache), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    if package is not None:
        clean["PYTHONPATH"] = str(package)
    with tempfile.TemporaryDirectory() as elsewhere:
        done = subprocess.run(
            [str(python), "-c", program(name)],
            env=clean,
            cwd=elsewhere,
            capture_output=True,
            text=True,
            timeout=600,
        )
    if done.returncode:
        raise RuntimeError(f"{name} did not fit with {python}:\n{done.stderr}")
    found = json.loads(done.stdout)
    folder = Path(found.pop("from")).parent
    if package is not None and folder != Path(package):
        raise RuntimeError(f"treelib was imported from {folder}, not from {package}.")
    return found


if __name__ == "__main__":
    main()
