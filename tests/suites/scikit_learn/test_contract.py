"""Every estimator under every check of the installed scikit-learn."""

from sklearn.ensemble import ExtraTreesClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from treelib import (
    BayesianTreeClassifier,
    BornAgainTreeClassifier,
    DyadicTreeClassifier,
    OptimalSparseTreeClassifier,
    TopDownForestClassifier,
    TopDownForestRegressor,
    TopDownTreeClassifier,
    TopDownTreeRegressor,
)

# without bootstrap, which gives a weight of 2 another meaning than two equal rows
UNDRAWN = ExtraTreesClassifier(3, max_depth=3, max_features=None, random_state=0)
# a bootstrap draws rows, so that a row of weight 2 is drawn as one; without draws weights are repetitions
DRAWS = {
    f"check_sample_weight_equivalence_on_{kind}_data": "rows of a bootstrap are drawn whatever they weigh"
    for kind in ("dense", "sparse")
}


@parametrize_with_checks(
    [
        OptimalSparseTreeClassifier(),
        # a number of rows would not see that a row of weight two is two rows
        OptimalSparseTreeClassifier(min_samples_leaf=0.1),
        BornAgainTreeClassifier(UNDRAWN),
        BornAgainTreeClassifier(UNDRAWN, objective="depth-leaves"),
        BornAgainTreeClassifier(UNDRAWN, method="heuristic"),
        DyadicTreeClassifier(),
        DyadicTreeClassifier(free_empty_leaves=True),
        BayesianTreeClassifier(n_iter=2000, random_state=0),
        TopDownTreeClassifier(),
        TopDownTreeClassifier(
            "tsallis", alpha=0.5, beta=2, max_leaf_nodes=6, max_features="sqrt", random_state=0
        ),
        TopDownTreeRegressor(),
        TopDownTreeRegressor(max_leaf_nodes=21, max_features=0.5, random_state=0),
        TopDownForestClassifier("km", n_estimators=5, random_state=0),
        TopDownForestRegressor(n_estimators=10, random_state=0),
        TopDownForestClassifier(n_estimators=2, bootstrap=False, max_features=None),
        TopDownForestRegressor(n_estimators=2, bootstrap=False, max_features=None),
    ],
    expected_failed_checks=lambda estimator: DRAWS if getattr(estimator, "bootstrap", False) else {},
)
def test_contract(estimator, check):
    """A departure from what scikit-learn's tools expect of an estimator."""
    check(estimator)
