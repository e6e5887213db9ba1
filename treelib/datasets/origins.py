"""Where the data come from: title, terms and citation of every source."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Origin:
    """One source of data.

    Attributes
    ----------
    title, description : str.
    address : str, its public page.
    licence : str, the terms it may be used on.
    citation : str.
    """

    title: str
    description: str
    address: str
    licence: str
    citation: str


CC_BY = "CC BY 4.0"


def _uci(number, title, description, citation):
    """A set of the UCI Machine Learning Repository."""
    return Origin(title, description, f"https://archive.ics.uci.edu/dataset/{number}", CC_BY, citation)


ORIGINS = {
    "compas": Origin(
        "COMPAS recidivism, binary columns",
        "Defendants in Broward County, Florida, scored by COMPAS in 2013 and 2014: was the person arrested "
        "again "
        "within two years? Twelve 0/1 columns on sex, age and prior record, no names. The column names are "
        "the "
        "authors' and one too high: 'age:<21' is true below 20.",
        "https://github.com/propublica/compas-analysis",
        "Published by ProPublica, no licence stated; the binary columns hold no personal names.",
        "J. Larson, S. Mattu, L. Kirchner, J. Angwin: How we analyzed the COMPAS recidivism algorithm. "
        "ProPublica, 2016.",
    ),
    "fico": Origin(
        "FICO home equity line of credit, binary columns",
        "Applicants for a home equity line of credit: was it repaid as agreed (Good) or 90 days overdue "
        "(Bad)? "
        "Seventeen 0/1 columns that cut the subscale scores of a published two-layer model.",
        "https://community.fico.com/s/explainable-machine-learning-challenge",
        "FICO challenge terms, no open licence known: only these binarised columns are kept.",
        "FICO, Google, Imperial College London, MIT, University of Oxford, UC Irvine, UC Berkeley: "
        "Explainable "
        "Machine Learning Challenge, 2018.",
    ),
    "tic-tac-toe": _uci(
        101,
        "Tic-tac-toe endgame",
        "All 958 boards on which a game can end when x moves first: has x won? Generated from the rules.",
        "D. Aha: Tic-Tac-Toe Endgame. UCI Machine Learning Repository, 1991.",
    ),
    "car-evaluation": _uci(
        19,
        "Car evaluation",
        "All 1728 combinations of six car attributes, labelled by a hierarchical decision model; acceptable "
        "or not? "
        "Generated from the hierarchy.",
        "M. Bohanec: Car Evaluation. UCI Machine Learning Repository, 1988.",
    ),
    "monk": _uci(
        70,
        "MONK's problems",
        "Robots described by six attributes, labelled by a logical rule; problem 3 has six mislabelled "
        "training "
        "rows. Generated from the rules.",
        "J. Wnek: MONK's Problems. UCI Machine Learning Repository, 1993.",
    ),
    "breast-cancer-wisconsin": _uci(
        15,
        "Breast cancer Wisconsin (original)",
        "Cells from fine needle aspirates, nine graded features: benign or malignant? The 16 incomplete "
        "rows are "
        "left out.",
        "W. Wolberg: Breast Cancer Wisconsin (Original). UCI Machine Learning Repository, 1990.",
    ),
    "htru2": _uci(
        372,
        "HTRU2 pulsar candidates",
        "Candidate signals of the High Time Resolution Universe survey: pulsar or noise?",
        "R. Lyon: HTRU2. UCI Machine Learning Repository, 2015.",
    ),
    "pima": Origin(
        "Pima Indians diabetes",
        "Women of Pima heritage of at least 21 years: diabetes within five years?",
        "https://www.kaggle.com/datasets/uciml/pima-indians-diabetes-database",
        "CC0",
        "J. W. Smith, J. E. Everhart, W. C. Dickson, W. C. Knowler, R. S. Johannes: Using the ADAP learning "
        "algorithm to forecast the onset of diabetes mellitus. SCAMC, 1988.",
    ),
    "seeds": _uci(
        236,
        "Seeds",
        "Geometry of wheat kernels measured by X-ray: Kama, Rosa or Canadian?",
        "M. Charytanowicz, J. Niewczas, P. Kulczycki, P. Kowalski, S. Lukasik: Seeds. UCI Machine Learning "
        "Repository, 2012.",
    ),
    "forests": Origin(
        "Random forests of the born-again paper",
        "Sixty random forests of ten trees of depth at most 3, one for each of ten folds of six data sets.",
        "https://github.com/vidalt/BA-Trees",
        "MIT",
        "T. Vidal, T. Pacheco, M. Schiffer: Born-again tree ensembles. ICML, 2020.",
    ),
    "raetsch": Origin(
        "Raetsch's benchmark",
        "Two-class data sets with 100 published splits into training and test set.",
        "https://doi.org/10.5281/zenodo.18110",
        "MIT (the collection)",
        "G. Raetsch, T. Onoda, K.-R. Mueller: Soft margins for AdaBoost. Machine Learning 42(3), 2001.",
    ),
    "banana": Origin(
        "Banana",
        "Artificial points in the plane: which of two bent, overlapping clouds?",
        "https://doi.org/10.5281/zenodo.18110",
        "BSD-3-Clause (the package that carries it)",
        "G. Raetsch, T. Onoda, K.-R. Mueller: Soft margins for AdaBoost. Machine Learning 42(3), 2001.",
    ),
    "breast-cancer": _uci(
        14,
        "Breast cancer (Ljubljana)",
        "Patients after treatment of breast cancer: did it recur? The nine incomplete rows are left out.",
        "M. Zwitter, M. Soklic: Breast Cancer. UCI Machine Learning Repository, 1988.",
    ),
    "flare-solar": _uci(
        89,
        "Solar flare",
        "Active regions of the sun described by nine attributes; the benchmark's class marks an open spot "
        "distribution.",
        "Solar Flare. UCI Machine Learning Repository, 1989.",
    ),
    "thyroid": _uci(
        102,
        "Thyroid disease (new-thyroid)",
        "Patients described by five laboratory tests: normal, or hyper- or hypothyroid?",
        "R. Quinlan: Thyroid Disease. UCI Machine Learning Repository, 1986.",
    ),
    "titanic": Origin(
        "Titanic",
        "The 2201 people aboard by class, age and sex: who was saved? Expanded from the published table.",
        "https://jse.amstat.org/v3n3/datasets.dawson.html",
        "public domain (a contingency table)",
        "R. J. MacG. Dawson: The unusual episode data revisited. Journal of Statistics Education 3(3), 1995.",
    ),
    "spambase": _uci(
        94,
        "Spambase, four features",
        "E-mails by the frequency of 'remove', 'free', '!' and '$' in per cent: spam?",
        "M. Hopkins, E. Reeber, G. Forman, J. Suermondt: Spambase. UCI Machine Learning Repository, 1999.",
    ),
    "spambase-all": _uci(
        94,
        "Spambase",
        "E-mails by the frequency of 48 words and 6 characters and by 3 lengths of capital letters: spam?",
        "M. Hopkins, E. Reeber, G. Forman, J. Suermondt: Spambase. UCI Machine Learning Repository, 1999.",
    ),
    "ionosphere": _uci(
        52,
        "Ionosphere",
        "Radar returns by 17 complex numbers: good ones show structure in the ionosphere, bad ones do not.",
        "V. Sigillito, S. Wing, L. Hutton, K. Baker: Ionosphere. UCI Machine Learning Repository, 1989.",
    ),
    "intrusion": _uci(
        130,
        "KDD Cup 1999 intrusion detection (10 %), four features",
        "Network connections by bytes sent, bytes received, connections to the same host in two seconds and "
        "in the "
        "last hundred: an attack?",
        "S. Stolfo, W. Fan, W. Lee, A. Prodromidis, P. Chan: KDD Cup 1999 Data. UCI Machine Learning "
        "Repository, 1999.",
    ),
    "mushroom": _uci(
        73,
        "Mushroom",
        "Hypothetical samples of 23 species of gilled mushrooms, 22 categories: edible or poisonous?",
        "Mushroom. UCI Machine Learning Repository, 1981.",
    ),
    "iris": _uci(
        53,
        "Iris",
        "Flowers of three species by four lengths.",
        "R. A. Fisher: Iris. UCI Machine Learning Repository, 1936.",
    ),
    "wine": _uci(
        109,
        "Wine",
        "Wines of three cultivars by thirteen chemical measurements.",
        "S. Aeberhard, M. Forina: Wine. UCI Machine Learning Repository, 1992.",
    ),
    "wdbc": _uci(
        17,
        "Breast cancer Wisconsin (diagnostic)",
        "Cell nuclei in images of fine needle aspirates, thirty features: malignant or benign?",
        "W. Wolberg, O. Mangasarian, N. Street, W. Street: Breast Cancer Wisconsin (Diagnostic). UCI "
        "Machine Learning "
        "Repository, 1993.",
    ),
    "digits": _uci(
        80,
        "Digits",
        "Handwritten digits as images of 8 by 8 pixels (the test part of the UCI set).",
        "E. Alpaydin, C. Kaynak: Optical Recognition of Handwritten Digits. UCI Machine Learning "
        "Repository, 1998.",
    ),
    "banknote": _uci(
        267,
        "Banknote authentication",
        "Images of banknote-like specimens by four wavelet statistics; two classes, genuine and forged.",
        "V. Lohweg: Banknote Authentication. UCI Machine Learning Repository, 2013.",
    ),
    "glass": _uci(
        42,
        "Glass identification",
        "Glass fragments by refractive index and oxides: of which of six kinds?",
        "B. German: Glass Identification. UCI Machine Learning Repository, 1987.",
    ),
    "cryotherapy": _uci(
        429,
        "Cryotherapy",
        "Patients with warts treated by cryotherapy: did it succeed?",
        "F. Khozeimeh, R. Alizadehsani, M. Roshanzamir, P. Layegh: Cryotherapy. UCI Machine Learning "
        "Repository, 2018.",
    ),
    "algerian": _uci(
        547,
        "Algerian forest fires",
        "Summer days of 2012 in two Algerian regions by weather and fire indices: fire? One row is "
        "repaired: on "
        "14 July 2012 (Sidi-Bel Abbes) the file runs the values 14.6 and 9 into one field.",
        "F. Abid: Algerian Forest Fires. UCI Machine Learning Repository, 2019.",
    ),
    "har": _uci(
        240,
        "Human activity recognition using smartphones",
        "Windows of waist-worn accelerometer and gyroscope signals by 561 features: which of six activities?",
        "J. Reyes-Ortiz, D. Anguita, A. Ghio, L. Oneto, X. Parra: Human Activity Recognition Using "
        "Smartphones. UCI "
        "Machine Learning Repository, 2013.",
    ),
    "har-like": _uci(
        341,
        "HAR-like: human activities, a look-alike",
        "Windows of waist-worn accelerometer and gyroscope signals by 561 features: which of six activities? "
        "Computed from the HAPT recordings after the public description of the features of UCI 240; it "
        "stands beside that set where it cannot be had, and never under its name.",
        "J. Reyes-Ortiz, L. Oneto, A. Samà, X. Parra, D. Anguita: Smartphone-Based Recognition of Human "
        "Activities and Postural Transitions. UCI Machine Learning Repository, 2015.",
    ),
}
