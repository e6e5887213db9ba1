"""Explanations, texts, drawings and exports that every estimator offers."""

from sklearn.utils.validation import check_is_fitted

from treelib.table.checks import check_choice


class Speaks:
    """Methods of a fitted estimator of one tree."""

    def explain(self, X, *, wanted=None, fixed=(), directions=None, scale=None):
        """Why each sample gets its prediction, and the nearest change that leads to another class.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Samples to explain.
        wanted : class or None
            Class that the change must lead to. None: any other class.
        fixed : iterable of str
            Names of columns that the change may not involve.
        directions : dict or None
            Maps a numeric column to 1 or -1, the only direction in which it may change.
        scale : dict or None
            Maps a numeric column to the size of one step. Default: the largest threshold of the column.

        Returns
        -------
        list of treelib.tree.explaining.Explanation
            One per sample; ``str`` of it is a sentence.

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
        """The tree as text; `options` are passed to `treelib.tree.formats.text.to_text`."""
        from treelib.tree.formats import to_text

        return to_text(self, **options)

    def plot(self, ax=None, **options):
        """Draw the tree with matplotlib and return the axes; see `treelib.tree.drawing.plot_tree`."""
        from treelib.tree.drawing import plot_tree

        return plot_tree(self, ax, **options)

    def export(self, to, **options):
        """Export the model in a format of `treelib.tree.formats`.

        Parameters
        ----------
        to : {"sql", "c", "javascript", "onnx", "rules", "dot", "svg", "json", "text"}
            The format.
        **options
            Passed to the function of the format, ``to_sql`` and so on.

        Returns
        -------
        str, list of str for "rules", or onnx.ModelProto
            The exported model.

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
