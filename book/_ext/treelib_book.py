"""Sphinx extension of this book: its labels, notebook downloads, no dead scripts, data of the parts."""

import json
import re
from functools import cache
from pathlib import Path

import plain
import typography
import weight
from citing import people
from docutils import nodes
from pybtex.plugin import register_plugin
from pybtex.style.formatting.plain import Style as Plain
from pybtex.style.labels import BaseLabelStyle

import treelib
from treelib.ledger import verdicts
from treelib.ledger.claims import words
from treelib.ledger.page.place import card
from treelib.ledger.tables import verdict_class
from treelib.papers.across import verify
from treelib.wasm import tables

_COLAB = "https://colab.research.google.com"
_PUBLISHED = "gh-pages"  # branch that holds the built site
_LEAD_THERE = ("launch-", "source-", "repository-")  # buttons to the repository, and programs that read it
# The theme asks for the reader's colours at the end of a page: a first page would be light until then, and
# fade to dark. In the head they are known before anything is drawn.
_COLOURS = """(({dataset}) => {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  if (dataset.mode === "auto") dataset.theme = dark ? "dark" : "light";
})(document.documentElement);"""


class Names(BaseLabelStyle):
    """Labels of references as one says them: "Hu et al., 2019", with letters where two would be equal."""

    def format_labels(self, entries):
        said = [
            f"{people(plain.last_names(entry))}, {entry.fields.get('year', 'no year')}" for entry in entries
        ]
        for place, text in enumerate(said):
            twins = [i for i, other in enumerate(said) if other == text]
            yield text + (chr(ord("a") + twins.index(place)) if len(twins) > 1 else "")


class Named(Plain):
    """The references of the book, by these labels."""

    default_label_style = Names


def setup(app):
    register_plugin("pybtex.style.formatting", "named", Named)
    typography.setup(app)
    app.add_role("verdict", verdict_role)
    app.add_js_file(None, body=_COLOURS, priority=0)
    app.connect("config-inited", set_version)
    app.connect("html-page-context", offer_notebook)
    # after the theme has made its buttons
    app.connect("html-page-context", offer_colab, priority=950)
    # after every other extension has added its scripts
    app.connect("html-page-context", drop_thebe, priority=900)
    app.connect("html-page-context", flatten_modules)
    app.connect("build-finished", write_references)
    app.connect("build-finished", write_tables)
    # the chapters that let a reader verify a result name the data sets that the site then has to hold
    named = set()
    app.connect(
        "html-page-context", lambda app, page, template, context, tree: named.update(data_sets(context))
    )
    app.connect("build-finished", lambda app, exception: write_data(app, exception, named))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def set_version(app, config):
    """The version of the book is the version of the package: ``{{ version }}`` in a page."""
    config.version = config.release = treelib.__version__
    config.myst_substitutions = {**config.myst_substitutions, "version": treelib.__version__}


def offer_notebook(app, pagename, templatename, context, doctree):
    """Add the executed notebook to the downloads of a chapter; the build writes the file."""
    if context.get("page_source_suffix") == ".py":
        context["ipynb_source"] = f"{pagename}.ipynb"


def offer_colab(app, pagename, templatename, context, doctree):
    """Launch on Colab, which opens .ipynb files only: the executed one on the branch of the built site.

    As long as nothing answers at the address of the repository, no button leads there.
    """
    if not app.config.site_is_public:
        context["header_buttons"] = [
            one
            for one in context.get("header_buttons", ())
            if not one.get("label", "").startswith(_LEAD_THERE)
        ]
        return
    if "ipynb_source" not in context:
        return
    repository = app.config.html_theme_options["repository_url"].removeprefix("https://github.com/")
    url = f"{_COLAB}/github/{repository}/blob/{_PUBLISHED}/_sources/{context['ipynb_source']}"
    button = {"type": "link", "text": "Colab", "tooltip": "Launch on Colab", "url": url}
    button["icon"] = "_static/images/logo_colab.png"
    for group in context.get("header_buttons", ()):
        if group.get("label") == "launch-buttons":
            group["buttons"].append(button)


def drop_thebe(app, pagename, templatename, context, doctree):
    """Jupyter Book always loads sphinx-thebe, whose script fails on every page and names a foreign host."""
    weight.drop_scripts(context, "thebe")
    if "body" in context:
        context["body"] = re.sub(
            r'<script type="text/x-thebe-config">.*?</script>|<script>kernelName = .*?</script>',
            "",
            context["body"],
            flags=re.DOTALL,
        )
        # sphinx-proof gives the same id to every statement of a page
        context["body"] = context["body"].replace(' id="proof-content"', "")
        # a list of references whose entries have no role of their own
        context["body"] = context["body"].replace(
            '<div role="list" class="citation-list">', '<div class="citation-list">'
        )
        context["body"] = context["body"].replace(' role="doc-biblioentry"', "")  # given up by the standard


def flatten_modules(app, pagename, templatename, context, doctree):
    """The overview of the sources nests a list straight into a list, which screen readers stumble over."""
    if pagename == "_modules/index":
        heading, _, lists = context["body"].partition("<ul>")
        context["body"] = f"{heading}<ul>{re.sub('</?ul>', '', lists)}</ul>"


def verdict_role(name, source, claim, line, inliner, options=None, content=None):
    """The verdict on a claim as a coloured word that leads to it: ``{verdict}`osdt.f4.osdt.accuracy` ``."""
    found = verdict_words().get(claim)
    if found is None:
        message = inliner.reporter.error(f"no claim {claim!r} in the verdicts", line=line)
        return [inliner.problematic(source, source, message)], [message]
    target = f"../{card(claim)}"
    classes, word = verdict_class(*found).split(), words(*found)
    return [nodes.reference(source, word, refuri=target, internal=True, classes=classes)], []


@cache
def verdict_words():
    """The stored verdict on each claim, and what was fitted to it: (str, str) by id."""
    return {row["id"]: (row["verdict"], row["fitted"]) for row in verdicts.read()}


def write_references(app, exception):
    """What the figures, tables and citations of the site are called, for the notebooks to download."""
    if exception is None and app.builder.format == "html":
        text = json.dumps(plain.collect(app), indent=1, sort_keys=True)
        (Path(app.outdir).parent / plain.REFERENCES).write_text(text, encoding="utf-8")


def data_sets(context):
    """Names of the data sets that the interactive parts of a page load."""
    part = r'data-verify>.*?<script type="application/json">(.*?)</script>'
    found = re.findall(part, context.get("body", ""), flags=re.DOTALL)
    return {json.loads(text)["data"] for text in found}


def write_data(app, exception, names):
    if exception is not None or app.builder.format != "html":
        return
    folder = Path(app.outdir) / "_static" / "data"
    folder.mkdir(parents=True, exist_ok=True)
    for name in sorted(names):
        (folder / verify.data_file(name)).write_text(verify.data_script(name), encoding="utf-8")


def write_tables(app, exception):
    """The data sets that the page "Your table, here" offers, and the rules by which it reads others."""
    if exception is None and app.builder.format == "html":
        folder = Path(app.outdir) / "_static" / "wasm"
        (folder / "tables.js").write_text(tables.script(), encoding="utf-8")
        (folder / "rules.js").write_text(tables.rules(), encoding="utf-8")
