"""Boosted models read by treelib against the libraries that fitted them."""

import json
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.ensemble import (
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)

from tests.strategies.boosted_models import LIBRARIES, fitted, three_classes, two_classes
from tests.strategies.boosted_rows import rows_near_thresholds
from treelib import BornAgainTreeClassifier
from treelib.bornagain.boosting import lightgbm_text
from treelib.bornagain.boosting.pieces import build
from treelib.bornagain.boosting.reading import from_boosted, is_boosted, read_boosted
from treelib.bornagain.boosting.scored import ScoredEnsemble
from treelib.bornagain.ensemble.reading import as_ensemble

MODELS = Path(__file__).with_name("models")
N_ROWS = 4000


def compare(library, name):
    """Read a fitted model, and hold every class and every sum of scores to those of the library."""
    case = fitted(library, name)
    ensemble = as_ensemble(case.model, **case.options)
    rows = rows_near_thresholds(ensemble, case.X, N_ROWS, 0, case.missing)
    np.testing.assert_array_equal(ensemble.classes[ensemble.predict(rows)], case.model.predict(rows))
    if case.scores is not None:
        theirs = case.scores(rows).reshape(len(rows), -1)
        ours = ensemble.predict_votes(rows)
        np.testing.assert_array_equal(ours[:, 1:] if theirs.shape[1] == 1 else ours, theirs)
    return ensemble


@pytest.mark.parametrize(("library", "name"), [(one, name) for one in LIBRARIES for name in LIBRARIES[one]])
def test_sums_and_classes_are_those_of_the_library(library, name):
    """A sum in another order or type, a base score off by one rounding, rounds after the best, dart's
    weights, a category that goes astray, a zero taken for a number, a missing value on the wrong side."""
    if library != "scikit-learn":
        pytest.importorskip(library)
    ensemble = compare(library, name)
    if name == "early":
        assert ensemble.n_trees < 200


def test_booster_of_xgboost_uses_all_rounds_and_its_own_sums():
    """A Booster taken for an XGBClassifier: dart adds up in another order there, and stopping is not
    known."""
    xgboost = pytest.importorskip("xgboost")
    X, y = three_classes()
    model = xgboost.XGBClassifier(n_estimators=30, max_depth=3, booster="dart", rate_drop=0.3).fit(X, y)
    booster = model.get_booster()
    ensemble = from_boosted(booster)
    rows = rows_near_thresholds(ensemble, X, N_ROWS, 1)
    theirs = booster.predict(xgboost.DMatrix(rows), output_margin=True)
    np.testing.assert_array_equal(ensemble.predict_votes(rows), theirs)


def test_class_changes_at_the_very_sum_where_xgboost_and_lightgbm_change_it():
    """A class that changes at 0: rounding makes the probability of small positive sums one half."""
    from treelib.bornagain.boosting.links import lightgbm_cut, xgboost_cut

    xgboost = pytest.importorskip("xgboost")
    X, y = two_classes()
    model = xgboost.XGBClassifier(n_estimators=1, max_depth=1, learning_rate=1e-30, base_score=0.5).fit(X, y)
    cut = xgboost_cut()
    margins = np.array([cut, np.nextafter(cut, np.float32(1)), -cut, 0.0], dtype=np.float32)
    found = model.predict(X[:4], base_margin=margins)
    assert found.tolist() == [0, 1, 0, 0]
    assert 0 < lightgbm_cut(1.0) < 1e-15


def test_a_million_rows_are_counted_as_few_are():
    """A suite that does not look at what it should, or one whose differences are not counted."""
    from tests.suites.random_problems import boosted

    record = boosted.compare("scikit-learn", "histogram", 300)
    assert record["rows"] == 300 and record["at_thresholds"] > 1000 and record["trees"] == 20
    assert (record["classes"], record["sums"], record["from_file"]) == (0, 0, False)


def test_suite_sees_a_model_that_is_read_wrongly(monkeypatch):
    """A count of differences that stays 0 whatever the reader does."""
    from tests.suites.random_problems import boosted

    def as_another(model, **options):
        one = as_ensemble(model, **options)
        return ScoredEnsemble(one.trees, one.scores, one.base + np.array([0.0, 0.5]), classes=one.classes)

    monkeypatch.setattr(boosted, "as_ensemble", as_another)
    record = boosted.compare("scikit-learn", "binary", 300)
    assert record["classes"] > 0 and record["sums"] == record["rows"] + record["at_thresholds"]


