"""Sets that ship with scikit-learn."""

from functools import partial

from treelib.datasets.origin import uci

ORIGINS = {
    "iris": uci(
        53,
        "Iris",
        "Flowers of three species by four lengths.",
        "R. A. Fisher: Iris. UCI Machine Learning Repository, 1936.",
    ),
    "wine": uci(
        109,
        "Wine",
        "Wines of three cultivars by thirteen chemical measurements.",
        "S. Aeberhard, M. Forina: Wine. UCI Machine Learning Repository, 1992.",
    ),
    "wdbc": uci(
        17,
        "Breast cancer Wisconsin (diagnostic)",
        "Cell nuclei in images of fine needle aspirates, thirty features: malignant or benign?",
        "W. Wolberg, O. Mangasarian, N. Street, W. Street: Breast Cancer Wisconsin (Diagnostic). UCI "
        "Machine Learning Repository, 1993.",
    ),
    "digits": uci(
        80,
        "Digits",
        "Handwritten digits as images of 8 by 8 pixels (the test part of the UCI set).",
        "E. Alpaydin, C. Kaynak: Optical Recognition of Handwritten Digits. UCI Machine Learning "
        "Repository, 1998.",
    ),
}


def scikit_learn(function):
    """A set that ships with scikit-learn, by the name of its loader."""
    from sklearn import datasets

    bunch = getattr(datasets, function)()
    return bunch.data, bunch.target, [str(name) for name in bunch.feature_names]


READERS = {
    "tsallis/iris": partial(scikit_learn, "load_iris"),
    "tsallis/wine": partial(scikit_learn, "load_wine"),
    "tsallis/wdbc": partial(scikit_learn, "load_breast_cancer"),
    "tsallis/digits": partial(scikit_learn, "load_digits"),
}
