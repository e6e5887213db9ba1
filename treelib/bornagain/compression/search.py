"""`compress`: the fewest re-weighted trees with the class of an ensemble everywhere, and the proof.

Three parts work on each other. The linear program of `treelib.bornagain.compression.rows` weights a set of
trees so that the cells met so far keep their class, or gives a set of other trees of which one is needed.
The exact search of `treelib.bornagain.compression.separate` finds a cell where such weights fail, or proves
that there is none. The integer program of `treelib.bornagain.compression.cover` gives the fewest trees that
respect all these needs, a lower bound; where the exact search proves them right, they are the fewest.
"""

import math
from typing import Any

import numpy as np

from treelib.bornagain.boosting.scored import ScoredEnsemble
from treelib.bornagain.compression.cover import Cover
from treelib.bornagain.compression.result import Compressed
from treelib.bornagain.compression.rows import MARGIN, MarginRows
from treelib.bornagain.compression.separate import Separation
from treelib.bornagain.compression.space import Space
from treelib.bornagain.ensemble.reading import as_ensemble
from treelib.bornagain.proof.certificate import asks_for_missing
from treelib.search.budget import OPTIMAL, Budget, Stopped
from treelib.tree.stored import Tree

_N_SAMPLES, _N_PAIRS = 4000, 3000
_VOTE_BITS = 46  # of the largest sum of votes of a compressed ensemble
_CELLS_AT_ONCE = 40
_BOXES_AT_ONCE = 2000
# of a walk along borders: cells it goes on from, pairs of a threshold, and rounds without a new need
_STARTS, _MOST_CROSSINGS, _IDLE_ROUNDS = 300, 30, 3
_BORDER_ROWS = 2000  # cells met on the last of these rounds that become rows of the linear program
_MOST_ROOTS = 8  # tried at once to make a need smaller, at first
# margins that a thinned set of trees must leave, where whole scores failed
_LEAST_ROOM, _MOST_ROOM = 1e-5, 1e-3
_LARGEST_WHOLE = 5000  # weights that are fractions with a denominator up to this become whole numbers
CERTIFIED, LARGE, OPEN = "certified", "large", "open"


def compress(
    model: Any,
    X: Any = None,
    *,
    time_limit: float | None = None,
    random_state: int = 0,
    budget: Any = None,
) -> Any:
    """Smallest re-weighted subset of an ensemble's trees that predicts the same class at every point.

    Parameters
    ----------
    model : object
        Boosted model, forest, `Ensemble` or anything that `treelib.bornagain.as_ensemble` accepts. The base
        score of a boosted model may be re-weighted like a tree, but does not count as one.
    X : array-like (n, n_features) or None
        Samples to consider first. They speed up the search; the proof is over the whole space either way.
    time_limit : float or None
        Wall-clock seconds; on reaching it the best certified ensemble so far is returned. None: no limit.
    random_state : int
        Seed of the sampled cells. It may change which of several smallest ensembles is found.
    budget : Budget or None
        Limits of the search; replaces `time_limit`.

    Returns
    -------
    Compressed
        The ensemble found, with its proof.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import AdaBoostClassifier
    >>> from treelib import compress
    >>> X, y = load_iris(return_X_y=True)
    >>> model = AdaBoostClassifier(n_estimators=30, random_state=0).fit(X, y == 1)
    >>> found = compress(model, X)
    >>> found.is_optimal, found.n_trees < 30
    (True, True)
    >>> bool((found.ensemble.predict(X) == model.predict(X)).all())
    True
    """
    ensemble = as_ensemble(model)
    return _Compression(ensemble, X, budget or Budget(time_limit), int(random_state)).run()


