"""Where the nodes of a drawn tree go, shared by the SVG and the matplotlib drawing.

The layout is the tidy one of Reingold and Tilford (1981), doi 10.1109/TSE.1981.234519, for boxes of
different widths (van der Ploeg 2014, doi 10.1002/spe.2213): a parent is centred over its children, equal
subtrees are drawn equally, and subtrees are pushed together until their outlines touch. The outlines
include the words on the edges, so no two labels can overlap, whatever their lengths.
"""

from dataclasses import dataclass

import numpy as np

from treelib.tree_labels import Labels, wrap

# in units of the font size
LINE = 1.3  # distance of base lines
SMALL = 0.84  # size of counts and of words on edges
PAD_X = 0.75
PAD_Y = 0.5
GAP_X = 0.85  # between neighbours
GAP_Y = 2.7  # between levels, room for the words on the edges
EDGE_PAD = 0.4  # between a line and its word
BAR = 0.75  # height taken by the bar of class shares
MARGIN = 0.3


@dataclass
class Text:
    """One line: `x` of its centre (or of the end at the line of an edge), `y` of its middle."""

    x: float
    y: float
    text: str
    size: float
    bold: bool = False
    anchor: str = "middle"


@dataclass
class Box:
    """A node: corner of least x and y, texts, and for a leaf the class shares of its bar."""

    node: int
    x: float
    y: float
    width: float
    height: float
    texts: list
    bar: tuple = None  # x, y, width, height


@dataclass
class Edge:
    """A line from parent to child with its word."""

    x0: float
    y0: float
    x1: float
    y1: float
    label: Text


@dataclass
class Drawing:
    """A laid out tree; y grows downwards, the origin is the upper left corner."""

    width: float
    height: float
    boxes: list
    edges: list
    labels: Labels


def draw(tree, measure, font_size=12.0, digits=4, yes_no=None, counts=True, wrap_at=16):
    """Lay out a tree with all its labels.

    Parameters
    ----------
    tree : Tree
    measure : callable (text, size, bold) -> width, in the units of `font_size`
    font_size : float
    digits, yes_no : see `treelib.tree_labels.Labels`
    counts : bool, write samples and errors on the leaves
    wrap_at : int, characters after which a feature name is broken into lines

    Returns
    -------
    Drawing
    """
    labels = Labels(tree, digits, yes_no)
    em = font_size
    show_bar = counts and labels.has_counts
    lines, words = [], []
    for node in range(tree.n_nodes):
        if tree.is_leaf[node]:
            head = wrap(labels.answer(node), wrap_at)
            tail = labels.counts(node) if counts else []
            lines.append([(t, em, True) for t in head] + [(t, SMALL * em, False) for t in tail])
            words.append(None)
        else:
            name = wrap(labels.feature(tree.feature[node]), wrap_at)
            lines.append([(t, em, False) for t in name])
            words.append(labels.edges(node))
    width = np.array([max(measure(*line) for line in node) for node in lines]) + 2 * PAD_X * em
    width = np.maximum(width, 3.2 * em)
    height = np.array([len(node) * LINE * em + 2 * PAD_Y * em for node in lines])
    if show_bar:
        height[tree.is_leaf] += BAR * em
    word_width = np.array(
        [
            [0.0, 0.0] if w is None else [measure(t, SMALL * em, False) + EDGE_PAD * em for t in w]
            for w in words
        ]
    )
    x, total = tidy(tree, width, word_width, GAP_X * em)
    level_height = np.zeros(tree.max_depth + 1)
    np.maximum.at(level_height, tree.node_depth, height)
    level_y = np.concatenate([[0.0], np.cumsum(level_height + GAP_Y * em)])
    margin = MARGIN * em
    x = x + margin
    y = level_y[tree.node_depth] + margin

    boxes, edges = [], []
    for node in range(tree.n_nodes):
        texts, base = [], y[node] + PAD_Y * em
        for text, size, bold in lines[node]:
            base += LINE * em
            texts.append(Text(x[node], base - LINE * em / 2, text, size, bold))
        bar = None
        if show_bar and tree.is_leaf[node]:
            bar = (
                x[node] - width[node] / 2 + PAD_X * em,
                base + 0.2 * em,
                width[node] - 2 * PAD_X * em,
                0.35 * em,
            )
        left = x[node] - width[node] / 2
        boxes.append(Box(node, left, y[node], width[node], height[node], texts, bar))
        if words[node] is None:
            continue
        y0 = y[node] + height[node]
        for child, side in ((tree.children_left[node], 0), (tree.children_right[node], 1)):
            sign = 2 * side - 1
            at = Text(
                (x[node] + x[child]) / 2 + sign * EDGE_PAD * em,
                (y0 + y[child]) / 2 - 0.35 * em,
                words[node][side],
                SMALL * em,
                anchor="start" if side else "end",
            )
            edges.append(Edge(x[node], y0, x[child], y[child], at))
    return Drawing(total + 2 * margin, level_y[-1] - GAP_Y * em + 2 * margin, boxes, edges, labels)


def tidy(tree, width, word_width, gap):
    """Centres of the nodes of a tidy tree.

    Parameters
    ----------
    tree : Tree
    width : float (n_nodes,), widths of the boxes
    word_width : float (n_nodes, 2), widths of the words left of the left edge and right of the right edge
    gap : float, least distance of neighbours

    Returns
    -------
    x : float (n_nodes,), from 0
    total : float, width of the drawing
    """
    left, right = tree.children_left, tree.children_right
    half = np.zeros(tree.n_nodes)  # half the distance of the two children
    # outlines of finished subtrees relative to their root: rows of boxes and rows of edges alternate
    outline = {}
    for node in range(tree.n_nodes - 1, -1, -1):  # children come after their parents
        row = np.array([width[node] / 2])
        if tree.is_leaf[node]:
            outline[node] = -row, row
            continue
        (a_low, a_high), (b_low, b_high) = outline.pop(left[node]), outline.pop(right[node])
        shared = min(len(a_low), len(b_low))
        half[node] = h = ((a_high[:shared] - b_low[:shared]).max() + gap) / 2
        low = a_low - h
        high = b_high + h
        low[:shared] = np.minimum(low[:shared], b_low[:shared] + h)
        high[:shared] = np.maximum(high[:shared], a_high[:shared] - h)
        low = np.concatenate([low, b_low[shared:] + h])
        high = np.concatenate([high, a_high[shared:] - h])
        words = -max(h, h / 2 + word_width[node, 0]), max(h, h / 2 + word_width[node, 1])
        outline[node] = np.concatenate([-row, words[:1], low]), np.concatenate([row, words[1:], high])
    x = np.zeros(tree.n_nodes)
    low, high = outline[0]
    x[0] = -low.min()
    for node in np.flatnonzero(~tree.is_leaf):
        x[left[node]] = x[node] - half[node]
        x[right[node]] = x[node] + half[node]
    return x, float(high.max() - low.min())
