"""The 0/1 columns of a column of categories: each asks for one, or for a set, "state in {NY, NJ, CA}".

A column of k categories has 2^(k - 1) - 1 ways to part them in two. Tried are those that come first or last
in one order: of the share of a class among the training rows, or of the mean of a quantity. Among these are
the best first tests for two classes and for squares (Breiman et al. 1984, Theorem 4.5); with more classes
each has its order. So a method sees the places in each order as one more column of numbers, and an optimal
tree is the best of the trees over these sets. Each fold has the orders of its own training rows.

A tree that was found is written over the sets that it tests, of both sides of a test the one with fewer
categories. A missing value is a category like others; one that training lacked is in no set.
"""

import json
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from treelib.owndata import export
from treelib.table.encode import quoted

WAYS = ("each", "subsets")  # what a test of categories may ask for
FEWEST = 3  # categories; of two, one says all


class Coded(NamedTuple):
    """A column of categories as codes.

    Attributes
    ----------
    column : treelib.owndata.columns.kinds.Column
    categories : list of str, and None for a missing one where there is one
    codes : intp (n_rows,), places among them
    """

    column: object
    categories: list
    codes: np.ndarray


def coded(columns, encoder):
    """`Coded` of the columns that hold enough categories.

    columns : list of Column. encoder : fitted TableEncoder of them, or None where none holds categories
    """
    found = []
    for i, categories in ({} if encoder is None else encoder.categories_).items():
        if len(categories) >= FEWEST:
            codes = pd.Categorical(columns[i].values, categories).codes.astype(np.intp)
            codes[codes < 0] = len(categories)
            found.append(Coded(columns[i], categories + [None] * encoder.has_missing_[i], codes))
    return found


def with_orders(table, rows=slice(None)):
    """`OwnTable` whose X also has the places of categories in the orders that some training rows tell."""
    found = {name: (one, places[one.codes]) for name, one, places in _orders(table, rows)}
    n = len(table.sql)
    X = table.X.iloc[:, :n].assign(**{name: values for name, (_, values) in found.items()})
    source = table.source[:n] + [one.column.source for one, _ in found.values()]
    return replace(table, X=X, source=source)


def in_sets(table, tree):
    """(`OwnTable`, tree) with a 0/1 column for each set that the tree tests, in the place of the orders."""
    orders, n = _orders(table, slice(None)), len(table.sql)
    X, sql, source, sets = table.X.iloc[:, :n].copy(), list(table.sql), table.source[:n], {}
    feature, threshold = tree.feature.copy(), tree.threshold.copy()
    left, right = tree.children_left.copy(), tree.children_right.copy()
    to_left = tree.missing_go_to_left.copy()
    for node in np.flatnonzero(tree.feature >= n):
        _, (column, categories, codes), places = orders[tree.feature[node] - n]
        is_above, sides = places > threshold[node], ([], [])
        for category, side in zip(categories, is_above.tolist(), strict=True):
            sides[side].append(category)
        members = sides[1]
        if 0 < len(sides[0]) < len(members):
            members, left[node], right[node] = sides[0], right[node], left[node]
        name = name_of(column.name, members)
        if name not in X:
            X[name] = np.array([one in members for one in categories])[codes]
            sql, source = [*sql, export.of_set(column, members)], [*source, column.source]
            sets.setdefault(column.name, []).append(members)
        feature[node], threshold[node], to_left[node] = X.columns.get_loc(name), 0.5, 0
    columns = [one | {"sets": sets[one["name"]]} if one["name"] in sets else one for one in table.columns]
    tree = tree.replace(
        children_left=left,
        children_right=right,
        feature=feature,
        threshold=threshold,
        missing_go_to_left=to_left,
        n_features=X.shape[1],
        feature_names=tuple(X.columns),
        features_with_missing=tree.features_with_missing and [k for k in tree.features_with_missing if k < n],
        digits=tree.digits and [pair for pair in tree.digits if pair[0] < n],
    )
    return replace(table, X=X.astype(float), sql=sql, source=source, columns=columns), tree


def _orders(table, rows):
    """(name of a column of X, `Coded`, place of each category; -1 where the rows lack it) of each order."""
    found, taken = [], set(table.X.columns[: len(table.sql)])
    weights = np.ones(len(table.y)) if table.weights is None else table.weights
    for one in table.coded:
        codes, n = one.codes[rows], len(one.categories)
        totals = np.bincount(codes, weights[rows], n)
        there = np.flatnonzero(totals)
        for label, wanted in _wanted(table).items():
            means = np.bincount(codes, (weights * wanted)[rows], n)[there] / totals[there]
            places = np.full(n, -1.0)
            places[there[np.argsort(means, kind="stable")]] = np.arange(len(there))
            name = f"{one.column.name} by {label}"
            while name in taken:
                name += "'"
            taken.add(name)
            found.append((name, one, places))
    return found


def _wanted(table):
    """What orders are the means of, {name: float (n,)}: a quantity, the rarer of two classes, each class."""
    if table.task == "regression":
        return {table.target: table.y}
    classes, counts = np.unique(table.y, return_counts=True)
    some = classes if len(classes) > 2 else classes[[counts.argmin()]]
    return {str(one): (table.y == one).astype(float) for one in some}


def members_of(one):
    """Of each 0/1 column of a column of categories the categories that it asks for, None for missing.

    one : dict of `OwnTable.columns`
    """
    return [[category] for category in one["categories"]] + [[None]] * one["missing"] + one.get("sets", [])


def name_of(column, members):
    """Name of the 0/1 column that asks for some categories."""
    if len(members) == 1:
        return f"{column} is missing" if members == [None] else f"{column} = {quoted(members[0])}"
    return f"{column} in {{{', '.join(map(_in_a_list, members))}}}"


def _in_a_list(category):
    """A category, in quotation marks where it would look like two, or like a missing one."""
    if category is None:
        return "missing"
    is_doubtful = category == "missing" or not {*',"{}'}.isdisjoint(category)
    return json.dumps(category, ensure_ascii=False) if is_doubtful else quoted(category)
