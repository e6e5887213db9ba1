"""Sphinx extension of the ledger: the scorecard, a page of records for each experiment, and downloads.

Directives, for pages in Markdown, are those of `DIRECTIVES`; the comment ``<!-- all-numbers osdt -->``
becomes the tables of a paper in Markdown.
Files at stable addresses: see `ledger_files`.
"""

import re
from html import escape

import citing
import ledger_files
import ledger_findings
import ledger_html
import ledger_scorecard
from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.utils import unescape

import treelib.papers  # noqa: F401, registers the experiments and verdicts
from treelib.datasets.files import data_root
from treelib.ledger import experiments, reproduction, store, verdicts
from treelib.ledger.page.numbers import all_numbers
from treelib.ledger.papers import groups
from treelib.ledger.protocol import signed
from treelib.ledger.store import releases


def setup(app):
    for name in DIRECTIVES:
        app.add_directive(name, Raw)
    app.connect("source-read", put_numbers)
    app.connect("html-collect-pages", record_pages)
    app.connect("html-page-context", add_meta_tags)
    app.connect("build-finished", write_files)
    app.add_js_file("words.js", loading_method="defer")
    app.add_js_file("scorecard.js", loading_method="defer")
    return {"parallel_read_safe": True, "parallel_write_safe": True}


class Raw(Directive):
    """A directive whose content is HTML made from the stored verdicts and results, see `DIRECTIVES`."""

    optional_arguments = 1

    def run(self):
        env = self.state.document.settings.env
        kept = [data_root() / name / "findings.csv" for name in ("claims", "results")]
        for path in (verdicts.path(), reproduction.path(), *kept):
            env.note_dependency(str(path))
        html = DIRECTIVES[self.name](self.arguments[0] if self.arguments else "", env)
        return [nodes.raw("", html, format="html")]


def rows_of(paper):
    """Lines of the table of verdicts, of one paper if it is named."""
    return [row for row in verdicts.read() if paper in ("", row["paper"])]


def counts(by, _):
    by = by or "paper"
    head = {"paper": "paper", "kind": "kind of claim"}[by]
    return ledger_scorecard.counts_table(verdicts.read(), by, head, f"Verdicts by {head}.", groups())


def paper_counts(paper, _):
    rows = rows_of(paper)
    return ledger_scorecard.counts_table(rows, "kind", "kind of claim", "Verdicts by kind of claim.")


def cost(paper, _):
    return ledger_html.cost_table([experiments.get(name) for name in experiments.names(paper)])


def bibtex(_, env):
    return f'<pre class="bibtex" tabindex="0">{escape(citing.book_bibtex(env.config.html_baseurl))}</pre>'


def changes(_, env):
    for name in releases.names():
        env.note_dependency(str(releases.folder() / f"{name}.csv"))
    return ledger_scorecard.changes_tables()


# name of a directive to a function of its argument and of Sphinx's environment that makes the HTML
DIRECTIVES = {
    "answers": lambda *_: ledger_findings.answers(),
    "verdict-picture": lambda *_: ledger_findings.picture(),
    "release-changes": changes,
    "book-bibtex": bibtex,
    "verdict-headline": lambda paper, _: ledger_scorecard.headline(rows_of(paper)),
    "findings": lambda paper, _: ledger_findings.findings_tables(paper),
    "open-claims": lambda *_: ledger_findings.open_claims(),
    "cells-by-table": lambda *_: ledger_findings.cells_by_table(),
    "rules": lambda *_: ledger_scorecard.rules_list(),
    "fitted-choices": lambda *_: ledger_scorecard.choices_table(verdicts.read()),
    "signed-draws": lambda *_: ledger_scorecard.signed_draws(signed.draws(), verdicts.read()),
    "verdict-counts": counts,
    "verdict-shares": lambda *_: ledger_scorecard.kind_table(verdicts.read()),
    "verdict-grounds": lambda *_: ledger_scorecard.grounds(verdicts.read()),
    "paper-counts": paper_counts,
    "scorecard": lambda _, env: ledger_scorecard.scorecard(verdicts.read(), citing.Site.of(env.config)),
    "verdicts-that-differ": lambda paper, env: ledger_scorecard.differing(
        rows_of(paper), citing.Site.of(env.config)
    ),
    "experiments-cost": cost,
    "records-index": lambda _, env: ledger_html.records_index(env.config.html_baseurl),
    "last-reproduction": lambda *_: ledger_html.last_reproduction(reproduction.read()),
}


def put_numbers(app, page, source):
    """The tables of a paper where the page asks for them; headings in a directive would not be sections."""
    source[0] = re.sub("<!-- all-numbers (.*) -->", lambda found: all_numbers(found[1]), source[0])


def record_pages(app):
    """A page for each experiment, below ``records/``."""
    for name in experiments.names():
        experiment = experiments.get(name)
        body = ledger_html.record_page(experiment, app.config.html_baseurl)
        yield f"records/{name}", {"title": f"Records of {name}", "body": body}, "page.html"


def add_meta_tags(app, pagename, templatename, context, doctree):
    """What reference managers and search engines read: Highwire and Dublin Core tags, JSON-LD."""
    base = app.config.html_baseurl
    address = f"{base.rstrip('/')}/{pagename}.html" if base else ""
    title = re.sub(r"<[^>]*>", "", unescape(context.get("title") or app.config.project))
    tags = citing.meta_tags(title, address) + citing.json_ld(title, address)
    context["metatags"] = context.get("metatags", "") + tags


def write_files(app, exception):
    if exception is None and app.builder.format == "html":
        ledger_files.write(app.outdir, app.config.html_baseurl)


def stale():
    """Names of experiments whose committed results do not belong to the sources any more, or not in full."""
    found = []
    for name in experiments.names():
        state = store.status(name)
        if state["stale"] or (state["fresh"] and state["missing"]):
            found.append(name)
    return found
