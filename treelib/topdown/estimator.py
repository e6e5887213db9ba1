"""`TopDownTreeClassifier` and `TopDownTreeRegressor`: the scikit-learn face of the top-down learner."""

from treelib.estimator import TreeClassifier, TreeRegressor, with_parameters
from treelib.topdown.grown_estimator import ClassifierGrowth, RegressorGrowth, SingleTree


@with_parameters
class TopDownTreeClassifier(SingleTree, ClassifierGrowth, TreeClassifier):
    """Decision tree grown top-down with a splitting criterion of choice.

    Each split is the one, over all features and thresholds, that lessens the sum over the leaves of (weight
    of the leaf) x (impurity of the leaf) most. With `max_leaf_nodes` the leaf of largest decrease is split
    next (Balcan and Sharma, Algorithm 1); otherwise every leaf is split until it is pure or a limit holds.

    Parameters
    ----------
    criterion : str or callable, default="gini"
        "gini", "entropy" (or "log_loss"), "km" (Kearns and Mansour), "tsallis" with `alpha` and `beta`,
        "gamma" (geometric) with `gamma`, "misclassification", a name given to
        `treelib.topdown.criteria.register_criterion`, or a function of class proportions, ``(m, n_classes)
        -> (m,)``.
    alpha : float, default=2.0
        0 or more; at 1 the limit, an entropy. Only for "tsallis".
    beta : float, default=1.0
        Positive. Only for "tsallis".
    gamma : float, default=0.5
        Positive. Only for "gamma".
    max_depth : int or None, default=None
        Largest number of splits on a path.
    max_leaf_nodes : int or None, default=None
        Largest number of leaves, 1 or more; the tree is then grown best-first.
    min_samples_split : int or float, default=2
        Fewest rows of a node that is split; a float is a fraction of the rows.
    min_samples_leaf : int or float, default=1
        Fewest rows of a leaf.
    min_weight_fraction_leaf : float, default=0.0
        Least weight of a leaf, as a fraction of the whole training weight, at most 0.5.
    min_impurity_decrease : float, default=0.0
        Least fall of the weighted mean impurity by a split, as in scikit-learn: weight of the node over the
        whole training weight, times what its impurity falls by. A criterion that is not concave can rise by
        a split: with ``-numpy.inf`` such splits are made too.
    max_features : int, float, "sqrt", "log2" or None, default=None
        Features drawn at random for each split; more where none of these has a split. None: all.
    ccp_alpha : float, default=0.0
        Leaf penalty, in units of the weighted mean impurity: the grown tree is pruned to the smallest one
        of least impurity plus price (minimal cost-complexity pruning, with exact breakpoints).
    class_weight : dict, "balanced" or None, default=None
        Factors of the row weights by class.
    categorical_features : "from_dtype", None, or array-like of int, str or bool, default="from_dtype"
        Columns that hold categories: of a data frame those of dtype category, object or string, or a mask,
        indices or names.
    category_tests : {"each", "subsets"}, default="each"
        What is asked of such a column. "each": ``colour = red``. "subsets": ``colour in {blue, red}``, with
        the best subset of the node's categories (`treelib.topdown.categories.search` says when it is proved
        to be the best).
    time_limit : float or None, default=None
        Seconds of wall clock for `fit`; what is not split by then stays a leaf. Trees then depend on the
        machine. What numba compiles at the first fit of a kind does not count; ``treelib warm`` compiles it
        ahead.
    memory_limit : int, str such as "2 GB", or None, default=None
        Bytes of the learner's own tables, and of the 0/1 table into which categories are encoded, kept in the
        same way. A tree without a limit takes about twice the bytes of `X`.
    verbose : bool, default=False
        Show a live line of the growth on standard error.
    random_state : int, RandomState or None, default=None
        Seed of the draw of features; of no effect where all are looked at.

    Attributes
    ----------
    tree_ : treelib.Tree
        The fitted tree, over the encoded features; its `value` holds weighted class counts.
    feature_importances_ : float64 (n_features,)
        Share of each column in the fall of the weighted mean impurity; those of a column's categories are
        added up.
    status_ : {"complete", "time_limit", "memory_limit", "interrupted"}
        "complete" where the tree was grown to its end, which proves nothing of it; Ctrl-C leaves an
        interrupted one, and is then raised (`treelib.keep_going`).
    search_stats_ : dict
        ``peak_bytes`` of the learner's tables.
    classes_ : array of shape (n_classes,)
    n_features_in_ : int
    feature_names_in_ : array of shape (n_features,)
        Only for data frames with column names.
    encoder_ : treelib.table.encode.TableEncoder

    Warns
    -----
    sklearn.exceptions.ConvergenceWarning
        When a limit or Ctrl-C ended the growth; the tree grown until then is used.

    Notes
    -----
    Thresholds are midpoints of neighbouring values, in float64. Of equally good splits the first feature and
    the lowest threshold is taken. Rows of weight zero are dropped.

    Missing values are tried on either side of every split, and apart from all known ones; where a node had
    none in training, they go with most of its rows. Among subsets of categories "missing" is one category
    more, and a category that a node did not see goes with most of its rows too.

    References
    ----------
    M.-F. Balcan, D. Sharma. Learning accurate and interpretable tree-based models.
    M. Kearns, Y. Mansour. On the boosting ability of top-down decision tree learning algorithms. STOC 1996.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelib import TopDownTreeClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = TopDownTreeClassifier("tsallis", alpha=0.5, beta=2, max_leaf_nodes=4).fit(X, y)
    >>> model.get_n_leaves(), round(model.score(X, y), 3)
    (4, 0.973)
    """


@with_parameters
class TopDownTreeRegressor(SingleTree, RegressorGrowth, TreeRegressor):
    """Regression tree grown top-down: squared or absolute error, Poisson or Tweedie deviance.

    Leaves predict the weighted mean of their targets, or the median. Growth, limits, missing values and ties
    are as in `TopDownTreeClassifier`.

    Parameters
    ----------
    criterion : str, default="squared_error"
        "squared_error"; "friedman_mse", another name of it, since it makes the same splits; "absolute_error",
        measured from the weighted median, which its leaves predict; "poisson", half the Poisson deviance,
        which makes no leaf that predicts 0 unless all targets there are; "tweedie", the deviance of power
        `power`.
    power : float, default=0.5
        From 0 (squared error) to 1 (Poisson). Only for "tweedie".
    max_depth, max_leaf_nodes, min_samples_split, min_samples_leaf, min_weight_fraction_leaf
        As in `TopDownTreeClassifier`.
    min_impurity_decrease, max_features, ccp_alpha, categorical_features, category_tests
        As in `TopDownTreeClassifier`.
    time_limit, memory_limit, verbose, random_state
        As in `TopDownTreeClassifier`.

    Attributes
    ----------
    tree_ : treelib.Tree
    feature_importances_ : float64 (n_features,)
    status_, search_stats_
        As in `TopDownTreeClassifier`.
    n_features_in_ : int
    feature_names_in_ : array of shape (n_features,)
        Only for data frames with column names.
    encoder_ : treelib.table.encode.TableEncoder

    References
    ----------
    M.-F. Balcan, D. Sharma. Learning accurate and interpretable tree-based models, Section 3.4.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from treelib import TopDownTreeRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> round(TopDownTreeRegressor("tweedie", power=0.5, max_leaf_nodes=8).fit(X, y).score(X, y), 2)
    0.51
    """
