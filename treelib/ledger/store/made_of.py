"""Which stored cases a value is made of, where a verdict names an experiment and not one case of it.

An average over ten folds stands on ten of three hundred records. A paper says which, by `made_of`; else they
are the cases that have a part of the claim's id (``mushroom``) as a value, or all.
"""

from fnmatch import fnmatchcase

from treelib.ledger import experiments

_SAID = []  # (pattern of ids, function)


def made_of(pattern):
    """Register the decorated function: of a claim's id it gives what the cases have in common, a dict."""

    def register(function):
        _SAID.append((pattern, function))
        return function

    return register


def cases_of(row):
    """The cases of its experiment that a value is made of, list of dict; all where nothing tells them apart.

    row : dict of str, a line of the table of verdicts
    """
    experiment = experiments.get(row["experiment"])
    for pattern, function in _SAID:
        if fnmatchcase(row["id"], pattern):
            part = function(row["id"], experiment.name)
            return [case for case in experiment.cases() if part.items() <= case.items()]
    parts = set(row["id"].lower().split("."))
    named = [case for case in experiment.cases() if parts & {str(value).lower() for value in case.values()}]
    return named or experiment.cases()


def in_words(cases):
    """Cases in words: what all of them have, then the values in which they differ."""
    keys = list(dict.fromkeys(key for case in cases for key in case))
    values = {key: list(dict.fromkeys(str(case.get(key)) for case in cases)) for key in keys}
    common = [f"{key} {some[0]}" for key, some in values.items() if len(some) == 1]
    rest = [f"{key} {_listed(some)}" for key, some in values.items() if len(some) > 1]
    return ", ".join([*common, *rest])


_MOST = 12  # values that are listed; of more the number


def _listed(values):
    numbers = [int(value) for value in values if value.isdigit()]
    if len(numbers) == len(values) and numbers == list(range(numbers[0], numbers[0] + len(numbers))):
        return f"{numbers[0]} to {numbers[-1]}"
    return ", ".join(values) if len(values) <= _MOST else f"({len(values)} values)"
