"""Time of a limit that is kept back for the last step of a search, as long as that is found to take."""

# rows from which on a pass over them can be late, and those that tell how long it takes
MANY_ROWS, ROWS_TO_TRY = 2**17, 2**15


def keep_for_rows(budget, step, n_rows):
    """Have a budget keep back the time of a last step over very many rows.

    Parameters
    ----------
    budget : Budget
    step : callable of a slice of the rows; what it takes for some of them tells what it takes for all
    n_rows : int

    Returns
    -------
    float, the seconds that are expected; 0 where the rows are fewer or there is no limit of time
    """
    if budget.time_limit is None or n_rows < MANY_ROWS:
        return 0.0
    took = []
    for first in range(0, 3 * ROWS_TO_TRY, ROWS_TO_TRY):
        began = budget.seconds
        step(slice(first, first + ROWS_TO_TRY))
        took.append(budget.seconds - began)
    seconds = min(took) * n_rows / ROWS_TO_TRY  # the first compiles, others may be held up
    budget.keep_back(seconds)
    return seconds
