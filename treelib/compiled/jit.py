"""The one decorator for compiled functions.

``@kernel`` is ``numba.njit`` with this project's settings and an on-disk cache that cannot go stale:
numba checks only the file of the function itself, so an edited callee in another module would serve old
machine code. Here the cache folder is named by the digest of all sources the module stands on
(`treelib.compiled.sources`), and any edit below a kernel moves it to a fresh folder; its files are checked
when they are read (`treelib.compiled.disk_cache`).

Environment variables
---------------------
TREELIB_CACHE_DIR : folder for compiled kernels and downloaded data (default: the user's cache folder).
    Where it cannot be written, kernels are compiled in every process, and each says so once.
NUMBA_DISABLE_JIT, NUMBA_BOUNDSCHECK : numba's own switches, for tests. Kernels that check bounds have a cache
    of their own, since numba does not tell the two sorts apart on disk.
"""

from functools import cache

import numba

from treelib.compiled import sources
from treelib.compiled.cache_root import cache_root
from treelib.compiled.compiling import at_ease
from treelib.compiled.disk_cache import SealedCache
from treelib.compiled.whole_files import make_folder


def kernel(function=None, *, parallel=False, allocates=True, inner=False, inline=False):
    """Compile `function` with numba at its first call, with a cache on disk keyed by the sources.

    Kernels release the GIL, divide as numpy does (no ZeroDivisionError), and take numbers, arrays and
    NamedTuples of them only: functions and jitclass instances as arguments defeat the cache.

    Parameters
    ----------
    parallel : bool, let numba run ``prange`` loops in threads.
    allocates : bool. False for a kernel, all of whose callees say the same, that makes no array and returns
        none: it then runs without numba's reference counts. Every access to an array in a NamedTuple costs
        two atomic instructions otherwise, 37 % of the time of the exact search before this was turned off.
    inner : bool. True for a kernel that only kernels call, and that does not allocate: it gets no entry from
        Python, whose unpacking of large NamedTuples takes longer to compile than the kernel itself.
    inline : bool or "late". True for an inner kernel with one caller: it becomes part of that caller before
        compiling, instead of being compiled alone first and once more inside the caller. "late" for an inner
        kernel that is called often and takes little time: its machine code becomes part of every caller's. A
        call hands over each array of a NamedTuple as seven words or more, a hundred together, which took a
        third of the time of the exact search.
    """
    if function is None:
        return lambda f: kernel(f, parallel=parallel, allocates=allocates, inner=inner, inline=inline)
    options = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
    if parallel:
        options["parallel"] = True
    if inner or not allocates:
        options["_nrt"] = False
    if inner:
        options["no_cpython_wrapper"] = True
    if inline == "late":
        options["forceinline"] = True
    elif inline:
        options["inline"] = "always"
    # what only kernels call is part of their machine code, and of its place in the cache
    folder = None if inner else _cache_folder(function.__module__)
    compiled = numba.njit(**options)(function)
    if not inner and not numba.config.DISABLE_JIT:
        compiled.compile = at_ease(compiled.compile)
    if folder is None:
        return compiled
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = folder
    try:
        compiled._cache = SealedCache(function)
        return compiled
    finally:
        numba.config.CACHE_DIR = before


@cache
def _cache_folder(module):
    """Writable folder for the compiled kernels of `module`; None for foreign modules (a notebook's own
    functions, say) and where nothing can be written."""
    if not module.startswith("treelib."):
        return None
    checked = "-boundscheck" if numba.config.BOUNDSCHECK else ""
    try:
        folder = cache_root() / "kernels" / f"{module}-{sources.digest([module])}{checked}"
        make_folder(folder)
    except OSError:
        return None
    return str(folder)


import treelib.compiled.cache_check  # noqa: E402, F401  says once where nothing can be written
