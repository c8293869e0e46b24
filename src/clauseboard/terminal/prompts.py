"""What is asked at the terminal: the game, the opponent, the colour; lines and whole boards."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from clauseboard.game import Game, game_names
from clauseboard.games.plugins import BOARD_INPUT
from clauseboard.play import PERSON, USUAL
from clauseboard.player import Player
from clauseboard.players import describe_players, read_player
from clauseboard.terminal.game import TerminalGame
from clauseboard.terminal.screen import Screen

Ask = Callable[[str], str]
"""Asks for a line with a prompt: `input`, or a test's replacement."""
RANDOM = "random"


def choose_game(screen: Screen, ask: Ask) -> str:
    """The name of a game."""
    return _pick(screen, ask, "Which game?", [(name, "") for name in game_names()])


def choose_opponent(game: Game, screen: Screen, ask: Ask) -> Player | None:
    """An opponent, given by its name or with options; None is another person."""
    listed = [(kind.name, kind.text) for kind in describe_players(game) if not kind.refuses]
    usual = next(name for name in USUAL if name in dict(listed))
    while True:
        text = _pick(screen, ask, "Which opponent?", listed, usual, free=True)
        try:
            return read_opponent(text, game)
        except (ValueError, OSError) as error:
            screen.complain(str(error))
            screen.say("Options follow the name: tsetlin:machine=FILE, material:depth=5.")


def choose_colour(game: Game, screen: Screen, ask: Ask) -> str:
    """A colour of the game, or "random"."""
    first, second = game.colours
    listed = [(first, "moves first"), (second, ""), (RANDOM, "")]
    return _pick(screen, ask, "Which side do you play?", listed, first)


def read_opponent(text: str, game: Game) -> Player | None:
    """An opponent from one line; None if it is another person at the terminal."""
    return None if text.strip() == PERSON else read_player(text, game)


def read_colour(text: str, game: Game, seed: int) -> str:
    """The person's colour; "random" is drawn by the seed."""
    text = text.strip().lower()
    if text == RANDOM:
        return random.Random(seed).choice(game.colours)
    if text not in game.colours:
        listed = ", ".join([*game.colours, RANDOM])
        raise ValueError(f"--colour is one of {listed} in {game.name}, not {text!r}.")
    return text


def _pick(
    screen: Screen,
    ask: Ask,
    question: str,
    choices: Sequence[tuple[str, str]],
    usual: str | None = None,
    free: bool = False,
) -> str:
    """One of some choices, by its number or name; `free`: or any other text."""
    names = [name for name, _ in choices]
    usual = names[0] if usual is None else usual
    width = max(map(len, names))
    screen.say(question, "bold")
    for number, (name, text) in enumerate(choices, 1):
        screen.say(f"{number:>2} {name:<{width}}  {text}".rstrip(), indent=width + 5)
    while True:
        answer = ask(f"[{usual}] ").strip()
        if not answer:
            return usual
        if answer.isdecimal() and 1 <= int(answer) <= len(names):
            return names[int(answer) - 1]
        if answer.lower() in names:
            return answer.lower()
        if free and not answer.isdecimal():
            return answer
        screen.complain(f"Not a choice: {answer!r}. Type a name, or a number up to {len(names)}.")


def edit_lines(words: Callable[[], Iterable[str]], complete: bool = True) -> None:
    """Let `input` edit lines (arrow keys for earlier ones); Tab completes one of `words()`.

    Without `complete` a tab is a tab, for it may be part of what is pasted. Where Python has no
    `readline`, lines are typed plainly.
    """
    try:
        import readline
    except ImportError:
        return

    def match(text: str, number: int) -> str | None:
        return next(iter(matching(text, words())[number:]), None)

    readline.set_completer(match if complete else None)
    readline.set_completer_delims(" \t\n")
    readline.parse_and_bind("tab: complete" if complete else "tab: self-insert")


def matching(text: str, words: Iterable[str]) -> list[str]:
    """The words that begin with a text, in any case, each with a space behind it.

    >>> matching("d", ["D5", "d4", "pass"])
    ['D5 ', 'd4 ']
    """
    return [f"{word} " for word in words if word.lower().startswith(text.lower())]


ROWS = 8
_ROW = re.compile(r"\s*[xX]?\d[xX\d\s]*")
_BEGINS = re.compile(r"\s*[xX]?\d")
_FEN = re.compile(r"\s*[\"']?[BW]:", re.IGNORECASE)


class BoardInput:
    """Whole boards typed or pasted instead of moves, as the checkers thesis has it.

    A game that can be played so has in its `notation.py`: `write_digits(position, before)` shows a
    board and marks what has changed, `read_next_board(position, text)` finds the move to a board.
    """

    help = (
        f"Paste the board after your move: {ROWS} rows of digits (0 empty, 1 black man, 2 black "
        "king, 3 white man, 4 white king; an x before a digit is ignored), or one line as "
        "CheckerBoard copies it (W:W21,...:B1,...). An empty line discards the rows typed so far. "
        "Moves in the game's notation work as well."
    )

    def __init__(self, game: Game) -> None:
        form = BOARD_INPUT.find(game)
        if form is None:
            listed = ", ".join(BOARD_INPUT.games())
            raise ValueError(
                f"Boards cannot be pasted in {game.name}, only in {listed}. "
                "Type moves instead: --input move."
            )
        self._form = form
        self._announced = -1  # the turn that was announced last

    def read(self, session: TerminalGame, screen: Screen, ask: Callable[[str], str]) -> str:
        """A board, a command or a move."""
        if self._announced != session.ply:
            self._announced = session.ply
            self._head(session, screen, session.ply)
        screen.show("Paste the board")
        rows: list[str] = []
        while True:
            line = ask("")
            if not (_BEGINS.match(line) if rows else _ROW.fullmatch(line)):
                # Rows end with an empty line; any other line stands by itself.
                return line if line.strip() else "\n".join(rows)
            rows.append(line)
            if len(rows) == ROWS:
                return "\n".join(rows)

    def is_board(self, text: str) -> bool:
        """Whether a text is meant as a board, even a bad one."""
        return "\n" in text or bool(_FEN.match(text) or _ROW.fullmatch(text))

    def move(self, position: Any, text: str) -> Any:
        """The move from a position to a board; a `NotationError` says why there is none."""
        return self._form.read_next_board(position, text)

    def show_turn(self, session: TerminalGame, screen: Screen) -> None:
        """Show the board, with what the last move has changed."""
        screen.show(self._form.write_digits(session.position, session.before))
        self._announced = -1

    def show_change(self, session: TerminalGame, screen: Screen) -> None:
        """Show what a move at the terminal has changed."""
        self.show_turn(session, screen)
        screen.show("")

    def show_reply(self, session: TerminalGame, screen: Screen, seconds: float) -> None:
        """Show the opponent's turn: its number, the board, and the time it took."""
        self._head(session, screen, session.ply - 1)
        self.show_change(session, screen)
        screen.show(f"Time elapsed this turn: {seconds:.2f} seconds")

    def _head(self, session: TerminalGame, screen: Screen, ply: int) -> None:
        side = session.game.colours.index(session.mover(ply))
        screen.show(f"Turn number {ply + 1}\nPlayer {side + 1}'s turn")
