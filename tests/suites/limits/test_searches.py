"""Every search keeps its limits, says so, and leaves a tree that can be used."""

import os
import signal
import threading
import time
import warnings

import numba
import numpy as np
import pandas as pd
import pytest
from numba.core import event
from sklearn.exceptions import ConvergenceWarning

import treelib
from tests.suites.limits.measuring import peak_of, work_after
from tests.suites.limits.searches import SEARCHES, reals
from treelib.search.budget import Budget, asking

SECONDS = 1.0  # of work after the time limit, at most
# searches for many trees
NO_BOUND = ("regularization path", "Rashomon set")
TIME_LIMIT = 0.3  # of the runs that are measured, and of those before them
CTRL_C = ["exact", "leaf limit", "dyadic", "born-again", "Bayesian", "top-down tree", "forest"]
STOPPED = {"time_limit", "memory_limit", "interrupted"}
# searches whose rows alone take more than the memory limit that is tried
LARGE_DATA = {"top-down tree", "top-down tree, regression", "top-down tree, own criterion"}


@pytest.fixture(scope="module")
def search():
    """A search by its name, its kernels compiled."""
    made = {}

    def get(name):
        if name not in made:
            make, _ = SEARCHES[name]
            made[name] = make()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                for _ in range(9):  # a limit ends some runs before they have come to their last kernel
                    began = time.process_time()
                    made[name](time_limit=TIME_LIMIT)
                    if time.process_time() - began < 2 * TIME_LIMIT:
                        break
        return made[name]

    return get


@pytest.mark.parametrize("name", SEARCHES)
def test_time_limit(search, name):
    """A search that goes on when its time is over, or that does not say that it was stopped."""
    run, found = search(name), []
    for _ in range(3):  # the process has other things to do now and then
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            late, answer = work_after(TIME_LIMIT, lambda: run(time_limit=TIME_LIMIT))
        found.append(late)
        if late < SECONDS:
            break
    assert min(found) < SECONDS
    assert answer.status == "time_limit"
    # a SearchResult and a run of the recursion say it by their status alone
    if answer.model is not None and not hasattr(answer.model, "gap"):
        assert any(issubclass(warning.category, ConvergenceWarning) for warning in caught)
    if np.isfinite(answer.objective) and name not in NO_BOUND:
        assert answer.lower_bound <= answer.objective


@pytest.mark.parametrize("name", [name for name, (_, kinds) in SEARCHES.items() if "memory" in kinds])
def test_memory_limit(search, name):
    """Tables that grow past the limit, or that are not counted."""
    run = search(name)
    for _ in range(9):  # a run that compiles holds megabytes, and can end before the last kernel
        with event.install_recorder("numba:compile") as compiled:
            answer, peak = peak_of(lambda: run(memory_limit=5e6, time_limit=3.0))
        if not compiled.buffer:
            break
    assert not compiled.buffer
    assert answer.status in STOPPED
    if name in LARGE_DATA:  # the limit is on what is made of the rows, not on reading them
        peak -= peak_of(lambda: run(memory_limit=1))[1]
    assert peak <= 1.25 * 5e6
    if np.isfinite(answer.n_bytes):
        assert answer.n_bytes <= 1.25 * 5e6


def test_the_tree_after_the_time_limit_keeps_the_memory_limit(search):
    """A greedy tree that is grown late on as many rows as there would be time for, whatever the memory."""
    run = search("regularization path")
    run(memory_limit=5e6, time_limit=TIME_LIMIT)  # its kernels are compiled
    answer, peak = peak_of(lambda: run(memory_limit=5e6, time_limit=TIME_LIMIT))
    assert answer.status == "time_limit"
    assert peak <= 1.25 * 5e6


@pytest.mark.parametrize("name", [name for name, (_, kinds) in SEARCHES.items() if "cancel" in kinds])
def test_cancel(search, name):
    """A button that stops nothing."""
    run, answers = search(name), iter([False, False])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        late, answer = work_after(5.0, lambda: run(cancel=lambda: next(answers, True)))
    assert answer.status == "interrupted" and late < SECONDS


