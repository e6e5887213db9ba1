"""Kernels that a wheel brings, compiled where the wheel was built.

A wheel made for one kind of machine and one version of Python may hold files of compiled kernels beside this
module (`.ci/kernels_ahead.py` makes it so), with `GROUND`, which says for what they were compiled. A kernel
that the user's own cache does not hold is looked for here, and only then compiled. Nothing is taken where
numba is another version or the processor lacks what was assumed: the kernel is compiled, as without them.

Environment variables
---------------------
TREELIB_OWN_KERNELS : set it to take nothing of what a wheel brought and compile for this very processor,
    as ``treelib warm`` does. The user's cache comes first from then on.
"""

import json
import os
from functools import cache
from pathlib import Path

import numba
from llvmlite import binding

FOLDER = Path(__file__).with_name("kernels")
GROUND = "ground.json"


def files_of(place, name, key):
    """Where to look for one signature of a kernel, in what a wheel brought.

    Parameters
    ----------
    place : str, the folder of the kernel's module in a cache: its name, and the digest of its sources
    name : str, what numba calls the files of the kernel
    key : tuple (signature, (triple, processor, its features), digests of the function), numba's own

    Returns
    -------
    tuple of (Path, tuple): the stem of its files and its key there; empty where nothing runs here.
    """
    ground = None if os.environ.get("TREELIB_OWN_KERNELS") else _ground(FOLDER)
    if ground is None:
        return ()
    signature, _, function = key
    return ((FOLDER / place / name, (signature, ground, function)),)


@cache
def _ground(folder):
    """(triple, processor, features) that the kernels in `folder` were compiled for, if they run here."""
    try:
        told = json.loads((folder / GROUND).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    here = binding.get_host_cpu_features()
    fits = (
        told["numba"] == numba.__version__
        and told["triple"] == binding.get_default_triple()
        and all(here.get(feature) for feature in told["needs"])
    )
    return (told["triple"], told["processor"], "") if fits else None
