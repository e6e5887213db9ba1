"""`BayesianTreeClassifier`: decision trees drawn from their posterior distribution."""

import threading
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import KW_ONLY
from math import prod

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from treelib.estimator import TreeClassifier, whole_or_not_at_all, with_parameters
from treelib.search.budget import INTERRUPTED, LOOK, OPTIMAL, Budget, Stopped, go_on, warn_stopped
from treelib.table.checks import check_choice, check_count, check_n_jobs, is_real, writeable
from treelib.table.sparse_rows import row_wise
from treelib.topdown.bayes.chain import MOVES, Chain, Data, mean_probabilities, run_chain, start_chain
from treelib.topdown.bayes.diagnostics import (
    LEAST_ESS,
    MOST_R_HAT,
    disagreement,
    effective_sample_size,
    split_r_hat,
)
from treelib.topdown.bayes.draws import Draws, forest_of, tree_of, trees_of
from treelib.tree.building import NO_CHILD, NO_FEATURE, NO_THRESHOLD
from treelib.tree.stored import Tree

CONVERGED, NOT_CONVERGED = "converged", "not_converged"

OF_ROWS = ("leaf", "new_leaf")  # what a `Chain` holds of the rows, only while it runs

_PREDICTIONS = ("mean", "best", "last")
_BLOCK = 1 << 18  # values that are sorted at a time, of one column at least: 10 ms

# steps of a chain times rows between two looks at the clock: about 10 ms
ROWS_AT_ONCE = 300_000


