"""The verdicts on all claims of all papers: ``data/results/verdicts.csv``.

Functions marked by `judges` judge the claims of a paper from stored results, or count anew where that takes
no time. Here the verdicts are put together in one table, which the scorecard shows and which anybody can
download.
"""

from fractions import Fraction
from functools import cache

from treelib.compiled.whole_files import write_whole
from treelib.datasets.files import as_csv, read_csv
from treelib.ledger import claims, experiments, store
from treelib.ledger.papers import papers as all_papers
from treelib.ledger.protocol import choices, judging, notes, rulebook
from treelib.ledger.protocol.marks import ON
from treelib.ledger.store import lines as store_files


def path():
    """The file of all verdicts."""
    return store.committed() / "verdicts.csv"


@cache
def judged(paper):
    """All verdicts on the claims of a paper, tuple of `Verdict` in the paper's order.

    Empty where nobody judges the paper.

    Raises
    ------
    ValueError
        A claim has no verdict, or two.
    """
    experiments.find(paper)
    return complete(paper, _unsettled(paper)) if paper in ON else ()


@cache
def _unsettled(paper):
    """Verdicts by the functions that judge, then those on claims for which nothing has to run."""
    given = [judge() for judge in ON[paper]]
    judged = [verdict for some in given for verdict in (some.values() if isinstance(some, dict) else some)]
    rest = map(judging.without_run, claims.missing(paper, judged))
    return (*judged, *filter(None, rest))


def complete(paper, found):
    """All verdicts of a paper: each claim once, whole tables settled, in the paper's order.

    Parameters
    ----------
    paper : str
    found : iterable of Verdict

    Returns
    -------
    tuple of Verdict

    Raises
    ------
    ValueError
        A claim has no verdict, or two; a table is judged by two readings of one question.
    """
    found = list(found)
    without = claims.missing(paper, found)
    if without:
        raise ValueError(f"No verdict on {', '.join(without[:5])} ({len(without)} in all).")
    order = {claim_id: place for place, claim_id in enumerate(claims.load(paper))}
    return tuple(sorted(rulebook.settle(found), key=lambda verdict: order[verdict.claim.id]))


def row(verdict):
    """A verdict as a line of the table, dict of str."""
    claim, away = verdict.claim, deviation(verdict)
    is_open = verdict.verdict == claims.UNTESTABLE
    kind, price = notes.kind(claim.id, verdict.rule, verdict.reason) if is_open else ("", "")
    return {
        "id": claim.id,
        "paper": claim.id.partition(".")[0],
        "item": claim.item,
        "kind": claim.kind,
        "verdict": verdict.verdict,
        "ours": text_of(verdict.ours),
        "printed": claim.value,
        "unit": claim.unit,
        "deviation": "" if away is None else f"{away:.3g}",
        "rule": verdict.rule,
        "refused_beyond": verdict.refused,
        "fitted": claim.fitted,
        "reading": verdict.reading,
        "cause": verdict.reason,
        "experiment": verdict.experiment,
        "key": "" if verdict.case is None else _key_of_record(verdict.experiment, verdict.case),
        "check": verdict.check,
        "trivial": claim.trivial,
        "open": kind,
        "price": price,
    }


def _key_of_record(experiment, case):
    """Key of the record that was judged: of what runs on request the one that is kept, whatever holds now."""
    kept = store.kept(experiment) if experiments.get(experiment).on_request else {}
    record = kept.get(store_files.canonical(case))
    return record["key"] if record else store.key(experiment, case)


def deviation(verdict):
    """(ours - printed) / |printed| as float; None where either is not a number, or the printed one is 0."""
    printed = verdict.claim.number
    if printed is None or not printed or verdict.ours is None or isinstance(verdict.ours, str):
        return None
    return float((Fraction(verdict.ours) - Fraction(printed)) / abs(Fraction(printed)))


def text_of(ours):
    """Our value as text: integers with all digits, other numbers with twelve."""
    if ours is None or isinstance(ours, str | bool):
        return "" if ours is None else str(ours)
    exact = Fraction(ours)
    return str(exact.numerator) if exact.denominator == 1 else f"{float(exact):.12g}"


def read():
    """The kept verdicts, list of dict of str; empty where there are none."""
    try:
        return read_csv(path())
    except FileNotFoundError:
        return []


def renew(papers=None):
    """Judge the claims of `papers` (all by default) anew and write the table to `store.target`.

    Returns
    -------
    dict of paper to dict of verdict to count; claims that are fitted are counted apart
    """
    found = {paper: judged(paper) for paper in papers or all_papers()}
    target = store.target() / path().name
    target.parent.mkdir(parents=True, exist_ok=True)
    _renew_choices(found, target.parent)
    with store_files.locked(target.parent):
        kept = {entry["id"]: entry for entry in read()}
        kept.update({verdict.claim.id: row(verdict) for some in found.values() for verdict in some})
        ids = [claim_id for paper in all_papers() for claim_id in claims.load(paper)]
        rows = [kept[claim_id] for claim_id in ids if claim_id in kept]
        write_whole(target, as_csv(rows[0], rows).encode(), durable=True)
    return {paper: _counts(some) for paper, some in found.items() if some}


def _renew_choices(papers, folder):
    """Write into `folder` which choices predict their claims, after a look that just these claims count."""
    rows = {row["choice"]: row for row in read_choices()}
    for paper in papers:
        unsettled = _unsettled(paper) if paper in ON else ()
        choices.check(unsettled)
        rows |= {row["choice"]: row for row in choices.rows(unsettled)}
    names = [name for name in rulebook.choices() if name in rows]
    if names:
        write_whole(folder / "choices.csv", as_csv(rows[names[0]], map(rows.get, names)).encode())


def read_choices():
    """The choices that were tried with their groups left out, list of dict of str."""
    file = path().parent / "choices.csv"
    return read_csv(file) if file.is_file() else []


def _counts(found):
    apart = {name: [one for one in found if getattr(one.claim, name)] for name in ("fitted", "trivial")}
    counted = claims.count(one for one in found if not one.claim.fitted and not one.claim.trivial)
    return counted | {name: len(some) for name, some in apart.items()}
