"""COMPAS recidivism in 0/1 columns."""

from treelib.datasets.origin import Origin
from treelib.datasets.tables import reader_of

ORIGINS = {
    "compas": Origin(
        "COMPAS recidivism, binary columns",
        "Defendants in Broward County, Florida, scored by COMPAS in 2013 and 2014: was the person "
        "arrested again within two years? Twelve 0/1 columns on sex, age and prior record, no names. The "
        "column names are the authors' and one too high: 'age:<21' is true below 20.",
        "https://github.com/propublica/compas-analysis",
        "Published by ProPublica, no licence stated; the binary columns hold no personal names.",
        "J. Larson, S. Mattu, L. Kirchner, J. Angwin: How we analyzed the COMPAS recidivism algorithm. "
        "ProPublica, 2016.",
    ),
}


READERS = {
    "compas-binary": reader_of("compas"),
    "bornagain/COMPAS-ProPublica": reader_of("compas"),
    "bornagain/COMPAS-ProPublica/raw": reader_of("compas"),
}
