"""Results as pages for programs (JSON), for people (text) and for documents (Markdown)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from clauseboard.arena.match import Counts, Result
from clauseboard.arena.ratings import Rating, Score
from clauseboard.arena.tournament import Standings

MOST_REASONS = 8
"""Ways to end that are listed; the others are counted together."""


def match_page(result: Result, seconds: float | None = None) -> dict[str, Any]:
    """All about a match, for JSON; what has no bound is null."""
    game = result.match.game
    n_games = len(result.games)
    return {
        "match": result.match.id,
        **result.match.settings(),
        "games": n_games,
        "seconds": None if seconds is None else round(seconds, 3),
        "colours": {
            colour: {"wins": wins, "share": _share(wins, n_games)}
            for colour, wins in result.wins_by_colour.items()
        },
        "draws": result.counts(0).draws,
        "results": [
            {
                "player": name,
                **_counts(result.counts(place)),
                "by_colour": {c: _counts(result.counts(place, c)) for c in game.colours},
                "late_moves": result.late[place],
            }
            for place, name in enumerate(names_of(result))
        ],
        "score": _score(result.score),
        "elo": _rating(result.elo),
        "average_length": round(result.average_length, 2),
        "repeats": result.repeats,
        "reasons": dict(result.reasons.most_common()),
    }


def names_of(result: Result) -> tuple[str, str]:
    """What the two players are called; numbered if they are called alike."""
    first, second = result.match.players
    return (f"{first} (1)", f"{second} (2)") if first == second else (first, second)


def game_text(written: str) -> str:
    """A game for people.

    >>> game_text("load_game('hex', size=7)")
    'hex, size=7'
    """
    return written.removeprefix("load_game(").removesuffix(")").replace("'", "")


def match_text(page: dict[str, Any]) -> str:
    """A match for people."""
    first, second = (entry["player"] for entry in page["results"])
    n_games, score, elo = page["games"], page["score"], page["elo"]
    lines = [f"{n_games:,} games of {game_text(page['game'])}: {first} against {second}"]
    if page["seconds"] is not None:
        lines.append(f"Time taken: {page['seconds']:.2f} seconds.")
    lines.append("")
    shares = [(f"{colour.capitalize()} won", c["wins"]) for colour, c in page["colours"].items()]
    for what, count in [*shares, ("Drawn", page["draws"])]:
        lines.append(f"{what:<12} {count:>7,} times = {100 * _share(count, n_games):6.2f} %")
    colours = list(page["colours"])
    lines += ["", *as_text(match_table(page, colours)), ""]
    lines.append(
        f"Score of {first}: {100 * score['score']:.1f} %, with 95 % certainty from "
        f"{100 * score['low']:.1f} to {100 * score['high']:.1f} %."
    )
    lines.append(f"Elo difference: {_elo_text(elo)}.")
    lines.append(f"Average length: {page['average_length']:.1f} moves.")
    lines.append(_repeats_text(page["repeats"], n_games))
    for entry in page["results"]:
        if entry["late_moves"]:
            lines.append(
                f"{entry['player']} took far longer than allowed for {entry['late_moves']} moves."
            )
    lines += ["", "How the games ended:", *_reason_lines(page["reasons"])]
    return "\n".join(lines)


@dataclass(frozen=True)
class Table:
    """A table: its title, the heads of its columns, and rows of text."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]


def match_table(page: dict[str, Any], colours: Sequence[str]) -> Table:
    """Wins, draws and losses of both players, with each colour and together."""
    rows = [
        [
            entry["player"],
            *(_counts_text(entry["by_colour"][colour]) for colour in colours),
            _counts_text(entry),
        ]
        for entry in page["results"]
    ]
    return Table("Wins-draws-losses", ["", *(f"as {colour}" for colour in colours), "both"], rows)


def tournament_page(found: Standings, seconds: float | None = None) -> dict[str, Any]:
    """All about a tournament, for JSON."""
    colours = found.results[0].match.game.colours
    ranked = sorted(range(len(found.players)), key=lambda place: -found.ratings[place].elo)
    return {
        "game": repr(found.results[0].match.game),
        "seconds": None if seconds is None else round(seconds, 3),
        "first": colours[0],
        "second": colours[1],
        "players": list(found.players),
        "games": sum(len(result.games) for result in found.results),
        "ratings": [
            {
                "player": found.players[place],
                **_rating(found.ratings[place]),
                **_counts(found.total(place)),
            }
            for place in ranked
        ],
        "results": [[None if c is None else _counts(c) for c in row] for row in found.counts],
        "lengths": [[None if v is None else round(v, 2) for v in row] for row in found.lengths],
        "matches": [match_page(result) for result in found.results],
    }


