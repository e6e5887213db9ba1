"""What is said of Algorithms 1 to 4 and of the heuristic for any ensemble, on small and on random ones."""

from dataclasses import asdict
from functools import cache

import numpy as np

from treelib.bornagain.ensemble.cells import build_cells
from treelib.bornagain.exact import minimise
from treelib.bornagain.heuristic import born_again_heuristic
from treelib.bornagain.paper.algorithms import minimise_by_recursion
from treelib.bornagain.proof.certificate import certify
from treelib.ledger import store
from treelib.ledger.experiments import experiment
from treelib.ledger.protocol.judging import Trials, judge_statement, judges
from treelib.papers.bornagain.settings import OBJECTIVES
from treelib.papers.bornagain.sizes_and_scores import judged
from treelib.papers.bornagain.text.theorems import Grid, random_ensemble, small_ensembles

DEPTH, LEAVES = "Algorithm 1, faithful and of least depth", "Algorithm 2, faithful and of fewest leaves"
BOTH, EXPORTED = "Algorithm 3, faithful and of least depth", "Algorithm 4 under each objective, faithful"
AS_PRINTED = "Algorithm 4 with line 12 as it is printed, faithful"
EXACT = "exact search for depth and for leaves, faithful and smallest"
HEURISTIC = "the heuristic with two cells a sample, faithful"


@experiment(
    "bornagain.algorithms",
    item="Algorithms 1 to 4, Section 4.5",
    title="The algorithms against brute force, on all small ensembles of a sort and on random ones",
    cases=lambda: [{"n_random": 60, "seed": 0}],
    seconds=3,
)
def algorithms(case):
    """A row for each statement and sort of ensembles: cases tried, those that failed, and the worst."""
    rng = np.random.default_rng(case["seed"])
    kinds = {
        "exhaustive": ("ensembles of three stumps on two features", list(small_ensembles())),
        "random": (
            "ensembles of three trees of depth 2",
            [random_ensemble(rng) for _ in range(case["n_random"])],
        ),
    }
    found = []
    for how, (where, some) in kinds.items():
        said = [said_of_algorithms(ensemble) for ensemble in some]
        for name in said[0]:
            cases = [(f"ensemble {number}", bool(one[name])) for number, one in enumerate(said)]
            found.append({"statement": name} | asdict(Trials.of(cases, where, how)))
    return found


@experiment(
    "bornagain.extraction",
    item="Algorithm 4",
    title="The extraction with line 12 as it is printed, on all small ensembles of a sort",
    cases=lambda: [{"objective": name} for name in OBJECTIVES],
    seconds=1,
)
def extraction(case):
    """Cases tried and failed: list of one dict, as `algorithms` gives it."""
    cases = []
    for number, ensemble in enumerate(small_ensembles()):
        tree = minimise_by_recursion(ensemble, OBJECTIVES[case["objective"]]).tree
        levels = build_cells(ensemble).levels
        cases.append((f"ensemble {number}", certify(at_lower_corners(tree, levels), ensemble).faithful))
    return [{"statement": AS_PRINTED} | asdict(Trials.of(cases, "ensembles of three stumps", "exhaustive"))]


def at_lower_corners(tree, levels):
    """The tree that Algorithm 4 exports as printed: each split at the lowest level of its region.

    tree : Tree, what the algorithm finds. levels : list of float (n_levels,), thresholds of each feature
    """
    threshold = tree.threshold.copy()
    stack = [(0, [0] * tree.n_features)]
    while stack:
        node, low = stack.pop()
        j = tree.feature[node]
        if j < 0:
            continue
        threshold[node] = levels[j][low[j]]
        right = list(low)
        right[j] = int(np.searchsorted(levels[j], tree.threshold[node])) + 1
        stack += [(tree.children_left[node], low), (tree.children_right[node], right)]
    return tree.replace(threshold=threshold)


def said_of_algorithms(ensemble):
    """Whether each algorithm gives a faithful tree of the least depth or leaves: dict of name to bool."""
    classes = build_cells(ensemble, keep_all=True).classes
    grid, whole = Grid(classes), ((0,) * classes.ndim, tuple(n - 1 for n in classes.shape))
    depth, leaves = grid.depth(*whole), least_leaves(grid, *whole)
    printed = {name: minimise_by_recursion(ensemble, value).tree for name, value in OBJECTIVES.items()}
    exact = {name: minimise(ensemble, OBJECTIVES[name]).tree for name in ("D", "L")}
    rules = born_again_heuristic(ensemble, n_samples=2, random_state=0).tree  # so that proofs are asked for
    faithful = {name: certify(tree, ensemble).faithful for name, tree in printed.items()}
    return {
        DEPTH: faithful["D"] and printed["D"].max_depth == depth,
        LEAVES: faithful["L"] and printed["L"].n_leaves == leaves,
        BOTH: faithful["DL"] and printed["DL"].max_depth == depth,
        EXPORTED: all(faithful.values()),
        EXACT: exact["D"].max_depth == depth
        and exact["L"].n_leaves == leaves
        and all(certify(tree, ensemble).faithful for tree in exact.values()),
        HEURISTIC: certify(rules, ensemble).faithful,
    }


def least_leaves(grid, low, high):
    """The fewest leaves of a tree that is faithful in a region of a `Grid`, by trying every split, int."""

    @cache
    def least(low, high):
        if grid.depth(low, high) == 0:
            return 1
        return min(least(*left) + least(*right) for _, left, right in grid.splits(low, high))

    return least(low, high)


def trials(name, stored="bornagain.algorithms"):
    """What the stored run found of a statement, list of `Trials`."""
    rows = store.results(stored).to_dict("records")
    return [
        Trials(row["cases"], row["failed"], row["worst"], f"{row['where']}: {name}", row["how"])
        for row in rows
        if row["statement"] == name
    ]


@judges("bornagain.s3.algorithm-1.*", "bornagain.ssupp.algorithm-*")
def judge_algorithms():
    """Verdicts on Algorithms 1 to 4: what they give on any ensemble, and the printed counts, list."""
    exact = store.results("bornagain.exact").set_index(["data", "fold"])
    printed, least = (exact[exact["objective"] == name]["leaves"] for name in ("DL printed", "DL exact"))
    more = [(f"{data}, fold {fold}", extra <= 0, extra) for (data, fold), extra in (printed - least).items()]
    return [
        _algorithm("s3.algorithm-1.statement", 6, DEPTH),
        _algorithm("ssupp.algorithm-2.statement", 7, LEAVES),
        _algorithm("ssupp.algorithm-3.statement", 8, BOTH),
        judge_statement("bornagain.ssupp.algorithm-3.optimal", more, experiment="bornagain.exact"),
        judge_statement(
            "bornagain.ssupp.algorithm-4.statement",
            trials(AS_PRINTED, "bornagain.extraction"),
            numbers={"exported": "; ".join(one.text() for one in trials(EXPORTED))},
            experiment="bornagain.extraction",
        ),
    ]


def _algorithm(claim, table, name):
    cells = {key: one for key, one in judged().items() if key.startswith(f"bornagain.t{table}.")}
    match = ((key, one.verdict == "match") for key, one in cells.items())
    return judge_statement(f"bornagain.{claim}", [*trials(name), match], experiment="bornagain.algorithms")
