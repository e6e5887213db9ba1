"""The four papers, a folder each, and what they ask of each other: what is run, judged and drawn.

A folder registers its experiments, verdicts and errata with `treelib.ledger` when its modules are imported.
`load` imports them, and the ledger calls it for a paper that it does not know yet.
"""

import importlib
import pkgutil

from treelib.ledger import experiments
from treelib.ledger.papers import ACROSS


def load(group):
    """Import all modules of one paper, or those across the papers (`treelib.ledger.papers.ACROSS`)."""
    folder = f"{__name__}.{'across' if group == ACROSS else group}"
    for found in pkgutil.iter_modules(importlib.import_module(folder).__path__, f"{folder}."):
        importlib.import_module(found.name)


experiments.found_by(load)
