"""How fast players search in checkers, and how deep they get with the same number of boards.

Each looks at the same positions, which come about by an opening of three moves and up to forty of
`material:depth=5`. Boards visited a second of the processor's time, which other programs do not
lengthen; the best of three rounds.

    python benchmarks/players_speed.py --out benchmarks/results/players-speed.json
"""

from __future__ import annotations

import random
import time
from typing import Any

from clauseboard.arena.match import openings_of
from clauseboard.evaluation import Limit
from clauseboard.game import load_game
from clauseboard.players import read_player
from stamp import keep, new_parser, stamp

PLAYERS = (
    "material",
    "shipped:grain=0.0",
    "shipped",
    "shipped:grain=0.01",
    "shipped:grain=0.02",
    "shipped:grain=0.04",
    "shipped:zero=true",
)
POSITIONS, NODES, ROUNDS = 12, 100_000, 3


def positions(game: Any, n: int, seed: int) -> list[Any]:
    """Positions of games between players that count pieces, in which there is a choice."""
    draws, player, openings = (
        random.Random(seed),
        read_player("material:depth=5", game),
        openings_of(game),
    )
    found: list[Any] = []
    while len(found) < n:
        position = game.start()
        for text in draws.choice(openings):
            position = position.play(position.read_move(text))
        for _ in range(draws.randint(0, 40)):
            if position.outcome() is None:
                position = position.play(player.choose(position).move)
        if position.outcome() is None and len(position.moves()) > 1:
            found.append(position)
    return found


def measure(game: Any, line: str, boards: list[Any], nodes: int, rounds: int) -> dict[str, Any]:
    """Boards visited a second by one player, and the mean depth that it finished."""
    player, fastest, depth = read_player(line, game), 0.0, 0
    for _ in range(rounds):
        visited, depth, clock = 0, 0, time.process_time()
        for position in boards:
            for colour in game.colours:
                player.begin(game, colour, 1)
            cost = player.choose(position, Limit(nodes=nodes)).cost
            visited, depth = visited + (cost.nodes or 0), depth + (cost.depth or 0)
        fastest = max(fastest, visited / (time.process_time() - clock))
    return {"player": line, "nodes_a_second": fastest, "mean_depth": depth / len(boards)}


def markdown(result: dict[str, Any]) -> str:
    """The figures as a table."""
    lines = [
        f"Measured {result['date'][:10]} on {result['machine']['cpu']}, one core, by "
        f"`{result['command']}`: {result['positions']} boards of checkers, {result['nodes']:,} "
        f"boards visited for each; load before {result['load_before'][0]:.1f}.",
        "",
        "| player | boards a second | beside material | mean depth |",
        "|---|---:|---:|---:|",
    ]
    first = result["players"][0]["nodes_a_second"]
    for row in result["players"]:
        speed = row["nodes_a_second"]
        lines.append(
            f"| `{row['player']}` | {speed:,.0f} | {speed / first:.2f} | {row['mean_depth']:.1f} |"
        )
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure all players, and keep the result."""
    parser = new_parser(__doc__, quick="three positions and a tenth of the boards")
    options = parser.parse_args()
    game = load_game("checkers")
    n, nodes = (3, NODES // 10) if options.quick else (POSITIONS, NODES)
    result: dict[str, Any] = {**stamp(), "positions": n, "nodes": nodes, "players": []}
    boards = positions(game, n, seed=1)
    for line in PLAYERS:
        result["players"].append(measure(game, line, boards, nodes, ROUNDS))
    print(markdown(result))
    if options.out is not None:
        keep(result, options.out, markdown(result))


if __name__ == "__main__":
    main()
