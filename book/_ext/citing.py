"""How the project, its results and its pages are cited: everything comes from ``CITATION.cff``.

``python book/_ext/citing.py`` writes ``.zenodo.json`` and ``codemeta.json`` anew; a test holds them together.
"""

import json
import re
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import cache
from html import escape, unescape
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import quote

import yaml
from markupsafe import Markup
from pylatexenc.latexencode import RULE_CALLABLE, UnicodeToLatexConversionRule, UnicodeToLatexEncoder

from treelib.ledger import claims, tables
from treelib.ledger.page.place import card_page
from treelib.ledger.papers import papers

ROOT = Path(__file__).resolve().parents[2]
CHECKOUT = " (it has no public address yet)"  # what a citation says as long as the site has no address


@cache
def source():
    """The content of ``CITATION.cff``, dict."""
    found = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    return {**found, "date-released": str(found["date-released"])}


def paper_link(group):
    """The title of a paper with its address, or the title of this book, HTML."""
    title = Markup("<em>{}</em>").format(title_of(group))
    url = papers()[group].url if group in papers() else ""
    return Markup('<a href="{}">{}</a>').format(url, title) if url else title


def title_of(group):
    """What an experiment belongs to: the title of the paper, or that of this book."""
    return papers()[group].title if group in papers() else source()["title"]


def people(names):
    """Authors as a sentence names them: "Vidal et al.", "Hush and Porter"."""
    last = [name.split()[-1] for name in names]
    return f"{last[0]} et al." if len(last) > 2 else " and ".join(last)


def authors_of(entry):
    """Names of the authors as "Given Family", list of str."""
    return [a.get("name") or f"{a['given-names']} {a['family-names']}" for a in entry["authors"]]


def year():
    return date.fromisoformat(source()["date-released"]).year


def zenodo():
    """The metadata that Zenodo reads from ``.zenodo.json``, dict."""
    cff = source()
    return {
        "title": cff["title"],
        "upload_type": "software",
        "version": str(cff["version"]),
        "publication_date": cff["date-released"],
        "description": cff["abstract"],
        "creators": [{"name": name} for name in authors_of(cff)],
        "license": cff["license"],
        "keywords": cff["keywords"],
        "related_identifiers": [
            {"identifier": paper.url, "relation": "isDerivedFrom", "resource_type": "publication-article"}
            for paper in papers().values()
            if paper.url
        ],
    }


def codemeta():
    """The metadata of the software in the terms of CodeMeta, dict: ``codemeta.json``."""
    cff = source()
    return {
        "@context": "https://w3id.org/codemeta/3.0",
        "type": "SoftwareSourceCode",
        "name": cff["title"],
        "description": cff["abstract"],
        "version": str(cff["version"]),
        "datePublished": cff["date-released"],
        "author": [{"type": "Organization", "name": name} for name in authors_of(cff)],
        "license": f"https://spdx.org/licenses/{cff['license']}",
        "keywords": cff["keywords"],
        "programmingLanguage": "Python",
        "runtimePlatform": "Python 3.10 or later",
        "referencePublication": [
            {"type": "ScholarlyArticle", "name": paper.title, **({"id": paper.url} if paper.url else {})}
            for paper in papers().values()
        ],
    }


def addresses(config):
    """Addresses of the site and of the repository, no slash at the end; both empty until they answer.

    config : dict, what ``_config.yml`` says
    """
    if not config["sphinx"]["config"]["site_is_public"]:
        return "", ""
    return config["html"]["baseurl"].rstrip("/"), config["repository"]["url"].rstrip("/")


def book_bibtex(base):
    """The entry for BibTeX of the book as a whole; `base` is the address of the site, or empty."""
    cff = source()
    fields = {
        "title": cff["title"],
        "note": f"Executable book and software, version {cff['version']}{'' if base else CHECKOUT}",
        "year": year(),
        **({"url": f"{base.rstrip('/')}/"} if base else {}),
    }
    return _entry("treelib.book", fields)


def json_ld(title, address):
    """A page in the terms of schema.org, as the script element that search engines read, HTML.

    title : str
    address : str, empty where the site has none
    """
    cff = source()
    found = {
        "@context": "https://schema.org",
        "@type": "Chapter",
        "name": title,
        **({"url": address} if address else {}),
        "inLanguage": "en",
        "datePublished": cff["date-released"],
        "author": [{"@type": "Organization", "name": name} for name in authors_of(cff)],
        "license": "https://creativecommons.org/licenses/by/4.0/",
        "isPartOf": {"@type": "Book", "name": cff["title"], "version": str(cff["version"])},
    }
    text = json.dumps(found, ensure_ascii=False).replace("</", "<\\/")
    return f'<script type="application/ld+json">{text}</script>'


