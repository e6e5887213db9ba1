"""Verdicts on the paper's data, settings, figures and what its text says of its experiments."""

import numpy as np

from treelib import datasets
from treelib.ledger.claims import TAKEN_OVER, judge, judge_statement, untestable
from treelib.papers.tsallis import splits
from treelib.papers.tsallis.boosting import N_SPLITS as N_BOOSTED
from treelib.papers.tsallis.judge_tables import TABLE_1, show
from treelib.papers.tsallis.pruning import ETA, FIXED_ALPHA, FIXED_BETA, N_SPLITS, VARIED_ALPHAS, VARIED_BETAS
from treelib.papers.tsallis.splits import STANDARD
from treelib.papers.tsallis.summary import boosting_choice, half_width, in_other_readings, pruned, tuning
from treelib.papers.tsallis.tuning import NAMED

COUNTS_CLASS = "the paper counts the class as an attribute"
NO_XGBOOST = "xgboost is not installed, and no result is kept"
NO_RESULTS = "the data may not be shipped, they are not at hand, and no result is kept"

SETTINGS = (
    "tsallis.t1.caption.confidence",
    "tsallis.s3-3.bayesian.iterations",
    "tsallis.s4.pessimistic.definition",
    "tsallis.s5.random-forest.trees-bound",
    "tsallis.s7.objective.l-eta",
    "tsallis.s9.tuning.max-depth",
    "tsallis.s9.tuning.pruning",
    "tsallis.s9.mccp.criterion",
    "tsallis.s9.xgboost.trees",
    "tsallis.s9.xgboost.max-depth",
    "tsallis.s9.xgboost.learning-rate",
    "tsallis.s9.xgboost.train-share",
    "tsallis.s9.xgboost.test-share",
    "tsallis.s9.frontier.criterion",
    "tsallis.s9.frontier.fixed-beta",
    "tsallis.s9.frontier.fixed-alpha",
    "tsallis.s9.frontier.eta",
    "tsallis.f2.caption.eta",
    "tsallis.sb-2.pruning.criterion",
)
FACTS = {  # claim: data set of the paper, what is counted
    "tsallis.s9.iris": ("Iris", ("classes", "attributes", "instances")),
    "tsallis.s9.wine": ("Wine", ("classes", "attributes", "instances")),
    "tsallis.s9.breast-cancer": ("Breast cancer", ("instances", "attributes", "classes")),
    "tsallis.s9.banknote": ("Banknote", ("instances", "attributes", "classes")),
    "tsallis.sb-1.seeds": ("Seeds", ("classes", "instances", "attributes")),
    "tsallis.sb-1.cryotherapy": ("Cryotherapy", ("instances", "attributes")),
    "tsallis.sb-1.glass-identification": ("Glass identification", ("classes", "instances", "attributes")),
    "tsallis.sb-1.algerian-forest-fires": (
        "Algerian forest fires",
        ("attributes", "instances", "classes"),
    ),
}
ADDITIONAL_CLAIMS = {
    "Seeds": ("tsallis.sb-1.seeds.best-setting",),
    "Cryotherapy": ("tsallis.sb-1.cryotherapy.good-alpha", "tsallis.sb-1.cryotherapy.good-beta"),
    "Glass identification": (
        "tsallis.sb-1.glass-identification.good-alpha",
        "tsallis.sb-1.glass-identification.good-beta",
    ),
    "Algerian forest fires": ("tsallis.sb-1.algerian-forest-fires.best-beta",),
}
ALGERIAN_DATE = 3  # columns of the date, see `splits.without_date`


def judge_settings():
    """Settings and definitions that are taken over."""
    return [untestable(claim_id, TAKEN_OVER) for claim_id in SETTINGS]


