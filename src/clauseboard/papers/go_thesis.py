"""The tables of the Go thesis, on 9×9 Go, University of Agder 2020.

Every machine learns for fifteen epochs; the tables show its accuracy on the test boards after some
of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from clauseboard.papers import PaperTable, ReadValues, RunSize, accuracy, sizes
from clauseboard.papers.boards import BoardSet
from clauseboard.papers.go_boards import GAME, GamesTable
from clauseboard.papers.go_search import (
    ALTERED,
    PUBLISHED_WINS,
    SEARCHER,
    UNALTERED,
    UNFINISHED,
    CaptureTable,
    DepthTable,
    Verdict,
    counted,
    predicted,
    right,
    score_of,
)
from clauseboard.papers.go_selfplay import (
    AGAINST,
    DEPTH,
    FOR,
    GAMES,
    MOVES,
    WIDTH,
    ClauseFigure,
    SearchClauseTable,
    SelfPlayTable,
)
from clauseboard.papers.shapes import (
    Column,
    CountRow,
    CountTable,
    MachineRow,
    MachineTable,
    after,
    amount,
    last_ten,
    repeats,
    share,
    total,
)
from clauseboard.papers.training import MachineParameters

TM = MachineParameters
NO_ARCHIVE = (
    "The archive of 2.34 million games by the program Aya is not public: ours are 30,000 games of "
    "a weak player of our own."
)
table = partial(PaperTable, "Go thesis", obstacle=NO_ARCHIVE)

EPOCHS = 15
SIZES = sizes({"epochs": EPOCHS}, {"boards": 3000, "epochs": EPOCHS}, {"epochs": EPOCHS})

ALL = BoardSet("go", "end")
"""The boards at the end of all games: "All", or "9x9Aya", in the thesis."""

# ---- tables 4.1 and 4.2: the data sets

TOTAL = 2_340_000
COUNTED_SIZES = {**SIZES, "default": replace(SIZES["default"], boards=TOTAL)}
"""Counting is quick: all but the smallest size count every board."""

RESULTS = {"win": (1_072_674, 45.84), "loss": (1_090_240, 46.59), "draw": (177_086, 7.57)}
"""Table 4.1: games by result, and their share."""

DATA_SETS = {
    "All": (ALL, 2_340_000, 1, 45.84, 46.59, 7.57),
    "100": (BoardSet("go", "after 100"), 614_871, 0, 55.07, 41.20, 3.73),
    "95": (BoardSet("go", "after 95"), 1_088_475, 1, 52.84, 41.91, 5.25),
    "90": (BoardSet("go", "after 90"), 1_629_693, 6, 50.10, 43.52, 6.38),
    "90_100T": (UNFINISHED, 614_871, 2, 55.07, 41.20, 3.73),
    "85": (BoardSet("go", "after 85"), 2_062_356, 11, 47.95, 44.97, 7.09),
    "80": (BoardSet("go", "after 80"), 2_283_679, 17, 46.36, 46.20, 7.54),
    "80_90T": (BoardSet("go", "after 80 of 90"), 1_629_693, 16, 50.1, 43.52, 6.38),
}
"""Table 4.2: size, duplicates, and the percentages of wins, losses and draws."""

COUNTS = (
    table(
        "4.1",
        "section 4.1, table 4.1: end game results when all moves have been completed; with "
        "figures 4.2 and 4.3",
        "results of the games",
        GamesTable(
            (
                *(
                    CountRow(
                        result,
                        (ALL,),
                        (
                            Column("amount", amount(result), number, digits=0),
                            Column("percentage", share(result), percentage),
                        ),
                    )
                    for result, (number, percentage) in RESULTS.items()
                ),
                CountRow("total", (ALL,), (Column("amount", total, TOTAL, digits=0),)),
            ),
            boards=ALL,
        ),
        headline=("draw", "percentage"),
        notes=(
            "Moves of our games are counted without the two passes that end each. The thesis says "
            "that half of its games are over after 92 to 94 moves. Scores in figure 4.3 are by "
            "area and without komi, as there.",
        ),
        sizes=COUNTED_SIZES,
    ),
    table(
        "4.2",
        "section 4.2, table 4.2: datasets with their amount of moves played and duplicates",
        "data sets by moves played, and their duplicates",
        CountTable(
            tuple(
                CountRow(
                    name,
                    (boards,),
                    (
                        Column("size", total, number, digits=0),
                        Column("duplicates", repeats, duplicates, digits=0),
                        Column("win %", share("win"), wins),
                        Column("loss %", share("loss"), losses),
                        Column("draw %", share("draw"), draws),
                    ),
                )
                for name, (boards, number, duplicates, wins, losses, draws) in DATA_SETS.items()
            )
        ),
        headline=("90_100T", "draw %"),
        notes=(
            "A duplicate is a board that is there before, whatever the result. The thesis does not "
            "say whether it counts results, too.",
            "The percentages of row 80 add up to 100.10, as printed.",
        ),
        sizes=COUNTED_SIZES,
    ),
)

# ---- tables 6.1 to 8.1: accuracy by epochs

OPTIMAL = TM(32_000, 8_000, 40)
"""The settings that chapter 6 ends with."""

EPOCHS_NOTE = (
    "Every machine learns for fifteen epochs, whatever its test boards say, so that no figure is "
    "too good for having been chosen by them. (The settings of later tables were.)"
)
UNTOLD_S = "s is not told with the table; section 6.4 says that it was 27 until then."

ODD_EPOCHS: dict[str, ReadValues] = {f"epoch {n}": after(n) for n in (1, 5, 9, 13, 15)}
FIFTH_EPOCHS: dict[str, ReadValues] = {
    **{f"epoch {n}": after(n) for n in (1, 5, 10, 15)},
    "last 10 epochs": last_ten,
}

SEARCH_SIZES = {
    "quick": replace(SIZES["quick"], share=1 / 50, games=4),
    "default": replace(SIZES["default"], share=1.0, games=200),
    "full": replace(SIZES["full"], games=1000),
}
"""Chapter 8 has few clauses to begin with; `games` are those that are searched."""

Accuracies = Sequence[tuple[float, float | None]]
"""Accuracy and standard deviation for each column; the last ten epochs have no deviation."""


def epochs_table(
    number: str,
    where: str,
    title: str,
    columns: Mapping[str, ReadValues],
    rows: Mapping[str, tuple[MachineParameters, BoardSet, Accuracies]],
    best: str,
    notes: tuple[str, ...] = (),
    sizes: Mapping[str, RunSize] = SIZES,
) -> PaperTable:
    """Accuracies after some epochs, with the figure of their curves; `best` is a row's name."""
    machine_rows = tuple(
        MachineRow(
            name,
            machine,
            boards,
            tuple(
                Column(column, read, mean, spread)
                for (column, read), (mean, spread) in zip(columns.items(), published, strict=True)
            ),
        )
        for name, (machine, boards, published) in rows.items()
    )
    return table(
        number,
        where,
        title,
        MachineTable(machine_rows, plot=(number, title)),
        headline=(best, list(columns)[-1]),
        notes=(EPOCHS_NOTE, *notes),
        sizes=sizes,
    )