def tournament_tables(page: dict[str, Any]) -> list[Table]:
    """Ratings, and the two matrices: results and lengths, who begins in rows."""
    players = page["players"]
    order = f"{page['first']} (begins) in rows, {page['second']} in columns"
    # A player has the same number in all three tables, where the names are too long for heads.
    labels = {name: f"{n} {name}" for n, name in enumerate(players, 1)}
    ratings = [
        [
            labels[row["player"]],
            f"{row['elo']:+.0f}",
            f"{row['low']:+.0f} to {row['high']:+.0f}",
            *(str(row[what]) for what in ("wins", "draws", "losses")),
        ]
        for row in page["ratings"]
    ]
    heads = ["", *(str(n) for n in range(1, len(players) + 1))]
    drawn = any(cell and cell["draws"] for row in page["results"] for cell in row)
    results = [
        [label, *("—" if cell is None else _counts_text(cell, drawn) for cell in row)]
        for label, row in zip(labels.values(), page["results"], strict=True)
    ]
    lengths = [
        [label, *("—" if cell is None else f"{cell:.1f}" for cell in row)]
        for label, row in zip(labels.values(), page["lengths"], strict=True)
    ]
    kind = "wins-draws-losses" if drawn else "wins-losses"
    return [
        Table(
            "Ratings in Elo points (Bradley and Terry, average 0)",
            ["player", "Elo", "95 % interval", "wins", "draws", "losses"],
            ratings,
        ),
        Table(f"Results, {kind}: {order}", heads, results),
        Table(f"Average number of moves: {order}", heads, lengths),
    ]


def tournament_notes(page: dict[str, Any]) -> list[str]:
    """What else is to be known of a tournament: repeated games, slow players, odd ends."""
    lines = []
    for match in page["matches"]:
        pair = " against ".join(entry["player"] for entry in match["results"])
        if match["repeats"]:
            lines.append(f"{pair}: {_repeats_text(match['repeats'], match['games'])}")
        for entry in match["results"]:
            if entry["late_moves"]:
                late = entry["late_moves"]
                lines.append(f"{pair}: {entry['player']} was far too slow for {late} moves.")
    reasons: dict[str, int] = {}
    for match in page["matches"]:
        for reason, count in match["reasons"].items():
            reasons[reason] = reasons.get(reason, 0) + count
    return [*lines, "How the games ended:", *_reason_lines(reasons)]


def as_text(table: Table) -> list[str]:
    """A table in plain columns, without its title."""
    rows = [table.heads, *table.rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(table.heads))]
    return [
        "  ".join(
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def as_markdown(table: Table) -> list[str]:
    """A table as Markdown, under its title."""
    rows = [[cell.replace("|", "\\|") for cell in row] for row in (table.heads, *table.rows)]
    ruler = ["---", *["---:"] * (len(table.heads) - 1)]
    return [
        f"## {table.title}",
        "",
        *(f"| {' | '.join(row)} |" for row in (rows[0], ruler, *rows[1:])),
        "",
    ]


# ---- parts of pages


def _share(count: int, n_games: int) -> float:
    return round(count / n_games, 6) if n_games else 0.0


def _counts(counts: Counts) -> dict[str, int]:
    return {"wins": counts.wins, "draws": counts.draws, "losses": counts.losses}


def _counts_text(entry: dict[str, int], draws: bool = True) -> str:
    middle = [entry["draws"]] if draws else []
    return "-".join(str(count) for count in (entry["wins"], *middle, entry["losses"]))


def _score(score: Score) -> dict[str, float]:
    return {
        "score": round(score.score, 6),
        "low": round(score.low, 6),
        "high": round(score.high, 6),
    }


def _rating(rating: Rating) -> dict[str, float | None]:
    values = {"elo": rating.elo, "low": rating.low, "high": rating.high}
    return {k: round(v, 1) if math.isfinite(v) else None for k, v in values.items()}


def _elo_text(elo: dict[str, float | None]) -> str:
    low, high = elo["low"], elo["high"]
    if elo["elo"] is None:
        if low is not None:
            return f"without bound, since every game was won; more than {low:+.0f}"
        return f"without bound, since every game was lost; less than {high:+.0f}"
    return f"{elo['elo']:+.0f}, with 95 % certainty from {low:+.0f} to {high:+.0f}"


def _repeats_text(repeats: int, n_games: int) -> str:
    if not repeats:
        return "No game was played twice."
    return (
        f"{repeats:,} of the {n_games:,} games are move by move the same as another one: "
        "they tell nothing new. Openings make games differ."
    )


def _reason_lines(reasons: dict[str, int]) -> list[str]:
    ordered = sorted(reasons.items(), key=lambda item: -item[1])
    lines = [f"{count:>7,}  {reason}" for reason, count in ordered[:MOST_REASONS]]
    others = ordered[MOST_REASONS:]
    if others:
        lines.append(f"{sum(count for _, count in others):>7,}  in {len(others)} other ways")
    return lines
