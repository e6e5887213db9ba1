"""Says once in a process that compiled kernels cannot be kept on disk, and what to do.

It stands apart from `treelib.compiled.jit`, which finds that out for each kernel and goes on, and which
imports it at its end: whether a kernel is kept changes no result, so that no result's key hangs on it.
"""

import warnings

from treelib.compiled.cache_root import cache_root
from treelib.compiled.whole_files import make_folder


def warn_unwritable():
    """RuntimeWarning where the folder of the compiled kernels cannot be written."""
    try:
        make_folder(cache_root() / "kernels")
    except OSError as error:
        warnings.warn(
            f"treelib cannot keep its compiled kernels on disk ({error}): each process compiles them again, "
            "which takes seconds to minutes. Set TREELIB_CACHE_DIR to a folder that can be written.",
            RuntimeWarning,
            stacklevel=2,
        )


warn_unwritable()