BY_CLAUSES = {
    1_000: ((90.44, 0.24), (90.45, 0.12), (89.77, 0.22), (89.71, 0.35), (89.72, 0.16)),
    2_000: ((91.24, 0.26), (91.58, 0.08), (91.03, 0.09), (90.88, 0.18), (90.93, 0.05)),
    4_000: ((91.66, 0.15), (92.49, 0.23), (92.03, 0.15), (91.85, 0.15), (91.85, 0.12)),
    8_000: ((91.98, 0.16), (93.13, 0.31), (92.97, 0.28), (92.88, 0.34), (92.66, 0.43)),
    16_000: ((92.48, 0.13), (94.28, 0.40), (93.84, 0.60), (93.88, 0.39), (93.62, 0.41)),
    32_000: ((92.91, 0.32), (95.00, 0.61), (95.70, 0.52), (95.43, 0.53), (94.90, 0.49)),
}
BY_THRESHOLD = {
    2_000: ((92.81, 0.25), (94.20, 0.52), (94.57, 0.28), (94.37, 0.52), (94.37, 0.66)),
    4_000: ((93.21, 0.39), (94.91, 0.69), (94.74, 0.56), (94.49, 0.57), (94.51, 0.51)),
    8_000: ((93.08, 0.27), (95.46, 0.49), (95.39, 0.51), (95.25, 0.76), (95.37, 0.68)),
    16_000: ((92.91, 0.32), (95.00, 0.61), (95.70, 0.52), (95.43, 0.53), (94.90, 0.49)),
    32_000: ((92.52, 0.24), (94.18, 0.53), (94.55, 0.65), (95.07, 0.69), (94.91, 0.56)),
    64_000: ((92.20, 0.21), (93.43, 0.58), (94.24, 0.49), (94.60, 0.77), (94.72, 0.85)),
    128_000: ((92.07, 0.12), (93.17, 0.57), (93.51, 0.52), (93.98, 0.84), (93.95, 0.60)),
    256_000: ((91.66, 0.23), (92.61, 0.17), (92.84, 0.22), (93.00, 0.28), (93.29, 0.40)),
}
BY_S = {
    10: ((93.18, 0.48), (93.25, 0.69), (93.36, 0.49), (93.05, 0.47), (93.15, 0.62)),
    25: ((93.48, 0.69), (94.97, 0.70), (94.88, 0.52), (95.26, 0.72), (94.75, 0.71)),
    27: ((93.08, 0.27), (95.46, 0.49), (95.39, 0.51), (95.25, 0.76), (95.37, 0.68)),
    28: ((93.50, 0.30), (95.33, 0.61), (95.31, 0.75), (95.23, 0.52), (94.79, 0.72)),
    29: ((93.35, 0.47), (95.57, 0.55), (95.37, 0.45), (95.27, 0.58), (95.11, 0.35)),
    35: ((93.33, 0.50), (95.16, 0.68), (95.51, 0.59), (95.14, 0.81), (95.53, 0.48)),
    40: ((92.89, 0.39), (94.89, 0.63), (95.45, 0.57), (95.81, 0.45), (95.47, 0.38)),
    55: ((92.60, 0.37), (94.60, 0.35), (95.29, 0.55), (95.52, 0.47), (95.50, 0.35)),
}
BY_WINDOW = {
    5: ((92.74, 0.27), (94.13, 0.48), (94.14, 0.60), (93.84, 0.71), (94.11, None)),
    6: ((92.98, 0.19), (94.15, 0.48), (94.73, 0.73), (94.51, 0.48), (94.62, None)),
    7: ((93.07, 0.35), (95.02, 0.29), (94.78, 0.47), (94.81, 0.60), (94.91, None)),
    8: ((93.12, 0.37), (94.70, 0.63), (95.37, 0.38), (95.58, 0.54), (95.36, None)),
    9: ((92.91, 0.36), (95.08, 0.66), (95.44, 0.67), (95.52, 0.72), (95.46, None)),
}
BY_CLAUSES_UNFINISHED = {
    1_000: ((90.37, 0.12), (91.81, 0.1), (91.95, 0.12), (91.86, 0.1), (91.92, None)),
    2_000: ((91.18, 0.11), (92.25, 0.09), (92.4, 0.12), (92.39, 0.09), (92.37, None)),
    4_000: ((91.73, 0.06), (92.44, 0.12), (92.72, 0.07), (92.69, 0.11), (92.68, None)),
    8_000: ((92.08, 0.09), (92.74, 0.09), (92.89, 0.11), (92.95, 0.09), (92.88, None)),
    16_000: ((92.28, 0.08), (92.82, 0.2), (93.06, 0.1), (93.13, 0.11), (93.05, None)),
    32_000: ((92.43, 0.11), (93.05, 0.1), (93.28, 0.08), (93.22, 0.07), (93.2, None)),
}

