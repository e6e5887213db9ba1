"""Proofs of optimality of the sets of ConTree's paper at depth 2: what they take to write and to check.

``python -m tests.benchmarks.searches.proofs --files FOLDER --json FILE [name ...]`` reads the files of
ConTree's authors (``datasets/*.txt`` of their repository), which ship with no package, and so not with this
one. Of sets with more than ``--rows`` rows it takes as many at random: the checker looks at every row at each
threshold. Each proof adds a line to the file, which `tests.suites.record_figures` takes over. Seconds are
those of the processor.
"""

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np

from tests.benchmarks.records import add_record
from tests.benchmarks.searches.continuous import files
from treelib import OptimalSparseTreeClassifier
from treelib.papers.across.proofs import seconds_in_node
from treelib.sparse.proofs import checktree


def measure(X, y, folder):
    """Record of one set."""
    table, proof = folder / "table.csv", folder / "proof.jsonl.gz"
    model, start = OptimalSparseTreeClassifier(0.0, max_depth=2), time.process_time()
    model.fit(X, y)
    fitted = time.process_time()
    written = model.write_proof(proof, X, y, table=table)
    end = time.process_time()
    bound, cost, _ = checktree.check(table, proof)
    checked = time.process_time()
    return {
        "rows": len(y),
        "columns": X.shape[1],
        "errors": round(float(cost) * len(y)),
        "proved": bound == cost,
        "lemmas": written.n_lemmas,
        "bytes": written.n_bytes,
        "search": round(fitted - start, 2),
        "write": round(end - fitted, 2),
        "check, Python": round(checked - end, 2),
        "check, page": seconds_in_node(table, proof, bound),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", help="sets (default: all)")
    parser.add_argument("--files", required=True, metavar="FOLDER", help="the files of ConTree's authors")
    parser.add_argument("--rows", type=int, default=2000, help="of a set, at most (default: 2000)")
    parser.add_argument("--json", metavar="FILE", help="add the records to this file of lines")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:  # compiles what is timed
        measure(np.arange(300.0).reshape(100, 3) % 7, np.arange(100) % 2, Path(name))
    for name, X, y in files(options.files):
        if options.names and name.partition("/")[2] not in options.names:
            continue
        kept = np.sort(np.random.default_rng(0).permutation(len(y))[: options.rows])
        with tempfile.TemporaryDirectory() as folder:
            record = {"name": name, "all rows": len(y)} | measure(X[kept], y[kept], Path(folder))
        add_record(record, options.json)


if __name__ == "__main__":
    main()
