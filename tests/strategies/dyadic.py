"""Small dyadic problems for hypothesis."""

import numpy as np
from hypothesis import strategies as st


@st.composite
def dyadic_problems(draw, most_cells=16, most_classes=3, most_rows=8):
    """(codes, losses, n_splits): rows in distinct cells of a tiny grid, the least loss of each 0."""
    n_splits = draw(st.lists(st.integers(0, 3), min_size=1, max_size=3))
    while sum(n_splits) > np.log2(most_cells):
        n_splits[int(np.argmax(n_splits))] -= 1
    n_splits = np.array(n_splits)
    cells = np.stack(np.unravel_index(np.arange(2 ** n_splits.sum()), 2**n_splits), axis=1)
    n = draw(st.integers(1, min(most_rows, len(cells))))
    chosen = draw(st.permutations(range(len(cells))))[:n]
    n_classes = draw(st.integers(2, most_classes))
    weights = st.lists(st.integers(0, 4), min_size=n_classes, max_size=n_classes)
    losses = np.array(draw(st.lists(weights, min_size=n, max_size=n)))
    losses -= losses.min(axis=1, keepdims=True)
    return cells[chosen], losses, n_splits
