"""treelib.tree.stored: validation, prediction, counting, exact comparison, simplification."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies.tree import critical_points, naive_leaf, trees
from treelib.tree.stored import Tree

XOR = (0, 0.5, (1, 0.5, 0, 1), (1, 0.5, 1, 0))
STUMP = {
    "children_left": [1, -1, -1],
    "children_right": [2, -1, -1],
    "feature": [0, -2, -2],
    "threshold": [0.5, -2.0, -2.0],
    "value": [[3, 2], [3, 0], [0, 2]],
    "n_features": 2,
}


def test_fields_of_a_small_tree():
    """Would catch a change of the stored conventions that all methods rely on."""
    tree = Tree.from_nested((1, 2.5, [5, 1], (0, 0.5, [0, 2], [4, 3])), n_features=3)
    assert tree.children_left.tolist() == [1, -1, 3, -1, -1]
    assert tree.children_right.tolist() == [2, -1, 4, -1, -1]
    assert tree.feature.tolist() == [1, -2, 0, -2, -2]
    assert tree.threshold.tolist() == [2.5, -2.0, 0.5, -2.0, -2.0]
    assert tree.value.tolist() == [[9, 6], [5, 1], [4, 5], [0, 2], [4, 3]]
    assert tree.n_node_samples.tolist() == [15, 6, 9, 2, 7]
    assert tree.label.tolist() == [0, 0, 1, 1, 0]
    assert tree.parent.tolist() == [-1, 0, 0, 2, 2]
    assert tree.node_depth.tolist() == [0, 1, 1, 2, 2]
    assert (tree.n_nodes, tree.n_leaves, tree.max_depth, tree.n_classes) == (5, 3, 2, 2)
    assert [a.dtype for a in (tree.feature, tree.threshold, tree.missing_go_to_left)] == [
        np.intp,
        float,
        np.uint8,
    ]


def test_arrays_are_copies_and_read_only():
    """Would catch a tree that changes under its owner's hands."""
    threshold = np.array(STUMP["threshold"])
    tree = Tree(**{**STUMP, "threshold": threshold})
    threshold[0] = 9.0
    assert tree.threshold[0] == 0.5
    for name in ("feature", "threshold", "value", "label", "node_depth", "is_leaf"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(tree, name)[0] = 0
    assert not pickle.loads(pickle.dumps(tree)).value.flags.writeable


@pytest.mark.parametrize("n_leaves", [100, 1000])
def test_large_trees_in_any_order_become_preorder(n_leaves):
    """Would catch the compiled walk going another way than the one for small trees, or past the arrays."""
    rng = np.random.default_rng(n_leaves)
    n_nodes = 2 * n_leaves - 1
    left, right, leaves = np.full(n_nodes, -1), np.full(n_nodes, -1), [0]
    names = iter(1 + rng.permutation(n_nodes - 1))
    for _ in range(n_leaves - 1):
        node = leaves.pop(rng.integers(len(leaves)))
        left[node], right[node] = next(names), next(names)
        leaves += (left[node], right[node])
    fields = {"feature": np.zeros(n_nodes, int), "threshold": rng.random(n_nodes), "n_features": 1}
    fields |= {"children_left": left, "children_right": right, "value": rng.random((n_nodes, 2))}
    tree = Tree(**fields)

    def naive(node):
        return [node] if left[node] < 0 else [node, *naive(left[node]), *naive(right[node])]

    assert np.array_equal(tree.value, fields["value"][naive(0)])
    inner = np.flatnonzero(left >= 0)[-2:]
    for child, message in (
        (n_nodes, "both must be node ids"),
        (-2, "both must be node ids"),
        (0, "child of two nodes"),
        (right[inner[1]], "child of two nodes"),
    ):
        bad = right.copy()
        bad[inner[0]] = child
        with pytest.raises(ValueError, match=message):
            Tree(**fields | {"children_right": bad})
    left[0] = right[0] = -1
    with pytest.raises(ValueError, match="cannot be reached"):
        Tree(**fields)


def test_nodes_in_any_order_become_preorder():
    """Would catch best-first trees whose nodes keep the order of their growth."""
    tree = Tree(
        children_left=[1, 3, -1, -1, -1],
        children_right=[2, 4, -1, -1, -1],
        feature=[0, 1, -2, -2, -2],
        threshold=[0.5, 1.5, -2, -2, -2],
        value=[[6, 4], [3, 3], [3, 1], [3, 0], [0, 3]],
        n_features=2,
    )
    assert tree == Tree.from_nested((0, 0.5, (1, 1.5, [3, 0], [0, 3]), [3, 1])).replace(
        n_node_samples=np.zeros(5, int)
    )


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"children_left": []}, ValueError, "at least one node"),
        ({"children_left": [1, -1]}, ValueError, r"children_right has shape \(3,\)"),
        ({"children_left": [1.0, -1, -1]}, TypeError, "children_left must hold integers"),
        ({"children_left": [0, -1, -1]}, ValueError, "child of two nodes, or of itself"),
        ({"children_right": [1, -1, -1]}, ValueError, "child of two nodes"),
        ({"children_right": [7, -1, -1]}, ValueError, "children 1 and 7"),
        ({"children_right": [-1, -1, -1]}, ValueError, "or both -1 at a leaf"),
        (
            {"children_left": [-1, -1, -1], "children_right": [-1, -1, -1]},
            ValueError,
            "Node 1 cannot be reached",
        ),
        ({"feature": [2, -2, -2]}, ValueError, r"feature\[0\]=2 .* from 0 to 1"),
        ({"threshold": [np.nan, -2, -2]}, ValueError, "finite or \\+inf"),
        ({"threshold": [-np.inf, -2, -2]}, ValueError, "finite or \\+inf"),
        ({"threshold": ["a", "b", "c"]}, TypeError, "threshold must hold numbers"),
        ({"value": [1, 2, 3]}, ValueError, "value has shape"),
        ({"value": [[1, -1]] * 3}, ValueError, "not negative"),
        ({"value": [[1, np.inf]] * 3}, ValueError, "value must be finite"),
        ({"n_node_samples": [1, -1, 0]}, ValueError, "n_node_samples must not be negative"),
        ({"label": [0, 1, 2]}, ValueError, "class indices from 0 to 1"),
        ({"missing_go_to_left": [2, 0, 0]}, ValueError, "0 or 1 only"),
        ({"n_features": 1.5}, ValueError, "n_features=1.5"),
        ({"feature_names": ["a"]}, ValueError, "feature_names has 1 entries; this tree needs 2"),
        ({"class_names": "ab"}, TypeError, "not one string"),
        ({"is_regression": True}, ValueError, "one value per node"),
    ],
)
def test_what_is_no_tree_is_refused(changes, error, message):
    """Would catch arrays that crash or mislead a compiled kernel later."""
    with pytest.raises(error, match=message):
        Tree(**{**STUMP, **changes})


