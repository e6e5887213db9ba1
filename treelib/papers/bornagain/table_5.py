"""Table 5 and Section 4.5: the heuristic, its time and how far its trees are from the smallest."""

import time
from functools import cache

import numpy as np

from treelib import datasets
from treelib.bornagain.heuristic import born_again_heuristic
from treelib.bornagain.paper.algorithms import minimise_by_recursion
from treelib.bornagain.paper.heuristic import heuristic_as_printed
from treelib.bornagain.proof.certificate import certify
from treelib.datasets.binning import quantile_bins
from treelib.ledger import store
from treelib.ledger.experiments import TIMING, experiment
from treelib.ledger.protocol.judging import Draws, Ratio, Readings, Trials, judge, judge_statement, judges, untestable
from treelib.ledger.verdicts import verdicts_on
from treelib.papers.bornagain.settings import (
    DATA,
    FOLDS,
    OBJECTIVES,
    SEEDS,
    authors_forest,
    forest_files,
    own_forest,
    train_forest,
)
from treelib.papers.bornagain.trees import printed_trees, value
from treelib.search.budget import Budget

# the paper proves homogeneity by integer programming; "auto" is our branch and bound
PROOFS = ("milp", "auto")
LARGE_LIMIT = 60.0  # seconds, the paper's "faster than a minute"
LARGE = {"Ionosphere": "bornagain/Ionosphere", "Spambase": "bornagain/Spambase", "made": None}
# Miniboone cannot be shipped nor had offline: made-up data of its size stand in for it
MADE = {"n_samples": 130_065, "n_features": 50, "n_informative": 20, "n_redundant": 20, "weights": [0.72]}


def run(ensemble, seed, proof, time_limit=None):
    """One run of the heuristic: row of sizes, counters and CPU seconds, and the tree."""
    warm_up()
    began = time.process_time()
    result = born_again_heuristic(
        ensemble, random_state=seed, proof=proof, budget=Budget(time_limit=time_limit)
    )
    seconds = time.process_time() - began
    counters = {name: result.stats[name] for name in ("n_proofs", "n_programs", "n_found_by_proof")}
    size = {"depth": result.tree.max_depth, "leaves": result.tree.n_leaves, "status": result.status}
    return size | counters | {"least_leaves": int(result.lower_bound), "search_seconds": seconds}, result.tree


def warm_up():
    """Compile or load what the heuristic needs, outside of measured time."""
    if not warm_up.done:
        rng = np.random.default_rng(0)
        X = rng.integers(0, 9, (90, 9)).astype(float)
        ensemble = train_forest(X, rng.integers(0, 2, 90), 0)
        for proof in PROOFS:
            born_again_heuristic(ensemble, random_state=0, proof=proof, n_samples=50)
        warm_up.done = True


warm_up.done = False


@experiment(
    "bornagain.t5",
    item="Table 5",
    title="The heuristic on the authors' forests",
    cases=lambda: [{"data": data, "fold": fold} for data in DATA for fold in FOLDS],
    datasets=lambda case: (DATA[case["data"]], forest_files(case["data"])[case["fold"] - 1]),
    seconds=41,
    kind=TIMING,
)
def table_5(case):
    """A row for each proof and seed; every tree is certified."""
    ensemble = authors_forest(case["data"], case["fold"])
    rows = []
    for proof in PROOFS:
        for seed in SEEDS:
            row, tree = run(ensemble, seed, proof)
            rows.append({"proof": proof, "seed": seed} | row | {"faithful": certify(tree, ensemble).faithful})
    return rows


@experiment(
    "bornagain.t5.own-forests",
    item="Table 5",
    title="The heuristic on forests trained here",
    cases=lambda: [
        {"data": data, "seed": seed} for data in DATA for seed in (SEEDS if data != "BC" else SEEDS[:1])
    ],
    datasets=lambda case: (DATA[case["data"]],),
    seconds=14,
    kind=TIMING,
)
def table_5_own(case):
    """Ten folds, a row each."""
    rows = []
    for fold in FOLDS:
        row, _ = run(own_forest(case["data"], fold, case["seed"]), case["seed"], "milp")
        rows.append({"fold": fold} | row)
    return rows


