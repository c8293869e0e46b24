"""One game between a person and an opponent, as the page and the terminal both play it.

A `GameSession` knows the moves, the clocks, the dead stones and the mistakes. It knows no screen,
and it never waits for a player: its caller asks the players, and passes on their choices.

>>> from clauseboard.game import load_game
>>> session = GameSession(load_game("hex", size=2), two_people=True)
>>> session.play("a2"), session.play("b2"), session.play("a1")
(HexMove(row=1, column=0), HexMove(row=1, column=1), HexMove(row=0, column=0))
>>> print(session.outcome)
red wins: red connected top and bottom
>>> session.undo()
[HexMove(row=0, column=0)]
>>> session.position.to_move
'red'

A saved game is a PDN or SGF file, which other programs read, too. The players' names say which
side the person played, so that the game can continue. Rules for which PDN and SGF have no field
stand in a header of our own.
"""

from __future__ import annotations

import ast
import dataclasses
import datetime
import functools
import itertools
import re
import tempfile
import time
from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from clauseboard.explaining.game_report import find_slide, is_mistake
from clauseboard.explanation import percent
from clauseboard.files import read_bytes
from clauseboard.game import Ending, Game, Move, NotationError, Outcome, Position, load_game
from clauseboard.games.plugins import COUNTING, RECORDS
from clauseboard.games.records import Noted, Recorded, RecordNotes, read_recorded
from clauseboard.games.vocabulary import Count
from clauseboard.player import Choice, Player, expectation
from clauseboard.players import read_player

BLUNDER = 3.0
"""A blunder costs so many times what a mistake costs."""
USUAL = ("shipped", "material", "rollouts", "random")
"""The default opponent and adviser: the first of these that can play the game."""


@dataclass
class GameClock:
    """The seconds that each side has left; `running` is the side whose clock runs, from `since`.

    >>> clock = GameClock.fresh(("red", "blue"), minutes=1, increment=2)
    >>> clock.turn("red", now=100.0)
    >>> clock.turn("blue", now=110.0)
    >>> clock.left("red", now=115.0), clock.left("blue", now=115.0)
    (52.0, 55.0)
    """

    remaining: dict[str, float]
    increment: float
    running: str | None = None
    since: float = 0.0

    @classmethod
    def fresh(cls, colours: Sequence[str], minutes: float, increment: float) -> GameClock:
        """The clocks at the start of a game."""
        return cls(dict.fromkeys(colours, 60.0 * minutes), increment)

    def left(self, colour: str, now: float) -> float:
        """The seconds that a side has left, at least 0."""
        used = now - self.since if colour == self.running else 0.0
        return max(0.0, self.remaining[colour] - used)

    def turn(self, colour: str | None, now: float, earned: bool = True) -> None:
        """Start one side's clock, or none; the side that moved gets the increment if `earned`."""
        if self.running is not None:
            self.remaining[self.running] = self.left(self.running, now)
            if earned and colour not in (None, self.running):
                self.remaining[self.running] += self.increment
        self.running, self.since = colour, now

    def expired(self, now: float) -> str | None:
        """The side whose time is up."""
        if self.running is not None and self.left(self.running, now) <= 0:
            return self.running
        return None

    def saved(self, now: float) -> dict[str, Any]:
        """The clocks for a file; they stop while the program does not run."""
        remaining = {colour: self.left(colour, now) for colour in self.remaining}
        return {"remaining": remaining, "increment": self.increment}


@dataclass(frozen=True)
class Mistake:
    """A move that cost much by the judgement of a player, and the better one."""

    kind: Literal["mistake", "blunder"]
    better: str
    loss: float
    text: str


