"""How numba's compiler is run, so that a first fit does not wait longer than it must.

What it compiles is the same. It stands apart from `treelib.compiled.jit`: no result's key hangs on it.
"""

from treelib.compiled.garbage import garbage_kept


def at_ease(function):
    """`function`, which compiles, called where it has room for its frames and nobody looks for garbage.

    From 3.11 on, Python keeps its frames in pieces of 16 KB, takes a new piece from the system where a frame
    does not fit, and gives it back when that frame returns. numba's compiler calls itself hundreds of frames
    deep; a small function that is called in a loop just where a piece ends takes and returns one a call. In a
    first fit these were 430,000 pieces, and a third of its time. A frame that wants more than half a megabyte
    gets a piece of a whole one, and those above it find place in the rest.

    What the compiler makes it keeps to its end, nearly all of it. To walk through it for garbage again and
    again took another sixth of a first fit; without that, it holds 80 MB more for a while.
    """

    def roomy(*arguments):
        with garbage_kept():
            return function(*arguments)

    roomy.__code__ = roomy.__code__.replace(co_stacksize=70_000)  # in words of eight bytes
    return roomy
