"""The tables of the Hex thesis.

Audun Linjord Simonsen and Ole André Haddeland, *Playing the game of Hex with the Tsetlin Machine
and tree search*, University of Agder 2020. Its black, who begins, is our red; its white our blue.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from clauseboard.papers import (
    Changes,
    Computed,
    Contents,
    Figure,
    PaperTable,
    Plot,
    ReadValues,
    ResultLookup,
    RunSize,
    accuracy,
    of_each,
    sizes,
)
from clauseboard.papers.boards import LabelledBoards, Run
from clauseboard.papers.hex_boards import (
    DOUBLED,
    EXCHANGED,
    PERFECT,
    SEARCHED,
    SHOWN,
    HalfBoards,
    search_task,
    searches_at,
)
from clauseboard.papers.hex_tournament import (
    GAMES,
    LOSS,
    WIN,
    WINS,
    FirstMovesTable,
    PatternFigure,
    PatternTable,
    TournamentTable,
    plan_players,
    stones,
)
from clauseboard.papers.matches import percent_of, won_by
from clauseboard.papers.shapes import (
    BoardSelection,
    Column,
    CountRow,
    CountTable,
    MachineRow,
    MachineTable,
    amount,
    columns,
    halfway,
    score,
    total,
)
from clauseboard.papers.training import MachineParameters, TrainingSchedule, fold_tasks

TM = MachineParameters

EPOCHS = 100
"""As many as the thesis has where it says so."""

MADE = (
    "The boards of the thesis are not published. These are made as it made its own, with our "
    "solver in the place of MoHex."
)
FIXED = (
    "A fixed number of epochs: no machine was stopped by its test boards, and there is no other, "
    "honest figure. But the settings of the best cell were chosen by them."
)
NOT_DOUBLED = (
    "From 1,500 clauses on, precision, recall and accuracy as published in table 5.3 cannot be "
    "those of boards of which red wins half; they fit the 17k boards, of which red wins 92.8 %. So "
    "these rows, and table 5.4 with them, seem to have been made on those: compare tables 5.1 and "
    "5.2."
)
WHOLE_SEARCHES = (
    "The boards that one search found are all in one fold here, so that a machine is tested on "
    "searches from boards that it has not seen. The thesis does not say whether its were; it would "
    "make its accuracies higher if not."
)
COLOURS = "The thesis's black, who begins, is red here, and its white is blue."
NO_NUMBERS = "The document draws this and prints no numbers, so that there are none to compare."
COUNTED = (MADE, COLOURS, "Shares in percent are worked out from the printed numbers.")
TRAINED = (MADE, COLOURS, FIXED)


OTHER_BOARDS = "searches from other random boards, by other machines, found other boards"
ON_17K = "from 1,500 clauses on, what is published fits the 17k boards, not their doubles"
HARDER = "boards of one search are all in one fold here, which makes it harder"
DIFFERENCES = {
    "4.2": OTHER_BOARDS,
    "5.3": ON_17K,
    "5.4": ON_17K,
    "5.5": OTHER_BOARDS,
    "5.6": f"{HARDER} (the last row has it the other way)",
    "5.7": HARDER,
    "figure 5.2": OTHER_BOARDS,
}
"""Why tables differ from the published ones."""


def hex_sizes(changes: Changes, quick: Changes | None = None) -> dict[str, RunSize]:
    """The sizes of a table; `changes` are those of its default size."""
    default = {"boards": 45_000, "folds": 3, "share": 1 / 2, "epochs": 15, **changes}
    return sizes(quick, default, {"epochs": EPOCHS})


def table(
    number: str,
    where: str,
    title: str,
    contents: Contents,
    headline: tuple[str, str],
    notes: tuple[str, ...],
    **changes: float,
) -> PaperTable:
    """A table of the thesis; `changes` are those of its default size."""
    return PaperTable(
        "Hex thesis", number, where, title, contents, headline, notes, hex_sizes(changes),
        difference=DIFFERENCES.get(number, ""),
    )  # fmt: skip


# ---- tables 4.1, 4.2 and 5.5: the classes of the data sets

Counts = Mapping[str, tuple[ReadValues, int]]


def class_row(name: str, boards: Sequence[BoardSelection], published: Counts) -> CountRow:
    """Numbers of boards, and their shares of the last number, which is all of them.

    Several data sets are taken together.
    """
    *parts, (_, (read_all, all_boards)) = published.items()
    return CountRow(
        name,
        tuple(boards),
        (
            *(
                Column(column, _sum(read), number, digits=0)
                for column, (read, number) in published.items()
            ),
            *(
                Column(f"{column}, %", _share(read, read_all), round(100 * number / all_boards, 2))
                for column, (read, number) in parts
            ),
        ),
    )


def _sum(read: ReadValues) -> ReadValues:
    return lambda done: [sum(read(done))]


def _share(part: ReadValues, whole: ReadValues) -> ReadValues:
    return lambda done: [100 * sum(part(done)) / max(sum(whole(done)), 1)]


WON, LOST = amount("win"), amount("loss")
"""Results are red's."""

