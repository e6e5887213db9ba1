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
# # Why you can believe it
#
# A search says "optimal", and you have to trust a few thousand lines of code. You can look at the tree and count its errors, but
# you cannot look at the trees that the search left out. Public solvers have called trees optimal that were not.
#
# So the search can write down *why* no tree is better. The proof is a list of short statements about parts of the table,
# and a program of two hundred lines of standard Python checks each of them in exact fractions. It reads the table itself
# and shares nothing with the search. If the search is wrong, the proof does not go through.
#
# ## A proof on iris
#
# We fit a tree and write the proof and the table that it is about.

# %%
import tempfile
from pathlib import Path

from sklearn.datasets import load_iris

from treelib import OptimalSparseTreeClassifier

X, y = load_iris(return_X_y=True, as_frame=True)
y = load_iris().target_names[y]
model = OptimalSparseTreeClassifier(regularization=0.02).fit(X, y)
folder = Path(tempfile.mkdtemp())
table, proof = folder / "iris.csv", folder / "iris.proof.gz"
written = model.write_proof(proof, X, y, table=table)
print(model.tree_)
print(f"{written.n_lemmas} lemmas, {written.n_bytes:,} bytes")

# %% [markdown]
# The checker needs no part of this package: `python checktree.py iris.csv iris.proof.gz` says the same as the command below.
# {download}`checktree.py <../treelib/sparse/proofs/checktree.py>` is one file; {doc}`../book/proofs` describes the format.

# %%
from treelib.cli import main

code = main(["check-proof", str(table), str(proof)])

# %% [markdown]
# ## What a lemma says
#
# The cost of a tree is the number of rows it misclassifies plus a penalty for every leaf. A **lemma** names
# some rows, by the conditions that lead to them, and a number: *on these rows, every tree costs at least this
# much*. Here are all of them. The leaf penalty is the regularization times the number of rows.

# %%
import pandas as pd

from treelib.papers.across import proofs

head, *lemmas = proofs.lines_of(proof)
print("leaf penalty:", model.regularization * len(X), "rows")
rows = [[proofs.path_in_words(lemma["path"]), lemma["bound"]] for lemma in lemmas]
pd.DataFrame(rows, columns=["on the rows", "every tree costs at least"])

# %% [markdown]
# ## Three rules
#
# Why should we believe a lemma? A tree on some rows is a leaf, or it begins with a split. The checker counts what the best leaf
# costs. Then it has to show that no first split does better, whichever column and threshold it uses. It has three rules for that.
#
# - **Fewer rows cost no more.** Take rows away and no tree gets worse: no error is added. So a bound for some rows holds for
#   all sets that contain them, and one lemma serves many places.
# - **Small trees can be tried.** The checker counts the best leaf and the best single split. Any other tree has at least three
#   leaves, and it misclassifies at least the unavoidable rows: no split separates equal rows of different
#   classes. The smallest of these three numbers is a bound that needs no lemma.
# - **Neighbouring thresholds fall together.** Move a threshold up, and the low side gains rows and the high side loses some. So
#   for all thresholds from one value to another, the low side costs at least as much as it does at the first, and the high side at
#   least as much as it does at the last. If these two add up to the bound, the whole run of thresholds is refuted in one line.
#
# The last lemma is about all rows. Its number is the cost of our tree, so no tree is better.
#
# ## Reading a line
#
# This is the last lemma as it stands in the file. Under each column are its runs: the last threshold of a run, then the lemmas
# used for the low side and for the high side. No number means that the second rule is enough.

# %%
for column, runs in lemmas[-1]["cuts"].items():
    for end, low, high in runs:
        print(f"{column}: splits up to {end}", f"low side: lemma {low}" * bool(low), f"high side: lemma {high}" * bool(high))

# %% [markdown]
# The same in a picture. Each bar is a run of thresholds that one line refutes; dark bars lean on the lemmas whose numbers they carry.

# %% mystnb={"figure": {"name": "proofs-runs", "caption": "The last lemma: every threshold of every column of iris lies in a run that is refuted."}, "image": {"alt": "Four rows of bars, one for each column of iris, from its smallest to its largest value. The bars leave no gap. Most are pale; some are dark and carry the numbers of lemmas."}}
import matplotlib.pyplot as plt

from treelib.tree.style import use_style

use_style()
figure, ax = plt.subplots(figsize=(7, 2.2))
proofs.drawn(lemmas[-1], X, ax)

# %% [markdown]
# ## What happens to a false proof
#
# Claim a little more in the first lemma, and the checker names the lemma and the column where the argument
# breaks.

# %%
import json

false = folder / "false.jsonl"
lemmas[0]["bound"] = str(int(lemmas[0]["bound"]) + 1)
false.write_text("\n".join(json.dumps(line) for line in [head, *lemmas]))
code = main(["check-proof", str(table), str(false)])

# %% [markdown]
# The tests attack the checker itself: small problems in which every tree can be tried, proofs forged in
# twelve ways, and checkers with one rule left out. Each of these gaps lets a forgery through, so each rule is
# needed.
#
# ## Figure 4 of the paper, checked in your browser
#
# The tree of Figure 4 of {cite:t}`osdt` on the COMPAS data. The table and the proof are part of this page; nothing is loaded or
# sent. The page checks by the same rules, written again in JavaScript; {doc}`verify` takes a table and a
# proof of your own.

# %%
proofs.check_part(*proofs.figure_4(), "COMPAS, the optimum of Figure 4")


# %% [markdown]
# ## What a proof takes
#
# The optima of the figures of {cite:t}`osdt`, and data sets with numeric features over all their thresholds:
# lemmas, bytes of the compressed file, and CPU seconds to search, to write the proof, and to check it with
# `checktree.py` and with the script of this page. Where the depth is limited, leaves cost nothing, as in the
# ConTree paper.

# %%
proofs.what_they_take()

# %% [markdown]
# The data sets of the ConTree paper at depth two without a leaf penalty (`python -m tests.benchmarks.searches.proofs`; CPU seconds on
# a busy machine). One lemma is enough: what is left after one split is proved by trying every second split.
# *rows* were drawn from *all rows*; the files of two of its sixteen data sets were not available.

# %%
import pandas as pd

from treelib.ledger import suites

of_contree = pd.DataFrame(suites.figures()["proofs"]).T.infer_objects().round(2)
of_contree.rename(columns={"check, Python": "check", "check, page": "in page"})

# %% [markdown]
# ## The claims of other solvers
#
# The same proofs judge other programs. Each of these solvers says that its tree is optimal. We solve the same
# problem, check our proof, and count the errors and leaves of the solver's tree: a claim is false if the tree
# costs more than the proved optimum. `treelib audit-solver pystreed` runs this check on your machine, reduces
# the first false claim to a few rows, and prints the report below.

# %%
from treelib.papers import reproduce

small = reproduce("family.solver_audit").groupby("solver")[["n_claims", "n_false", "n_refuted_proofs"]].sum()
large = reproduce("family.solver_audit_book").groupby("solver")[["n_claims", "n_false", "n_unproved"]].sum()
small.add_suffix(" (small problems)").join(large.add_suffix(" (data sets of the paper)"))

# %% [markdown]
# The first false claim, as it can be sent to the authors of the program: the reduced table, their program on it, a better tree, and
# the proof that none costs less. The table is so small that the errors and leaves of both trees can be counted by hand.

# %%
from treelib.papers.across import solver_audit

audit = reproduce("family.solver_audit")
for _, found in audit.dropna(subset="example").iterrows():
    print(solver_audit.report(found["solver"], found["example"], audit.origin.packages[found["solver"]]))
