"""Sphinx extension of the figures: sharp drawings, one for light pages and one for dark.

Chapters draw with one mid-tone ink for text and axes, which any page can show (`treelib.tree.style`). Here
each drawing gets two variants whose ink has the contrast that its page allows; colours that carry data stay
the same.
"""

import re
from pathlib import Path

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from treelib.tree.style import INK

INKS = {"light": "#4a525c", "dark": "#b9c2cc"}  # 7.9 : 1 on white, 9.9 : 1 on the dark page
_POINT = 100 / 72  # pixels of the column that a point of matplotlib takes
_METADATA = re.compile(r"\s*<metadata>.*?</metadata>", re.DOTALL)
_SIZE = re.compile(r'(<svg\b[^>]*?) width="([\d.]+)pt" height="([\d.]+)pt"', re.DOTALL)


_FIXED = re.compile(
    r'(<img\b[^>]*\bclass="[^"]*\bfor-(?:light|dark)\b[^>]*?) style="width: (\d+)px; height: (\d+)px;"'
)


def setup(app):
    app.add_post_transform(Variants)
    app.connect("html-page-context", free_heights)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def free_heights(app, pagename, templatename, context, doctree):
    """Sizes as attributes: a drawing that the column makes narrower becomes lower too, where a height in its
    style would leave empty room above and below; and its place is known before it is loaded."""
    if "body" in context:
        context["body"] = _FIXED.sub(r'\1 width="\2" height="\3"', context["body"])


def variant(svg, ink):
    """A drawing of matplotlib in the given ink: (text, width, height), sizes in pixels of the page."""
    svg = _METADATA.sub("", svg, count=1)
    _, width, height = _SIZE.search(svg).groups()
    width, height = round(float(width) * _POINT), round(float(height) * _POINT)
    svg = _SIZE.sub(rf'\g<1> width="{width}" height="{height}"', svg, count=1)
    return re.sub(re.escape(INK), ink, svg, flags=re.IGNORECASE), width, height


class Variants(SphinxPostTransform):
    """Put two variants in the place of each drawing that code made; a page shows the one for its colours."""

    default_priority = 6  # after MyST-NB has chosen among the forms of an output
    formats = ("html",)

    def run(self, **kwargs):
        for image in list(self.document.findall(nodes.image)):
            uri = image.get("uri", "")
            if uri.endswith(".svg") and "jupyter_execute" in uri:
                image.parent[image.parent.index(image) : image.parent.index(image) + 1] = self.pair(
                    image, uri
                )

    def pair(self, image, uri):
        path = Path(self.app.srcdir, uri)
        text = path.read_text(encoding="utf-8")
        found = []
        for mode, ink in INKS.items():
            drawing, width, height = variant(text, ink)
            name = f"{path.stem[:16]}-{mode}.svg"
            path.with_name(name).write_text(drawing, encoding="utf-8")
            copy = image.deepcopy()
            copy["uri"] = (Path(uri).parent / name).as_posix()
            copy["candidates"] = {"*": copy["uri"]}
            copy["classes"] = [*image["classes"], f"for-{mode}"]
            copy["loading"] = "lazy"  # the one that a page hides is not fetched
            copy["width"], copy["height"] = str(width), str(height)
            if found:
                copy["ids"] = []
            self.env.images.add_file(self.env.docname, copy["uri"])
            found.append(copy)
        return found
