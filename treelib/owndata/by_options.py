"""A fit as the options of the command ask for it, and the same from Python."""

from argparse import ArgumentParser
from types import NoneType
from typing import Any

from numpy.typing import ArrayLike
from pandas import DataFrame

from treelib.owndata import class_weights, constraints, options
from treelib.owndata.columns import text
from treelib.owndata.fit import fit_table
from treelib.owndata.predict import answers, description, explainer, rows_of
from treelib.owndata.read import table_of
from treelib.owndata.regression import fit_regression
from treelib.owndata.report.page import write_report

WEIGHTS = "(weights)"  # column of weights that were given beside the table


def fit_by(table, asked, say):
    """`Fitted` of a table.

    Parameters
    ----------
    table : OwnTable
    asked : argparse.Namespace of `treelib.owndata.options.OPTIONS`
    say : callable of a line of text
    """
    shared = {
        "regularization": asked.regularization,
        "tune": asked.tune,
        "lowest": asked.lowest_price,
        "seed": asked.seed,
        "time_limit": asked.time_limit,
        "say": say,
    }
    if table.task == "regression":
        if asked.method not in (None, "topdown"):
            raise ValueError(
                f"--method {asked.method} predicts classes, but {table.target!r} is a quantity; "
                "leave --method out, or give --task classification."
            )
        if asked.class_weight:
            raise ValueError(
                f"--class-weight is for classes, but {table.target!r} is a quantity; leave it out."
            )
        keep = constraints.read(table, "topdown", asked)
        rule = asked.rule or "paired"
        return fit_regression(table, criterion=asked.criterion, rule=rule, constraints=keep, **shared)
    if asked.criterion != "squared_error":
        raise ValueError(
            f"--criterion {asked.criterion} is for a quantity, but {table.target!r} holds classes; give "
            "--task regression too, or leave it out."
        )
    method = asked.method or "sparse"
    return fit_table(
        table,
        method,
        score=asked.score,
        rule=asked.rule or "1se",
        verbose=not asked.quiet,
        ensemble=asked.ensemble,
        class_weight=class_weights.parsed(asked.class_weight),
        constraints=constraints.read(table, method, asked),
        **shared,
    )


class Tuned:
    """Result of `tune`.

    Attributes
    ----------
    tree : treelib.Tree
        The tree, over the prepared columns.
    is_proved : bool or None
        Whether no tree of its depth over the same candidate splits has a smaller objective at its leaf
        penalty. None for a quantity.
    error : float
        Error on held-out rows, from 0 to 1; for a quantity the loss on held-out rows relative to predicting
        a constant.
    fitted : treelib.owndata.fit.Fitted
        Everything in the report.
    """

    def __init__(self, fitted):
        self.fitted, self.tree = fitted, fitted.tree
        self.is_proved = fitted.is_proved if fitted.table.task == "classification" else None
        self.error = fitted.judged.error
        self._about = description(fitted.table)

    def predict(self, X):
        """Predicted class, as text, or value for each row of a data frame `X` with the columns of the fit."""
        return self._answers(X)["prediction"].to_numpy()

    def explain(self, X, **wishes):
        """`treelib.tree.explaining.Explanation` of each row of `X`; `wishes` are ``wanted``, ``fixed`` and
        ``directions`` of `treelib.tree.explaining.Explainer`."""
        return explainer(self.tree, self._about, **wishes).explain(self._rows(X))

    def report(self, path="report.html"):
        """Write the report and, beside it, the tree; returns the list of paths."""
        return write_report(self.fitted, path, "treelib.tune(X, y)")

    def _repr_html_(self):
        return self.tree.to_svg(**self.fitted.table.wording)

    def _rows(self, X):
        return rows_of(self.tree, self._about, text.of_frame(DataFrame(X))).X

    def _answers(self, X):
        return answers(self.tree, self._rows(X))


def tune(X: Any, y: ArrayLike, **asked: Any) -> Tuned:
    """Find the tree of ``treelib fit --tune`` for a table in memory.

    Parameters
    ----------
    X : DataFrame of shape (n_samples, n_features)
        The table; columns may hold numbers, text, truth values or dates.
    y : array-like of shape (n_samples,)
        Classes, or a quantity (regression).
    **asked
        Options of the command, with underscores: ``time_limit=20`` (seconds, default 60), ``max_depth=3``,
        ``score="auc"``, ``class_weight=["yes=5"]``, ``criterion="poisson"``. ``tune=False`` fits for a
        single leaf penalty, ``regularization``. ``weights`` is a column of `X`, or array-like of shape
        (n_samples,).

    Returns
    -------
    Tuned
        With ``tree``, ``is_proved``, ``error``, ``predict``, ``explain`` and ``report``.

    Raises
    ------
    TypeError
        If there is no such option.
    ValueError
        If an option or the table cannot be used; the message says what to do.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> import treelib
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> found = treelib.tune(X, y)
    >>> found.tree.n_leaves, found.is_proved
    (3, True)
    >>> print(found.explain(X[:1])[0])
    0, because petal length (cm) is at most 2.45. It would be 1 if petal length (cm) were above 2.45.
    """
    parser, X = ArgumentParser(), DataFrame(X)
    options.add(parser)
    if not isinstance(asked.get("weights"), (str, NoneType)):
        X, asked = X.assign(**{WEIGHTS: asked["weights"]}), asked | {"weights": WEIGHTS}
    name = str(getattr(y, "name", None) or "y")
    target = "y" if name in X.columns else name
    words = parser.parse_args(["table.csv", "--target", target, "--tune"])
    unknown = [name for name in asked if not hasattr(words, name)]
    if unknown:
        raise TypeError(f"tune has no option {unknown[0]!r}; see `treelib fit --help`.")
    vars(words).update({"quiet": True} | asked)
    options.check(words)
    more = {"reading": options.reading(words), "preparing": options.preparing(words), "drop": words.drop}
    table = table_of(X, y, words.target, task=words.task, weights=words.weights, **more)
    return Tuned(fit_by(table, words, say=lambda line: None))
