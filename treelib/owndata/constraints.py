"""Constraints on the trees of `treelib fit`: read from its options, handed to a method, and put in words."""

from typing import NamedTuple

from treelib.owndata.options import ways
from treelib.owndata.read import nearest

_SIZES = ("min_samples_leaf", "max_depth", "max_leaves")
KNOWN = {"sparse": (*_SIZES, "monotonic", "allow", "require", "max_thresholds"), "topdown": _SIZES}
_MEANING = "give NAME=+1 if the prediction may not fall as the column grows, or NAME=-1 if it may not rise"
# (option, parameter of the estimator, least value, what the report says)
_LIMITS = (
    ("max_depth", "max_depth", 1, "a depth of at most {}"),
    ("max_leaves", "max_leaf_nodes", 2, "at most {} leaves"),
    ("max_thresholds", "quantiles", 1, ""),  # no constraint, but what a proof is about
)


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


def read(table, method, asked):
    """`Constraints` that the options of the command line mean.

    Parameters
    ----------
    table : OwnTable
    method : one of `treelib.owndata.methods.METHODS`
    asked : argparse.Namespace of `treelib.owndata.options.OPTIONS`

    Raises
    ------
    ValueError
        The method has no such constraint, a column is not there, or a word is not understood.
    """
    for name in KNOWN["sparse"]:
        if getattr(asked, name) not in (None, []) and name not in KNOWN.get(method, ()):
            fitting = " or ".join(one for one, known in KNOWN.items() if name in known)
            raise ValueError(
                f"--{name.replace('_', '-')} is for --method {fitting}, not for {method}; leave it out"
                f"{', or use --drop' if name == 'allow' else ''}."
            )
    options, words = {}, []
    for name, parameter, least, text in _LIMITS:
        value = getattr(asked, name)
        if value is None:
            continue
        if value < least:
            raise ValueError(f"--{name.replace('_', '-')} {value} is too small: give {least} or more.")
        options[parameter] = value
        words += [text.format(value)] if text else []
    if asked.max_leaves is not None:  # so many leaves have so many levels of tests at most
        options["max_depth"] = min(options.get("max_depth", asked.max_leaves), asked.max_leaves - 1)
    if asked.min_samples_leaf:
        options["min_samples_leaf"] = least = _least(asked.min_samples_leaf)
        part = f"{least} rows" if isinstance(least, int) else f"{100 * least:g} % of the rows"
        words.append(f"leaves of at least {part}")
    if asked.monotonic:
        named = ways("--monotonic", asked.monotonic, _MEANING).items()
        options["monotonic_cst"] = signs = {_number(table, name, "--monotonic"): sign for name, sign in named}
        order = " to ".join(map(str, table.classes))
        for sign, verb in ((1, "never fall"), (-1, "never rise")):
            some = ", ".join(name for name, way in signs.items() if way == sign)
            words += [f"predictions {verb} with {some} (from {order})"] if some else []
    if asked.allow:
        options["allowed_features"] = [column for name in asked.allow for column in _columns(table, name)]
        words.append(f"tests of {', '.join(asked.allow)} only")
    if asked.require:
        options["required_features"] = needed = [_number(table, name, "--require") for name in asked.require]
        banned = [name for name in needed if asked.allow and name not in options["allowed_features"]]
        if banned:
            raise ValueError(
                f"--require {banned[0]} is not among the columns of --allow; add --allow {banned[0]}."
            )
        words.append(f"testing {', '.join(asked.require)}")
    return Constraints(options, words)


def _least(text):
    """Rows of the smallest leaf: int, or float as a share."""
    try:
        return int(text) if text.lstrip("+").isdigit() else float(text)
    except ValueError:
        raise ValueError(
            f"--min-samples-leaf {text} is not understood: give a number of rows, such as 20, or a share of "
            "them, such as 0.01."
        ) from None


def _columns(table, name):
    """Columns of `table.X` that a column of the file became, or that is called so itself."""
    pairs = zip(table.X.columns, table.source, strict=True)
    columns = [column for column, source in pairs if source == name]
    if not columns and name not in table.X.columns:
        why = next((note for note in table.notes if note.startswith(f"{name}: ") and "left out" in note), "")
        if why:
            raise ValueError(f"the tree cannot split on the column {name!r}. {why}")
        names = list(dict.fromkeys(table.source))
        known = ", ".join(map(repr, names[:20]))
        raise ValueError(f"there is no column {name!r}{nearest(name, names)}; the columns are {known}.")
    return columns or [name]


def _number(table, name, option):
    """The one column of `table.X` that a name means; ValueError where it holds categories."""
    columns = _columns(table, name)
    if columns != [name]:
        raise ValueError(
            f"{option} {name}: the column holds categories, each split on separately; name one of them, "
            f"such as {columns[0]!r}."
        )
    return name
