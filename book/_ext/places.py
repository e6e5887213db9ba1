"""Where the book shows a claim: the table or figure of the chapter whose code judged it.

The build writes what the executed chapters say to ``_build/places.json``; a site without it has cards that
name no chapter.
"""

import json
import re

from chapters import ROOT

PATH = ROOT / "_build" / "places.json"
_LABEL = re.compile(r"^:name: ([\w-]+)$", re.MULTILINE)
_ROLE = re.compile(r"\{verdict\}`([^`]+)`")


def places(notebooks):
    """Where claims are shown: dict of a claim's id to (page, label); the label is empty for a sentence.

    Parameters
    ----------
    notebooks : dict of a page (``notebooks/osdt``) to its executed notebook, in reading order; of several
        places, a table comes before a sentence, and then what comes first
    """
    in_tables, in_text = {}, {}
    for page, notebook in notebooks.items():
        for cell in notebook.cells:
            figure = cell.metadata.get("mystnb", {}).get("figure", {}).get("name", "")
            for claim in _ROLE.findall(cell.source if cell.cell_type == "markdown" else ""):
                in_text.setdefault(claim, (page, ""))
            for output in cell.get("outputs", ()):
                text = "".join(output.get("data", {}).get("text/markdown", ""))
                label = next(iter(_LABEL.findall(text)), figure)
                for claim in output.get("metadata", {}).get("treelib", {}).get("values", {}):
                    (in_tables if label else in_text).setdefault(claim, (page, label))
                for claim in _ROLE.findall(text):
                    in_text.setdefault(claim, (page, label))
    return in_text | in_tables


def write(found):
    PATH.parent.mkdir(parents=True, exist_ok=True)
    PATH.write_text(json.dumps(found, indent=0), encoding="utf-8")


def read():
    return json.loads(PATH.read_text(encoding="utf-8")) if PATH.is_file() else {}


def resolved(env, formats):
    """The places as a reader finds them: dict of a claim's id to (text, address).

    env : Sphinx's environment after reading; formats : its ``numfig_format``
    """
    labels, numbers = env.get_domain("std").anonlabels, env.toc_fignumbers
    found = {}
    for claim, (page, label) in read().items():
        if page not in env.titles:
            continue
        text, address = env.titles[page].astext(), f"{page}.html"
        if label in labels:
            page, anchor = labels[label][:2]
            address = f"{page}.html#{anchor}"
            for kind in ("table", "figure"):
                if number := numbers.get(page, {}).get(kind, {}).get(anchor):
                    text = formats[kind] % ".".join(map(str, number))
        found[claim] = text, address
    return found
