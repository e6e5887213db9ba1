"""Sphinx extension of what a link shows before it is followed: references, theorems, words, verdicts.

Each such link carries its note in ``data-note``; ``hover.js`` shows it under the pointer and at the place of
the keyboard. Words of the glossary become links where a page uses them first; its abbreviations also where a
table does. Pages that speak of a paper link it.
"""

import re
from functools import cache
from html import escape

import citing
from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from treelib.ledger import verdicts
from treelib.ledger.claims import NO_EVIDENCE, words
from treelib.ledger.page.place import card_page
from treelib.ledger.papers import papers

GLOSSARY, REFERENCES = "book/glossary", "book/references"
ERRATA = "notebooks/errata"
SCORECARD = "book/scorecard"  # its rows say all that a note could
# one of these alone is also a word of everyday language
_UNCLEAR = {
    "fitted",
    "box",
    "cell",
    "gap",
    "support",
    "leaf",
    "objective",
    "verdict",
    "criterion",
    "compression",
}
_NO_PLACE = (
    nodes.literal,
    nodes.math,
    nodes.raw,
    nodes.reference,
    nodes.title,
    nodes.caption,
    nodes.FixedTextElement,
)
_LINK = re.compile(r'<a(?: class="([^"]*)")? href="([^"]*)"(?: title="([^"]*)")?>')
_LONGEST = 700  # characters of a note
_ABBREVIATION = re.compile(r"[A-Z][A-Z0-9]+")
_CELL = re.compile(r"(<t[dh]\b[^>]*>(?:<p>)?)([A-Z][A-Z0-9]+)(?=(?:</p>)?</t[dh]>)")


def setup(app):
    app.add_post_transform(Words)
    app.add_post_transform(Ids)
    app.connect("html-page-context", add_notes, priority=880)
    app.connect("html-page-context", link_papers, priority=870)
    app.add_js_file("hover.js", loading_method="defer")
    return {"parallel_read_safe": True, "parallel_write_safe": True}


# ---- words of the glossary --------------------------------------------------------------------------------


def glossary(env):
    """Words of the glossary: dict of word (see `as_key`) to (anchor, what it means)."""
    found = getattr(env, "treelib_glossary", None)
    if found is None:
        found = {}
        if GLOSSARY in env.all_docs:
            for item in env.get_doctree(GLOSSARY).findall(nodes.definition_list_item):
                meaning = next(item.findall(nodes.definition)).astext().replace("\n", " ")
                for term in item.findall(nodes.term):
                    found[as_key(term.astext())] = term["ids"][0], meaning
        env.treelib_glossary = found
    return found


def a_word_of(words):
    """What finds one of these words, alone or in the plural, a compiled pattern."""
    longest = sorted(words, key=len, reverse=True)
    short = [re.escape(word) for word in longest if _ABBREVIATION.fullmatch(word)]
    long = [re.escape(word) for word in longest if not _ABBREVIATION.fullmatch(word)]
    return re.compile(rf"\b({'|'.join([*short, *(f'(?i:{word})' for word in long)])})(s?)\b")


def as_key(word):
    """How the glossary finds a word: an abbreviation as it is, any other in lower case."""
    return word if _ABBREVIATION.fullmatch(word) else word.lower()


