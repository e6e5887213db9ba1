"""The data sets that pages offer, as CSV texts in a script."""

import csv
import io
import json
from collections import Counter

from treelib import datasets

# sets that ship with the package and are small, with the lowest price that a live part goes down to
OFFERED = {
    "monk1": ("monk1", 0.01),
    "monk2": ("monk2", 0.01),
    "monk3": ("monk3", 0.005),
    "tic-tac-toe": ("tic-tac-toe", 0.01),
    "car-evaluation": ("car-evaluation", 0.01),
    "compas": ("compas-binary", 0.0025),
    "fico": ("fico-binary", 0.005),
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


# many rows of 0 and 1, most of them equal: written once each, which no tree can tell from the file's order
REPEATED = ("fico",)
UNPACK = """for (const table of Object.values(globalThis.treelibTables)) {
  if (!table.head) continue;
  const line = ([digits, word, times]) => ([...digits, word].join(",") + "\\n").repeat(times);
  table.csv = table.head + "\\n" + table.rows.map(line).join("");
}
"""


def repeated(text):
    """A table of 0/1 columns as dict: its head, and rows (digits, class, how often) in ascending order."""
    head, *lines = text.splitlines()
    counts = Counter(lines)
    rows = [line.split(",") for line in sorted(counts)]
    found = [["".join(row[:-1]), row[-1], counts[",".join(row)]] for row in rows]
    return {"head": head, "rows": found}


def script():
    """The script that hands a page all tables: a page from a disk may load no other file."""
    tables = {}
    for shown, (name, least) in OFFERED.items():
        text = csv_of(name)
        rows = repeated(text) if shown in REPEATED else {"csv": text}
        tables[shown] = {"name": name, "least": least, **rows}
    return f"globalThis.treelibTables = {json.dumps(tables, separators=(',', ':'))};\n{UNPACK}"