BY_EPOCHS = (
    epochs_table(
        "6.1",
        "section 6.2, table 6.1 and figure 6.1: different clauses and 16,000 threshold",
        "accuracy by the number of clauses",
        ODD_EPOCHS,
        {f"{n:,} clauses": (TM(n, 16_000, 27), ALL, a) for n, a in BY_CLAUSES.items()},
        "32,000 clauses",
        notes=(UNTOLD_S,),
    ),
    epochs_table(
        "6.2",
        "section 6.3, table 6.2 and figure 6.2: 32,000 clauses and different thresholds",
        "accuracy by the threshold",
        ODD_EPOCHS,
        {f"threshold {T:,}": (TM(32_000, T, 27), ALL, a) for T, a in BY_THRESHOLD.items()},
        "threshold 8,000",
        notes=(UNTOLD_S,),
    ),
    epochs_table(
        "6.3",
        "section 6.4, table 6.3 and figure 6.3: 32,000 clauses, 8,000 threshold, different s "
        "values",
        "accuracy by s",
        ODD_EPOCHS,
        {f"s {s}": (TM(32_000, 8_000, s), ALL, a) for s, a in BY_S.items()},
        "s 40",
    ),
    epochs_table(
        "6.4",
        "section 6.5, table 6.4 and figure 6.4: convolutional machine, 32,000 clauses, 8,000 "
        "threshold, s 40, different window sizes",
        "accuracy of the convolutional machine by its window",
        FIFTH_EPOCHS,
        {f"{n}x{n}": (replace(OPTIMAL, window=n), ALL, a) for n, a in BY_WINDOW.items()},
        "9x9",
        notes=("A window of 9x9 has one place only: it is the machine without windows.",),
        sizes={**SIZES, "default": replace(SIZES["default"], boards=3000, folds=2, share=1 / 160)},
    ),
    epochs_table(
        "7.1",
        "section 7.2, table 7.1 and figure 7.1: different moves completed and with move-threshold",
        "accuracy by the moves that were played",
        FIFTH_EPOCHS,
        {
            "100_9x9Aya": (
                OPTIMAL, BoardSet("go", "after 100"),
                ((94.93, 0.13), (95.49, 0.18), (95.74, 0.08), (95.78, 0.1), (95.67, None)),
            ),
            "80_9x9Aya": (
                OPTIMAL, BoardSet("go", "after 80"),
                ((84.81, 0.18), (84.64, 0.15), (84.65, 0.12), (84.69, 0.1), (84.64, None)),
            ),
            "80_90T_9x9Aya": (
                OPTIMAL, BoardSet("go", "after 80 of 90"),
                ((86.47, 0.1), (86.79, 0.1), (86.64, 0.12), (86.58, 0.19), (86.62, None)),
            ),
            "90_9x9Aya": (
                OPTIMAL, BoardSet("go", "after 90"),
                ((90.43, 0.21), (91.12, 0.1), (91.05, 0.07), (90.92, 0.1), (91.01, None)),
            ),
            "90_100T_9x9Aya": (
                OPTIMAL, UNFINISHED,
                ((92.43, 0.11), (93.05, 0.1), (93.28, 0.08), (93.22, 0.07), (93.2, None)),
            ),
        },
        "90_100T_9x9Aya",
        notes=(
            "Rows are named as in the thesis: 80_90T are boards after 80 moves of the games that "
            "have 90 or more. Ours are the same of whatever games the first line tells of.",
        ),
    ),
    epochs_table(
        "7.2",
        "section 7.3, table 7.2 and figure 7.2: 90 moves and 100 move threshold with different "
        "amount of clauses",
        "accuracy after 90 of 100 moves by the number of clauses",
        FIFTH_EPOCHS,
        {
            f"{n:,} clauses": (replace(OPTIMAL, clauses=n), UNFINISHED, a)
            for n, a in BY_CLAUSES_UNFINISHED.items()
        },
        "32,000 clauses",
        notes=(
            "Threshold and s are not told with the table. Its last row is that of table 7.1, which "
            "was made with a threshold of 8,000 and s 40; so these are taken for all rows.",
        ),
    ),
    epochs_table(
        "8.1",
        "section 8.1, table 8.1 and figure 8.1: 90 moves performed from game with 100 moves or "
        "more",
        "accuracy of the machine of the tree search",
        FIFTH_EPOCHS,
        {
            "1000/8000/80": (
                SEARCHER, UNFINISHED,
                ((89.03, 0.13), (91.19, 0.12), (91.86, 0.1), (92.08, 0.09), (91.82, None)),
            )
        },
        "1000/8000/80",
        sizes=SEARCH_SIZES,
    ),
)  # fmt: skip

