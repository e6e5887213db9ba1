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
# # Verify again
#
# A search needs trust; its result does not. Every button below loads a data set and a stored tree into your browser and
# counts anew: the errors, the leaves, and the objective as an exact fraction. Nothing is sent anywhere. The record that you
# get names the data and the tree by their checksums, so that you can cite what you saw.
#
# That no better tree exists is what the search proves, and the proof can be checked as well: {doc}`proofs` explains how.

# %% tags=["remove-input"]
from fractions import Fraction

from IPython.display import HTML

from treelib import DyadicTreeClassifier, datasets
from treelib.ledger import claims
from treelib.papers.across import play, proofs
from treelib.papers.osdt import settings, trees

# %% [markdown]
# ## A proof of your own
#
# `model.write_proof` writes a table and a proof that no tree is better. This page checks them by the rules of
# {doc}`../book/proofs`; the files stay on your machine.

# %% tags=["remove-input"]
HTML(proofs.drop_part())

# %% [markdown]
# ## Optimal sparse trees
#
# The trees of Figures 4 to 7 of {cite:t}`osdt`, and the optimum of every data set of the paper at one price of a leaf.

# %% tags=["remove-input"]
FIGURES = {
    "osdt.f4.osdt.accuracy": ("COMPAS", settings.LAMBDA["COMPAS"]),
    "osdt.f5.osdt.accuracy": ("Tic-Tac-Toe", settings.LAMBDA["Tic-Tac-Toe"]),
    "osdt.f6.osdt.accuracy": ("Monk1", settings.LAMBDA["Monk1"]),
    "osdt.f7.osdt.accuracy": ("COMPAS", settings.FIGURE_7_LAMBDA),
}


def part(result_id, data, price, printed=None):
    found = trees.optimal_tree(data, price)
    title = f"{data}, λ = {float(price):g}: {found.n_leaves} leaves, {found.n_errors} of {found.n_samples} wrong"
    return play.html(
        "verify",
        play.verify_data(
            result_id, settings.DATA[data], found.tree, regularization=price, printed=printed, title=title
        ),
        f"<p>{title}</p>{found.tree.to_svg()}",
    )


parts = [
    part(claim, data, price, f"{claims.find(claim).value} %") for claim, (data, price) in FIGURES.items()
]
parts += [part(f"optimum.{settings.DATA[data]}.0.025", data, Fraction(25, 1000)) for data in settings.DATA]
HTML("".join(parts))

# %% [markdown]
# ## Optimal dyadic trees
#
# At one price of a leaf, on data sets of {cite:t}`dyadic` that the site may hold; see {doc}`dyadic`.

# %% tags=["remove-input"]
PRICE = Fraction(1, 100)


def dyadic_part(name):
    data = datasets.load(f"dyadic/{name}")
    model = DyadicTreeClassifier(float(PRICE)).fit(data.X, data.y)
    tree = model.tree_.replace(feature_names=data.feature_names, class_names=data.class_names)
    wrong = int((tree.predict(data.X) != data.y).sum())
    title = f"{name}, λ = {float(PRICE):g}: {tree.n_leaves} leaves, {wrong} of {len(data.y)} wrong"
    verify = play.verify_data(f"dyadic.{name}.0.01", data.name, tree, regularization=PRICE, title=title)
    return play.html("verify", verify, f"<p>{title}</p>{tree.to_svg()}")


HTML("".join(dyadic_part(name) for name in ("banana", "titanic", "thyroid", "flare_solar")))
