"""treelib.table.checks: which numbers are taken, and what is said of the others."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from sklearn.base import clone

import treelib
from treelib.dyadic.boxes import bounding_box
from treelib.search.budget import Budget
from treelib.table import checks

NO_NUMBERS = [None, True, False, np.True_, "1", Decimal(1), 1j, np.array(1), [1]]
WHOLE = [1, 7, 10**30, np.int8(1), np.uint64(3)]
BROKEN = [0.5, 1.5, 1.0, np.float32(0.25), np.longdouble(2), Fraction(1, 3)]
INFINITE = [np.inf, np.float32(np.inf)]
NEGATIVE = [-1, -0.5, -np.inf, np.int64(-3), Fraction(-1, 3)]

# function, what it takes of the numbers above, of 0 and of NaN
TAKEN = {
    "check_count": (checks.check_count, WHOLE),
    "check_count from 0": (lambda name, value: checks.check_count(name, value, least=0), [*WHOLE, 0]),
    "check_number": (checks.check_number, [*WHOLE, *BROKEN, 0]),
    "check_price": (checks.check_price, [*WHOLE, *BROKEN, 0]),
    "check_positive": (checks.check_positive, [*WHOLE, *BROKEN]),
    "check_positive with infinity": (
        lambda name, value: checks.check_positive(name, value, finite=False),
        [*WHOLE, *BROKEN, *INFINITE],
    ),
}


@pytest.mark.parametrize("function", TAKEN)
def test_numbers_that_are_taken(function):
    """A truth value taken for 1, a NaN that passes a comparison, or a fraction that comes back as a float."""
    check, taken = TAKEN[function]
    for value in [*NO_NUMBERS, *WHOLE, *BROKEN, *INFINITE, *NEGATIVE, 0, np.nan]:
        if any(value is other for other in taken):
            assert check("size", value) is value
        else:
            with pytest.raises(ValueError, match=r"^size=.* must be a.*[^.][.]$"):
                check("size", value)


def test_message_says_what_it_must_be():
    """A message with the words of another argument."""
    with pytest.raises(ValueError, match=r"^depth=0 must be a whole number, 1 or more\.$"):
        checks.check_count("depth", 0, "a whole number, 1 or more")
    with pytest.raises(ValueError, match=r"^price=-1 must be a finite number, .*0\.01 is one training row"):
        checks.check_price("price", -1)
    with pytest.raises(ValueError, match=r"^max_leaves=1\.5 must be a positive integer, or None for no limi"):
        checks.check_limits(max_depth=None, max_leaves=1.5)
    checks.check_limits(max_depth=None, max_leaves=2)


def test_numbers_of_jobs():
    """A number of jobs that joblib refuses in its own words, or reads as another."""
    for n_jobs in (None, 1, -1, -2, np.int64(4)):
        checks.check_n_jobs(n_jobs)
    for n_jobs in (0, True, 1.0, "2", np.nan):
        with pytest.raises(ValueError, match=r"n_jobs=.* must be a positive integer, -1 for all processors"):
            checks.check_n_jobs(n_jobs)


def test_choices():
    """An array that ends in numpy's words, an object without a hash, or None taken for a text."""
    assert checks.check_choice("side", "left", ("left", "right")) == "left"
    assert checks.check_choice("side", None, ("left", None)) is None
    for side in ("up", "", 0, None, ["left"], {}, np.array(["left", "right"]), np.array("left")):
        with pytest.raises(ValueError, match=r"^side=.* must be one of 'left', 'right'\.$"):
            checks.check_choice("side", side, {"left": 1, "right": 2})


def test_flags():
    """A text such as "no" or "False" that counts as true."""
    for flag in (True, 1, np.True_, np.int8(3)):
        assert checks.check_flag("verbose", flag) is True
    for flag in (False, 0, np.False_):
        assert checks.check_flag("verbose", flag) is False
    for flag in (None, "no", "", -1, 1.0, [], {}, np.array([True, False]), np.array(True)):
        for name, more in (("verbose", ", or a whole number, 0 or more"), ("bootstrap", "")):
            with pytest.raises(ValueError, match=rf"^{name}=.* must be True or False{more}\.$"):
                checks.check_flag(name, flag)


@pytest.mark.parametrize("setting", [{"n_jobs": [2]}, {"bootstrap": "no"}, {"oob_score": np.ones(2)}])
def test_settings_of_a_forest(setting):
    """A setting that ends in the words of joblib or numpy."""
    (name,) = setting
    with pytest.raises(ValueError, match=f"^{name}="):
        treelib.TopDownForestClassifier(**setting).fit(np.eye(4), [0, 1, 0, 1])


def test_numbers_are_the_same_everywhere():
    """A limit or a width that takes other kinds of numbers than the searches."""
    assert Budget(time_limit=Fraction(1, 2)).time_limit == 0.5
    for widen in (None, np.True_, [0.1]):
        with pytest.raises(ValueError, match=r"widen=.* must be a finite number, 0 or more"):
            bounding_box(np.eye(2), widen)


@pytest.mark.parametrize("kind", [float, np.float16, np.float32, np.longdouble])
def test_exact_value_of_a_number(kind):
    """A float of numpy that Fraction does not take, or one that is rounded on the way."""
    assert checks.exact(kind(0.1)) == Fraction(*kind(0.1).as_integer_ratio()) != Fraction(1, 10)
    assert checks.exact(kind(0.375)) == Fraction(3, 8)
    whole = checks.exact(np.int64(7))
    assert whole == 7 and type(whole.numerator) is int and checks.exact(Fraction(1, 3)) == Fraction(1, 3)


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.longdouble, Fraction])
def test_prices_of_any_kind_of_number(kind):
    """A grid of float32 prices that ends in a bare TypeError."""
    X, y = np.arange(8.0)[:, None], np.array([0, 1, 0, 0, 1, 1, 0, 1])
    for model in (
        treelib.TopDownTreeClassifier(ccp_alpha=kind(0.125)),
        treelib.TopDownTreeRegressor(ccp_alpha=kind(0.125)),
        treelib.TopDownForestClassifier(n_estimators=3, ccp_alpha=kind(0.125), random_state=0),
        treelib.OptimalSparseTreeClassifier(kind(0.125)),
        treelib.DyadicTreeClassifier(kind(0.125), max_splits=2),
    ):
        name = "regularization" if hasattr(model, "regularization") else "ccp_alpha"
        same = clone(model).set_params(**{name: 0.125}).fit(X, y)
        assert np.array_equal(model.fit(X, y).predict(X), same.predict(X))


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16])
def test_odd_numbers(order, dtype, monkeypatch):
    """A part of a large table that is not looked at, and numbers whose sum overflows taken for infinity."""
    monkeypatch.setattr(checks, "CELLS_AT_ONCE", 16)
    rng = np.random.default_rng(0)
    for place in (0, 35, 59):
        X = np.asarray(rng.random((12, 5)), dtype=dtype, order=order)
        assert checks.odd_numbers(X) == ""
        X[place // 5, place % 5] = np.nan
        assert checks.odd_numbers(X) == "NaN"
        X[5, 3] = -np.inf
        assert checks.odd_numbers(X) == "infinity"
    assert checks.odd_numbers(np.full((4, 4), np.finfo(dtype).max)) == ""
    assert checks.odd_numbers(np.zeros((0, 3))) == checks.odd_numbers(np.zeros((3, 0))) == ""
