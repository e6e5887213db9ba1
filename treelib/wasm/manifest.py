"""What the committed WebAssembly files were made from, and whether they are still what would be made."""

import base64
import gzip
import hashlib
import json
from importlib.metadata import version
from pathlib import Path

from treelib.ledger import reach

DRIVERS = ("sparse", "branching", "topdown", "dyadic", "bornagain")
FOLDER = Path(__file__).resolve().parents[2] / "book" / "_static" / "wasm"
MANIFEST = "manifest.json"
TOOLS = ("numba", "llvmlite", "ziglang")


def source_digest(name):
    """Hexadecimal SHA-256 (16 digits) of all that the module of a driver is made from, tools apart."""
    here = Path(__file__).resolve().parent
    state = hashlib.sha256((here / "runtime.c").read_bytes())
    # modules as a whole: numba finds what they teach it by no name
    for source in ("build.module_bytes", "language.same_source", name):
        state.update(reach.digest(f"treelib.wasm.{source}").encode())
    return state.hexdigest()[:16]


def file_digest(content):
    return hashlib.sha256(content).hexdigest()


def write(modules, folder=FOLDER):
    """Write the modules, dict of name to bytes, what pages load them from, and the manifest."""
    folder.mkdir(parents=True, exist_ok=True)
    entries = {}
    for name, content in modules.items():
        packed = gzip.compress(content, 9, mtime=0)
        (folder / f"{name}.wasm").write_bytes(content)
        (folder / f"{name}.wasm.js").write_text(script_of(name, packed), encoding="utf-8")
        entries[name] = {
            "sources": source_digest(name),
            "sha256": file_digest(content),
            "bytes": len(content),
            "compressed": len(packed),
        }
    tools = {tool: version(tool) for tool in TOOLS}
    text = json.dumps({"modules": entries, "made with": tools}, indent=2, sort_keys=True)
    (folder / MANIFEST).write_text(text + "\n", encoding="utf-8")


def script_of(name, packed):
    """A script that hands a page the compressed module as text: a page from a disk may load no other file."""
    text = base64.b64encode(packed).decode("ascii")
    return f'(globalThis.treelibWasm ??= {{}})["{name}"] = "{text}";\n'


def read(folder=FOLDER):
    """The manifest, a dict."""
    return json.loads((folder / MANIFEST).read_text(encoding="utf-8"))


def stale(folder=FOLDER):
    """Names of the modules whose sources have changed since they were built, sorted."""
    entries = read(folder)["modules"] if (folder / MANIFEST).is_file() else {}
    return sorted(name for name in DRIVERS if entries.get(name, {}).get("sources") != source_digest(name))
