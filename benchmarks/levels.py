"""The levels of the shipped player: the ladder, the one that adapts, and how weak a beginner is.

    python benchmarks/levels.py
    python benchmarks/levels.py --only hex --part adaptive newcomer --jobs 2

ladder: each level plays 100 games against the one below, with colours swapped after each game, from
drawn openings where the game has some. The strongest level searches as it does where a match sets
no limit. A level's Elo is the sum of the differences on the way up from the beginner.

adaptive: the level that adapts plays series of 20 games against fixed levels, as a person would on
the page: each game of a series is played around the level that the last one led to.

newcomer: the beginner plays 100 games against a rule player that stands for a person who knows only
the rules (newcomers.py). Of every third move in the first 30 games it is measured
what it loses of the chance by a judge that looks further, in Go also in points; in checkers it is
counted how often it gives a man away in sight.

The figures go to src/clauseboard/players/levels.json, which the page reads, and to
results/levels.json, with the command of each; what is not measured anew stays as it was. --take
reads them from files that were made elsewhere with --out.
"""

import contextlib
import itertools
import json
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from clauseboard.arena.match import Match, MatchResult, read_openings, run_matches
from clauseboard.arena.playing import MatchStore
from clauseboard.evaluation import Limit
from clauseboard.game import Game, load_game
from clauseboard.parallel import spread
from clauseboard.player import Player, chance_of
from clauseboard.players import load_player, write_spec
from clauseboard.players.levels import ADAPTIVE, AROUND, MEASURED, level_names, next_around
from newcomers import NAME, make, material_lost
from stamp import keep, new_parser, stamp

OUT = Path(__file__).parent / "results/levels.json"
BOARDS: dict[str, dict[str, Any]] = {"checkers": {}, "hex": {"size": 11}, "go": {"size": 9}}
OPENINGS = {"checkers": "50"}
"""Games in which strong players would repeat themselves begin with an opening."""
OTHERS = ("easy", "medium", "hard")
"""Levels that the one that adapts plays against."""
PARTS = ("ladder", "adaptive", "newcomer")
JUDGES = {
    "checkers": Limit(depth=11),
    "hex": Limit(simulations=400),
    "go": Limit(simulations=1500),
}
"""How far the judge of a beginner's moves looks."""
POINTS = {"go": ("over_10_points", 10.0), "checkers": ("gives_a_man", 1.0)}
"""From what loss on a move is counted apart: ten points of the score, or a man in sight."""
OPEN = 0.1
"""A game is open while the chance of either side is above this."""
EVERY = 3
"""Of how many moves one is judged: an odd number, for both sides."""


def main() -> None:
    """Measure, and write what came of it."""
    parser = new_parser(__doc__)
    parser.add_argument("--only", nargs="+", choices=BOARDS, default=list(BOARDS), help="games")
    parser.add_argument("--part", nargs="+", choices=PARTS, default=list(PARTS), help="what")
    parser.add_argument("--level", nargs="+", help="steps of the ladder, by their upper level")
    parser.add_argument("--games", type=int, default=100, help="games of a match")
    parser.add_argument("--series", type=int, default=5, help="series against each fixed level")
    parser.add_argument("--series-games", type=int, default=20, help="games of a series")
    parser.add_argument("--judged-games", type=int, default=30, help="games with judged moves")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--take", nargs="+", type=Path, default=[], help="files of other runs")
    parser.add_argument(
        "--store",
        type=Path,
        help="a file of games of the ladder to go on from; a new one after a change of levels",
    )
    options = parser.parse_args()
    found: dict[str, Any] = json.loads(MEASURED.read_text("utf-8")) if MEASURED.is_file() else {}
    kept = json.loads(OUT.read_text("utf-8")) if OUT.is_file() else {}
    commands: dict[str, Any] = {
        name: dict(kept.get("commands", {}).get(name, {})) for name in BOARDS
    }
    for path in options.take:
        other = json.loads(path.read_text("utf-8"))
        for name, part in ((name, part) for name in other["only"] for part in other["part"]):
            measured = [*(other["level"] or level_names(game_of(name))), "beginner"]
            take(
                part, found.setdefault(name, {}), other[name], level_names(game_of(name)), measured
            )
            key = named(part, other["level"])
            note(commands[name], key, other["commands"][name][key])
    for name in () if options.take else options.only:
        game = game_of(name)
        for part in options.part:
            new = MEASURE[part](game, options)
            take(part, found.setdefault(name, {}), new, level_names(game), list(new))
            head = stamp()
            key = named(part, options.level)
            by = [head["date"][:10], head["machine"]["cpu"], head["command"]]
            note(commands[name], key, by)
    if options.out is None:
        MEASURED.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    result = {
        "what": "levels of the shipped player",
        **stamp(),
        "seed": options.seed,
        "only": options.only,
        "part": options.part,
        "level": options.level,
        "commands": commands,
        **found,
    }
    page = [*sources(commands), "", *ladder_table(found), "", *adaptive_table(found), ""]
    keep(result, options.out or OUT, "\n".join([*page, *newcomer_table(found), ""]))


