"""The committed WebAssembly files: made from the present sources, whole, light, and free of this machine."""

import base64
import gzip
import importlib.util
import re
import shutil
import subprocess
import sys
from importlib.metadata import version

import pytest

from treelib.compiled import sources
from treelib.wasm import manifest


def test_files_are_made_from_the_present_sources():
    """A page that runs kernels of yesterday."""
    assert manifest.stale() == [], "run `make wasm` and commit what it writes"


@pytest.mark.parametrize("name", manifest.DRIVERS)
def test_file_is_the_one_in_the_manifest(name):
    """A file that was edited, cut off or built without its manifest; a script with another module in it."""
    content = (manifest.FOLDER / f"{name}.wasm").read_bytes()
    assert content.startswith(b"\0asm")
    entry = manifest.read()["modules"][name]
    assert entry["sha256"] == manifest.file_digest(content) and entry["bytes"] == len(content)
    script = (manifest.FOLDER / f"{name}.wasm.js").read_text(encoding="utf-8")
    packed = base64.b64decode(re.search(r'"([A-Za-z0-9+/=]{100,})"', script)[1])
    assert gzip.decompress(packed) == content and entry["compressed"] == len(packed)


def test_files_hold_no_path():
    """Names of files or folders of the machine that built them: two machines would write other bytes."""
    for name in manifest.DRIVERS:
        content = (manifest.FOLDER / f"{name}.wasm").read_bytes()
        assert not re.search(rb"treelib/|site-packages|/home/|/tmp/|\.py\b", content)


def test_all_kernels_are_light():
    """More to load than the 300 kB that all pages together may ask for."""
    assert sum(entry["compressed"] for entry in manifest.read()["modules"].values()) <= 300_000


def test_the_page_names_every_kernel_with_its_size():
    """A kernel that the page keeps quiet about, or a size of an earlier build."""
    text = (manifest.FOLDER.parents[1] / "your_table.md").read_text(encoding="utf-8")
    named = re.findall(r"^\| `treelib\.(\S+)` .* (\d+) \|$", text, flags=re.M)
    rooms = {"sparse": "sparse.exact", "branching": "sparse.paper"}
    sizes = {
        rooms.get(name, name): str(round(entry["compressed"] / 1000))
        for name, entry in manifest.read()["modules"].items()
    }
    assert dict(named) == sizes


@pytest.mark.parametrize("where", ["treelib/sparse/exact/search.py", "treelib/wasm/runtime.c"])
def test_an_edited_source_makes_a_file_stale(tmp_path, monkeypatch, where):
    """A digest that does not see what the module is made from."""
    ignore = shutil.ignore_patterns("__pycache__")
    package = shutil.copytree(sources.PACKAGE, tmp_path / "treelib", ignore=ignore)
    edited = tmp_path / where
    text = edited.read_text(encoding="utf-8")
    old, new = ("4.0 * price", "3.0 * price") if where.endswith(".py") else ("digits += 1", "digits += 2")
    assert old in text
    edited.write_text(text.replace(old, new), encoding="utf-8")
    monkeypatch.setattr(sources, "PACKAGE", package)
    monkeypatch.setattr(manifest, "__file__", str(package / "wasm" / "manifest.py"))
    assert "sparse" in manifest.stale()


def test_text_does_not_depend_on_the_length_of_a_path():
    """Errors hold a pickle with the path of their source: another folder, another length, other bytes."""
    from treelib.wasm import build

    text = (
        '@.const.pickledata.{name} = internal constant [{n} x i8] c"{path}"\n'
        "@.const.picklebuf.{name} = internal constant {{ ptr, i32, ptr, ptr, i32 }} "
        "{{ ptr @.const.pickledata.{name}, i32 {n}, ptr null, ptr null, i32 0 }}\n"
    )
    short, long = (
        build._retarget(text.format(name="0a.1", path=path, n=len(path)), "e")
        for path in ("/a.py", "/folder/a.py")
    )
    assert short == long and ".py" not in short


@pytest.mark.long
@pytest.mark.parametrize("name", manifest.DRIVERS)
def test_building_again_writes_the_same_bytes(name, tmp_path):
    """A build that depends on the machine, the day, the folder of the sources or the order of a set."""
    if importlib.util.find_spec("ziglang") is None:
        pytest.skip("ziglang is not installed; install the extra 'wasm'")
    made_with = manifest.read()["made with"]
    here = {tool: version(tool) for tool in made_with}
    if here != made_with:
        pytest.skip(f"the files were made with {made_with}, here are {here}")
    from treelib.wasm import build

    program = (
        "import hashlib, sys; from treelib.wasm import build;"
        "print(hashlib.sha256(build.module_bytes(sys.argv[1])).hexdigest())"
    )
    shutil.copytree(manifest.FOLDER.parents[2] / "treelib", tmp_path / "treelib")
    command = [sys.executable, "-W", "ignore", "-c", program, name]
    with build.settings() as environment:
        environment["PYTHONPATH"] = str(tmp_path)
        found = subprocess.run(
            command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=True
        )
    assert found.stdout.strip() == manifest.read()["modules"][name]["sha256"]
