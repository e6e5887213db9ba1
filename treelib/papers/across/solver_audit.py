"""The claims of public solvers checked: where one calls a tree optimal, a proof says whether it is.

Every problem is solved by `OptimalSparseTreeClassifier`, its proof is written and checked by `checktree.py`,
and the tree of the solver is counted on the rows in exact fractions. A claim is false where it costs more
than the proved optimum; there is then a better tree, so nobody has to trust the proof either.
"""

import tempfile
import warnings
from fractions import Fraction
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np

from treelib import OptimalSparseTreeClassifier
from treelib.ledger.experiments import experiment
from treelib.papers.across.comparison import peer_trees, peers
from treelib.papers.across.comparison.own_process import Ended, OwnProcess
from treelib.papers.osdt import settings
from treelib.sparse.proofs import checktree

PRICES = tuple(Fraction(1, one) for one in (100, 50, 20, 10, 7))
BOOK_PRICES = (Fraction(1, 20), Fraction(1, 40))
SECONDS = 5.0
N_A_CASE, N_CASES = 500, 4
COUNTS = ("n_claims", "n_false", "n_unproved", "n_refuted_proofs")
CONTREE_DEPTH = 2


def claim_of_licketysplit(columns, y, price, seconds):
    """LicketySPLIT with its lookahead as deep as the tree: nothing in it is greedy then."""
    from licketysplit import LicketySPLITClassifier

    depth = columns.shape[1]
    model = LicketySPLITClassifier(lambda_leaf=price, depth_budget=depth, lookahead_k=depth).fit(columns, y)
    return peer_trees.of_licketysplit(model), True


def claim_of_pycontree(columns, y, price, seconds):
    """ConTree, which knows a depth but no price: among trees of this depth, the fewest errors."""
    from pycontree import ConTree

    model = ConTree(max_depth=CONTREE_DEPTH, time_limit=seconds)
    model.fit(columns.astype(float), y)
    return np.asarray(model.predict(columns.astype(float))), True


# solver -> its claim, callable of columns, y, price, seconds; depth of its trees; whether leaves have a price
SOLVERS = {
    "imodels": (peers.fit_imodels, None, True),
    "pystreed": (peers.fit_pystreed, peers.STREED_DEPTH, True),
    "gosdt": (peers.fit_gosdt, None, True),
    "licketysplit": (claim_of_licketysplit, None, True),
    "pycontree": (claim_of_pycontree, CONTREE_DEPTH, False),
}


@experiment(
    "family.solver_audit",
    item="Audit of solvers",
    title="Claims of optimality of public solvers, each checked against a proof",
    cases=lambda: [{"solver": name, "batch": k} for name, k in product(SOLVERS, range(N_CASES))],
    kind="statistical",
    measured=("n_unproved",),
    tolerance=0.05,
    seconds=60,
)
def audit(case):
    """One solver on small random problems: its claims, the false ones, and the first of these reduced."""
    return on_random_problems(case["solver"], range(case["batch"] * N_A_CASE, (case["batch"] + 1) * N_A_CASE))


def on_random_problems(solver, seeds):
    """Counts of the claims of a solver: ``n_claims``, ``n_false``, ``n_unproved`` problems on which it claims
    nothing, ``n_refuted_proofs`` by a better tree, and the first false claim as ``example``."""
    counts = dict.fromkeys(COUNTS, 0) | {"example": None}
    for seed in seeds:
        _count(counts, solver, *random_problem(seed))
    return counts


@experiment(
    "family.solver_audit_book",
    item="Audit of solvers, data sets",
    title="Claims of optimality of public solvers on the data of the sparse-tree paper",
    cases=lambda: [{"solver": name, "data": data} for name, data in product(SOLVERS, settings.DATA)],
    datasets=lambda case: (settings.DATA[case["data"]],),
    kind="statistical",
    measured=("n_unproved", "n_claims"),
    tolerance=0.05,
    seconds=32,
)
def audit_book(case):
    """One solver on one data set, at two prices; a solver that does not end in time makes no claim."""
    data = settings.load(case["data"])
    counts = dict.fromkeys(COUNTS, 0)
    with OwnProcess() as apart:
        for price in BOOK_PRICES:
            _count(counts, case["solver"], data.X.astype(np.uint8), np.asarray(data.y), price, apart)
    return counts


