"""The wheel and the sdist: what is in them, and whether they work in an environment of their own."""

import os
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MOST_BYTES = 4_000_000  # of a package without kernels
# the example of the README with its clock, and how many kernels were compiled
FIRST_FIT = """
import time
began = time.perf_counter()
import numba.core.event
compiled = []
class Listener(numba.core.event.Listener):
    def on_start(self, event): compiled.append(event.data["dispatcher"].py_func)
    def on_end(self, event): pass
numba.core.event.register("numba:compile", Listener())
from sklearn.datasets import load_breast_cancer
from treelib import OptimalSparseTreeClassifier
X, y = load_breast_cancer(return_X_y=True, as_frame=True)
model = OptimalSparseTreeClassifier(regularization=0.02).fit(X, y)
assert model.is_optimal_
print(f"{time.perf_counter() - began:.1f} s")
assert not [f for f in compiled if f.__module__.startswith("treelib")], compiled
"""
PROGRAM = """
import sys
from pathlib import Path
import numpy as np, treelib
assert Path(treelib.__file__).is_relative_to(sys.prefix), treelib.__file__
X = np.random.default_rng(0).random((200, 3))
y = (X[:, 0] > 0.5) ^ (X[:, 1] > 0.3)
model = treelib.OptimalSparseTreeClassifier(0.01, max_thresholds=8).fit(X, y)
assert model.is_optimal_ and model.score(X, y) > 0.8
assert "model_predict" in model.tree_.to_c()
from treelib import datasets
from treelib.ledger import claims
assert datasets.names() and (Path(treelib.__file__).parent / "py.typed").is_file()
"""


def run(*command, **options):
    # PYTHONPATH would lead to the checkout
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800, env=clean, **options)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Folder with the wheel and the sdist, which the wheel is built from."""
    if find_spec("build") is None:
        pytest.skip("the package build is not installed: pip install build")
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--outdir", str(out), cwd=ROOT)
    return out


@pytest.mark.long
def test_packages_hold_what_they_need(built):
    """A package without its types, its sources, its data or the stub, or one that has become large."""
    (wheel,), (sdist,) = built.glob("*.whl"), built.glob("*.tar.gz")
    names = zipfile.ZipFile(wheel).namelist()
    for name in ("treelib/py.typed", "treelib/__init__.pyi", "treelib/_data/claims/papers.csv"):
        assert name in names
    modules = {str(path.relative_to(ROOT)) for path in (ROOT / "treelib").rglob("*.py")}
    assert modules <= set(names)
    assert not [name for name in names if name.startswith(("tests/", "notebooks/"))]
    assert max(wheel.stat().st_size, sdist.stat().st_size) <= MOST_BYTES
    with tarfile.open(sdist) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "LICENSE", "README.md", "treelib/py.typed"} <= inside


@pytest.mark.long
@pytest.mark.parametrize("kind", ["*.whl", "*.tar.gz"])
def test_packages_work_in_a_clean_environment(built, kind, tmp_path):
    """A dependency, a module or a data file that only the checkout has."""
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    (package,) = built.glob(kind)
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(package))
    (tmp_path / "program.py").write_text(PROGRAM)
    run(python, "program.py", cwd=tmp_path)
    table = tmp_path / "table.csv"
    table.write_text("age,pay,y\n" + "".join(f"{i % 7},{i % 11},{int(i % 7 > 3)}\n" for i in range(154)))
    command = [python, "-m", "treelib.cli"]
    run(*command, "fit", "table.csv", "--target", "y", "--out", "r.html", "--quiet", cwd=tmp_path)
    run(*command, "export", "r.json", "--to", "c", cwd=tmp_path)


@pytest.mark.long
def test_wheel_with_kernels_compiles_nothing(built, tmp_path, monkeypatch):
    """A wheel with kernels that are not found after `pip install`: seconds of compiling in a first fit."""
    numba = pytest.importorskip("numba", reason="kernels are compiled with the numba of this environment")
    pytest.importorskip("wheel")

    (wheel,) = built.glob("*-py3-none-any.whl")
    folder = tmp_path / "dist"
    folder.mkdir()
    shutil.copy(wheel, folder)
    run(sys.executable, str(ROOT / ".ci" / "kernels_ahead.py"), str(folder / wheel.name))
    (made,) = set(folder.glob("*.whl")) - {folder / wheel.name}
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    same = f"numba=={numba.__version__}"
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(made), same)
    (tmp_path / "program.py").write_text(FIRST_FIT)
    monkeypatch.setenv("TREELIB_CACHE_DIR", str(tmp_path / "cache"))
    print(run(python, "program.py", cwd=tmp_path))
