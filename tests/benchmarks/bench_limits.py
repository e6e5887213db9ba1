"""How closely every search keeps its limits: seconds beyond the time limit, bytes beyond the memory limit.

Run in the folder ``tests``: ``python -m benchmarks.bench_limits``. Each problem is far too hard for its
limit. Kernels are compiled by a first fit that is not measured.
"""

import json
import sys
import time
import warnings

import numpy as np

TIME_LIMITS = (0.2, 0.5, 1.0, 2.0)
MEMORY_LIMITS = (20e6, 50e6)


def problems():
    """name -> (make an estimator from limits, X, y), hard for the method."""
    from sklearn.ensemble import RandomForestClassifier

    from treelib import (
        BayesianTreeClassifier,
        BornAgainTreeClassifier,
        DyadicTreeClassifier,
        OptimalSparseTreeClassifier,
    )

    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2, (4000, 60)).astype(float)
    bits_y = (bits[:, :7].sum(axis=1) + rng.normal(0, 1, 4000) > 3.5).astype(int)
    reals = rng.random((1500, 9))
    reals_y = (reals[:, 0] + reals[:, 1] * reals[:, 2] + rng.normal(0, 0.2, 1500) > 0.8).astype(int)
    forest = RandomForestClassifier(12, max_depth=5, random_state=0)
    return {
        "sparse": (lambda **limits: OptimalSparseTreeClassifier(0.0005, **limits), bits, bits_y),
        "dyadic": (lambda **limits: DyadicTreeClassifier(0.0005, max_splits=4, **limits), reals, reals_y),
        "born-again": (lambda **limits: BornAgainTreeClassifier(forest, **limits), reals[:, :6], reals_y),
        "bayesian": (lambda **limits: BayesianTreeClassifier(n_iter=10**7, **limits), reals, reals_y),
    }


def measure(make, X, y, **limits):
    """Seconds of one fit, status, and bytes that the search says it held."""
    start = time.perf_counter()
    model = make(**limits).fit(X, y)
    seconds = time.perf_counter() - start
    stats = getattr(model, "search_stats_", {})
    model.predict(X)
    return seconds, model.status_, stats.get("n_bytes", stats.get("bytes"))


def main():
    warnings.simplefilter("ignore")
    records = []
    for name, (make, X, y) in problems().items():
        measure(make, X, y, time_limit=1.0)
        start = time.perf_counter()
        make(time_limit=1e-9).fit(X, y)
        fixed = time.perf_counter() - start
        for limit in TIME_LIMITS:
            seconds, status, n_bytes = measure(make, X, y, time_limit=limit)
            records.append({"method": name, "time_limit": limit, "seconds": seconds, "status": status})
            print(
                f"{name:12} limit {limit:4.1f} s: {seconds:6.3f} s ({seconds - limit:+.3f}), {status}",
                flush=True,
            )
        print(f"{name:12} with no time at all: {fixed:.3f} s", flush=True)
        if name == "bayesian":
            continue
        for limit in MEMORY_LIMITS:
            seconds, status, n_bytes = measure(make, X, y, memory_limit=limit, time_limit=30)
            records.append({"method": name, "memory_limit": limit, "bytes": n_bytes, "status": status})
            held = f"{n_bytes / 1e6:.1f} MB" if n_bytes is not None else "unknown"
            print(f"{name:12} limit {limit / 1e6:.0f} MB: {held}, {status} after {seconds:.1f} s", flush=True)
    if "--json" in sys.argv:
        print(json.dumps(records))


if __name__ == "__main__":
    main()
