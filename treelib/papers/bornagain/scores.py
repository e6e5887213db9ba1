"""What the tables of the born-again paper print of one forest and its born-again tree on one fold."""

import numpy as np

from treelib.bornagain.proof.certificate import certify
from treelib.bornagain.pruned import post_prune
from treelib.papers.bornagain.settings import folds, load


def score(y, predicted):
    """Accuracy and F1, the plain mean over the classes that occur or are predicted, as floats."""
    classes = np.union1d(y, predicted)
    f1 = []
    for k in classes:
        hits = np.sum((y == k) & (predicted == k))
        f1.append(2 * hits / (np.sum(y == k) + np.sum(predicted == k)))
    return {"accuracy": float(np.mean(y == predicted)), "f1": float(np.mean(f1))}


def tree_row(tree, ensemble, data, fold):
    """Size and test scores of a forest, its born-again tree and the pruned tree, and the certificate.

    Parameters
    ----------
    tree : Tree, the born-again tree of `ensemble`
    ensemble : Ensemble, of the fold's training rows
    data : str, the paper's abbreviation
    fold : int, 1 to 10

    Returns
    -------
    dict of JSON values. Leaves of a forest are counted after sibling leaves of one class were joined, as the
    authors do before they write a forest down.
    """
    table = load(data)
    train, test = folds(data)[fold - 1]
    pruned = post_prune(tree, table.X[train])
    models = {"forest": ensemble, "tree": tree, "pruned": pruned}
    row = {"depth": tree.max_depth, "leaves": tree.n_leaves}
    row |= {"pruned_depth": pruned.max_depth, "pruned_leaves": pruned.n_leaves}
    row["forest_leaves"] = sum(one.simplified().n_leaves for one in ensemble.trees)
    for name, model in models.items():
        for measure, value in score(table.y[test], model.predict(table.X[test])).items():
            row[f"{name}_{measure}"] = value
    certificate = certify(tree, ensemble)
    return row | {"faithful": certificate.faithful, "n_cells": certificate.n_cells}
