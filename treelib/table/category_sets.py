"""Tables whose trees test subsets of categories: codes while a tree grows, then a 0/1 feature a subset.

The learner reads each categorical column as one column of codes. The tree that it grows is stored, as all
trees are, over 0/1 features, one for each subset that the tree tests: ``colour in {blue, red}``. So a subset
is one node, and what walks, draws, compares and writes trees needs to know nothing of it.
"""

import numpy as np

from treelib.table.encode import TableEncoder, _category_text


class CategorySetEncoder(TableEncoder):
    """Reads categorical columns as codes, and once a tree is grown as the subsets that it tests.

    Parameters
    ----------
    categorical_features : as of `TableEncoder`

    Attributes
    ----------
    categories_, has_missing_, numeric_ : as of `TableEncoder`; the code of a category is its place among
        those of its column, and missing ones come after them
    sets_ : list of (column, tuple of codes), one for each feature after the numeric ones; None until
        `tested` has been told of a tree
    n_features_out_, feature_names_out_ : of the numeric columns and the sets
    """

    sets_ = None

    @property
    def columns_grown(self):
        """Column of the table behind each column that the learner sees, intp (n_columns,)."""
        return np.array([*self.numeric_, *self.categories_], dtype=np.intp)

    def tested(self, tree, subsets):
        """The tree over the numbers and the sets, which become the features of this encoder.

        Parameters
        ----------
        tree : Tree over the columns that the learner saw
        subsets : list of tuple of int, or None for a node that tests a number; the codes that go right
        """
        columns, n_numeric = self.columns_grown, len(self.numeric_)
        sets, feature, threshold = {}, tree.feature.copy(), tree.threshold.copy()
        for node, codes in enumerate(subsets):
            if codes is not None and feature[node] >= 0:
                key = int(columns[feature[node]]), codes
                feature[node] = n_numeric + sets.setdefault(key, len(sets))
                threshold[node] = 0.5
        self._take(sets)
        return tree.replace(feature=feature, threshold=threshold, **self._named())

    def joined(self, encoders, trees):
        """The trees of a forest over the sets of all of them, which become the features of this encoder.

        encoders : list of `CategorySetEncoder`, each `tested` by the tree at its place in `trees`
        """
        n_numeric, sets = len(self.numeric_), {}
        for encoder in encoders:
            for key in encoder.sets_:
                sets.setdefault(key, len(sets))
        self._take(sets)
        found = []
        for encoder, tree in zip(encoders, trees, strict=True):
            place = np.array([n_numeric + sets[key] for key in encoder.sets_], np.intp)
            feature = tree.feature.copy()
            tests_set = feature >= n_numeric
            feature[tests_set] = place[feature[tests_set] - n_numeric]
            found.append(tree.replace(feature=feature, **self._named()))
        return found

    def transform(self, X):
        """Encoded matrix of `X`, float64 (n, n_features_out_), NaN where missing."""
        n_numeric = len(self.numeric_)
        found = self._with_numbers(X, n_numeric + len(self.categories_))
        for at, column in enumerate(self.categories_, n_numeric):
            found[:, at] = self.codes(X, column)
        return found if self.sets_ is None else self.expand(found)

    def expand(self, found):
        """Numbers and sets of rows as the learner sees them, float64 (n, n_columns): numbers and codes."""
        n_numeric = len(self.numeric_)
        encoded = np.empty((len(found), n_numeric + len(self.sets_)))
        encoded[:, :n_numeric] = found[:, :n_numeric]
        codes = dict(zip(self.categories_, found[:, n_numeric:].astype(np.intp).T, strict=True))
        for at, (column, members) in enumerate(self.sets_):
            is_member = np.zeros(len(self.categories_[column]) + 2)  # the last place is that of -1
            is_member[list(members)] = 1.0
            encoded[:, n_numeric + at] = is_member[codes[column]]
        return encoded

    def members(self, column, codes):
        """(categories of some codes of a column, whether missing values are among them)."""
        categories = self.categories_[column]
        return [categories[code] for code in codes if code < len(categories)], len(categories) in codes

    def _n_features_out(self):
        return len(self.numeric_) + len(self.categories_ if self.sets_ is None else self.sets_)

    def _take(self, sets):
        self.sets_ = list(sets)
        self.n_features_out_ = self._n_features_out()
        self.feature_names_out_ = self._names_out(self._column_names)

    def _named(self):
        """Fields of a tree over the features of this encoder."""
        return {"n_features": self.n_features_out_, "feature_names": self.feature_names_out_}

    def _names_out(self, feature_names):
        self._column_names = [str(name) for name in feature_names]
        if self.sets_ is None:
            return tuple(self._column_names[column] for column in self.columns_grown)
        names = [self._column_names[column] for column in self.numeric_]
        for column, codes in self.sets_:
            categories, is_missing_in = self.members(column, codes)
            texts = [_category_text(category) for category in categories]
            name = self._column_names[column]
            if not texts:
                names.append(f"{name} is missing")
            elif len(texts) == 1 and not is_missing_in:
                names.append(f"{name} = {texts[0]}")
            else:
                names.append(f"{name} in {{{', '.join(texts + ['missing'] * is_missing_in)}}}")
        return tuple(names)
