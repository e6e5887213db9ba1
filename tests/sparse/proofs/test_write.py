"""`write_proof`: of stopped fits, of some thresholds, with weights of many digits; and what is refused."""

import warnings
from fractions import Fraction

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris

from tests.twins.sparse.every_tree import least_cost
from treelib import OptimalSparseTreeClassifier
from treelib.cli import main
from treelib.sparse.proofs import checktree
from treelib.sparse.proofs.problem import ProvedProblem
from treelib.sparse.proofs.write import costs_of


@pytest.fixture
def files(tmp_path):
    return tmp_path / "table.csv", tmp_path / "proof.jsonl.gz"


def test_a_stopped_search_has_its_lower_bound_proved(files):
    """A proof of nothing, or of more than the search knew."""
    table, proof = files
    X, y = load_breast_cancer(return_X_y=True)
    model = OptimalSparseTreeClassifier(0.02, node_limit=1, max_depth=3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X, y)
    assert not model.is_optimal_
    written = model.write_proof(proof, X, y, table=table, time_limit=20)
    bound, cost, _ = checktree.check(table, proof)
    assert bound == written.lower_bound and cost == written.objective
    assert model.lower_bound_ - 1e-9 <= bound < cost


def test_some_thresholds(files):
    """A proof over all thresholds of a fit that looked at three a column, or the other way round."""
    table, proof = files
    X, y = load_iris(return_X_y=True)
    X[:5, 0] = np.nan
    model = OptimalSparseTreeClassifier(0.01, max_thresholds=3).fit(X, y)
    model.write_proof(proof, X, y, table=table)
    bound, cost, trees = checktree.check(table, proof)
    assert bound == cost and trees.endswith("at the thresholds it lists")
    assert float(cost) == pytest.approx(model.objective_)


def test_weights_of_many_digits_and_allowed_columns(files):
    """Costs that do not fit into 64 bits, or trees over columns that were not allowed."""
    table, proof = files
    X, y = load_iris(return_X_y=True, as_frame=True)
    weights = np.random.default_rng(0).random(150)
    options = {"class_weight": "balanced", "allowed_features": [0, 3], "max_depth": 2}
    model = OptimalSparseTreeClassifier(0.02, **options).fit(X, y, weights)
    written = model.write_proof(proof, X, y, weights, table=table)
    bound, cost, trees = checktree.check(table, proof)
    assert trees.startswith("2 columns") and bound >= written.lower_bound
    assert 0 <= cost - bound < 1e-12 and float(cost) == pytest.approx(model.objective_)


def test_other_rows_and_constraints_are_refused(files):
    """A proof about rows that the tree was not fitted to, or about trees that the search did not look at."""
    X, y = load_iris(return_X_y=True)
    model = OptimalSparseTreeClassifier(0.02).fit(X, y)
    with pytest.raises(ValueError, match="not those of the fit"):
        model.write_proof(files[1], X[:100], y[:100], table=files[0])
    with pytest.raises(ValueError, match="it has other classes"):
        model.write_proof(files[1], X, y + 1, table=files[0])
    model = OptimalSparseTreeClassifier(0.02, min_samples_leaf=9, max_leaf_nodes=3).fit(X, y)
    with pytest.raises(ValueError, match="max_leaf_nodes, min_samples_leaf"):
        model.write_proof(files[1], X, y, table=files[0])
    assert not files[0].exists() and not files[1].exists()


def test_the_command(files, capsys):
    """`treelib check-proof` with another exit code or word than the program."""
    X, y = load_iris(return_X_y=True)
    OptimalSparseTreeClassifier(0.02).fit(X, y).write_proof(files[1], X, y, table=files[0])
    assert not main(["check-proof", *map(str, files)])
    assert (
        "none costs less than 1/10 = 0.1.\nThe tree costs as much: it is optimal." in capsys.readouterr().out
    )
    files[0].write_text("a,b\n")
    assert main(["check-proof", *map(str, files)]) == 1
    assert "REFUSED, table: the proof is about another one." in capsys.readouterr().out


@pytest.mark.parametrize("depth", [1, 2, None])
def test_good_trees_over_many_thresholds_cost_what_is_said(depth):
    """A bound that the prover sets out to show, and that a tree of few splits is below."""
    rng = np.random.default_rng(0)
    values, costs = rng.random((60, 3)), rng.integers(0, 9, (60, 3)).tolist()
    price = Fraction(2)
    exact = [[Fraction(one) for one in row] for row in costs]
    problem = ProvedProblem(list("abc"), values, None, exact, price)
    *_, best_of = costs_of(problem)
    for rows in (rng.choice(60, 8, replace=False) for _ in range(20)):
        chosen = np.isin(problem.row_of, problem.row_of[rows])
        found = best_of(problem.set_of(np.isin(np.arange(60), problem.row_of[rows])), depth)
        least = least_cost(
            values[chosen].T.tolist(), [exact[i] for i in np.flatnonzero(chosen)], price, depth or 3
        )
        assert found * problem.unit == least
