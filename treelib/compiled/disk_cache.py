"""Compiled kernels on disk, each file sealed with a checksum over its content and what it was compiled for.

numba's own cache believes what it reads: a damaged file is an exception out of every fit, or a crash, and two
processes that compile two signatures at once may file the one under the name of the other. Here a file that
does not agree with its seal counts as not there, so the kernel is compiled again and the file replaced. A
file that cannot be written, on a full disk for one, is left out.

The files are numba's pickles, as Python's own ``.pyc`` are code: the folder must belong to the user.
"""

import hashlib
import pickle
from pathlib import Path

import numba
from numba.core.caching import FunctionCache
from numba.core.serialize import dumps

from treelib.compiled import ahead
from treelib.compiled.whole_files import write_whole


class SealedCache(FunctionCache):
    """numba's cache of one function, with one sealed file a signature in place of its index."""

    def __init__(self, function):
        super().__init__(function)
        # .../<module>-<digest of its sources>/<numba's name for the folder of the source file>
        folder = Path(self._impl.locator.get_cache_path())
        self._cache_file = _SealedFiles(folder / self._impl.filename_base, folder.parent.name)


class _SealedFiles:
    """The files of one kernel: `stem` is the path without signature, `place` the folder of its module."""

    def __init__(self, stem, place):
        self._stem, self._place = Path(stem), place

    def load(self, key):
        """What was saved under `key`, or else what a wheel brought; None where there is no whole file."""
        brought = ahead.files_of(self._place, self._stem.name, key)
        for stem, name in ((self._stem, key), *brought):
            body = _unsealed(stem, name)
            if body is not None:
                return pickle.loads(body)
        return None

    def save(self, key, data):
        body = dumps(data)
        try:
            write_whole(file_of(self._stem, key), _seal(key, body) + body)
        except OSError:
            pass  # as on a full disk: it is compiled again in the next process

    def flush(self):
        for path in self._stem.parent.glob(f"{self._stem.name}.*.kernel"):
            path.unlink(missing_ok=True)


def file_of(stem, key):
    """Path of the file of a kernel at `stem` for one signature."""
    return stem.with_name(f"{stem.name}.{hashlib.sha256(repr(key).encode()).hexdigest()[:16]}.kernel")


def _unsealed(stem, key):
    """What a file holds; None where there is none, or one that does not agree with its seal."""
    try:
        content = file_of(stem, key).read_bytes()
    except OSError:
        return None
    seal, body = content[:32], content[32:]
    return body if seal == _seal(key, body) else None


def _seal(key, body):
    head = repr((numba.__version__, key)).encode()
    return hashlib.sha256(len(head).to_bytes(8, "little") + head + body).digest()
