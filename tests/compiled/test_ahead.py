"""Kernels that a wheel brings: taken where they run, left where they do not."""

import json
import os
import shutil

import llvmlite.binding
import numba
import pytest

from tests.compiled.test_disk_cache import COMPILED, LOADED, SCRIPT, run_script

GROUND = {
    "numba": numba.__version__,
    "triple": llvmlite.binding.get_default_triple(),
    "processor": "generic",
    "needs": [],
}


@pytest.fixture(scope="module")
def brought(tmp_path_factory):
    """What a wheel would bring: one kernel, compiled for the plainest processor."""
    cache, folder = tmp_path_factory.mktemp("cache"), tmp_path_factory.mktemp("brought")
    assert run_script(SCRIPT, cache, NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="") == COMPILED
    for file in cache.glob("kernels/*/*/*.kernel"):
        (folder / file.parents[1].name).mkdir()
        shutil.copy(file, folder / file.parents[1].name)
    return folder


def first_run(brought, cache, ground=None, **variables):
    """The script in a process with an empty cache, and a package that brings kernels."""
    (brought / "ground.json").write_text(json.dumps({**GROUND, **(ground or {})}))
    here = (
        "import pathlib\nfrom treelib.compiled import ahead\n"
        + f"ahead.FOLDER = pathlib.Path({str(brought)!r})"
    )
    return run_script(here + SCRIPT, cache, **variables)


def test_nothing_is_compiled(brought, tmp_path):
    """A wheel with kernels that nobody reads."""
    assert first_run(brought, tmp_path) == LOADED
    assert not list(tmp_path.rglob("*.kernel"))


@pytest.mark.parametrize(
    "ground",
    [
        {"numba": "0.1"},
        {"triple": "pdp11-unknown-bsd"},
        {"processor": "another"},
        {"needs": ["sse99"]},
    ],
    ids=lambda ground: next(iter(ground)),
)
def test_what_does_not_run_here_is_left(brought, tmp_path, ground):
    """Machine code of another numba, system or processor that is run: a crash, or wrong trees."""
    assert first_run(brought, tmp_path, ground) == COMPILED


def test_own_kernels_come_first(brought, tmp_path):
    """`treelib warm` that compiles nothing for this very processor, or a cache that is never read."""
    assert first_run(brought, tmp_path, TREELIB_OWN_KERNELS="1") == COMPILED
    file = next(brought.rglob("*.kernel"))
    whole = file.read_bytes()
    file.write_bytes(os.urandom(len(whole)))
    try:
        assert first_run(brought, tmp_path) == LOADED
        shutil.rmtree(tmp_path)
        assert first_run(brought, tmp_path) == COMPILED
    finally:
        file.write_bytes(whole)
