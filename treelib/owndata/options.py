"""The options of `treelib fit` on the command line: one table, which its help and the guide show."""

import argparse

from treelib.table.checks import check_positive, check_price

METHODS = ("sparse", "dyadic", "topdown", "bornagain")
_REPEATED = {"action": "append", "default": []}
# option -> what argparse is told of it
OPTIONS = {
    "data": {"metavar": "FILE", "help": "a CSV file, or Parquet if its name ends so"},
    "--target": {"required": True, "metavar": "COLUMN", "help": "the column to predict"},
    "--method": {
        "choices": METHODS,
        "type": lambda name: name.replace("born-again", "bornagain"),
        "help": "default: sparse, for a quantity topdown",
    },
    "--task": {
        "default": "auto",
        "choices": ("auto", "classification", "regression"),
        "help": "auto: a target of many different numbers is a quantity",
    },
    "--criterion": {
        "default": "squared_error",
        "choices": ("squared_error", "absolute_error", "poisson"),
        "help": "what the tree of a quantity makes small; poisson is for counts (default: squared_error)",
    },
    "--ensemble": {
        "default": "forest",
        "choices": ("forest", "gradient-boosting", "hist-gradient-boosting", "xgboost", "lightgbm"),
        "help": "behind a born-again tree",
    },
    "--regularization": {"type": float, "metavar": "PRICE", "help": "leaf penalty (default: 0.01)"},
    "--tune": {
        "action": "store_true",
        "help": "choose the price by cross-validation, and of optimal trees the depth: 2, 3, 4, ... until "
        "the time is out or deeper trees predict no better",
    },
    "--score": {
        "default": "accuracy",
        "choices": ("accuracy", "balanced-accuracy", "auc", "log-loss"),
        "help": "what --tune looks at (default: accuracy)",
    },
    "--rule": {
        "choices": ("1se", "paired", "min"),
        "help": "what --tune takes: the smallest tree within one standard error of the lowest loss, or of "
        "the difference from it, or the tree of lowest loss (default: 1se, for a quantity paired)",
    },
    "--lowest-price": {
        "type": float,
        "metavar": "PRICE",
        "help": "the lowest price that --tune tries (default: 0.001, or two rows if these are more)",
    },
    "--weights": {
        "metavar": "COLUMN",
        "help": "what each row weighs, as surveys say it; no column to predict from",
    },
    "--class-weight": _REPEATED
    | {
        "metavar": "CLASS=WEIGHT",
        "help": "what a row of a class weighs (default: 1), may be repeated; or balanced: all classes alike",
    },
    "--min-samples-leaf": {"metavar": "N", "help": "rows of the smallest leaf, or their share"},
    "--max-depth": {
        "type": int,
        "metavar": "N",
        "help": "levels of tests, at most (sparse and topdown)",
    },
    "--max-leaves": {"type": int, "metavar": "N", "help": "leaves, at most (sparse and topdown)"},
    "--max-thresholds": {
        "type": int,
        "metavar": "N",
        "help": "quantiles of each column that the search of sparse trees tries, beside the cuts of a greedy "
        "tree (default: 10); fewer are proved sooner",
    },
    "--monotonic": _REPEATED
    | {
        "metavar": "NAME=+1",
        "help": "the prediction may not fall as this column grows, -1: not rise; may be repeated",
    },
    "--allow": _REPEATED
    | {
        "metavar": "NAME",
        "help": "the tree may test this column; all that are not named it may not; may be repeated",
    },
    "--require": _REPEATED | {"metavar": "NAME", "help": "the tree must test this column; may be repeated"},
    "--out": {
        "default": "report.html",
        "metavar": "FILE",
        "help": "the report; the tree goes beside it",
    },
    "--test": {"metavar": "FILE", "help": "rows that no fit sees, on which the tree is judged once more"},
    "--drop": {"nargs": "+", "default": [], "metavar": "COLUMN", "help": "columns to do without"},
    "--separator": {"help": "between the values of the CSV file (default: , ; | or tab)"},
    "--decimal": {
        "choices": (".", ","),
        "help": "decimal mark of the numbers (default: as they tell together)",
    },
    "--missing": _REPEATED
    | {
        "metavar": "WORD,...",
        "help": "words that stand for a missing value in every column; empty cells always do, NA, None and "
        "the like in columns of numbers; may be repeated",
    },
    "--categorical": _REPEATED
    | {"metavar": "NAME", "help": "a column of numbers that are codes, each a category; may be repeated"},
    "--max-categories": {
        "type": int,
        "default": 50,
        "metavar": "N",
        "help": "categories of a column, at most; the commonest are kept and the others pooled (default: 50)",
    },
    "--category-tests": {
        "default": "each",
        "choices": ("each", "subsets"),
        "help": "what a test of categories asks for: one of them, or also a set, of those that come first or "
        "last by their share of a class (default: each)",
    },
    "--ordered": _REPEATED
    | {
        "metavar": "NAME[=FIRST,...]",
        "help": "a column whose categories have an order, as ranges of numbers have by themselves; may be "
        "repeated",
    },
    "--numeric": _REPEATED
    | {
        "metavar": "NAME",
        "help": "a column of numbers, although some begin with 0 as codes do; may be repeated",
    },
    "--time-limit": {
        "type": float,
        "default": 60.0,
        "metavar": "SECONDS",
        "help": "for everything (default: 60)",
    },
    "--seed": {"type": int, "default": 0, "help": "of the folds"},
    "--quiet": {"action": "store_true", "help": "show no progress"},
}


_TREE = "the tree as JSON, which `treelib fit` writes beside its report"
OF_PREDICT = {
    "tree": {"help": _TREE},
    "data": {"metavar": "FILE", "help": "a CSV file or Parquet with the columns that the tree tests"},
    "--out": {"metavar": "FILE", "help": "CSV, a row for each row (default: print it)"},
    "--separator": OPTIONS["--separator"],
    "--why": {
        "action": "store_true",
        "help": "say of each row the reason of its prediction, and the nearest change that gives another "
        "class",
    },
    "--fixed": _REPEATED | {"metavar": "COLUMN", "help": "no change may touch this column; may be repeated"},
    "--change": _REPEATED
    | {
        "metavar": "NAME=+1",
        "help": "this column of numbers may only grow, -1: only fall; may be repeated",
    },
    "--wanted": {"metavar": "CLASS", "help": "the class that a change has to give"},
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
        check_positive("--lowest-price", options.lowest_price, "a positive price")
        if not options.tune:
            raise ValueError("--lowest-price is for --tune, which chooses among prices.")


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
