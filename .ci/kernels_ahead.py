"""Make of a pure wheel one that brings compiled kernels (`treelib.compiled.ahead`).

``python .ci/kernels_ahead.py dist/treelib_companion-1.0-py3-none-any.whl`` writes a second wheel beside it,
for this version of Python and machines like this one. The kernels are those of ``treelib warm``, compiled
from the sources in the wheel, for the plainest processor that the wheel promises to run on.
"""

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import numba
from llvmlite import binding

# LLVM's name of the plainest processor, and the features by which a later one is known to do the same
PROCESSORS = {
    "x86_64": ("x86-64-v3", "avx avx2 bmi bmi2 cx16 f16c fma lzcnt movbe popcnt sahf sse4.2 xsave".split()),
    "aarch64": ("generic", []),
    "arm64": ("apple-m1", []),
}
PROCESSORS["AMD64"] = PROCESSORS["x86_64"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--jobs", type=int, help="processes that compile (all cores)")
    options = parser.parse_args()
    machine = platform.machine()
    if machine not in PROCESSORS:
        parser.error(f"no processor is known to compile for on {machine}; add it to PROCESSORS.")
    processor, needs = PROCESSORS[machine]
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        wheel("unpack", options.wheel, "--dest", scratch / "unpacked")
        (content,) = (scratch / "unpacked").iterdir()
        compile_kernels(content, scratch / "cache", processor, options.jobs)
        into = content / "treelib" / "compiled" / "kernels"
        count = gather(scratch / "cache" / "kernels", into)
        ground = {
            "numba": numba.__version__,
            "triple": binding.get_default_triple(),
            "processor": processor,
            "needs": needs,
        }
        (into / "ground.json").write_text(json.dumps(ground, indent=1) + "\n")
        wheel("pack", content, "--dest-dir", scratch)
        (packed,) = scratch.glob("*.whl")
        python = f"cp{sys.version_info.major}{sys.version_info.minor}"
        tags = ("--python-tag", python, "--abi-tag", "none", "--platform-tag", platform_tag(), "--remove")
        wheel("tags", *tags, packed)
        (made,) = scratch.glob("*.whl")
        shutil.copy(made, options.wheel.parent)
    print(f"{count} kernels for {processor} in {options.wheel.parent / made.name}")


def wheel(*arguments):
    subprocess.run(
        [sys.executable, "-m", "wheel", *map(str, arguments)], check=True, stdout=subprocess.DEVNULL
    )


def compile_kernels(package, cache, processor, jobs):
    """Fill the folder `cache` by the program of `package`, an unpacked wheel."""
    variables = {
        **os.environ,
        "PYTHONPATH": str(package),
        "TREELIB_CACHE_DIR": str(cache),
        "NUMBA_CPU_NAME": processor,
        "NUMBA_CPU_FEATURES": "",
    }
    command = [sys.executable, "-m", "treelib.cli", "warm"] + (["--jobs", str(jobs)] if jobs else [])
    subprocess.run(command, env=variables, cwd=package, check=True)


def gather(cache, into):
    """Copy the kernels of a cache to where a wheel has them; no folder is named by a path of this machine."""
    files = list(cache.glob("*/*/*.kernel"))
    for file in files:
        target = into / file.parents[1].name / file.name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, target)
    return len(files)


def platform_tag():
    """Machines that the wheel is for: those of llvmlite's wheels, which compiled it."""
    if sys.platform == "linux":
        return f"manylinux_2_28_{platform.machine()}"
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")


if __name__ == "__main__":
    main()