class Words(SphinxPostTransform):
    """The first use of a word of the glossary on a page leads to it."""

    default_priority = 850
    formats = ("html",)

    def run(self, **kwargs):
        words = {word: to for word, to in glossary(self.env).items() if word not in _UNCLEAR}
        if not words or self.env.docname == GLOSSARY or self.env.docname.startswith("book/api"):
            return
        pattern = a_word_of(words)
        for text in list(self.document.findall(nodes.Text)):
            if not words or not self._is_prose(text):
                continue
            match = next((m for m in pattern.finditer(str(text)) if as_key(m[1]) in words), None)
            if match is None:
                continue
            anchor, meaning = words.pop(as_key(match[1]))
            address = self.app.builder.get_relative_uri(self.env.docname, GLOSSARY)
            link = nodes.reference(
                "", match[0], refuri=f"{address}#{anchor}", internal=True, classes=["term"]
            )
            link["reftitle"] = meaning
            before, after = str(text)[: match.start()], str(text)[match.end() :]
            text.parent.replace(
                text, [n for n in (nodes.Text(before), link, nodes.Text(after)) if n.astext()]
            )

    @staticmethod
    def _is_prose(text):
        beside = text.parent.index(text) - 1
        before = text.parent[beside] if beside >= 0 else None
        if isinstance(before, nodes.raw) and before.astext().startswith("<a "):  # a link written as HTML
            return False
        node, in_paragraph = text.parent, False
        while node is not None:
            if isinstance(node, _NO_PLACE) or "desc" in type(node).__name__:
                return False
            in_paragraph |= isinstance(node, nodes.paragraph)
            node = node.parent
        return in_paragraph


_ID = re.compile(r"(?<![\w.-])(errata|osdt|bornagain|tsallis|dyadic)\.[a-z0-9-]+(?:\.[a-z0-9-]+)+")


class Ids(SphinxPostTransform):
    """Ids of claims and of errata that stand in a text lead to the card and to the item."""

    default_priority = 840
    formats = ("html",)

    def run(self, **kwargs):
        known = {row["id"] for row in verdicts.read()}
        for text in list(self.document.findall(nodes.Text)):
            before = text.parent[: text.parent.index(text)][-1:]
            if before and before[0].astext().startswith(("<a", "<code")):  # written as HTML
                continue
            if not _ID.search(str(text)) or not Words._is_prose(text):
                continue
            new, end = [], 0
            for match in _ID.finditer(str(text)):
                if match[1] != "errata" and match[0] not in known:
                    continue
                page = ERRATA if match[1] == "errata" else card_page(match[0])
                address = self.app.builder.get_relative_uri(self.env.docname, page)
                link = nodes.reference("", match[0], refuri=f"{address}#{match[0]}", internal=True)
                new += [nodes.Text(str(text)[end : match.start()]), link]
                end = match.end()
            new.append(nodes.Text(str(text)[end:]))
            if end:
                text.parent.replace(text, [node for node in new if node.astext()])


def explain_cells(body, words, address):
    """A page whose tables say what an abbreviation is where they use it first.

    Parameters
    ----------
    body : str, HTML of the page
    words : dict of word to (anchor, meaning)
    address : str, the glossary's, relative to the page

    Returns
    -------
    str
    """
    before, *tables = re.split(r"(?=<table\b)", body)
    for place, text in enumerate(tables):
        seen = set()

        def linked(match, seen=seen):
            start, word = match.groups()
            if word in seen or word not in words:
                return match[0]
            seen.add(word)
            anchor, meaning = words[word]
            note = escape(f"{word}: {meaning}")
            return f'{start}<a class="term" href="{address}#{anchor}" data-note="{note}">{word}</a>'

        tables[place] = _CELL.sub(linked, text)
    return "".join([before, *tables])


# ---- notes ------------------------------------------------------------------------------------------------


def statements(env):
    """Theorems and their like: dict of label to their text, formulas as TeX."""
    found = getattr(env, "treelib_statements", None)
    if found is None:
        found = {}
        for page in {entry["docname"] for entry in getattr(env, "proof_list", {}).values()}:
            for node in env.get_doctree(page).findall(nodes.Element):
                for label in node.get("ids", ()):
                    if label in env.proof_list and label not in found:
                        found[label] = _with_tex(node)
        env.treelib_statements = found
    return found


def _with_tex(node):
    parts = []
    for child in node.findall():
        if isinstance(child, (nodes.math, nodes.math_block)):
            parts.append(f"\\({child.astext()}\\)")
        elif isinstance(child, nodes.Text) and not isinstance(child.parent, (nodes.math, nodes.math_block)):
            parts.append(str(child))
        elif isinstance(child, nodes.paragraph):
            parts.append(" ")
    return " ".join("".join(parts).split())


