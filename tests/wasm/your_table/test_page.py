"""The page "Your table, here" as a reader uses it, opened from a disk in browsers."""

import json

import numpy as np
import pandas as pd
import pytest

from tests.wasm import browsers
from tests.wasm.your_table.test_functions import classes_of, random_csv
from treelib import OptimalSparseTreeClassifier, Tree, datasets

pytestmark = pytest.mark.browser
# what the theme of the book sets on dark pages
DARK = ":root { --pst-color-background: #14181e; color-scheme: dark }"
DARK += "body { background: #14181e; color: #e6edf3 }"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    return browsers.address(browsers.write_page(tmp_path_factory.mktemp("site")))


@pytest.fixture
def site(address, own_browser):
    """A running browser, and the address of the page."""
    with browsers.running(own_browser) as browser:
        yield browser, address


@pytest.fixture
def window(site):
    """The page on a phone, with everything that went wrong in `problems`."""
    browser, address = site
    context = browser.new_context(
        viewport={"width": 390, "height": 850}, reduced_motion="reduce", accept_downloads=True
    )
    page = context.new_page()
    page.problems = []
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    page.on("console", lambda message: message.type == "error" and page.problems.append(message.text))
    page.goto(address)
    page.wait_for_selector("#your-table[data-ready]")
    yield page
    context.close()


LABEL = "#your-table .table-field:has-text('{}') "


def choose(window, words, value):
    window.select_option(LABEL.format(words) + "select", value)


def ready(window):
    browsers.until(window, "document.querySelector('.table-buttons button').ariaDisabled === 'false'")


def search(window):
    """Find the best tree, and wait for it."""
    ready(window)
    window.click("text=Find the best tree")
    browsers.until(window, "window.treelibLast !== undefined")


def of_lines(window):
    """What the lines of Python below the tree give, by their names."""
    names = {}
    exec(window.text_content(".table-lines"), names)
    return names


def saved(window, form):
    """The text of a download, of `form` "json", "forest", "sql" or "py"."""
    with window.expect_download() as waiting:
        window.click(f"[data-form={form}]")
    return waiting.value.path().read_text()


def nameless(tree):
    """A tree, or one from JSON, without names of features and classes."""
    tree = Tree.from_json(tree) if isinstance(tree, str) else tree
    return tree.replace(feature_names=None, class_names=None)


def fit(window, name="monk1", price="0.025"):
    choose(window, "data set of this book", name)
    window.fill(LABEL.format("Leaf penalty") + "input", price)
    window.click("text=Find the best tree")


def test_a_data_set_of_the_book_gives_the_tree_of_python(window):
    """A page that finds another tree than the package or says something else of it; a download of another."""
    fit(window)
    browsers.until(window, "window.treelibLast !== undefined")
    data = datasets.load("monk1")
    model = OptimalSparseTreeClassifier(0.025, max_depth=4, max_thresholds=10).fit(data.X, data.y)
    assert window.evaluate("treelibLast.objective") == model.objective_
    assert "Proved optimal over all cuts of every column, with at most 4" in window.text_content(
        ".table-verdict"
    )
    assert model.proof_scope_ == "all thresholds"
    assert 'load("monk1")' in window.text_content(".table-lines")
    assert f"{model.get_n_leaves()} leaves" in window.text_content(".table-verdict")
    assert window.text_content("[data-form=json]") == "Save as JSON"
    assert nameless(saved(window, "json")) == nameless(model.tree_)
    assert window.problems == []


