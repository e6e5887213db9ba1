"""The same fit gives the same bytes: again, with other numbers of threads, and in other processes."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import treelib
from tests.suites.determinism import fits

HERE = Path(__file__).resolve().parent
EVERY = pytest.mark.parametrize("name", sorted(fits.FITS))


@cache
def first(name):
    return fits.digest(name)


@EVERY
def test_again_and_with_other_numbers_of_threads(name):
    """State that a fit leaves behind; an order of threads, or their number, that shows in a tree."""
    assert fits.digest(name) == first(name)
    for n_jobs in (1, 2, 4):
        assert fits.digest(name, n_jobs) == first(name)


@pytest.mark.parametrize("hash_seed, threads", [("1", "1"), ("4242", "4")])
def test_other_processes(hash_seed, threads):
    """A tree that depends on the order of a set, on the address of an object, or on a library's threads."""
    libraries = ("NUMBA", "OMP", "OPENBLAS", "MKL", "BLIS")
    variables = {f"{library}_NUM_THREADS": threads for library in libraries} | {"PYTHONHASHSEED": hash_seed}
    variables["PYTHONPATH"] = os.pathsep.join(
        filter(None, [str(HERE.parents[2]), os.environ.get("PYTHONPATH")])
    )
    done = subprocess.run(
        [sys.executable, str(HERE / "fits.py"), threads],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, **variables},
    )
    assert done.returncode == 0, done.stderr
    found = {name: digest for _, name, digest in map(str.split, done.stdout.splitlines())}
    assert found == {name: first(name) for name in fits.FITS}


def test_everything_public_that_fits_is_among_the_fits():
    """A public estimator or function that nobody asks for the same tree twice."""
    source = (HERE / "fits.py").read_text(encoding="utf-8")
    assert not [
        name for name in treelib.__all__ if name not in ("Tree", "keep_going") and f"{name}(" not in source
    ]


def test_another_seed_gives_other_trees(monkeypatch):
    """A digest that does not see the trees."""
    before = first("topdown_gini")
    numeric = fits.numeric
    monkeypatch.setattr(fits, "numeric", lambda *args: numeric(*args, seed=4))
    assert fits.digest("topdown_gini") != before