@cache
def claims_told():
    """What a link to a card says of its claim, dict by id."""
    told = {}
    for row in verdicts.read():
        unit = f" {row['unit']}" if row["unit"] not in ("1", "none", "") else ""
        told[row["id"]] = (
            f"{row['id']} ({row['item']}). Printed: {row['printed'] or 'a statement'}"
            f"{unit if row['printed'] else ''}. Ours: {row['ours'] or 'none'}. "
            f"{words(row['verdict'], row['fitted']).capitalize()}, by the rule \u201c{row['rule']}\u201d."
            f"{f' {NO_EVIDENCE.capitalize()}.' if row['fitted'] else ''}"
        )
    return told


def add_notes(app, pagename, templatename, context, doctree):
    if doctree is None or "body" not in context or pagename == SCORECARD:
        return
    told, theorems = claims_told(), statements(app.env)

    def noted(match):
        classes, address, title = match[1] or "", match[2], match[3]
        anchor = address.partition("#")[2]
        note = title if "references.html#" in address or "term" in classes.split() else None
        note = note or (told.get(anchor) and escape(told[anchor]))
        note = note or (theorems.get(anchor) and escape(theorems[anchor]))
        if not note:
            return match[0]
        told_of = f' class="{classes}"' if classes else ""
        return f'<a{told_of} href="{address}" data-note="{_cut(note)}">'

    context["body"] = _LINK.sub(noted, context["body"])
    if pagename != GLOSSARY:
        address = app.builder.get_relative_uri(pagename, GLOSSARY)
        context["body"] = explain_cells(context["body"], glossary(app.env), address)


def _cut(note):
    return note if len(note) <= _LONGEST else f"{note[: note.rindex(' ', 0, _LONGEST)]} …"


# ---- papers -----------------------------------------------------------------------------------------------


def link_papers(app, pagename, templatename, context, doctree):
    """A page that speaks of papers says where they can be read: below its title, or at its end.

    Cards, records and listings of code too, where they do not lead there already.
    """
    if "body" not in context or pagename == REFERENCES:
        return
    cited = {
        entry.key
        for entry in app.env.get_domain("cite").citations
        if f'#{entry.citation_id}"' in context["body"] and entry.bibliography_key.docname == REFERENCES
    }
    own = [key for key in papers() if re.match(rf"(notebooks/|book/report-){key}(_|$)", pagename)]
    named = [key for key in papers() if key in cited or speaks_of(papers()[key], context["body"])]
    others = [key for key in named if key not in own and papers()[key].url not in context["body"]]
    above, below = map(_line, (own, others))
    context["body"] = context["body"].replace("</h1>", f"</h1>\n{above}", 1) + below


def speaks_of(paper, body):
    """Whether a page names a paper or its authors, or leads to a claim of it.

    Parameters
    ----------
    paper : Paper
    body : str, HTML
    """
    text = " ".join(re.sub(r"<[^>]*>", " ", body).split()).lower()
    last = [name.split()[-1] for name in paper.authors]
    names = {paper.title, citing.people(paper.authors), *paper.authors}
    names |= {f"{', '.join(last[:-1])} and {last[-1]}"}
    return f"claims/{paper.key}." in body or any(name.lower() in text for name in names)


def _line(keys):
    return f'<p class="papers">{"; ".join(map(_paper, keys))}.</p>' if keys else ""


def _paper(key):
    paper = papers()[key]
    if paper.doi or paper.arxiv:
        where = f'<a href="{paper.url}">{paper.place}</a>'
    else:
        link = f' (<a href="{paper.url}" rel="nofollow">{paper.place}</a>)' if paper.url else ""
        where = f"{escape(paper.venue)}{link}"
    return f"{escape(citing.people(paper.authors))} ({paper.year}), <em>{escape(paper.title)}</em>, {where}"
