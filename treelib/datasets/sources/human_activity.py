"""Human activities from smartphone signals: the set that is online only, and a look-alike."""

import numpy as np

from treelib.datasets import files
from treelib.datasets.files import DatasetError
from treelib.datasets.origin import uci
from treelib.datasets.tables import reader_of

ORIGINS = {
    "har": uci(
        240,
        "Human activity recognition using smartphones",
        "Windows of waist-worn accelerometer and gyroscope signals by 561 features: which of six activities?",
        "J. Reyes-Ortiz, D. Anguita, A. Ghio, L. Oneto, X. Parra: Human Activity Recognition Using "
        "Smartphones. UCI Machine Learning Repository, 2013.",
    ),
    "har-like": uci(
        341,
        "HAR-like: human activities, a look-alike",
        "Windows of waist-worn accelerometer and gyroscope signals by 561 features: which of six "
        "activities? Computed from the HAPT recordings after the public description of the features of "
        "UCI 240; it stands beside that set where it cannot be had, and never under its name.",
        "J. Reyes-Ortiz, L. Oneto, A. Samà, X. Parra, D. Anguita: Smartphone-Based Recognition of Human "
        "Activities and Postural Transitions. UCI Machine Learning Repository, 2015.",
    ),
}


def har():
    """The smartphone data from OpenML (number 1478), through scikit-learn; there is no offline copy."""
    from sklearn.datasets import fetch_openml

    try:
        bunch = fetch_openml(
            data_id=1478, as_frame=False, parser="liac-arff", data_home=str(files.cache_folder())
        )
    except (OSError, ValueError) as error:
        raise DatasetError(
            "the download of set 1478 from https://www.openml.org/d/1478 failed "
            f"({type(error).__name__}: {error}). This set is online only: neither the project nor "
            f"{files.MIRROR_VARIABLE} holds a copy, and a look-alike computed from other recordings (HAPT) "
            "must not stand in under this name. Connect to the network and try again."
        ) from None
    return bunch.data, bunch.target.astype(np.intp) - 1, [str(name) for name in bunch.feature_names]


READERS = {
    "tsallis/HAR": har,
    "tsallis/HAR-like": reader_of("har-like"),
}
