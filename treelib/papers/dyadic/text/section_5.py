"""Section 5: duplicates, the choice of k, compression. Tried on drawn points and on the paper's data sets."""

from functools import cache
from itertools import product

import numpy as np

from treelib.dyadic.boxes import DyadicGrid, bounding_box, choose_n_splits, group_rows
from treelib.dyadic.compress import merge_cells, merge_duplicates, row_losses
from treelib.dyadic.paper import recursion
from treelib.ledger.claims import find
from treelib.ledger.protocol.declared import PerDraw, declared, kept
from treelib.ledger.protocol.judging import EXHAUSTIVE, RANDOM, Trials, judge_statement, judges, untestable
from treelib.papers.dyadic.settings import ROWS, SMALL, design_rows, load, rows_of
from treelib.papers.dyadic.text.section_4 import solutions_of

LINE = np.array([0.0, 0.0, 1.0, 2.0, 2.0, 3.0])[:, None]  # two pairs of duplicates
MOST = 32  # splits of a coordinate that are tried


@declared("dyadic.s5.{row}.{cell}", {"compressed-n": PerDraw("compressed_n")})
def compressed_sizes():
    """The surrogates of Table 4 again."""
    return kept("dyadic.t4")


@judges("dyadic.s5.*")
def judge_section_5():
    """Verdicts on the section, list of Verdict."""
    of_points = {
        "duplicates.same-solutions": keeps_duplicates,
        "compression.rule": keeps_compressed,
        "k-selection.zero-loss": has_no_loss,
    }
    n_shared, n_all = shared_values()
    least, most, factors = factors_of_rows()
    return [
        untestable("dyadic.s5.duplicates.run-time", numbers={"found": sorted_rows().text()}),
        *(judge_statement(f"dyadic.s5.{name}", points(holds)) for name, holds in of_points.items()),
        judge_statement(
            "dyadic.s5.compression.factor",
            (
                (f"little: {least}, factor", factors[least] < 1.1, factors[least]),
                (f"dramatic: {most}, factor", factors[most] > 10, -factors[most]),
            ),
            numbers={
                "least": least,
                "most": most,
                "factors": ", ".join(f"{row} {factor:.3g}" for row, factor in factors.items()),
            },
            experiment="dyadic.t4",
        ),
        judge_statement(
            "dyadic.s5.k.smaller-than-separately",
            alone(),
            how=RANDOM,
            numbers={"n_shared": n_shared, "n_all": n_all},
        ),
        judge_statement("dyadic.s5.k.same-or-smaller", beside_blanchard(), experiment="dyadic.t4"),
    ]


# ---- drawn points -----------------------------------------------------------------------------------------


def points(holds):
    """Try a statement on all labellings of six points on a line, and on drawn points in a plane."""
    random = np.random.default_rng(5)
    drawn = [(random.integers(0, 7, (12, 2)).astype(float), random.integers(0, 2, 12)) for _ in range(60)]
    small = [(LINE, np.array(labels)) for labels in product((0, 1), repeat=len(LINE))]
    return [
        Trials.of(((f"X = {X.tolist()}, y = {y.tolist()}", bool(holds(X, y))) for X, y in some), where, how)
        for some, where, how in (
            (small, "labellings of six points on a line, two pairs of them equal", EXHAUSTIVE),
            (drawn, "sets of twelve points of a lattice in the plane, two classes", RANDOM),
        )
    ]


def _chosen(X, y):
    """Losses, surrogates of duplicates, and the grid that is chosen for some points."""
    losses = row_losses(y, 2)
    distinct = merge_duplicates(X, losses)
    low, high = bounding_box(X, 0.02)
    n_splits = choose_n_splits(distinct.rows, distinct.losses, low, high).n_splits
    return losses, distinct, DyadicGrid(low, high, n_splits)


def has_no_loss(X, y):
    """Whether the chosen k leaves no cell with a loss, and one split less everywhere would."""
    _, distinct, grid = _chosen(X, y)
    return not len(distinct.rows) or merge_cells(grid, distinct.rows, distinct.losses).offset == 0


def keeps_duplicates(X, y):
    """Whether surrogates of duplicates have the same solutions, at an error less by a constant."""
    losses, distinct, grid = _chosen(X, y)
    return _same(X, losses, grid, grid.codes(distinct.rows), distinct)


