"""What the suites that look for faults found, kept by `tests/suites/record_figures.py`."""

import json

from treelib.datasets import files


def figures():
    """Dict of what each suite counted when it last ran; ``stored`` has their dates and commits."""
    return json.loads((files.data_root() / "tested" / "figures.json").read_text(encoding="utf-8"))


def bad_input():
    """What every estimator says to wrong and odd inputs, written by ``tests/suites/bad_input/outcomes.py``.

    Returns
    -------
    rows : list of (input, list of estimators, outcome), equal outcomes of one input in one row
    n_trials : int, inputs times the estimators that they were given to
    """
    text = (files.data_root() / "tested" / "bad_input.json").read_text(encoding="utf-8")
    stored = json.loads(text)
    rows, n_trials = [], 0
    for case, found in (stored["data"] | stored["settings"]).items():
        n_trials += len(found)
        by_outcome = {}
        for name, outcome in found.items():
            by_outcome.setdefault(outcome.replace(name, "..."), []).append(name)
        rows += [(case, names, outcome) for outcome, names in by_outcome.items()]
    return rows, n_trials


def mended():
    """Faults that the suites found, list of dict: suite, fault, mended, test (``file::function``)."""
    return files.read_csv(files.data_root() / "tested" / "mended.csv")
