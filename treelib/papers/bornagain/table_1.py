"""Table 1 and Section 4.1: the data sets, their folds, and what is taken over as printed."""

from urllib.parse import urlsplit

from treelib import datasets
from treelib.ledger.claims import TAKEN_OVER, find, judge, judge_statement, untestable
from treelib.ledger.verdicts import verdicts_on
from treelib.papers.bornagain.settings import DATA, FOLDS

_MACHINE = "that machine is not at hand; counts do not depend on it, and seconds are judged by direction"
SETTINGS = (
    "s1.size.metrics",
    "s4-1.random-forest.trees",
    "s4-1.random-forest.max-depth",
    "s4-1.random-forest.max-leaves",
    "s4-1.random-forest.candidate-features",
    "s4-2.scaling.p-values",
    "s4-2.scaling.n-values",
    "s4-2.scaling.t-values",
    "s4-2.scaling.runs",
    "f2.boxplot.runs",
    "f2.boxplot.whiskers",
    "f2.caption.trees",
    "f2.caption.depth",
    "f3.baseline.n",
    "f3.baseline.p",
    "f3.baseline.t",
    "s4-5.heuristic.nc",
    "ssupp.dl.weights",
    "s1.problem-1.statement",
    "s2.weighted-majority.statement",
)
MACHINE = (
    "implementation.compiler",
    "implementation.scikit-learn",
    "machine.threads",
    "machine.cpu",
    "machine.clock",
    "machine.ram",
    "machine.os",
)


@verdicts_on("bornagain")
def verdicts():
    """Verdicts on the data and on what is taken over, list of Verdict."""
    return [
        *judge_table_1(),
        *judge_data(),
        *(untestable(f"bornagain.{claim}", TAKEN_OVER) for claim in SETTINGS),
        *(untestable(f"bornagain.s4.{claim}", _MACHINE) for claim in MACHINE),
    ]


def judge_table_1():
    """Verdicts on the data sets, list of Verdict."""
    origins = {
        "UCI": lambda data: "archive.ics.uci.edu" in data.origin,
        "HuEtAl": lambda data: any(
            datasets.info(name).class_counts == data.class_counts for name in ("compas-binary", "fico-binary")
        ),
        "SmithEtAl": lambda data: "Smith" in data.citation,
    }
    found = []
    for short, name in DATA.items():
        info, claim = datasets.info(name), f"bornagain.t1.{short.lower()}"
        shares = "-".join(f"{100 * count / info.n_samples:.0f}" for count in sorted(info.class_counts)[::-1])
        source = find(f"{claim}.src").value
        found += [
            judge(f"{claim}.n", info.n_samples),
            judge(f"{claim}.p", info.n_features),
            judge(f"{claim}.k", len(info.class_names)),
            judge_statement(
                f"{claim}.cd",
                shares == find(f"{claim}.cd").value,
                shares,
                cause="other shares of the classes",
            ),
            judge_statement(
                f"{claim}.src", origins[source](info), urlsplit(info.origin).hostname, cause="another source"
            ),
        ]
    return found


def judge_data():
    """Verdicts on the preparation of the data, list of Verdict."""
    coded = [name for name in DATA.values() if "quantile bins" in datasets.info(name).note]
    levels = max(
        len(set(column)) for name in coded if "HTRU2" not in name for column in datasets.load(name).X.T
    )
    return [
        judge("bornagain.s4-1.data.datasets", len(DATA)),
        judge("bornagain.s5.conclusion.datasets", len(DATA)),
        judge("bornagain.s4-1.data.ordinal-scales", levels),
        judge("bornagain.s4-1.data.folds", len(FOLDS), experiment="bornagain.exact"),
    ]