@pytest.mark.parametrize("name", ["xgboost_dart.json", "lightgbm_categories.txt"])
def test_saved_models_are_read_without_the_libraries(name):
    """A reader of files that needs the library, or reads them otherwise than the library did when it wrote
    the predictions beside them."""
    ensemble = read_boosted(MODELS / name)
    known = json.loads((MODELS / "predictions.json").read_text(encoding="utf-8"))[name]
    rows = np.array(known["rows"], dtype=np.float64)
    assert ensemble.predict(rows).tolist() == known["classes"]


def test_what_is_boosted_is_known_before_it_is_fitted():
    """A forest taken for a boosted model, or a class of another library with the same name."""

    class XGBClassifier:
        pass

    assert is_boosted(GradientBoostingClassifier()) and is_boosted(HistGradientBoostingClassifier())
    assert not is_boosted(RandomForestClassifier()) and not is_boosted(XGBClassifier())


@pytest.mark.parametrize(
    "make", [GradientBoostingClassifier, partial(HistGradientBoostingClassifier, max_leaf_nodes=4)]
)
@pytest.mark.parametrize("method", ["exact", "heuristic"])
def test_born_again_tree_of_a_boosted_model_is_proved_faithful(make, method):
    """A tree that predicts otherwise than the boosted model somewhere, or a proof that does not see it."""
    X, y = load_wine(return_X_y=True)
    X = np.round(X[:, [0, 6, 9, 12]], 0)
    name = "n_estimators" if make is GradientBoostingClassifier else "max_iter"
    model = BornAgainTreeClassifier(make(**{name: 4}, random_state=0), method=method).fit(X, y)
    assert isinstance(model.ensemble_, ScoredEnsemble)
    assert model.certify(method="cells") and model.certify(method="boxes")
    np.testing.assert_array_equal(model.predict(X), model.estimator_.predict(X))
    wrong = model.tree_.replace(label=(model.tree_.label + 1) % 3)
    from treelib.bornagain.proof.certificate import certify

    assert not certify(wrong, model.ensemble_)


def test_softmax_of_near_ties_picks_the_class_that_xgboost_picks():
    """Sums that differ by a few roundings, whose probabilities are equal: the library takes the first
    class."""
    from treelib.bornagain.softmax import softmax_classes

    near = np.float32([[0.1, np.nextafter(np.float32(0.1), np.float32(1)), -5.0], [1.0, 1.001, -9.0]])
    assert softmax_classes(near).tolist() == [0, 1]
    xgboost = pytest.importorskip("xgboost")
    X, y = three_classes()
    model = xgboost.XGBClassifier(n_estimators=1, max_depth=1, learning_rate=1e-30, base_score=0.0, n_jobs=1)
    model.fit(X, y)
    rng = np.random.default_rng(0)
    sums = rng.normal(size=(N_ROWS, 1)).astype(np.float32) * np.ones((1, 3), dtype=np.float32)
    steps = rng.integers(-4, 5, size=sums.shape)
    sums = (sums.view(np.int32) + steps.astype(np.int32)).view(np.float32)
    theirs = model.predict(np.repeat(X[:1], N_ROWS, axis=0), base_margin=sums)
    np.testing.assert_array_equal(softmax_classes(sums), theirs)
    assert (theirs != sums.argmax(axis=1)).any()


def test_a_circle_or_a_hostile_tree_is_refused():
    """A walk without end, or a tree of two nodes that grows without bound."""
    circle = {0: (0, [1.0], [True, False], False, 1, 2), 1: (0, [0.0], [True, False], False, 0, 2), 2: 1.0}
    with pytest.raises(ValueError, match="ancestor"):
        build(circle.__getitem__, 0, 1, "Tree 0", 3)

    def twins(i):
        return (0, [1.0], [True, False], False, i + 1, i + 1) if i < 60 else 1.0

    with pytest.raises(ValueError, match="more than"):
        build(twins, 0, 1, "Tree 0", 61)


def test_models_that_cannot_be_read_exactly_are_refused_with_a_word():
    """A model that is read as if it were another one."""
    X, y = two_classes()
    init = RandomForestClassifier(2, max_depth=1)
    with pytest.raises(ValueError, match="depend on the row"):
        from_boosted(GradientBoostingClassifier(n_estimators=2, init=init).fit(X, y))
    with pytest.raises(TypeError, match="no boosted model"):
        from_boosted(RandomForestClassifier())


@pytest.mark.parametrize(
    "options, words",
    [
        ({"booster": "gblinear"}, "linear"),
        ({"objective": "count:poisson"}, "objective"),
        ({"objective": "binary:hinge"}, "objective"),
        ({"missing": 0}, "takes 0 as missing"),
    ],
)
def test_other_models_of_xgboost_are_refused_with_a_word(options, words):
    """A linear model or a count read as a sum of trees, or other values than NaN that are missing."""
    xgboost = pytest.importorskip("xgboost")
    X, y = two_classes()
    with pytest.raises(ValueError, match=words):
        from_boosted(xgboost.XGBClassifier(n_estimators=2, **options).fit(X, y))


