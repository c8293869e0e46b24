"""The opponents of each game; a request only names an id of this list."""

from __future__ import annotations

import dataclasses
import functools
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from clauseboard.arena.reporting import played_text
from clauseboard.engines.process import find_program
from clauseboard.game import Game
from clauseboard.games.plugins import PAGE
from clauseboard.players import can_play, is_learner, levels, named_files, read_spec, write_spec
from clauseboard.players.shipped import TITLE, PlayerCard, cards

NOT_MEASURED = "not measured"
STRENGTHS = Path(__file__).with_name("strengths.json")
"""The strength of players without files; benchmarks/opponents.py writes it."""
MISTAKES = Path(__file__).with_name("mistakes.json")
"""The loss from which a move is marked, by game and judge; see benchmarks/mistakes.py."""
PERSON, ENGINE = "person", "engine"
LEVEL_TITLES = {levels.ADAPTIVE: "adapts to you"}


@dataclass(frozen=True)
class Opponent:
    """An opponent; `line` makes the player, and is empty for a person.

    `judges`: it values moves. `readable`: it also gives reasons. `hints`: as a judge it only names
    moves, like most other programs. `kept`: a machine that was trained here. `mistake` is the loss
    from which it marks a move, unless that was measured (`MISTAKES`): the values of different
    judges are on different scales. `level` is the name of a level of the shipped player.
    """

    id: str
    title: str
    about: str
    line: str = ""
    strength: str = NOT_MEASURED
    judges: bool = False
    readable: bool = False
    hints: bool = False
    usual: bool = False
    kept: bool = False
    mistake: float = 0.3
    level: str | None = None
    stars: int = 0
    """One for the weakest level, and so on; 0 for all other opponents."""
    around: str | None = None
    """Of the one that adapts: the level around which it plays in a game."""

    @property
    def person(self) -> bool:
        """Whether another person plays."""
        return self.id == PERSON


BUILT_IN = (
    Opponent(
        "material",
        "Material counter",
        "Counts pieces and looks as far ahead as its time allows.",
        "material",
        judges=True,
        readable=True,
        mistake=0.04,
    ),
    Opponent(
        "rollouts",
        "Playouts",
        "Tries out each move by playing many random games to the end.",
        "rollouts",
        judges=True,
        mistake=0.2,
    ),
    Opponent(
        "solver",
        "Solver",
        "Plays perfectly where the result is known; this may take a while.",
        "solver",
        judges=True,
    ),
    Opponent("shallow", "One move ahead", "Counts pieces after each move, and looks no further.",
             "material:depth=1", judges=True, readable=True, mistake=0.04),
    Opponent("random", "Random mover", "Plays a legal move at random.",
             "random", strength="the weakest; others are measured against it"),
)  # fmt: skip
"""Players that need no file."""

TWO_PEOPLE = Opponent(PERSON, "Another person", "Two people play at this board, turn by turn.")


def adapted(opponent: Opponent, game: Game, around: str | None) -> Opponent:
    """The opponent that adapts, around a level; any other one as it is."""
    if opponent.level != levels.ADAPTIVE:
        return opponent
    if around not in levels.level_names(game):
        around = levels.AROUND
    line = write_spec("shipped", {"level": levels.ADAPTIVE, "around": around})
    title = f"{TITLE} (adapts: {around})"
    return dataclasses.replace(opponent, line=line, title=title, around=around)


Source = Callable[[Game], Iterable[Opponent]]


class Opponents:
    """All opponents, game by game.

    `more` are lines that the server was started with; `sources` are functions that give further
    opponents of a game, such as saved machines.
    """

    def __init__(self, more: Iterable[str] = ()) -> None:
        self.sources: list[Source] = [shipped]
        self._added = []
        for line in more:
            name, options = read_spec(line)  # a bad line is an error before the server starts
            written = write_spec(name, options)
            self._added.append(written)

    def of(self, game: Game) -> list[Opponent]:
        """The opponents in a game, the usual one first."""
        listed = [
            *(opponent for source in self.sources for opponent in source(game)),
            *self._given(game),
            *(opponent for opponent in BUILT_IN if can_play(read_spec(opponent.line)[0], game)),
            *engines(game),
            TWO_PEOPLE,
        ]
        usual = next((opponent for opponent in listed if opponent.usual), listed[0])
        # Of several with one id the first counts.
        unique = {opponent.id: opponent for opponent in reversed([usual, *listed])}
        ordered = {opponent.id: unique[opponent.id] for opponent in [usual, *listed]}
        return [
            dataclasses.replace(opponent, usual=opponent is usual, **_measured(opponent, game))
            for opponent in ordered.values()
        ]

    def get(self, game: Game, id: str) -> Opponent:
        """The opponent of this id; a `ValueError` if there is none."""
        opponents = {opponent.id: opponent for opponent in self.of(game)}
        if id not in opponents:
            listed = ", ".join(map(repr, opponents))
            raise ValueError(f"There is no opponent {id!r} in this game; there are {listed}.")
        return opponents[id]

    def judge_for(self, game: Game, opponent: Opponent) -> Opponent | None:
        """The default judge: the opponent itself, or else the first opponent that can judge."""
        if opponent.judges:
            return opponent
        return next((other for other in self.of(game) if other.judges), None)

    def _given(self, game: Game) -> list[Opponent]:
        return [
            dataclasses.replace(_kind_of(line), id=f"own-{n}", title=_title(line), line=line)
            for n, line in enumerate(self._added, 1)
            if can_play(read_spec(line)[0], game)
        ]


