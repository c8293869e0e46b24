"""How good the judge of Hex boards is, without search: on games, and against the solver.

python benchmarks/hex_judge.py --out benchmarks/results/hex-judge.json

Games: of the player of 11x11 that was shipped before concepts, patterns around moves and random
games (200 simulations of 4 games a move), and of the player that judges by concepts (100
simulations), each against itself, after 2 to 12 random moves and with one later move in twenty at
random; none of them was learned from. The judge says a chance for boards of each game, 14 at most.
With --machine another judge is measured instead of the shipped ones. Solver: random positions of 8
to 20 stones on 6x6 and 7x7; the judge names the winner. Boards that connections decide are told
apart from those that the clauses judge.
"""

from __future__ import annotations

import random
import sys
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np

from clauseboard.evaluation import Evaluator, Limit
from clauseboard.game import load_game
from clauseboard.games.hex import concepts
from clauseboard.games.hex.encoding import boards_of
from clauseboard.games.hex.rules import HexPosition, cells_of
from clauseboard.games.hex.solving import Solver
from clauseboard.players import load_player
from clauseboard.players.searcher import SearchPlayer
from clauseboard.players.shipped import FOLDER, card_for
from stamp import keep, new_parser, stamp

BOARDS_A_GAME = 14
OLD_PATTERNS = "hex-11-moves.tm"


def judge_of(size: int, machine: str | None) -> tuple[SearchPlayer, Evaluator]:
    """The shipped player of a board of some size, by another machine if one is given; its judge."""
    game, files = load_game("hex", size=size), card_for(load_game("hex", size=size))
    machines = {
        "machine": machine or str(FOLDER / str(files.machine)),
        "moves": str(FOLDER / str(files.moves)),
    }
    player = load_player("tsetlin", game, **machines, search="mcts", **files.usual)
    assert isinstance(player, SearchPlayer)
    return player, player.evaluators["red"]


def player_before() -> SearchPlayer:
    """The player of 11x11 before there were concepts."""
    game = load_game("hex", size=11)
    moves = str(FOLDER / OLD_PATTERNS)
    player = load_player("tsetlin", game, moves=moves, search="mcts", rollouts=4, simulations=200)
    assert isinstance(player, SearchPlayer)
    return player


def played_boards(
    player: SearchPlayer, games: int, seed: int, simulations: int
) -> tuple[list[HexPosition], Any]:
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
                move = player.choose(position, Limit(simulations=simulations)).move
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
    told = [judge.chance(float(value)) for value in judge.judge(boards).values]
    for n, board in enumerate(boards):
        if (known := concepts.decided(board)) is not None:
            told[n] = float(known[0] == board.to_move)
    return np.clip(told, 0.001, 0.999)


def on_games(games: int, before: bool, machine: str | None) -> dict[str, Any]:
    """Log loss and share of boards judged rightly, on games of the player before, or of its own.

    Its own are those of the shipped judge, whichever judge is asked.
    """
    _, judge = judge_of(11, machine)
    player = player_before() if before else judge_of(11, None)[0]
    boards, won = played_boards(player, games, 271828, 200 if before else 100)
    told = chances(judge, boards)
    loss = -np.log(np.where(won, told, 1 - told))
    clauses = np.clip([judge.chance(float(v)) for v in judge.judge(boards).values], 0.001, 0.999)
    decided = np.array([concepts.decided(board) is not None for board in boards])
    return {
        "of": "the player before" if before else "the player itself",
        "games": games, "boards": len(boards), "log_loss": float(loss.mean()),
        "log_loss_of_open_boards": float(loss[~decided].mean()),
        "log_loss_of_clauses": float(-np.log(np.where(won, clauses, 1 - clauses)).mean()),
        "right": float(((told > 0.5) == won).mean()), "decided": float(decided.mean()),
    }  # fmt: skip


def against_solver(size: int, count: int, machine: str | None) -> dict[str, Any]:
    """The share of random positions whose winner the judge names."""
    _, judge = judge_of(size, machine)
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
    lines = [
        "# The judge of Hex boards, without search", "",
        "| boards | log loss | by clauses alone | right | decided by connections |",
        "|---|---:|---:|---:|---:|",
        *(f"| {games['boards']} of {games['games']} games of {games['of']}, 11x11 | "
          f"{games['log_loss']:.3f} ({games['log_loss_of_open_boards']:.3f} where not decided) | "
          f"{games['log_loss_of_clauses']:.3f} | {games['right']:.1%} | {games['decided']:.1%} |"
          for games in result["games"]), "",
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
    parser.add_argument("--jobs", type=int, default=1, help="processes to measure in")
    parser.add_argument("--machine", help="a file of another judge of boards")
    arguments = parser.parse_args(argv)
    few, machine = arguments.quick, arguments.machine
    with ProcessPoolExecutor(arguments.jobs) as pool:
        games = [
            pool.submit(on_games, 4 if few else 80, before, machine) for before in (True, False)
        ]
        solved = [
            pool.submit(against_solver, size, 50 if few else 1000, machine) for size in (6, 7)
        ]
        result = {
            **stamp(),
            "games": [one.result() for one in games],
            "solver": [one.result() for one in solved],
        }
    text = page(result)
    print(text)
    keep(result, arguments.out, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