class _Compression:
    def __init__(self, ensemble, X, budget, seed):
        self.ensemble, self.budget = ensemble, budget
        self.space = Space(ensemble, budget.check)
        self.rows = MarginRows(self.space)
        self.cover = Cover(self.space.n_roots)
        self.is_tree = np.arange(self.space.n_roots) >= self.space.n_free
        self.rng = np.random.default_rng(seed)
        self.best, self.best_votes = self.is_tree & True, None
        self.lower_bound, self.uses_margin = 0, False
        self.n_boxes = self.n_proofs = self._n_rows_tried = 0
        self.trace = []
        self.X, self.seed = X, seed

    def run(self):
        status = None
        try:
            self._fill_pool()
            if len(np.unique(self.pool_classes)) < 2 and self._try_no_tree():
                status = OPTIMAL
            else:
                status = self._search()
        except Stopped as stop:
            status = stop.status
        except KeyboardInterrupt:
            status = "interrupted"
        return self._result(status)

    def _fill_pool(self):
        """Sample cells, and pairs of neighbours of different class, into the pool and the rows."""
        cells = self.space.sample(_N_SAMPLES, self.seed, self.X)
        classes = self.space.classes(cells)
        first, second = self.space.neighbours(cells, classes, _N_PAIRS, self.seed + 1)
        self.pool = np.unique(np.concatenate([cells, first, second]), axis=0)
        self.pool_classes = self.space.classes(self.pool)
        self._needs_of_pairs(first, second)
        self.rows.add(self.pool)

    # ---- the search ---------------------------------------------------------------------------------

    def _search(self):
        self._walk_borders()
        is_first = True
        while True:
            self._try_without_each()
            chosen = self._raise_bound()
            if self.lower_bound >= self._size(self.best):
                return OPTIMAL
            if not all(one.any() for one in self.cover.sets):
                return "margin"  # no weights keep the margin
            if is_first:  # all trees less the spare ones, soon: a limit may come
                chosen = np.ones(self.space.n_roots, dtype=bool)
            if chosen is not None and self._solve(chosen | ~self.is_tree, is_grown=is_first) == OPEN:
                return "margin"
            is_first = False

    def _solve(self, support, is_grown=False):
        """Certify the trees in `support`, with others that they turn out to need.

        Each set of trees that is learned on the way is taken into the cover, and its most helpful tree into
        the support, so that one call raises the bound and finds an ensemble, too.

        Parameters
        ----------
        support : bool (n_roots,)
        is_grown : bool, whether there may be trees to spare in it

        Returns
        -------
        CERTIFIED, LARGE where this is no smaller than what is known, or OPEN where the margin is too small
        for whole scores
        """
        support, room, is_thinned = support.copy(), 0.0, False
        while True:
            self.budget.check()
            _, weights, needed = self.rows.weights(support)
            if weights is None:
                if needed is None:
                    return OPEN
                helpful = self._learn(support, needed)
                if helpful is None:
                    return LARGE
                support[helpful] = is_grown = True
                continue
            if is_grown:
                support, is_grown, is_thinned = self._without_spare(support, weights, room), False, True
                continue
            votes, used = self._whole_votes(weights)
            if self._size(used) >= self._size(self.best):
                return LARGE
            broken = self._broken(votes)
            if len(broken):
                if not self.rows.add(broken):  # floating point satisfied these rows, whole scores do not
                    if not is_thinned or room > _MOST_ROOM:
                        return OPEN
                    room = max(_LEAST_ROOM, 10 * room)  # leave trees for a larger margin
                    support, is_grown, is_thinned = np.ones_like(support), True, False
                continue
            cells, is_whole = self._prove(votes)
            if len(cells):
                self._meet(cells)
                if self._is_fewest_by_new_rows():
                    return LARGE
            elif is_whole:
                self.best, self.best_votes = used & self.is_tree, votes
                self._record()
                return CERTIFIED

    def _without_spare(self, support, weights, room):
        """The support less trees without which the rows so far can be satisfied, the lightest first.

        room : float, the margin on all rows that must be left, 0 for the least one
        """
        forced = self.cover.forced_roots
        support = support & ((weights > 0) | ~self.is_tree)
        for t in np.argsort(weights, kind="stable"):
            if not support[t] or forced[t] or not self.is_tree[t]:
                continue
            self.budget.check()
            less = support.copy()
            less[t] = False
            found = self.rows.with_room(less, room) if room else self.rows.weights(less, only_needs=True)[1]
            if found is not None:
                support = less & ((found > 0) | ~self.is_tree)
        return support

    def _prove(self, votes):
        """As `Separation.run`, until cells are found or no box is left; lines along features come first."""
        start = self.pool[self.rng.integers(len(self.pool), size=_STARTS)]
        cells = self.space.differences(votes, start)
        if len(cells):
            return cells[:_CELLS_AT_ONCE], False
        proof = Separation(self.space, votes, _CELLS_AT_ONCE)
        self.n_proofs += 1
        try:
            while True:
                cells, is_whole = proof.run(self.budget, _BOXES_AT_ONCE)
                if len(cells) or is_whole:
                    return cells, is_whole
                self.budget.check()
        finally:
            self.n_boxes += proof.n_boxes

    def _broken(self, votes):
        """Cells of the pool whose class whole votes change, some of the worst first."""
        classes = self.space.classes(self.pool, self.space.with_votes(votes))
        wrong = np.flatnonzero(classes != self.pool_classes)
        if len(wrong) > _CELLS_AT_ONCE:
            wrong = self.rng.choice(wrong, _CELLS_AT_ONCE, replace=False)
        return self.pool[wrong]

    def _meet(self, cells):
        """Take cells that were found into the rows and the pool, with pairs of neighbours near them."""
        some = self.pool[self.rng.integers(len(self.pool), size=200)]
        near = np.concatenate([cells, some])
        first, second = self.space.neighbours(
            near, self.space.classes(near), 200, int(self.rng.integers(2**62))
        )
        self._needs_of_pairs(first, second)
        new = np.unique(np.concatenate([cells, first, second]), axis=0)
        self.rows.add(new)
        self.pool = np.concatenate([self.pool, new])
        self.pool_classes = self.space.classes(self.pool)

    # ---- the lower bound ----------------------------------------------------------------------------

    def _needs_of_pairs(self, first, second):
        """A threshold that parts two classes is needed: of the trees that change there the right way, one
        is."""
        if not len(first):
            return
        before, after = self.space.classes(first), self.space.classes(second)
        one, two = self.space.votes[self.space.leaves(first)], self.space.votes[self.space.leaves(second)]
        row = np.arange(len(first))
        lead = one[row, :, before] - one[row, :, after] - two[row, :, before] + two[row, :, after]
        self.cover.add_all((lead > 0) & self.is_tree)

    def _walk_borders(self):
        """Walk along the borders of the classes for as long as this shows that more trees are needed."""
        cells, n_idle = self.pool, 0
        while n_idle < _IDLE_ROUNDS:
            self.budget.check()
            start = cells[self.rng.integers(len(cells), size=_STARTS)]
            first, second = self.space.crossings(start, _MOST_CROSSINGS)
            if not len(first):
                return
            before = self.cover.forced
            self._needs_of_pairs(first, second)
            n_idle = 0 if self.cover.forced > before else n_idle + 1
            cells = np.concatenate([first, second])
        self.rows.add(np.unique(cells[self.rng.permutation(len(cells))[:_BORDER_ROWS]], axis=0))

    def _try_without_each(self):
        """Take up each tree without which the others cannot satisfy the rows so far."""
        if len(self.rows.matrix) < 1.5 * self._n_rows_tried:
            return
        self._n_rows_tried = len(self.rows.matrix)
        for t in np.flatnonzero(self.is_tree & ~self.cover.forced_roots):
            self.budget.check()
            others = np.ones(self.space.n_roots, dtype=bool)
            others[t] = False
            _, _, needed = self.rows.weights(others, only_needs=True)
            if needed is not None:
                self.uses_margin = True
                self.cover.add(~others)

    def _is_fewest_by_new_rows(self):
        """Raise the bound by the cells met since; whether nothing is smaller than what is known."""
        before = self._n_rows_tried, self.cover.forced
        self._try_without_each()
        if (self._n_rows_tried, self.cover.forced) != before:
            self._raise_bound()
        return self.lower_bound >= self._size(self.best)

    def _learn(self, support, needed):
        """Take up that one of `needed` is missing in `support`, made as small as possible.

        Returns
        -------
        int, one of the roots that are left; None where there is none
        """
        self.uses_margin = True
        needed = needed & self.is_tree & ~support
        left, at_once = self.rng.permutation(np.flatnonzero(needed)), _MOST_ROOTS
        while len(left):  # several at once, fewer where these are too many
            self.budget.check()
            some = left[:at_once]
            more = ~needed
            more[some] = True
            _, _, rest = self.rows.weights(more, only_needs=True)
            if rest is not None:
                needed &= rest
                left, at_once = left[at_once:], 2 * at_once
                left = left[needed[left]]
            elif at_once == 1:
                left = left[1:]
            else:
                at_once = max(1, len(some) // 2)
        self.cover.add(needed)
        left = np.flatnonzero(needed)
        return int(self.rng.choice(left)) if len(left) else None

    def _raise_bound(self):
        """The fewest trees that meet all needs; sets the lower bound."""
        self.budget.check()
        chosen, bound = self.cover.fewest(self.budget.time_left)
        if self.lower_bound < bound <= self.space.n_roots:
            self.lower_bound = min(bound, self._size(self.best))
            self._record()
        return chosen

    # ---- small parts --------------------------------------------------------------------------------

    def _size(self, support):
        return int((support & self.is_tree).sum())

    def _record(self):
        self.trace.append((self.budget.seconds, self._size(self.best), self.lower_bound))

    def _try_no_tree(self):
        """Whether one class everywhere is proved; then no tree is needed."""
        label = int(self.pool_classes[0])
        votes = np.zeros(self.space.votes.shape, dtype=np.int64)
        votes[: self.space.forest.first[1], label] = 1
        proof = Separation(self.space, votes)
        cells, is_whole = proof.run(self.budget)
        self.n_boxes += proof.n_boxes
        if is_whole and not len(cells):
            self.best = ~self.is_tree & self.is_tree
            self.best_votes, self.constant = votes, label
            return True
        if len(cells):
            self._meet(cells)
        return False

    def _whole_votes(self, weights):
        """Votes of all nodes as whole numbers, int64 (n_nodes, n_classes), and the roots that have any."""
        space = self.space
        factor = np.where(space.used, weights / np.where(space.used, space.size, 1.0), 0.0)
        root = np.repeat(np.arange(space.n_roots), np.diff(space.forest.first))
        votes = space.votes * factor[root][:, None]
        whole = None
        if space.forest.votes.dtype.kind == "i":
            whole = _as_whole(factor)
        if whole is not None:
            largest = np.maximum.reduceat(np.abs(space.forest.votes).max(axis=1), space.forest.first[:-1])
            if (largest.astype(np.float64) * whole).sum() >= 2.0**_VOTE_BITS:  # as scores of AdaBoost are
                whole = None
        if whole is not None:
            found = space.forest.votes * whole[root][:, None]
        else:
            total = (np.where(space.used, space.size, 0.0) * factor).sum()
            found = np.rint(votes * 2.0 ** (_VOTE_BITS - math.ceil(math.log2(total)))).astype(np.int64)
        found[space.forest.feature >= 0] = 0
        has_any = np.zeros(space.n_roots, dtype=bool)
        np.logical_or.at(has_any, root, found.any(axis=1))
        return found, has_any

    def _result(self, status):
        space, ensemble = self.space, self.ensemble
        kept = np.flatnonzero(self.best[space.n_free :])
        if self.best_votes is None:
            kept, weights, found = np.arange(ensemble.n_trees), np.ones(ensemble.n_trees), ensemble
        else:
            found, weights = self._ensemble(kept)
        margin = MARGIN if self.uses_margin else 0.0
        return Compressed(
            ensemble=found,
            kept=kept,
            weights=weights,
            n_trees=len(kept),
            n_original=ensemble.n_trees,
            lower_bound=min(self.lower_bound, len(kept)),
            margin=margin,
            status=status,
            covers_missing=not any(asks_for_missing(tree) for tree in ensemble.trees),
            seconds=self.budget.seconds,
            stats={
                "n_boxes": self.n_boxes,
                "n_proofs": self.n_proofs,
                "n_rows": len(self.rows.matrix),
                "n_needs": len(self.cover.sets),
                "n_programs": self.rows.n_programs + self.cover.n_programs,
                "trace": self.trace,
            },
        )

    def _ensemble(self, kept):
        """The certified ensemble, and the weights of its trees."""
        space, ensemble = self.space, self.ensemble
        roots = space.forest.first
        base = np.zeros(space.n_classes, dtype=np.int64)
        if space.n_free:
            base = self.best_votes[0]
        trees = [ensemble.trees[k] for k in kept]
        scores = [self.best_votes[roots[k + space.n_free] : roots[k + space.n_free + 1]] for k in kept]
        if not trees:
            base = np.zeros(space.n_classes, dtype=np.int64)
            base[self.constant] = 1
            leaf = Tree.from_nested(0, ensemble.n_features, n_classes=space.n_classes)
            trees, scores = [leaf], [np.zeros((1, space.n_classes), dtype=np.int64)]
            weights = np.zeros(0)
        else:
            size = space.size[space.n_free :][kept]
            weights = np.array([np.abs(table).max() for table in scores]) / size
            weights = weights * ensemble.n_trees / weights.sum()
        found = ScoredEnsemble(
            trees,
            scores,
            base,
            classes=ensemble.classes,
            feature_names=ensemble.feature_names,
            source=f"{len(kept)} of {ensemble.n_trees} trees",
        )
        return found, weights


def _as_whole(factor):
    """Whole numbers in proportion to `factor`, int64, or None where small ones are none."""
    denominators = np.arange(1, _LARGEST_WHOLE)[:, None]
    scaled = factor / factor[factor > 0].min() * denominators
    whole = np.rint(scaled)
    fits = (np.abs(scaled - whole) < 1e-6 * denominators).all(axis=1) & (whole < 2**30).all(axis=1)
    return whole[np.argmax(fits)].astype(np.int64) if fits.any() else None
