"""Table 5.6 of the checkers thesis: the accuracy on each of ten folds."""

from __future__ import annotations

from clauseboard.papers.checkers_tables import BEST, ENDS, SOURCE, STOPPED
from clauseboard.papers.experiment import Figure, PaperTable, RunSize, sizes
from clauseboard.papers.materials import BoardSource
from clauseboard.papers.training import TrainingSchedule, fold_tasks

PUBLISHED = (70.77, 72.4, 72.57, 72.29, 71.35, 71.18, 72.33, 71.72, 71.07, 71.26)
MEAN = 71.69


def plan(size: RunSize, source: BoardSource) -> list[Figure]:
    """A figure a fold, and their mean."""
    boards, machine = source.boards(ENDS), BEST.at(size)
    tasks = fold_tasks(boards, size, machine, TrainingSchedule(size.epochs))
    honest = fold_tasks(boards, size, machine, TrainingSchedule(size.epochs).honest)
    figures = [
        Figure(f"fold {n}", "accuracy", published, (seen,), honest=(kept,))
        for n, (published, seen, kept) in enumerate(zip(PUBLISHED, tasks, honest, strict=False), 1)
    ]
    mean = Figure("mean", "accuracy", MEAN, tasks, honest=honest, settings=str(machine))
    return [*figures, mean]


TABLE = PaperTable(
    source=SOURCE,
    number="5.6",
    where="section 5.4, table 5.6: accuracy for each of the ten K-Folds of NoDupeCheck StandardEnd",
    title="accuracy on each of ten folds",
    plan=plan,
    headline=("mean", "accuracy"),
    notes=(STOPPED,),
    sizes=sizes(boards=None, folds=10, share=1 / 5),
)
