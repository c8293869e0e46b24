"""Results for programs (JSON), for people (text) and for documents (Markdown); and the strength of
the shipped players in words, from the matches on their cards."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from html import escape

from clauseboard.arena.match import MatchResult, ScoreCounts, Standings
from clauseboard.arena.ratings import Rating, ScoreInterval, elo_difference, gain, score_interval
from clauseboard.html_parts import notebook_part, table
from clauseboard.players.shipped import GameCounts, MeasuredMatch

MOST_REASONS = 8
"""Reasons for an end that are listed; the others are counted together."""


@dataclass(frozen=True)
class ReportTable:
    """A table: its title, the heads of its columns, and rows of text."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]

    def as_text(self) -> list[str]:
        """The table in plain columns, without its title."""
        rows = [self.heads, *self.rows]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return [
            "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip()
            for row in rows
        ]

    def as_markdown(self) -> list[str]:
        """The table as Markdown, under its title."""
        rows = [[cell.replace("|", "\\|") for cell in row] for row in (self.heads, *self.rows)]
        ruler = ["---", *["---:"] * (len(self.heads) - 1)]
        lines = [f"| {' | '.join(row)} |" for row in (rows[0], ruler, *rows[1:])]
        return [f"## {self.title}", "", *lines, ""]

    def as_html(self) -> list[str]:
        """The table as HTML, under its title."""
        heads = [*self.heads[:1], *(f"# {head}" for head in self.heads[1:])]
        return [f"<h3>{escape(self.title)}</h3>", table(heads, self.rows)]

    def _repr_html_(self) -> str:
        """The table, for notebooks."""
        return notebook_part(self.as_html())


# ---- matches


def match_page(result: MatchResult, seconds: float | None = None) -> dict[str, object]:
    """All about a match, for JSON; what has no bound is null."""
    n_games = len(result.counted)
    score = {name: round(value, 6) for name, value in asdict(result.score).items()}
    return {
        "match": result.match.id,
        **result.match.settings(),
        "games": len(result.games),
        "seconds": None if seconds is None else round(seconds, 3),
        "colours": {
            colour: {"wins": wins, "share": _share(wins, n_games)}
            for colour, wins in result.wins_by_colour.items()
        },
        "draws": result.counts(0).draws,
        "results": [
            {
                "player": name,
                **asdict(result.counts(side)),
                "by_colour": {c: asdict(result.counts(side, c)) for c in result.match.game.colours},
                "late_moves": result.late[side],
                "broken_off": result.broken_off[side],
            }
            for side, name in enumerate(names_of(result))
        ],
        "score": score,
        "elo": _rating(result.elo),
        "average_length": round(result.average_length, 2),
        "repeats": result.repeats,
        "replayed": result.replayed,
        "adjudicated": result.adjudicated,
        "reasons": dict(result.reasons.most_common()),
    }


def match_text(result: MatchResult, seconds: float | None = None) -> str:
    """A match for people."""
    first, second = names_of(result)
    n_games, score = len(result.counted), result.score
    game = game_text(repr(result.match.game))
    lines = [f"{len(result.games):,} games of {game}: {first} against {second}"]
    if seconds is not None:
        lines.append(f"Time taken: {seconds:.2f} seconds.")
    lines.append("")
    won = [(f"{colour.capitalize()} won", wins) for colour, wins in result.wins_by_colour.items()]
    for name, count in [*won, ("Drawn", result.counts(0).draws)]:
        lines.append(f"{name:<12} {count:>7,} times = {100 * _share(count, n_games):6.2f} %")
    lines += ["", *match_table(result).as_text(), ""]
    lines += [
        f"Score of {first}: {100 * score.score:.1f} %, with 95 % certainty from "
        f"{100 * score.low:.1f} to {100 * score.high:.1f} %.",
        f"Elo difference: {_elo_difference_text(result.elo)}.",
        f"Average length: {result.average_length:.1f} moves.",
        _repeats_text(result) or "No game was played twice.",
    ]
    for name, late in zip((first, second), result.late, strict=True):
        if late:
            lines.append(f"{name} took far longer than allowed for {late} moves.")
    lines += broken_off_texts(result)
    return "\n".join([*lines, "", "How the games ended:", *_reason_lines(result.reasons)])


