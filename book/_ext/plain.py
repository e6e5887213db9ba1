"""Chapters for download: the executed notebook in Markdown that any notebook program can show.

On the site, MyST resolves references, citations, glued values and numbered tables. JupyterLab, Colab and
nbconvert know nothing of these, so a download carries what a reader of the site sees: "Fig. 1.2" with a link,
the glued value, a table below its caption.
"""

import re
import struct
from base64 import b64decode
from copy import deepcopy
from posixpath import join, normpath, split

import depends
import jupytext
import nbformat
from pybtex.richtext import Text

from treelib.ledger.page import plain

SUMMARY = "*This summary is for the parameters of the page, whatever is changed below.*"
WIDE = 88  # characters of a line of code: notebook programs do not break longer ones
GLUED = "application/papermill.record/text/plain"
MARKDOWN = "text/markdown"
HTML = "text/html"
REFERENCES = "references.json"  # beside the built site
# a role in the code of a cell, in a plain string or in an f-string
_WRITTEN = re.compile(r"\{{1,2}(numref|prf:ref|eq|doc|cite:[pt])\}{1,2}`([^`{}]+)`")
_NAME = re.compile(r"[\"']([a-z0-9-]+)[\"']|^:name: ([a-z0-9-]+)$", re.MULTILINE)


def collect(app):
    """What a chapter may refer to, as the built site numbers it: name to text and address."""
    env = app.env
    found = {"numref": {}, "prf:ref": {}, "eq": {}, "doc": {}, "cite": {}}
    numbers = env.toc_fignumbers
    for name, (page, anchor) in env.get_domain("std").anonlabels.items():
        for kind in ("figure", "table"):
            if number := numbers.get(page, {}).get(kind, {}).get(anchor):
                text = app.config.numfig_format[kind] % _dotted(number)
                found["numref"][name] = text, f"{page}.html#{anchor}"
    for name, (page, _) in env.get_domain("math").equations.items():
        if number := numbers.get(page, {}).get("displaymath", {}).get(f"equation-{name}"):
            found["eq"][name] = f"({_dotted(number)})", f"{page}.html#equation-{name}"
    for name, entry in getattr(env, "proof_list", {}).items():
        kind, page = entry["realtype"], entry["docname"]
        number = numbers.get(page, {}).get(entry["countertype"], {}).get(name, ())
        text = f"{kind.capitalize()} {_dotted(number)}".strip()
        found["prf:ref"][name] = text, f"{page}.html#{name}"
    for page, title in env.titles.items():
        found["doc"][page] = title.astext(), f"{page}.html"
    for citation in env.get_domain("cite").citations:
        entry = citation.entry
        names = last_names(entry)
        people = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
        if citation.bibliography_key.docname == "book/references":
            address = f"book/references.html#{citation.citation_id}"
            found["cite"][citation.key] = people, entry.fields["year"], address
    return found


def last_names(entry):
    """Last names of the authors of an entry for BibTeX, without its codes for letters, list of str."""
    return [
        str(Text.from_latex(" ".join(person.prelast_names + person.last_names)))
        for person in entry.persons["author"]
    ]


def _filled(pieces):
    """Pieces of code on indented lines, as many on a line as fit."""
    lines = []
    for piece in pieces:
        if lines and len(lines[-1]) + 1 + len(piece) <= WIDE:
            lines[-1] += f" {piece}"
        else:
            lines.append(f"    {piece}")
    return "\n".join(lines)


def _dotted(number):
    return ".".join(map(str, number))


def glued(notebooks):
    """Values that the code of all chapters glued, by name."""
    return {
        output.metadata["scrapbook"]["name"]: _value(output.data[GLUED])
        for notebook in notebooks
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        if GLUED in output.get("data", {})
    }


def _value(text):
    """A glued string is stored as its Python literal."""
    return text[1:-1] if text[:1] in "'\"" and text[:1] == text[-1:] else text


def _pixels(png):
    """Width and height that a picture in base64 says of itself."""
    return struct.unpack(">II", b64decode(png)[16:24])


