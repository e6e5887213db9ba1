"""What is read is never run, what is shown is escaped, what is fetched is pinned."""

import ast
import csv
import re
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from treelib.datasets import files

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))

# calls that run, or may run, what they read
RUNS_DATA = {
    "eval", "exec", "compile", "__import__", "os.system", "os.popen",
    "pickle.load", "pickle.loads", "pickle.Unpickler", "dill.load", "dill.loads", "cloudpickle.load",
    "cloudpickle.loads", "marshal.load", "marshal.loads", "shelve.open", "joblib.load", "yaml.load",
    "yaml.unsafe_load", "yaml.full_load", "pd.read_pickle", "pandas.read_pickle", "pd.eval", "pandas.eval",
    "torch.load",
}  # fmt: skip
# archives that write where their members say
UNPACKS = {"extractall", "unpack_archive", "ZipFile", "TarFile"}
ALLOWED = {
    ("treelib/compiled/disk_cache.py", "pickle.loads"),  # numba's machine code, in the user's own cache
    # what a process says that this one has forked, over a pipe between the two
    ("treelib/papers/across/comparison/own_process.py", "pickle.loads"),
    ("treelib/wasm/language/same_source.py", "exec"),  # functions made from names in our sources
}


def sources():
    for folder in ("treelib", "book", "notebooks"):
        yield from sorted((ROOT / folder).rglob("*.py"))


def dotted(node):
    """``a.b.c`` of a call's function, or its last name where it hangs on something else."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    parts += [node.id] if isinstance(node, ast.Name) else []
    return ".".join(reversed(parts))


def offences(text):
    """(line, call) of what runs its data, unpacks archives, or starts a shell."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call):
            continue
        name = dotted(node.func)
        options = {keyword.arg: keyword.value for keyword in node.keywords}
        for option in ("allow_pickle", "shell"):
            value = options.get(option)
            if value is not None and not (isinstance(value, ast.Constant) and value.value is False):
                yield node.lineno, option
        if name in RUNS_DATA or name.rpartition(".")[2] in UNPACKS:
            yield node.lineno, name


def test_nothing_that_is_read_is_run():
    """A result, tree, forest or table that runs code where it is opened; an archive that writes outside."""
    found = {
        (str(path.relative_to(ROOT)), call)
        for path in sources()
        for _, call in offences(path.read_text(encoding="utf-8"))
    }
    assert found == ALLOWED


@pytest.mark.parametrize(
    "text",
    [
        "pickle.load(f)",
        "np.load(f, allow_pickle=True)",
        "joblib.load(f)",
        "yaml.load(f)",
        "eval(x)",
        "tar.extractall(place)",
        "subprocess.run(x, shell=True)",
    ],
)
def test_the_search_for_it_finds_it(text):
    """A search that sees nothing."""
    assert list(offences(text))


