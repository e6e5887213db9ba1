"""`treelib fit` as a program: its output, its end, what it says on the way."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest


@pytest.fixture
def people(tmp_path):
    """A table of two numbers and a class that follows one of them."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"age": rng.integers(20, 80, 90), "crp": rng.integers(0, 30, 90)})
    frame["ill"] = np.where(frame.age > 50, "yes", "no")
    frame.to_csv(path := tmp_path / "people.csv", index=False)
    return path


def command(*words):
    return [sys.executable, "-m", "treelib.cli", *map(str, words)]


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of another kind")
def test_a_reader_that_goes_away(people):
    """`treelib fit ... | head -1`, which ended in a traceback and wrote no report."""
    out = people.with_name("r.html")
    words = ["fit", people, "--target", "ill", "--method", "topdown", "--out", out]
    running = subprocess.Popen(command(*words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    running.stdout.close()  # before the first line
    errors = running.stderr.read()
    running.stderr.close()
    assert running.wait() == 0 and not errors
    assert out.is_file() and out.with_suffix(".sql").is_file()
