"""The options of `treelib fit` on the command line: one table, which its help and the guide show."""

import argparse

from treelib.table.checks import check_positive, check_price

METHODS = ("sparse", "dyadic", "topdown", "bornagain")
_REPEATED = {"action": "append", "default": []}
# option -> what argparse is told of it
OPTIONS = {
    "data": {"metavar": "FILE", "help": "a CSV file, or a Parquet file by its extension"},
    "--target": {"required": True, "metavar": "COLUMN", "help": "the column to predict"},
    "--method": {
        "choices": METHODS,
        "type": lambda name: name.replace("born-again", "bornagain"),
        "help": "default: sparse; for a quantity, topdown",
    },
    "--task": {
        "default": "auto",
        "choices": ("auto", "classification", "regression"),
        "help": "auto: a target with many different numbers is a quantity",
    },
    "--criterion": {
        "default": "squared_error",
        "choices": ("squared_error", "absolute_error", "poisson"),
        "help": "what a tree for a quantity minimises; poisson is for counts (default: squared_error)",
    },
    "--ensemble": {
        "default": "forest",
        "choices": ("forest", "gradient-boosting", "hist-gradient-boosting", "xgboost", "lightgbm"),
        "help": "ensemble behind a born-again tree (default: forest)",
    },
    "--regularization": {"type": float, "metavar": "PRICE", "help": "leaf penalty (default: 0.01)"},
    "--tune": {
        "action": "store_true",
        "help": "choose the leaf penalty by cross-validation, and for optimal trees the depth: 2, 3, 4, ... "
        "until time runs out or deeper trees predict no better",
    },
    "--score": {
        "default": "accuracy",
        "choices": ("accuracy", "balanced-accuracy", "auc", "log-loss"),
        "help": "score that --tune optimises (default: accuracy)",
    },
    "--rule": {
        "choices": ("1se", "paired", "min"),
        "help": "what --tune chooses. 1se: the smallest tree within one standard error of the lowest loss; "
        "paired: by the standard error of the difference from the lowest; min: the tree with the lowest "
        "loss (default: 1se; for a quantity, paired)",
    },
    "--lowest-price": {
        "type": float,
        "metavar": "PRICE",
        "help": "the lowest leaf penalty that --tune tries (default: 0.001, or two rows if that is more)",
    },
    "--weights": {
        "metavar": "COLUMN",
        "help": "weights of the rows, as in surveys; not used as a feature",
    },
    "--class-weight": _REPEATED
    | {
        "metavar": "CLASS=WEIGHT",
        "help": "weight of a row of a class (default: 1), may be repeated; or balanced: equal weight for "
        "all classes",
    },
    "--min-samples-leaf": {"metavar": "N", "help": "minimum number of rows in a leaf, or their share"},
    "--max-depth": {
        "type": int,
        "metavar": "N",
        "help": "maximum depth (sparse and topdown)",
    },
    "--max-leaves": {"type": int, "metavar": "N", "help": "maximum number of leaves (sparse and topdown)"},
    "--max-thresholds": {
        "type": int,
        "metavar": "N",
        "help": "quantiles of each column that sparse trees may use as thresholds, besides those of a greedy "
        "tree (default: 10); with fewer the proof is faster",
    },
    "--monotonic": _REPEATED
    | {
        "metavar": "NAME=+1",
        "help": "the prediction may not decrease as this column increases; -1: not increase; may be repeated",
    },
    "--allow": _REPEATED
    | {
        "metavar": "NAME",
        "help": "split only on this column and others named so; may be repeated",
    },
    "--require": _REPEATED | {"metavar": "NAME", "help": "the tree must split on it; may be repeated"},
    "--out": {
        "default": "report.html",
        "metavar": "FILE",
        "help": "the report, with the tree beside it (default: report.html)",
    },
    "--test": {"metavar": "FILE", "help": "held-out rows on which the tree is tested at the end"},
    "--drop": {"nargs": "+", "default": [], "metavar": "COLUMN", "help": "columns to leave out"},
    "--separator": {"help": "separator of the CSV file (default: detected among , ; | and tab)"},
    "--decimal": {
        "choices": (".", ","),
        "help": "decimal mark of the numbers (default: detected)",
    },
    "--missing": _REPEATED
    | {
        "metavar": "WORD,...",
        "help": "words that mean a missing value in every column; empty cells always do, and NA, None and "
        "the like in columns of numbers; may be repeated",
    },
    "--categorical": _REPEATED
    | {"metavar": "NAME", "help": "a column whose numbers are codes of categories; may be repeated"},
    "--max-categories": {
        "type": int,
        "default": 50,
        "metavar": "N",
        "help": "maximum number of categories in a column; the rarest are pooled (default: 50)",
    },
    "--category-tests": {
        "default": "each",
        "choices": ("each", "subsets"),
        "help": "each: split on a single category; subsets: also on a set of those that come first or last "
        "by their share of a class (default: each)",
    },
    "--ordered": _REPEATED
    | {
        "metavar": "NAME[=FIRST,...]",
        "help": "a column whose categories have an order (detected for ranges of numbers); may be repeated",
    },
    "--numeric": _REPEATED
    | {
        "metavar": "NAME",
        "help": "a column of numbers, even if some begin with 0 like codes; may be repeated",
    },
    "--time-limit": {
        "type": float,
        "default": 60.0,
        "metavar": "SECONDS",
        "help": "time limit for everything (default: 60)",
    },
    "--seed": {"type": int, "default": 0, "help": "seed of the folds (default: 0)"},
    "--quiet": {"action": "store_true", "help": "show no progress"},
}


