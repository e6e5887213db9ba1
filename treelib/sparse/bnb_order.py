"""In which order the columns of a leaf are tried.

Ascending is the plain choice. The counts printed in the paper were made by a program that walked a Python
set of column numbers, 1 to p less those used less those dead. CPython keeps small integers in a hash table
by their low bits; after a difference that leaves at most four of them the table has eight slots, so 9 comes
before 2. On COMPAS this alone moves the total from 236,539 to the printed 232,402. The rules below are
those of CPython 3.7 and later (Objects/setobject.c: sets of integers, growth, probing, difference).
"""

from treelib.jit import kernel
from treelib.sparse.bnb_state import DEAD, OPEN

SMALLEST = 8
LINEAR_PROBES = 9
PERTURB_SHIFT = 5
FREE = 0  # column numbers start at 1


@kernel
def list_candidates(columns, as_python_set, out, scratch):
    """Columns that a leaf may be split on, in the order in which they are tried.

    Parameters
    ----------
    columns : int8 (p,), the value of the literal, OPEN or DEAD
    as_python_set : int, 0 for ascending order
    out : int32 (p,), receives the columns
    scratch : int32 (3, table), table a power of two above 4 p and at least 8

    Returns
    -------
    int, number of columns written to `out`
    """
    p = len(columns)
    n = n_dead = 0
    for j in range(p):
        n_dead += columns[j] == DEAD
        if columns[j] == OPEN:
            out[n] = j
            n += 1
    if not as_python_set:
        return n
    numbers, table, spare = scratch[0], scratch[1], scratch[2]
    n_used = p - n_dead - n
    for j in range(p):
        numbers[j] = j + 1  # the set 1..p itself is walked in ascending order
    size = _subtract(numbers, p, 0, n_used, columns, False, table, spare)
    n_left = _list_slots(table, size, columns, False, numbers)
    # a set from which entries were discarded has holes, and is not copied slot by slot
    size = 0 if n_left < p and (p >> 2) > n_used else size
    size = _subtract(numbers, n_left, size, n_dead, columns, True, table, spare)
    _list_slots(table, size, columns, True, numbers)
    for k in range(n):
        out[k] = numbers[k] - 1
    return n


@kernel
def _subtract(numbers, n, size, n_marks, columns, drop_dead, table, spare):
    """Put the set `numbers[:n]`, in slot order, less the used columns (or the dead ones) into `table`.

    A small subtrahend makes CPython copy the set and discard, else it adds the survivors one by one.

    size : size of the table in `table` that holds the set now, 0 if it does not
    n_marks : size of the subtrahend
    drop_dead : False: used columns are dropped; True: dead ones

    Returns the size of the new table. Discarded numbers are left in it, and skipped when it is listed.
    """
    if (n >> 2) > n_marks:
        new_size = SMALLEST
        if 5 * n >= 3 * (new_size - 1):
            new_size = _size_above(2 * n)
        # a table of the right size is copied slot by slot: it stays as it is
        if new_size != size:
            _clear(table, new_size)
            for k in range(n):
                _insert(table, new_size, numbers[k])
        return new_size
    new_size = SMALLEST
    _clear(table, new_size)
    n_in = 0
    for k in range(n):
        if _is_dropped(columns, numbers[k], drop_dead):
            continue
        _insert(table, new_size, numbers[k])
        n_in += 1
        if 5 * n_in >= 3 * (new_size - 1):
            larger = _size_above(4 * n_in)
            for i in range(new_size):
                spare[i] = table[i]
            _clear(table, larger)
            for i in range(new_size):
                if spare[i] != FREE:
                    _insert(table, larger, spare[i])
            new_size = larger
    return new_size


@kernel
def _list_slots(table, size, columns, drop_dead, numbers):
    n = 0
    for i in range(size):
        if table[i] != FREE and not _is_dropped(columns, table[i], drop_dead):
            numbers[n] = table[i]
            n += 1
    return n


@kernel
def _is_dropped(columns, number, drop_dead):
    state = columns[number - 1]
    return state == DEAD if drop_dead else state != OPEN and state != DEAD


@kernel
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


@kernel
def _clear(table, size):
    for i in range(size):
        table[i] = FREE


@kernel
def _size_above(n):
    size = SMALLEST
    while size <= n:
        size *= 2
    return size
