"""OpenSpiel's bots as our players, and our players as OpenSpiel's bots.

    bot = OpenSpielBot(pyspiel.load_game("hex(board_size=5)"), 0, player)
    player = OpenSpielPlayer(lambda game, side, seed: pyspiel.make_uniform_random_bot(side, seed))

`games/<game>/gtp.py` says what the game is called there; see `games.plugins.OpenSpielPlugin`.
The package `open_spiel` is the extra `openspiel`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

try:
    import pyspiel
except ImportError as error:  # pragma: no cover - where the extra is missing
    raise ImportError(
        "OpenSpiel is not installed: pip install 'clauseboard[openspiel]'."
    ) from error

from clauseboard.engines import EngineError
from clauseboard.evaluation import Limit
from clauseboard.game import Game, Move, Position
from clauseboard.games.plugins import OPENSPIEL
from clauseboard.player import Choice, Player
from clauseboard.players.engine import moves_between

MOST_OPENING_MOVES = 3
"""Moves before the first position that a bot is shown, such as an opening's."""


def spiel_game(game: Game) -> Any:
    """A game of ours as OpenSpiel has it.

    >>> from clauseboard.game import load_game
    >>> spiel_game(load_game("hex", size=5)).get_parameters()["board_size"]
    5
    """
    module = OPENSPIEL.of(game)
    return pyspiel.load_game(module.OPENSPIEL_NAME, module.openspiel_parameters(game))


def our_game(spiel: Any) -> Any:
    """A game of OpenSpiel's as we have it."""
    wanted = spiel.get_type().short_name
    for name in OPENSPIEL.games():
        module = OPENSPIEL.of(name)
        if wanted == module.OPENSPIEL_NAME:
            return module.openspiel_game(spiel.get_parameters())
    listed = ", ".join(OPENSPIEL.games())
    raise ValueError(f"We do not play OpenSpiel's {wanted!r}; there are {listed}.")


class _SpielBoard:
    """A position and OpenSpiel's state of the same game, kept in step."""

    def __init__(self, game: Game, spiel: Any) -> None:
        self.module, self.spiel = OPENSPIEL.of(game), spiel
        self.position: Any = game.start()
        self.state = spiel.new_initial_state()
        self.begun: tuple[str, ...] = ()
        """The turns of a move that is not complete yet."""

    def apply(self, action: int) -> Any | None:
        """Take a turn in OpenSpiel's game; the move that is now complete, if one is."""
        player = self.state.current_player()
        self.begun = (*self.begun, self.state.action_to_string(player, action))
        self.state.apply_action(action)
        if not self.state.is_terminal() and self.state.current_player() == player:
            return None
        if not (complete := self.moves_that_go_on(whole=True)):
            return None  # the game was called a draw in the midst of a move
        self.position, self.begun = self.position.play(complete[0]), ()
        return complete[0]

    def moves_that_go_on(self, whole: bool = False) -> list[Any]:
        """The moves that begin with the turns that were taken; or that are no more than these."""
        done = self.begun
        moves = []
        for move in self.module.openspiel_moves(self.position):
            words = self.module.openspiel_turns(self.position, move)
            if words == done if whole else words[: len(done)] == done:
                moves.append(move)
        return moves

    def next_action(self, move: Move) -> int:
        """The action by which a move goes on."""
        word = self.module.openspiel_turns(self.position, move)[len(self.begun)]
        player = self.state.current_player()
        for action in self.state.legal_actions():
            if self.state.action_to_string(player, action) == word:
                return action
        raise EngineError(f"OpenSpiel does not allow {word!r} in\n{self.state}")


