"""The split behind two cells of Table 2: scikit-learn's example of cost-complexity pruning.

The example holds out a quarter of the rows with seed 0, grows a tree by Gini impurity, and reads the
parameter of best accuracy off the test part. Two cells of Table 2 are whole numbers of such test parts.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from treelib.papers.tsallis import splits

SEED = 0


class Example(NamedTuple):
    """Accuracy in percent of the best tree of the path on the test part, and the rows of that part."""

    accuracy: float
    n_test: int


@cache
def documented_example(data):
    """`Example` of a data set, with scikit-learn's tree: its seed says which of equal splits it makes."""
    from sklearn.model_selection import train_test_split
    from sklearn.tree import DecisionTreeClassifier

    X, y = splits.samples(data)
    X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=SEED)
    prices = (
        DecisionTreeClassifier(random_state=SEED).cost_complexity_pruning_path(X_train, y_train).ccp_alphas
    )
    trees = [
        DecisionTreeClassifier(random_state=SEED, ccp_alpha=max(price, 0.0)) for price in np.unique(prices)
    ]
    best = max(tree.fit(X_train, y_train).score(X_test, y_test) for tree in trees)
    return Example(100 * best, len(y_test))