def _entry(key, fields):
    """An entry for BibTeX by the authors of this book: `fields` are plain text, but for the address."""
    authors = " and ".join("{" + latex(name) + "}" for name in authors_of(source()))
    told = {name: value if name == "url" else latex(str(value)) for name, value in fields.items()}
    told |= {"title": "{" + told["title"] + "}"}  # styles take the capitals of other titles away
    lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in {"author": authors, **told}.items())
    return f"@misc{{{key},\n{lines}\n}}"


_ACCENTS = {
    "\u0302": "hat",
    "\u0303": "tilde",
    "\u0304": "bar",
    "\u0307": "dot",
}  # over a letter of a formula


def _accented(text, place):
    """A letter with an accent that is a sign of its own: pylatexenc knows those that are one sign."""
    accent = _ACCENTS.get(text[place + 1 : place + 2])
    return (2, rf"\ensuremath{{\{accent}{{{latex(text[place])}}}}}") if accent else None


_ENCODER = UnicodeToLatexEncoder(
    non_ascii_only=False,
    conversion_rules=[UnicodeToLatexConversionRule(RULE_CALLABLE, _accented), "defaults"],
    unknown_char_policy="fail",
)


def latex(text):
    """`text` in plain ASCII for LaTeX: its special signs, letters and dashes as commands."""
    return _ENCODER.unicode_to_latex(text)


@dataclass(frozen=True)
class Result:
    """A table or figure of a paper, reproduced: what somebody may want to cite.

    Attributes
    ----------
    id : str, ``<paper>.<table or figure>``, for ever the same; with its cell, one number
    paper : str
    item : str, "Table 2"
    part : str, row and column of one number, else empty
    finding : str, of one number what came out, see `finding`; else empty
    """

    id: str
    paper: str
    item: str
    part: str = ""
    finding: str = ""

    def text(self, base):
        """The citation as a sentence; `base` is the address of the site, or empty."""
        cff = source()
        return (
            f"{', '.join(authors_of(cff))} ({year()}). {self._original()}. In: {cff['title']}"
            f"{'' if base else CHECKOUT}. {self._note()}." + (f" {self.address(base)}" if base else "")
        )

    def _note(self):
        """What was found, and where it is: with what the version is of."""
        place = f"treelib companion {source()['version']}, result {self.id}"
        return f"{self.finding}, {place}" if self.finding else f"{place[0].upper()}{place[1:]}"

    def _original(self):
        if self.paper not in papers():
            return self.item
        paper = papers()[self.paper]
        place = f"{self.item} ({self.part})" if self.part else self.item
        where = f", {paper.place}" if paper.arxiv or paper.doi else f", {paper.venue}" if paper.venue else ""
        again = "" if self.finding else ", reproduced"
        return f"{place} of {', '.join(paper.authors)} ({paper.year}), {paper.title}{where}{again}"

    def bibtex(self, base):
        """The citation as an entry for BibTeX."""
        cff = source()
        fields = {
            "title": self._original(),
            "howpublished": f"{cff['title']}{'' if base else CHECKOUT}",
            "note": self._note(),
            "year": year(),
            **({"url": self.address(base)} if base else {}),
        }
        return _entry(f"treelib.{self.id}", fields)

    def address(self, base):
        return f"{base.rstrip('/')}/{self.card()}"

    def card(self):
        """Address of its card within the site; what is no item of a paper is shown with its records."""
        if self.paper not in papers() or not any(
            one.startswith(f"{self.id}.") or one == self.id for one in claims.load(self.paper)
        ):
            return f"book/records.html#{self.id}"
        anchor = f"#{self.id}" if self.id in claims.load(self.paper) else ""
        return f"{card_page(self.id)}.html{anchor}"


_FOUND = {
    claims.MATCH: "Reproduced",
    claims.CLOSE: "Nearly reproduced",
    claims.DIFFERS: "Not reproduced",
    claims.UNTESTABLE: "Not decided",
    claims.STATED: "Taken over",
    claims.REDRAWN: "Redrawn",
}


_SHORT = 60  # characters of a value that a citation holds: a number, not a sentence


def finding(row):
    """What came out of one claim, as one cites it: "Reproduced: 66.90 % (printed 66.90 %), match".

    row : dict, a line of the table of verdicts
    """
    verdict, values = claims.words(row["verdict"], row["fitted"]), ""
    if row["printed"] and len(row["printed"]) <= _SHORT >= len(row["ours"]):
        printed = _as_text(tables.printed_text(claims.find(row["id"])))
        ours = _as_text(ours_html(row)) if row["ours"] else ""
        values = f"{ours} (printed {printed})" if ours else f"printed {printed}"
    return f"{_FOUND[row['verdict']]}: {', '.join(filter(None, [values, verdict]))}"


