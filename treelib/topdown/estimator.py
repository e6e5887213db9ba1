"""`TopDownTreeClassifier` and `TopDownTreeRegressor`: the scikit-learn face of the top-down learner."""

import numbers

import numpy as np
from sklearn.utils import check_random_state

from treelib.estimator import TreeClassifier, TreeRegressor, class_weight_factors
from treelib.topdown.criteria import resolve, resolve_regression
from treelib.topdown.learner import NO_LIMIT, Limits, Problem, learn


class _Growth:
    """How a tree is grown: parameters of all estimators of this folder -> `Limits`."""

    def _limits(self, n_rows, n_features):
        """`Limits` for that many rows and encoded features; checks the parameters."""
        max_splits = getattr(self, "max_splits", None)
        return Limits(
            max_depth=_count("max_depth", self.max_depth, none=NO_LIMIT),
            max_splits=_count("max_splits", max_splits, none=NO_LIMIT),
            best_first=max_splits is not None,
            min_split=max(2, _rows("min_samples_split", self.min_samples_split, n_rows, 2)),
            min_leaf=_rows("min_samples_leaf", self.min_samples_leaf, n_rows, 1),
            min_weight=_fraction("min_weight_fraction_leaf", self.min_weight_fraction_leaf),
            min_decrease=_decrease(self.min_impurity_decrease),
            max_features=_features(self.max_features, n_features),
        )

    def _seed(self):
        return int(check_random_state(self.random_state).randint(2**31)) if self._draws() else 0

    def _draws(self):
        return self.max_features is not None


class _ClassifierGrowth(_Growth):
    """Classification: criterion, classes and weights."""

    def _criterion(self):
        return resolve(self.criterion, alpha=self.alpha, beta=self.beta, gamma=self.gamma)

    def _problem(self, X, y, sample_weight):
        """`Problem` of the training data; sets ``classes_`` and ``encoder_``."""
        X, y, weights = self._validate_training(X, y, sample_weight)
        y_codes = self._encode_classes(y)
        if self.class_weight is not None:
            factors = class_weight_factors(self.class_weight, self.classes_, y_codes, weights)[y_codes]
            weights = factors if weights is None else weights * factors
            if not weights.any():
                raise ValueError("All rows have weight zero; give a class that occurs a positive weight.")
        return Problem(X, y_codes, len(self.classes_), weights)

    def _names(self):
        return {"feature_names": self.encoder_.feature_names_out_, "class_names": self._class_names()}


class _RegressorGrowth(_Growth):
    """Regression: criterion and targets."""

    def _criterion(self):
        return resolve_regression(self.criterion, power=self.power)

    def _problem(self, X, y, sample_weight):
        """`Problem` of the training data; sets ``encoder_``."""
        X, y, weights = self._validate_training(X, y, sample_weight)
        y = np.asarray(y, dtype=np.float64)
        if self._criterion().alpha > 0:
            if (y < 0).any():
                raise ValueError(
                    f"criterion={self.criterion!r} needs targets that are not negative; y has {y.min():g}."
                )
            if not (y > 0).any():
                raise ValueError(f"criterion={self.criterion!r} needs a positive target; all of y is 0.")
        return Problem(X, y, 0, weights)

    def _names(self):
        return {"feature_names": self.encoder_.feature_names_out_}


