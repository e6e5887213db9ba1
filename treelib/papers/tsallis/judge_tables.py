"""Verdicts on Tables 1 and 2: printed means beside ours, with the range that single draws have."""

from dataclasses import replace

import numpy as np

from treelib.ledger.claims import find, judge, judge_statement
from treelib.papers.tsallis import splits
from treelib.papers.tsallis.example import documented_example
from treelib.papers.tsallis.pruning import C1, N_SPLITS
from treelib.papers.tsallis.splits import STANDARD
from treelib.papers.tsallis.summary import central, half_width, in_other_readings, pruned, tuning
from treelib.papers.tsallis.tuning import NAMED

TABLE_1 = {"iris": "Iris", "banknote": "Banknote", "breast-cancer": "Breast cancer", "wine": "Wine"}
TABLE_2 = {"iris": "Iris", "digits": "Digits", "breast-cancer": "Breast cancer", "wine": "Wine"}
COLUMNS = {"gini": STANDARD["Gini"], "entropy": STANDARD["Entropy"], "km96": STANDARD["KM96"]}
N_TEST_2 = {"Iris": 30, "Digits": 360, "Breast cancer": 114, "Wine": 36}
DEFAULT_C1 = 0.1  # inferred: of `C1` the one at which all four printed cells lie among those of single splits
UNSAID = "The limits of the trees, the constants of the rules and the rows they prune on are not printed"
METHODS_2 = {
    "unpruned": "no pruning",
    "mccp": "cost-complexity",
    "rep": "reduced error",
    "tdp": "top-down pessimistic",
    "bup": "bottom-up pessimistic",
}


def judge_table_1():
    """Verdicts on all cells of Table 1."""
    found = []
    for key, data in TABLE_1.items():
        point = NAMED[data]
        for column, at in {"best": point, **COLUMNS}.items():
            found += _judge_accuracy(f"tsallis.t1.{key}.acc-{column}", data, at)
        for part in (0, 1):
            found.append(_judge_best(f"tsallis.t1.{key}.best-{('alpha', 'beta')[part]}", data, point, part))
    return found


def _judge_accuracy(claim_id, data, point):
    """An accuracy of Table 1, and the half width of its interval."""
    results = tuning(data)
    accuracy, n = results.at(point), results.n_seeds
    low, high = central(accuracy)
    drawn = f"one draw of five runs, as the paper has, gives {low:.2f} to {high:.2f} in 95 % of our {n} draws"
    chosen = ", and a point chosen on the test part looks better than it is" * claim_id.endswith("acc-best")
    mean = judge(
        claim_id,
        float(accuracy.mean()),
        tolerance=(high - low) / 2,
        why=f"{drawn}; ours is the mean of all draws",
        cause=f"{drawn}; the paper's grid, draw of the parts and tie rules are not printed{chosen}",
        experiment="tsallis.tuning",
    )
    return [mean, _judge_spread(f"{claim_id}-ci95", results.spread[point])]


def _judge_spread(claim_id, spread):
    low, high = central(spread)
    drawn = f"the half width of five runs is {low:.2f} to {high:.2f} in 95 % of our draws"
    return judge(
        claim_id,
        float(spread.mean()),
        tolerance=(high - low) / 2,
        why=f"{drawn}; ours is its mean",
        cause=f"{drawn}; how many runs the paper has, and its formula, are not printed",
        experiment="tsallis.tuning",
    )


def _judge_best(claim_id, data, point, part):
    """One coordinate of the best parameters."""
    results = tuning(data)
    best, mean = results.best, results.mean
    votes, resampled = results.winners(), results.resampled()
    lost, width = results.halves(over=point)
    text = (
        f"{best[part]:g}: best mean at {show(best)}, best in {100 * resampled[best]:.0f} % of resamplings; "
        f"{len(votes)} points win some draw, {results.n_equal():.1f} share the first place on average"
    )
    if best[part] == point[part]:
        return judge_statement(claim_id, True, text, experiment="tsallis.tuning")
    if lost <= width:
        why = (
            f"the printed {show(point)} is {lost:.2f} ± {width:.2f} points below the point that is best on "
            "the other half of the draws: not told apart"
        )
        return judge_statement(claim_id, True, text, why=why, experiment="tsallis.tuning")
    rank = int((mean > mean[results.index(point)]).sum()) + 1
    cause = (
        f"the printed {show(point)} is {lost:.2f} ± {width:.2f} points below the point that is best on the "
        f"other half of {results.n_seeds} draws, rank {rank} of {mean.size}; which point is best on a single "
        f"draw is a matter of chance{in_other_readings(data)}"
    )
    return judge_statement(claim_id, False, text, cause=cause, experiment="tsallis.tuning")


def show(point):
    """A pair (alpha, beta) for readers."""
    return f"({point[0]:g}, {point[1]})"


# ---- Table 2 -----------------------------------------------------------------------------------------------


