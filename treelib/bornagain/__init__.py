"""Born-again tree ensembles: one small tree with the predictions of a forest, everywhere."""

from treelib.public import public

_PUBLIC = {
    "Ensemble": "treelib.bornagain.ensemble.voting",
    "as_ensemble": "treelib.bornagain.ensemble.reading",
    "born_again_heuristic": "treelib.bornagain.heuristic",
    "build_cells": "treelib.bornagain.ensemble.cells",
    "certify": "treelib.bornagain.proof.certificate",
    "compress": "treelib.bornagain.compression.search",
    "minimise": "treelib.bornagain.exact",
    "heuristic_as_printed": "treelib.bornagain.paper.heuristic",
    "minimise_by_recursion": "treelib.bornagain.paper.algorithms",
    "post_prune": "treelib.bornagain.pruned",
    "read_boosted": "treelib.bornagain.boosting.reading",
    "read_forest": "treelib.bornagain.ensemble.reading",
    "thresholds": "treelib.bornagain.ensemble.cells",
}

__getattr__, __dir__, __all__ = public(__name__, _PUBLIC)
