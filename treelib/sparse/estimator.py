"""`OptimalSparseTreeClassifier`: the scikit-learn interface to the exact search."""

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
    """Provably optimal decision tree for training error plus a penalty per leaf.

    Among all trees built from the candidate splits, ``fit`` finds one that minimises::

        weighted fraction of misclassified training rows + regularization * number of leaves

    (Hu, Rudin and Seltzer 2019, equation 1; a tree that is a single leaf counts one leaf). Candidate splits
    are thresholds of numeric features and single categories of categorical features.

    Parameters
    ----------
    regularization : float, default=0.01
        Leaf penalty, as a fraction of the training weight: a split pays off if it corrects more than this
        fraction of the samples. Above 0.5, two classes always give a single leaf. With 0 only the training
        error counts; the tree is then one of many equally good ones and need not be the smallest.
    max_depth : int or None, default=None
        Maximum depth (splits on a path), at least 1. None: no limit.
    max_leaf_nodes : int or None, default=None
        Maximum number of leaves. None: no limit. A limit that binds makes the proof take longer.
    max_thresholds : int or None, default=None
        None: every threshold of every feature is a candidate, and optimality is proved over all of them (see
        `proof_scope_`). With a number, a feature with more thresholds keeps only this many, those nearest to
        equally spaced quantiles: the search is faster, but the tree may have more errors than the optimum
        over all thresholds.
    min_samples_leaf : int or float, default=1
        Minimum number of training samples in a leaf; a float is a fraction of the samples, rounded up.
        Weights do not matter, except that samples with zero weight are not counted.
    monotonic_cst : array-like of shape (n_features,), dict or None, default=None
        1: the predicted class never decreases as the feature increases with all others fixed, anywhere in the
        feature space; -1: it never increases; 0: no constraint. A dict maps names or indices of features to
        these values. With two classes the second of ``classes_`` counts as the higher; with more, classes
        must be numbers. See the notes.
    allowed_features : array-like of int, str or bool, or None, default=None
        The only features that the tree may split on. None: all.
    required_features : array-like of int, str or bool, or None, default=None
        Features that must each be split on somewhere in the tree. None: no constraint.
    categorical_features : "from_dtype", None, or array-like of int, str or bool, default="from_dtype"
        Categorical features. "from_dtype": the columns of a data frame with a category, object or string
        dtype. Each category becomes a candidate split ``colour = red``.
    class_weight : dict, "balanced" or None, default=None
        Factors by which the sample weights of each class are multiplied. "balanced" gives all classes the
        same total weight.
    cost_matrix : array-like of shape (n_classes, n_classes) or None, default=None
        Entry (c, k) is the cost of predicting class k for a sample of class c, in the order of ``classes_``.
        The error in the objective becomes the weighted mean cost. None: every error costs 1.
    initial_tree : Tree, fitted tree estimator or None, default=None
        Warm start: a tree over the same encoded features; its splits move to the nearest candidates. It can
        save time but never changes the optimal objective. In cross-validation pass ``tree_`` rather than a
        fitted estimator, since ``sklearn.base.clone`` discards the fit.
    time_limit : float or None, default=None
        Wall-clock seconds for the search, which may overrun by one second or 5 %, whichever is more; the tree
        is then no worse than the greedy one. None: no limit. Compilation by numba at the first fit of a kind
        (two classes or more, weights, constraints) does not count; ``treelib warm`` does it in advance.
    memory_limit : float, str or None, default=None
        Memory for the tables of the search, in bytes or as text such as "2 GB"; the search may overrun by a
        quarter. None: the memory of the machine. The table of encoded categories is included; if it does not
        fit, the tree is a single leaf, and a warning says what to do.
    node_limit : int or None, default=None
        Maximum number of subproblems that the search opens. None: no limit.
    n_jobs : int or None, default=None
        Number of threads; None means one, -1 one per processor. In a long search on numeric thresholds,
        ``fit`` divides the root's splits among the threads; if the best tree has few leaves for its leaf
        penalty, one thread tries them in turn. `regularization_path` runs several searches at once. Searches
        on binary columns, and `rashomon_set`, use one thread, because each step depends on those before it.
        The optimum and its proof do not depend on this number; which of several optimal trees is found may.
    verbose : int, default=0
        1 shows a progress line on standard error: best objective, lower bound, gap and nodes per second.

    Attributes
    ----------
    tree_ : treelib.Tree
        The tree, with thresholds in the units of the data. It takes encoded features: the numeric columns,
        then one 0/1 feature per category.
    objective_ : float
        Objective of ``tree_`` on the training data.
    lower_bound_ : float
        Proven lower bound on the optimum; equal to ``objective_`` if ``is_optimal_``.
    gap_ : float
        Relative gap, (``objective_`` - ``lower_bound_``) / ``objective_``.
    is_optimal_ : bool
        Whether the tree is proved optimal, up to float64 rounding: samples with less than 1e-11 of the total
        weight may be ignored.
    proof_scope_ : str
        The set of trees that the bound and the proof cover: "all thresholds", or "at most 10 thresholds a
        column"; constraints follow, such as "; leaves of at least 5 rows". If a numeric column has missing
        values in training, or a limit stopped the search before this was checked, it adds ", missing values
        right": missing values go right at every threshold, and trees that send some of them left, as the
        top-down trees and ``treelib fit`` may, are not covered. See the notes.
    status_ : {"optimal", "time_limit", "memory_limit", "node_limit", "interrupted"}
    search_stats_ : dict
        Counters and timings (seconds) of the search.
    trace_ : dict of arrays
        ``seconds``, ``objective``, ``lower_bound`` and ``nodes``, one entry per change during the search.
    classes_ : array of shape (n_classes,)
    n_features_in_ : int
    feature_names_in_ : array of shape (n_features,)
        Only for data frames with column names.
    encoder_ : treelib.table.encode.TableEncoder
    binarizer_ : treelib.table.binarize.Binarizer, or None if the search used the numbers directly

    Warns
    -----
    sklearn.exceptions.ConvergenceWarning
        If a limit or Ctrl-C stopped the search before the proof: ``tree_`` is then the best tree found.

    Notes
    -----
    There are two searches. With all thresholds and features with many values, the search works on the sorted
    numbers (`treelib.sparse.continuous`). With `max_thresholds`, features with few values, or a `cost_matrix`
    in which the cost of an error depends on the predicted class, it works on binary columns, one per
    candidate (`treelib.sparse.exact.minimise`); so do `regularization_path` and `rashomon_set`, whose work
    grows fast with the number of thresholds: set `max_thresholds` there.

    Samples with zero weight are ignored. A missing value counts as larger than every number, so it goes right
    at every threshold, even in features that had none in training. A feature with missing values in training
    adds the candidate split "is missing". For trees that can send missing values to either side, as ``treelib
    fit`` finds them, pass such a feature twice, once with its missing values replaced by a number below all
    others. In a categorical feature, missing is one more category. A category not seen in training matches
    none of the known ones.

    With `min_samples_leaf`, `monotonic_cst` or `required_features` a separate search finds the optimum among
    the trees that satisfy them (`treelib.sparse.constrained`). It starts from the unconstrained optimum and
    ends at once if that satisfies the constraints, which is certain if `min_samples_leaf`, as a fraction of
    the samples, is at most `regularization`. Otherwise it works on binary columns: for features with many
    values it tries more and more thresholds, and until it has tried all, the lower bound is the unconstrained
    one. Set `max_thresholds` for a proof over a subset of them. A monotonic constraint restricts pairs of
    leaves whose regions are disjoint in that feature and overlap in all others; this is necessary and
    sufficient for monotonic predictions. scikit-learn constrains the probabilities, and bounds all leaves
    below a split by the midpoint of its children's values, which is stricter: it excludes some monotonic
    trees. Missing values are exempt. A leaf may predict a class other than its most frequent one, and
    `predict_proba` need not be monotonic.

    ``predict_proba`` gives the weighted class frequencies of a leaf. ``predict`` gives the most frequent
    class, or with a `cost_matrix` the class of least cost; this, like `monotonic_cst`, may select a different
    class.

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
        """Find the optimal tree for the training data.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Training data.
        y : array-like of shape (n_samples,)
            Classes.
        sample_weight : array-like of shape (n_samples,) or None
            Sample weights. None: all samples have weight 1.

        Returns
        -------
        self
            The fitted estimator.

        Examples
        --------
        At most three leaves, a limit of 30 seconds, and a class with double weight:

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
        """Write a proof that no tree is better, to be checked by a program independent of this package.

        ``checktree.py``, a single file that needs only the Python standard library, reads the table and the
        proof and checks every step in exact arithmetic. Download it from the book, or run it with ``treelib
        check-proof``. After a fit that hit a limit, the proof is of ``lower_bound_``.

        Parameters
        ----------
        path : str or path-like
            File for the proof; compressed if the name ends in ``.gz``.
        X, y, sample_weight : as in `fit`
            The training data, which a fitted estimator does not keep.
        table : str or path-like
            File for the training data as CSV; the proof identifies it by its SHA-256.
        time_limit : float or None, default=None
            Seconds; the proof then covers what has been shown by then. None: no limit.

        Returns
        -------
        treelib.sparse.proofs.write.WrittenProof
            ``n_lemmas``, ``n_bytes``, and ``objective`` and ``lower_bound`` as fractions; the tree is proved
            optimal if these two are equal. For the bound, weights and costs that are not short decimals are
            rounded down, which can leave a gap in the 15th digit.

        Raises
        ------
        ValueError
            If `X` and `y` are not those of the fit, or the fit had constraints that proofs do not support:
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

        The estimator's parameters apply, except `regularization`; the estimator is not fitted. Its limits
        apply to the whole path. Unlike `fit`, this search turns every threshold into a binary column: for
        features with many values set `max_thresholds`, for example to 10, or a time limit.

        Parameters
        ----------
        X, y, sample_weight
            As in `fit`.
        min_regularization : float or Fraction, default=0.01
            Lower end of the path; a float is taken as the decimal that it prints as.

        Returns
        -------
        treelib.sparse.regularization_path.RegularizationPath
            ``solutions``: one `PathSolution` per tree, with ``n_leaves``, ``error``, ``regularization_low``,
            ``regularization_high`` and ``tree``. The ends are exact fractions if all weights and costs are
            whole numbers. A tree that is optimal only at a breakpoint shared by two others is not listed.
            ``proved``: the intervals of regularization for which the proof is complete, everything unless a
            limit stopped the search. ``at(regularization)``: the solution there.

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
        """All trees whose objective is within `epsilon` of the optimum; with 0 all optimal trees.

        Two trees count as one if they divide the training samples into the same leaves, whatever the order of
        their splits. The estimator's parameters apply, but it is not fitted. The set grows fast with
        `epsilon` and as `regularization` decreases: keep it small. Unlike `fit`, this search turns every
        threshold into a binary column: for features with many values set `max_thresholds` or a time limit.

        Parameters
        ----------
        X, y, sample_weight
            As in `fit`.
        epsilon : float, default=0.0
            In units of the objective: 0.01 admits trees that misclassify one more sample in a hundred.
        max_trees : int, default=1000
            Maximum number of trees returned, the best first.

        Returns
        -------
        treelib.sparse.rashomon.RashomonSet
            ``trees``, built on first access, their ``objectives`` in ascending order, and ``complete``:
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
