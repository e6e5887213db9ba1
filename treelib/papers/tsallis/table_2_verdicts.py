"""Verdicts on Table 2 and on what Appendix B.2 says of it.

The text calls the cells means over 50 splits, and they are judged as such, over the many splits of
`table_2_readings`. A page has time for fewer: it shows their means, and judges nothing by them. Most cells
look like one split. That reading stands beside: cells of the table refuse it, so it spares none.
"""

from treelib.ledger import sampling
from treelib.ledger.claims import CLOSE, MATCH, find
from treelib.ledger.protocol import notes
from treelib.ledger.protocol.digits import half_unit
from treelib.ledger.protocol.evidence import WHOLE
from treelib.ledger.protocol.judging import Draws, Readings, judge, judge_statement, judges, withheld
from treelib.ledger.protocol.rulebook import settle
from treelib.ledger.verdicts import verdicts_on
from treelib.papers.tsallis import splits
from treelib.papers.tsallis.splits import half_width
from treelib.papers.tsallis.table_2 import C1, DEFAULT_C1, HELD_OUT, METHODS_2, TABLE_2
from treelib.papers.tsallis.table_2_readings import many_splits, other_readings

ROWS_OF_REP = f"one training row in {HELD_OUT} held out"
QUINLAN = "one standard error, half an error a leaf"
READ_AS = {  # column: what is open, and the reading that judges it
    "unpruned": ("how far trees are grown", "until no split is left"),
    "mccp": ("which complexity is the best", "best over all splits"),
    "rep": ("on which rows reduced error pruning prunes", ROWS_OF_REP),
    "tdp": ("the rule of top-down pruning", QUINLAN),
    "bup": ("the constant of the bottom-up rule", f"c1 = {DEFAULT_C1:g}"),
}
MARGINS = (0.25, 0.5, 1.0, 2.0, 3.0)  # points of accuracy behind that may still be called competitive
EXPERIMENT = "tsallis.table-2"
FITTED = "bup"  # its constant was fitted to the printed cells


@verdicts_on("tsallis")
@judges("tsallis.t2.*", "tsallis.sb-2.pruning.c*")
def judge_table_2():
    """Verdicts on all cells of Table 2, means over splits as the text says, and on what Appendix B.2 says of
    them, list of Verdict."""
    cells = {
        f"tsallis.t2.{key}.acc-{column}": (data, column)
        for key, data in TABLE_2.items()
        for column in METHODS_2
    }
    judged = [_judge_cell(claim_id, data, column) for claim_id, (data, column) in cells.items()]
    return [*settle(judged), *_judge_pruning_claims()]


def _judge_cell(claim_id, data, column):
    readings = {name: Draws(value, within=(0, 100)) for name, value in _values(data, column).items()}
    question, chosen = READ_AS[column]
    low, high = sampling.interval(readings[chosen].values, "draw", 1)
    numbers = {"low": low, "high": min(high, 100)}
    origin = {"experiment": EXPERIMENT, "case": {"data": data}, "numbers": numbers}
    verdict = judge(claim_id, Readings(question, chosen, readings), **origin)
    passing = [name for name in METHODS_2 if name != column and _gives(claim_id, data, name)]
    if verdict.verdict in (MATCH, CLOSE) and 2 * len(passing) > len(METHODS_2) - 1:
        numbers["passing"] = ", ".join(METHODS_2[name] for name in passing)
        return withheld(claim_id, readings[chosen], notes.text(claim_id, notes.OPEN, numbers), **origin)
    return verdict


def _gives(claim_id, data, column):
    """Whether the trees of another column would be a match or close in this cell, bool."""
    n_splits, half = int(find("tsallis.sb-2.pruning.splits").number), float(half_unit(find(claim_id).number))
    low, high = sampling.interval(tuple(_values(data, column)[READ_AS[column][1]]), "mean", n_splits)
    return low - half <= float(find(claim_id).number) <= high + half


def _values(data, column):
    """Accuracies under the readings of a column, the judging one too: dict of reading to float (n,)."""
    known = many_splits(data)
    if column == "bup":
        values = dict(zip((f"c1 = {c1:g}" for c1 in C1), known["bup"], strict=True))
    else:
        values = {READ_AS[column][1]: known[column]}
    if column == "mccp":
        values |= {
            "best over the other splits": known["mccp_learned"],
            "best of each split": known["mccp_best"],
        }
    return values | other_readings(data).get(column, {})


def _judge_pruning_claims():
    """Verdicts on "better mean test accuracy than the other methods" and on "competitive", a list."""
    better, level, behind, fitted, learned = [], [], [], [], []
    for data in splits.PRUNED:
        known = {name: _values(data, name)[READ_AS[name][1]] for name in METHODS_2}
        from_others = _values(data, "mccp")["best over the other splits"]
        for name in [column for column in known if column != "mccp"]:
            lead, width = known["mccp"] - known[name], half_width(known["mccp"] - known[name])
            text = f"{METHODS_2[name]} on {data}, {lead.mean():+.2f} ± {width:.2f} points"
            if name != "unpruned":
                level.append((text, float(lead.mean() - width)))
            if name == FITTED:
                fitted.append(text)
                continue
            better.append((text, bool(lead.mean() > 0), float(-lead.mean())))
            behind += [text] if lead.mean() + width <= 0 else []
            learned.append(bool(from_others.mean() > known[name].mean()))
    counts = {margin: sum(low > -margin for _, low in level) for margin in MARGINS}
    return [
        judge_statement(
            "tsallis.sb-2.pruning.claim",
            better,
            withhold=not all(held for _, held, _ in better) and not behind,
            numbers={
                "behind": "; ".join(behind),
                "held": sum(learned),
                "n": len(learned),
                "fitted": "; ".join(fitted),
            },
            experiment=EXPERIMENT,
        ),
        judge_statement(
            "tsallis.sb-2.pruning.competitive",
            ((text, low > -MARGINS[0], -low) for text, low in level),
            how=WHOLE,
            withhold=len({2 * n > len(level) for n in counts.values()}) > 1,
            numbers={
                "least": MARGINS[0],
                "n": len(level),
                "counts": ", ".join(f"{margin:g}: {n}" for margin, n in counts.items()),
            },
            experiment=EXPERIMENT,
        ),
    ]