CLASSES = (
    table(
        "4.1",
        "section 4.2, table 4.1: 17k dataset class distribution",
        "classes of the data set of 17k boards",
        CountTable(
            (
                class_row(
                    "17k",
                    [PERFECT],
                    {
                        "won by blue": (LOST, 1_294),
                        "won by red": (WON, 16_586),
                        "all": (total, 17_880),
                    },
                ),
            )
        ),
        ("17k", "all"),
        COUNTED,
    ),
    table(
        "4.2",
        "section 4.5.3, table 4.2: class distribution for the 287k dataset",
        "classes of the data set of 287k boards",
        CountTable(
            (
                class_row(
                    "287k",
                    [PERFECT, SEARCHED],
                    {
                        "won by red": (WON, 175_968),
                        "won by blue": (LOST, 111_826),
                        "all": (total, 287_794),
                    },
                ),
            )
        ),
        ("287k", "all"),
        COUNTED,
    ),
)

DUAL_CLASSES = table(
    "5.5",
    "section 5.1.3, table 5.5: class distribution of dual TM on 287k dataset",
    "classes of the dual machines",
    CountTable(
        (
            class_row(
                "machine for red",
                [HalfBoards(SEARCHED, "red")],
                {"win": (WON, 99_645), "loss": (LOST, 39_017), "total": (total, 138_662)},
            ),
            class_row(
                "machine for blue",
                [HalfBoards(SEARCHED, "blue")],
                {"win": (LOST, 71_515), "loss": (WON, 59_737), "total": (total, 131_252)},
            ),
        )
    ),
    ("machine for red", "total"),
    (
        *COUNTED,
        "The published totals add up to 269,914: exactly the 287,794 boards of table 4.2 less the "
        "17,880 of table 4.1, and the wins of either side do, too. So these are the searched "
        "boards alone, as they are here.",
    ),
)

# ---- tables 5.1 to 5.4, 5.6 and 5.7: clauses, thresholds and s

# Precision and recall of red's wins as a part of 1, as the thesis prints them.
SCORES: dict[str, ReadValues] = {
    "precision": score("win", "precision", 0.01),
    "recall": score("win", "recall", 0.01),
    "accuracy": accuracy,
}
HALF = "accuracy, 50th epoch"
RED = HalfBoards(SEARCHED, "red")
"""The boards of the machine for the thesis's black."""


def clause_rows(
    boards: BoardSelection,
    T: int,
    s: float,
    published: Mapping[int, tuple[float, ...]],
    readers: Mapping[str, ReadValues] = SCORES,
) -> list[MachineRow]:
    """Machines with several numbers of clauses."""
    return [
        MachineRow(f"{n:,} clauses", TM(n, T, s), boards, columns(readers, numbers))
        for n, numbers in published.items()
    ]


def grid(
    boards: BoardSelection,
    clauses: int,
    published: Mapping[int, Mapping[int, float]],
    epochs: float = 1.0,
) -> MachineTable:
    """Accuracies by threshold and s."""
    return MachineTable(
        tuple(
            MachineRow(
                f"T {T:,}", TM(clauses, T, s), boards, (Column(f"s {s}", accuracy, number),),
                epochs=epochs,
            )
            for T, line in published.items()
            for s, number in line.items()
        )
    )  # fmt: skip


