"""Verdicts by the rules of the protocol: the only way to judge a claim.

What is handed over is what a run found: a number, or evidence (`treelib.ledger.protocol.evidence`). Which
bound applies stands in the claim's row and in `treelib.ledger.protocol.rules`; the code that judges cannot
set one. Every function here is called from one that is marked with `judges`. What stands about a claim in
``data/claims/notes.csv`` goes with its verdict: why it differs, what to know, what the cases are, why nothing
can be told (`treelib.ledger.protocol.notes`); what was computed of it is handed over as `numbers`.
"""

from collections.abc import Iterable

from treelib.ledger.claims import DIFFERS, STATED, UNTESTABLE, Verdict, find
from treelib.ledger.protocol import notes, rulebook
from treelib.ledger.protocol.evidence import (
    EXHAUSTIVE,
    GIVEN,
    RANDOM,
    WHOLE,
    Alone,
    Draws,
    Ratio,
    Readings,
    Trials,
    Wins,
    short,
)
from treelib.ledger.protocol.marks import check_of, judges
from treelib.ledger.protocol.rules import NO_POWER

__all__ = [
    "EXHAUSTIVE",
    "GIVEN",
    "RANDOM",
    "WHOLE",
    "Alone",
    "Draws",
    "Ratio",
    "Readings",
    "Trials",
    "Wins",
    "by_id",
    "judge",
    "judge_leads",
    "judge_statement",
    "judges",
    "redrawn",
    "stated",
    "untestable",
    "withheld",
]


FOUND = "a setting that can be found, so it is judged and counted"


def judge(claim_id, ours, *, cause="", note="", reading="", experiment="", case=None, numbers=None):
    """Set what we found beside a printed value, by the rule of the claim's row.

    Parameters
    ----------
    claim_id : str
    ours : int, Fraction, Decimal, float or str; or `Draws`, `Ratio`, `Wins`; or `Readings` or `Alone` of one
        What the rule asks for, in the unit of the claim. Exact numbers (int, Fraction) are rounded exactly.
    cause : str, why the values differ, and what that rests on; required when they do
    note : str, what a reader must know beside the rule's own reason
    reading : str, ``question: chosen`` where no other reading was run; `Readings` name theirs
    experiment, case : name of the experiment that `ours` comes from, and its case (dict); the verdict then
        leads to the stored record
    numbers : dict of name to number or str, for the sentences of the notes

    Returns
    -------
    Verdict

    Raises
    ------
    ValueError
        The cell is blank, the claim is a statement, a setting or a figure, the evidence is not what the
        rule asks for, or the values differ without a cause.
    """
    claim = find(claim_id)
    name, _ = rulebook.rule_of(claim)
    if name in ("statement", "stated", "redrawn"):
        verb = {"statement": "judge_statement"}.get(name, name)
        raise ValueError(
            f"{claim_id} is judged by `{name}`: use `{verb}`, or name a rule for numbers in its row."
        )
    if not claim.value:
        raise ValueError(
            f"{claim_id}: the cell is blank, there is nothing to compare with. Take the claim out."
        )
    if isinstance(ours, Alone):
        ours, reading = ours.value, f"{ours.question}: {ours.chosen}"
    if notes.withheld(claim_id):
        return withheld(claim_id, ours, note=note, experiment=experiment, case=case, numbers=numbers)
    more = experiment, case, numbers
    if not isinstance(ours, Readings):
        return _verdict(claim, ours, cause, [note], *more, reading)
    reading, remarks = f"{ours.question}: {ours.chosen}", [_read_as(claim, ours), note]
    if name == "ties":
        return _verdict(claim, ours, cause, remarks, *more, reading)
    return _verdict(claim, ours.value, cause, remarks, *more, reading, ours)


def judge_statement(
    claim_id, trials, where="", how=GIVEN, *, cause="", note="", withhold="", experiment="", case=None,
    numbers=None,
):  # fmt: skip
    """Judge a sentence by the cases in which a run tried it.

    Parameters
    ----------
    claim_id : str
    trials : Trials or list of Trials; or the cases themselves, as `Trials.of` takes them; or both in a list
    where, how : as for `Trials`; `where` stands in the notes, under `cases`, unless it is given
    cause, note, experiment, case, numbers : as for `judge`
    withhold : str or bool, why nothing follows from the cases, as for `withheld`; True where the notes say
        so, under `open`; empty where they judge
    """
    claim = _of_rule("statement", claim_id, "no trials belong to it, see its row.")
    trials = _tried(claim_id, trials, where, how, numbers)
    if withhold or notes.withheld(claim_id):
        why = withhold if isinstance(withhold, str) else notes.text(claim_id, notes.OPEN, numbers)
        return withheld(claim_id, trials, why, note=note, experiment=experiment, case=case, numbers=numbers)
    return _verdict(claim, trials, cause, [note], experiment, case, numbers)