@pytest.mark.parametrize(
    "name, method",
    [(name, method) for method in ("topdown", "dyadic") for name in ("monk1", "iris", "thyroid")]
    + [("wine", "topdown")],
)
def test_another_method_gives_the_tree_of_its_lines(window, name, method):
    """A method fitted otherwise than the lines of Python say, or a proof of more than was searched."""
    choose(window, "data set of this book", name)
    ready(window)
    choose(window, "Method", method)
    assert window.locator(LABEL.format("Leaf penalty")).is_visible() == (method == "dyadic")
    if method == "topdown":
        choose(window, "criterion", "entropy")
    search(window)
    model = of_lines(window)["model"]
    assert nameless(saved(window, "json")) == nameless(model.tree_)
    proof = window.text_content(".table-verdict")
    assert ("nothing is proved" in proof) == (method == "topdown")
    if method == "dyadic":
        assert "Proved optimal over all trees that halve" in proof
        assert window.evaluate("treelibLast.objective") == pytest.approx(model.objective_, abs=1e-12)
        assert window.evaluate("treelibLast.halvings") == list(model.n_splits_)
    assert window.problems == []


@pytest.mark.parametrize(
    "name, price, depth",
    [("thyroid", "0.01", "2"), ("iris", "0.01", "3"), ("monk1", "0.025", "4")],
)
def test_all_thresholds_give_the_tree_of_python(window, name, price, depth):
    """Another search than Python takes by default, or another tree; a proof that names fewer cuts."""
    choose(window, "data set of this book", name)
    ready(window)
    choose(window, "Most cuts", "")
    choose(window, "Most splits", depth)
    window.fill(LABEL.format("Leaf penalty") + "input", price)
    search(window)
    model = of_lines(window)["model"]
    assert model.max_thresholds is None and (model.binarizer_ is None) == (name != "monk1")
    last = window.evaluate("treelibLast")
    # of equally good trees, the search on the columns of the page may take another one
    assert last["optimal"] and last["objective"] == pytest.approx(model.objective_, rel=0, abs=1e-12)
    assert nameless(saved(window, "json")).n_leaves == model.get_n_leaves()
    assert "Proved optimal over all cuts of every column" in window.text_content(".table-verdict")
    assert window.problems == []


def stop(window):
    """Stop the search, which has bounds to show for it."""
    window.click("text=Stop and keep the tree")
    browsers.until(window, "window.treelibLast !== undefined", 20)
    last = window.evaluate("treelibLast")
    assert last["reason"] == "stopped" and not last["optimal"] and 0 < last["lower"] < last["objective"]


@pytest.mark.parametrize(
    "name, trees, depth, seed, objective",
    [("iris", 5, 2, 0, 1), ("monk1", 3, 3, 4, 0), ("thyroid", 4, 2, 1, 1), ("tic-tac-toe", 3, 2, 7, 1)],
)
def test_a_born_again_tree_is_that_of_its_lines(window, name, trees, depth, seed, objective):
    """A forest or a tree that Python does not give, or a size that is said to be least and is not."""
    choose(window, "data set of this book", name)
    ready(window)
    choose(window, "Method", "bornagain")
    fields = {"Trees of": trees, "Depth of": depth, "Draw of": seed, "Fewest": objective}
    for words, value in fields.items():
        choose(window, words, str(value))
    search(window)
    names = of_lines(window)
    model, forest, data = names["model"], names["forest"], names["data"]
    tree = nameless(saved(window, "json"))
    codes = np.unique(data.y, return_inverse=True)[1]
    assert tree == nameless(model.tree_.recount(data.X, codes))
    grown = [nameless(json.dumps(one)) for one in json.loads(saved(window, "forest"))]
    assert grown == [nameless(one) for one in forest.trees_]
    # a row with a missing value has no answer, as in Python
    named = Tree.from_json(saved(window, "json"))
    frame = pd.DataFrame(data.X[:4], columns=named.feature_names).astype(object)
    frame.iloc[3, -1] = None
    expected = [*(named.class_names[code] for code in named.predict(data.X[:3])), None]
    written = {"sql": saved(window, "sql"), "python": saved(window, "py")}
    assert classes_of(frame, written) == (expected, expected)
    assert saved(window, "txt").startswith("For rows without missing values")
    words = window.text_content(".table-verdict")
    size = f"{tree.n_leaves} leaves" if objective else f"{tree.max_depth} splits on the longest path"
    assert f"Proved: no such tree has fewer than {size}." in words
    assert f"the vote of {trees} trees with {forest.get_n_leaves()} leaves" in words
    assert window.problems == []


