"""treelib.sparse.problem_checks: the functions behind the estimator refuse what it refuses."""

import warnings
from fractions import Fraction

import numpy as np
import pytest

from treelib.sparse.exact.minimise import minimise
from treelib.sparse.leaf_limit import minimise_within_leaves
from treelib.sparse.rashomon import rashomon_set
from treelib.sparse.regularization_path import regularization_path

COLUMNS = np.array([[0, 1], [1, 0], [1, 1], [0, 0]], dtype=np.uint8)
COSTS = np.array([[0, 1], [1, 0], [0, 1], [0, 1]], dtype=float)
SEARCHES = {
    "minimise": minimise,
    "minimise_within_leaves": lambda *given, **options: minimise_within_leaves(
        *given, **{"max_leaves": 3, **options}
    ),
    "regularization_path": regularization_path,
    "rashomon_set": rashomon_set,
}

WRONG = [
    (COLUMNS, COSTS, -0.1, {}, "regularization=-0.1 must be a finite number"),
    (COLUMNS, COSTS, np.nan, {}, "regularization=nan must be"),
    (COLUMNS, COSTS, np.inf, {}, "regularization=inf must be"),
    (COLUMNS, COSTS, "0.1", {}, "regularization='0.1' must be"),
    (2 * COLUMNS, COSTS, 0.1, {}, "columns must hold 0 and 1 only"),
    (COLUMNS / 2, COSTS, 0.1, {}, "columns must hold 0 and 1 only"),
    (COLUMNS.astype(str), COSTS, 0.1, {}, "columns must hold 0 and 1 only"),
    (COLUMNS[0], COSTS, 0.1, {}, "columns has shape"),
    (COLUMNS[:0], COSTS[:0], 0.1, {}, "at least one row"),
    (COLUMNS, COSTS[:3], 0.1, {}, "costs has shape"),
    (COLUMNS, COSTS[:, :0], 0.1, {}, "costs has shape"),
    (COLUMNS, COSTS[:, 0], 0.1, {}, "costs has shape"),
    (COLUMNS, -COSTS, 0.1, {}, "costs must be finite and 0 or more"),
    (COLUMNS, COSTS * np.nan, 0.1, {}, "costs must be finite"),
    (COLUMNS, [["a", "b"]] * 4, 0.1, {}, "costs must be a table of numbers"),
    (COLUMNS, COSTS, 0.1, {"total": 0}, "total=0 must be a positive number"),
    (COLUMNS, COSTS, 0.1, {"total": np.nan}, "total=nan must be"),
    (COLUMNS, COSTS, 0.1, {"max_depth": -1}, "max_depth=-1 must be a positive integer"),
    (COLUMNS, COSTS, 0.1, {"max_depth": 1.5}, "max_depth=1.5 must be"),
]


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("case", range(len(WRONG)))
def test_searches_refuse_what_makes_no_sense(name, case):
    """A search that never ends, or that reads other columns than it was given."""
    columns, costs, price, options, message = WRONG[case]
    with pytest.raises(ValueError, match=message):
        SEARCHES[name](columns, costs, price, **options)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("minimise_within_leaves", {"max_leaves": 0}),
        ("minimise_within_leaves", {"max_leaves": None}),
        ("regularization_path", {"max_leaves": 0}),
        ("regularization_path", {"n_jobs": 0}),
        ("rashomon_set", {"max_leaves": 2.5}),
        ("rashomon_set", {"max_trees": 0}),
        ("rashomon_set", {"epsilon": -0.1}),
        ("rashomon_set", {"epsilon": np.nan}),
    ],
)
def test_limits_of_one_search_alone(name, options):
    """A limit that only one of the functions takes, and that nobody looks at."""
    (parameter,) = options
    with pytest.raises(ValueError, match=f"{parameter}=.* must be a"):
        SEARCHES[name](COLUMNS, COSTS, 0.1, **options)


@pytest.mark.parametrize("kind", [bool, np.int8, np.int64, np.float32, ">f8", list, "Fortran"])
def test_columns_of_any_type_are_read_as_they_are(kind):
    """Columns of wider numbers taken for as many bytes."""
    if kind is list:
        columns = COLUMNS.tolist()
    else:
        columns = np.asfortranarray(COLUMNS) if kind == "Fortran" else COLUMNS.astype(kind)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = minimise(columns, COSTS.astype(int).tolist(), Fraction(1, 100))
    assert found.objective == minimise(COLUMNS, COSTS, 0.01).objective
    assert found.tree.objective(COLUMNS, COSTS, 0.01) == pytest.approx(found.objective)
