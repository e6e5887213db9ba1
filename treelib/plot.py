"""A tree drawn with matplotlib."""

from functools import lru_cache

from treelib import layout, style

_INCH = 72.0  # points


def plot_tree(
    tree, ax=None, title=None, digits=4, yes_no=None, counts=True, font_size=11.0, wrap_at=16, ink=None
):
    """Draw a tree: splits as boxes, leaves filled with the colour of their class.

    Without `ax` a figure of the size that the tree needs is made. In a given `ax` everything, text included,
    is scaled down until it fits, so that nothing ever overlaps.

    Parameters
    ----------
    tree : Tree
    ax : matplotlib Axes, or None for a new figure
    title : str or None
    digits, yes_no : as in `treelib.export.to_text`; a 0/1 feature is asked as "no" (left) or "yes" (right)
    counts : bool, show samples, errors and class shares on the leaves
    font_size : float, points
    wrap_at : int, characters after which a name is broken into lines
    ink : colour of lines and of text outside leaves; default the mid-tone that is legible on light and dark

    Returns
    -------
    matplotlib Axes
    """
    import matplotlib.pyplot as plt

    ink = style.INK if ink is None else ink
    drawing = layout.draw(tree, _text_width, font_size, digits, yes_no, counts, wrap_at)
    head = 2.2 * font_size if title else 0.0
    width, height = drawing.width, drawing.height + head
    if ax is None:
        figure = plt.figure(figsize=(width / _INCH, height / _INCH), facecolor="none", layout="none")
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
        _write(ax, edge.label, ink, scale)
    for box in drawing.boxes:
        _draw_box(ax, tree, box, font_size, ink, scale)
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


def _draw_box(ax, tree, box, font_size, ink, scale):
    from matplotlib.patches import FancyBboxPatch, Rectangle

    leaf = bool(tree.is_leaf[box.node])
    fill = style.class_color(tree.label[box.node]) if leaf else "none"
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
            mutation_aspect=1,
        )
    )
    for text in box.texts:
        _write(ax, text, style.ink_on(fill) if leaf else ink, scale)
    total = tree.value[box.node].sum()
    if box.bar is None or not total > 0:
        return
    x, y, width, height = box.bar
    edge = 0.08 * font_size
    ax.add_patch(
        Rectangle(
            (x - edge, y - edge), width + 2 * edge, height + 2 * edge, facecolor=style.PAPER, lw=0, zorder=3
        )
    )
    for code, share in enumerate(tree.value[box.node] / total):
        if share > 0:
            ax.add_patch(
                Rectangle((x, y), width * share, height, facecolor=style.class_color(code), lw=0, zorder=4)
            )
            x += width * share


def _write(ax, text, color, scale):
    ax.text(
        text.x,
        text.y,
        _plain(text.text),
        fontsize=text.size * scale,
        fontweight="bold" if text.bold else "normal",
        color=color,
        ha={"middle": "center", "start": "left", "end": "right"}[text.anchor],
        va="center_baseline",
        zorder=5,
        parse_math=False,
    )


def _plain(text):
    return text


@lru_cache(maxsize=4096)
def _text_width(text, size, bold):
    """Width in points of a text in the font that matplotlib is set to."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(weight="bold" if bold else "normal", size=size)
    return text_to_path.get_text_width_height_descent(text, font, ismath=False)[0]
