"""A game on the page: who plays, what was played, what is shown. It waits for nobody."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterable
from typing import Any

from clauseboard.evaluation import Limit
from clauseboard.game import Ending, Outcome
from clauseboard.games.page import Count
from clauseboard.games.plugins import COUNTING, PAGE
from clauseboard.player import Choice, Player
from clauseboard.terminal.saving import PERSON, suffixes_of, write_game
from clauseboard.terminal.screen import problem_of
from clauseboard.terminal.session import Session
from clauseboard.web.boards import game_of, kind_of, on_cells, path_of, settings_of
from clauseboard.web.clock import Clock
from clauseboard.web.opponents import Opponent

BLUNDER = 3.0
"""A blunder costs so many times what a mistake costs."""


class Elsewhere(Player):
    """A player that thinks in another process: here it has a name only."""

    def __init__(self, name: str) -> None:
        self.name = name

    def choose(self, position: Any, limit: Limit | None = None) -> Choice:
        """Nobody asks it here."""
        raise NotImplementedError("It thinks in a process of its own.")


class Table:
    """A game with its id. `version` grows with each change, `moved` is that of the last move."""

    def __init__(
        self,
        id: str,
        game: Any,
        opponent: Opponent,
        colour: str,
        *,
        judge: Opponent | None = None,
        seconds: float = 1.0,
        marks: bool = True,
        clock: Clock | None = None,
    ) -> None:
        self.id, self.opponent, self.judge = id, opponent, judge
        self.seconds, self.wants_marks, self.clock = seconds, marks, clock
        self.version = self.moved = 1
        self.thinking: Any = None
        """What is being done for the opponent's move, if anything."""
        self.error: str | None = None
        self._texts: list[str] = []
        self._state: tuple[Any, str] = (None, "")
        self.session = self._seat(game, colour)
        self._clear()

    def _seat(self, game: Any, colour: str) -> Session:
        away = None if self.opponent.is_person else Elsewhere(self.opponent.line)
        return Session(game, away, colour)

    def _clear(self) -> None:
        """Forget what was thought of the moves."""
        self._texts = []
        self.judged: dict[int, Choice] = {}
        """What the judge would have played, by the number of moves before."""
        self.marks: dict[int, dict[str, Any]] = {}
        self.dead: tuple[str, ...] = ()
        self.dead_suggested = False
        self.dead_named = False
        """Whether a person has said which stones are dead; none is an answer, too."""
        self.error = None

    # ---- how it stands

    @property
    def game(self) -> Any:
        """The rules."""
        return self.session.game

    @property
    def position(self) -> Any:
        """The board now."""
        return self.session.position

    @property
    def ply(self) -> int:
        """Moves played."""
        return len(self.session.moves)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended: given up, by time, or by the rules, dead stones taken off."""
        if self.session.given_up is not None:
            return self.session.given_up
        ended = self.position.outcome()
        counted = self.count() if ended is not None and self.dead else None
        if ended is None or counted is None:
            return ended
        return Outcome(counted.winner, counted.text, ended.ending)

    @property
    def opponents_turn(self) -> bool:
        """Whether the opponent is to move."""
        return self.session.opponents_turn

    @property
    def is_counted(self) -> bool:
        """Whether the game has ended by the rules and its stones are counted."""
        over = self.session.given_up is None and self.position.outcome() is not None
        return over and COUNTING.find(self.game) is not None

    def count(self) -> Count | None:
        """The count of a finished game that is counted."""
        return COUNTING.of(self.game).count(self.position, self.dead) if self.is_counted else None

    def mover(self, ply: int) -> str:
        """Whose turn it was after so many moves."""
        colour: str = self.session.positions[ply].to_move
        return colour

    def is_answered(self, ply: int) -> bool:
        """Whether a person has moved since this move, or cannot any more."""
        later = range(ply + 1, self.ply)
        return self.outcome is not None or any(self.mover(n) in self.session.people for n in later)

    # ---- what is done

    def play(self, text: str) -> None:
        """Play a person's move; a `ValueError` is the rule's own sentence."""
        try:
            self.session.play(text)
        except ValueError as error:
            raise ValueError(problem_of(error)) from None
        self._moved()

    def accept(self, choice: Choice) -> None:
        """Play what the opponent has chosen."""
        self.session.accept(choice)
        self.error = None
        self._moved()

    def undo(self) -> None:
        """Take the person's last move back, and what followed."""
        self.session.undo()
        ply = self.ply
        del self._texts[ply:]
        self.judged = {n: choice for n, choice in self.judged.items() if n <= ply}
        self.marks = {n: mark for n, mark in self.marks.items() if n < ply}
        self.dead, self.dead_suggested, self.dead_named = (), False, False
        self.error = None
        self._moved(earned=False)

    def resign(self) -> None:
        """The person gives up."""
        self.session.resign()
        self._moved()

    def run_out(self) -> bool:
        """End the game if somebody's time is up; whether it is."""
        late = None if self.clock is None else self.clock.expired(time.monotonic())
        if late is None or self.outcome is not None:
            return False
        self.session.given_up = Outcome(self.game.other(late), f"{late}'s time is up", Ending.TIME)
        self._moved()
        return True

    def set_dead(self, cells: Iterable[str], suggested: bool = False) -> None:
        """Take chains off the count; a `ValueError` if there is none at a cell."""
        chosen = list(cells)
        counted = COUNTING.of(self.game).count(self.position, chosen) if self.is_counted else None
        if counted is None:
            raise ValueError("Dead stones are named when the game is over and counted.")
        self.dead, self.dead_suggested = counted.dead, suggested
        self.dead_named = self.dead_named or not suggested

    def restart(self, position: Any) -> None:
        """Begin anew from a board that was set up."""
        self.session.restart()
        self.session.positions = [position]
        self._clear()
        self._moved(earned=False)

    def go_on(self, rules: Any, positions: list[Any], moves: list[Any], end: Any) -> None:
        """Go on with a game that was read; its rules may be others."""
        if rules != self.game:
            self.session = self._seat(rules, self.session.colour)
        self.session.restart()
        self.session.positions, self.session.moves = list(positions), list(moves)
        if positions[-1].outcome() is None:
            self.session.given_up = end
        self._clear()
        self._moved(earned=False)

    def mark(self, ply: int, best: Choice, played_value: float) -> None:
        """Mark a move that was worth less than the best one, if it was much less."""
        assert self.judge is not None
        self.judged[ply] = best
        position, move = self.session.positions[ply], self.session.moves[ply]
        loss = 0.0 if move == best.move or best.value is None else best.value - played_value
        if best.resigns or loss < self.judge.mistake:
            return
        kind = "blunder" if loss >= BLUNDER * self.judge.mistake else "mistake"
        better = position.write_move(best.move)
        self.marks[ply] = {
            "kind": kind,
            "better": better,
            "loss": round(loss, 3),
            "text": f"{self.judge.title} would have played {better}, worth {loss:.2f} more.",
        }

    def _moved(self, earned: bool = True) -> None:
        self.version += 1
        self.moved = self.version
        self._turn_clock(earned)

    def _turn_clock(self, earned: bool) -> None:
        if self.clock is not None:
            over = self.outcome is not None
            running = None if over else self.position.to_move
            self.clock.turn(running, time.monotonic(), earned=earned)

    # ---- in a file

    def kept(self) -> dict[str, Any]:
        """The game for a file; `restored` makes it again."""
        session = self.session
        end = session.given_up
        return {
            "version": self.version,
            "moved": self.moved,
            "game": self.game.name,
            "settings": settings_of(self.game),
            "opponent": self.opponent.id,
            "judge": None if self.judge is None else self.judge.id,
            "colour": session.colour,
            "seconds": self.seconds,
            "wants_marks": self.wants_marks,
            "start": self.start_text,
            "moves": list(self.texts()),
            "given_up": None if end is None else [end.winner, end.reason, end.ending],
            "marks": {str(ply): mark for ply, mark in self.marks.items()},
            "dead": list(self.dead),
            "dead_suggested": self.dead_suggested,
            "dead_named": self.dead_named,
            "clock": None if self.clock is None else self.clock.kept(time.monotonic()),
        }

    @classmethod
    def restored(
        cls, id: str, kept: dict[str, Any], opponent: Opponent, judge: Opponent | None
    ) -> Table:
        """A game from a file."""
        clock = None if kept["clock"] is None else Clock(**kept["clock"])
        table = cls(
            id,
            game_of(kept["game"], kept["settings"]),
            opponent,
            kept["colour"],
            judge=judge,
            seconds=kept["seconds"],
            marks=kept["wants_marks"],
            clock=clock,
        )
        session = table.session
        if kept["start"] is not None:
            session.positions = [table.game.read_position(kept["start"])]
        for text in kept["moves"]:
            session.play_move(session.position.read_move(text))
        if kept["given_up"] is not None:
            winner, reason, ending = [*kept["given_up"], None][:3]  # older files note no ending
            session.given_up = Outcome(winner, reason, Ending.noted(ending, reason))
        table.marks = {int(ply): mark for ply, mark in kept["marks"].items()}
        table.dead, table.dead_suggested = tuple(kept["dead"]), kept["dead_suggested"]
        table.dead_named = kept.get("dead_named", False)
        table.version, table.moved = kept["version"], kept["moved"]
        table._turn_clock(earned=False)
        return table

    @property
    def start_text(self) -> str | None:
        """A start that was set up, as text; None for the usual one."""
        start = self.session.positions[0]
        return None if start == self.game.start() else self.game.write_position(start)

    def texts(self) -> list[str]:
        """The moves as text; each is written once."""
        session = self.session
        for ply in range(len(self._texts), self.ply):
            self._texts.append(session.positions[ply].write_move(session.moves[ply]))
        return self._texts

    def record(self) -> tuple[str, str]:
        """The game as a file of its format, and a name for it."""
        other = PERSON if self.opponent.is_person else self.opponent.line
        people = self.session.people
        players = {colour: PERSON if colour in people else other for colour in self.game.colours}
        start = self.session.positions[0]
        text = write_game(self.game, self.session.moves, self.outcome, players, start)
        return text, f"{self.game.name}{suffixes_of(self.game)[0]}"

    # ---- as the page sees it

    def state_text(self) -> str:
        """The state as JSON, made once for all who ask."""
        known = self.version, self.thinking is None, self.error
        if self._state[0] != known or self.clock is not None:
            self._state = known, json.dumps(self.state())
        return self._state[1]

    def state(self) -> dict[str, Any]:
        """The game as it stands; see `models.State`."""
        session, position, outcome = self.session, self.position, self.outcome
        mine = outcome is None and position.to_move in session.people
        return {
            "id": self.id,
            "version": self.version,
            "game": self.game.name,
            "title": PAGE.of(self.game).TITLE,
            "settings": settings_of(self.game),
            "colours": list(self.game.colours),
            "people": list(session.people),
            "opponent": who(self.opponent),
            "judge": None if self.judge is None else who(self.judge),
            "seconds": self.seconds,
            "marks": self.wants_marks,
            "ply": self.ply,
            "to_move": None if outcome is not None else position.to_move,
            "your_turn": mine,
            "pieces": on_cells(position),
            "last": self._touched(self.ply),
            "legal": [self._legal(position, move) for move in position.moves()] if mine else [],
            "moves": self._listed(),
            "outcome": None if outcome is None else ending(outcome),
            "thinking": self.thinking is not None,
            "error": self.error,
            "can_retry": self.opponents_turn and self.thinking is None,
            "can_undo": self._can_undo(),
            "clocks": self._clocks(),
            "score": self._score(),
            "start": self.start_text,
            "position": self.game.write_position(position),
            "text": self._text(),
        }

    def summary(self) -> dict[str, Any]:
        """The game in a list; see `models.Summary`."""
        outcome = self.outcome
        return {
            "game": self.game.name,
            "title": PAGE.of(self.game).TITLE,
            "opponent": self.opponent.title,
            "ply": self.ply,
            "outcome": None if outcome is None else str(outcome),
            "text": self._text(),
        }

    def at(self, ply: int) -> dict[str, Any]:
        """The board after so many moves; see `models.BoardAt`."""
        if ply > self.ply:
            raise LookupError(f"{self.ply} moves have been played; there is no board {ply}.")
        position = self.session.positions[ply]
        over = position.outcome() is not None
        last = "The start." if ply == 0 else f"After {self.texts()[ply - 1]}, move {ply}."
        return {
            "ply": ply,
            "to_move": None if over else position.to_move,
            "pieces": on_cells(position),
            "last": self._touched(ply),
            "position": self.game.write_position(position),
            "text": last,
        }

    def _touched(self, ply: int) -> list[str]:
        if ply == 0:
            return []
        move = self.session.moves[ply - 1]
        cells: list[str] = PAGE.of(self.game).touched(self.session.positions[ply], move)
        return cells

    def _legal(self, position: Any, move: Any) -> dict[str, Any]:
        text, path = position.write_move(move), path_of(self.game, move)
        return {"text": text, "path": path, "kind": kind_of(text, path)}

    def _listed(self) -> list[dict[str, Any]]:
        return [
            {
                "text": text,
                "colour": self.mover(ply),
                "ply": ply,
                "path": path_of(self.game, self.session.moves[ply]),
                "mark": self.marks.get(ply),
            }
            for ply, text in enumerate(self.texts())
        ]

    def _can_undo(self) -> bool:
        people = self.session.people
        return self.session.given_up is not None or any(
            self.mover(ply) in people for ply in range(self.ply)
        )

    def _clocks(self) -> dict[str, Any] | None:
        if self.clock is None:
            return None
        now = time.monotonic()
        left = {colour: round(self.clock.left(colour, now), 1) for colour in self.game.colours}
        return {
            "remaining": left,
            "running": self.clock.running,
            "increment": self.clock.increment,
        }

    def _score(self) -> dict[str, Any] | None:
        counted = self.count()
        if counted is None:
            return None
        return {
            "territory": dict(counted.territory),
            "dead": list(counted.dead),
            "totals": dict(counted.totals),
            "komi": counted.komi,
            "winner": counted.winner,
            "text": counted.text,
            "suggested": self.dead_suggested,
        }

    def _text(self) -> str:
        """How the game stands, in a sentence or two."""
        outcome, last = self.outcome, ""
        if self.ply:
            before = self.session.positions[-2]
            last = f"{before.to_move.capitalize()} played {self.texts()[-1]}. "
        if outcome is not None:
            return f"{last}The game is over: {outcome}."
        side = self.position.to_move
        if self.opponent.is_person:
            return f"{last}{side.capitalize()} to move."
        if side in self.session.people:
            return f"{last}Your turn: you are {side}."
        return f"{last}{self.opponent.title} is to move, as {side}."


def who(opponent: Opponent) -> dict[str, Any]:
    """A player in short."""
    return {
        "id": opponent.id,
        "title": opponent.title,
        "readable": opponent.readable,
        "judges": opponent.judges,
    }


def ending(outcome: Outcome) -> dict[str, Any]:
    """An outcome; see `models.Ending`."""
    text = str(outcome)
    return {
        "winner": outcome.winner,
        "reason": outcome.reason,
        "text": f"{text[:1].upper()}{text[1:]}.",
    }


def colour_of(game: Any, wish: str) -> str:
    """The person's colour: named, "first", "second" or "random"."""
    places = {"first": 0, "second": 1, "random": random.SystemRandom().randrange(2)}
    if wish in places:
        colour: str = game.colours[places[wish]]
        return colour
    if wish not in game.colours:
        listed = ", ".join([*game.colours, *places])
        raise ValueError(f"colour is one of {listed} in {game.name}, not {wish!r}.")
    return wish