def ours_html(row):
    """Our value at the digits that the paper prints, with its unit, HTML."""
    number = _number(row["ours"])
    ours = row["ours"] or None if number is None else number
    found = SimpleNamespace(claim=claims.find(row["id"]), ours=ours, verdict=row["verdict"])
    return Markup(tables.ours_text(found))


def _number(text):
    """The number that a text is, Fraction; None of other texts."""
    try:
        return Fraction(text)
    except ValueError:
        return None


def _as_text(html):
    """A value of a table as it is typed: powers with a caret, blanks of one kind."""
    text = re.sub(r"<sup>(.*?)</sup>", r"^\1", html)
    return unescape(re.sub(r"<[^>]*>", "", text)).replace("\u202f", " ").replace("\xa0", " ")


def report_text(row):
    """What somebody sends who doubts a number: the claim, its record, and room for what they find.

    row : dict, a line of the table of verdicts
    """
    record = " ".join(filter(None, [row["experiment"], row["key"]])) or f"counted by {row['check']}"
    verdict = claims.words(row["verdict"], row["fitted"])
    return (
        f"Discrepancy: {row['id']} ({row['item']})\n"
        f"Printed: {row['printed'] or 'a statement'} {row['unit']}\n"
        f"On the site: {row['ours'] or 'no value'}, verdict {verdict}, rule {row['rule']}\n"
        f"Record: {record}\nVersion: {source()['version']}\n\nWhat I find instead, and how:\n"
    )


@dataclass(frozen=True)
class Site:
    """Where the site stands, and how one reports that a result is wrong.

    Attributes
    ----------
    base, repository : str, addresses, empty until something answers there; a report is then a text on the
        claim's card, to be copied and sent to whoever passed the site on
    """

    base: str = ""
    repository: str = ""

    @classmethod
    def of(cls, config):
        """The site that Sphinx builds with this configuration."""
        if not config.site_is_public:
            return cls()
        return cls(config.html_baseurl, config.html_theme_options["repository_url"].rstrip("/"))

    def report(self, row):
        """Address of a new issue that says already which number is meant, str; empty without a repository.

        row : dict, a line of the table of verdicts
        """
        if not self.repository:
            return ""
        title, body = quote(f"Discrepancy: {row['id']}", safe=""), quote(report_text(row), safe="")
        return f"{self.repository}/issues/new?title={title}&body={body}"

    def flag(self, row):
        """The report as a sign beside a verdict, HTML; nothing where it leads nowhere: the verdict leads to
        the card, which has the text of a report."""
        if not self.repository:
            return ""
        return Markup(
            '<a class="report" href="{}" rel="nofollow" title="report a discrepancy of {}"></a>'
        ).format(self.report(row), row["id"])


@cache
def results(paper):
    """The tables and figures of a paper, list of `Result`, tables first."""
    found = {}
    for claim in claims.load(paper).values() if paper in papers() else ():
        key = claim.id.split(".")[1]
        if key[0] in "tf" and key[1:].isdigit():
            kind = "Table" if key[0] == "t" else "Figure"
            found[key] = Result(f"{paper}.{key}", paper, f"{kind} {key[1:]}")
    return sorted(found.values(), key=lambda r: (r.item[0] == "F", int(r.item.split()[1])))


def meta_tags(title, address):
    """Highwire and Dublin Core tags of a page, HTML; `address` is empty where the site has none."""
    cff = source()
    day = date.fromisoformat(cff["date-released"])
    tags = [("citation_title", title), *(("citation_author", name) for name in authors_of(cff))]
    tags += [("citation_publication_date", f"{day:%Y/%m/%d}"), ("citation_inbook_title", cff["title"])]
    tags += [("citation_public_url", address)] * bool(address) + [("citation_language", "en")]
    tags += [("DC.title", title), *(("DC.creator", name) for name in authors_of(cff))]
    tags += [("DC.date", str(day)), ("DC.language", "en"), *[("DC.identifier", address)] * bool(address)]
    tags += [("DC.isPartOf", cff["title"]), ("DC.rights", "https://creativecommons.org/licenses/by/4.0/")]
    return "\n".join(f'<meta name="{name}" content="{escape(value)}" />' for name, value in tags)


def main():
    for name, found in ((".zenodo.json", zenodo()), ("codemeta.json", codemeta())):
        (ROOT / name).write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
