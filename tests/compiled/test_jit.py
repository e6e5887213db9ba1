"""Compiled functions get the arrays that they were compiled for."""

import os
import subprocess
import sys

import pytest
from numba.core.dispatcher import Dispatcher

from treelib.compiled.compiling import at_ease
from treelib.compiled.jit import kernel

# Two NamedTuples that differ in the first field alone; all others make their description longer than the 40
# bytes that numba keeps without asking for memory.
SCRIPT = """
from typing import NamedTuple

import numpy as np
from treelib.compiled.jit import kernel


class Tables(NamedTuple):
    values: np.ndarray
    row: np.ndarray
    stride: np.ndarray
    classes: np.ndarray
    is_lane: np.ndarray


@kernel(allocates=False)
def first(tables):
    return tables.values[0]


rest = [np.zeros(1, dtype=np.int64)] * 4
for dtype in (np.uint16, np.uint32, np.float32, np.int64, np.float64):
    print(first(Tables(np.array([7], dtype=dtype), *rest)), end=" ")
"""


@pytest.mark.parametrize("fill", [0, 165])
def test_tuples_that_differ_in_one_array_are_told_apart(tmp_path, fill):
    """numba before 0.61 left 40 bytes of the description of a longer tuple as the memory happened to be: a
    kernel for 16 bits got numbers of 32, and one for whole numbers could get floats. `fill` is what fresh
    memory holds, where the system's C library can be asked for it.
    """
    variables = {
        "TREELIB_CACHE_DIR": str(tmp_path),
        "GLIBC_TUNABLES": f"glibc.malloc.perturb={fill}:glibc.malloc.tcache_count=0",
    }
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env=os.environ | variables,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.stdout == "7 7 7.0 7 7.0 ", done.stderr


def test_compiling_has_room_for_its_frames():
    """A frame that is no larger than the others: Python then asks the system for memory at every call of a
    function that lies at the end of a piece of its stack, at some of these depths."""
    resource = pytest.importorskip("resource", reason="pages taken are counted by Unix")

    def leaf(a=0, b=0, c=0, d=0, e=0, f=0, g=0, h=0, i=0, j=0):
        return a, b, c, d, e, f, g, h, i, j

    def pages_taken(depth):
        if depth:
            return pages_taken(depth - 1)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        for _ in range(200):
            leaf()
        return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

    assert max(at_ease(pages_taken)(depth) for depth in range(600)) < 100


def test_kernels_are_compiled_with_room(monkeypatch):
    """A kernel that compiles in a frame like any other: the room is made for nobody."""
    sizes = []

    def compile_and_look(self, signature):
        frame = sys._getframe()
        while frame is not None:
            sizes.append(frame.f_code.co_stacksize)
            frame = frame.f_back
        return compiling(self, signature)

    compiling = Dispatcher.compile
    monkeypatch.setattr(Dispatcher, "compile", compile_and_look)
    assert kernel(lambda x: x + 1)(1) == 2 and max(sizes) >= 70_000
