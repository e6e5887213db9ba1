"""The first page's picture and answers, from the findings: ``{verdict-picture}`` and ``{answers}``."""

from html import escape

import ledger_findings
from docutils import nodes
from docutils.parsers.rst import Directive

from treelib.datasets.files import data_root
from treelib.ledger.page import findings
from treelib.ledger.papers import papers

# what a paper promises, as one would ask it
QUESTIONS = {
    "osdt": "Can a small decision tree be the best possible one, with proof?",
    "bornagain": "Can one tree decide exactly like a whole forest?",
    "tsallis": "Can the way a tree splits and is pruned be tuned with guarantees?",
    "dyadic": "Can trees that halve intervals be optimal at every leaf penalty, quickly?",
}


def setup(app):
    app.add_directive("answers", Answers)
    app.add_directive("verdict-picture", Picture)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def answers():
    """What each paper promises, the findings that matter most, and how all came out: HTML of a list."""
    parts = []
    for key, paper in papers().items():
        link = f'<a href="../notebooks/{key}.html">{escape(paper.name)}</a>'
        read = f' (<a href="{paper.url}">paper</a>)' if paper.url else ""
        parts.append(
            f"<dt>{link}{read}: {escape(QUESTIONS.get(key, paper.title))}</dt>"
            f"<dd>{ledger_findings.first_findings(key)}"
            f'<p class="tally">{escape(ledger_findings.tally(key))}.</p></dd>'
        )
    return f'<dl class="answers">{"".join(parts)}</dl>'


def picture():
    """A bar for each paper, its parts the words on its findings; HTML, the style sheet draws it."""
    bars = {paper.name: findings.counted(key) for key, paper in papers().items()}
    longest = max(sum(found.values()) for found in bars.values())
    lines = []
    for name, found in bars.items():
        parts = "".join(
            f'<i class="{findings.WORDS[word]}" style="width: {100 * n / longest:.2f}%">{n}</i>'
            for word, n in found.items()
            if n
        )
        lines.append(f"<span>{escape(name)}</span><span>{parts}</span>")
    key = "".join(f'<span><i class="{css}"></i> {word}</span>' for word, css in findings.WORDS.items())
    words = "; ".join(
        f"{name}: " + ", ".join(f"{n} {word}" for word, n in found.items()) for name, found in bars.items()
    )
    return (
        f'<div class="verdict-picture" role="img" aria-label="What came out, by paper. {escape(words)}">'
        f'{"".join(lines)}<span></span><span class="key">{key}</span></div>'
    )


class Answers(Directive):
    def run(self):
        return _raw(self, answers())


class Picture(Directive):
    def run(self):
        return _raw(self, picture())


def _raw(directive, text):
    for name in ("claims", "results"):
        env = directive.state.document.settings.env
        env.note_dependency(str(data_root() / name / "findings.csv"))
    return [nodes.raw("", text, format="html")]