def judge_data():
    """Sizes of the data sets, from the registry that every loaded set is checked against."""
    found = []
    for claim, (data, wanted) in FACTS.items():
        info = datasets.info(splits.NAMES[data])
        date = ALGERIAN_DATE * (data == "Algerian forest fires")
        counted = {
            "classes": len(info.class_names),
            "attributes": info.n_features - date,
            "instances": info.n_samples,
        }
        cause = f"{COUNTS_CLASS}" + "; the date is left out" * bool(date)
        found += [judge(f"{claim}.{what}", counted[what], cause=cause) for what in wanted]
    per_class = set(datasets.info("tsallis/iris").class_counts)
    found.append(judge("tsallis.s9.iris.per-class", per_class.pop()))
    online = "online only, without a checksum: the set was not at hand"
    found += [
        untestable(f"tsallis.sb-1.human-activity.{what}", online)
        for what in ("classes", "instances", "attributes")
    ]
    return found


# ---- the grid of criteria ----------------------------------------------------------------------------------


def judge_grid_claims():
    """Table 1's text, Figures 3 and 6, and the text on the additional data sets."""
    return [
        _judge_outperform(),
        _judge_figure("tsallis.f3.description.heatmaps", splits.MAIN),
        _judge_figure("tsallis.f6.description.heatmaps", splits.ADDITIONAL),
        *_judge_additional(),
        _judge_human_activity(),
    ]


def _judge_outperform():
    """Whether the printed points are significantly better than the standard criteria."""
    won = []
    for data in TABLE_1.values():
        results = tuning(data)
        for name, standard in STANDARD.items():
            gain, width = results.gain(NAMED[data], standard)
            won.append((gain > width, f"{data} over {name} {gain:+.2f} ± {width:.2f}"))
    learned = {data: tuning(data).learned() for data in TABLE_1.values()}
    n_won = sum(is_won for is_won, _ in won)
    picked = ", ".join(f"{data} {gain:+.2f} ± {width:.2f}" for data, (gain, width) in learned.items())
    return judge_statement(
        "tsallis.s9.tuning.claim",
        n_won == len(won),
        f"the printed points are significantly better in {n_won} of {len(won)} comparisons; parameters that "
        f"cross validation picks, against Gini: {picked}",
        cause="not so, by paired differences over the same draws: "
        + "; ".join(text for is_won, text in won if not is_won),
        experiment="tsallis.tuning",
    )


def _judge_figure(claim_id, names):
    """Whether each data set has its own best point, and whether the data can tell."""
    known = {data: tuning(data) for data in names}
    if None in known.values():
        return untestable(claim_id, NO_RESULTS, experiment="tsallis.tuning")
    best = {data: results.best for data, results in known.items()}
    share = {data: results.near_best() for data, results in known.items()}
    points = ", ".join(f"{data} {show(point)}" for data, point in best.items())
    near = ", ".join(f"{data} {100 * value:.0f} %" for data, value in share.items())
    return judge_statement(
        claim_id,
        len(set(best.values())) == len(best),
        f"best points: {points}; share of the grid not told apart from the best: {near}",
        why="the brightness of the printed maps is not in the text and cannot be compared",
        cause=f"two data sets have the same best point: {points}",
        experiment="tsallis.tuning",
    )


def _judge_human_activity():
    """Small alpha is better and beta matters less: looked at on the look-alike."""
    mean = tuning("HAR-like").mean
    alphas = np.array(splits.GRID_ALPHAS)
    over_alpha, over_beta = mean.mean(axis=1), mean.mean(axis=0)
    small, large = over_alpha[alphas < 1].mean(), over_alpha[alphas > 2].mean()
    holds = small > large and np.ptp(over_beta) < np.ptp(over_alpha)
    text = (
        f"mean accuracy {small:.1f} % for alpha below 1 and {large:.1f} % above 2; means differ by up to "
        f"{np.ptp(over_alpha):.1f} points between alphas and {np.ptp(over_beta):.1f} between betas"
    )
    why = "on a look-alike made from other recordings; the set itself is online only and was not at hand"
    if not holds:
        return untestable("tsallis.sb-1.human-activity.claim", f"{why}: {text}", experiment="tsallis.tuning")
    return judge_statement(
        "tsallis.sb-1.human-activity.claim", True, text, why=why, experiment="tsallis.tuning"
    )


