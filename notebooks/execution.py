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
# # What it costs to run
#
# Every stored result says how long it took and how much memory its process held. Sums below are over the cases of an
# experiment; the memory is that of the largest. Papers rarely say how long a table took as a whole; where they print times,
# the chapters set them beside ours case by case.

# %% tags=["remove-input"]
import treelib.papers  # noqa: F401, registers the experiments
from treelib.ledger import experiments, store
from treelib.ledger.page import Markdown
from treelib.ledger.tables import table

PAPER = {"osdt": "OSDT", "bornagain": "Born-again", "tsallis": "Tsallis", "dyadic": "Dyadic", "family": "All methods"}
rows, seconds, n_results = [], {}, 0
for name in experiments.names():
    found = [entry["provenance"] for entry in store.records(name).values()]
    if not found:
        continue
    experiment = experiments.get(name)
    total = sum(entry["seconds"] for entry in found)
    cpu = sum(entry["cpu_seconds"] for entry in found)
    seconds[experiment.paper] = seconds.get(experiment.paper, 0.0) + cpu
    n_results += len(found)
    rows.append(
        [
            f"`{name}`",
            experiment.item,
            f"{len(found)} of {len(experiment.cases())}",
            f"{cpu:,.1f}",
            f"{total:,.1f}",
            f"{max(entry['peak_bytes'] for entry in found) / 2**20:,.0f}",
        ]
    )
minutes = "; ".join(f"{PAPER[key]} {value / 60:.1f}" for key, value in seconds.items())
Markdown(
    f"{n_results:,} results are stored. Processor minutes, each result computed once: {minutes}.\n\n"
    + table(
        ["experiment", "item", "results", "processor seconds", "seconds on the clock", "largest process, MiB"],
        rows,
        "Experiments with stored results. Clock times are those of a machine that ran other work as well.",
        "execution-experiments",
        align="llrrrr",
    )
)

# %% [markdown]
# ## Trees grown from the top
#
# The learner of {doc}`tsallis` against scikit-learn, and with a criterion of one's own against public programs that take
# one too, as `make bench-topdown` measured them.

# %% tags=["remove-input"]
from treelib.papers.tsallis import benchmark

lines = benchmark.benchmark_lines()
(
    table(
        ("", "rows", "single tree", "grid of 400 criteria", "forest of 100 trees"),
        lines,
        "Processor time as a share of scikit-learn's on the same data and machine: of several settings the one that comes off "
        "worst. Sets named by a size are random rows and columns; bits are 0 or 1. Empty: not measured.",
        "execution-topdown",
        align="lrrrr",
    )
    if lines
    else Markdown("`make bench-topdown` measures the learner against scikit-learn; it has not been run here.")
)

# %% tags=["remove-input"]
peers, lines = benchmark.own_criterion_lines()
(
    table(
        ("", "rows", "here, ms", *(f"{peer}, times as long" for peer in peers)),
        lines,
        "Processor time of a tree of depth 5 with a criterion of one's own, a Python function.",
        "execution-topdown-own",
        align="lrr" + "r" * len(peers),
    )
    if lines
    else Markdown("")
)

# %% [markdown]
# ## Pages
#
# What each chapter is made of: code that its page shows, code that only judges and formats and is left out, the values that
# were computed while the page was built and those that come from stored results, each claim once. Stored values are counted
# apart where their data may not be passed on: those nobody can compute from this project alone. The share is of all others.
#
# The seconds are those of the whole chapter when it was executed last. A chapter is executed again only when its code, what
# it imports, its data or its results change.
#
# ```{chapter-shape}
# ```
