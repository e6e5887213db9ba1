"""The first page's picture and answers, from the verdicts: ``{verdict-picture}`` and ``{answers}``.

An answer is one word for many verdicts, by a rule that the page states: "yes" where at least 95 in 100 of
what could be told match, "no" where less than half do, "partly" between.
"""

from html import escape

from docutils import nodes
from docutils.parsers.rst import Directive
from ledger_scorecard import SORTS, is_counted

from treelib.ledger import claims, verdicts
from treelib.ledger.papers import papers

YES, NO = 0.95, 0.5  # shares of the claims that could be told
WORDS = {"match": "the same", "close": "close", "differs": "different", "untestable": "cannot be told here"}
NUMBERS = (*SORTS["exact"], *SORTS["statistical"])  # seconds are those of a machine
# what each paper promises, as one would ask it
PROMISES = {
    "osdt": "Can a small decision tree be the best possible one, with proof?",
    "bornagain": "Can one tree decide exactly like a whole forest?",
    "tsallis": "Can the way a tree splits and is pruned be tuned with guarantees?",
    "dyadic": "Can trees that halve intervals be optimal at every price of a leaf, quickly?",
}


def setup(app):
    app.add_directive("answers", Answers)
    app.add_directive("verdict-picture", Picture)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def told(rows, kinds):
    """Number of counted claims of some kinds by verdict, dict."""
    some = [row["verdict"] for row in rows if is_counted(row) and row["kind"] in kinds]
    return {word: some.count(word) for word in claims.COUNTED}


def answer(found):
    """ "yes", "no" or "partly" for counts by verdict; empty where nothing could be told."""
    decided = found["match"] + found["close"] + found["differs"]
    if not decided:
        return ""
    share = found["match"] / decided
    return "yes" if share >= YES else "no" if share < NO else "partly"


def sentence(found, what):
    """One sentence: the answer, and the counts it stands for."""
    decided = found["match"] + found["close"] + found["differs"]
    if not decided:
        return ""
    text = f"<strong>{answer(found).capitalize()}</strong>: of {decided} {what}, "
    text += f"{found['match']} come out the same"
    more = [f"{found['close']} close"] if found["close"] else []
    more += [f"{found['differs']} different"] if found["differs"] else []
    return f"{text}{''.join(f', {part}' for part in more)}."


def answers(rows):
    """What each paper promises, and whether that and its numbers hold, HTML of a list."""
    parts = []
    for key, paper in papers().items():
        mine = [row for row in rows if row["paper"] == key]
        link = f'<a href="../notebooks/{key}.html">{escape(paper.name)}</a>'
        read = f' (<a href="{paper.url}">paper</a>)' if paper.url else ""
        parts.append(
            f"<dt>{link}{read}: {escape(PROMISES.get(key, paper.title))}</dt>"
            f"<dd>{sentence(told(mine, SORTS['statement']), 'statements that could be tried')} "
            "Do its numbers come out? "
            f"{sentence(told(mine, NUMBERS), 'numbers')}</dd>"
        )
    return f'<dl class="answers">{"".join(parts)}</dl>'


def picture(rows):
    """A bar for each paper, its length the claims, its parts the verdicts; HTML, the style sheet draws it."""
    bars = {
        paper.name: told([row for row in rows if row["paper"] == key], (*NUMBERS, *SORTS["statement"]))
        for key, paper in papers().items()
    }
    longest = max(sum(found.values()) for found in bars.values())
    lines = []
    for name, found in bars.items():
        shares = {word: 100 * n / longest for word, n in found.items() if n}
        parts = "".join(
            f'<i class="{word}" style="width: {share:.2f}%">{found[word] if share > 5 else ""}</i>'
            for word, share in shares.items()
        )
        lines.append(f"<span>{escape(name)}</span><span>{parts}</span>")
    key = "".join(f'<span><i class="{word}"></i> {text}</span>' for word, text in WORDS.items())
    words = "; ".join(
        f"{name}: " + ", ".join(f"{n} {WORDS[word]}" for word, n in found.items())
        for name, found in bars.items()
    )
    return (
        f'<div class="verdict-picture" role="img" aria-label="What came out, by paper. {escape(words)}">'
        f'{"".join(lines)}<span></span><span class="key">{key}</span></div>'
    )


class Answers(Directive):
    def run(self):
        return _raw(self, answers(verdicts.read()))


class Picture(Directive):
    def run(self):
        return _raw(self, picture(verdicts.read()))


def _raw(directive, text):
    directive.state.document.settings.env.note_dependency(str(verdicts.path()))
    return [nodes.raw("", text, format="html")]
