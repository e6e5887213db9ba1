"""All ends of a game of tic-tac-toe, made from the rules."""

import numpy as np

from treelib.datasets.origin import uci

ORIGINS = {
    "tic-tac-toe": uci(
        101,
        "Tic-tac-toe endgame",
        "All 958 boards on which a game can end when x moves first: has x won? Generated from the rules.",
        "D. Aha: Tic-Tac-Toe Endgame. UCI Machine Learning Repository, 1991.",
    ),
}


_LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


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


def _has_won(board, player):
    return any(all(board[square] == player for square in line) for line in _LINES)


def read_binary():
    """`tic_tac_toe` as 0/1 columns "square i holds o", "square i holds x"; class 1 where x wins."""
    X = [[mark == level for mark in board for level in "ox"] for board, _ in tic_tac_toe()]
    y = [x_wins for _, x_wins in tic_tac_toe()]
    return np.array(X), np.array(y), [f"Feat{square}_{mark}" for square in range(9) for mark in "ox"]


READERS = {
    "tic-tac-toe": read_binary,
}
