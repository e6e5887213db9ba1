"""More than one tree of the same data: all prices of a leaf, and all trees that are nearly as good."""

import copy

from joblib import effective_n_jobs

from treelib.search.budget import OPTIMAL, warn_stopped
from treelib.sparse import rashomon
from treelib.sparse import regularization_path as path
from treelib.sparse.continuous.number_tree import NumberTree
from treelib.sparse.continuous.search import MANY_THRESHOLDS
from treelib.sparse.rashomon import Listed
from treelib.table.checks import check_count, check_price

# passes over the rows of a search after its limit, about: to read its tree takes the most, to score it two
PASSES = 8


class SeveralTrees:
    """What `OptimalSparseTreeClassifier` offers besides ``fit``."""

    def _free_rows(self, name, X, y, sample_weight, budget):
        """`Rows` for a search that knows no constraints but the allowed columns."""
        rows = self._check_rows(X, y, sample_weight, budget)
        if self._given.is_bound:
            raise ValueError(
                f"{name} knows no min_samples_leaf, monotonic_cst or required_features; leave them out, or "
                "fit at the prices that you want."
            )
        return rows

    def regularization_path(self, X, y, sample_weight=None, *, min_regularization=0.01):
        """Every distinct optimal tree, from the single leaf down to `min_regularization`.

        The settings of the estimator hold, but for `regularization`; the estimator is not fitted. The limits
        are those of the whole path. Unlike `fit`, this search makes a column of 0 and 1 of every threshold:
        on columns of many values set `max_thresholds`, to 10 say, or a time limit.

        Parameters
        ----------
        X, y, sample_weight : as in `fit`
        min_regularization : float or Fraction, default=0.01
            Lower end of the path; a float stands for the decimal it is printed as.

        Returns
        -------
        treelib.sparse.regularization_path.RegularizationPath
            ``solutions``: one `PathSolution` for each tree, with ``n_leaves``, ``error``,
            ``regularization_low``, ``regularization_high`` and ``tree``. The ends are exact fractions where
            all weights and costs are whole numbers. A tree of k leaves that is optimal only where two
            others are as good is not listed. ``proved``: the regularizations for which the proof was
            finished, all unless a limit stopped the search. ``at(regularization)``: the solution there.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from treelib import OptimalSparseTreeClassifier
        >>> X, y = load_iris(return_X_y=True)
        >>> model = OptimalSparseTreeClassifier(max_thresholds=10)
        >>> path = model.regularization_path(X, y, min_regularization=0.01)
        >>> for solution in path.solutions:
        ...     low, high = solution.regularization_low, solution.regularization_high
        ...     print(f"{solution.n_leaves} leaves, error {solution.error:.3f}, optimal from {low} to {high}")
        1 leaves, error 0.667, optimal from 1/3 to inf
        2 leaves, error 0.333, optimal from 22/75 to 1/3
        3 leaves, error 0.040, optimal from 1/75 to 22/75
        4 leaves, error 0.027, optimal from 1/100 to 1/75
        """
        model = copy.copy(self)
        model.regularization = check_price("min_regularization", min_regularization)
        budget = self._budget()
        rows = model._free_rows("regularization_path", X, y, sample_weight, budget)
        first = model._first_trees(rows, budget)
        prunings = [pruned for found in first for pruned in model._prunings(rows, found.tree)]
        training = model._prepare(rows, budget)
        seconds = model._keep_time_to_count(training, budget, times=PASSES)

        def greedy(status):
            return prunings or model._prunings(rows, model._greedy_after(rows, status, budget).tree)

        found = path.regularization_path(
            training.columns,
            training.costs,
            min_regularization,
            total=training.total,
            max_depth=self.max_depth,
            max_leaves=self.max_leaf_nodes,
            initial=model._warm_start(training),
            n_jobs=effective_n_jobs(self.n_jobs),
            budget=budget,
            seconds_a_tree=seconds,
            stopped=training.stopped,
            greedy=greedy if model._takes_greedy(training) else None,
        )
        if training.stopped is not None:
            found = found._replace(proved=())
        if not found.is_optimal:
            warn_stopped(
                f"The search stopped before the path was proved ({found.status}); see its `proved`. "
                + self._what_helps(training)
            )
        return found._replace(
            solutions=tuple(
                solution._replace(tree=model._made(solution.tree, training, rows))
                for solution in found.solutions
            )
        )

    def rashomon_set(self, X, y, sample_weight=None, *, epsilon=0.0, max_trees=1000):
        """All trees whose objective is at most the optimum + `epsilon`: with 0 all optimal trees.

        Two trees count as one when they divide the training rows into the same leaves, whatever the order of
        their splits. The settings of the estimator hold; it is not fitted. Meant for small sets: their size
        grows fast with `epsilon`, and with a small `regularization`. Unlike `fit`, this search makes a column
        of 0 and 1 of every threshold: on columns of many values set `max_thresholds`, or a time limit.

        Parameters
        ----------
        X, y, sample_weight : as in `fit`
        epsilon : float, default=0.0
            In units of the objective: 0.01 lets trees misclassify one row in a hundred more.
        max_trees : int, default=1000
            Return the best so many.

        Returns
        -------
        treelib.sparse.rashomon.RashomonSet
            ``trees``, made as they are asked for, and their ``objectives``, ascending, and ``complete``:
            whether these are all.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from treelib import OptimalSparseTreeClassifier
        >>> X, y = load_iris(return_X_y=True)
        >>> found = OptimalSparseTreeClassifier(0.02, max_thresholds=10).rashomon_set(X, y, epsilon=0.01)
        >>> len(found.trees), found.complete
        (6, True)
        >>> found.objectives.round(3)
        array([0.1  , 0.107, 0.107, 0.107, 0.107, 0.107])
        """
        check_count("max_trees", max_trees)
        model = copy.copy(self)
        budget = self._budget()
        rows = model._free_rows("rashomon_set", X, y, sample_weight, budget)
        first = model._first_trees(rows, budget)
        training = model._prepare(rows, budget)
        found = rashomon.rashomon_set(
            training.columns,
            training.costs,
            float(self.regularization),
            epsilon=float(check_price("epsilon", epsilon)),
            max_trees=int(max_trees),
            total=training.total,
            max_depth=self.max_depth,
            max_leaves=self.max_leaf_nodes,
            initial=model._warm_start(training),
            budget=budget,
        )
        if training.stopped is not None:
            found = found._replace(status=training.stopped, complete=False)
        if found.status != OPTIMAL:
            if model._takes_greedy(training):
                first = first or [model._greedy_after(rows, found.status, budget)]
                found = rashomon.joined(found, first[-1])
            warn_stopped(
                f"The search stopped before all trees were found ({found.status}). "
                + self._what_helps(training)
            )
        return found._replace(trees=Listed(found.trees, lambda tree: model._made(tree, training, rows)))

    def _made(self, tree, training, rows):
        """`Tree` of a `ColumnTree` or a `NumberTree`."""
        if isinstance(tree, NumberTree):
            return self._from_numbers(tree, rows)
        return self._to_tree(tree, training)

    def _what_helps(self, training):
        """Advice after a search over columns of 0 and 1 that a limit stopped."""
        if self.max_thresholds is None and (training.stopped or training.columns.shape[1] > MANY_THRESHOLDS):
            return "It looks at every threshold; max_thresholds=10 makes it shorter."
        return "A higher limit, fewer thresholds (max_thresholds) or less depth (max_depth) help."
