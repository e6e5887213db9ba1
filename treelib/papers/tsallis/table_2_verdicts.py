"""Verdicts on Table 2 and on what Appendix B.2 says of it.

The text calls the cells means over 50 splits, and they are judged as such, over the many splits of
`table_2_readings`. A page has time for fewer: it shows their means, and judges nothing by them. Most cells
look like one split. That reading stands beside: cells of the table refuse it, so it spares none.
"""

from treelib.ledger import sampling
from treelib.ledger.claims import CLOSE, MATCH, find
from treelib.ledger.protocol.digits import half_unit
from treelib.ledger.protocol.evidence import WHOLE
from treelib.ledger.protocol.judging import Draws, Readings, Trials, judge, judge_statement, judges, withheld
from treelib.ledger.protocol.rulebook import settle
from treelib.ledger.verdicts import verdicts_on
from treelib.papers.tsallis import splits
from treelib.papers.tsallis.splits import half_width
from treelib.papers.tsallis.table_2 import (
    C1,
    DEFAULT_C1,
    HELD_OUT,
    METHODS_2,
    N_TEST_2,
    TABLE_2,
    is_one_split,
    is_share,
)
from treelib.papers.tsallis.table_2_readings import SMALLER, many_splits, other_readings

ROWS_OF_REP = f"one training row in {HELD_OUT} held out"
QUINLAN = "one standard error, half an error a leaf"
READ_AS = {  # column: what is open, and the reading that judges it
    "unpruned": ("how far trees are grown", "until no split is left"),
    "mccp": ("which complexity is the best", "best over all splits"),
    "rep": ("on which rows reduced error pruning prunes", ROWS_OF_REP),
    "tdp": ("the rule of top-down pruning", QUINLAN),
    "bup": ("the constant of the bottom-up rule", f"c1 = {DEFAULT_C1:g}"),
}
SOURCE_OF_TDP = (
    "the paper names [Qui86] for it, which has no pessimistic pruning: the rule is that of [Qui87]"
)
MARGINS = (0.25, 0.5, 1.0, 2.0, 3.0)  # points of accuracy behind that may still be called competitive
EXPERIMENT = "tsallis.table-2"
FITTED = "bup"  # its constant was fitted to the printed cells


@verdicts_on("tsallis")
@judges("tsallis.t2.*", "tsallis.sb-2.pruning.c*")
def judge_table_2():
    """Verdicts on all cells of Table 2 and what Appendix B.2 says of them, list of Verdict."""
    return [*judge_cells(), *judge_pruning_claims()]


@judges("tsallis.t2.*")
def judge_cells():
    """Verdicts on the cells of Table 2, means over splits as the text says, list of Verdict."""
    return settle(
        _judge_cell(f"tsallis.t2.{key}.acc-{column}", data, column)
        for key, data in TABLE_2.items()
        for column in METHODS_2
    )


def _judge_cell(claim_id, data, column):
    readings = {name: Draws(value, within=(0, 100)) for name, value in _values(data, column).items()}
    question, chosen = READ_AS[column]
    low, high = sampling.interval(readings[chosen].values, "draw", 1)
    printed, n_splits = find(claim_id).number, int(find("tsallis.sb-2.pruning.splits").number)
    half = float(half_unit(printed))
    holds = low - half <= printed <= high + half
    seen = [
        f"one split gives {low:.2f} to {min(high, 100):.2f} in 99 of 100 cases, "
        f"{'with' if holds else 'without'} the printed value; {_refused_as_one_split()}"
    ]
    if is_one_split(claim_id, data):
        seen.insert(0, f"the printed cell is a whole number of {N_TEST_2[data]} test rows, as of one split")
    elif not is_share(printed, n_splits * N_TEST_2[data]):
        seen.insert(0, f"no mean over {n_splits} test parts of {N_TEST_2[data]} rows is {printed}")
    beside = {"tdp": SOURCE_OF_TDP, "unpruned": _limits()}.get(column)
    ours, note = Readings(question, chosen, readings), "; ".join(filter(None, [*seen, beside]))
    cause = (
        f"refused as a mean of {n_splits}, as the text says: the cells cannot all be such means, see "
        "tsallis.sb-2.pruning.splits; how they were made is not shown"
    )
    origin = {"experiment": EXPERIMENT, "case": {"data": data}}
    verdict = judge(claim_id, ours, cause=cause, note=note, **origin)
    passing = [name for name in METHODS_2 if name != column and _gives(claim_id, data, name)]
    if verdict.verdict in (MATCH, CLOSE) and 2 * len(passing) > len(METHODS_2) - 1:
        why = f"no power: {', '.join(METHODS_2[name] for name in passing)} would have passed in this cell too"
        return withheld(claim_id, readings[chosen], why, note=note, **origin)
    return verdict