class GameSession:
    """A game of a person, who plays `colour`, or both colours if there are two people."""

    def __init__(self, game: Game, colour: str | None = None, two_people: bool = False) -> None:
        colour = game.colours[0] if colour is None else colour
        if colour not in game.colours:
            listed = " or ".join(map(repr, game.colours))
            raise ValueError(f"A person plays {listed} in {game.name}, not {colour!r}.")
        self.game = game
        self.colour, self.two_people = colour, two_people
        self.clock: GameClock | None = None
        self.restart()

    # ---- how the game stands

    @property
    def people(self) -> tuple[str, ...]:
        """The colours that people play."""
        return self.game.colours if self.two_people else (self.colour,)

    @property
    def position(self) -> Position:
        """The current position."""
        return self.positions[-1]

    @property
    def before(self) -> Position | None:
        """The position before the last move, if there is one."""
        return self.positions[-2] if self.moves else None

    @property
    def ply(self) -> int:
        """The number of moves played."""
        return len(self.moves)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended: by resignation, on time, or by the rules without dead stones."""
        if self.ended_early is not None:
            return self.ended_early
        ended = self.position.outcome()
        count = self.count() if ended is not None and self.dead else None
        if ended is None or count is None:
            return ended
        first, second = count.totals.values()
        return Outcome(count.winner, count.text, ended.ending, abs(first - second))

    @property
    def opponents_turn(self) -> bool:
        """Whether the opponent is to move."""
        return self.outcome is None and self.position.to_move not in self.people

    @property
    def is_counted(self) -> bool:
        """Whether the game ended by the rules and its stones are counted."""
        over = self.ended_early is None and self.position.outcome() is not None
        return over and COUNTING.find(self.game) is not None

    @property
    def start_text(self) -> str | None:
        """A start position that was set up, as text; None for the usual one."""
        start = self.positions[0]
        return None if start == self.game.start() else self.game.write_position(start)

    def count(self) -> Count | None:
        """The count of a finished game, if the game is one that is counted."""
        return COUNTING.of(self.game).count(self.position, self.dead) if self.is_counted else None

    def mover(self, ply: int) -> str:
        """The side to move after `ply` moves."""
        return self.positions[ply].to_move

    def move_texts(self) -> list[str]:
        """The moves as text; each is written once."""
        for ply in range(len(self._texts), self.ply):
            self._texts.append(self.positions[ply].write_move(self.moves[ply]))
        return self._texts

    # ---- playing

    def restart(self, position: Position | None = None) -> None:
        """Begin a game, from a position that was set up if one is given."""
        self.positions: list[Position] = [self.game.start() if position is None else position]
        self.moves: list[Move] = []
        self.ended_early: Outcome | None = None
        """The end by resignation or on time."""
        self.choices = self.new_choices()
        """The opponent's choices, by the number of moves before."""
        self.judged = self.new_choices()
        """The judge's choices, likewise; the opponent may be the judge."""
        self.mistakes: dict[int, Mistake] = {}
        self.losses: dict[int, tuple[float, str]] = {}
        """What moves have cost by the judge's values, and what it would have played."""
        self.best: dict[int, str] = {}
        """The moves that the judge would play, by the number of moves before."""
        self.chances: dict[int, float] = {}
        """The first colour's chance of winning after so many moves, as far as it was judged."""
        self.dead: tuple[str, ...] = ()
        self.dead_suggested = False
        self.dead_named = False
        """Whether a person has named the dead stones; none of them is an answer, too."""
        self.names: dict[str, str] = {}
        """The players' names by colour, where a record has them."""
        self.notes = RecordNotes()
        """What the record of the game says, if it was read from one."""
        self._texts: list[str] = []
        self.changed(earned=False)

    def new_choices(self) -> MutableMapping[int, Choice]:
        """Where choices are kept."""
        return {}

    def changed(self, earned: bool = True) -> None:
        """Called after every move and every end; switches the clocks."""
        if self.clock is not None:
            running = None if self.outcome is not None else self.position.to_move
            self.clock.turn(running, time.monotonic(), earned=earned)

    def read(self, text: str) -> Move:
        """The legal move that a text means now; a `NotationError` says why there is none."""
        if self.outcome is not None:
            raise NotationError(f"The game is over ({self.outcome}).")
        return self.position.read_move(text)

    def play(self, text: str) -> Move:
        """Play the move that a text means."""
        move = self.read(text)
        self.play_move(move)
        return move

    def play_move(self, move: Move) -> None:
        """Play a move; a `NotationError` if it is not legal."""
        self.positions.append(self.position.play(move))
        self.moves.append(move)
        self.notes = dataclasses.replace(self.notes, result="")
        self.changed()

    def accept(self, choice: Choice) -> None:
        """Play the opponent's choice; an illegal move is a `NotationError`."""
        if choice.ends_game:
            self._resign(self.position.to_move)
            return
        ply = self.ply
        self.names.pop(self.position.to_move, None)  # whoever it was, it is the opponent now
        self.play_move(choice.move)
        self.choices[ply] = choice

    def resign(self) -> Outcome:
        """The person resigns: the side to move, if there are two people."""
        if self.outcome is not None:
            raise ValueError(f"The game is over already: {self.outcome}.")
        return self._resign(self.position.to_move if self.two_people else self.colour)

    def end_on_time(self) -> bool:
        """End the game if a clock has run out; whether one has."""
        late = None if self.clock is None else self.clock.expired(time.monotonic())
        if late is None or self.outcome is not None:
            return False
        self.ended_early = Outcome(self.game.other(late), f"{late}'s time is up", Ending.TIME)
        self.changed()
        return True

    def undo(self) -> list[Move]:
        """Take back the person's last move and what followed; the moves taken back.

        After the person resigned, only that is taken back, and the list is empty.
        """
        # An opponent that resigned would do so again, so that a move is taken back then.
        resigned = self.ended_early is not None and not (
            self.position.to_move not in self.people and self.ended_early.winner in self.people
        )
        turns = [n for n in range(self.ply) if self.mover(n) in self.people]
        if not resigned and not turns:
            raise ValueError("There is no move of yours to take back.")
        ply = self.ply if resigned else turns[-1]
        taken = self.moves[ply:]
        self.ended_early = None
        del self.moves[ply:], self.positions[ply + 1 :], self._texts[ply:]
        for choices, most in ((self.choices, ply - 1), (self.judged, ply)):
            for n in [n for n in choices if n > most]:
                del choices[n]
        self.mistakes = {n: mistake for n, mistake in self.mistakes.items() if n < ply}
        self.losses = {n: loss for n, loss in self.losses.items() if n < ply}
        self.best = {n: move for n, move in self.best.items() if n <= ply}
        self.chances = {n: chance for n, chance in self.chances.items() if n <= ply}
        self.notes = self.notes.until(ply)
        self.dead, self.dead_suggested, self.dead_named = (), False, False
        self.changed(earned=False)
        return taken

    def take_over(self, saved: SavedGame) -> None:
        """Continue a game that was read from a record; it may have other rules."""
        self.game = saved.game
        self.restart(saved.positions[0])
        self.positions, self.moves = list(saved.positions), list(saved.moves)
        if self.position.outcome() is None:
            self.ended_early = saved.outcome
        unknown = ("", "?", PERSON)
        self.names = {c: name for c, name in saved.players.items() if name not in unknown}
        self.notes = saved.notes
        self.changed(earned=False)

    def _resign(self, colour: str) -> Outcome:
        self.ended_early = Outcome(self.game.other(colour), f"{colour} gave up", Ending.RESIGNATION)
        self.changed()
        return self.ended_early

    # ---- judging

    def set_dead(self, cells: Iterable[str], suggested: bool = False) -> None:
        """Take dead stones off the count; a `ValueError` if a cell has none."""
        count = (
            COUNTING.of(self.game).count(self.position, list(cells)) if self.is_counted else None
        )
        if count is None:
            raise ValueError("Dead stones are named when the game is over and counted.")
        self.dead, self.dead_suggested = count.dead, suggested
        self.dead_named = self.dead_named or not suggested

    def note_judgement(self, ply: int, position: Position, choice: Choice) -> Choice:
        """Note what the judge chose after `ply` moves, and return the choice that counts.

        The first choice stands; none is noted if the board has changed meanwhile.
        """
        if self.positions[ply : ply + 1] != [position]:
            return choice
        counts = self.judged.setdefault(ply, choice)
        self.note_best(ply, position, counts)
        return counts

    def note_best(self, ply: int, position: Position, choice: Choice) -> None:
        """Note the move that the judge would play after `ply` moves."""
        if not choice.resigns:
            self.best[ply] = position.write_move(choice.move)

    def note_chance(self, ply: int, position: Position, chance: float | None) -> None:
        """Note the chance of the side to move after `ply` moves, unless the board has changed."""
        if chance is not None and self.positions[ply : ply + 1] == [position]:
            first = position.to_move == self.game.colours[0]
            self.chances[ply] = round(chance if first else 1 - chance, 4)

    def note_value(
        self,
        ply: int,
        best: Choice,
        value: float,
        judge: str,
        least: float,
        points: float | None = None,
    ) -> None:
        """Note a move as a mistake if it was worth `least` less than the judge's best one.

        `value` is the result from -1 to 1 that the judge expects (`player.expectation`), and
        `points` the score, in a game that has points; `is_mistake` says what they
        count.
        """
        position, move, best_value = self.positions[ply], self.moves[ply], expectation(best)
        loss = 0.0 if move == best.move or best_value is None else best_value - value
        if best.resigns:
            return
        better = position.write_move(best.move)
        self.losses[ply] = loss, better
        lost = 0.0
        if points is not None and best.points is not None and move != best.move:
            lost = best.points - points
        if not is_mistake(loss, least, lost, best_value or 0.0):
            return
        more = f", whose chance is {round(50 * loss)} % better"
        if lost >= 0.5:
            more = f": {lost:.1f} points more, and a chance that is {percent(loss / 2)} better"
        self.mistakes[ply] = Mistake(
            "blunder" if loss >= BLUNDER * least else "mistake",
            better,
            round(loss, 3),
            f"{judge} would have played {better}{more}.",
        )

    def note_slide(self, ply: int, judge: str) -> None:
        """Mark the costliest of a side's last moves if its chance fell bit by bit.

        That is so if it is far below what it was, and no move since then is marked.
        """
        colour = self.mover(ply)
        own = [n for n in self.losses if self.mover(n) == colour and n <= ply]
        marked = [n + 1 for n in own if n in self.mistakes]
        chances = {
            n: chance if colour == self.game.colours[0] else 1 - chance
            for n, chance in self.chances.items()
        }
        slide = find_slide(chances, ply + 1, max(marked, default=0))
        costly = [n for n in own if slide is not None and slide.first <= n < slide.last]
        if slide is None or not costly:
            return
        worst = max(costly, key=lambda n: self.losses[n])
        loss, better = self.losses[worst]
        if loss > 0:
            text = f"{slide.sentence(colour)} {judge} would have played {better} here."
            self.mistakes[worst] = Mistake("mistake", better, round(loss, 3), text)

    # ---- files

    def record(self, opponent: str, comments: Noted = ()) -> str:
        """The game as PDN or SGF; `opponent` names the player that is no person.

        `comments` are written beside those that the game has.
        """
        players = {c: PERSON if c in self.people else opponent for c in self.game.colours}
        players |= self.names
        return write_game(
            self.game, self.moves, self.outcome, players, self.positions[0], self.notes, comments
        )

    def saved(self) -> dict[str, Any]:
        """The game as JSON; `resume` restores it."""
        end = self.ended_early
        return {
            "colour": self.colour,
            "start": self.start_text,
            "moves": list(self.move_texts()),
            "given_up": None if end is None else [end.winner, end.reason, end.ending, end.joined],
            "marks": {str(ply): dataclasses.asdict(m) for ply, m in self.mistakes.items()},
            "chances": {str(ply): chance for ply, chance in self.chances.items()},
            "best": {str(ply): move for ply, move in self.best.items()},
            "names": self.names,
            "notes": dataclasses.asdict(self.notes),
            "dead": list(self.dead),
            "dead_suggested": self.dead_suggested,
            "dead_named": self.dead_named,
            "clock": None if self.clock is None else self.clock.saved(time.monotonic()),
        }

    def resume(self, saved: dict[str, Any]) -> None:
        """Continue a game from what `saved` gave, of this version or an earlier one."""
        self.clock = None if saved["clock"] is None else GameClock(**saved["clock"])
        start = saved["start"]
        self.restart(None if start is None else self.game.read_position(start))
        for text in saved["moves"]:
            self.moves.append(self.position.read_move(text))
            self.positions.append(self.position.play(self.moves[-1]))
        if saved["given_up"] is not None:
            winner, reason, *rest = saved["given_up"]  # older files have no rest, or the ending
            ending = Ending.noted(rest[0] if rest else None, reason)
            self.ended_early = Outcome(winner, reason, ending, joined=rest[1:] == [True])
        self.mistakes = {int(ply): Mistake(**mark) for ply, mark in saved["marks"].items()}
        self.chances = {int(ply): chance for ply, chance in saved.get("chances", {}).items()}
        self.best = {int(ply): move for ply, move in saved.get("best", {}).items()}
        self.names = dict(saved.get("names", {}))
        self.notes = read_notes(saved.get("notes", {}))
        self.dead, self.dead_suggested = tuple(saved["dead"]), saved["dead_suggested"]
        self.dead_named = saved.get("dead_named", False)
        self.changed(earned=False)