@experiment(
    "bornagain.large",
    item="Section 4.5",
    title="The heuristic on larger data sets",
    cases=lambda: [
        {"data": data, "binned": binned, "seed": seed}
        for data in LARGE
        for binned in (True, False)
        for seed in (SEEDS if binned else SEEDS[:1])
    ],
    datasets=lambda case: (LARGE[case["data"]],) if LARGE[case["data"]] else (),
    seconds=92,
    kind=TIMING,
)
def large(case):
    """One forest on all rows. Binned: ten quantile bins a feature, as Section 4.1 prepares its data."""
    if LARGE[case["data"]]:
        table = datasets.load(LARGE[case["data"]])
        X, y = table.X, table.y
    else:
        from sklearn.datasets import make_classification

        X, y = make_classification(**MADE, random_state=0)
    if case["binned"]:
        X = quantile_bins(X)
    ensemble = train_forest(X, y, case["seed"])
    row, tree = run(ensemble, case["seed"], "auto", LARGE_LIMIT)
    certificate = certify(tree, ensemble, budget=Budget(time_limit=LARGE_LIMIT))
    size = {"samples": len(X), "features": X.shape[1], "forest_leaves": ensemble.n_leaves}
    proof = {"faithful": certificate.faithful, "cells": f"{certificate.n_cells:.1e}"}
    return size | row | proof | {"certificate_seconds": certificate.seconds}


# What is sampled in a region of fewer cells than the sample: the paper draws its thousand cells everywhere
DRAWN, WHOLE = SAMPLING = ("1,000 random cells", "all cells of a small region")
N_DRAWS = 20  # runs of ten folds each


@experiment(
    "bornagain.t5.draws",
    item="Table 5",
    title="The heuristic on the authors' forests, twenty seeds, small regions sampled or looked at whole",
    cases=lambda: [{"data": data, "fold": fold} for data in DATA for fold in FOLDS],
    datasets=lambda case: (DATA[case["data"]], forest_files(case["data"])[case["fold"] - 1]),
    seconds=260,
)
def table_5_draws(case):
    """A row for each seed and reading: size of the tree."""
    ensemble = authors_forest(case["data"], case["fold"])
    rows = []
    for seed in range(N_DRAWS):
        whole = born_again_heuristic(ensemble, random_state=seed).tree
        drawn = heuristic_as_printed(ensemble, random_state=seed)
        for reading, tree in ((DRAWN, drawn), (WHOLE, whole)):
            rows.append({"seed": seed, "sampled": reading, "depth": tree.max_depth, "leaves": tree.n_leaves})
    return rows


@experiment(
    "bornagain.t5.recursion",
    item="Table 5",
    title="CPU seconds of the recursion as printed under D and L",
    cases=lambda: [{"data": data, "fold": fold} for data in DATA if data != "BC" for fold in FOLDS],
    datasets=lambda case: (DATA[case["data"]], forest_files(case["data"])[case["fold"] - 1]),
    seconds=120,
    memory=2e9,
    kind=TIMING,
)
def table_5_recursion(case):
    """One forest under both objectives. Under L, BC takes the recursion hours and up to 27 GB: left out."""
    ensemble = authors_forest(case["data"], case["fold"])
    minimise_by_recursion(own_forest("SE", 1, 0), "depth")  # compiled or loaded outside of measured time
    row = {}
    for name in ("D", "L"):
        began = time.process_time()
        found = minimise_by_recursion(ensemble, OBJECTIVES[name])
        row[f"{name}_seconds"] = time.process_time() - began
        row[f"{name}_calls"] = int(found.stats["n_calls"])
        row[f"{name}_size"] = found.tree.max_depth if name == "D" else found.tree.n_leaves
    return row


# ---- judged -----------------------------------------------------------------------------------------------


_GAP_TOLERANCE = 6
_GAP_WHY = (
    "the heuristic is random; here regions of no more cells than the sample are looked at whole, and a cell "
    "found by a proof joins the sample"
)


@cache
def heuristic_means(proof="milp", own=False):
    """Means over the folds: DataFrame with columns data, seed, depth, leaves, search_seconds."""
    frame = store.results("bornagain.t5.own-forests" if own else "bornagain.t5")
    if not own:
        frame = frame[frame["proof"] == proof]
    means = frame.groupby(["data", "seed"], as_index=False)[["depth", "leaves", "search_seconds"]].mean()
    return means


