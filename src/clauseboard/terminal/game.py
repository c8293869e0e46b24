"""A game at the terminal, with its players: hints, reasons, and files; no screen yet."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clauseboard.arena.playing import derived_seed
from clauseboard.evaluation import Limit
from clauseboard.explaining.questions import compare, explain_choice, explain_move
from clauseboard.files import write_text
from clauseboard.game import Game, NotationError, Position
from clauseboard.games.solving import start_tables, stop_tables
from clauseboard.play import (
    PERSON,
    GameSession,
    SavedGame,
    free_name,
    is_ours,
    read_game,
    suffixes_of,
    usual_player,
)
from clauseboard.player import Choice, Player
from clauseboard.players import read_player

if TYPE_CHECKING:
    from clauseboard.explaining import Account, Comparison


@dataclass(frozen=True)
class Question:
    """What `why` is about: a position, the choice made there, and the player that made it."""

    position: Position
    choice: Choice
    player: Player


class TerminalGame(GameSession):
    """A game between a person and an opponent; None: the person plays both sides.

    `adviser` gives hints. By default it is the opponent, or the usual player where the opponent
    cannot judge (a person, or one that plays at random).
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
        self.opponent = opponent
        self.limit, self.seed = limit, seed
        self._adviser = self._named_adviser = adviser
        self._advised = False
        self.file: Path | None = None
        """Where the game was last saved, or loaded from."""
        super().__init__(game, colour, two_people=opponent is None)

    def restart(self, position: Any = None) -> None:
        """Begin a game; players forget the last one."""
        super().restart(position)
        self._saved: tuple[Any, ...] | None = None
        self._begin(self.opponent)
        if self._advised:
            self._begin(self._adviser)

    def start_tables(self) -> None:
        """Have large endgame tables made in the background, if a player looks into them."""
        if self.opponent is None or self.opponent.uses_tables:
            start_tables(self.game)

    def close(self) -> None:
        """Release the players, and end the making of tables."""
        stop_tables(self.game)
        for player in {id(p): p for p in (self.opponent, self._adviser) if p is not None}.values():
            player.close()

    def _begin(self, player: Player | None) -> None:
        """Begin a game for both sides: the player may be asked for hints, too."""
        if player is not None:
            for side, colour in enumerate(self.game.colours):
                player.begin(self.game, colour, derived_seed(self.seed, side))

    # ---- hints and reasons

    @property
    def adviser(self) -> Player:
        """The player that gives hints; made when it is first needed."""
        if not self._advised:
            if self._adviser is None:
                blind = self.opponent is None or getattr(self.opponent, "plays_at_random", False)
                self._adviser = usual_player(self.game) if blind else self.opponent
            self._advised = True
            self._begin(self._adviser)
        assert self._adviser is not None
        return self._adviser

    def hint(self) -> Choice:
        """The adviser's choice; it is asked once per position."""
        if self.outcome is not None:
            raise ValueError(f"The game is over ({self.outcome}); there is no move to hint at.")
        ply, position = self.ply, self.position
        if ply in self.judged:
            return self.judged[ply]
        return self.note_judgement(ply, position, self.adviser.choose(position, self.limit))

    def question(self) -> Question | None:
        """What `why` is about: the hint for this position, or else the opponent's last move."""
        if self.ply in self.judged:
            return Question(self.position, self.judged[self.ply], self.adviser)
        if self.opponent is not None and self.choices:
            ply = max(self.choices)
            return Question(self.positions[ply], self.choices[ply], self.opponent)
        return None

    def why(self) -> Account:
        """Why the hint, or the opponent's last move; a `ValueError` if there are no reasons."""
        question = self.question()
        if question is None:
            raise ValueError("There is no move to explain yet; `hint` asks for one.")
        return explain_choice(question.player, question.position, question.choice)

    def why_not(self, text: str) -> Comparison:
        """Compare the move of `why` with another one.

        The other move may be legal only now, where `why` is about the position before; then it is
        compared with a hint.
        """
        question, move = self._question_about(text)
        position, choice, player = question.position, question.choice, question.player
        if move == choice.move:
            raise ValueError(
                f"{position.write_move(move)} is the move that {player} chose; "
                "`why` gives its reasons."
            )
        first = explain_choice(player, position, choice)
        return compare(first, explain_move(player, position, move, choice, self.limit))

    def _question_about(self, text: str) -> tuple[Question, Any]:
        """A question in whose position the text is a legal move, and that move."""
        question = self.question()
        if question is not None:
            try:
                return question, question.position.read_move(text)
            except NotationError:
                if question.position is self.position:
                    raise
        move = self.read(text)
        return Question(self.position, self.hint(), self.adviser), move

    # ---- files

    @property
    def unsaved(self) -> bool:
        """Whether there are moves that are not in a file."""
        return bool(self.moves) and self._state() != self._saved

    def save(self, path: Path | None = None) -> Path:
        """Write the game to a file: by default the last one, or one named after the date.

        Only a file that holds this game alone, from an earlier `save`, is overwritten.
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
        text = self.record(PERSON if self.opponent is None else self.opponent.name)
        if path == self.file:
            write_text(path, text)
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
        """Continue a game from a file, by its rules and with the same players."""
        self.continue_game(read_game(path, self.game.name), path)

    def continue_game(self, game: SavedGame, path: Path) -> None:
        """Continue a game that was read from a file."""
        if game.game != self.game:
            self._change_rules(game.game)
        self.take_over(game)
        # An archive is never overwritten by a game that was taken from it.
        self.file = path if is_ours(path) else None
        self._saved = self._state()

    def _change_rules(self, rules: Game) -> None:
        """Make the players again for other rules, if they can play by them."""
        opponent = None if self.opponent is None else read_player(self.opponent.name, rules)
        named = self._named_adviser
        adviser = None if named is None else read_player(named.name, rules)
        self.close()
        self.opponent, self._adviser, self._named_adviser = opponent, adviser, adviser
        self._advised = False

    def _state(self) -> tuple[Any, ...]:
        return (*self.moves, self.ended_early)
