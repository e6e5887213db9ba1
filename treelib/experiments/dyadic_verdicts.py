"""All verdicts on the claims of Algorithms for Optimal Dyadic Decision Trees."""

from treelib.experiments import dyadic_judge, dyadic_judge_hash, dyadic_statements
from treelib.ledger.claims import load, missing


def verdicts():
    """Verdicts on all claims of the paper, in its order: list of Verdict.

    Raises
    ------
    ValueError
        A claim has no verdict, or two.
    """
    found = [*dyadic_judge.tables(), *dyadic_judge_hash.table_6(), *dyadic_statements.statements()]
    without = missing("dyadic", found)
    if without:
        raise ValueError(f"No verdict on {', '.join(without)}.")
    order = {claim_id: place for place, claim_id in enumerate(load("dyadic"))}
    return sorted(found, key=lambda verdict: order[verdict.claim.id])
