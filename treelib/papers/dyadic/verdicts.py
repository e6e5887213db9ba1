"""All verdicts on the claims of Algorithms for Optimal Dyadic Decision Trees."""

from treelib.ledger.claims import load, missing
from treelib.papers.dyadic import judge_hash, judge_tables, statements


def verdicts():
    """Verdicts on all claims of the paper, in its order: list of Verdict.

    Raises
    ------
    ValueError
        A claim has no verdict, or two.
    """
    found = [*judge_tables.tables(), *judge_hash.table_6(), *statements.statements()]
    without = missing("dyadic", found)
    if without:
        raise ValueError(f"No verdict on {', '.join(without)}.")
    order = {claim_id: place for place, claim_id in enumerate(load("dyadic"))}
    return sorted(found, key=lambda verdict: order[verdict.claim.id])
