"""What Section 9 says beside its tables: sizes of the data sets, settings, and how the data were split."""

import hashlib
import os
from math import ceil, log10
from pathlib import Path

from treelib import datasets
from treelib.datasets.files import MIRROR_VARIABLE
from treelib.ledger import store
from treelib.ledger.claims import find, load
from treelib.ledger.experiments import experiment
from treelib.ledger.protocol.judging import judge, judge_statement, judges, stated, untestable
from treelib.ledger.verdicts import verdicts_on
from treelib.papers.tsallis import splits
from treelib.papers.tsallis.table_1 import TABLE_1
from treelib.papers.tsallis.table_2 import N_TEST_2, TABLE_2, chances_of_one_split

COUNTS_CLASS = "the paper counts the class as an attribute"
SETTINGS = (
    "tsallis.s3-3.bayesian.iterations",
    "tsallis.s3-3.bayesian.split-probability",
    "tsallis.s4.pessimistic.definition",
    "tsallis.s5.random-forest.trees-bound",
    "tsallis.s7.objective.l-eta",
    "tsallis.s9.tuning.max-depth",
    "tsallis.s9.tuning.pruning",
    "tsallis.s9.tuning.train-share",
    "tsallis.sb-2.pruning.train-share",
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
    "tsallis.sb-1.cryotherapy": ("Cryotherapy", ("instances", "attributes", "classes")),
    "tsallis.sb-1.glass-identification": ("Glass identification", ("classes", "instances", "attributes")),
    "tsallis.sb-1.algerian-forest-fires": (
        "Algerian forest fires",
        ("attributes", "instances", "classes"),
    ),
}
NO_LABELS = "the set is online only, and the counts of the public copy of its labels are not stored"
ALGERIAN_DATE = 3  # columns of the date, see `splits.without_date`


def is_share(printed, n):
    """Whether a printed percentage is a whole number of `n` rows, at its two digits."""
    near = int(printed * n / 100)
    return any(f"{100 * k / n:.2f}" == f"{printed:.2f}" for k in (near - 1, near, near + 1, near + 2))


def likeliest_split(cells, runs=(1,), shares=range(10, 51)):
    """The test shares, with the number of runs averaged, that printed percentages speak for.

    A cell that is a whole number of ``runs * n_test`` rows is that by chance with a probability of about
    ``runs * n_test / 10,000``; its negative logarithm is what the cell says for them.

    Parameters
    ----------
    cells : list of (printed, n): percentage and rows of the data set

    Returns
    -------
    options : list of (runs, share in percent), all of the largest sum: two parts of a tenth can have as many
        rows as one of a fifth
    n_fit : int, cells that fit
    """

    def support(k, share):
        best = (0.0, 0)
        for rounding in (ceil, int):
            found = [k * rounding(n * share / 100) for printed, n in cells]
            fit = [m for (printed, _), m in zip(cells, found, strict=True) if is_share(printed, m)]
            best = max(best, (sum(max(0.0, -log10(m / 1e4)) for m in fit), len(fit)))
        return best

    options = {(k, share): support(k, share) for k in runs for share in shares}
    most = max(options.values())
    return [option for option, found in options.items() if found == most], most[1]


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
        cause, note = COUNTS_CLASS, ""
        if date:
            cause = "cause unknown: the class or the date may be counted as one; the text says neither"
            note = _readings_of_fires(info.n_features, info.n_features - date)
        found += [
            judge(f"{claim}.{what}", counted[what], cause=cause, note=note * (what == "attributes"))
            for what in wanted
        ]
    per_class = set(datasets.info("tsallis/iris").class_counts)
    found.append(judge("tsallis.s9.iris.per-class", per_class.pop()))
    return [*found, *_judge_human_activity()]


def _readings_of_fires(n_columns, n_counted):
    """What else an attribute of the forest fires can be, and what counting the class gives elsewhere, str."""
    others = {
        "the readings of instruments alone": n_counted - 1,
        "with the date as one": n_counted + 1,
        "with the class": n_counted + 1,
        "all columns but the class": n_columns,
    }
    words = ", ".join(f"{n} {name}" for name, n in others.items())
    sizes = {
        claim: (datasets.info(splits.NAMES[data]).n_features, int(find(f"{claim}.attributes").number))
        for claim, (data, _) in FACTS.items()
        if data != "Algerian forest fires"
    }
    with_class = [claim.split(".")[-1] for claim, (n, printed) in sizes.items() if printed == n + 1]
    return (
        f"{n_counted} are all columns but the date and the class; other readings, {words}; of the other "
        f"{len(sizes)} sets only {' and '.join(with_class)} are printed with the class, so that reading "
        "spares nothing"
    )


HUMAN_ACTIVITY = "tsallis/human_activity"  # folder with the four files, below TREELIB_DATA_DIR
HUMAN_FILES = ("features.txt", "activity_labels.txt", "y_train.txt", "y_test.txt")


