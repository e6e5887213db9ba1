"""How numbers look on a page: units and signs stay with their number, minus is a minus, powers stand high.

Chapters, notes and verdicts write plain text (``-0.4``, ``8%``, ``2^63``, ``6.7e+09``), which is what a
record or a terminal needs. Here it is set for reading, on every page alike; code, formulas and raw HTML stay
as they are.
"""

import posixpath
import re

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

_NARROW = "\u202f"  # no-break space, as in tables
_UNITS = r"(?:%|[kMG]B|GHz|m?s|min|h)"
_RULES = [
    (re.compile(rf"(?<=\d) ?(?=%)|(?<=\d) (?={_UNITS}(?![\w-]))"), _NARROW),
    (re.compile(r"(?<=[\d.)]) ?(±|\u00d7) ?(?=\d|10)"), f"{_NARROW}\\1{_NARROW}"),
    (re.compile(r"± (?=\d)"), f"±{_NARROW}"),
    (re.compile(r"(?<![\w.)\]%*`'\"-])-(?=\.?\d)"), "\u2212"),
]
_MANTISSA = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)e([+-]?\d{1,3})(?![\w.]*\w)")
_POWER = re.compile(r"(?<![\w^])(\d+)\^\(?(-?\d+)\)?(?!\w)")
_AS_WRITTEN = (nodes.literal, nodes.math, nodes.math_block, nodes.raw, nodes.FixedTextElement)
_HIGH = re.compile("\ue000(.*?)\ue001")  # what stands between these private marks becomes a superscript
_LOW = re.compile("\ue002(.*?)\ue003")  # and a subscript
# formulas of the papers as claims have them, R^c and p_{k+1}: one letter with an index or a power
_LETTER = "[A-Za-z\u0391-\u03c9\u2113][\u0303\u2019]?"
_INDEX = re.compile(
    rf"(?<![A-Za-z0-9_.^])(?<![A-Za-z0-9]-)({_LETTER})_(?:\{{([^{{}}]+)\}}|([^\W_]+)(?![\w-]|\.\w))"
)
_RAISED = re.compile(r"(?<![A-Za-z]{2})(?<=[\w)|\u2019\ue003])\^(?:\{([^{}]+)\}|([^\W_]+|\*)(?!\w))")


def set_numbers(text):
    """Pieces of `text`, set for reading: strings at even places, superscripts at odd ones.

    In both, private marks enclose subscripts.
    """
    text = _MANTISSA.sub(
        lambda m: ("" if m[1] == "1" else f"{m[1]} \u00d7 ") + f"10\ue000{int(m[2])}\ue001", text
    )
    text = _POWER.sub("\\1\ue000\\2\ue001", text)
    text = _INDEX.sub(lambda m: f"{m[1]}\ue002{m[2] or m[3]}\ue003", text)
    text = _RAISED.sub(lambda m: f"\ue000{m[1] or m[2]}\ue001", text)
    for pattern, instead in _RULES:
        text = pattern.sub(instead, text)
    pieces = _HIGH.split(text)
    return [piece.replace("-", "\u2212") if i % 2 else piece for i, piece in enumerate(pieces)]


class Numbers(SphinxPostTransform):
    """Set the numbers in the text of all pages but the reference of the code."""

    default_priority = 900  # after glued values and references have become text

    def run(self, **kwargs):
        for text in list(self.document.findall(nodes.Text)):
            if not re.search(r"[\d_^]", text) or "://" in text or self._is_as_written(text):
                continue
            pieces = set_numbers(str(text))
            if pieces == [str(text)]:
                continue
            new = []
            for i, piece in enumerate(pieces):
                parts = enumerate(_LOW.split(piece))
                parts = [nodes.subscript("", p) if j % 2 else nodes.Text(p) for j, p in parts if p]
                new += [nodes.superscript("", "", *parts)] if i % 2 else parts
            text.parent.replace(text, new)

    @staticmethod
    def _is_as_written(text):
        node = text.parent
        while node is not None:
            if isinstance(node, _AS_WRITTEN) or "desc" in type(node).__name__:
                return True
            node = node.parent
        return False


_CAPTION_NUMBER = re.compile(r'<span class="caption-number">[^<]*</span>')
_NUMREF = re.compile(
    r'(<a class="reference internal" href="([^"#]*)#[^"]*">)<span class="std std-numref">(\w+)[^<]*</span>'
)


def drop_caption_numbers(app, pagename, templatename, context, doctree):
    """Tables and figures of pages without a number have none: theirs would count on through the book.

    A reference to one of them says "the table" or "the figure".
    """
    if doctree is None or "body" not in context:
        return

    def named(match):
        page = (
            posixpath.normpath(posixpath.join(posixpath.dirname(pagename), match[2]))
            if match[2]
            else pagename
        )
        kind = "figure" if match[3].startswith("Fig") else "table"
        return match[0] if is_numbered(app.env, page.removesuffix(".html")) else f"{match[1]}the {kind}"

    if not is_numbered(app.env, pagename):
        context["body"] = _CAPTION_NUMBER.sub("", context["body"])
    context["body"] = _NUMREF.sub(named, context["body"])


_CODE = re.compile(r"<(code|pre)\b[^>]*>.*?</\1>", re.DOTALL)
_STRAIGHT = str.maketrans("\u201c\u201d\u2018\u2019", "\"\"''")


def straighten_code(app, pagename, templatename, context, doctree):
    """Code stays as one types it. Sphinx curls quotes in all text that is not code to it, which HTML in a
    paragraph is not: pasted, such a call fails."""
    if "body" in context:
        context["body"] = _CODE.sub(lambda match: match[0].translate(_STRAIGHT), context["body"])


def is_numbered(env, page):
    """Whether a page is a chapter with a number."""
    return any(env.toc_secnumbers.get(page, {}).values())


def setup(app):
    app.add_post_transform(Numbers)
    app.connect("html-page-context", drop_caption_numbers, priority=860)
    app.connect("html-page-context", straighten_code, priority=870)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
