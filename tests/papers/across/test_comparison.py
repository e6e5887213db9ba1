"""The comparison of all methods, and what the papers ask of each other."""

import os
import signal
import sys
import time
from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy.stats import rankdata

from treelib import datasets
from treelib.papers.across import thresholds
from treelib.papers.across import tuned_forests as forests
from treelib.papers.across.comparison import methods, own_process, peers, protocol, tables


@pytest.fixture(scope="module")
def iris():
    data = datasets.load("tsallis/iris")
    return data.X[::2], data.y[::2]


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """Time for the first compilation on a busy machine."""
    monkeypatch.setattr(methods, "BORN_AGAIN_SECONDS", 120.0)


def test_forest_and_born_again_tree_are_one_function(iris):
    """A forest that is scored by another vote than the one its born-again tree copies."""
    X, y = iris
    forest = methods.fit("forest", 0, {}, X, y, 5.0)
    tree = methods.fit("born-again", 0, {}, X, y, 5.0)
    points = np.random.default_rng(0).uniform(X.min(axis=0), X.max(axis=0), (500, X.shape[1]))
    assert np.array_equal(forest.predict(points), tree.predict(points))
    assert protocol.size(forest)[0] == sum(one.n_leaves for one in forest.tree_.trees)


@pytest.mark.parametrize("method", ["cart", "exact", "exact-10", "dyadic", "tsallis", "born-again"])
def test_one_method(method):
    """A fold that is scored on rows it was trained on, or a size that is not the tree's."""
    rows = methods.compare({"data": "tsallis/iris", "fitted": method, "seed": 0})
    assert [row["method"] for row in rows] == [method, "born-again-pruned"][: 1 + (method == "born-again")]
    for found in rows:
        assert len(found["error"]) == protocol.N_OUTER
        assert 0 < np.mean(found["error"]) < 0.15
        assert all(leaves <= 2**depth for leaves, depth in zip(found["leaves"], found["depth"], strict=True))
        assert found["not_run"] == ""


@pytest.mark.parametrize(("method", "scope"), [("exact", "all"), ("exact-10", "10 thresholds")])
def test_thresholds_of_the_optimal_trees(iris, method, scope):
    """The tree over all thresholds and the one over ten exchanged: tables would name them the wrong way."""
    model = methods.fit(method, 0, {"price": 0.02}, *iris, 5.0)
    assert scope in model.proof_scope_


def test_pruned_trees_are_the_grown_ones_without_empty_leaves():
    """A pruned tree that decides otherwise where there are training rows, or one that is not smaller."""
    grown, pruned = methods.compare({"data": "tsallis/iris", "fitted": "born-again", "seed": 0})
    assert grown["train_error"] == pruned["train_error"]
    assert all(a < b for a, b in zip(pruned["leaves"], grown["leaves"], strict=True))
    assert all(a > b for a, b in zip(pruned["fit_seconds"], grown["fit_seconds"], strict=True))


def test_a_method_that_cannot_take_a_data_set_says_why():
    """A data set that is left out without a word, for one of the methods of a case or all."""
    (row,) = methods.compare({"data": "tsallis/wine", "fitted": "dyadic", "seed": 0})
    assert row == {"method": "dyadic", "not_run": "more than 9 features"}


def test_settings_are_chosen_on_the_training_rows_alone(iris):
    """An inner fold that reaches beyond the rows it was given."""
    X, y = iris
    seen = []

    def spy(settings, X_part, *rest):
        seen.append(len(X_part))
        return methods.fit("cart", 0, settings, X_part, *rest)

    grid = methods.grid("cart")
    assert protocol.choose(spy, grid, X[:60], y[:60], 0) in grid
    assert max(seen) == 40
    assert len(seen) == protocol.N_INNER * len(protocol.PRICES)


def test_what_gives_no_tree_is_not_chosen(iris):
    """A setting beyond a program's reach that is chosen, or that ends the comparison; one fit for all."""
    X, y = iris

    def until(cheapest):
        def fit(settings, X_part, y_part, seconds):
            if settings["price"] < cheapest:
                raise protocol.NoTree("too cheap")
            return methods.fit("cart", 0, settings, X_part, y_part, seconds)

        return fit

    grid = methods.grid("cart")
    found = protocol.cross_validate(until(0.02), grid, X, y, 0)
    assert all('"price": 0.0' not in text or "0.02" in text or "0.05" in text for text in found["chosen"])
    assert protocol.cross_validate(until(1.0), grid, X, y, 0) == {"not_run": "too cheap"}


