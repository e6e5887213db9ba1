"""Sets of the UCI Machine Learning Repository that are read from a mirror or downloaded."""

from functools import partial

import numpy as np

from treelib.datasets import files
from treelib.datasets.origin import uci
from treelib.datasets.tables import binned, parse_table

ORIGINS = {
    "htru2": uci(
        372,
        "HTRU2 pulsar candidates",
        "Candidate signals of the High Time Resolution Universe survey: pulsar or noise?",
        "R. Lyon: HTRU2. UCI Machine Learning Repository, 2015.",
    ),
    "cryotherapy": uci(
        429,
        "Cryotherapy",
        "Patients with warts treated by cryotherapy: did it succeed?",
        "F. Khozeimeh, R. Alizadehsani, M. Roshanzamir, P. Layegh: Cryotherapy. UCI Machine Learning "
        "Repository, 2018.",
    ),
    "algerian": uci(
        547,
        "Algerian forest fires",
        "Summer days of 2012 in two Algerian regions by weather and fire indices: fire? One row is "
        "repaired: on 14 July 2012 (Sidi-Bel Abbes) the file runs the values 14.6 and 9 into one field.",
        "F. Abid: Algerian Forest Fires. UCI Machine Learning Repository, 2019.",
    ),
}


CRYOTHERAPY_FEATURES = ("sex", "age", "Time", "Number_of_Warts", "Type", "Area")


ALGERIAN_REGIONS = ("Bejaia", "Sidi-Bel Abbes")


def htru2():
    text = files.fetch("bornagain/HTRU2/HTRU2.csv").read_bytes()
    head, _, body = text.partition(b"\n")
    header, table = parse_table(head + b"\n" + body.partition(b"\n")[2])  # the second line is a row of types
    return table[:, :-1], table[:, -1], header[:-1]


def cryotherapy():
    path = files.mirror_file("tsallis/cryotherapy.csv") or files.fetch("tsallis/cryotherapy_online.csv")
    _, table = parse_table(path.read_bytes())
    return table[:, :-1], table[:, -1], CRYOTHERAPY_FEATURES


def algerian_forest_fires():
    """Columns as in the file, before them the region (0 Bejaia, 1 Sidi-Bel Abbes)."""
    path = files.mirror_file("tsallis/algerian_forest_fires.csv")
    if path:
        header, *rows = (line.split(",") for line in path.read_text().splitlines())
        rows = [[ALGERIAN_REGIONS.index(row[0]), *row[1:]] for row in rows]
    else:
        header, rows = parse_algerian(files.fetch("tsallis/algerian_forest_fires_online.csv").read_text())
    table = np.array(rows, dtype=np.float64)
    return table[:, :-1], table[:, -1], header[:-1]


def parse_algerian(text):
    """Header and rows of the published file: one block a region, each with its title and header."""
    rows, region, header = [], -1, None
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.rstrip(", ").split(",")]
        if cells[0].endswith("Region Dataset"):
            region += 1
        elif cells[0] == "day":
            header = ["region", *cells]
        elif cells[0]:
            # one row runs two values into one field: "14.6 9"
            rows.append([region, *(value for cell in cells for value in cell.split())])
    return header, rows


READERS = {
    "bornagain/HTRU2": partial(binned, htru2),
    "bornagain/HTRU2/raw": htru2,
    "tsallis/cryotherapy": cryotherapy,
    "tsallis/algerian_forest_fires": algerian_forest_fires,
}
