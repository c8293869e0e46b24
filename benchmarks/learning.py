"""The players that come with the package against others, beside what is left of them without votes.

Every match has the openings and the seed that are told; the colours are swapped after each game,
but where a side is named the player has it in all of them. With --quick a few games of each are
played, to see that it works.

The player of the checkers thesis needs its two machines, Player 1 for black and Player 2 for white,
as `black.tm` and `white.tm` in the folder --machines; without it those matches are left out, and
without GNU Go on the machine those against it.

    python benchmarks/learning.py --jobs 2 --out benchmarks/results/learning.json
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clauseboard.arena.match import Match, MatchResult, read_openings, run_matches
from clauseboard.arena.reporting import game_text
from clauseboard.engines.process import find_program
from clauseboard.evaluation import Limit
from clauseboard.game import load_game
from clauseboard.players import read_player
from clauseboard.players.shipped import FOLDER
from stamp import keep, new_parser, stamp

SEED = 7

THESIS = (
    "tsetlin:black='MACHINES/black.tm',white='MACHINES/white.tm',by=player,search=breadth_first,"
    "depth=3,sees_last_end=false"
)
"""The player of the checkers thesis (`papers/checkers_matches.py`)."""

HEX_TEACHER = "rollouts:rollouts=1,simulations=10000,exploration=0.4"
"""Whose games the player of large boards of Hex learned from in its first round."""

HEX_BEFORE = f"tsetlin:moves='{FOLDER / 'hex-11-moves.tm'}',search=mcts,rollouts=4"
"""The player of large boards of Hex before there were concepts: patterns, and random games."""

GNU_GO = "engine:command='gnugo --mode gtp --chinese-rules --capture-all-dead --level 1'"
"""The other program, as Debian has it; without it its matches are left out."""


@dataclass(frozen=True)
class Pairing:
    """A player against another: in what, how many games, with what limit and which openings.

    With a `side`, the first or the second colour, the player has it in every game.
    """

    game: str
    parameters: dict[str, Any]
    player: str
    other: str
    games: int
    seconds: float | None
    openings: str
    side: str | None = None


PAIRINGS = (
    Pairing("hex", {"size": 6}, "shipped", "rollouts", 200, None, "all"),
    Pairing("hex", {"size": 6}, "shipped", "solver", 100, None, "none", "red"),
    Pairing("hex", {"size": 6}, "shipped:zero=true", "rollouts", 72, None, "all"),
    Pairing("hex", {"size": 6}, "shipped:zero=true", "solver", 100, None, "none", "red"),
    Pairing("hex", {"size": 11}, "shipped", "rollouts", 242, None, "all"),
    Pairing("hex", {"size": 11}, "shipped:zero=true", "rollouts", 100, None, "all"),
    Pairing("hex", {"size": 11}, "shipped", HEX_TEACHER, 100, None, "all"),
    Pairing("hex", {"size": 11}, "shipped:zero=true", HEX_TEACHER, 100, None, "all"),
    Pairing("hex", {"size": 11}, "shipped", HEX_BEFORE, 100, 0.1, "50"),
    Pairing("hex", {"size": 7}, "shipped", "rollouts", 98, None, "all"),
    Pairing("hex", {"size": 14}, "shipped", "rollouts", 100, None, "all"),
    Pairing("checkers", {}, "shipped", "material", 200, 0.1, "100"),
    Pairing("checkers", {}, "shipped:zero=true", "material", 40, 0.1, "20"),
    Pairing("checkers", {}, "shipped:depth=5", "random", 200, None, "100"),
    Pairing("checkers", {}, "shipped:depth=2", "random", 200, None, "100"),
    Pairing("checkers", {}, "shipped:zero=true,depth=2", "random", 200, None, "100"),
    Pairing("checkers", {}, "shipped:seconds=0.1", THESIS, 100, None, "100"),
    Pairing("checkers", {}, "shipped:zero=true,seconds=0.1", THESIS, 30, None, "100"),
    Pairing("go", {"size": 9}, "shipped", "rollouts:rollouts=1", 100, 0.5, "none"),
    Pairing("go", {"size": 9}, "shipped:zero=true", "rollouts:rollouts=1", 100, 0.5, "none"),
    Pairing("go", {"size": 9}, "shipped", GNU_GO, 100, 0.5, "none"),
    Pairing("go", {"size": 9}, "shipped:zero=true", GNU_GO, 100, 0.5, "none"),
    Pairing("go", {"size": 9}, "shipped:simulations=2", "random", 200, None, "none"),
    Pairing("go", {"size": 9}, "shipped:simulations=2,zero=true", "random", 200, None, "none"),
)


def played(pairing: Pairing, n_games: int, jobs: int, seed: int, machines: Path) -> dict[str, Any]:
    """A match, and what it came to."""
    game = load_game(pairing.game, **pairing.parameters)
    openings = read_openings(game, pairing.openings, seed=1)
    limit = Limit(seconds=pairing.seconds)
    players = (pairing.player, pairing.other.replace("MACHINES", str(machines)))
    both_sides = 1 if pairing.side is None else 2
    match = Match(game, players, both_sides * n_games, seed, limit, openings)
    start = time.perf_counter()
    if pairing.side is None:
        (result,) = run_matches([match], jobs=jobs)
    else:
        # The games of a match in which the player has that side.
        first = game.colours.index(pairing.side)
        made = [read_player(text, game) for text in players]
        numbers = range(first, match.n_games, 2)
        result = MatchResult(match, tuple(match.play(number, made) for number in numbers))
    return page_of(pairing, result, time.perf_counter() - start)


def page_of(pairing: Pairing, result: MatchResult, seconds: float) -> dict[str, Any]:
    """A match as figures; seconds a move are means over all moves of a player."""
    counts, score = result.counts(0), result.score
    spent: list[list[float]] = [[], []]
    for game in result.games:
        for turn, thought in enumerate(game.thoughts):
            spent[(turn + game.n_given + game.swapped) % 2].append(thought.seconds)
    own, other = (sum(each) / max(len(each), 1) for each in spent)
    colours = result.match.game.colours
    return {
        "game": repr(result.match.game),
        "player": pairing.player,
        "against": pairing.other,
        "limit": repr(result.match.limit),
        "seed": result.match.seed,
        "side": pairing.side,
        "games": counts.games,
        "won": counts.wins,
        "drawn": counts.draws,
        "lost": counts.losses,
        "score": [score.score, score.low, score.high],
        "won_by_colour": {colour: result.counts(0, colour).wins for colour in colours},
        "seconds_a_move": [own, other],
        "repeats": result.repeats,
        "seconds": seconds,
    }


def markdown(result: dict[str, Any]) -> str:
    """The figures as a table."""
    load = result["load_before"][0]
    lines = [
        f"Measured {result['date'][:10]} on {result['machine']['cpu']}, by `{result['command']}`; "
        f"seed {result['matches'][0]['seed']}, load before {load:.1f} on "
        f"{result['machine']['cores']} cores. Games that came twice: "
        f"{sum(row['repeats'] for row in result['matches'])}.",
        "",
        "| game | player | against | games | won | as | drawn | lost | score | 95 % | time |",
        "|---|---|---|---:|---:|---|---:|---:|---:|---:|---:|",
    ]
    for row in result["matches"]:
        score, low, high = (100 * part for part in row["score"])
        own, other = row["seconds_a_move"]
        by = {c: won for c, won in row["won_by_colour"].items() if row["side"] in (None, c)}
        sides = ", ".join(f"{colour} {won}" for colour, won in by.items())
        lines.append(
            f"| {game_text(row['game'])} | `{row['player']}` | `{row['against']}` | "
            f"{row['games']} | {row['won']} | {sides} | "
            f"{row['drawn']} | {row['lost']} | {score:.1f} % | "
            f"{low:.0f} to {high:.0f} | {own / max(other, 1e-9):.2f} of the other's |"
        )
    return "\n".join(lines) + "\n"


def main() -> None:
    """Play the matches and keep the result."""
    parser = new_parser(__doc__, quick="four games of each match")
    parser.add_argument("--jobs", type=int, default=1, help="processes to play in")
    parser.add_argument("--seed", type=int, default=SEED, help="of the games")
    parser.add_argument("--only", default="", help="matches of this game only")
    parser.add_argument("--size", type=int, nargs="+", help="matches on boards of these only")
    parser.add_argument("--machines", type=Path, help="the folder of the thesis's two machines")
    options = parser.parse_args()
    result: dict[str, Any] = {**stamp(), "matches": []}
    machines = options.machines or Path()
    missing = [THESIS] if options.machines is None else []
    if find_program("gnugo") is None:
        missing.append(GNU_GO)
    for pairing in PAIRINGS:
        of_size = not options.size or pairing.parameters.get("size") in options.size
        asked = pairing.game.startswith(options.only) and of_size
        if asked and pairing.other not in missing:
            n_games = 4 if options.quick else pairing.games
            page = played(pairing, n_games, options.jobs, options.seed, machines)
            result["matches"].append(page)
            print(markdown({**result, "matches": result["matches"][-1:]}).splitlines()[-1])
            keep(result, options.out, markdown(result))


if __name__ == "__main__":
    main()
