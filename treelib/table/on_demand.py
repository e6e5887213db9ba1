"""An encoded table that there is no room for: parts of it are made when they are asked for."""

import numpy as np

from treelib.table.checks import go_on
from treelib.table.pieces import in_pieces


class OnDemand:
    """Encoded rows, float64 (n, p), of which single columns and blocks of rows are made at a time.

    ``table[rows]`` are some of the rows, on demand too, and ``np.asarray`` makes them. Of float64 are
    ``table[rows, column]``, (m,), and ``table[rows, columns]`` with a slice or indices of columns, (m, k),
    each column contiguous. Codes of categories are kept: one to four bytes a row and categorical column.

    Parameters
    ----------
    encoder : TableEncoder, fitted
    X : data frame or array of shape (n, n_columns)
    rows : intp (m,), those that count, or None for all
    blank : bool (p,), columns that hold 0 in every row, or None
    codes : dict, categorical column -> codes of all rows of `X`, as far as they were read; see
        `TableEncoder.fit_transform`
    """

    def __init__(self, encoder, X, rows=None, blank=None, codes=None):
        self.encoder, self.X, self.rows, self.blank = encoder, X, rows, blank
        self.shape = (X.shape[0] if rows is None else len(rows)), encoder.n_features_out_
        self._codes = {} if codes is None else codes

    def __len__(self):
        return self.shape[0]

    ndim = 2

    @property
    def size(self):
        return self.shape[0] * self.shape[1]

    @property
    def n_numbers(self):
        """Number of columns that are numbers; they come first."""
        return len(self.encoder.numeric_)

    @property
    def nbytes(self):
        """Bytes that are kept."""
        return sum(codes.nbytes for codes in self._codes.values())

    def without(self, blank):
        """These rows with 0 in the columns `blank`, bool (p,)."""
        return OnDemand(self.encoder, self.X, self.rows, blank, self._codes)

    def __array__(self, dtype=None, copy=None):
        made = self.encoder.transform(self.X if self.rows is None else _taken(self.X, self.rows))
        if self.blank is not None:
            made[:, self.blank] = 0.0
        return made

    def __getitem__(self, at):
        if not isinstance(at, tuple):
            return OnDemand(self.encoder, self.X, self._places(at, as_numbers=True), self.blank, self._codes)
        rows, columns = self._places(at[0]), at[1]
        if isinstance(columns, slice):
            columns = range(*columns.indices(self.shape[1]))
        elif np.ndim(columns) == 0:
            return self._column(int(columns), rows)
        n = len(range(*rows.indices(self.shape[0]))) if isinstance(rows, slice) else len(rows)
        made, columns = np.empty((len(columns), n)), np.asarray(columns, np.intp)
        is_number = columns < len(self.encoder.numeric_)
        if is_number.any():  # together: pandas takes as long for one
            made[is_number] = self._numbers(columns[is_number], rows).T
        for k in np.flatnonzero(~is_number).tolist():
            made[k] = self._column(int(columns[k]), rows)
        if self.blank is not None:
            made[self.blank[columns]] = 0.0
        return made.T

    def _places(self, at, as_numbers=False):
        """Rows of `X` meant by `at`, a slice, mask or indices: intp (m,), or a slice if it may be one."""
        if self.rows is not None:
            return self.rows[at]
        if isinstance(at, slice):
            return np.arange(*at.indices(self.shape[0])) if as_numbers else at
        at = np.asarray(at)
        return np.flatnonzero(at) if at.dtype == bool else at

    def _column(self, number, rows):
        """Encoded column `number` of some rows of `X`, float64."""
        encoder = self.encoder
        at = len(encoder.numeric_)
        if self.blank is not None and self.blank[number]:
            return np.zeros(self.X.shape[0])[rows]
        if number < at:
            return self._numbers([number], rows)[:, 0]
        for column, categories in encoder.categories_.items():
            n_codes = len(categories) + encoder.has_missing_[column]
            if number < at + n_codes:
                return (self._codes_of(column)[rows] == number - at).astype(np.float64)
            at += n_codes
        raise IndexError(f"column {number} of a table of {self.shape[1]}")

    def _numbers(self, chosen, rows):
        """Encoded columns that are numbers, float64 (m, len(chosen))."""
        columns = [self.encoder.numeric_[number] for number in chosen]
        if isinstance(rows, slice):
            return self.encoder.numbers(self.X, columns, rows)
        return self.encoder.numbers(self.X, columns)[rows]

    def _codes_of(self, column):
        """Place of the category of every row of `X` among those of its column, of the least integer type."""
        if column not in self._codes:
            self._codes[column] = self.encoder.codes(self.X, column)
        return self._codes[column]


def blanked(X, blank, check=go_on):
    """A table float64 (n, p) with 0 in the columns `blank`, bool (p,): of an array, a copy.

    check : callable of the bytes that are about to be taken, asked before the copy is made and between
        pieces; to stop, it raises an exception
    """
    if isinstance(X, OnDemand):
        return X.without(blank)
    check(X.nbytes)
    made = np.empty_like(X)
    for rows in in_pieces(X.shape, check):
        made[rows] = np.where(blank, 0.0, X[rows])
    return made


def _taken(X, rows):
    """Some rows of a table, without a copy where they follow each other."""
    from sklearn.utils import _safe_indexing

    if len(rows) and rows[-1] - rows[0] == len(rows) - 1 and (np.diff(rows) == 1).all():
        rows = slice(int(rows[0]), int(rows[-1]) + 1)
    return _safe_indexing(X, rows, axis=0)
