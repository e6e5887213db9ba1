"""`OptimalSparseTreeClassifier`: the scikit-learn face of the exact search."""

import inspect
import numbers
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from treelib.binarize import Binarizer
from treelib.budget import OPTIMAL, Budget
from treelib.estimator import TreeClassifier, class_weight_factors
from treelib.sparse import column_tree
from treelib.sparse.exact import minimise


class OptimalSparseTreeClassifier(TreeClassifier):
    """Decision tree of least error plus a price for every leaf, proved optimal.

    Among all trees that split on the candidate tests, ``fit`` finds one that minimises::

        weighted fraction of misclassified training rows + regularization * number of leaves

    (Hu, Rudin and Seltzer 2019, equation 1; a tree that is a single leaf counts one leaf). Candidate tests
    are thresholds of numeric columns and single categories of categorical columns.

    Parameters
    ----------
    regularization : float, default=0.01
        Price of a leaf, as a fraction of the training weight: a split is worth making where it corrects
        more than this fraction of the rows. Above 0.5, two classes always give a single leaf. With 0 the
        training error alone counts; the tree is then one of many equally good ones and need not be the
        smallest.
    max_depth : int or None, default=None
        Largest number of splits on a path, 1 or more. None: no limit.
    max_leaf_nodes : int or None, default=None
        Largest number of leaves. None: no limit.
    max_thresholds : int or None, default=10
        Candidate thresholds of one numeric column lie halfway between neighbouring distinct values. Where
        there are more than this number, those nearest to equally spaced quantiles are kept. None keeps all
        of them; the proof of optimality is then over every possible threshold, and takes longer.
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
        can save time but never changes the optimal objective.
    time_limit : float or None, default=None
        Seconds of wall clock for the whole ``fit``.
    memory_limit : float, str or None, default=None
        Bytes that the tables of the search may hold, or text such as "2 GB".
    node_limit : int or None, default=None
        Number of subproblems the search may open.
    n_jobs : int or None, default=None
        Threads of the search. None means one.
    verbose : int, default=0
        1 shows a progress line with incumbent, bound and gap.

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
    status_ : {"optimal", "time_limit", "memory_limit", "node_limit", "interrupted"}
    search_stats_ : dict
        Counters and seconds of the search.
    trace_ : dict of arrays
        ``seconds``, ``objective``, ``lower_bound`` and ``nodes`` at each change during the search.
    classes_ : array of shape (n_classes,)
    n_features_in_ : int
    feature_names_in_ : array of shape (n_features,), only for data frames with column names
    encoder_ : treelib.encode.TableEncoder
    binarizer_ : treelib.binarize.Binarizer

    Warns
    -----
    sklearn.exceptions.ConvergenceWarning
        When a limit or Ctrl-C stopped the search before the proof: ``tree_`` is then the best tree found.

    Notes
    -----
    Rows of weight zero are dropped. A missing value counts as larger than every number, so it goes right at
    each threshold, also in columns that had none in training. A column with missing values in training adds
    the test "is missing"; in a categorical column, missing is one more category. A category that training
    did not have belongs to none of them.

    ``predict_proba`` gives the weighted class frequencies of a leaf. ``predict`` gives the most frequent
    class, or with a `cost_matrix` the class of least cost, which may be another one.

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

    def __init__(
        self,
        regularization=0.01,
        *,
        max_depth=None,
        max_leaf_nodes=None,
        max_thresholds=10,
        categorical_features="from_dtype",
        class_weight=None,
        cost_matrix=None,
        initial_tree=None,
        time_limit=None,
        memory_limit=None,
        node_limit=None,
        n_jobs=None,
        verbose=0,
    ):
        self.regularization = regularization
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.max_thresholds = max_thresholds
        self.categorical_features = categorical_features
        self.class_weight = class_weight
        self.cost_matrix = cost_matrix
        self.initial_tree = initial_tree
        self.time_limit = time_limit
        self.memory_limit = memory_limit
        self.node_limit = node_limit
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X, y, sample_weight=None):
        """Find the optimal tree of the training data.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
        y : array-like of shape (n,), classes
        sample_weight : array-like of shape (n,) or None

        Returns
        -------
        self
        """
        budget = Budget(self.time_limit, self.memory_limit, self.node_limit, verbose=bool(self.verbose))
        self._check_parameters()
        X, y, weights = self._validate_training(X, y, sample_weight)
        y_codes = self._encode_classes(y)
        X, y_codes, sample_weight, weights = self._weigh_rows(X, y_codes, weights)
        costs = self._costs(y_codes, weights)
        self.binarizer_ = Binarizer(self.max_thresholds)
        columns = self.binarizer_.fit_transform(X, sample_weight)
        result = minimise(
            columns,
            costs,
            float(self.regularization),
            total=float(len(y_codes) if weights is None else weights.sum()),
            max_depth=self.max_depth,
            initial=self._warm_start(columns, costs),
            budget=budget,
            **self._later_options(),
        )
        self.tree_ = column_tree.to_tree(
            result.tree,
            self.binarizer_,
            columns,
            y_codes,
            weights,
            len(self.classes_),
            feature_names=self.encoder_.feature_names_out_,
            class_names=self._class_names(),
            keep_labels=self.cost_matrix is not None,
        )
        self._record(result)
        return self

    def _check_parameters(self):
        if (
            isinstance(self.regularization, bool)
            or not isinstance(self.regularization, numbers.Real)
            or not 0 <= self.regularization < np.inf
        ):
            raise ValueError(
                f"regularization={self.regularization!r} must be a finite number, 0 or more: the fraction of "
                "the training rows that a leaf has to correct to be worth it, such as 0.01."
            )
        for name in ("max_depth", "max_leaf_nodes"):
            limit = getattr(self, name)
            if limit is not None and (
                isinstance(limit, bool) or not isinstance(limit, numbers.Integral) or limit < 1
            ):
                raise ValueError(f"{name}={limit!r} must be a positive integer, or None for no limit.")

    def _weigh_rows(self, X, y_codes, sample_weight):
        """Drop the rows without weight.

        Returns X and y_codes of the others, their sample weights (which place the thresholds) and their
        sample weights times class weights (which count errors); None where all are 1.
        """
        factors = class_weight_factors(self.class_weight, self.classes_, y_codes, sample_weight)
        weights = sample_weight
        if self.class_weight is not None:
            weights = factors[y_codes] if weights is None else weights * factors[y_codes]
        if weights is None:
            return X, y_codes, None, None
        keep = weights > 0
        if not keep.any():
            raise ValueError("class_weight and sample_weight leave no row with a positive weight.")
        if keep.all():
            return X, y_codes, sample_weight, weights
        sample_weight = None if sample_weight is None else sample_weight[keep]
        return X[keep], y_codes[keep], sample_weight, weights[keep]

    def _costs(self, y_codes, weights):
        """Cost of predicting each class for each row, float64 (n, n_classes)."""
        n_classes = len(self.classes_)
        if self.cost_matrix is None:
            cost_matrix = 1.0 - np.eye(n_classes)
        else:
            cost_matrix = np.asarray(self.cost_matrix, dtype=np.float64)
            if cost_matrix.shape != (n_classes, n_classes):
                raise ValueError(
                    f"cost_matrix has shape {cost_matrix.shape}, but must be {(n_classes, n_classes)}: "
                    f"one row and one column for each class of {self.classes_.tolist()[:10]}."
                )
            if not np.isfinite(cost_matrix).all() or (cost_matrix < 0).any():
                raise ValueError("cost_matrix must hold finite costs, 0 or more.")
        costs = cost_matrix[y_codes]
        return costs if weights is None else costs * weights[:, None]

    def _warm_start(self, columns, costs):
        """ColumnTree of `initial_tree`, or None."""
        if self.initial_tree is None:
            return None
        from treelib.tree import Tree

        tree = self.initial_tree
        if isinstance(getattr(tree, "tree_", None), Tree):
            tree = tree.tree_
        elif hasattr(tree, "tree_"):
            tree = Tree.from_sklearn(tree)
        if not isinstance(tree, Tree):
            raise TypeError(
                f"initial_tree is a {type(tree).__name__}; give a treelib.Tree or a fitted tree classifier."
            )
        return column_tree.from_tree(tree, self.binarizer_, columns, costs, max_depth=self.max_depth)

    def _later_options(self):
        """Options that not every engine knows, passed on only when they are set."""
        options = {"max_leaf_nodes": self.max_leaf_nodes, "n_jobs": self.n_jobs}
        options = {name: value for name, value in options.items() if value is not None}
        known = inspect.signature(minimise).parameters
        for name in options:
            if name not in known:
                raise NotImplementedError(f"The search of this version has no {name}; leave it at None.")
        return options

    def _record(self, result):
        self.objective_ = float(result.objective)
        self.lower_bound_ = float(result.lower_bound)
        self.gap_ = float(result.gap)
        self.is_optimal_ = result.is_optimal
        self.status_ = result.status
        self.search_stats_ = dict(result.stats)
        self.trace_ = result.trace
        if result.status != OPTIMAL:
            warnings.warn(
                f"The search stopped before the proof of optimality ({result.status}): objective "
                f"{self.objective_:.6f}, lower bound {self.lower_bound_:.6f}, gap {100 * self.gap_:.2f} %. "
                "It is the best tree found; raise the limit or the regularization, or lower max_thresholds.",
                ConvergenceWarning,
                stacklevel=3,
            )
