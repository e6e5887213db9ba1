"""The paper's recursion on the authors' forests: the printed trees under objectives D and DL."""

from treelib.bornagain.paper.algorithms import minimise_by_recursion
from treelib.ledger.experiments import experiment
from treelib.papers.bornagain.scores import tree_row
from treelib.papers.bornagain.settings import DATA, FOLDS, OBJECTIVES, authors_forest, forest_files


def needs(case):
    """Data set and forest file of a case."""
    return DATA[case["data"]], forest_files(case["data"])[case["fold"] - 1]


@experiment(
    "bornagain.recursion",
    item="Tables 2, 3, 4, 6 and 9",
    title="The authors' forests by the recursion as printed: its order decides ties",
    cases=lambda: [
        {"data": data, "fold": fold, "objective": objective}
        for objective in ("D", "DL")
        for data in ("HT", "CP", "FI", "SE", "PD", "BC")
        for fold in FOLDS
        if objective == "D" or data != "BC"  # under DL, BC takes the recursion hours and 13 GB
    ],
    datasets=needs,
    seconds=168,
    memory=4.2e9,
)
def recursion(case):
    """One forest: size, scores and counts of the recursion; a table of up to 7 GB for the largest."""
    ensemble = authors_forest(case["data"], case["fold"])
    result = minimise_by_recursion(ensemble, OBJECTIVES[case["objective"]])
    counts = {name: result.stats[name] for name in ("n_calls", "n_states", "n_regions")}
    measured = {"search_seconds": result.stats["seconds"], "table_bytes": result.stats["n_bytes"]}
    return tree_row(result.tree, ensemble, case["data"], case["fold"]) | counts | measured
