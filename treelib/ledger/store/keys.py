"""Keys of results: hashes of all that a result depends on."""

import functools

from treelib import datasets
from treelib.datasets import files
from treelib.ledger import experiments
from treelib.ledger.store import lines
from treelib.ledger.store.lines import canonical, digest_of


def key(experiment, case):
    """Key of a result, 16 hexadecimal digits, of the case, the checksums of the data and the code beneath.

    experiment : str or Experiment
    """
    return _key(experiments.get(experiment).name, canonical(case))


@functools.cache
def data_digest(name):
    """SHA-256 of a data set of `treelib.datasets`, or of a file listed in ``data/downloads.csv``; empty where
    the registry has none."""
    if name in datasets.names():
        return datasets.info(name).sha256
    if name in files.downloads():
        return files.downloads()[name].sha256
    raise ValueError(f"There is no data set or file {name!r}.")


@functools.cache
def _key(name, case_text):
    experiment = experiments.get(name)
    needed = experiment.datasets_of(lines.parse(case_text))
    return digest_of(
        {
            "experiment": name,
            "case": case_text,
            "data": {name: data_digest(name) for name in needed},
            "sources": experiments.loaded_digest(name),
        }
    )
