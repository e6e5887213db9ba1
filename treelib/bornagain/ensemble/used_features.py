"""Searches that look at the features which an ensemble splits, however many more there are.

A grid of cells has one axis a feature, and an array of numpy at most 32 (64 from version 2 on). A feature
that no tree splits has one level, and a faithful tree needs no split of it.
"""

import functools
from dataclasses import replace

import numpy as np

from treelib.bornagain.ensemble.cells import Cells
from treelib.bornagain.ensemble.reading import as_ensemble

MAX_AXES = 32


def used_features(ensemble, *trees):
    """Features, ascending, that some tree of the ensemble or of `trees` splits, at least one; all of them
    where they are no more than `MAX_AXES`."""
    if ensemble.n_features <= MAX_AXES:
        return np.arange(ensemble.n_features)
    split = [tree.feature[~tree.is_leaf] for tree in (*ensemble.trees, *trees)]
    return np.unique(np.concatenate(split)) if any(map(len, split)) else np.zeros(1, dtype=np.intp)


def narrowed_tree(tree, used):
    """`tree` over the features `used`, without names."""
    return _renumbered(tree, lambda split: np.searchsorted(used, split), len(used))


def narrowed(ensemble, used):
    """`ensemble` over the features `used`, without their names."""
    trees = [narrowed_tree(tree, used) for tree in ensemble.trees]
    return ensemble.with_trees(trees)


def on_used_features(search):
    """Decorate a search of an ensemble, or of anything `as_ensemble` takes, that gives a SearchResult: it
    sees the `used_features` alone."""

    @functools.wraps(search)
    def run(forest, *arguments, **options):
        if isinstance(forest, Cells):
            return search(forest, *arguments, **options)
        ensemble = as_ensemble(forest)
        used = used_features(ensemble)
        if len(used) == ensemble.n_features:
            return search(ensemble, *arguments, **options)
        found = search(narrowed(ensemble, used), *arguments, **options)
        tree = _renumbered(found.tree, used.__getitem__, ensemble.n_features)
        return replace(found, tree=tree.replace(feature_names=ensemble.feature_names))

    return run


def _renumbered(tree, number_of, n_features):
    """`tree` over other features, without names; `number_of` : callable, features that it splits -> their new
    numbers."""
    feature, inner = tree.feature.copy(), ~tree.is_leaf
    feature[inner] = number_of(feature[inner])
    return tree.replace(
        feature=feature, n_features=n_features, feature_names=None, features_with_missing=None, digits=None
    )
