"""A tree as one self-contained SVG that follows the page's light or dark colours."""

from __future__ import annotations

import re
import unicodedata
from html import escape
from typing import TYPE_CHECKING, Any

from treelib.tree import layout, style
from treelib.tree.labels import DEEPEST

if TYPE_CHECKING:
    from treelib.tree.nodes import TreeNodes

_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"

# XML has no control characters and no halves of characters, not even escaped ones
_NO_XML = re.compile("[\x00-\x08\x0b-\x1f\ud800-\udfff]")

# `--treelib-ink` may be set by the page; pydata's theme colours come next, then the reader's preference.
_CSS = """
.treelib-tree{--tl-ink:var(--treelib-ink,var(--pst-color-text-base,#22272e));\
--tl-line:var(--treelib-line,#87909a);--tl-box:var(--treelib-box,var(--pst-color-surface,#f4f6f8))}
@media (prefers-color-scheme:dark){.treelib-tree{--tl-ink:var(--treelib-ink,var(--pst-color-text-base,\
#e6e9ed));\
--tl-line:var(--treelib-line,#87909a);--tl-box:var(--treelib-box,var(--pst-color-surface,#232a33))}}
.treelib-tree text{fill:var(--tl-ink);font-family:%s;dominant-baseline:central;text-anchor:middle;\
white-space:pre}
.treelib-tree .split{fill:var(--tl-box);stroke:var(--tl-line);stroke-width:1}
.treelib-tree .edge{fill:none;stroke:var(--tl-line);stroke-width:1.5;stroke-linecap:round}
""".strip()


def to_svg(
    tree: TreeNodes | Any,
    title: str | None = None,
    font_size: float = 13.0,
    orientation: str = "auto",
    counts: bool = True,
    wrap_at: int = 16,
    max_depth: int | None = DEEPEST,
    **wording: Any,
) -> str:
    """SVG text of the drawn tree, sized to its content.

    All text is escaped, nothing is loaded from elsewhere, and there is no script. Colours are CSS variables
    with fallbacks: ``--treelib-ink``, ``--treelib-line``, ``--treelib-box`` and ``--treelib-class-K``,
    ``--treelib-on-class-K`` for class index K. The whole is one image to a screen reader, with `title` as its
    name and the rules of the tree as its description.

    Parameters
    ----------
    tree : Tree or estimator
        A tree, or a fitted estimator of one.
    title : str or None
        Accessible name. None: the number of leaves and the depth.
    font_size : float
        Size of the text in pixels.
    orientation, counts, wrap_at, max_depth
        As in `treelib.tree.layout.draw`; a bar shows the share of correctly classified samples in a leaf.
        With ``max_depth=None`` the description, like `to_text`, grows with leaves times depth.
    **wording
        `digits`, `yes_no`, `missing`; see `treelib.tree.labels.Labels`.

    Returns
    -------
    str
        The SVG.

    Examples
    --------
    >>> from treelib.tree import Tree, formats
    >>> svg = formats.to_svg(Tree.from_nested((0, 2.5, 0, 1)), title="One question")
    >>> svg.startswith("<svg"), "One question" in svg
    (True, True)
    """
    from treelib.tree.formats.text import to_text

    drawing = layout.draw(tree, text_width, font_size, orientation, counts, wrap_at, max_depth, **wording)
    title = drawing.labels.summary() if title is None else title
    width, height = _n(drawing.width), _n(drawing.height)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="treelib-tree" role="img" '
        f'aria-label="{_escape(title)}" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'style="max-width:100%;height:auto">',
        f"<title>{_escape(title)}</title>",
        f"<desc>{_escape(to_text(tree, max_depth, **wording))}</desc>",
        f"<style>{_CSS % _FONT}</style>",
    ]
    for edge in drawing.edges:
        parts.append(
            f'<path class="edge" d="M{_n(edge.x0)} {_n(edge.y0)}L{_n(edge.x1)} {_n(edge.y1)}"/>'
            + _text(edge.word)
        )
    for box in drawing.boxes:
        parts.append(_box(drawing.labels, box))
    return "\n".join([*parts, "</svg>"])


def to_html(tree, **options):
    """The SVG of a tree for a web page: wide trees shrink to no less than 60 %, then scroll sideways."""
    svg = to_svg(tree, **options)
    width = float(re.search(r' width="([0-9.]+)"', svg)[1])
    svg = svg.replace("max-width:100%", f"max-width:100%;min-width:{_n(0.6 * width)}px", 1)
    return f'<div style="overflow-x:auto" tabindex="0" role="region" aria-label="Decision tree">{svg}</div>'


def text_width(text, size, bold=False):
    """Width of a text in a common sans-serif font, rather too wide than too narrow.

    Boxes are made for this width; fonts differ by several per cent, which the padding of a box absorbs.
    """
    em = 0.0
    for char in text:
        if char in "ijl|!.,:;' ":
            em += 0.32
        elif char in 'frtI()[]{}/\\-`"':
            em += 0.42
        elif char in "mwMW@%—…":
            em += 0.95
        elif char.isupper() or unicodedata.east_asian_width(char) in "FW" or ord(char) > 0x2FFF:
            em += 0.72 if ord(char) < 0x2E80 else 1.0
        else:
            em += 0.59
    return em * size * (1.07 if bold else 1.0)


def _box(labels, box):
    tree, node = labels.tree, box.node
    x, y, w, h = (_n(v) for v in (box.x, box.y, box.width, box.height))
    if not tree.is_leaf[node] or node in labels.hidden:
        shape = f'<rect class="split" x="{x}" y="{y}" width="{w}" height="{h}" rx="6"/>'
        return shape + "".join(_text(text) for text in box.texts)
    color = style.leaf_color(tree, node)
    fill, ink = color, style.ink_on(color)
    if not tree.is_regression:
        fill = f"var(--treelib-class-{tree.label[node]},{fill})"
        ink = f"var(--treelib-on-class-{tree.label[node]},{ink})"
    shape = f'<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="6" style="fill:{fill}"/>'
    return shape + "".join(_text(text, ink) for text in box.texts) + _bar(tree, box, ink)


def _bar(tree, box, ink):
    """A small bar: the share of the samples that the leaf gets right."""
    share = layout.share_right(tree, box.node)
    if box.bar is None or share is None:
        return ""
    x, y, width, height = box.bar
    frame = f'x="{_n(x)}" y="{_n(y)}" height="{_n(height)}" rx="{_n(height / 2)}"'
    return "".join(
        f'<rect {frame} width="{_n(max(part * width, height))}" style="fill:{ink};opacity:{opacity}"/>'
        for part, opacity in ((1.0, 0.22), (share, 0.75))
    )


def _text(text, ink=None):
    css = f"font-size:{_n(text.size)}px"
    css += ";font-weight:600" if text.bold else ""
    css += f";text-anchor:{text.anchor}" if text.anchor != "middle" else ""
    css += f";fill:{ink}" if ink else ""
    return f'<text x="{_n(text.x)}" y="{_n(text.y)}" style="{css}">{_escape(text.text)}</text>'


def _escape(text):
    return escape(_NO_XML.sub("", text))


def _n(x):
    """Number with at most one decimal, and without a needless one."""
    return f"{x:.1f}".removesuffix(".0")
