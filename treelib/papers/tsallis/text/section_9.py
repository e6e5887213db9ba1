"""What Section 9 says beside its tables: sizes of the data sets, settings, and how the data were split."""

from math import ceil, log10

from treelib import datasets
from treelib.ledger.claims import load
from treelib.ledger.protocol.judging import judge, judges, stated, untestable
from treelib.ledger.verdicts import verdicts_on
from treelib.papers.tsallis import splits
from treelib.papers.tsallis.table_1 import TABLE_1
from treelib.papers.tsallis.table_2 import TABLE_2, chances_of_one_split

COUNTS_CLASS = "the paper counts the class as an attribute"
SETTINGS = (
    "tsallis.s3-3.bayesian.iterations",
    "tsallis.s3-3.bayesian.split-probability",
    "tsallis.s4.pessimistic.definition",
    "tsallis.s5.random-forest.trees-bound",
    "tsallis.s7.objective.l-eta",
    "tsallis.s9.tuning.max-depth",
    "tsallis.s9.tuning.pruning",
    "tsallis.s9.mccp.criterion",
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
@judges("tsallis.s*", "tsallis.f2.caption.eta")
def judge_section_9():
    """Verdicts on data sets, settings and splits, list of Verdict."""
    return [*(stated(claim_id) for claim_id in SETTINGS), *_judge_data(), *_judge_splits()]


def _judge_data():
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
    ids = [f"tsallis.sb-1.human-activity.{what}" for what in ("classes", "instances", "attributes")]
    return [*found, *(untestable(claim_id, online) for claim_id in ids)]


FOLD = "a part of 20 % held out at random and a fold of five are not told apart by it"


def _judge_splits():
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
    runs_2, share_2, n_fit_2 = likeliest_split(second, runs=range(1, 51))
    chances, n_cells = chances_of_one_split()
    note = (
        f"{n_fit} of {len(first)} cells of Table 1 are whole numbers of {runs} test parts of {share} %, "
        "which "
        "speaks for this more than for any other number up to 20 and any share up to a half"
    )
    note_2 = (
        f"{n_fit_2} of {len(second)} cells of Table 2 are whole numbers of {runs_2} test part of "
        f"{share_2} %, which "
        "speaks for this more than for any other number up to 50 and any share up to a half; as means over "
        f"as many splits as printed {len(chances)} of {n_cells} would look so by a chance of "
        f"10^{sum(map(log10, chances)):.0f}"
    )
    found = {
        "tsallis.s9.tuning.folds": (runs, note),
        "tsallis.s9.tuning.test-share": (share, f"{note}; {FOLD}"),
        "tsallis.s9.tuning.train-share": (100 - share, note),
        "tsallis.sb-2.pruning.splits": (runs_2, note_2),
        "tsallis.sb-2.pruning.test-share": (share_2, note_2),
        "tsallis.sb-2.pruning.train-share": (100 - share_2, note_2),
    }
    cause = "the printed cells speak for another setting"
    return [judge(claim_id, ours, cause=cause, note=why) for claim_id, (ours, why) in found.items()]
