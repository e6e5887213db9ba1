"""Says once in a process that compiled kernels cannot be kept on disk, and what to do.

It stands apart from `treelib.compiled.jit`, which finds that out for each kernel and goes on, and which
imports it at its end: whether a kernel is kept changes no result, so that no result's key hangs on it.
"""

import tempfile
import warnings

from treelib.compiled.cache_root import cache_root


def warn_unwritable():
    """RuntimeWarning where the folder of the compiled kernels cannot be written."""
    try:
        folder = cache_root() / "kernels"
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        warnings.warn(
            f"treelib cannot keep its compiled kernels on disk ({error}): each process compiles them again, "
            "which takes seconds to minutes. Set TREELIB_CACHE_DIR to a folder that can be written.",
            RuntimeWarning,
            stacklevel=2,
        )


warn_unwritable()