CLAUSES_17K = {
    500: (0.98, 1.00, 97.58),
    1000: (0.98, 1.00, 97.52),
    1500: (0.98, 0.99, 97.37),
    1600: (0.98, 1.00, 97.40),
    1700: (0.98, 0.99, 97.55),
    2000: (0.98, 0.99, 97.74),
}
CLAUSES_35K = {
    500: (0.90, 0.85, 87.73),
    1000: (0.89, 0.88, 88.50),
    1500: (0.97, 0.99, 96.83),
    1600: (0.97, 0.99, 97.11),
    1700: (0.98, 0.99, 97.21),
    2000: (0.97, 1.00, 96.78),
}
"""Tables 5.1 and 5.3: precision, recall and accuracy."""

CLAUSES_287K = {
    500: (0.87, 0.92, 84.44, 85.09),
    1700: (0.90, 0.93, 87.33, 88.21),
    3200: (0.90, 0.94, 88.48, 89.60),
    6400: (0.93, 0.92, 88.89, 90.39),
    9600: (0.93, 0.92, 89.45, 91.19),
    12800: (0.93, 0.93, 89.95, 91.28),
}
"""Table 5.6: precision, recall and accuracy after the 100th epoch, and accuracy after the 50th."""

BEST = 9600
"""Clauses of the machine that the thesis chose for its players."""


def reflected_rows() -> tuple[MachineRow, ...]:
    """Table 5.3 as published, and the best row once more on boards with the winner they say."""
    rows = clause_rows(EXCHANGED, 6_000, 10, CLAUSES_35K)
    place = [row.name for row in rows].index("1,700 clauses") + 1
    columns = (Column("accuracy, boards reflected", accuracy, None),)
    right = MachineRow("1,700 clauses", TM(1_700, 6_000, 10), DOUBLED, columns)
    return (*rows[:place], right, *rows[place:])


SETTINGS = (
    table(
        "5.1",
        "section 5.1.1, table 5.1: varying clauses for TM trained on 17k dataset",
        "clauses, 17k boards",
        MachineTable(tuple(clause_rows(PERFECT, 6_000, 10, CLAUSES_17K))),
        ("2,000 clauses", "accuracy"),
        (
            *TRAINED,
            "Who always says red is right on 92.8 % of the boards.",
        ),
    ),
    table(
        "5.2",
        "section 5.1.1, table 5.2: accuracy with various thresholds and s-values for 500 "
        "clauses trained on 17k dataset",
        "thresholds and s, 17k boards",
        grid(
            PERFECT,
            500,
            {
                5000: {10: 97.09, 15: 96.92, 20: 96.74},
                6000: {10: 97.59, 15: 97.09, 20: 96.76},
                7000: {10: 97.28, 15: 97.21, 20: 96.80},
            },
        ),
        ("T 6,000", "s 10"),
        TRAINED,
    ),
    table(
        "5.3",
        "section 5.1.2, table 5.3: varying clauses for TM trained on 35k dataset",
        "clauses, 35k boards",
        MachineTable(reflected_rows()),
        ("1,700 clauses", "accuracy"),
        (
            *TRAINED,
            "The thesis exchanges the colours and leaves the stones where they are, so that a "
            "copy has often not the winner that it says: each colour has sides of its own. One "
            "row is there a second time on copies that are reflected, too, and have it.",
            NOT_DOUBLED,
        ),
        share=1 / 5,
    ),
    table(
        "5.4",
        "section 5.1.2, table 5.4: accuracy with various thresholds and s-values for 1700 "
        "clauses trained on 35k dataset",
        "thresholds and s, 35k boards",
        grid(
            EXCHANGED,
            1_700,
            {
                5000: {10: 96.54, 15: 96.61, 20: 96.77},
                6000: {10: 97.21, 15: 96.76, 20: 97.10},
                7000: {10: 96.54, 15: 96.74, 20: 96.45},
            },
        ),
        ("T 6,000", "s 10"),
        (
            *TRAINED,
            NOT_DOUBLED,
        ),
        share=1 / 5,
    ),
    DUAL_CLASSES,
    table(
        "5.6",
        "section 5.1.3, table 5.6: varying clauses for black TM trained on 287k dataset",
        "clauses, machine for black, 287k boards",
        MachineTable(
            (
                *clause_rows(RED, 12_000, 40, CLAUSES_287K, {**SCORES, HALF: halfway}),
                MachineRow(
                    f"{BEST:,} clauses, boards split one by one",
                    TM(BEST, 12_000, 40),
                    HalfBoards(SEARCHED, "red", shuffled=True),
                    (Column(HALF, halfway, None),),
                ),
            )
        ),
        (f"{BEST:,} clauses", HALF),
        (
            *TRAINED,
            WHOLE_SEARCHES + " The last row has it so.",
            "Where fewer epochs are run, the 50th stands for half of them; that half of them is "
            "better was seen on the test boards.",
        ),
        share=1 / 20,
        epochs=30,
    ),
    table(
        "5.7",
        "section 5.1.3, table 5.7: accuracy for black TM with various thresholds and s-values "
        "for 9600 clauses trained on 287k dataset up to 50th epoch",
        "thresholds and s, machine for black, 287k boards",
        grid(
            RED,
            9_600,
            {
                3000: {10: 81.41, 15: 84.89, 20: 85.46, 40: 88.13},
                6000: {10: 83.01, 15: 85.73, 20: 86.49, 40: 89.30},
                9000: {10: 83.78, 15: 85.75, 20: 86.68, 40: 90.25},
                12000: {10: 83.61, 15: 86.59, 20: 87.67, 40: 91.19},
            },
            epochs=1 / 2,
        ),
        ("T 12,000", "s 40"),
        (
            *TRAINED,
            WHOLE_SEARCHES,
        ),
        share=1 / 20,
        epochs=20,
        folds=2,
    ),
)

