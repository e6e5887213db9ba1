"""In which order the columns of a leaf are tried.

Ascending is the plain choice. The counts printed in the paper were made by a program that walked a Python
set of column numbers, 1 to p less those used less those dead. CPython keeps small integers in a hash table
by their low bits; after a difference that leaves at most four of them the table has eight slots, so 9 comes
before 2. On COMPAS this alone moves the total from 236,539 to the printed 232,402. The rules below are
those of CPython 3.7 and later (Objects/setobject.c: sets of integers, growth, probing, difference).
"""

from treelib.compiled.jit import kernel
from treelib.sparse.paper.search_state import DEAD, OPEN

SMALLEST = 8
LINEAR_PROBES = 9
PERTURB_SHIFT = 5
FREE = 0  # column numbers start at 1


@kernel(allocates=False)
def list_candidates(columns, as_python_set, out, scratch):
    """Columns that a leaf may be split on, in the order in which they are tried.

    Parameters
    ----------
    columns : int8 (p,), the value of the literal, OPEN or DEAD
    as_python_set : int, 0 for ascending order
    out : int32 (p,), receives the columns
    scratch : int32 (4, table), table a power of two above 4 p and at least 8

    Returns
    -------
    int, number of columns written to `out`
    """
    p = len(columns)
    n = 0
    for j in range(p):
        if columns[j] == OPEN:
            out[n] = j
            n += 1
    if not as_python_set:
        return n
    numbers, drop, table, spare = scratch[0], scratch[1], scratch[2], scratch[3]
    for j in range(p):
        numbers[j] = j + 1  # the set 1..p itself is walked in ascending order
    n_left = p
    size = 0
    for subtrahend in range(2):
        n_drop = 0
        for j in range(p):
            drop[j] = columns[j] == DEAD if subtrahend == 1 else columns[j] != OPEN and columns[j] != DEAD
            n_drop += drop[j]
        # a small subtrahend makes CPython copy the set and discard, which leaves holes in its table
        is_copied = (n_left >> 2) > n_drop
        if is_copied:
            size = _copy_set(numbers, n_left, size, table)
        else:
            size = _collect_rest(numbers, n_left, drop, table, spare)
        n_left = 0
        for i in range(size):
            if table[i] != FREE and not drop[table[i] - 1]:
                numbers[n_left] = table[i]
                n_left += 1
        if is_copied and n_drop > 0:
            size = 0
    for k in range(n):
        out[k] = numbers[k] - 1
    return n


@kernel(allocates=False)
def _copy_set(numbers, n, size, table):
    """Copy the set `numbers[:n]`, given in slot order, to `table` as CPython does; returns the table's size.

    size : size of the table in `table` that holds the set already and without holes, 0 if there is none.
        A copy of that size is made slot by slot, so the table stays as it is.
    """
    new_size = _size_above(2 * n if 5 * n >= 3 * (SMALLEST - 1) else 0)
    if new_size != size:
        _clear(table, new_size)
        for k in range(n):
            _insert(table, new_size, numbers[k])
    return new_size


@kernel(allocates=False)
def _collect_rest(numbers, n, drop, table, spare):
    """Add what is not dropped of `numbers[:n]` to an empty set, which grows as CPython's does."""
    size = _size_above(0)
    _clear(table, size)
    n_in = 0
    for k in range(n):
        if drop[numbers[k] - 1]:
            continue
        _insert(table, size, numbers[k])
        n_in += 1
        if 5 * n_in >= 3 * (size - 1):
            for i in range(size):
                spare[i] = table[i]
            old_size, size = size, _size_above(4 * n_in)
            _clear(table, size)
            for i in range(old_size):
                if spare[i] != FREE:
                    _insert(table, size, spare[i])
    return size


@kernel(allocates=False)
def _insert(table, size, number):
    mask = size - 1
    perturb = number
    at = number & mask
    while True:
        probes = LINEAR_PROBES if at + LINEAR_PROBES <= mask else 0
        for i in range(at, at + probes + 1):
            if table[i] == FREE:
                table[i] = number
                return
        perturb >>= PERTURB_SHIFT
        at = (5 * at + 1 + perturb) & mask


@kernel(allocates=False)
def _clear(table, size):
    for i in range(size):
        table[i] = FREE


@kernel(allocates=False)
def _size_above(n):
    size = SMALLEST
    while size <= n:
        size *= 2
    return size
