"""Compiled kernels on disk, each file sealed with a checksum over its content and what it was compiled for.

numba's own cache believes what it reads: a damaged file is an exception out of every fit, or a crash, and two
processes that compile two signatures at once may file the one under the name of the other. Here a file that
does not agree with its seal counts as not there, so the kernel is compiled again and the file replaced. A
file that cannot be written, on a full disk for one, is left out.

The files are numba's pickles, as Python's own ``.pyc`` are code: the folder must belong to the user.
"""

import hashlib
import os
import pickle
import tempfile
from pathlib import Path

import numba
from numba.core.caching import FunctionCache
from numba.core.serialize import dumps


class SealedCache(FunctionCache):
    """numba's cache of one function, with one sealed file a signature in place of its index."""

    def __init__(self, function):
        super().__init__(function)
        locator = self._impl.locator
        stem = os.path.join(locator.get_cache_path(), self._impl.filename_base)
        self._cache_file = _SealedFiles(stem, locator.get_source_stamp())


class _SealedFiles:
    def __init__(self, stem, source_stamp):
        self._stem = stem
        self._ground = numba.__version__, source_stamp

    def load(self, key):
        """What was saved under `key`; None where there is no whole file of it."""
        try:
            content = self._path(key).read_bytes()
        except OSError:
            return None
        seal, body = content[:32], content[32:]
        if seal != self._seal(key, body):
            return None
        return pickle.loads(body)

    def save(self, key, data):
        body = dumps(data)
        path = self._path(key)
        try:
            handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.")
        except OSError:
            return
        try:
            with open(handle, "wb") as file:
                file.write(self._seal(key, body) + body)
            os.replace(temporary, path)
        except OSError:
            os.unlink(temporary)

    def flush(self):
        for path in Path(self._stem).parent.glob(f"{Path(self._stem).name}.*.kernel"):
            path.unlink(missing_ok=True)

    def _path(self, key):
        return Path(f"{self._stem}.{hashlib.sha256(repr(key).encode()).hexdigest()[:16]}.kernel")

    def _seal(self, key, body):
        head = repr((self._ground, key)).encode()
        return hashlib.sha256(len(head).to_bytes(8, "little") + head + body).digest()
