"""The (alpha, beta) part of a chapter in browsers, against the package."""

import re

import numpy as np
import pytest

from tests.wasm import browsers
from tests.wasm.kernels.test_topdown import in_python, random_problem
from treelib import TopDownTreeClassifier, datasets
from treelib.wasm.tables import OFFERED

pytestmark = pytest.mark.browser
PART = "criterion", "iris"
GROW = """async (cases) => {
  const solver = new treelibSolver.Solver("topdown"), found = [];
  for (const [X, y, n, d, k, criterion] of cases) {
    const table = { X: Float64Array.from(X, (x) => x ?? NaN), y, n, d, k };
    const { nodes } = await solver.ask("grow", { table, criterion });
    found.push(nodes.map(({ feature, threshold, left, right, value }) =>
      [feature ?? -1, String(threshold ?? -2), left ?? -1, right ?? -1, value]));
  }
  solver.worker.terminate();
  return found;
}"""


def shown(window, name, alpha, beta, depth):
    """Move all sliders; the words and the tree of that place."""
    if window.input_value("[data-live] select") != name:
        window.select_option("[data-live] select", name)
    for place, value in enumerate((round(4 * alpha), round(2 * beta) - 1, depth)):
        window.locator("[data-live] input").nth(place).fill(str(value))
    browsers.until(
        window, f"document.querySelector('[data-live]').dataset.shown === '{name} {alpha:g} {beta:g} {depth}'"
    )
    return window.text_content("[data-live] [role=status]"), browsers.drawn_samples(window)


@pytest.mark.parametrize(
    "name, alpha, beta, depth",
    [
        ("iris", 2, 1, 3),
        ("wine", 0.5, 2, 4),
        ("monk3", 1, 1, 5),
        ("wine", 4.25, 7.5, 2),
        ("compas", 0, 0.5, 6),
    ],
)
def test_sliders_give_the_tree_of_python(window, name, alpha, beta, depth):
    """A slider of another value than it says, a tree of the place before, or counts of another tree."""
    words, samples = shown(window, name, alpha, beta, depth)
    data = datasets.load(OFFERED[name][0])
    model = TopDownTreeClassifier("tsallis", alpha=alpha, beta=beta, max_depth=depth).fit(data.X, data.y)
    leaves, deepest, errors = re.search(r": (\d+) lea\w+, depth (\d+), (\d+) of", words).groups()
    assert int(leaves) == model.get_n_leaves() and int(deepest) == model.get_depth()
    assert int(errors) == np.count_nonzero(model.predict(data.X) != data.y)
    assert samples == model.tree_.n_node_samples[model.tree_.is_leaf].tolist()
    concave = (alpha >= 1 and alpha * beta >= 1) or (alpha <= 1 and alpha * beta <= 1)
    assert ("no split raises" in words) == concave
    assert window.problems == [] and window.evaluate("document.documentElement.scrollWidth") <= 390


def test_map_counts_the_errors_of_python(window):
    """A map in another order than its axes, or one of another depth than the slider says."""
    shown(window, "iris", 2, 1, 2)
    browsers.until(window, "document.querySelector('[data-live]').dataset.ready === 'yes'")
    said = window.evaluate(
        "[...document.querySelectorAll('.live-map title')].map((node) => node.textContent)"
    )
    data, found = datasets.load("tsallis/iris"), {}
    for text in said:
        alpha, beta, errors = map(float, re.match(r"\S+ = (.*), \S+ = (.*): (\d+) rows", text).groups())
        found[alpha, beta] = errors
    assert len(found) == len(said) == 336
    for alpha, beta in list(found)[::17]:
        model = TopDownTreeClassifier("tsallis", alpha=alpha, beta=beta, max_depth=2).fit(data.X, data.y)
        assert found[alpha, beta] == np.count_nonzero(model.predict(data.X) != data.y)


def test_trees_with_the_browsers_logarithm_are_those_of_python(window, browser_name):
    """Logarithms of a browser that put a tree's splits elsewhere than those of the machine."""
    cases, expected = [], []
    for case in range(150):
        X, y, k, alpha, beta, (depth, leaves, _, best_first) = random_problem(
            np.random.default_rng([9, case])
        )
        if not browsers.grows_as_python(browser_name, alpha, beta):
            continue
        criterion = {"alpha": alpha, "beta": beta}
        criterion |= {"depth": None if depth < 0 else depth, "leaves": None if leaves < 0 else leaves}
        values = [None if np.isnan(x) else x for x in X.ravel().tolist()]
        cases.append([values, y.tolist(), *X.shape, k, criterion])
        grown = in_python(X, y, k, alpha, beta, (depth, leaves, 1, best_first))
        n_nodes = int(grown.nodes.state[0])
        whole, value = grown.nodes.whole[:n_nodes].tolist(), grown.nodes.value[:n_nodes].tolist()
        expected.append(
            [
                [node[3], at, *node[6:8], count]
                for node, at, count in zip(whole, grown.threshold.tolist(), value, strict=True)
            ]
        )
    assert len(cases) > 10
    found = window.evaluate(GROW, cases)
    for nodes in found:
        for node in nodes:
            node[1] = float(node[1].replace("Infinity", "inf"))
    assert found == expected


def test_a_browser_without_webassembly_gets_a_word(window):
    """A part that stays empty, or ends in an error of the script."""
    page = window.context.browser.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.add_init_script("delete globalThis.WebAssembly")
    page.goto(window.url)
    page.wait_for_selector("[data-live] p:nth-of-type(2)")
    assert "not here" in page.text_content("[data-live]")
    assert "runs no WebAssembly" in page.text_content("[data-live]") and errors == []
    page.close()
