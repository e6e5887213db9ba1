"""Table 2 on many splits, and read in other ways: how far its trees are grown, what its rules prune on, which
rule [Qui86] is; its cells, and what Appendix B.2 says of it.

The text calls the cells means over 50 splits, and they are judged as such, over many splits. A page has time
for fewer: it shows their means, and judges nothing by them. The other readings are run on the first splits of
`table_2`. Most cells look like one split. That reading stands beside: cells of the table refuse it, so it
spares none.
"""

from functools import cache

import numpy as np

from treelib.ledger import sampling, store
from treelib.ledger.experiments import experiment
from treelib.ledger.protocol.declared import Said, declared, kept
from treelib.ledger.protocol.judging import WHOLE, Draws, Readings, judge_statement, judges
from treelib.papers.tsallis import splits
from treelib.papers.tsallis.splits import STANDARD, half_width
from treelib.papers.tsallis.table_2 import (
    C1,
    DEFAULT_C1,
    HELD_OUT,
    METHODS_2,
    N_SPLITS,
    TABLE_2,
    collect,
    grow,
    prune_split,
)
from treelib.topdown.prune import methods

ENTROPY = STANDARD["Entropy"]
GROWN = {  # what "unpruned" may mean
    "depth 5 at most, as in Section 9.1": {"max_depth": splits.MAX_DEPTH},
    "two rows a leaf": {"min_samples_leaf": 2},
    "five rows a leaf": {"min_samples_leaf": 5},
}
SHARES = {"a third held out": 3, "a fifth held out": 5}
PESSIMISTIC = {  # standard errors and correction of a leaf
    "no standard error": (0.0, 0.5),
    "two standard errors": (2.0, 0.5),
    "no correction": (1.0, 0.0),
    "neither": (0.0, 0.0),
}
LEVELS = {"chi-square stop of [Qui86] at 5 %": 0.05, "chi-square stop of [Qui86] at 1 %": 0.01}


@experiment(
    "tsallis.pruning-readings",
    item="Table 2",
    title="Accuracies of pruned trees under other readings of the five columns",
    cases=lambda: [{"data": data} for data in splits.PRUNED],
    datasets=splits.data_of,
    seconds=11,
)
def read_otherwise(case):
    """Accuracy in percent of every reading: list of dict of "column: reading", one a split."""
    X, y = splits.samples(case["data"])
    return [one_split(X, y, *splits.pruning_parts(len(y), split)) for split in range(N_SPLITS)]