class TopDownTreeClassifier(_ClassifierGrowth, TreeClassifier):
    """Decision tree grown top-down with a splitting criterion of choice.

    Each split is the one, over all features and thresholds, that lessens the sum over the leaves of (weight
    of the leaf) x (impurity of the leaf) most. With `max_splits` the leaf of largest decrease is split next
    (Balcan and Sharma, Algorithm 1); otherwise every leaf is split until it is pure or a limit holds.

    Parameters
    ----------
    criterion : str or callable, default="gini"
        "gini", "entropy", "km" (Kearns and Mansour), "tsallis" with `alpha` and `beta`, "gamma" (geometric)
        with `gamma`, "misclassification", a name given to `treelib.topdown.criteria.register_criterion`, or
        a function of class proportions, ``(m, n_classes) -> (m,)``.
    alpha : float, default=2.0
        0 or more; at 1 the limit, an entropy. Only for "tsallis".
    beta : float, default=1.0
        Positive. Only for "tsallis".
    gamma : float, default=0.5
        Positive. Only for "gamma".
    max_depth : int or None, default=None
        Largest number of splits on a path.
    max_splits : int or None, default=None
        Largest number of splits in all; the tree is then grown best-first.
    min_samples_split : int or float, default=2
        Fewest rows of a node that is split; a float is a fraction of the rows.
    min_samples_leaf : int or float, default=1
        Fewest rows of a leaf.
    min_weight_fraction_leaf : float, default=0.0
        Least weight of a leaf, as a fraction of the whole training weight, at most 0.5.
    min_impurity_decrease : float, default=0.0
        Least fall of the weighted mean impurity by a split, as a fraction of the whole training weight. A
        criterion that is not concave can rise by a split: with ``-numpy.inf`` such splits are made too.
    max_features : int, float, "sqrt", "log2" or None, default=None
        Features drawn at random for each split; more where none of these has a split. None: all.
    class_weight : dict, "balanced" or None, default=None
        Factors of the row weights by class.
    categorical_features : "from_dtype", None, or array-like of int, str or bool, default="from_dtype"
        Columns that hold categories; each category becomes a test ``colour = red``.
    random_state : int, RandomState or None, default=None
        Seed of the draw of features; of no effect where all are looked at.

    Attributes
    ----------
    tree_ : treelib.Tree
        The fitted tree, over the encoded features; its `value` holds weighted class counts.
    classes_ : array of shape (n_classes,)
    n_features_in_ : int
    feature_names_in_ : array of shape (n_features,), only for data frames with column names
    encoder_ : treelib.encode.TableEncoder

    Notes
    -----
    Thresholds are midpoints of neighbouring values, in float64. Of equally good splits the first feature and
    the lowest threshold is taken. Rows of weight zero are dropped.

    Missing values are tried on either side of every split, and apart from all known ones; where a node had
    none in training, they go with most of its rows.

    References
    ----------
    M.-F. Balcan, D. Sharma. Learning accurate and interpretable tree-based models.
    M. Kearns, Y. Mansour. On the boosting ability of top-down decision tree learning algorithms. STOC 1996.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelib import TopDownTreeClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = TopDownTreeClassifier("tsallis", alpha=0.5, beta=2, max_splits=3).fit(X, y)
    >>> model.get_n_leaves(), round(model.score(X, y), 3)
    (4, 0.973)
    """

    def __init__(
        self,
        criterion="gini",
        *,
        alpha=2.0,
        beta=1.0,
        gamma=0.5,
        max_depth=None,
        max_splits=None,
        min_samples_split=2,
        min_samples_leaf=1,
        min_weight_fraction_leaf=0.0,
        min_impurity_decrease=0.0,
        max_features=None,
        class_weight=None,
        categorical_features="from_dtype",
        random_state=None,
    ):
        self.criterion = criterion
        self.alpha = alpha
        self.beta = beta
        self.gamma = gamma
        self.max_depth = max_depth
        self.max_splits = max_splits
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.max_features = max_features
        self.class_weight = class_weight
        self.categorical_features = categorical_features
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Grow the tree.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features), NaN where missing
        y : array-like of shape (n,), classes
        sample_weight : array-like of shape (n,) or None

        Returns
        -------
        self
        """
        criterion = self._criterion()
        problem = self._problem(X, y, sample_weight)
        n_rows, n_features = problem.X.shape
        grown = learn(problem, criterion, self._limits(n_rows, n_features), self._seed())
        self.tree_ = grown.to_tree(n_features, problem.n_classes, **self._names())
        return self


class TopDownTreeRegressor(_RegressorGrowth, TreeRegressor):
    """Regression tree grown top-down: squared error, Poisson or Tweedie deviance.

    Leaves predict the weighted mean of their targets. Growth, limits, missing values and ties are as in
    `TopDownTreeClassifier`.

    Parameters
    ----------
    criterion : {"squared_error", "poisson", "tweedie"}, default="squared_error"
        "poisson" is half the Poisson deviance, and makes no leaf that predicts 0 unless all targets there
        are; "tweedie" is the deviance of power `power`.
    power : float, default=0.5
        From 0 (squared error) to 1 (Poisson). Only for "tweedie".
    max_depth, max_splits, min_samples_split, min_samples_leaf, min_weight_fraction_leaf,
    min_impurity_decrease, max_features, categorical_features, random_state : as in `TopDownTreeClassifier`

    Attributes
    ----------
    tree_ : treelib.Tree
    n_features_in_ : int
    feature_names_in_ : array of shape (n_features,), only for data frames with column names
    encoder_ : treelib.encode.TableEncoder

    References
    ----------
    M.-F. Balcan, D. Sharma. Learning accurate and interpretable tree-based models, Section 3.4.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from treelib import TopDownTreeRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> round(TopDownTreeRegressor("tweedie", power=0.5, max_splits=7).fit(X, y).score(X, y), 2)
    0.51
    """

    def __init__(
        self,
        criterion="squared_error",
        *,
        power=0.5,
        max_depth=None,
        max_splits=None,
        min_samples_split=2,
        min_samples_leaf=1,
        min_weight_fraction_leaf=0.0,
        min_impurity_decrease=0.0,
        max_features=None,
        categorical_features="from_dtype",
        random_state=None,
    ):
        self.criterion = criterion
        self.power = power
        self.max_depth = max_depth
        self.max_splits = max_splits
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.max_features = max_features
        self.categorical_features = categorical_features
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Grow the tree.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features), NaN where missing
        y : array-like of shape (n,), targets
        sample_weight : array-like of shape (n,) or None

        Returns
        -------
        self
        """
        criterion = self._criterion()
        problem = self._problem(X, y, sample_weight)
        n_rows, n_features = problem.X.shape
        grown = learn(problem, criterion, self._limits(n_rows, n_features), self._seed())
        self.tree_ = grown.to_tree(n_features, 0, **self._names())
        return self