# ---- tables 8.2 to 8.5, figures 8.6 to 8.27: the tree search

UNSEEN = (
    "One machine, trained on nine folds of 90_100T; searched are boards of the tenth, which it has "
    "not seen."
)
NO_PASSES = (
    "What happened before the board is not known to the search, so that no ko forbids a move. "
    "As in the thesis, nobody passes while there is a point to play."
)
SEARCH_NOTES = (
    UNSEEN,
    "Games that were drawn are left out, as published, and so are votes for a draw.",
    NO_PASSES,
)
COUNTED = (
    "Percent of the games that a colour won; the published numbers, of 562 games won by black and "
    "406 by white, are shown so, too."
)


def correct_table(
    number: str,
    where: str,
    title: str,
    verdict: Verdict,
    black: Sequence[int],
    white: Sequence[int],
    *notes: str,
) -> PaperTable:
    """Wins of each colour that are predicted: on the board as it was, and after seven moves."""
    rows = {
        f"Correct {colour[0].upper()}, %": (partial(right, verdict, colour), numbers, wins)
        for (colour, wins), numbers in zip(PUBLISHED_WINS.items(), (black, white), strict=True)
    }
    return table(
        number,
        f"section 8.1, table {number} and figure {where}",
        title,
        DepthTable(rows),
        headline=("Correct B, %", "Initial 0"),
        notes=(*notes, COUNTED, *SEARCH_NOTES),
        sizes=SEARCH_SIZES,
    )


