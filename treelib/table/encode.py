"""Tables with categorical columns -> one float64 matrix, as every tree of this package reads it.

The encoded matrix holds the numeric columns as they are, in their order, and then, for each categorical
column, one 0/1 feature a category seen in training, named ``colour = red``; a column with missing
categories in training adds ``colour is missing``. A category not seen in training sets none of them.
"""

import datetime
import decimal
import json
import numbers

import numpy as np

from treelib.table.checks import odd_numbers
from treelib.table.frames import categorical_columns, columns_meant, is_frame
from treelib.table.refusal import explained
from treelib.table.warned import warn

_FEWEST_ROWS = 20  # fewer may well differ by chance


class TableEncoder:
    """Expands the categorical columns of a table into 0/1 features.

    Parameters
    ----------
    categorical_features : "from_dtype", None, or array-like of int, str or bool
        Which columns hold categories. "from_dtype": the columns of a data frame whose dtype is a
        category, object or string; none of an array. None: none. Otherwise column indices, column names
        or a mask.

    Attributes
    ----------
    categories_ : dict, column index -> list of the categories seen in training, without the missing one
    has_missing_ : dict, column index -> bool, whether training had missing categories there
    numeric_ : list of int, the other columns
    misses_numbers_ : bool, whether a value of these was missing in training; None where nobody has looked
    n_features_out_ : int
    feature_names_out_ : tuple of str, or None for a table without names and without categories
    """

    def __init__(self, categorical_features="from_dtype"):
        self.categorical_features = categorical_features

    @property
    def reads_by_dtype(self):
        """Whether no column was chosen, so that an array of numbers has no categories."""
        chosen = self.categorical_features
        return chosen is None or (isinstance(chosen, str) and chosen == "from_dtype")

    def columns_out(self):
        """Column of the table that each encoded feature is made of, intp (n_features_out_,)."""
        columns = list(self.numeric_)
        for column, categories in self.categories_.items():
            columns += [column] * (len(categories) + self.has_missing_[column])
        return np.array(columns, dtype=np.intp)

    def has_categories(self, X):
        """Whether `X` has categorical columns, so that it cannot be read as one numeric array."""
        is_table = hasattr(X, "shape") and len(X.shape) == 2 and not hasattr(X, "tocsr")
        return is_table and bool(self._categorical_columns(X))

    def as_table(self, X):
        """`X`, or for nested lists with categorical columns an object array that keeps their types.

        They have such columns if some were chosen, or if the table of the training had some.
        """
        is_chosen = self.categorical_features is not None and not isinstance(self.categorical_features, str)
        has_categories = is_chosen or bool(getattr(self, "categories_", None))
        return np.array(X, dtype=object) if has_categories and isinstance(X, (list, tuple)) else X

    def fit(self, X, feature_names=None):
        """Learn the categories of `X`, a data frame or array; returns self."""
        n_columns = X.shape[1]
        categorical = self._categorical_columns(X)
        self.numeric_ = sorted(set(range(n_columns)).difference(categorical))
        self.categories_, self.has_missing_, self.misses_numbers_ = {}, {}, None
        if feature_names is None and categorical:
            feature_names = [f"x{column}" for column in range(n_columns)]
        for column in categorical:
            self._read_categories(X, column)
        self.feature_names_out_ = None if feature_names is None else self._names_out(feature_names)
        self.n_features_out_ = self._n_features_out()
        return self

    def fit_transform(self, X, feature_names=None):
        """Learn the categories of `X`; return float64 (n, n_features_out_).

        `X` is a data frame or array; without categorical columns it must be float64 already, and comes
        back as it is.
        """
        self.fit(X, feature_names)
        return self.transform(X) if self.categories_ else X

    def _read_categories(self, X, column):
        """Learn the categories of a column."""
        codes, values = _coded(X, column)
        occurs = np.bincount(codes + 1, minlength=len(values) + 1) > 0
        self.categories_[column] = _sorted([v for v, here in zip(values, occurs[1:], strict=True) if here])
        self.has_missing_[column] = bool(occurs[0])
        is_by_dtype = isinstance(self.categorical_features, str)
        if is_by_dtype and len(self.categories_[column]) == len(codes):
            _warn_of_names(X, column, len(codes))
        if is_by_dtype and str(_frame_column(X, column).dtype).lower() == "object":
            _warn_of_values(X, column, self.categories_[column])

    def transform(self, X):
        """Encoded matrix of `X`, float64 (n, n_features_out_), missing numbers as NaN."""
        encoded = self._with_numbers(X, self.n_features_out_)
        at = len(self.numeric_)
        for column, categories in self.categories_.items():
            n_codes = len(categories) + self.has_missing_[column]
            if n_codes:
                codes = self.codes(X, column)
                rows = np.flatnonzero(codes >= 0)
                encoded[rows, at + codes[rows].astype(np.intp)] = 1.0
                at += n_codes
        return encoded

    def _with_numbers(self, X, n_columns):
        """Zeros, float64 (n, n_columns), that begin with the numeric columns of `X`."""
        encoded = np.zeros((X.shape[0], n_columns))
        if self.numeric_:
            encoded[:, : len(self.numeric_)] = self.numbers(X, self.numeric_)
        return encoded

    def numbers(self, X, columns):
        """Numeric columns of `X`, float64 (n, len(columns)), missing ones as NaN."""
        from sklearn.utils import _safe_indexing, check_array

        if _has_plain_numbers(X, columns):
            found = X.iloc[:, columns].to_numpy(np.float64)
            if odd_numbers(found) != "infinity":
                return found
        options = {"dtype": np.float64, "ensure_all_finite": "allow-nan", "input_name": "X"}
        numeric = _safe_indexing(X, columns, axis=1)
        with explained(numeric, "name it in categorical_features"):
            return check_array(numeric, **options)

    def codes(self, X, column):
        """Place (n,) of the value of each row among the categories of a column, of the least integer type;
        missing ones come after them, -1 is unknown."""
        places, values = _coded(X, column)
        categories = self.categories_[column]
        if categories and len(places) and not set(categories).intersection(values):
            found = np.unique(places[places >= 0])  # without what is missing
            _warn_of_other_kind(X, column, [values[place] for place in found], categories)
        return _among(categories, places, values, self.has_missing_[column])

    def _categorical_columns(self, X):
        chosen = self.categorical_features
        if chosen is None:
            return []
        if isinstance(chosen, str):
            if chosen != "from_dtype":
                raise ValueError(
                    f"categorical_features={chosen!r} is not understood; give 'from_dtype', None, "
                    "or a list of column indices or names."
                )
            return categorical_columns(X) if is_frame(X) else []
        names = list(map(str, X.columns)) if is_frame(X) else None
        return columns_meant("categorical_features", chosen, names, X.shape[1])

    def _n_features_out(self):
        if not self.categories_:
            return len(self.numeric_)
        return len(self.numeric_) + sum(map(len, self.categories_.values())) + sum(self.has_missing_.values())

    def _names_out(self, feature_names):
        names = [str(feature_names[column]) for column in self.numeric_]
        for column, categories in self.categories_.items():
            names += [f"{feature_names[column]} = {_category_text(category)}" for category in categories]
            if self.has_missing_[column]:
                names.append(f"{feature_names[column]} is missing")
        return tuple(names)