@given(tree=trees())
@settings(max_examples=60)
def test_prediction_equals_a_naive_walk(tree):
    """Would catch a kernel that sends ties, NaN or infinite values the wrong way."""
    X = critical_points(tree)[:500]
    leaves = [naive_leaf(tree, row) for row in X]
    assert tree.apply(X).tolist() == leaves
    answers = tree.value[leaves, 0] if tree.is_regression else tree.label[leaves]
    np.testing.assert_array_equal(tree.predict(X), answers)
    np.testing.assert_array_equal(tree.predict_value(X), tree.value[leaves])


def test_rows_in_blocks_reach_the_same_leaves():
    """Rows at the seams of blocks lost or taken twice, and a count that cannot be ended on the way."""
    tree = Tree.from_nested((0, 0.5, (1, 0.25, 0, 1), 1))
    X, asked = np.random.default_rng(0).random((5000, 2)), []
    y = tree.predict(X)
    assert tree.recount(X, y, check=lambda: asked.append(1)) == tree.recount(X, y)
    assert np.array_equal(tree.apply(np.asfortranarray(X)), tree.apply(X)) and len(asked) > 3

    def stop():
        if len(asked) < 2:
            raise KeyboardInterrupt
        asked.pop()

    with pytest.raises(KeyboardInterrupt):
        tree.recount(X, y, check=stop)


