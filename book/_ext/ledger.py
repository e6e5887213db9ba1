"""Sphinx extension of the ledger: the scorecard, a page of records for each experiment, and downloads.

Directives, for pages in Markdown: ``{verdict-headline}`` of all papers or one, ``{verdict-counts} paper`` or
``kind``, ``{verdict-shares}``, ``{verdict-grounds}``, ``{rules}``, ``{fitted-choices}``, ``{signed-draws}``,
``{scorecard}``, ``{records-index}``, ``{last-reproduction}``, ``{release-changes}``,
and for the reports ``{paper-counts} osdt``, ``{verdicts-that-differ} osdt``, ``{experiments-cost} osdt``.
Files at stable addresses: see `ledger_files`.
"""

from html import escape

import citing
import ledger_files
import ledger_html
import ledger_scorecard
from docutils import nodes
from docutils.parsers.rst import Directive

import treelib.papers  # noqa: F401, registers the experiments and verdicts
from treelib.ledger import experiments, reproduction, store, verdicts
from treelib.ledger.papers import groups
from treelib.ledger.protocol import signed
from treelib.ledger.store import releases


def setup(app):
    for name, directive in DIRECTIVES.items():
        app.add_directive(name, directive)
    app.connect("html-collect-pages", record_pages)
    app.connect("html-page-context", add_meta_tags)
    app.connect("build-finished", write_files)
    app.add_js_file("scorecard.js", loading_method="defer")
    return {"parallel_read_safe": True, "parallel_write_safe": True}


class Raw(Directive):
    """A directive whose content is HTML made from the stored verdicts and results."""

    optional_arguments = 1

    def run(self):
        self.env = self.state.document.settings.env
        self.site = citing.Site.of(self.env.config)
        for path in (verdicts.path(), reproduction.path()):
            self.env.note_dependency(str(path))
        return [nodes.raw("", self.html(self.arguments[0] if self.arguments else ""), format="html")]


class Counts(Raw):
    def html(self, by):
        by = by or "paper"
        head, caption = {
            "paper": ("paper", "Verdicts by paper."),
            "kind": ("kind of claim", "Verdicts by kind of claim."),
        }[by]
        return ledger_scorecard.counts_table(verdicts.read(), by, head, caption, groups())


class Headline(Raw):
    """The counted claims, and what is not counted; of one paper, if it is named."""

    def html(self, paper):
        return ledger_scorecard.headline([r for r in verdicts.read() if paper in ("", r["paper"])])


class Rules(Raw):
    """The rules of judging, from the module that holds them."""

    def html(self, _):
        return ledger_scorecard.rules_list()


class Choices(Raw):
    """The choices that were made by looking at printed numbers."""

    def html(self, _):
        return ledger_scorecard.choices_table(verdicts.read())


class SignedDraws(Raw):
    """What referees said of the claims that were drawn for them."""

    def html(self, _):
        return ledger_scorecard.signed_draws(signed.draws(), verdicts.read())


class Shares(Raw):
    def html(self, _):
        return ledger_scorecard.kind_table(verdicts.read())


class Grounds(Raw):
    def html(self, _):
        return ledger_scorecard.grounds(verdicts.read())


class PaperCounts(Raw):
    """Counts by kind, of one paper."""

    def html(self, paper):
        rows = [row for row in verdicts.read() if row["paper"] == paper]
        return ledger_scorecard.counts_table(rows, "kind", "kind of claim", "Verdicts by kind of claim.")


class Scorecard(Raw):
    def html(self, _):
        return ledger_scorecard.scorecard(verdicts.read(), self.site)


class Differs(Raw):
    """Claims of a paper that differ, with the cause."""

    def html(self, paper):
        rows = [row for row in verdicts.read() if row["paper"] == paper]
        return ledger_scorecard.differing(rows, self.site)


class Cost(Raw):
    """What the experiments of a paper cost."""

    def html(self, paper):
        return ledger_html.cost_table([experiments.get(name) for name in experiments.names(paper)])


class RecordsIndex(Raw):
    def html(self, _):
        return ledger_html.records_index(self.env.config.html_baseurl)


class LastReproduction(Raw):
    """What the last run of all experiments took."""

    def html(self, _):
        return ledger_html.last_reproduction(reproduction.read())


class BookBibtex(Raw):
    def html(self, _):
        entry = citing.book_bibtex(self.env.config.html_baseurl)
        return f'<pre class="bibtex" tabindex="0">{escape(entry)}</pre>'


class Changes(Raw):
    """What changed since each stored release."""

    def html(self, _):
        for name in releases.names():
            self.env.note_dependency(str(releases.folder() / f"{name}.csv"))
        return ledger_scorecard.changes_tables(self.site)


DIRECTIVES = {
    "release-changes": Changes,
    "book-bibtex": BookBibtex,
    "verdict-headline": Headline,
    "rules": Rules,
    "fitted-choices": Choices,
    "signed-draws": SignedDraws,
    "verdict-counts": Counts,
    "verdict-shares": Shares,
    "verdict-grounds": Grounds,
    "paper-counts": PaperCounts,
    "scorecard": Scorecard,
    "verdicts-that-differ": Differs,
    "experiments-cost": Cost,
    "records-index": RecordsIndex,
    "last-reproduction": LastReproduction,
}


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
    title = context.get("title") or app.config.project
    tags = citing.meta_tags(_plain(title), address) + citing.json_ld(_plain(title), address)
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


def _plain(title):
    from docutils.utils import unescape

    text = unescape(title)
    while "<" in text and ">" in text:
        before, _, rest = text.partition("<")
        text = before + rest.partition(">")[2]
    return text
