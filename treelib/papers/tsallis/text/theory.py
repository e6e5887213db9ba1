"""The theorems of the paper and steps of their proofs, with what came out when they were tried."""


def tried():
    """What was tried of the theory: a table in Markdown, a line a statement, which leads to its card."""
    from html import escape

    from treelib.ledger import tables
    from treelib.ledger.claims import STATED
    from treelib.ledger.page import address
    from treelib.ledger.page.place import card
    from treelib.ledger.protocol.notes import in_short
    from treelib.papers.tsallis import exact_loss, section_4
    from treelib.papers.tsallis.text import section_3_1, section_6, theorems

    found = [*section_3_1.judge_criteria(), *exact_loss.judge_exact(), *section_4.judge_pruning_theory()]
    found += [*section_6.judge_boosting_theory(), *theorems.judge_theorems()]
    lines = [
        (
            ", ".join(filter(None, (one.claim.item, one.claim.row))),
            f'<a href="{address(card(one.claim.id))}">{one.verdict}</a>',
            escape(in_short(str(one.ours), "", most=24), quote=False),
        )
        for one in found
        if one.verdict != STATED
    ]
    heads = ("statement", "verdict", "what was found")
    return tables.table(heads, lines, "The theory, tried.", "tsallis-theory-claims", "lll")