def keeps_compressed(X, y):
    """Whether surrogates of cells have the same solutions as those of duplicates."""
    _, distinct, grid = _chosen(X, y)
    if not len(distinct.rows):
        return True
    cells = merge_cells(grid, distinct.rows, distinct.losses)
    return _same(distinct.rows, distinct.losses, grid, cells.rows, cells)


def _same(X, losses, grid, codes, merged):
    if not len(merged.rows):
        return bool(merge_duplicates(np.zeros((len(X), 1)), losses).offset >= merged.offset)
    before = solutions_of(recursion.make_rows(grid.codes(X), losses, grid.n_splits))
    after = solutions_of(recursion.make_rows(codes, merged.losses, grid.n_splits))
    return before == [(error + int(merged.offset), leaves) for error, leaves in after]


# ---- the paper's data sets --------------------------------------------------------------------------------


def filtered(X):
    """Duplicates by the paper's filter, one coordinate after another: (groups of rows, rows sorted in all).

    Rows that are alone so far are dropped, so no sort has more than n rows.
    """
    rows, groups, n_sorted = np.arange(len(X)), np.zeros(len(X), dtype=int), []
    for column in X.T:
        n_sorted.append(len(rows))
        _, groups = np.unique(np.column_stack([groups, column[rows]]), axis=0, return_inverse=True)
        groups = groups.ravel()
        kept = np.bincount(groups)[groups] > 1
        rows, groups = rows[kept], groups[kept]
    return (rows, groups), n_sorted


@cache
def sorted_rows():
    """The filter on the design sets: d sorts of n rows at most, and all duplicates found; `Trials`."""
    cases = []
    for row in SMALL:
        X = load(row)[0][design_rows(row)[0]]
        (_, groups), n_sorted = filtered(X)
        sizes = np.bincount(group_rows(X))
        found = np.bincount(groups, minlength=1)
        is_right = sorted(found[found > 0].tolist()) == sorted(sizes[sizes > 1].tolist())
        cases.append((row, len(n_sorted) == X.shape[1] and max(n_sorted) <= len(X) and is_right))
    return Trials.of(cases, "the six small data sets, by rows sorted")


def factors_of_rows():
    """Training rows over surrogates in the mean: the row of the least and of the largest factor, and all."""
    sizes = kept("dyadic.t4").groupby("row")["compressed_n"].mean()
    factors = {row: ROWS[row].n / float(sizes[row]) for row in ROWS}
    return min(factors, key=factors.get), max(factors, key=factors.get), factors


@cache
def alone():
    """Splits of each coordinate chosen with all others against alone, on drawn points: cases.

    Points of a bounded density, the uniform one, of two classes by chance: no two share a value, so that some
    number of splits of one coordinate alone parts them.
    """
    random, cases = np.random.default_rng(6), []
    for n, d, _ in product((50, 100, 200), (2, 3, 4), range(5)):
        X, y = random.random((n, d)), random.integers(0, 2, n)
        low, high = bounding_box(X, 0.02)
        losses = row_losses(y, 2)
        together = choose_n_splits(X, losses, low, high, most=MOST).n_splits
        for i, n_together in enumerate(together):
            separate = choose_n_splits(X[:, [i]], losses, low[[i]], high[[i]], most=MOST).n_splits[0]
            name = f"{n} points in {d} coordinates, coordinate {i + 1}, more by"
            cases.append((name, bool(n_together < separate), int(n_together) - int(separate)))
    return cases


@cache
def shared_values():
    """Coordinates of the six small design sets in which rows of two classes share a value: (such, all)."""
    found = []
    for row in SMALL:
        X, y = load(row)
        rows = merge_duplicates(X, row_losses(y, 2))
        found += [merge_duplicates(rows.rows[:, [i]], rows.losses).offset > 0 for i in range(X.shape[1])]
    return sum(found), len(found)


def beside_blanchard():
    """Our automatic k against the printed ranges of Blanchard et al., by coordinate: cases."""
    cases = []
    for row in SMALL:
        automatic = np.array(rows_of("dyadic.t4", row)["automatic"].tolist())
        most = int(find(f"dyadic.t4.{row}.k-blanchard").value.split("-")[-1])
        for i, largest in enumerate(automatic.max(axis=0), start=1):
            cases.append((f"{row}, coordinate {i}, more by", bool(largest <= most), int(largest) - most))
    return cases
