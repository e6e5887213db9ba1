"""Born-again tree ensembles: one small tree that predicts as a forest does, everywhere."""

from treelib.public import public

_PUBLIC = {
    "Ensemble": "treelib.bornagain.ensemble.voting",
    "as_ensemble": "treelib.bornagain.ensemble.reading",
    "born_again_heuristic": "treelib.bornagain.heuristic",
    "certify": "treelib.bornagain.proof.certificate",
    "minimise": "treelib.bornagain.exact",
    "minimise_by_recursion": "treelib.bornagain.paper.algorithms",
    "post_prune": "treelib.bornagain.pruned",
    "read_boosted": "treelib.bornagain.boosting.reading",
    "read_forest": "treelib.bornagain.ensemble.reading",
}

__getattr__, __dir__, __all__ = public(__name__, _PUBLIC)
