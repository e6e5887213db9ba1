"""From arrays to a `Tree`: sort, grow, convert."""

from typing import NamedTuple

import numpy as np
from scipy.sparse import issparse

from treelib.search.budget import Budget, Stopped, go_on, status_of
from treelib.table.checks import ROUNDING, rows_of_fraction, writeable
from treelib.table.sparse_rows import columns_of, values_at
from treelib.topdown.categories.search import SubsetSearch, right_sides
from treelib.topdown.criteria import CUSTOM
from treelib.topdown.grow.few_features import fill_ranks
from treelib.topdown.grow.impurity import ABSOLUTE_ERROR, GINI, SQUARED_ERROR, fill_parts
from treelib.topdown.grow.leaf_values import SUM, lists_of, sum_up
from treelib.topdown.grow.medians import median_room, weighted_median
from treelib.topdown.grow.one_tree import (
    AFTER,
    BEFORE,
    BEGIN,
    COST,
    END,
    FEATURE,
    LEFT,
    MISSING_LEFT,
    RIGHT,
    Nodes,
    Rows,
    Rule,
    Scratch,
)
from treelib.topdown.grow.presort import CLASS_SHIFT, FIRST, MISSING, encode_features, rank_rows
from treelib.topdown.grow.python_criterion import OwnSearch
from treelib.topdown.grow.room import grow_within
from treelib.tree.building import preorder
from treelib.tree.stored import Tree

_NONE = np.empty(0)
_NO_CLASSES = np.empty(0, dtype=np.intp)
NO_LIMIT = 2**62
_BLOCK = 1 << 18  # values sorted at once: small data in one call, large ones feature by feature
_COPIED = 1 << 20  # values copied at once
_LARGEST_TABLE = 1 << 22
_FEW_ROWS = 400  # below, numpy sorts as fast
_FIRST_ROOM = 1023  # nodes
# Rows are put in order by the features drawn where one in so many is drawn, or, where features have less than
# one distinct value in _MOST_DISTINCT rows, so that counting will do, one in so many fewer; both measured.
_FEW_DRAWN, _FEW_DRAWN_COUNTED, _MOST_DISTINCT = 3.5, 1.25, 8


class Limits(NamedTuple):
    """When to stop, as `treelib.topdown.estimator` describes it; numbers only."""

    max_depth: int = NO_LIMIT
    max_splits: int = NO_LIMIT
    best_first: bool = False
    min_split: int = 2
    min_leaf: int = 1
    min_weight: float = 0.0  # of a leaf, as a fraction of all
    min_decrease: float = 0.0
    max_features: int = NO_LIMIT


_NO_LIMITS = Limits()


class Sorted(NamedTuple):
    """Rows sorted by every feature (`presort`), or their ranks (`few_features`).

    codes : uint32 or uint64 (n_features, n); with ranks (1, n), by row number
    shift : int, lowest bit of the row number
    ranks : uint16 or uint32 (n_features, n_all), or None
    n_known : intp (n_features,), or None
    with_missing : the columns in which the rows miss values
    """

    codes: np.ndarray
    shift: int
    ranks: np.ndarray = None
    n_known: np.ndarray = None
    with_missing: tuple = ()


class Problem(NamedTuple):
    """Training data.

    X : float64 (n, n_features), C-contiguous, NaN where missing; or a CSC matrix
    y : class indices intp (n,), or targets float64 (n,) for regression
    n_classes : int, 0 for regression
    weight : float64 (n,), not negative, or None for ones
    unit : float, what the weights were divided by
    categories : bool (n_features,), columns that hold codes 0, 1, ... of categories, never NaN; or None
    """

    X: np.ndarray
    y: np.ndarray
    n_classes: int
    weight: np.ndarray = None
    unit: float = 1.0
    categories: np.ndarray = None


