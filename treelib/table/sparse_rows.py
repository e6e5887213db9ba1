"""Sparse matrices as tables: read in blocks of rows or columns, made dense only where a search must.

What a sparse matrix does not store is 0, as in scikit-learn, and not missing; a stored NaN is missing.
"""

from functools import wraps

import numpy as np
from scipy.sparse import issparse

from treelib.table.frames import checked_table

_BLOCK = 1 << 20  # values that are dense at once
_ENCODED = 1 << 22  # values of encoded rows that are held at once where there are more: 32 MB


def dense(X, who, room):
    """Float64 array of a sparse matrix; ValueError where the machine cannot hold it.

    who : str, the estimator that reads no sparse tables. room : float, bytes that there are
    """
    check_room(8 * X.shape[0] * X.shape[1], room, f"{who} reads it as a dense table")
    return np.ascontiguousarray(X.toarray(), dtype=np.float64)


def check_room(n_bytes, room, why):
    """ValueError where a sparse table needs more bytes than there are; `why` says what for."""
    if n_bytes > room:
        raise ValueError(
            f"X is sparse, and {why}, which takes {n_bytes / 1e9:.1f} GB, more than this machine has. "
            "Leave out rows, or columns that are rarely set."
        )


def over_rows(function, X):
    """What `function` says of all rows of `X`, asked block by block where `X` is sparse."""
    if not issparse(X):
        return function(X)
    X = X.tocsr()
    step = max(1, _BLOCK // max(1, X.shape[1]))
    blocks = range(0, X.shape[0], step) if X.shape[0] else (0,)
    return np.concatenate([function(X[k : k + step].toarray()) for k in blocks])


def row_wise(method):
    """A method of a fitted estimator that takes a table: a sparse one, and one whose categories are many
    encoded columns, are taken block after block of rows."""

    @wraps(method)
    def taken(self, X):
        if not issparse(X):
            return _in_blocks(method, self, X)
        from sklearn.utils.validation import check_is_fitted, validate_data

        check_is_fitted(self)
        finite = "allow-nan" if self.__sklearn_tags__().input_tags.allow_nan else True
        options = {"accept_sparse": "csr", "dtype": np.float64, "ensure_all_finite": finite}
        return over_rows(lambda rows: method(self, rows), validate_data(self, X, reset=False, **options))

    return taken


def _in_blocks(method, model, X):
    """``method(model, X)``, block after block of rows where the encoded table of `X` is large."""
    encoder = getattr(model, "encoder_", None)
    if not getattr(encoder, "categories_", None):
        return method(model, X)
    from sklearn.utils import _safe_indexing

    X = encoder.as_table(checked_table(X))
    n, step = getattr(X, "shape", (0,))[0], max(1, _ENCODED // max(1, encoder.n_features_out_))
    if n <= step:
        return method(model, X)
    parts = (_safe_indexing(X, np.arange(k, min(k + step, n))) for k in range(0, n, step))
    return np.concatenate([method(model, part) for part in parts])


def columns_of(X, block, rows=None):
    """Some columns of a CSC matrix as rows of a float64 array (k, n).

    block : slice of columns. rows : intp (n,), row numbers, or None for all
    """
    found = X[:, block].toarray()
    return np.ascontiguousarray((found if rows is None else found[rows]).T)


def values_at(X, rows, columns):
    """``X[rows[i], columns[i]]`` for all i, float64 (m,), of an array or a sparse matrix."""
    if not issparse(X):
        return X[rows, columns]
    return np.asarray(X[rows, columns]).ravel() if len(rows) else np.empty(0)