DEPTH_SCORES = {
    ("precision", "White"): (96.12, 98.89, 94.80, 99.43, 93.56, 99.70, 90.43, 99.39),
    ("precision", "Black"): (94.15, 91.78, 95.92, 90.91, 97.45, 88.49, 98.30, 87.23),
    ("precision", "Total"): (95.14, 95.33, 95.36, 95.17, 95.50, 94.09, 94.37, 93.31),
    ("recall", "White"): (91.63, 87.68, 94.33, 86.21, 96.55, 82.02, 97.78, 79.80),
    ("recall", "Black"): (97.33, 99.29, 96.26, 99.64, 95.20, 99.82, 92.53, 99.64),
    ("recall", "Total"): (94.48, 93.49, 95.30, 92.93, 95.87, 90.92, 95.15, 89.72),
    ("F", "White"): (93.82, 92.95, 94.57, 92.35, 95.03, 90.00, 93.96, 88.52),
    ("F", "Black"): (95.71, 95.38, 96.09, 95.08, 96.31, 93.81, 95.33, 93.02),
    ("F", "Total"): (94.77, 94.17, 95.33, 93.71, 95.67, 91.91, 94.64, 90.77),
}
"""Table 8.5: on the board as it was, and after each of seven moves."""

MORE_VOTES = "more votes on the altered board"

SEARCH_CLAUSES = (
    ClauseFigure("8.8", "white", FOR, by_weight=True, signs=10, absent=9),
    ClauseFigure("8.9", "white", AGAINST, by_weight=True, signs=12, absent=12),
    ClauseFigure("8.10", "black", FOR, by_weight=True, signs=7, absent=6),
    ClauseFigure("8.11", "black", AGAINST, by_weight=True, signs=8, absent=8),
    ClauseFigure("8.12", "white", "TP", 0, signs=9, absent=9),
    ClauseFigure("8.13", "white", "TP", 1, signs=6, absent=6),
    ClauseFigure("8.14", "white", "FP", 0),
    ClauseFigure("8.15", "white", "FP", 1),
    ClauseFigure("8.16", "white", "TN", 0),
    ClauseFigure("8.17", "white", "TN", 1),
    ClauseFigure("8.18", "white", "FN", 0),
    ClauseFigure("8.19", "white", "FN", 1),
    ClauseFigure("8.20", "black", "TP", 0, signs=7, absent=7),
    ClauseFigure("8.21", "black", "TP", 1, signs=6, absent=5),
    ClauseFigure("8.22", "black", "FP", 0, signs=2, absent=1),
    ClauseFigure("8.23", "black", "FP", 1, signs=6, absent=5),
    ClauseFigure("8.24", "black", "TN", 0, signs=8, absent=8),
    ClauseFigure("8.25", "black", "TN", 1, signs=8, absent=8),
    ClauseFigure("8.26", "black", "FN", 0, signs=9, absent=8),
    ClauseFigure("8.27", "black", "FN", 1, signs=6, absent=6),
)
"""Those without numbers are pictures that our text of the thesis lacks."""

