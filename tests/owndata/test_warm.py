"""`treelib warm`: kernels compiled ahead, in processes."""

import json
import os
import subprocess
import sys

import pytest

from tests.benchmarks.waiting import first_fit
from treelib.cli import main
from treelib.owndata import warm as module

# names of the package's functions that numba compiles from here on
LISTEN = """
import atexit, json
import numba.core.event
compiled = []
class Listener(numba.core.event.Listener):
    def on_start(self, event): compiled.append(event.data["dispatcher"].py_func)
    def on_end(self, event): pass
numba.core.event.register("numba:compile", Listener())
names = lambda: [f"{f.__module__}.{f.__name__}" for f in compiled if f.__module__.startswith("treelib.")]
atexit.register(lambda: print(json.dumps(names())))
"""


@pytest.fixture(scope="module")
def warmed(tmp_path_factory):
    """Environment of a process whose cache `treelib warm` has filled."""
    folder = tmp_path_factory.mktemp("cache")
    variables = {**os.environ, "TREELIB_CACHE_DIR": str(folder), "NUMBA_DISABLE_JIT": "0"}
    subprocess.run([sys.executable, "-m", "treelib.cli", "warm", "--jobs", "2"], env=variables, check=True)
    return variables


TABLE = """
import numpy as np
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
import treelib
from treelib.bornagain import compress
rng = np.random.default_rng(1)
X = rng.random((60, 3))
y = (X[:, 0] + 0.3 * rng.random(60) > 0.6).astype(int)
forest = RandomForestClassifier(4, max_depth=2, random_state=0)
"""
OTHERS = {
    "monotonic": "treelib.OptimalSparseTreeClassifier(0.05, monotonic_cst=[1, 0, 0], time_limit=5).fit(X, y)",
    "weights": "treelib.OptimalSparseTreeClassifier(0.05).fit(X, y, sample_weight=rng.random(60))",
    "Rashomon set": "treelib.OptimalSparseTreeClassifier(0.1, max_depth=2).rashomon_set(X, y)",
    "absolute error": "treelib.TopDownTreeRegressor('absolute_error').fit(X, X[:, 0])",
    "subsets": "import pandas; D = pandas.DataFrame({'a': X[:, 0], 'k': (5 * X[:, 1]).astype(str)});"
    "D['k'] = D['k'].str[0]; treelib.TopDownTreeClassifier(category_tests='subsets').fit(D, y)",
    "leaves": "treelib.BornAgainTreeClassifier(forest, objective='leaves').fit(X, y)",
    "soft": "treelib.BornAgainTreeClassifier(forest, voting='soft').fit(X, y)",
    "compress": "compress(GradientBoostingClassifier(n_estimators=4, max_depth=2).fit(X, y))",
}
OWN = [name for name in first_fit.FITS if name not in first_fit.PEERS]
PROGRAMS = {name: first_fit.program(name) + "model.predict(X)\n" for name in OWN}
PROGRAMS |= {name: f"{TABLE}{fit}\n" for name, fit in OTHERS.items()}


@pytest.mark.long
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_first_fit_compiles_nothing_afterwards(name, warmed):
    """Would catch fits too small, or too much alike, to reach the kernels of a table that someone has."""
    program = LISTEN + PROGRAMS[name]
    done = subprocess.run(
        [sys.executable, "-c", program], env=warmed, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == []


def test_kernels_are_in_the_cache_afterwards(tmp_path, monkeypatch, capsys):
    """Would catch fits that compile nothing, or into a folder that no later process reads."""
    monkeypatch.setenv("TREELIB_CACHE_DIR", str(tmp_path))
    assert main(["warm", "topdown-with-categories", "--jobs", "1"]) == 0  # the least to compile
    out = capsys.readouterr().out
    assert "[1/1] topdown-with-categories: " in out and str(tmp_path) in out
    assert len(list(tmp_path.glob("kernels/treelib.topdown.*/**/*.kernel"))) >= 3


def test_a_failed_fit_is_told(monkeypatch, capsys):
    """Would catch a container that is built although nothing was compiled."""
    monkeypatch.setattr(module.sys, "executable", "/bin/false")
    assert main(["warm", "topdown", "dyadic", "--jobs", "2"]) == 1
    assert capsys.readouterr().out.count("failed: exit code 1") == 2


def test_unknown_names_and_jobs_are_refused(capsys):
    """Would catch a misspelt name that compiles nothing without a word."""
    assert main(["warm", "forests"]) == 2
    assert "forests" in capsys.readouterr().err
    with pytest.raises(ValueError, match="give 1 or more"):
        module.warm(["forest"], jobs=0)


@pytest.mark.parametrize("name", module.FITS)
def test_fits_run(name):
    """Would catch a fit of the list that an estimator refuses."""
    module.FITS[name]()
