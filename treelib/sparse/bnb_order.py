"""In which order the columns of a leaf are tried.

Ascending is the plain choice. The counts printed in the paper were made by a program that walked a Python
set of column numbers, 1 to p less those used less those dead. CPython keeps small integers in a hash table
by their low bits; after a difference that leaves at most four of them the table has eight slots, so 9 comes
before 2. On COMPAS this alone moves the total from 236,539 to the printed 232,402. The rules below are
those of CPython 3.7 and later (Objects/setobject.c: sets of integers, growth, probing, difference).
"""

from treelib.jit import kernel

SMALLEST = 8
LINEAR_PROBES = 9
PERTURB_SHIFT = 5
FREE = 0  # column numbers start at 1


@kernel
def list_candidates(literal, dead, as_python_set, out, scratch):
    """Columns that a leaf may be split on, in the order in which they are tried.

    Parameters
    ----------
    literal : int8 (p,), -1 where the column is unused
    dead : uint8 (p,), 1 where the column is dead
    as_python_set : int, 0 for ascending order
    out : int32 (p,), receives the columns
    scratch : int32 (3, table), table a power of two above 4 p and at least 8

    Returns
    -------
    int, number of columns written to `out`
    """
    p = len(literal)
    n = 0
    for j in range(p):
        if literal[j] < 0 and dead[j] == 0:
            out[n] = j
            n += 1
    if not as_python_set:
        return n
    n_used = n_dead = 0
    for j in range(p):
        n_used += literal[j] >= 0
        n_dead += dead[j] != 0
    numbers, table, spare = scratch[0], scratch[1], scratch[2]
    for j in range(p):
        numbers[j] = j + 1  # the set 1..p itself is walked in ascending order
    size, has_holes = _subtract(numbers, p, 0, True, literal, 0, n_used, table, spare)
    n = _list_slots(table, size, numbers, literal, 0)
    size, _ = _subtract(numbers, n, size, has_holes, dead, 1, n_dead, table, spare)
    n = _list_slots(table, size, numbers, dead, 1)
    for k in range(n):
        out[k] = numbers[k] - 1
    return n


@kernel
def _subtract(numbers, n, size, has_holes, marks, first_mark, n_marks, table, spare):
    """Put the set `numbers[:n]`, in slot order, less those marked, into `table`.

    A small subtrahend makes CPython copy the set and discard, else it adds the survivors one by one.

    size, has_holes : table size of the set that `table` holds now, and whether entries were discarded in it
    marks, first_mark : number k is marked when ``marks[k - 1] >= first_mark``
    n_marks : size of the subtrahend

    Returns the size of the new table and whether it has holes: discarded numbers are left in it, and
    skipped when it is listed.
    """
    if (n >> 2) > n_marks:
        new_size = SMALLEST
        if 5 * n >= 3 * (new_size - 1):
            new_size = _size_above(2 * n)
        # a table of the right size without holes is copied slot by slot: it stays as it is
        if has_holes or new_size != size:
            _clear(table, new_size)
            for k in range(n):
                _insert(table, new_size, numbers[k])
        return new_size, n_marks > 0
    new_size = SMALLEST
    _clear(table, new_size)
    n_in = 0
    for k in range(n):
        if marks[numbers[k] - 1] >= first_mark:
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
    return new_size, False


@kernel
def _list_slots(table, size, numbers, marks, first_mark):
    n = 0
    for i in range(size):
        if table[i] != FREE and marks[table[i] - 1] < first_mark:
            numbers[n] = table[i]
            n += 1
    return n


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