def match_part(result: MatchResult) -> str:
    """A match for notebooks: the score, the table, and how the games ended."""
    first, second = names_of(result)
    score, game = result.score, game_text(repr(result.match.game))
    told = (
        f"{first} scored {100 * score.score:.1f} % ({100 * score.low:.0f} to "
        f"{100 * score.high:.0f}) of {len(result.counted):,} games of {game} against {second}."
    )
    ends = ReportTable(
        "How the games ended",
        ("", "games"),
        [[reason, f"{count:,}"] for reason, count in result.reasons.most_common(MOST_REASONS)],
    )
    parts = (match_table(result), ends)
    said = [f"<p>{escape(text)}</p>" for text in (told, *broken_off_texts(result))]
    return notebook_part([*said, *(p for t in parts for p in t.as_html())])


def match_table(result: MatchResult) -> ReportTable:
    """Wins, draws and losses of both players, with each colour and together."""
    colours = result.match.game.colours
    rows = [
        [name, *(_counts_text(result.counts(side, colour)) for colour in (*colours, None))]
        for side, name in enumerate(names_of(result))
    ]
    heads = ["", *(f"as {colour}" for colour in colours), "both"]
    return ReportTable("Wins-draws-losses", heads, rows)


def names_of(result: MatchResult) -> tuple[str, str]:
    """The names of the two players; numbered if they are the same."""
    first, second = result.match.players
    return (f"{first} (1)", f"{second} (2)") if first == second else (first, second)


def game_text(written: str) -> str:
    """A game for people.

    >>> game_text("load_game('hex', size=7)")
    'hex, size=7'
    """
    return written.removeprefix("load_game(").removesuffix(")").replace("'", "")


# ---- tournaments


def tournament_part(standings: Standings) -> str:
    """A tournament for notebooks: its tables and notes."""
    tables = [line for each in tournament_tables(standings) for line in each.as_html()]
    notes = [f"<p>{escape(note)}</p>" for note in tournament_notes(standings)]
    return notebook_part([f"<p>{escape(tournament_title(standings))}</p>", *tables, *notes])


def tournament_page(standings: Standings, seconds: float | None = None) -> dict[str, object]:
    """All about a tournament, for JSON."""
    colours = standings.results[0].match.game.colours
    return {
        "game": repr(standings.results[0].match.game),
        "seconds": None if seconds is None else round(seconds, 3),
        "first": colours[0],
        "second": colours[1],
        "players": list(standings.players),
        "games": standings.n_games,
        "ratings": [
            {
                "player": standings.players[place],
                **_rating(standings.ratings[place]),
                **asdict(standings.total(place)),
            }
            for place in standings.ranking
        ],
        "results": [[None if c is None else asdict(c) for c in row] for row in standings.counts],
        "lengths": [[None if v is None else round(v, 2) for v in row] for row in standings.lengths],
        "matches": [match_page(result) for result in standings.results],
    }


def tournament_title(standings: Standings) -> str:
    """The number of games, and the game."""
    return f"{standings.n_games:,} games of {game_text(repr(standings.results[0].match.game))}"


def tournament_tables(standings: Standings) -> list[ReportTable]:
    """Ratings, and two matrices: results and lengths, the player who begins in rows."""
    first, second = standings.results[0].match.game.colours
    order = f"{first} (begins) in rows, {second} in columns"
    # A player has the same number in all three tables, where the names are too long for heads.
    labels = [f"{n} {name}" for n, name in enumerate(standings.players, 1)]
    heads = ["", *(str(n) for n in range(1, len(labels) + 1))]
    ratings = []
    for place in standings.ranking:
        rating, total = standings.ratings[place], standings.total(place)
        elo, low, high = (f"{round(v, 1):+.0f}" for v in (rating.elo, rating.low, rating.high))
        counts = map(str, (total.wins, total.draws, total.losses))
        ratings.append([labels[place], elo, f"{low} to {high}", *counts])
    drawn = any(cell and cell.draws for row in standings.counts for cell in row)
    results = [
        [label, *("—" if cell is None else _counts_text(cell, drawn) for cell in row)]
        for label, row in zip(labels, standings.counts, strict=True)
    ]
    lengths = [
        [label, *("—" if cell is None else f"{cell:.1f}" for cell in row)]
        for label, row in zip(labels, standings.lengths, strict=True)
    ]
    kind = "wins-draws-losses" if drawn else "wins-losses"
    return [
        ReportTable(
            "Ratings in Elo points (Bradley and Terry, average 0)",
            ["player", "Elo", "95 % interval", "wins", "draws", "losses"],
            ratings,
        ),
        ReportTable(f"Results, {kind}: {order}", heads, results),
        ReportTable(f"Average number of moves: {order}", heads, lengths),
    ]


