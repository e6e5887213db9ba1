"""`BornAgainTreeClassifier`: the scikit-learn interface to the born-again searches."""

from copy import copy
from dataclasses import KW_ONLY, replace

import numpy as np
from joblib import effective_n_jobs
from scipy.sparse import issparse
from sklearn.base import clone, is_regressor
from sklearn.ensemble import AdaBoostClassifier, RandomForestClassifier
from sklearn.utils.validation import check_is_fitted

from treelib.bornagain.boosting.reading import is_boosted
from treelib.bornagain.depth_leaves import minimise_depth_then_leaves
from treelib.bornagain.ensemble.from_sklearn import check_kind, from_sklearn
from treelib.bornagain.ensemble.reading import as_ensemble
from treelib.bornagain.ensemble.voting import HARD
from treelib.bornagain.exact import OBJECTIVES, minimise
from treelib.bornagain.regions.bottom_up import bound_of_size, measure
from treelib.estimator import (
    TreeClassifier,
    validate_numbers,
    whole_or_not_at_all,
    with_parameters,
)
from treelib.search.budget import OPTIMAL, Budget, memory_of_machine, warn_stopped
from treelib.table.checks import check_choice, check_n_jobs
from treelib.table.frames import checked_table, is_frame, targets, warn_of_large_integers
from treelib.table.refusal import explanation
from treelib.table.sparse_rows import dense, row_wise
from treelib.table.warned import warn
from treelib.table.weights import check_weights

METHODS = ("exact", "heuristic")
N_TREES, DEPTH = 3, 2  # of the forest that is trained where none is given
READABLE = 100  # leaves of a tree that a person may still read


