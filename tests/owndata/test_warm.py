"""`treelib warm`: kernels compiled ahead, in processes."""

import pytest

from treelib.cli import main
from treelib.owndata import warm as module


def test_kernels_are_in_the_cache_afterwards(tmp_path, monkeypatch, capsys):
    """Would catch fits that compile nothing, or into a folder that no later process reads."""
    monkeypatch.setenv("TREELIB_CACHE_DIR", str(tmp_path))
    assert main(["warm", "topdown", "--jobs", "1"]) == 0
    out = capsys.readouterr().out
    assert "[1/1] topdown: " in out and str(tmp_path) in out
    assert len(list(tmp_path.glob("kernels/treelib.topdown.*/**/*.kernel"))) >= 3


def test_a_failed_fit_is_told(monkeypatch, capsys):
    """Would catch a container that is built although nothing was compiled."""
    monkeypatch.setattr(module.sys, "executable", "/bin/false")
    assert main(["warm", "topdown", "dyadic", "--jobs", "2"]) == 1
    assert capsys.readouterr().out.count("failed: exit code 1") == 2


def test_unknown_names_and_jobs_are_refused(capsys):
    """Would catch a misspelt name that compiles nothing without a word."""
    assert main(["warm", "forests"]) == 2
    assert "forests" in capsys.readouterr().err
    with pytest.raises(ValueError, match="give 1 or more"):
        module.warm(["forest"], jobs=0)


@pytest.mark.parametrize("name", module.FITS)
def test_fits_run(name):
    """Would catch a fit of the list that an estimator refuses."""
    module.FITS[name]()