def random_problem(seed):
    """0/1 columns, classes and a price: noise or a rule, rows that repeat, ties."""
    rng = np.random.default_rng(seed)
    n, p = int(rng.integers(4, 41)), int(rng.integers(2, 6))
    columns = rng.integers(0, 2, (n, p), dtype=np.uint8)
    if rng.random() < 0.3:
        columns = columns[rng.integers(0, n, n)]
    y = (columns[:, 0] ^ columns[:, -1]).astype(np.intp)
    noise = rng.random(n) < rng.choice([0.1, 0.3, 1.0])
    y[noise] = rng.integers(0, 2, noise.sum())
    if len(np.unique(y)) == 1:
        y[0] = 1 - y[0]
    return columns, y, PRICES[rng.integers(len(PRICES))]


def _count(counts, solver, columns, y, price, apart=None):
    cost, optimum = judged(solver, columns, y, price, apart)
    if cost is None:
        counts["n_unproved"] += 1
        return
    counts["n_claims"] += 1
    if cost < optimum:  # our own proof would be wrong
        counts["n_refuted_proofs"] += 1
    elif cost > optimum:
        counts["n_false"] += 1
        if apart is None and counts["example"] is None:
            counts["example"] = reduced(solver, columns, y, price)


def judged(solver, columns, y, price, apart=None):
    """What the tree costs that a solver calls optimal, or None, and the proved optimum, Fractions."""
    fit, depth, has_price = SOLVERS[solver]
    run = partial(fit, columns, y, float(price), SECONDS)
    try:
        tree, is_claimed = run() if apart is None else apart.call(run, SECONDS + 5)
    except Ended:
        return None, None
    if not is_claimed or tree is None:
        return None, None
    predicted = tree if isinstance(tree, np.ndarray) else predict(tree, columns)
    cost = Fraction(int((predicted != y).sum()), len(y))
    if has_price:
        return cost + price * n_leaves(tree), optimum(columns, y, price, depth)
    return cost, optimum(columns, y, Fraction(0), depth)


def optimum(columns, y, price, max_depth):
    """The least objective, as the checker finds it proved."""
    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as folder:
        warnings.simplefilter("ignore")
        model = OptimalSparseTreeClassifier(float(price), max_depth=max_depth).fit(columns.astype(float), y)
        table, proof = Path(folder) / "table.csv", Path(folder) / "proof.jsonl"
        model.write_proof(proof, columns.astype(float), y, table=table)
        bound, cost, _ = checktree.check(table, proof)
    if bound != cost:
        raise RuntimeError(f"the proof shows {bound}, and the tree costs {cost}.")
    return bound


def reduced(solver, columns, y, price):
    """A false claim on as few rows and columns as leaving one out at a time reaches: dict of JSON values.

    A leaf goes on costing about as many rows as it did, where that keeps the claim false, else the same share
    of them: ``regularization``. ``claimed`` and ``optimum`` are what the solver's tree and the best one cost.
    """

    def false_price(rows, kept):
        """A price at which the claim is false on a part of the table, or None."""
        if len(rows) < 2 or not kept or len(np.unique(y[rows])) < 2:
            return None
        in_rows = Fraction(1, round(len(rows) / (price * len(y))) or 1)
        for one in dict.fromkeys((in_rows, price)):
            cost, least = judged(solver, np.ascontiguousarray(columns[np.ix_(rows, kept)]), y[rows], one)
            if cost is not None and cost > least:
                return one
        return None

    rows, kept, shrinks = list(range(len(y))), list(range(columns.shape[1])), True
    while shrinks:
        shrinks = False
        for part in (rows, kept):
            for one in list(part):
                part.remove(one)
                if false_price(rows, kept):
                    shrinks = True
                else:
                    part.append(one)
                    part.sort()
    X, price = np.ascontiguousarray(columns[np.ix_(rows, kept)]), false_price(rows, kept)
    cost, least = judged(solver, X, y[rows], price)
    return {
        "columns": X.tolist(),
        "y": y[rows].tolist(),
        "regularization": str(price),
        "claimed": str(cost),
        "optimum": str(least),
    }


