"""Records of benchmarks, a line of JSON each, as `tests.suites.record_figures` reads them."""

import json


def add_record(record, path=None):
    """Print a record, and add it to the file `path` where there is one.

    Parameters
    ----------
    record : dict
    path : str or None
    """
    line = json.dumps(record)
    print(line, flush=True)
    if path:
        with open(path, "a", encoding="utf-8") as file:
            file.write(line + "\n")