def test_downloads_are_pinned():
    """An address that is not encrypted, or whose content may change without notice."""
    with open(ROOT / "data" / "downloads.csv", newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    for row in rows:
        path = Path(row["path"])
        assert not path.is_absolute() and ".." not in path.parts
        assert re.fullmatch(r"[0-9a-f]{64}|", row["sha256"])
        if not row["address"]:
            continue
        assert row["address"].startswith("https://")
        has_commit = re.search(r"/[0-9a-f]{40}/", row["address"])
        assert has_commit or row["sha256"], row["path"]
        if "githubusercontent" in row["address"]:
            assert has_commit, row["path"]


def test_every_set_is_checked_by_content():
    """A file without a checksum of its bytes whose content nobody checks either."""
    from treelib import datasets

    unchecked = [name for name in datasets.names() if not datasets.info(name).sha256]
    # of the rows of one set only shape and class counts are known; it is online only
    assert set(unchecked) <= {"tsallis/HAR"}, unchecked


def test_downloaded_file_with_another_content_is_thrown_away(tmp_path, monkeypatch):
    """A file changed on the way, or at its address, that enters the cache."""
    import pooch

    def other_content(url, output_file, downloader):
        Path(output_file).write_bytes(b"another content")

    monkeypatch.setenv("TREELIB_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv(files.MIRROR_VARIABLE, raising=False)
    monkeypatch.setattr(pooch, "HTTPDownloader", lambda **_: other_content)
    path = next(p for p, d in files.downloads().items() if d.sha256 and d.address)
    with pytest.raises(files.DatasetError, match="thrown away"):
        files.fetch(path)
    assert not [p for p in tmp_path.rglob("*") if p.is_file()]


def test_damaged_cached_file_is_not_used(tmp_path, monkeypatch):
    """A damaged file of the cache that is read as the data."""
    monkeypatch.setenv("TREELIB_CACHE_DIR", str(tmp_path))
    download = next(d for d in files.downloads().values() if d.sha256)
    kept = files.cache_folder() / download.path
    kept.parent.mkdir(parents=True)
    kept.write_bytes(b"damaged")
    assert files._cached(download) is None


def test_table_of_the_reader_is_a_local_file():
    """An address in the place of a file that is fetched without a word."""
    from treelib.owndata.read import read_table

    with pytest.raises(ValueError, match="no file"):
        read_table("https://example.org/data.csv", "y")


# ---- what is shown ----------------------------------------------------------------------------------------

HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\"'><svg onload=alert(1)>",
    "</title></style></pre></desc><script>alert(2)</script>",
    "]]>--><b onclick=x>",
    "&lt;script&gt;",
)


class Page(HTMLParser):
    """Tags and attributes of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.text = set(), set(), ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attributes}

    def handle_data(self, data):
        self.text += data


def is_harmless(text):
    page = Page(text)
    assert not page.tags & {"script", "img", "iframe", "object", "embed", "b"}, page.tags
    assert not [name for name in page.attributes if name.startswith("on")], page.attributes
    return page


@pytest.mark.parametrize("method", ["topdown", "sparse"])
def test_report_escapes_all_data(tmp_path, method):
    """A column or class of a table that runs a script in the report on it."""
    from treelib.cli import main

    rng = np.random.default_rng(0)
    X = rng.random((80, 4))
    frame = pd.DataFrame(X, columns=list(HOSTILE[:4]))
    frame["colour"] = rng.choice(HOSTILE, 80)
    frame["const"] = 1
    frame[HOSTILE[4]] = np.where(X[:, 0] > 0.5, HOSTILE[0], HOSTILE[1])
    name = tmp_path / "<img src=x onerror=alert(1)>&.csv"
    frame.to_csv(name, index=False)
    out = tmp_path / "report.html"
    arguments = ["fit", str(name), "--target", HOSTILE[4], "--method", method, "--out", str(out), "--quiet"]
    assert main(arguments) == 0
    page = is_harmless(out.read_text())
    for text in (HOSTILE[0], HOSTILE[1], name.name):
        assert text in page.text
    is_harmless(out.with_suffix(".svg").read_text())


def test_drawings_escape_all_names():
    """A feature or class name that leaves its place in a drawing or in a notebook."""
    from treelib.tree.stored import Tree

    tree = Tree.from_nested((0, 0.5, (1, 0.5, 0, 1), 2), feature_names=HOSTILE[:2], class_names=HOSTILE[2:5])
    for text in (tree.to_svg(title=HOSTILE[3]), tree._repr_html_()):
        is_harmless(text)


def test_records_escape_all_data(monkeypatch):
    """A stored result that runs a script on the page of its records."""
    pytest.importorskip("yaml", reason="the extra 'book' is not installed")
    pytest.importorskip("sphinx", reason="the extra 'book' is not installed")
    monkeypatch.syspath_prepend(str(ROOT / "book" / "_ext"))
    html = import_module("ledger_html")
    text = HOSTILE[0]
    ran = {
        "started": text, "seconds": 1.0, "cpu_seconds": 1.0, "peak_bytes": 1, "seed": text, "commit": text,
        "treelib": text, "python": text, "packages": {text: text}, "platform": text, "cpu": text, "cores": 2,
        "sources": text, "data": {text: text},
    }  # fmt: skip
    entry = {"key": text, "case": {text: text}, "result": {text: text}, "provenance": ran}
    is_harmless(html.records_html([entry], "osdt.t1"))
    row = dict.fromkeys(("printed", "ours", "item", "cause", "unit", "verdict", "rule"), text)
    row |= {"id": "osdt.t1", "check": "osdt.judge"}
    is_harmless(import_module("ledger_scorecard").differing([row], import_module("citing").Site()))


# ---- workflows --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflow_is_pinned_and_has_least_rights(path):
    """An action that its owner can change under us, or a job that may write where it only reads."""
    text = path.read_text(encoding="utf-8")
    uses = re.findall(r"uses:\s*(\S+)(.*)", text)
    assert uses
    for action, comment in uses:
        assert re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}", action), action
        assert re.search(r"# v\d", comment), f"{action}: which version is it?"
    head = text.partition("\njobs:")[0]
    assert re.search(r"^permissions:\n  contents: read$", head, re.M)
    assert "pull_request_target" not in text
    assert "${{ github.event" not in text and "write-all" not in text
    assert text.count("actions/checkout@") == text.count("persist-credentials: false")
    for name, body in re.findall(r"^  (\w[\w-]*):\n((?:    .*\n|\n)*)", text.partition("\njobs:\n")[2], re.M):
        assert "timeout-minutes" in body, f"{name} may run for hours"
        if ": write" in body:  # what may write runs none of our code
            assert "run:" not in body and "actions/checkout" not in body, name


def test_an_audit_that_looks_nothing_up_fails():
    """An audit that is green because the database of vulnerabilities was not reached."""
    assert "pip-audit --strict" in (ROOT / "Makefile").read_text(encoding="utf-8")