def tournament_notes(standings: Standings) -> list[str]:
    """Repeated games, slow players, and how the games ended."""
    lines, reasons = [], Counter[str]()
    for result in standings.results:
        pair = " against ".join(names_of(result))
        if repeats := _repeats_text(result):
            lines.append(f"{pair}: {repeats}")
        for name, late in zip(names_of(result), result.late, strict=True):
            if late:
                lines.append(f"{pair}: {name} was far too slow for {late} moves.")
        lines += [f"{pair}: {text}" for text in broken_off_texts(result)]
        reasons.update(dict(result.reasons.most_common()))
    return [*lines, "How the games ended:", *_reason_lines(reasons)]


# ---- shipped players


def strength_text(match: MeasuredMatch) -> str:
    """A match in one line, with the score of the search alone.

    >>> strength_text(MeasuredMatch("random", "depth 2", (60, 0, 20))).partition(" Elo")[0]
    '75.0 % (65 to 83) of 80 games, +191'
    """
    return played_text(match) + (f"; without votes {without_votes(match)}" if match.zero else "")


def played_text(match: MeasuredMatch) -> str:
    """A match in one line."""
    against = f"against {match.against}, {match.how}"
    return f"{share_text(match.games)} games, {elo_text(match.games)}, {against}"


def share_text(games: GameCounts) -> str:
    """The share of the points with its interval, and the number of games."""
    share = score_interval(*games)
    percent = f"{100 * share.score:.1f} % ({100 * share.low:.0f} to {100 * share.high:.0f})"
    return f"{percent} of {sum(games):,}"


def counts_text(games: GameCounts) -> str:
    """Games won, drawn and lost, without those of which there are none."""
    counts = [f"{n:,} {how}" for n, how in zip(games, ("won", "drawn", "lost"), strict=True) if n]
    return "all won" if games[0] == sum(games) else ", ".join(counts)


def elo_text(games: GameCounts) -> str:
    """The Elo difference; a bound, if every game was won or lost."""
    elo = elo_difference(*games)
    if elo.elo == math.inf:
        return f"more than {elo.low:+.0f} Elo"
    return f"less than {elo.high:+.0f} Elo" if elo.elo == -math.inf else f"{elo.elo:+.0f} Elo"


def without_votes(match: MeasuredMatch) -> str:
    """The score of the same search without votes; empty if that was not measured."""
    return "" if match.zero is None else share_text(match.zero)


def gain_of(match: MeasuredMatch) -> ScoreInterval | None:
    """What votes add to the share of the points; None if the search was not measured alone."""
    if match.zero is None:
        return None
    return gain(score_interval(*match.games), score_interval(*match.zero))


# ---- parts of reports


def _share(count: int, n_games: int) -> float:
    return round(count / max(n_games, 1), 6)


def _counts_text(counts: ScoreCounts, draws: bool = True) -> str:
    middle = [counts.draws] if draws else []
    return "-".join(map(str, (counts.wins, *middle, counts.losses)))


def _rating(rating: Rating) -> dict[str, float | None]:
    return {k: round(v, 1) if math.isfinite(v) else None for k, v in asdict(rating).items()}


def _elo_difference_text(rating: Rating) -> str:
    elo, low, high = (f"{round(v, 1):+.0f}" for v in (rating.elo, rating.low, rating.high))
    if rating.elo == math.inf:
        return f"without bound, since every game was won; more than {low}"
    if rating.elo == -math.inf:
        return f"without bound, since every game was lost; less than {high}"
    return f"{elo}, with 95 % certainty from {low} to {high}"


def broken_off_texts(result: MatchResult) -> list[str]:
    """What became of games in which a player failed or broke the rules, in sentences."""
    lines = [
        f"{_games(n)} broken off, since {name} failed or broke the rules, and counted for nobody."
        for name, n in zip(names_of(result), result.broken_off, strict=True)
        if n
    ]
    if result.adjudicated:
        known = "where best play loses, and counted as lost"
        lines.append(f"{_games(result.adjudicated)} broken off {known}.")
    if result.replayed:
        lines.append(f"{_games(result.replayed)} broken off and played again.")
    return lines


def _games(n: int) -> str:
    return f"{n:,} game{' was' if n == 1 else 's were'}"


def _repeats_text(result: MatchResult) -> str:
    if not result.repeats:
        return ""
    return (
        f"{result.repeats:,} of the {len(result.games):,} games are move by move the same as "
        "another one: they tell nothing new. Openings make games differ."
    )


def _reason_lines(reasons: Counter[str]) -> list[str]:
    ordered = reasons.most_common()
    lines = [f"{count:>7,}  {reason}" for reason, count in ordered[:MOST_REASONS]]
    others = ordered[MOST_REASONS:]
    if others:
        lines.append(f"{sum(count for _, count in others):>7,}  in {len(others)} other ways")
    return lines
