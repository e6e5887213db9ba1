"""The three MONK's problems, made from their rules."""

import itertools
from functools import partial

import numpy as np

from treelib.datasets.origin import uci

ORIGINS = {
    "monk": uci(
        70,
        "MONK's problems",
        "Robots described by six attributes, labelled by a logical rule; problem 3 has six mislabelled "
        "training rows. Generated from the rules.",
        "J. Wnek: MONK's Problems. UCI Machine Learning Repository, 1993.",
    ),
}


MONK_LEVELS = ((1, 2, 3), (1, 2, 3), (1, 2), (1, 2, 3), (1, 2, 3, 4), (1, 2))


# Which of the 432 inputs (in lexicographic order, first input = highest bit) the training files hold.
_MONK_TRAIN = {
    1: int(
        "0c0024300a40698d2110071c22225b1057a30cdb021909123804d5"
        "87200280884904e004c09010901410814100c400a2a10571870055",
        16,
    ),
    2: int(
        "12ea22c00b50405edf220acf5c36190e45209810569221d509880e"
        "9798b1c48d6269a40d0257d49f20715c60ac9cb485ac040080aca1",
        16,
    ),
    3: int(
        "7a91001113cc0838f609b0b0220688e10502c3c01610024005609d"
        "104c0208b4085209a1a801412005801208401440860601b2c01485",
        16,
    ),
}


# MONK-3 has class noise: these six of its 122 training rows carry the wrong label.
_MONK3_NOISE = (4, 60, 202, 212, 213, 390)


def monk(problem):
    """All 432 inputs of MONK's `problem` (1, 2 or 3) in lexicographic order with their true class.

    Returns
    -------
    X : int64 (432, 6), attribute values counted from 1.
    y : int64 (432,).
    """
    if problem not in _MONK_TRAIN:
        raise ValueError(f"problem={problem!r} is not one of the three MONK problems; give 1, 2 or 3.")
    X = np.array(list(itertools.product(*MONK_LEVELS)), dtype=np.int64)
    a1, a2, _, a4, a5, _ = X.T
    if problem == 1:
        y = (a1 == a2) | (a5 == 1)
    elif problem == 2:
        y = (X == 1).sum(axis=1) == 2
    else:
        y = ((a5 == 3) & (a4 == 1)) | ((a5 != 4) & (a2 != 3))
    return X, y.astype(np.int64)


def monk_train(problem):
    """The published training subset of MONK's `problem`: 124, 169 or 122 rows of `monk`, in its order.

    MONK-3's subset holds six rows with a wrong class, as published.
    """
    X, y = monk(problem)
    if problem == 3:
        y[list(_MONK3_NOISE)] ^= 1
    chosen = np.array([_MONK_TRAIN[problem] >> (431 - row) & 1 for row in range(432)], dtype=bool)
    return X[chosen], y[chosen]


def _in_columns(rows, problem):
    """0/1 columns of the `rows` of a problem, the last level of each attribute left out."""
    X, y = rows(problem)
    kept = [(j, level) for j, levels in enumerate(MONK_LEVELS) for level in levels[:-1]]
    columns = np.stack([X[:, j] == level for j, level in kept], axis=1).astype(np.int64)
    return columns, y, [f"a{j + 1}_{level}" for j, level in kept]


READERS = {f"monk{k}": partial(_in_columns, monk_train, k) for k in (1, 2, 3)}
READERS |= {f"monk{k}-test": partial(_in_columns, monk, k) for k in (1, 2, 3)}