@with_parameters
class BornAgainTreeClassifier(TreeClassifier):
    """A single small decision tree that makes the same predictions as an ensemble, everywhere.

    ``fit`` trains an ensemble and then finds the smallest tree with the same decision function over the whole
    feature space, not only on the training data (Vidal, Pacheco and Schiffer 2020). A forest decides by
    majority vote; ``voting="soft"`` follows scikit-learn's ``predict`` instead. ``from_ensemble`` takes an
    ensemble that is already trained.

    Parameters
    ----------
    ensemble : classifier or None, default=None
        Unfitted RandomForestClassifier, ExtraTreesClassifier, BaggingClassifier of decision trees,
        AdaBoostClassifier of decision trees, DecisionTreeClassifier, GradientBoostingClassifier,
        HistGradientBoostingClassifier, XGBClassifier or LGBMClassifier. ``fit`` always trains a clone; pass a
        fitted model to ``from_ensemble``. None: a forest of `N_TREES` trees of depth `DEPTH` that tries half
        of the features at each split, so that the born-again tree is readable. With the paper's 10 trees of
        depth 3 it would have thousands of leaves on features with many values.
    objective : {"depth", "leaves", "depth-leaves"}, default="depth"
        What is minimised: the depth, the number of leaves, or the depth first and then the leaves.
    method : {"exact", "heuristic"}, default="exact"
        "exact" proves that the tree is the smallest. Its time and memory grow with the number of boxes formed
        by the thresholds of the ensemble, a product over the features: binned features and few, shallow trees
        keep it small. "heuristic" scales further; its tree is just as faithful, but not the smallest.
    voting : {"hard", "soft"}, default="hard"
        How the trees of the ensemble are combined. "hard", the paper's rule: each votes for one class.
        "soft": class fractions are averaged, as scikit-learn's forests and bagging do; choose it for a tree
        that agrees with their ``predict``. AdaBoost's votes are always hard and weighted, as in scikit-learn;
        boosted models add scores as their library does.
    time_limit : float or None, default=None
        Wall-clock seconds for the search. None: no limit. Training the ensemble does not count, and
        compilation at the first use on a machine cannot be interrupted.
    memory_limit : float, str or None, default="4 GB"
        Memory for the search, in bytes or as text such as "500 MB": all tables, and what building the greedy
        tree takes if the search is stopped. The ensemble itself is not included. None: the memory of the
        machine. If the limit is too small for any search, the tree is a single leaf in which `predict` calls
        the ensemble.
    n_jobs : int or None, default=None
        Number of threads of the exact search; None means one, -1 one per processor. It does not affect the
        result.
    random_state : int, RandomState or None, default=None
        Seed of the forest with ``ensemble=None``, and of the cells that the heuristic draws.
    verbose : int, default=0
        1 shows a progress line on standard error.

    Attributes
    ----------
    tree_ : treelib.Tree
        The born-again tree. ``tree_.max_depth`` and ``tree_.n_leaves`` give its size. After ``fit``, its
        `value` and `n_node_samples` count the training samples; leaves may be empty.
    ensemble_ : treelib.bornagain.ensemble.voting.Ensemble
        The ensemble that the tree reproduces.
    estimator_ : fitted classifier
        The trained ensemble; only after ``fit``.
    result_ : treelib.search.budget.SearchResult
    search_stats_ : dict
        Counters, timings (seconds) and ``peak_bytes`` of the search.
    open_leaves_ : int array
        Leaves of ``tree_`` that may disagree with the ensemble, because a limit was too tight for any
        faithful tree; there `predict` calls the ensemble itself. Otherwise empty.
    objective_, lower_bound_ : float
        Size of the tree, and a proven lower bound on the size of every faithful tree: a depth, a number of
        leaves, or depth + leaves / 1,000,000. `objective_` is infinite if ``open_leaves_`` is not empty.
    is_optimal_ : bool
    status_ : {"optimal", "faithful", "time_limit", "memory_limit", "interrupted"}
    classes_ : array of shape (n_classes,)
    n_features_in_ : int
    feature_names_in_ : array of shape (n_features,)
        Only for data frames with column names.

    Warns
    -----
    UserWarning
        If the tree has more than `READABLE` leaves, too many to read; the message says how to make it
        smaller. If the majority vote differs on training samples from the ensemble's ``predict``, which
        averages.
    sklearn.exceptions.ConvergenceWarning
        If a limit or Ctrl-C stopped the search. With ``method="exact"`` the tree is still faithful, but built
        greedily from sampled cells (or, for an ensemble of one tree, that tree); if not even this could be
        finished, see `open_leaves_`.

    Notes
    -----
    scikit-learn's trees round X to float32 before comparing. The thresholds of ``tree_`` are shifted by less
    than one float32 step, so that it agrees with them for every float64 value.

    References
    ----------
    T. Vidal, T. Pacheco, M. Schiffer. Born-again tree ensembles. International Conference on Machine
    Learning, 2020.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelib import BornAgainTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = BornAgainTreeClassifier(objective="leaves", random_state=0).fit(X, y)
    >>> bool((model.predict(X) == model.ensemble_.predict(X)).all()), model.is_optimal_
    (True, True)
    """

    ensemble: object = None
    _: KW_ONLY
    objective: str = "depth"
    method: str = "exact"
    voting: str = "hard"
    time_limit: float | None = None
    memory_limit: float | str | None = "4 GB"
    n_jobs: int | None = None
    random_state: object = None
    verbose: int = 0

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = False
        return tags

    def fit(self, X, y, sample_weight=None):
        """Train the ensemble and find its born-again tree.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Finite numbers.
        y : array-like of shape (n_samples,)
            Classes.
        sample_weight : array-like of shape (n_samples,) or None
            Sample weights, for training the ensemble and for the counts in ``tree_``. The smallest tree
            depends on the ensemble alone. Samples with zero weight are ignored.

        Returns
        -------
        self
            The fitted estimator.
        """
        with whole_or_not_at_all(self):
            self._check_parameters()
            X = checked_table(X)
            warn_of_large_integers(X)
            X = dense(X, type(self).__name__, memory_of_machine()) if issparse(X) else X
            table = X
            X, y = validate_numbers(self, X, targets(y))
            weights = check_weights(sample_weight, len(X))
            if weights is not None:
                present = weights > 0
                X, y, weights = X[present], y[present], weights[present]
            y_codes = self._encode_classes(y)
            y = self.classes_[y_codes]  # truth values as objects are none to scikit-learn
            self.estimator_ = self._unfitted()
            self._train(table, X, y, {} if weights is None else {"sample_weight": weights})
            self.ensemble_ = self._read(self.estimator_)
            self._warn_of_another_predict(X)
            self._search()
            self.tree_ = (
                self.tree_.replace(
                    feature_names=getattr(self, "feature_names_in_", None), class_names=self._class_names()
                )
                .recount(X, y_codes, weights)
                .with_digits(X)
            )
            return self

    def from_ensemble(self, forest):
        """Find the born-again tree of an ensemble that is already trained.

        Use ``BornAgainTreeClassifier(voting="soft")`` for a tree that agrees with the ``predict`` of a
        scikit-learn forest or bagging, which averages class fractions. The default, ``voting="hard"``, is the
        paper's rule, one vote per tree: it may differ from ``forest.predict`` in a part of the feature space.
        ``status_`` and `certify` refer to the chosen rule. Single trees, AdaBoost and boosted models have
        only one rule, and their tree agrees with their ``predict``.

        Parameters
        ----------
        forest : object
            Fitted scikit-learn ensemble or boosted model, `Ensemble`, what `treelib.compress` found, sequence
            of `Tree`, or Tree; see `treelib.bornagain.ensemble.reading.as_ensemble`. `voting` applies to
            scikit-learn estimators only; the others bring their own rule. For saved boosted models use
            `treelib.bornagain.read_boosted`.

        Returns
        -------
        self
            The fitted estimator. Without training data, the nodes of ``tree_`` have no counts, and all
            feature importances are zero.

        Raises
        ------
        ValueError
            If the trees alone do not determine the model's predictions: an XGBClassifier whose ``missing`` is
            not NaN, LightGBM with ``pred_early_stop``.
        """
        with whole_or_not_at_all(self):
            self._check_parameters()
            if hasattr(forest, "fit"):
                self.ensemble_ = self._read(forest)
            else:
                self.ensemble_ = as_ensemble(forest)
            self.__dict__.pop("estimator_", None)
            self.__dict__.pop("feature_names_in_", None)
            names = self.ensemble_.feature_names
            if names is not None and list(names) != [f"Column_{i}" for i in range(len(names))]:
                # else LightGBM was given an array, and made them up
                self.feature_names_in_ = np.array(names, dtype=object)
            self.n_features_in_ = self.ensemble_.n_features
            self.classes_ = np.asarray(self.ensemble_.classes)
            self._search()
            self.tree_ = self.tree_.replace(class_names=self._class_names())
            return self

    @row_wise
    def predict(self, X):
        """Class of each sample of `X`, as the ensemble predicts it.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Samples to predict.

        Returns
        -------
        ndarray of shape (n_samples,)
            The classes.
        """
        check_is_fitted(self, "tree_")
        return self.classes_[self._predict_codes(self._encode(X))]

    @row_wise
    def predict_proba(self, X):
        """1 for the predicted class of each sample of `X`, else 0.

        The tree reproduces the ensemble's decisions, not its votes; for those see
        ``ensemble_.predict_votes``.

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
        return np.eye(len(self.classes_))[self._predict_codes(self._encode(X))]

    def certify(self, **options):
        """Prove over the whole feature space that ``tree_`` agrees with ``ensemble_``.

        Parameters
        ----------
        **options
            As in `treelib.bornagain.proof.certificate.certify`.

        Returns
        -------
        treelib.bornagain.proof.certificate.Certificate
            Truthy if and only if the tree is proved faithful.
        """
        from treelib.bornagain.proof.certificate import certify

        check_is_fitted(self, "tree_")
        return certify(self.tree_, self.ensemble_, **options)

    def post_prune(self, X, sample_weight=None):
        """``tree_`` without the splits that separate no samples of `X` (Section 4.4 of the paper).

        The result is smaller and predicts the same on `X`, but is no longer faithful elsewhere.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Usually the training data.
        sample_weight : array-like of shape (n_samples,) or None
            Samples with zero weight are ignored; other weights have no effect.

        Returns
        -------
        treelib.Tree
            The smaller tree.
        """
        from treelib.bornagain.pruned import post_prune

        check_is_fitted(self, "tree_")
        X = self._encode(X)
        weights = check_weights(sample_weight, len(X))
        return post_prune(self.tree_, X if weights is None else X[weights > 0])

    def _exported(self):
        trees, _, labels, divisor = super()._exported()
        if len(self.open_leaves_):
            raise ValueError(
                f"The tree has {len(self.open_leaves_)} leaves in which predict asks the ensemble, because a "
                "limit stopped the search; it cannot be written alone. Raise the limit, or write the "
                "ensemble."
            )
        return trees, (np.eye(len(self.classes_))[labels],), labels, divisor

    def _predict_codes(self, X):
        leaf = self.tree_._leaves(X)  # of rows that `_encode` has checked
        codes = self.tree_.label[leaf]
        is_open = np.isin(leaf, self.open_leaves_)
        if is_open.any():
            codes = codes.copy()
            codes[is_open] = self.ensemble_.predict(X[is_open])
        return codes

    def _encode(self, X):
        return validate_numbers(self, self._named_as_trained(checked_table(X)), reset=False)

    def _named_as_trained(self, X):
        """`X`, a frame with the names of the ensemble where it differs in blanks, which LightGBM replaces."""
        known = getattr(self, "feature_names_in_", None)
        if known is None or not is_frame(X) or getattr(self.ensemble_, "source", None) != "LightGBM":
            return X
        spelled = [str(name).replace(" ", "_") for name in X.columns]
        if spelled == list(X.columns) or spelled != list(known):
            return X
        X = copy(X)
        X.columns = spelled
        return X

    def _unfitted(self):
        if self.ensemble is None:
            return RandomForestClassifier(
                n_estimators=N_TREES, max_depth=DEPTH, max_features=0.5, random_state=self.random_state
            )
        if not hasattr(self.ensemble, "get_params"):
            raise TypeError(
                f"ensemble is a {type(self.ensemble).__name__}; fit trains a scikit-learn ensemble. Use "
                "from_ensemble for one that is trained already."
            )
        if is_regressor(self.ensemble):
            raise TypeError(
                f"ensemble is a {type(self.ensemble).__name__}, which is a regressor; a born-again tree "
                "predicts classes: give a classifier, such as RandomForestClassifier()."
            )
        if not is_boosted(self.ensemble):
            check_kind(self.ensemble)
        return clone(self.ensemble)

    def _train(self, table, X, y, options):
        """Fit ``estimator_`` to the rows `X` of `table`, which says where numbers are too large for it."""
        try:
            with np.errstate(over="ignore"):  # of numbers beyond float32, which it refuses
                self.estimator_.fit(X, y, **options)
        except ValueError as error:
            if "dtype('float32')" not in str(error):
                raise
            raise ValueError(explanation(table, str(error), "") or str(error)) from None

    def _read(self, estimator):
        """`Ensemble` of a fitted estimator; what a boosted one adds up leaves no choice of voting."""
        return (
            as_ensemble(estimator)
            if is_boosted(estimator)
            else from_sklearn(estimator, self._voting_of(estimator))
        )

    def _voting_of(self, estimator):
        return "hard" if isinstance(estimator, AdaBoostClassifier) else self.voting

    def _warn_of_another_predict(self, X):
        """Say on how many training rows the tree will not predict as ``estimator_`` does."""
        if self.ensemble is None or self.ensemble_.voting != HARD or is_boosted(self.estimator_):
            return
        name, theirs = type(self.estimator_).__name__, self.estimator_.predict(X)
        n_others = np.count_nonzero(theirs != self.classes_[self.ensemble_.predict(X)])
        if n_others:
            warn(
                f"On {n_others:,} of {len(X):,} training rows the majority of the trees, which the tree "
                f"keeps to (voting='hard'), decides otherwise than the predict of {name}, which averages "
                "class fractions. voting='soft' gives the tree of that predict.",
            )

    def _check_parameters(self):
        for name, known in (
            ("objective", tuple(OBJECTIVES)),
            ("method", METHODS),
            ("voting", ("hard", "soft")),
        ):
            check_choice(name, getattr(self, name), known)
        check_n_jobs(self.n_jobs)

    def _search(self):
        """Find the tree of ``ensemble_``; sets ``tree_`` and what is known of it."""
        budget = Budget(self.time_limit, self.memory_limit, verbose=self.verbose)
        if self.method == "exact":
            n_jobs = effective_n_jobs(self.n_jobs)
            if self.objective == "depth-leaves":
                result = minimise_depth_then_leaves(self.ensemble_, budget=budget, n_jobs=n_jobs)
            else:
                result = minimise(self.ensemble_, self.objective, budget=budget, n_jobs=n_jobs)
        else:
            from treelib.bornagain.heuristic import born_again_heuristic

            by_depth = self.objective != "leaves"
            result = born_again_heuristic(
                self.ensemble_, random_state=self.random_state, budget=budget, by_depth=by_depth
            )
            result = in_units_of(OBJECTIVES[self.objective], result)
        # every faithful tree is so on numbers: where it sends NaN is no decision of the ensemble
        result = replace(result, tree=result.tree.replace(refuses_missing=True))
        self.result_ = result
        self.tree_ = result.tree
        self.objective_ = float(result.objective)
        self.lower_bound_ = float(result.lower_bound)
        self.is_optimal_ = result.is_optimal
        self.status_ = result.status
        self.search_stats_ = dict(result.stats)
        self.open_leaves_ = np.asarray(self.search_stats_.pop("open_leaves", ()), dtype=np.intp)
        if result.status not in (OPTIMAL, "faithful"):
            what = "faithful, but not proved smallest"
            if len(self.open_leaves_):
                what = f"not faithful in {len(self.open_leaves_)} leaves, where predict asks the ensemble"
            warn_stopped(
                f"The search stopped before its end ({result.status}): objective {self.objective_:.7g}, "
                f"lower bound {self.lower_bound_:.7g}. The tree is {what}; raise the limit, make the "
                "ensemble smaller or bin the features, or use method='heuristic'.",
            )
        if self.tree_.n_leaves > READABLE:
            warn(
                f"The born-again tree has {self.tree_.n_leaves:,} leaves, more than a person reads. Fewer or "
                "shallower trees in the ensemble, columns rounded to fewer values, or "
                "objective='leaves' make it smaller; post_prune(X) keeps what the rows of X need.",
            )


def in_units_of(objective, result):
    """`SearchResult` of `born_again_heuristic`, whose sizes are leaves, in the units of an objective.

    A tree of depth d has 2^d - 1 splits at most, so what is proved of the leaves bounds the depth.

    objective : DEPTH, LEAVES or DEPTH_LEAVES
    """
    leaves = int(result.lower_bound)
    lower, size = bound_of_size(leaves, (leaves - 1).bit_length(), objective), result.objective
    if np.isfinite(size):
        size = measure(result.tree, objective)
    status = result.status
    if status in (OPTIMAL, "faithful"):
        status = OPTIMAL if size <= lower else "faithful"
    last = {name: part[-1:] for name, part in result.trace.items()}
    trace = last | {"objective": np.array([size]), "lower_bound": np.array([lower])}
    return replace(result, status=status, objective=size, lower_bound=lower, trace=trace)
