"""MyST Markdown as Markdown that any notebook program shows: no directive, no role, links to the site.

`Plain` knows what can be known while a notebook runs. The build of the book knows more, the number of every
figure and theorem, and adds it (``book/_ext/plain.py``).
"""

import re
from posixpath import join, normpath, split

from treelib.datasets.files import data_root, read_csv
from treelib.ledger.claims import words
from treelib.ledger.page import place

ROLE = re.compile(r"\{([a-z:]+)\}`([^`]+)`")
_EQUATION = re.compile(r"\$\$(?P<body>(?:(?!\$\$).)+)\$\$ *\((?P<label>[\w-]+)\)", re.DOTALL)
_FENCE = re.compile(r"^(:{3,}|`{3,})\{([\w:-]+)\} *(.*)$")
_OPTION = re.compile(r"^:([\w-]+):(.*)$")
_HERE = r"(?!https?:|mailto:|#|data:)"  # an address within the site
_LINK = re.compile(rf"(\]\(|href=\"){_HERE}([^)\"\s]+)")
# links within the site as text: of Markdown, and of HTML
_TEXT = re.compile(rf"(?<!!)\[([^\[\]]*)\]\({_HERE}[^)\s]+\)")
_HTML_TEXT = re.compile(rf"<a\b[^>]*href=\"{_HERE}[^\"]*\"[^>]*>(.*?)</a>", re.DOTALL)
CHAPTERS = "notebooks"  # folder of the site


class Plain:
    """Makes texts plain.

    Parameters
    ----------
    site : str, address of the published site, no slash at the end; empty: links within it become text
    values : dict, glued values by name
    words : callable of a claim's id, the verdict on it
    """

    def __init__(self, site=place.SITE, values=None, words=None):
        self.site, self.values, self.words = site, {} if values is None else values, words or _word

    def markdown(self, text, page=f"{CHAPTERS}/page"):
        """`text` of a page without directives and roles, with links that lead to the site."""
        text = self._directives(text)
        text = _EQUATION.sub(lambda match: self.equation(match["body"], match["label"]), text)
        text = ROLE.sub(lambda match: self.role(match[1], match[2], page), text)
        return self.links(text, page)

    def links(self, text, page=f"{CHAPTERS}/page"):
        """`text` whose links between pages are addresses on the site, or no links where it has none."""
        if not self.site:
            return _HTML_TEXT.sub(r"\1", _TEXT.sub(r"\1", text))
        return _LINK.sub(lambda match: match[1] + self.address(match[2], page), text)

    def link(self, text, path):
        """`text` that leads to a page of the site, or just the text where the site has no address."""
        return f"[{text}]({self.site}/{path})" if self.site else text

    def number(self, kind, label):
        """What the site calls a thing, empty where that is not known.

        kind : "numref" for tables and figures, "prf:ref" for statements
        """
        return place.number(label) if kind == "numref" else ""

    def role(self, role, content, page):
        """The text of a role."""
        shown, _, target = content[:-1].partition("<") if content.endswith(">") else ("", "", content)
        shown, target = shown.strip(), target.strip()
        if role == "glue:text":
            return str(self.values.get(content.partition(":")[0], "?"))
        if role == "verdict":
            return self.link(self.words(content), place.card(content))
        if role in ("cite:p", "cite:t"):
            return ", ".join(_cited(key.strip()) for key in content.split(","))
        if role == "numref":
            return shown or self.number(role, target) or f"*{target}*"
        if role == "doc":
            return f"[{shown or target}]({self.address(target, page)})" if self.site else shown or target
        return f"*{shown or target}*"

    def equation(self, body, label):
        """A numbered equation, its number unknown."""
        return f"$${body}$$"

    def is_page(self, path):
        """Whether the site has a page of this name, without suffix."""
        return "." not in split(path)[1]

    def address(self, link, page):
        """A link between pages, as an address on the site."""
        target, mark, anchor = link.partition("#")
        path = normpath(join(split(page)[0], target))
        return f"{self.site}/{path}{'.html' if self.is_page(path) else ''}{mark}{anchor}"

    def _directives(self, text):
        lines, out, code = text.split("\n"), [], False
        while lines:
            line = lines.pop(0)
            opening = None if code else _FENCE.match(line)
            if not opening:
                code ^= line.startswith("```")
                out.append(line)
                continue
            fence, name, argument = opening.groups()
            body = []
            while lines and lines[0].strip() != fence:
                body.append(lines.pop(0))
            del lines[:1]
            options = {}
            while body and (option := _OPTION.match(body[0])):
                options[option[1]] = option[2].strip()
                del body[0]
            out += self._directive(name, argument, options, "\n".join(body).strip("\n")).split("\n")
        return "\n".join(out)

    def _directive(self, name, argument, options, body):
        label = options.get("name") or options.get("label")
        if name == "table":
            # tables of unnumbered pages have no caption: nothing stands above them
            number = self.number("numref", label)
            head = f"*{number}* {argument}" if number else argument
            return f"{head}\n\n{body}" if head else body
        if name.startswith("prf:"):
            number = self.number("prf:ref", label) or name[4:].capitalize()
            head = f"**{number}**" + (f" ({argument})" if argument else "")
            return "\n".join(f"> {line}".rstrip() for line in [f"{head}.", "", *body.split("\n")])
        if name in ("bibliography", "nb-exec-table", "eval-rst", "chapter-shape"):
            return "*This part is on the page of the site.*"
        body = self._directives(body)
        return f"**{argument or name.capitalize()}**\n\n{body}"


def _cited(key):
    """A cited work: a paper of the book with its address, others by their key."""
    from treelib.ledger.papers import papers

    paper = papers().get(key)
    if paper is None:
        return f"*{key}*"
    names = [author.split()[-1] for author in paper.authors]
    people = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
    return f"[{people}, {paper.year}]({paper.url})" if paper.url else f"{people}, {paper.year}"


def _word(claim_id):
    """The kept verdict on a claim.

    Read here and not through `treelib.ledger.verdicts`: what imports that is a page that shows all verdicts,
    and is executed again with each of them.
    """
    rows = (row for row in read_csv(data_root() / "results" / "verdicts.csv") if row["id"] == claim_id)
    return next((words(row["verdict"], row["fitted"]) for row in rows), "no verdict")
