"""Algorithm 1 as printed, with no bound but Theorem 3.1, and with all of them, against all trees."""

import random
from dataclasses import asdict
from fractions import Fraction
from itertools import accumulate, product

import numpy as np

from treelib.ledger import store
from treelib.ledger.experiments import experiment
from treelib.ledger.protocol.evidence import EXHAUSTIVE, RANDOM
from treelib.papers.osdt.exhaustive import Problem, Tally, small_data
from treelib.papers.osdt.text.theorems import MOST_ROWS, SMALL_PRICES
from treelib.sparse.paper.branch_and_bound import branch_and_bound

N_LARGE, N_COLUMNS = 100, 4
OPTIMAL = "ends with the least objective of all trees"
SIBLINGS = "no two sibling leaves of one label"
CERTIFICATE = "no tree of as many leaves or fewer has fewer errors"


@experiment(
    "osdt.algorithm-1",
    item="Algorithm 1",
    title="Algorithm 1, as printed and with all bounds, against all trees of small and of larger problems",
    cases=lambda: [{"most_rows": MOST_ROWS, "n_large": N_LARGE, "seed": 0}],
    seconds=5,
)
def algorithm_1(case):
    """How often each statement was tried on a search, and how often it failed, list of dict."""
    draw = random.Random(case["seed"])
    small = [
        Problem(rows, labels, price)
        for rows, labels in small_data(case["most_rows"])
        for price in SMALL_PRICES
    ]
    large = [LargeProblem(draw) for _ in range(case["n_large"])]
    found = {}
    for how, problems in {EXHAUSTIVE: small, RANDOM: large}.items():
        for problem in problems:
            for name, held in said_of_searches(*problem.given):
                found.setdefault((how, name), Tally()).add(held, problem)
    return [{"how": how, "statement": name, **asdict(tally)} for (how, name), tally in found.items()]


def said_of_searches(rows, labels, price):
    """Statements on the searches of one problem, and whether each holds: list of (name, bool)."""
    X, y, found = np.array(rows), np.array(labels), []
    best, errors = least_objective(rows, labels, price), least_errors(rows, labels)
    for options in ({"bounds": (), "warm_start": None}, {}):
        run = branch_and_bound(X, y, float(price), **options)
        wrong = round((run.objective - float(price) * run.tree.n_leaves) * len(y))
        found += [
            (OPTIMAL, run.status == "optimal" and abs(run.objective - float(best)) < 1e-9),
            (SIBLINGS, not _has_equal_siblings(run.tree)),
            (CERTIFICATE, wrong == errors[min(run.tree.n_leaves, max(errors))]),
        ]
    return found


def trials(statement):
    """What the stored run found of a statement, list of `Trials`."""
    [(_, rows)] = store.outcomes("osdt.algorithm-1")
    where = {
        EXHAUSTIVE: f"problems of at most {MOST_ROWS} rows and 3 columns",
        RANDOM: f"problems of 20 to 100 rows and {N_COLUMNS} columns",
    }
    return [
        Tally.of(row).trials(f"searches on {where[row['how']]}: {statement}", row["how"])
        for row in rows
        if row["statement"] == statement
    ]


def _has_equal_siblings(tree):
    inner = np.flatnonzero(~tree.is_leaf)
    left, right = tree.children_left[inner], tree.children_right[inner]
    pairs = tree.is_leaf[left] & tree.is_leaf[right]
    return bool((tree.label[left] == tree.label[right])[pairs].any())


class LargeProblem:
    """A random problem of 20 to 100 rows and `N_COLUMNS` columns, whose classes hang on three of them.

    Attributes
    ----------
    given : (rows, labels, leaf penalty); the price is a Fraction of 0.05 to 0.12
    """

    def __init__(self, draw):
        rows = [[draw.randint(0, 1) for _ in range(N_COLUMNS)] for _ in range(draw.randint(20, 100))]
        labels = [(row[0] ^ row[1] if row[2] else row[1]) ^ (draw.random() < 0.1) for row in rows]
        self.given = rows, labels, Fraction(draw.randint(5, 12), 100)

    def text(self):
        """The problem in a few words."""
        rows, _, price = self.given
        return f"{len(rows)} rows, lambda {float(price):g}"


def least_objective(rows, labels, price):
    """The least objective of all trees, Fraction; rows, labels : lists; price : Fraction, of a leaf."""
    return min(
        Fraction(wrong, len(rows)) + price * leaves for leaves, wrong in least_errors(rows, labels).items()
    )


def least_errors(rows, labels):
    """The fewest rows that a tree of at most so many leaves gets wrong, by trying every column at every leaf.

    Returns
    -------
    dict of number of leaves, 1 to 2 to the number of columns, to rows
    """
    data = [(*row, int(label)) for row, label in zip(rows, labels, strict=True)]

    def least(some, columns):
        ones = sum(row[-1] for row in some)
        found = [min(ones, len(some) - ones)] * 2 ** len(columns)
        for j in columns:
            sides = [least([row for row in some if row[j] == answer], columns - {j}) for answer in (0, 1)]
            for (a, left), (b, right) in product(*map(enumerate, sides)):
                found[a + b + 1] = min(found[a + b + 1], left + right)
        return list(accumulate(found, min))

    return dict(enumerate(least(data, frozenset(range(len(rows[0])))), start=1))