@experiment(
    "tsallis.human-activity",
    item="Appendix B.1",
    title="Size of the set of human activities, from a public copy of its labels",
    cases=lambda: [{"data": "Human activity"}],
    datasets=(),
    seconds=1,
    on_request=True,
)
def count_human_activity(case):
    """Lines of the small files of the UCI set 240, whose features are not at hand.

    The files are those of the public copy ``roeishc/human-activity-recognition`` on GitHub, whose tables of
    features are stubs. They are not shipped: put them below TREELIB_DATA_DIR to count them again.

    Returns
    -------
    dict: ``lines`` and ``sha256`` of each of `HUMAN_FILES`; ``labels``, different labels of the rows

    Raises
    ------
    DatasetError
        The files are not there.
    """
    folder = Path(os.environ.get(MIRROR_VARIABLE, ".")) / HUMAN_ACTIVITY
    missing = [name for name in HUMAN_FILES if not (folder / name).is_file()]
    if missing:
        raise datasets.DatasetError(
            f"{', '.join(missing)} of the UCI set 240 are not there; put the files below "
            f"{MIRROR_VARIABLE}, in the folder {HUMAN_ACTIVITY}, and run this again"
        )
    lines, hashes, labels = {}, {}, set()
    for name in HUMAN_FILES:
        content = (folder / name).read_bytes()
        found = content.decode("utf-16" if content.startswith(b"\xff\xfe") else "utf-8").split("\n")
        found = [line.strip() for line in found if line.strip()]
        lines[name], hashes[name] = len(found), hashlib.sha256(content).hexdigest()
        if name.startswith("y_"):
            labels |= set(found)
    return {"lines": lines, "sha256": hashes, "labels": sorted(labels)}


def _judge_human_activity():
    case = {"data": "Human activity"}
    ids = {what: f"tsallis.sb-1.human-activity.{what}" for what in ("classes", "instances", "attributes")}
    try:
        found = store.record("tsallis.human-activity", case)["result"]
    except store.Missing:
        return [untestable(claim_id, NO_LABELS) for claim_id in ids.values()]
    lines = found["lines"]
    ours = {
        "classes": len(found["labels"]),
        "instances": lines["y_train.txt"] + lines["y_test.txt"],
        "attributes": lines["features.txt"],
    }
    hashes = ", ".join(f"{name} {one[:12]}" for name, one in found["sha256"].items())
    note = f"counted in the small files of a public copy of UCI's set 240, whose features are stubs: {hashes}"
    return [
        judge(claim_id, ours[what], cause="the copy has another number", note=note,
              experiment="tsallis.human-activity", case=case)
        for what, claim_id in ids.items()
    ]  # fmt: skip


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
    [(runs, share)], n_fit = likeliest_split(first, runs=range(1, 21))
    options, n_fit_2 = likeliest_split(second, runs=range(1, 51))
    chances, n_cells = chances_of_one_split()
    # how many are whole numbers of so many test parts of a fifth by chance
    expected = {k: sum(min(1.0, k * int(n / 5) / 1e4) for _, n in first) for k in (runs, 10)}
    more = sum(is_share(printed, 10 * int(n / 5)) for printed, n in first)
    note = (
        f"{n_fit} of {len(first)} cells of Table 1 are whole numbers of {runs} test parts of {share} %, "
        f"where chance gives {expected[runs]:.1f} (10 parts fit {more}, where chance gives "
        f"{expected[10]:.1f}), which speaks for this more than for any other number up to 20 and any share "
        "up to a half; inferred from the printed cells alone, the part rounded down"
    )
    note_2 = (
        f"{n_fit_2} of {len(second)} cells of Table 2 are whole numbers of "
        f"{' or of '.join(f'{k} x {one} %' for k, one in options)} of the rows, each part rounded up, which "
        "speaks for these more than for any other number of parts up to 50 and any share up to a half"
    )
    found = {
        "tsallis.s9.tuning.folds": (runs, note),
        "tsallis.s9.tuning.test-share": (share, f"{note}; {FOLD}"),
    }
    cause = "the printed cells speak for another setting"
    return [
        *(judge(claim_id, ours, cause=cause, note=why) for claim_id, (ours, why) in found.items()),
        _judge_share_of_table_2(options, cause, note_2),
        _judge_means(chances, n_cells, note_2),
    ]


@judges("tsallis.sb-2.pruning.test-share")
def _judge_share_of_table_2(options, cause, note):
    """Verdict on the test share of Table 2.

    options : list of (parts, share in percent), all that the printed cells speak for
    """
    claim, shares = "tsallis.sb-2.pruning.test-share", sorted({share for _, share in options}, reverse=True)
    if len(shares) == 1:
        return judge(claim, shares[0], cause=cause, note=note)
    why = "no power: the printed cells speak as much for parts of another share, which have as many rows"
    return untestable(claim, f"{why}; {note}", ours=" or ".join(f"{share} %" for share in shares))


@judges("tsallis.sb-2.pruning.splits")
def _judge_means(chances, n_cells, note):
    """Whether the cells of Table 2 are means over as many splits as printed."""
    n_splits = int(find("tsallis.sb-2.pruning.splits").number)
    trials = [
        (
            f"{claim.row} {claim.column}, {claim.value}",
            is_share(float(claim.number), n_splits * N_TEST_2[data]),
        )
        for key, data in TABLE_2.items()
        for claim in load("tsallis").values()
        if claim.id.startswith(f"tsallis.t2.{key}.acc-")
    ]
    return judge_statement(
        "tsallis.sb-2.pruning.splits",
        trials,
        f"cells of Table 2 that a mean over {n_splits} test parts can give",
        cause=f"the cells cannot all be means over {n_splits} splits: {len(chances)} of {n_cells} are whole "
        "numbers of the rows of one test part, which so many means would be by a chance of "
        f"10^{sum(map(log10, chances)):.0f}. One split would give such cells, and so would a median; which "
        "it was is not shown",
        note=note,
    )
