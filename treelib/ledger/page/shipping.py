"""Which values anyone can compute: those on data sets that the project may pass on."""

from treelib.datasets import files
from treelib.datasets.registry import REGISTRY
from treelib.ledger import experiments, store
from treelib.ledger.store import lines

NEED_A_COPY = ("mirror", "online")  # kinds of data sets that a reader has to bring or to download


def ships(name):
    """Whether the project has a data set of this name, or makes it; False for files it only points to."""
    return name not in files.downloads() and REGISTRY[name].kind not in NEED_A_COPY


def on_shipped_data(verdict):
    """Whether a kept verdict rests on data sets that ship.

    Parameters
    ----------
    verdict : dict, a line of ``data/results/verdicts.csv``: ``id``, ``experiment`` and ``key``

    Returns
    -------
    bool
        All data sets of the record that the verdict names ship. Where it names an experiment only: those of
        the cases that have a part of the claim's id (``mushroom``) as a value, or of all cases.
    """
    if not verdict["experiment"]:
        return True
    experiment = experiments.get(verdict["experiment"])
    stored = {entry["key"]: entry["case"] for entry in _entries(experiment)}
    parts = set(verdict["id"].split("."))
    named = [case for case in experiment.cases() if parts & {str(value) for value in case.values()}]
    cases = [stored[verdict["key"]]] if verdict["key"] in stored else named or experiment.cases()
    return all(ships(name) for case in cases for name in experiment.datasets_of(case))


def _entries(experiment):
    return lines.read(store.committed() / f"{experiment.name}.jsonl")
