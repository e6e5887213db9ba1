"""The mushroom set, its letters coded in the order of the names file."""

import numpy as np

from treelib.datasets import files
from treelib.datasets.origin import uci

ORIGINS = {
    "mushroom": uci(
        73,
        "Mushroom",
        "Hypothetical samples of 23 species of gilled mushrooms, 22 categories: edible or poisonous?",
        "Mushroom. UCI Machine Learning Repository, 1981.",
    ),
}


# Category letters in the order of the names file of the mushroom set; a letter's code is its place, from 1.
MUSHROOM_LEVELS = {
    "cap-shape": "bcxfks",
    "cap-surface": "fgys",
    "cap-color": "nbcgrpuewy",
    "bruises": "tf",
    "odor": "alcyfmnps",
    "gill-attachment": "adfn",
    "gill-spacing": "cwd",
    "gill-size": "bn",
    "gill-color": "knbhgropuewy",
    "stalk-shape": "et",
    "stalk-root": "bcuezr?",
    "stalk-surface-above-ring": "fyks",
    "stalk-surface-below-ring": "fyks",
    "stalk-color-above-ring": "nbcgopewy",
    "stalk-color-below-ring": "nbcgopewy",
    "veil-type": "pu",
    "veil-color": "nowy",
    "ring-number": "not",
    "ring-type": "ceflnpsz",
    "spore-print-color": "knbhrouwy",
    "population": "acnsvy",
    "habitat": "glmpuwd",
}


def mushroom():
    head, *rows = files.read_vendored("mushroom").decode().splitlines()
    feature_names = head.split(",")[:-1]
    codes = [{letter: i + 1 for i, letter in enumerate(MUSHROOM_LEVELS[name])} for name in feature_names]
    cells = [row.split(",") for row in rows]
    X = [[code[letter] for code, letter in zip(codes, row[:-1], strict=True)] for row in cells]
    return np.array(X), np.array([row[-1] == "p" for row in cells]), feature_names


READERS = {
    "dyadic/mushroom": mushroom,
}
