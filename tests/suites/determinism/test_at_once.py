"""Fits at the same time, in threads and in processes, that also compile at the same time."""

import json
import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier

import treelib
from tests.suites.determinism import fits

HERE = Path(__file__).resolve().parent
NAMES = ("sparse_classifier", "born_again", "dyadic_classifier", "topdown_gini", "topdown_forest")
N_THREADS = 8
ASKED = ("predict", "predict_proba", "apply")

RACE = """
import json
from concurrent.futures import ThreadPoolExecutor
from joblib import Parallel, delayed
from tests.suites.determinism import fits

def four_threads():
    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(fits.digest, ["topdown_gini"] * 4))

first, second = Parallel(n_jobs=2, backend="loky")(delayed(four_threads)() for _ in range(2))
print(json.dumps(first + second))
"""


def test_four_threads_fit_what_one_does():
    """State shared by two fits at the same time: another tree, or a crash."""
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(fits.digest, 2 * NAMES))
    assert found == [fits.digest(name) for name in 2 * NAMES]


def _own_criterion(k):
    return lambda p: 1 - (p ** (1.5 + k)).sum(axis=-1)


def _of(k, *values):
    return values[k % len(values)]


# parameters of the k-th thread
SETTINGS = {
    "BayesianTreeClassifier": lambda k: {"n_iter": 100 + k, "n_chains": 2, "n_jobs": _of(k, 1, 2)},
    "BornAgainTreeClassifier": lambda k: {
        "ensemble": RandomForestClassifier(3, max_depth=2, random_state=k),
        "objective": _of(k, "depth", "leaves", "depth-leaves"),
        "method": "exact" if k < 6 else "heuristic",
    },
    "DyadicTreeClassifier": lambda k: {"regularization": _of(k, "auto", 0.02), "max_splits": _of(k, 1, 2, 3)},
    "OptimalSparseTreeClassifier": lambda k: {
        "regularization": 0.02 + k / 200,
        "max_thresholds": _of(k, 2, 3, 4),
        "n_jobs": _of(k, 1, 2),
    },
    "TopDownForestClassifier": lambda k: {
        "criterion": _of(k, "gini", "tsallis"),
        "beta": 1 + k,
        "n_estimators": 3 + k,
        "oob_score": True,
        "n_jobs": _of(k, 1, 2),
    },
    "TopDownForestRegressor": lambda k: {"n_estimators": 3 + k, "n_jobs": _of(k, 1, 2)},
    "TopDownTreeClassifier": lambda k: {
        "criterion": _of(k, "tsallis", _own_criterion(k)),
        "alpha": 0.5 + k,
        "max_features": _of(k, 1, 2, 3, None),
    },
    "TopDownTreeRegressor": lambda k: {
        "criterion": _of(k, "squared_error", "poisson"),
        "max_features": _of(k, 1, 2, 3, None),
    },
}


def _fitted(name, k):
    """The estimator of the `k`-th thread, on rows of its own."""
    model = getattr(treelib, name)(**SETTINGS[name](k))
    if "random_state" in model.get_params():
        model.set_params(random_state=k)
    X, y = fits.numeric(n=90 + k, seed=50 + k)
    if name == "BornAgainTreeClassifier" and k % 2:
        forest = treelib.TopDownForestClassifier(n_estimators=3, max_depth=2, random_state=k)
        return model.from_ensemble(forest.fit(X, y).trees_)
    return model.fit(X, X[:, 0] * y + 1 if name.endswith("Regressor") else y)


def _answers(model):
    """Bytes of all that `model` says of new rows."""
    X, _ = fits.numeric(n=70, seed=9)
    return [getattr(model, ask)(X).tobytes() for ask in ASKED if hasattr(model, ask)]


def _all_of(name, k):
    """Trees, fitted numbers and answers of the `k`-th fit, without what tells the time."""
    model = _fitted(name, k)
    trees = getattr(model, "trees_", None) or [model.tree_]
    found = {key: value for key, value in vars(model).items() if isinstance(value, float | str | np.ndarray)}
    return [tree.to_json() for tree in trees], pickle.dumps(found), _answers(model)


@pytest.mark.parametrize("name", SETTINGS)
def test_eight_threads_with_parameters_of_their_own(name):
    """Parameters, seeds or rows of one fit that reach another which runs at the same time."""
    alone = [_all_of(name, k) for k in range(N_THREADS)]
    with ThreadPoolExecutor(N_THREADS) as pool:
        assert list(pool.map(partial(_all_of, name), range(N_THREADS))) == alone


def test_eight_threads_with_estimators_of_every_kind():
    """State that two kinds of estimators share."""
    work = [(name, k) for k in range(N_THREADS) for name in SETTINGS]
    alone = [_all_of(*item) for item in work]
    with ThreadPoolExecutor(N_THREADS) as pool:
        assert list(pool.map(lambda item: _all_of(*item), work)) == alone


@pytest.mark.parametrize("name", SETTINGS)
def test_eight_threads_ask_one_fitted_estimator(name):
    """A tree whose first answer, which keeps what it derives, is not the answer of all threads."""
    expected = _answers(_fitted(name, 0))
    model = _fitted(name, 0)
    with ThreadPoolExecutor(N_THREADS) as pool:
        for answers in pool.map(lambda _: _answers(model), range(N_THREADS)):
            assert answers == expected


def test_every_estimator_is_among_them():
    """An estimator that is left out."""
    assert set(SETTINGS) == {name for name in treelib.__all__ if hasattr(getattr(treelib, name), "fit")}


def test_first_fits_at_once_on_an_empty_cache(tmp_path):
    """Kernels that are compiled twice at once and kept half; a thread that meets what another compiles."""
    path = os.pathsep.join(filter(None, [str(HERE.parents[2]), os.environ.get("PYTHONPATH")]))
    quick = {"TREELIB_CACHE_DIR": str(tmp_path), "PYTHONPATH": path, "NUMBA_OPT": "0"}
    done = subprocess.run(
        [sys.executable, "-c", RACE],
        env=os.environ | quick,
        cwd=HERE,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == 8 * [fits.digest("topdown_gini")]