def _warn_of_names(X, column, n_rows):
    """Warn of a column with another value in each row, where there are rows enough to mean something."""
    if n_rows >= _FEWEST_ROWS:
        warn(
            f"Column {str(X.columns[column])!r} of X has another value in each of its {n_rows} rows, and "
            "becomes as many 0/1 features. If these are names or identifiers, leave the column out; if they "
            "are numbers or dates kept as text, convert them; if they are categories, name it in "
            "categorical_features.",
        )


def _warn_of_values(X, column, values):
    """Warn of a column of objects that are all numbers, or all dates, as databases and JSON give them."""
    kinds, name = set(map(_kind, values)), str(X.columns[column])
    if kinds in ({"numbers"}, {"dates"}):
        what = kinds.pop()
        to_do = {
            "numbers": f"For thresholds give numbers: pd.to_numeric(X[{name!r}]).",
            "dates": "Give what matters of them as numbers, such as the year or days since a start.",
        }
        warn(
            f"Column {name!r} of X has the dtype object and holds {what}; each of its {len(values)} values "
            f"becomes a 0/1 feature. {to_do[what]} If they are categories, name the column in "
            "categorical_features.",
        )


def _kind(value):
    """What a value is, in a word."""
    for types, word in (
        (str, "text"),
        ((bool, np.bool_), "truth values"),
        ((numbers.Real, decimal.Decimal), "numbers"),
        ((datetime.date, datetime.timedelta), "dates"),
    ):
        if isinstance(value, types):
            return word
    return type(value).__name__


