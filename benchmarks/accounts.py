"""How accounts of checkers, Hex and Go read, and how true the chances of checkers are.

Positions come from recorded games (PDN), or from a file of the checkers thesis's boards (--boards,
see tsetlin_data.py): quiet ones, spread over the games, on which the side to move has a choice. For
each player: how many lines an account has, what the five strongest carry of all points, how often
their sum agrees with the verdict where the chance is more than three points from even, how many
sentences have a negation, and how many words they have. With --games, the log loss and the Brier
score of the chances on the quiet boards of those games, beside those of the other players, and a
reliability picture of the first one: the chance that was told, and the share of points that was
scored.

    python benchmarks/accounts.py --boards oca_end_second_third.npz --games games.pdn \\
        --out benchmarks/results/accounts.json
    python benchmarks/accounts.py --hex 11 6 --positions 200 \\
        --out benchmarks/results/accounts-hex.json
    python benchmarks/accounts.py --records games.pdn --positions 20 --to-read twenty.md
    python benchmarks/accounts.py --hex 11 6 --positions 10 --seed 7 --to-read twenty-of-hex.md
    python benchmarks/accounts.py --go 2000 --positions 20 --seed 7 --to-read twenty-of-go.md

With --hex, boards of that size come from games of the shipped player against itself, each by its
own seed and none learned from: 2 random moves or more, one later move in twenty at random, 50
simulations a move, and up to five boards of each game on which connections do not decide yet. With
--go, boards of 9x9 come from such games in the same way, after 10 to 60 moves; the account of a
board is that of the player's move by so many simulations. With --to-read, the accounts of the first
player's moves are written beside their boards, to be read by a person: one middle-game board of
each game, in Hex up to three moves after connections have decided.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from clauseboard.evaluation import Limit
from clauseboard.explaining import Account, explain
from clauseboard.game import Position, load_game
from clauseboard.games.hex.concepts import decided
from clauseboard.games.plugins import RECORDS
from clauseboard.games.records import Report
from clauseboard.players import read_player
from stamp import keep, new_parser, stamp
from tsetlin_data import read

NEGATIONS = re.compile(r"\b(not|no|nothing|none|never|without|own|neither|nor)\b")
"""Words that deny. "White has no king" is counted, too, though players say so."""

STRONGEST, SEED = 5, 1
RANDOM_MOVES, BOARDS_A_GAME, BEYOND = 0.05, 5, 3
FEWEST_PIECES, MIDDLE_GAME = 8, 12
"""Boards with fewer than eight pieces are endings, of which tables speak."""

GAME = load_game("checkers", quiet_moves=None, repetitions=None)


def is_quiet(position: Position) -> bool:
    """Whether the game goes on and nothing has to be taken; and there is a choice."""
    moves = position.moves()
    return len(moves) > 1 and not any(move.captured for move in moves)


def is_middle_game(position: Any) -> bool:
    """Whether pieces are off the board, and many are left."""
    return MIDDLE_GAME <= sum(map(int.bit_count, position.board[:2])) < 24


def thesis_positions(path: Path, n: int) -> list[Position]:
    """Quiet boards of a file, with black to move, or white where black has to take."""
    rows = read(path)["boards"]
    positions = []
    for row in np.random.default_rng(SEED).permutation(len(rows)):
        bits = np.unpackbits(rows[row])
        for colour in GAME.colours:
            position = GAME.decode(bits, colour)
            if bits.sum() >= FEWEST_PIECES and position.outcome() is None and is_quiet(position):
                positions.append(position)
                break
        if len(positions) == n:
            break
    return positions


def recorded(path: Path) -> Iterator[tuple[list[Position], str | None]]:
    """The quiet positions of each game of a file, and the winner."""
    for game in RECORDS.of(GAME).read_games(path, Report()):
        if game.outcome is not None:
            yield [p for p in game.positions[:-1] if is_quiet(p)], game.outcome.winner


def to_read(spec: str, positions: list[Position], simulations: int | None = None) -> str:
    """The accounts of a player's moves beside their boards, as Markdown."""
    players, parts = {}, []
    for number, position in enumerate(positions, 1):
        game = position.game
        if game not in players:
            players[game] = read_player(spec, game)
        account = explain(players[game], position, simulations=simulations)
        parts += [
            f"### {number}. {game.write_position(position)}",
            f"```text\n{game.text(position)}\n```",
            f"The player chooses **{account.move}**.",
            f"```text\n{account}\n```",
        ]
    return "\n\n".join(parts) + "\n"


