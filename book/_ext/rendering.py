"""HTML from the templates in ``templates``: text is escaped there, and what a template calls is here."""

import json
import re
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from treelib.ledger import claims, tables
from treelib.ledger.page.place import card, card_page
from treelib.ledger.protocol.digits import grouped, significant

MOST = 3000  # characters of a result that a page of records shows on demand; the record's own file has all


def rendered(name, **facts):
    """HTML of a template, without the breaks before and behind it."""
    return _environment().get_template(f"{name}.html").render(facts).strip()


def table(heads, rows, classes="", caption="", numeric=()):
    """A table; `numeric` are the places of the columns to be set flush right."""
    return str(_environment().get_template("parts.html").module.table(heads, rows, classes, caption, numeric))


def verdict(word, fitted=""):
    """A verdict as a coloured word."""
    return Markup(tables.verdict_html(word, fitted))


def verdict_link(word, fitted, address):
    return Markup(tables.verdict_link(word, fitted, address))


def record(row):
    """Where the record, or the records, that a line of the table of verdicts rests on are shown."""
    return f"../records/{row['experiment']}.html" + (f"#r{row['key']}" if row["key"] else "")


def breakable(text, every=0):
    """Long names may be broken at dots and underscores, digests every so many characters."""
    pieces = re.findall(f".{{1,{every}}}", text) if every else re.split(r"(?<=[._])", text)
    return Markup("<wbr>").join(pieces)


def folded(text, length):
    """A text; of a long one what stands behind about `length` characters opens on demand."""
    if len(text) <= 1.5 * length:
        return escape(text)
    end = next(
        (place for mark in ("; ", ", ", " ") if (place := text.rfind(mark, length // 2, length)) > 0), length
    )
    head, rest = text[: end + 1].rstrip(), text[end + 1 :].lstrip()
    return escape(head) + Markup(' <details class="more"><summary>the rest</summary>{}</details>').format(
        rest
    )


def percent(deviation):
    """A deviation of the table of verdicts, a share or empty, as a reader expects it."""
    text = f"{100 * float(deviation):+.3g}\u202f%" if deviation else ""
    return "0" if text.startswith("+0\u202f") else text


def rounded(text):
    """A number for comparison by eye: six significant digits; words as they are."""
    try:
        return significant(text, 6) if "." in text else grouped(text)
    except ValueError:
        return text


def pairs(values):
    """Names and values, those that are None left out."""
    return "; ".join(f"{name}: {value}" for name, value in values.items() if value is not None)


def told(result):
    """A stored result in one line: single values, then those one level below, then lists; at most `MOST`
    characters."""
    text = _in_line(result)
    return text if len(text) <= MOST else f"{text[: MOST - 1]}…"


def _in_line(result):
    if isinstance(result, list):
        return f"{len(result)} rows; {_in_line(result[0])}"
    listed = {name: value for name, value in result.items() if isinstance(value, list)}
    inner = {
        f"{name}.{key}": one
        for name, some in result.items()
        if isinstance(some, dict)
        for key, one in some.items()
    }
    single = {
        name: f"{one:.6g}" if isinstance(one, float) else one
        for name, one in (result | inner).items()
        if not isinstance(one, dict | list)
    }
    return pairs(single | {name: _listed(value) for name, value in listed.items()})


def _listed(values):
    """A list as it is where it is short, else how long it is."""
    text = json.dumps(values)
    return text if len(text) <= 80 else f"a list of {len(values)}"


def versions(packages):
    return ", ".join(f"{name} {version}" for name, version in packages.items())


@cache
def _environment():
    found = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    calls = (breakable, card, card_page, folded, grouped, pairs, percent, record, rounded, told)
    calls += (verdict, verdict_link, versions, claims.words)
    found.filters |= {one.__name__: one for one in calls}
    return found