def _gives(claim_id, data, column):
    """Whether the trees of another column would be a match or close in this cell, bool."""
    n_splits, half = int(find("tsallis.sb-2.pruning.splits").number), float(half_unit(find(claim_id).number))
    low, high = sampling.interval(tuple(_values(data, column)[READ_AS[column][1]]), "mean", n_splits)
    return low - half <= float(find(claim_id).number) <= high + half


def _refused_as_one_split():
    """Which cells of Table 2 no single split can give, in words: the reading does not stand for the table."""
    ids = {f"tsallis.t2.{key}.acc-{column}": data for key, data in TABLE_2.items() for column in METHODS_2}
    refused = [claim_id for claim_id, data in ids.items() if not is_one_split(claim_id, data)]
    if not refused:
        return "every cell of the table can be of one split"
    return (
        f"{len(refused)} of the {len(ids)} cells cannot be of one split, since they are no whole number of "
        f"test rows ({', '.join(refused)}), so that reading spares no cell"
    )


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


def _limits():
    """Whether one limit of depth or size gives the whole printed column of trees that are not pruned."""
    n_splits, found = int(find("tsallis.sb-2.pruning.splits").number), []
    for name in SMALLER:
        cells, means = 0, []
        for key, data in TABLE_2.items():
            values = other_readings(data)["limit"][name]
            low, high = sampling.interval(tuple(values), "mean", n_splits)
            cells += low <= find(f"tsallis.t2.{key}.acc-unpruned").number <= high
            means.append(f"{values.mean():.1f}")
        found.append(f"{name} {cells} of {len(means)} cells ({', '.join(means)})")
    return f"no pruning with a limit gives: {'; '.join(found)}"


@judges("tsallis.sb-2.pruning.c*")
def judge_pruning_claims():
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
    pairs = "pairs of a data set and another {}, {}"
    return [
        _judge_ahead(
            Trials.of(better, pairs.format("method", "its mean over our splits behind that of MCCP")),
            behind,
            f"with the complexity that is best over the other splits MCCP is ahead in {sum(learned)} of "
            f"{len(learned)}; the column of the fitted constant, not counted: {'; '.join(fitted)}",
        ),
        _judge_competitive(level),
    ]


@judges("tsallis.sb-2.pruning.competitive")
def _judge_competitive(leads):
    """Verdict on "competitive", a word without a number: by the least of `MARGINS` where all say the same.

    leads : list of (str, float), pairs of a data set and another pruning, and the lower end of MCCP's lead
    """
    counts = {margin: sum(low > -margin for _, low in leads) for margin in MARGINS}
    least = MARGINS[0]
    text = ", ".join(f"{margin:g}: {n}" for margin, n in counts.items())
    disagree = len({2 * n > len(leads) for n in counts.values()}) > 1
    return judge_statement(
        "tsallis.sb-2.pruning.competitive",
        ((text, bool(low > -least), float(-low)) for text, low in leads),
        f"all pairs of a data set and another pruning, MCCP less than {least:g} points behind it at the "
        "lower end of the 95 % interval",
        WHOLE,
        withhold="a word without a number: margins disagree" * disagree,
        note=f"competitive is read as at most so many points behind, and of {len(leads)} pairs hold {text}",
        experiment=EXPERIMENT,
    )


@judges("tsallis.sb-2.pruning.claim")
def _judge_ahead(trials, behind, note):
    """Verdict on "better than the other methods": by the signs of the means, where the error allows one.

    behind : list of str, pairs in which MCCP is not ahead, whatever the 95 % half-width of the mean
    """
    cause = (
        f"not ahead, its error included: {'; '.join(behind)}; where the lead is 0 without an error, the best "
        "complexity prunes nothing that changes a prediction"
    )
    why = "no power: no mean is behind by more than its error, which would refuse it"
    why = why if trials.failed and not behind else ""
    claim = "tsallis.sb-2.pruning.claim"
    return judge_statement(claim, trials, cause=cause, withhold=why, note=note, experiment=EXPERIMENT)
