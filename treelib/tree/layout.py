"""Where the nodes of a drawn tree go, shared by the SVG and the matplotlib drawing.

The layout is the tidy one of Reingold and Tilford (1981), doi 10.1109/TSE.1981.234519, for boxes of
different sizes (van der Ploeg 2014, doi 10.1002/spe.2213): a parent is centred over its children, equal
subtrees are drawn equally, and subtrees are pushed together until their outlines touch. The outlines
include the words on the edges, so no two labels can overlap, whatever their lengths.

"Depth" is the direction in which the tree grows, "breadth" the one across: x and y of a tree that grows
down, y and x of one that grows to the right.
"""

from dataclasses import dataclass

import numpy as np

from treelib.table.checks import check_choice
from treelib.tree.labels import DEEPEST, Labels, wrap

# in units of the font size
LINE = 1.3  # distance of base lines
SMALL = 0.84  # size of counts and of words on edges
PAD_X, PAD_Y = 0.75, 0.5  # inside a box
GAP = 0.8  # between neighbours
GAP_DOWN = 2.4  # between a split and its children, room for the words on the edges
WORD_PAD = 0.4  # between an edge and its word
WORD_GAP = 0.6  # beyond a word, so that two tests side by side do not read as one
BAR_SPACE, BAR = 0.7, 0.3  # at the foot of a leaf
MARGIN = 0.3
GRAIN = 0.25  # outlines are kept in rows of this depth

LARGE = 16  # leaves; above, a tree grows to the right by default
WORD_AT = {"down": 0.5, "right": 0.62}  # place of a word on its edge, as a fraction


@dataclass
class Text:
    """One line of text: `x` of its anchor, `y` of its middle."""

    x: float
    y: float
    text: str
    size: float
    bold: bool = False
    anchor: str = "middle"


@dataclass
class Box:
    """A node: upper left corner, size, texts, and for a leaf with data (x, y, width, height) of its bar."""

    node: int
    x: float
    y: float
    width: float
    height: float
    texts: list
    bar: tuple = None


@dataclass
class Edge:
    """A line from parent to child with its word."""

    x0: float
    y0: float
    x1: float
    y1: float
    word: Text


@dataclass
class Drawing:
    """A laid out tree; y grows downwards, the origin is the upper left corner.

    The nodes of boxes are those of ``labels.tree``; ``labels.hidden`` says which stand for what is not shown.
    """

    width: float
    height: float
    boxes: list
    edges: list
    labels: Labels


