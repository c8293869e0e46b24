"""The manifest of a data set, and its page in words: where its boards are from, what was left out.

It holds nothing that differs from one run to the next: no date, and no folder of this machine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard import __version__
from clauseboard.datasets.dataset import RESULTS, DataSet
from clauseboard.files import check_readable
from clauseboard.games.datasets import Composition
from clauseboard.games.records import Report


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
