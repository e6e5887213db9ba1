"""Pruning: Section 4, Theorems 4.1 and 4.2, and Theorem 7.1 that joins it to splitting."""

from fractions import Fraction
from itertools import pairwise, product
from math import log

import numpy as np

from treelib.ledger import store
from treelib.ledger.experiments import experiment
from treelib.ledger.protocol.judging import (
    EXHAUSTIVE,
    RANDOM,
    WHOLE,
    Trials,
    judge,
    judge_statement,
    judges,
    untestable,
)
from treelib.papers.tsallis import splits
from treelib.papers.tsallis.splits import half_width
from treelib.topdown.criteria import resolve
from treelib.topdown.grow.learner import Limits, Problem, learn
from treelib.topdown.learn import pessimistic_risk, pruning_risk
from treelib.topdown.learn.joint_risk import joint_loss
from treelib.topdown.learn.sample_complexity import ln_pieces
from treelib.topdown.learn.splitting_risk import Instance
from treelib.topdown.prune.methods import cost_complexity_path, wrong_counts
from treelib.tree.stored import Tree


def grown_tree(X, y, criterion="gini", **limits):
    """`Tree` of the learner on one data set."""
    n_classes = int(np.max(y)) + 1
    grown = learn(
        Problem(np.ascontiguousarray(X, dtype=float), y, n_classes), resolve(criterion), Limits(**limits)
    )
    return grown.to_tree(X.shape[1], n_classes)


def complexity_pieces(X, y):
    """Pieces of the complexity parameter on one data set (Theorem 4.1).

    Returns
    -------
    dict: ``pieces``, ``leaves``, ``splits``; the theorem's t is the number of leaves
    """
    tree = grown_tree(X, y)
    found = pruning_risk.complexity_loss(pruning_risk.PruningInstance(tree, X, y))
    return {"pieces": len(found.steps[0]), "leaves": tree.n_leaves, "splits": tree.n_leaves - 1}


def chain_with_a_piece_for_every_leaf(n_leaves=4):
    """A tree of k leaves whose cost-complexity path has k pieces: t of Theorem 4.1 must count leaves.

    Returns
    -------
    dict as of `complexity_pieces`
    """
    # from the bottom up, each split saves one error more than the one below
    nested = [0, 100]
    for saved in range(1, n_leaves):
        nested = 0, float(saved), [saved, 0], nested
    tree = Tree.from_nested(nested, 1, n_classes=2)
    found = pruning_risk.complexity_loss(
        pruning_risk.PruningInstance(tree, np.zeros((1, 1)), np.zeros(1, dtype=int))
    )
    return {"pieces": len(found.steps[0]), "leaves": tree.n_leaves, "splits": tree.n_leaves - 1}


def pessimistic_pieces(X, y):
    """Curves and pieces of (c1, c2) on one data set (Theorem 4.2).

    Returns
    -------
    dict: ``curves``, ``leaves``, ``splits``, ``prunings``
    """
    return _curves(grown_tree(X, y))


def _curves(tree):
    n_features = tree.n_features
    blank = pruning_risk.PruningInstance(tree, np.zeros((1, n_features)), np.zeros(1, dtype=int))
    found = pessimistic_risk.pessimistic_loss(
        blank, (1e-3, 50.0), (0.0, 100.0), n_attributes=max(n_features, 2)
    )
    leaves = tree.n_leaves
    return {"curves": found.n_curves, "leaves": leaves, "splits": leaves - 1, "prunings": found.n_prunings}


def more_curves_than_nodes():
    """A tree whose pessimistic pruning needs more curves than it has splits, and even leaves.

    The test of a node looks at its subtree as it was pruned below, so one node can have several curves. The
    proof of Theorem 4.2 counts one for each node. Found by a search over random trees.

    Returns
    -------
    dict as of `pessimistic_pieces`
    """
    pure = (0, 4.0, (0, 2.0, [0, 13], [3, 0]), (0, 2.0, [39, 0], [0, 53]))
    mixed = (0, 3.0, [5, 0], (0, 2.0, [16, 0], [2, 20]))
    other = (0, 3.0, [0, 16], (0, 2.0, [19, 27], [3, 0]))
    nested = (0, 11.0, [0, 13], (0, 10.0, (0, 7.0, pure, mixed), other))
    return _curves(Tree.from_nested(nested, 1, n_classes=2))


N_GROWN = 20  # splits on which pruning is set beside growing no further


