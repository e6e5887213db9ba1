"""Constraints on the trees of `treelib fit`: read from its options, handed to a method, and put in words."""

from typing import NamedTuple

from treelib.owndata.read import nearest

_SIZES = ("min_samples_leaf", "max_depth", "max_leaves")
KNOWN = {"sparse": (*_SIZES, "monotonic", "allow", "require", "max_thresholds"), "topdown": _SIZES}


class Constraints(NamedTuple):
    """What a tree has to keep to.

    Attributes
    ----------
    options : dict, parameters of the estimator, by the columns of `OwnTable.X`
    words : list of str, each constraint as the report says it
    """

    options: dict
    words: list


NONE = Constraints({}, [])


def read(
    table,
    method,
    *,
    min_samples_leaf=None,
    monotonic=(),
    allow=(),
    require=(),
    max_depth=None,
    max_leaves=None,
    max_thresholds=None,
):
    """`Constraints` that the options of the command line mean.

    Parameters
    ----------
    table : OwnTable
    method : one of `treelib.owndata.methods.METHODS`
    min_samples_leaf : str, a number of rows or a share of them, or None
    monotonic : list of str, ``NAME=+1`` where the prediction may not fall with a column, ``NAME=-1`` where it
        may not rise
    allow : list of str, the only columns that may be tested
    require : list of str, columns that must be tested
    max_depth, max_leaves : int or None, of the tree
    max_thresholds : int or None, quantiles of a column that the search tries; no constraint, but what a
        proof is about

    Raises
    ------
    ValueError
        The method has no such constraint, a column is not there, or a word is not understood.
    """
    given = {
        "min_samples_leaf": min_samples_leaf,
        "monotonic": monotonic,
        "allow": allow,
        "require": require,
        "max_depth": max_depth,
        "max_leaves": max_leaves,
        "max_thresholds": max_thresholds,
    }
    for name, value in given.items():
        if value is not None and value not in ((), []) and name not in KNOWN.get(method, ()):
            fitting = " or ".join(one for one, known in KNOWN.items() if name in known)
            raise ValueError(
                f"--{name.replace('_', '-')} is for --method {fitting}, not for {method}; leave it out"
                f"{', or use --drop' if name == 'allow' else ''}."
            )
    options, words = _limits(max_depth, max_leaves, max_thresholds)
    if min_samples_leaf:
        options["min_samples_leaf"] = least = _least(min_samples_leaf)
        part = f"{least} rows" if isinstance(least, int) else f"{100 * least:g} % of the rows"
        words.append(f"leaves of at least {part}")
    if monotonic:
        options["monotonic_cst"] = ways = _directions(table, monotonic)
        order = " to ".join(map(str, table.classes))
        for sign, verb in ((1, "never fall"), (-1, "never rise")):
            named = [name for name, way in ways.items() if way == sign]
            if named:
                words.append(f"predictions {verb} with {', '.join(named)} (from {order})")
    if allow:
        options["allowed_features"] = [column for name in allow for column in _columns(table, name)]
        words.append(f"tests of {', '.join(allow)} only")
    if require:
        options["required_features"] = needed = [_number(table, name, "--require") for name in require]
        banned = [name for name in needed if allow and name not in options["allowed_features"]]
        if banned:
            raise ValueError(
                f"--require {banned[0]} is none of the columns of --allow; give --allow {banned[0]}."
            )
        words.append(f"testing {', '.join(require)}")
    return Constraints(options, words)


def _limits(max_depth, max_leaves, max_thresholds):
    """Parameters of the estimator and words of the report for limits of size."""
    options, words = {}, []
    for option, value, name, text in (
        ("--max-depth", max_depth, "max_depth", "a depth of at most {}"),
        ("--max-leaves", max_leaves, "max_leaf_nodes", "at most {} leaves"),
        ("--max-thresholds", max_thresholds, "quantiles", ""),
    ):
        if value is None:
            continue
        least = 2 if name == "max_leaf_nodes" else 1
        if value < least:
            raise ValueError(f"{option} {value} is too small: give {least} or more.")
        options[name] = value
        words += [text.format(value)] if text else []
    return options, words


def _least(text):
    """Rows of the smallest leaf: int, or float as a share."""
    try:
        return int(text) if text.lstrip("+").isdigit() else float(text)
    except ValueError:
        raise ValueError(
            f"--min-samples-leaf {text} is not understood: give a number of rows, such as 20, or a share of "
            "them, such as 0.01."
        ) from None


def _directions(table, words):
    """{column: 1 or -1} of the words ``NAME=+1``."""
    ways = {}
    for word in words:
        name, _, sign = word.rpartition("=")
        if sign not in ("+1", "1", "-1") or not name:
            raise ValueError(
                f"--monotonic {word} is not understood: give NAME=+1 where the prediction may not fall as "
                "the column grows, or NAME=-1 where it may not rise."
            )
        column = _number(table, name, "--monotonic")
        if column in ways:
            raise ValueError(f"--monotonic names the column {name!r} twice.")
        ways[column] = int(sign)
    return ways


def _columns(table, name):
    """Columns of `table.X` that a column of the file became, or that is called so itself."""
    pairs = zip(table.X.columns, table.source, strict=True)
    columns = [column for column, source in pairs if source == name]
    if not columns and name not in table.X.columns:
        why = next((note for note in table.notes if note.startswith(f"{name}: ") and "left out" in note), "")
        if why:
            raise ValueError(f"the column {name!r} cannot be tested. {why}")
        names = list(dict.fromkeys(table.source))
        known = ", ".join(map(repr, names[:20]))
        raise ValueError(f"there is no column {name!r} to test{nearest(name, names)}; there are {known}.")
    return columns or [name]


def _number(table, name, option):
    """The one column of `table.X` that a name means; ValueError where it holds categories."""
    columns = _columns(table, name)
    if columns != [name]:
        raise ValueError(
            f"{option} {name}: the column holds categories, each a test of its own; name one of them, "
            f"such as {columns[0]!r}."
        )
    return name
