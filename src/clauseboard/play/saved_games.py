"""Games of the terminal as files: PDN or SGF, which other programs read, too.

The names of the players say who was the person and who the other one, so that the game can go on.
The event names the rules, for PDN and SGF have no place for all of them.
"""

from __future__ import annotations

import ast
import datetime
import itertools
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from clauseboard.game import Game, Outcome, load_game
from clauseboard.games.plugins import RECORDS
from clauseboard.games.records import Recorded, read_recorded

PERSON = "person"
"""What a person at the terminal is called in a file."""

_EVENT = re.compile(r"Clauseboard, (load_game\(.*?\))[\"\]]")


def suffixes_of(game: Game) -> tuple[str, ...]:
    """How the files of a game end, the usual way first."""
    return RECORDS.of(game).SUFFIXES


def write_game(
    game: Game,
    moves: Sequence[Any],
    outcome: Outcome | None,
    players: Mapping[str, str],
    start: Any = None,
) -> str:
    """A game as text, be it over (with its outcome) or not; `start` is a board set up, if any."""
    event = f"Clauseboard, {game!r}"
    return RECORDS.of(game).write_game(game, moves, outcome, players, event, 1, start)


def read_game(path: Path, name: str | None = None) -> tuple[Any, Recorded]:
    """The rules and the moves of the first game in a file; of this game, if it is named.

    The rules are those that the file names, if we wrote it, and else as far as the format goes.
    """
    record = read_recorded(path, game=name)
    if record.positions[0] != record.game.start():
        raise ValueError(f"The game in {path} begins from a set-up board, not from the start.")
    noted = rules_in(path.read_text("utf-8", "replace"))
    rules = noted if noted is not None and noted.name == record.game.name else record.game
    return rules, record


def rules_in(text: str) -> Any:
    """The rules that a file of ours names, or None.

    >>> rules_in('[Event "Clauseboard, load_game(\\'hex\\', size=5)"]')
    load_game('hex', size=5)
    """
    found = _EVENT.search(text)
    if found is None:
        return None
    try:
        return read_rules(found[1])
    except (ValueError, SyntaxError, TypeError, AttributeError):
        return None


def read_rules(written: str) -> Any:
    """A game from its `repr`, which is only read and never run.

    >>> read_rules("load_game('hex', size=5)")
    load_game('hex', size=5)
    """
    call = ast.parse(written, mode="eval").body
    if not isinstance(call, ast.Call) or len(call.args) != 1:
        raise ValueError(f"{written!r} is no game.")
    given = {str(word.arg): ast.literal_eval(word.value) for word in call.keywords}
    return load_game(ast.literal_eval(call.args[0]), **given)


def is_ours(path: Path) -> bool:
    """Whether a file has one game, saved here, and nothing else."""
    text = path.read_text("utf-8", "replace")
    return len(_EVENT.findall(text)) == 1 == max(text.count("[Event "), text.count("(;"))


def free_name(game: Game, folder: Path, day: datetime.date | None = None) -> Path:
    """A name for a new file that tells the game and the day: hex-2026-03-01.sgf."""
    stem = f"{game.name}-{day or datetime.date.today()}"
    for number in itertools.count(1):
        path = folder / f"{stem}{'' if number == 1 else f'-{number}'}{suffixes_of(game)[0]}"
        if not path.exists():
            return path
    raise AssertionError("there are enough numbers")
