"""The patches of the page "Extend it" against the code of today."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
# the paper uses the data set before it
PATCHES = ("criterion", "bound", "data-set", "paper")
TESTS = {
    "criterion": ["tests/topdown/test_renyi.py"],
    "bound": ["tests/sparse/test_branch_and_bound.py"],
    "data-set": ["tests/datasets/test_values.py", "-k", "saturdays or registry"],
    "paper": ["tests/papers/quinlan", "tests/papers/test_errata.py"],
}
# what a reader sees of a paper, made as the build makes it
SHOWN = """
import sys
sys.path.insert(0, "book/_ext")
import citing, ledger_html, ledger_scorecard
import treelib.papers
from treelib.ledger import errata, experiments, store, verdicts
from treelib.ledger.papers import groups, papers

store.run("quinlan.gain", jobs=1)
rows = [verdicts.row(verdict) for verdict in verdicts.judged("quinlan")]
site = citing.Site()
print(ledger_scorecard.scorecard(rows, site), ledger_scorecard.differing(rows, site))
print(ledger_scorecard.grounds(rows))
print(ledger_scorecard.headline(rows), ledger_scorecard.kind_table(rows))
print(ledger_scorecard.counts_table(rows, "paper", "paper", "Counts", groups()))
print(ledger_html.records_index(""), ledger_html.record_page(experiments.get("quinlan.gain"), ""))
print(citing.title_of("quinlan"), papers()["quinlan"].url, errata.errata("quinlan"), citing.zenodo())
"""
pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def patch(name):
    return ROOT / "book" / "extend" / f"{name}.diff"


def apply(folder, name):
    """What git says against the patch, "" if it applies; `folder` is no repository of its own."""
    environment = os.environ | {"GIT_CEILING_DIRECTORIES": str(folder.parent)}
    command = ["git", "apply", "--whitespace=error-all", str(patch(name))]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True).stderr


def copied(folder):
    """A copy of the sources without results, compiled modules included, and the environment to run it."""
    copy = folder / "copy"
    for name in ("treelib", "tests", "data", "book", "notebooks"):
        left_out = shutil.ignore_patterns("results" if name == "data" else "_build")
        shutil.copytree(ROOT / name, copy / name, ignore=left_out)
    for file in ("pyproject.toml", "_toc.yml", "CITATION.cff"):
        shutil.copyfile(ROOT / file, copy / file)
    environment = os.environ | {"PYTHONPATH": str(copy), "TREELIB_CACHE_DIR": str(folder / "cache")}
    environment.pop("TREELIB_STALE", None)
    return copy, environment


def test_page_shows_all_patches():
    """A patch that nobody sees, or a page that shows another file."""
    shown = re.findall(r"literalinclude\} extend/([\w-]+)\.diff", (ROOT / "book" / "extend.md").read_text())
    assert tuple(shown) == PATCHES == tuple(TESTS)
    assert {path.stem for path in patch("bound").parent.iterdir()} == set(PATCHES)


def test_patches_apply(tmp_path):
    """A patch to code that has changed since."""
    for name in PATCHES:
        for file in re.findall(r"^--- a/(.+)$", patch(name).read_text(), re.MULTILINE):
            there = tmp_path / file
            if not there.exists():
                there.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / file, there)
    for name in PATCHES:
        assert apply(tmp_path, name) == "", name


@pytest.mark.long
def test_patched_code_passes_the_tests_that_come_with_it(tmp_path):
    """A patch that applies and does not work."""
    copy, environment = copied(tmp_path)
    for name in PATCHES:
        assert apply(copy, name) == "", name
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", *TESTS[name]]
        done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, f"{name}: {done.stdout[-2000:]}{done.stderr[-500:]}"


def test_a_fifth_paper_is_shown_everywhere(tmp_path):
    """A page that knows four papers by name: the scorecard ended in a KeyError."""
    copy, environment = copied(tmp_path)
    for name in ("data-set", "paper"):
        assert apply(copy, name) == "", name
    command = [sys.executable, "-c", SHOWN]
    done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    for seen in (
        "Induction",
        "quinlan.s4.outlook.gain",
        "quinlan.gain",
        "https://doi.org/10.1007/BF00116251",
    ):
        assert seen in done.stdout, seen
