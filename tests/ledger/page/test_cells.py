"""What cells show, in the book and in a notebook that somebody downloaded."""

import re
from pathlib import Path

import pytest

from treelib.ledger import claims, page, store, tables
from treelib.ledger.page import cells, origins, place
from treelib.ledger.page.plain import Plain
from treelib.papers import reproduce

ROOT = Path(__file__).resolve().parents[3]
HERE = claims.Verdict(claims.find("osdt.f5.osdt.accuracy"), claims.MATCH, 82.881, rule="printed digits")
MYST = re.compile(r"\{[\w:]+\}`|:::|\.\./")


@pytest.fixture
def in_book(monkeypatch):
    monkeypatch.setenv(place.BOOK_VARIABLE, "1")


@pytest.fixture
def watch(monkeypatch):
    """A watch of its own, whose clock goes on by one second whenever it is read."""
    ticks = iter(range(1, 1000))
    fresh = cells.Watch(clock=lambda: next(ticks))
    monkeypatch.setattr(cells, "WATCH", fresh)
    return fresh


def shown(text):
    return text._repr_mimebundle_()[0]["text/markdown"]


def test_site_is_the_published_one():
    """Links of downloads that lead to another site than the one that is published."""
    config = (ROOT / "_config.yml").read_text(encoding="utf-8")
    is_public = re.search(r"site_is_public: (\w+)", config)[1] == "true"
    assert place.SITE == (re.search(r"baseurl: (\S+)/\n", config)[1] if is_public else "")


def test_text_is_myst_in_the_book_and_plain_elsewhere(monkeypatch):
    """A directive, role or relative link in a downloaded notebook; a book that lost its numbered tables."""
    text = page.Markdown("See {numref}`x-table` and [records](../records/a.html), {cite:t}`osdt`.\n\n")
    text += (
        ":::{table} A caption.\n:name: x-table\n\n| a |\n| :-- |\n| {verdict}`osdt.f4.osdt.accuracy` |\n:::\n"
    )
    for site in ("https://example.org", ""):
        plain = Plain(site).markdown(str(text + '<a class="x" href="../b.html">y</a>'))
        assert not MYST.search(plain) and "A caption.\n\n| a |" in plain
        assert "[Hu et al., 2019](https://arxiv.org/abs/1904.12847)" in plain
        assert ("[records](https://example.org/records/a.html)" if site else "and records, ") in plain
        assert (f'href="{site}/b.html"' in plain) if site else plain.endswith("\ny")
        assert ("(https://example.org/claims/osdt.f4.html#osdt.f4.osdt.accuracy)" in plain) == bool(site)
    assert not MYST.search(shown(text))
    monkeypatch.setenv(place.BOOK_VARIABLE, "1")
    assert shown(text) == text and ":name: x-table" in text


def test_texts_put_together_still_show_themselves():
    """A sum of text and table that a notebook prints as a string."""
    table = tables.table(["a"], [["1"]], "Caption.", "x")
    assert isinstance("before " + table, page.Markdown) and isinstance(table + " after", page.Markdown)
    assert "before " + table == f"before {table}"


def test_numbers_of_the_site_stand_in_downloads(monkeypatch):
    """A table that the text calls by its number and the caption does not."""
    monkeypatch.setattr(place, "_NUMBERS", {})
    text = page.Markdown(":::{table} Caption.\n:name: x\n\n| a |\n:::")
    assert shown(text).startswith("Caption.")
    page.set_numbers({"x": "Table 2.1"})
    assert shown(text).startswith("*Table 2.1* Caption.")


def test_glue_needs_the_book_only_in_the_book(in_book, monkeypatch):
    """A downloaded notebook that fails at the import of the book's tools, or a value missing in its text."""
    monkeypatch.setitem(__import__("sys").modules, "myst_nb", None)
    with pytest.raises(ImportError):
        page.glue("x-n", 3)
    monkeypatch.delenv(place.BOOK_VARIABLE)
    assert page.glue("x-n", 3) is None
    assert shown(page.Markdown("There are {glue:text}`x-n`.")) == "There are 3."


def test_nested_directives_become_plain():
    """A note within a note, or code that looks like a directive, which stays as it is."""
    text = "::::{note}\nouter\n:::{tip}\ninner\n:::\n::::\n```python\n:::{table}\n```"
    plain = Plain().markdown(text)
    assert plain.count(":::") == 1 and "**Note**" in plain and "**Tip**" in plain


