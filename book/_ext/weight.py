"""Sphinx extension that keeps pages light: nothing is loaded that a page does not use.

The theme's icons come as a script of all icons there are; here they come as a font of those on the site. The
index of the search is loaded by the page that searches.
"""

import io
import logging
import re
from pathlib import Path

ICON_FONTS = ("fa-solid-900", "fa-brands-400", "fa-regular-400")
_SOURCES = re.compile(
    r'(src:url\([^)]*/fa-[^)]*)\.woff2\) format\("woff2"\),url\([^)]*\) format\("truetype"\)'
)
_ICON = re.compile(r'((?:\.fa-[\w-]+:{1,2}before,?)+)\{content:"\\([0-9a-f]{1,5})"\}')
_ICON_NAME = re.compile(r"\bfa-[a-z0-9-]+")
_PRIVATE = re.compile(r"\\([ef][0-9a-f]{3})(?![0-9a-f])|([\ue000-\uf8ff])")
_ALL_ICONS = re.compile(r"<script[^>]*scripts/fontawesome\.js[^>]*></script>\s*")
_SEARCHING = re.compile(r'<script src="[^"]*(?:searchtools|language_data|searchindex)\.js[^"]*"></script>\s*')
# the index is loaded where something is asked for, and the page answers before it is there
_INDEX = re.compile(r'<script src="([^"]*searchindex\.js[^"]*)"></script>')
_INDEX_WHEN_ASKED = (
    '<script>if (location.search) addEventListener("DOMContentLoaded", () => document.head.append('
    r'Object.assign(document.createElement("script"), {src: "\1"})));</script>'
)
_TABLE = re.compile(r'(<table\b[^>]*class=")([^"]*\btable\b[^"]*)("[^>]*>)(.*?)(?=</table>)', re.DOTALL)
_FRAME = re.compile(r'(<table\b[^>]*class=")(dataframe)("[^>]*>)(.*?)(?=</table>)', re.DOTALL)  # of pandas
_HEAD = re.compile(r"<th\b[^>]*>[^<]*_[^<]*</th>")
_CODE_NAME = re.compile(r'(<td class="[^"]*has-code"[^>]*>)(.*?)(?=</td>)', re.DOTALL)
_CODE_CELL = re.compile(r"<td(?: class=\"([^\"]*)\")?(?=[^>]*>(?:(?!</td>).)*?<code)", re.DOTALL)
_WIDE = range(5, 11)  # numbers of columns for which the style sheet knows something
# scripts run after the page, and the search starts as soon as its own has run: its words have to be there
_TOOLS = re.compile(
    r"(<script[^>]*searchtools\.js[^>]*></script>)\s*(<script[^>]*language_data\.js[^>]*></script>)"
)
# links to files that no page loads any more
_UNUSED = ("scripts/fontawesome.js*", "scripts/*.map", "styles/*.map", "vendor/fontawesome/webfonts/*.ttf")
_UNUSED += ("vendor/fontawesome/webfonts/*.woff2",)
SEARCH_PAGE = "search.html"
_OPENER = '<summary><span class="toctree-toggle" role="presentation">'


def setup(app):
    app.connect("build-finished", lighten, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def drop_scripts(context, word):
    """Take the scripts whose name or text has a word from those that a page loads."""

    def is_kept(script):
        attributes = getattr(script, "attributes", {})
        return word not in f"{getattr(script, 'filename', script)} {attributes.get('body', '')}".lower()

    if "script_files" in context:
        context["script_files"] = list(filter(is_kept, context["script_files"]))


def lighten(app, exception):
    if exception is not None or app.builder.format != "html":
        return
    site = Path(app.outdir)
    static = site / "_static"
    used = set()
    for path in site.rglob("*.html"):
        if static in path.parents:
            continue
        text = path.read_text(encoding="utf-8")
        used.update(_ICON_NAME.findall(text))
        light = _ALL_ICONS.sub("", text)
        if path.name == SEARCH_PAGE:
            light = _TOOLS.sub(r"\2\1", _INDEX.sub(_INDEX_WHEN_ASKED, light))
        else:
            light = _SEARCHING.sub("", light)
        # the theme gives no name to what opens the pages below a page
        light = light.replace(_OPENER, f'<summary aria-label="pages below">{_OPENER.partition(">")[2]}')
        path.write_text(with_columns(light), encoding="utf-8")
    for script in [
        *static.glob("*.js"),
        *static.glob("scripts/*book-theme.js"),
        *static.glob("scripts/*sphinx-theme.js"),
    ]:
        used.update(_ICON_NAME.findall(script.read_text(encoding="utf-8")))
    sheets = {path: path.read_text(encoding="utf-8") for path in static.glob("**/*.css")}
    signs = set().union(*(signs_of(text, used) for text in sheets.values()))
    fonts = static / "vendor" / "fontawesome" / "webfonts"
    sheet = static / "styles" / "pydata-sphinx-theme.css"
    for name in ICON_FONTS:
        (fonts / f"{name}.woff").write_bytes(font_of(fonts / f"{name}.ttf", signs))
    sheet.write_text(_SOURCES.sub(r'\1.woff) format("woff")', sheets[sheet]), encoding="utf-8")
    for pattern in _UNUSED:
        for path in static.glob(pattern):
            path.unlink()


def with_columns(text):
    """A page whose tables say how many columns they have, and which cells hold code.

    Names of columns in frames of pandas may be broken at their underscores.
    """

    def marked(match):
        start, classes, end, rows = match.groups()
        n = max(len(re.findall(r"<t[dh]\b", row)) for row in rows.split("<tr"))
        wide = "".join(f" w{k}" for k in _WIDE if k <= n)
        if classes == "dataframe":
            rows = _HEAD.sub(lambda head: head[0].replace("_", "_<wbr>"), rows)
        else:
            rows = _CODE_NAME.sub(_with_breaks, _CODE_CELL.sub(_with_code, rows))
        return start + classes.rstrip() + wide + end + rows

    return _FRAME.sub(marked, _TABLE.sub(marked, text))


def _with_breaks(cell):
    """A cell whose dotted names in code are broken at their dots first."""
    return cell[1] + re.sub(
        r'(?<=<span class="pre">)[\w.]+(?=</span>)', lambda m: m[0].replace(".", ".<wbr>"), cell[2]
    )


def _with_code(cell):
    return f'<td class="{cell[1] or ""}{" " if cell[1] else ""}has-code"'


def signs_of(css, names):
    """Code points of the icons of a style sheet that pages name, and of those that it sets itself.

    Parameters
    ----------
    css : str
    names : set of str, ``fa-github``

    Returns
    -------
    set of int
    """
    named = _ICON.sub(lambda rule: rule[0] if names.intersection(_ICON_NAME.findall(rule[1])) else "", css)
    return {int(code, 16) if code else ord(sign) for code, sign in _PRIVATE.findall(named)}


def font_of(path, signs):
    """A font of these signs only, WOFF, bytes; the same signs give the same bytes."""
    from fontTools import subset

    logging.getLogger("fontTools.subset").setLevel(logging.WARNING)  # else a line a table of each font
    options = subset.Options(flavor="woff", layout_features=[], hinting=False, notdef_outline=True)
    font = subset.load_font(str(path), options)
    chosen = subset.Subsetter(options)
    chosen.populate(unicodes=signs)
    chosen.subset(font)
    font["head"].modified = font["head"].created
    font.recalcTimestamp = False
    written = io.BytesIO()
    subset.save_font(font, written, options)
    return written.getvalue()
