"""The folder in which treelib keeps what is not made twice: kernels, downloaded data, notebooks' results."""

import os
from pathlib import Path


def cache_root():
    """Folder that treelib may write its caches to; it need not exist.

    Raises
    ------
    OSError : nobody knows the user's home, as in a container that runs under a number without an account.
    """
    chosen = os.environ.get("TREELIB_CACHE_DIR")
    try:
        if chosen:
            return Path(chosen).expanduser()
        base = (
            os.environ.get("XDG_CACHE_HOME")
            or (os.environ.get("LOCALAPPDATA") if os.name == "nt" else None)
            or Path.home() / ".cache"
        )
    except RuntimeError:
        raise OSError(
            f"TREELIB_CACHE_DIR is {chosen!r} and no home folder is known; set it to a writable folder."
        ) from None
    return Path(base) / "treelib"
