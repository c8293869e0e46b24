"""The ladder of levels: how often each level of the shipped player beats the one below.

    python benchmarks/levels.py
    python benchmarks/levels.py --only hex --jobs 2

Each level plays 100 games against the one below, with colours swapped after each game, from drawn
openings where the game has some. The strongest level searches as it does where a match sets no
limit. A level's Elo is the sum of the differences on the way up from the beginner. The level that
adapts plays against three others. The figures go to src/clauseboard/players/levels.json, which the
page reads, and to results/levels.json; with --only those of other games stay as they were.
"""

import contextlib
import itertools
import json
from pathlib import Path
from typing import Any

from clauseboard.arena.match import Match, MatchResult, read_openings, run_matches
from clauseboard.arena.playing import MatchStore
from clauseboard.game import Game, load_game
from clauseboard.players import write_spec
from clauseboard.players.levels import ADAPTIVE, MEASURED, level_names
from stamp import keep, new_parser, stamp

OUT = Path(__file__).parent / "results/levels.json"
BOARDS: dict[str, dict[str, Any]] = {"checkers": {}, "go": {"size": 9}, "hex": {"size": 11}}
OPENINGS = {"checkers": "50"}
"""Games in which strong players would repeat themselves begin with an opening."""
OTHERS = ("easy", "medium", "hard")
"""Levels that the one that adapts plays against."""


def main() -> None:
    """Play the matches and write what came of them."""
    parser = new_parser(__doc__)
    parser.add_argument("--only", nargs="+", choices=BOARDS, default=list(BOARDS), help="games")
    parser.add_argument("--games", type=int, default=100, help="games of a match")
    parser.add_argument("--adaptive-games", type=int, default=20, help="of the one that adapts")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument(
        "--store",
        type=Path,
        help="a file of games to go on from; a new one after a change of levels",
    )
    options = parser.parse_args()
    found: dict[str, Any] = json.loads(MEASURED.read_text("utf-8")) if MEASURED.is_file() else {}
    for name in options.only:
        game = load_game(name, **BOARDS[name])
        found[name] = measured(game, options.games, options.adaptive_games, options)
    if options.out is None:
        MEASURED.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    result = {"what": "levels of the shipped player", **stamp(), "seed": options.seed, **found}
    head = f"Measured {result['date'][:10]} on {result['machine']['cpu']} by `{result['command']}`."
    if set(found) > set(options.only):
        head += " The other games were measured before."
    keep(result, options.out or OUT, "\n".join([head, "", *table(found), ""]))


def measured(game: Game, n_games: int, n_adaptive: int, options: Any) -> dict[str, Any]:
    """What the matches of all levels of a game gave, by level."""
    board = f"{game.name} {game.size} x {game.size}" if hasattr(game, "size") else game.name
    names = level_names(game)
    found: dict[str, Any] = {names[0]: {"board": board, "elo": 0}}
    elo = 0.0
    for below, level in itertools.pairwise(names):
        result = played(game, level, below, n_games, options)
        counts = result.counts(0)
        elo += result.elo.elo
        found[level] = {
            "board": board,
            "elo": round(elo),
            "below": below,
            "games": [counts.wins, counts.draws, counts.losses],
            "repeats": result.repeats,
        }
    scores = []
    for other in OTHERS:
        counts = played(game, ADAPTIVE, other, n_adaptive, options).counts(0)
        scores.append([other, round(100 * counts.points / counts.games)])
    found[ADAPTIVE] = {"board": board, "games_each": n_adaptive, "scores": scores}
    return found


def played(game: Game, level: str, other: str, n_games: int, options: Any) -> MatchResult:
    """A match of two levels."""
    lines = tuple(write_spec("shipped", {"level": name}) for name in (level, other))
    openings = read_openings(game, OPENINGS.get(game.name, "none"), options.seed)
    match = Match(game, (lines[0], lines[1]), n_games, options.seed, openings=openings)
    with contextlib.ExitStack() as stack:
        store = options.store and stack.enter_context(MatchStore(options.store))
        result = run_matches([match], options.jobs, store)[0]
    print(f"{game.name}: {level} against {other}: {result.counts(0)}", flush=True)
    return result


def table(found: dict[str, Any]) -> list[str]:
    """The ladder of each game as Markdown."""
    lines = ["| game | level | Elo | against the level below | points |", "|---|---|---:|---|---:|"]
    for levels in found.values():
        for name, level in levels.items():
            board = level["board"]
            if name == ADAPTIVE:
                said = ", ".join(f"{score} % against {other}" for other, score in level["scores"])
                lines.append(f"| {board} | {name} | | {said} | |")
                continue
            won, drawn, lost = level.get("games", (0, 0, 0))
            said = f"{won} won, {drawn} drawn, {lost} lost" if "games" in level else ""
            points = f"{100 * (won + drawn / 2) / (won + drawn + lost):.1f} %" if said else ""
            lines.append(f"| {board} | {name} | {level['elo']} | {said} | {points} |")
    return lines


if __name__ == "__main__":
    main()