def gap(data, objective, seed=None, proof="milp"):
    """Percent by which the heuristic's mean depth (D) or leaves (L) exceed the optimum; one seed, or all."""
    means = heuristic_means(proof)
    means = means[(means["data"] == data) & ((means["seed"] == seed) if seed is not None else True)]
    model = {"D": "depth", "L": "leaves"}[objective]
    best = value(printed_trees(), objective, "tree", model, "avg", data)
    return 100 * (means[model].mean() / float(best) - 1)


def seconds(data, what):
    """Mean CPU seconds over the folds: of the exact search under "D" or "L", or of the heuristic, "H"."""
    if what == "H":
        means = heuristic_means()
        return float(means[means["data"] == data]["search_seconds"].mean())
    frame = store.results("bornagain.exact")
    return float(frame[(frame["data"] == data) & (frame["objective"] == what)]["search_seconds"].mean())


def _own_proof(data):
    """Mean CPU seconds of the heuristic whose proofs are branch and bound on boxes."""
    means = heuristic_means("auto")
    return means[means["data"].isin(DATA if data == "avg" else [data.upper()])]["search_seconds"].mean()


@verdicts_on("bornagain")
def verdicts():
    """Verdicts on Table 5 and Section 4.5, list of Verdict."""
    return [*judge_table_5(), *judge_heuristic()]


def judge_table_5():
    """Verdicts on Table 5, list of Verdict; seconds are judged by direction only."""
    verdicts = []
    for claim in claims("bornagain").values():
        if not claim.id.startswith("bornagain.t5."):
            continue
        _, _, data, column = claim.id.split(".")
        kind, _, what = column.partition("-")
        if kind == "t":
            ours = [seconds(one, what.upper()) for one in (DATA if data == "avg" else [data.upper()])]
            verdicts.append(
                judge(
                    claim.id,
                    fmean(ours),
                    tolerance=(0, 1),
                    why="another machine"
                    + (", HiGHS" if what == "h" else ", another method")
                    + ": not slower",
                    cause="slower than printed: on so small a forest the time is that of starting HiGHS "
                    f"for each proof; with our own proof it is {_own_proof(data):.3f} s",
                    experiment="bornagain.t5" if what == "h" else "bornagain.exact",
                )
            )
        else:
            ours = [gap(one, what.upper()) for one in (DATA if data == "avg" else [data.upper()])]
            verdicts.append(
                judge(
                    claim.id,
                    fmean(ours),
                    tolerance=_GAP_TOLERANCE,
                    why=_GAP_WHY,
                    cause="another heuristic tree",
                    experiment="bornagain.t5",
                )
            )
    return verdicts


def judge_heuristic():
    """Verdicts on what Section 4.5 says of the heuristic, list of Verdict."""
    frame, large = store.results("bornagain.t5"), store.results("bornagain.large")
    binned = large[large["binned"]]
    done = (binned["status"] != "time_limit").all()
    gaps = {what: [gap(data, what) for data in DATA] for what in "DL"}
    close = {
        "tolerance": 6,
        "why": "the heuristic is random, see Table 5",
        "cause": "another heuristic tree",
        "experiment": "bornagain.t5",
    }
    return [
        judge_statement(
            "bornagain.s4-5.heuristic.definition",
            bool(frame["faithful"].all()),
            f"{len(frame)} trees proved faithful; the proof found a cell that the sample had missed in "
            f"{int((frame['n_found_by_proof'] > 0).sum())} of them",
            cause="a tree is not faithful",
            experiment="bornagain.t5",
        ),
        judge("bornagain.s4-5.heuristic.depth-gap", sum(gaps["D"]) / len(DATA), **close),
        judge("bornagain.s4-5.heuristic.leaves-gap", sum(gaps["L"]) / len(DATA), **close),
        judge(
            "bornagain.s4-5.heuristic.large-data-time",
            Fraction(binned["search_seconds"].max()) / 60 if done else 2,
            cause="the heuristic was stopped at its limit",
            experiment="bornagain.large",
        ),
        untestable(
            "bornagain.s4-5.miniboone.samples",
            f"Miniboone cannot be had without a network; {MADE['n_samples']} made-up rows stand in for it",
        ),
        untestable(
            "bornagain.s4-5.miniboone.features",
            "Miniboone cannot be had without a network; made-up data of as many features stand in for it",
        ),
    ]