def read_notes(saved: dict[str, Any]) -> RecordNotes:
    """Notes from JSON, which has lists for tuples."""

    def listed(name: str) -> Noted:
        return tuple((n, text) for n, text in saved.get(name, ()))

    return RecordNotes(
        saved.get("headers", {}),
        listed("comments"),
        listed("variations"),
        listed("properties"),
        saved.get("result", ""),
    )


def usual_player(game: Game, names: Sequence[str] = USUAL) -> Player:
    """The default player of a game."""
    for name in names:
        try:
            return read_player(name, game)
        except ValueError:
            continue
    return read_player(USUAL[-1], game)


# ---- games in files


PERSON = "person"
"""The name of a person in a file."""
MOST_MOVES = 2000
"""Moves of a record that a request may hold; long games of people have some hundreds."""

LARGEST = 1 << 28
"""Bytes of a file that a game is read from."""
LONGEST_RULES = 1000
"""Characters of rules that are written down."""

EVENT = "Clauseboard"
"""The event of the games that are played here."""
_RULES = {".pdn": "Rules", ".sgf": "RULES"}
"""The header of the rules, by the kind of file."""

_OURS = re.compile(r"(?:\[Event \"|\bEV\[)Clauseboard[\"\],]")
_GAME = re.compile(r"(?:\[Rules \"|RULES\[|Clauseboard, )(load_game\(.{0,200}?\))[\"\]]")
"""The rules that a file of ours names; those of earlier versions did so in the event."""


