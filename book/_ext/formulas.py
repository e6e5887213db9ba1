"""Sphinx extension that sets formulas while the book is built: a reader's browser has nothing to do.

MathJax, the program that set them in the page before, draws each as SVG and writes it as MathML for those
who listen. It runs here in a JavaScript engine of half a megabyte, in about a millisecond a formula.
A formula with a mistake fails the build.
"""

import json
import re
from functools import cache
from html import escape, unescape
from importlib.util import find_spec
from pathlib import Path

import weight

_PARTS = ("loader.js", "core.js", "adaptors/liteDOM.js", "input/tex.js", "output/svg.js")
_PARTS += ("output/svg/fonts/tex.js",)
# what MathJax asks of a browser before it runs; it writes its names into `MathJax._`
_BROWSER = """
var window = globalThis, global = globalThis, self = globalThis, setTimeout = () => 0;
var console = {log() {}, warn() {}, error() {}, info() {}};
var MathJax = {loader: {load: [], paths: {mathjax: "."}}};
"""
# texts of an engine come back as JSON: it may hold them in pieces, which Python cannot read
_SETTER = """
const {_: parts} = MathJax, lite = parts.adaptors.liteAdaptor.liteAdaptor();
parts.handlers.html_ts.RegisterHTMLHandler(lite);
const page = parts.mathjax.mathjax.document("", {
  InputJax: new parts.input.tex_ts.TeX({
    packages: ["base", "ams", "newcommand"], formatError(jax, error) { throw error; },
  }),
  OutputJax: new parts.output.svg_ts.SVG({
    fontCache: "none", font: new parts.output.svg.fonts.tex_ts.TeXFont(),
  }),
});
const visitor = new parts.core.MmlTree.SerializedMmlVisitor.SerializedMmlVisitor();
function drawn(tex, display) {
  const end = parts.core.MathItem.STATE.CONVERT;
  try {
    return JSON.stringify([
      lite.innerHTML(page.convert(tex, {display, em: 16, ex: 8, containerWidth: 1e4})),
      visitor.visitTree(page.convert(tex, {display, end})),
    ]);
  } catch (error) {
    return JSON.stringify([error.message]);
  }
}
"""
_PLACE = re.compile(r'<(span|div) class="math[^"]*"[^>]*>.*?</\1>', re.DOTALL)
# within such an element, after the number of an equation, a formula stands between these
_TEX = re.compile(r"\\\((.*?)\\\)|\\\[(.*?)\\\]", re.DOTALL)
_NOTE = re.compile(r'data-note="([^"]*\\\([^"]*)"')
_MARKS = re.compile(r' (?:data-(?:mml-node|c|mjx-texclass|latex)|xmlns|role|focusable)="[^"]*"')


def setup(app):
    # after the notes on links are there, before the weight of a page is looked at
    app.connect("html-page-context", set_formulas, priority=890)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def set_formulas(app, pagename, templatename, context, doctree):
    """The formulas of a page and of the notes on its links are drawn; what would set them is left out."""
    if "body" in context:
        context["body"] = with_formulas(context["body"])
    weight.drop_scripts(context, "mathjax")


def with_formulas(body):
    """HTML whose formulas in TeX are drawn; a note on a link that has some is given drawn beside its text."""

    def placed(match):
        return _TEX.sub(_replaced, match[0])

    def noted(match):
        return f'{match[0]} data-drawn="{escape(_TEX.sub(_replaced, match[1]))}"'

    return _NOTE.sub(noted, _PLACE.sub(placed, body))


def _replaced(match):
    inline, block = match.groups()
    return formula(unescape(block if inline is None else inline), display=inline is None)


@cache
def formula(tex, display=False):
    """One formula as a drawing in the colour and size of the text around it, and as MathML that is not seen.

    Parameters
    ----------
    tex : str
    display : bool, whether it has lines of its own

    Returns
    -------
    str

    Raises
    ------
    ValueError
        TeX does not know what is written.
    """
    drawing, *rest = json.loads(_engine().get("drawn")(tex, display))
    if not rest:
        raise ValueError(f"The formula {tex!r} cannot be set: {drawing}")
    drawing = _MARKS.sub("", drawing).replace("<svg ", '<svg aria-hidden="true" ', 1)
    spoken = re.sub(r"\s*\n\s*", "", _MARKS.sub("", rest[0]))
    kind = "formula display" if display else "formula"
    return f'<span class="{kind}">{drawing}{spoken}</span>'


@cache
def _engine():
    import quickjs

    folder = Path(find_spec("sphinx-mathjax-offline").origin).parent / "static" / "mathjax"
    engine = quickjs.Context()
    engine.eval(_BROWSER)
    for part in _PARTS:
        engine.eval((folder / part).read_text(encoding="utf-8"))
    engine.eval(_SETTER)
    return engine
