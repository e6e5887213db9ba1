"""Why a tree makes its prediction for a sample, and the smallest change that leads to another class.

A leaf holds the samples in a box: an interval for a numeric column, with or without missing values; a subset
for a categorical one. The boxes describe the tree completely, so every answer here is exact, over all
possible samples, and takes time linear in the number of leaves:

- A *sufficient reason* is a set of columns whose values force the prediction, whatever the others hold: on
  some of them the sample lies outside the box of each leaf with another prediction. It is minimal if no
  column can be removed (Izza, Ignatiev and Marques-Silva 2022); a pass over the columns of the path, deepest
  first, drops those not needed.
- The *nearest change* leads to the leaf of another class that requires changing the fewest columns and, among
  these, has the smallest sum of steps, each divided by its column's scale.

References
----------
Y. Izza, A. Ignatiev, J. Marques-Silva. On tackling explanation redundancy in decision trees. Journal of
Artificial Intelligence Research 75, 2022.
"""

from typing import Any, NamedTuple

import numpy as np

from treelib.tree.comparing import ANY_VALUE, halves
from treelib.tree.formats.exported import MISSING, read_model
from treelib.tree.labels import Labels

_MOST_NAMED = 3  # categories that a sentence lists, also where fewer are left out


class Group(NamedTuple):
    """A column of the table, and the features of the tree that were made of it.

    Attributes
    ----------
    name : str
    categories : tuple, or None for a column of numbers, which is one feature
    features : list of int
    table : float64 (n_categories + 2, n_features), what they are for each category, for one that the tree
        does not know, and for a missing value; None for numbers
    """

    name: str
    categories: tuple | None
    features: list
    table: Any


class Condition(NamedTuple):
    """What is true of a column, or would have to be.

    Attributes
    ----------
    column : str
    text : str, a phrase such as "age is above 50"
    value : the value nearest to that of the row for which it holds: float, or a category; None where the
        column belongs to none of the tree's categories
    """

    column: str
    text: str
    value: Any


class Explanation(NamedTuple):
    """Why a sample gets its prediction.

    Attributes
    ----------
    prediction : class, or value for regression
    path : tuple of Condition, all conditions on the path to the leaf, one per column
    reason : tuple of Condition, a minimal part of the path's columns whose values force the prediction
    change : tuple of Condition, the nearest change that leads to another class; empty if there is none
    instead : class that the change gives, or None

    Examples
    --------
    >>> from treelib.tree import Tree
    >>> from treelib.tree.explaining import Explainer
    >>> tree = Tree.from_nested(
    ...     (0, 50.0, "no", (1, 2.5, "no", "yes")), feature_names=["age", "visits"], class_names=["no", "yes"]
    ... )
    >>> found = Explainer(tree).explain([[60.0, 4.0]])[0]
    >>> print(found)
    yes, because age is above 50 and visits is above 2.5. It would be no if age were at most 50.
    """

    prediction: Any
    path: tuple
    reason: tuple
    change: tuple
    instead: Any

    def __str__(self):
        because = _joined([one.text for one in self.reason])
        sentence = f"{_shown(self.prediction)}, because {because}." if because else ""
        sentence = sentence or f"{_shown(self.prediction)}, whatever the columns hold."
        if self.change:
            wanted = _joined([one.text.replace(" is ", " were ", 1) for one in self.change])
            sentence += f" It would be {_shown(self.instead)} if {wanted}."
        return sentence


