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
# # Errata of the papers
#
# Whoever reproduces a paper number by number finds slips that no reader notices, and sometimes a statement that does
# not hold as printed. They are collected here so that others need not find them again. None of them touches what the
# four papers are about: their algorithms work, and this book stands on them.
#
# Each item says where it stands, what is printed and how we read it. Where something can be computed, it is computed
# while this page is built, and an item whose evidence fails would stop the build.

# %% tags=["remove-input"]
import treelib.papers  # noqa: F401, registers the errata
from treelib.ledger import errata
from treelib.ledger.page import Markdown
from treelib.ledger.papers import papers


def show(paper):
    """All items of a paper, each with what its evidence gives now."""
    lines = []
    for item in errata.errata(paper):
        found = item.check()
        lines.append(
            f'<span id="{item.id}"></span>**{item.place}** ({item.weight})\n\n'
            f": *Printed:* {item.printed}\n\n"
            f": *Better:* {item.better}\n" + (f"\n: *Shown:* {found}\n" if found else "")
        )
    return Markdown("\n".join(lines))


# %% tags=["remove-input"]
rows = []
for paper in papers():
    items = errata.errata(paper)
    counts = [sum(item.weight == weight for item in items) for weight in errata.WEIGHTS]
    computed = sum(item.evidence is not None for item in items)
    rows.append(f"| {{cite:t}}`{paper}` | {' | '.join(map(str, counts))} | {computed} of {len(items)} |")
lines = "\n".join(rows)
Markdown(f""":::{{table}} What was found, by weight, and how much of it is computed on this page.
:name: errata-counts

| paper | {" | ".join(errata.WEIGHTS)} | computed |
|---|---:|---:|---:|---:|
{lines}
:::""")

# %% [markdown]
# ## Optimal sparse decision trees

# %% tags=["remove-input"]
show("osdt")

# %% [markdown]
# ## Born-again tree ensembles

# %% tags=["remove-input"]
show("bornagain")

# %% [markdown]
# ## Learning to split and prune

# %% tags=["remove-input"]
show("tsallis")

# %% [markdown]
# ## Optimal dyadic decision trees

# %% tags=["remove-input"]
show("dyadic")

# %% [markdown]
# ## Try one yourself
#
# The counterexamples are functions of `treelib.papers`. Here is the one to the recursion for depth, then leaves, of
# born-again trees: a cube of cells in two classes, on which the printed recursion needs more splits than the best tree
# of the same depth.

# %%
import random

from treelib.papers.bornagain.text import errata as bornagain_errata

numbers = random.Random(bornagain_errata.SEED)
grids = (bornagain_errata.random_grid(numbers) for _ in range(bornagain_errata.N_GRIDS))
grid = next(g for g in grids if bornagain_errata.printed_dl(g) != bornagain_errata.true_dl(g))
print("classes of the cells:", *grid.values())
print("printed recursion (depth, splits):", bornagain_errata.printed_dl(grid))
print("best tree (depth, splits):        ", bornagain_errata.true_dl(grid))
