"""BinOCT and regularised BinOCT: complete trees of a given depth as mixed-integer programs, on HiGHS.

The baseline of Hu, Rudin and Seltzer 2019 (Figures 1, 5 to 8 and 10 to 16). The program stands in
`binoct_program`; here it is handed to HiGHS with a first solution, watched, and read back as a tree. What is
reported is what HiGHS proves within its limits, with the objective counted anew from tree and data. HiGHS is
optional: ``pip install treelib-companion[milp]``.
"""

import math

import numpy as np

from treelib.search.budget import OPTIMAL, Budget, SearchResult
from treelib.search.highs import import_highspy
from treelib.sparse.binoct.program import check_size, distinct_rows, merged_of
from treelib.sparse.binoct.solver import INEXACT, NEEDS, TOLERANCE, Solved, solve
from treelib.sparse.problem_checks import check_table
from treelib.table.checks import check_count, check_number
from treelib.tree.stored import Tree


def binoct(
    X,
    y,
    depth,
    *,
    regularization=0.0,
    time_limit,
    initial=None,
    cancel=None,
    verbose=False,
    threads=1,
    seed=0,
):
    """Tree of least error among the complete trees of one depth, or with a price for every leaf in use.

    Without `regularization` this is BinOCT (Verwer and Zhang 2019): the tree has 2**depth leaves, whether
    they help or not. With it, it is the program of Hu, Rudin and Seltzer 2019, Appendix J: a leaf that no row
    reaches is free, so a split that sends all its rows one way is no split, and is left out of the tree.

    Parameters
    ----------
    X : array-like (n, p) of 0 and 1
    y : array-like (n,) of class codes 0, 1, ...
    depth : int, at least 1
    regularization : float, leaf penalty as a fraction of the rows (lambda); 0 for BinOCT
    time_limit : float, seconds of wall clock in all, or None
    initial : Tree of at most `depth` on these features to start from; its leaves are labelled anew.
        Default: the best of scikit-learn's CART trees of depth 1 to `depth`.
    cancel : callable without arguments, asked about fifty times a second; the search stops when it returns
        True
    verbose : bool, show a progress line on standard error
    threads : int, threads of HiGHS
    seed : int, random seed of HiGHS and CART

    Returns
    -------
    SearchResult
        `tree` is at least as good as the start. `objective` is the fraction of rows misclassified plus
        `regularization` for every leaf in use; `lower_bound` is that of HiGHS, which holds up to its
        tolerance of 1e-6. Also after a limit or KeyboardInterrupt. `status` is "inexact" in the case, not
        seen so far, that HiGHS ends in another way than by proof or limit. `trace` follows HiGHS's log.

    Raises
    ------
    TypeError, ValueError
        For data other than 0/1 columns and class codes, and for settings that do not exist.
    ImportError
        Without `highspy`.

    Notes
    -----
    In the regularised program every node must split on some feature, so a leaf higher up is written by
    repeating the feature of a node above. At the root there is none: the tree that is a single leaf cannot
    be written, and is compared with the result separately.

    Examples
    --------
    >>> from treelib.sparse.binoct.fit import binoct
    >>> result = binoct([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0], depth=2, time_limit=60)
    >>> result.status, result.objective, result.tree.n_leaves
    ('optimal', 0.0, 4)
    """
    budget = Budget(time_limit, verbose=verbose, cancel=cancel)
    X, y, n_classes = _check_data(X, y)
    depth = int(check_count("depth", depth, "a whole number, 1 or more"))
    threads = int(check_count("threads", threads, "a whole number, 1 or more"))
    seed = int(check_count("seed", seed, "a whole number, 0 or more", least=0))
    regularization = float(check_number("regularization", regularization, "a number, 0 or more"))
    import_highspy(NEEDS)  # its absence is known before anything is built

    n = len(y)
    start = None if initial is None else [_check_initial(initial, X, depth)]
    problem = _BinoctProblem(X, y, n_classes, regularization)
    rows, least = problem.rows, problem.least
    check_size(rows, depth)

    start = start or problem.cart_trees(depth, seed)
    features = problem.best_features([_features_of(tree, depth) for tree in start])
    tree, objective = problem.tree_of(features)
    if problem.alone < objective:
        tree, objective = problem.leaf, problem.alone

    known = objective

    def follow(upper, bound, n_nodes):
        nonlocal known
        known = min(known, (upper + TOLERANCE) / n)  # never less than what the tree costs when it is counted
        budget.record(known, problem.proven(bound), n_nodes)

    follow(math.inf, -math.inf, 0)
    status, lower, stats = OPTIMAL, least, {"n_merged_rows": len(rows.columns), "n_nodes": 0}
    if objective > least + TOLERANCE / n:
        stopped = budget.due()
        if stopped is None:
            solved = solve(rows, depth, regularization * n, features, threads, seed, budget, follow)
        else:
            solved = Solved(stopped)
        status, lower = solved.status, problem.proven(solved.bound)
        if solved.features is not None:
            found = problem.tree_of(solved.features)
            if found[1] < objective:
                tree, objective = found
        stats["n_nodes"] = solved.n_nodes
        stats["n_constraints"], stats["n_variables"] = solved.shape
    if objective - lower <= TOLERANCE / n:
        status, lower = OPTIMAL, objective
    elif status == OPTIMAL:
        status = INEXACT
    budget.record(objective, lower, stats["n_nodes"], last=True)
    return SearchResult(status, objective, lower, tree, budget.trace, stats | {"seconds": budget.seconds})