def _warn_of_other_kind(X, column, values, categories):
    """Warn of a column none of whose values is known, since they are of another kind than its categories."""
    found = set(map(_kind, values))
    known = set(map(_kind, categories))
    if found and known and not found & known:
        warn(
            f"Column {_name(X, column)} of X holds {', '.join(sorted(found))}, but its categories in "
            f"training are {', '.join(sorted(known))}: none of its values is known. Give it the type it had "
            "in training.",
        )


def _has_plain_numbers(X, columns):
    """Whether columns are pandas' of numpy's numbers: thousands of them are read ten times as fast as by
    `check_array`, which looks at each for other kinds."""
    if not hasattr(X, "iloc") or not hasattr(X, "dtypes"):
        return False
    kinds = set(X.dtypes.iloc[columns])
    return all(isinstance(kind, np.dtype) and kind.kind in "biuf" and kind.itemsize <= 8 for kind in kinds)


def _name(X, column):
    """Name of a column in a message, or its number where it has none."""
    return repr(str(X.columns[column])) if is_frame(X) else column


def _frame_column(X, column):
    return X.iloc[:, column] if hasattr(X, "iloc") else X[:, column]


def _coded(X, column):
    """Place intp (n,) of the value of each row in a list of values, -1 where it is missing, and this list.

    What is missing: None, NaN, pandas' NA.
    """
    part = _frame_column(X, column) if is_frame(X) else X[:, column]
    if hasattr(part, "cat") and hasattr(part.cat, "codes"):  # pandas has them already
        return part.cat.codes.to_numpy(np.intp), part.cat.categories.to_numpy(object).tolist()
    from pandas import isna  # knows every kind of missing value, and costs 0.3 s to import

    values = np.asarray(part.to_numpy() if is_frame(X) else part, dtype=object)
    place = {}
    try:
        codes = [place.setdefault(value, len(place)) for value in values]
    except TypeError:  # what can change has no hash
        raise _no_category(values, _name(X, column)) from None
    return np.where(isna(values), -1, np.array(codes, dtype=np.intp)), list(place)


def _among(categories, places, values, knows_missing):
    """Codes of rows, see `TableEncoder.codes`, of their places among `values` as `_coded` gives them."""
    code_of = {category: code for code, category in enumerate(categories)}
    codes = [code_of.get(value, -1) for value in values] + [len(code_of) if knows_missing else -1]
    return np.array(codes, np.min_scalar_type(-len(code_of) - 1))[places]


def _sorted(categories):
    try:
        return sorted(categories)
    except TypeError:  # numbers beside text
        return sorted(categories, key=lambda value: (type(value).__name__, str(value)))


def _no_category(values, name):
    kinds = sorted({type(value).__name__ for value in values if type(value).__hash__ is None})
    return TypeError(
        f"Column {name} of X holds values of type {', '.join(kinds)}, which are no categories; "
        "give each of their parts a column."
    )


def _category_text(category):
    is_whole = isinstance(category, float) and category.is_integer()
    return quoted(str(int(category) if is_whole else category))


def quoted(text):
    """`text`, in quotation marks where white space would be lost or overlooked: "a " beside "a"."""
    return text if " ".join(text.split()) == text else json.dumps(text, ensure_ascii=False)