def _is_count(value):
    return isinstance(value, numbers.Integral) and not isinstance(value, (bool, np.bool_))


def _count(name, value, none):
    if value is None:
        return none
    if not _is_count(value) or value < 0:
        raise ValueError(f"{name}={value!r} must be a whole number, 0 or more, or None.")
    return int(value)


def _rows(name, value, n_rows, least):
    """Number of rows that `value` means: itself, or as a float a fraction of `n_rows`, rounded up."""
    if _is_count(value) and value >= least:
        return int(value)
    if isinstance(value, numbers.Real) and not isinstance(value, numbers.Integral) and 0 < value <= 1:
        return max(1, int(np.ceil(value * n_rows)))
    raise ValueError(f"{name}={value!r} must be a whole number, {least} or more, or a fraction in (0, 1].")


def _fraction(name, value):
    if isinstance(value, numbers.Real) and not isinstance(value, bool) and 0 <= value <= 0.5:
        return float(value)
    raise ValueError(f"{name}={value!r} must be a number from 0 to 0.5.")


def _decrease(value):
    if isinstance(value, numbers.Real) and not isinstance(value, bool) and value < np.inf:
        return float(value)
    raise ValueError(f"min_impurity_decrease={value!r} must be a number, finite or -inf.")


def _features(value, n_features):
    """Number of features that `max_features` means."""
    if value is None:
        return n_features
    if isinstance(value, str) and value in ("sqrt", "log2"):
        return max(1, int(np.sqrt(n_features) if value == "sqrt" else np.log2(n_features)))
    if _is_count(value) and value >= 1:
        return min(int(value), n_features)
    if isinstance(value, numbers.Real) and not isinstance(value, numbers.Integral) and 0 < value <= 1:
        return max(1, int(value * n_features))
    raise ValueError(
        f"max_features={value!r} must be a whole number from 1, a fraction in (0, 1], 'sqrt', 'log2' or None."
    )