def one_split(X, y, train, test):
    """Accuracy in percent of the test rows: dict of "column: reading"."""

    def score(tree):
        return float(100 * np.mean(tree.predict(X[test]) == y[test]))

    whole = grow(X[train], y[train], *ENTROPY)
    found = {
        f"unpruned: {name}": score(grow(X[train], y[train], *ENTROPY, **limits))
        for name, limits in GROWN.items()
    }
    for name, share in SHARES.items():
        held, rest = train[: len(train) // share], train[len(train) // share :]
        smaller = grow(X[rest], y[rest], *ENTROPY)
        found[f"rep: {name}"] = score(methods.prune_reduced_error(smaller, X[held], y[held]))
    found["rep: pruned on the rows it is grown on"] = score(
        methods.prune_reduced_error(whole, X[train], y[train])
    )
    found["rep: pruned on the test rows"] = score(methods.prune_reduced_error(whole, X[test], y[test]))
    for name, (errors, correction) in PESSIMISTIC.items():
        found[f"tdp: {name}"] = score(methods.prune_top_down_pessimistic(whole, errors, correction))
    for name, level in LEVELS.items():
        found[f"tdp: {name}"] = score(stop_by_chi_square(whole, level))
    return found | of_depth_5(X, y, train, test, score)


def of_depth_5(X, y, train, test, score):
    """The four prunings of trees of depth 5 at most: dict as `one_split` gives it.

    score : function of a tree. Minimal cost-complexity takes the best tree of the path for this test part.
    """
    tree = grow(X[train], y[train], *ENTROPY, max_depth=splits.MAX_DEPTH)
    held, rest = train[: len(train) // HELD_OUT], train[len(train) // HELD_OUT :]
    smaller = grow(X[rest], y[rest], *ENTROPY, max_depth=splits.MAX_DEPTH)
    path = methods.cost_complexity_path(tree)
    trees = {
        "rep": methods.prune_reduced_error(smaller, X[held], y[held]),
        "tdp": methods.prune_top_down_pessimistic(tree),
        "bup": methods.prune_bottom_up_pessimistic(tree, DEFAULT_C1),
    }
    wrong = path.costs(methods.wrong_counts(tree.recount(X[test], y[test])))
    best = {"mccp: depth 5 at most, best of each split": float(100 - 100 * min(wrong) / len(test))}
    return best | {f"{column}: depth 5 at most": score(tree) for column, tree in trees.items()}


def stop_by_chi_square(tree, level):
    """The tree where a node stays a leaf unless classes and sides depend on each other at `level`.

    Quinlan (1986), Induction of decision trees, Section 5: growth stops where the chi-square test does not
    reject independence. The split that is tested is the best one, so stopping after growth is the same.
    """
    from scipy.stats import chi2_contingency

    inner = np.flatnonzero(~tree.is_leaf)
    closed = []
    for node in inner:
        sides = tree.value[[tree.children_left[node], tree.children_right[node]]]
        if chi2_contingency(sides[:, sides.sum(axis=0) > 0], correction=False).pvalue > level:
            closed.append(node)
    return tree.pruned(closed) if closed else tree


@cache
def other_readings(data):
    """Accuracies of the other readings: dict of column to dict of reading to float (N_SPLITS,)."""
    rows = store.record("tsallis.pruning-readings", {"data": data})["result"]
    found = {}
    for name in rows[0]:
        column, reading = name.split(": ", 1)
        found.setdefault(column, {})[reading] = np.array([row[name] for row in rows])
    return found


# ---- many splits -------------------------------------------------------------------------------------------

MANY = 500


@experiment(
    "tsallis.table-2",
    item="Table 2",
    title="Table 2 on many splits",
    cases=lambda: [{"data": data} for data in splits.PRUNED],
    datasets=splits.data_of,
    seconds=25,
)
def prune_many(case):
    """Test rows predicted rightly on each of `MANY` splits.

    Returns
    -------
    dict: ``n_test``; ``unpruned``, ``rep``, ``tdp`` and ``bup`` (a list for each of `C1`); ``mccp``, the
    complexity that is best over all splits, ``mccp_learned``, over the other splits, ``mccp_best``, of each
    """
    X, y = splits.samples(case["data"])
    found = collect([prune_split(X, y, *ENTROPY, split) for split in range(MANY)])
    n_test = found.rows[0]["n_test"]
    chosen = {"mccp": found.fixed(), "mccp_learned": found.learned(), "mccp_best": found.oracle()}
    counted = {"unpruned": "unpruned", "rep": "reduced_error", "tdp": "top_down"}
    return {
        "n_test": n_test,
        **{name: np.rint(one * n_test / 100).astype(int).tolist() for name, one in chosen.items()},
        **{name: [row[column] for row in found.rows] for name, column in counted.items()},
        "bup": [[row["bottom_up"][k] for row in found.rows] for k in range(len(C1))],
    }


@cache
def many_splits(data):
    """Accuracies in percent of `prune_many`: dict of column to float (MANY,), ``bup`` (len(C1), MANY)."""
    found = dict(store.record("tsallis.table-2", {"data": data})["result"])
    n_test = found.pop("n_test")
    return {name: 100 * np.array(right) / n_test for name, right in found.items()}


# ---- cells and sentences ----------------------------------------------------------------------------------

READ_AS = {  # column: what is open, and the reading that judges it
    "unpruned": ("how far trees are grown", "until no split is left"),
    "mccp": ("which complexity is the best", "best over all splits"),
    "rep": ("on which rows reduced error pruning prunes", f"one training row in {HELD_OUT} held out"),
    "tdp": ("the rule of top-down pruning", "one standard error, half an error a leaf"),
    "bup": ("the constant of the bottom-up rule", f"c1 = {DEFAULT_C1:g}"),
}
MARGINS = (0.25, 0.5, 1.0, 2.0, 3.0)  # points of accuracy behind that may still be called competitive
FITTED = "bup"  # its constant was fitted to the printed cells
KEYS = {data: key for key, data in TABLE_2.items()}


def own_reading(data):
    """Accuracies in percent by the readings that judge: dict of column to float (MANY,)."""
    known = many_splits(data)
    return {name: known[name][C1.index(DEFAULT_C1)] if name == "bup" else known[name] for name in METHODS_2}


def _accuracy_of(column):
    """What a cell reads: its accuracies on many splits in every reading, and those of the other columns."""
    question, chosen = READ_AS[column]

    def read(lines, _):
        data = lines["data"].iloc[0]
        own, known = own_reading(data), many_splits(data)
        values = {chosen: own[column]}
        if column == "bup":
            values = dict(zip((f"c1 = {c1:g}" for c1 in C1), known["bup"], strict=True))
        if column == "mccp":
            values |= {
                "best over the other splits": known["mccp_learned"],
                "best of each split": known["mccp_best"],
            }
        values |= other_readings(data).get(column, {})
        readings = {name: Draws(value, (0, 100)) for name, value in values.items()}
        low, high = sampling.interval(readings[chosen].values, "draw", 1)
        rivals = {METHODS_2[name]: Draws(value, (0, 100)) for name, value in own.items() if name != column}
        return Said(Readings(question, chosen, readings), {"low": low, "high": min(high, 100)}, rivals)

    return read


@declared("tsallis.t2.{key}.acc-{cell}", {column: _accuracy_of(column) for column in METHODS_2})
def cells():
    """Rows predicted rightly by every method on many splits, a line a data set."""
    found = kept("tsallis.table-2")
    return found.assign(key=found["data"].map(KEYS))


@judges("tsallis.sb-2.pruning.c*")
def judge_pruning_claims():
    """Verdicts on "better mean test accuracy than the other methods" and on "competitive", a list."""
    better, level, behind, fitted, learned = [], [], [], [], []
    for data in splits.PRUNED:
        known, from_others = own_reading(data), many_splits(data)["mccp_learned"]
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
            experiment="tsallis.table-2",
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
            experiment="tsallis.table-2",
        ),
    ]