def test_rows_of_any_kind_are_accepted_and_wrong_ones_refused():
    """Would catch a layout or type that reaches the kernel unconverted."""
    tree = Tree.from_nested(XOR)
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    for rows in (X, X.tolist(), X.astype(bool), X.astype(np.float32), np.asfortranarray(X, dtype=float)):
        assert tree.predict(rows).tolist() == [0, 1, 1, 0]
    wide = np.column_stack([X, X, X])
    assert Tree.from_nested((4, 0.5, (1, 0.5, 0, 1), (1, 0.5, 1, 0)), 6).predict(wide).tolist() == [
        0,
        1,
        1,
        0,
    ]
    assert Tree.from_nested(1, 6).predict(wide).tolist() == [1, 1, 1, 1]
    assert tree.predict(X.astype(object)).tolist() == [0, 1, 1, 0]
    many = np.random.default_rng(0).integers(0, 2, size=(5000, 2))  # more than one block of rows
    assert np.array_equal(tree.predict(many), many[:, 0] ^ many[:, 1])
    assert tree.predict(np.empty((0, 2))).tolist() == []
    with pytest.raises(ValueError, match=r"X has shape \(4, 1\); this tree needs \(n_rows, 2\)"):
        tree.predict(X[:, :1])
    with pytest.raises(ValueError, match="encode text and categories first"):
        tree.predict([["a", "b"]])
    for bad in (X + 1j, X.astype("datetime64[D]"), X.astype("timedelta64[s]"), [[10**400, 1]]):
        with pytest.raises(ValueError, match="X must be a table of numbers"):
            tree.predict(bad)
    with pytest.raises(ValueError, match="X has masked entries"):
        tree.predict(np.ma.masked_equal(X, 0))


@given(tree=trees(regression=False), seed=st.integers(0, 99), weighted=st.booleans())
@settings(max_examples=30)
def test_recount_counts_what_passes_each_node(tree, seed, weighted):
    """Would catch counts that are lost between a leaf and the root."""
    rng = np.random.default_rng(seed)
    X = rng.choice([-2.0, 0.0, 0.3, 1.0, np.nan], size=(40, 3))
    y = rng.integers(0, tree.n_classes, 40)
    weight = rng.integers(0, 4, 40).astype(float) if weighted else None
    counted = tree.recount(X, y, weight)
    value, samples = np.zeros_like(tree.value), np.zeros(tree.n_nodes, int)
    for i, leaf in enumerate(tree.apply(X)):
        while leaf >= 0:
            value[leaf, y[i]] += 1.0 if weight is None else weight[i]
            samples[leaf] += 1
            leaf = tree.parent[leaf]
    np.testing.assert_array_equal(counted.value, value)
    np.testing.assert_array_equal(counted.n_node_samples, samples)
    np.testing.assert_array_equal(counted.label, tree.label)


def test_recount_of_a_regression_tree_keeps_what_no_row_reaches():
    """Would catch a division by zero weight that puts NaN into a tree."""
    tree = Tree.from_nested((0, 0.5, 7.0, 3.0), 1, is_regression=True)
    counted = tree.recount([[0.0], [0.0], [0.0]], [1.0, 2.0, 6.0], [1.0, 1.0, 2.0])
    assert counted.value[:, 0].tolist() == [3.75, 3.75, 3.0]
    assert counted.n_node_samples.tolist() == [3, 3, 0]


def test_error_and_objective_by_hand():
    """Would catch an error in counts instead of a fraction, or leaves counted as nodes."""
    tree = Tree.from_nested(XOR)
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], np.array([0, 1, 1, 1])
    assert tree.error(X, y) == 0.25
    assert tree.error(X, y, [1, 1, 1, 5]) == 5 / 8
    assert tree.objective(X, y, 0.01) == pytest.approx(0.29)
    regression = Tree.from_nested((0, 0.5, 1.0, 3.0), 1, is_regression=True)
    assert regression.error([[0.0], [1.0]], [1.5, 5.0]) == pytest.approx((0.25 + 4) / 2)


@pytest.mark.parametrize(
    ("y", "weight", "error", "message"),
    [
        ([0, 1], None, ValueError, "one entry for each row"),
        ([0.0, 1.0, 1.0, 0.0], None, TypeError, "integer class indices"),
        ([0, 1, 2, 0], None, ValueError, "class indices from 0 to 1"),
        ([0, 1, -1, 0], None, ValueError, "class indices from 0 to 1"),
        ([0, 1, 1, 0], [1, 1, 1, -1], ValueError, "not negative"),
        ([0, 1, 1, 0], [0, 0, 0, 0], ValueError, "positive weight"),
    ],
)
def test_wrong_targets_are_refused(y, weight, error, message):
    """Would catch labels that silently count in the wrong class."""
    with pytest.raises(error, match=message):
        Tree.from_nested(XOR).error([[0, 0], [0, 1], [1, 0], [1, 1]], y, weight)


