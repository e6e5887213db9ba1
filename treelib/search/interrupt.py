"""Ctrl-C in a fit: the tree found so far is kept, and then the program ends as its user expects."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from treelib.search.budget import INTERRUPTED

_goes_on = ContextVar("goes_on", default=False)


@contextmanager
def keep_going() -> Iterator[None]:
    """Context in which Ctrl-C ends one fit, and the program continues with the tree found so far.

    Outside this context, a fit ended by Ctrl-C raises KeyboardInterrupt after storing what it found. The
    estimator is fitted and can be used, with ``status_`` "interrupted"; it is also available as the
    `estimator` attribute of the exception.

    Yields
    ------
    None
        Nothing; the block runs.

    Examples
    --------
    >>> from treelib import OptimalSparseTreeClassifier, keep_going
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> with keep_going():  # Ctrl-C ends the fit of one price, and the next one begins
    ...     models = [OptimalSparseTreeClassifier(price).fit(X, y) for price in (0.1, 0.02)]
    >>> [model.get_n_leaves() for model in models]
    [3, 3]
    """
    before = _goes_on.set(True)
    try:
        yield
    finally:
        _goes_on.reset(before)


def end_of_fit(estimator):
    """Raise KeyboardInterrupt if Ctrl-C ended the fit of `estimator`, which has its tree, outside
    `keep_going`."""
    if getattr(estimator, "status_", None) != INTERRUPTED or _goes_on.get():
        return
    stopped = KeyboardInterrupt(
        f"{type(estimator).__name__} was stopped and keeps the best that it had found: it can be used, and "
        "is the `estimator` of this exception. In `with treelib.keep_going():` a program goes on from here."
    )
    stopped.estimator = estimator
    raise stopped
