"""The dyadic part of a chapter in Chromium, against the package."""

import re
from fractions import Fraction

import numpy as np
import pytest

from tests.wasm import browsers
from treelib import datasets, dyadic
from treelib.wasm.tables import OFFERED

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def window(tmp_path_factory):
    with browsers.live_part(tmp_path_factory.mktemp("site"), "dyadic_price", "thyroid") as page:
        yield page


@pytest.mark.parametrize("name", ["thyroid", "iris", "banana"])
def test_slider_goes_over_every_solution(window, name):
    """A solution that is skipped, errors or leaves of another one, a range of prices that is off."""
    window.wait_for_selector("[data-live][data-ready]")
    if window.input_value("[data-live] select") != name:
        window.select_option("[data-live] select", name)
        browsers.until(
            window, f"(document.querySelector('[data-live]').dataset.shown ?? '').startsWith('{name} ')"
        )
    data = datasets.load(OFFERED[name][0])
    path = dyadic.solution_path(data.X, data.y, min_regularization=Fraction(2, len(data.y)))
    assert int(window.get_attribute("[data-live] input", "max")) == len(path) - 1
    for place, solution in enumerate(reversed(list(path))):
        window.fill("[data-live] input", str(place))
        browsers.until(window, f"document.querySelector('[data-live]').dataset.shown === '{name} {place}'")
        said = window.text_content("[data-live] [role=status]")
        leaves, errors = re.match(r"(\d+) lea\w+, (\d+) of", said).groups()
        assert (int(leaves), int(errors)) == (solution.n_leaves, round(solution.error * len(data.y)))
        low = re.search(r"prices (?:above|from) ([\d.e-]*\d)", said)[1]
        assert float(low) == pytest.approx(float(solution.lambda_low), rel=0.005)
        rows = [int(n) for n in re.findall(r"\((\d+) rows", window.text_content("[data-live] pre"))]
        assert rows == solution.tree.n_node_samples[solution.tree.is_leaf].tolist()
        if name == "banana":
            assert window.locator(".live-plane rect").count() == solution.n_leaves
    assert window.problems == [] and window.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_table_with_too_fine_a_grid_is_refused_with_a_word(window):
    """Another grid than that of the package, or nothing at all."""
    rng = np.random.default_rng(1)
    values, y = rng.normal(size=400 * 12).tolist(), rng.integers(0, 2, 400).tolist()
    found = window.evaluate(
        """async ([X, y]) => {
          const table = { X: Float64Array.from(X), y, n: 400, d: 12, k: 2 };
          const solver = new treelibSolver.Solver("dyadic");
          return solver.ask("dyadicPath", { table, low: 1 }).then(JSON.stringify, String);
        }""",
        [values, y],
    )
    assert "too fine" in found
