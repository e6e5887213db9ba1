"""`write_proof`: a proof and its table, for `checktree.py`, from a fitted `OptimalSparseTreeClassifier`."""

import gzip
import hashlib
import json
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted

from treelib.search.budget import OPTIMAL
from treelib.sparse.continuous.search import optimal_tree
from treelib.sparse.exact.minimise import minimise
from treelib.sparse.proofs.problem import ProvedProblem
from treelib.sparse.proofs.prover import Prover
from treelib.sparse.proofs.training_table import TrainingTable

FORMAT = "checktree 1"
# thresholds up to which columns of 0 and 1 tell the optimum of every set of rows. Else trees of depth 2 tell
# what is good, and of depth 3 where there are few columns of numbers: with many these take too long
MOST_THRESHOLDS, FEW_COLUMNS = 100, 8
# how far the objective of the rows may be from that of the fit
CLOSE = 1e-9


class WrittenProof(NamedTuple):
    """Result of `write_proof`.

    Attributes
    ----------
    n_lemmas : int
    lower_bound : Fraction, proven lower bound on the cost of every tree
    objective : Fraction, cost of the fitted tree; it is proved optimal if the two are equal
    n_bytes : int, size of the proof file
    """

    n_lemmas: int
    lower_bound: Fraction
    objective: Fraction
    n_bytes: int


def write_proof(model, path, X, y, sample_weight=None, *, table, time_limit=None):
    """See `treelib.OptimalSparseTreeClassifier.write_proof`."""
    check_is_fitted(model, "tree_")
    _refuse_constraints(model)
    rows = TrainingTable(model, X, y, sample_weight)
    objective = rows.cost_of(model.tree_) / rows.total
    if abs(float(objective) - model.objective_) > CLOSE * max(1.0, model.objective_):
        raise ValueError(
            "X, y and sample_weight are not those of the fit: the tree costs "
            f"{float(objective):.6g} on them, and {model.objective_:.6g} in the fit."
        )
    problem = ProvedProblem(rows.names, rows.values, rows.thresholds, rows.costs, rows.price)
    need = objective if model.status_ == OPTIMAL else Fraction(model.lower_bound_)
    prover = Prover(problem, costs_of(problem), np.inf if time_limit is None else time_limit)
    bound, _ = prover.prove(problem.rows, model.max_depth, int(need * rows.total / problem.unit))
    text = rows.text().encode()
    lemmas = [line_of(lemma, problem) for lemma in prover.needed_lemmas()]
    head = {
        "format": FORMAT,
        "sha256": hashlib.sha256(text).hexdigest(),
        **rows.head(),
        "lemmas": len(lemmas),
    }
    lines = [json.dumps(line, allow_nan=False, separators=(",", ":")) for line in (head, *lemmas)]
    proof = ("\n".join(lines) + "\n").encode()
    if str(path).endswith(".gz"):
        proof = gzip.compress(proof, mtime=0)
    Path(table).write_bytes(text)
    Path(path).write_bytes(proof)
    return WrittenProof(len(lemmas), bound * problem.unit / rows.total, objective, len(proof))


def _refuse_constraints(model):
    names = ("max_leaf_nodes", "monotonic_cst", "required_features")
    bound = [name for name in names if getattr(model, name) is not None]
    bound += ["min_samples_leaf"] * (model.min_samples_leaf != 1)
    if bound:
        raise ValueError(f"A proof of trees with {', '.join(bound)} cannot be written; fit without.")


def costs_of(problem):
    """Callables of (rows, depth) that give what a good tree costs, each with more work than the one before;
    over few thresholds there is one, and its trees are optimal."""
    n_cuts = problem.places.max(axis=1, initial=0)
    if n_cuts.sum() > MOST_THRESHOLDS:
        depths = (2, 3) if len(n_cuts) <= FEW_COLUMNS else (2,)
        return [_costs_on_numbers(problem, depth) for depth in depths]
    columns = [places <= k for places, n in zip(problem.places, n_cuts, strict=True) for k in range(n)]
    columns = np.array(columns, np.uint8).reshape(-1, len(problem.costs)).T
    costs, price = problem.costs.astype(np.float64), float(problem.price)

    @cache
    def optimum(rows, depth):
        members = problem.members(rows)
        given = np.ascontiguousarray(columns[members]), costs[members], price
        return round(minimise(*given, total=1.0, max_depth=depth, check_input=False).objective)

    return [optimum]


def _costs_on_numbers(problem, deepest):
    """Callable of (rows, depth): what the best tree costs that is no deeper than either limit."""
    # predicting a class costs a row the weights of all others, and what every tree costs besides
    weights = problem.costs.max(axis=1, keepdims=True) - problem.costs
    besides = weights.sum(axis=1) - problem.costs.max(axis=1)
    numbers = problem.places.T.astype(np.float64)

    @cache
    def optimum(rows, depth):
        members = problem.members(rows)
        place, y = np.nonzero(weights[members])
        of_row = weights[members[place], y].astype(float)
        options = {"regularization": problem.price / of_row.sum(), "check_input": False}
        options["max_depth"] = deepest if depth is None else min(depth, deepest)
        found = optimal_tree(numbers[members[place]], y, sample_weight=of_row, **options)
        return round(found.objective * of_row.sum()) - int(besides[members].sum())

    return optimum


def line_of(lemma, problem):
    """A lemma as the checker reads it, a dict of JSON values."""

    def label(column, place):
        value = float(problem.labels[column][place])
        return None if np.isinf(value) else int(value) if value.is_integer() else value

    path = [[problem.names[column], side, label(column, place)] for column, side, place in lemma.path]
    cuts = {
        problem.names[column]: [[label(column, place), low, high] for place, low, high in runs]
        for column, runs in lemma.cuts.items()
    }
    depth = {} if lemma.depth is None else {"depth": lemma.depth}
    return {"path": path, **depth, "bound": str(lemma.bound * problem.unit), "cuts": cuts}
