"""Won endings of checkers: whether a player wins them against the best defence, and how soon.

Of every material that so many pieces can be (men and kings of the side to move against those of
the other, both sides there), as many won boards are drawn as are asked for, or as there are found.
The player has the side that wins; the other side plays by the endgame tables, whose defence is the
longest there is, one of the best moves by lot. A win that comes too late for the rule of forty
moves without progress is a draw, as in any game. The excess is how many moves, of both sides, a won
game took beyond the shortest way.

`--tables` is the most pieces of the tables that the player looks into; those of its opponent have
as many as the endings.

    python benchmarks/endings.py --player shipped --each 120 --out benchmarks/results/endings.json
    python benchmarks/endings.py --player shipped:endgames=false,depth=9 --each 4
    python benchmarks/endings.py --pieces 5 --each 10 --out benchmarks/results/endings-five.json
    python benchmarks/endings.py --pieces 5 --each 10 --tables 4
    python benchmarks/endings.py --pieces 5 --each 400 --least 81
"""

from __future__ import annotations

import random
import time
from typing import Any

from clauseboard.evaluation import Limit
from clauseboard.game import load_game
from clauseboard.games.checkers import Checkers, CheckersPosition
from clauseboard.games.checkers.endgame_kernels import Material, materials
from clauseboard.games.checkers.endgame_tables import EndgameTables, open_tables
from clauseboard.games.checkers.rules import CROWNS, SQUARES, WORD
from clauseboard.games.solving import make_tables_ready
from clauseboard.player import Player
from clauseboard.players import read_player
from stamp import keep, new_parser, stamp

TRIES = 60
"""Boards that are drawn for each won one that is wanted, at most."""


def written(kinds: Material) -> str:
    """What the side to move has against what the other has, such as "KK-KM"."""
    own = "K" * kinds.kings + "M" * kinds.men
    return f"{own}-{'K' * kinds.other_kings}{'M' * kinds.other_men}"


def thrown(game: Checkers, kinds: Material, draws: random.Random) -> CheckersPosition | None:
    """Pieces thrown on the board, the side to move first; None if a man lies where it is a king."""
    side = draws.randrange(2)
    own, other = game.colours[side], game.colours[1 - side]
    owners = [own] * (kinds.men + kinds.kings) + [other] * (kinds.other_men + kinds.other_kings)
    crowned = [False] * kinds.men + [True] * kinds.kings
    crowned += [False] * kinds.other_men + [True] * kinds.other_kings
    words, kings = dict.fromkeys(game.colours, 0), 0
    squares = draws.sample(list(SQUARES), kinds.pieces)
    for colour, king, square in zip(owners, crowned, squares, strict=True):
        if not king and WORD[square] & CROWNS[colour]:
            return None
        words[colour] |= WORD[square]
        kings |= WORD[square] if king else 0
    return CheckersPosition(game, *words.values(), kings, own)


def won_boards(
    game: Checkers, tables: EndgameTables, kinds: Material, each: int, seed: int, least: int
) -> list[CheckersPosition]:
    """Boards of some material that the side to move wins, in at least so many moves of both sides.

    There are fewer if hardly any are found.
    """
    draws = random.Random(f"{seed} {kinds}")
    found: list[CheckersPosition] = []
    for _ in range(TRIES * each):
        if len(found) == each:
            break
        position = thrown(game, kinds, draws)
        verdict = None if position is None else tables.probe(position)
        if position is not None and verdict is not None and verdict.value == 1:
            assert verdict.plies is not None
            found += [position] * (verdict.plies >= least)
    return found


def moves_to_win(
    player: Player, position: CheckersPosition, tables: EndgameTables, limit: Limit, seed: int
) -> int | None:
    """The moves of both sides in which a player wins against the longest defence, if it does."""
    winner, draws, n_moves = position.to_move, random.Random(seed), 0
    for colour in position.game.colours:
        player.begin(position.game, colour, seed)
    while position.outcome() is None:
        if position.to_move == winner:
            move = player.choose(position, limit).move
        else:
            move = draws.choice(tables.best_moves(position))
        position = position.play(move)
        n_moves += 1
    outcome = position.outcome()
    return n_moves if outcome is not None and outcome.winner == winner else None