class Explainer:
    """Explanations by one tree.

    Parameters
    ----------
    model : Tree, or a fitted estimator of one tree
    wanted : class that a change must lead to, or None for any other class
    fixed : iterable of str, columns that a change may not involve
    directions : dict from a numeric column to 1 or -1, the only direction in which it may change, or None
    scale : dict from a numeric column to the size of one step, or None; default: its largest threshold
    groups : list of `Group`, which columns the features of a tree were made of, or None to ask `model`
    yes_no : as for `treelib.tree.labels.Labels`

    Raises
    ------
    ValueError
        The model has more than one tree, or there is no such column or class.
    """

    def __init__(
        self, model, *, wanted=None, fixed=(), directions=None, scale=None, groups=None, yes_no=None
    ):
        exported = read_model(model)
        if len(exported.trees) != 1:
            raise ValueError(
                f"a model of {len(exported.trees)} trees has no path; explain its born-again tree instead."
            )
        self.tree, self.classes = exported.trees[0], exported.classes
        labels = Labels(self.tree, yes_no=yes_no)
        self._yes_no = labels.yes_no
        inner = np.flatnonzero(~self.tree.is_leaf)
        pairs = zip(self.tree.feature[inner].tolist(), self.tree.threshold[inner].tolist(), strict=True)
        self._text = {pair: labels.threshold[node] for pair, node in zip(pairs, inner.tolist(), strict=True)}
        groups = groups_of(exported) if groups is None else groups
        tested = set(self.tree.feature[inner].tolist())
        self._place = {group.name: place for place, group in enumerate(groups)}
        self.groups = [group for group in groups if tested.intersection(group.features)]
        self._read_leaves()
        self._read_wishes([group.name for group in groups], wanted, tuple(fixed), directions, scale)

    def explain(self, X):
        """`Explanation` of each row of `X`, (n, n_features) as the tree reads it: a list."""
        Z = np.atleast_2d(np.asarray(X, dtype=np.float64))
        places = {node: place for place, node in enumerate(self._leaves)}
        values = np.column_stack([_values(Z, group) for group in self.groups] or [np.empty((len(Z), 0))])
        return [
            self._of_row(places[node], row)
            for node, row in zip(self.tree.apply(Z).tolist(), values, strict=True)
        ]

    def leaves(self):
        """Of each leaf its answer, whether a row can reach it, and for each column (whether it is asked, the
        phrase, the allowed categories as 0 and 1 or None, low, high, whether NaN is there)."""
        for leaf in range(len(self._leaves)):
            cells = []
            for place in range(len(self.groups)):
                allowed = self._allowed[place][leaf].tolist() if place in self._allowed else None
                row = self._high[leaf].copy()  # a row of the leaf, for its phrase
                if allowed is not None:
                    row[place] = allowed.index(True) if any(allowed) else 0
                elif not self._low[leaf, place] < self._high[leaf, place]:
                    row[place] = np.nan
                text = self._condition(leaf, place, row).text
                cells.append(
                    (
                        bool(self._is_tested[leaf, place]),
                        text,
                        None if allowed is None else [int(one) for one in allowed],
                        float(self._low[leaf, place]),
                        float(self._high[leaf, place]),
                        bool(self._nan[leaf, place]),
                    )
                )
            yield self._named(leaf), bool(self._is_there[leaf]), cells

    def columns(self):
        """(place among the columns of the table, name, scale, categories or None) of each column asked."""
        for group, scale in zip(self.groups, self._scale.tolist(), strict=True):
            yield self._place[group.name], group.name, scale, group.categories

    # ---- boxes -------------------------------------------------------------------------------------------

    def _read_leaves(self):
        """The boxes of the leaves: of leaf i and column c the interval ``(low[i, c], high[i, c]]`` and
        whether NaN is in it, or of categories ``allowed[c][i, code]``."""
        found, stack = [], [(0, {})]
        while stack:
            node, box = stack.pop()
            if self.tree.is_leaf[node]:
                found.append((node, box))
                continue
            children = (int(self.tree.children_left[node]), int(self.tree.children_right[node]))
            parts = zip(children, halves(self.tree, node, box), strict=True)
            stack += [pair for pair in reversed(list(parts)) if pair[1] is not None]
        self._leaves = [node for node, _ in found]
        shape = len(found), len(self.groups)
        self._low, self._high = np.full(shape, -np.inf), np.full(shape, np.inf)
        self._nan, self._is_tested = np.ones(shape, dtype=bool), np.zeros(shape, dtype=bool)
        self._allowed, place_of = {}, {}
        for place, group in enumerate(self.groups):
            place_of |= dict.fromkeys(group.features, place)
            if group.categories is not None:
                boxes = np.array([[box.get(f, ANY_VALUE) for f in group.features] for _, box in found])
                low, high, nan = np.moveaxis(boxes[:, None], 3, 0)
                known = (low < group.table) & (group.table <= high)
                self._allowed[place] = (known | (np.isnan(group.table) & (nan > 0))).all(axis=2)
        for i, (_, box) in enumerate(found):
            for feature, (low, high, nan) in box.items():
                place = place_of[feature]
                self._is_tested[i, place] = True
                if place not in self._allowed:
                    self._low[i, place], self._high[i, place], self._nan[i, place] = low, high, nan
        tree, nodes = self.tree, self._leaves
        self._answer = tree.value[nodes, 0] if tree.is_regression else tree.label[nodes]
        # a leaf may ask for two categories at once: no row reaches it
        self._is_there = np.ones(len(found), dtype=bool)
        for allowed in self._allowed.values():
            self._is_there &= allowed.any(axis=1)

    def _read_wishes(self, names, wanted, fixed, directions, scale):
        directions, scale = directions or {}, scale or {}
        for name in (*fixed, *directions, *scale):
            if name not in names:
                raise ValueError(f"there is no column {name!r}; the columns are {', '.join(names[:20])}.")
        if any(sign not in (1, -1) for sign in directions.values()):
            raise ValueError("a direction is 1, where a column may only grow, or -1.")
        self._wanted = None
        if wanted is not None:
            known = [str(one) for one in self.classes or ()]
            if str(wanted) not in known:
                raise ValueError(f"there is no class {wanted!r}; the classes are {', '.join(known)}.")
            self._wanted = known.index(str(wanted))
        used = [group.name for group in self.groups]
        self._is_fixed = np.array([name in set(fixed) for name in used], dtype=bool)
        self._way = np.array([directions.get(name, 0) for name in used])
        finite = np.where(np.isfinite(self._low), np.abs(self._low), 0.0)
        largest = np.maximum(finite, np.where(np.isfinite(self._high), np.abs(self._high), 0.0))
        largest = largest.max(axis=0, initial=0.0)
        self._scale = np.array([scale.get(name) or largest[k] or 1.0 for k, name in enumerate(used)])

    # ---- rows ------------------------------------------------------------------------------------------

    def _of_row(self, leaf, row):
        fits = ((self._low < row) & (row <= self._high)) | (np.isnan(row) & self._nan)
        for place, allowed in self._allowed.items():
            fits[:, place] = allowed[:, int(row[place])]
        others = self._is_there & (self._answer != self._answer[leaf])
        path = np.flatnonzero(self._is_tested[leaf])
        reason = self._reason(path, ~fits[others])
        change, instead = (), None
        if not self.tree.is_regression:
            goals = others if self._wanted is None else others & (self._answer == self._wanted)
            goal = self._nearest(np.flatnonzero(goals), ~fits, row)
            if goal is not None:
                change = tuple(self._condition(goal, place, row) for place in np.flatnonzero(~fits[goal]))
                instead = self._named(goal)
        conditions = {place: self._condition(leaf, place, row) for place in path.tolist()}
        return Explanation(
            self._named(leaf),
            tuple(conditions.values()),
            tuple(conditions[place] for place in reason),
            change,
            instead,
        )

    def _reason(self, path, excludes):
        """Places of a minimal sufficient reason. excludes : bool (n_others, n_columns), the columns by which
        the row lies outside the leaf of another answer"""
        kept, hits = path.tolist(), excludes[:, path].sum(axis=1)
        for place in reversed(path.tolist()):
            left = hits - excludes[:, place]
            if (left > 0).all():
                kept.remove(place)
                hits = left
        return kept

    def _nearest(self, goals, needed, row):
        """The leaf among `goals` that the nearest change leads to, or None."""
        if not len(goals):
            return None
        needed, low, high = needed[goals], self._low[goals], self._high[goals]
        is_up = row <= low
        step = np.where(is_up, low - row, row - high) / self._scale
        is_open = (low < high) & ((self._way == 0) | (self._way == np.where(is_up, 1, -1)))
        is_missing = np.isnan(row)
        step[:, is_missing], is_open[:, is_missing] = 1.0, (low < high)[:, is_missing]
        for place, allowed in self._allowed.items():
            step[:, place], is_open[:, place] = 1.0, allowed[goals, :-1].any(axis=1)
        can = (~needed | is_open & ~self._is_fixed).all(axis=1)
        if not can.any():
            return None
        n_changes = np.where(can, needed.sum(axis=1), len(row) + 1)
        size = np.where(needed & (n_changes == n_changes.min())[:, None], step, 0.0).sum(axis=1)
        size[n_changes > n_changes.min()] = np.inf
        return int(goals[size.argmin()])

    def _named(self, leaf):
        if self.tree.is_regression:
            return float(self._answer[leaf])
        return self.classes[int(self._answer[leaf])]

    # ---- words -----------------------------------------------------------------------------------------

    def _condition(self, leaf, place, row):
        column = self.groups[place]
        if place in self._allowed:
            return self._of_categories(column, self._allowed[place][leaf], int(row[place]))
        feature = column.features[0]
        low, high, nan = self._low[leaf, place], self._high[leaf, place], self._nan[leaf, place]
        x = float(row[place])
        if (np.isnan(x) and nan) or not low < high:
            return Condition(column.name, f"{column.name} is missing", np.nan)
        x = 0.0 if np.isnan(x) else x  # whatever was not known may become what is nearest to it
        value = x if low < x <= high else float(high) if x > high else float(np.nextafter(low, np.inf))
        if self._yes_no[feature] and np.isfinite(low) != np.isfinite(high):
            word = "yes" if np.isfinite(low) else "no"
            return Condition(column.name, f"{column.name} is {word}", float(word == "yes"))
        bounds = [f"above {self._text[feature, low]}"] if np.isfinite(low) else []
        bounds += [f"at most {self._text[feature, high]}"] if np.isfinite(high) else []
        return Condition(column.name, f"{column.name} is {' and '.join(bounds) or 'known'}", value)

    def _of_categories(self, column, allowed, code):
        known = [str(one) for one in column.categories]
        yes = [name for name, is_in in zip(known, allowed, strict=False) if is_in]
        no = [name for name, is_in in zip(known, allowed, strict=False) if not is_in]
        if code == len(known) + 1 and allowed[code]:
            text, value = "missing", None
        elif yes and not allowed[len(known)] and len(yes) <= max(_MOST_NAMED, len(no)):
            text = " or ".join(yes)
        elif no:
            text = f"none of {', '.join(no)}" if len(no) > 1 else f"not {no[0]}"
        else:
            text = "known"
        if not allowed[code] or code < len(known):
            value = column.categories[code if allowed[code] else known.index(yes[0])] if yes else None
        elif code == len(known):
            value = None
        return Condition(column.name, f"{column.name} is {text}", value)


