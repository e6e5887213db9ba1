"""`TopDownTreeClassifier` and `TopDownTreeRegressor`: the scikit-learn interface to the top-down learner."""

from treelib.estimator import TreeClassifier, TreeRegressor, with_parameters
from treelib.topdown.grown_estimator import ClassifierGrowth, RegressorGrowth, SingleTree


@with_parameters
class TopDownTreeClassifier(SingleTree, ClassifierGrowth, TreeClassifier):
    """Decision tree grown top-down with any splitting criterion.

    Each split is the one, over all features and thresholds, that most reduces the sum over the leaves of
    (weight of the leaf) x (impurity of the leaf). With `max_leaf_nodes` the leaf with the largest decrease is
    split next (Balcan and Sharma, Algorithm 1); otherwise every leaf is split until it is pure or a limit
    applies.

    Parameters
    ----------
    criterion : str or callable, default="gini"
        "gini", "entropy" (or "log_loss"), "km" (Kearns and Mansour), "tsallis" with `alpha` and `beta`,
        "gamma" (geometric) with `gamma`, "misclassification", a name given to
        `treelib.topdown.criteria.register_criterion`, or a function of class proportions, ``(m, n_classes)
        -> (m,)``.
    alpha : float, default=2.0
        At least 0; 1 means the limit, an entropy. Only for "tsallis".
    beta : float, default=1.0
        Positive. Only for "tsallis".
    gamma : float, default=0.5
        Positive. Only for "gamma".
    max_depth : int or None, default=None
        Maximum depth (splits on a path). None: no limit.
    max_leaf_nodes : int or None, default=None
        Maximum number of leaves, at least 1; the tree is then grown best-first. None: no limit.
    min_samples_split : int or float, default=2
        Minimum number of samples in a node to split it; a float is a fraction of the samples, rounded up.
    min_samples_leaf : int or float, default=1
        Minimum number of samples in a leaf; a float is a fraction of the samples, rounded up.
    min_weight_fraction_leaf : float, default=0.0
        Minimum weight of a leaf, as a fraction of the total training weight, at most 0.5.
    min_impurity_decrease : float, default=0.0
        Minimum decrease of the weighted mean impurity by a split, as in scikit-learn: the node's share of the
        total training weight, times the decrease of its impurity. If the criterion is not concave, a split
        can increase it; with ``-numpy.inf`` such splits are made too.
    max_features : int, float, "sqrt", "log2" or None, default=None
        Number of features drawn at random for each split; more are drawn if none of them has a split. A float
        is a fraction. None: all.
    ccp_alpha : float, default=0.0
        Leaf penalty, in units of the weighted mean impurity: the grown tree is pruned to the smallest one
        that minimises impurity plus penalty (minimal cost-complexity pruning, with exact breakpoints).
    class_weight : dict, "balanced" or None, default=None
        Factors by which the sample weights of each class are multiplied. "balanced" gives all classes the
        same total weight.
    categorical_features : "from_dtype", None, or array-like of int, str or bool, default="from_dtype"
        Categorical features, as names, indices or a mask. "from_dtype": the columns of a data frame with a
        category, object or string dtype.
    category_tests : {"each", "subsets"}, default="each"
        How such features are split. "each": ``colour = red``. "subsets": ``colour in {blue, red}``, with the
        best subset of the node's categories (`treelib.topdown.categories.search` says when it is provably the
        best).
    time_limit : float or None, default=None
        Wall-clock seconds for `fit`; nodes not yet split stay leaves, so the tree depends on the machine.
        None: no limit. Compilation by numba at the first fit of a kind does not count; ``treelib warm`` does
        it in advance.
    memory_limit : int, str such as "2 GB", or None, default=None
        Memory for the learner's own tables and the table of encoded categories, in bytes or as text; nodes
        not yet split stay leaves. None: the memory of the machine. Without a limit a tree takes about twice
        the memory of `X`.
    verbose : bool, default=False
        Show a progress line on standard error.
    random_state : int, RandomState or None, default=None
        Seed for drawing features; without effect if all are considered.

    Attributes
    ----------
    tree_ : treelib.Tree
        The fitted tree, over the encoded features; its `value`, of shape (n_nodes, n_classes), holds weighted
        class counts.
    feature_importances_ : float64 (n_features,)
        Share of each feature in the total decrease of the weighted mean impurity; the shares of a feature's
        categories are summed.
    status_ : {"complete", "time_limit", "memory_limit", "interrupted"}
        "complete" if the tree was fully grown, which does not mean that it is optimal. After Ctrl-C the
        partial tree is kept and KeyboardInterrupt is raised (see `treelib.keep_going`).
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
        If a limit or Ctrl-C stopped the growth; the tree grown so far is used.

    Notes
    -----
    Thresholds are midpoints of neighbouring values, in float64. Ties between splits go to the first feature
    and the lowest threshold. Samples with zero weight are ignored.

    Missing values are tried on either side of every split, and separated from all known ones; if a node had
    none in training, they follow the majority of its samples. In subsets of categories, "missing" is one more
    category, and a category that a node did not see follows the majority as well.

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
        "squared_error"; "friedman_mse", a synonym, since it makes the same splits; "absolute_error", measured
        from the weighted median, which its leaves predict; "poisson", half the Poisson deviance, which
        excludes splits after which a leaf would predict 0; "tweedie", the deviance with power `power`.
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