def markdown(result: dict[str, Any]) -> str:
    """The figures as a table."""
    rows = result["materials"]
    won, played = sum(r["won"] for r in rows), sum(r["played"] for r in rows)
    least = f" that take {result['least']} moves or more" if result["least"] > 1 else ""
    lines = [
        f"Measured {result['date'][:10]} by `{result['command']}`: `{result['player']}`, "
        f"{result['limit']}, with tables of up to {result['tables']} pieces, won {won:,} of "
        f"{played:,} won endings of {result['pieces']} pieces{least}, of {len(rows)} kinds of "
        "material (the side to move first; K a king, M a man). The games that were won took "
        f"{result['excess']:.2f} moves of both sides more than the shortest way, on average.",
        "",
        "| material | played | won | longest shortest way | excess |",
        "|---|---:|---:|---:|---:|",
        *(
            f"| {r['material']} | {r['played']} | {r['won']} | {r['longest']} | {r['excess']:.2f} |"
            for r in rows
        ),
    ]
    return "\n".join(lines) + "\n"


def mean(numbers: list[int]) -> float:
    """The mean; 0 of no numbers."""
    return sum(numbers) / len(numbers) if numbers else 0.0


def main() -> None:
    """Play endings of every material, and keep the result."""
    parser = new_parser(__doc__, quick="two endings of each material")
    parser.add_argument("--player", default="shipped", help="who has the won side, in one line")
    parser.add_argument("--pieces", type=int, default=4, help="of an ending: 4 or 5")
    parser.add_argument("--tables", type=int, help="pieces that the player's tables have: 4 or 5")
    parser.add_argument("--each", type=int, default=120, help="endings of each material, at most")
    parser.add_argument("--least", type=int, default=1, help="moves of both sides to the win")
    parser.add_argument("--seconds", type=float, help="time for a move, instead of its usual depth")
    parser.add_argument("--seed", type=int, default=7, help="one number, the same endings")
    options = parser.parse_args()
    game = load_game("checkers")
    assert isinstance(game, Checkers)
    pieces, n_tables = options.pieces, options.tables or options.pieces
    tables, player = open_tables(pieces), read_player(options.player, game)
    if n_tables == 5:
        trouble = make_tables_ready(game)
        assert trouble is None, trouble
    limit = Limit(seconds=options.seconds)
    result: dict[str, Any] = {
        **stamp(), "player": options.player, "pieces": pieces, "tables": n_tables,
        "least": options.least, "limit": repr(limit), "seed": options.seed, "materials": [],
        "not_won": [],
    }  # fmt: skip
    start = time.perf_counter()
    each = 2 if options.quick else options.each
    every_excess: list[int] = []
    for kinds in materials(pieces):
        positions, longest = won_boards(game, tables, kinds, each, options.seed, options.least), 0
        excess: list[int] = []
        for n, position in enumerate(positions):
            verdict = tables.probe(position)
            assert verdict is not None
            assert verdict.plies is not None
            longest = max(longest, verdict.plies)
            n_moves = moves_to_win(player, position, tables, limit, options.seed + n)
            if n_moves is None:
                result["not_won"].append([game.write_position(position), str(verdict)])
            else:
                excess.append(n_moves - verdict.plies)
        row = {"material": written(kinds), "played": len(positions), "won": len(excess)}
        result["materials"].append({**row, "longest": longest, "excess": mean(excess)})
        every_excess += excess
    result["excess"] = mean(every_excess)
    result["seconds"] = time.perf_counter() - start
    print(markdown(result), *result["not_won"][:20], sep="\n")
    keep(result, options.out, markdown(result))


if __name__ == "__main__":
    main()
