"""Cells that are declared: a pattern of ids, a frame of results, and what each cell reads from it.

A table of a paper is a function that gives a frame, marked with which cells its rows stand for::

    @declared("osdt.t2.{row}.{cell}", {"trees-evaluated": "n_evaluated"}, STARTS)
    def table_2():
        \"\"\"The searches of Table 2, a line a row and start.\"\"\"
        return kept("osdt.t2")

``{row}`` is a column of the frame, ``{cell}`` a key of the cells; ``{row:one|two}`` takes these rows only,
``{:one|two}`` is no column.
The mark judges every claim whose id fits, by the rule of its row in ``data/claims``; what is to be said of a
verdict stands in ``data/claims/notes.csv`` (`treelib.ledger.protocol.notes`). Nothing else is written for a
table but its experiment and its figure.
"""

import inspect
import re
from dataclasses import dataclass, field

import numpy as np

from treelib.ledger import claims, store
from treelib.ledger.claims import CLOSE, DIFFERS, MATCH
from treelib.ledger.protocol import judging, marks, notes, rulebook
from treelib.ledger.protocol.evidence import Draws, Ratio, Readings
from treelib.ledger.store.lines import canonical, parse

EXPERIMENT, CASE = "experiment of the line", "case of the line"  # columns of `kept`


@dataclass(frozen=True)
class Open:
    """What a paper leaves open, and the readings that were run.

    Attributes
    ----------
    question : str, "where the search starts"
    readings : dict of reading to the part of the frame that is read so, a dict of column to value; None
        stands for an empty value, a list for one of several. The first judges.
    """

    question: str
    readings: dict

    @classmethod
    def of(cls, question, names, column="reading"):
        """Readings whose names stand in a column of the frame."""
        return cls(question, {name: {column: name} for name in names})


@dataclass(frozen=True)
class Over:
    """A column over that of another line of the same reading: for `ratio in table`.

    Attributes
    ----------
    column : str, its mean over the lines of the cell
    to : str, the column of the other line; the same by default
    at : dict, the part of the frame that is the other line
    scale : number that both are divided by, 1e9 for gigabytes
    once : bool, whether these are seconds of single runs, of which short ones tell nothing
    """

    column: str
    to: str = ""
    at: dict = field(default_factory=dict)
    scale: float = 1
    once: bool = False

    def __call__(self, lines, peers):
        """The ratio, or None where a line is missing."""
        value, anchor = lines[self.column].mean(), part(peers, self.at)[self.to or self.column].mean()
        if not (value > 0 and anchor > 0):
            return None
        return Ratio(value / self.scale, anchor / self.scale, min(value, anchor) if self.once else None)


@dataclass(frozen=True)
class PerDraw:
    """A statistic of each random draw of ours: for `sampling`.

    Attributes
    ----------
    statistic : str or callable, a column, of which each line is a draw, or a function of a draw's lines
    by : str, the column that tells draws apart; empty where each line is one
    within : (least, largest) that it can be
    """

    statistic: object
    by: str = ""
    within: tuple = (-np.inf, np.inf)

    def __call__(self, lines, peers):
        """The draws."""
        if isinstance(self.statistic, str):
            return Draws(tuple(lines[self.statistic]), self.within)
        return Draws([self.statistic(some) for _, some in lines.groupby(self.by)], self.within)


@dataclass(frozen=True)
class Said:
    """Evidence, what the sentences of the notes need to know, and what the cell should be told from.

    Attributes
    ----------
    evidence : what a cell reads otherwise
    numbers : dict of name to number or str
    rivals : dict of name to evidence, of other columns, say. Where the rule refuses less than half of them in
        this cell, a value that it does not refuse says nothing: `open` in the notes, which get `passing`
    """

    evidence: object
    numbers: dict = field(default_factory=dict)
    rivals: dict = field(default_factory=dict)


def kept(*names, **chosen):
    """Stored results of experiments as one frame: a line a row of a result.

    Parameters
    ----------
    names : str, of experiments
    chosen : values of a case; only the cases that have them

    Returns
    -------
    pandas.DataFrame
        Columns of cases and results, `cpu_seconds_of_run`, and the experiment and case of each line.
    """
    import pandas as pd

    found = []
    for name in names:
        for case, result in store.outcomes(name):
            if not chosen.items() <= case.items():
                continue
            where = {EXPERIMENT: name, CASE: canonical(case)}
            rows = result if isinstance(result, list) else [result]
            found += [{**case, **line, **where} for line in rows]
    return pd.DataFrame(found)


def cpu_seconds(lines):
    """Processor seconds of the runs behind the lines of a frame of `kept`, list."""
    records = {name: store.records(name) for name in lines[EXPERIMENT].unique()}
    return [
        records[name][case]["provenance"]["cpu_seconds"]
        for name, case in zip(lines[EXPERIMENT], lines[CASE], strict=True)
    ]


def part(frame, values):
    """Lines of a frame with the given values, dict of column to value, None or list of values."""
    mask = np.ones(len(frame), bool)
    for column, value in values.items():
        mask &= frame[column].isna() if value is None else frame[column].isin(np.atleast_1d(value))
    return frame[mask]