def draw(tree, measure, font_size, orientation="auto", counts=True, wrap_at=16, max_depth=DEEPEST, **wording):
    """Lay out a tree with all its labels.

    Parameters
    ----------
    tree : Tree
        The tree.
    measure : callable
        From (text, size, bold) to the width of the text, in the units of `font_size`.
    font_size : float
        Size of the text; sets the unit of all lengths.
    orientation : {"auto", "down", "right"}, default="auto"
        Direction in which the tree grows; "auto": to the right above 16 leaves.
    counts : bool, default=True
        Write the number of samples and errors on the leaves.
    wrap_at : int, default=16
        Number of characters after which a name is wrapped.
    max_depth : int or None
        Levels of splits to draw; a deeper split becomes a box with its number of leaves. None: all.
    **wording
        See `treelib.tree.labels.Labels`.

    Returns
    -------
    Drawing
        Positions of boxes, edges and texts.
    """
    labels, em = Labels(tree, max_depth=max_depth, **wording), font_size
    tree = labels.tree
    check_choice("orientation", orientation, ("auto", *WORD_AT))
    if orientation == "auto":
        orientation = "right" if tree.n_leaves > LARGE else "down"
    if not font_size > 0:
        raise ValueError(f"font_size={font_size!r} must be positive.")
    down = orientation == "down"

    blocks = [_block(labels, node, measure, em, down, counts, wrap_at) for node in range(tree.n_nodes)]
    size = np.array([(block.width, block.height) for block in blocks])
    inner = np.flatnonzero(~tree.is_leaf)
    if len(inner):  # equal boxes for all splits keep the levels of the tree in rows
        size[inner, 1] = size[inner, 1].max()
    words = {int(node): labels.edges(node) for node in inner}

    at, grain = WORD_AT[orientation], GRAIN * em
    breadth, depth = (size if down else size[:, ::-1]).T
    gap = np.zeros(tree.n_nodes)
    word_breadth = np.zeros((tree.n_nodes, 2))
    word_depth = np.zeros((tree.n_nodes, 2))  # from where to where, the gap being 0 to 1
    for node, pair in words.items():
        lengths = [measure(word, SMALL * em, False) + WORD_PAD * em for word in pair]
        if down:
            gap[node] = GAP_DOWN * em
            word_breadth[node] = [length + WORD_GAP * em for length in lengths]
            word_depth[node] = at - 0.95 / GAP_DOWN, at + 0.15 / GAP_DOWN
        else:
            gap[node] = max(2 * em, (max(lengths) + 0.2 * em) / at)
            word_breadth[node] = SMALL * LINE * em
            word_depth[node] = 0.0, at
    depth = np.ceil(depth / grain) * grain
    gap = np.ceil(gap / grain) * grain
    b, total = tidy(
        tree, breadth, depth, gap, word_breadth, word_depth, at, (GAP if down else 0.45) * em, grain
    )
    d = np.zeros(tree.n_nodes)  # depth of the near side of each box
    for node in inner:
        d[tree.children_left[node]] = d[tree.children_right[node]] = d[node] + depth[node] + gap[node]

    margin = MARGIN * em
    b, d = b + margin, d + margin
    size[:, 1 if down else 0] = depth
    boxes, edges = [], []
    for node, block in enumerate(blocks):
        width, height = size[node]
        x, y = (b[node] - width / 2, d[node]) if down else (d[node], b[node] - height / 2)
        boxes.append(_box(node, block, x, y, width, height, em))
        if node not in words:
            continue
        start = d[node] + depth[node]
        for side, child in enumerate((tree.children_left[node], tree.children_right[node])):
            sign = 2 * side - 1
            line = (b[node], start, b[child], d[child]) if down else (start, b[node], d[child], b[child])
            x, y = (line[0] + at * (line[2] - line[0]), line[1] + at * (line[3] - line[1]))
            if down:
                # a flat edge leaves less room below the near end of its word
                steepness = abs(line[3] - line[1]) / abs(line[2] - line[0])
                lift = max(0.3, 0.52 - WORD_PAD * steepness) * em
                x, y, anchor = x + sign * WORD_PAD * em, y - lift, ("end", "start")[side]
            else:
                x, y, anchor = x, y + sign * 0.6 * em, "end"
            edges.append(Edge(*line, Text(x, y, words[node][side], SMALL * em, anchor=anchor)))
    far = float((d + depth).max()) + margin
    across = total + 2 * margin
    return Drawing(*((across, far) if down else (far, across)), boxes, edges, labels)