def test_a_stopped_born_again_search_keeps_a_faithful_tree(window):
    """A search that has nothing when it ends early, or a tree and a bound that are not of its forest."""
    from treelib.bornagain import as_ensemble, certify

    choose(window, "data set of this book", "wine")
    ready(window)
    choose(window, "Method", "bornagain")
    choose(window, "Trees of", "10")
    choose(window, "Depth of", "3")
    search(window)
    words = window.text_content(".table-verdict")
    assert "The memory is full" in words and "Every such tree has at least" in words
    tree = Tree.from_json(saved(window, "json"))
    forest = [Tree.from_json(json.dumps(one)) for one in json.loads(saved(window, "forest"))]
    assert certify(tree, as_ensemble(forest)).faithful
    lower, objective = (window.evaluate(f"treelibLast.{name}") for name in ("lower", "objective"))
    assert 1 < lower < objective == tree.n_leaves
    assert window.problems == []


def test_missing_values_go_where_the_top_down_tree_sends_them(window, tmp_path, monkeypatch):
    """A download that predicts otherwise for missing values and words than the fit in Python."""
    monkeypatch.chdir(tmp_path)
    text, frame = random_csv(np.random.default_rng(3))
    (tmp_path / "table.csv").write_text(text, encoding="utf-8")
    window.set_input_files("#your-table input[type=file]", str(tmp_path / "table.csv"))
    browsers.until(window, "document.querySelector('.table-status').textContent.includes('rows')")
    choose(window, "Method", "topdown")
    search(window)
    names, written = of_lines(window), {"sql": saved(window, "sql"), "python": saved(window, "py")}
    expected = [str(one) for one in names["model"].predict(names["table"].X)]
    by_sql, by_python = classes_of(frame.drop(columns=["class"]), written)
    assert by_sql == expected and by_python == expected
    # and the dyadic method says that it takes no such table
    choose(window, "Method", "dyadic")
    ready(window)
    window.click("text=Find the best tree")
    browsers.until(window, "document.querySelector('.table-alarm').textContent.includes('missing values')")
    assert window.problems == []


def test_a_search_can_be_stopped_and_keeps_its_tree(window, tmp_path):
    """A page that does not answer while it searches, or has nothing to show when it is stopped."""
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 2, (900, 60))
    path = tmp_path / "hard.csv"
    names = ",".join(f"c{i}" for i in range(59)) + ",y\n"
    path.write_text(names + "".join(",".join(map(str, row)) + "\n" for row in rows))
    window.set_input_files("#your-table input[type=file]", str(path))
    browsers.until(window, "document.querySelector('.table-status').textContent.includes('900 rows')")
    window.fill(LABEL.format("Leaf penalty") + "input", "0.0005")
    choose(window, "Most splits", "")
    window.click("text=Find the best tree")
    browsers.until(window, "document.querySelector('.table-tree').textContent !== ''")
    stop(window)
    assert "better" in window.text_content(".table-verdict") and window.text_content(".table-tree")
    # and the page can go on with another table
    window.evaluate("delete window.treelibLast")
    fit(window)
    browsers.until(window, "window.treelibLast !== undefined")
    assert window.evaluate("treelibLast.optimal") and window.problems == []


def write_table(path, n_rows, n_columns):
    """A CSV file of numbers with many digits, the last column of two classes."""
    rng = np.random.default_rng(1)
    values = rng.normal(size=(n_rows, n_columns))
    y = (values[:, :2].sum(axis=1) > 0).astype(int)
    names = [f"c{j}" for j in range(n_columns)] + ["y"]
    rows = (",".join(map(repr, row)) + f",{code}" for row, code in zip(values.tolist(), y, strict=True))
    path.write_text(",".join(names) + "\n" + "\n".join(rows) + "\n", encoding="utf-8")


WATCH = """() => {
  globalThis.longest = 0;
  globalThis.began = performance.now();
  let last = performance.now();
  setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 10);
}"""


