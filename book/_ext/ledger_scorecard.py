"""HTML of the verdicts: counts, the scorecard, the claims that differ and what their causes rest on."""

from collections import Counter
from itertools import pairwise
from operator import itemgetter

import claim_words
from markupsafe import Markup
from rendering import rendered, table, verdict

from treelib.ledger import causes, claims, verdicts
from treelib.ledger.papers import groups, papers
from treelib.ledger.protocol import referee, rulebook, rules, signed
from treelib.ledger.store import releases

# what kinds of claim are counted together, and called so on all pages; claims keep the finer word
SORTS = {
    "exact": ("exact", "setting"),
    "statistical": ("statistical",),
    "timing": ("timing", "memory"),
    "statement": ("qualitative", "figure"),
}
# what is not counted, in the order in which a claim is in one of these counts
APART = ("fitted", "trivial", claims.STATED, claims.REDRAWN)
_STRONG = Markup("<strong>{}</strong>").format


def kind_of(row):
    """What the pages call the kind of a claim: a key of `SORTS`."""
    return next(sort for sort, kinds in SORTS.items() if row["kind"] in kinds)


def is_counted(row):
    """Whether a line of the table of verdicts is evidence: not stated, redrawn, fitted or trivial."""
    return _place(row) in claims.COUNTED


def _place(row):
    """The one count that a claim is in: a verdict, or "fitted" or "trivial"."""
    return "fitted" if row["fitted"] else "trivial" if row["trivial"] else row["verdict"]


def _by_verdict(rows):
    """How many claims of each counted verdict, and their sum."""
    found = Counter(map(_place, rows))
    counts = [found[word] for word in claims.COUNTED]
    return [*counts, sum(counts)]


def counts_table(rows, by, head, caption, names=None):
    """Counted claims by the value of a column and by verdict, what is not counted beside them, and all."""
    names, lines = names or {}, []
    named = kind_of if by == "kind" else itemgetter(by)
    for value in (*dict.fromkeys(map(named, rows)), None):
        some = [row for row in rows if value in (None, named(row))]
        places = Counter(map(_place, some))
        counts = [*_by_verdict(some), *(places[word] for word in APART), len(some)]
        is_sum = value is None
        lines.append(list(map(_STRONG, ["all", *counts])) if is_sum else [names.get(value, value), *counts])
    apart = [word if word in ("fitted", "trivial") else verdict(word) for word in APART]
    heads = [head, *map(verdict, claims.COUNTED), "counted", *apart, "all claims"]
    return table(heads, lines, caption=caption, numeric=range(1, len(heads)))


def headline(rows):
    """The counted claims by kind and verdict, and below them what is not counted."""
    lines = [
        [sort, *_by_verdict([row for row in rows if row["kind"] in kinds])] for sort, kinds in SORTS.items()
    ]
    lines.append(map(_STRONG, ["all", *_by_verdict(rows)]))
    heads = ["kind of claim", *map(verdict, claims.COUNTED), "all"]
    return rendered("headline", heads=heads, lines=lines, apart=Counter(map(_place, rows)))


def kind_table(rows):
    """Counted claims by paper, sort and verdict, and the shares that match and that are close."""
    lines = []
    for paper in (*dict.fromkeys(row["paper"] for row in rows), None):
        for sort, kinds in SORTS.items():
            some = [row for row in rows if paper in (None, row["paper"]) and row["kind"] in kinds]
            counts = _by_verdict(some)
            if counts[-1]:
                shares = [f"{100 * n / counts[-1]:.1f}\u202f%" for n in counts[:2]]
                lines.append([groups()[paper] if paper else "all papers", sort, *counts, *shares])
    heads = ["paper", "kind of claim", *map(verdict, claims.COUNTED), "all", "match", "close"]
    caption = "Counted claims by paper, kind and verdict; shares are of all in the line."
    return table(heads, lines, caption=caption, numeric=range(2, 9))


def scorecard(rows, site):
    """All verdicts, a part for each paper; the script beside it makes one table of pages of them.

    Parameters
    ----------
    rows : list of dict, lines of the table of verdicts
    site : citing.Site, to which a discrepancy is reported

    Returns
    -------
    str

    They stand in an element that a browser with scripts does not read: it would make forty thousand elements
    and show a hundred rows. The script takes its rows from the text of that element.
    """
    parts = {}
    for row in rows:
        parts.setdefault(groups()[row["paper"]], []).append(row)
    heads = ("claim", "verdict", "printed", "ours", "deviation", "item", "rule", "why")
    words = {"kind_of": kind_of, "also": claim_words.also, "what": claim_words.what, "why": _why}
    return rendered("scorecard", papers=parts, heads=heads, site=site, **words)


