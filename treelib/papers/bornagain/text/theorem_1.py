"""Theorem 1 and Figure 5: 3-SAT as the problem of finding a born-again tree."""

from itertools import combinations, product

import numpy as np

from treelib.bornagain.ensemble.voting import Ensemble
from treelib.bornagain.heuristic import born_again_heuristic
from treelib.ledger import store
from treelib.ledger.protocol.judging import Trials, judge, judge_statement, judges
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


def all_formulas(n_variables=3, most_clauses=3):
    """All sets of at most `most_clauses` clauses of three variables, signs included: iterator of tuples."""
    every = list(product((-1, 1), repeat=3))
    clauses = [
        tuple(sign * i for sign, i in zip(signs, variables, strict=True))
        for variables in combinations(range(1, n_variables + 1), 3)
        for signs in every
    ]
    for n in range(1, most_clauses + 1):
        yield from combinations(clauses, n)


def unsatisfiable_formula():
    """All eight clauses of three variables: every assignment breaks one."""
    return tuple(clause for (clause,) in all_formulas(3, 1))


def try_reduction(n_random=200, seed=0):
    """The reduction tried: list of `Trials`, all small formulas and random larger ones.

    A formula is satisfiable iff the born-again tree of its forest is more than a leaf False, that is iff the
    whole space is not homogeneous; the answer is held against trying every assignment.
    """
    rng = np.random.default_rng(seed)
    small = [(clauses, 3) for clauses in (*all_formulas(), unsatisfiable_formula())]
    large = []
    for _ in range(n_random):
        n_variables = int(rng.integers(3, 6))
        large.append((random_formula(int(rng.integers(1, 8 * n_variables)), n_variables, rng), n_variables))
    found = []
    for formulas, where, how in (
        (small, "formulas of up to 3 of the clauses on 3 variables, and of all 8", "exhaustive"),
        (large, "formulas of up to 40 clauses on 3 to 5 variables", "random"),
    ):
        cases = [
            (str(clauses), decide_by_born_again_tree(clauses, n) == is_satisfiable(clauses, n))
            for clauses, n in formulas
        ]
        found.append(Trials.of(cases, where, how))
    return found


def trials_of(*statements):
    """What the stored run of `bornagain.theorems` found of some statements: list of `Trials`."""
    found = store.results("bornagain.theorems").to_dict("records")
    return [
        Trials(row["cases"], row["failed"], row["worst"], row["where"], row["how"])
        for row in found
        if row["statement"] in statements
    ]


@judges("bornagain.f5.*", "bornagain.s1.theorem-1.*", "bornagain.s4-5.homogeneity.*")
def verdicts(tried=None):
    """Verdicts on Theorem 1, its reduction and Figure 5, list of Verdict.

    tried : list of Trials of `try_reduction`, as a page computes them; None: the stored ones
    """
    source = {"experiment": "bornagain.theorems"} if tried is None else {}
    clause = clause_tree(PRINTED_FORMULA[0], 4)
    tried = trials_of("theorem 1") if tried is None else tried
    return [
        judge("bornagain.f5.clause-tree.true-leaves", int(clause.label[clause.is_leaf].sum())),
        judge_statement("bornagain.s1.theorem-1.statement", tried, **source),
        judge_statement("bornagain.s4-5.homogeneity.np-hard", tried, **source),
    ]
