"""Chapters for download: the executed notebook in Markdown that any notebook program can show.

On the site, MyST resolves references, citations, glued values and numbered tables. JupyterLab, Colab and
nbconvert know nothing of these, so a download carries what a reader of the site sees: "Fig. 1.2" with a link,
the glued value, a table below its caption.
"""

import re
from copy import deepcopy
from posixpath import join, normpath, split

import nbformat
from pybtex.richtext import Text

GLUED = "application/papermill.record/text/plain"
MARKDOWN = "text/markdown"
REFERENCES = "references.json"  # beside the built site
_ROLE = re.compile(r"\{([a-z:]+)\}`([^`]+)`")
_EQUATION = re.compile(r"\$\$(?P<body>(?:(?!\$\$).)+)\$\$ *\((?P<label>[\w-]+)\)", re.DOTALL)
_FENCE = re.compile(r"^(:{3,}|`{3,})\{([\w:-]+)\} *(.*)$")
_OPTION = re.compile(r"^:([\w-]+):(.*)$")
_LINK = re.compile(r"(\]\(|href=\")(?!https?:|mailto:|#|data:)([^)\"\s]+)")


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
        names = [
            str(Text.from_latex(" ".join(person.prelast_names + person.last_names)))
            for person in entry.persons["author"]
        ]
        people = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
        if citation.bibliography_key.docname == "book/references":
            address = f"book/references.html#{citation.citation_id}"
            found["cite"][citation.key] = people, entry.fields["year"], address
    return found


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


class Plain:
    """Writes the notebooks of one site in plain Markdown.

    Parameters
    ----------
    references : dict, as `collect` gives it
    values : dict, as `glued` gives it
    words : dict, verdict by claim
    site, repository : str, addresses of the published site and of the sources, no slash at the end
    """

    def __init__(self, references, values, words, site, repository):
        self.references, self.values, self.words = references, values, words
        self.site, self.repository = site, repository

    def notebook(self, notebook, page):
        """A copy of the executed `notebook` of `page` (``notebooks/osdt``) for download."""
        copy = deepcopy(notebook)
        for cell in copy.cells:
            cell.metadata.pop("depends_on", None)
            if cell.cell_type == "markdown":
                cell.source = self.markdown(cell.source, page)
            else:
                cell.outputs = [new for output in cell.outputs for new in self._outputs(output, cell, page)]
        copy.cells.insert(1, nbformat.v4.new_code_cell(self._install()))
        # cells that were added need ids, and numbering them makes two builds write the same file
        for i, cell in enumerate(copy.cells):
            cell.id = f"cell-{i}"
        copy.nbformat_minor = max(5, copy.nbformat_minor)
        return copy

    def _install(self):
        """The cell that makes the notebook run where the package is not installed, as on Colab."""
        return (
            "# on Colab, or wherever treelib is not installed yet\n"
            "import importlib.util\n\n"
            'if importlib.util.find_spec("treelib") is None:\n'
            f'    %pip install -q "treelib-companion[plot,milp] @ git+{self.repository}"'
        )

    def _outputs(self, output, cell, page):
        data = output.get("data", {})
        if GLUED in data:
            return
        figure = cell.metadata.get("mystnb", {}).get("figure", {})
        alt = cell.metadata.get("mystnb", {}).get("image", {}).get("alt")
        if MARKDOWN in data:
            data[MARKDOWN] = self.markdown(data[MARKDOWN], page)
        if alt and "image/png" in data:
            output.metadata["image/png"] = {**output.metadata.get("image/png", {}), "alt": alt}
        yield output
        if figure and "image/png" in data:
            caption = self.markdown(figure.get("caption", ""), page)
            number = self.references["numref"].get(figure.get("name"), ("", ""))[0]
            yield nbformat.v4.new_output(
                "display_data", {MARKDOWN: f"*{number}* {caption}".replace("** ", "")}
            )

    def markdown(self, text, page):
        """`text` without directives and roles, with links that lead to the site."""
        text = self._directives(text, page)
        text = _EQUATION.sub(self._equation, text)
        text = _ROLE.sub(lambda match: self._role(match[1], match[2], page), text)
        return _LINK.sub(lambda match: match[1] + self._address(match[2], page), text)

    def _directives(self, text, page):
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
            number = self.references["numref"].get(label, ("Table", ""))[0]
            return f"*{number}* {argument}\n\n{body}"
        if name.startswith("prf:"):
            number = self.references["prf:ref"].get(label, (name[4:].capitalize(), ""))[0]
            head = f"**{number}**" + (f" ({argument})" if argument else "")
            return "\n".join(f"> {line}".rstrip() for line in [f"{head}.", "", *body.split("\n")])
        if name in ("bibliography", "nb-exec-table", "eval-rst"):
            return "*This part is on the page of the site.*"
        return f"**{argument or name.capitalize()}**\n\n{body}"

    def _equation(self, match):
        number = self.references["eq"].get(match["label"], ("", ""))[0].strip("()")
        return f"$${match['body'].rstrip()} \\tag{{{number}}}$$" if number else f"$${match['body']}$$"

    def _role(self, role, content, page):
        shown, _, target = content[:-1].partition("<") if content.endswith(">") else ("", "", content)
        shown, target = shown.strip(), target.strip()
        if role == "glue:text":
            return self.values[content.partition(":")[0]]
        if role in ("cite:p", "cite:t"):
            return self._cited(role, content)
        if role == "verdict":
            return f"[{self.words[content]}]({self.site}/book/scorecard.html#{content})"
        if role == "doc":
            target = normpath(join(split(page)[0], target))
        if role in self.references:
            text, address = self.references[role][target]
            return f"[{shown or text}]({self.site}/{address})"
        return f"*{shown or target}*"

    def _cited(self, role, keys):
        entries = [self.references["cite"][key.strip()] for key in keys.split(",")]
        if role == "cite:t":
            texts = [f"{people} [[{year}]({self.site}/{to})]" for people, year, to in entries]
            return ", ".join(texts)
        return "[" + "; ".join(f"[{people}, {year}]({self.site}/{to})" for people, year, to in entries) + "]"

    def _address(self, link, page):
        """A link between pages, as an address on the site."""
        target, mark, anchor = link.partition("#")
        path = normpath(join(split(page)[0], target))
        if path in self.references["doc"]:
            path += ".html"
        return f"{self.site}/{path}{mark}{anchor}"
