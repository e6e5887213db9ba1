"""What a tree says in words: the labels that text, rules, Graphviz, SVG and matplotlib share."""

import re

import numpy as np

from treelib.table.checks import check_count
from treelib.table.encode import quoted
from treelib.tree.digits import FEWEST, UNKNOWN, YES_NO, rounded, written

# levels that texts and drawings show unless told otherwise; nobody reads on, and indents add up
DEEPEST = 100


class Labels:
    """Words for the nodes of one tree.

    Parameters
    ----------
    tree : Tree or estimator
        A tree, or a fitted estimator of one.
    digits : "auto", int or None, default="auto"
        Significant digits of numbers; thresholds of one feature that would look equal get more. "auto": four,
        and for a threshold as many as it takes to split the training samples as the tree does
        (`Tree.digits`), seven if these are not known. None: write every threshold exactly.
    yes_no : bool, bool array of shape (n_features,) or None, default=None
        Which features are 0/1 and are written as "yes" or "no". None: those with values 0 and 1 only in
        training or, if that is not known, with all thresholds in the tree equal to 0.5.
    missing : bool, default=True
        Say "or missing" at splits that send missing values to the left. Without these words a missing value
        counts as larger than every number. They are always omitted for features without missing values in
        training (`Tree.features_with_missing`). Splits at +inf separate missing values and always say so.
    max_depth : int or None, default=None
        Levels of splits to show. A deeper split is a leaf of `Labels.tree`, and `Labels.hidden` says how many
        leaves it stands for. None: all.
    """

    def __init__(self, tree, digits="auto", yes_no=None, missing=True, max_depth=None):
        tree = tree_of(tree)
        self.whole = tree
        self.missing = missing
        self.yes_no = _binary_features(tree, yes_no)
        self.tree, self.hidden = tree, {}
        if max_depth is not None:
            self.tree, self.hidden = _down_to(tree, max_depth)
        tree = self.tree
        self.threshold = _threshold_texts(tree, digits)
        self.digits = FEWEST if digits == "auto" else digits
        self.has_counts = bool(tree.value.any()) and not tree.is_regression

    def feature(self, feature):
        """Name of a feature, in one line."""
        names = self.tree.feature_names
        return one_line(names[feature]) if names else f"x[{feature}]"

    def question(self, feature):
        """What a drawing asks at a split by a feature: its name, or the column of "colour = red"."""
        return self._category(feature)[0] or self.feature(feature)

    def _category(self, feature):
        """(column, category) of a feature that is 1 for one category, else two empty texts."""
        column, equals, category = self.feature(feature).partition(" = ")
        return (column, category) if equals and self.yes_no[feature] else ("", "")

    def class_name(self, code):
        names = self.tree.class_names
        return one_line(quoted(names[code])) if names else f"class {code}"

    def edges(self, node):
        """Words on the edges to the left and right child of an inner node."""
        tree = self.tree
        if self.yes_no[tree.feature[node]]:
            category = self._category(tree.feature[node])[1]
            left, right = (f"≠ {category}", f"= {category}") if category else ("no", "yes")
        elif np.isinf(tree.threshold[node]):
            return ("always", "never") if tree.missing_go_to_left[node] else ("known", "missing")
        else:
            left, right = f"≤ {self.threshold[node]}", f"> {self.threshold[node]}"
        if tree.missing_go_to_left[node] and self._speaks_of_missing(tree.feature[node]):
            left += " or missing"
        return left, right

    def condition(self, feature, lower, upper, nan):
        """The rows that a path leaves over in one feature, as a phrase.

        Parameters
        ----------
        feature : int
        lower, upper : int or None, the nodes whose thresholds bound the values from below and above
        nan : bool or None, whether a missing value takes this path; None when the path does not say
        """
        name = self.feature(feature)
        infinite = upper is not None and np.isinf(self.tree.threshold[upper])
        if lower is not None and np.isinf(self.tree.threshold[lower]):
            return f"{name} is missing" if nan is not False else "never"
        if lower is None and infinite:
            return "always" if nan else f"{name} is known"
        if infinite:
            upper = None
        if self.yes_no[feature] and (lower is None or upper is None):
            phrase = _denied(name) if lower is None else name
        elif lower is None:
            phrase = f"{name} <= {self.threshold[upper]}"
        elif upper is None:
            phrase = f"{name} > {self.threshold[lower]}"
        else:
            phrase = f"{self.threshold[lower]} < {name} <= {self.threshold[upper]}"
        if not self._speaks_of_missing(feature):
            return phrase
        if nan and upper is not None:
            return f"({phrase} or missing)"
        return f"({phrase} and not missing)" if nan is False and upper is None else phrase

    def _speaks_of_missing(self, feature):
        known = self.tree.features_with_missing
        says = self.missing and not self.tree.refuses_missing
        return says and (known is None or feature in known)

    def answer(self, node):
        """What a node predicts: class name, or the mean."""
        tree = self.tree
        if tree.is_regression:
            return written(float(tree.value[node, 0]), self.digits)
        return self.class_name(tree.label[node])

    def counts(self, node):
        """Samples and errors of a node as short texts; empty without data."""
        tree = self.tree
        samples = int(tree.n_node_samples[node])
        texts = [f"{samples} sample" if samples == 1 else f"{samples} samples"] if samples else []
        if self.has_counts and (weight := tree.value[node].sum()) > 0:
            wrong = weight - tree.value[node, tree.label[node]]
            if samples and not np.isclose(weight, samples):
                texts.append(f"{100 * wrong / weight:.3g} % error")
            else:
                texts.append(f"{wrong:.6g} error" if wrong == 1 else f"{wrong:.6g} errors")
        return texts

    def leaf(self, node):
        """Answer and counts in one line, or what is hidden there."""
        if node in self.hidden:
            return self.hidden[node]
        counts = ", ".join(self.counts(node))
        return f"{self.answer(node)} ({counts})" if counts else self.answer(node)

    def summary(self):
        tree = self.whole
        leaves = "1 leaf" if tree.n_leaves == 1 else f"{tree.n_leaves} leaves"
        rows = ", for rows without missing values" if tree.refuses_missing else ""
        return f"Decision tree with {leaves}, depth {tree.max_depth}{rows}"


