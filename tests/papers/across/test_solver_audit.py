"""Reports about false claims of optimality, and what they stand on."""

from fractions import Fraction

import numpy as np
import pytest

from treelib.papers.across import solver_audit
from treelib.sparse.proofs import checktree

# what pystreed 1.4.0 calls optimal at a cost of 17/30: one row wrong, four leaves
EXAMPLE = {
    "columns": [[0, 0, 0], [0, 0, 1], [0, 0, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1]],
    "y": [1, 0, 0, 0, 1, 1],
    "regularization": "1/10",
    "claimed": "17/30",
    "optimum": "1/2",
}


def test_a_report_has_a_proof_that_goes_through(tmp_path):
    """A report sent to strangers whose proof fails, or proves something else."""
    text = solver_audit.report("pystreed", EXAMPLE, "1.4.0")
    files = text.partition("table.csv\n\n")[2].partition("\nproof.jsonl\n\n")
    (tmp_path / "table.csv").write_text(files[0])
    (tmp_path / "proof.jsonl").write_text(files[2])
    bound, cost, _ = checktree.check(tmp_path / "table.csv", tmp_path / "proof.jsonl")
    assert bound == cost == Fraction(EXAMPLE["optimum"])


@pytest.mark.peers("imodels", "pystreed", "gosdt", "licketysplit", "pycontree")
@pytest.mark.parametrize("solver", solver_audit.SOLVERS)
def test_the_program_of_a_report_runs(solver):
    """A program in a report that its reader cannot run."""
    text = solver_audit.report(solver, EXAMPLE, "")
    exec(text[text.index("import numpy") : text.index("Decision tree")], {})


@pytest.mark.peers("pystreed")
def test_a_false_claim_is_reduced_to_few_rows():
    """A false claim that is overlooked, or lost on the way to a smaller table."""
    columns, y = np.array(EXAMPLE["columns"], np.uint8), np.array(EXAMPLE["y"])
    columns, y = np.repeat(columns, 3, axis=0), np.repeat(y, 3)
    cost, optimum = solver_audit.judged("pystreed", columns, y, Fraction(1, 10))
    assert cost > optimum
    found = solver_audit.reduced("pystreed", columns, y, Fraction(1, 10))
    assert len(found["y"]) <= 12 and Fraction(found["claimed"]) > Fraction(found["optimum"])
