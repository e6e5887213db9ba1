"""More than one tree of the same data: all prices of a leaf, and all trees that are nearly as good."""

from treelib.search.budget import OPTIMAL, warn_stopped
from treelib.sparse import on_columns, on_numbers, rashomon
from treelib.sparse import regularization_path as path
from treelib.sparse.continuous.number_tree import NumberTree
from treelib.sparse.continuous.search import MANY_THRESHOLDS


def find_path(problem, lowest, budget):
    """`RegularizationPath` of a `TreeProblem` from the single leaf down to the regularization `lowest`."""
    first, training = on_columns.prepared(problem, budget)
    found = path.regularization_path(
        training.columns,
        training.costs,
        lowest,
        total=problem.rows.total,
        max_depth=problem.max_depth,
        max_leaves=problem.max_leaves,
        initial=on_columns.initial_columns(problem, training),
        n_jobs=problem.n_jobs,
        budget=budget,
        others=() if first is None else first.prunings(),
    )
    if not found.is_optimal:
        warn_stopped(
            f"The search stopped before the path was proved ({found.status}); see its `proved`. "
            + _what_helps(problem, training)
        )
    return found._replace(
        solutions=tuple(
            solution._replace(tree=_made(problem, training, solution.tree)) for solution in found.solutions
        )
    )


def find_set(problem, epsilon, max_trees, budget):
    """`RashomonSet` of a `TreeProblem`."""
    first, training = on_columns.prepared(problem, budget)
    found = rashomon.rashomon_set(
        training.columns,
        training.costs,
        problem.regularization,
        epsilon=epsilon,
        max_trees=max_trees,
        total=problem.rows.total,
        max_depth=problem.max_depth,
        max_leaves=problem.max_leaves,
        initial=on_columns.initial_columns(problem, training),
        budget=budget,
    )
    if found.status != OPTIMAL:
        if first is not None:
            found = rashomon.joined(found, first.best)
        warn_stopped(
            f"The search stopped before all trees were found ({found.status}). "
            + _what_helps(problem, training)
        )
    return found._replace(trees=rashomon.Listed(found.trees, lambda tree: _made(problem, training, tree)))


def _made(problem, training, tree):
    """`Tree` of a `ColumnTree` or a `NumberTree`."""
    if isinstance(tree, NumberTree):
        return on_numbers.tree_of(problem, tree)
    return on_columns.tree_of(problem, training, tree)


def _what_helps(problem, training):
    """Advice after a search over columns of 0 and 1 that a limit stopped."""
    if problem.max_thresholds is None and (training.stopped or training.columns.shape[1] > MANY_THRESHOLDS):
        return "It looks at every threshold; max_thresholds=10 makes it shorter."
    return "A higher limit, fewer thresholds (max_thresholds) or less depth (max_depth) help."
