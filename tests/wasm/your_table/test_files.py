"""Files of every kind in the page in browsers: a clear word for bad ones, Python's tree for odd ones."""

import pytest

from tests.wasm import browsers
from tests.wasm.your_table.bad_files import BAD
from tests.wasm.your_table.odd_files import ODD

pytestmark = pytest.mark.browser


def give(page, path, content):
    """Have the page read a file; whether it can be searched."""
    path.write_bytes(content)
    page.errors.clear()
    page.evaluate(
        "() => { delete window.treelibLast;"
        " document.querySelector('#your-table .table-alarm').textContent = ''; }"
    )
    page.set_input_files("#your-table input[type=file]", str(path))
    browsers.until(
        page,
        "document.querySelector('.table-alarm').textContent"
        " || document.querySelector('.table-status').textContent.includes('Choose what to predict')",
    )
    return page.text_content(".table-status") != ""


@pytest.mark.parametrize("name", BAD)
def test_bad_files_are_refused_with_a_clear_word(page, tmp_path, name):
    """A file that ends in nothing, in an error of the script, or in a tree of what it does not say."""
    content, word = BAD[name]
    if give(page, tmp_path / f"{name}.csv", content):
        page.click("text=Find the best tree")
        browsers.until(page, "document.querySelector('.table-alarm').textContent !== ''")
    words = (word,) if isinstance(word, str) else word
    assert any(one in page.text_content(".table-alarm") for one in words)
    assert not page.errors and not page.text_content(".table-tree")


@pytest.mark.parametrize("name", ODD)
def test_odd_files_give_the_tree_of_their_lines(page, tmp_path, monkeypatch, name):
    """A file read otherwise than by the lines of Python below its tree, or without a needed word."""
    content, note = ODD[name]
    monkeypatch.chdir(tmp_path)
    assert give(page, tmp_path / f"{name}.csv", content), page.text_content(".table-alarm")
    page.click("text=Find the best tree")
    browsers.until(
        page, "window.treelibLast !== undefined || document.querySelector('.table-alarm').textContent !== ''"
    )
    assert page.text_content(".table-alarm") == "" and not page.errors
    names = {}
    exec(page.text_content(".table-lines"), names)
    model, last = names["model"], page.evaluate("treelibLast")
    assert last["optimal"] and last["objective"] == pytest.approx(model.objective_, rel=0, abs=1e-12)
    assert last["n"] == len(names["table"].y) and len(last["grown"][0]["value"]) == len(model.classes_)
    found = page.text_content(".table-notes")
    assert note in found and (note or not found), found


def drop(page, files, word):
    """Drop files, an expression of the page's language for a list of them; wait for a word of refusal."""
    page.evaluate(
        f"""() => {{ const data = new DataTransfer();
            for (const file of {files}) data.items.add(file);
            document.querySelector(".table-drop").dispatchEvent(
                new DragEvent("drop", {{ dataTransfer: data, cancelable: true }})); }}"""
    )
    browsers.until(page, f"document.querySelector('.table-alarm').textContent.includes('{word}')")


def test_a_file_of_200_megabytes_is_refused(page):
    """A page that reads it, and takes the browser's memory with it."""
    drop(page, '[new File(Array(200).fill(new Uint8Array(1e6).fill(65)), "large.csv")]', "200 MB")


def test_two_files_at_once_are_refused(page):
    """A drop of two files of which one is taken silently."""
    drop(page, '["a.csv", "b.csv"].map((name) => new File(["a,y\\n1,0\\n2,1\\n"], name))', "one file")
