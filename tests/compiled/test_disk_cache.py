"""Compiled kernels on disk: found again, and never believed when they are damaged."""

import os
import subprocess
import sys

import numpy as np
import pytest

from treelib.compiled import disk_cache, whole_files

# prints the answer, and how many signatures were loaded from disk and compiled
SCRIPT = """
import numpy as np
from treelib.tree.stored import Tree
from treelib.tree.walking import find_leaves

tree = Tree.from_nested((0, 0.5, 0, 1))
answer = tree.predict(np.array([[0.0], [1.0]]))
stats = find_leaves.stats
print(*answer, sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
"""
COMPILED, LOADED = "0 1 0 1", "0 1 1 0"


def run_script(script, folder, **variables):
    """What `script` prints in a process of its own whose cache is `folder`."""
    variables = {**os.environ, "TREELIB_CACHE_DIR": str(folder), **variables}
    done = subprocess.run(
        [sys.executable, "-c", script], env=variables, capture_output=True, text=True, check=True, timeout=300
    )
    return done.stdout.strip()


def run(folder, **variables):
    return run_script(SCRIPT, folder, **variables)


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A cache folder with one kernel in it, and its file."""
    folder = tmp_path_factory.mktemp("cache")
    assert run(folder) == COMPILED
    (file,) = folder.rglob("*.kernel")
    return folder, file


def test_found_again_by_another_process(filled):
    """A cache that never hits: seconds of compiling in every process."""
    assert run(filled[0]) == LOADED


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[: len(content) // 2],
        lambda content: content[:5000] + b"\x00\xff" + content[5002:],
        lambda content: os.urandom(len(content)),
    ],
    ids=["empty", "cut off", "two bytes changed", "noise"],
)
def test_damaged_file_is_compiled_anew(filled, damage):
    """An exception out of every fit, or machine code with a flipped bit that runs."""
    folder, file = filled
    whole = file.read_bytes()
    file.write_bytes(damage(whole))
    assert run(folder) == COMPILED
    assert run(folder) == LOADED


def test_bounds_checks_have_a_cache_of_their_own(filled):
    """A run with bounds checks that loads kernels without them, and so checks nothing."""
    assert run(filled[0], NUMBA_BOUNDSCHECK="1") == COMPILED
    assert run(filled[0]) == LOADED


@pytest.mark.skipif(os.name == "nt", reason="no such path")
def test_folder_that_cannot_be_made():
    """A fit that fails where nothing may be written."""
    assert run("/dev/null/cache").startswith("0 1")


@pytest.mark.skipif(os.name == "nt", reason="no such path")
def test_a_cache_that_cannot_be_written_says_so_once():
    """Kernels that are compiled anew in every process, and nobody knows why a fit takes a minute."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT + "import treelib.topdown.grow.one_tree\n"],
        env={**os.environ, "TREELIB_CACHE_DIR": "/dev/null/cache"},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    assert done.stderr.count("RuntimeWarning") == 1
    assert "/dev/null/cache" in done.stderr and "Set TREELIB_CACHE_DIR to a folder" in done.stderr


def test_home_that_nobody_knows():
    """An import that fails in a container whose user has no account."""
    assert run("~no-such-user/cache").startswith("0 1")


def test_file_under_the_name_of_another_signature(tmp_path):
    """Code for one signature that another process filed under the name of a second one."""
    stem = tmp_path / "kernel"
    files = disk_cache._SealedFiles(stem, "module")
    files.save("one", np.arange(3))
    files.save("two", np.arange(4))
    assert files.load("one").tolist() == [0, 1, 2]
    disk_cache.file_of(stem, "two").replace(disk_cache.file_of(stem, "one"))
    assert files.load("one") is None and files.load("two") is None
    files.save("one", np.arange(5))
    files.flush()
    assert files.load("one") is None and list(tmp_path.iterdir()) == []


def test_full_disk(tmp_path, monkeypatch):
    """A kernel that is compiled and then lost in an error about its cache."""
    files = disk_cache._SealedFiles(tmp_path / "kernel", "module")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(whole_files.os, "replace", full)
    files.save("one", np.arange(3))
    assert files.load("one") is None and list(tmp_path.iterdir()) == []
