"""treelib.tree.drawing, treelib.tree.layout and treelib.tree.style: nothing overlaps, all is legible."""

from itertools import combinations

import matplotlib
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg

from tests.strategies.tree import trees
from treelib.tree import layout, style
from treelib.tree.drawing import plot_tree
from treelib.tree.formats.svg import text_width
from treelib.tree.stored import Tree

matplotlib.use("Agg")

NAMES = ("juvenile-misdemeanors:=0", "x", "a name that is longer than all the others here, by far")


def overlaps(first, second, slack=0.0):
    """Whether two rectangles (x0, y0, x1, y1) share more than `slack` in both directions."""
    return all(min(first[i + 2], second[i + 2]) - max(first[i], second[i]) > slack for i in (0, 1))


def rectangle(text):
    """Area of a Text of the layout, by the measure the layout was made with."""
    width, half = text_width(text.text, text.size, text.bold), text.size / 2
    x = text.x - {"middle": width / 2, "start": 0.0, "end": width}[text.anchor]
    return x, text.y - half, x + width, text.y + half


@given(tree=trees(max_leaves=25), orientation=st.sampled_from(["down", "right"]), counts=st.booleans())
@settings(max_examples=60)
def test_no_label_touches_another(tree, orientation, counts):
    """Would catch words or boxes on top of each other, or outside the picture."""
    tree = tree.replace(feature_names=NAMES)
    drawing = layout.draw(tree, text_width, 12.0, orientation, counts=counts, missing=True)
    boxes = [(b.x, b.y, b.x + b.width, b.y + b.height) for b in drawing.boxes]
    words = [rectangle(edge.word) for edge in drawing.edges]
    for first, second in combinations(boxes + words, 2):
        assert not overlaps(first, second, slack=1e-6)
    for x0, y0, x1, y1 in boxes + words:
        assert x0 >= 0 and y0 >= 0 and x1 <= drawing.width and y1 <= drawing.height
    for box, area in zip(drawing.boxes, boxes, strict=True):
        for text in box.texts:
            x0, y0, x1, y1 = rectangle(text)
            assert area[0] < x0 and area[1] < y0 and x1 < area[2] and y1 < area[3]


@given(tree=trees(max_leaves=25), orientation=st.sampled_from(["down", "right"]))
@settings(max_examples=40)
def test_no_line_runs_through_a_word(tree, orientation):
    """Would catch words struck out by their own edge, or by that of a neighbour."""
    drawing = layout.draw(tree.replace(feature_names=NAMES), text_width, 12.0, orientation)
    steps = np.linspace(0, 1, 200)
    for edge in drawing.edges:
        x = edge.x0 + steps * (edge.x1 - edge.x0)
        y = edge.y0 + steps * (edge.y1 - edge.y0)
        for other in drawing.edges:
            x0, y0, x1, y1 = rectangle(other.word)
            assert not ((x0 < x) & (x < x1) & (y0 < y) & (y < y1)).any()


@given(tree=trees(max_leaves=20))
@settings(max_examples=30)
def test_layout_is_tidy(tree):
    """Would catch parents off the middle of their children, or a left child on the right."""
    drawing = layout.draw(tree, text_width, 10.0, "down")
    centre = np.array([box.x + box.width / 2 for box in drawing.boxes])
    for node in np.flatnonzero(~tree.is_leaf):
        a, b = tree.children_left[node], tree.children_right[node]
        assert centre[a] < centre[b]
        assert centre[node] == pytest.approx((centre[a] + centre[b]) / 2)
        assert drawing.boxes[a].y == drawing.boxes[b].y > drawing.boxes[node].y


def test_large_trees_grow_to_the_right():
    """Would catch a tree of thirty leaves that is wider than any page."""
    nested = [3, 1]
    for level in range(29):
        nested = (level, 0.5, [9, 2], nested)
    assert layout.draw(Tree.from_nested(nested), text_width, 10.0).boxes[0].x < 10
    with pytest.raises(ValueError, match="orientation='up' must be one of 'auto', 'down', 'right'"):
        layout.draw(Tree.from_nested(nested), text_width, 10.0, "up")


def small_tree():
    return Tree.from_nested(
        (0, 0.5, (1, 2.45, [30, 2], [1, 9]), [5, 60]), feature_names=NAMES[:2], class_names=("no", "yes")
    )


def test_figure_shows_the_words_of_the_tree():
    """Would catch "no" and "yes" exchanged, a number split shown as yes/no, or counts left out."""
    ax = plot_tree(small_tree(), title="A title with $ and _")
    shown = [text.get_text() for text in ax.texts]
    for words in (
        "no",
        "yes",
        "≤ 2.45",
        "> 2.45",
        "juvenile-",
        "32 samples",
        "2 errors",
        "A title with $ and _",
    ):
        assert words in shown
    place = {text.get_text(): text.get_position() for text in ax.texts if text.get_fontweight() == "normal"}
    assert place["no"][0] < place["yes"][0] and place["≤ 2.45"][0] < place["> 2.45"][0]
    colors = [matplotlib.colors.to_hex(patch.get_facecolor()) for patch in ax.patches]
    assert style.class_color(0) in colors and style.class_color(1) in colors
    ax.figure.canvas.draw()
    matplotlib.pyplot.close(ax.figure)


