"""How fast players search in checkers, and how deep they get with the same number of boards.

What the evaluations cost: counting pieces, the clauses over squares that were shipped before
(tests/machines), and the shipped clauses over concepts, all in the same search; then the search as
shipped. Each player looks at the same positions, which come about by an opening of three moves and
up to forty of `material:depth=5`. Boards visited a second of the processor's time; the players take
turns, and the best of five rounds counts, so that other programs on the machine matter little.

    python benchmarks/players_speed.py --out benchmarks/results/players-speed.json
"""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

from clauseboard.arena.match import openings_of
from clauseboard.evaluation import Limit
from clauseboard.game import load_game
from clauseboard.players import read_player
from stamp import keep, new_parser, stamp

MACHINES = Path(__file__).parents[1] / "tests/machines"
FULL_WIDTH = "selective=false,margin=0.0"
PLAYERS = {
    "material": "pieces counted",
    f"tsetlin:machine='{MACHINES / 'checkers-squares.tm'}',view=mover,search=alpha_beta":
        "983 clauses over squares",
    f"shipped:{FULL_WIDTH}": "clauses over concepts, as shipped",
    f"shipped:zero=true,{FULL_WIDTH}": "nothing judged",
    "shipped": "clauses over concepts, in the shipped search",
}  # fmt: skip
POSITIONS, NODES, ROUNDS = 12, 100_000, 5


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


def measure(game: Any, player: Any, boards: list[Any], nodes: int) -> tuple[float, float]:
    """Boards visited a second by one player, and the mean depth that it finished."""
    visited, depth, clock = 0, 0, time.process_time()
    for position in boards:
        for colour in game.colours:
            player.begin(game, colour, 1)
        cost = player.choose(position, Limit(nodes=nodes)).cost
        visited, depth = visited + (cost.nodes or 0), depth + (cost.depth or 0)
    return visited / (time.process_time() - clock), depth / len(boards)


def markdown(result: dict[str, Any]) -> str:
    """The figures as a table."""
    lines = [
        f"Measured {result['date'][:10]} on {result['machine']['cpu']}, one core, by "
        f"`{result['command']}`: {result['positions']} boards of checkers, {result['nodes']:,} "
        f"boards visited for each; load before {result['load_before'][0]:.1f}.",
        "",
        "| evaluation | boards a second | beside material | mean depth |",
        "|---|---:|---:|---:|",
    ]
    first = result["players"][0]["nodes_a_second"]
    for row in result["players"]:
        speed = row["nodes_a_second"]
        lines.append(
            f"| {row['judge']} | {speed:,.0f} | {speed / first:.2f} | {row['mean_depth']:.1f} |"
        )
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure all players, and keep the result."""
    parser = new_parser(__doc__, quick="three positions and a tenth of the boards")
    options = parser.parse_args()
    game = load_game("checkers")
    n, nodes = (3, NODES // 10) if options.quick else (POSITIONS, NODES)
    boards = positions(game, n, seed=1)
    players = {line: read_player(line, game) for line in PLAYERS}
    for player in players.values():
        measure(game, player, boards[:1], nodes // 10)  # so that nothing is compiled later
    rows = {
        line: {"player": line.replace(f"{MACHINES}/", ""), "judge": judge, "nodes_a_second": 0.0}
        for line, judge in PLAYERS.items()
    }
    for _ in range(ROUNDS):
        for line, player in players.items():
            speed, depth = measure(game, player, boards, nodes)
            rows[line]["nodes_a_second"] = max(speed, rows[line]["nodes_a_second"])
            rows[line]["mean_depth"] = depth
    result = {**stamp(), "positions": n, "nodes": nodes, "players": list(rows.values())}
    print(markdown(result))
    keep(result, options.out, markdown(result))


if __name__ == "__main__":
    main()
