"""All verdicts on the claims of Algorithms for Optimal Dyadic Decision Trees."""

from treelib.ledger.verdicts import verdicts_on
from treelib.papers.dyadic import judge_hash, judge_tables, statements


@verdicts_on("dyadic")
def verdicts():
    """Verdicts on all claims of the paper, list of Verdict."""
    return [*judge_tables.tables(), *judge_hash.table_6(), *statements.statements()]
