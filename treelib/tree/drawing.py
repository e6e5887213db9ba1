"""A tree drawn with matplotlib."""

from functools import lru_cache

from treelib.tree import layout, style
from treelib.tree.labels import Labels

_INCH = 72.0  # points
_MOST_LEAVES = 10_000  # matplotlib takes 4 ms for each


def plot_tree(
    tree,
    ax=None,
    title=None,
    font_size=11.0,
    orientation="auto",
    counts=True,
    wrap_at=16,
    ink=None,
    max_depth=layout.DEEPEST,
    **wording,
):
    """Draw a tree: splits as boxes, leaves filled with the colour of their class.

    Without `ax` the tree gets a new figure of suitable size. In a given `ax` everything, including text, is
    scaled down to fit, so that nothing overlaps.

    Parameters
    ----------
    tree : Tree or estimator
        A tree, or a fitted estimator of one.
    ax : matplotlib Axes or None
        Axes to draw in. None: a new figure.
    title : str or None
        Title of the drawing.
    font_size : float
        Size of the text in points.
    orientation, counts, wrap_at, max_depth
        As in `treelib.tree.layout.draw`; with `counts` a bar shows the share of correctly classified samples
        in a leaf.
    ink : str
        Colour of lines and of text outside leaves. Default: a grey that is legible on light and dark pages.
    **wording
        `digits`, `yes_no`, `missing`; see `treelib.tree.labels.Labels`.

    Returns
    -------
    matplotlib Axes
        Where the tree is drawn.

    Raises
    ------
    ValueError
        If more than 10,000 leaves would be drawn; set `max_depth` to draw fewer.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from treelib import Tree
    >>> from treelib.tree.drawing import plot_tree
    >>> figure = Figure()
    >>> ax = plot_tree(Tree.from_nested((0, 2.5, 0, 1)), figure.subplots(), title="One question")
    >>> figure.savefig("tree.svg")  # doctest: +SKIP
    """
    import matplotlib.pyplot as plt
    from matplotlib.layout_engine import PlaceHolderLayoutEngine

    n_leaves = Labels(tree, max_depth=max_depth).tree.n_leaves
    if n_leaves > _MOST_LEAVES:
        raise ValueError(
            f"The drawing would have {n_leaves:,} leaves, and {_MOST_LEAVES:,} is the most that matplotlib "
            "can draw in good time; give max_depth, such as 5, or use to_svg."
        )
    ink = style.INK if ink is None else ink
    width_of = lru_cache(_text_width)
    drawing = layout.draw(tree, width_of, font_size, orientation, counts, wrap_at, max_depth, **wording)
    head = 2.2 * font_size if title else 0.0
    width, height = drawing.width, drawing.height + head
    if ax is None:
        figure = plt.figure(figsize=(width / _INCH, height / _INCH), facecolor="none", layout="none")
        # no layout at all would be that of the settings again as soon as the figure has been saved once
        figure.set_layout_engine(PlaceHolderLayoutEngine(adjust_compatible=True, colorbar_gridspec=True))
        ax = figure.add_axes((0, 0, 1, 1))
    points = ax.get_window_extent().transformed(ax.figure.dpi_scale_trans.inverted())
    scale = min(points.width * _INCH / width, points.height * _INCH / height, 1.0)
    # one unit of the axes is one point of the unscaled drawing, the drawing in the middle
    spare_x = (points.width * _INCH / scale - width) / 2
    spare_y = (points.height * _INCH / scale - height) / 2
    ax.set_xlim(-spare_x, width + spare_x)
    ax.set_ylim(height - head + spare_y, -head - spare_y)
    ax.set_axis_off()

    for edge in drawing.edges:
        ax.plot(
            [edge.x0, edge.x1],
            [edge.y0, edge.y1],
            color=ink,
            linewidth=1.1 * scale,
            zorder=1,
            marker="",
            alpha=0.7,
        )
        _write(ax, edge.word, ink, scale)
    for box in drawing.boxes:
        _draw_box(ax, drawing.labels, box, font_size, ink, scale)
    if title:
        ax.text(
            width / 2,
            -head / 2,
            title,
            fontsize=1.1 * font_size * scale,
            fontweight="bold",
            color=ink,
            ha="center",
            va="center",
        )
    return ax


def _draw_box(ax, labels, box, font_size, ink, scale):
    from matplotlib.patches import FancyBboxPatch

    tree = labels.tree
    leaf = bool(tree.is_leaf[box.node]) and box.node not in labels.hidden
    fill = style.leaf_color(tree, box.node) if leaf else "none"
    radius = 0.45 * font_size
    ax.add_patch(
        FancyBboxPatch(
            (box.x, box.y),
            box.width,
            box.height,
            boxstyle=f"round,pad=0,rounding_size={radius}",
            facecolor=fill,
            edgecolor=fill if leaf else ink,
            linewidth=1.1 * scale,
            zorder=2,
        )
    )
    for text in box.texts:
        _write(ax, text, style.ink_on(fill) if leaf else ink, scale)
    share = layout.share_right(tree, box.node)
    if box.bar is None or share is None:
        return
    x, y, width, height = box.bar
    for part, opacity in ((1.0, 0.22), (share, 0.75)):
        ax.add_patch(
            FancyBboxPatch(
                (x, y),
                max(part * width, height),
                height,
                boxstyle=f"round,pad=0,rounding_size={height / 2}",
                facecolor=style.ink_on(fill),
                alpha=opacity,
                linewidth=0,
                zorder=3,
            )
        )


def _write(ax, text, color, scale):
    ax.text(
        text.x,
        text.y,
        text.text,
        fontsize=text.size * scale,
        fontweight="bold" if text.bold else "normal",
        color=color,
        ha={"middle": "center", "start": "left", "end": "right"}[text.anchor],
        va="center_baseline",
        zorder=5,
        parse_math=False,
    )


def _text_width(text, size, bold):
    """Width in points of a text in the font that matplotlib is set to."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(weight="bold" if bold else "normal", size=size)
    return text_to_path.get_text_width_height_descent(text, font, ismath=False)[0]
