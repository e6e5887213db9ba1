"""The exported scikit-learn tree in tools that read such trees; skipped where these are not installed."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from treelib import OptimalSparseTreeClassifier


@pytest.fixture(scope="module")
def tumours():
    """Data, and the exported tree."""
    data = load_breast_cancer(as_frame=True)
    model = OptimalSparseTreeClassifier(0.02).fit(data.data, data.target)
    return data, model.tree_.to_sklearn(classes=model.classes_)


def test_shap_values_add_up(tumours):
    """An export whose counts or fractions shap reads otherwise than scikit-learn does."""
    shap = pytest.importorskip("shap", reason="shap is not installed")
    data, tree = tumours
    X = data.data.to_numpy()
    values = shap.TreeExplainer(tree)(X)
    total = values.values.sum(axis=1) + values.base_values
    np.testing.assert_allclose(total, tree.predict_proba(X), atol=1e-9)
    used = np.unique(tree.tree_.feature[tree.tree_.feature >= 0])
    unused = np.setdiff1d(np.arange(X.shape[1]), used)
    assert not values.values[:, unused].any() and values.values[:, used].any()


def test_dtreeviz_reads_the_tree(tumours):
    """An export that lacks what dtreeviz looks at."""
    dtreeviz = pytest.importorskip("dtreeviz", reason="dtreeviz is not installed")
    data, tree = tumours
    shown = dtreeviz.model(
        tree,
        X_train=data.data,
        y_train=data.target,
        feature_names=list(data.data.columns),
        target_name="tumour",
        class_names=list(data.target_names),
    )
    assert len(shown.shadow_tree.leaves) == tree.get_n_leaves()
    row = data.data.iloc[0].to_numpy()
    names = data.data.columns[tree.tree_.feature[tree.decision_path([row]).indices]]
    assert names[0] in shown.explain_prediction_path(row)
