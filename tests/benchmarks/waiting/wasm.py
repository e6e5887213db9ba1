"""Measure the kernels as WebAssembly against the same searches in Python: best CPU seconds, in one run.

Run by ``make bench-wasm``. wasmtime compiles the module before the clock starts, as a page does when loading;
so does numba. Both searches must agree on tree, objective and nodes. The top-down tree is one that needs no
logarithm: a page asks its browser for it, the module here would ask Python, a thousand times as slow.
"""

import argparse
from fractions import Fraction

import numpy as np

from tests.benchmarks.jobs.runner import best_of
from tests.wasm.kernels.in_wasmtime import BornAgain, DyadicPath, GrownTree, SparseSearch
from tests.wasm.kernels.test_sparse import differences
from tests.wasm.kernels.test_topdown import in_python
from treelib import TopDownForestClassifier, datasets
from treelib.bornagain.ensemble.voting import Ensemble
from treelib.bornagain.exact import OBJECTIVES
from treelib.bornagain.exact import minimise as reborn
from treelib.dyadic.solutions import solution_path
from treelib.sparse.exact.minimise import minimise
from treelib.wasm import manifest

CASES = [
    ("compas-binary", 0.005),
    ("compas-binary", 0.001),
    ("tic-tac-toe", 0.005),
    ("car-evaluation", 0.005),
    ("fico-binary", 0.005),
]


def others():
    """Cases of the other kernels: name, work in Python, work in a page."""
    banana = datasets.load("dyadic/banana")
    y = np.unique(banana.y, return_inverse=True)[1]
    yield (
        "banana, whole path",
        lambda: solution_path(banana.X, banana.y, staged=False),
        lambda: DyadicPath(banana.X, y, 2, Fraction(0)).run(),
    )
    grown = np.asarray(banana.X, np.float64), y, 2, 2.0, 1.0, (8, -1, 1, 0)
    yield "banana, top-down", lambda: in_python(*grown), lambda: GrownTree(*grown)
    seeds = datasets.load("bornagain/Seeds")
    model = TopDownForestClassifier(n_estimators=5, max_depth=3, random_state=0).fit(seeds.X, seeds.y)
    forest = Ensemble(model.trees_)
    yield (
        "seeds, born again",
        lambda: reborn(forest, "leaves"),
        lambda: BornAgain(forest, OBJECTIVES["leaves"]).run(),
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    for name, entry in manifest.read()["modules"].items():
        print(f"{name}.wasm: {entry['bytes']:,} bytes, {entry['compressed']:,} compressed")
    print(f"{'data set':16}{'price':>8}{'native s':>11}{'page s':>10}{'ratio':>8}  differences")
    for name, price in CASES:
        data = datasets.load(name)
        columns, y = np.asarray(data.X, np.uint8), np.unique(data.y, return_inverse=True)[1]
        costs = 1.0 - np.eye(y.max() + 1)[y]
        different = differences(columns, costs, price, float(len(y)), None)
        _, native = best_of(lambda c=columns, k=costs, r=price: minimise(c, k, r), options.repeats)
        _, page = best_of(lambda c=columns, k=costs, r=price: SparseSearch(c, k, r).run(), options.repeats)
        print(
            f"{name:16}{price:8}{native:11.4f}{page:10.4f}{page / native:8.2f}  {len(different)}", flush=True
        )
    for name, in_process, in_page in others():
        in_process(), in_page()
        native, page = (best_of(work, options.repeats)[1] for work in (in_process, in_page))
        print(f"{name:24}{native:11.4f}{page:10.4f}{page / native:8.2f}", flush=True)


if __name__ == "__main__":
    main()