def hex_positions(size: int, n: int) -> list[Position]:
    """Boards of games of the shipped player of Hex that are not decided yet."""
    positions: list[Position] = []
    for path, draw in hex_games(size, "accounts"):
        positions += draw.sample(path, min(BOARDS_A_GAME, len(path)))
        if len(positions) >= n:
            break
    return positions[:n]


def hex_games(
    size: int, name: str, beyond: int = 0
) -> Iterator[tuple[list[Position], random.Random]]:
    """The boards of games of the shipped player of Hex after their random first moves.

    They end where connections decide, or so many moves later.
    """
    game = load_game("hex", size=size)
    player = read_player("shipped", game)
    for seed in itertools.count():
        draw, position, path = random.Random(f"{name} {size} {seed}"), game.start(), []
        for colour in game.colours:
            player.begin(game, colour, seed)
        given, left = draw.randint(2, size // 2 + 1), beyond
        while position.outcome() is None and (decided(position) is None or left):
            left -= decided(position) is not None
            if len(path) >= given:
                move = player.choose(position, Limit(simulations=50)).move
            if len(path) < given or draw.random() < RANDOM_MOVES:
                move = draw.choice(position.moves())
            path.append(position)
            position = position.play(move)
        yield path[given:], draw


def go_positions(n: int, name: str = "accounts") -> list[Position]:
    """Boards of games of the shipped player of Go, one of each."""
    game = load_game("go", size=9)
    player, positions = read_player("shipped", game), []
    for seed in range(n):
        draw, position = random.Random(f"{name} go {seed}"), game.start()
        for colour in game.colours:
            player.begin(game, colour, seed)
        given = draw.randint(2, 8)
        for move_number in range(draw.randint(10, 60)):
            if move_number < given or draw.random() < RANDOM_MOVES:
                move = draw.choice(position.moves()[:-1])  # the last one is the pass
            else:
                move = player.choose(position, Limit(simulations=50)).move
            if position.play(move).outcome() is None:
                position = position.play(move)
        positions.append(position)
    return positions


def read_accounts(
    spec: str, positions: list[Position], simulations: int | None = None
) -> dict[str, Any]:
    """The figures of the accounts of a player's evaluator, or of its moves by a search."""
    player = read_player(spec, positions[0].game)
    lines, shares, agree, words, denied, texts = [], [], [], [], 0, 0
    alone = []
    for position in positions:
        if simulations is None:
            account = Account(player.evaluators[position.to_move].explain(position), position)
        else:
            account = explain(player, position, simulations=simulations)
        points = [line.points for line in account.lines]
        lines.append(len(points))
        alone.append(0 if account.alone is None else len(account.alone.lines))
        total = sum(map(abs, points))
        strongest = sorted(points, key=abs, reverse=True)[:STRONGEST]
        if total:
            shares.append(sum(map(abs, strongest)) / total)
        if abs(account.verdict.chance - 0.5) > 0.03:
            agree.append((sum(strongest) > 0) == (account.verdict.chance > 0.5))
        for line in account.lines:
            texts += 1
            denied += bool(NEGATIONS.search(line.text))
            words.append(len(line.text.split()))
    return {
        "positions": len(positions),
        "lines": float(np.mean(lines)),
        "most lines": int(max(lines)),
        "lines by a judge without a search": float(np.mean(alone)),
        "five strongest carry": float(np.mean(shares)),
        "five strongest agree": float(np.mean(agree)),
        "verdicts away from even": len(agree),
        "sentences with a negation": denied / max(texts, 1),
        "words a sentence": float(np.mean(words)),
    }


def chances(spec: str, positions: list[Position]) -> np.ndarray:
    """What the evaluator of a player gives the side to move."""
    evaluator = read_player(spec, GAME).evaluators[GAME.colours[0]]
    values = evaluator.judge(positions).values
    return np.array([evaluator.chance(float(value)) for value in values])


def scaled(told: np.ndarray, scored: np.ndarray) -> np.ndarray:
    """Chances on the scale of odds that fits the games best: for those that were never fitted."""
    odds = np.log(np.clip(told, 1e-6, 1 - 1e-6) / np.clip(1 - told, 1e-6, 1))
    factors = np.geomspace(0.05, 50, 400)
    losses = [log_loss(1 / (1 + np.exp(-factor * odds)), scored) for factor in factors]
    return 1 / (1 + np.exp(-factors[int(np.argmin(losses))] * odds))


def log_loss(told: np.ndarray, scored: np.ndarray) -> float:
    """The mean log loss; a draw is half a win."""
    told = np.clip(told, 1e-9, 1 - 1e-9)
    return float(-(scored * np.log(told) + (1 - scored) * np.log(1 - told)).mean())


def calibration(spec: str, positions: list[Position], scored: np.ndarray) -> dict[str, Any]:
    """Losses of a player's chances, as they are and on the best scale; and tenths of chances."""
    told = chances(spec, positions)
    tenths = np.minimum((10 * told).astype(int), 9)
    table = [
        [
            float(told[tenths == k].mean()),
            float(scored[tenths == k].mean()),
            int((tenths == k).sum()),
        ]
        for k in range(10)
        if (tenths == k).any()
    ]
    return {
        "boards": len(positions),
        "log loss": log_loss(told, scored),
        "Brier score": float(((told - scored) ** 2).mean()),
        "log loss, best scale": log_loss(scaled(told, scored), scored),
        "told, scored, boards": table,
    }


def picture(table: list[list[float]]) -> str:
    """The chances told against the points scored, as SVG; the larger a point, the more boards."""
    size, most = 300, max(row[2] for row in table)
    dots = "".join(
        f'<circle cx="{30 + size * told:.1f}" cy="{10 + size * (1 - scored):.1f}" '
        f'r="{3 + 7 * (boards / most) ** 0.5:.1f}" fill="#2a6f97" fill-opacity="0.7"/>'
        for told, scored, boards in table
    )
    ticks = "".join(
        f'<text x="{30 + size * k / 4:.0f}" y="{size + 26}" text-anchor="middle">{25 * k} %</text>'
        f'<text x="26" y="{14 + size * (1 - k / 4):.0f}" text-anchor="end">{25 * k}</text>'
        for k in range(5)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size + 60} {size + 50}" '
        'font-family="sans-serif" font-size="11">'
        f'<rect x="30" y="10" width="{size}" height="{size}" fill="none" stroke="#999"/>'
        f'<line x1="30" y1="{10 + size}" x2="{30 + size}" y2="10" stroke="#bbb"/>{dots}{ticks}'
        f'<text x="{30 + size / 2:.0f}" y="{size + 44}" text-anchor="middle">'
        "chance told; upwards, points scored</text></svg>\n"
    )


