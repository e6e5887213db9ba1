"""The files of the result store: lines of JSON, each with a checksum, added whole or not at all."""

import contextlib
import hashlib
import json
import os
import warnings

import numpy as np

from treelib.compiled.whole_files import left_behind, make_folder, write_whole

try:
    import fcntl
except ImportError:  # Windows: two processes at a time are not guarded there
    fcntl = None

VERSION = 1
MAX_BYTES = 500_000_000  # of one file


class StoreError(RuntimeError):
    """A file of results is damaged; the message names the line and what to do."""


def canonical(case):
    """A case as JSON text, the same whatever the order of its entries."""
    for name, value in case.items():
        if not isinstance(value, str | int | float | bool | None):
            raise TypeError(f"The case {case} is not of JSON scalars: {name} is {type(value).__name__}.")
    return json.dumps(case, sort_keys=True, allow_nan=False, separators=(",", ":"))


def parse(text):
    """The case that `canonical` wrote."""
    return json.loads(text)


def digest_of(value):
    """First 16 hexadecimal digits of the SHA-256 of `value` as JSON."""
    text = json.dumps(value, sort_keys=True, allow_nan=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def plain(value, where="result"):
    """`value` in the types of JSON: numpy's numbers and arrays become Python's.

    Raises
    ------
    TypeError : the value, or a part of it, has no place in JSON; ValueError : it is not finite.
    """
    if isinstance(value, np.ndarray):
        value = value.tolist()
    elif isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        if not np.isfinite(value):
            raise ValueError(f"{where} is {value}; give None, or text, for what is not a finite number.")
        return value
    if isinstance(value, dict):
        return {str(name): plain(part, f"{where}[{name!r}]") for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part, f"{where}[{i}]") for i, part in enumerate(value)]
    raise TypeError(f"{where} is a {type(value).__name__}, which JSON does not know.")


def seal(entry):
    """The record with its checksum, over everything else in it."""
    body = {name: value for name, value in entry.items() if name != "checksum"}
    return {**body, "checksum": digest_of(body)}


def read(path):
    """Records of one file, list of dict in the order of the file; the later of two of one case counts.

    A last line that was not written to its end is dropped with a warning.

    Raises
    ------
    StoreError
        Any other line is damaged, or does not agree with its checksum, or the file is too large.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise StoreError(f"{path} has more than {MAX_BYTES:,} bytes; no experiment keeps so much.")
        text = path.read_bytes()
    except FileNotFoundError:
        return []
    if text and not text.endswith(b"\n"):
        text = _without_torn_line(path)
    *lines, _ = text.split(b"\n")
    found = {}
    for number, line in enumerate(lines, start=1):
        try:
            entry = json.loads(line)
            sealed = seal(entry)["checksum"] == entry["checksum"]
            name = canonical(entry["case"])
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            sealed = False
        if not sealed:
            raise StoreError(
                f"{path}, line {number} is damaged or was edited. Restore the file, or delete the line and "
                f"renew it with `treelib reproduce {path.stem}`."
            )
        found.pop(name, None)
        found[name] = entry
    return list(found.values())


def append(path, entry):
    """Add one record; it is on the disk when this returns. StoreError where it cannot be written."""
    line = (_line(seal(entry)) + "\n").encode()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # unbuffered: what a full disk refused is not tried again when the file is closed
        with locked(path.parent), open(path, "ab+", buffering=0) as file:
            _drop_torn_line(file)
            _write_whole(file, line)
            os.fsync(file.fileno())
    except OSError as error:
        raise StoreError(
            f"{path} cannot be written: {error.strerror or error}. Finished cases are kept; make room, or "
            "give the rights to write there, and run the same command again."
        ) from error


def _write_whole(file, line):
    """Write all of `line`, or nothing."""
    start = file.seek(0, os.SEEK_END)
    try:
        written = 0
        while written < len(line):
            written += file.write(line[written:])
    except OSError:
        file.truncate(start)
        raise


def rewrite(path, order):
    """Write the file anew, atomically: one record a case, in `order` (canonical texts), no others."""
    with locked(path.parent):
        with open(path, "ab+") as file:
            _drop_torn_line(file)
        for name in left_behind(path):
            name.unlink(missing_ok=True)
        found = {canonical(entry["case"]): entry for entry in read(path)}
        lines = [_line(found[name]) + "\n" for name in order if name in found]
        write_whole(path, "".join(lines).encode(), durable=True)


def _line(entry):
    return json.dumps(entry, allow_nan=False, separators=(",", ":"))


def is_writable(folder):
    """Whether files can be made in `folder`."""
    try:
        make_folder(folder)
    except OSError:
        return False
    return True


def _without_torn_line(path):
    """Content of a file up to its last line end: the rest is being written just now, or never will be."""
    try:
        with locked(path.parent), open(path, "rb+") as file:
            text = file.read()
            if text.endswith(b"\n"):
                return text
            _drop_torn_line(file)
    except OSError:  # it may not be written here
        text = path.read_bytes()
    warnings.warn(f"{path}: the last line was not written to its end and is dropped.", stacklevel=4)
    return text[: text.rfind(b"\n") + 1]


def _drop_torn_line(file):
    """Cut off what a killed process left behind the last line end."""
    size = file.seek(0, os.SEEK_END)
    end = size
    while end:
        start = max(0, end - 65536)
        file.seek(start)
        at = file.read(end - start).rfind(b"\n")
        if at >= 0:
            end = start + at + 1
            break
        end = start
    if end < size:
        file.truncate(end)
    file.seek(0, os.SEEK_END)


@contextlib.contextmanager
def locked(folder):
    """Hold the lock of a folder of results: one process writes at a time."""
    with open(folder / ".lock", "w") as lock:
        if fcntl:
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
