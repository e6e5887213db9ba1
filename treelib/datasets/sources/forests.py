"""The random forests of the born-again paper."""

from treelib.datasets.origin import Origin

ORIGINS = {
    "forests": Origin(
        "Random forests of the born-again paper",
        "Sixty random forests of ten trees of depth at most 3, one for each of ten folds of six data sets.",
        "https://github.com/vidalt/BA-Trees",
        "MIT",
        "T. Vidal, T. Pacheco, M. Schiffer: Born-again tree ensembles. ICML, 2020.",
    ),
}


READERS = {}
