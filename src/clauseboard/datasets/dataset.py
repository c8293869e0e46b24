"""A data set: boards as packed bits, who won, which game and which fold; one file without pickle.

    data = load_dataset("checkers.npz")
    cross_val_score(LogisticRegression(), **data.for_sklearn())

The file is a zip of arrays, which `numpy.load` can open too, and of a page of JSON: the game, the
names of the bits, and the manifest, which says where the boards are from and what was left out.
The manifest holds nothing that differs from one run to the next: no date, and no folder of this
machine. The same data set gives the same bytes.
"""

from __future__ import annotations

import dataclasses
import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard import __version__, array_file
from clauseboard.checks import one_of, whole_number
from clauseboard.files import check_readable
from clauseboard.game import Bit, Game, load_game
from clauseboard.games.datasets import Composition
from clauseboard.games.records import Report

FORMAT = "clauseboard data set"
VERSION = 1
LARGEST = 1 << 31
"""Bytes that a file may hold, unpacked."""

MOST_FOLDS = 255

RESULTS = ("loss", "win", "draw")
"""What 0, 1 and 2 mean in `results`."""

ARRAYS = {"labels": np.uint8, "games": np.int64, "plies": np.int32, "to_move": np.uint8,
          "folds": np.uint8}  # fmt: skip
"""What is known of each board, and how it is kept."""