def take(
    part: str,
    levels: dict[str, Any],
    new: dict[str, Any],
    names: Sequence[str],
    measured: list[str],
) -> None:
    """Put what one part measured among the figures of a game's levels.

    `names` are the levels of the game, and `measured` those of which the ladder was played.
    """
    if part == "ladder":
        for name, level in new.items():
            if "elo" in level and name in measured:
                own = {key: value for key, value in level.items() if key != NAME}
                levels[name] = {**levels.get(name, {}), **own}
        old = dict(levels)
        levels.clear()
        elo = 0
        for name in (*names, ADAPTIVE):
            if name not in old:
                continue
            levels[name] = old[name]
            if name != ADAPTIVE:
                elo += old[name].get("step", 0)
                levels[name]["elo"] = elo
    elif part == "adaptive":
        levels[ADAPTIVE] = new[ADAPTIVE]
    else:
        levels["beginner"] = {**levels.get("beginner", {}), NAME: new["beginner"][NAME]}


def named(part: str, level: Sequence[str] | None) -> str:
    """A part in the list of commands: all steps of a ladder, or some."""
    return f"{part}: {', '.join(level)}" if part == "ladder" and level else part


def note(commands: dict[str, Any], key: str, by: list[str]) -> None:
    """Note what a part of a game was measured by, instead of what it takes the place of.

    >>> commands = {"ladder": ["a"], "ladder: easy": ["b"], "adaptive": ["c"]}
    >>> note(commands, "ladder: easy, casual", ["d"])
    >>> list(commands)
    ['ladder', 'adaptive', 'ladder: easy, casual']
    """
    part, _, steps = key.partition(": ")
    for old in list(commands):
        old_part, _, old_steps = old.partition(": ")
        covered = not steps or (old_steps and {*old_steps.split(", ")} <= {*steps.split(", ")})
        if old_part == part and covered:
            del commands[old]
    commands[key] = by


def game_of(name: str) -> Game:
    """A game on the board on which its levels are measured."""
    return load_game(name, **BOARDS[name])


def board_of(game: Game) -> str:
    """A game and the size of its board."""
    return f"{game.name} {game.size} x {game.size}" if hasattr(game, "size") else game.name


def level_line(level: str, **more: str) -> str:
    """The player of a level, as one line."""
    return write_spec("shipped", {"level": level, **more})


# ---- the ladder


def measure_ladder(game: Game, options: Any) -> dict[str, Any]:
    """What the matches of all levels of a game gave, by level."""
    names = level_names(game)
    found: dict[str, Any] = {names[0]: {"board": board_of(game), "elo": 0}}
    for below, level in itertools.pairwise(names):
        if level not in (options.level or names):
            continue
        result = played(game, level_line(level), level_line(below), options)
        counts = result.counts(0)
        found[level] = {
            "board": board_of(game),
            "elo": 0,  # the sum of all steps; see `take`
            "step": round(result.elo.elo),
            "below": below,
            "games": [counts.wins, counts.draws, counts.losses],
            "repeats": result.repeats,
        }
    return found


def played(game: Game, player: str, other: str, options: Any) -> MatchResult:
    """A match of two players."""
    openings = read_openings(game, OPENINGS.get(game.name, "none"), options.seed)
    match = Match(game, (player, other), options.games, options.seed, openings=openings)
    with contextlib.ExitStack() as stack:
        store = options.store and stack.enter_context(MatchStore(options.store))
        result = run_matches([match], options.jobs, store, make=make)[0]
    print(f"{game.name}: {player} against {other}: {result.counts(0)}", flush=True)
    return result


