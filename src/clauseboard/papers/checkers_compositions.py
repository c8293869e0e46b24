"""What tables 4.1 to 4.9 of the checkers thesis share: each tells what one data set holds."""

from __future__ import annotations

from clauseboard.papers import experiment as table
from clauseboard.papers.boards import BoardSet
from clauseboard.papers.checkers_tables import SOURCE
from clauseboard.papers.counting import TOTAL, composition_figures
from clauseboard.papers.experiment import Figure, PaperTable, RunSize
from clauseboard.papers.materials import BoardSource

SIZES = {**table.SIZES, "default": table.SIZES["full"]}
"""Counting is quick: without --quick every board is counted, as published."""

NAMES = {
    "standard-end": "StandardEnd",
    "end-second-third": "EndSecondThird",
    "end-to-eight": "EndToEight",
    "metadata": "StandardPureMetaData",
}
"""Our compositions by the names of the thesis."""

UNIQUE = (
    "Ours drop a board as a duplicate if an earlier one is the same and has the same result; a "
    "board with two results stays twice. The thesis does not say how it counts those."
)


ONE_MORE = (
    "From the thesis's own file of boards this gives one more than it has, in tables 4.2 and 4.8 "
    "alike."
)
TWO_CHECKS = (
    "By the published numbers the check dropped 29,602 boards of EndSecondThird and 19,601 of "
    "EndToEight, although all boards of the first are among those of the second: it cannot have "
    "been the same check."
)


def composition_table(
    number: str,
    section: str,
    composition: str,
    unique: bool,
    published: tuple[int, float, float, float, float],
    notes: tuple[str, ...] = (),
) -> PaperTable:
    """The table of a composition, with or without its duplicates."""
    check = f"{'with' if unique else 'without'} dupe check"
    row = f"{NAMES[composition]} {check}"

    def plan(size: RunSize, source: BoardSource) -> list[Figure]:
        boards = source.boards(BoardSet("checkers", composition, unique))
        return composition_figures(row, boards, published)

    return PaperTable(
        source=SOURCE,
        number=number,
        where=f"section {section}, table {number}: dataset data of {row}",
        title=f"what {NAMES[composition]} holds, {check}",
        plan=plan,
        headline=(row, TOTAL),
        notes=(*((UNIQUE,) if unique else ()), *notes),
        sizes=SIZES,
    )
