"""What every estimator can say of itself: explanations, texts, drawings, programs."""

from sklearn.utils.validation import check_is_fitted

from treelib.table.checks import check_choice


class Speaks:
    """Methods of a fitted estimator of one tree."""

    def explain(self, X, *, wanted=None, fixed=(), directions=None, scale=None):
        """Why each row gets its prediction, and the nearest change that would give another class.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
        wanted : class that the change has to give, or None for any other than that of the row
        fixed : iterable of names of columns that no change may touch
        directions : dict of a column of numbers to 1 or -1, the only way that it may change, or None
        scale : dict of a column of numbers to the size of one step, or None: the largest threshold

        Returns
        -------
        list of treelib.tree.explaining.Explanation, each a sentence as text

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from treelib import OptimalSparseTreeClassifier
        >>> X, y = load_iris(return_X_y=True, as_frame=True)
        >>> model = OptimalSparseTreeClassifier(0.02).fit(X[["petal width (cm)"]], y)
        >>> print(model.explain(X[["petal width (cm)"]].iloc[60:61])[0].change[0].text)
        petal width (cm) is at most 0.8
        """
        from treelib.tree.explaining import Explainer

        check_is_fitted(self)
        if getattr(self, "category_tests", "each") != "each":
            raise ValueError('explain knows no subsets of categories; fit with category_tests="each".')
        explainer = Explainer(self, wanted=wanted, fixed=fixed, directions=directions, scale=scale)
        return explainer.explain(self._encode(X))

    def to_text(self, **options):
        """The tree as text, see `treelib.tree.formats.text.to_text`; `options` are those there."""
        from treelib.tree.formats import to_text

        return to_text(self, **options)

    def plot(self, ax=None, **options):
        """Draw the tree with matplotlib, see `treelib.tree.drawing.plot_tree`; returns the axes."""
        from treelib.tree.drawing import plot_tree

        return plot_tree(self, ax, **options)

    def export(self, to, **options):
        """The model in a format of `treelib.tree.formats`: "sql", "c", "javascript", "onnx", "rules", "dot",
        "svg", "json", "text". `options` are those of its function, ``to_sql`` and so on.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from treelib import OptimalSparseTreeClassifier
        >>> X, y = load_iris(return_X_y=True, as_frame=True)
        >>> model = OptimalSparseTreeClassifier(0.3).fit(X, y)
        >>> for rule in model.export("rules"):
        ...     print(rule)
        if petal length (cm) <= 2.45 then 0 (50 samples, 0 errors)
        if petal length (cm) > 2.45 then 1 (100 samples, 50 errors)
        """
        from treelib.tree import formats

        names = [name.removeprefix("to_") for name in formats.__all__ if name.startswith("to_")]
        check_choice("to", to, names)
        return getattr(formats, f"to_{to}")(self, **options)
