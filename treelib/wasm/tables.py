"""The data sets that pages offer, as CSV texts in a script."""

import csv
import io
import json

from treelib import datasets

# sets that are small and that the project may ship, with the lowest price that a live part goes down to
OFFERED = {
    "monk1": ("monk1", 0.01),
    "monk2": ("monk2", 0.01),
    "monk3": ("monk3", 0.005),
    "tic-tac-toe": ("tic-tac-toe", 0.01),
    "car-evaluation": ("car-evaluation", 0.01),
    "compas": ("compas-binary", 0.0025),
    "iris": ("tsallis/iris", 0.005),
    "wine": ("tsallis/wine", 0.005),
    "banana": ("dyadic/banana", 0.005),
    "thyroid": ("dyadic/thyroid", 0.01),
}


def csv_of(name):
    """A data set as CSV text, its classes by name in the last column."""
    data = datasets.load(name)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*data.feature_names, data.target])
    for row, code in zip(data.X.tolist(), data.y, strict=True):
        writer.writerow([*(int(x) if x == int(x) else x for x in row), data.class_names[code]])
    return out.getvalue()


def script():
    """The script that hands a page all tables: a page from a disk may load no other file."""
    tables = {
        shown: {"name": name, "least": least, "csv": csv_of(name)} for shown, (name, least) in OFFERED.items()
    }
    return f"globalThis.treelibTables = {json.dumps(tables)};\n"