def test_a_large_table_leaves_the_page_free(window, tmp_path):
    """A file read, or its columns cut, on the page itself, which then stands still as long as that takes."""
    path = tmp_path / "large.csv"
    write_table(path, 60_000, 12)
    window.evaluate(WATCH)
    window.set_input_files("#your-table input[type=file]", str(path))
    browsers.until(window, "document.querySelector('.table-status').textContent.includes('60000 rows')")
    window.fill(LABEL.format("Seconds") + "input", "1")
    window.click("text=Find the best tree")
    browsers.until(window, "document.querySelector('.table-status').textContent.includes('searching')")
    longest, whole = window.evaluate("[longest, performance.now() - began]")
    assert longest < 0.25 * whole, f"{longest:.0f} of {whole:.0f} ms"
    browsers.until(window, "window.treelibLast !== undefined")
    assert window.problems == []


AGAIN = """() => new Promise((resolve, reject) => {
  const table = treelibTables["monk1"].csv, found = [];
  const solver = new treelibSolver.Solver("sparse");
  const wanted = { price: 0.025, depth: 4, seconds: 60, bytes: 1e9 };
  const cut = { target: table.split("\\n")[0].split(",").pop(), limit: 10, drop: [] };
  const one = () => solver.fit(wanted, cut, { tree: take, refused: reject, error: reject });
  const take = (tree) => {
    found.push([tree.objective, tree.grown]);
    if (found.length === 2) { solver.worker.terminate(); resolve(found); return; }
    solver.restart();
    one();
  };
  solver.open(() => table, { table: one, refused: reject, error: reject });
})"""


def test_a_worker_that_was_cut_off_gets_its_table_again(window):
    """A page whose next search has no table, or that of another, after a step that would not end."""
    first, second = window.evaluate(AGAIN)
    assert first == second
    data = datasets.load("monk1")
    model = OptimalSparseTreeClassifier(0.025, max_depth=4, max_thresholds=10).fit(data.X, data.y)
    assert first[0] == model.objective_ and len(first[1]) == model.tree_.n_nodes


def test_another_table_ends_the_reading_of_the_first(window, tmp_path):
    """An answer for a table that the reader has left, shown over the one that was chosen after it."""
    path = tmp_path / "large.csv"
    write_table(path, 60_000, 12)
    # chosen by the page itself once the worker has the table: on a quick machine the driver would be too late
    window.evaluate(
        """() => {
          const post = Worker.prototype.postMessage;
          const known = [...document.querySelectorAll("#your-table select")].find(
            (select) => [...select.options].some((option) => option.value === "monk1"));
          Worker.prototype.postMessage = function (message, ...rest) {
            post.call(this, message, ...rest);
            if (window.wasReading || !message.read) return;
            window.wasReading = true;
            setTimeout(() => {
              known.value = "monk1";
              known.dispatchEvent(new Event("change", { bubbles: true }));
              const root = document.querySelector("#your-table");
              const look = () => { window.isShown ||= /large.csv|60000 rows/.test(root.textContent); };
              new MutationObserver(look).observe(root, { childList: true, subtree: true });
              window.hasChosen = true;
            });
          };
        }"""
    )
    window.set_input_files("#your-table input[type=file]", str(path))
    browsers.until(window, "window.hasChosen")
    search(window)
    window.wait_for_timeout(1500)
    assert window.evaluate("treelibLast.n") == 124
    assert not window.evaluate("window.isShown") and window.problems == []


def give(window, path, text):
    path.write_text(text, encoding="utf-8")
    window.set_input_files("#your-table input[type=file]", str(path))
    ready(window)


