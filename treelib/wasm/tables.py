"""The data sets that pages offer, as CSV texts in a script."""

import csv
import io
import json
from collections import Counter
from pathlib import Path

import treelib
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


_ROBOTS = (
    "Robots by six attributes; a5_1 asks whether the fifth, the jacket, has its first value, red. Class 1:"
)
# what a reader is told of each: its name, what its rows are and what its classes mean
TOLD = {
    "monk1": ("Monk 1", f"{_ROBOTS} head and body have one shape, or the jacket is red; 0: neither."),
    "monk2": ("Monk 2", f"{_ROBOTS} exactly two attributes have their first value; 0: fewer or more."),
    "monk3": (
        "Monk 3",
        f"{_ROBOTS} a green jacket and a sword, or neither a blue jacket nor an octagonal body; 0: none of "
        "these. Six rows carry the wrong class.",
    ),
    "tic-tac-toe": (
        "Tic-tac-toe",
        "Boards on which a game can end; Feat4_x asks whether x holds the centre. Class yes: x has won.",
    ),
    "car-evaluation": (
        "Car evaluation",
        "Cars by price (a1), upkeep (a2), doors (a3), persons (a4), boot (a5) and safety (a6). Classes: "
        "acceptable or unacceptable.",
    ),
    "compas": (
        "COMPAS",
        "Defendants in Broward County, Florida, by sex, age and prior record. Class yes: arrested again "
        "within two years.",
    ),
    "fico": (
        "FICO",
        "Applicants for a home equity line of credit, by scores of their record. Class Bad: ninety days "
        "overdue; Good: repaid as agreed.",
    ),
    "iris": ("Iris", "Flowers by four lengths. The classes are three species."),
    "wine": ("Wine", "Wines by thirteen chemical measurements. Classes 1, 2 and 3 are three cultivars."),
    "banana": (
        "Banana",
        "Artificial points in the plane. Classes -1 and 1 are two bent, overlapping clouds.",
    ),
    "thyroid": ("Thyroid", "Patients by five laboratory tests. Class -1: normal; 1: hyper- or hypothyroid."),
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


def about(shown):
    """What a reader is told of a set that pages offer: its rows, and what its classes mean."""
    return f"{datasets.info(OFFERED[shown][0]).n_samples} rows. {TOLD[shown][1]}"


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


def rules():
    """The script that hands a page the rules by which `treelib fit` reads tables."""
    path = Path(treelib.__file__).parent / "owndata" / "columns" / "rules.json"
    text = json.dumps(json.loads(path.read_text(encoding="utf-8")), separators=(",", ":"))
    return f"globalThis.treelibRules = {text};\n"


def script():
    """The script that hands a page all tables: a page from a disk may load no other file."""
    tables = {}
    for shown, (name, least) in OFFERED.items():
        text = csv_of(name)
        rows = repeated(text) if shown in REPEATED else {"csv": text}
        told = {"title": TOLD[shown][0], "about": about(shown)}
        tables[shown] = {"name": name, "least": least, **told, **rows}
    return f"globalThis.treelibTables = {json.dumps(tables, separators=(',', ':'))};\n{UNPACK}"
