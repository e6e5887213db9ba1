"""The options of `treelib fit` on the command line."""

from treelib.table.checks import check_positive, check_price


def add(own):
    """Add them to an argparse parser."""
    own.add_argument("data", help="a CSV file, or Parquet if its name ends so")
    own.add_argument("--target", required=True, metavar="COLUMN", help="the column to predict")
    own.add_argument(
        "--method",
        choices=("sparse", "dyadic", "topdown", "bornagain"),
        type=lambda name: name.replace("born-again", "bornagain"),
        help="default: sparse, for a quantity topdown",
    )
    own.add_argument(
        "--task",
        default="auto",
        choices=("auto", "classification", "regression"),
        help="auto: a target of more than 50 different numbers is a quantity",
    )
    own.add_argument(
        "--ensemble",
        default="forest",
        choices=("forest", "gradient-boosting", "hist-gradient-boosting", "xgboost", "lightgbm"),
        help="behind a born-again tree",
    )
    own.add_argument("--regularization", type=float, metavar="PRICE", help="price of a leaf (default: 0.01)")
    own.add_argument("--tune", action="store_true", help="choose the price by cross-validation")
    own.add_argument(
        "--score",
        default="accuracy",
        choices=("accuracy", "balanced-accuracy", "auc", "log-loss"),
        help="what --tune looks at (default: accuracy)",
    )
    own.add_argument(
        "--class-weight",
        action="append",
        default=[],
        metavar="CLASS=WEIGHT",
        help="what a row of a class weighs (default: 1), may be repeated; or balanced: all classes alike",
    )
    own.add_argument("--min-samples-leaf", metavar="N", help="rows of the smallest leaf, or their share")
    for name, text in (
        ("--max-depth", "levels of tests, at most (sparse and topdown)"),
        ("--max-leaves", "leaves, at most (sparse and topdown)"),
        (
            "--max-thresholds",
            "quantiles of each column that the search of sparse trees tries, beside the cuts of a greedy "
            "tree (default: 10); fewer are proved sooner",
        ),
    ):
        own.add_argument(name, type=int, metavar="N", help=text)
    for name, metavar, text in (
        ("--monotonic", "NAME=+1", "the prediction may not fall as this column grows, -1: not rise"),
        ("--allow", "NAME", "the tree may test this column; all that are not named it may not"),
        ("--require", "NAME", "the tree must test this column"),
    ):
        own.add_argument(name, action="append", default=[], metavar=metavar, help=f"{text}; may be repeated")
    own.add_argument(
        "--out", default="report.html", metavar="FILE", help="the report; the tree goes beside it"
    )
    own.add_argument("--drop", nargs="+", default=[], metavar="COLUMN", help="columns to leave out")
    _of_reading(own)
    own.add_argument(
        "--time-limit",
        type=float,
        default=60.0,
        metavar="SECONDS",
        help="for the search of all rows and the other prices; the folds take as much again, and so does the "
        "path of --tune (default: 60)",
    )
    own.add_argument("--seed", type=int, default=0, help="of the folds")
    own.add_argument("--quiet", action="store_true", help="show no progress")


def _of_reading(own):
    """How the file is read."""
    own.add_argument("--separator", help="between the values of the CSV file (default: , ; | or tab)")
    own.add_argument(
        "--decimal", choices=(".", ","), help="decimal mark of the numbers (default: as they tell together)"
    )
    for name, metavar, text in (
        (
            "--missing",
            "WORD,...",
            "words that stand for a missing value in every column; empty cells always do, NA, None and the "
            "like in columns of numbers",
        ),
        ("--categorical", "NAME", "a column of numbers that are codes, each a category"),
        ("--numeric", "NAME", "a column of numbers, although some begin with 0 as codes do"),
    ):
        own.add_argument(name, action="append", default=[], metavar=metavar, help=f"{text}; may be repeated")


def check(options):
    """ValueError for a number that no fit takes, before a table is read."""
    check_positive("--time-limit", options.time_limit, "a positive number of seconds", finite=False)
    if options.regularization is not None:
        check_price("--regularization", options.regularization)


def reading(options):
    """What the cells of the file mean: `Reading`."""
    from treelib.owndata.columns.cells import Reading

    words = [word.strip() for text in options.missing for word in text.split(",")]
    return Reading(tuple(words), tuple(options.categorical), tuple(options.numeric), decimal=options.decimal)
