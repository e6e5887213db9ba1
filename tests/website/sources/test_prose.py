"""Prose has no typed numbers: what is computed can change, and then the sentence is wrong."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

# what may hold digits: code, formulas, roles, links and comments of Markdown ...
_NOT_PROSE = [
    r"^---\n.*?\n---\n",  # front matter
    r"```.*?```",
    r":::.*?:::",
    r"\$\$.*?\$\$",
    r"\$[^$]{1,300}\$(?:/\d+)?",
    r"\b3-SAT\b",
    r"\{[\w:-]+\}`[^`]*`",
    r"`[^`]*`",
    r"<[^>]*>",
    r"\]\([^)]*\)",
    r"https?://\S+",
    r"^% .*?$",
]
# ... and the numbers by which a paper, a standard or a version calls its own parts
_NAMES = (
    r"Tables?|Figures?|Sections?|Appendix|Appendices|Theorems?|Lemmas?|Corollary|Corollaries|Propositions?|"
    r"Definitions?|Equations?|equations?|Algorithms?|Procedures?|Problems?|Remarks?|Examples?|Conditions?|"
    r"Objective|Exercises?|Lines?|lines?|eq\.|Monk|CC BY|Python|SHA-?|UTF-?|C4\.|F|L|HTRU|version|Version|"
    r"NeurIPS|ICML|Windows-?|KM|[Ss]plits?"
)
_NUMBER = r"\(?[A-Z]?\.?\d+(?:\.\d+)*[a-z]?\)?(?:\([a-z]\))?"
_REFERENCE = rf"\b(?:{_NAMES})\s?{_NUMBER}(?:\s*(?:,|and|to|or|-)\s*{_NUMBER})*"
_LETTERED = r"\b[A-Z]\.\d+\b"  # theorems of an appendix: C.2
_TRUTH = r"(?<![\w.])[01](?:/[01])?(?![\w.]*\d)"  # no and yes, nothing and one: 0/1 columns


def prose_numbers(text):
    """Numbers typed in Markdown prose, each with the words around it."""
    for pattern in _NOT_PROSE:
        text = re.sub(pattern, " ", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(_REFERENCE, " ", text)
    text = re.sub(_LETTERED, " ", text)
    text = re.sub(_TRUTH, " ", text)
    found = re.finditer(r"\S*\d\S*", text)
    return [text[max(0, m.start() - 30) : m.end() + 10].replace("\n", " ") for m in found]


def markdown_of(path):
    """The Markdown cells of a chapter in the percent format, or the text of a page."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return text
    cells = re.split(r"^# %%", text, flags=re.MULTILINE)[1:]
    return "\n\n".join(
        re.sub(r"^# ?", "", cell.partition("\n")[2], flags=re.MULTILINE)
        for cell in cells
        if cell.lstrip().startswith("[markdown]")
    )


CHAPTERS = sorted((ROOT / "notebooks").glob("*.py"))
# pages that tell results; those on installing and contributing name versions
PAGES = [ROOT / "book" / "scorecard.md", *sorted((ROOT / "book").glob("report-*.md"))]


@pytest.mark.parametrize("path", [*CHAPTERS, *PAGES], ids=lambda path: path.stem)
def test_no_number_is_typed_in_prose(path):
    """A number in a sentence that stays as it is when the result changes."""
    assert prose_numbers(markdown_of(path)) == []


@pytest.mark.parametrize(
    ("text", "n_found"),
    [
        ("The tree has 5 leaves.", 1),
        ("It is right on 66.90 % of the samples, 4621 of them.", 2),
        ("See Table 2, Figures 10 to 16, Theorems 3.3 to 3.5 and C.2, equation (4) and Figure 5a.", 0),
        ("At $\\lambda = 0.01$ the code `f(3)` gives {glue:text}`osdt-2`.", 0),
        ("Columns of 0 and 1, 0/1 columns, but not 0.5, 10 or 1.0.", 3),
        ("```python\nx = 3\n```\nthen 7", 1),
    ],
)
def test_typed_numbers_are_found(text, n_found):
    """A rule that lets numbers pass, or that stumbles over references."""
    assert len(prose_numbers(text)) == n_found


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.py")), ids=lambda path: path.stem)
def test_a_chapter_sets_its_style_before_it_draws(path):
    """A figure drawn before it has a white page and black words in the dark."""
    source = path.read_text(encoding="utf-8")
    drawn = [place for word in ("plt.subplots(", ".plot(", ".plot.box(") if (place := source.find(word)) >= 0]
    styled = source.find("\nuse_style()")
    assert not drawn or 0 <= styled < min(drawn)