class OpenSpielBot(pyspiel.Bot):
    """A player of ours that OpenSpiel can ask: for its game, in the place of this player.

    >>> from clauseboard.game import load_game
    >>> class First(Player):
    ...     name = "first"
    ...     def choose(self, position, limit=None):
    ...         return Choice(position.moves()[0])
    >>> game = pyspiel.load_game("hex(board_size=3)")
    >>> bots = [OpenSpielBot(game, 0, First()), pyspiel.make_uniform_random_bot(1, 7)]
    >>> sum(pyspiel.evaluate_bots(game.new_initial_state(), bots, 7))
    0.0
    """

    def __init__(
        self, spiel: Any, side: int, player: Player, limit: Limit | None = None, seed: int = 0
    ) -> None:
        pyspiel.Bot.__init__(self)
        self.spiel, self.side, self.player, self.limit = spiel, side, player, limit
        self.game, self.seed = our_game(spiel), seed
        self._restart()

    def _restart(self) -> None:
        self.board = _SpielBoard(self.game, self.spiel)
        self._move: Any = None
        self.player.begin(self.game, self.game.colours[self.side], self.seed)
        self.seed += 1

    def restart(self) -> None:
        """Get ready for another game."""
        self._restart()

    def restart_at(self, state: Any) -> None:
        """Get ready for a game that goes on from a state."""
        self._restart()

    def provides_policy(self) -> bool:
        """Whether there are probabilities of moves to be had: no."""
        return False

    def provides_force_action(self) -> bool:
        """Whether the bot can be made to take a turn: it can, since it looks at the state."""
        return True

    def force_action(self, state: Any, action: int) -> None:
        """Take note of a turn that was taken for the bot: `step` sees it in the state."""

    def inform_action(self, state: Any, player: int, action: int) -> None:
        """Take note of the opponent's turn: `step` sees it in the state."""

    def step(self, state: Any) -> int:
        """The next turn in a state."""
        self._catch_up(state.history())
        moves = self.board.moves_that_go_on()
        if not self.board.begun:
            choice = self.player.choose(self.board.position, self.limit)
            # A bot cannot give up; it then plays on with the first move there is.
            self._move = moves[0] if choice.resigns else choice.move
        elif self._move not in moves:
            self._move = moves[0]  # somebody else began to jump
        return self.board.next_action(self._move)

    def _catch_up(self, history: list[int]) -> None:
        seen = self.board.state.history()
        if history[: len(seen)] != seen:
            self.board = _SpielBoard(self.game, self.spiel)
            seen = []
        for action in history[len(seen) :]:
            self.board.apply(action)


class OpenSpielPlayer(Player):
    """A bot of OpenSpiel's; `make_bot` makes one for its game, its side (0 or 1) and a seed.

    Where OpenSpiel ends a game that goes on by our rules, the bot cannot be asked any more, and
    there is an `EngineError`.
    """

    def __init__(self, make_bot: Callable[[Any, int, int], Any], name: str = "openspiel") -> None:
        self.make_bot, self.name = make_bot, name
        self._board: _SpielBoard | None = None

    def begin(self, game: Game, colour: str, seed: int) -> None:
        """Make a bot for a game."""
        spiel = spiel_game(game)
        self.side = game.colours.index(colour)
        # Seeds are 32 bits there.
        self.bot = self.make_bot(spiel, self.side, seed % 2**31)
        self.bot.restart()
        self._board = _SpielBoard(game, spiel)

    def choose(self, position: Position, limit: Limit | None = None) -> Choice:
        """Ask the bot. It does not know of limits; give them to it when it is made."""
        if self._board is None or self._board.position.game != position.game:
            self.begin(position.game, position.to_move, 0)
        board = self._follow(position)
        move = None
        while move is None:
            self._check_going_on(board)
            action = self.bot.step(board.state)
            if action not in board.state.legal_actions():
                raise EngineError(f"{self.name}: the bot took turn {action}, which is not legal")
            move = board.apply(action)
        return Choice(move, line=(move,))

    def _follow(self, position: Position) -> _SpielBoard:
        """A board with this position: the known one gone on with, or one from the start."""
        board = self._board
        assert board is not None
        moves = moves_between(board.position, position)
        if moves is None:
            board = _SpielBoard(position.game, board.spiel)
            moves = moves_between(board.position, position, MOST_OPENING_MOVES)
            self.bot.restart()
        if moves is None:
            raise EngineError(
                f"{self.name}: OpenSpiel cannot take a position without its moves: "
                f"{position.game.write_position(position)!r}"
            )
        for move in moves:
            done = None
            while done is None:
                self._check_going_on(board)
                action, side = board.next_action(move), board.state.current_player()
                if side != self.side:
                    self.bot.inform_action(board.state, side, action)
                done = board.apply(action)
        self._board = board
        return board

    def _check_going_on(self, board: _SpielBoard) -> None:
        if board.state.is_terminal():
            returns = board.state.returns()
            raise EngineError(f"{self.name}: OpenSpiel has ended this game, {returns}")
