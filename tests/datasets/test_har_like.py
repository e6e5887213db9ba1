"""The recipe of the set HAR-like, on signals whose summaries are known."""

import sys

import numpy as np
import pytest

from treelib.datasets import files

ROOT = files.data_root()


@pytest.fixture
def recipe():
    """`data/har_like.py`, which is no part of the package."""
    if not (ROOT / "har_like.py").is_file():
        pytest.skip("the recipes are not part of an installed package")
    pytest.importorskip("scipy")
    sys.path.insert(0, str(ROOT))
    import har_like

    yield har_like
    sys.path.remove(str(ROOT))


def test_features_of_known_signals(recipe):
    """A feature missing or twice; a summary along the wrong axis; a spectrum in the wrong unit."""
    seconds = np.arange(recipe.WINDOW) / recipe.RATE
    turn = 4 * recipe.RATE / recipe.WINDOW  # four periods in a window
    wave = np.stack([2 * np.sin(2 * np.pi * turn * seconds), 1 + 0 * seconds, seconds], axis=1)
    window = {
        name: wave for name in ("tBodyAcc", "tGravityAcc", "tBodyAccJerk", "tBodyGyro", "tBodyGyroJerk")
    }
    window |= {name: wave[:, 0] for name in ("tBodyAccMag", "tGravityAccMag", "tBodyAccJerkMag")}
    window |= {name: wave[:, 0] for name in ("tBodyGyroMag", "tBodyGyroJerkMag")}
    found = dict(recipe.features(window))
    assert len(found) == 561 and np.isfinite(list(found.values())).all()
    assert found["fBodyAcc-maxInds-X"] == 4 and found["fBodyAcc-max()-X"] == pytest.approx(2)
    assert found["fBodyAcc-meanFreq()-X"] == pytest.approx(turn)
    assert found["tBodyAcc-energy()-X"] == pytest.approx(2) and found["tBodyAcc-mean()-Y"] == 1
    assert found["tBodyAcc-arCoeff()-X;1"] < -1  # a wave is predicted by its past
    assert found["angle(X;gravityMean)"] == pytest.approx(np.pi / 2)
    assert found["tBodyAcc-correlation()-X;Y"] == 0
