"""Won endings of checkers with four pieces: whether a player wins them against the best defence.

Of every material that four pieces can be (men and kings of the side to move against those of the
other, both sides there), as many won boards are drawn as are asked for, or as there are found. The
player has the side that wins; the other side plays by the endgame tables, whose defence is the
longest there is, one of the best moves by lot. A win that comes too late for the rule of forty
moves without progress is a draw, as in any game.

    python benchmarks/endings.py --player shipped --each 120 --out benchmarks/results/endings.json
    python benchmarks/endings.py --player shipped:endgames=false,depth=9 --each 4
"""

from __future__ import annotations

import random
import time
from typing import Any

from clauseboard.evaluation import Limit
from clauseboard.game import load_game
from clauseboard.games.checkers import Checkers, CheckersPosition
from clauseboard.games.checkers.board import CROWNS, SQUARES, WORD
from clauseboard.games.checkers.endgame_kernels import Material, materials
from clauseboard.games.checkers.endgame_tables import EndgameTables, open_tables
from clauseboard.player import Player
from clauseboard.players import read_player
from stamp import keep, new_parser, stamp

PIECES = 4
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
    squares = draws.sample(list(SQUARES), PIECES)
    for colour, king, square in zip(owners, crowned, squares, strict=True):
        if not king and WORD[square] & CROWNS[colour]:
            return None
        words[colour] |= WORD[square]
        kings |= WORD[square] if king else 0
    return CheckersPosition(game, *words.values(), kings, own)


def won_boards(
    game: Checkers, tables: EndgameTables, kinds: Material, each: int, seed: int
) -> list[CheckersPosition]:
    """Boards of some material that the side to move wins; fewer if there are hardly any."""
    draws = random.Random(f"{seed} {kinds}")
    found: list[CheckersPosition] = []
    for _ in range(TRIES * each):
        if len(found) == each:
            break
        position = thrown(game, kinds, draws)
        verdict = None if position is None else tables.probe(position)
        if position is not None and verdict is not None and verdict.value == 1:
            found.append(position)
    return found


def won_by(
    player: Player, position: CheckersPosition, tables: EndgameTables, limit: Limit, seed: int
) -> bool:
    """Whether a player wins a board against the longest defence."""
    winner, draws = position.to_move, random.Random(seed)
    for colour in position.game.colours:
        player.begin(position.game, colour, seed)
    while position.outcome() is None:
        if position.to_move == winner:
            move = player.choose(position, limit).move
        else:
            move = draws.choice(tables.best_moves(position))
        position = position.play(move)
    outcome = position.outcome()
    return outcome is not None and outcome.winner == winner


def markdown(result: dict[str, Any]) -> str:
    """The figures as a table."""
    rows = result["materials"]
    won, played = sum(r["won"] for r in rows), sum(r["played"] for r in rows)
    lines = [
        f"Measured {result['date'][:10]} by `{result['command']}`: `{result['player']}`, "
        f"{result['limit']}, won {won:,} of {played:,} won endings of {PIECES} pieces, of "
        f"{len(rows)} kinds of material (the side to move first; K a king, M a man).",
        "",
        "| material | played | won | moves of the longest |",
        "|---|---:|---:|---:|",
        *(f"| {r['material']} | {r['played']} | {r['won']} | {r['longest']} |" for r in rows),
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Play endings of every material, and keep the result."""
    parser = new_parser(__doc__, quick="two endings of each material")
    parser.add_argument("--player", default="shipped", help="who has the won side, in one line")
    parser.add_argument("--each", type=int, default=120, help="endings of each material, at most")
    parser.add_argument("--seconds", type=float, help="time for a move, instead of its usual depth")
    parser.add_argument("--seed", type=int, default=7, help="one number, the same endings")
    options = parser.parse_args()
    game = load_game("checkers")
    assert isinstance(game, Checkers)
    tables, player = open_tables(PIECES), read_player(options.player, game)
    limit = Limit(seconds=options.seconds)
    result: dict[str, Any] = {
        **stamp(), "player": options.player, "limit": repr(limit), "seed": options.seed,
        "materials": [], "not_won": [],
    }  # fmt: skip
    start = time.perf_counter()
    each = 2 if options.quick else options.each
    for kinds in materials(PIECES):
        positions, won, longest = won_boards(game, tables, kinds, each, options.seed), 0, 0
        for n, position in enumerate(positions):
            verdict = tables.probe(position)
            longest = max(longest, (verdict and verdict.plies) or 0)
            if won_by(player, position, tables, limit, options.seed + n):
                won += 1
            else:
                result["not_won"].append([game.write_position(position), str(verdict)])
        result["materials"].append(
            {"material": written(kinds), "played": len(positions), "won": won, "longest": longest}
        )
    result["seconds"] = time.perf_counter() - start
    print(markdown(result), *result["not_won"][:20], sep="\n")
    if options.out is not None:
        keep(result, options.out, markdown(result))


if __name__ == "__main__":
    main()
