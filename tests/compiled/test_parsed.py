"""What was read in sources, kept on disk."""

import json
import os
import subprocess
import sys

import pytest

from treelib.compiled import parsed

CALLS = []


def words(text):
    CALLS.append(text)
    return text.split()


def lines(text):
    return text.splitlines()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty cache folder."""
    monkeypatch.setenv("TREELIB_CACHE_DIR", str(tmp_path / "cache"))
    CALLS.clear()
    yield tmp_path / "cache"
    parsed._store.cache_clear()


def in_a_new_process(content, reader=words):
    """`parsed.read` with what the disk holds, and what it leaves there."""
    parsed._store.cache_clear()
    value = parsed.read(content, reader)
    parsed._store(parsed.Path(reader.__code__.co_filename)).save()
    return value


def test_a_file_is_read_once(folder):
    """A text that is parsed in each process, or two texts or readers that share an entry."""
    assert in_a_new_process(b"a b") == in_a_new_process(b"a b") == ["a", "b"]
    assert CALLS == ["a b"]
    assert in_a_new_process(b"a c") == ["a", "c"]
    assert in_a_new_process(b"a b", lines) == ["a b"]
    assert in_a_new_process(b"a b") == ["a", "b"] and CALLS == ["a b", "a c"]


DAMAGES = {
    "empty": lambda content: b"",
    "torn": lambda content: content[:-3],
    "no text": lambda content: b"\xff\n\xff",
    "another value": lambda content: content.replace(b'"a"', b'"c"'),
    "another type": lambda content: content.partition(b"\n")[0] + b"\n[1]",
}


def entries(path):
    return json.loads(path.read_bytes().partition(b"\n")[2])


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damage_is_read_over(folder, damage):
    """A file that a full disk or another program left: an error out of every import."""
    in_a_new_process(b"a b")
    (path,) = folder.iterdir()
    path.write_bytes(damage(path.read_bytes()))
    assert in_a_new_process(b"a b") == ["a", "b"]
    assert len(entries(path)) == 1


def test_a_folder_that_cannot_be_written(tmp_path, monkeypatch):
    """A cache folder that is a file, as good as a full disk: an error at the end of a process."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("TREELIB_CACHE_DIR", str(tmp_path / "file"))
    assert in_a_new_process(b"a b") == ["a", "b"]
    parsed._store.cache_clear()


def test_old_entries_go(folder, monkeypatch):
    """A file that grows with every edit of a checkout."""
    monkeypatch.setattr(parsed, "MOST_ENTRIES", 2)
    for content in (b"a", b"b", b"c", b"d"):
        in_a_new_process(content)
    (path,) = folder.iterdir()
    assert len(entries(path)) <= 2


def test_kernels_find_their_place_without_parsing(tmp_path):
    """An import that parses sources which an earlier process has parsed."""
    program = (
        "import ast, sys; parse = ast.parse; parsed = []\n"
        "ast.parse = lambda *args, **kw: parsed.append(args) or parse(*args, **kw)\n"
        "import treelib.compiled.bits\n"
        "print(sum('import numba' in str(args[0]) for args in parsed))"
    )
    counts = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "TREELIB_CACHE_DIR": str(tmp_path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        for _ in range(2)
    ]
    assert int(counts[0][0]) > 0 and counts[1] == ["0"]
