"""What was read in source files, kept on disk: to parse sixty of them takes longer than many a fit.

An entry belongs to the bytes of one file and to the function that reads them, the whole to the bytes of the
module of that function. So nothing here goes stale. The file begins with a checksum: what is damaged or
missing is read again.
"""

import atexit
import hashlib
import json
from functools import cache
from pathlib import Path

from treelib.compiled.cache_root import cache_root
from treelib.compiled.whole_files import write_whole

# entries on disk, beyond which only those that this process asked for stay: a checkout is edited for years
MOST_ENTRIES = 2000


def read(content, reader):
    """Value of ``reader(text)``, from disk where it is known.

    Parameters
    ----------
    content : bytes, of a source file in UTF-8
    reader : function of the text alone that returns lists, dicts and strings

    Returns
    -------
    as `reader`
    """
    store = _store(Path(reader.__code__.co_filename))
    key = hashlib.sha256(reader.__name__.encode() + b"\0" + content).hexdigest()[:32]
    value = store.known.get(key)
    if value is None:
        value = store.known[key] = reader(content.decode("utf-8"))
        store.is_new = True
    store.used.add(key)
    return value


@cache
def _store(module):
    store = _Store(module)
    atexit.register(store.save)
    return store


class _Store:
    """The entries of the functions of one module, a file in the cache folder."""

    def __init__(self, module):
        self.known, self.used, self.is_new, self._path = {}, set(), False, None
        try:
            digest = hashlib.sha256(module.read_bytes()).hexdigest()[:16]
            self._path = cache_root() / f"{module.stem}-{digest}.json"
            seal, _, body = self._path.read_bytes().partition(b"\n")
        except OSError:
            return
        if seal == _seal(body):
            self.known = json.loads(body)

    def save(self):
        """Write what was read anew; where it cannot be written, it is read again the next time."""
        if not self.is_new or self._path is None:
            return
        kept = self.known
        if len(kept) > MOST_ENTRIES:
            kept = {key: kept[key] for key in self.used}
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            body = json.dumps(kept).encode()
            write_whole(self._path, _seal(body) + b"\n" + body)
        except OSError:
            pass


def _seal(body):
    return hashlib.sha256(body).hexdigest().encode()
