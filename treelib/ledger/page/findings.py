"""The main findings of a paper, or of all papers, and whether we reproduce them."""

from html import escape

from treelib.datasets.files import data_root, read_csv
from treelib.ledger import claims, tables
from treelib.ledger.page.place import address
from treelib.ledger.page.text import Markdown
from treelib.ledger.papers import papers
from treelib.table.checks import check_choice

# words of `treelib.papers.judged_findings` and the colours of verdicts that they have
WORDS = {
    "reproduced": claims.MATCH,
    "partly": claims.CLOSE,
    "not reproduced": claims.DIFFERS,
    "cannot be checked": claims.UNTESTABLE,
}


class Findings(Markdown):
    """Findings, which display themselves; `frame` has the values.

    Attributes
    ----------
    frame : pandas.DataFrame, one row per finding: sentence, paper, ours, word, rests_on, claims
    """


def findings(paper=None, top=None, caption="", name=""):
    """Show the main findings of a paper, ranked by consequence, and whether we reproduce them.

    Parameters
    ----------
    paper : str, optional
        Key of a paper, such as "osdt"; default all.
    top : int, optional
        Maximum number per paper; default all.
    caption : str, optional
        Caption in Markdown.
    name : str, optional
        Label for references to the table.

    Returns
    -------
    Findings
        Displays itself as the last value of a cell: the sentence, the paper's number, ours with its
        uncertainty, and a verdict: reproduced, partly, not reproduced or cannot be checked.
        ``findings(...).frame`` has the values.

    Examples
    --------
    >>> from treelib.papers import findings
    >>> len(findings("osdt", top=4).frame)
    4
    """
    import pandas as pd  # here, because it is heavy

    if paper is not None:
        check_choice("paper", paper, tuple(papers()))
    chosen = [row for key in papers() if paper in (None, key) for row in kept(key)[:top]]
    body = [
        (
            escape(row["sentence"], quote=False),
            row["paper"],
            row["ours"],
            f"{word_html(row)}<br>{row['rests_on']}",
        )
        for row in chosen
    ]
    title = papers()[paper].title if paper else "the papers"
    caption = (
        caption
        or f"The findings of {title if paper is None else f'*{title}*'}, and whether we could reproduce them."
    )
    heads = ("finding", "paper", "ours", "")
    name = name or f"{paper or 'all'}-findings"
    found = Findings(tables.table(heads, body, caption, name, "llll", classes="findings"))
    found.frame = pd.DataFrame(chosen).set_index("id")
    return found


def kept(paper):
    """The findings of a paper with their judgement, list of dict of str, by rank."""
    judged = {row["id"]: row for row in read_csv(data_root() / "results" / "findings.csv")}
    written = read_csv(data_root() / "claims" / "findings.csv")
    return [row | judged[row["id"]] for row in written if row["id"].startswith(f"{paper}.")]


def counted(paper):
    """How many findings of a paper have each word, dict."""
    words = [row["word"] for row in kept(paper)]
    return {word: words.count(word) for word in WORDS}


def word_html(row):
    """The word on a finding in colour, which leads to the finding among all."""
    link = address(f"book/scorecard.html#{row['id']}")
    return f'<a class="verdict {WORDS[row["word"]]}" href="{link}">{row["word"]}</a>'
