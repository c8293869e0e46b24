"""The boards that tables ask for: from the files at hand, made of those, or generated.

What can be made of what, and how boards are generated, differs by game; it is in the file
`<game>_boards.py` beside this one: `made(kind, found)` and `generated(kind, n_games)`. Where games
take long to play, that file says `KEEPS = True`: `generated` is then also told a folder, in which
it may keep them for other tables, and how many processes may work.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from clauseboard.papers.boards import LabelledBoards, BoardSet, of_game, read_boards


class BoardSource:
    """Boards by their kind, for one run of an experiment."""

    def __init__(
        self,
        files: Sequence[str | Path] = (),
        most_boards: int | None = None,
        folder: Path | None = None,
        jobs: int = 1,
    ) -> None:
        self.most_boards = most_boards
        self._keeping = {"folder": folder, "jobs": jobs}
        self._found: dict[BoardSet, LabelledBoards] = {}
        self._used: dict[BoardSet, LabelledBoards] = {}
        self._files: dict[BoardSet, Path] = {}
        for file in files:
            boards = read_boards(file)
            if boards.kind in self._found:
                raise ValueError(
                    f"{file}: boards of the kind {boards.kind} are given twice; leave one out."
                )
            self._found[boards.kind] = boards
            self._files[boards.kind] = Path(file)

    def boards(self, kind: BoardSet) -> LabelledBoards:
        """The boards of a kind, no more than asked for."""
        if kind not in self._used:
            found = self._found.get(kind) or of_game(kind).made(kind, self._found)
            self._used[kind] = (found or self._generated(kind)).at_most(self.most_boards)
        return self._used[kind]

    def used(self) -> list[LabelledBoards]:
        """What was asked for so far."""
        return list(self._used.values())

    def unused(self) -> list[Path]:
        """Files from which nothing was taken."""
        taken = {boards.source for boards in self.used()}
        return [file for kind, file in self._files.items() if self._found[kind].source not in taken]

    def _generated(self, kind: BoardSet) -> LabelledBoards:
        maker = of_game(kind)
        keeping: dict[str, Any] = self._keeping if getattr(maker, "KEEPS", False) else {}
        made: LabelledBoards = maker.generated(kind, self.most_boards, **keeping)
        return made
