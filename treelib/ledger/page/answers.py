"""What a chapter answers to a sentence of a paper, or of ours: five answers, which follow by one rule.

Of the claims behind a sentence those speak that are counted and can be told here. It holds where all of them
match or are close, holds in part where some do, does not hold where none does. Where none speaks, it was
fitted, or cannot be told. Where a sentence rests on counts of a page, its cases speak in the same way.
"""

import re

from treelib.ledger.claims import CLOSE, MATCH, UNTESTABLE

ANSWERS = HOLDS, PARTLY, FAILS, UNTOLD, FITTED = (
    "holds",
    "holds in part",
    "does not hold",
    "cannot be told here",
    "was fitted, which is no evidence",
)
_TRIALS = re.compile(r"holds in ([\d,]+) of ([\d,]+) cases \(")
_WORST = "; the worst is "


def told(verdicts):
    """Those verdicts that speak: they are counted, and not untestable."""
    return [one for one in verdicts if one.is_counted and one.verdict != UNTESTABLE]


def held(verdicts):
    """Those verdicts that match or are close."""
    return [one for one in verdicts if one.verdict in (MATCH, CLOSE)]


def answer(*verdicts):
    """The answer that verdicts give, one of `ANSWERS`; "it" goes before."""
    speak = told(verdicts)
    if not speak and any(one.claim.fitted and one.verdict != UNTESTABLE for one in verdicts):
        return FITTED
    return answer_of(len(held(speak)), len(speak))


def answer_of(n_held, n_cases):
    """The answer that counts give: in how many cases it holds, and how many there are.

    Examples
    --------
    >>> from treelib.ledger.page.answers import answer_of
    >>> answer_of(3, 3), answer_of(1, 3), answer_of(0, 3), answer_of(0, 0)
    ('holds', 'holds in part', 'does not hold', 'cannot be told here')
    """
    if not n_cases:
        return UNTOLD
    return HOLDS if n_held == n_cases else PARTLY if n_held else FAILS


def asked(sentence, found, who="The paper"):
    """A sentence with who says it and the answer, Markdown; nobody can take it for ours.

    Examples
    --------
    >>> from treelib.ledger.page.answers import answer_of, asked
    >>> asked("the data have 7215 samples", answer_of(0, 1))
    'The paper: *the data have 7215 samples.* **It does not hold.**'
    """
    return f"{who}: *{' '.join(sentence.split())}.* **It {found}.**"


def cases_held(verdict):
    """In how many cases a statement holds, of the first kind that was tried: "2 of 4".

    verdict : Verdict on a statement
    """
    return " of ".join(_TRIALS.match(verdict.ours).groups())


def cases_in_words(text):
    """The cases in which a statement was tried, as a part of a sentence; other texts as they are.

    Examples
    --------
    >>> from treelib.ledger.page.answers import cases_in_words
    >>> cases_in_words("holds in 3 of 3 cases (trees); holds in 7 of 9 cases (forests); the worst is x")
    'in all 3 cases (trees), and in 7 of 9 cases (forests), least in x'
    """
    if not _TRIALS.match(text):
        return text
    parts = re.split(r"; (?=holds in [\d,]+ of )", text)
    return ", and ".join(_part(one) for one in parts)


def _part(text):
    tried, _, worst = text.partition(_WORST)
    n_held, n_cases = _TRIALS.match(tried).groups()
    share = {n_cases: f"all {n_cases}", "0": f"none of {n_cases}"}.get(n_held, f"{n_held} of {n_cases}")
    where = tried.partition("(")[2].rpartition(")")[0]
    kind = "random case" if where.startswith("random: ") else "case"
    share = f"the one {kind}" if (n_held, n_cases) == ("1", "1") else f"{share} {kind}s"
    return f"in {share} ({where.removeprefix('random: ')}){f', least in {worst}' if worst else ''}"