def test_doubt_stands_above_the_result_and_forbids_the_bold_proof(window, tmp_path):
    """ "No tree is better", in bold, where a column was left out unasked; and the reason far below it."""
    rows = "".join(f"{3 * i % 61};{i % 5},5;{'no' if i % 5 < 2 else 'yes'}\n" for i in range(60))
    give(window, tmp_path / "a.csv", "case_id;size;y\n" + rows)
    search(window)
    verdict, notes = window.text_content(".table-verdict"), window.text_content(".table-notes")
    assert "case_id: left out, it numbers the rows." in notes and "decimal commas" in notes
    assert "over all cuts of the columns kept" in verdict and "no tree is better" not in verdict
    assert "training error 0.00 % (0 of 60 rows)" in verdict.replace("\u00a0", " ")
    assert window.text_content(".table-tree") == (
        "├─ size <= 2: no (24 rows, 0 errors)\n└─ size > 2: yes (36 rows, 0 errors)"
    )
    above, below = (window.locator(one).bounding_box()["y"] for one in (".table-notes", ".table-verdict"))
    assert above < below
    # a column that the reader leaves out, or that could not help, is no reason for doubt
    rows = "".join(f"{i % 5},{i % 3},same,{'no' if i % 5 < 2 else 'yes'}\n" for i in range(60))
    window.evaluate("delete window.treelibLast")
    give(window, tmp_path / "b.csv", "size,other,constant,y\n" + rows)
    window.check(".table-leave input[value=other]")
    search(window)
    assert "every column, with at most 4 splits on a path: no tree is better." in window.text_content(
        ".table-verdict"
    )
    assert window.problems == []


@pytest.mark.parametrize("method", ["sparse", "topdown", "dyadic", "bornagain"])
def test_the_held_out_error_is_that_of_rows_that_no_fit_has_seen(window, tmp_path, method):
    """A tree of noise with few errors, and nothing that says what it is worth."""
    rng = np.random.default_rng(5)
    values, classes = rng.integers(0, 12, (100, 2)), rng.integers(0, 2, 100)
    rows = "".join(f"{a},{b},{c}\n" for (a, b), c in zip(values.tolist(), classes, strict=True))
    give(window, tmp_path / "noise.csv", "a,b,y\n" + rows)
    choose(window, "Method", method)
    ready(window)
    if method in ("sparse", "dyadic"):
        window.fill(LABEL.format("Leaf penalty") + "input", "0.01")
    search(window)
    last, verdict = window.evaluate("treelibLast"), window.text_content(".table-verdict")
    leaves = [node for node in last["grown"] if node["feature"] is None]
    training = sum(node["samples"] - node["value"][node["label"]] for node in leaves)
    assert last["judged"]["rows"] == 100 and last["judged"]["folds"] == 5
    assert training < 45 and last["judged"]["errors"] > training and 30 <= last["judged"]["errors"] <= 70
    assert f"({last['judged']['errors']} of 100 rows), 5 folds" in verdict
    assert "sets of rows" not in window.text_content(".table-status") and window.problems == []


def test_the_focus_stays_on_the_button(window):
    """A button that is disabled when it is pressed, and hands the focus to nobody."""
    choose(window, "data set of this book", "monk1")
    ready(window)
    window.focus("text=Find the best tree")
    window.keyboard.press("Enter")
    assert window.evaluate("document.activeElement.textContent") == "Find the best tree"
    browsers.until(window, "window.treelibLast !== undefined")
    assert window.evaluate("document.activeElement.textContent") == "Find the best tree"
    window.focus("text=Stop and keep the tree")
    window.keyboard.press("Enter")  # which has nothing to stop
    assert window.evaluate("document.activeElement.ariaDisabled") == "true" and window.problems == []


