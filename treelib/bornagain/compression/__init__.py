"""The fewest re-weighted trees of an ensemble with the same class everywhere (FIPE's problem), certified.

Emine, Forel, Malek and Vidal, "Free lunch in the forest: functionally-identical pruning of boosted tree
ensembles", AAAI 2025, state the problem and solve it with a commercial solver.

- `space`: the ensemble on levels; sampled cells, and pairs of neighbouring cells of different class
- `rows`: what the weights must satisfy at a cell, and the linear program that finds them or shows why not
- `cover`: which trees no solution can do without all of, and the fewest trees that respect this
- `separate`: the exact search for a cell where two ensembles on the same trees differ
- `search`: `compress`, which joins them; `result`: what it returns
"""

from treelib.bornagain.compression.result import Compressed
from treelib.bornagain.compression.search import compress

__all__ = ["Compressed", "compress"]
