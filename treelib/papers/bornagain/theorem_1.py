"""Theorem 1 and Figure 5: 3-SAT as the problem of finding a born-again tree."""

from itertools import product

from treelib.bornagain.ensemble.voting import Ensemble
from treelib.bornagain.heuristic import born_again_heuristic
from treelib.ledger.claims import judge, judge_statement
from treelib.ledger.verdicts import verdicts_on
from treelib.papers.bornagain.example import NO_DRAWING
from treelib.tree.stored import Tree

FALSE, TRUE = 0, 1
# the formula of the proof of Theorem 1, and of Figure 5: i is x_i, -i its negation
PRINTED_FORMULA = ((1, 2, 3), (-1, -2, 4), (1, -3, -4))


def clause_tree(clause, n_variables):
    """Complete tree of depth 3 that asks the variables of a clause; one of its eight leaves is False.

    Parameters
    ----------
    clause : three literals, +-i for variable i (from 1), of three different variables
    n_variables : int; variable i is feature i - 1, a 0/1 feature that splits at 0.5
    """

    def nested(values):
        if len(values) == len(clause):
            return int(any(value == (literal > 0) for literal, value in zip(clause, values, strict=True)))
        return abs(clause[len(values)]) - 1, 0.5, nested((*values, False)), nested((*values, True))

    return Tree.from_nested(nested(()), n_variables, n_classes=2, class_names=("False", "True"))


def formula_ensemble(clauses, n_variables):
    """The 2k - 1 trees of the proof of Theorem 1: one a clause, and k - 1 that always say False."""
    never = Tree.from_nested(FALSE, n_variables, n_classes=2, class_names=("False", "True"))
    return Ensemble([clause_tree(clause, n_variables) for clause in clauses] + [never] * (len(clauses) - 1))


def is_satisfiable(clauses, n_variables):
    """Whether some assignment fulfils all clauses, by trying every one."""
    return any(
        all(any(values[abs(literal) - 1] == (literal > 0) for literal in clause) for clause in clauses)
        for values in product((False, True), repeat=n_variables)
    )


def decide_by_born_again_tree(clauses, n_variables, born_again=None):
    """3-SAT decided by a born-again tree: satisfiable iff the tree is not the single leaf False.

    born_again : callable of an `Ensemble` that gives a faithful tree; default the heuristic, with its proofs
    """
    born_again = born_again or (lambda ensemble: born_again_heuristic(ensemble, random_state=0).tree)
    tree = born_again(formula_ensemble(clauses, n_variables))
    return not (tree.n_leaves == 1 and tree.label[0] == FALSE)


def random_formula(n_clauses, n_variables, rng):
    """Clauses of three different variables, drawn uniformly, with random signs."""
    return tuple(
        tuple(
            int(variable + 1) * int(sign)
            for variable, sign in zip(
                rng.choice(n_variables, 3, replace=False), rng.choice((-1, 1), 3), strict=True
            )
        )
        for _ in range(n_clauses)
    )


@verdicts_on("bornagain")
def verdicts():
    """Verdicts on Figure 5 and the reduction, list of Verdict."""
    clause = clause_tree(PRINTED_FORMULA[0], 4)
    formula = formula_ensemble(PRINTED_FORMULA, 4)
    k = len(PRINTED_FORMULA)
    shapes = {(tree.max_depth, tree.n_leaves) for tree in formula.trees[:k]}
    return [
        judge("bornagain.f5.clause-tree.depth", clause.max_depth),
        judge("bornagain.f5.clause-tree.leaves", clause.n_leaves),
        judge("bornagain.f5.clause-tree.true-leaves", int(clause.label[clause.is_leaf].sum())),
        judge_statement(
            "bornagain.f5.reduction.trees",
            formula.n_trees == 2 * k - 1,
            f"{formula.n_trees} trees for {k} clauses",
            cause="another number of trees",
        ),
        judge_statement(
            "bornagain.f5.description.diagram",
            shapes == {(3, 8)},
            "three complete trees of depth 3 with 8 leaves",
            why=NO_DRAWING,
            cause="what is shown does not hold here",
        ),
    ]