def test_no_connection_can_be_opened(window):
    """A policy that a typing error has switched off: a page that could send a table somewhere."""
    found = window.evaluate(
        """async () => {
          const tries = { fetch: () => fetch("https://example.org/"),
            socket: () => new WebSocket("wss://example.org/"),
            beacon: () => navigator.sendBeacon("https://example.org/", "x"),
            image: () => new Promise((resolve, reject) => {
              const i = new Image(); i.onload = resolve; i.onerror = reject;
              i.src = "https://example.org/i.png"; }) };
          const seen = {};
          for (const [name, go] of Object.entries(tries)) {
            const refused = new Promise((resolve) => {
              document.addEventListener(
                "securitypolicyviolation", (e) => resolve(e.effectiveDirective), { once: true });
              setTimeout(() => resolve("not refused"), 2000);
            });
            try { await go(); } catch { /* the policy says why */ }
            seen[name] = await refused;
          }
          return seen;
        }"""
    )
    assert found == dict.fromkeys(("fetch", "socket", "beacon"), "connect-src") | {"image": "img-src"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_page_fits_a_phone_and_every_reader(window, scheme):
    """A page that moves sideways, a control without a name, or words too pale to read."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    window.evaluate("(scheme) => { document.documentElement.dataset.theme = scheme; }", scheme)
    if scheme == "dark":
        window.add_style_tag(content=DARK)
    fit(window, "car-evaluation", "0.01")
    browsers.until(window, "window.treelibLast !== undefined")
    assert window.evaluate("document.documentElement.scrollWidth") <= 390
    found = axe.Axe().run(window)
    assert found.response["violations"] == [], json.dumps(found.response["violations"])[:2000]


def test_page_is_used_by_keyboard(window):
    """A control that only a pointer reaches."""
    window.focus(LABEL.format("data set of this book") + "select")
    window.keyboard.press("m")
    window.keyboard.press("Tab")
    browsers.until(window, "document.querySelector('.table-status').textContent.includes('124 rows')")
    ready(window)
    window.focus("text=Find the best tree")
    window.keyboard.press("Enter")
    browsers.until(window, "window.treelibLast?.optimal === true")
    # last, since from the last control on Tab goes to Firefox's own
    window.reload()
    window.wait_for_selector("#your-table[data-ready]")
    seen = []
    for _ in range(12):
        window.keyboard.press("Tab")
        seen.append(window.evaluate("document.activeElement.textContent || document.activeElement.type"))
    assert any("choose" in one for one in seen) and "file" in seen


def test_wrong_settings_are_named(window):
    """A price that is no number and counts as 0."""
    fit(window, price="a leaf")
    assert "The leaf penalty must be a number" in window.text_content(".table-alarm")


def test_a_refusal_stands_beside_the_button_and_in_sight(window, tmp_path):
    """An error above the edge of the window, after a click on a button far below it."""
    path = tmp_path / "one.csv"
    path.write_text("a,b,y\n" + "".join(f"{i},{i % 3},same\n" for i in range(30)), encoding="utf-8")
    window.set_viewport_size({"width": 700, "height": 400})
    window.set_input_files("#your-table input[type=file]", str(path))
    ready(window)
    window.click("text=Find the best tree")
    browsers.until(window, "document.querySelector('.table-alarm').textContent !== ''")
    alarm = window.locator(".table-alarm").bounding_box()
    button = window.locator("text=Find the best tree").bounding_box()
    assert 0 <= alarm["y"] and alarm["y"] + alarm["height"] <= 400
    assert 0 <= alarm["y"] - button["y"] < 200 and window.problems == []


def test_the_column_to_predict_is_not_offered_to_be_left_out(window, tmp_path):
    """A box that has no effect."""
    path = tmp_path / "two.csv"
    path.write_text("a,b,y\n" + "".join(f"{i},{i % 3},{i % 2}\n" for i in range(30)), encoding="utf-8")
    window.set_input_files("#your-table input[type=file]", str(path))
    ready(window)

    def offered():
        return [one.strip() for one in window.locator(".table-leave label:visible").all_text_contents()]

    assert offered() == ["a", "b"]
    choose(window, "Column to predict", "a")
    assert offered() == ["b", "y"]


def test_without_webassembly_the_page_says_what_to_do(site):
    """An empty page in a browser that is too old, or locked."""
    browser, address = site
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script("delete globalThis.WebAssembly")
    page.goto(address)
    browsers.until(page, "document.querySelector('#your-table [role=alert]') !== null")
    assert "treelib fit" in page.text_content("#your-table")
    context.close()