class SavedGame(NamedTuple):
    """A game that was read: its rules, positions, moves and outcome (None: it can continue)."""

    game: Game
    positions: list[Position]
    moves: list[Move]
    outcome: Outcome | None
    players: Mapping[str, str]
    notes: RecordNotes = RecordNotes()

    @property
    def opponent_and_colour(self) -> tuple[str | None, str | None]:
        """The opponent in one line and the person's colour, where a person played one side."""
        people = [colour for colour, name in self.players.items() if name == PERSON]
        if len(people) != 1:
            return None, None
        return self.players[self.game.other(people[0])], people[0]


def suffixes_of(game: Game) -> tuple[str, ...]:
    """The file name endings of a game, the usual one first."""
    return RECORDS.of(game).SUFFIXES


def write_game(
    game: Game,
    moves: Sequence[Move],
    outcome: Outcome | None,
    players: Mapping[str, str],
    start: Position | None = None,
    notes: RecordNotes | None = None,
    comments: Noted = (),
) -> str:
    """A game as text, finished or not; `start` is a position that was set up, if any.

    `notes` is what another record says of the game, which is kept; `comments` come on top.
    """
    notes = notes or RecordNotes()
    event = EVENT if notes == RecordNotes() else ""  # a record that was loaded has its own
    if not _is_told(game):
        headers = {**notes.headers, _RULES[suffixes_of(game)[0]]: repr(game)}
        notes = dataclasses.replace(notes, headers=headers)
    if new := tuple(each for each in comments if each not in notes.comments):
        notes = dataclasses.replace(notes, comments=(*notes.comments, *new))
    return RECORDS.of(game).write_game(game, moves, outcome, players, event, 1, start, notes)


