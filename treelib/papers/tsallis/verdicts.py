"""All verdicts on the claims of Learning accurate and interpretable tree-based models."""

from treelib.ledger.verdicts import verdicts_on
from treelib.papers.tsallis import judge_tables as of_tables
from treelib.papers.tsallis import judge_text as of_text
from treelib.papers.tsallis import judge_theorems as of_theorems
from treelib.papers.tsallis import judge_theory as of_theory


@verdicts_on("tsallis")
def verdicts():
    """Verdicts on all claims of the paper, list of Verdict."""
    return [
        *of_tables.judge_table_1(),
        *of_tables.judge_table_2(),
        of_tables.judge_pruning_claim(),
        of_tables.judge_number_of_splits(),
        *of_text.judge_settings(),
        *of_text.judge_data(),
        *of_text.judge_grid_claims(),
        *of_text.judge_pruning_figures(),
        *of_text.judge_boosting(),
        *of_theory.judge_criteria(),
        *of_theory.judge_exact(),
        *of_theory.judge_pruning_theory(),
        *of_theory.judge_boosting_theory(),
        *of_theory.judge_taken_over(),
        *of_theorems.judge_theorems(),
    ]