@experiment(
    "tsallis.grow-and-prune",
    item="Section 4",
    title="Trees pruned to a size beside trees grown to it",
    cases=lambda: [{"data": data} for data in splits.MAIN],
    datasets=splits.data_of,
    seconds=2,
)
def grow_and_prune(case):
    """Test rows predicted rightly by each pruning of a tree, and by a tree grown to as many leaves.

    Returns
    -------
    list of dict, one a split and size: ``split``, ``leaves``, ``n_test``, ``pruned``, ``grown``
    """
    X, y = splits.samples(case["data"])
    rows = []
    for split in range(N_GROWN):
        train, test = splits.pruning_parts(len(y), split)
        path = cost_complexity_path(grown_tree(X[train], y[train]))
        for piece, n_leaves in enumerate(path.n_leaves.tolist()):
            if 1 < n_leaves < path.n_leaves[0]:
                trees = {
                    "pruned": path[piece],
                    "grown": grown_tree(X[train], y[train], max_splits=n_leaves - 1),
                }
                right = {name: int((tree.predict(X[test]) == y[test]).sum()) for name, tree in trees.items()}
                rows.append({"split": split, "leaves": n_leaves, "n_test": len(test), **right})
    return rows


def minimises_over_all_prunings(X, y, max_splits=9):
    """Whether each tree of the cost-complexity path is the smallest minimiser of ``R(T, D)`` over all
    prunings.

    Returns
    -------
    holds : bool. n_prunings, n_pieces : int
    """
    tree = grown_tree(X, y, max_splits=max_splits)
    wrong = [round(value) for value in wrong_counts(tree)]

    def prunings(node):
        whole = [(wrong[node], 1)]
        if tree.is_leaf[node]:
            return whole
        sides = prunings(tree.children_left[node]), prunings(tree.children_right[node])
        return whole + [(a + c, b + d) for (a, b), (c, d) in product(*sides)]

    path, everything = cost_complexity_path(tree), prunings(0)
    ends = [*path.breakpoints[1:], path.breakpoints[-1] + 1]
    holds = True
    for piece, (low, high) in enumerate(zip(path.breakpoints, ends, strict=True)):
        price = (low + high) / 2
        best = min((Fraction(errors, len(y)) + price * leaves, leaves) for errors, leaves in everything)
        own = path[piece]
        errors = round(float(wrong_counts(own)[own.is_leaf].sum()))
        holds &= (Fraction(errors, len(y)) + price * own.n_leaves, own.n_leaves) == best
    return bool(holds), len(everything), len(path)


# ---- every small tree, and random large ones --------------------------------------------------------------

KINDS = ((1, 0), (0, 1), (1, 1), (2, 1))  # rows of the two classes in a leaf of a small tree
SMALL_TREES = f"trees of at most 4 leaves of {', '.join(f'{a}-{b}' for a, b in KINDS)} rows of two classes"


def small_trees(most=4, leaves=KINDS):
    """All trees of at most `most` leaves over one column whose leaves hold the given counts, as `Tree`."""

    def shapes(low, high):
        """Nested trees over the intervals ``low`` to ``high`` of the column, one leaf each."""
        if high - low == 1:
            yield from ([list(counts)] for counts in leaves)
            return
        for cut in range(low + 1, high):
            for left, right in product(shapes(low, cut), shapes(cut, high)):
                yield [(0, cut - 0.5, left[0], right[0])]

    for n_leaves in range(1, most + 1):
        for (nested,) in shapes(0, n_leaves):
            yield Tree.from_nested(nested, 1, n_classes=2)


def random_trees(n_trees=200, seed=0):
    """Trees of 20 to 60 leaves with random counts, as `Tree`."""
    random = np.random.default_rng(seed)

    def grow(low, high):
        if high - low == 1:
            return random.integers(0, 9, 2).tolist() if random.random() < 0.9 else [1, 1]
        cut = int(random.integers(low + 1, high))
        return 0, cut - 0.5, grow(low, cut), grow(cut, high)

    for _ in range(n_trees):
        yield Tree.from_nested(grow(0, int(random.integers(20, 61))), 1, n_classes=2)


SIZES = {  # what t may count, from the number of leaves
    "leaves": lambda leaves: leaves,
    "splits": lambda leaves: leaves - 1,
    "all nodes": lambda leaves: 2 * leaves - 1,
}


def nested_pieces(tree):
    """The prunings of one tree: (leaves, pieces, whether they are nested)."""
    path = cost_complexity_path(tree)
    kept = [set(path[piece].threshold[~path[piece].is_leaf]) for piece in range(len(path))]
    return tree.n_leaves, len(path), all(small <= large for large, small in pairwise(kept))