TREE_SEARCH = (
    correct_table(
        "8.2",
        "8.3: current prediction is correct with end result",
        "prediction against the end result, by depth",
        predicted,
        (547, 558, 541, 560, 535, 561, 520, 560),
        (372, 356, 383, 350, 392, 333, 397, 324),
    ),
    correct_table(
        "8.3",
        "8.4: current board is correct with end result",
        "board score against the end result, by depth",
        counted(GAME.points_for_white),
        (435, 472, 416, 494, 409, 510, 398, 528),
        (379, 359, 385, 352, 390, 351, 397, 346),
        "Points on the board by area, with the komi of 7 for white; equal ones are nobody's.",
    ),
    correct_table(
        "8.4",
        "8.5: current board is correct with end result - komi",
        "board score without komi, by depth",
        counted(0),
        (520, 536, 518, 542, 511, 549, 502, 553),
        (328, 191, 343, 273, 352, 270, 359, 269),
        "Points on the board by area, without komi; equal ones are nobody's.",
        "The 191 of white at B Move 1 is as printed; after black's other moves it is about 270.",
    ),
    table(
        "8.5",
        "section 8.1, table 8.5: precision, recall and F-measure for each depth in the tree search",
        "precision, recall and F, by depth",
        DepthTable(
            {
                f"{name}, {colour}": (
                    partial(score_of, None if colour == "Total" else colour.lower(), name),
                    numbers,
                    None,
                )
                for (name, colour), numbers in DEPTH_SCORES.items()
            }
        ),
        headline=("F, Total", "Initial 0"),
        notes=("The total is the mean of both colours, as published.", *SEARCH_NOTES),
        sizes=SEARCH_SIZES,
    ),
)

SEARCH_FIGURES = (
    table(
        "figure 8.6",
        "section 8.1, figures 8.6 and 8.7: example of an unaltered board, and of an altered one",
        "a search with captures and without",
        CaptureTable(
            {
                "8.6, unaltered board: votes for what is predicted": (
                    UNALTERED, "votes", (423, -330, 1555, 2388, 3264, 4174),
                ),
                "8.6, unaltered board: area less komi": (
                    UNALTERED, "areas", (-4, -3, -3, 20, 23, 23),
                ),
                "8.7, altered board: votes for what is predicted": (
                    ALTERED, "votes", (423, 1117, 30305, 35928, 34868, 41667),
                ),
                "8.7, altered board: area less komi": (ALTERED, "areas", (-4, -3, 20, 20, 8, 13)),
            },
            MORE_VOTES,
        ),
        headline=(MORE_VOTES, "% of games"),
        notes=(
            "Published numbers are those of one game, chosen to show something; ours are means "
            "over games.",
            "On the unaltered board stones stay that have no liberty, and may be put anywhere; its "
            "area is counted on the real board, from which they are taken.",
            UNSEEN,
            NO_PASSES,
        ),
        sizes=SEARCH_SIZES,
    ),
    table(
        "figure 8.8",
        "section 8.1.1, figures 8.8 to 8.27: clauses of TM2, counted during the tree search",
        "the clauses that weigh and vote most in the tree search",
        SearchClauseTable(SEARCH_CLAUSES),
        headline=(SEARCH_CLAUSES[4].row, "signs"),
        notes=(
            "A sign is a point that a clause speaks of: +B and +W must be there, -b and -w must "
            "not, at -# there must be nothing. Published numbers are signs that we counted in the "
            "figures.",
            "Votes are the boards on which a clause fired while the search judged them, times its "
            "weight; they are right or wrong by how the game of the board ended. Where no clause "
            "voted so, ours is 0 and nothing is drawn.",
            *SEARCH_NOTES,
        ),
        sizes=SEARCH_SIZES,
    ),
)  # fmt: skip