def _judge_additional():
    """The settings that Appendix B.1 names for four data sets."""
    found = []
    for data, claim_ids in ADDITIONAL_CLAIMS.items():
        results, point = tuning(data), NAMED[data]
        if results is None:
            found += [untestable(claim_id, NO_RESULTS, experiment="tsallis.tuning") for claim_id in claim_ids]
            continue
        lost, lost_width = results.halves(over=point)  # a best point of all draws would flatter itself
        gain, gain_width = results.gain(point, STANDARD["Gini"])
        rank = int((results.mean > results.mean[results.index(point)]).sum()) + 1
        text = (
            f"{show(point)} has rank {rank} of {results.mean.size}, {gain:+.2f} ± {gain_width:.2f} points "
            f"against Gini, and {lost:.2f} ± {lost_width:.2f} below the point that is best on the other half "
            "of the draws"
        )
        first = float((results.at(point) >= results.test.max(axis=(1, 2))).mean())
        text += (
            f"; of single draws, such as the paper's, it is the best or one of equals on {100 * first:.0f} %"
        )
        holds = lost <= lost_width and 2 * rank <= results.mean.size  # "one of the best"
        if data == "Algerian forest fires":  # it has to beat Gini, and nothing may beat it
            holds = holds and gain > gain_width
        cause = (
            f"not so by rank {rank} of {results.mean.size} and paired differences over the draws; trees have "
            f"on average {results.leaves[point]:.1f} leaves there, and "
            f"{results.leaves[STANDARD['Gini']]:.1f} by Gini{in_other_readings(data)}"
        )
        for claim_id in claim_ids:
            found.append(
                judge_statement(
                    claim_id,
                    holds,
                    text,
                    why=""
                    if rank == 1
                    else "not told apart from the best by paired differences over the draws",
                    cause=cause,
                    experiment="tsallis.tuning",
                )
            )
    return found


# ---- pruning and frontiers ---------------------------------------------------------------------------------


def judge_pruning_figures():
    """Figures 1, 2 and 5 and their text."""
    gini = {data: pruned(data, *STANDARD["Gini"]) for data in splits.MAIN}
    pieces = all(
        len(row["complexities"]) <= row["leaves"] for results in gini.values() for row in results.rows
    )
    best = {data: results.best for data, results in gini.items()}
    differ = _told_apart(gini)
    text = (
        f"at most t pieces on all {N_SPLITS} splits of {len(gini)} data sets; best complexities: "
        + ", ".join(f"{data} {complexity:.4f}" for data, (complexity, _) in best.items())
    )
    why = "which data the printed curves show is not in the text"
    no = "a loss has more pieces than leaves, or one complexity is best for all data sets"
    dominance = {data: _dominance(data) for data in ("Iris", "Wine")}
    regimes = "; ".join(f"{data}: {_regime_text(found)}" for data, found in dominance.items())
    several = all(len({name for name, _ in found.values()}) > 1 for found in dominance.values())
    told = any(is_told for found in dominance.values() for _, is_told in found.values())
    reduction, smaller = _frontier_reach(gini)
    unsure = "the means differ so; by paired differences the criteria are not told apart at these sizes"
    return [
        judge_statement(
            "tsallis.f1.description.plot",
            pieces and differ,
            text,
            why=why,
            cause=no,
            experiment="tsallis.pruning",
        ),
        judge_statement(
            "tsallis.s9.mccp.claim", pieces and differ, text, cause=no, experiment="tsallis.pruning"
        ),
        judge_statement(
            "tsallis.f2.description.plot",
            smaller,
            reduction,
            why=why,
            cause="the whole tree has the least objective on some data set",
            experiment="tsallis.pruning",
        ),
        judge_statement(
            "tsallis.f5.description.plot",
            several,
            regimes,
            why="which values the printed curves have is not in the text",
            cause="one criterion is best at all sizes",
            experiment="tsallis.pruning",
        ),
        judge_statement(
            "tsallis.s9.frontier.claim",
            several,
            regimes,
            why="" if told else unsure,
            cause="one criterion is best at all sizes",
            experiment="tsallis.pruning",
        ),
    ]