def _why(row):
    refused = row["refused_beyond"] and f"would have been refused {row['refused_beyond']}"
    return "; ".join(filter(None, (row["cause"], refused)))


def grounds(rows):
    """What the causes of differences rest on, counted."""
    differ, fitted = differences(rows)
    return rendered("grounds", n=len(differ), found=causes.count(differ), too=_fitted_too(fitted))


def differences(rows):
    """Lines of the table of verdicts that differ: those that are counted, and those that are fitted."""
    differ = [row for row in rows if row["verdict"] == claims.DIFFERS]
    return [row for row in differ if is_counted(row)], [row for row in differ if row["fitted"]]


def _fitted_too(fitted):
    """A sentence on fitted claims that differ; empty where there is none."""
    n = len(fitted)
    verbs = ("differs", "is") if n == 1 else ("differ", "are")
    return f" {n} more {verbs[0]} and {verbs[1]} fitted, so not counted." if n else ""


def differing(rows, site):
    """Claims that differ: printed, ours, why, and below it what the cause rests on; `site` takes reports.

    The counted ones are first, those that are fitted say so.
    """
    counted, fitted = differences(rows)
    lines = [(row, causes.ground(row)) for row in counted + fitted]
    return rendered("differing", rows=lines, n=len(counted), too=_fitted_too(fitted), site=site)


# ---- the protocol -----------------------------------------------------------------------------------------


def rules_list():
    """The rules and their texts, a list of definitions; how many claims each judges."""
    every = Counter(rulebook.rule_of(one)[0] for paper in papers() for one in claims.load(paper).values())
    found = [
        (
            rule,
            every[rule.name],
            [
                Markup(referee.marked(" ".join(part.split())))  # escaped there
                for part in rule.text.strip().split("\n\n")
            ],
        )
        for rule in rules.RULES.values()
    ]
    return rendered("rules", rules=found)


def choices_table(rows):
    """What was chosen by looking at printed numbers, from how many, and how many claims that fits."""
    tried = {row["choice"]: row for row in verdicts.read_choices()}
    fitted = Counter(row["fitted"] for row in rows)
    found = [(name, one, tried.get(name), fitted[name]) for name, one in rulebook.choices().items()]
    return rendered("choices", choices=found)


def signed_draws(draws, rows):
    """The signed draws, and each claim that was not agreed with beside the verdict of today."""
    n = sum(len(draw.objections()) for draw in draws)
    return rendered("signed_draws", draws=draws, answers=signed.ANSWERS, n_objections=n)


def objections(draws, rows):
    """The claims that referees did not agree with, with the verdict of today: list of dict of str."""
    today = {row["id"]: claims.words(row["verdict"], row["fitted"]) for row in rows}
    return [
        {key: row[key] for key in ("date", "name", "id", "verdict")}
        | {"today": today.get(row["id"], "taken out"), "answer": row["answer"], "because": row["because"]}
        for draw in draws
        for row in draw.objections()
    ]


# ---- releases ---------------------------------------------------------------------------------------------


def changes_tables():
    """How many verdicts changed from each release to the next and to today; the claims are in a file."""
    found = []
    for old, new, changes, after in _changes():
        turns = Counter(one.turn for one in changes)
        moved = releases.counts(changes)
        found.append((old, new, changes, len(after), moved, turns[releases.BETTER], turns[releases.WORSE]))
    return rendered("changes", changes=found, verdicts=claims.VERDICTS)


def changed_claims():
    """Each claim whose verdict or value changed between releases, list of dict of str."""
    return [
        {"from": old, "to": new, "id": one.id, "before": one.before, "after": one.after}
        | {"value_before": one.was, "value_after": one.ours}
        for old, new, found, _ in _changes()
        for one in found
    ]


def _changes():
    """(old, new, changes, state of the new one), from today backwards."""
    states = [(name, releases.read(name)) for name in releases.names()] + [("today", releases.today())]
    for (old, before), (new, after) in reversed(list(pairwise(states))):
        yield old, new, releases.changes(before, after), after