def tree_of(model):
    """The `Tree` itself, or that of a fitted estimator of one; of a pipeline that of its last step, which
    asks for what the steps before make of the columns."""
    from treelib.tree.nodes import TreeNodes

    if hasattr(model, "named_steps"):
        tree, names = tree_of(model[-1]), None
        if len(model) > 1 and hasattr(model[:-1], "get_feature_names_out"):
            names = tuple(map(str, model[:-1].get_feature_names_out()))
        return tree.replace(feature_names=names) if names and len(names) == tree.n_features else tree

    tree = model if isinstance(model, TreeNodes) else getattr(model, "tree_", None)
    if not isinstance(tree, TreeNodes):
        raise TypeError(
            f"A {type(model).__name__} is no Tree and holds none; give a Tree, or a fitted estimator of one "
            "tree of treelib, or Tree.from_sklearn(model) for a tree of scikit-learn."
        )
    return tree


def one_line(text):
    """`text` without line breaks and control characters; spaces stay as they are, but for the ends."""
    return re.sub(r"[\s\x00-\x1f\x7f-\x9f]+", _one_space, text).strip()


def _one_space(found):
    return " " if found[0].strip(" ") else found[0]


def wrap(text, width=16, longest=60):
    """Lines of about `width` characters; breaks after spaces, hyphens, underscores, commas and slashes."""
    if len(text) <= width + 3:  # no line for a few last characters
        return [text]
    if len(text) > longest:
        text = text[: longest - 1] + "…"
    lines = [""]
    for piece in re.findall(r"[^\s\-_,/]*[\s\-_,/]+|[^\s\-_,/]+", text):
        if lines[-1] and len(lines[-1]) + len(piece.rstrip()) > width:
            lines.append("")
        lines[-1] += piece
    return [line.rstrip() for line in lines]


def _down_to(tree, max_depth):
    """`tree` without the splits below `max_depth` levels, and {node: text} of the leaves in their place."""
    check_count("max_depth", max_depth, "a whole number, 0 or more, or None for all levels", least=0)
    if tree.max_depth <= max_depth:
        return tree, {}
    # nodes are in preorder, so what hangs below a node that is kept lies between it and the next one kept
    kept = np.flatnonzero(tree.node_depth <= max_depth)
    n_leaves = np.add.reduceat(tree.is_leaf, kept, dtype=np.intp)
    depth = np.maximum.reduceat(tree.node_depth, kept) - max_depth
    is_cut = ~tree.is_leaf[kept] & (tree.node_depth[kept] == max_depth)
    hidden = {int(node): f"… {n_leaves[node]} leaves, depth {depth[node]}" for node in np.flatnonzero(is_cut)}
    return tree.pruned(kept[is_cut]), hidden


def _denied(name):
    """The opposite of what the name of a 0/1 feature says, as the names of categories are written."""
    for said, opposite in ((" = ", " != "), (" in {", " not in {"), (" is missing", " is not missing")):
        if said in name:
            return name.replace(said, opposite, 1)
    return f"not {name}"


def _binary_features(tree, yes_no):
    if yes_no is not None:
        return np.broadcast_to(np.asarray(yes_no, dtype=bool), (tree.n_features,))
    inner = ~tree.is_leaf
    binary = np.zeros(tree.n_features, dtype=bool)
    binary[tree.feature[inner]] = True
    binary[tree.feature[inner & (tree.threshold != 0.5)]] = False
    for feature, digits in tree.digits or ():
        binary[feature] &= digits == YES_NO
    return binary


def _threshold_texts(tree, digits):
    """Text of every node's threshold; within a feature different thresholds look different."""
    texts = [""] * tree.n_nodes
    needed = dict(tree.digits or ())
    for feature in np.unique(tree.feature[~tree.is_leaf]).tolist():
        nodes = np.flatnonzero(tree.feature == feature)
        exact = [float(t) for t in tree.threshold[nodes]]
        fewest = max(needed.get(feature, UNKNOWN), FEWEST) if digits == "auto" else digits
        for d in (None,) if fewest is None else (*range(fewest, 17), None):
            shown = [rounded(t, d) for t in exact]
            if len(set(shown)) == len(set(exact)):
                break
        for node, threshold in zip(nodes.tolist(), exact, strict=True):
            texts[node] = written(threshold, d)
    return texts
