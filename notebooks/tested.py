# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # How it is tested
#
# Beside the tests that run with every change, some suites look for faults on purpose and for long. Their figures below
# were stored by the programs themselves; each section says how to run one again. What they found is listed at the end,
# with the test that keeps it from coming back.

# %% tags=["remove-input"]
from treelib.ledger import suites
from treelib.ledger.page import Markdown
from treelib.ledger.tables import table

figures = suites.figures()


def folded(summary, text):
    """A text that opens on demand."""
    return f'<details class="more"><summary>{summary}</summary>\n\n{text}\n\n</details>\n'


def total(part, name):
    """The sum of a count over the lines of a part of the figures."""
    return sum(row[name] for row in figures[part].values())


def in_pages(name):
    """The sum of a count over the kernels of pages, in all browsers."""
    return sum(row[name] for rows in figures["pages"].values() for row in rows.values())


def stored_on(part):
    """When a suite last ran as a whole; those that run in pieces have no one day."""
    return figures["stored"].get(part, {}).get("date", "in pieces")


late = [name for name, row in figures["limits"].items() if row["seconds_over"] > 0.2]
summary = [
    ("random problems against twins", "differential", f"{total('differential', 'problems'):,}", f"{total('differential', 'failures'):,}"),
    ("problems in the page's kernels", "pages", f"{in_pages('problems'):,}", f"{in_pages('failures'):,}"),
    ("scikit-learn's own tests", "scikit-learn", f"{total('scikit-learn', 'tests'):,}", f"{total('scikit-learn', 'tests') - total('scikit-learn', 'passed'):,}, each with its reason"),
    ("tests with bounds checks", "bounds", f"{figures['bounds']['tests']:,}", f"{figures['bounds']['failed']:,}"),
    ("kills of a run that stores results", "faults", f"{figures['faults']['kills']:,}", f"{figures['faults']['cases_lost']:,} finished cases lost"),
    ("searches under limits", "limits", f"{len(figures['limits']):,}", f"{len(late)} end more than 0.2 s late"),
    ("tables of every shape", "shapes", f"{total('shapes', 'cases'):,}", f"{total('shapes', 'late'):,} late, {total('shapes', 'large'):,} too large, {total('shapes', 'bound'):,} wrong bounds, {total('shapes', 'greedy'):,} worse than greedy"),
    ("fuzzed inputs of readers", "fuzz", f"{total('fuzz', 'inputs'):,}", "see the end"),
    ("models of other libraries", "readers", f"{total('readers', 'models'):,}", f"{total('readers', 'classes'):,} with another class"),
]
Markdown(
    table(
        ["what", "tried", "failed", "stored on"],
        [(what, tried, failed, stored_on(part)) for what, part, tried, failed in summary],
        "The suites at a glance; each has its section below. Their commits and all figures: `data/tested/figures.json`.",
        "tested-when",
        align="lrll",
    )
)

# %% [markdown]
# ## Random problems
#
# `make test-long`. Small random problems, each solved by a kernel and by a naive twin in plain Python that is too slow to
# be useful and too simple to be wrong, or by another program: imodels, STreeD, licketysplit, scikit-learn, SQLite.
# STreeD runs without its lower bounds: with them it calls a worse tree optimal on a few of ten thousand such problems,
# all of more than two classes, and without them once in as many. There, all trees are tried out in its place; a test
# keeps one problem of each kind.
# Relations compare a problem with a copy that must have the same answer: rows or columns in another order, classes under
# other names, other units, repeated rows and whole weights. The seeds share the work out among processes; the nightly
# run takes ten of them, a thousand problems each, half as many of the exact risk.

# %% tags=["remove-input"]
rows = [
    [name, f"{row['problems']:,}", str(row["failures"])]
    for name, row in figures["differential"].items()
]
n_wide = figures["differential"]["exact risk"]["failures"]
wide = (
    f" Of the exact risk {n_wide} failed: a result that says of itself that it is not certified, and whose bracket of a root "
    "is wider than the twin allows, since doubles cannot tell two scores apart there. Such roots are narrowed in decimals by "
    "now, in a test of their own (see the end)."
)
Markdown(
    f"{total('differential', 'problems'):,} problems.{wide * (n_wide > 0)}\n\n"
    + table(
        ["suite", "problems", "failures"],
        rows,
        "Random problems against naive twins, changed copies and other programs.",
        "tested-twins",
        align="lrr",
    )
)

# %% [markdown]
# ## Kernels in the page
#
# `python -m tests.wasm.kernels.in_browser FOLDER`. Small random problems, each solved by Python, by the page's WebAssembly under
# wasmtime, and by the same file in browsers. Trees, objectives, bounds and counts must be equal, in a browser every answer and
# every byte that is read.

