"""The first page's picture and answers, from the verdicts: ``{verdict-picture}`` and ``{answers}``.

An answer is a written sentence, and it rests on verdicts: the site is not built when one of them is another.
The tally beside it is of the claims that are counted, as in the picture and in every table.
"""

from dataclasses import dataclass
from html import escape

from docutils import nodes
from docutils.parsers.rst import Directive
from ledger_scorecard import is_counted

from treelib.ledger import claims, verdicts
from treelib.ledger.papers import papers

WORDS = {"match": "match", "close": "close", "differs": "differ", "untestable": "untestable"}


@dataclass(frozen=True)
class Answer:
    """What a paper promises, as one would ask it; the answer; the verdicts that it rests on, by claim."""

    question: str
    text: str
    rests_on: dict


ANSWERS = {
    "osdt": Answer(
        "Can a small decision tree be the best possible one, with proof?",
        "Yes: wherever all trees can be listed, none of the size of its tree or smaller makes fewer errors, "
        "and a tree of five leaves is proved optimal on the recidivism data.",
        {"osdt.sl.certificate.claim": claims.MATCH, "osdt.f4.osdt.accuracy": claims.MATCH},
    ),
    "bornagain": Answer(
        "Can one tree decide exactly like a whole forest?",
        "Yes: each tree is proved to decide as its forest does everywhere, and to be the smallest that does.",
        {
            "bornagain.s0.abstract.claim": claims.MATCH,
            "bornagain.s4-4.faithfulness.equal-accuracy": claims.MATCH,
        },
    ),
    "tsallis": Answer(
        "Can the way a tree splits and is pruned be tuned with guarantees?",
        "Partly: the best price of a leaf for given data can be found exactly. Whether the tuned criteria "
        "beat the usual ones on all data sets, our draws cannot tell.",
        {"tsallis.s4.mccp.objective": claims.MATCH, "tsallis.s9.tuning.claim": claims.UNTESTABLE},
    ),
    "dyadic": Answer(
        "Can trees that halve intervals be optimal at every price of a leaf, quickly?",
        "Yes for every price: a finite list of prices misses no optimal tree. How quickly cannot be told "
        "from the seconds of another machine.",
        {"dyadic.s0.abstract.claim": claims.MATCH, "dyadic.s4.lambda-list.complete": claims.MATCH},
    ),
}


def setup(app):
    app.add_directive("answers", Answers)
    app.add_directive("verdict-picture", Picture)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def counted(rows):
    """Number of counted claims by verdict, dict."""
    some = [row["verdict"] for row in rows if is_counted(row)]
    return {word: some.count(word) for word in claims.COUNTED}


def tally(found):
    """The counts as a sentence."""
    return f"Claims checked: {', '.join(f'{n} {WORDS[word]}' for word, n in found.items() if n)}."


def answers(rows):
    """What each paper promises, whether it holds, and how its claims came out, HTML of a list.

    Raises
    ------
    ValueError
        An answer rests on a verdict that is not so any more.
    """
    today, parts = {row["id"]: row["verdict"] for row in rows}, []
    for key, paper in papers().items():
        answer = ANSWERS.get(key, Answer(paper.title, "", {}))
        other = [claim for claim, verdict in answer.rests_on.items() if today.get(claim) != verdict]
        if other:
            raise ValueError(f"The answer of {key} rests on {', '.join(other)}: its verdict is another now.")
        mine = [row for row in rows if row["paper"] == key]
        link = f'<a href="../notebooks/{key}.html">{escape(paper.name)}</a>'
        read = f' (<a href="{paper.url}">paper</a>)' if paper.url else ""
        word, mark, rest = answer.text.partition(":")
        parts.append(
            f"<dt>{link}{read}: {escape(answer.question)}</dt>"
            f"<dd><p><strong>{escape(word)}</strong>{escape(mark + rest)}</p>"
            f'<p class="tally">{tally(counted(mine))}</p></dd>'
        )
    return f'<dl class="answers">{"".join(parts)}</dl>'


def picture(rows):
    """A bar for each paper, its length the claims, its parts the verdicts; HTML, the style sheet draws it."""
    bars = {
        paper.name: counted([row for row in rows if row["paper"] == key]) for key, paper in papers().items()
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
