"""`clauseboard solve` solves a position exactly; `clauseboard perft` counts move sequences."""

from __future__ import annotations

import json
import time
from typing import Annotated, Any

import typer

from clauseboard.cli.common import AsJson, GameName, Parameter, ProgressBar, read_parameters
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
        solution = solve(begin, bar.tell)
    line = written(begin, solution)
    good = [begin.write_move(move) for move in solution.good_moves]
    if as_json:
        print(
            json.dumps(
                {
                    "game": repr(rules),
                    "position": rules.write_position(begin),
                    "winner": solution.winner,
                    "plies": solution.plies,
                    "good_moves": good,
                    "line": line,
                }
            )
        )
        return
    print(begin)
    n_moves = None if solution.plies is None else (solution.plies + 1) // 2
    moves = "" if n_moves is None else f" in {n_moves} move{'' if n_moves == 1 else 's'}"
    end = "a draw" if solution.winner is None else f"{solution.winner} wins{moves}"
    print(f"With best play: {end}.")
    if good:
        kind = "draw" if solution.winner is None else "win"
        print(f"Moves that {kind} for {begin.to_move}: {', '.join(good)}")
    else:
        print(f"Every move of {begin.to_move} loses.")
    if line:
        print(f"Best line: {' '.join(line)}")


def written(position: Any, solution: Solution) -> list[str]:
    """The moves of the best line as text."""
    texts = []
    for move in solution.line:
        texts.append(position.write_move(move))
        position = position.play(move)
        if position.outcome() is not None:
            break
    return texts


def perft(
    game: GameName,
    depth: Annotated[int, typer.Option(min=0, help="Length of the longest sequences.")] = 6,
    position: Annotated[
        str | None, typer.Option(help="Starting position in the game's notation.")
    ] = None,
    parameter: Parameter = None,
    as_json: AsJson = False,
) -> None:
    """Count the move sequences of a game, depth by depth.

    Example: clauseboard perft checkers --depth 8
    """
    rules = load_game(game, **read_parameters(parameter or []))
    begin = rules.start() if position is None else rules.read_position(position)
    # The first count would have the compiling in it.
    rules.perft(begin, min(depth, 1))
    rows = []
    if not as_json:
        print(f"{'depth':>5} {'sequences':>18} {'seconds':>9} {'a second':>14}")
    for moves in range(1, depth + 1):
        start = time.perf_counter()
        count = rules.perft(begin, moves)
        seconds = time.perf_counter() - start
        rows.append({"depth": moves, "sequences": count, "seconds": round(seconds, 6)})
        if not as_json:
            print(f"{moves:>5} {count:>18,} {seconds:>9.3f} {count / max(seconds, 1e-9):>14,.0f}")
    if as_json:
        print(json.dumps({"game": repr(rules), "position": repr(begin), "perft": rows}))
