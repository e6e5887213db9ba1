"""`OptimalSparseTreeClassifier`: the scikit-learn face of the exact search."""

from copy import copy
from dataclasses import KW_ONLY

import numpy as np
from joblib import effective_n_jobs

from treelib.estimator import TreeClassifier, whole_or_not_at_all, with_parameters
from treelib.search.budget import MEMORY_LIMIT, OPTIMAL, Budget, warn_stopped
from treelib.sparse import on_columns, on_numbers
from treelib.sparse.constrained import fit as constrained
from treelib.sparse.constrained.parameters import encoded_constraints, read_constraints
from treelib.sparse.several_trees import find_path, find_set
from treelib.sparse.training import Rows, TreeProblem, checked_costs
from treelib.table.checks import check_count, check_limits, check_n_jobs, check_price, odd_numbers
from treelib.table.packed import read_bits
from treelib.table.weights import weigh_rows


@with_parameters
class OptimalSparseTreeClassifier(TreeClassifier):
    """Decision tree of least error plus a price for every leaf, proved optimal.

    Among all trees that split on the candidate tests, ``fit`` finds one that minimises::

        weighted fraction of misclassified training rows + regularization * number of leaves

    (Hu, Rudin and Seltzer 2019, equation 1; a tree that is a single leaf counts one leaf). Candidate tests
    are thresholds of numeric columns and single categories of categorical columns.

    Parameters
    ----------
    regularization : float, default=0.01
        Leaf penalty, as a fraction of the training weight: a split is worth making where it corrects
        more than this fraction of the rows. Above 0.5, two classes always give a single leaf. With 0 the
        training error alone counts; the tree is then one of many equally good ones and need not be the
        smallest.
    max_depth : int or None, default=None
        Largest number of splits on a path, 1 or more. None: no limit.
    max_leaf_nodes : int or None, default=None
        Largest number of leaves. None: no limit. Where it binds, the proof takes longer than without it.
    max_thresholds : int or None, default=None
        None: every threshold of every column is a candidate, and the proof of optimality is over all of them
        (`proof_scope_` says so). With a number, columns that have more thresholds keep so many, those
        nearest to equally spaced quantiles: faster, and the tree may have more errors than the optimal one.
    min_samples_leaf : int or float, default=1
        Least number of training rows in a leaf, as an integer, or as a fraction of the rows, rounded up.
        Weights do not count, but rows of weight zero are no rows.
    monotonic_cst : array-like of shape (n_features,), dict or None, default=None
        1: the predicted class never falls as the column grows, all others held, anywhere in the space of
        tables; -1: it never rises; 0: no constraint. A dict gives the columns by name or index. Of two
        classes the second of ``classes_`` is the higher one; of more, which must be numbers, the larger.
        See the notes.
    allowed_features : array-like of int, str or bool, or None, default=None
        The only columns that may be tested. None: all.
    required_features : array-like of int, str or bool, or None, default=None
        Columns each of which must be tested somewhere in the tree.
    categorical_features : "from_dtype", None, or array-like of int, str or bool, default="from_dtype"
        Columns that hold categories. "from_dtype": the columns of a data frame with a category, object or
        string dtype. Each category becomes a candidate test ``colour = red``.
    class_weight : dict, "balanced" or None, default=None
        Factors of the row weights by class. "balanced" lets all classes weigh the same.
    cost_matrix : array-like of shape (n_classes, n_classes) or None, default=None
        Cost of predicting class k (column) for a row of class c (row), in the order of ``classes_``. The
        error in the objective becomes the weighted mean cost. None: 1 for every wrong class.
    initial_tree : Tree, fitted tree estimator or None, default=None
        A tree over the same encoded features to start from; its splits move to the nearest candidates. It
        can save time but never changes the optimal objective. ``sklearn.base.clone``, which cross-validation
        calls, takes the fit from a fitted estimator: pass its ``tree_`` there.
    time_limit : float or None, default=None
        Seconds of wall clock for the search, which ends within a second of it, or 5 % where that is more; the
        tree is then no worse than the greedy one. What numba compiles at the first fit of a kind (two
        classes or more, weights, constraints) does not count; ``treelib warm`` compiles it ahead.
    memory_limit : float, str or None, default=None
        Bytes that the tables of the search may hold, or text such as "2 GB"; the search may pass it by a
        quarter. The table into which categories are encoded is one of them; where it has no room, the tree is
        a single leaf, and a warning says what helps.
    node_limit : int or None, default=None
        Number of subproblems the search may open.
    n_jobs : int or None, default=None
        Threads; None means one, -1 one for each processor. ``fit`` shares out the cuts of the root in a long
        search on the numbers as they are; where the best tree has few leaves for their price it looks at them
        one after the other, in one thread. `regularization_path` runs several searches at once. Searches over
        columns of 0 and 1, and `rashomon_set`, use one thread: there each step needs what all before have
        learnt. The optimum and its proof are the same for any number; of several optimal trees, another
        number may find another one.
    verbose : int, default=0
        1 shows a progress line with incumbent, bound, gap and nodes per second on standard error.

    Attributes
    ----------
    tree_ : treelib.Tree
        The tree, with thresholds in the units of the columns. It reads the encoded features: the numeric
        columns and then one 0/1 feature for each category.
    objective_ : float
        Objective of ``tree_`` on the training data.
    lower_bound_ : float
        Proven lower bound of the optimum; equal to ``objective_`` when ``is_optimal_``.
    gap_ : float
        (``objective_`` - ``lower_bound_``) / ``objective_``.
    is_optimal_ : bool
        To the rounding of float64: rows that weigh less than 1e-11 of all together may be left out of it.
    proof_scope_ : str
        What the bound and the proof range over: "all thresholds", or "at most 10 thresholds a column";
        constraints follow, such as "; leaves of at least 5 rows". Where a numeric column misses values in
        training, or a limit leaves that unread, it says ", missing values right": they go right at each
        threshold, and trees that send some of them left, as the top-down trees and ``treelib fit`` may, are
        not among those. See the notes.
    status_ : {"optimal", "time_limit", "memory_limit", "node_limit", "interrupted"}
    search_stats_ : dict
        Counters and seconds of the search.
    trace_ : dict of arrays
        ``seconds``, ``objective``, ``lower_bound`` and ``nodes`` at each change during the search.
    classes_ : array of shape (n_classes,)
    n_features_in_ : int
    feature_names_in_ : array of shape (n_features,)
        Only for data frames with column names.
    encoder_ : treelib.table.encode.TableEncoder
    binarizer_ : treelib.table.binarize.Binarizer, or None where the search read the numbers as they are

    Warns
    -----
    sklearn.exceptions.ConvergenceWarning
        When a limit or Ctrl-C stopped the search before the proof: ``tree_`` is then the best tree found.

    Notes
    -----
    There are two searches. With all thresholds and columns of many values the search reads the sorted numbers
    (`treelib.sparse.continuous`). With `max_thresholds`, columns of few values, or a `cost_matrix` by which
    an error costs more or less with the class that is predicted, it works
    on columns of 0 and 1, one for each candidate (`treelib.sparse.exact.minimise`); so do
    `regularization_path` and `rashomon_set`, whose work grows fast with the thresholds: give
    `max_thresholds` there.

    Rows of weight zero are dropped. A missing value counts as larger than every number, so it goes right at
    each threshold, also in columns that had none in training. A column with missing values in training adds
    the test "is missing". For trees that send them to either side, as ``treelib fit`` finds them, give such a
    column twice, once with a number below all others where it is missing. In a categorical column, missing is
    one more category. A category that training did not have belongs to none of them.

    With `min_samples_leaf`, `monotonic_cst` or `required_features` a search of its own finds the optimum
    among the trees that keep to them (`treelib.sparse.constrained`). It starts from the optimum without
    constraints, and is done at once where that keeps to them, as to leaves of no larger share of the rows
    than their price. Elsewhere it works on columns of 0 and 1: of columns of many values it tries more and
    more thresholds, and until it has tried all the lower bound is that without constraints. Give
    `max_thresholds` for a proof over some of them. An order binds the leaves whose regions lie apart in that
    column and meet in all others; no less and no more is needed for predictions that never fall. scikit-learn
    orders the probabilities, and bounds all leaves below a split by the middle of its children's values,
    which is stricter: some trees that keep the order are not among its trees. A missing value stands outside
    the order. A leaf may predict another class than its most frequent one, and `predict_proba` need not be in
    order.

    ``predict_proba`` gives the weighted class frequencies of a leaf. ``predict`` gives the most frequent
    class, or with a `cost_matrix` the class of least cost, which may be another one, as with `monotonic_cst`.

    References
    ----------
    X. Hu, C. Rudin, M. Seltzer. Optimal sparse decision trees. Advances in Neural Information Processing
    Systems 32, 2019.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelib import OptimalSparseTreeClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = OptimalSparseTreeClassifier(regularization=0.02).fit(X, y)
    >>> model.get_n_leaves(), round(model.score(X, y), 3), model.is_optimal_
    (3, 0.96, True)
    """

    regularization: float = 0.01
    _: KW_ONLY
    max_depth: int | None = None
    max_leaf_nodes: int | None = None
    max_thresholds: int | None = None
    min_samples_leaf: float = 1
    monotonic_cst: object = None
    allowed_features: object = None
    required_features: object = None
    categorical_features: object = "from_dtype"
    class_weight: dict | str | None = None
    cost_matrix: object = None
    initial_tree: object = None
    time_limit: float | None = None
    memory_limit: float | str | None = None
    node_limit: int | None = None
    n_jobs: int | None = None
    verbose: int = 0

    def fit(self, X, y, sample_weight=None):
        """Find the optimal tree of the training data.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Training data.
        y : array-like of shape (n,)
            Classes.
        sample_weight : array-like of shape (n,) or None
            Weights of the rows; None for 1 each.

        Returns
        -------
        self
            The fitted estimator.

        Examples
        --------
        At most three leaves, half a minute, and a class that counts double:

        >>> from sklearn.datasets import load_breast_cancer
        >>> from treelib import OptimalSparseTreeClassifier
        >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
        >>> model = OptimalSparseTreeClassifier(max_leaf_nodes=3, time_limit=30, class_weight={0: 2, 1: 1})
        >>> model.fit(X, y).status_
        'optimal'
        >>> model.predict(X[:2]), model.predict_proba(X[:2]).round(2).tolist()
        (array([0, 0]), [[0.97, 0.03], [0.97, 0.03]])
        """
        with whole_or_not_at_all(self):
            budget = self._budget()
            problem = self._problem(X, y, sample_weight, budget)
            if problem.given.is_bound:
                engine = constrained
            else:
                engine = on_numbers if problem.reads_numbers else on_columns
            self._take(engine.solve(problem, budget))
            return self

    def write_proof(self, path, X, y, sample_weight=None, *, table, time_limit=None):
        """Write a proof that no tree is better, for a program that shares nothing with this package.

        ``checktree.py``, one file of standard Python that the book offers and ``treelib check-proof`` runs,
        reads the table and the proof and checks every step in exact arithmetic. After a fit that a limit
        stopped, the proof is of ``lower_bound_``.

        Parameters
        ----------
        path : str or path-like
            Where the proof is written; compressed if it ends in ``.gz``.
        X, y, sample_weight : as in `fit`
            The training data, since a fitted estimator does not keep them.
        table : str or path-like
            Where the training data are written as CSV: the proof names them by their SHA-256.
        time_limit : float or None, default=None
            Seconds after which the proof is of what has been shown until then.

        Returns
        -------
        treelib.sparse.proofs.write.WrittenProof
            ``n_lemmas``, ``n_bytes``, and as fractions ``objective`` and ``lower_bound``; the tree is proved
            optimal where they are equal. Weights and costs that are no short decimals are rounded down for
            the bound, which can leave a gap in the 15th digit.

        Raises
        ------
        ValueError
            `X` and `y` are not those of the fit, or the fit had constraints that proofs do not know:
            `max_leaf_nodes`, `min_samples_leaf`, `monotonic_cst`, `required_features`.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> from sklearn.datasets import load_iris
        >>> from treelib import OptimalSparseTreeClassifier
        >>> X, y = load_iris(return_X_y=True, as_frame=True)
        >>> model = OptimalSparseTreeClassifier(regularization=0.02).fit(X, y)
        >>> folder = Path(tempfile.mkdtemp())
        >>> proof = model.write_proof(folder / "iris.proof.gz", X, y, table=folder / "iris.csv")
        >>> str(proof.lower_bound), str(proof.objective)
        ('1/10', '1/10')
        """
        from treelib.sparse.proofs.write import write_proof

        return write_proof(self, path, X, y, sample_weight, table=table, time_limit=time_limit)

    def regularization_path(self, X, y, sample_weight=None, *, min_regularization=0.01):
        """Every distinct optimal tree, from the single leaf down to `min_regularization`.

        The settings of the estimator hold, but for `regularization`; the estimator is not fitted. The limits
        are those of the whole path. Unlike `fit`, this search makes a column of 0 and 1 of every threshold:
        on columns of many values set `max_thresholds`, to 10 say, or a time limit.

        Parameters
        ----------
        X, y, sample_weight
            As in `fit`.
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
        check_price("min_regularization", min_regularization)
        model, budget = copy(self), self._budget()
        model.regularization = min_regularization
        problem = model._free_problem("regularization_path", X, y, sample_weight, budget)
        return find_path(problem, min_regularization, budget)

    def rashomon_set(self, X, y, sample_weight=None, *, epsilon=0.0, max_trees=1000):
        """All trees whose objective is at most the optimum + `epsilon`: with 0 all optimal trees.

        Two trees count as one when they divide the training rows into the same leaves, whatever the order of
        their splits. The settings of the estimator hold; it is not fitted. Meant for small sets: their size
        grows fast with `epsilon`, and with a small `regularization`. Unlike `fit`, this search makes a column
        of 0 and 1 of every threshold: on columns of many values set `max_thresholds`, or a time limit.

        Parameters
        ----------
        X, y, sample_weight
            As in `fit`.
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
        epsilon, budget = float(check_price("epsilon", epsilon)), self._budget()
        problem = copy(self)._free_problem("rashomon_set", X, y, sample_weight, budget)
        return find_set(problem, epsilon, int(max_trees), budget)

    def _budget(self):
        return Budget(self.time_limit, self.memory_limit, self.node_limit, verbose=self.verbose)

    def _problem(self, X, y, sample_weight, budget):
        """Check everything, set ``classes_`` and ``encoder_``; returns the `TreeProblem`."""
        check_price("regularization", self.regularization)
        check_limits(max_depth=self.max_depth, max_leaf_nodes=self.max_leaf_nodes)
        check_n_jobs(self.n_jobs)
        X, y, weights = self._validate_training(X, y, sample_weight, budget)
        weighed = weigh_rows(X, self._encode_classes(y), weights, self.class_weight, self.classes_)
        rows = Rows(*weighed, read_bits(weighed[0]))
        given = read_constraints(self, len(rows.X))
        if rows.bits is None and self._misses_numbers(rows.X, len(rows.X) == len(X)):
            given = given._replace(has_missing=True)
        constraints, is_allowed = encoded_constraints(given, self.encoder_)
        if not is_allowed.all():  # constants are never tested
            rows = rows._replace(X=self._blanked(rows.X, ~is_allowed, budget), bits=None)
        return TreeProblem(
            rows=rows,
            costs=checked_costs(self.cost_matrix, self.classes_),
            regularization=float(self.regularization),
            max_depth=self.max_depth,
            max_leaves=self.max_leaf_nodes,
            max_thresholds=self.max_thresholds,
            initial=self._given_tree(),
            constraints=constraints,
            given=given,
            feature_names=self.encoder_.feature_names_out_,
            class_names=self._class_names(),
            n_jobs=effective_n_jobs(self.n_jobs),
        )

    def _blanked(self, X, blank, budget):
        """A copy of `X` with 0 in some columns; where the memory limit has no room for it, zeros alone."""
        if X.nbytes > budget.most_bytes:
            budget.stop(MEMORY_LIMIT)
            return np.broadcast_to(0.0, X.shape)
        budget.reserve(X.nbytes)
        return np.where(blank, 0.0, X)

    def _free_problem(self, name, *table):
        """`TreeProblem` for a search that knows no constraints but the allowed columns."""
        problem = self._problem(*table)
        if problem.given.is_bound:
            raise ValueError(
                f"{name} knows no min_samples_leaf, monotonic_cst or required_features; leave them out, or "
                "fit at the prices that you want."
            )
        return problem

    def _misses_numbers(self, X, is_whole):
        """Whether a number is missing in `X`, all rows or some."""
        known = self.encoder_.misses_numbers_
        if known is False or not self.encoder_.numeric_:
            return False
        return (known and is_whole) or odd_numbers(X) == "NaN"

    def _given_tree(self):
        """`Tree` of `initial_tree`, or None."""
        from treelib.tree.stored import Tree

        tree = self.initial_tree
        if tree is None:
            return None
        if isinstance(getattr(tree, "tree_", None), Tree):
            tree = tree.tree_
        elif hasattr(tree, "tree_"):
            tree = Tree.from_sklearn(tree)
        if not isinstance(tree, Tree):
            name = type(tree).__name__ + (" that is not fitted" if hasattr(tree, "fit") else "")
            raise TypeError(f"initial_tree is a {name}; give a treelib.Tree or a fitted tree classifier.")
        return tree

    def _take(self, result):
        """Set what a fit sets from a `Solution`."""
        self.tree_, self.proof_scope_, self.binarizer_ = result.tree, result.scope, result.binarizer
        self.objective_ = float(result.objective)
        self.lower_bound_ = float(result.lower_bound)
        self.gap_ = float(result.gap)
        self.is_optimal_ = result.is_optimal
        self.status_ = result.status
        self.search_stats_ = dict(result.stats)
        self.trace_ = result.trace
        if result.status != OPTIMAL:
            warn_stopped(
                f"The search stopped before the proof of optimality ({result.status}): objective "
                f"{self.objective_:.6f}, lower bound {self.lower_bound_:.6f} over {self.proof_scope_}, gap "
                f"{100 * self.gap_:.2f} %. It is the best tree found; {self._raise_what(result.status)} the "
                "regularization, or set max_thresholds or max_depth.",
            )

    def _raise_what(self, status):
        """Words for what helps a search that ended with `status`."""
        if status == MEMORY_LIMIT and self.memory_limit is None:
            return "this machine's memory has no room for more; raise"
        return "raise the limit or"