def at_most_t_pieces(*groups):
    """Whether the prunings of trees are no more than t, for all that t may count.

    groups : of (list of (leaves, pieces) or of what `nested_pieces` gives, what the trees are, how)

    Returns
    -------
    trials : dict of reading to list of Trials, one a group
    is_open : bool, whether one reading holds and another fails
    numbers : dict of str, for the sentences of the notes
    """
    trials = {
        reading: [
            Trials.of(
                (
                    (f"a tree of {leaves} leaves, {pieces} pieces for {size(leaves)} {reading}; more",
                     all(nested) and pieces <= size(leaves), pieces - size(leaves))
                    for leaves, pieces, *nested in trees
                ),
                f"{what}: at most as many pieces as {reading}",
                how,
            )
            for trees, what, how in groups
        ]
        for reading, size in SIZES.items()
    }  # fmt: skip
    failing = [reading for reading, of in trials.items() if any(one.failed for one in of)]
    holding = [reading for reading in trials if reading not in failing]
    numbers = {"others": _beside(trials), "holding": " and ".join(holding), "failing": " and ".join(failing)}
    return trials, bool(failing and holding), numbers


def _beside(trials):
    """What the readings but the first say, in words; trials : dict of reading to list of Trials."""
    others = list(trials.items())[1:]
    return "; ".join(f"t as {reading}: {', '.join(one.text() for one in of)}" for reading, of in others)


@judges("tsallis.s4.*", "tsallis.s7.theorem-7-1.*")
def judge_pruning_theory():
    """Verdicts on Section 4 and Theorem 7.1, list of Verdict."""
    return [
        *_judge_objective(),
        judge("tsallis.s4.gj-algorithm.degree", degree_of_pessimistic_test()),
        *_judge_theorem_4_1(),
        *_judge_theorem_4_2(),
        _judge_theorem_7_1(),
        _judge_grow_and_prune(),
    ]


def _judge_objective():
    """Verdicts on what the algorithm minimises, and on what it selects at price 0, list of Verdict."""
    minimal = {data: minimises_over_all_prunings(*splits.samples(data)) for data in splits.MAIN}
    grown = [whole_at_zero(grown_tree(*splits.samples(data))) for data in splits.MAIN]
    trials = [(f"{data}, {pieces} trees", holds) for data, (holds, _, pieces) in minimal.items()]
    least = "the whole has fewer errors than every pruning of it"
    return [
        judge_statement(
            "tsallis.s4.mccp.definition",
            filter(None, map(_weakest_as_printed, small_trees())),
            numbers={"trees": SMALL_TREES},
        ),
        judge_statement(
            "tsallis.s4.mccp.objective",
            [iter(trials), map(_root_in_the_end, small_trees())],
            numbers={"trees": SMALL_TREES, "n": sum(n for _, n, _ in minimal.values())},
        ),
        judge_statement(
            "tsallis.s4.mccp.at-zero",
            [
                Trials.of(map(whole_at_zero, small_trees()), f"{SMALL_TREES}: {least}", EXHAUSTIVE),
                Trials.of(map(whole_at_zero, random_trees()), f"trees of 20 to 60 leaves: {least}", RANDOM),
            ],
            numbers={
                "held": sum(held for _, held, _ in grown),
                "n": len(grown),
                "grown": "; ".join(text for text, *_ in grown),
            },
        ),
    ]


def whole_at_zero(tree):
    """Whether a tree has fewer errors than each of its prunings: (text, bool, leaves that are not needed)."""
    left = int(cost_complexity_path(tree).n_leaves[0])
    return (
        f"a tree of {tree.n_leaves} leaves, {left} of them enough",
        left == tree.n_leaves,
        tree.n_leaves - left,
    )


def _root_in_the_end(tree):
    """Whether the path ends with the root alone, at a price of at most 1: (text, bool)."""
    path = cost_complexity_path(tree)
    return f"a tree of {tree.n_leaves} leaves", bool(path.n_leaves[-1] == 1 and path.breakpoints[-1] <= 1)


def _weakest_as_printed(tree, price=Fraction(1, 10)):
    """Whether a link that the printed measure deletes first is a weakest one: (text, bool), None below two
    links."""
    inner = np.flatnonzero(~tree.is_leaf).tolist()
    if len(inner) < 2:
        return None
    rows = [round(value) for value in np.atleast_2d(tree.value).sum(axis=1).tolist()]
    wrong = [round(value) for value in wrong_counts(tree)]

    def below(node):
        if tree.is_leaf[node]:
            return [node]
        return below(tree.children_left[node]) + below(tree.children_right[node])

    printed, meant = {}, {}
    for node in inner:
        leaves = below(node)
        more = len(leaves) - 1
        branch = sum(Fraction(wrong[leaf], rows[leaf]) + price for leaf in leaves) + price * len(leaves)
        printed[node] = (Fraction(wrong[node], rows[node]) + price - branch) / more
        meant[node] = Fraction(wrong[node] - sum(wrong[leaf] for leaf in leaves), more * rows[0])
    first = [node for node in inner if printed[node] == min(printed.values())]
    held = any(meant[node] == min(meant.values()) for node in first)
    counts = ", ".join(str(tree.value[leaf].astype(int).tolist()) for leaf in below(0))
    return f"leaves {counts}, at node {first[0]}", held


