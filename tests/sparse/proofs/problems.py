"""Random small problems of every kind that proofs know, with their optimum by trying every tree."""

import gzip
import json
import warnings
from fractions import Fraction
from functools import cache
from typing import NamedTuple

import numpy as np
import pandas as pd

from tests.twins.sparse.every_tree import least_cost
from treelib import OptimalSparseTreeClassifier

PRICES = (Fraction(1, 100), Fraction(1, 30), Fraction(1, 12), Fraction(1, 7), Fraction(0))


class Case(NamedTuple):
    """table, proof : paths of the written files. written : WrittenProof. depth : int or None, of the fit.
    optimum : callable of a depth limit, the least objective as Fraction."""

    table: object
    proof: object
    written: object
    depth: int | None
    optimum: object


def random_case(seed, folder):
    """A `Case`: a table of at most nine rows, a fit of it, and the proof."""
    rng = np.random.default_rng(seed)
    n, p, k = int(rng.integers(2, 10)), int(rng.integers(1, 4)), int(rng.integers(2, 4))
    X = rng.integers(0, int(rng.choice([2, 3, 6])), (n, p)).astype(float)
    if rng.random() < 0.3:
        X[rng.random((n, p)) < 0.2] = np.nan
    y = np.array(["no", "yes", "perhaps"])[rng.integers(0, k, n)]
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(p)])
    columns = X.T.tolist()
    if rng.random() < 0.25:
        colour = rng.choice(["red", "green", "blue, dark"], n).astype(object)
        colour[rng.random(n) < 0.1] = None
        frame["colour"] = pd.Categorical(colour)
        columns += [[float(cell == one) for cell in colour] for one in set(colour)]
    classes = np.unique(y)
    options = {"regularization": float(PRICES[rng.integers(len(PRICES))])}
    options["max_depth"] = [None, 1, 2, 3][rng.integers(4)]
    weights, exact_weights = None, [Fraction(1)] * n
    if rng.random() < 0.3:
        exact_weights = [Fraction(int(w), 4) for w in rng.integers(0, 9, n)]
        exact_weights[0] = Fraction(1)
        weights = [float(w) for w in exact_weights]
    matrix = [[Fraction(int(c != d)) for d in classes] for c in classes]
    if rng.random() < 0.25:
        matrix = [[Fraction(int(x), 2) for x in row] for row in rng.integers(0, 5, (len(classes),) * 2)]
        options["cost_matrix"] = [[float(x) for x in row] for row in matrix]
    model = OptimalSparseTreeClassifier(**options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(frame, y, weights)
    table, proof = folder / f"{seed}.csv", folder / f"{seed}.jsonl.gz"
    written = model.write_proof(proof, frame, y, weights, table=table)
    total = sum(exact_weights)
    code = {c: i for i, c in enumerate(classes.tolist())}
    costs = [[w * x for x in matrix[code[c]]] for w, c in zip(exact_weights, y.tolist(), strict=True)]
    price = next(one for one in PRICES if float(one) == options["regularization"])
    optimum = cache(lambda depth: least_cost(columns, costs, price * total, depth) / total)
    return Case(table, proof, written, options["max_depth"], optimum)


def read(proof):
    """The JSON values of a proof, the head first."""
    data = proof.read_bytes()
    data = gzip.decompress(data) if proof.suffix == ".gz" else data
    return [json.loads(line) for line in data.splitlines()]


def write(path, lines):
    """Write JSON values as a proof."""
    text = "".join(json.dumps(line) + "\n" for line in lines)
    path.write_bytes(gzip.compress(text.encode()) if str(path).endswith(".gz") else text.encode())
    return path