@functools.lru_cache(maxsize=64)
def _is_told(game: Game) -> bool:
    """Whether a file has fields for all rules of a game; a trial tells."""
    start = game.start()
    players = dict.fromkeys(game.colours, "?")
    text = RECORDS.of(game).write_game(game, [start.moves()[0]], None, players, EVENT, 1)
    told: Game = read_text(text, game).game
    return told == game


def read_game(path: Path, name: str | None = None, **parameters: Any) -> SavedGame:
    """The first game in a file, from the usual start; of this game, if it is named.

    Parameters of the game replace the rules that the file names.
    """
    record = read_recorded(path, game=name)
    if record.positions[0] != record.game.start():
        raise ValueError(f"The game in {path} begins from a set-up board, not from the start.")
    text = read_bytes(path, LARGEST).decode("utf-8", "replace")
    rules = load_game(record.game.name, **parameters) if parameters else rules_in(text)
    return _replayed(record, rules, f"the game in {path}")


def read_text(text: str, game: Game) -> SavedGame:
    """The first game in a text of PDN or SGF, which may begin from any position."""
    if not text.strip():
        raise ValueError("The record is empty.")
    with tempfile.TemporaryDirectory(prefix="clauseboard-") as folder:
        path = Path(folder) / "The record"  # as errors name it
        path.write_text(text, "utf-8", errors="replace")
        record = read_recorded(path, game=game.name)
    if len(record.moves) > MOST_MOVES:
        raise ValueError(f"The record has {len(record.moves)} moves; {MOST_MOVES} is the most.")
    return _replayed(record, rules_in(text), "the record")


