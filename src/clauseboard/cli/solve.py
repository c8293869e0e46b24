"""`clauseboard solve`: solve a position exactly."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from clauseboard.cli.options import AsJson, Parameter, read_parameters
from clauseboard.cli.progress import ProgressBar
from clauseboard.game import load_game
from clauseboard.games.plugins import SOLVING
from clauseboard.games.solving import Solution, solve

GAMES_HELP = f"One of {', '.join(SOLVING.games())}."


def solve_position(
    game: Annotated[str, typer.Argument(help=GAMES_HELP)],
    position: Annotated[
        str | None, typer.Argument(help="In the game's notation; default: the starting position.")
    ] = None,
    parameter: Parameter = None,
    as_json: AsJson = False,
) -> None:
    """Show who wins a position with best play, the winning moves and the best line.

    Example: clauseboard solve checkers "W:WK32,K31:BK1"
    """
    rules = load_game(game, **read_parameters(parameter or []))
    begin = rules.start() if position is None else rules.read_position(position)
    outcome = begin.outcome()
    if outcome is not None:
        raise ValueError(f"The game is over in {rules.write_position(begin)!r}: {outcome}.")
    with ProgressBar("solving") as bar:
        found = solve(begin, bar.tell)
    line = written(begin, found)
    good = [begin.write_move(move) for move in found.good_moves]
    if as_json:
        print(
            json.dumps(
                {
                    "game": repr(rules),
                    "position": rules.write_position(begin),
                    "winner": found.winner,
                    "plies": found.plies,
                    "good_moves": good,
                    "line": line,
                }
            )
        )
        return
    print(begin)
    moves = "" if found.plies is None else f" in {found.plies} moves"
    print(f"With best play: {'a draw' if found.winner is None else f'{found.winner} wins{moves}'}.")
    if good:
        kind = "draw" if found.winner is None else "win"
        print(f"Moves that {kind} for {begin.to_move}: {', '.join(good)}")
    else:
        print(f"Every move of {begin.to_move} loses.")
    if line:
        print(f"Best line: {' '.join(line)}")


def written(position: Any, found: Solution) -> list[str]:
    """The moves of the best line as text."""
    texts = []
    for move in found.line:
        texts.append(position.write_move(move))
        position = position.play(move)
        if position.outcome() is not None:
            break
    return texts
