"""One style sheet and one script for all pages, in place of the two dozen files that the theme names.

A page waits for each file that its head names. Here it waits for one sheet, without the rules for what no
page has. Scripts run after the page is read; those that serve one kind of part stand where there is one.
"""

import hashlib
import re

SHEET, SCRIPT = "styles/site.css", "scripts/site.js"
OPTIONS = "documentation_options.js"  # of each page, so it stands in the page
# scripts of a kind of part, and what a page shows that has one
PARTS = {"verify.js": "data-verify", "scorecard.js": "scorecard-paper", "design-tabs.js": "sd-tab-set"}
TOGGLE = "togglebutton.js"
PARTS[TOGGLE] = 'class="toggle"'
# in this order in the file, whatever a page says
COMMON = ("doctools.js", "sphinx_highlight.js", "clipboard.min.js", "copybutton.js", "hover.js", "cards.js")
COMMON += ("words.js", "frames.js", "reach.js", "scripts/sphinx-book-theme.js", "scripts/bootstrap.js")
COMMON += ("scripts/pydata-sphinx-theme.js",)
LATE = ("wasm/page.css",)  # of the live parts: a sheet amid a page would have all before it styled again
_SHEET = re.compile(r'<link(?=[^>]*rel="stylesheet")[^>]*href="([^"]*?_static/)([^"?]*)[^"]*"[^>]*>\s*')
_SCRIPT = re.compile(r'<script(?=[^>]*src=)[^>]*src="([^"]*?_static/)([^"?]*)[^"]*"[^>]*></script>\s*')
_PRELOAD = re.compile(r'<link rel="preload" as="script"[^>]*>\s*')
_TOGGLE = re.compile(r"<script>(?:let toggle|var togglebuttonSelector)[^<]*</script>\s*")
# ---- style sheets
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|[{};]')
_IMPORT = re.compile(r'@import\s+"([^"]*)"\s*;')
_CLASS = re.compile(r"\.([A-Za-z_-][\w-]*)")
_NAMED = re.compile(r'class=\\?"([^"\\]*)')
_WORD = re.compile(r"[A-Za-z_][\w-]*")
# classes whose names a script puts together, and those that the PDF has
_KEPT = ("bs-", "tooltip", "printed", "listed", "page")


class Bundle:
    """What all pages load, written into the folder of static files.

    Parameters
    ----------
    static : Path
    texts : iterable of str, all pages
    first : str, the page whose style sheets all pages have
    """

    def __init__(self, static, texts, first):
        head = first.partition("</head>")[0]
        self.sheets = list(dict.fromkeys([*(name for _, name in _SHEET.findall(head)), *LATE]))
        script = ";\n".join(["", *((static / name).read_text(encoding="utf-8") for name in COMMON)])
        script = re.sub(r"^//# sourceMappingURL=.*$", "", script, flags=re.MULTILINE)
        known = set(_WORD.findall(script))
        for path in static.rglob("*.js"):
            known.update(_WORD.findall(path.read_text(encoding="utf-8")))
        for text in texts:
            for names in _NAMED.findall(text):
                known.update(names.split())
        sheet = "".join(f"{sheet_of(static, name)}\n" for name in self.sheets)
        self.tags = {}
        for name, text in ((SHEET, f'@charset "UTF-8";{used_rules(sheet, known)}'), (SCRIPT, script)):
            (static / name).write_text(text, encoding="utf-8")
            self.tags[name] = f"{name}?v={hashlib.sha256(text.encode()).hexdigest()[:8]}"
        self.options = (static / OPTIONS).read_text(encoding="utf-8")
        self.files = [*self.sheets, *COMMON, OPTIONS, "basic.css"]

    def page(self, text):
        """A page that loads the bundle instead of what is in it."""
        root = _SHEET.search(text)
        if root is None or root[2] not in self.sheets:
            return text
        text = _PRELOAD.sub("", text)
        if PARTS[TOGGLE] not in text:
            text = _TOGGLE.sub("", text)  # what that script alone asks for
        start = f'<script src="{root[1]}{self.tags[SCRIPT]}" defer></script>\n'

        sheets = []

        def sheet(match):
            if match[2] not in self.sheets:
                return match[0]
            sheets.append(match[2])
            link = f'<link rel="stylesheet" href="{root[1]}{self.tags[SHEET]}" />\n'
            return link if len(sheets) == 1 else ""

        def script(match):
            name = match[2]
            if name == OPTIONS:
                return f"<script>{self.options}</script>\n{start}"
            if name in COMMON or (name in PARTS and PARTS[name] not in text):
                return ""
            return match[0] if " defer" in match[0] else match[0].replace("<script ", "<script defer ", 1)

        return _SCRIPT.sub(script, _SHEET.sub(sheet, text))


def sheet_of(static, name):
    """A style sheet with what it imports, its addresses those of the folder of the bundle."""
    path = static / name

    def imported(match):
        other = (path.parent / match[1]).resolve()
        return sheet_of(static, other.relative_to(static.resolve()).as_posix())

    text = _IMPORT.sub(imported, path.read_text(encoding="utf-8"))
    if path.parent == static:
        text = re.sub(r"url\((?!data:|[\"']|/|\.\.)", "url(../", text)
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


def used_rules(css, known):
    """A style sheet without the rules of classes that nobody has.

    Parameters
    ----------
    css : str, without comments
    known : set of str, names of classes

    Returns
    -------
    str
    """
    kept = []
    for prelude, body in blocks(css):
        if body is None:
            kept.append("" if prelude.startswith("@charset") else f"{prelude};")
        elif prelude.startswith(("@media", "@supports", "@layer", "@container")):
            inner = used_rules(body, known)
            kept.append(f"{prelude}{{{inner}}}" if inner else "")
        elif prelude.startswith("@"):
            kept.append(f"{prelude}{{{body}}}")
        else:
            chosen = [one.strip() for one in parts_of(prelude) if is_used(one, known)]
            kept.append(f"{','.join(chosen)}{{{body.strip()}}}" if chosen else "")
    return "".join(kept)


def blocks(css):
    """The rules of a style sheet: what stands before the braces and what within, or None."""
    depth, start, opened = 0, 0, 0
    for token in _TOKEN.finditer(css):
        if token[0] == "{":
            opened = token.end() if depth == 0 else opened
            depth += 1
        elif token[0] == "}":
            depth -= 1
            if depth == 0:
                yield css[start : opened - 1].strip(), css[opened : token.start()]
                start = token.end()
        elif token[0] == ";" and depth == 0:
            yield css[start : token.start()].strip(), None
            start = token.end()


def parts_of(selectors):
    """The selectors of a rule; a comma within brackets divides none."""
    return re.split(r",(?![^(]*\))(?![^\[]*\])", selectors)


def is_used(selector, known):
    """Whether the classes that a selector asks for are all there; what stands in brackets may be a choice."""
    outside, before = selector, None
    while before != outside:
        before, outside = outside, re.sub(r"\([^()]*\)|\[[^\[\]]*\]", "", outside)
    return "\\" in outside or all(name in known or name.startswith(_KEPT) for name in _CLASS.findall(outside))
