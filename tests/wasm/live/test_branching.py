"""The parts "bounds" and "steps" of chapters in browsers, against the paper's branch and bound in Python."""

import re

import numpy as np
import pytest

from tests.wasm import browsers
from tests.wasm.kernels.in_wasmtime import Branching
from treelib import datasets
from treelib.sparse import all_but, branch_and_bound
from treelib.sparse.paper.bounds import DEFAULT_BOUNDS
from treelib.wasm.tables import OFFERED

pytestmark = pytest.mark.browser
READY = "document.querySelector('[data-live]').dataset.ready === 'yes'"


def numbers(text):
    return [float(found.replace(",", "")) for found in re.findall(r"\d[\d,]*\.?\d*", text)]


@pytest.fixture
def window(tmp_path, own_browser):
    with browsers.live_part(tmp_path, own_browser, "bounds", "compas", 0.005) as page:
        browsers.until(page, READY)
        yield page


@pytest.fixture(scope="module")
def film(tmp_path_factory, own_browser):
    """The search step by step; its tests set the slider to each place that they look at."""
    folder = tmp_path_factory.mktemp("film")
    with browsers.live_part(folder, own_browser, "search_steps", "monk1", 0.05) as page:
        browsers.until(page, READY)
        yield page


def test_bounds_count_the_trees_of_python(window):
    """Counts of other bounds than the boxes say, or of a search that starts, orders or ends otherwise."""
    rows = window.locator("[data-live] tbody tr")
    assert rows.count() == 1 and "all of the paper's" in window.text_content("[data-live] [role=status]")
    # the cold start of the chapter's own table, the first row of Table 2
    assert rows.locator("td").all_text_contents()[:2] == ["241,306", "18,195"]
    window.get_by_label("lookahead").focus()
    window.keyboard.press("Space")
    window.get_by_label("accuracy", exact=True).uncheck()
    browsers.until(window, READY)
    assert "more than" in window.text_content("[data-live] [role=status]"), "without lookahead it takes hours"
    for name in ("monk1", "tic-tac-toe"):
        window.select_option("[data-live] select >> nth=0", name)
        window.select_option("[data-live] select >> nth=1", "0.05")
    window.get_by_label("lookahead").check()
    window.get_by_label("accuracy", exact=True).check()
    window.get_by_text("Switch each off in turn").click()
    browsers.until(window, READY)
    data, found = datasets.load("tic-tac-toe"), {}
    for row in rows.all():
        label, evaluated, best, objective, _ = row.locator("th, td").all_text_contents()
        counts = [*numbers(evaluated), *numbers(best), *numbers(objective)]
        found[label] = counts, evaluated.startswith("more")
    for without in (None, *DEFAULT_BOUNDS):
        counts, stopped = found[f"without {without.replace('_', ' ')}" if without else "all of the paper's"]
        run = branch_and_bound(
            data.X, data.y, 0.05, warm_start=None, bounds=all_but(without),
            convention="paper", node_limit=2_000_000,
        )  # fmt: skip
        assert stopped == (run.status == "node_limit")
        if not stopped:
            assert counts == [run.n_evaluated, run.n_evaluated_to_optimum, round(run.objective, 6)]
    assert window.problems == [] and window.evaluate("document.documentElement.scrollWidth") <= 390


def test_no_two_steps_show_the_same(film):
    """A film that stands still: positions of the slider whose tree, or whose counts, are those before."""
    slider, seen = film.locator("[data-live] input[type=range]"), []
    for k in (*range(1, 40), *range(2000, 2020)):
        slider.fill(str(k))
        browsers.until(film, f"document.querySelector('[data-live]').dataset.shown === 'monk1 0.05 {k}'")
        seen.append(film.get_by_label("The tree taken now").text_content())
    assert len(set(seen)) == len(seen)


def test_steps_are_those_of_the_search(film):
    """A slider whose positions show other states than it says, or a way back that is another search."""
    slider = film.locator("[data-live] input[type=range]")
    data = datasets.load(OFFERED["monk1"][0])
    whole = branch_and_bound(data.X, data.y, 0.05, warm_start=None)
    assert int(slider.get_attribute("max")) == whole.stats["n_taken"]
    X, y = np.asarray(data.X, np.uint8), np.asarray(data.y, np.int64)
    for k in (7, 2000, 30, whole.stats["n_taken"]):
        slider.fill(str(k))
        browsers.until(film, f"document.querySelector('[data-live]').dataset.shown === 'monk1 0.05 {k}'")
        search = Branching(X, y, 0.05, DEFAULT_BOUNDS)
        search.step(1 << 30, k)
        facts = search.facts()[0]
        said = numbers(film.text_content("[data-live] p:not([class]):not(:has(*)) >> nth=0"))
        names = ("n_taken", "n_evaluated", "queue_size", "best", "lower_bound")
        assert said[:1] + said[2:6] == [round(facts[name], 6) for name in names]
        taken = film.get_by_label("The tree taken now").text_content()
        assert taken.count("may be split") == sum(search.read(at_hand=True)[1])
    assert "proved optimal" in film.text_content("[data-live]")
    slider.fill("1")
    for _ in range(3):
        film.get_by_text("To the next better tree").click()
    browsers.until(film, "Number(document.querySelector('[data-live] input').value) > 3")
    slider.focus()
    before = int(slider.input_value())
    film.keyboard.press("ArrowLeft")
    assert int(slider.input_value()) == before - 1
    assert film.problems == [] and film.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_search_of_minutes_can_be_stopped(window):
    """A count that goes on for seconds, and a button that loses the keyboard's place."""
    stop, said = window.get_by_role("button", name="Stop"), window.locator("[data-live] [role=status]")
    window.get_by_label("lookahead", exact=True).click()  # two million trees
    browsers.until(
        window, "/ trees, best objective .*…$/.test(document.querySelector('[role=status]').textContent)"
    )
    stop.press("Enter")
    assert said.text_content().startswith("Stopped. ") and "best objective" in said.text_content()
    assert stop.evaluate("button => button === document.activeElement")
    assert window.locator("[data-live] tbody tr").count() == 1 and window.problems == []
    window.get_by_label("lookahead", exact=True).click()
    window.wait_for_selector("[data-live][data-ready]")
    assert "proved optimal" in said.text_content()