def _kind_of(line: str) -> Opponent:
    """An opponent from its line alone: learners can be read."""
    name = read_spec(line)[0]
    about = "Added when the program was started."
    by_line = {opponent.line: opponent for opponent in BUILT_IN}
    if name in by_line:
        return dataclasses.replace(by_line[name], about=about, strength=NOT_MEASURED)
    learner = is_learner(name)
    return Opponent(name, name, about, judges=learner, readable=learner, hints=name == ENGINE)


def _title(line: str) -> str:
    """A player's line with its files by their names only."""
    for path in named_files(line):
        line = line.replace(path, PurePath(path).name)
    return line


def engines(game: Game) -> list[Opponent]:
    """Programs on this machine that play a game by the Go Text Protocol."""
    installed = []
    for engine in PAGE.of(game).ENGINES:
        if find_program(engine.command.split()[0]):
            line = write_spec(ENGINE, {"command": engine.command})
            about = f"Another program on this machine: {engine.command}."
            installed.append(Opponent(engine.name, engine.title, about, line, hints=True))
    return installed


def shipped(game: Game) -> list[Opponent]:
    """The trained player that comes with the package, where there is one for a game; its levels."""
    return [
        opponent
        for card in cards()
        if card.fits(game)
        for opponent in (
            Opponent(
                "shipped",
                TITLE,
                f"Comes with the package: {card.n_clauses:,} clauses, learned from its own games; "
                f"each of them can be read.{_elsewhere(card, game)}",
                "shipped",
                _measured_on(card, game),
                judges=True,
                readable=True,
                usual=True,
                level=levels.STRONGEST,
                stars=len(levels.level_names(game)),
            ),
            *_levels(game),
        )
    ]


def _measured_on(card: PlayerCard, game: Game) -> str:
    """How strong a player is on boards of this size."""
    match = card.match_on(game)
    if match is None:
        return NOT_MEASURED
    ladder = levels.level_text(game, levels.STRONGEST)
    return "; ".join(filter(None, [ladder, played_text(match)]))


def _elsewhere(card: PlayerCard, game: Game) -> str:
    """That a player was trained on boards of another size, if it was."""
    if card.trained_on(game):
        return ""
    size = card.parameters["size"]
    return f" It learned on {size}x{size}, so it is weaker on this board than there."


def _levels(game: Game) -> list[Opponent]:
    """The weaker levels of the shipped player. They do not judge: the player itself does."""
    weaker = "Looks less far ahead, and does not always play its best."
    about = {
        levels.ADAPTIVE: "Plays stronger while it is behind, weaker while it is ahead. After each "
        "game that it loses here the next one is a level harder, after each that it wins easier."
    }
    stars = {name: number for number, name in enumerate(levels.level_names(game), 1)}
    return [
        Opponent(
            f"level-{name}",
            f"{TITLE} ({LEVEL_TITLES.get(name, name)})",
            about.get(name, weaker),
            write_spec("shipped", {"level": name}),
            levels.level_text(game, name) or NOT_MEASURED,
            level=name,
            stars=stars.get(name, 0),
        )
        for name in (*levels.LEVELS.get(game.name, {}), levels.ADAPTIVE)
    ]


def games_won(counts: Any) -> str:
    """The results of some games, in a few words."""
    drawn = f" and {counts.draws} drawn" if counts.draws else ""
    return f"{counts.wins} of {counts.games} games won{drawn}"


def _measured(opponent: Opponent, game: Game) -> dict[str, Any]:
    """What was measured of an opponent in a game."""
    fields = {"strength": STRENGTHS, "mistake": MISTAKES}
    tables = {field: _read(path).get(game.name, {}) for field, path in fields.items()}
    return {field: table[opponent.id] for field, table in tables.items() if opponent.id in table}


@functools.cache
def _read(path: Path) -> dict[str, dict[str, Any]]:
    """Measurements by game and opponent."""
    return json.loads(path.read_text("utf-8"))