_TREE = "the tree as JSON, written by `treelib fit` beside its report"
OF_PREDICT = {
    "tree": {"help": _TREE},
    "data": {"metavar": "FILE", "help": "a CSV or Parquet file with the columns that the tree uses"},
    "--out": {"metavar": "FILE", "help": "CSV file for the predictions (default: print them)"},
    "--separator": OPTIONS["--separator"],
    "--why": {
        "action": "store_true",
        "help": "give a reason for each prediction, and the nearest change that leads to another class",
    },
    "--fixed": _REPEATED
    | {"metavar": "COLUMN", "help": "no change may involve this column; may be repeated"},
    "--change": _REPEATED
    | {
        "metavar": "NAME=+1",
        "help": "this numeric column may only increase; -1: only decrease; may be repeated",
    },
    "--wanted": {"metavar": "CLASS", "help": "the class that a change must lead to"},
}


class Command(argparse.ArgumentParser):
    """The parser of one command, which names an unknown option before one that is missing."""

    def parse_known_args(self, words=None, namespace=None):
        known = self._option_string_actions
        for word in words or ():
            name = word.partition("=")[0]
            if name == "--":
                break
            if name.startswith("--") and not any(one.startswith(name) for one in known):
                from treelib.owndata.read import nearest

                self.error(f"there is no option {name}{nearest(name, known)}")
        return super().parse_known_args(words, namespace)

    def error(self, message):
        needed = [one for one in self._actions if one.required]
        words = [" ".join([*one.option_strings[:1], one.metavar or one.dest]) for one in needed]
        usage = " ".join([self.prog, *words, "[options]"])
        self.exit(2, f"{self.prog}: {message}\nIn this order: {usage}; see {self.prog} --help\n")


def add(own, options=OPTIONS):
    """Add them to an argparse parser."""
    for name, told in options.items():
        own.add_argument(name, **told)


def ways(option, words, advice="give NAME=+1 or NAME=-1"):
    """{column: 1 or -1} of the words of an option, such as ``income=+1``."""
    found = {}
    for word in words:
        name, _, sign = word.rpartition("=")
        if sign not in ("+1", "1", "-1") or not name:
            raise ValueError(f"{option} {word} is not understood: {advice}.")
        if name in found:
            raise ValueError(f"{option} names the column {name!r} twice.")
        found[name] = int(sign)
    return found


def check(options):
    """ValueError for a number that no fit takes, before a table is read."""
    check_positive("--time-limit", options.time_limit, "a positive number of seconds", finite=False)
    if options.regularization is not None:
        check_price("--regularization", options.regularization)
    if options.lowest_price is not None:
        check_positive("--lowest-price", options.lowest_price, "a positive number")
        if not options.tune:
            raise ValueError("--lowest-price needs --tune, which chooses the leaf penalty.")


def reading(options):
    """What the cells of the file mean: `Reading`."""
    from treelib.owndata.columns.cells import Reading

    words = [word.strip() for text in options.missing for word in text.split(",")]
    return Reading(tuple(words), tuple(options.categorical), tuple(options.numeric), decimal=options.decimal)


def preparing(options):
    """What becomes of dates, many categories and ordered ones: `Preparing`."""
    from treelib.owndata.columns.preparing import Preparing

    if options.max_categories < 2:
        raise ValueError(f"--max-categories {options.max_categories} is too small: give 2 or more.")
    ordered = {}
    for text in options.ordered:
        name, has_order, order = text.partition("=")
        ordered[name] = [one.strip() for one in order.split(",")] if has_order else None
    return Preparing(options.max_categories, ordered, tuple(options.categorical), options.category_tests)
