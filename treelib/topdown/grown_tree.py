"""The tree of a top-down estimator, with what only its growth knows."""

from treelib.tree.stored import Tree

# fields that say how a tree is written, not what it does
_WORDS = {"feature_names", "class_names", "digits", "features_with_missing"}


class GrownTree(Tree):
    """A `Tree` that also has the impurity and the weight of its nodes, under scikit-learn's names.

    Attributes
    ----------
    impurity : float64 (n_nodes,), of each node by the criterion that it was grown with, read-only
    weighted_n_node_samples : float64 (n_nodes,), weight of the training rows of each node, read-only
    node_count : int, ``n_nodes`` by its other name
    """

    @classmethod
    def of(cls, tree, impurity, weight):
        """`tree` with the `impurity` and the `weight` of its nodes, which become read-only."""
        found = cls.__new__(cls)
        vars(found).update(vars(tree))
        for name, array in (("impurity", impurity), ("weighted_n_node_samples", weight)):
            array.flags.writeable = False
            object.__setattr__(found, name, array)
        return found

    def replace(self, **changes):
        """As of `Tree`. Impurities stay where only words change; a tree of other nodes is a plain `Tree`."""
        found = Tree(**{**self._fields(), **changes})
        if changes.keys() <= _WORDS:
            return GrownTree.of(found, self.impurity, self.weighted_n_node_samples)
        return found

    @property
    def node_count(self):
        return self.n_nodes
