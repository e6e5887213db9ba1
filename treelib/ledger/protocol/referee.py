"""Sheets for a referee: claims drawn at random, one page each, to be checked against the paper and signed.

A sheet needs nothing but itself: no script, no picture, no style from elsewhere. A browser prints it, one
claim a page.
"""

import random
import re
from html import escape
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from treelib.compiled import sources
from treelib.ledger import claims, experiments, store, verdicts
from treelib.ledger.papers import papers as all_papers
from treelib.ledger.protocol import marks, signed
from treelib.ledger.protocol.digits import grouped, significant
from treelib.ledger.store.running import commit

_FEW = 3  # data sets that a sheet names


def draw(rows, sample, seed):
    """A random choice of counted claims, the same for the same seed and claims.

    Parameters
    ----------
    rows : list of dict of str, lines of the table of verdicts
    sample : int, how many
    seed : int

    Returns
    -------
    list of dict of str, in the order of the table

    Raises
    ------
    ValueError
        There are fewer counted claims than that.
    """
    apart = ("fitted", "trivial")
    counted = [
        row for row in rows if row["verdict"] in claims.COUNTED and not any(row[name] for name in apart)
    ]
    if not 1 <= sample <= len(counted):
        raise ValueError(
            f"--sample {sample}: there are {len(counted)} counted claims, draw 1 to {len(counted)}."
        )
    places = sorted(random.Random(seed).sample(range(len(counted)), sample))
    return [counted[place] for place in places]


def sheet(rows, seed, state=""):
    """The pages of the drawn claims as one HTML document.

    Parameters
    ----------
    rows : list of dict of str, of `draw`
    seed : int, of the draw
    state : str, commit of the sources, or empty
    """
    counts = ", ".join(f"{sum(row['verdict'] == word for row in rows)} {word}" for word in claims.COUNTED)
    folder = FileSystemLoader(Path(__file__).parent)
    page = Environment(loader=folder, autoescape=True, undefined=StrictUndefined).get_template("sheets.html")
    return page.render(rows=rows, seed=seed, state=state, counts=counts, facts=facts, marked=marked)


def write(path, rows, seed):
    """Write the sheets, and the form to fill in beside them (its name ends in ``.csv``): two Paths.

    Raises
    ------
    ValueError
        The name of the sheets ends in ``.csv`` itself.
    """
    path = Path(path)
    beside = path.with_suffix(".csv")
    if path == beside:
        raise ValueError(f"--out {path}: the sheets are HTML; the form beside them is {beside}.")
    of_sources = commit()
    path.write_text(sheet(rows, seed, of_sources), encoding="utf-8")
    beside.write_text(signed.form(rows, seed, of_sources), encoding="utf-8")
    return path, beside


MOST_WORDS = 120  # of a sheet, with its heads and the verdict; the claim's card has all of them


def facts(row):
    """What a referee has to know of a verdict: list of (name, text), at most 120 words.

    Short texts are whole: what is too much is cut off the longest.

    Parameters
    ----------
    row : dict of str, a line of the table of verdicts
    """
    claim = claims.find(row["id"])
    place = ", ".join(part for part in (claim.item, claim.row, claim.column) if part)
    unit = "" if claim.unit in ("1", "none") else f" {claim.unit}"
    value = f"{grouped(claim.value)}{unit}" if claim.value else "a statement"
    name = row["rule"].partition(":")[0].strip()
    found = {
        "Printed": f"{value} ({place}). {claim.note}",
        "Ours": f"{_shown(row['ours'])}{unit if row['ours'] and claim.value else ''}" or "not found",
        "How": f"by `{name}`, {_judge(row)}; {_record(row)}",
        "Refused": _refused(row, name),
        "Because": row["cause"],
    }
    texts = {head: text.split() for head, text in found.items() if text.strip()}
    room = MOST_WORDS - len(row["verdict"].split()) - len(texts)
    while sum(map(len, texts.values())) > room:
        longest = max(texts, key=lambda head: len(texts[head]))
        texts[longest] = [*texts[longest][:-2], "…"]
    return [(head, " ".join(words)) for head, words in texts.items()]


def _refused(row, rule):
    """What the rule would have refused, and whose value that is."""
    if not row["refused_beyond"]:
        return "nothing: ours is only shown beside" if row["verdict"] == claims.UNTESTABLE else "not said"
    whose = {"sampling": "a printed value ", "printed digits": "ours ", "cut digits": "ours "}
    return whose.get(rule, "") + row["refused_beyond"]


def _shown(text):
    """A number with six significant digits; of a statement, what failed first; other texts as they are."""
    if re.fullmatch(r"-?\d+\.\d+", text):
        return significant(text, 6)
    held = re.compile(r"holds in (\S+) of \1 cases")
    return grouped("; ".join(sorted(text.split("; "), key=lambda part: held.match(part) is not None)))


def _judge(row):
    """The function that decides, with its file and line."""
    experiments.find(row["paper"])
    judge = marks.JUDGES.get(row["check"])
    return f"{row['check']}, {_below_package(judge.file)}:{judge.line}" if judge else row["check"]


def _below_package(path):
    """Path of a source file from ``treelib`` on, so that no sheet names the machine."""
    path = Path(path)
    root = sources.PACKAGE.parent
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name


def _record(row):
    """How ours was computed: the command that runs it again, the data and the seeds of this claim's cases."""
    if not row["experiment"]:
        return "computed anew with each verdict"
    records = list(store.kept(row["experiment"]).values())
    if row["key"]:
        records = [one for one in records if one["key"] == row["key"]] or records
    parts = set(row["id"].split("."))
    mine = [one for one in records if parts & {str(value).lower() for value in one["case"].values()}]
    ran = [one["provenance"] for one in mine or records]
    data = sorted({name for one in ran for name in one["data"]})
    seeds = {str(one["seed"]) for one in ran if one["seed"] is not None}
    told = [f"treelib reproduce {row['experiment']}"]
    told += [f"data {_some(data)}"] * bool(data) + [f"{len(seeds)} seeds"] * bool(seeds)
    return ", ".join(told)


def marked(text):
    """HTML of a text, words between single backquotes as code."""
    parts = escape(text, quote=False).split("`")
    last = len(parts) - 1
    return "".join(f"<code>{part}</code>" if i % 2 and i < last else part for i, part in enumerate(parts))


def _some(names):
    """A few names, and how many more there are."""
    more = f" and {len(names) - _FEW} more" if len(names) > _FEW else ""
    return ", ".join(names[:_FEW]) + more


def of_papers(papers):
    """Lines of the table of verdicts of some papers, all where none is named."""
    for paper in papers:
        if paper not in all_papers():
            raise ValueError(f"--paper {paper}: there are {', '.join(all_papers())}.")
    return [row for row in verdicts.read() if not papers or row["paper"] in papers]
