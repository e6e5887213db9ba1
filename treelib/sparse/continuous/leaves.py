"""The optimal tree of at most so many leaves, by raising the price until the tree is small enough.

A tree that is optimal at a leaf penalty is optimal among all trees of as many leaves, or fewer, at every
lower price too. So the price is raised until the optimal tree keeps the limit: where it has as many leaves as
it may, that is the answer. The numbers of leaves of the optimal trees can leap over the limit; then what is
found is a lower bound, and a tree on either side of the leap.
"""

from dataclasses import replace

import numpy as np

from treelib.search.budget import OPTIMAL, Budget, SearchResult, Stopped, status_of
from treelib.sparse.continuous.greedy import pruned
from treelib.sparse.continuous.number_tree import NumberTree
from treelib.sparse.continuous.prepare import prepare
from treelib.sparse.continuous.search import WORK_A_STEP, Search, found_at, unsearched
from treelib.sparse.leaf_limit import minimise_within_leaves
from treelib.table.binarize import Binarizer

# an optimum at the price where two trees cost the same must be lower than both by this part, to be a third
_LESS = 1e-9
# status of a search that ended with a gap that no price closes
LEAP = "leap"


def optimal_tree_within(
    X,
    y,
    *,
    max_leaves,
    regularization=0.0,
    max_depth=None,
    sample_weight=None,
    initial=None,
    budget=None,
    search=Search,
    check_input=True,
):
    """Find the tree of least error + regularization x leaves of at most `max_leaves` leaves.

    Parameters
    ----------
    max_leaves : int, 1 or more
    others : as in `treelib.sparse.continuous.search.optimal_tree`

    Returns
    -------
    SearchResult, as of `optimal_tree`. The status "leap" says that no leaf penalty gives a tree of
    `max_leaves` leaves: the lower bound holds, but is not reached.
    """
    budget = Budget() if budget is None else budget
    depth = max_leaves - 1 if max_depth is None else min(max_depth, max_leaves - 1)
    data, rows, status = prepare(X, y, regularization, sample_weight, budget, depth, max_leaves, check_input)
    if initial is not None and initial.n_leaves > max_leaves:
        initial = None if rows is None else pruned(initial, data, max_leaves)
    if rows is None:
        return unsearched(data, status, budget, initial)
    price, large, lower, stats = data.regularization, None, 0.0, {}
    small = unsearched(data._replace(first=None), OPTIMAL, Budget()).tree
    best = small
    if initial is not None:
        best = min(best, data.labelled(initial), key=data.objective)
    own = search(rows, data, max(depth, 1))
    if depth and not own.is_leaf:
        initial = best = _start_within(own, max_leaves, best, budget)
    while True:
        status = own.run(budget) if depth else OPTIMAL
        found = found_at(own, status)
        stats = {name: stats.get(name, 0) + count for name, count in own.stats().items()}
        lower = max(lower, found.lower_bound - (price - data.regularization) * max_leaves)
        if found.tree.n_leaves <= max_leaves:
            best = min(best, found.tree, key=data.objective)
        objective = data.objective(best)
        lower = min(lower, objective)
        budget.record(objective, lower, own.n_nodes)
        if status != OPTIMAL:
            break
        if found.tree.n_leaves == max_leaves or (found.tree.n_leaves < max_leaves and large is None):
            lower = objective
            break
        if large is not None and _is_known(found, own.data, small, large):
            status = OPTIMAL if objective - lower <= _LESS * objective else LEAP
            break
        if found.tree.n_leaves < max_leaves:
            small = found.tree
        else:
            large = found.tree
        price = _price_between(data, small, large)
        own = search(rows, data._replace(regularization=price), max(depth, 1), initial)
    lower = objective if status == OPTIMAL else lower
    budget.record(objective, lower, own.n_nodes, last=True)
    return SearchResult(status, objective, lower, best, budget.trace, stats)


def _start_within(own, max_leaves, best, budget):
    """The better of `best` and of the greedy tree, cut back to `max_leaves` leaves, from which `own` starts.

    own : Search. best : NumberTree of its `data`
    """
    grown = own.greedy(budget)
    best = min(best, pruned(grown, own.data, max_leaves), key=own.data.objective)
    own._start_from(best)
    if own.rows.order.size > WORK_A_STEP:  # a small search begins with a few steps, and may end with them
        own.has_greedy = True
        own._start_from(grown)
    return best


def _price_between(data, small, large):
    """The price at which both trees cost the same."""
    free = data._replace(regularization=0.0)
    return (free.objective(small) - free.objective(large)) / (large.n_leaves - small.n_leaves)


def _is_known(found, at_price, small, large):
    """Whether an optimum is no better than the two trees that gave the price."""
    known = min(at_price.objective(small), at_price.objective(large))
    return found.objective >= known * (1 - _LESS)


def close_leap(X, y, result, *, max_leaves, regularization, max_depth, sample_weight, initial, budget):
    """The result of status "leap", proved or improved by the search over columns of 0 and 1.

    `initial` is not read: `result` is no worse.
    """
    weights = np.ones(len(y)) if sample_weight is None else sample_weight
    costs = (1.0 - np.eye(int(y.max()) + 1))[y] * weights[:, None]
    binarizer = Binarizer(None)
    try:
        columns = binarizer.fit_transform(X, sample_weight, budget.check)
    except (Stopped, KeyboardInterrupt) as stop:
        return replace(result, status=status_of(stop))
    found = minimise_within_leaves(
        columns, costs, regularization, total=float(weights.sum()), max_depth=max_depth,
        max_leaves=max_leaves, budget=budget,
    )  # fmt: skip
    lower = max(found.lower_bound, result.lower_bound)
    if found.objective >= result.objective:
        found.tree, found.objective = result.tree, result.objective
    else:
        found.tree = _on_numbers(found.tree, binarizer)
    found.status = OPTIMAL if found.objective - lower <= _LESS * found.objective else found.status
    found.lower_bound = found.objective if found.status == OPTIMAL else min(lower, found.objective)
    return found


def _on_numbers(tree, binarizer):
    """`NumberTree` of a `ColumnTree`."""
    is_leaf = tree.column < 0
    feature = np.where(is_leaf, -1, binarizer.column_feature_[tree.column])
    threshold = np.where(is_leaf, 0.0, binarizer.column_threshold_[tree.column])
    return NumberTree(feature, threshold, tree.false_child, tree.true_child, tree.label)