def test_nemenyi():
    """The critical value of Demsar's Table 5: 2.850 for six methods at 5 %."""
    assert tables.nemenyi(6, 14) == pytest.approx(2.850 * np.sqrt(6 * 7 / (6 * 14)), abs=2e-3)


def test_mean_ranks():
    """Ranks that take a data set in which a method is missing."""
    table = pd.DataFrame({"a": [1.0, 2, 1, np.nan], "b": [2.0, 2, 3, 1], "c": [3.0, 1, 2, 0]})
    ranks, n_data, p, critical = tables.mean_ranks(table)
    naive = np.mean([rankdata(row) for row in table.to_numpy()[:3]], axis=0)
    assert n_data == 3 and 0 < p < 1 and critical == tables.nemenyi(3, 3)
    assert ranks[["a", "b", "c"]].tolist() == pytest.approx(naive.tolist())


def test_half_width():
    """An interval that takes folds with shared training rows for independent ones."""
    errors = np.array([0.1, 0.2, 0.15, 0.1, 0.2])
    naive = 2.776445 * errors.std(ddof=1) / np.sqrt(5)
    assert tables.half_width(errors) == pytest.approx(naive * np.sqrt(1 + 5 / 4), rel=1e-6)


def test_holm():
    """P-values that are corrected one by one, or in another order than they came."""
    assert tables.holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert tables.holm([0.9, 0.8]) == pytest.approx([1.0, 1.0])


def test_against():
    """A difference with the wrong sign, or data sets that one of the two does not have."""
    rows = [
        {"data": data, "method": method, "fold": fold, "error": error + 0.001 * fold, "leaves": n_leaves}
        for data, errors in (
            ("a", {"exact": 0.1, "cart": 0.2}),
            ("b", {"exact": 0.3, "cart": 0.2}),
            ("c", {"exact": 0.1}),
        )
        for (method, error), n_leaves in zip(errors.items(), (4, 8), strict=False)
        for fold in range(5)
    ]
    (row,) = tables.against(pd.DataFrame(rows), "exact", ["cart"]).to_dict("records")
    assert (row["n_data"], row["lower"], row["higher"]) == (2, 1, 1)
    assert (row["clearly_lower"], row["clearly_higher"]) == (1, 1)
    assert row["difference"] == pytest.approx(0.0) and row["leaves"] == pytest.approx(0.5)


def test_tuned_forests():
    """A forest that is tuned on test rows, or a born-again tree that is not faithful to the forest."""
    rows = forests.tsallis_forests({"data": "tsallis/iris", "seed": 0})
    assert [(row["fold"], row["forest"]) for row in rows] == [
        (fold, name) for fold in range(protocol.N_OUTER) for name in ("gini", "tuned")
    ]
    for row in rows:
        assert row["proved"] and row["pruned_leaves"] <= row["leaves"] <= 2 ** row["depth"]
        assert (row["alpha"], row["beta"]) in forests.CRITERIA
        assert row["forest"] == "tuned" or (row["alpha"], row["beta"]) == forests.GINI


def test_gini_is_chosen_when_nothing_is_better():
    """Tuning that departs from Gini without a reason: two classes that one split parts."""
    X = np.repeat([[0.0], [1.0]], 12, axis=0)
    assert forests.choose(X, np.repeat([0, 1], 12), 0) == forests.GINI


# ---- public programs --------------------------------------------------------------------------------------


def crash():
    os.kill(os.getpid(), signal.SIGSEGV)


def stop():
    os._exit(3)


def open_file():
    return open(os.devnull)


def take(n_bytes, keep):
    """Ask for memory, and keep it or give it back."""
    taken = bytearray(n_bytes)
    if keep:
        KEPT.append(taken)
    return len(taken), os.getpid()


KEPT = []


def leave_a_handler():
    """What some programs do: they catch the signal of the limit."""
    signal.signal(signal.SIGALRM, lambda *_: None)


