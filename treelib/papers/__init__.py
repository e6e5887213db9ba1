"""The four papers, a folder each, and what they ask of each other: what is run, judged and drawn.

A folder registers its experiments, verdicts and errata with `treelib.ledger` when its modules are imported.
`load` imports them, and the ledger calls it for a paper that it does not know yet.
"""

import importlib
import pkgutil

from treelib.ledger import experiments
from treelib.ledger.page.compare import compare
from treelib.ledger.page.findings import findings
from treelib.ledger.papers import ACROSS

__all__ = ["compare", "findings", "load", "reproduce"]


def load(group):
    """Import all modules of one paper, or those across the papers (`treelib.ledger.papers.ACROSS`)."""
    folder = f"{__name__}.{'across' if group == ACROSS else group}"
    for found in pkgutil.walk_packages(importlib.import_module(folder).__path__, f"{folder}."):
        importlib.import_module(found.name)


experiments.found_by(load)


def reproduce(name, fresh=False, **part):
    """Results of an experiment, from the stored record or computed now.

    Parameters
    ----------
    name : str
        Name of an experiment, such as "osdt.t2"; ``treelib.ledger.experiments.names()`` lists all.
    fresh : bool, default=False
        Run all cases now instead of reading stored results.
    **part
        Parameters of a case; selects the cases with these values.

    Returns
    -------
    treelib.ledger.page.record.Record
        A `pandas.DataFrame` with one or more rows per case; a line below them says when it was made and how
        to reproduce it. Its attribute ``source`` shows the function that runs a case; ``origin`` holds date,
        seconds, commit and versions.

    Raises
    ------
    ValueError
        If there is no such experiment, or no such case.
    treelib.ledger.store.Missing
        If nothing is stored and it cannot be run here: a data set or a package is missing.

    Examples
    --------
    >>> from treelib.papers import reproduce
    >>> reproduce("osdt.t2", row="all-bounds", warm_start="cart")["n_leaves"].item()
    5
    """
    from treelib.ledger.page import record  # here, because it loads pandas

    return record.reproduce(name, fresh=fresh, **part)
