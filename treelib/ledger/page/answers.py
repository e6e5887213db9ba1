"""What a chapter answers to a sentence of a paper, or of ours: five answers, which follow by one rule.

Of the claims behind a sentence those speak that are counted and can be told here. It holds where all of them
match or are close, holds in part where some do, does not hold where none does. Where none speaks, it was
fitted, or cannot be decided. Where a sentence rests on counts of a page, its cases speak in the same way.
"""

from treelib.ledger.claims import CLOSE, MATCH, UNTESTABLE

ANSWERS = HOLDS, PARTLY, FAILS, UNTOLD, FITTED = (
    "holds",
    "holds in part",
    "does not hold",
    "cannot be decided here",
    "was fitted, which is no evidence",
)


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
    ('holds', 'holds in part', 'does not hold', 'cannot be decided here')
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
