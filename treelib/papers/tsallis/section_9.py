"""What Section 9 says beside its tables: sizes of the data sets, settings, and how the data were split."""

from math import ceil, log10

from treelib import datasets
from treelib.ledger.claims import TAKEN_OVER, find, judge, judge_statement, load, untestable
from treelib.ledger.verdicts import verdicts_on
from treelib.papers.tsallis import splits
from treelib.papers.tsallis.table_1 import TABLE_1
from treelib.papers.tsallis.table_2 import TABLE_2

COUNTS_CLASS = "the paper counts the class as an attribute"
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
ALGERIAN_DATE = 3  # columns of the date, see `splits.without_date`


def is_share(printed, n):
    """Whether a printed percentage is a whole number of `n` rows, at its two digits."""
    near = int(printed * n / 100)
    return any(f"{100 * k / n:.2f}" == f"{printed:.2f}" for k in (near - 1, near, near + 1, near + 2))


def likeliest_split(cells, runs=(1,), shares=range(10, 51)):
    """The test share, and the number of runs averaged, that printed percentages speak for.

    A cell that is a whole number of ``runs * n_test`` rows is that by chance with a probability of about
    ``runs * n_test / 10,000``; its negative logarithm is what the cell says for them.

    Parameters
    ----------
    cells : list of (printed, n): percentage and rows of the data set

    Returns
    -------
    (runs, share in percent, cells that fit): of the largest sum
    """

    def support(k, share):
        best = (0.0, 0)
        for rounding in (ceil, int):
            found = [k * rounding(n * share / 100) for printed, n in cells]
            fit = [m for (printed, _), m in zip(cells, found, strict=True) if is_share(printed, m)]
            best = max(best, (sum(max(0.0, -log10(m / 1e4)) for m in fit), len(fit)))
        return best

    options = {(k, share): support(k, share) for k in runs for share in shares}
    (k, share), (_, n_fit) = max(options.items(), key=lambda option: option[1])
    return k, share, n_fit


@verdicts_on("tsallis")
def judge_section_9():
    """Verdicts on data sets and settings."""
    return [*judge_settings(), *judge_data(), *judge_splits()]


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


def judge_splits():
    """How the data were split, from the printed cells of Tables 1 and 2 alone."""

    def cells(table, rows, suffix):
        claims = load("tsallis").values()
        return [
            (float(claim.number), datasets.info(splits.NAMES[rows[key]]).n_samples)
            for key in rows
            for claim in claims
            if claim.id.startswith(f"tsallis.{table}.{key}.acc-") and not claim.id.endswith(suffix)
        ]

    first, second = cells("t1", TABLE_1, "-ci95"), cells("t2", TABLE_2, "-ci95")
    runs, share, n_fit = likeliest_split(first, runs=range(1, 21))
    _, share_2, n_fit_2 = likeliest_split(second)
    why = (
        f"{n_fit} of {len(first)} cells of Table 1 are whole numbers of {runs} test parts of {share} %, "
        f"which "
        "speaks for this more than for any other number up to 20 and any share up to a half"
    )
    why_2 = (
        f"{n_fit_2} of {len(second)} cells of Table 2 are whole numbers of one test part of {share_2} %, "
        f"which "
        "speaks for this share more than for any other up to a half"
    )
    return [
        _found("tsallis.s9.tuning.folds", runs, why),
        _found("tsallis.s9.tuning.test-share", share, why),
        _found("tsallis.s9.tuning.train-share", 100 - share, why),
        _found("tsallis.sb-2.pruning.test-share", share_2, why_2),
        _found("tsallis.sb-2.pruning.train-share", 100 - share_2, why_2),
    ]


def _found(claim_id, value, how):
    """Verdict on a setting that printed cells give away."""
    holds = value == find(claim_id).number
    return judge_statement(claim_id, holds, f"{value}: {how}", cause="the cells speak for another setting")
