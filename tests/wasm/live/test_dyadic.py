"""The dyadic part of a chapter in browsers, against the package."""

import re
from fractions import Fraction

import numpy as np
import pytest

from tests.wasm import browsers
from treelib import DyadicTreeClassifier, datasets, dyadic
from treelib.wasm.tables import OFFERED

pytestmark = pytest.mark.browser
PART = "dyadic_price", "thyroid"


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
        assert browsers.drawn_samples(window) == solution.tree.n_node_samples[solution.tree.is_leaf].tolist()
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


STOPPED = """async (given) => {
  const packed = Uint8Array.from(atob(treelibWasm.dyadic), (sign) => sign.charCodeAt(0));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = await new Response(unpacked).arrayBuffer();
  const instance = async () => {
    const { instance: { exports } } = await WebAssembly.instantiate(bytes, { env: {} });
    const room = (size) => exports.tl_alloc(BigInt(Math.max(size, 1))) >>> 0;
    const put = (array) => {
      const place = room(array.byteLength);
      const from = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
      new Uint8Array(exports.memory.buffer, place, array.byteLength).set(from);
      return place;
    };
    return { exports, room, put };
  };
  given.table.X = Float64Array.from(given.table.X.flat());
  const { nodes, objective, lower, reason } = await treelibKernels.dyadicBest(given, instance, () => true);
  const leaves = nodes.filter((node) => node.feature === null);
  const wrong = leaves.reduce((sum, node) => sum + node.samples - node.value[node.label], 0);
  return { objective, lower, reason, cost: wrong / given.table.n + given.price * leaves.length };
}"""


def test_a_stopped_search_keeps_a_tree_and_a_bound_that_holds(window):
    """A tree of a higher price whose cost is said wrong, or a bound above the optimum."""
    better = 0
    for case in range(60):
        rng = np.random.default_rng([34, case])
        n, d = int(rng.integers(10, 150)), int(rng.integers(1, 4))
        X = np.round(rng.normal(size=(n, d)), int(rng.integers(0, 3)))
        y = ((X.sum(axis=1) > 0) + (rng.random(n) < 0.1)) % 2
        price = float(rng.choice([0.001, 0.003, 0.01, 0.03]))
        if y.min() == y.max():
            continue
        table = {"X": X.tolist(), "y": y.tolist(), "n": n, "d": d, "k": 2}
        found = window.evaluate(STOPPED, {"table": table, "price": price})
        least = DyadicTreeClassifier(price).fit(X, y).objective_
        assert found["reason"] == "stopped" and found["objective"] == pytest.approx(found["cost"], abs=1e-12)
        assert found["lower"] - 1e-12 <= least <= found["objective"] + 1e-12, case
        better += found["objective"] > least + 1e-12
    assert better > 5  # it was stopped before the end