@pytest.mark.skipif(os.name == "nt", reason="no interval timer")
@pytest.mark.parametrize("name", CTRL_C)
def test_ctrl_c_leaves_a_usable_estimator(search, name):
    """An estimator that is lost with all it found when its reader loses patience, or that goes on."""
    run = search(name)
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.7)
        with pytest.warns(ConvergenceWarning):
            answer = run(time_limit=30.0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert answer.status == "interrupted" and answer.is_raised
    model = answer.model
    X = np.zeros((3, model.n_features_in_)) if name != "born-again" else reals()[0][:3, :6]
    assert len(model.predict(X)) == 3
    if np.isfinite(answer.objective):
        assert answer.lower_bound <= answer.objective


@pytest.mark.parametrize("goes_on", [False, True])
def test_one_ctrl_c_ends_a_loop(monkeypatch, goes_on):
    """A loop of fits that one Ctrl-C does not end, or that it ends although the program said to go on."""
    X, y = reals()
    grow, ended = Budget.watch, []

    def interrupted(self, *given):
        if ended:
            return grow(self, *given)
        ended.append(True)
        raise KeyboardInterrupt

    monkeypatch.setattr(Budget, "watch", interrupted)
    models = [treelib.TopDownTreeClassifier(max_depth=depth, time_limit=60) for depth in (1, 2, 3)]

    def loop():
        for model in models:
            model.fit(X, y)

    with pytest.warns(ConvergenceWarning, match="interrupted"):
        if goes_on:
            with treelib.keep_going():
                loop()
        else:
            with pytest.raises(KeyboardInterrupt, match="keep_going") as stop:
                loop()
            assert stop.value.estimator is models[0]
    assert len(models[0].predict(X)) == len(X) and models[0].status_ == "interrupted"
    assert [hasattr(model, "tree_") for model in models] == [True, goes_on, goes_on]


def test_a_watched_step_ends_when_it_should():
    """A long step that goes on after the time is up, a cancel or Ctrl-C, or that swallows the last."""

    def interrupt():
        raise KeyboardInterrupt

    for budget in (Budget(time_limit=0.01), Budget(cancel=lambda: True)):
        flag = threading.Event()
        assert budget.watch(lambda flag=flag: flag.wait(60), flag.set)
    flag = threading.Event()
    with pytest.raises(KeyboardInterrupt):
        Budget(cancel=interrupt).watch(lambda: flag.wait(60), flag.set)
    assert flag.is_set()


def test_compiling_is_outside_the_limit():
    """A first search that ends at once, because its kernels were compiled on its time."""

    @numba.njit
    def total(n):
        found = 0.0
        for i in range(n):
            found += np.sqrt(i)
        return found

    start = time.perf_counter()
    budget = Budget(time_limit=60)
    total(3)
    seconds = budget.seconds
    first = time.perf_counter() - start - seconds
    assert first > 0.01
    total(3)
    time.sleep(0.05)
    assert budget.seconds - seconds >= 0.05


@pytest.mark.parametrize(("n", "looks"), [(0, 0), (1, 1), (512, 1), (513, 2), (1030, 3)])
def test_items_are_asked_for_on_the_way(n, looks):
    """Items that are lost or repeated, or a check that is asked too seldom, or at every item."""
    asked = []
    assert list(asking(iter(range(n)), lambda: asked.append(1))) == list(range(n))
    assert len(asked) == looks


TABLES = {
    "sparse": lambda **limits: treelib.OptimalSparseTreeClassifier(max_thresholds=3, **limits),
    "dyadic": treelib.DyadicTreeClassifier,
    "Bayesian": lambda **limits: treelib.BayesianTreeClassifier(n_iter=100, **limits),
    "top-down": lambda **limits: treelib.TopDownTreeClassifier(max_depth=2, **limits),
    "top-down, subsets": lambda **limits: treelib.TopDownTreeClassifier(
        max_depth=2, category_tests="subsets", **limits
    ),
    "forest": lambda **limits: treelib.TopDownForestClassifier(n_estimators=2, max_depth=2, **limits),
}


@pytest.mark.parametrize("name", TABLES)
def test_the_table_of_categories_counts(name):
    """An encoded table, or what a search is prepared with, that no memory limit counts."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({f"x{j}": rng.random(60_000) for j in range(60)})
    X["kind"] = pd.Categorical(rng.integers(0, 40, len(X)).astype(str))
    y, limit = (X["x0"] > 0.5).astype(int).to_numpy(), 1.6e7  # the table takes 48 MB
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        TABLES[name](time_limit=2).fit(X[:300], y[:300])  # compiles
    model, peak = peak_of(lambda: TABLES[name](memory_limit=limit).fit(X, y))
    assert model.status_ == "memory_limit" and peak <= 1.25 * limit
    assert model.predict(X[:10]).shape == (10,)