# ---- figure 5.1: a machine for each number of stones

FEWEST, MOST = 2, 26
"""Stones of the boards that the figure shows."""


class StonesTable(Contents):
    """The accuracy of a machine for each number of stones on the board."""

    def figures(self, run: Run) -> list[Figure]:
        """A figure for each number of stones with enough boards to learn and to test."""
        boards, machine = run.boards(PERFECT), TM(500, 6_000, 10).at(run.size)
        schedule = TrainingSchedule(run.size.epochs, stop=None)
        n_stones = boards.X.sum(axis=1, dtype=np.int64)
        figures = []
        for number in range(FEWEST, MOST + 1):
            part = boards.part(n_stones == number)
            if number > FEWEST and not _enough(part, run.size.folds):
                continue
            tasks = fold_tasks(part, run.size, machine, schedule)
            settings = f"{machine}; {len(part):,} boards"
            figures.append(Figure(f"{number} stones", "accuracy", None, tasks, settings=settings))
        return figures

    def plots(self, run: Run, results: ResultLookup) -> list[Plot]:
        """The figure."""
        curve = [
            statistics.fmean(figure.values([results(task) for task in figure.tasks]))
            for figure in self.figures(run)
        ]
        curves = {"a machine for each number": curve}
        title = "Figure 5.1: accuracy by the number of stones"
        return [Plot("stones", title, curves, x_label="stones on the board", start=FEWEST)]


def _enough(boards: LabelledBoards, folds: int) -> bool:
    """Whether every fold has boards to test, and the others boards of both results to learn."""
    for fold in range(min(folds, boards.n_folds)):
        test = boards.folds == fold
        if not test.any() or len(np.unique(boards.results[~test])) < 2:
            return False
    return True


# ---- figures 5.2 to 5.9: recall and precision of the top k boards of a search


TOP_SCORES = {
    1: {"recall": 87.5, "precision": 50.0},
    27: {"recall": 97.8, "precision": 94.7},
}
"""Of the first board, R1 and P1, in the text."""

DEPTHS = (1, 10, 100)
"""How many boards of each search count."""


