"""The people aboard the Titanic, made from a published table."""

import numpy as np

from treelib.datasets.origin import Origin

ORIGINS = {
    "titanic": Origin(
        "Titanic",
        "The 2201 people aboard by class, age and sex: who was saved? Expanded from the published table.",
        "https://jse.amstat.org/v3n3/datasets.dawson.html",
        "public domain (a contingency table)",
        "R. J. MacG. Dawson: The unusual episode data revisited. Journal of Statistics Education 3(3), 1995.",
    ),
}


# (class, sex, age) -> (lost, saved), the cross-tabulation of the 2201 people aboard.
_TITANIC = {
    ("1st", "male", "child"): (0, 5),
    ("2nd", "male", "child"): (0, 11),
    ("3rd", "male", "child"): (35, 13),
    ("1st", "female", "child"): (0, 1),
    ("2nd", "female", "child"): (0, 13),
    ("3rd", "female", "child"): (17, 14),
    ("1st", "male", "adult"): (118, 57),
    ("2nd", "male", "adult"): (154, 14),
    ("3rd", "male", "adult"): (387, 75),
    ("crew", "male", "adult"): (670, 192),
    ("1st", "female", "adult"): (4, 140),
    ("2nd", "female", "adult"): (13, 80),
    ("3rd", "female", "adult"): (89, 76),
    ("crew", "female", "adult"): (3, 20),
}


def titanic():
    """The 2201 people aboard the Titanic, expanded from the contingency table.

    Returns
    -------
    X : int64 (2201, 3), columns class (1, 2, 3, crew 4), child (0, 1), male (0, 1).
    y : int64 (2201,), 1 for the saved; in every cell of the table the lost come first.
    """
    cells, counts, labels = [], [], []
    for (travel_class, sex, age), (lost, saved) in _TITANIC.items():
        cell = ("1st", "2nd", "3rd", "crew").index(travel_class) + 1, age == "child", sex == "male"
        cells += [cell, cell]
        counts += [lost, saved]
        labels += [0, 1]
    return np.repeat(np.array(cells, dtype=np.int64), counts, axis=0), np.repeat(labels, counts).astype(
        np.int64
    )


def read():
    return *titanic(), ["pclass", "child", "male"]


READERS = {
    "dyadic/titanic": read,
}
