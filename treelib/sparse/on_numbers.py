"""The engine on numbers as they are: every threshold of every column, none made into a column of 0 and 1."""

from dataclasses import replace
from functools import partial

from treelib.search.budget import OPTIMAL, SearchResult
from treelib.sparse.continuous.leaves import LEAP, close_leap, optimal_tree_within
from treelib.sparse.continuous.number_tree import LEAF, from_plan, to_tree
from treelib.sparse.continuous.search import Search, optimal_tree
from treelib.sparse.continuous.threads import ThreadedSearch
from treelib.sparse.fallback import initial_numbers
from treelib.sparse.training import ALL_THRESHOLDS, Solution, weigh_by_cost


def solve(problem, budget):
    """`Solution` of a `TreeProblem` whose tests are all thresholds."""
    return written(problem, search(problem, budget))


def written(problem, result):
    """`Solution` of a `SearchResult` with a `NumberTree`."""
    return Solution.of(result, tree_of(problem, result.tree), ALL_THRESHOLDS + problem.given.words)


def tree_of(problem, tree):
    """`treelib.Tree` of a `NumberTree`."""
    rows, names = problem.rows, (problem.feature_names, problem.class_names)
    made = to_tree(tree, rows.X, rows.y_codes, rows.weights, problem.n_classes, *names)
    # the label of least cost, or of an order, may be another than the most frequent class
    is_free = problem.costs is None and not problem.given.direction.any()
    return made if is_free else made.replace(label=tree.label)


def search(problem, budget):
    """`SearchResult` with a `NumberTree`. What an error costs is a weight of its row: the mean one where
    costs depend on the class that is predicted."""
    rows, base, unit = problem.rows, 0.0, 1.0
    if problem.costs is not None:
        rows, base, unit = weigh_by_cost(rows, problem.error_costs)
        budget.units = base, unit
        if unit == 0:  # all trees cost the same
            cost = base + problem.regularization
            return SearchResult(OPTIMAL, cost, cost, from_plan([LEAF]))
    options = {"regularization": problem.regularization / unit, "max_depth": problem.max_depth}
    options |= {"sample_weight": rows.weights, "initial": initial_numbers(problem), "budget": budget}
    minimise = optimal_tree
    if problem.max_leaves is not None:
        minimise, options["max_leaves"] = optimal_tree_within, problem.max_leaves
    make = Search if problem.n_jobs == 1 else partial(ThreadedSearch, n_jobs=problem.n_jobs, budget=budget)
    result = minimise(rows.X, rows.y_codes, search=make, check_input=False, **options)
    if result.status == LEAP:
        result = close_leap(rows.X, rows.y_codes, result, **options)
    objective, lower = base + unit * result.objective, base + unit * result.lower_bound
    return replace(result, objective=objective, lower_bound=lower)