def _told_apart(results):
    """Whether for some two data sets the best complexity of one is significantly worse on the other."""
    for one in results.values():
        for other in results.values():
            piece = np.searchsorted(one.complexities, other.best[0], side="right") - 1
            lost = one.fixed() - one.accuracy[:, piece]
            if lost.mean() > half_width(lost) > 0:
                return True
    return False


def _frontier_reach(results):
    """Leaves that the best objective needs, against the unpruned tree, and whether these are always fewer."""
    parts, smaller = [], True
    for data, one in results.items():
        leaves, accuracy, objective = one.frontier()
        at = int(objective.argmin())
        smaller &= bool(leaves[at] < leaves[0])
        parts.append(f"{data} {leaves[at]:.1f} of {leaves[0]:.1f} leaves at {accuracy[at]:.1f} %")
    return f"least loss + {ETA:g} leaves, means over {N_SPLITS} splits: " + ", ".join(parts), smaller


def criteria_of_figure_5():
    """The criteria of Figure 5's two panels: list of lists of (alpha, beta)."""
    return [
        [(alpha, FIXED_BETA) for alpha in VARIED_ALPHAS],
        [(FIXED_ALPHA, beta) for beta in VARIED_BETAS],
    ]


def _dominance(data, sizes=range(2, 9)):
    """Best criterion for each number of leaves: dict of size to (criterion, told apart from some other)."""
    criteria = list(dict.fromkeys(point for panel in criteria_of_figure_5() for point in panel))
    found = {}
    for size in sizes:
        accuracy = {point: pruned(data, *point).of_size(size) for point in criteria}
        best = max(criteria, key=lambda point: accuracy[point].mean())
        lost = [accuracy[best] - accuracy[point] for point in criteria if point != best]
        found[size] = best, any(one.mean() > half_width(one) > 0 for one in lost)
    return found


def _regime_text(found):
    return ", ".join(f"{size} leaves {show(point)}" for size, (point, _) in found.items())


# ---- boosting ----------------------------------------------------------------------------------------------


def judge_boosting():
    """Figure 4 and its text."""
    choices = {data: boosting_choice(data) for data in splits.MAIN}
    if None in choices.values():
        ids = ("tsallis.f4.description.plot", "tsallis.s9.xgboost.claim", "tsallis.s9.xgboost.iterations")
        return [untestable(claim_id, NO_XGBOOST) for claim_id in ids]
    text = ", ".join(
        f"{data} {choice['best']:g} (not told apart: {', '.join(f'{x:g}' for x in choice['set'])})"
        for data, choice in choices.items()
    )
    sets = [set(choice["set"]) for choice in choices.values()]
    disjoint = any(not (one & other) for one in sets for other in sets)
    cause = f"no two data sets are told apart: {text}"
    return [
        judge_statement(
            "tsallis.f4.description.plot",
            disjoint,
            f"best lambda: {text}",
            why="the range of lambda and the data of the printed curves are not in the text",
            cause=cause,
            experiment="tsallis.boosting",
        ),
        judge_statement(
            "tsallis.s9.xgboost.claim",
            disjoint,
            f"best lambda: {text}",
            cause=cause,
            experiment="tsallis.boosting",
        ),
        judge(
            "tsallis.s9.xgboost.iterations",
            N_BOOSTED,
            cause="so many random splits tell the best lambda of the data sets apart already",
            experiment="tsallis.boosting",
        ),
    ]