def _replayed(record: Recorded, rules: Game | None, where: str) -> SavedGame:
    """A record replayed by these rules, if they are of its game, or else by its own."""
    if rules is None or rules.name != record.game.name:
        rules = record.game
    start = record.positions[0]
    positions = [
        rules.start()
        if start == record.game.start()
        else rules.read_position(record.game.write_position(start))
    ]
    for number, move in enumerate(record.moves, 1):
        try:
            positions.append(positions[-1].play(move))
        except NotationError as error:
            raise ValueError(f"Move {number} of {where}: {error}") from None
    kept = {name: t for name, t in record.notes.headers.items() if name not in _RULES.values()}
    notes = dataclasses.replace(record.notes, headers=kept)
    return SavedGame(rules, positions, list(record.moves), record.outcome, record.players, notes)


def rules_in(text: str) -> Game | None:
    """The rules that a file of ours names, or None.

    >>> rules_in('[Rules "load_game(\\'hex\\', size=5)"]')
    load_game('hex', size=5)
    """
    written = _GAME.search(text)
    if written is None:
        return None
    try:
        return read_rules(written[1])
    except (ValueError, SyntaxError, TypeError, AttributeError):
        return None


def read_rules(written: str) -> Game:
    """A game from its `repr`, which is only read and never run.

    >>> read_rules("load_game('hex', size=5)")
    load_game('hex', size=5)
    """
    if len(written) > LONGEST_RULES:
        raise ValueError(f"{written[:40]!r}... is not a game.")
    call = ast.parse(written, mode="eval").body
    if not isinstance(call, ast.Call) or len(call.args) != 1:
        raise ValueError(f"{written!r} is not a game.")
    settings = {str(word.arg): ast.literal_eval(word.value) for word in call.keywords}
    return load_game(ast.literal_eval(call.args[0]), **settings)


def is_ours(path: Path) -> bool:
    """Whether a file holds a single game, saved by this program."""
    text = read_bytes(path, LARGEST).decode("utf-8", "replace")
    games = text.count("[Event ") or len(re.findall(r"\(;[^()]*GM\[", text))
    return len(_OURS.findall(text)) == 1 == games


def free_name(game: Game, folder: Path, day: datetime.date | None = None) -> Path:
    """An unused file name with the game and the date: hex-2026-03-01.sgf."""
    stem = f"{game.name}-{day or datetime.date.today()}"
    names = (f"{stem}{'' if n == 1 else f'-{n}'}{suffixes_of(game)[0]}" for n in itertools.count(1))
    return next(folder / name for name in names if not (folder / name).exists())
