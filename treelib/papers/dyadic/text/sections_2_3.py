"""Sections 2 and 3: definitions, equation 5, Procedure 1, and the rectangles that the algorithms visit."""

from fractions import Fraction
from functools import partial
from itertools import permutations, product
from math import prod

from treelib.dyadic.paper import recursion
from treelib.ledger.protocol.judging import judge, judge_statement, judges, untestable
from treelib.papers.dyadic.text.theorems import tried

PRICES = (Fraction(1, 3), Fraction(1), Fraction(5, 2))


@judges("dyadic.s3.*")
def judge_sections_2_and_3():
    """Verdicts on the recursion and the class of trees, list of Verdict."""
    statements = {
        "equation-5.statement": partial(is_optimal, tie="largest"),
        "procedure-1.statement": partial(is_optimal, tie="first"),
        "procedure-1.every-rectangle": visits_every_rectangle,
        "dp-mr.same-rectangles": visits_those_of_the_program,
    }
    return [
        judge("dyadic.s3.example.split-sequences-x4", n_orders("RRL", (1, 1, 2))),
        untestable("dyadic.s3.class-size.lower-bound", numbers=class_sizes()),
        *(judge_statement(f"dyadic.s3.{name}", tried(holds)) for name, holds in statements.items()),
    ]


def n_orders(sides, coordinates):
    """Orders in which splits can be made that lead to the same rectangle, int.

    Parameters
    ----------
    sides : str, side taken at each split. coordinates : coordinate of each; splits of one coordinate keep
        their order, as they halve each other's halves
    """
    splits = list(zip(sides, coordinates, strict=True))
    wanted = {c: [side for side, other in splits if other == c] for c in coordinates}
    orders = {
        order
        for order in permutations(splits)
        if all([side for side, other in order if other == c] == wanted[c] for c in coordinates)
    }
    return len(orders)


def class_sizes():
    """Labelled finest partitions against the printed growth, with two constants: counts, dict."""
    shapes = [k for d in (1, 2, 3) for k in product(range(3), repeat=d)]
    growth = {k: 2 ** sum(ki + 1 for ki in k) for k in shapes}
    fewer = [k for k in shapes if n_labellings(k) < growth[k]]
    held = sum(n_labellings(k) * 2 ** len(k) >= growth[k] for k in shapes)
    return {"held": held, "cases": len(shapes), "n_fewer": len(fewer), "example": min(fewer, key=len)}


def n_labellings(k):
    """Ways to label the finest cells by two classes, each of them a member of the class of trees."""
    return 2 ** prod(2**ki for ki in k)


def rows_of_problem(problem):
    """`Rows` of a `Problem` of `theorems`."""
    return recursion.make_rows(problem.codes, problem.losses, problem.n_splits)


def is_optimal(problem, tie):
    """Whether the recursion's risk is least among all trees of a problem, at some prices."""
    rows = rows_of_problem(problem)
    for price in PRICES:
        least = min(error + price * leaves for error, leaves in problem.values(problem.root))
        found = recursion.solve(rows, price, tie=tie)
        if found.error + price * found.leaves != least:
            return False
    return True


def occupied(problem):
    """Rectangles that hold a row, listed one by one: number."""
    found = set()
    for code in problem.codes.tolist():
        levels = (range(k + 1) for k in problem.n_splits)
        for level in product(*levels):
            found.add(
                (level, tuple(c >> (k - m) for c, k, m in zip(code, problem.n_splits, level, strict=True)))
            )
    return len(found)


def visits_every_rectangle(problem):
    """Whether the recursion without pruning visits every occupied rectangle."""
    return _n_visited(problem) == occupied(problem)


def visits_those_of_the_program(problem):
    """Whether it visits as many as the dynamic program, which goes up from the finest cells."""
    return _n_visited(problem) == recursion.count_occupied(rows_of_problem(problem))


def _n_visited(problem):
    run = recursion.Recursion(rows_of_problem(problem), Fraction(1), prune=False)
    run.run()
    return run.outcome().n_visited