def ladder_table(found: dict[str, Any]) -> list[str]:
    """The ladder of each game as Markdown."""
    lines = ["| game | level | Elo | against the level below | points |", "|---|---|---:|---|---:|"]
    for levels in found.values():
        for name, level in levels.items():
            if "elo" not in level:
                continue
            won, drawn, lost = level.get("games", (0, 0, 0))
            said = f"{won} won, {drawn} drawn, {lost} lost" if "games" in level else ""
            points = f"{100 * (won + drawn / 2) / (won + drawn + lost):.1f} %" if said else ""
            lines.append(f"| {level['board']} | {name} | {level['elo']} | {said} | {points} |")
    return lines


# ---- the level that adapts


def measure_adaptive(game: Game, options: Any) -> dict[str, Any]:
    """The points of the level that adapts in series of games against fixed levels."""
    tasks = [
        (game, other, options.series_games, options.seed + 1000 * n)
        for other in OTHERS
        for n in range(options.series)
    ]
    points: dict[str, list[list[float]]] = {other: [] for other in OTHERS}
    for other, seed, gained in spread(play_series, tasks, options.jobs):
        points[other].append(gained)
        print(f"{game.name}: adaptive against {other}, seed {seed}: {sum(gained):g}", flush=True)
    scores = [[other, share([p for one in points[other] for p in one])] for other in OTHERS]
    half = options.series_games // 2
    later = [[other, share([p for one in points[other] for p in one[half:]])] for other in OTHERS]
    return {
        ADAPTIVE: {
            "board": board_of(game),
            "series": options.series,
            "games_each": options.series_games,
            "scores": scores,
            "second_half": later,
        }
    }


