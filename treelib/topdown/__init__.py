"""Top-down decision trees: splitting criteria, growth, pruning, and learning their parameters from data."""

from treelib.public import public

_PUBLIC = {
    "Instance": "treelib.topdown.learn.instance",
    "cost_complexity_path": "treelib.topdown.prune.methods",
    "exact_loss": "treelib.topdown.learn.splitting_risk",
    "fit_grid": "treelib.topdown.grid.fit_grid",
    "prune_bottom_up_pessimistic": "treelib.topdown.prune.methods",
    "prune_cost_complexity": "treelib.topdown.prune.methods",
    "prune_reduced_error": "treelib.topdown.prune.methods",
    "prune_top_down_pessimistic": "treelib.topdown.prune.methods",
    "tsallis_grid": "treelib.topdown.grid.fit_grid",
}

__getattr__, __dir__, __all__ = public(__name__, _PUBLIC)