@pytest.mark.parametrize("calls", [0, 1, 2])
def test_no_process_outlives_its_context(calls, tmp_path):
    """A wait for a call that is of no use any more, or for the process of somebody else."""
    began = time.monotonic()
    with own_process.OwnProcess() as first, own_process.OwnProcess() as second:
        pids = [apart.call(os.getpid, 60) for apart in (first, second)[:calls]]
        if calls:
            first._pipe.send((partial(time.sleep, 30), 60))  # as if Ctrl-C had come during the call
    assert time.monotonic() - began < 20
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_a_limit_holds_after_a_call_that_catches_its_signal():
    with own_process.OwnProcess() as apart:
        apart.call(leave_a_handler, 60)
        with pytest.raises(own_process.Ended, match="time limit"):
            apart.call(partial(time.sleep, 60), 0.5)


def test_calls_apart_give_their_values_from_one_process():
    """A process for each call, which costs more than many a fit."""
    with own_process.OwnProcess() as apart:
        pids = {apart.call(os.getpid, 60) for _ in range(3)}
        assert apart.call(partial(dict, a=(1, None)), 60) == {"a": (1, None)}
    assert len(pids) == 1 and os.getpid() not in pids
    with pytest.raises(ChildProcessError):
        os.waitpid(pids.pop(), 0)


@pytest.mark.parametrize(
    "harm, cause",
    [
        (crash, "SIGSEGV"),
        (partial(time.sleep, 60), "time limit"),
        (partial(int, "x"), "ValueError: invalid literal"),
        (stop, "no answer"),
        (open_file, "TypeError: cannot pickle"),
    ],
)
def test_a_call_apart_ends_alone(harm, cause):
    """A program that takes the run, or the calls after it, with it when it crashes, hangs, or fails."""
    with own_process.OwnProcess() as apart:
        with pytest.raises(own_process.Ended, match=cause):
            apart.call(harm, 0.5)
        assert apart.call(partial(len, "ab"), 60) == 2


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the system does not say what a process has")
def test_a_call_apart_may_not_take_all_memory():
    """Memory that one call keeps and a later one lacks."""
    with own_process.OwnProcess(memory=2**28) as apart:
        with pytest.raises(own_process.Ended, match="out of memory"):
            apart.call(partial(take, 2**29, keep=False), 60)
        first, again, fresh = (
            apart.call(partial(take, 3 * 2**26, keep), 60)[1] for keep in (False, True, True)
        )
    assert first == again != fresh


@pytest.mark.peers
@pytest.mark.parametrize("peer", peers.PEERS)
def test_trees_of_public_programs(peer):
    """A tree read with its sides or labels exchanged, or a price in another unit: ours is the optimum."""
    from treelib import OptimalSparseTreeClassifier

    rng = np.random.default_rng(5)
    X = rng.random((300, 3))
    y = ((X[:, 0] > 0.4) & (X[:, 1] <= 0.7)) ^ (rng.random(300) < 0.05)
    program = peers.FITS[peer]
    peers.warm_up(program)
    # above 4 s GOSDT's unfinished trees count, too
    with own_process.OwnProcess() as apart:
        model = peers.fit(apart, program, {"price": 0.05}, X, y, 30)
    ours = OptimalSparseTreeClassifier(0.05, max_thresholds=10).fit(X, y)
    assert ours.is_optimal_ and ours.tree_.n_leaves > 2
    objective = np.mean(model.predict(X) != y) + 0.05 * model.tree_.n_leaves
    assert objective == pytest.approx(ours.objective_, abs=1e-9)
    assert model.is_optimal_ == (peer != "licketysplit")


@pytest.mark.peers
def test_one_program_under_the_protocol():
    found = peers.compare({"data": "tsallis/iris", "method": "licketysplit", "seed": 0})
    assert found["not_run"] == "" and 0 < np.mean(found["error"]) < 0.15
    assert all(0 < seconds < 2 for seconds in found["fit_seconds"])


# ---- thresholds -------------------------------------------------------------------------------------------


def test_more_thresholds_are_never_worse_on_the_training_rows(iris):
    """An objective that is not that of the training rows, or numbers of thresholds exchanged."""
    X, y = iris
    training, testing = np.arange(0, len(y), 2), np.arange(1, len(y), 2)
    few, more, every = (
        thresholds.one_fit(X, y, training, testing, most, seconds=60) for most in (1, 3, None)
    )
    assert few["objective"] > every["objective"] and more["objective"] >= every["objective"] - 1e-12
    assert few["n_proved"] == every["n_proved"] == 1
    for found in (few, more, every):
        assert 0 <= found["test_error"] <= 1 and 1 <= found["leaves"] <= 2**thresholds.DEPTH
