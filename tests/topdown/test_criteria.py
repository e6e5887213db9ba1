"""Splitting criteria: every compiled impurity against the formula of the paper."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.twins.topdown.learner import impurity
from treelib.topdown import criteria
from treelib.topdown.criteria import register_criterion, resolve, resolve_regression

COUNTS = st.lists(st.integers(0, 60), min_size=2, max_size=6).filter(any)
NAMES = ("gini", "entropy", "km", "misclassification")


@given(COUNTS, st.sampled_from(NAMES))
def test_named_criteria_are_their_formulas(counts, name):
    """A wrong constant or formula of a criterion without parameters."""
    p = np.array(counts) / sum(counts)
    assert np.isclose(resolve(name).impurity(counts), impurity(name, p), atol=1e-12)


@given(COUNTS, st.floats(0.01, 8), st.sampled_from([1, 2, 3, 8, 0.5, 1.7]))
def test_tsallis_is_its_formula(counts, alpha, beta):
    """A wrong form of the Tsallis entropy for whole or real beta."""
    if 0 < abs(alpha - 1) < 1e-4:  # the formula itself loses digits there; the next test has the limit
        alpha = 1.5
    p = np.array(counts) / sum(counts)
    ours = resolve("tsallis", alpha=alpha, beta=beta).impurity(counts)
    assert np.isclose(ours, impurity("tsallis", p, alpha, beta), rtol=1e-9, atol=1e-11)


@given(COUNTS, st.floats(-1e-5, 1e-5), st.sampled_from([1, 2, 3, 0.5]))
def test_tsallis_is_continuous_at_alpha_one(counts, step, beta):
    """Cancellation next to alpha = 1, where the printed formula is 0 / 0."""
    near = resolve("tsallis", alpha=1 + step, beta=beta).impurity(counts)
    limit = resolve("tsallis", alpha=1, beta=beta).impurity(counts)
    assert np.isclose(near, limit, rtol=1e-3, atol=1e-12)


@given(COUNTS, st.floats(0.01, 1))
def test_gamma_is_its_formula(counts, gamma):
    """A wrong product, or a class without samples that does not make it 0."""
    p = np.array(counts) / sum(counts)
    assert np.isclose(resolve("gamma", gamma=gamma).impurity(counts), impurity("gamma", p, gamma=gamma))


@pytest.mark.parametrize("alpha, beta, name", [(2, 1, "gini"), (0.5, 2, "km"), (1, 1, "entropy")])
def test_tsallis_has_the_classical_criteria_as_members(alpha, beta, name):
    """Proposition 3.1: Gini, Kearns-Mansour and entropy up to a constant factor."""
    rows = np.random.default_rng(0).dirichlet(np.ones(4), 20)
    ratio = resolve("tsallis", alpha=alpha, beta=beta).impurity(rows) / resolve(name).impurity(rows)
    assert np.allclose(ratio, ratio[0])


@given(st.floats(0.05, 5), st.floats(0.3, 5), st.integers(2, 5), st.integers(0, 2**32 - 1))
def test_what_is_called_concave_is_concave(alpha, beta, n_classes, seed):
    """A criterion on which the search may skip splits although it is not concave."""
    rng = np.random.default_rng(seed)
    for criterion in (resolve("tsallis", alpha=alpha, beta=beta), resolve("gamma", gamma=alpha)):
        if criterion.is_concave(n_classes):
            p, q = rng.dirichlet(np.full(n_classes, 0.5), (2, 50))
            mixed = criterion.impurity((p + q) / 2)
            assert (mixed >= (criterion.impurity(p) + criterion.impurity(q)) / 2 - 1e-10).all()


def test_own_criterion_by_name(monkeypatch):
    """A registered function that is not found, not checked, or shadows a built-in one."""
    monkeypatch.setattr(criteria, "_registered", {})  # other tests read the list of names
    register_criterion("twice gini", lambda p: 2 - 2 * (p**2).sum(axis=1))
    assert resolve("twice gini").impurity([1, 1]) == 1
    with pytest.raises(ValueError, match="built-in"):
        register_criterion("gini", lambda p: p[:, 0])
    with pytest.raises(ValueError, match="one impurity a row"):
        register_criterion("bad", lambda p: p)


@pytest.mark.parametrize(
    "arguments",
    [("unknown", {}), ("tsallis", {"alpha": -1}), ("tsallis", {"beta": 0}), ("gamma", {"gamma": np.nan})],
)
def test_bad_criteria_are_refused(arguments):
    """A parameter outside its range that would give NaN inside a kernel."""
    with pytest.raises(ValueError):
        resolve(arguments[0], **arguments[1])
    with pytest.raises(ValueError):
        resolve_regression("tweedie", power=1.5)
