"""A game at the terminal, free of the screen: who plays, what was played, what was thought of it.

>>> from clauseboard.game import load_game
>>> session = Session(load_game("hex", size=2), None)
>>> session.play("a2"), session.play("b2"), session.play("a1")
(HexMove(row=1, column=0), HexMove(row=1, column=1), HexMove(row=0, column=0))
>>> print(session.outcome)
red wins: red connected top and bottom
>>> session.undo()
[HexMove(row=0, column=0)]
>>> session.position.to_move
'red'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clauseboard.arena.playing import derived_seed
from clauseboard.evaluation import Limit
from clauseboard.game import Ending, Game, NotationError, Outcome
from clauseboard.games.records import Recorded
from clauseboard.player import Choice, Player
from clauseboard.players import read_player
from clauseboard.terminal.saving import (
    PERSON,
    free_name,
    is_ours,
    read_game,
    suffixes_of,
    write_game,
)

if TYPE_CHECKING:
    from clauseboard.explaining import Account, Comparison

USUAL = ("material", "rollouts")
"""Who plays, and gives hints, if nobody is named: the first of them that can play the game."""
ANYBODY = "random"
"""Who plays if none of them can."""


@dataclass(frozen=True)
class Question:
    """What `why` is about: a position, what was chosen there, and by whom."""

    position: Any
    choice: Choice
    player: Player


class Session:
    """A game between a person and an opponent; None: a person plays both sides.

    `colour` is the person's. `adviser` gives hints: the opponent itself, if none is named, or the
    usual player where the opponent cannot judge (a person, or one that plays at random).
    """

    def __init__(
        self,
        game: Game,
        opponent: Player | None,
        colour: str | None = None,
        *,
        limit: Limit | None = None,
        seed: int = 0,
        adviser: Player | None = None,
    ) -> None:
        colour = game.colours[0] if colour is None else colour
        if colour not in game.colours:
            listed = " or ".join(map(repr, game.colours))
            raise ValueError(f"A person plays {listed} in {game.name}, not {colour!r}.")
        self.game: Any = game
        self.opponent = opponent
        self.colour = colour
        self.limit, self.seed = limit, seed
        self._adviser = adviser
        self._named = adviser is not None
        self._advised = False
        self.file: Path | None = None
        """Where the game was last saved, or loaded from."""
        self.restart()

    # ---- how the game stands

    @property
    def people(self) -> tuple[str, ...]:
        """The colours that are played at the terminal."""
        return self.game.colours if self.opponent is None else (self.colour,)

    @property
    def position(self) -> Any:
        """The board now."""
        return self.positions[-1]

    @property
    def before(self) -> Any | None:
        """The board before the last move, if there is one."""
        return self.positions[-2] if self.moves else None

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, by the rules or by giving up; None if it goes on."""
        return self.given_up or self.position.outcome()

    @property
    def opponents_turn(self) -> bool:
        """Whether the opponent is to move."""
        return self.outcome is None and self.position.to_move not in self.people

    @property
    def unsaved(self) -> bool:
        """Whether there is something that would be lost."""
        return bool(self.moves) and self._state() != self._saved

    # ---- playing

    def restart(self) -> None:
        """Begin a game; players forget the last one."""
        self.positions: list[Any] = [self.game.start()]
        self.moves: list[Any] = []
        self.given_up: Outcome | None = None
        self.choices: dict[int, Choice] = {}
        """What the opponent thought of its moves, by their numbers from 0 on."""
        self.hints: dict[int, Choice] = {}
        """What the adviser would play, by the number of the move."""
        self._saved: tuple[Any, ...] | None = None
        self._begin(self.opponent)
        if self._advised:
            self._begin(self._adviser)

    def play(self, text: str) -> Any:
        """Play the move that a text means; a `NotationError` says why it is none."""
        move = self.read(text)
        self.play_move(move)
        return move

    def play_move(self, move: Any) -> None:
        """Play a move; a `NotationError` if it is not legal."""
        self.positions.append(self.position.play(move))
        self.moves.append(move)

    def read(self, text: str) -> Any:
        """The legal move that a text means now."""
        if self.outcome is not None:
            raise NotationError(f"The game is over ({self.outcome}).")
        return self.position.read_move(text)

    def accept(self, choice: Choice) -> None:
        """Play what the opponent has chosen; an illegal move is a `NotationError`."""
        if choice.resigns:
            self._give_up(self.position.to_move)
            return
        number = len(self.moves)
        self.play_move(choice.move)
        self.choices[number] = choice

    def resign(self) -> Outcome:
        """The person gives up: the side to move, if both are people."""
        if self.outcome is not None:
            raise ValueError(f"The game is over already: {self.outcome}.")
        return self._give_up(self.position.to_move if self.opponent is None else self.colour)

    def undo(self) -> list[Any]:
        """Take back what was played since the person's last turn, that move included.

        After the person gave up, only that is taken back, and the list is empty.
        """
        if self.given_up is not None:
            # An opponent that gave up would do so again, so that a move is taken back then.
            its_turn = self.position.to_move not in self.people
            if not its_turn or self.given_up.winner not in self.people:
                self.given_up = None
                return []
        turns = [n for n, p in enumerate(self.positions[:-1]) if p.to_move in self.people]
        if not turns:
            raise ValueError("There is no move of yours to take back.")
        taken = self.moves[turns[-1] :]
        self.given_up = None
        del self.moves[turns[-1] :], self.positions[turns[-1] + 1 :]
        self.choices = {n: c for n, c in self.choices.items() if n < len(self.moves)}
        self.hints = {n: c for n, c in self.hints.items() if n <= len(self.moves)}
        return taken

    def _give_up(self, colour: str) -> Outcome:
        self.given_up = Outcome(self.game.other(colour), f"{colour} gave up", Ending.RESIGNATION)
        return self.given_up

    # ---- judging

    @property
    def adviser(self) -> Player:
        """Who gives hints; made when it is first needed."""
        if not self._advised:
            if self._adviser is None:
                blind = self.opponent is None or getattr(self.opponent, "plays_at_random", False)
                usual = usual_player(self.game) if blind else self.opponent
                self._adviser = usual
            self._advised = True
            self._begin(self._adviser)
        assert self._adviser is not None
        return self._adviser

    def hint(self) -> Choice:
        """What the adviser would play; it is asked once a board."""
        if self.outcome is not None:
            raise ValueError(f"The game is over ({self.outcome}); there is no move to hint at.")
        number, position = len(self.moves), self.position
        if number in self.hints:
            return self.hints[number]
        choice = self.adviser.choose(position, self.limit)
        # It may have been given up waiting for, and the game may have gone on meanwhile.
        if self.positions[number : number + 1] == [position]:
            self.hints[number] = choice
        return choice

    def question(self) -> Question | None:
        """What `why` is about: the hint that was given here, or else the opponent's last move."""
        if len(self.moves) in self.hints:
            return Question(self.position, self.hints[len(self.moves)], self.adviser)
        if self.opponent is not None and self.choices:
            number = max(self.choices)
            return Question(self.positions[number], self.choices[number], self.opponent)
        return None

    def why(self) -> Account:
        """Why the hint, or the opponent's last move; a `ValueError` if nobody can say."""
        from clauseboard.explaining.questions import explain_choice

        asked = self.question()
        if asked is None:
            raise ValueError("There is no move to explain yet; `hint` asks for one.")
        return explain_choice(asked.player, asked.position, asked.choice)

    def why_not(self, text: str) -> Comparison:
        """The move of `why` beside another one.

        That other move may be one on the board now, where `why` is about the board before: then
        the adviser is asked for a hint, which it is set beside.
        """
        from clauseboard.explaining.questions import compare, explain_choice, explain_move

        asked, move = self._question_about(text)
        if move == asked.choice.move:
            raise ValueError(
                f"{asked.position.write_move(move)} is the move that {asked.player} chose; "
                "`why` tells its reasons."
            )
        first = explain_choice(asked.player, asked.position, asked.choice)
        second = explain_move(asked.player, asked.position, move, asked.choice, self.limit)
        return compare(first, second)

    def _question_about(self, text: str) -> tuple[Question, Any]:
        """A question in whose position the text is a move, and that move."""
        asked = self.question()
        if asked is not None:
            try:
                return asked, asked.position.read_move(text)
            except NotationError:
                if asked.position is self.position:
                    raise
        move = self.read(text)
        self.hint()
        asked = self.question()
        assert asked is not None
        return asked, move

    # ---- files

    def save(self, path: Path | None = None) -> Path:
        """Write the game to a file; without a name to the last one, or one named after the day.

        Only a file that has this game alone, from an earlier `save`, is written over.
        """
        if not self.moves:
            raise ValueError("There is nothing to save yet: no move has been played.")
        if path is None:
            path = self.file or free_name(self.game, Path())
        suffixes = suffixes_of(self.game)
        if not path.suffix:
            path = path.with_name(path.name + suffixes[0])
        if path.suffix.lower() not in suffixes:
            listed = " or ".join(f"*{suffix}" for suffix in suffixes)
            raise ValueError(f"Games of {self.game.name} go to a file named {listed}, not {path}.")
        other = PERSON if self.opponent is None else self.opponent.name
        players = {c: PERSON if c in self.people else other for c in self.game.colours}
        text = write_game(self.game, self.moves, self.outcome, players)
        if path == self.file:
            # The old file stays until the new one is whole.
            begun = path.with_name(path.name + ".new")
            begun.write_text(text, "utf-8")
            begun.replace(path)
        else:
            try:
                with open(path, "x", encoding="utf-8") as file:
                    file.write(text)
            except FileExistsError:
                raise ValueError(f"There is a file {path} already; name another one.") from None
        self.file = path
        self._saved = self._state()
        return path

    def load(self, path: Path) -> None:
        """Go on with a game from a file, with its rules; the players stay."""
        self.take_over(*read_game(path, self.game.name), path)

    def take_over(self, rules: Any, record: Recorded, path: Path) -> None:
        """Go on with a game that was read; nothing changes if it cannot be replayed."""
        positions = [rules.start()]
        for number, move in enumerate(record.moves, 1):
            try:
                positions.append(positions[-1].play(move))
            except NotationError as error:
                raise ValueError(f"Move {number} of the game in {path}: {error}") from None
        if rules != self.game:
            self._change_rules(rules)
        self.restart()
        self.positions, self.moves = positions, list(record.moves)
        if positions[-1].outcome() is None:
            self.given_up = record.outcome
        # A whole archive is never written over by a game that was taken from it.
        self.file = path if is_ours(path) else None
        self._saved = self._state()

    def _change_rules(self, rules: Any) -> None:
        """Make the players anew for other rules, if they can play by them."""
        opponent = None if self.opponent is None else read_player(self.opponent.name, rules)
        adviser = read_player(self._adviser.name, rules) if self._named and self._adviser else None
        self.close()
        self.game, self.opponent = rules, opponent
        self._adviser, self._advised = adviser, False

    def close(self) -> None:
        """Let go of the players."""
        for player in {id(p): p for p in (self.opponent, self._adviser) if p is not None}.values():
            player.close()

    def _state(self) -> tuple[Any, ...]:
        return (*self.moves, self.given_up)

    def _begin(self, player: Player | None) -> None:
        """Tell a player that a game begins, for both sides: it may be asked for hints, too."""
        if player is not None:
            for side, colour in enumerate(self.game.colours):
                player.begin(self.game, colour, derived_seed(self.seed, side))


def usual_player(game: Game, names: Sequence[str] = USUAL) -> Player:
    """Who plays a game if nobody is named; one who plays at random, if it must be."""
    for name in names:
        try:
            return read_player(name, game)
        except ValueError:
            continue
    return read_player(ANYBODY, game)


def players_in(record: Recorded) -> tuple[str | None, str | None]:
    """Who plays in a game that was saved here: the opponent in one line, and the person's colour.

    (None, None) if both were people, or the file is of another program.
    """
    people = [colour for colour, name in record.players.items() if name == PERSON]
    if len(people) != 1:
        return None, None
    return record.players[record.game.other(people[0])], people[0]