def tidy(tree, breadth, depth, gap, word_breadth, word_depth, word_at, distance, grain):
    """Breadth coordinates of the node centres of a tidy tree.

    Parameters
    ----------
    tree : Tree
    breadth, depth : float (n_nodes,), sizes of the boxes
    gap : float (n_nodes,), depth between the box of a split and those of its children
    word_breadth : float (n_nodes, 2), how far the words reach beyond the two edges
    word_depth : float (n_nodes, 2), from which to which fraction of `gap` the words reach
    word_at : float, fraction of the edge that a word stands at
    distance : float, least distance of neighbours
    grain : float, depth of the rows of the outlines; `depth` and `gap` are multiples of it

    Returns
    -------
    centre : float (n_nodes,), from 0
    total : float, breadth of the drawing
    """
    left, right = tree.children_left, tree.children_right
    half = np.zeros(tree.n_nodes)  # half the distance of the two children
    outlines = {}  # of finished subtrees, relative to their root: lowest and highest breadth in each row
    for node in range(tree.n_nodes - 1, -1, -1):  # children come after their parents
        box = np.full(round(depth[node] / grain), breadth[node] / 2)
        if tree.is_leaf[node]:
            outlines[node] = -box, box
            continue
        (a_low, a_high), (b_low, b_high) = outlines.pop(left[node]), outlines.pop(right[node])
        shared = min(len(a_low), len(b_low))
        half[node] = h = ((a_high[:shared] - b_low[:shared]).max() + distance) / 2
        low, high = a_low - h, b_high + h
        low[:shared] = np.minimum(low[:shared], b_low[:shared] + h)
        high[:shared] = np.maximum(high[:shared], a_high[:shared] - h)
        low = np.concatenate([low, b_low[shared:] + h])
        high = np.concatenate([high, a_high[shared:] - h])
        rows = round(gap[node] / grain)
        upper, lower = np.arange(rows) / rows, np.arange(1, rows + 1) / rows
        near_word = (lower > word_depth[node, 0]) & (upper < word_depth[node, 1])
        edges = [
            np.where(near_word, np.maximum(h * lower, h * word_at + w), h * lower) for w in word_breadth[node]
        ]
        outlines[node] = np.concatenate([-box, -edges[0], low]), np.concatenate([box, edges[1], high])
    low, high = outlines[0]
    centre = np.zeros(tree.n_nodes)
    centre[0] = -low.min()
    for node in np.flatnonzero(~tree.is_leaf):
        centre[left[node]] = centre[node] - half[node]
        centre[right[node]] = centre[node] + half[node]
    return centre, float(high.max() - low.min())


def share_right(tree, node):
    """Share of the weight at a node that has the label of the node, or None without data."""
    total = tree.value[node].sum()
    return None if tree.is_regression or not total > 0 else float(tree.value[node, tree.label[node]] / total)


@dataclass
class _Block:
    """Texts of a node as lines of (text, size, bold, width), and the size of the box around them."""

    lines: list
    width: float
    height: float
    bar: bool = False


def _block(labels, node, measure, em, down, counts, wrap_at):
    tree = labels.tree

    def measured(text, small=False, bold=False):
        size = SMALL * em if small else em
        return text, size, bold, measure(text, size, bold)

    if node in labels.hidden:
        lines = [[measured(text)] for text in wrap(labels.leaf(node), wrap_at)]
        bar = False
    elif tree.is_leaf[node]:
        head = [measured(text, bold=True) for text in wrap(labels.answer(node), wrap_at)]
        tail = [measured(text, small=True) for text in labels.counts(node)] if counts else []
        bar = counts and down and labels.has_counts
        if down:
            lines = [[line] for line in head + tail]
        else:
            tail = [measured(", ".join(labels.counts(node)), small=True)] if tail else []
            lines = [[line] for line in head[:-1]] + [[head[-1], *tail]]
    else:
        lines = [[measured(text)] for text in wrap(labels.question(tree.feature[node]), wrap_at)]
        bar = False
    width = max(sum(part[3] for part in line) + 0.7 * em * (len(line) - 1) for line in lines)
    pad_y = PAD_Y if down else 0.3
    height = (len(lines) * LINE + 2 * pad_y + (BAR_SPACE if bar else 0)) * em
    return _Block(lines, max(width + 2 * PAD_X * em, 3.2 * em), height, bar)


def _box(node, block, x, y, width, height, em):
    texts = []
    first = y + (height - len(block.lines) * LINE * em - (BAR_SPACE * em if block.bar else 0)) / 2
    for i, line in enumerate(block.lines):
        middle = first + (i + 0.5) * LINE * em
        if len(line) == 1:
            text, size, bold, _ = line[0]
            texts.append(Text(x + width / 2, middle, text, size, bold))
            continue
        start = x + PAD_X * em
        for text, size, bold, length in line:
            texts.append(Text(start, middle, text, size, bold, "start"))
            start += length + 0.7 * em
    bar = None
    if block.bar:
        bar = (
            x + PAD_X * em,
            first + (len(block.lines) * LINE + 0.25) * em,
            width - 2 * PAD_X * em,
            BAR * em,
        )
    return Box(node, x, y, width, height, texts, bar)
