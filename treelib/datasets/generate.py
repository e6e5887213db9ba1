"""Data sets that follow from rules or from a published table, row for row in the order of their files.

All functions return plain tuples or integer arrays; `treelib.datasets.load` gives the same rows as a
`Dataset`.
"""

import itertools

import numpy as np

_LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

CAR_LEVELS = {
    "buying": ("vhigh", "high", "med", "low"),
    "maint": ("vhigh", "high", "med", "low"),
    "doors": ("2", "3", "4", "5more"),
    "persons": ("2", "4", "more"),
    "lug_boot": ("small", "med", "big"),
    "safety": ("low", "med", "high"),
}

# The levels that have a 0/1 column of their own, in the order of those columns.
CAR_BINARY_LEVELS = {
    "buying": ("high", "low", "med"),
    "maint": ("high", "low", "med"),
    "doors": ("2", "3", "4"),
    "persons": ("2", "4"),
    "lug_boot": ("big", "med"),
    "safety": ("high", "low"),
}

MONK_LEVELS = ((1, 2, 3), (1, 2, 3), (1, 2), (1, 2, 3), (1, 2, 3, 4), (1, 2))

# Which of the 432 inputs (in lexicographic order, first input = highest bit) the training files hold.
_MONK_TRAIN = {
    1: int(
        "0c0024300a40698d2110071c22225b1057a30cdb021909123804d5"
        "87200280884904e004c09010901410814100c400a2a10571870055",
        16,
    ),
    2: int(
        "12ea22c00b50405edf220acf5c36190e45209810569221d509880e"
        "9798b1c48d6269a40d0257d49f20715c60ac9cb485ac040080aca1",
        16,
    ),
    3: int(
        "7a91001113cc0838f609b0b0220688e10502c3c01610024005609d"
        "104c0208b4085209a1a801412005801208401440860601b2c01485",
        16,
    ),
}
# MONK-3 has class noise: these six of its 122 training rows carry the wrong label.
_MONK3_NOISE = (4, 60, 202, 212, 213, 390)

# (class, sex, age) -> (lost, saved), the cross-tabulation of the 2201 people aboard.
_TITANIC = {
    ("1st", "male", "child"): (0, 5),
    ("2nd", "male", "child"): (0, 11),
    ("3rd", "male", "child"): (35, 13),
    ("1st", "female", "child"): (0, 1),
    ("2nd", "female", "child"): (0, 13),
    ("3rd", "female", "child"): (17, 14),
    ("1st", "male", "adult"): (118, 57),
    ("2nd", "male", "adult"): (154, 14),
    ("3rd", "male", "adult"): (387, 75),
    ("crew", "male", "adult"): (670, 192),
    ("1st", "female", "adult"): (4, 140),
    ("2nd", "female", "adult"): (13, 80),
    ("3rd", "female", "adult"): (89, 76),
    ("crew", "female", "adult"): (3, 20),
}


def tic_tac_toe():
    """All 958 boards on which a game of tic-tac-toe can end, x moving first.

    Returns
    -------
    list of (board, x_wins) : board is a tuple of nine of ``"x"``, ``"o"``, ``"b"`` (blank), row by row.
        Order: x wins, o wins, draws; each block lexicographic with x < o < b.
    """
    ends = set()
    boards = [(("b",) * 9, "x")]
    seen = set(boards)
    while boards:
        board, player = boards.pop()
        if _has_won(board, "x") or _has_won(board, "o") or "b" not in board:
            ends.add(board)
            continue
        other = "o" if player == "x" else "x"
        for square in range(9):
            if board[square] == "b":
                move = ((*board[:square], player, *board[square + 1 :]), other)
                if move not in seen:
                    seen.add(move)
                    boards.append(move)

    def order(board):
        block = 0 if _has_won(board, "x") else 1 if _has_won(board, "o") else 2
        return block, ["xob".index(mark) for mark in board]

    return [(board, _has_won(board, "x")) for board in sorted(ends, key=order)]


def tic_tac_toe_binary():
    """`tic_tac_toe` as 0/1 columns "square i holds o", "square i holds x", i = 0..8.

    Returns
    -------
    X : int64 (958, 18).
    y : int64 (958,), 1 when x wins.
    """
    rows = tic_tac_toe()
    X = [[mark == level for mark in board for level in "ox"] for board, _ in rows]
    return np.array(X, dtype=np.int64), np.array([x_wins for _, x_wins in rows], dtype=np.int64)


