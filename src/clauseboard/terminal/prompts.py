"""Questions at the terminal: the game, the opponent and the colour; and how a line is edited."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence

from clauseboard.game import Game, game_names
from clauseboard.play.saved_games import PERSON
from clauseboard.play.session import USUAL
from clauseboard.player import Player
from clauseboard.players import describe_players, read_player
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