# %% tags=["remove-input"]
pages = figures["pages"]
names = {name: f"{name.capitalize()} {row['version']}" for rows in pages.values() for name, row in rows.items()}
others = [
    f"{kernel} in {names[browser]}: {row['functions']}, at most {row['trees']} with another tree"
    for kernel, rows in pages.items()
    for browser, row in rows.items()
    if row["functions"]
]
told = (
    "\n\nSome kernels ask their browser for logarithms and powers, which can differ from those of the C library in the last "
    f"digit. Answers that differ for that reason alone were compared again with the library's values: {'; '.join(others)}."
)
Markdown(
    table(
        ["kernel", "problems in each", *names.values()],
        [
            [kernel, f"{max(row['problems'] for row in rows.values()):,}", *(str(rows[name]["failures"]) for name in names)]
            for kernel, rows in pages.items()
        ],
        "Random problems in Python, wasmtime and browsers: answers that differ.",
        "tested-pages",
        align="lr" + "r" * len(names),
    )
    + told * bool(others)
)

# %% [markdown]
# ## scikit-learn's own tests
#
# `python -m pytest tests/suites/scikit_learn/test_shipped_tests.py`. The tests that scikit-learn ships for its trees and forests run as they
# are, with our classes under the names of its own; what they ask of classes without a counterpart here is left out. What must
# fail, and why, is a list that is read with every change: a test on it that passes is a fault too. Several targets at once,
# `warm_start` and `splitter="random"` stay out.

# %% tags=["remove-input"]
names = {"tree": "trees", "forest": "forests"}
rows = [
    [names[suite], str(row["tests"]), str(row["passed"])] for suite, row in figures["scikit-learn"].items()
]
Markdown(
    table(
        ["suite", "tests", "passed"],
        rows,
        "scikit-learn's own tests, none changed.",
        "tested-raw",
        align="lrr",
    )
)

# %% [markdown]
# ## Real tables
#
# `python -m tests.benchmarks.learners.tables`. `treelib fit --tune` on tables that packages of R ship: errors are on a third of the
# rows that no fit has seen. *Before* is an older way to tune, along a list of prices, which stopped at the trivial
# tree. The best price is the one of a list that has the least error on these very rows, which nobody could have chosen. CART is
# scikit-learn's pruned tree with as many leaves as ours, or the next smaller one.
#
# One rule holds for all tables: the optimal tree chooses from ten quantiles of each column and the cuts of a greedy tree, pruned
# at one row in a thousand, and starts from that greedy tree, pruned at its own price.


# %% tags=["remove-input"]
def share(found):
    return f"{100 * found['error']:.1f} ({found['leaves']})" if found else "not run"


rows, worse = [], []
for name, row in figures["tables"].items():
    ours, cart = row["sparse"], row["sparse"]["cart"]
    worse += [name.partition("/")[2]] * (cart["worse_by"] > cart["standard_error"])
    difference = f"{100 * cart['worse_by']:.1f} ± {100 * cart['standard_error']:.1f}"
    rows.append([name.partition("/")[2], f"{row['rows']:,}", share(row.get("before")), share(ours)])
    rows[-1] += [share(ours["best_price"]), share(cart), difference, share(row["topdown"])]
single = {
    name.partition("/")[2]: row for name, row in figures["tables"].items() if row["sparse"]["leaves"] == 1
}
more = [name for name, row in single.items() if row["tuned_cart"]["leaves"] > 1]
before = sum(row["before"]["leaves"] == 1 for row in figures["tables"].values() if "before" in row)
lost = [
    name.partition("/")[2]
    for name, row in figures["tables"].items()
    if "before" in row and row["sparse"]["error"] > row["before"]["error"] + 0.01
]
(limit,) = {row["limit"] for row in figures["tables"].values()}
Markdown(
    f"Of {len(rows)} tables our tree is worse than CART's of its size by more than a standard error of the difference on "
    f"{len(worse) or 'none'}{': ' * bool(worse)}{', '.join(worse)}. Against before it is worse by more than a point on "
    f"{', '.join(lost) or 'none'}. A single leaf was chosen for {before} tables before, and is for {len(single)} of these now. On "
    "those CART's price was chosen too, on the same folds and by the same rule: it keeps a single leaf on "
    f"{len(single) - len(more)} of them{', more on ' * bool(more)}{', '.join(more)}. The path of all rows, the folds together and "
    f"the last search had {limit:g} seconds of the processor each, and many were stopped; the command allows 60 seconds of the "
    "clock.\n\n"
    + table(
        ["table", "rows", "before", "tuned", "best price", "CART", "less CART", "greedy"],
        rows,
        "Errors in per cent on rows left out, leaves in parentheses; the optimal sparse tree, and the greedy one.",
        "tested-tables",
        align="lrrrrrrr",
    )
)

