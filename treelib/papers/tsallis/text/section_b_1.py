"""Other readings of the setting of Table 1 and Appendix B.1: do the points that the paper names come out
best?

The paper prints neither how its trees stop besides the depth, nor how many rows train them, nor what
thresholds it tries. Each of `READINGS` changes one of these, for all data sets alike.
"""

from functools import cache

import numpy as np

from treelib.ledger import store
from treelib.ledger.experiments import experiment
from treelib.ledger.protocol.declared import declared, kept
from treelib.ledger.protocol.judging import Wins, judge_leads, judge_statement, judges, untestable
from treelib.papers.tsallis import splits
from treelib.papers.tsallis.figure_3 import N_CHOICES, chosen, tuning, wins
from treelib.papers.tsallis.splits import GRID_ALPHAS, GRID_BETAS, STANDARD, half_width, show
from treelib.topdown.grid.fit_grid import fit_grid, tsallis_grid

N_SEEDS = 10
READINGS = {  # limits of the trees, and how rows and thresholds are dealt with
    "as here, depth 5": {"max_depth": 5},
    "depth 3": {"max_depth": 3},
    "depth 10": {"max_depth": 10},
    "no limit": {},
    "best-first, 5 splits": {"max_splits": 5},
    "best-first, 10 splits": {"max_splits": 10},
    "best-first, 20 splits": {"max_splits": 20},
    "leaves of 5 rows": {"max_depth": 5, "min_samples_leaf": 5},
    "leaves of 20 rows": {"max_depth": 5, "min_samples_leaf": 20},
    "decrease above 0.001": {"max_depth": 5, "min_impurity_decrease": 1e-3},
    "one tree of all other rows": {"max_depth": 5, "whole": True},
    "half of the rows for the test": {"max_depth": 5, "half": True},
    "thresholds at quartiles": {"max_depth": 5, "n_thresholds": 3},
    "whole numbers as thresholds": {"max_depth": 5, "floor": True},
}


@experiment(
    "tsallis.readings",
    item="Table 1, Appendix B.1",
    title="The named points under other readings of the setting",
    cases=lambda: [{"data": data} for data in splits.NAMED],
    datasets=splits.data_of,
    seconds=22,
)
def read(case):
    """The point that the paper names, on the grid of every reading.

    Returns
    -------
    list of dict, one for each of `READINGS`: ``reading``; ``rank`` of the named point by mean accuracy;
    ``lost``, for each seed the points of accuracy that it lies below the point that is best on the other half
    of the seeds; ``gain``, for each seed its lead over Gini impurity; ``is_first``, on how many seeds no
    point is above it
    """
    X, y = splits.samples(case["data"])
    # what differs in the limits of size alone is a part of one growth without a limit
    sizes = {name: one for name, one in READINGS.items() if set(one) <= {"max_depth", "max_splits"}}
    found = dict(zip(sizes, grid_accuracy(X, y, smaller=list(sizes.values()))[1:], strict=True))
    found |= {name: grid_accuracy(X, y, **one)[0] for name, one in READINGS.items() if name not in sizes}
    return [{"reading": name, **place(found[name], splits.NAMED[case["data"]])} for name in READINGS]