def table_2(data):
    """Accuracies of the methods of Table 2 on each split: dict of column to float (N_SPLITS,)."""
    results = pruned(data, *STANDARD["Entropy"])
    return {
        "unpruned": results.column("unpruned"),
        "mccp": results.fixed(),
        "rep": results.column("reduced_error"),
        "tdp": results.column("top_down"),
        "bup": results.column("bottom_up")[:, C1.index(DEFAULT_C1)],
    }


def judge_table_2():
    """Verdicts on all cells of Table 2."""
    found = []
    for key, data in TABLE_2.items():
        for column, accuracy in table_2(data).items():
            found.append(_judge_pruned(f"tsallis.t2.{key}.acc-{column}", data, accuracy))
    return found


def is_one_split(claim_id, data):
    """Whether a cell of Table 2 is the accuracy of a single test part, at the printed digits."""
    return _is_share(find(claim_id).number, N_TEST_2[data])


def _is_share(printed, n):
    return any(f"{100 * k / n:.2f}" == f"{printed:.2f}" for k in range(n + 1))


def judge_number_of_splits():
    """Verdict on "means over 50 splits", from the printed cells alone."""
    ids = {f"tsallis.t2.{key}.acc-{column}": data for key, data in TABLE_2.items() for column in METHODS_2}
    single = [N_TEST_2[data] for claim_id, data in ids.items() if is_one_split(claim_id, data)]
    # a mean over s splits of n rows is a multiple of 1 / (s n), known to a hundredth of a percent
    chances = [max(1 / int(find("tsallis.sb-2.pruning.splits").number), n / 1e4) for n in single]
    return judge_statement(
        "tsallis.sb-2.pruning.splits",
        False,
        f"{len(single)} of the {len(ids)} cells of Table 2 are whole numbers of the rows of one test part",
        cause=f"a mean over so many splits looks like that in one case of {1 / max(chances):.0f} to "
        f"{1 / min(chances):.0f}, all these cells together by a chance of 10^{np.log10(chances).sum():.0f}; "
        f"here the means are over {N_SPLITS} splits, and the range of single splits stands beside them",
    )


def _judge_pruned(claim_id, data, accuracy):
    """A cell of Table 2: like is compared with like, a single split with the range of single splits."""
    printed = float(find(claim_id).number)
    mean, width = float(accuracy.mean()), float(half_width(accuracy))
    low, high = central(accuracy)
    single = f"single splits give {low:.2f} to {high:.2f} in 95 % of cases"
    over_all = f"the 95 % interval of our mean over {N_SPLITS} splits is {mean:.2f} ± {width:.2f}"
    n = N_TEST_2[data]
    origin = {"experiment": "tsallis.pruning", "case": {"data": data, "alpha": 1.0, "beta": 1}}
    if is_one_split(claim_id, data):
        kind = f"the printed cell is a whole number of {n} test rows, so that of one split and no mean"
        tolerance = (high - low) / 2
    elif claim_id.endswith("-mccp") and _is_share(printed, documented_example(data).n_test):
        return _judge_example(claim_id, data, f"{over_all}; {single}")
    else:
        kind, tolerance = "the printed cell is not what one split gives", width
    outside = ", and none of our splits gives so little" * bool(printed < accuracy.min())
    outside += ", and none of our splits gives so much" * bool(printed > accuracy.max())
    return judge(
        claim_id,
        mean,
        tolerance=tolerance,
        why=f"{kind}; {single}; {over_all}",
        cause=f"{kind}{outside}; {single}; {over_all}. {UNSAID}",
        **origin,
    )


def _judge_example(claim_id, data, means):
    """A cell that is a whole number of the test rows of scikit-learn's example."""
    found = documented_example(data)
    note = (
        f"the printed cell is a whole number of {found.n_test} rows, a quarter: compared with scikit-learn's "
        "example of cost-complexity pruning (Gini, seed 0, its own tree, the parameter best on the test "
        f"part), not with the means that the text describes; {means}"
    )
    verdict = judge(claim_id, found.accuracy, cause=note)
    return replace(verdict, reason=note)


def judge_pruning_claim():
    """Verdict on "the learned pruning has a better mean test accuracy than the other methods"."""
    not_ahead, n_clear, n_all = [], 0, 0
    for data in splits.PRUNED:
        learned = pruned(data, *STANDARD["Entropy"]).learned()
        for name, accuracy in table_2(data).items():
            if name == "mccp":
                continue
            lead, n_all = learned - accuracy, n_all + 1
            n_clear += lead.mean() > half_width(lead)
            if lead.mean() <= 0:
                width = half_width(lead)
                not_ahead.append(f"{METHODS_2[name]} on {data}, {-lead.mean():+.2f} ± {width:.2f} points")
    return judge_statement(
        "tsallis.sb-2.pruning.claim",
        not not_ahead,
        "its parameter chosen on the other splits, cost-complexity pruning is ahead in "
        f"{n_all - len(not_ahead)} of {n_all} comparisons, in {n_clear} of them beyond the 95 % interval of "
        "paired differences",
        cause=f"ahead of it or level with it, by means over {N_SPLITS} splits: {'; '.join(not_ahead)}",
        experiment="tsallis.pruning",
    )
