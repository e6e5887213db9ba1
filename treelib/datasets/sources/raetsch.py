"""Raetsch's benchmark with its published splits, and its artificial set."""

from functools import partial

import numpy as np

from treelib.datasets import files
from treelib.datasets.origin import Origin
from treelib.datasets.tables import codes, reader_of

ORIGINS = {
    "raetsch": Origin(
        "Raetsch's benchmark",
        "Two-class data sets with 100 published splits into training and test set.",
        "https://doi.org/10.5281/zenodo.18110",
        "MIT (the collection)",
        "G. Raetsch, T. Onoda, K.-R. Mueller: Soft margins for AdaBoost. Machine Learning 42(3), 2001.",
    ),
    "banana": Origin(
        "Banana",
        "Artificial points in the plane: which of two bent, overlapping clouds?",
        "https://doi.org/10.5281/zenodo.18110",
        "BSD-3-Clause (the package that carries it)",
        "G. Raetsch, T. Onoda, K.-R. Mueller: Soft margins for AdaBoost. Machine Learning 42(3), 2001.",
    ),
}


_ASC_PARTS = ("train_data", "train_labels", "test_data", "test_labels")


def raetsch(name):
    """One set of Raetsch's benchmark in the benchmark's own scaling."""
    from scipy.io import loadmat

    content = loadmat(files.fetch(f"dyadic/raetsch/{name}.mat"))
    if "data" in content:
        X, t = content["data"], content["target"]
    else:
        X, t = np.vstack([content["X_tr"], content["X_tst"]]), np.vstack([content["T_tr"], content["T_tst"]])
    return X.astype(np.float64), codes(t.ravel()), [f"x{j + 1}" for j in range(X.shape[1])]


def raetsch_split(name, split):
    """Published split number `split` of Raetsch's benchmark set `name`.

    Returns
    -------
    X_train, y_train, X_test, y_test : float64 (n, p) and class codes (n,).
    """
    parts = [f"dyadic/raetsch/{name}_{part}_{split}.asc" for part in _ASC_PARTS]
    if all(part in files.downloads() and files.mirror_file(part) for part in parts):
        X_train, t_train, X_test, t_test = (np.loadtxt(files.mirror_file(part)) for part in parts)
    else:
        from scipy.io import loadmat

        path = files.fetch("dyadic/raetsch/benchmarks.mat")
        content = loadmat(path, variable_names=[name], simplify_cells=True)[name]
        n_splits = len(content["train"])
        if not 1 <= split <= n_splits:
            raise ValueError(f"split={split} does not exist: {name} has the splits 1 to {n_splits}.")
        train, test = (content[part][split - 1].astype(np.intp) - 1 for part in ("train", "test"))
        X_train, t_train = content["x"][train], content["t"][train]
        X_test, t_test = content["x"][test], content["t"][test]
    return X_train, codes(t_train), X_test, codes(t_test)


READERS = {
    "dyadic/banana": reader_of("banana"),
    "dyadic/raetsch/banana": partial(raetsch, "banana"),
    "dyadic/raetsch/breast_cancer": partial(raetsch, "breast_cancer"),
    "dyadic/raetsch/diabetis": partial(raetsch, "diabetis"),
    "dyadic/raetsch/flare_solar": partial(raetsch, "flare_solar"),
    "dyadic/raetsch/thyroid": partial(raetsch, "thyroid"),
    "dyadic/raetsch/titanic": partial(raetsch, "titanic"),
}
