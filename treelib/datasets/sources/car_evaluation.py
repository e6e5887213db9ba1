"""All cars of the Car Evaluation hierarchy, made from its tables."""

import itertools

import numpy as np

from treelib.datasets.origin import uci

ORIGINS = {
    "car-evaluation": uci(
        19,
        "Car evaluation",
        "All 1728 combinations of six car attributes, labelled by a hierarchical decision model; "
        "acceptable or not? Generated from the hierarchy.",
        "M. Bohanec: Car Evaluation. UCI Machine Learning Repository, 1988.",
    ),
}


CAR_LEVELS = {
    "buying": ("vhigh", "high", "med", "low"),
    "maint": ("vhigh", "high", "med", "low"),
    "doors": ("2", "3", "4", "5more"),
    "persons": ("2", "4", "more"),
    "lug_boot": ("small", "med", "big"),
    "safety": ("low", "med", "high"),
}


# The levels that have a 0/1 column of their own, in the order of those columns.
CAR_BINARY_LEVELS = {
    "buying": ("high", "low", "med"),
    "maint": ("high", "low", "med"),
    "doors": ("2", "3", "4"),
    "persons": ("2", "4"),
    "lug_boot": ("big", "med"),
    "safety": ("high", "low"),
}


def car_evaluation():
    """All 1728 cars of the Car Evaluation hierarchy with their class, first attribute slowest.

    The class follows from PRICE(buying, maint) and TECH(COMFORT(doors, persons, lug_boot), safety); the
    tables below reproduce every published label.

    Returns
    -------
    list of (attributes, label) : six level names in the order of `CAR_LEVELS`; label is ``"unacc"``,
        ``"acc"``, ``"good"`` or ``"vgood"``.
    """
    price_table = {"vhigh": (0, 0, 1, 1), "high": (0, 1, 1, 1), "med": (1, 1, 2, 3), "low": (1, 2, 3, 3)}
    car_table = (
        ("unacc", "unacc", "unacc", "unacc"),
        ("unacc", "unacc", "acc", "acc"),
        ("unacc", "acc", "acc", "vgood"),
        ("unacc", "acc", "good", "vgood"),
    )
    rows = []
    for car in itertools.product(*CAR_LEVELS.values()):
        buying, maint, doors, persons, lug_boot, safety = car
        price = price_table[buying][CAR_LEVELS["maint"].index(maint)]
        comfort = _comfort(doors, persons, lug_boot)
        tech = 0 if safety == "low" or comfort == 0 else comfort + (safety == "high")
        rows.append((car, car_table[price][tech]))
    return rows


def _comfort(doors, persons, lug_boot):
    if persons == "2":
        return 0
    if lug_boot == "big":
        return 2
    if persons == "4":
        return 1 if lug_boot == "small" or doors in ("2", "3") else 2
    return {"small": 0, "med": 1}[lug_boot] if doors == "2" else {"small": 1, "med": 2}[lug_boot]


def read_binary():
    """`car_evaluation` as 0/1 columns, one level of each attribute left out; class 1 is "not unacc"."""
    kept = [(j, level) for j, levels in enumerate(CAR_BINARY_LEVELS.values()) for level in levels]
    X = [[car[j] == level for j, level in kept] for car, _ in car_evaluation()]
    y = [label != "unacc" for _, label in car_evaluation()]
    return np.array(X), np.array(y), [f"a{j + 1}_{level}" for j, level in kept]


READERS = {
    "car-evaluation": read_binary,
}