@given(data=st.data(), missing=st.booleans())
@settings(max_examples=150)
def test_comparison_equals_brute_force_on_critical_points(data, missing):
    """Would catch trees called equal, or different, that are not, at ties, NaN and infinity too."""
    regression = data.draw(st.booleans())
    first, second = (data.draw(trees(n_features=2, max_leaves=5, regression=regression)) for _ in range(2))
    if data.draw(st.booleans()):  # a tree and a copy with other splits on top is equal more often
        stacked = (0, 0.1, 0, 0)
        top = Tree.from_nested(stacked, 2, n_classes=first.n_classes, is_regression=regression)
        second = _graft(top, first)
    X = critical_points(first, second)
    if not missing:
        X = X[~np.isnan(X).any(axis=1)]
    same = np.array_equal(first.predict(X), second.predict(X))
    assert first.same_function(second, missing=missing) == same
    assert second.same_function(first, missing=missing) == same
    point = first.difference(second, missing=missing)
    if point is not None:
        assert first.predict(point[None]) != second.predict(point[None])
        assert missing or not np.isnan(point).any()


def _graft(top, tree):
    """`top`, a stump, with a copy of `tree` in place of both leaves."""
    n = tree.n_nodes
    moved = {
        name: np.concatenate([getattr(top, name)[:1], getattr(tree, name), getattr(tree, name)])
        for name in ("feature", "threshold", "value", "label", "missing_go_to_left")
    }
    for name, own in (("children_left", 1), ("children_right", 1 + n)):
        old = getattr(tree, name)
        copies = [np.where(old < 0, -1, old + 1), np.where(old < 0, -1, old + 1 + n)]
        moved[name] = np.concatenate([[own], *copies])
    return Tree(**moved, n_features=tree.n_features, is_regression=tree.is_regression)


def test_orders_of_splits_are_one_function():
    """Would catch a comparison of structure; the difference must be a point one can read."""
    tree = Tree.from_nested(XOR)
    other = Tree.from_nested((1, 0.5, (0, 0.5, 0, 1), (0, 0.5, 1, 0)))
    assert tree.same_function(other) and tree != other
    assert tree.difference(Tree.from_nested((1, 0.5, (0, 0.5, 0, 1), 1))).tolist() == [1.0, 1.0]
    with pytest.raises(ValueError, match="on the same features"):
        tree.same_function(Tree.from_nested(XOR, n_features=3))


def test_neighbouring_floats_are_told_apart():
    """Would catch a comparison with a tolerance, or one that takes only middles."""
    t = 0.1
    tree, other = (Tree.from_nested((0, x, 0, 1)) for x in (t, np.nextafter(t, 1)))
    assert tree.difference(other).tolist() == [np.nextafter(t, 1)]


def test_missing_values_can_be_left_out_of_a_comparison():
    """Would catch trees that differ for NaN only and are called different on known data."""
    tree, other = (Tree.from_nested((0, 0.5, 0, 1, side)) for side in (0, 1))
    assert np.isnan(tree.difference(other)).tolist() == [True]
    assert tree.same_function(other, missing=False)
    known = Tree.from_nested((0, np.inf, 0, 1))
    assert known.predict([[np.inf], [np.nan]]).tolist() == [0, 1]
    assert known.same_function(Tree.from_nested(0, 1), missing=False)


@given(tree=trees())
@settings(max_examples=80)
def test_simplified_is_the_same_function_and_stays_simple(tree):
    """Would catch a merge that changes an answer, or one that is left undone."""
    simple = tree.simplified()
    assert simple.same_function(tree)
    assert simple.simplified() == simple
    answers = simple.value[:, 0] if simple.is_regression else simple.label
    for node in np.flatnonzero(~simple.is_leaf):
        a, b = simple.children_left[node], simple.children_right[node]
        assert not (simple.is_leaf[a] and simple.is_leaf[b] and answers[a] == answers[b])