def test_watch_listens_to_a_notebook_once(watch):
    """Cells counted twice after the module was imported again."""
    interactive = pytest.importorskip("IPython.core.interactiveshell", reason="IPython is not installed")
    shell = interactive.InteractiveShell()
    cells.begin(shell, watch), cells.begin(shell, watch)
    shell.run_cell("1 + 1")
    shell.run_cell("2 + 2")
    assert [cell.seconds for cell in watch.finished] == [1, 1]


# ---- stored results ---------------------------------------------------------------------------------------

PART = {"row": "all-bounds", "warm_start": "cart"}


def test_reproduce_gives_the_stored_record_with_its_origin(watch):
    """A frame that does not say when it was made, or whose call runs something else."""
    found = reproduce("osdt.t2", **PART)
    [entry] = store.records("osdt.t2", [store.source("osdt.t2", **PART)["case"]]).values()
    ran = entry["provenance"]
    assert found["n_evaluated"].item() == entry["result"]["n_evaluated"]
    assert (
        found.origin.first == ran["started"][:10]
        and found.origin.packages["numpy"] == ran["packages"]["numpy"]
    )
    call = 'reproduce("osdt.t2", row="all-bounds", warm_start="cart", fresh=True)'
    assert repr(found).endswith(f"{call} runs it again.")
    assert f"Stored record of {ran['started'][:10]}" in found._repr_html_()
    assert watch.current.records == [found.origin]
    assert type(found[["n_evaluated"]]).__name__ == "DataFrame"  # the line belongs to the whole


def test_reproduce_shows_the_function_that_ran():
    """A link to another place than the function of the experiment."""
    source = reproduce("osdt.t2", **PART).source
    line = (ROOT / source.file).read_text(encoding="utf-8").splitlines()[source.line - 1]
    assert line == source.text.splitlines()[0] and source.text in repr(source)
    assert str(source) in source._repr_markdown_()


def test_reproduce_runs_anew_when_asked(monkeypatch, tmp_path, watch):
    """fresh=True that reads what is stored, or that writes into the project."""
    monkeypatch.setenv("TREELIB_CACHE_DIR", str(tmp_path))
    before = (store.committed() / "osdt.t2.jsonl").read_bytes()
    found = reproduce("osdt.t2", fresh=True, **PART)
    assert found.origin.fresh and "Computed here in" in repr(found)
    assert found.origin.html().count("records/osdt.t2.html#code") == 1
    assert found["n_leaves"].item() == reproduce("osdt.t2", **PART)["n_leaves"].item()
    assert (store.committed() / "osdt.t2.jsonl").read_bytes() == before


def test_reproduce_says_in_one_line_what_is_missing(monkeypatch):
    """A traceback of many screens where a data set is missing; a case that does not exist."""

    def refuse(*_, **__):
        raise store.Missing("osdt.t2: a data set\nis not at hand")

    monkeypatch.setattr(store, "results", refuse)
    with pytest.raises(store.Missing) as caught:
        reproduce("osdt.t2")
    assert caught.value._render_traceback_() == ["osdt.t2: a data set is not at hand"]
    with pytest.raises(ValueError, match=r"its cases have row = .*all-bounds.*; warm_start = "):
        reproduce("osdt.t2", row="no such row")
    with pytest.raises(ValueError, match="no experiment"):
        reproduce("osdt.no-such")


def test_live_results_come_before_stored_ones(monkeypatch, tmp_path):
    """A site built with LIVE=1 that shows what was stored before."""
    monkeypatch.setenv(store.LIVE_VARIABLE, str(tmp_path))
    assert not reproduce("osdt.t2", **PART).origin.live
    case = store.source("osdt.t2", **PART)["case"]
    assert store.run("osdt.t2", cases=[case], folder=tmp_path).n_run == 1
    assert reproduce("osdt.t2", **PART).origin.line().startswith("Computed for this page in ")
    assert store.run("osdt.t2", cases=[case], folder=tmp_path).n_run == 0  # goes on where it was


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.001, "0.01 s"), (2.14, "2.1 s"), (28.4, "28 s"), (720, "12 minutes")]
)
def test_seconds_are_said_as_one_would(seconds, text):
    """0.0 s, or 719.82 s."""
    assert origins.seconds_text(seconds) == text
