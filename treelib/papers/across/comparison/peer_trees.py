"""Trees read off the fitted models of public programs.

All come back as nested tuples ``(column, false_side, true_side)`` with class codes at the leaves.
"""


def of_imodels(model):
    """Tree of a FastSmallTreeClassifier that was fitted on 0/1 columns."""

    def nested(node):
        if "prediction" in node:
            return int(node["prediction"])
        # on a 0/1 column both rules it knows, "== 1" and ">= 1", hold for the ones
        assert node["reference"] == 1, node
        return int(node["feature"]), nested(node["false"]), nested(node["true"])

    return nested(model.tree_)


def of_streed(model):
    """Tree of a STreeDClassifier; None where it found none in time."""

    def nested(node):
        if node.is_leaf_node():
            return int(node.label)
        return int(node.feature), nested(node.left_child), nested(node.right_child)

    return nested(model.tree_) if hasattr(model, "tree_") else None


def of_gosdt(model):
    """Tree of a GOSDTClassifier; None where it found none in time."""
    from gosdt._tree import Leaf

    def nested(node):
        if isinstance(node, Leaf):
            return int(model.classes_[node.prediction])
        return int(node.feature), nested(node.right_child), nested(node.left_child)

    return nested(model.trees_[0].tree) if model.trees_ else None


def of_licketysplit(model):
    """Tree of a LicketySPLITClassifier."""
    paths, labels = model.get_tree_paths()
    return _from_paths(list(zip(paths, labels, strict=True)))


def _from_paths(leaves, at=0):
    """Nested tree of ``(path, label)``; a path holds column + 1 where the column is 1, minus that where 0."""
    if len(leaves) == 1 and len(leaves[0][0]) == at:
        return int(leaves[0][1])
    sides = [], []
    for path, label in leaves:
        sides[path[at] > 0].append((path, label))
    column = abs(int(leaves[0][0][at])) - 1
    return column, _from_paths(sides[0], at + 1), _from_paths(sides[1], at + 1)
