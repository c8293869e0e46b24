"""Small problems with a known answer, shared by the tests of the slow and the fast machines.

Every maker takes the random generator and returns `(X, y)`: one row of 0/1 bits a sample
(`uint8`), and the answers. The same seed gives the same samples.
"""

import numpy as np

BOARD_PATTERN = np.array([[1, 0], [0, 1]], dtype=np.uint8)
"""What `planted_boards` hides: a falling diagonal, the other diagonal empty."""


def noisy_xor(
    rng: np.random.Generator, n: int, n_features: int = 12, noise: float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    """Class = bit 0 xor bit 1; the other bits say nothing; a share `noise` of labels is wrong.

    >>> X, y = noisy_xor(np.random.default_rng(0), 5)
    >>> bool(np.all(y == X[:, 0] ^ X[:, 1]))
    True
    """
    X = rng.integers(0, 2, (n, n_features), dtype=np.uint8)
    y = (X[:, 0] ^ X[:, 1]).astype(np.int64)
    wrong = rng.random(n) < noise
    return X, np.where(wrong, 1 - y, y)


def multiclass_xor(
    rng: np.random.Generator, n: int, n_features: int = 8, noise: float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    """Class 0, 1 or 2 = (bit 0 xor bit 1) + (bit 2 xor bit 3), so class 1 is half of the samples.

    A share `noise` of the labels is moved to one of the other two classes.

    >>> X, y = multiclass_xor(np.random.default_rng(0), 200)
    >>> sorted(set(y.tolist()))
    [0, 1, 2]
    """
    X = rng.integers(0, 2, (n, n_features), dtype=np.uint8)
    y = ((X[:, 0] ^ X[:, 1]) + (X[:, 2] ^ X[:, 3])).astype(np.int64)
    wrong = rng.random(n) < noise
    return X, np.where(wrong, (y + rng.integers(1, 3, n)) % 3, y)


def shows_pattern(board: np.ndarray) -> bool:
    """Is `BOARD_PATTERN` somewhere on this board of rows and columns?"""
    rows, columns = board.shape
    return any(
        np.array_equal(board[r : r + 2, c : c + 2], BOARD_PATTERN)
        for r in range(rows - 1)
        for c in range(columns - 1)
    )


def planted_boards(
    rng: np.random.Generator, n: int, rows: int = 4, columns: int = 4, noise: float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    """Boards of random stones: class 1 shows `BOARD_PATTERN` somewhere, class 0 nowhere.

    A row of X is a board of shape `(rows, columns, 1)` flattened in C order. A share `noise`
    of the labels is wrong.

    >>> X, y = planted_boards(np.random.default_rng(0), 20)
    >>> [shows_pattern(x.reshape(4, 4)) for x in X] == [bool(k) for k in y]
    True
    """
    y = rng.integers(0, 2, n)
    X = np.empty((n, rows * columns), dtype=np.uint8)
    for i in range(n):
        board = rng.integers(0, 2, (rows, columns), dtype=np.uint8)
        if y[i]:
            r, c = rng.integers(rows - 1), rng.integers(columns - 1)
            board[r : r + 2, c : c + 2] = BOARD_PATTERN
        else:
            while shows_pattern(board):
                board = rng.integers(0, 2, (rows, columns), dtype=np.uint8)
        X[i] = board.reshape(-1)
    wrong = rng.random(n) < noise
    return X, np.where(wrong, 1 - y, y)


def stepped_values(
    rng: np.random.Generator, n: int, n_features: int = 6, noise: float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    """A value to regress on: 10 + 20 × bit 0 + 10 × (bit 1 and not bit 2), so 10, 20, 30 or 40.

    Normal noise of standard deviation `noise` is added, and kept within 10 and 40.

    >>> X, y = stepped_values(np.random.default_rng(0), 100)
    >>> sorted(set(y.tolist()))
    [10.0, 20.0, 30.0, 40.0]
    """
    X = rng.integers(0, 2, (n, n_features), dtype=np.uint8)
    y = 10.0 + 20.0 * X[:, 0] + 10.0 * (X[:, 1] & (1 - X[:, 2]))
    return X, np.clip(y + noise * rng.standard_normal(n), 10.0, 40.0)
