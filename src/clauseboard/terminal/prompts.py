"""What to play, against whom and on which side: asked at the terminal where it was not given."""

from __future__ import annotations

import random
from collections.abc import Sequence

from clauseboard.game import Game, game_names
from clauseboard.play.saved_games import PERSON
from clauseboard.play.session import ANYBODY, USUAL
from clauseboard.player import Player
from clauseboard.players import describe_players, read_player
from clauseboard.terminal.loop import Ask
from clauseboard.terminal.screen import Screen

RANDOM = "random"


def choose_game(screen: Screen, ask: Ask) -> str:
    """The name of a game."""
    return _pick(screen, ask, "Which game?", [(name, "") for name in game_names()])


def choose_opponent(game: Game, screen: Screen, ask: Ask) -> Player | None:
    """An opponent, written as its name or with options; None is another person."""
    listed = [(kind.name, kind.text) for kind in describe_players(game) if not kind.refuses]
    usual = next(name for name in (*USUAL, ANYBODY) if name in dict(listed))
    while True:
        text = _pick(screen, ask, "Against whom?", listed, usual, free=True)
        try:
            return read_opponent(text, game)
        except (ValueError, OSError) as error:
            screen.complain(str(error))
            screen.say("Options go behind the name: tsetlin:machine=FILE, material:depth=5.")


def choose_colour(game: Game, screen: Screen, ask: Ask) -> str:
    """A colour of the game, or "random"."""
    first, second = game.colours
    listed = [(first, "begins"), (second, ""), (RANDOM, "")]
    return _pick(screen, ask, "Which side is yours?", listed, first)


def read_opponent(text: str, game: Game) -> Player | None:
    """An opponent from one line; None if it is another person at the terminal."""
    return None if text.strip() == PERSON else read_player(text, game)


def read_colour(text: str, game: Game, seed: int) -> str:
    """The person's colour; "random" is drawn by the seed."""
    colours: Sequence[str] = game.colours
    text = text.strip().lower()
    if text == RANDOM:
        return random.Random(seed).choice(colours)
    if text not in colours:
        listed = ", ".join([*colours, RANDOM])
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
    """One of some choices, by its number or name; `free`: or anything else."""
    names = [name for name, _ in choices]
    usual = names[0] if usual is None else usual
    width = max(map(len, names))
    screen.say(question, code="1")
    for number, (name, text) in enumerate(choices, 1):
        screen.say(f"{number:>2} {name:<{width}}  {text}".rstrip(), further=width + 5)
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
        screen.complain(f"{answer!r} is none of them; type a name, or a number up to {len(names)}.")