class Plain(plain.Plain):
    """Writes the notebooks of one site in plain Markdown.

    Parameters
    ----------
    references : dict, as `collect` gives it
    values : dict, as `glued` gives it
    words : dict, verdict by claim
    site, repository : str, addresses of the published site and of the sources, no slash at the end; empty
        until they answer
    """

    def __init__(self, references, values, words, site, repository):
        super().__init__(site, values, words.__getitem__)
        self.references, self.repository = references, repository

    def notebook(self, notebook, page):
        """A copy of the executed `notebook` of `page` (``notebooks/osdt``) for download."""
        copy, cells = deepcopy(notebook), []
        numbers = self._numbers(copy)
        behind = depends.parameters_behind(notebook)
        for place, given in depends.first_unmoved(notebook, behind).items():
            # a sentence or a table that stays when the parameters above it are changed says so
            values = ", ".join(f"{name}=({name}, {value})" for name, value in given.items())
            said = f"from treelib.ledger import page\n\npage.stays({values})\n\n"
            copy.cells[place].source = said + copy.cells[place].source
        for cell, given in zip(copy.cells, behind, strict=True):
            cell.metadata.pop("depends_on", None)
            if {*cell.metadata.get("tags", ())} & {"remove-input", "remove-cell"}:
                # folded, as the site leaves it out: by JupyterLab and by Colab
                cell.metadata.update({"jupyter": {"source_hidden": True}, "cellView": "form"})
            cells.append(cell)
            if cell.cell_type == "markdown":
                cell.source = self.markdown(cell.source, page)
                continue
            if "**In short**" in cell.source or re.search(r"^findings\(", cell.source, re.MULTILINE):
                cells.append(nbformat.v4.new_markdown_cell(SUMMARY))
            cell.source = _WRITTEN.sub(lambda match: self._in_code(match, page), cell.source)
            outputs = [self._output(output, cell, page) for output in cell.outputs]
            cell.outputs = [output for output in outputs if output is not None]
            cells += self._caption(cell, page, given)
        cells.insert(1, nbformat.v4.new_code_cell(self._setup(numbers)))
        copy.cells = cells
        # cells that were added need ids, and numbering them makes two builds write the same file
        for i, cell in enumerate(copy.cells):
            cell.id = f"cell-{i}"
        copy.nbformat_minor = max(5, copy.nbformat_minor)
        return copy

    def script(self, notebook):
        """A notebook for download as Python source, in cells that jupytext and editors know."""
        copy = deepcopy(notebook)
        for cell in copy.cells:
            if cell.cell_type == "code":
                cell.outputs, cell.execution_count = [], None
        return jupytext.writes(copy, fmt="py:percent")

    def _setup(self, numbers):
        """The cell that makes the notebook run where the package is not installed, as on Colab, and says what
        the site calls the tables that the code makes."""
        text = (
            "# on Colab, or wherever treelib is not installed yet\n"
            "import importlib.util\nimport subprocess\nimport sys\n\n"
            'if importlib.util.find_spec("treelib") is None:\n'
            '    package = "treelib-companion[plot,milp] "\n'
            f'    package += "@ git+{self.repository}"\n'
            '    subprocess.run([sys.executable, "-m", "pip", "install", "-q", package], check=True)'
        )
        if not self.repository:
            text = (
                "import importlib.util\n\n"
                'if importlib.util.find_spec("treelib") is None:\n'
                "    raise ImportError('Install treelib first, in a checkout: pip install \".[plot,milp]\"')"
            )
        if numbers:
            listed = _filled([f"{name!r}: {number!r}," for name, number in numbers.items()])
            text += f"\n\nfrom treelib.ledger import page\n\npage.set_numbers({{\n{listed}\n}})"
        return text

    def _numbers(self, notebook):
        """What the site calls the tables that the code of a notebook names, dict."""
        known = self.references["numref"]
        code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
        names = dict.fromkeys(quoted or option for quoted, option in _NAME.findall(code))
        return {name: known[name][0] for name in names if name in known}

    def _in_code(self, match, page):
        """The text of a role that stands in a string of the code; the role where a string cannot hold it."""
        text = self.role(match[1], match[2], page)
        return match[0] if {'"', "'", "{", "\\", "\n"} & set(text) else text

    def _output(self, output, cell, page):
        data = output.get("data", {})
        if GLUED in data:
            return None
        alt = cell.metadata.get("mystnb", {}).get("image", {}).get("alt")
        if MARKDOWN in data:
            data[MARKDOWN] = self.markdown(data[MARKDOWN], page)
        if HTML in data:
            data[HTML] = self.links(data[HTML], page)
        if "image/png" in data:
            # the picture with twice the pixels is what every notebook program shows at the same size
            data.pop("image/svg+xml", None)
            width, height = _pixels(data["image/png"])
            output.metadata["image/png"] = {"width": width // 2, "height": height // 2}
        if alt and "image/png" in data:
            output.metadata["image/png"] = {**output.metadata.get("image/png", {}), "alt": alt}
        return output

    def _caption(self, cell, page, given):
        """The caption of a figure, in a cell of its own: it stays when the notebook runs again, and where it
        depends on parameters (`given`, names and code of their values) says for which it was written."""
        figure = cell.metadata.get("mystnb", {}).get("figure", {})
        if not figure:
            return []
        caption = self.markdown(figure.get("caption", ""), page)
        number = self.number("numref", figure.get("name"))
        number = f"*{number}*" if number else ""
        text = f"{number} {caption}".strip()
        if not given:
            return [nbformat.v4.new_markdown_cell(text)]
        values = ", ".join(f"{name}=({name}, {value})" for name, value in given.items())
        made = nbformat.v4.new_code_cell(
            f"from treelib.ledger import page\n\npage.caption({number!r}, {caption!r}, {values})",
            metadata={"jupyter": {"source_hidden": True}, "cellView": "form"},
        )
        shown = {"text/markdown": text, "text/plain": text}
        made.outputs = [nbformat.v4.new_output("display_data", shown)]
        return [made]

    # ---- what the site knows, and a running notebook does not ---------------------------------------------

    def number(self, kind, label):
        return self.references[kind].get(label, ("", ""))[0]

    def is_page(self, path):
        return path in self.references["doc"]

    def equation(self, body, label):
        number = self.references["eq"].get(label, ("", ""))[0].strip("()")
        return f"$${body.rstrip()} \\tag{{{number}}}$$" if number else f"$${body}$$"

    def role(self, role, content, page):
        if role in ("cite:p", "cite:t"):
            return self._cited(role, content)
        if role not in self.references:
            return super().role(role, content, page)
        shown, _, target = content[:-1].partition("<") if content.endswith(">") else ("", "", content)
        shown, target = shown.strip(), target.strip()
        if role == "doc":
            target = normpath(join(split(page)[0], target))
        text, address = self.references[role][target]
        return self.link(shown or text, address)

    def _cited(self, role, keys):
        entries = [self.references["cite"][key.strip()] for key in keys.split(",")]
        if role == "cite:t":
            return ", ".join(f"{people} [{self.link(year, to)}]" for people, year, to in entries)
        return "[" + "; ".join(self.link(f"{people}, {year}", to) for people, year, to in entries) + "]"