def play_series(game: Game, other: str, n_games: int, seed: int) -> tuple[str, int, list[float]]:
    """The points of the games of one series; whoever begins changes from game to game."""
    openings = read_openings(game, OPENINGS.get(game.name, "none"), seed)
    around, gained = AROUND, []
    for n in range(n_games):
        lines = [level_line(ADAPTIVE, around=around), level_line(other)]
        place = n % 2
        pair = (lines[place], lines[1 - place])
        opening = openings[n // 2 % len(openings)]
        match = Match(game, pair, 1, 100_000 * n + seed, openings=(opening,))
        gained.append(run_matches([match])[0].counts(place).points)
        around = next_around(game, around, gained[-1])
    return other, seed, gained


def share(points: list[float]) -> int:
    """Points of the most that there could be, in per cent."""
    return round(100 * statistics.fmean(points))


def adaptive_table(found: dict[str, Any]) -> list[str]:
    """The scores of the level that adapts as Markdown."""
    lines = [
        f"| game | the level that adapts, against | {' | '.join(OTHERS)} |",
        f"|---|---|{'---:|' * len(OTHERS)}",
    ]
    for levels in found.values():
        level = levels[ADAPTIVE]
        if "series" not in level:
            continue
        games = f"{level['series']} series of {level['games_each']} games"
        rows = {games: "scores", "the second half of each series": "second_half"}
        for said, key in rows.items():
            scores = " | ".join(f"{score} %" for _, score in level[key])
            lines.append(f"| {level['board']} | {said} | {scores} |")
    return lines


# ---- the beginner and a newcomer


def measure_newcomer(game: Game, options: Any) -> dict[str, Any]:
    """How the beginner plays against a newcomer, and what the moves of both lose."""
    lines = (level_line("beginner"), NAME)
    result = played(game, *lines, options)
    counts = result.counts(0)
    tasks = [
        (game, tuple(record.moves), n % EVERY, record.n_given, n)
        for n, record in enumerate(result.games[: options.judged_games])
    ]
    losses: dict[str, list[MoveLoss]] = {line: [] for line in lines}
    for n, found in spread(judge_moves, tasks, options.jobs):
        for ply, loss in found:
            losses[lines[ply % 2 ^ result.games[n].swapped]].append(loss)
    return {
        "beginner": {
            NAME: {
                "games": [counts.wins, counts.draws, counts.losses],
                "beginner": told(game, losses[lines[0]]),
                "newcomer": told(game, losses[NAME]),
            }
        }
    }


class MoveLoss(NamedTuple):
    """What a move lost by the judge: of the chance, and points in Go or men in checkers; and
    whether the game was open before it."""

    chance: float
    points: float | None
    is_open: bool


def told(game: Game, losses: list[MoveLoss]) -> dict[str, Any]:
    """What some moves have lost, in per cent of the chance, and what else the game counts."""
    chances = [100 * move.chance for move in losses]
    said: dict[str, Any] = {
        "moves": len(losses),
        "median": round(statistics.median(chances), 1),
        "mean": round(statistics.fmean(chances), 1),
        "over_10": round(100 * statistics.fmean(loss > 10 for loss in chances)),
        "over_30": round(100 * statistics.fmean(loss > 30 for loss in chances)),
    }
    counted = [move for move in losses if move.points is not None]
    key, most = POINTS.get(game.name, ("", 0.0))
    if counted and key:
        for end, moves in (("", counted), ("_open", [move for move in counted if move.is_open])):
            over = [move.points is not None and move.points >= most for move in moves]
            said[f"moves{end}"] = len(moves)
            said[f"{key}{end}"] = round(100 * statistics.fmean(over), 1) if over else 0.0
    return said


def judge_moves(
    game: Game, moves: tuple[str, ...], first: int, n_given: int, number: int
) -> tuple[int, list[tuple[int, MoveLoss]]]:
    """What every third move of a game lost by a judge, by its ply."""
    judge = load_player("shipped", game)
    position, found = game.start(), []
    for ply, text in enumerate(moves):
        move = position.read_move(text)
        if ply >= n_given and ply % EVERY == first and not getattr(move, "is_pass", False):
            found.append((ply, loss_of(judge, position, move)))
        position = position.play(move)
    return number, found


def loss_of(judge: Player, position: Any, move: Any) -> MoveLoss:
    """What a move loses by a judge: of the chance, and of points or men, where these count."""
    game, mover = position.game, position.to_move
    best = look(judge, position)
    before = chance_of(best) or 0.0
    is_open = OPEN < before < 1 - OPEN
    men = material_lost(position, move) if game.name == "checkers" else None
    if best.move == move:
        return MoveLoss(0.0, 0.0 if best.points is not None else men, is_open)
    after = position.play(move)
    outcome = after.outcome()
    if outcome is not None:
        return MoveLoss(max(0.0, before - (outcome.winner == mover)), men, is_open)
    reply = look(judge, after)
    sign = 1 if after.to_move == mover else -1
    chance = chance_of(reply) or 0.0
    lost = before - (chance if sign == 1 else 1 - chance)
    points = men
    if game.name == "go" and best.points is not None and reply.points is not None:
        points = best.points - sign * reply.points
    return MoveLoss(max(0.0, lost), points, is_open)


def look(judge: Player, position: Any) -> Any:
    """The judge's choice, without what it remembers of other boards."""
    judge.begin(position.game, position.to_move, 0)
    return judge.choose(position, JUDGES[position.game.name])


def newcomer_table(found: dict[str, Any]) -> list[str]:
    """The beginner and the newcomer as Markdown."""
    lines = [
        "| game | beginner against a newcomer | moves of | judged | median loss | mean | "
        "over 10 % | over 30 % | ten points lost, or a man given away | while the game is open |",
        "|---|---|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name, levels in found.items():
        level = levels["beginner"]
        if NAME not in level:
            continue
        won, drawn, lost = level[NAME]["games"]
        said = f"{won} won, {drawn} drawn, {lost} lost"
        key = POINTS.get(name, ("",))[0]
        for side in ("beginner", NAME):
            moves = level[NAME][side]
            points = [
                f"{moves[key + end]} %" if key + end in moves else "" for end in ("", "_open")
            ]
            lines.append(
                f"| {level['board']} | {said} | {side} | {moves['moves']} | {moves['median']} % | "
                f"{moves['mean']} % | {moves['over_10']} % | {moves['over_30']} % | "
                f"{' | '.join(points)} |"
            )
            said = ""
    return lines


def sources(commands: dict[str, Any]) -> list[str]:
    """When, where and by which command each part of each game was measured."""
    lines = ["| game | what | measured | on | by |", "|---|---|---|---|---|"]
    for name, parts in commands.items():
        for part, (date, cpu, command) in parts.items():
            lines.append(f"| {name} | {part} | {date} | {cpu} | `{command}` |")
    return lines


MEASURE = {"ladder": measure_ladder, "adaptive": measure_adaptive, "newcomer": measure_newcomer}


if __name__ == "__main__":
    main()
