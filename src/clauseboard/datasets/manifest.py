"""The manifest of a data set: where its boards are from, and all that was left out on the way.

It holds nothing that differs from one run to the next: no date, and no folder of this machine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard import __version__
from clauseboard.games.datasets import Composition
from clauseboard.games.records import Report

_CHUNK = 1 << 20


def source_page(path: Path) -> dict[str, Any]:
    """A source: its name without folders, its size and its hash; of a folder, of all in it.

    The hash of a folder is that of the names and hashes of its files, in their order.
    """
    if not path.exists():
        raise ValueError(f"There is no file or folder {str(path)!r} to read games from.")
    if not path.is_dir():
        digest, size = hashlib.sha256(), 0
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
                size += len(chunk)
        return {"name": path.name, "bytes": size, "sha256": digest.hexdigest()}
    digest, size, n_files = hashlib.sha256(), 0, 0
    for file_path in sorted(p for p in path.rglob("*") if p.is_file()):
        page = source_page(file_path)
        name = file_path.relative_to(path).as_posix()
        digest.update(f"{name}\0{page['sha256']}\n".encode("utf-8", "surrogateescape"))
        size, n_files = size + page["bytes"], n_files + 1
    return {"name": path.name, "files": n_files, "bytes": size, "sha256": digest.hexdigest()}


def games_page(composition: Composition, report: Report) -> dict[str, Any]:
    """What became of the games: read, dropped by reason in the order of the checks, kept."""
    known = {reason: n for n, reason in enumerate(composition.reasons)}
    reasons = sorted(report.reasons, key=lambda reason: (known.get(reason, len(known)), reason))
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