@pytest.mark.parametrize("size", [(7, 4), (2, 2), (1.2, 5)])
def test_text_is_scaled_to_the_axes_given(size):
    """Would catch text that keeps its size in small axes and runs over its box."""
    figure = matplotlib.figure.Figure(figsize=size)
    ax = figure.add_axes((0, 0, 1, 1))
    plot_tree(small_tree(), ax=ax)
    renderer = FigureCanvasAgg(figure).get_renderer()
    areas = [text.get_window_extent(renderer).extents for text in ax.texts]
    frame = figure.bbox.extents
    for first, second in combinations(areas, 2):
        assert not overlaps(first, second, slack=1.0)
    for x0, y0, x1, y1 in areas:
        assert x0 >= frame[0] and y0 >= frame[1] and x1 <= frame[2] and y1 <= frame[3]


def test_a_drawing_can_be_saved_twice(tmp_path, recwarn):
    """A tree that takes the layout of the settings once it has been saved, with a warning on the page."""
    with matplotlib.rc_context(style.rc_params()):
        figure = plot_tree(Tree.from_nested((0, 2.5, 0, 1))).figure
        for name in ("a.png", "b.svg", "c.png"):
            figure.savefig(tmp_path / name)
        matplotlib.pyplot.close(figure)
    assert not [warning for warning in recwarn if "layout" in str(warning.message)]
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "c.png").read_bytes()


def test_regression_and_single_leaves_are_drawn():
    """Would catch drawings that expect classes, or at least one split."""
    tree = Tree.from_nested((0, 0.5, 1.25, 3.0), is_regression=True)
    shown = [text.get_text() for text in plot_tree(tree).texts]
    assert "1.25" in shown and "3" in shown
    assert style.leaf_color(tree, 1) == style.LOW_COLOR and style.leaf_color(tree, 2) == style.HIGH_COLOR
    assert [text.get_text() for text in Tree.from_nested(1).plot().texts] == ["class 1"]
    matplotlib.pyplot.close("all")


def test_colours_are_legible_on_light_and_dark():
    """Would catch a colour that vanishes on one of the two pages, or in its own leaf."""
    for page in (style.PAPER, style.DARK_PAPER):
        assert style.contrast(style.INK, page) >= 4
        for method in style.METHODS:
            assert style.contrast(style.method_color(method), page) >= 3, method
    for color in (*style.CLASS_COLORS, style.LOW_COLOR, style.HIGH_COLOR):
        assert style.contrast(style.ink_on(color), color) >= 4.5, color
    assert style.contrast("#000000", "#ffffff") == pytest.approx(21)


# full loss of one kind of cone: Machado, Oliveira, Fernandes (2009), doi 10.1109/TVCG.2009.113, table 1
DEFICIENT = {
    "normal": np.eye(3),
    "protan": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deutan": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
}


def lab(color, matrix):
    """CIELAB of "#rrggbb" as seen through a matrix on linear RGB."""
    rgb = np.array([int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    linear = np.clip(np.asarray(matrix) @ linear, 0, 1)
    to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    xyz = np.array(to_xyz) @ linear / [0.9505, 1.0, 1.089]
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("kind", DEFICIENT)
def test_class_colours_differ_for_colour_blind_readers(kind):
    """Would catch a palette whose first classes look alike to some readers."""
    seen = [lab(color, DEFICIENT[kind]) for color in style.CLASS_COLORS[:6]]
    assert min(np.linalg.norm(a - b) for a, b in combinations(seen, 2)) >= 12


@pytest.mark.parametrize("kind", DEFICIENT)
def test_method_colours_differ_for_colour_blind_readers(kind):
    """Would catch a new method whose line looks like that of another."""
    seen = [lab(color, DEFICIENT[kind]) for color in {color for color, *_ in style.METHODS.values()}]
    assert min(np.linalg.norm(a - b) for a, b in combinations(seen, 2)) >= 12


def test_methods_never_rest_on_colour_alone():
    """Would catch two methods with one marker, and a method of the book without a colour."""
    styles = {method_color for name, method_color in style.METHODS.items() if name != "osdt"}
    assert len({marker for _, marker, _, _ in styles}) == len({color for color, *_ in styles}) == 9
    assert style.METHODS["osdt"] == style.METHODS["exact"]
    assert set(style.method_style("cart")) == {"color", "marker", "linestyle", "label"}
    with pytest.raises(ValueError, match="No colour for method 'crt'; there are bayesian,"):
        style.method_color("crt")


def test_style_is_accepted_by_matplotlib():
    """Would catch a misspelt setting, or one that this matplotlib has dropped."""
    with matplotlib.rc_context():
        style.use_style()
        assert matplotlib.rcParams["text.color"] == style.INK
        assert matplotlib.rcParams["savefig.transparent"]
        cycle = [entry["color"] for entry in matplotlib.rcParams["axes.prop_cycle"]]
        assert len(cycle) == 9


def test_a_drawing_too_large_for_matplotlib_is_refused():
    """Would catch minutes of drawing that end in a picture nobody can open."""
    inner = np.arange(2**14 - 1)
    left, right = (np.r_[2 * inner + side, np.full(2**14, -1)] for side in (1, 2))
    n_nodes = len(left)
    feature = np.where(left > 0, 0, -2)
    tree = Tree(
        children_left=left,
        children_right=right,
        feature=feature,
        threshold=np.arange(n_nodes) + 0.25,
        value=np.ones((n_nodes, 2)),
        n_features=1,
    )
    with pytest.raises(ValueError, match=r"16,384 leaves.* give max_depth"):
        tree.plot()
    assert tree.plot(max_depth=2).texts
    matplotlib.pyplot.close("all")