def sort_rows(problem, rows=None, check=go_on):
    """`Sorted` of the training rows, or of those in `rows` (intp, row numbers).

    `check` is called before every block of features and may raise to end it.
    """
    n_features = problem.X.shape[1]
    shift, dtype = _code_form(problem)
    is_sparse, chosen = issparse(problem.X), rows
    n = len(problem.y) if rows is None else len(rows)
    columns = None if is_sparse else _columns(problem.X, rows, check)
    codes = np.empty((n_features, n), dtype=dtype)
    classes = problem.y if problem.n_classes else _NO_CLASSES
    rows = _NO_CLASSES if rows is None else rows
    step = max(1, _BLOCK // max(1, n))
    if n >= _FEW_ROWS:
        scratch = *np.empty((3, n), dtype=np.uint64), np.empty((3, 2048), dtype=np.intp)
        rankings = np.empty((min(step, n_features), n), dtype=np.intp)
    for start in range(0, n_features, step):
        check()
        block = slice(start, start + step)
        values = columns_of(problem.X, block, chosen) if is_sparse else columns[block]
        if n < _FEW_ROWS:
            rankings = np.argsort(values, axis=1)
        else:
            rankings = rankings[: n_features - start]
            rank_rows(values, *scratch, rankings)
        encode_features(values, rankings, rows, classes, shift, codes[block])
    return Sorted(codes, shift, with_missing=tuple(np.flatnonzero(codes[:, -1] & MISSING).tolist()))


def _code_form(problem):
    """Lowest bit of the row number in a code, and the type of codes."""
    shift = CLASS_SHIFT + max(problem.n_classes - 1, 0).bit_length()
    return shift, np.dtype(np.uint32 if (len(problem.y) << shift) < 2**32 else np.uint64)


def _columns(X, rows, check):
    """The rows `rows` (None: all) of `X`, float64 (n_features, n)."""
    columns = np.empty((X.shape[1], len(X) if rows is None else len(rows)))
    step = max(1, _COPIED // max(1, X.shape[1]))
    for start in range(0, columns.shape[1], step):
        check()
        part = slice(start, start + step)
        columns[:, part] = (X[part] if rows is None else X[rows[part]]).T
    return columns


def bytes_to_arrange(problem, limits):
    """Most bytes that `arrange_rows` has in use at once."""
    n, n_features = problem.X.shape
    ranks = 4 if limits.max_features < n_features else 0
    values = 0 if issparse(problem.X) else 8
    return n * n_features * (values + _code_form(problem)[1].itemsize + ranks) + 48 * n


def arrange_rows(problem, criterion, limits, rows=None, check=go_on):
    """`Sorted` as `learn` is fastest with it: with ranks where nodes look at few of many features."""
    ordered = sort_rows(problem, rows, check)
    n_all, n_features = problem.X.shape
    is_in_steps = criterion.code == CUSTOM or problem.categories is not None
    if is_in_steps or limits.max_features >= n_features:
        return ordered
    counts = _MOST_DISTINCT * np.count_nonzero(ordered.codes & np.uint32(FIRST)) < ordered.codes.size
    if n_features < (_FEW_DRAWN_COUNTED if counts else _FEW_DRAWN) * limits.max_features:
        return ordered
    ranks = np.empty((n_features, n_all), dtype=np.uint16 if n_all < 2**16 else np.uint32)
    n_known = np.empty(n_features, dtype=np.intp)
    step = max(1, _COPIED // max(1, n_all))
    for start in range(0, n_features, step):
        check()
        block = slice(start, start + step)
        fill_ranks(ordered.codes[block], ordered.shift, ranks[block], n_known[block])
    lines = np.sort(ordered.codes[:1] >> CLASS_SHIFT << CLASS_SHIFT)
    return Sorted(lines, ordered.shift, ranks, n_known, ordered.with_missing)


def learn(problem, criterion, limits=_NO_LIMITS, seed=0, ordered=None, budget=None, tell=False):
    """Nodes of a top-down tree.

    Parameters
    ----------
    problem : Problem
    criterion : treelib.topdown.criteria.Criterion
    limits : Limits
    seed : int, for the draw of features
    ordered : Sorted rows (`arrange_rows`), whose codes are changed; None to sort here. Without rows of
        weight zero, and perhaps with some of them repeated.
    budget : Budget, or None for no limits
    tell : bool, show how many nodes there are while the tree grows

    Returns
    -------
    Grown. Where a limit or Ctrl-C ended the growth, its `status` says which, and what was not split by then
    is a leaf.
    """
    budget = Budget() if budget is None else budget
    if ordered is None:
        try:
            budget.check(bytes_to_arrange(problem, limits))
            ordered = arrange_rows(problem, criterion, limits, weighty(problem.weight), budget.check)
            budget.n_bytes += 0 if ordered.ranks is None else ordered.ranks.nbytes
        except (Stopped, KeyboardInterrupt) as stop:
            return single_leaf(problem, criterion, status_of(stop))
    total = float(ordered.codes.shape[1])
    if problem.weight is not None:
        total = problem.weight[ordered.codes[0] >> ordered.shift].sum()
    rule = _rule(problem, criterion, limits, ordered.shift, total)
    target, centre = None, 0.0
    if not problem.n_classes:
        target = writeable(problem.y)
        if criterion.code == SQUARED_ERROR:  # sums of squares keep their digits
            centre = np.average(target, weights=problem.weight)
            target = target - centre
    weight = _NONE if problem.weight is None else writeable(problem.weight)
    table = part_table(criterion, problem, total)
    rows = Rows(ordered.codes, ordered.ranks, ordered.n_known, target, weight, table)
    scratch, nodes = _room(rows, rule, *problem.X.shape, seed)
    if problem.categories is not None:
        search = SubsetSearch(criterion, problem, rows, rule, scratch, np.random.default_rng(seed))
        nodes, status = search.grow(nodes, budget)
    elif criterion.code == CUSTOM:
        rng = np.random.default_rng(seed)
        nodes, status = OwnSearch(criterion.function, rows, rule, scratch, rng).grow(nodes, budget)
    else:
        nodes, status = grow_within(budget, rows, rule, scratch, nodes, tell)
    whole, cost, mean = nodes.whole[: nodes.state[0]], nodes.real[: nodes.state[0], COST], None
    at = thresholds(problem.X, whole)
    if problem.n_classes:
        weight_of = nodes.value[: len(whole)].sum(axis=1)
        impurity = cost / weight_of
    else:
        mean = sum_up(rows, whole, ordered.shift, writeable(problem.y)).mean()
        own = sum_up(rows, whole, ordered.shift, own_costs(problem.y - centre, criterion))
        if criterion.code == ABSOLUTE_ERROR:
            mean = medians(rows, whole, ordered.shift, problem.y)
        weight_of, impurity = own.weight, (own.sums[:, SUM] + cost) / own.weight
    impurity = np.maximum(criterion.scale * impurity, 0.0)
    subsets = None if problem.categories is None else right_sides(rows, whole, ordered.shift, problem)
    return Grown(
        nodes,
        at,
        centre,
        criterion.scale / total,
        mean,
        impurity,
        weight_of,
        status,
        subsets,
        ordered.with_missing,
    )


def _rule(problem, criterion, limits, shift, total):
    """`Rule` of a learner whose rows weigh `total`; shift : as of `Sorted`"""
    min_leaf, min_weight = limits.min_leaf, limits.min_weight * total * (1 - ROUNDING)
    if problem.weight is None:
        min_leaf, min_weight = max(min_leaf, rows_of_fraction(limits.min_weight, total)), 0.0
    return Rule(
        criterion.code,
        float(criterion.alpha),
        float(criterion.beta),
        problem.n_classes,
        shift,
        limits.max_depth,
        limits.max_splits,
        limits.best_first,
        limits.min_split,
        min_leaf,
        min_weight,
        limits.min_decrease * total / criterion.scale,
        min(limits.max_features, problem.X.shape[1]),
    )


def medians(rows, whole, shift, target):
    """Weighted median of the targets of each node of a grown tree, float64 (n_nodes,)."""
    lists, found = lists_of(rows, whole), np.empty(len(whole))
    for node, (begin, end) in enumerate(whole[:, [BEGIN, END]]):
        here = rows.codes[lists[node], begin:end] >> shift
        weight = rows.weight[here] if len(rows.weight) else None
        found[node] = weighted_median(target[here], weight)
    return found


def single_leaf(problem, criterion, status):
    """`Grown` of one leaf with all rows, where `status` stopped the learner before it had sorted them."""
    n = len(problem.y)
    weight = np.ones(n) if problem.weight is None else problem.weight
    total = weight.sum()
    if problem.n_classes:
        value, mean = np.bincount(problem.y, weight, problem.n_classes), None
    else:
        value = np.array([total, weight @ problem.y])
        mean = np.clip(value[1:] / total, problem.y.min(), problem.y.max())
        if criterion.code == ABSOLUTE_ERROR:
            known = weight > 0
            mean = np.array([weighted_median(problem.y[known], weight[known])])
    nodes = _nodes(1, len(value))
    nodes.whole[0] = nodes.real[0] = nodes.value[0] = 0
    nodes.whole[0, END], nodes.state[0] = np.count_nonzero(weight), 1
    nodes.whole[0, [FEATURE, LEFT, RIGHT]] = -1
    nodes.value[0] = value
    none = np.full(1, -2.0)
    return Grown(
        nodes, none, 0.0, criterion.scale / total, mean, np.full(1, np.nan), np.full(1, total), status
    )


def thresholds(X, whole):
    """Threshold of each node, float64 (n_nodes,), -2 at leaves.

    The midpoint of the values on both sides, or the lower one where rounding puts the midpoint at the upper;
    inf where the upper one is missing.
    """
    result = np.full(len(whole), -2.0)
    inner = whole[:, FEATURE] >= 0
    feature = whole[inner, FEATURE]
    low, high = (values_at(X, whole[inner, side], feature) for side in (BEFORE, AFTER))
    middle = low / 2 + high / 2
    result[inner] = np.where(np.isnan(high), np.inf, np.where((low <= middle) & (middle < high), middle, low))
    return result


def _room(rows, rule, n_all, n_features, seed):
    """Empty `Scratch` and `Nodes` for the growth of one tree."""
    n = rows.codes.shape[1]
    keys = None if rows.ranks is None else np.empty((3, max(n, 256)), dtype=np.int64)
    width = rule.n_classes or 2
    scratch = Scratch(
        goes_left=np.empty(n_all, dtype=np.uint8),
        buffer=np.empty(n, dtype=rows.codes.dtype),
        keys=keys,
        features=np.arange(n_features),
        sides=np.empty((4, width)),
        cost=np.empty(2),
        split=np.empty((2, 6), dtype=np.intp),
        wanted=np.zeros(2, dtype=np.uint8),
        seed=np.array([seed], dtype=np.uint64),
    )
    return scratch, _nodes(max(3, min(2 * n, _FIRST_ROOM)), width)


def _nodes(room, width):
    return Nodes(
        whole=np.empty((room, 10), dtype=np.intp),
        real=np.empty((room, 2)),
        value=np.empty((room, width)),
        waiting=np.empty(room, dtype=np.intp),
        state=np.zeros(4, dtype=np.intp),
    )


class Grown(NamedTuple):
    """A grown tree in the learner's own form, its thresholds, what was taken off the targets, and the unit
    of its costs: `unit` times a cost is a share of the weighted mean impurity. Nodes are in the order in
    which they were made; that of the `Tree` is `preorder`. `mean` is what each node predicts, None for
    classification; `impurity` is that of each node, NaN where it was not reckoned; `weight` is that of the
    rows of each node; `status` is what ended the growth early, or None; `subsets` has the codes that go right
    in each node that tests categories (`treelib.topdown.categories.search.right_sides`), or is None;
    `with_missing` are the columns in which rows of positive weight missed values."""

    nodes: Nodes
    threshold: np.ndarray
    centre: float
    unit: float
    mean: np.ndarray
    impurity: np.ndarray
    weight: np.ndarray
    status: str = None
    subsets: dict = None
    with_missing: tuple = None

    @property
    def is_classification(self):
        return self.mean is None

    @property
    def feature(self):
        """intp (n_nodes,), -1 at leaves"""
        return self.nodes.whole[: self.nodes.state[0], FEATURE]

    def preorder(self):
        """The nodes in the order of the `Tree`, intp (n_nodes,)."""
        whole = self.nodes.whole[: self.nodes.state[0]]
        return preorder(whole[:, LEFT], whole[:, RIGHT])

    def decreases(self):
        """Fall of the weighted mean impurity by each split, float64 (n_nodes,), 0 at leaves."""
        n_nodes = self.nodes.state[0]
        whole, cost = self.nodes.whole[:n_nodes], self.unit * self.nodes.real[:n_nodes, COST]
        inner = np.flatnonzero(whole[:, LEFT] >= 0)
        fall = np.zeros(n_nodes)
        fall[inner] = cost[inner] - cost[whole[inner, LEFT]] - cost[whole[inner, RIGHT]]
        return fall

    def leaf_costs(self):
        """What each node adds to the weighted mean impurity as a leaf, float64 (n_nodes,); for regression,
        what the splits below it save."""
        n_nodes = self.nodes.state[0]
        if self.is_classification:
            return np.maximum(self.unit * self.nodes.real[:n_nodes, COST], 0.0)
        whole, saved = self.nodes.whole[:n_nodes], self.decreases()
        for node in range(n_nodes - 1, -1, -1):
            if whole[node, LEFT] >= 0:
                saved[node] += saved[whole[node, LEFT]] + saved[whole[node, RIGHT]]
        return np.maximum(saved, 0.0)

    def impurity_left(self, problem, criterion):
        """Weighted mean impurity of the tree's leaves that `leaf_costs` leaves out: 0 for classification."""
        if self.is_classification:
            return 0.0
        own = own_costs(problem.y - self.centre, criterion)
        n_nodes = self.nodes.state[0]
        is_leaf = self.nodes.whole[:n_nodes, LEFT] < 0
        own = own.sum() if problem.weight is None else own @ problem.weight
        return self.unit * (own + self.nodes.real[:n_nodes, COST][is_leaf].sum())

    def to_tree(self, n_features, n_classes, **names):
        """`Tree` of the nodes; `names` are its feature_names and class_names."""
        n_nodes = self.nodes.state[0]
        whole, value = self.nodes.whole[:n_nodes], self.nodes.value[:n_nodes]
        if not n_classes:
            value = self.mean[:, None]
        return Tree(
            children_left=whole[:, LEFT],
            children_right=whole[:, RIGHT],
            feature=whole[:, FEATURE],
            threshold=self.threshold,
            value=value,
            n_features=n_features,
            n_node_samples=whole[:, END] - whole[:, BEGIN],
            missing_go_to_left=whole[:, MISSING_LEFT],
            features_with_missing=self.with_missing,
            is_regression=not n_classes,
            **names,
        )


def own_costs(y, criterion):
    """What each row adds to the cost of a regression node beside what its mean takes off, float64 (n,).

    y : float64 (n,), centred for the squared error
    """
    if criterion.code == SQUARED_ERROR:
        return y * y
    if criterion.code == ABSOLUTE_ERROR:
        return np.zeros_like(y)
    power = criterion.alpha
    log = np.log(y, out=np.zeros_like(y), where=y > 0)
    return y * (log if power == 1 else np.expm1((1 - power) * log) / (1 - power)) * 2 / (2 - power)


def part_table(criterion, problem, total):
    """Parts of all whole counts for the kernels; empty where weights are no whole numbers, None for Gini
    impurity and for regression."""
    if criterion.code == ABSOLUTE_ERROR:
        return median_room(problem.y)
    if not problem.n_classes or criterion.code in (GINI, CUSTOM):
        return None
    check_range(criterion, total)
    weight = problem.weight
    if total > _LARGEST_TABLE or (weight is not None and (weight != np.floor(weight)).any()):
        return _NONE
    table = np.empty(int(total) + 1)
    fill_parts(criterion.code, float(criterion.alpha), table)
    return table


def check_range(criterion, total):
    """ValueError where the power of a count up to `total` is beyond the range of float64."""
    if criterion.alpha * np.log(max(total, 1.0)) > 700:
        raise ValueError(
            f"alpha={criterion.alpha:g} is too large for a weight of {total:g}: the power of the counts is "
            "beyond the range of float64."
        )


def weighty(weight):
    """Numbers of the rows of positive weight, or None for all."""
    return None if weight is None or weight.all() else np.flatnonzero(weight)