@pytest.mark.parametrize(
    "options, words",
    [
        ({"linear_tree": True}, "linear"),
        ({"boosting_type": "rf", "subsample": 0.5, "subsample_freq": 1}, "forest"),
        ({"objective": "cross_entropy"}, "objective"),
        ({"pred_early_stop": True}, "pred_early_stop"),
    ],
)
def test_other_models_of_lightgbm_are_refused_with_a_word(options, words):
    """A forest, a linear tree or another link read as boosting, or sums that leave trees out."""
    lightgbm = pytest.importorskip("lightgbm")
    X, y = two_classes()
    model = lightgbm.LGBMClassifier(n_estimators=2, verbose=-1, num_threads=1, **options)
    with pytest.raises(ValueError, match=words):
        from_boosted(model.fit(X, y))


def _squares(y, raw):
    return raw - y, np.ones_like(raw)


def test_objectives_of_the_user_are_refused_with_a_word():
    """A function whose sums become a class in a way that no file tells, read as a logistic one."""
    X, y = two_classes()
    lightgbm = pytest.importorskip("lightgbm")
    model = lightgbm.LGBMClassifier(n_estimators=2, verbose=-1, num_threads=1, objective=_squares)
    with pytest.raises(ValueError, match="objective is 'a function"):
        from_boosted(model.fit(X, y))
    xgboost = pytest.importorskip("xgboost")
    with pytest.raises(ValueError, match="objective is a function"):
        from_boosted(xgboost.XGBClassifier(n_estimators=2, n_jobs=1, objective=_squares).fit(X, y))


@pytest.mark.parametrize(
    ("kind", "at_zero"),
    [
        (partial(HistGradientBoostingClassifier, min_samples_leaf=1), 0),
        (partial(GradientBoostingClassifier, init="zero"), 1),
    ],
)
def test_sums_of_exactly_zero_are_of_the_class_that_sklearn_says(kind, at_zero):
    """The rule of one kind of boosting taken for the other: a leaf of two rows of either class adds 0."""
    X = np.array([[0.0]] * 4 + [[1.0]] * 3 + [[2.0]] * 3)
    y = np.array([0, 1, 0, 1, 1, 1, 1, 0, 0, 0])
    model = kind(max_depth=2, **{"max_iter" if at_zero == 0 else "n_estimators": 1}).fit(X, y)
    rows = np.array([[0.0], [1.0], [2.0]])
    assert model.decision_function(rows)[0] == 0 and model.predict(rows)[0] == at_zero
    ensemble = as_ensemble(model)
    np.testing.assert_array_equal(ensemble.classes[ensemble.predict(rows)], model.predict(rows))
    born_again = BornAgainTreeClassifier().from_ensemble(model)
    np.testing.assert_array_equal(born_again.predict(rows), model.predict(rows))


@pytest.mark.parametrize("missing", [0, 2])  # none known, and a side of their own
def test_thresholds_among_what_lightgbm_takes_for_zero_are_moved(missing):
    """Numbers up to 1e-35 in size on another side than 0, which LightGBM takes them for."""
    tiny = float(np.float32(1e-35))
    for cut, rows_left in (
        (-tiny, []),
        (-tiny / 2, []),
        (0.0, [-tiny, 0.0, tiny]),
        (tiny, [-tiny, 0.0, tiny]),
    ):
        (end,), sides, _ = lightgbm_text._of_numbers(cut, missing << 2, "Tree 0")
        assert sides == [True, False]
        assert [row for row in (-tiny, 0.0, tiny) if row <= end] == rows_left
        assert np.nextafter(-tiny, -np.inf) <= end < np.nextafter(tiny, np.inf)


def test_numbers_that_lightgbm_takes_for_zero_are_zeros():
    """The same by the library."""
    lightgbm = pytest.importorskip("lightgbm")
    X = np.array([[-1.0], [0.0], [1.0]] * 20)
    model = lightgbm.LGBMClassifier(n_estimators=3, min_child_samples=1, verbose=-1).fit(X, X[:, 0] >= 0)
    tiny = float(np.float32(1e-35))
    ends = np.array([-tiny, tiny, 0.0])
    rows = np.concatenate([ends, np.nextafter(ends, -np.inf), np.nextafter(ends, np.inf), [-1.0, 1.0]])
    tree = BornAgainTreeClassifier().from_ensemble(model)
    np.testing.assert_array_equal(tree.predict(rows[:, None]), model.predict(rows[:, None]))