def groups_of(exported):
    """`Group` of each column of an `Exported`."""
    found = [Group(column.name, column.categories, [], None) for column in exported.columns]
    for feature, one in enumerate(exported.features):
        found[one.column].features.append(feature)
    for place, group in enumerate(found):
        if group.categories is not None:
            kinds = [exported.features[f] for f in group.features]
            n = len(group.categories)
            table = np.zeros((n + 2, len(kinds)))
            for k, one in enumerate(kinds):
                table[n + 1 if one.kind == MISSING else one.category, k] = 1.0
            found[place] = group._replace(table=table)
    return found


def _values(Z, group):
    """The column in the rows: its numbers, or codes of its categories."""
    if group.categories is None:
        return Z[:, group.features[0]]
    given = Z[:, group.features]
    same = (given[:, None] == group.table) | (np.isnan(given)[:, None] & np.isnan(group.table))
    same = same.all(axis=2)
    return np.where(same.any(axis=1), same.argmax(axis=1), len(group.categories))


def _joined(phrases):
    """Phrases as a list in a sentence."""
    return " and ".join([", ".join(phrases[:-1]), phrases[-1]] if len(phrases) > 1 else phrases)


def _shown(answer):
    return format(answer, ".6g") if isinstance(answer, float) else str(answer)
