"""Where the files of a data set are, and whether they are what they should be.

The project's own copies lie in ``data/`` (in an installed package ``treelib/_data``). Files that the project
may not ship are listed with checksum and address in ``data/downloads.csv``; they are looked for

1. in the folder named by the environment variable ``TREELIB_DATA_DIR``,
2. in the cache (``TREELIB_CACHE_DIR``, or the user's cache folder),
3. at their pinned address, from where they go to the cache.

A file enters the cache whole and checked, or not at all.
"""

import csv
import gzip
import hashlib
import io
import os
import textwrap
import zlib
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from treelib.compiled.cache_root import cache_root
from treelib.compiled.whole_files import make_folder

PACKAGE = Path(__file__).resolve().parents[1]
MIRROR_VARIABLE = "TREELIB_DATA_DIR"
DOWNLOAD_TIMEOUT = 60  # seconds without an answer


class DatasetError(RuntimeError):
    """A data set cannot be had, or is not what the registry says; the message says what to do.

    Examples
    --------
    >>> from treelib import datasets
    >>> def load_or_skip(name):
    ...     try:
    ...         return datasets.load(name)
    ...     except datasets.DatasetError as error:
    ...         print(f"skipped: {error}")
    >>> load_or_skip("monk1").X.shape
    (124, 11)
    """


class Download(NamedTuple):
    """One line of ``data/downloads.csv``.

    `sha256` is empty where only the values are known, not the bytes: then the content of the loaded set is
    what is checked. `address` is empty where no pinned address is known.
    """

    path: str
    sha256: str
    address: str


def data_root():
    """Folder of the project's own copies: inside an installed package, beside it in a checkout."""
    installed = PACKAGE / "_data"
    return installed if installed.is_dir() else PACKAGE.parent / "data"


def read_csv(path):
    """Lines of a CSV file under its head, list of dict of str."""
    with open(path, newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def as_csv(columns, rows):
    """Text of a CSV file: of each row (dict) these columns, empty where it has none."""
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="", extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def read_vendored(folder):
    """Uncompressed text (bytes) of the project's own copy ``<folder>/<folder>.csv.gz``."""
    path = data_root() / folder / f"{folder}.csv.gz"
    try:
        return gzip.decompress(path.read_bytes())
    except FileNotFoundError:
        raise DatasetError(
            f"the file {path} is missing. Reinstall the package, or restore the file."
        ) from None
    except (OSError, EOFError, zlib.error) as error:
        raise DatasetError(
            f"the file {path} is damaged ({error}). Reinstall the package, or restore it."
        ) from None


@lru_cache(maxsize=1)
def downloads():
    """All files the project may use but not ship: relative path -> `Download`."""
    return {row["path"]: Download(**row) for row in read_csv(data_root() / "downloads.csv")}


def mirror_file(path):
    """Path of the file in the mirror named by ``TREELIB_DATA_DIR``, checked; None when it is not there."""
    mirror = os.environ.get(MIRROR_VARIABLE)
    if not mirror:
        return None
    root = Path(mirror).expanduser()
    if not root.is_dir():
        raise DatasetError(f"{MIRROR_VARIABLE}={mirror} is not a folder. Correct the variable, or unset it.")
    found = root / path
    if not found.is_file():
        return None
    wanted = downloads()[path].sha256
    if wanted and _sha256(found) != wanted:
        raise DatasetError(
            f"{found} has SHA-256 {_sha256(found)}, not {wanted}: it is damaged or another version. "
            f"Replace it, or unset {MIRROR_VARIABLE}."
        )
    return found


def fetch(path):
    """Local path of the listed file `path`: from the mirror, the cache, or its pinned address.

    Raises
    ------
    DatasetError : when none of them has the file; the message names the address and the variable.
    """
    download = downloads()[path]
    return mirror_file(path) or _cached(download) or _download(download)


def discard_unchecked():
    """Remove the cached files whose bytes have no checksum: a set read from one of them came out wrong."""
    for download in downloads().values():
        if not download.sha256:
            (cache_folder() / download.path).unlink(missing_ok=True)


def cache_folder():
    """Folder of downloaded data; it need not exist."""
    return cache_root() / "data"


def _cached(download):
    path = cache_folder() / download.path
    if path.is_file() and (not download.sha256 or _sha256(path) == download.sha256):
        return path
    return None  # a damaged copy is downloaded again


def _download(download):
    remedy = (
        f"Or save the file yourself as {download.path} below a folder of your choice, and name that folder "
        f"in the environment variable {MIRROR_VARIABLE}."
    )
    if not download.address:
        mirror = os.environ.get(MIRROR_VARIABLE) or "not set"
        raise DatasetError(
            f"the file {download.path} is not in {MIRROR_VARIABLE} ({mirror}), and it has no pinned address. "
            f"Save it as {download.path} below a folder of your choice, and name that folder in the variable."
        )
    target = cache_folder() / download.path
    try:
        make_folder(target.parent)
    except OSError as error:
        raise DatasetError(
            f"cannot write to the cache folder {target.parent} ({error}), so {download.address} was not "
            f"downloaded. Set TREELIB_CACHE_DIR to a folder you can write to. {remedy}"
        ) from None

    import pooch

    try:
        pooch.retrieve(
            download.address,
            known_hash=f"sha256:{download.sha256}" if download.sha256 else None,
            fname=target.name,
            path=target.parent,
            downloader=pooch.HTTPDownloader(timeout=DOWNLOAD_TIMEOUT),
        )
    except ValueError as error:  # pooch: the hash does not match; nothing was kept
        raise DatasetError(
            f"the download from {download.address} is damaged or has changed ({error}) and was thrown away. "
            f"Try again. {remedy}"
        ) from None
    except OSError as error:  # requests' errors are OSErrors: no network, refused, 404, broken off, disk full
        raise DatasetError(
            f"the download from {download.address} failed ({type(error).__name__}: "
            f"{textwrap.shorten(str(error), 120)}). "
            f"Check the network and try again. {remedy}"
        ) from None
    return target


def _sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()