class TopBoardsTable(Contents):
    """Recall and precision of the top boards in the iterations that are shown."""

    def figures(self, run: Run) -> list[Figure]:
        """Six figures for each iteration that is shown."""
        searches = searches_at(run.size.boards)
        task = search_task(run.boards(PERFECT), searches, run.folder)
        settings = (
            f"{searches.machine}, {searches.epochs} epochs; of the {searches.top} boards of each "
            f"of {searches.boards} searches {searches.learned} are learned"
        )
        return [
            Figure(
                f"iteration {shown}", f"{name[0].upper()}{depth}",
                TOP_SCORES.get(shown, {}).get(name) if depth == 1 else None, (task,),
                # Where there are fewer iterations, the last one stands for those that are missing.
                top(min(shown, searches.iterations), name, min(depth, searches.top)),
                settings=settings,
            )
            for shown in SHOWN
            for name in ("recall", "precision")
            for depth in DEPTHS
        ]  # fmt: skip

    def plots(self, run: Run, results: ResultLookup) -> list[Plot]:
        """Recall (figures 5.2 to 5.5) and precision (5.6 to 5.9), the iterations in one plot."""
        task = search_task(run.boards(PERFECT), searches_at(run.size.boards))
        scores = results(task).result
        return [
            Plot(
                name,
                f"{title}: {name} of the top k boards",
                {f"after iteration {n}": [v or 0.0 for v in s[name]] for n, s in scores.items()},
                x_label="boards of each search that count (k)",
                y_label=f"{name}, %",
            )
            for name, title in (
                ("recall", "Figures 5.2 to 5.5"), ("precision", "Figures 5.6 to 5.9")
            )
        ]  # fmt: skip


def top(iteration: int, name: str, depth: int) -> ReadValues:
    """Recall or precision of the first boards of each search; 0 where there are none."""
    return of_each(lambda result: result[str(iteration)][name][depth - 1] or 0.0)


BOARD_FIGURES = (
    table(
        "figure 5.1",
        "section 5.2, figure 5.1: accuracy of TM based on training with separated moves",
        "accuracy by the number of stones",
        StonesTable(),
        (f"{FEWEST} stones", "accuracy"),
        (
            NO_NUMBERS,
            "The text says: low with two stones, higher with more, lower again where boards are "
            "few.",
            *TRAINED,
        ),
        share=1.0,
        epochs=EPOCHS,
    ),
    table(
        "figure 5.2",
        "section 5.3, figures 5.2 to 5.9: recall and precision graphs for the 1st, 2nd, 10th and "
        "27th iteration of tree search evaluation; R1 and P1 in section 5.6",
        "recall and precision of the top k boards, with figures 5.3 to 5.9",
        TopBoardsTable(),
        ("iteration 27", "P1"),
        (
            MADE,
            "Published are R1 and P1 of the first and the last iteration; the rest is drawn only. "
            "Both are counted against the solver, on boards that no machine has seen.",
            "At less than full size machines learn from fewer boards of each search.",
        ),
    ),
)

# ---- tables 5.8 to 5.10, figures 5.16 to 5.21: the tournament

TOURNAMENT_SIZES = hex_sizes({"share": 1 / 4, "games": 4}, {"games": 1})
"""The same for all tables that need the tournament, so that they share their games."""

TOURNAMENT_NOTES = (
    "Games are ten a pairing, as published, at full size; at less there are fewer, and Monte-Carlo "
    "players make fewer simulations, too.",
    "The tree search looks at boards three moves on as the machine judges them, and does not know "
    "that a game is over, as in the thesis.",
)

RED_WINS = {
    "Rand.": (None, 0, 1, 0, 0, 8, 6),
    "RR": (10, None, 10, 10, 10, 10, 10),
    "TM1": (10, 0, 10, 10, 5, 10, 10),
    "TM2": (10, 0, 10, 10, 10, 10, 10),
    "TM3": (10, 0, 10, 10, 9, 10, 10),
    "TM4": (5, 0, 0, 0, 0, 0, 0),
    "TM5": (5, 0, 0, 0, 0, 10, 10),
}
"""Table 5.9: of ten games, those that the player of the row wins as red against each as blue."""