def page(found: dict[str, Any]) -> str:
    """The figures as tables."""
    lines = ["# Accounts: how they read, and how true their chances are", ""]
    for title, rows in found.items():
        if rows:
            names = [name for name in next(iter(rows.values())) if not name.startswith("told")]
            lines += [f"## {title.capitalize()}", ""]
            lines += [
                f"| | {' | '.join(f'`{spec}`' for spec in rows)} |",
                "|---" * (1 + len(rows)) + "|",
            ]
            lines += [
                f"| {name} | {' | '.join(f'{figures[name]:.4g}' for figures in rows.values())} |"
                for name in names
            ]
            lines.append("")
    for spec, figures in found["chances"].items():
        lines += [f"## Chances told by `{spec}`", "", "| told | scored | boards |", "|---|---|---|"]
        lines += [
            f"| {100 * told:.1f} % | {100 * scored:.1f} % | {boards:,} |"
            for told, scored, boards in figures["told, scored, boards"]
        ]
        lines.append("")
    return "\n".join(lines)


def main() -> None:
    """Read accounts and test chances, as the command asks."""
    parser = new_parser(__doc__)
    parser.add_argument("--boards", type=Path, help="boards of the checkers thesis")
    parser.add_argument("--records", type=Path, help="recorded games to take positions from")
    parser.add_argument("--games", type=Path, help="games (PDN) on which chances are tested")
    parser.add_argument("--hex", type=int, nargs="+", default=[], help="sizes of Hex boards")
    parser.add_argument("--go", type=int, help="simulations of accounts of Go")
    parser.add_argument("--positions", type=int, default=300)
    parser.add_argument("--seed", type=int, default=SEED, help="which positions of the records")
    parser.add_argument("--to-read", type=Path, help="Markdown file for accounts of moves")
    parser.add_argument("--players", nargs="+", default=["shipped", "material"])
    parser.add_argument("--picture", type=Path, help="SVG file for the reliability picture")
    options = parser.parse_args()
    found: dict[str, Any] = {"accounts": {}, "chances": {}}
    positions: list[Position] = []
    if options.to_read is not None:
        for size in options.hex:
            games_of_hex = hex_games(size, f"read {options.seed}", BEYOND)
            found_boards = (draw.choice(path) for path, draw in games_of_hex if path)
            positions += itertools.islice(found_boards, options.positions)
    for size in () if positions else options.hex:
        boards_of_hex = hex_positions(size, options.positions)
        found["accounts"][f"hex {size}x{size}"] = read_accounts("shipped", boards_of_hex)
        print(size, found["accounts"][f"hex {size}x{size}"], flush=True)
    if options.go is not None and options.to_read is not None:
        positions += go_positions(options.positions, f"read {options.seed}")
    elif options.go is not None:
        boards_of_go = go_positions(options.positions, f"accounts {options.seed}")
        found["accounts"]["go 9x9"] = read_accounts("shipped", boards_of_go, options.go)
        print(found["accounts"]["go 9x9"], flush=True)
    if options.boards is not None:
        positions = thesis_positions(options.boards, options.positions)
    elif options.records is not None:
        draw = random.Random(options.seed)
        games = [quiet for quiet, _ in recorded(options.records)]
        if options.to_read is not None:
            games = [[p for p in quiet if is_middle_game(p)] for quiet in games]
        games = [quiet for quiet in games if quiet]
        positions = [draw.choice(quiet) for quiet in draw.sample(games, options.positions)]
    if options.to_read is not None:
        text = to_read(options.players[0], positions, options.go)
        options.to_read.write_text(text, "utf-8")
        return
    for spec in options.players if positions else []:
        found["accounts"][spec] = read_accounts(spec, positions)
        print(spec, found["accounts"][spec], flush=True)
    if options.games is not None:
        boards, scored = [], []
        for quiet, winner in recorded(options.games):
            boards += quiet
            scored += [0.5 if winner is None else float(winner == p.to_move) for p in quiet]
        for spec in options.players:
            found["chances"][spec] = calibration(spec, boards, np.array(scored))
            print(spec, found["chances"][spec], flush=True)
        if options.picture is not None:
            first = found["chances"][options.players[0]]
            options.picture.write_text(picture(first["told, scored, boards"]), "utf-8")
    keep({**stamp(), **found}, options.out, page(found))


if __name__ == "__main__":
    main()