def grid_accuracy(
    X, y, *, whole=False, half=False, n_thresholds=None, floor=False, n_seeds=N_SEEDS, smaller=(), **limits
):
    """Test accuracy in percent, mean over the runs of each seed: float (1 + n_smaller, n_seeds, n_alphas,
    n_betas), that of the trees and of those of the `smaller` limits."""
    if floor:
        X = np.floor(X)
    if n_thresholds:
        X = between_quantiles(X, n_thresholds)
    found = []
    for seed in range(n_seeds):
        test, folds = splits.tuning_parts(len(y), seed)
        if half:
            order = np.random.default_rng(seed).permutation(len(y))
            parts = [(order[len(y) // 2 :], order[: len(y) // 2])]
        else:
            parts = [(np.concatenate(folds[0]), test)] if whole else [(train, test) for train, _ in folds]
        criteria = tsallis_grid(GRID_ALPHAS, GRID_BETAS)
        grown = fit_grid(X, y, criteria, folds=parts, smaller=smaller, **limits)
        accuracy = np.stack([grown.accuracy, *grown.smaller_accuracy])
        shape = len(accuracy), len(GRID_ALPHAS), len(GRID_BETAS)
        found.append(100 * accuracy.mean(axis=2).reshape(shape))
    return np.stack(found, axis=1)


def between_quantiles(X, n_thresholds):
    """Numbers of the intervals between the quantiles of each column: splits are tried only there."""
    shares = np.linspace(0, 1, n_thresholds + 2)[1:-1]
    columns = [np.searchsorted(np.unique(np.quantile(column, shares)), column) for column in X.T]
    return np.column_stack(columns).astype(float)


def place(accuracy, point):
    """Where one point of the grid stands, as in `read`."""
    flat = accuracy.reshape(len(accuracy), -1)

    def column(alpha, beta):
        return flat[:, GRID_ALPHAS.index(alpha) * len(GRID_BETAS) + GRID_BETAS.index(beta)]

    own = column(*point)
    lost = np.empty(len(flat))
    for part in (0, 1):
        lost[1 - part :: 2] = (flat[:, flat[part::2].mean(axis=0).argmax()] - own)[1 - part :: 2]
    return {
        "rank": int((flat.mean(axis=0) > own.mean()).sum()) + 1,
        "lost": lost.round(9).tolist(),
        "gain": (own - column(*STANDARD["Gini"])).round(9).tolist(),
        "is_first": int((own >= flat.max(axis=1)).sum()),
    }


@cache
def readings(data):
    """How the named point of a data set fares under each of `READINGS`.

    Returns
    -------
    dict of reading to dict: ``rank``; ``lost`` and ``gain``, pairs of mean and half width of the interval;
    ``first``, share of the draws on which no point is above it.
    """
    frame = store.results("tsallis.readings", cases=[{"data": data}])
    found = {}
    for row in frame.to_dict("records"):
        lost, gain = ((float(np.mean(row[name])), float(half_width(row[name]))) for name in ("lost", "gain"))
        first = row["is_first"] / len(row["lost"])
        found[row["reading"]] = {"rank": row["rank"], "lost": lost, "gain": gain, "first": first}
    return found


def in_other_readings(data):
    """What other readings of the setting say of the named point, to follow a cause: dict for the notes."""
    known = readings(data)
    level = [name for name, one in known.items() if one["lost"][0] <= one["lost"][1]]
    errors = [one["lost"][1] for one in known.values()]
    return {
        "n_settings": len(known),
        "n_draws": N_SEEDS,
        "least": min(errors),
        "most": max(errors),
        "n_level": len(level),
        "n_ahead": sum(one["gain"][0] > one["gain"][1] for one in known.values()),
    }


@declared(
    "tsallis.sb-1.{key}.{cell}",
    {"best-setting": lambda lines, _: wins("Seeds", 0), "best-beta": lambda lines, _: _wins_of_beta(lines)},
)
def best_points():
    """How often each point of the grid is the best, a line a data set."""
    found = kept("tsallis.choice")
    return found.assign(key=found["data"].str.lower().str.replace(" ", "-"))


def _wins_of_beta(lines):
    """Wins of each beta: of the point where Seeds names it, among those of its alpha on the forest fires."""
    if lines["data"].iloc[0] == "Seeds":
        return wins("Seeds", 1)
    counts = {(beta,): n for beta, n in zip(GRID_BETAS, lines["wins_of_beta"].iloc[0], strict=True)}
    return Wins(counts, round(sum(counts.values())), splits.NAMED["Algerian forest fires"][1:])


@judges("tsallis.sb-1.*")
def judge_section_b_1():
    """Verdicts on what Appendix B.1 says of Figure 6, by the rules of Table 1; list of Verdict."""
    good = [verdict for data in ("Cryotherapy", "Glass identification") for verdict in _judge_good(data)]
    return [
        *good,
        _judge_large_parameters(),
        _judge_forest_fires(),
        _judge_cryotherapy(),
        _judge_human_activity(),
    ]


def _judge_good(data):
    """Whether a point that "is one of the best" or "works well" is told apart from the best, list of Verdict.

    No power where most of the grid would not be told apart either.
    """
    ids = [f"tsallis.sb-1.{data.lower().replace(' ', '-')}.good-{name}" for name in ("alpha", "beta")]
    many, point = chosen(data), splits.NAMED[data]
    lost, width = many["lost"]
    text, held = f"{show(point)}, {lost:.2f} ± {width:.2f} points behind", bool(lost <= width)
    numbers = {
        "n_choices": N_CHOICES,
        "behind": text,
        "rank": many["rank"],
        "n": len(GRID_ALPHAS) * len(GRID_BETAS),
        "share": many["level"],
        **in_other_readings(data),
    }
    more = {"withhold": held and many["level"] > 0.5, "numbers": numbers, "experiment": "tsallis.choice"}
    return [judge_statement(one, [(text, held)], **more) for one in ids]


def _judge_large_parameters():
    """Whether the best of Glass identification has larger alpha and beta than usual criteria."""
    results = tuning("Glass identification")
    standard = np.array(list(STANDARD.values()), dtype=float)
    typical = {
        "above the largest of Gini, entropy and KM96": standard.max(axis=0),
        "above their mean": standard.mean(axis=0),
        "above Gini's": np.array(STANDARD["Gini"]),
        "above those of entropy": np.array(STANDARD["Entropy"]),
    }
    found, behind = {}, []
    for name, (alpha, beta) in typical.items():
        large = np.outer(np.array(results.alphas) > alpha, np.array(results.betas) > beta)
        gains = []
        for half in (0, 1):
            mean = results.test[half::2].mean(axis=0)
            places = [np.where(some, mean, -np.inf).argmax() for some in (large, ~large)]
            flat = results.test[1 - half :: 2].reshape(-1, mean.size)
            gains.append(flat[:, places[0]] - flat[:, places[1]])
        gains = np.concatenate(gains)
        text = (
            f"{name} (alpha > {alpha:.3g}, beta > {beta:.3g}) {gains.mean():+.2f} ± {half_width(gains):.2f}"
        )
        found[name] = (text, bool(gains.mean() > half_width(gains)), float(-gains.mean()))
        behind.append(bool(gains.mean() <= -half_width(gains)))
    first, *others = found.values()
    return judge_statement(
        "tsallis.sb-1.glass-identification.both-larger",
        [first],
        withhold=not first[1] and not behind[0],
        numbers={
            "n": len(found),
            "giving": sum(ahead for _, ahead, _ in others) or "none",
            "others": "; ".join(text for text, *_ in others),
            "best": show(results.best),
        },
        experiment="tsallis.tuning",
    )


def _judge_forest_fires():
    """Whether beta = 8 is significantly ahead of the usual criteria on the Algerian forest fires."""
    data, gini = "Algerian forest fires", STANDARD["Gini"]
    results, named = tuning(data), splits.NAMED[data]
    over_gini = results.test.mean(axis=(1, 2)) - results.at(gini)
    whole = "the mean of the grid over Gini, which should do poorly"
    leads = [(whole, over_gini.mean(), half_width(over_gini))]
    for name, standard in STANDARD.items():
        leads.append((f"{show(named)} over {name}", *results.gain(named, standard)))
    numbers = {"rank": results.rank(gini), "n": results.mean.size} | in_other_readings(data)
    return judge_leads(
        "tsallis.sb-1.algerian-forest-fires.gini-poor", leads, numbers=numbers, experiment="tsallis.tuning"
    )


def _judge_cryotherapy():
    """Whether beta = 4 is better than the beta = 2 of Kearns and Mansour on Cryotherapy."""
    leads = zip(GRID_BETAS, chosen("Cryotherapy")["over_km96"], strict=True)
    known = {beta: lead for beta, lead in leads if beta != 2}
    named = splits.NAMED["Cryotherapy"][1]
    text = ", ".join(f"beta {beta} {gain:+.2f} ± {width:.2f}" for beta, (gain, width) in known.items())
    return judge_leads(
        "tsallis.sb-1.cryotherapy.km96-beta",
        [(f"beta {named} over beta = 2 at alpha = 1/2", *known[named])],
        numbers={"n_choices": N_CHOICES, "named": named, "leads": text},
        experiment="tsallis.choice",
    )


def _judge_human_activity():
    """Small alpha is better and beta matters less: only a look-alike of the set is at hand."""
    mean, alphas = tuning("HAR-like").mean, np.array(splits.GRID_ALPHAS)
    over_alpha, over_beta = mean.mean(axis=1), mean.mean(axis=0)
    numbers = {
        "small": over_alpha[alphas < 1].mean(),
        "large": over_alpha[alphas > 2].mean(),
        "alphas": np.ptp(over_alpha),
        "betas": np.ptp(over_beta),
    }
    claim, source = "tsallis.sb-1.human-activity.claim", {"experiment": "tsallis.tuning"}
    return untestable(claim, numbers=numbers, **source)
