"""Verdicts on the lengths of the hash lists (Table 6 of the dyadic paper), from stored results."""

from treelib.dyadic.rectangles import key_bits
from treelib.ledger.claims import find, judge, judge_statement
from treelib.papers.dyadic.judge_tables import CHANCE, PARTS, SPLITS, room, rows_of, spread
from treelib.papers.dyadic.settings import ROWS

# Keys of so many bits are an index without hashing. The paper says "sufficiently small": banana's have up to
# 22 bits, and only so do some lists of flare-solar (23 to 26 bits) have length 1.
INDEX_BITS = 25


def table_6():
    """Verdicts on all rows of the table: list of Verdict."""
    return [verdict for row in ROWS for verdict in row_of_table_6(row)]


def list_lengths(row):
    """Mean list length of each training set: 1 where the key is short enough to be an index itself."""
    lists = rows_of("dyadic.t5", row).set_index("split")["list_mean"]
    splits = rows_of("dyadic.t4", row).set_index("split")["k"].reindex(lists.index)
    return lists.where([key_bits(k) > INDEX_BITS for k in splits], 1.0)


def uniform_bound(row):
    """What the paper's own Table 5 allows its Table 6 at most, if coefficients are drawn uniformly.

    Two keys share a slot with probability 1 / |S| at most (Section 6), so the list of a key is 1 + N / |S|
    long on average at most, and the mean over slots is no longer than the mean over keys.
    """
    stored = find(f"dyadic.t5.{row}.rectangles-stored-max").number
    return 1 + float(stored / find(f"dyadic.t5.{row}.nhat-rho-min").number)


def row_of_table_6(row):
    """Verdicts on the lengths of the hash lists."""
    claims = {part: find(f"dyadic.t6.{row}.list-size-{part}") for part in PARTS}
    if claims["mean"].value == "1":
        text = "one: a direct index, so there are no lists"
        return [
            judge(claims["mean"].id, 1),
            judge_statement(claims["min"].id, True, text),
            judge_statement(claims["max"].id, True, text),
        ]
    lists, bound = list_lengths(row), uniform_bound(row)
    cause = "the lists hang on how the coefficients of the hash are drawn: ours uniformly, as the paper says"
    if float(claims["mean"].number) > bound:
        cause += f"; but with its own Table 5 the mean of such lists is {bound:.2f} at most"
    return [
        judge(
            claims[part].id,
            ours,
            tolerance=room(claims[part].id, lists, part, ROWS[row].n_resampled, (0.95, 1.06)),
            why=f"random coefficients of the hash; keys of up to {INDEX_BITS} bits are taken as an index, "
            f"since the least lists of 1.00 cannot be hashed ones; {SPLITS}; {CHANCE}",
            cause=cause,
            experiment="dyadic.t5",
        )
        for part, ours in spread(lists).items()
    ]