@dataclass(frozen=True, eq=False)
class DataSet:
    """Boards of games, in the order of the games; every array has one entry a board."""

    game: Game
    bits: tuple[Bit, ...]
    """What the bits of a row mean."""
    packed: NDArray[np.uint8]
    """The bits, eight to a byte, the first one lowest: boards by bytes."""
    labels: NDArray[np.uint8]
    """The winner, as an index into `classes`."""
    games: NDArray[np.int64]
    """The number of the game; the boards of a game are all in one fold."""
    plies: NDArray[np.int32]
    """Moves made before the board, or stones on it."""
    to_move: NDArray[np.uint8]
    """Whose turn it is, as a place in the game's colours."""
    folds: NDArray[np.uint8]
    """The fold in which a board is test data; in all others it is training data."""
    n_folds: int
    view: str | None
    """How the first bits show the board, as `game.encode` has it; None: they are others."""
    manifest: Mapping[str, Any]
    """Where the boards are from, and what was left out."""

    def __post_init__(self) -> None:
        whole_number("n_folds", self.n_folds, 2, MOST_FOLDS)
        n = len(self.packed)
        if self.packed.shape != (n, -(-len(self.bits) // 8)):
            raise ValueError(
                f"{len(self.bits)} bits are packed in {-(-len(self.bits) // 8)} bytes; the boards "
                f"have the shape {self.packed.shape}."
            )
        one_of("view", self.view, (None, "board", "mover"))
        if self.view is not None and len(self.bits) < len(self.game.bits()):
            raise ValueError(f"{len(self.bits)} bits are too few to show a board.")
        for name, most in (
            ("labels", len(self.classes)), ("to_move", 2), ("folds", self.n_folds),
            ("games", None), ("plies", None),
        ):  # fmt: skip
            values = getattr(self, name)
            if values.shape != (n,):
                raise ValueError(f"{n} boards need as many {name}, not {values.shape}.")
            if n and (values.min() < 0 or (most is not None and values.max() >= most)):
                raise ValueError(
                    f"{name} go from {values.min()} to {values.max()}, which none can."
                )

    def __len__(self) -> int:
        return len(self.packed)

    def __repr__(self) -> str:
        name = self.manifest.get("composition", "boards")
        return f"<DataSet: {name} of {self.game!r}, {len(self):,} boards of {len(self.bits)} bits>"

    @property
    def classes(self) -> tuple[str, ...]:
        """The possible results: a win of either colour, by its name, or "draw"."""
        return (*self.game.colours, "draw")

    @property
    def bit_names(self) -> tuple[str, ...]:
        """The names of the bits, in their order."""
        return tuple(bit.name for bit in self.bits)

    @property
    def X(self) -> NDArray[np.uint8]:  # noqa: N802 (what the field calls it)
        """The boards as 0 and 1, unpacked anew each time: boards × bits."""
        return np.unpackbits(self.packed, axis=1, count=len(self.bits), bitorder="little")

    @property
    def y(self) -> NDArray[np.str_]:
        """The winner of each board, by name."""
        return np.array(self.classes)[self.labels]

    def results(self, colour: str) -> NDArray[np.uint8]:
        """The results as one side sees them: 0 its loss, 1 its win, 2 a draw.

        A machine that is to judge for the other side learns the same boards with these inverted.
        """
        if colour not in self.game.colours:
            first, second = self.game.colours
            raise ValueError(f"{colour!r} is not a colour; there are {first!r} and {second!r}.")
        own = self.game.colours.index(colour)
        return np.where(self.labels == 2, 2, self.labels == own).astype(np.uint8)

    def split(self, fold: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The numbers of the training boards and of the test boards of a fold, from 0 on."""
        test = self.folds == whole_number("fold", fold, 0, self.n_folds - 1)
        return np.flatnonzero(~test), np.flatnonzero(test)

    def splits(self) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
        """`split` of every fold."""
        return (self.split(fold) for fold in range(self.n_folds))

    def for_sklearn(self) -> dict[str, Any]:
        """What scikit-learn's `cross_val_score` and its like take after the estimator, by name."""
        return {"X": self.X, "y": self.y, "groups": self.games, "cv": list(self.splits())}

    def take(self, rows: Any) -> DataSet:
        """Some of the boards, by their numbers or by a mask, in their folds; the manifest stays."""
        chosen = {name: getattr(self, name)[rows] for name in ("packed", *ARRAYS)}
        return dataclasses.replace(self, **chosen)

    def position(self, row: int) -> Any:
        """The position that a row shows."""
        if self.view is None:
            raise ValueError(f"The bits of {self!r} are not boards that can be shown.")
        n_bits = len(self.game.bits())
        bits = np.unpackbits(self.packed[row], count=len(self.bits), bitorder="little")
        side = self.to_move[row] if self.view == "board" else 0
        return self.game.decode(bits[:n_bits], self.game.colours[side])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file; an older one stays whole if that is interrupted."""
        path = Path(path)
        if not path.parent.is_dir():
            raise ValueError(f"{path} cannot be written: there is no folder {path.parent}.")
        page = {
            "game": self.game.name,
            "game_version": self.game.version,
            "parameters": dataclasses.asdict(self.game),  # type: ignore[call-overload]
            "bits": [dataclasses.astuple(bit) for bit in self.bits],
            "n_folds": self.n_folds,
            "view": self.view,
            "manifest": self.manifest,
        }
        arrays = {name: getattr(self, name).astype(kind) for name, kind in ARRAYS.items()}
        array_file.write(path, FORMAT, VERSION, page, {"packed": self.packed, **arrays})


def load_dataset(path: str | os.PathLike[str]) -> DataSet:
    """Read a data set; a `ValueError` that says what is wrong with the file, if something is."""
    path = Path(path)
    page, arrays = array_file.read(path, FORMAT, VERSION, LARGEST)
    try:
        game = load_game(page["game"], **page["parameters"])
        bits = tuple(Bit(*bit) for bit in page["bits"])
        version, n_folds, view = page["game_version"], page["n_folds"], page["view"]
        manifest = page["manifest"]
        if not isinstance(manifest, dict) or not all(isinstance(bit.name, str) for bit in bits):
            raise ValueError("its description is damaged")
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} is damaged: {error}.") from error
    if version != game.version:
        raise ValueError(
            f"{path} was made by version {version} of the rules of {game.name}, and these are "
            f"version {game.version}; build it again."
        )
    packed = arrays.get("packed")
    n = len(packed) if packed is not None and packed.ndim == 2 else 0
    array_file.expect(path, arrays, "packed", (n, -(-len(bits) // 8)), np.uint8)
    about_boards = {
        name: array_file.expect(path, arrays, name, (n,), kind) for name, kind in ARRAYS.items()
    }
    try:
        return DataSet(
            game,
            bits,
            arrays["packed"],
            n_folds=n_folds,
            view=view,
            manifest=manifest,
            **about_boards,
        )
    except (ValueError, TypeError) as error:
        raise ValueError(f"{path} is damaged: {error}") from error


# ---- the manifest, and the page of a data set in words


def source_page(path: Path) -> dict[str, Any]:
    """A source: its name without folders, its size and its hash; of a folder, of all in it.

    The hash of a folder is that of the names and hashes of its files, in their order.
    """
    if not path.exists():
        raise ValueError(f"There is no file or folder {str(path)!r} to read games from.")
    if not path.is_dir():
        check_readable(path)
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256")
            return {"name": path.name, "bytes": file.tell(), "sha256": digest.hexdigest()}
    digest, size, n_files = hashlib.sha256(), 0, 0
    for file_path in sorted(p for p in path.rglob("*") if p.is_file()):
        page = source_page(file_path)
        name = file_path.relative_to(path).as_posix()
        digest.update(f"{name}\0{page['sha256']}\n".encode("utf-8", "surrogateescape"))
        size, n_files = size + page["bytes"], n_files + 1
    return {"name": path.name, "files": n_files, "bytes": size, "sha256": digest.hexdigest()}


def games_page(composition: Composition, report: Report) -> dict[str, Any]:
    """What became of the games: read, dropped by reason in the order of the checks, kept."""
    places = {reason: n for n, reason in enumerate(composition.reasons)}
    reasons = sorted(report.reasons, key=lambda reason: (places.get(reason, len(places)), reason))
    return {
        "read": report.read,
        "dropped": {reason: report.reasons[reason] for reason in reasons},
        "kept": report.kept,
        "notes": dict(sorted(report.notes.items())),
    }


def boards_page(
    packed: NDArray[np.uint8],
    labels: NDArray[np.uint8],
    folds: NDArray[np.uint8],
    classes: Sequence[str],
) -> dict[str, Any]:
    """What there is in the end: boards, results, and boards that are there more than once.

    `distinct` counts boards that differ, `distinct_with_result` pairs of board and result;
    `in_several_folds` the distinct boards that are test data in more than one fold, and all rows
    that show them: what a learner sees of these in training tells of the test.
    """
    ids, first = alike(packed)
    _, first_pair = alike(packed, labels)
    n_distinct = int(first.sum())
    seen = np.zeros((n_distinct, int(folds.max()) + 1 if len(folds) else 1), np.bool_)
    seen[ids, folds] = True
    shared = seen.sum(axis=1) > 1
    counts = np.bincount(labels, minlength=len(classes))
    return {
        "rows": len(packed),
        "distinct": n_distinct,
        "distinct_with_result": int(first_pair.sum()),
        "classes": {name: int(n) for name, n in zip(classes, counts, strict=True)},
        "in_several_folds": {"distinct": int(shared.sum()), "rows": int(shared[ids].sum())},
    }


def alike(
    packed: NDArray[np.uint8], *more: NDArray[Any]
) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Which rows are the same: for each the number of its kind, and whether it is the first.

    >>> ids, first = alike(np.array([[7], [5], [7]], np.uint8))
    >>> ids.tolist(), first.tolist()
    ([1, 0, 1], [True, True, False])
    """
    n, width = packed.shape
    padded = np.zeros((n, -(-width // 8) * 8), np.uint8)
    padded[:, :width] = packed
    columns = [*padded.view(np.uint64).T, *more]
    order = np.lexsort(columns)
    new = np.zeros(n, np.bool_)
    new[:1] = True
    for column in columns:
        sorted_column = column[order]
        new[1:] |= sorted_column[1:] != sorted_column[:-1]
    ids = np.empty(n, np.intp)
    ids[order] = np.cumsum(new) - 1
    first = np.zeros(n, np.bool_)
    # The sort is stable, so that a kind begins with its first row.
    first[order[new]] = True
    return ids, first


def head_page(
    composition: Composition, sources: Iterable[Path], settings: dict[str, Any], command: str
) -> dict[str, Any]:
    """What the data set is, and from what it was made."""
    return {
        "composition": composition.name,
        "options": composition.options(),
        "settings": settings,
        "sources": [source_page(path) for path in sources],
        "command": command,
        "clauseboard": __version__,
    }


def dataset_page(data: DataSet, side: str) -> dict[str, Any]:
    """All that is shown of a data set but its boards, as one side sees the results."""
    results = data.results(side)
    amounts = np.bincount(results, minlength=3)
    test = np.bincount(data.folds, minlength=data.n_folds)
    train = len(data) - test
    return {
        "game": repr(data.game),
        "bits": len(data.bits),
        "side": side,
        "results": {name: int(n) for name, n in zip(RESULTS, amounts, strict=True)},
        "mean_test_to_train": float(np.mean(test / np.maximum(train, 1))),
        "boards": boards_page(data.packed, data.labels, data.folds, data.classes),
        "games": len(np.unique(data.games)),
        "folds": [
            {
                "boards": int(test[fold]),
                "games": len(np.unique(data.games[data.folds == fold])),
                **{
                    name: int((results[data.folds == fold] == n).sum())
                    for n, name in enumerate(RESULTS)
                },
            }
            for fold in range(data.n_folds)
        ],
        "manifest": data.manifest,
    }


def dataset_text(page: Mapping[str, Any]) -> str:
    """The page of a data set as text."""
    parts = [_head(page), _games(page), _results(page), _folds(page)]
    return "\n\n".join("\n".join(lines) for part in parts if (lines := list(part)))


def boards_text(data: DataSet, n_boards: int) -> str:
    """Some boards, spread over the data set, each with what is known of it."""
    rows = np.unique(np.linspace(0, len(data) - 1, min(n_boards, len(data))).astype(int))
    return "\n\n".join(_board(data, int(row)) for row in rows)


def _board(data: DataSet, row: int) -> str:
    winner = data.classes[data.labels[row]]
    said = "a draw" if winner == "draw" else f"{winner} wins"
    game = f"game {data.games[row]:,} after {data.plies[row]:,} moves, "
    head = f"Row {row:,}: {game if 'games' in data.manifest else ''}{said}, fold {data.folds[row]}"
    if data.view is not None:
        return f"{head}\n{data.position(row)}"
    bits = np.unpackbits(data.packed[row], count=len(data.bits), bitorder="little")
    return "\n  ".join([head, *(data.bits[n].name for n in np.flatnonzero(bits))])


def _head(page: Mapping[str, Any]) -> Iterator[str]:
    manifest, boards = page["manifest"], page["boards"]
    name = manifest.get("composition", "boards")
    yield f"{name} of {page['game']}: {boards['rows']:,} boards of {page['bits']} bits"
    options = manifest.get("options", {})
    settings = {**manifest.get("settings", {}), **options}
    yield "Options: " + ", ".join(f"{key}={value!r}" for key, value in settings.items())
    if manifest.get("command"):
        yield f"Command: {manifest['command']}"
    for source in manifest.get("sources", []):
        files = f"{source['files']:,} files, " if "files" in source else ""
        yield f"Source: {source['name']}, {files}{source['bytes']:,} bytes"
        yield f"  SHA-256 {source['sha256']}"


def _games(page: Mapping[str, Any]) -> Iterator[str]:
    """The games read, and what is left of them after each reason to drop some."""
    games = page["manifest"].get("games")
    if games is None:
        return  # rows that were imported do not tell games apart
    left = games.get("read", 0)
    rows = [("games read", "", f"{left:,}")]
    for reason, count in games.get("dropped", {}).items():
        left -= count
        rows.append((f"  dropped for {reason}", f"-{count:,}", f"{left:,}"))
    yield from _columns(rows)
    for note, count in games.get("notes", {}).items():
        yield f"  {count:,} kept with {note}"
    removed = page["manifest"].get("removed", {})
    left = page["boards"]["rows"] + sum(removed.values())
    rows = [("boards made", "", f"{left:,}")]
    for what, count in removed.items():
        left -= count
        rows.append((f"  taken out: {what}", f"-{count:,}", f"{left:,}"))
    yield from _columns(rows)


def _results(page: Mapping[str, Any]) -> Iterator[str]:
    boards, n = page["boards"], page["boards"]["rows"]
    loss, win, draw = (page["results"][name] for name in RESULTS)
    ratios = [f"{100 * amount / max(n, 1):.1f}%" for amount in (loss, win, draw)]
    yield from _columns(
        [
            ("Total data", "Avg. train/test ratio", "Loss ratio", "Win ratio", "Draw ratio"),
            (f"{n:,}", f"{100 * page['mean_test_to_train']:.2f}%", *ratios),
        ]
    )
    yield ""
    amounts = (("Win", win), ("Loss", loss), ("Draw", draw), ("Total", n))
    shares = [(name, f"{a:,}", f"{100 * a / max(n, 1):.2f} %") for name, a in amounts]
    yield from _columns([(f"For {page['side']}", "Amount", "Percentage"), *shares])
    yield ""
    yield (
        f"{n - boards['distinct']:,} boards are duplicates of others, "
        f"{n - boards['distinct_with_result']:,} of others with the same result."
    )
    shared = boards["in_several_folds"]
    yield f"{shared['distinct']:,} boards are in several folds, in {shared['rows']:,} rows."


def _folds(page: Mapping[str, Any]) -> Iterator[str]:
    rows = [("Fold", "Boards", "Games", *(name.capitalize() for name in RESULTS))]
    for number, fold in enumerate(page["folds"]):
        parts = (fold["boards"], fold["games"], *(fold[name] for name in RESULTS))
        rows.append((str(number), *(f"{part:,}" for part in parts)))
    yield from _columns(rows)


def _columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows of a table as lines: the first column to the left, the others to the right."""
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    for row in rows:
        rest = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        yield "  ".join([row[0].ljust(widths[0]), *rest]).rstrip()
