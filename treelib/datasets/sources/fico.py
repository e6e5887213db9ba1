"""FICO's credit applicants in 0/1 columns."""

from treelib.datasets.origin import Origin
from treelib.datasets.tables import reader_of

ORIGINS = {
    "fico": Origin(
        "FICO home equity line of credit, binary columns",
        "Applicants for a home equity line of credit: was it repaid as agreed (Good) or 90 days overdue "
        "(Bad)? Seventeen 0/1 columns that cut the subscale scores of a published two-layer model.",
        "https://community.fico.com/s/explainable-machine-learning-challenge",
        "FICO challenge terms, no open licence known: only these binarised columns are kept.",
        "FICO, Google, Imperial College London, MIT, University of Oxford, UC Irvine, UC Berkeley: "
        "Explainable Machine Learning Challenge, 2018.",
    ),
}


READERS = {
    "fico-binary": reader_of("fico"),
    "bornagain/FICO": reader_of("fico"),
    "bornagain/FICO/raw": reader_of("fico"),
}
