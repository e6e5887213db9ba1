"""The page on the exact search: stored runs read right, ratios counted right."""

import pytest

from treelib.papers.across import engine


def record(solver, data, seconds, objective=0.25, ended="ok"):
    return {
        "solver": solver,
        "data": data,
        "regularization": 0.01,
        "max_depth": None,
        "seconds": seconds,
        "objective": objective,
        "ended": ended,
    }


def test_ratios_are_over_problems_that_both_solved():
    """A peer's time-out must not count as a ratio, nor a problem it was not given."""
    records = [
        record("treelib", "a", [1.0, 2.0, 9.0]),
        record("peer", "a", [4.0]),
        record("treelib", "b", [1.0]),
        record("peer", "b", [], ended="time limit"),
        record("treelib", "c", [1.0]),
    ]
    found = engine.compare(records, "peer")
    assert found["n_problems"] == 1 and found["n_not_solved"] == 1
    assert found["geometric_mean"] == pytest.approx(0.5)
    assert found["worst_problem"] == ("a", 0.01, None)


def test_worse_trees_are_counted():
    """A peer that calls a worse tree optimal must be seen."""
    records = [record("treelib", "a", [1.0]), record("peer", "a", [1.0], objective=0.26)]
    assert engine.compare(records, "peer")["n_worse_trees"] == 1


@pytest.mark.parametrize("kind", engine.KINDS)
def test_stored_runs_are_there(kind):
    """The page needs every stored run; each is one machine's, with its versions."""
    run = engine.stored(kind)
    assert run["records"] and run["machine"]["versions"]["numba"]


def test_missing_run_names_the_command(monkeypatch, tmp_path):
    """A run that was not made yet must say how to make it."""
    monkeypatch.setattr(engine, "data_root", lambda: tmp_path)
    with pytest.raises(FileNotFoundError, match="make bench-sparse"):
        engine.stored("wide")


def test_stored_objectives_are_never_beaten():
    """In the stored runs no program may hold a better tree than ours where ours is proved optimal."""
    for kind in ("free", "depth", "wide"):
        records = engine.stored(kind)["records"]
        for solver in {r["solver"] for r in records} - {"treelib"}:
            for ours, theirs in engine.pairs(records, solver):
                if ours["ended"] == "ok" and theirs.get("objective") is not None:
                    assert theirs["objective"] >= ours["objective"] - engine.SAME


def test_reduction_of_recidivism_data():
    """Merging and cancelling must keep the counts of the data: 123 distinct rows, 2,228 sure errors."""
    found = engine.reduction("compas-binary")
    assert (found["n_rows"], found["n_merged"], found["n_cancelled"]) == (6907, 123, 2228)