# solver -> what a report runs: its fit, whether it claims the optimum, and the errors of its tree
CALLS = {
    "imodels": """from imodels import FastSmallTreeClassifier
model = FastSmallTreeClassifier(regularization={price}).fit(X.astype(float), y)
print("claims that it is optimal:", model.optimal_)
print("errors:", (model.predict(X) != y).sum())""",
    "pystreed": """from pystreed import STreeDClassifier
model = STreeDClassifier("cost-complex-accuracy", max_depth={depth}, cost_complexity={price})
model.fit(X.astype(np.intc), y)
print("claims that it is optimal:", model.fit_result.is_optimal(), "with", model.get_n_leaves(), "leaves")
print("errors:", (model.predict(X) != y).sum())""",
    "gosdt": """from gosdt import GOSDTClassifier
model = GOSDTClassifier(regularization={price}, allow_small_reg=True).fit(X.astype(bool), y)
print("claims that it is optimal:", model.result_.status, "\\n", model.trees_[0])""",
    "licketysplit": """from licketysplit import LicketySPLITClassifier
model = LicketySPLITClassifier(lambda_leaf={price}, depth_budget={width}, lookahead_k={width}).fit(X, y)
print("errors:", (model.predict(X) != y).sum())""",
    "pycontree": """from pycontree import ConTree
model = ConTree(max_depth={depth})
model.fit(X.astype(float), y)
print("errors:", (model.predict(X) != y).sum())""",
}


def report(solver, example, version):
    """Text about a false claim for the authors of a solver: the table, their program on it, a better tree and
    the proof that none costs less.

    Parameters
    ----------
    solver, version : str, example : dict, from `on_random_problems`
    """
    X, y = np.array(example["columns"], float), np.array(example["y"])
    depth, has_price = SOLVERS[solver][1:]
    price = Fraction(example["regularization"] if has_price else 0)
    call = CALLS[solver].format(price=float(price), depth=depth, width=X.shape[1])
    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as folder:
        warnings.simplefilter("ignore")
        model = OptimalSparseTreeClassifier(float(price), max_depth=depth).fit(X, y)
        table, proof = Path(folder) / "table.csv", Path(folder) / "proof.jsonl"
        model.write_proof(proof, X, y, table=table)
        checktree.check(table, proof)
        files = f"table.csv\n\n{table.read_text()}\nproof.jsonl\n\n{proof.read_text()}"
    limit = "" if depth is None else f"; depth at most {depth}"
    claimed, least = example["claimed"], example["optimum"]
    return f"""{solver} {version} calls a tree optimal that costs {claimed}; the one below costs {least}.
The cost is the share of rows that a tree gets wrong, and {price} for every leaf{limit}.

import numpy as np
X = np.array({example["columns"]})
y = np.array({example["y"]})
{call}

{model.tree_}

No tree costs less: python checktree.py table.csv proof.jsonl, with these two files.

{files}"""


def predict(tree, columns):
    """Classes that a nested tree of `peer_trees` predicts, intp (n,)."""
    if not isinstance(tree, tuple):
        return np.full(len(columns), tree, np.intp)
    column, false_side, true_side = tree
    is_true = columns[:, column] != 0
    return np.where(is_true, predict(true_side, columns), predict(false_side, columns))


def n_leaves(tree):
    return n_leaves(tree[1]) + n_leaves(tree[2]) if isinstance(tree, tuple) else 1