def _tried(claim_id, trials, where, how, numbers):
    """`Trials`, or a list of them: cases that are handed over bare are counted here."""
    if isinstance(trials, Trials | str) or not isinstance(trials, Iterable):
        return trials
    wheres = _wheres(claim_id, where, numbers)
    trials = list(trials)
    if trials and not any(isinstance(one, tuple) for one in trials):
        return [one if isinstance(one, Trials) else Trials.of(one, next(wheres, ""), how) for one in trials]
    return Trials.of(trials, next(wheres, ""), how)


def stated(claim_id, note="", numbers=None):
    """List a setting, a definition or a machine that is taken over: not counted."""
    claim = _of_rule("stated", claim_id, "it can be found, so find it.")
    return _verdict(claim, None, "", [note], "", None, numbers)


def redrawn(claim_id, ours="", *, note="", experiment="", case=None, numbers=None):
    """List a figure without readable numbers beside ours: not counted.

    Parameters
    ----------
    claim_id : str
    ours : str, what is drawn, and from what; in the notes, under `ours`, unless it is given
    """
    claim = _of_rule("redrawn", claim_id, "it has something to compare.")
    ours = ours or notes.text(claim_id, notes.OURS, numbers)
    return _verdict(claim, ours, "", [note], experiment, case, numbers)


def untestable(claim_id, cause="", *, ours=None, experiment="", case=None, numbers=None):
    """Say why a claim that could be right or wrong cannot be told here.

    Parameters
    ----------
    claim_id : str
    cause : str
    ours : number or str, what can be said of it without a verdict; the notes have it, too, under `ours`
    experiment, case, numbers : as for `judge`
    """
    claim = find(claim_id)
    cause = "; ".join(filter(None, [cause, _withheld_by(claim_id, numbers)]))
    if not cause:
        raise ValueError(f"{claim_id}: say in `cause`, or in the notes, why this cannot be checked.")
    if ours is None:
        ours = notes.text(claim_id, notes.OURS, numbers) or None
    rule = claim.rule or rulebook.DEFAULTS.get(claim.kind, "")
    return Verdict(claim, UNTESTABLE, ours, cause, rule=rule, **_source(claim_id, experiment, case))


def _wheres(claim_id, where, numbers):
    """What each list of bare cases is, asked for only where there is one."""
    yield from [where] if where else notes.texts(claim_id, notes.CASES, numbers)


@judges("*.*")
def without_run(claim_id):
    """The verdict on a claim for which nothing has to run: taken over, redrawn, or untestable by the notes.

    Returns
    -------
    Verdict, or None where something is missing: what is drawn, or why nothing can be told
    """
    rule, _ = rulebook.rule_of(find(claim_id))
    if rule == "stated":
        return stated(claim_id)
    if rule == "redrawn":
        drawn = next((note for note in notes.of(claim_id) if note.use == notes.OURS), None)
        return redrawn(claim_id, experiment=drawn.evidence) if drawn else None
    return untestable(claim_id) if notes.withheld(claim_id) else None


def withheld(claim_id, ours, why="", *, note="", experiment="", case=None, numbers=None):
    """Show what a run found beside a printed value, without a verdict: what is counted is not the paper's.

    For numbers of data, features or a convention that the paper does not give. Equal or not, nothing
    follows from them.

    Parameters
    ----------
    claim_id, ours, note, experiment, case, numbers : as for `judge`, or trials as for `judge_statement`
    why : str, what differs in kind; in the notes unless it is given

    Returns
    -------
    Verdict, always untestable
    """
    claim = find(claim_id)
    why = why or _withheld_by(claim_id, numbers)
    if not why:
        raise ValueError(f"{claim_id}: say in `why`, or in the notes, what is not the paper's.")
    beside, reading, evidence = "", "", ours
    if isinstance(ours, Readings):
        reading, beside = f"{ours.question}: {ours.chosen}", _read_as(claim, ours)
        evidence = ours if rulebook.rule_of(claim)[0] == "ties" else ours.value
    outcome, rule = rulebook.decide(claim, evidence)
    weak = outcome.reason if outcome.reason.startswith(NO_POWER) else ""
    return Verdict(
        claim,
        UNTESTABLE,
        outcome.ours,
        "; ".join(filter(None, [why, weak, beside, note, notes.text(claim_id, notes.NOTE, numbers)])),
        rule=rule,
        reading=reading,
        **_source(claim_id, experiment, case),
    )