def declared(template, cells, readings=None, groups=None):
    """Mark a function without arguments whose frame holds the cells of a table; it judges them. Marked twice,
    it is read in two ways.

    Parameters
    ----------
    template : str
        Pattern of the claims' ids; names in braces are columns of the frame, but for ``{cell}``.
    cells : dict of str to str or callable
        What a cell reads: a column, of which the lines of the cell hold one value, or a function of these
        lines and all lines of the same reading that gives a number or evidence, or
        `Said`; None where it was not run. Of a setting it is what stands here beside the printed one.
    readings : Open, optional
    groups : dict, optional
        Values of an id that stand for other values, or for several, of the frame: ``{"avg": [...]}``.

    Returns
    -------
    callable that gives `Table`
    """

    def mark(function):
        function = function._function if isinstance(function, Table) else function
        return Table(function, template, cells, readings or Open("", {"": {}}), groups or {})

    return mark


class Table:
    """The cells of a table; called, it gives its frame."""

    def __init__(self, function, template, cells, readings, groups):
        self._function, self._template, self._cells = function, template, cells
        self._readings, self._groups = readings, groups
        plain = inspect.unwrap(function)
        self.__doc__, self.__wrapped__ = plain.__doc__, plain
        pattern = re.sub(r"\{[^}]+\}", "*", template)
        parts = re.split(r"\{([^}]+)\}", template)
        self._named = re.compile(
            "".join(_place(part) if k % 2 else re.escape(part) for k, part in enumerate(parts))
        )

        def judge(frame=None):
            """Verdicts on the cells, dict of claim id to Verdict; frame : in place of the stored one."""
            return self._judge(self() if frame is None else frame)

        judge.__module__, judge.__qualname__ = plain.__module__, plain.__qualname__
        judge.__code__ = judge.__code__.replace(
            co_filename=plain.__code__.co_filename, co_firstlineno=plain.__code__.co_firstlineno
        )
        self.judge = marks.judges(pattern)(judge)

    def __call__(self):
        return self._function()

    def _judge(self, frame):
        peers = {reading: part(frame, some) for reading, some in self._readings.readings.items()}
        found = {}
        for claim in claims.load(self._template.partition(".")[0]).values():
            match = self._named.fullmatch(claim.id)
            if match and match["cell"] in self._cells and claim.value:
                found[claim.id] = self._verdict(claim, match.groupdict(), peers)
        return found

    def _verdict(self, claim, named, of_readings):
        rule, _ = rulebook.rule_of(claim)
        read = self._cells[named.pop("cell")]
        place = {name: self._groups.get(value, value) for name, value in named.items()}
        values, source, said = {}, {}, Said(None)
        for reading, peers in of_readings.items():
            lines = part(peers, place)
            found = _read(read, lines, peers) if len(lines) else None
            found = found if isinstance(found, Said) else Said(found)
            evidence = _fit(rule, found.evidence)
            if evidence is not None:
                said, source = (said, source) if values else (found, _source(lines))
                values[reading] = evidence
        if rule == "stated":
            words = [one for one in values.values() if isinstance(one, str)]
            return judging.stated(claim.id, *words[:1])
        return _judged(claim, values, self._readings, source, said)


def _place(words):
    """Regular expression of what stands in braces: a name, and after a colon what it may be."""
    name, _, some = words.partition(":")
    some = some or (".+" if name == "cell" else "[^.]+")
    return f"(?P<{name}>{some})" if name else f"(?:{some})"


def _read(read, lines, peers):
    if callable(read):
        return read(lines, peers)
    found = lines[read].dropna()
    if found.nunique() > 1:
        raise ValueError(f"{read} has {found.nunique()} values where a cell reads one: {found.tolist()[:3]}.")
    value = found.iloc[0] if len(found) else None
    return value.item() if hasattr(value, "item") else value


def _fit(rule, evidence):
    """Evidence as a rule takes it: one measured value where another machine cannot be judged, and one value
    of draws that are all the same, where a formula gives them."""
    if rule == "absolute" and isinstance(evidence, Ratio):
        return evidence.value
    if rule == "printed digits" and isinstance(evidence, Draws):
        return evidence.values[0] if len(set(evidence.values)) == 1 else None
    return evidence


def _source(lines):
    """Experiment, and the case where it is one, of the lines of a cell."""
    if EXPERIMENT not in lines:
        return {}
    ran = list(dict.fromkeys(zip(lines[EXPERIMENT], lines[CASE], strict=True)))
    name, case = ran[0]
    return {"experiment": name} | ({"case": parse(case)} if len(ran) == 1 else {})


def _judged(claim, values, readings, source, said):
    """Verdict on a claim from what its readings gave; said : `Said` of the first that gave something."""
    chosen, *_ = readings.readings
    source = source | {"numbers": said.numbers}
    if chosen not in values:
        return judging.untestable(claim.id, "" if notes.withheld(claim.id) else "not run")
    question = "" if rulebook.rule_of(claim)[0] == "absolute" else readings.question
    passing = [name for name, of in said.rivals.items() if rulebook.decide(claim, of)[0].verdict != DIFFERS]
    if 2 * len(passing) > len(said.rivals):
        evidence = getattr(values[chosen], "value", values[chosen])
        if rulebook.decide(claim, evidence)[0].verdict in (MATCH, CLOSE):
            source["numbers"] = said.numbers | {"passing": ", ".join(passing)}
            return judging.withheld(
                claim.id, evidence, notes.text(claim.id, notes.OPEN, source["numbers"]), **source
            )
    if rulebook.rule_of(claim)[0] == "statement":
        return judging.judge_statement(claim.id, values[chosen], **source)
    if len(values) > 1 and question:
        return judging.judge(claim.id, Readings(question, chosen, values), **source)
    reading = f"{question}: {chosen}" if question else ""
    return judging.judge(claim.id, values[chosen], reading=reading, **source)
