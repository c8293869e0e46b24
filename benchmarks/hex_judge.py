"""How good the judge of Hex boards is, without search: on games, and against the solver.

python benchmarks/hex_judge.py --out benchmarks/results/hex-judge.json

Games: the shipped player of 11x11 against itself, 100 simulations a move, after 2 to 12 random
moves and with one later move in twenty at random; none of them was learned from. The judge says a
chance for boards of each game, 14 at most. Solver: random positions of 8 to 20 stones on 6x6 and
7x7; the judge names the winner. Boards that connections decide are told apart from those that the
clauses judge.
"""

from __future__ import annotations

import random
import sys
from typing import Any

import numpy as np

from clauseboard.evaluation import Evaluator, Limit
from clauseboard.game import load_game
from clauseboard.games.hex import concepts
from clauseboard.games.hex.encoding import boards_of
from clauseboard.games.hex.rules import HexPosition, cells_of
from clauseboard.games.hex.solving import Solver
from clauseboard.players.loading import load_player
from clauseboard.players.searcher import SearchPlayer
from clauseboard.players.shipped import FOLDER, card_for
from stamp import keep, new_parser, stamp

BOARDS_A_GAME = 14


def judge_of(size: int) -> tuple[SearchPlayer, Evaluator]:
    """The player of 11x11 on a board of some size, and its judge of boards."""
    game, files = load_game("hex", size=size), card_for(load_game("hex", size=11))
    machines = {
        "machine": str(FOLDER / str(files.machine)),
        "moves": str(FOLDER / str(files.moves)),
    }
    player = load_player("tsetlin", game, **machines, search="mcts", **files.usual)
    assert isinstance(player, SearchPlayer)
    return player, player.evaluators["red"]


def played_boards(player: SearchPlayer, games: int, seed: int) -> tuple[list[HexPosition], Any]:
    """Boards of games, and whether the side to move won."""
    game, boards, won = player.game, [], []
    for number in range(games):
        rng, position, path = random.Random(f"{seed} {number}"), game.start(), []
        opening = rng.randint(2, 12)
        for colour in game.colours:
            player.begin(game, colour, number)
        count = 0
        while position.outcome() is None:
            if count >= opening:
                path.append(position)
            move = rng.choice(position.moves())
            if count >= opening and rng.random() >= 0.05:
                move = player.choose(position, Limit(simulations=100)).move
            position = position.play(move)
            count += 1
        outcome = position.outcome()
        assert outcome is not None
        for board in rng.sample(path, min(BOARDS_A_GAME, len(path))):
            boards.append(board)
            won.append(outcome.winner == board.to_move)
    return boards, np.array(won)


def chances(judge: Evaluator, boards: list[HexPosition]) -> Any:
    """The chance of the side to move on each board; certain ones are 1 in a thousand off."""
    told = []
    for board in boards:
        explanation = judge.explain(board)
        chance = explanation.chance if explanation.chance is not None else 0.5
        told.append(min(max(chance, 0.001), 0.999))
    return np.array(told)


def on_games(games: int) -> dict[str, Any]:
    """Log loss and share of boards judged rightly."""
    player, judge = judge_of(11)
    boards, won = played_boards(player, games, seed=271828)
    told = chances(judge, boards)
    loss = -np.log(np.where(won, told, 1 - told))
    decided = np.array([concepts.decided(board) is not None for board in boards])
    return {
        "games": games, "boards": len(boards), "log_loss": float(loss.mean()),
        "log_loss_of_open_boards": float(loss[~decided].mean()),
        "right": float(((told > 0.5) == won).mean()), "decided": float(decided.mean()),
    }  # fmt: skip


def against_solver(size: int, count: int) -> dict[str, Any]:
    """The share of random positions whose winner the judge names."""
    _, judge = judge_of(size)
    rng, game = random.Random(161803), load_game("hex", size=size)
    positions: list[HexPosition] = []
    while len(positions) < count:
        position = game.start()
        for move in rng.sample(cells_of(size), rng.randint(8, 20)):
            if position.outcome() is None:
                position = position.play(move)
        if position.outcome() is None:
            positions.append(position)
    movers = np.array([position.to_move == "blue" for position in positions], np.int8)
    winners = Solver(size, 2**21).label(game, boards_of(game, positions), movers)
    right = (chances(judge, positions) > 0.5) == (winners == movers)
    decided = np.array([concepts.decided(position) is not None for position in positions])
    return {
        "size": size, "positions": count, "right": float(right.mean()),
        "decided": float(decided.mean()), "right_of_open": float(right[~decided].mean()),
    }  # fmt: skip


def page(result: dict[str, Any]) -> str:
    """The results as Markdown."""
    games = result["games"]
    lines = [
        "# The judge of Hex boards, without search", "",
        "| boards | log loss | right | decided by connections |", "|---|---:|---:|---:|",
        f"| {games['boards']} of {games['games']} games, 11x11 | {games['log_loss']:.3f} "
        f"({games['log_loss_of_open_boards']:.3f} where not decided) | {games['right']:.1%} | "
        f"{games['decided']:.1%} |", "",
        "| against the solver | right | decided by connections | right of the others |",
        "|---|---:|---:|---:|",
    ]  # fmt: skip
    lines += [
        f"| {row['positions']} of {row['size']}x{row['size']}, 8 to 20 stones | "
        f"{row['right']:.1%} | {row['decided']:.1%} | {row['right_of_open']:.1%} |"
        for row in result["solver"]
    ]
    return "\n".join([*lines, ""])


def main(argv: list[str] | None = None) -> int:
    """Measure, print the page and keep the result."""
    parser = new_parser(__doc__, "fewer boards")
    arguments = parser.parse_args(argv)
    few = arguments.quick
    result = {
        **stamp(),
        "games": on_games(4 if few else 80),
        "solver": [against_solver(size, 50 if few else 1000) for size in (6, 7)],
    }
    text = page(result)
    print(text)
    if arguments.out is not None:
        keep(result, arguments.out, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
