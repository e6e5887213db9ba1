"""The data sets that a page offers, as CSV texts in a script."""

import csv
import io
import json

from treelib import datasets

# sets that are small, and that the project may ship
OFFERED = {
    "monk1": "monk1",
    "tic-tac-toe": "tic-tac-toe",
    "car-evaluation": "car-evaluation",
    "compas": "compas-binary",
    "iris": "tsallis/iris",
    "wine": "tsallis/wine",
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
    tables = {shown: csv_of(name) for shown, name in OFFERED.items()}
    return f"globalThis.treelibTables = {json.dumps(tables)};\n"