def degree_of_pessimistic_test(seed=0):
    """Degree in (c1, c2) of ``n (e_l - e_h)^2 - c1^2 (t log a + c2)``, whose sign is the test of a node.

    Along a line through the plane it is a polynomial of one variable; differences of exact values vanish from
    the order above its degree on.
    """
    random = np.random.default_rng(seed)
    n, t, log_a, more = (Fraction(int(value), 7) for value in random.integers(1, 50, 4))
    start, slope = ([Fraction(int(value), 5) for value in random.integers(1, 50, 2)] for _ in range(2))

    def test(step):
        c1, c2 = (a + step * b for a, b in zip(start, slope, strict=True))
        return n * more**2 - c1**2 * (t * log_a + c2)

    values, degree = [test(step) for step in range(9)], 0
    for order in range(9):
        if any(values):
            degree = order
        values = [b - a for a, b in pairwise(values)]
    return degree


def _judge_theorem_4_1():
    counted = [complexity_pieces(*splits.samples(data)) for data in splits.MAIN]
    listed = {name: ", ".join(str(one[name]) for one in counted) for name in ("pieces", "leaves")}
    chain = chain_with_a_piece_for_every_leaf()
    trials, is_open, numbers = at_most_t_pieces(
        (list(map(nested_pieces, small_trees())), f"{SMALL_TREES}, prunings nested", EXHAUSTIVE),
        (list(map(nested_pieces, random_trees())), "trees of 20 to 60 leaves, prunings nested", RANDOM),
    )
    return [
        untestable("tsallis.s4.theorem-4-1.statement", numbers=listed),
        judge_statement(
            "tsallis.s4.theorem-4-1.pieces", trials["leaves"], withhold=is_open, numbers=numbers | chain
        ),
    ]


def _judge_theorem_4_2(n_random=100):
    found = {data: pessimistic_pieces(*splits.samples(data)) for data in splits.MAIN}
    listed = ", ".join(f"{data} {one['curves']} curves" for data, one in found.items())
    found["a tree found by search"] = more_curves_than_nodes()
    found |= {f"random tree {k}": _curves(tree) for k, tree in enumerate(random_trees(n_random, seed=1))}
    trials = {
        reading: Trials.of(
            (
                (f"{name}, {one['curves']} curves for {size(one['leaves'])} {reading}; more",
                 one["curves"] <= size(one["leaves"]), one["curves"] - size(one["leaves"]))
                for name, one in found.items()
            ),
            f"trees pruned from the bottom up, at most as many curves as {reading}",
        )
        for reading, size in SIZES.items()
    }  # fmt: skip
    judged = trials["leaves"]
    return [
        untestable("tsallis.s4.theorem-4-2.statement", numbers={"listed": listed}),
        judge_statement(
            "tsallis.s4.theorem-4-2.curves",
            judged,
            withhold=judged.failed > 0 == trials["all nodes"].failed,
            numbers={
                "n": len(trials),
                "others": _beside({reading: [one] for reading, one in trials.items()}),
            },
        ),
    ]


def _judge_theorem_7_1():
    X, y = splits.samples("Wine")
    joint = joint_loss(Instance(X[::2], y[::2], X[1::2], y[1::2]), (0.2, 3.05), max_depth=splits.MAX_DEPTH)
    numbers = {
        "rectangles": joint.n_rectangles,
        "trees": joint.grown.n_behaviours,
        "logarithm": log(joint.n_rectangles),
        "bound": ln_pieces("joint", t=32, n_functions=len(np.unique(X)), n_classes=3),
    }
    return untestable("tsallis.s7.theorem-7-1.statement", numbers=numbers)


def _judge_grow_and_prune():
    """Whether a tree pruned to a size is more accurate than one grown to it: Verdict."""
    trials, rows = [], []
    for data, some in store.results("tsallis.grow-and-prune").groupby("data", sort=False):
        lead = 100 * (some["pruned"] - some["grown"]) / some["n_test"]
        of_split = lead.groupby(some["split"]).mean()
        width = half_width(of_split)
        text = f"{data}, {of_split.mean():+.2f} ± {width:.2f} points over {len(of_split)} splits"
        trials.append((text, bool(of_split.mean() > width), float(-of_split.mean())))
        rows.append(
            f"{text} (better {int((lead > 0).sum())}, level {int((lead == 0).sum())}, worse "
            f"{int((lead < 0).sum())} of its sizes)"
        )
    return judge_statement(
        "tsallis.s4.grow-and-prune",
        trials,
        how=WHOLE,
        numbers={"rows": "; ".join(rows)},
        experiment="tsallis.grow-and-prune",
    )