def test_simplified_drops_what_cannot_be_reached():
    """Would catch a simplification that only looks at siblings."""
    tree = Tree.from_nested((0, 2.0, (0, 3.0, [1, 0], [9, 9]), (0, 1.0, [9, 9], [0, 1])))
    assert tree.simplified().same_function(tree)
    assert tree.simplified().value.tolist() == [[19, 19], [1, 0], [0, 1]]


def test_pruned_makes_leaves():
    """Would catch a pruned tree that keeps the nodes below, or loses the counts above."""
    tree = Tree.from_nested((0, 0.5, (1, 0.5, [4, 0], [1, 3]), (1, 0.5, [0, 1], [2, 2])))
    pruned = tree.pruned([1])
    assert pruned.value.tolist() == [[7, 6], [5, 3], [2, 3], [0, 1], [2, 2]]
    assert tree.pruned(0).n_leaves == 1
    assert tree.pruned([]) == tree
    with pytest.raises(ValueError, match="node ids from 0 to 6"):
        tree.pruned([7])


def test_equality_hash_and_pickle():
    """Would catch trees that change identity in a set, a cache or another process."""
    tree = Tree.from_nested(XOR, feature_names=("a", "b"), class_names=("no", "yes"))
    again = pickle.loads(pickle.dumps(tree))
    assert again == tree and hash(again) == hash(tree) and len({again, tree}) == 1
    assert tree != tree.replace(class_names=None)
    assert tree != "tree"
    assert repr(tree) == "<Tree: 4 leaves, depth 2, 2 features, 2 classes>"


def test_nested_trees_by_name_and_wrong_ones():
    """Would catch papers' trees that are written down wrongly without a word."""
    tree = Tree.from_nested(("b", 0.5, "no", "yes"), feature_names=("a", "b"), class_names=("no", "yes"))
    assert (tree.feature[0], tree.label.tolist()) == (1, [0, 0, 1])
    with pytest.raises(ValueError, match="'c' is not among feature_names"):
        Tree.from_nested(("c", 0.5, 0, 1), feature_names=("a", "b"))
    with pytest.raises(ValueError, match="tuple of 3 items"):
        Tree.from_nested((0, 0.5, 1))
    with pytest.raises(ValueError, match="got None"):
        Tree.from_nested((0, 0.5, 1, None))


def test_a_tree_of_ten_thousand_levels():
    """Would catch recursion, which ends at Python's limit of one thousand levels."""
    nested = 0
    for level in range(10_000):
        nested = (0, float(-level), nested, level % 2)
    tree = Tree.from_nested(nested)
    assert (tree.max_depth, tree.n_leaves) == (10_000, 10_001)
    assert tree.predict([[0.5], [-20_000.0]]).tolist() == [1, 0]
    assert Tree.from_json(tree.to_json()) == tree
    assert tree.to_sql().count("CASE") == 10_000
    assert tree.same_function(tree.replace(value=2 * tree.value))
    sizes = [len(text) for text in (tree.to_text(), tree.to_svg(), tree.to_sql(), tree.to_dot())]
    assert max(sizes) < 1000 * tree.n_nodes


def test_huge_trees_are_not_printed():
    """Would catch a notebook that a forest's tree fills with thousands of lines."""
    nested = 0
    for level in range(300):
        nested = (0, float(-level), nested, level % 2)
    tree = Tree.from_nested(nested)
    assert str(tree) == repr(tree) and tree._repr_html_() is None
    assert len(tree.to_text(max_depth=None).splitlines()) == tree.n_nodes


def test_columns_in_another_order_are_refused():
    """A frame with exchanged columns that is read by position."""
    pd = pytest.importorskip("pandas")
    tree = Tree.from_nested(("a", 1.5, 0, ("b", 0.5, 0, 1)), feature_names=["a", "b"])
    frame = pd.DataFrame({"a": [2.0], "b": [0.0]})
    assert tree.predict(frame).tolist() == [0] == tree.predict(frame.set_axis(["x", "y"], axis=1)).tolist()
    for method in (tree.predict, tree.apply, tree.predict_value):
        with pytest.raises(ValueError, match="in another order: column 0 is 'b', not 'a'"):
            method(frame[["b", "a"]])