class _BinoctProblem:
    """Data and price, and what they say of every tree.

    Attributes
    ----------
    X, y, weight : the distinct rows, one for each class that they have, and how many rows each stands for
    n_rows, n_classes : int
    rows : merged rows, as `treelib.sparse.binoct.program.merged_of` gives them
    least : float, lower bound of the objective
    leaf, alone : Tree that is a single leaf and its objective, where that tree counts; else None and inf
    """

    def __init__(self, X, y, n_classes, regularization):
        self.n_rows, self.n_classes, self.regularization = len(y), n_classes, regularization
        columns, counts = distinct_rows(X, y, n_classes)
        self.rows = merged_of(columns, counts)
        of_row, self.y = np.nonzero(counts)
        self.X, self.weight = columns[of_row], counts[of_row, self.y]
        # every tree has a leaf in use and makes the errors between equal rows
        self.least = self.rows.base_errors / self.n_rows + regularization
        self.leaf, self.alone = None, math.inf
        if regularization:
            leaf = Tree.from_nested(0, X.shape[1], n_classes=n_classes)
            self.leaf = self._counted(leaf).replace(label=None)
            self.alone = self.leaf.objective(self.X, self.y, regularization, self.weight)

    def _counted(self, tree):
        """`tree` with the counts of all rows."""
        tree = tree.recount(self.X, self.y, self.weight)
        return tree.replace(n_node_samples=tree.value.sum(axis=1).astype(np.intp))

    def cart_trees(self, depth, seed):
        """scikit-learn's CART trees of depth 1 to `depth`; equal rows count as often as there are of them."""
        from sklearn.tree import DecisionTreeClassifier

        return [
            DecisionTreeClassifier(max_depth=d, random_state=seed % 2**32)
            .fit(self.X, self.y, self.weight)
            .tree_
            for d in range(1, depth + 1)
        ]

    def tree_of(self, features):
        """The complete tree with the given features, labelled by the rows, and its objective."""
        tree = _nested_tree(features, self.rows.columns, self.n_classes, self.regularization > 0)
        tree = self._counted(tree)
        label = tree.value.argmax(axis=1)
        for node in np.flatnonzero(tree.n_node_samples == 0):  # preorder: the parent is known
            label[node] = label[tree.parent[node]]
        tree = tree.replace(label=label)
        return tree, tree.objective(self.X, self.y, self.regularization, self.weight)

    def best_features(self, choices):
        """The features, out of several, of the tree with the least objective; the first of equals."""
        return min(choices, key=lambda features: self.tree_of(features)[1])

    def proven(self, bound):
        """Lower bound of the objective, given one of the program in rows, which may be -inf."""
        bound = max(bound, self.rows.base_errors)
        if not self.regularization:  # errors are whole numbers
            bound = math.ceil(bound - TOLERANCE)
        return min(max(self.least, bound / self.n_rows), self.alone)


def _nested_tree(features, merged, n_classes, collapse):
    """`Tree` of the complete tree with the given `features`, without counts.

    `collapse`: splits with all `merged` rows on one side vanish.
    """
    n_nodes = len(features)

    def nested(node, rows):
        if node >= n_nodes:
            return 0
        feature = int(features[node])
        left, right = rows[~merged[rows, feature]], rows[merged[rows, feature]]
        if collapse and not len(right):
            return nested(2 * node + 1, left)
        if collapse and not len(left):
            return nested(2 * node + 2, right)
        return feature, 0.5, nested(2 * node + 1, left), nested(2 * node + 2, right)

    return Tree.from_nested(nested(0, np.arange(len(merged))), merged.shape[1], n_classes=n_classes)


def _features_of(tree, depth):
    """Features of the complete tree that does what `tree` does; below a leaf its parent's are repeated."""
    features = np.zeros(2**depth - 1, dtype=np.intp)
    todo = [(0, 0, 0)]
    while todo:
        place, node, feature = todo.pop()
        if place < len(features):
            is_split = tree.children_left[node] >= 0
            features[place] = feature = tree.feature[node] if is_split else feature
            children = (tree.children_left[node], tree.children_right[node]) if is_split else (node, node)
            todo += [(2 * place + side, child, feature) for side, child in zip((1, 2), children, strict=True)]
    return features


def _check_data(X, y):
    X, y = check_table(X, y)
    if y.dtype.kind not in "biu" or y.min() < 0:
        raise ValueError(
            f"y must hold class codes 0, 1, ... as integers, not {y.dtype} with least value {y.min()}."
        )
    return X.astype(bool), y.astype(np.intp), max(int(y.max()) + 1, 2)


def _check_initial(tree, X, depth):
    if not isinstance(tree, Tree):
        raise TypeError(f"initial must be a treelib.tree.stored.Tree, not {type(tree).__name__}.")
    if tree.n_features != X.shape[1] or tree.max_depth > depth:
        raise ValueError(
            f"initial reads {tree.n_features} features at depth {tree.max_depth}; it must read the "
            f"{X.shape[1]} features of X and be no deeper than depth={depth}."
        )
    threshold = tree.threshold[~tree.is_leaf]
    if ((threshold < 0) | (threshold >= 1)).any():
        raise ValueError("initial must split its 0/1 features between 0 and 1, at 0.5 say.")
    return tree
