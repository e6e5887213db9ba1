"""Large tables read some rows at a time."""

import numpy as np
import pytest

from treelib.table import pieces


@pytest.mark.parametrize("n", [0, 1, 7, 20])
def test_whole_numbers_in_every_piece(monkeypatch, n):
    """A fraction in the last row, or where two pieces meet."""
    monkeypatch.setattr(pieces, "CELLS_A_PIECE", 6)
    table = np.arange(3.0 * n).reshape(n, 3)
    assert pieces.holds_whole_numbers(table)
    for row in range(n):
        table[row, 2] += 0.5
        assert not pieces.holds_whole_numbers(table)
        table[row, 2] -= 0.5