# ---- tables 8.6 and 8.7: self-play

PLAYING_SIZES = {
    "quick": replace(SIZES["quick"], games=2),
    "default": replace(SIZES["default"], folds=GAMES, share=1 / 10, games=GAMES),
    "full": SIZES["full"],
}

MACHINES = tuple(
    MachineRow(
        name, machine, boards, (Column("prediction accuracy", accuracy, published),), keep=True
    )
    for name, machine, boards, published in (
        ("TM1", TM(26_000, 16_000, 27), ALL, 95.08),
        ("TM2", SEARCHER, UNFINISHED, 91.98),
        ("TM3", TM(1_000, 16_000, 27), ALL, 89.71),
        ("TM4", TM(20_000, 4_000, 27), ALL, 94.08),
    )
)

PAIRINGS = (
    ("TM1", 10, 0, "Random"),
    ("TM2", 5, 5, "Random"),
    ("TM3", 8, 2, "Random"),
    ("Random", 0, 10, "TM3"),
    ("TM3", 1, 9, "TM4"),
    ("TM4", 6, 4, "TM3"),
    ("TM1", 0, 10, "TM4"),
    ("TM4", 8, 2, "TM1"),
)
"""Black machine, black wins, white wins, white machine."""

GAME_CLAUSES = (
    ClauseFigure("8.34", "white", FOR, by_weight=True),
    ClauseFigure("8.35", "white", AGAINST, by_weight=True),
    ClauseFigure("8.36", "black", FOR, by_weight=True),
    ClauseFigure("8.37", "black", AGAINST, by_weight=True),
    ClauseFigure("8.38", "white", FOR, 0),
    ClauseFigure("8.39", "white", FOR, 1),
    ClauseFigure("8.40", "white", AGAINST, 0),
    ClauseFigure("8.41", "white", AGAINST, 1),
    ClauseFigure("8.42", "black", FOR, 0),
    ClauseFigure("8.43", "black", FOR, 1),
    ClauseFigure("8.44", "black", AGAINST, 1),
    ClauseFigure("8.45", "black", AGAINST, 0),
)
"""Clauses of TM4, in the order of the figures."""

SELF_PLAY = (
    table(
        "8.6",
        "section 8.2, table 8.6: trained Tsetlin Machines used for self-play",
        "the machines of self-play",
        MachineTable(MACHINES),
        headline=("TM1", "prediction accuracy"),
        notes=(
            "The thesis does not say after how many epochs; ours are those after the fifteenth. "
            "TM2 has learned from 90_100T, the others from the boards at the end of all games.",
            "Section 8.4 has a threshold of 8,000 for TM1 and TM3; the table, which has 16,000, is "
            "followed here.",
            EPOCHS_NOTE,
        ),
        sizes=PLAYING_SIZES,
    ),
    table(
        "8.7",
        "section 8.2, table 8.7 and figures 8.28 to 8.45: results of self-play after 70 moves",
        "self-play after 70 moves",
        SelfPlayTable(MACHINES, PAIRINGS, GAME_CLAUSES, "figures 8.34 to 8.45"),
        headline=("TM1 against Random", "black wins, %"),
        notes=(
            f"A machine looks {DEPTH} moves ahead at the {WIDTH} best of each side. A game ends "
            f"after {MOVES['full']} moves ({MOVES['quick']} in the quick size) and is counted by "
            "area with a komi of 7. As in the thesis, nobody passes; unlike there, a game may be "
            "drawn.",
            "Percent of games, of ten published. In each game, machines play that were trained "
            "without another fold.",
            "The thesis counts the clauses of TM4 as black in all ten games against TM3; ours are "
            "those of the first game. Its clauses are pictures that our text of it lacks.",
        ),
        sizes=PLAYING_SIZES,
    ),
)

TABLES = (*COUNTS, *BY_EPOCHS, *TREE_SEARCH, *SELF_PLAY, *SEARCH_FIGURES)