@with_parameters
class BayesianTreeClassifier(TreeClassifier):
    """Decision trees sampled from their posterior by Metropolis-Hastings.

    The prior (Chipman, George and McCulloch 1998; Section 3.3 of Balcan and Sharma) splits a node at depth d
    with probability ``sigma (1 + d)^-phi`` by a rule drawn uniformly from all thresholds of all features, and
    gives the class shares of a leaf a Dirichlet distribution. Markov chains with split, prune, change and
    swap moves sample trees in proportion to prior times likelihood.

    Parameters
    ----------
    sigma : float, default=0.95
        Prior probability that the root is split, in (0, 1]; larger values favour larger trees.
    phi : float, default=1.0
        How fast the prior probability of a split decreases with depth, at least 0; larger values favour
        bushier trees.
    concentration : float or array-like of shape (n_classes,), default=1.0
        Parameters of the Dirichlet prior of a leaf, positive. 1: uniform.
    max_leaf_nodes : int, default=50
        Maximum number of leaves; larger trees have probability 0.
    min_samples_leaf : int, default=1
        Minimum number of training samples in a leaf; other trees have probability 0.
    max_thresholds : int or None, default=None
        Maximum number of thresholds per feature. They lie halfway between neighbouring values; if there are
        more, those nearest to equally spaced quantiles are kept. None: all.
    prediction : {"mean", "best", "last"}, default="mean"
        "mean" averages the class probabilities over all draws. "best" uses the tree with the highest
        posterior probability that any chain visited, "last" the final tree of the first chain, as the paper.
    n_iter : int, default=10000
        Number of moves per chain. Moves after the last draw are skipped.
    burn_in : float, default=0.5
        Fraction of the moves before the first draw, in [0, 1).
    thin : int, default=10
        Number of moves between draws. If fewer moves are left after `burn_in`, there is one draw, at the end.
    n_chains : int, default=4
        Number of chains, each started from its own tree drawn from the prior.
    categorical_features : "from_dtype", None, or array-like of int, str or bool, default="from_dtype"
        Categorical features; "from_dtype": columns of text or categories. Each category becomes a rule.
    time_limit : float or None, default=None
        Wall-clock seconds for the whole ``fit``; the result then depends on the machine. None: no limit.
        Compilation by numba at the first fit does not count; ``treelib warm`` does it in advance.
    memory_limit : float, str or None, default=None
        Memory for rules, chains and draws, in bytes or as text such as "500 MB"; what rules and chains leave
        is divided equally among the draws of the chains. None: the memory of the machine.
    n_jobs : int or None, default=None
        Number of chains that run in parallel, in threads; None means 1, -1 all processors. It does not affect
        the result.
    random_state : int, RandomState instance or None, default=None
        Seed of the chains.
    verbose : int, default=0
        1 shows a progress line on standard error: number of moves and the best tree so far.

    Attributes
    ----------
    tree_ : treelib.Tree
        The tree of highest posterior probability, or with ``prediction="last"`` the last one.
    log_posterior_ : float64 (n_chains, n_draws)
        ``ln p(y | X, T) p(T)`` of every draw, up to a constant that does not depend on the tree.
    best_log_posterior_ : float
    acceptance_ : dict of move -> float64 (n_chains,)
        Fraction of proposals accepted, by type of move.
    r_hat_, ess_ : float
        Split R-hat and effective sample size of the log posterior over all chains. Tree posteriors have many
        modes; an R-hat far above 1 indicates that the chains found different ones.
    n_leaves_ : int64 (n_chains, n_draws)
    n_rules_ : int
        Number of candidate rules, ``|F|`` in the paper.
    status_ : {"converged", "not_converged", "time_limit", "memory_limit", "interrupted"}
        The first two mean that every chain completed its moves. "converged" is no proof: it means that the
        chains agree as judged by `r_hat_` and `ess_` (thresholds `MOST_R_HAT`, `LEAST_ESS`).
    classes_, n_features_in_, feature_names_in_, encoder_
        As in scikit-learn and this package.

    Warns
    -----
    sklearn.exceptions.ConvergenceWarning
        If a limit or Ctrl-C stopped the chains, or if they disagree; the draws so far are used.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelib import BayesianTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = BayesianTreeClassifier(random_state=0).fit(X, y)
    >>> model.score(X, y) > 0.95
    True
    """

    sigma: float = 0.95
    phi: float = 1.0
    _: KW_ONLY
    concentration: object = 1.0
    max_leaf_nodes: int = 50
    min_samples_leaf: int = 1
    max_thresholds: int | None = None
    prediction: str = "mean"
    n_iter: int = 10_000
    burn_in: float = 0.5
    thin: int = 10
    n_chains: int = 4
    categorical_features: object = "from_dtype"
    time_limit: float | None = None
    memory_limit: float | str | None = None
    n_jobs: int | None = None
    random_state: object = None
    verbose: int = 0

    def fit(self, X, y, sample_weight=None):
        """Run the chains.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Training data.
        y : array-like of shape (n_samples,)
            Classes.
        sample_weight : array-like of shape (n_samples,) or None
            Sample weights; a sample of weight w counts as w samples of its class. None: all samples have
            weight 1.

        Returns
        -------
        self
            The fitted estimator.
        """
        with whole_or_not_at_all(self):
            self._check_parameters()
            budget = Budget(self.time_limit, self.memory_limit, verbose=self.verbose)
            X, y, weights = self._validate_training(X, y, sample_weight, budget)
            codes = self._encode_classes(y)
            if weights is not None and not weights.all():
                X, codes, weights = X[weights > 0], codes[weights > 0], weights[weights > 0]
            data = self._data(X, codes, np.ones(len(X)) if weights is None else weights, budget)
            self._record(self._run_all(data, budget), data)
            return self

    @row_wise
    def predict_proba(self, X):
        """Posterior mean of the class probabilities, over all draws or for ``tree_``.

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
        X = self._encode(X)
        if self.prediction == "mean":
            return mean_probabilities(np.ascontiguousarray(X), *self.forest_)
        value = self.tree_.predict_value(X) + self._concentration()
        return value / value.sum(axis=1, keepdims=True)

    def predict(self, X):
        """Most probable class of each sample of `X` (n_samples, n_features), an array (n_samples,)."""
        probabilities = self.predict_proba(X)
        return self.classes_[probabilities.argmax(axis=1)]

    def _exported(self):
        trees, _, _, _ = super()._exported()
        if self.prediction == "mean":
            trees, tables = trees_of(self.forest_, self.tree_)
            return trees, tables, None, 1.0
        value = self.tree_.value + self._concentration()
        table = value / value.sum(axis=1, keepdims=True)
        return trees, (table,), table.argmax(axis=1), 1.0

    # ---- one chain ----------------------------------------------------------------------------------------

    def _data(self, X, codes, weights, budget):
        """`Data` of the kernels. Where a limit leaves no room or time to look for rules, there are none, and
        the chains stay at a single leaf."""
        try:
            budget.check()  # where there is no table, this says why
            rule_feature, rule_threshold = _rules(X, self.max_thresholds, budget.check)
            n_bytes = rule_feature.nbytes + rule_threshold.nbytes + self._bytes_of_chains(len(X))
            budget.check(n_bytes)
            budget.reserve(n_bytes)
        except Stopped as stop:
            budget.stop(stop.status)
            rule_feature, rule_threshold = np.zeros(0, dtype=np.int64), np.zeros(0)
            X = X if X.flags.c_contiguous else np.zeros((len(X), 0))  # zeros may stand for the table
        depth = np.arange(2 * self._most_leaves(len(X)) + 1)
        split = self.sigma * (1.0 + depth) ** -float(self.phi)
        with np.errstate(divide="ignore"):
            log_prior = np.stack([np.log1p(-split), np.log(split) - np.log(max(len(rule_feature), 1))])
        return Data(
            X=np.ascontiguousarray(X),
            codes=codes.astype(np.int64),
            weights=writeable(weights),
            rule_feature=rule_feature,
            rule_threshold=rule_threshold,
            concentration=self._concentration(),
            # a finite stand-in for ln 0 outweighs the likelihood, and leaves its digits in the sum
            log_prior=np.maximum(log_prior, -1e9),
            min_rows=int(min(self.min_samples_leaf, 2**62)),
        )

    def _run_all(self, data, budget):
        """What `_run` returns of all chains. Ctrl-C ends them all, and each keeps what it drew."""
        n_jobs = min(effective_n_jobs(self.n_jobs), self.n_chains)
        seeds = check_random_state(self.random_state).randint(0, 2**31 - 1, size=(self.n_chains, 2))
        # chains that wait for a thread must not find the time used up
        seconds = max(budget.time_left, 1e-6) / -(-self.n_chains // n_jobs)
        limits = {
            "time_limit": None if self.time_limit is None else seconds,
            "memory_limit": None if budget.memory_limit is None else budget.memory_limit / self.n_chains,
        }
        flag = threading.Event()
        progress = np.tile([0.0, -np.inf], (self.n_chains, 1))
        with ThreadPoolExecutor(n_jobs) as threads:
            runs = [
                threads.submit(self._run, data, pair, limits, budget.status, flag, here)
                for pair, here in zip(seeds, progress, strict=True)
            ]
            rest = runs
            while rest:
                try:
                    _, rest = wait(runs, timeout=LOOK)
                    self._show(budget, progress, is_last=not rest)
                except KeyboardInterrupt:
                    flag.set()
        found = [run.result() for run in runs]
        if flag.is_set():  # also where the chains were past their last look at it
            found = [(chain, draws, INTERRUPTED) for chain, draws, _ in found]
        return found

    def _show(self, budget, progress, is_last):
        moves, total = int(progress[:, 0].sum()), self.n_chains * sum(self._n_moves)
        best = progress[:, 1].max()
        budget.show(f"{moves:,} of {total:,} moves  best log posterior {best:.2f}", last=is_last)

    @property
    def _n_moves(self):
        """Moves of a chain before the first draw, and after."""
        n_burn = int(self.burn_in * self.n_iter)
        return n_burn, (self.n_iter - n_burn) // self._moves_of_draw * self._moves_of_draw

    @property
    def _moves_of_draw(self):
        return min(self.thin, self.n_iter - int(self.burn_in * self.n_iter))

    def _run(self, data, seeds, limits, stopped, flag, progress):
        """One chain: the chain without its places of rows, its `Draws`, and why it ended.

        limits : dict, of `Budget`. stopped : status of the limit that was met before, or None. flag : Event
        that ends it. progress : float64 (2,), moves made and best log posterior, kept up to date
        """
        budget = Budget(**limits, cancel=flag.is_set)
        if stopped is not None:
            budget.stop(stopped)
        # where there was no room for the chain it stays at its root
        capacity = 1 if stopped is not None else 2 * self._most_leaves(len(data.X)) - 1
        chain = new_chain(data, capacity, seeds)
        sigma = 0.0 if budget.exceeded() else float(self.sigma)  # a split of the first tree reads all rows
        start_chain(data, chain, sigma, float(self.phi))
        draws, status = Draws(), OPTIMAL
        most = max(1, ROWS_AT_ONCE // len(data.X))

        def walk(n_steps):
            for first in range(0, n_steps, most):
                if (stop := budget.exceeded(n_bytes=draws.n_bytes)) is not None:
                    raise Stopped(stop)
                n_now = min(most, n_steps - first)
                run_chain(data, chain, n_now)
                progress[0] += n_now
                progress[1] = chain.log_posterior[1]

        n_before, n_after = self._n_moves
        try:
            walk(n_before)
            for _ in range(0, n_after, self._moves_of_draw):
                walk(self._moves_of_draw)
                draws.add(chain)
        except Stopped as stop:
            status = stop.status
        if not draws.trees:
            draws.add(chain)
        return chain._replace(**dict.fromkeys(OF_ROWS)), draws, status

    def _record(self, runs, data):
        chains, draws, statuses = zip(*runs, strict=True)
        n_draws = min(len(some.log_posterior) for some in draws)
        self.log_posterior_ = np.array([some.log_posterior[-n_draws:] for some in draws])
        self.n_leaves_ = np.array([some.n_leaves[-n_draws:] for some in draws])
        tally = np.stack([chain.tally for chain in chains])
        rates = tally[:, 1] / np.maximum(tally[:, 0], 1)
        self.acceptance_ = {move: rates[:, i] for i, move in enumerate(MOVES)}
        self.r_hat_ = split_r_hat(self.log_posterior_)
        self.ess_ = effective_sample_size(self.log_posterior_)
        self.n_rules_ = len(data.rule_feature)
        best = max(chains, key=lambda chain: chain.log_posterior[1])
        self.best_log_posterior_ = float(best.log_posterior[1])
        chosen = draws[0].trees[-1] if self.prediction == "last" else tree_of(*best.best)
        self.tree_ = self._tree(chosen, data)
        self.forest_ = forest_of(draws, data)
        self.status_ = next((status for status in statuses if status != OPTIMAL), self._agreement())
        if self.status_ == NOT_CONVERGED:
            has_few = np.isnan(self.r_hat_) or np.isnan(self.ess_)
            what = (
                f"There are too few draws ({n_draws} a chain) to say whether the chains agree"
                if has_few
                else disagreement(self.r_hat_, self.ess_)
            )
            warn_stopped(
                f"{what}. Give more moves (n_iter) or chains (n_chains); the probabilities are those of what "
                "was drawn.",
            )
        elif self.status_ != CONVERGED:
            warn_stopped(
                f"The chains were stopped ({self.status_}) after {n_draws} draws each of "
                f"{self._n_moves[1] // self._moves_of_draw}.",
            )

    def _agreement(self):
        """Whether the chains agree; a posterior without spread, of one tree for one, is drawn at once. Where
        there are rules, too few draws to tell do not show that it has none."""
        if np.ptp(self.log_posterior_) == 0 and not (self.n_rules_ and np.isnan(self.r_hat_)):
            return CONVERGED
        agree = self.r_hat_ <= MOST_R_HAT and self.ess_ >= LEAST_ESS
        return CONVERGED if agree else NOT_CONVERGED

    def _tree(self, draw, data):
        """`Tree` of a draw, counted on the training data."""
        leaf = draw.rule < 0
        rule = np.where(leaf, 0, draw.rule)
        left = np.where(leaf, NO_CHILD, np.arange(1, len(rule) + 1))
        none = np.zeros((len(rule), len(self.classes_)))
        tree = Tree(
            children_left=left,
            children_right=draw.right,
            feature=np.where(leaf, NO_FEATURE, data.rule_feature[rule] if len(data.rule_feature) else 0),
            threshold=np.where(
                leaf, NO_THRESHOLD, data.rule_threshold[rule] if len(data.rule_feature) else 0
            ),
            value=none,
            n_features=self.encoder_.n_features_out_,
            feature_names=self.encoder_.feature_names_out_,
            class_names=self._class_names(),
        )
        if tree.n_nodes > 1:
            tree = tree.recount(data.X, data.codes, data.weights)
        else:  # there may have been no room for a table
            value = np.bincount(data.codes, data.weights, len(self.classes_))
            tree = tree.replace(value=value[None], n_node_samples=[len(data.codes)])
        return tree.replace(label=(tree.value + data.concentration).argmax(axis=1))

    def _bytes_of_chains(self, n_rows):
        """Bytes of the nodes of all chains, and of the places of the rows in those that run (`new_chain`)."""
        n_running = min(effective_n_jobs(self.n_jobs), self.n_chains)
        shape = n_rows, len(self.classes_), 2 * self._most_leaves(n_rows) - 1
        of = {name: kind.itemsize * prod(size) for name, (size, kind) in arrays_of_chain(*shape).items()}
        of_rows = sum(of.pop(name) for name in OF_ROWS)
        return n_running * of_rows + self.n_chains * sum(of.values())

    # ---- checks -------------------------------------------------------------------------------------------

    def _most_leaves(self, n_rows):
        return min(self.max_leaf_nodes, n_rows)  # every leaf has a row

    def _concentration(self):
        try:
            concentration = np.asarray(self.concentration, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            concentration = np.array(np.nan)
        n_classes = len(self.classes_)
        if concentration.shape not in ((), (n_classes,)) or not (
            np.isfinite(concentration).all() and (concentration > 0).all()
        ):
            raise ValueError(
                f"concentration={self.concentration!r} must be a positive number, or {n_classes} of them, "
                "one for each class."
            )
        return np.broadcast_to(concentration, (n_classes,)).copy()

    def _check_parameters(self):
        _check_real("sigma", self.sigma, 0, 1, "above 0 and at most 1", self.sigma != 0)
        _check_real("phi", self.phi, 0, np.inf, "a finite number, 0 or more")
        _check_real("burn_in", self.burn_in, 0, 1, "a share of the moves, below 1", self.burn_in != 1)
        for name in ("max_leaf_nodes", "min_samples_leaf", "n_iter", "thin", "n_chains"):
            check_count(name, getattr(self, name))
        if self.max_thresholds is not None:
            check_count("max_thresholds", self.max_thresholds)
        check_n_jobs(self.n_jobs)
        check_choice("prediction", self.prediction, _PREDICTIONS)


def new_chain(data, capacity, seeds):
    """`Chain` of empty arrays for trees of so many nodes; seeds : two int below 2^31."""
    arrays = arrays_of_chain(len(data.codes), len(data.concentration), capacity)
    chain = Chain(**{name: np.zeros(shape, dtype) for name, (shape, dtype) in arrays.items()})
    chain.random[0] = (int(seeds[0]) << 32) | int(seeds[1])
    return chain


def arrays_of_chain(n_rows, n_classes, capacity):
    """Shape and type of the arrays of a `Chain`, by their names."""
    whole, real = np.dtype(np.int64), np.dtype(np.float64)
    return {
        "nodes": ((6, capacity), whole),
        "counts": ((capacity, n_classes), real),
        "evidence": ((capacity,), real),
        "leaf": ((n_rows,), whole),
        "new_leaf": ((n_rows,), whole),
        "new_counts": ((capacity, n_classes), real),
        "new_size": ((capacity,), whole),
        "in_subtree": ((capacity,), whole),
        "random": ((1,), np.dtype(np.uint64)),
        "tally": ((2, 4), whole),
        "log_posterior": ((2,), real),
        "best": ((3, capacity), whole),
    }


def _rules(X, most, check=go_on):
    """Features, int64, and thresholds, float64, of all rules: halfway points between neighbouring distinct
    values, at most `most` a feature, nearest to equal quantiles; and infinity where values are missing.

    check : callable of the bytes that are held, asked between columns; it may raise
    """
    n_rows, n_features = X.shape
    features, thresholds = [np.zeros(0, dtype=np.int64)], [np.zeros(0)]
    block, n_rules = max(1, _BLOCK // n_rows), 0
    for first in range(0, n_features, block):
        # while they are put together, all rules are there twice; a block is sorted, compared and halved
        check(2 * 16 * n_rules + 5 * 8 * min(block, n_features - first) * n_rows)
        values = np.sort(X[:, first : first + block].T, axis=1)  # NaN comes last
        low, high = values[:, :-1], values[:, 1:]
        n_known = n_rows - np.isnan(values).sum(axis=1)
        is_rule = low < high
        if most is not None:
            for row in np.flatnonzero(is_rule.sum(axis=1) > most):
                is_rule[row] &= _near_quantiles(np.flatnonzero(is_rule[row]), n_known[row], most, n_rows - 1)
        middle = low / 2 + high / 2
        middle = np.where((low <= middle) & (middle < high), middle, low)
        has_both = (n_known > 0) & (n_known < n_rows)  # is the value missing?
        is_rule = np.column_stack([is_rule, has_both])
        middle = np.column_stack([middle, np.full(len(values), np.inf)])
        features.append(first + np.nonzero(is_rule)[0])
        thresholds.append(middle[is_rule])
        n_rules += len(thresholds[-1])
    return np.concatenate(features), np.concatenate(thresholds)


def _near_quantiles(places, n_known, most, n_places):
    """Which of the places behind which a rule may cut sorted values are nearest to `most` equal quantiles."""
    below = (places + 1) / n_known
    wanted = np.arange(1, most + 1) / (most + 1)
    kept = np.zeros(n_places, dtype=bool)
    kept[places[np.abs(below[None, :] - wanted[:, None]).argmin(axis=1)]] = True
    return kept


def _check_real(name, value, low, high, text, also=True):
    if not is_real(value) or not (low <= value <= high and value < np.inf and also):
        raise ValueError(f"{name}={value!r} must be {text}.")