# %% [markdown]
# ## Bounds
#
# `make test-bounds`. A kernel that reads outside an array may give a wrong answer, or end the process, or neither. The
# tests of all kernels run with numba's bounds checks, where such an access is an error.

# %% tags=["remove-input"]
bounds = figures["bounds"]
Markdown(
    f"{bounds['tests']:,} tests passed with bounds checks on, and {bounds['problems']:,} random problems were solved as by "
    f"their twins; {bounds['failed']} failed."
)

# %% [markdown]
# ## Faults
#
# `python tests/suites/faults/runs.py`. `treelib reproduce` is killed at random moments, and run again to its end. A case counts as lost
# if the process had said that it was on the disk. Further tests fill the disk, run two processes in one folder, damage
# results, data and compiled kernels, and take away the right to write.

# %% tags=["remove-input"]
words = {
    "kills": "kills",
    "half_way": "of these, with some cases done and some not",
    "files_damaged": "damaged files",
    "cases_lost": "finished cases lost",
    "reruns": "runs to the end afterwards",
    "reruns_that_differ": "of these, with another result than an undisturbed run",
    "left_behind": "files left behind",
}
rows = [[text, f"{figures['faults'][name]:,}"] for name, text in words.items()]
Markdown(table(["", "count"], rows, "`kill -9` at random moments.", "tested-faults", align="lr"))

# %% [markdown]
# ## Limits
#
# `python -m tests.benchmarks.waiting.limits`. Each search gets a problem that is far too hard for its
# limits. Time is what the processor still did after the limit was reached, at worst over several limits, and of up to
# three runs under each the best, since the machine had other work. The compilation of the very first call is outside:
# no limit ends it. Memory is the larger of what the search says it held and, under the larger of two limits, of what a
# fresh process grew by, Python's own objects included, as a share of the limit. The last column says how many of the
# runs under a memory limit were ended by it; the others came to their time limit first. Larger programs of BinOCT run
# in a process that is ended with the time.

# %% tags=["remove-input"]
rows = [
    [
        name,
        f"{row['seconds_over']:.3f}",
        "not tried"
        if row["memory"] is None
        else f"{100 * row['memory']:.0f} %"
        if row["memory"]
        else "not told",
        str(row.get("met", "")),
    ]
    for name, row in figures["limits"].items()
]
late = [name for name, row in figures["limits"].items() if row["seconds_over"] > 0.2]
large = [name for name, row in figures["limits"].items() if (row["memory"] or 0.0) > 1.1]
Markdown(
    f"What we aim at is 0.2 s and 110 %. Later than that: {', '.join(late) or 'none'}. More memory than that: "
    f"{', '.join(large) or 'none'}."
    + " What was allocated is within the limit, as `test_memory_limit` traces it in every run of the tests; the rest was "
    "given back, and kept by the process." * bool(large)
    + "\n\n"
    + table(
        ["search", "seconds after the limit", "memory, share of the limit", "runs it ended"],
        rows,
        "How closely each search keeps its limits.",
        "tested-limits",
        align="lrrr",
    )
)

# %% [markdown]
# ## Tables of every shape
#
# `python -m tests.suites.limits.shapes`. The searches on tables drawn from a grid of rows, columns, values a column,
# classes, weights, missing values, categories, and limits of seconds and memory. What counts as late and as too large
# stands in that file. The optimal tree is compared with scikit-learn's greedy tree, grown under the same limits of
# depth and leaves without any limit of time, and cut back to the objective: worse is a tree with a higher objective. So
# are, on tables of up to ten million cells, the best tree of a Rashomon set and of a regularization path at its lowest
# price. Where that greedy tree alone took longer than the search had, the case is counted in the last column instead.
# All cases were run at one commit, in two processes on a machine of two cores, where nothing else was done. A case that
# was late or too large is run twice, since the first run may have compiled a kernel, and the better run counts.

# %% tags=["remove-input"]
head = [
    "cases",
    "stopped",
    "late",
    "latest, s",
    "too large",
    "largest",
    "wrong bounds",
    "worse than greedy",
    "greedy alone took longer",
]


def table_of_shapes(by, what, title, label):
    """The cases of the grid, a line for each name that they are counted by."""
    rows = [
        [name, *(f"{row[key]:,}" for key in ("cases", "stopped", "late")), f"{row['most_late']:.2f}"]
        + [f"{row['large']:,}", f"{100 * row['most_memory']:.0f} %"]
        + [f"{row[key]:,}" for key in ("bound", "greedy", "hasty")]
        for name, row in figures[by].items()
    ]
    return table([what, *head], rows, title, label, align="l" + "r" * len(head))


