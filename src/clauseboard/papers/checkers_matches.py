"""What tables 6.1 to 6.11 of the checkers thesis share: its player, and who it played against.

The player looks at every line of three moves, has a Tsetlin Machine predict the boards at their
ends, and averages upwards. Player 1 is the machine that it uses as black, Player 2 the one that it
uses as white; both are trained on the third fold of NoDupeCheck StandardEnd.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from clauseboard.papers import experiment as table
from clauseboard.papers.checkers_tables import BEST, ENDS, PLAYER_FOLD, SOURCE
from clauseboard.papers.experiment import Figure, PaperTable, RunSize, Task
from clauseboard.papers.matches import Pairing, match_figures, needs_machine
from clauseboard.papers.materials import BoardSource
from clauseboard.papers.training import TrainingSchedule, fold_task

SIZES = {
    "quick": replace(table.SIZES["quick"], games=2),
    "default": replace(table.SIZES["default"], boards=None, share=1 / 10, epochs=40, games=100),
    "full": table.SIZES["full"],
}

PREDICTORS = "black={0},white={1},by=player"
SEARCH = "search=breadth_first,depth=3,sees_last_end=false"
"""As the thesis has it: what ends in three moves is left to the machine to see."""

PLAYER = f"tsetlin:{PREDICTORS},{SEARCH}"
"""Player 1 as black, Player 2 as white."""

STRONG = "material:depth=9"
WEAK = "material:depth=5"
ONLINE = "material:depth=3"
NEWCOMER = "material:depth=1"
"""In the place of strong and weak Kingsrow, of 247 Checkers and of a person new to the game: one
who counts pieces after so many moves."""

STAND_INS = (
    "Those who count pieces by alpha-beta stand in for opponents that are not at hand; nothing is "
    "known of how they compare with Kingsrow, with 247 Checkers or with the author of the thesis. "
    "What is published is not about them, so that these rows have no difference."
)
NOBODY = "The row as published has no figure of ours, since there is no such opponent here. "

RULES = (
    "The thesis does not say when its games were drawn. Ours are at the third time of a position, "
    "or after forty moves of each side in which nothing was taken and no man moved."
)
COUNTED = (
    "Numbers of games; where fewer were played than published, ours are counted as if there had "
    "been as many. Players draw lots between moves of the same worth, so that games differ."
)
PREDICTED = (
    "Both predictors are trained on the data named above at the size named above, and stopped by "
    "their test boards, as published: Player 1 for black, Player 2 with wins and losses inverted "
    "for white. (Section 6.2 has a threshold of 4,000; tables 4.12 and 5.6 have 40,000, which is "
    "taken here.)"
)
NOTES = (COUNTED, PREDICTED, RULES)


def predictors(size: RunSize, source: BoardSource) -> tuple[Task, Task]:
    """The tasks that train Player 1 and Player 2."""
    boards, machine = source.boards(ENDS), BEST.at(size)
    fold = min(PLAYER_FOLD, boards.n_folds - 1)
    one, two = (
        fold_task(boards, fold, machine, TrainingSchedule(size.epochs, side=side), keep=True)
        for side in ("black", "white")
    )
    return one, two


def match_tasks(
    size: RunSize,
    source: BoardSource,
    players: tuple[str, str],
    n_games: int,
    swap: bool = False,
) -> tuple[Task, ...]:
    """The games of a match, or as many of them as the size has."""
    machines = predictors(size, source) if any(map(needs_machine, players)) else ()
    pairing = Pairing("checkers", *players, machines=machines, swap=swap)
    return pairing.tasks(size.games_of(n_games))


def described(players: tuple[str, str], n_games: int, size: RunSize) -> str:
    """A match in words."""
    machines = f", machines of {BEST.at(size)}" if any(map(needs_machine, players)) else ""
    return f"{size.games_of(n_games)} games of {players[0]} against {players[1]}{machines}"


class MatchSide(NamedTuple):
    """One side of a match: its name in the table, and the player's line; None: there is none."""

    name: str
    line: str | None


Sides = tuple[MatchSide, MatchSide]


def match_table(
    number: str,
    where: str,
    title: str,
    sides: Sides,
    published: tuple[int, int, int],
    notes: tuple[str, ...] = (),
    swap: bool = False,
    stand_ins: tuple[tuple[str, Sides], ...] = (),
) -> PaperTable:
    """A table of one match: wins of both sides, and draws.

    If one of the sides is nobody we have, its row has no figures of ours; `stand_ins` are rows of
    matches with others in its place, for which nothing is published.
    """
    n_games = sum(published)
    rows = {f"{sides[0].name} against {sides[1].name}": sides, **dict(stand_ins)}
    at_hand = {row: pair for row, pair in rows.items() if lines_of(pair) is not None}
    lines = [line for pair in at_hand.values() for line in lines_of(pair) or ()]

    def plan(size: RunSize, source: BoardSource) -> list[Figure]:
        figures: list[Figure] = []
        for row, pair in rows.items():
            tasks: tuple[Task, ...] = ()
            settings, players = "not at hand", lines_of(pair)
            if players is not None:
                tasks = match_tasks(size, source, players, n_games, swap)
                settings = described(players, n_games, size)
            names = (pair[0].name, pair[1].name)
            told = published if pair is sides else None
            figures += match_figures(row, names, told, tasks, settings, n_games)
        return figures

    first = next(iter(at_hand))
    return PaperTable(
        source=SOURCE,
        number=number,
        where=where,
        title=title,
        plan=plan,
        headline=(first, at_hand[first][0].name),
        notes=(*notes, *(NOTES if any(map(needs_machine, lines)) else (COUNTED, RULES))),
        sizes=SIZES,
    )


def lines_of(sides: Sides) -> tuple[str, str] | None:
    """The players' lines, if both are at hand."""
    one, two = sides[0].line, sides[1].line
    return None if one is None or two is None else (one, two)
