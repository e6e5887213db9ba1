"""Readers: each returns ``X`` (n, p), the class codes ``y`` (n,) and the feature names of one data set."""

import numpy as np

from treelib.datasets import files, generate


def parse_table(text):
    """Numbers of a comma-separated table with one header line, and the header.

    Returns
    -------
    table : float64 (n, columns).
    header : list of str.
    """
    head, _, body = text.rstrip(b"\n").partition(b"\n")
    header = head.decode().split(",")
    # one flat parse of 188,000 numbers takes 12 ms; numpy.loadtxt takes 50 ms
    table = np.fromstring(body.replace(b"\n", b","), sep=",")
    return table.reshape(-1, len(header)), header


def vendored(folder):
    """The set stored in the project's own ``data/<folder>``, classes coded in ascending order."""
    table, header = parse_table(files.read_vendored(folder))
    y = np.unique(table[:, -1], return_inverse=True)[1]
    return table[:, :-1], y, header[:-1]


def tic_tac_toe():
    X, y = generate.tic_tac_toe_binary()
    return X, y, [f"Feat{square}_{mark}" for square in range(9) for mark in "ox"]


def car_evaluation():
    X, y = generate.car_evaluation_binary()
    levels = (
        ("high", "low", "med"),
        ("high", "low", "med"),
        ("2", "3", "4"),
        ("2", "4"),
        ("big", "med"),
        ("high", "low"),
    )
    return X, y, [f"a{j + 1}_{level}" for j, kept in enumerate(levels) for level in kept]


def monk_train(problem):
    X, y = generate.monk_train(problem)
    return generate.monk_binary(X), y, _monk_columns()


def _monk_columns():
    return [f"a{j + 1}_{level}" for j, levels in enumerate(generate.MONK_LEVELS) for level in levels[:-1]]