Markdown(table_of_shapes("shapes", "cells", "Searches on tables of every shape.", "tested-shapes"))

# %% tags=["remove-input"]
Markdown(table_of_shapes("shapes, by search", "search", "The same cases by search.", "tested-shapes-searches"))

# %% [markdown]
# ## First fits
#
# `make bench-first-fit`. The seconds on the clock of a process that imports an estimator, reads a small table and fits it:
# with an empty cache of compiled kernels, as on a new machine, and in a later process. From a checkout the first fit
# compiles what it needs; a release's wheel brings it. Medians on a machine with two cores and nothing else to do. The
# first line is the example of the README.

# %% tags=["remove-input"]
ways = {
    "before, first": "before, first",
    "checkout, first": "from a checkout, first",
    "wheel, first": "from a wheel, first",
    "checkout, later": "from a checkout, later",
    "wheel, later": "from a wheel, later",
}
rows = [
    [name, *(f"{row[way]:.1f}" if way in row else "" for way in ways)]
    for name, row in figures["first fit"].items()
]
Markdown(
    table(
        ["estimator", *ways.values()],
        rows,
        "Seconds from import to the fitted model. Before: the commit at which these seconds were first measured.",
        "tested-first-fit",
        align="l" + "r" * len(ways),
    )
)

# %% [markdown]
# ## Bad input
#
# Readers of trees, forests, boosted models, tables and stored results are fuzzed under coverage: `make fuzz`. They may
# refuse a text with the error that they promise, and nothing else.

# %% tags=["remove-input"]
rows = [
    [name, f"{row['inputs']:,}", f"{row['seconds']:,}"]
    for name, row in figures["fuzz"].items()
]
Markdown(
    table(["reader", "inputs", "seconds"], rows, "Inputs tried by atheris.", "tested-fuzz", align="lrr")
)

# %% [markdown]
# What the readers of boosted models accept must also predict as a naive walk through the text.
#
# ## Models of other libraries
#
# `python -m tests.suites.random_problems.boosted`. Boosted models and forests are fitted by their library and read by treelib, from the
# fitted model and from the file that the library saves. Classes and sums of scores are compared bit for bit: on random
# rows, half of whose values are thresholds or the next numbers of either float type, and at each of these once. The
# models have missing values, categories, three classes, `dart`, early stopping, a base score and more.

# %% tags=["remove-input"]
head = ["library", "version", "models", "from a file", "rows each", "at thresholds", "other class", "other sum"]
keys = ("models", "from_file", "fewest_rows", "at_thresholds", "classes", "sums")
rows = [
    [name, row["version"], *(f"{row[key]:,}" for key in keys)] for name, row in figures["readers"].items()
]
Markdown(
    table(head, rows, "Models read by treelib against their libraries.", "tested-readers", align="llrrrrrr")
)

# %% [markdown]
# ## Wrong data and settings
#
# In the tests of every change a long list of wrong and odd data and settings goes to every estimator: it fits, or says
# what is wrong and where. The list stores the exact words (`python tests/suites/bad_input/outcomes.py`).

# %% tags=["remove-input"]
said, n_trials = suites.bad_input()
short = {name: name.removesuffix("Classifier") for _, names, _ in said for name in names}
everyone = max(len(names) for _, names, _ in said)
n_inputs = len({case for case, _, _ in said})


def literal(text):
    return "`` " + " ".join(text.split()).replace("|", "\\|") + " ``"


rows = [
    [
        literal(case),
        "all" if len(names) == everyone else ", ".join(short[name] for name in names),
        literal(outcome),
    ]
    for case, names, outcome in said
    if outcome != "fits"
]
n_fits = len({case for case, _, _ in said}) - len({row[0] for row in rows})
Markdown(
    f"{n_inputs} inputs, {n_trials} fits tried; {n_fits} inputs are odd and fit everywhere, the others get these words.\n\n"
    + folded(
        f"All {len(rows)} messages",
        table(["input", "estimators", "error"], rows, "Wrong inputs and what they get.", "tested-bad-input"),
    )
)

# %% [markdown]
# ## What they found
#
# Each fault that one of these runs has shown, what was mended, and the test that would see it again.

# %% tags=["remove-input"]
rows = [
    [row["suite"], row["fault"], row["mended"], f"`{row['test'].removeprefix('tests/')}`"]
    for row in suites.mended()
]
Markdown(
    f"{len(rows)} faults.\n\n"
    + folded(
        "All of them",
        table(
            ["suite", "fault", "mended", "test"],
            rows,
            "Faults found, and the test of each, a file in `tests` and its function.",
            "tested-mended",
        ),
    )
)
