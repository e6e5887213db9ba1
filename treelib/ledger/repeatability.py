"""Does a stored result come out again? Cases are run anew, from nothing, and compared with what is kept.

Results of an exact experiment must agree bit by bit, numbers of a statistical one within its tolerance. What
was measured (seconds, bytes, and what an experiment declares) is not compared; of a timing experiment all
else is.
"""

import math
import random

from treelib.ledger import experiments as registry
from treelib.ledger import store
from treelib.ledger.store import one_case
from treelib.ledger.store.lines import canonical


def differences(experiment, case):
    """What differs between the stored result of a case and a new run of it: list of str, empty if nothing.

    Raises
    ------
    store.Missing
        There is no fresh result, or the case cannot be run here.
    """
    kept = store.record(experiment, case)["result"]
    _, entry, error = one_case.run_case(experiment.name, case)
    if error:
        raise store.Missing(f"{experiment.name}: {error}")
    return compare(experiment, kept, entry["result"])


def compare(experiment, kept, again):
    """What differs between two results of one case, list of str."""
    kept, again = (result if isinstance(result, list) else [result] for result in (kept, again))
    if len(kept) != len(again):
        return [f"{len(kept)} rows stored, {len(again)} now"]
    tolerance = experiment.tolerance if experiment.kind == registry.STATISTICAL else 0.0
    found = []
    for i, (old, new) in enumerate(zip(kept, again, strict=True)):
        for name in dict.fromkeys([*old, *new]):
            if not experiment.is_measured(name) and not _same(old.get(name), new.get(name), tolerance):
                found.append(f"row {i}, {name}: {old.get(name)!r} stored, {new.get(name)!r} now")
    return found


def sample(experiments, count, seconds, seed=None):
    """A random choice of at most `count` stored cases, each of which took at most `seconds`.

    Returns
    -------
    list of (Experiment, case), one experiment at most twice
    """
    rng = random.Random(seed)
    chosen = []
    for experiment in experiments:
        cases = [
            entry["case"]
            for entry in store.records(experiment).values()
            if entry["provenance"]["cpu_seconds"] <= seconds
        ]
        chosen += [(experiment, case) for case in rng.sample(cases, min(2, len(cases)))]
    rng.shuffle(chosen)
    return sorted(chosen[:count], key=lambda pair: (pair[0].name, canonical(pair[1])))


def _same(old, new, tolerance):
    if isinstance(old, dict) and isinstance(new, dict):
        return old.keys() == new.keys() and all(_same(old[name], new[name], tolerance) for name in old)
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(_same(a, b, tolerance) for a, b in zip(old, new, strict=True))
    numbers = all(isinstance(x, int | float) and not isinstance(x, bool) for x in (old, new))
    if numbers and tolerance:
        return math.isclose(old, new, rel_tol=tolerance, abs_tol=tolerance)
    return type(old) is type(new) and old == new
