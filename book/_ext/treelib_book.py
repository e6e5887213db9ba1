"""Sphinx extension of this book: maths without a network, notebook downloads, no dead scripts."""

import json
import re
import shutil
from importlib.util import find_spec
from pathlib import Path

import typography

import treelib
from treelib.experiments import play

# written for browsers: TeX input, HTML output, and its fonts (1.5 MB of the package's 24)
_MATHJAX = ("tex-chtml.js", "output/chtml/fonts")


def setup(app):
    typography.setup(app)
    app.connect("config-inited", set_version)
    app.connect("html-page-context", offer_notebook)
    # after every other extension has added its scripts
    app.connect("html-page-context", drop_thebe, priority=900)
    app.connect("html-page-context", flatten_modules)
    app.connect("build-finished", copy_mathjax)
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
    config.mathjax_path = "mathjax/tex-chtml.js"


def offer_notebook(app, pagename, templatename, context, doctree):
    """Add the executed notebook to the downloads of a chapter; the build writes the file."""
    if context.get("page_source_suffix") == ".py":
        context["ipynb_source"] = f"{pagename}.ipynb"


def drop_thebe(app, pagename, templatename, context, doctree):
    """Jupyter Book always loads sphinx-thebe, whose script fails on every page and names a foreign host."""
    if "script_files" in context:
        context["script_files"] = [script for script in context["script_files"] if not _is_thebe(script)]
    if "body" in context:
        context["body"] = re.sub(
            r'<script type="text/x-thebe-config">.*?</script>|<script>kernelName = .*?</script>',
            "",
            context["body"],
            flags=re.DOTALL,
        )
        # a list of references whose entries have no role of their own
        context["body"] = context["body"].replace(
            '<div role="list" class="citation-list">', '<div class="citation-list">'
        )


def flatten_modules(app, pagename, templatename, context, doctree):
    """The overview of the sources nests a list straight into a list, which screen readers stumble over."""
    if pagename == "_modules/index":
        heading, _, lists = context["body"].partition("<ul>")
        context["body"] = f"{heading}<ul>{re.sub('</?ul>', '', lists)}</ul>"


def _is_thebe(script):
    attributes = getattr(script, "attributes", {})
    return "thebe" in f"{getattr(script, 'filename', script)} {attributes.get('body', '')}".lower()


def copy_mathjax(app, exception):
    if exception is not None or app.builder.format != "html":
        return
    source = Path(find_spec("sphinx-mathjax-offline").origin).parent / "static" / "mathjax"
    target = Path(app.outdir) / "_static" / "mathjax"
    for name in _MATHJAX:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (source / name).is_dir() else shutil.copyfile
        copy(source / name, target / name)


def data_sets(context):
    """Names of the data sets that the interactive parts of a page load."""
    part = r'data-play="verify">.*?<script type="application/json">(.*?)</script>'
    found = re.findall(part, context.get("body", ""), flags=re.DOTALL)
    return {json.loads(text)["data"] for text in found}


def write_data(app, exception, names):
    if exception is not None or app.builder.format != "html":
        return
    folder = Path(app.outdir) / "_static" / "data"
    folder.mkdir(parents=True, exist_ok=True)
    for name in sorted(names):
        (folder / play.data_file(name)).write_text(play.data_script(name), encoding="utf-8")
