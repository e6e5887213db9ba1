"""Files that are written whole or not at all."""

import os

import pytest

from treelib.compiled import whole_files


@pytest.mark.parametrize("durable", [False, True])
def test_a_file_is_replaced_and_nothing_is_left_beside_it(tmp_path, durable):
    """A file that is added to, or others that pile up beside it."""
    path = tmp_path / "a.json"
    for content in (b"one", b"", b"three"):
        whole_files.write_whole(path, content, durable)
        assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path] and whole_files.left_behind(path) == []


def test_a_full_disk_leaves_the_old_file(tmp_path, monkeypatch):
    """A file that is torn, or gone, where the new one could not be put in its place."""
    path = tmp_path / "a.json"
    path.write_bytes(b"old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(whole_files.os, "replace", full)
    with pytest.raises(OSError, match="No space"):
        whole_files.write_whole(path, b"new")
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no umask for reading")
@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_who_may_read_it_is_up_to_the_user(tmp_path, mask):
    """A report on somebody's table that all users of the machine can read."""
    before = os.umask(mask)
    try:
        whole_files.write_whole(tmp_path / "a", b"x")
    finally:
        os.umask(before)
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o666 & ~mask