STONES = {
    "Rand.": (None, 12.0, 18.5, 16.4, 19.2, 32.4, 34.6),
    "RR": (11.2, None, 11.0, 11.6, 11.6, 11.0, 11.0),
    "TM1": (19.6, 12.6, 21.2, 16.0, 20.9, 25.8, 17.0),
    "TM2": (11.4, 12.4, 14.4, 11.0, 11.0, 20.6, 11.8),
    "TM3": (18.6, 12.2, 17.0, 17.0, 18.1, 23.8, 24.8),
    "TM4": (33.9, 12.2, 16.0, 23.6, 14.0, 36.0, 36.0),
    "TM5": (32.3, 12.6, 17.8, 24.8, 18.4, 35.0, 35.0),
}
"""Table 5.10; the player of the row is red."""

PATTERNS = (
    PatternFigure("5.17", "TM1", WIN, 291),
    PatternFigure("5.18", "TM1", LOSS, 244),
    PatternFigure("5.19", "TM3", WIN, 247),
    PatternFigure("5.20", "TM3", WIN, 164, bridge=True),
    PatternFigure("5.21", "TM3", LOSS, 223),
)

tournament_table = partial(
    PaperTable, "Hex thesis", sizes=TOURNAMENT_SIZES, difference="why is not known"
)

TOURNAMENT = (
    tournament_table(
        "5.8",
        "section 5.4, table 5.8: Tsetlin Machine players in the Hex tournament",
        "the players of the tournament",
        Computed(plan_players),
        ("TM3: MCTS on 287k", "accuracy, red"),
        (
            "Accuracies are ours only: of the machine for each colour on the first fold of its "
            "boards, which it did not learn.",
            MADE,
            COLOURS,
        ),
    ),
    tournament_table(
        "5.9",
        "section 5.4, table 5.9: tournament results, playing as black in rows and as white in "
        "columns",
        "the tournament",
        TournamentTable(RED_WINS, percent_of(won_by(0)), "%", GAMES),
        ("TM3 as red", "against Rand., %"),
        (
            "Percent of games that red wins, of ten published; blue wins the others. RR is "
            "Monte-Carlo search with random games at its leaves.",
            *TOURNAMENT_NOTES,
            MADE,
            COLOURS,
        ),
    ),
    tournament_table(
        "5.10",
        "section 5.4, table 5.10: average number of pieces placed between players in all 10 games",
        "average number of stones",
        TournamentTable(STONES, stones, "stones"),
        ("TM3 as red", "against Rand., stones"),
        (*TOURNAMENT_NOTES, MADE, COLOURS),
    ),
    tournament_table(
        "figure 5.16",
        "section 5.4.3, figure 5.16: first moves, MoHex 2.0 and the TM players in the tournament",
        "first moves",
        FirstMovesTable(),
        ("TM3", WINS),
        (
            NO_NUMBERS,
            "Drawn are the first three moves of either side in a game of each player against "
            "itself; counted is how many first moves win by the solver, and are on one of the four "
            "middle cells (one, if there is just one), in percent of such games.",
            "The solver stands in the place of MoHex 2.0; of moves that are as good it takes any.",
            MADE,
            COLOURS,
        ),
    ),
    tournament_table(
        "figure 5.17",
        "section 5.5, figures 5.17 to 5.21: winning and losing clause patterns",
        "clause patterns, with figures 5.18 to 5.21",
        PatternTable(PATTERNS),
        (PATTERNS[0].name, "weight"),
        (
            "Of the clauses of the machine for red that vote for a class, the heaviest one; for "
            "figure 5.20, which shows a bridge, the heaviest that asks for one. 0: there is none. "
            "The thesis chose clauses that are easy to read. Weights grow with epochs and boards.",
            "+R: red has a stone here. -r, -b: no red one, no blue one. -#: none.",
            MADE,
            COLOURS,
        ),
    ),
)

TABLES = (*CLASSES, *SETTINGS, *BOARD_FIGURES, *TOURNAMENT)
