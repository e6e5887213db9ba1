"""Pima Indians diabetes."""

from functools import partial

from treelib.datasets.origin import Origin
from treelib.datasets.tables import binned, reader_of

ORIGINS = {
    "pima": Origin(
        "Pima Indians diabetes",
        "Women of Pima heritage of at least 21 years: diabetes within five years?",
        "https://www.kaggle.com/datasets/uciml/pima-indians-diabetes-database",
        "CC0",
        "J. W. Smith, J. E. Everhart, W. C. Dickson, W. C. Knowler, R. S. Johannes: Using the ADAP "
        "learning algorithm to forecast the onset of diabetes mellitus. SCAMC, 1988.",
    ),
}


READERS = {
    "bornagain/Pima-Diabetes": partial(binned, reader_of("pima-diabetes")),
    "bornagain/Pima-Diabetes/raw": reader_of("pima-diabetes"),
    "dyadic/diabetes": reader_of("pima-diabetes", "preg plas pres skin insu mass pedi age"),
}
