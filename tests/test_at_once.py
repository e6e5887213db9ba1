"""Fits at the same time, in threads and in processes, that also compile at the same time."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import fits
import pytest

HERE = Path(__file__).resolve().parent
NAMES = ("sparse_classifier", "born_again", "dyadic_classifier", "topdown_gini", "topdown_forest")

RACE = """
import json, sys
from concurrent.futures import ThreadPoolExecutor
from joblib import Parallel, delayed
import fits

if sys.argv[1] == "threads":
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(fits.digest, ["topdown_gini"] * 4))
else:
    found = Parallel(n_jobs=2, backend="loky")(delayed(fits.digest)("topdown_gini") for _ in range(4))
print(json.dumps(found))
"""


def test_four_threads_fit_what_one_does():
    """State shared by two fits at the same time: another tree, or a crash."""
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(fits.digest, 2 * NAMES))
    assert found == [fits.digest(name) for name in 2 * NAMES]


@pytest.mark.parametrize("kind", ["threads", "processes"])
def test_first_fits_at_once_on_an_empty_cache(kind, tmp_path):
    """Kernels that are compiled twice at once and kept half; a thread that meets what another compiles."""
    path = os.pathsep.join(filter(None, [str(HERE.parent), str(HERE), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        [sys.executable, "-c", RACE, kind],
        env={**os.environ, "TREELIB_CACHE_DIR": str(tmp_path), "PYTHONPATH": path},
        cwd=HERE,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == 4 * [fits.digest("topdown_gini")]
