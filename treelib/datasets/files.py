"""Where the files of a data set are, and whether they are what they should be."""

import gzip
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]


def data_root():
    """Folder of the project's own copies: inside an installed package, beside it in a checkout."""
    installed = PACKAGE / "_data"
    return installed if installed.is_dir() else PACKAGE.parent / "data"


def read_vendored(folder):
    """Uncompressed text of the project's own copy ``data/<folder>/<folder>.csv.gz``."""
    return gzip.decompress((data_root() / folder / f"{folder}.csv.gz").read_bytes())
