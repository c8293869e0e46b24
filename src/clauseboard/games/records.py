"""Games that were written down, whatever the game and the file: to be read one after the other.

`games/<game>/records.py` reads and writes the files of its game (`games.plugins.RecordsPlugin`). A
reader counts in a `Report` what becomes of the games, and says of each dropped one why.

    >>> report = Report()
    >>> report.keep()
    >>> report.drop("old.pdn", 12, "illegal move", "22-18 is not legal here.")
    >>> print(report)
    2 games read, 1 kept, 1 dropped
      1 for illegal move
    >>> print(report.drops[0])
    old.pdn, line 12: illegal move: 22-18 is not legal here.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from clauseboard.checks import known_name
from clauseboard.game import Game, Move, Outcome, Position, game_names
from clauseboard.games.plugins import RECORDS


@dataclass(frozen=True)
class Drop:
    """A game that was left out: where it stands, the reason in few words, and what else there is.

    >>> print(Drop("old.pdn", 12, "a comment not closed"))
    old.pdn, line 12: a comment not closed
    """

    file: str
    line: int
    reason: str
    detail: str = ""

    def __str__(self) -> str:
        where = f"{self.file}, line {self.line}" if self.file else f"line {self.line}"
        return ": ".join(filter(None, (where, self.reason, self.detail)))


@dataclass
class Report:
    """How the reading of an archive went, up to now: `read` is `kept` plus `dropped`.

    `reasons` counts all drops; `drops` lists the first `most_listed`, so that an archive of nothing
    but broken games does not fill the memory. `notes` counts oddities of games that were kept.
    """

    kept: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    drops: list[Drop] = field(default_factory=list)
    notes: Counter[str] = field(default_factory=Counter)
    most_listed: int = 100_000
    most_in_vain: int = 100_000
    """Games that may be dropped before any is kept; then the archive is refused."""

    @property
    def dropped(self) -> int:
        """How many games were left out."""
        return self.reasons.total()

    @property
    def read(self) -> int:
        """How many games there were."""
        return self.kept + self.dropped

    def keep(self) -> None:
        """Count a game that is kept."""
        self.kept += 1

    def drop(self, file: str, line: int, reason: str, detail: str = "") -> None:
        """Count a game that is left out."""
        self.reasons[reason] += 1
        if len(self.drops) < self.most_listed:
            self.drops.append(Drop(file, line, reason, detail))
        self._refuse_in_vain(file)

    def _refuse_in_vain(self, file: str) -> None:
        if not self.kept and self.dropped > self.most_in_vain:
            reasons = ", ".join(reason for reason, _ in self.reasons.most_common(3))
            raise ValueError(
                f"{file or 'This'} is not an archive of such games: the first "
                f"{self.most_in_vain:,} were all dropped, for {reasons}."
            )

    def add(self, other: Report, file: str = "", lines: int = 0) -> None:
        """Take over what a report of some part of an archive says, which begins so many lines on.

        >>> whole, part = Report(), Report()
        >>> part.drop("", 3, "no moves")
        >>> whole.add(part, "old.pdn", lines=100)
        >>> print(whole.drops[0])
        old.pdn, line 103: no moves
        """
        self.kept += other.kept
        self.reasons += other.reasons
        self.notes += other.notes
        room = max(self.most_listed - len(self.drops), 0)
        self.drops += [
            Drop(file or drop.file, drop.line + lines, drop.reason, drop.detail)
            for drop in other.drops[:room]
        ]
        self._refuse_in_vain(file)

    def __str__(self) -> str:
        lines = [f"{self.read} games read, {self.kept} kept, {self.dropped} dropped"]
        lines += [f"  {count} for {reason}" for reason, count in self.reasons.most_common()]
        lines += [f"  {count} kept with {note}" for note, count in self.notes.most_common()]
        return "\n".join(lines)


def decoded(raw: bytes) -> str:
    """Bytes as text: UTF-8 if they are that, else Latin-1, which anything is."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


Noted = tuple[tuple[int, str], ...]
"""Texts, each with the number of moves before it."""


@dataclass(frozen=True)
class RecordNotes:
    """What a record says besides players and moves; whoever saves the game again keeps it.

    `headers` are the tags of PDN, or the properties of the first node of SGF, by name. A variation
    is in the notation of the file, and so are `properties`: those of SGF that are no comment and
    no move. `result` is the result as SGF writes it, if the record has one.

    >>> notes = RecordNotes({"Site": "Leeds"}, comments=((1, "Bold."), (4, "Late.")), result="B+R")
    >>> notes.until(3)
    RecordNotes(headers={'Site': 'Leeds'}, comments=((1, 'Bold.'),), variations=(), \
properties=(), result='')
    """

    headers: Mapping[str, str] = field(default_factory=dict)
    comments: Noted = ()
    variations: Noted = ()
    properties: Noted = ()
    result: str = ""

    def until(self, moves: int) -> RecordNotes:
        """What still holds when all but the first moves are taken back."""

        def kept(noted: Noted) -> Noted:
            return tuple((n, text) for n, text in noted if n <= moves)

        properties = kept(self.properties)
        return RecordNotes(self.headers, kept(self.comments), kept(self.variations), properties)


@dataclass(frozen=True)
class Recorded:
    """A game that was played: its rules, its positions from first to last, and its moves.

    `outcome` is None where nobody noted any; `players` has the names by colour.
    """

    game: Game
    positions: tuple[Position, ...]
    moves: tuple[Move, ...]
    outcome: Outcome | None = None
    players: Mapping[str, str] = field(default_factory=dict)
    notes: RecordNotes = field(default_factory=RecordNotes)


EXAMPLES = {
    "checkers": "1. 11-15 23-19 2. 8-11 22-17 *",
    "go": "(;GM[1]SZ[9];B[ee];W[cc])",
}
"""A short record of a game, to show how one is written."""


def read_recorded(
    path: str | Path, number: int = 1, game: str | None = None, called: str = ""
) -> Recorded:
    """The game of this number, counted from 1, in a file of PDN or SGF.

    Which game it is of is told by the file, unless it is named. `called` is what errors call the
    file instead of its name.
    """
    path = Path(path)
    called = called or path.name
    if not path.is_file():
        raise ValueError(f"There is no file {str(path)!r} to read a game from.")
    if number < 1:
        raise ValueError(f"Games are numbered from 1; there is no game {number}.")
    if game is not None:
        known_name("There is no game", game, game_names())
    suffixes = {name: RECORDS.of(name).SUFFIXES for name in RECORDS.games()}
    fitting = [name for name, known in suffixes.items() if path.suffix.lower() in known]
    names = [game] if game is not None else fitting
    if not names:
        known = sorted(set(itertools.chain(*suffixes.values())))
        raise ValueError(f"{called} is not a file of games: its name ends in {' or '.join(known)}.")
    why = ""
    for name in names:
        report, last = Report(), 0
        for last, game_read in enumerate(RECORDS.of(name).read_games(path, report), 1):
            if last == number:
                return game_read
        if last:
            raise ValueError(f"{called} has {last} games that can be replayed, not {number}.")
        if report.drops and not why:
            drop = report.drops[0]
            more = f", {drop.detail}" if drop.detail else f" (line {drop.line})"
            why = f": {drop.reason}{more}".rstrip(".")
    example = EXAMPLES.get(names[0])
    right = f" Games are written like “{example}”." if example else ""
    raise ValueError(f"{called} has no game that can be replayed{why}.{right}")