def car_evaluation():
    """All 1728 cars of the Car Evaluation hierarchy with their class, first attribute slowest.

    The class follows from PRICE(buying, maint) and TECH(COMFORT(doors, persons, lug_boot), safety); the
    tables below reproduce every published label.

    Returns
    -------
    list of (attributes, label) : six level names in the order of `CAR_LEVELS`; label is ``"unacc"``,
        ``"acc"``, ``"good"`` or ``"vgood"``.
    """
    price_table = {"vhigh": (0, 0, 1, 1), "high": (0, 1, 1, 1), "med": (1, 1, 2, 3), "low": (1, 2, 3, 3)}
    car_table = (
        ("unacc", "unacc", "unacc", "unacc"),
        ("unacc", "unacc", "acc", "acc"),
        ("unacc", "acc", "acc", "vgood"),
        ("unacc", "acc", "good", "vgood"),
    )
    rows = []
    for car in itertools.product(*CAR_LEVELS.values()):
        buying, maint, doors, persons, lug_boot, safety = car
        price = price_table[buying][CAR_LEVELS["maint"].index(maint)]
        comfort = _comfort(doors, persons, lug_boot)
        tech = 0 if safety == "low" or comfort == 0 else comfort + (safety == "high")
        rows.append((car, car_table[price][tech]))
    return rows


def car_evaluation_binary():
    """`car_evaluation` as 0/1 columns, one level of each attribute left out; class 1 is "not unacc".

    Returns
    -------
    X : int64 (1728, 15), columns as in ``load("car-evaluation").feature_names``.
    y : int64 (1728,).
    """
    rows = car_evaluation()
    kept = CAR_BINARY_LEVELS.values()
    X = [
        [value == level for value, levels in zip(car, kept, strict=True) for level in levels]
        for car, _ in rows
    ]
    return np.array(X, dtype=np.int64), np.array([label != "unacc" for _, label in rows], dtype=np.int64)


def monk(problem):
    """All 432 inputs of MONK's `problem` (1, 2 or 3) in lexicographic order with their true class.

    Returns
    -------
    X : int64 (432, 6), attribute values counted from 1.
    y : int64 (432,).
    """
    if problem not in _MONK_TRAIN:
        raise ValueError(f"problem={problem!r} is not one of the three MONK problems; give 1, 2 or 3.")
    X = np.array(list(itertools.product(*MONK_LEVELS)), dtype=np.int64)
    a1, a2, _, a4, a5, _ = X.T
    if problem == 1:
        y = (a1 == a2) | (a5 == 1)
    elif problem == 2:
        y = (X == 1).sum(axis=1) == 2
    else:
        y = ((a5 == 3) & (a4 == 1)) | ((a5 != 4) & (a2 != 3))
    return X, y.astype(np.int64)


def monk_train(problem):
    """The published training subset of MONK's `problem`: 124, 169 or 122 rows of `monk`, in its order.

    MONK-3's subset holds six rows with a wrong class, as published.
    """
    X, y = monk(problem)
    if problem == 3:
        y[list(_MONK3_NOISE)] ^= 1
    chosen = np.array([_MONK_TRAIN[problem] >> (431 - row) & 1 for row in range(432)], dtype=bool)
    return X[chosen], y[chosen]


def monk_binary(X):
    """0/1 columns of MONK inputs `X` (n, 6), the last level of each attribute left out; int64 (n, 11)."""
    columns = [X[:, j] == level for j, levels in enumerate(MONK_LEVELS) for level in levels[:-1]]
    return np.stack(columns, axis=1).astype(np.int64)


def titanic():
    """The 2201 people aboard the Titanic, expanded from the contingency table.

    Returns
    -------
    X : int64 (2201, 3), columns class (1, 2, 3, crew 4), child (0, 1), male (0, 1).
    y : int64 (2201,), 1 for the saved; in every cell of the table the lost come first.
    """
    cells, counts, labels = [], [], []
    for (travel_class, sex, age), (lost, saved) in _TITANIC.items():
        cell = ("1st", "2nd", "3rd", "crew").index(travel_class) + 1, age == "child", sex == "male"
        cells += [cell, cell]
        counts += [lost, saved]
        labels += [0, 1]
    return np.repeat(np.array(cells, dtype=np.int64), counts, axis=0), np.repeat(labels, counts).astype(
        np.int64
    )


def _has_won(board, player):
    return any(all(board[square] == player for square in line) for line in _LINES)


def _comfort(doors, persons, lug_boot):
    if persons == "2":
        return 0
    if lug_boot == "big":
        return 2
    if persons == "4":
        return 1 if lug_boot == "small" or doors in ("2", "3") else 2
    return {"small": 0, "med": 1}[lug_boot] if doors == "2" else {"small": 1, "med": 2}[lug_boot]