def _withheld_by(claim_id, numbers):
    """Why nothing can be told of a claim, by the notes, with its numbers; empty where it is judged."""
    why = notes.withheld(claim_id)
    return notes.text(claim_id, why.use, numbers) if why else ""


def judge_leads(claim_id, leads, what="", *, cause="", note="", experiment="", numbers=None):
    """Verdict on "significantly better": as it says where all leads are above their errors, refused where one
    is not and is told apart from half the printed lead, or from 0 where none is printed. Between these our
    runs are too few to tell, on either side.

    leads : list of (str, mean, half width of its 95 % interval, and the printed lead if there is one), paired
        differences over our runs
    what, cause : str, what is compared, and why it differs where it does; in the notes unless they are given
    """
    leads = [(*lead, 0)[:4] for lead in leads]
    cases = (
        (f"{text}, {gain:+.2f} ± {width:.2f} points", bool(gain > width), width - gain)
        for text, gain, width, _ in leads
    )
    small = [(gain + width, printed) for _, gain, width, printed in leads if gain <= width]
    is_open = bool(small) and not any(most < printed / 2 for most, printed in small)
    return judge_statement(
        claim_id,
        cases,
        what and f"{what}, ahead by more than the error; too few points by",
        cause=cause,
        withhold="no power: no lead is behind by more than its error, which would refuse it" * is_open,
        note=note,
        experiment=experiment,
        numbers=numbers,
    )


def by_id(*verdicts):
    """Verdicts by the ids of their claims, dict."""
    return {verdict.claim.id: verdict for verdict in verdicts}


def _of_rule(name, claim_id, hint):
    """The claim, which must be judged by a rule; ValueError, with a hint, where it is not."""
    claim = find(claim_id)
    if (found := rulebook.rule_of(claim)[0]) != name:
        raise ValueError(f"{claim_id} is judged by `{found}`: {hint}")
    return claim


def _read_as(claim, readings):
    """The reading that judges, of how many, and what the others give of the printed statistic, in words."""
    part = rulebook.rule_of(claim)[1].partition(" ")[0]
    own = f", {short(readings.value)}" if isinstance(readings.value, Ratio) else ""
    digits = claim.value if claim.number is not None and not claim.sign else ""
    others = readings.others(part if part in ("min", "max") else "mean", digits)
    return f"read as {readings.chosen}{own}, of {len(readings.values)} readings; it would be {others}"


def _verdict(
    claim,
    evidence,
    cause,
    remarks,
    experiment,
    case,
    numbers=None,
    reading="",
    readings=None,
):
    """Verdict by the rule of the claim, and what each of some `readings` would say: `rulebook.settle` looks
    whether one of them stands for the whole table."""
    outcome, rule = rulebook.decide(claim, evidence)
    verdict, reasons = outcome.verdict, [outcome.reason, *remarks, notes.text(claim.id, notes.NOTE, numbers)]
    if claim.kind == "setting" and verdict != STATED:
        reasons.append(FOUND)
    if verdict == DIFFERS:
        cause = "; ".join(filter(None, [cause, notes.text(claim.id, notes.CAUSE, numbers)]))
        if not cause:
            raise ValueError(
                f"{claim.id}: printed {claim.value or 'statement'}, ours {outcome.ours}: they differ. "
                "Find out why and give the `cause`."
            )
        reasons = [cause, *reasons]
    return Verdict(
        claim,
        verdict,
        outcome.ours,
        "; ".join(filter(None, reasons)),
        rule=rule,
        refused=outcome.refused,
        reading=reading,
        under={
            name: rulebook.decide(claim, value)[0].verdict
            for name, value in (readings.values.items() if readings else ())
        },
        **_source(claim.id, experiment, case),
    )


def _source(claim_id, experiment, case):
    if case is not None and not experiment:
        raise ValueError(f"The case {case} belongs to an experiment: name it.")
    return {"experiment": experiment, "case": case, "check": check_of(claim_id)}
