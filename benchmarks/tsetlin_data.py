"""Boards to measure on: a file of real ones, or made ones that look much like them.

A board is 128 bits: 32 squares each for black men, black kings, white men and white
kings. The result is 0 (loss), 1 (win) or 2 (draw) for black. A fold is the tenth of the
boards in which a row is test data.
"""

import sys
import zipfile
from pathlib import Path

import numpy as np
from sklearn import datasets
from sklearn.model_selection import train_test_split

from clauseboard.tsetlin import ThermometerEncoder

SQUARES = 32
MADE_BOARDS = 22_500
# Squares, counted 0 to 31 from black's side, that the made results depend on.
_BLACK_BACK_RANK = (0, 2)
_WHITE_BACK_RANK = (29, 31)
_LONG_DIAGONAL = (3, 7, 10, 14, 17, 21, 24, 28)


class DataError(ValueError):
    """A data file that cannot be used; the message says why and what would be right."""


def make(boards: int, seed: int) -> dict[str, np.ndarray]:
    """Make checkers-like final boards with a readable, noisy rule for the result.

    Black's lead is half a point a man and two a king, less the same of white's; a king on
    the long diagonal, and a man on either of two back-rank squares, is worth a point more.
    A lead of more than 1.8 wins, but the fewer the pieces the likelier a draw, and noise
    is added to every lead.
    """
    rng = np.random.default_rng(seed)
    planes = np.zeros((boards, 4, SQUARES), dtype=np.uint8)
    pieces = rng.integers(4, 15, size=boards)
    for board, count in zip(planes, pieces, strict=True):
        squares = rng.permutation(SQUARES)[:count]
        # The sides end a game about equal in pieces: the squares are in random order.
        white = np.arange(count) < round(rng.normal(count / 2, 0.9))
        # A piece that has come far is likelier to have been crowned.
        advance = np.where(white, SQUARES - 1 - squares, squares) / SQUARES
        king = rng.random(count) < 0.02 + 0.25 * advance
        board[2 * white + king, squares] = 1
    black_men, black_kings, white_men, white_kings = (planes[:, i] for i in range(4))
    lead = _strength(black_men, black_kings, _BLACK_BACK_RANK)
    lead -= _strength(white_men, white_kings, _WHITE_BACK_RANK)
    lead += rng.normal(0, 0.8, size=boards)
    needed = 1.8 + np.maximum(0, 7 - pieces) * 0.5
    result = np.where(lead > needed, 1, np.where(lead < -needed, 0, 2))
    return {
        "boards": np.packbits(planes.reshape(boards, -1), axis=1),
        "result": result.astype(np.int8),
        "fold": rng.permutation(np.arange(boards) % 10).astype(np.int8),
    }


def _strength(men: np.ndarray, kings: np.ndarray, back_rank: tuple[int, ...]) -> np.ndarray:
    return (
        0.5 * men.sum(axis=1)
        + 2 * kings.sum(axis=1)
        + kings[:, _LONG_DIAGONAL].sum(axis=1)
        + men[:, back_rank].sum(axis=1)
    )


def read(path: Path) -> dict[str, np.ndarray]:
    """Read `boards`, `result` and `fold` from an .npz file."""
    if not path.is_file():
        raise DataError(f"There is no data file {str(path)!r}; without --data, boards are made.")
    wanted = ("boards", "result", "fold")
    try:
        with np.load(path, allow_pickle=False) as stored:
            missing = [name for name in wanted if name not in stored.files]
            if missing:
                raise DataError(
                    f"{path.name} lacks {', '.join(missing)}; it must hold {', '.join(wanted)}."
                )
            data = {name: stored[name] for name in wanted}
    except (zipfile.BadZipFile, OSError, ValueError, AttributeError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"{path.name} is not an .npz file of plain arrays.") from error
    boards = data["boards"]
    if boards.ndim != 2 or boards.shape[1] != 16 or boards.dtype != np.uint8:
        raise DataError(
            f"boards in {path.name} are {boards.dtype} of shape {boards.shape}; "
            "they must be packed bits, uint8 of shape (n, 16)."
        )
    if not len(boards) == len(data["result"]) == len(data["fold"]):
        raise DataError(f"boards, result and fold of {path.name} differ in length.")
    return data


def read_or_make(path: Path | None) -> tuple[dict[str, np.ndarray], str]:
    """The boards of a file, or made ones without it; and what they are called in a result.

    A file that cannot be used ends the script.
    """
    if path is None:
        return make(MADE_BOARDS, seed=0), "made by tsetlin_data.py"
    try:
        return read(path), path.name
    except DataError as error:
        print(f"{Path(sys.argv[0]).name}: {error}", file=sys.stderr)
        sys.exit(2)


Split = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
"""Bits and classes to train on, and to test on."""


def numbers(name: str, seed: int) -> Split:
    """A data set of scikit-learn as bits, with 30 % of it to test on."""
    rows, classes = getattr(datasets, f"load_{name}")(return_X_y=True)
    X, test, y, test_y = train_test_split(
        rows, classes, test_size=0.3, stratify=classes, random_state=seed
    )
    encoder = ThermometerEncoder().fit(X)
    return encoder.transform(X), y, encoder.transform(test), test_y


def split(
    data: dict[str, np.ndarray], fold: int, seed: int, most: int | None = None
) -> dict[str, np.ndarray]:
    """Split into the test fold and the rest, which is shuffled once, for all libraries alike.

    One of them never shuffles, so the order must not be that of the file. With `most`,
    only so many are kept to train on.
    """
    folds = sorted(int(number) for number in np.unique(data["fold"]))
    if fold not in folds:
        raise DataError(f"There is no fold {fold}; the folds are {', '.join(map(str, folds))}.")
    rng = np.random.default_rng(seed)
    train = rng.permutation(np.flatnonzero(data["fold"] != fold))[:most]
    test = np.flatnonzero(data["fold"] == fold)
    if len(np.unique(data["result"][train])) < 2:
        raise DataError("The training boards all have the same result; two or more are needed.")
    return {
        f"{part}_{name}": data[name][rows]
        for part, rows in (("train", train), ("test", test))
        for name in ("boards", "result")
    }
