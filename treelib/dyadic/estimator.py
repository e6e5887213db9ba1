"""`DyadicTreeClassifier`: the scikit-learn interface to the search for optimal dyadic trees."""

from dataclasses import KW_ONLY
from fractions import Fraction

from sklearn.utils.validation import check_is_fitted

from treelib.dyadic.solutions import find_path, occupied_value, prepare_rows
from treelib.dyadic.training import GridSettings
from treelib.estimator import TreeClassifier, whole_or_not_at_all, with_parameters
from treelib.search.budget import Budget, warn_stopped
from treelib.table.checks import check_flag, check_price
from treelib.table.weights import weigh_rows


@with_parameters
class DyadicTreeClassifier(TreeClassifier):
    """Provably optimal tree for error plus a penalty per leaf, among all trees that halve intervals.

    Each feature has an interval, the range of its training values; a split halves the current interval of a
    feature. Among all such trees, with at most ``n_splits_[i]`` halvings of feature i on a path, ``fit``
    finds one that minimises::

        weighted fraction of misclassified training rows + regularization * number of leaves

    (Hush and Porter 2010, equation 1), and on the way all trees that are optimal for larger leaf penalties.

    Parameters
    ----------
    regularization : float or "auto", default="auto"
        Leaf penalty, as a fraction of the training weight. "auto" is the paper's rule of thumb, two samples
        per leaf: 2 / number of samples with positive weight. Weights are normalised to mean 1, so their scale
        does not matter; with "auto" a sample of weight 2 is therefore not equivalent to two samples. With 0
        only the training error counts.
    max_splits : "auto", int or array-like of shape (n_features,), default="auto"
        Maximum number of halvings of each feature. "auto" takes the smallest uniform number that separates
        the training classes, and lowers it feature by feature as long as no samples are merged (Section 5).
    split_rule : {"coordinate", "joint"}, default="coordinate"
        Whether samples count as merged in the intervals of that feature alone, or in the cells of the grid,
        which gives coarser grids and faster fits.
    max_rectangles : float or None, default=1e8
        With ``max_splits="auto"``, the grid is made coarser if training samples could lie in more rectangles
        than this, counted with multiplicity; the features that do worst on their own are left out, and a
        warning names them. This bounds the time and memory of a fit; usually a hundredth of it is used. None:
        no limit.
    box : pair of array-like (low, high) or None, default=None
        Interval of each feature, two arrays of shape (n_encoded_features,). None: smallest and largest
        training value.
    widen : float, default=0.0
        Widen the box by this fraction of each interval in total.
    closed : {"right", "left"}, default="right"
        Which end of a half-interval is closed. "right": a value equal to a threshold goes to the left half.
    free_empty_leaves : bool, default=False
        Whether leaves without training samples incur no penalty. They are then left out of the tree, and
        neighbouring leaves take over the empty regions. The paper counts them.
    categorical_features : "from_dtype", None, or array-like of int, str or bool, default="from_dtype"
        Categorical features. "from_dtype": the columns of a data frame with a category, object or string
        dtype. Each category becomes a 0/1 feature.
    class_weight : dict, "balanced" or None, default=None
        Factors by which the sample weights of each class are multiplied. "balanced" gives all classes the
        same total weight.
    cost_matrix : array-like of shape (n_classes, n_classes) or None, default=None
        Entry (c, k) is the cost of predicting class k for a sample of class c, in the order of ``classes_``.
        The error in the objective becomes the weighted mean cost. None: every error costs 1.
    time_limit : float or None, default=None
        Wall-clock seconds for the search. None: no limit. Compilation by numba at the first fit does not
        count; ``treelib warm`` does it in advance.
    memory_limit : float, str or None, default=None
        Memory for the tables of the search, in bytes or as text such as "2 GB". None: the memory of the
        machine.
    node_limit : int or None, default=None
        Maximum number of rectangles that the search examines. None: no limit.
    verbose : int, default=0
        1 shows a progress line on standard error.

    Attributes
    ----------
    tree_ : treelib.Tree
        The tree, with thresholds in the units of the features.
    path_ : treelib.dyadic.solutions.SolutionPath
        All distinct optimal trees from the single leaf to ``tree_``, each with the interval of
        `regularization` for which it is the solution.
    regularization_ : float or Fraction
        The leaf penalty used.
    n_splits_ : array of shape (n_encoded_features,)
        Maximum number of halvings of each encoded feature.
    grid_ : treelib.dyadic.boxes.DyadicGrid
    objective_ : float
        Objective of ``tree_`` on the training data.
    lower_bound_ : float
        Proven lower bound on the optimum; equal to ``objective_`` if ``is_optimal_``.
    gap_ : float
        Relative gap, (``objective_`` - ``lower_bound_``) / ``objective_``.
    is_optimal_ : bool
        Whether the tree is proved optimal among the trees allowed by ``n_splits_``, a grid that
        ``max_rectangles`` may have made coarser.
    status_ : {"optimal", "time_limit", "memory_limit", "node_limit", "interrupted"}
    search_stats_ : dict of counters
    trace_ : dict of equally long arrays
        ``seconds``, ``objective``, ``lower_bound`` and ``nodes`` (rectangles examined) after each pass.
    classes_ : array of shape (n_classes,)
    n_features_in_ : int
    feature_names_in_ : array of shape (n_features,)
        Only for data frames with column names.
    encoder_ : treelib.table.encode.TableEncoder

    Warns
    -----
    sklearn.exceptions.ConvergenceWarning
        If a limit or Ctrl-C stopped the search before the proof: ``tree_`` is then the best tree found. For
        up to a million values in X it is no worse than a greedy tree grown for half a second.

    Notes
    -----
    Samples with zero weight are ignored. A missing value counts as larger than every number. If several trees
    are optimal, ``tree_`` has the largest number of leaves among them (Definition 2). A leaf that no training
    sample reaches predicts like its closest ancestor that some sample reaches.

    References
    ----------
    D. Hush, R. Porter. Algorithms for optimal dyadic decision trees. Machine Learning 80, 2010.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelib import DyadicTreeClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = DyadicTreeClassifier().fit(X, y)
    >>> model.get_n_leaves(), round(model.score(X, y), 3), model.is_optimal_
    (5, 0.96, True)
    >>> [solution.n_leaves for solution in model.path_]
    [1, 2, 3, 5]
    """

    regularization: float | str = "auto"
    _: KW_ONLY
    max_splits: object = "auto"
    split_rule: str = "coordinate"
    max_rectangles: float | None = 1e8
    box: object = None
    widen: float = 0.0
    closed: str = "right"
    free_empty_leaves: bool = False
    categorical_features: object = "from_dtype"
    class_weight: dict | str | None = None
    cost_matrix: object = None
    time_limit: float | None = None
    memory_limit: float | str | None = None
    node_limit: int | None = None
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
        """
        with whole_or_not_at_all(self):
            if not (isinstance(self.regularization, str) and self.regularization == "auto"):
                check_price("regularization", self.regularization)
            training, source, budget = self._prepare(X, y, sample_weight)
            price = self.regularization
            if isinstance(price, str):
                price = Fraction(2, len(source.y_codes))
                price = price if training.is_exact else float(price)
            self.path_ = find_path(
                training, source, price, free_empty=bool(self.free_empty_leaves), budget=budget
            )
            self._record(price)
            return self

    def regularization_path(self, X, y, sample_weight=None, *, min_regularization=0):
        """All solutions for the training data, down to `min_regularization`; see `fit`.

        The estimator's parameters apply, except `regularization`; the estimator is not fitted.

        Parameters
        ----------
        X, y, sample_weight
            As in `fit`.
        min_regularization : float or Fraction, default=0
            Lower end of the path; a float is taken as the decimal that it prints as.

        Returns
        -------
        treelib.dyadic.solutions.SolutionPath
            The solutions.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from treelib import DyadicTreeClassifier
        >>> X, y = load_iris(return_X_y=True)
        >>> path = DyadicTreeClassifier().regularization_path(X, y, min_regularization=0.02)
        >>> for solution in path:
        ...     print(solution)
        Solution(n_leaves=1, error=0.666667, lambda in (1/3, inf])
        Solution(n_leaves=2, error=0.333333, lambda in (14/75, 1/3])
        Solution(n_leaves=3, error=0.146667, lambda in (4/75, 14/75])
        Solution(n_leaves=5, error=0.04, lambda in (1/50, 4/75])
        """
        check_price("min_regularization", min_regularization)
        model = type(self)(**self.get_params(deep=False))
        training, source, budget = model._prepare(X, y, sample_weight)
        path = find_path(
            training, source, min_regularization, free_empty=bool(self.free_empty_leaves), budget=budget
        )
        if not path.is_optimal:
            warn_stopped(
                f"The search stopped before the path was complete ({path.status}): it is proved down to a "
                f"regularization of {float(path.proved):.6g}."
            )
        return path

    def predict_proba(self, X):
        """Weighted class fractions of the leaf that each sample of `X` reaches.

        A leaf without training samples has the fractions of its closest ancestor that has some.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Samples to predict.

        Returns
        -------
        float64 ndarray of shape (n_samples, n_classes)
            One row per sample, columns in the order of ``classes_``.
        """
        check_is_fitted(self, "tree_")
        value = occupied_value(self.tree_)[self.apply(X)]
        return value / value.sum(axis=1, keepdims=True)

    def _exported(self):
        trees, _, labels, divisor = super()._exported()
        value = occupied_value(self.tree_)
        return trees, (value / value.sum(axis=1, keepdims=True),), labels, divisor

    def _prepare(self, X, y, sample_weight):
        """Check all, set ``classes_`` and ``encoder_``; returns `Training`, `TreeSource` and `Budget`."""
        budget = Budget(self.time_limit, self.memory_limit, self.node_limit, verbose=self.verbose)
        check_flag("free_empty_leaves", self.free_empty_leaves)
        X, y, weights = self._validate_training(X, y, sample_weight, budget)
        weighed = weigh_rows(X, self._encode_classes(y), weights, self.class_weight, self.classes_)
        X, y_codes, _, weights = weighed
        settings = GridSettings(
            self.max_splits,
            self.split_rule,
            self.box,
            self.widen,
            self.closed,
            max_rectangles=self.max_rectangles,
        )
        names = self.encoder_.feature_names_out_, self._class_names()
        rows = prepare_rows(X, y_codes, weights, self.cost_matrix, settings, budget, *names)
        return *rows, budget

    def _record(self, price):
        path = self.path_
        solution = path.at(price)
        self.tree_ = solution.tree
        self.regularization_ = price
        self.grid_ = path.grid
        self.n_splits_ = path.grid.n_splits
        self.objective_ = solution.risk(price)
        self.lower_bound_ = self.objective_ if path.is_optimal else path.lower_bound(price)
        self.gap_ = (self.objective_ - self.lower_bound_) / max(abs(self.objective_), 1e-300)
        self.is_optimal_ = path.is_optimal
        self.status_ = path.status
        self.search_stats_ = dict(path.stats)
        self.trace_ = path.trace
        if not path.is_optimal:
            warn_stopped(
                f"The search stopped before the proof of optimality ({path.status}): objective "
                f"{self.objective_:.6f}, lower bound {self.lower_bound_:.6f}, gap {100 * self.gap_:.2f} %. "
                "It is the best tree found; raise the limit or the regularization, or lower max_splits.",
            )
