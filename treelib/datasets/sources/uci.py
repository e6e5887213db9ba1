"""Sets of the UCI Machine Learning Repository that the project holds as they are."""

from functools import partial

from treelib.datasets.origin import uci
from treelib.datasets.tables import binned, reader_of

ORIGINS = {
    "breast-cancer-wisconsin": uci(
        15,
        "Breast cancer Wisconsin (original)",
        "Cells from fine needle aspirates, nine graded features: benign or malignant? The 16 incomplete "
        "rows are left out.",
        "W. Wolberg: Breast Cancer Wisconsin (Original). UCI Machine Learning Repository, 1990.",
    ),
    "seeds": uci(
        236,
        "Seeds",
        "Geometry of wheat kernels measured by X-ray: Kama, Rosa or Canadian?",
        "M. Charytanowicz, J. Niewczas, P. Kulczycki, P. Kowalski, S. Lukasik: Seeds. UCI Machine "
        "Learning Repository, 2012.",
    ),
    "ionosphere": uci(
        52,
        "Ionosphere",
        "Radar returns by 17 complex numbers: good ones show structure in the ionosphere, bad ones do not.",
        "V. Sigillito, S. Wing, L. Hutton, K. Baker: Ionosphere. UCI Machine Learning Repository, 1989.",
    ),
    "spambase-all": uci(
        94,
        "Spambase",
        "E-mails by the frequency of 48 words and 6 characters and by 3 lengths of capital letters: spam?",
        "M. Hopkins, E. Reeber, G. Forman, J. Suermondt: Spambase. UCI Machine Learning Repository, 1999.",
    ),
    "breast-cancer": uci(
        14,
        "Breast cancer (Ljubljana)",
        "Patients after treatment of breast cancer: did it recur? The nine incomplete rows are left out.",
        "M. Zwitter, M. Soklic: Breast Cancer. UCI Machine Learning Repository, 1988.",
    ),
    "flare-solar": uci(
        89,
        "Solar flare",
        "Active regions of the sun described by nine attributes; the benchmark's class marks an open "
        "spot distribution.",
        "Solar Flare. UCI Machine Learning Repository, 1989.",
    ),
    "thyroid": uci(
        102,
        "Thyroid disease (new-thyroid)",
        "Patients described by five laboratory tests: normal, or hyper- or hypothyroid?",
        "R. Quinlan: Thyroid Disease. UCI Machine Learning Repository, 1986.",
    ),
    "spambase": uci(
        94,
        "Spambase, four features",
        "E-mails by the frequency of 'remove', 'free', '!' and '$' in per cent: spam?",
        "M. Hopkins, E. Reeber, G. Forman, J. Suermondt: Spambase. UCI Machine Learning Repository, 1999.",
    ),
    "banknote": uci(
        267,
        "Banknote authentication",
        "Images of banknote-like specimens by four wavelet statistics; two classes, genuine and forged.",
        "V. Lohweg: Banknote Authentication. UCI Machine Learning Repository, 2013.",
    ),
    "glass": uci(
        42,
        "Glass identification",
        "Glass fragments by refractive index and oxides: of which of six kinds?",
        "B. German: Glass Identification. UCI Machine Learning Repository, 1987.",
    ),
}


READERS = {
    "bornagain/Breast-Cancer-Wisconsin": reader_of("breast-cancer-wisconsin"),
    "bornagain/Breast-Cancer-Wisconsin/raw": reader_of("breast-cancer-wisconsin"),
    "bornagain/Seeds": partial(binned, reader_of("seeds")),
    "bornagain/Seeds/raw": reader_of("seeds"),
    "tsallis/seeds": reader_of("seeds"),
    "bornagain/Ionosphere": reader_of("ionosphere"),
    "bornagain/Spambase": reader_of("spambase-all"),
    "dyadic/breast_cancer": reader_of("breast-cancer"),
    "dyadic/flare_solar": reader_of("flare-solar"),
    "dyadic/thyroid": reader_of("thyroid"),
    "dyadic/spambase": reader_of("spambase"),
    "tsallis/banknote": reader_of("banknote"),
    "tsallis/glass": reader_of("glass"),
}
