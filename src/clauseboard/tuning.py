"""Good settings for a machine on a data set: the boards of a search, its trials and its report.

Settings are compared on inner folds: one fold is held out, and of the others each is watched by a
machine that learns from the rest. Only the best settings are tested on the held-out fold, once, at
the end.

The next settings are chosen by Optuna, or as the theses do it by hand, one parameter at a time:
from a guess, one is varied while the others stay, from a third of it to three times as much (the
checkers thesis), or its half and its double (the Go and the Hex thesis). If the best value is the
lowest or the highest, the search moves on that way for as long as it gets better. Then the next
parameter is varied. It ends when a whole round has changed nothing.

A study of Optuna is an SQLite file. Processes that work on it, of one command or of several, draw
the next settings from the results of all; a trial that falls behind the others, epoch by epoch, is
pruned. A study that was stopped resumes; a trial that was interrupted is not counted, and another
one takes its place.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import os
import random
import statistics
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from clauseboard.checks import one_of, whole_number
from clauseboard.papers import EpochResult, JsonObject, Page, Task, TaskResult
from clauseboard.papers.boards import LabelledBoards
from clauseboard.papers.report import environment, environment_lines
from clauseboard.papers.runner import (
    ProgressCallback,
    TaskStore,
    check_device,
    end_if_orphaned,
    finish_tasks,
)
from clauseboard.papers.training import MachineParameters, TrainingSchedule, fold_task, train
from clauseboard.parallel import spread

WAYS: dict[str, tuple[float, ...]] = {
    "thirds": (1 / 3, 1 / 2, 1, 2, 3),
    "doubling": (1 / 2, 1, 2),
}
"""The factors of a value; the last one is also the step by which the search moves on."""

ROUNDS = 3

Settings = Mapping[str, float]
Scorer = Callable[[Sequence[Settings]], Sequence[float]]
"""Scores some settings; they may be tried side by side."""


@dataclass(frozen=True)
class Parameter:
    """A parameter that can be varied, and its range."""

    name: str
    least: float
    most: float = math.inf
    even: bool = False
    """Whether only even integers are allowed."""
    whole: bool = True

    def rounded(self, value: float) -> float:
        """The nearest allowed value.

        >>> Parameter("clauses", 2, 500, even=True).rounded(333.3)
        334
        >>> Parameter("s", 1, whole=False).rounded(9 / 3.5)
        2.57
        """
        value = min(max(value, self.least), self.most)
        if self.even:
            return 2 * round(value / 2)
        # Three digits are more than an s needs.
        return round(value) if self.whole else float(f"{value:.3g}")


@dataclass(frozen=True)
class Trial:
    """Settings that were tried, the parameter that was varied, and their score."""

    settings: Settings
    focus: str
    """The parameter that was varied; empty for the guess."""
    score: float


@dataclass
class OneAtATimeSearch:
    """A search from a guess; `tried` has all settings that were scored, in order."""

    scorer: Scorer
    parameters: Sequence[Parameter]
    way: str = "thirds"
    rounds: int = ROUNDS
    tried: list[Trial] = field(default_factory=list)

    def __post_init__(self) -> None:
        one_of("way", self.way, WAYS)
        whole_number("rounds", self.rounds, 1)
        self._score_of: dict[tuple[tuple[str, float], ...], float] = {}

    def run(self, guess: Settings) -> Settings:
        """The best settings found."""
        rounded = {p.name: p.rounded(guess[p.name]) for p in self.parameters}
        best: Settings = {**guess, **rounded}
        self._scores([best], "")
        for _ in range(self.rounds):
            before = best
            for parameter in self.parameters:
                best = self._varied(best, parameter)
            if best == before:
                break
        return best

    def score(self, settings: Settings) -> float:
        """The score of settings that have been tried."""
        return self._score_of[_key(settings)]

    def _varied(self, best: Settings, parameter: Parameter) -> Settings:
        """The best settings in which only one parameter is changed."""
        name = parameter.name
        values = sorted({parameter.rounded(best[name] * factor) for factor in WAYS[self.way]})
        best = self._best(best, parameter, values)
        step = WAYS[self.way][-1]
        for edge, factor in ((values[0], 1 / step), (values[-1], step)):
            # While the best is at the edge of the values that were tried, look beyond it.
            while best[name] == edge:
                beyond = parameter.rounded(edge * factor)
                if beyond == edge:
                    break
                best, edge = self._best(best, parameter, [beyond]), beyond
        return best

    def _best(self, best: Settings, parameter: Parameter, values: Sequence[float]) -> Settings:
        """The best of the settings with these values; `best` stays unless one is better."""
        others = [{**best, parameter.name: value} for value in values]
        scores = self._scores(others, parameter.name)
        top = max(range(len(scores)), key=scores.__getitem__)
        return others[top] if scores[top] > self.score(best) else best

    def _scores(self, several: Sequence[Settings], focus: str) -> list[float]:
        """Scores of settings; nothing is scored twice."""
        new = [settings for settings in several if _key(settings) not in self._score_of]
        if new:
            for settings, score in zip(new, self.scorer(new), strict=True):
                self._score_of[_key(settings)] = score
                self.tried.append(Trial(settings, focus, score))
        return [self._score_of[_key(settings)] for settings in several]


def _key(settings: Settings) -> tuple[tuple[str, float], ...]:
    return tuple(sorted(settings.items()))


STUDY = "optuna"
CHOICES = (*WAYS, STUDY)
"""Ways to choose the next settings."""

FEWEST_FOLDS = 3
MOST_CLAUSES = 20_000
DONE, PRUNED = "done", "pruned"

NAMES = {
    "thirds": "one setting at a time, from a third to three times as much, moving on while it "
    "gets better",
    "doubling": "one setting at a time, halved and doubled, moving on while it gets better",
    STUDY: "Optuna, trials broken off that fall behind",
}


@dataclass(frozen=True, eq=False)
class TuningProblem:
    """Boards to try settings on, and the fixed settings of the machine."""

    boards: LabelledBoards
    guess: MachineParameters
    """Settings to begin with; the switches and the window stay."""
    epochs: int = 30
    stop: int | None = 2
    """The version of adaptive epochs; None: all epochs."""
    n_folds: int = 3
    """Inner folds that are watched in turn."""
    test_fold: int = 0
    """The fold that is held out until the end, from 0 on."""
    most_clauses: int = MOST_CLAUSES

    def __post_init__(self) -> None:
        there = self.boards.n_folds
        if there < FEWEST_FOLDS:
            raise ValueError(
                f"{self.boards.source} has {there} folds; tuning needs {FEWEST_FOLDS}: to learn "
                "from, to watch and to test."
            )
        if not 0 <= self.test_fold < there:
            raise ValueError(f"There is no fold {self.test_fold + 1}; there are 1 to {there}.")
        if not 1 <= self.n_folds < there:
            raise ValueError(
                f"{self.n_folds} folds cannot be watched: choose from 1 to {there - 1}, since one "
                "is held out for the test."
            )
        whole_number("epochs", self.epochs, 1)

    @cached_property
    def inner(self) -> LabelledBoards:
        """The boards without those of the test fold; later folds are renumbered."""
        some = self.boards.take((self.boards.folds != self.test_fold).nonzero()[0])
        moved = some.folds - (some.folds > self.test_fold)
        return replace(some, folds=moved.astype(some.folds.dtype), n_folds=some.n_folds - 1)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters that are varied, in the order of the theses."""
        return (
            Parameter("clauses", 2, self.most_clauses, even=True),
            Parameter("T", 1),
            Parameter("s", 1, whole=False),
        )

    @property
    def settings(self) -> Settings:
        """The guess, as far as it is varied."""
        return {
            parameter.name: getattr(self.guess, parameter.name) for parameter in self.parameters
        }

    @property
    def schedule(self) -> TrainingSchedule:
        """How each machine is trained."""
        return TrainingSchedule(self.epochs, self.stop)

    def machine(self, settings: Settings) -> MachineParameters:
        """The guess with other settings."""
        return replace(self.guess, **settings)  # type: ignore[arg-type]

    def tasks(self, settings: Settings) -> tuple[Task, ...]:
        """The tasks that score settings: a machine for each inner fold."""
        machine = self.machine(settings)
        return tuple(
            fold_task(self.inner, fold, machine, self.schedule) for fold in range(self.n_folds)
        )

    def test(self, settings: Settings) -> Task:
        """The test on the held-out fold, by a machine that the next fold stops."""
        return fold_task(self.boards, self.test_fold, self.machine(settings), self.schedule.honest)


def tune_by_steps(
    problem: TuningProblem,
    record: str | Path,
    *,
    way: str = "thirds",
    rounds: int = ROUNDS,
    jobs: int = 1,
    cluster: str | None = None,
    device: str = "cpu",
    progress: ProgressCallback | None = None,
) -> Page:
    """Vary one parameter at a time, and return the page of all settings that were tried.

    Tasks that have ended are recorded: a run that was stopped resumes, and comes to the same end.
    """
    check_device(device, cluster)
    done: dict[str, TaskResult] = {}
    with TaskStore(record) as store:

        def finish(tasks: Sequence[Task]) -> dict[str, TaskResult]:
            return finish_tasks(
                tasks, store, jobs=jobs, cluster=cluster, device=device, progress=progress
            )

        def scores(several: Sequence[Settings]) -> list[float]:
            done.update(finish([task for some in several for task in problem.tasks(some)]))
            return [statistics.fmean(accuracies(settings)) for settings in several]

        def accuracies(settings: Settings) -> list[float]:
            return [100 * done[task.key].result["accuracy"] for task in problem.tasks(settings)]

        search = OneAtATimeSearch(scores, problem.parameters, way, rounds)
        best = search.run(problem.settings)
        tested = tested_once(problem, best, finish)

    def trial(tried: Trial) -> Page:
        ended = [done[task.key] for task in problem.tasks(tried.settings)]
        return {
            **trial_page(tried.settings, accuracies(tried.settings), DONE, tried.focus),
            "epochs": round(statistics.fmean(len(task.epochs) for task in ended), 1),
            "seconds": round(sum(task.seconds for task in ended), 3),
        }

    return tuning_page(problem, way, [trial(tried) for tried in search.tried], best, tested)


def tested_once(
    problem: TuningProblem,
    best: Settings,
    finish: Callable[[Sequence[Task]], Mapping[str, TaskResult]],
) -> float:
    """The accuracy of the best settings on the held-out fold, in percent."""
    task = problem.test(best)
    return 100 * finish([task])[task.key].result["accuracy"]


# ---- the page of a search


def trial_page(
    settings: Settings, accuracies: Sequence[float], state: str, focus: str = ""
) -> Page:
    """Settings that were tried, in a report: accuracies in percent, one for each fold."""
    return {
        "settings": dict(settings),
        "focus": focus,
        "state": state,
        "accuracies": [round(value, 4) for value in accuracies],
        "mean": round(statistics.fmean(accuracies), 4) if accuracies else None,
        "spread": round(statistics.stdev(accuracies), 4) if len(accuracies) > 1 else None,
    }


def tuning_page(
    problem: TuningProblem, by: str, trials: Sequence[JsonObject], best: Settings, tested: float
) -> Page:
    """The page of a search, for its reports."""
    ended = [trial for trial in trials if trial["state"] == DONE]
    return {
        "by": by,
        "data": problem.boards.page(),
        "folds": problem.n_folds,
        "test_fold": problem.test_fold + 1,
        "epochs": problem.epochs,
        "stop": problem.stop,
        "guess": str(problem.guess),
        "trials": list(trials),
        "best": {
            "settings": dict(best),
            "machine": str(problem.machine(best)),
            "mean": max(trial["mean"] for trial in ended),
            "tested": round(tested, 4),
        },
        **environment(),
    }


def first_lines(page: JsonObject) -> list[str]:
    """The best settings, and how they were searched."""
    best, data = page["best"], page["data"]
    stopped = "" if page["stop"] is None else f", adaptive epochs version {page['stop']}"
    return [
        f"Best of {len(page['trials'])}: {best['machine']}.",
        f"{best['mean']:.2f} % on {page['folds']} inner folds, {best['tested']:.2f} % on fold "
        f"{page['test_fold']}, which was held out and tested once.",
        f"Found by {NAMES[page['by']]}; guess: {page['guess']}.",
        f"Data: {data['kind']} from {data['source']}, {data['boards']:,} boards; "
        f"up to {page['epochs']} epochs{stopped}.",
    ]


def trial_rows(page: JsonObject) -> list[tuple[str, ...]]:
    """A row of cells for each of the settings tried, below a row of heads."""
    names = list(page["best"]["settings"])
    rows: list[tuple[str, ...]] = [("", *names, "accuracy, %", "epochs", "seconds", "")]
    for number, trial in enumerate(page["trials"], 1):
        spread = "" if trial["spread"] is None else f" ± {trial['spread']:.2f}"
        best = trial["state"] == DONE and trial["settings"] == page["best"]["settings"]
        rows.append(
            (
                str(number),
                *(f"{trial['settings'][name]:,g}" for name in names),
                f"{trial['mean']:.2f}{spread}",
                f"{trial['epochs']:g}",
                f"{trial['seconds']:.1f}",
                "best" if best else "" if trial["state"] == DONE else trial["state"],
            )
        )
    return rows


def as_text(page: JsonObject) -> str:
    """The report for the terminal."""
    rows = trial_rows(page)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    return "\n".join([*first_lines(page), "", *lines])


def as_markdown(page: JsonObject, pictures: Sequence[str] = ()) -> str:
    """The report as a document; `pictures` are the names of files beside it."""
    heads, *rows = trial_rows(page)
    return "\n".join(
        [
            "# Settings for a machine",
            "",
            *(f"{line}\n" for line in first_lines(page)),
            *(f"![history]({name})\n" for name in pictures),
            f"| {' | '.join(heads)} |",
            "|---:" * (len(heads) - 1) + "|---|",
            *(f"| {' | '.join(row)} |" for row in rows),
            "",
            f"- SHA-256 of the boards: {page['data']['sha256']}",
            *(f"- {line}" for line in environment_lines(page)),
            "",
        ]
    )


def history(page: JsonObject) -> Page:
    """The plot of the search, for `papers.report.draw`: every trial, and the best so far."""
    means = [trial["mean"] for trial in page["trials"]]
    counted = [trial["mean"] if trial["state"] == DONE else 0.0 for trial in page["trials"]]
    best = [value or None for value in itertools.accumulate(counted, max)]
    return {
        "name": "history",
        "title": f"Settings tried, {page['by']}",
        "x_label": "settings tried",
        "y_label": "accuracy on inner folds, %",
        "curves": {"each": means, "best so far": best},
        "levels": {"on the boards kept for the test": page["best"]["tested"]},
    }


# ---- by Optuna (the extra `search`)


TRIALS = 40
SPAN = 9.0
"""Settings are drawn from a ninth of the guess to nine times as much."""

STARTUP = 4
"""Trials that are finished before others are broken off."""

WARM_UP = 5
"""The part of the epochs, a fifth, in which no trial is broken off."""

HEARTBEAT, GRACE = 10, 60
"""Seconds between signs of life of a trial, and after which it is given up without any."""

ATTEMPTS = 3
"""How often a file is opened once more that another process is just making."""

PATIENCE = 60
"""Seconds that a process waits for another one that is writing."""


def tune_by_study(
    problem: TuningProblem,
    record: str | Path,
    study_file: str | Path,
    *,
    trials: int = TRIALS,
    seed: int = 1,
    jobs: int = 1,
    device: str = "cpu",
    progress: ProgressCallback | None = None,
) -> Page:
    """Try settings until the study has as many trials as told; the page of them all.

    Several processes may overshoot by the trials that they are at.
    """
    check_device(device, None)
    whole_number("trials", trials, 1)
    path = Path(study_file)
    open_study(problem, path)
    owner = os.getpid()
    if jobs == 1:
        work_on(problem, path, trials, seed, device, owner, progress)
    else:
        for _ in spread(work_on, [(problem, path, trials, seed, device, owner)] * jobs, jobs):
            pass
    study = open_study(problem, path)
    with TaskStore(record) as store:
        best = _rounded(problem, study.best_trial.params)
        finish = partial(finish_tasks, store=store, device=device)
        tested = tested_once(problem, best, finish)
    return tuning_page(
        problem, STUDY, [_page(problem, trial) for trial in _ended(study)], best, tested
    )


def work_on(
    problem: TuningProblem,
    path: Path,
    trials: int,
    seed: int,
    device: str,
    owner: int,
    progress: ProgressCallback | None = None,
) -> None:
    """Do one trial after the other until there are enough."""
    with _explained(path):
        study = open_study(problem, path)
        while (n := len(_ended(study))) < trials:
            if progress is not None:
                progress(n, trials)
            study.optimize(_Objective(problem, seed, device, owner), n_trials=1)


class _Objective:
    """Tries the settings that a trial draws, fold by fold."""

    def __init__(self, problem: TuningProblem, seed: int, device: str, owner: int) -> None:
        self.problem, self.seed, self.device, self.owner = problem, seed, device, owner

    def __call__(self, trial: Any) -> float:
        import optuna

        # Each trial draws from a seed of its own, so that no two processes draw alike.
        trial.study.sampler = _sampler(self.seed * 1_000_003 + trial.number)
        settings = {name: _drawn(trial, name, low, high) for name, low, high in space(self.problem)}
        accuracies: list[float] = []

        def epoch_done(task: Task, epoch: EpochResult) -> None:
            end_if_orphaned(self.owner)
            value = statistics.fmean([*accuracies, epoch.accuracy])
            trial.report(value, len(accuracies) * self.problem.epochs + epoch.number)
            if trial.should_prune():
                raise optuna.TrialPruned

        for task in self.problem.tasks(_rounded(self.problem, settings)):
            (result,) = train([task], epoch_done, self.device)
            accuracies.append(result["accuracy"])
            trial.set_user_attr("accuracies", accuracies)
        return statistics.fmean(accuracies)


def space(problem: TuningProblem) -> list[tuple[str, float, float]]:
    """What is drawn, and between which values."""
    return [
        (
            parameter.name,
            parameter.rounded(problem.settings[parameter.name] / SPAN),
            parameter.rounded(problem.settings[parameter.name] * SPAN),
        )
        for parameter in problem.parameters
    ]


def _drawn(trial: Any, name: str, low: float, high: float) -> float:
    draw = trial.suggest_int if isinstance(low, int) else trial.suggest_float
    return draw(name, low, high, log=True)


def _rounded(problem: TuningProblem, settings: Settings) -> Settings:
    return {
        parameter.name: parameter.rounded(settings[parameter.name])
        for parameter in problem.parameters
    }


def open_study(problem: TuningProblem, path: Path) -> Any:
    """The study of these boards and this guess; one file may hold several."""
    for _ in range(ATTEMPTS):
        try:
            return _opened(problem, path)
        except OSError:
            # Two that begin at once make the same tables; who comes late finds them there.
            time.sleep(random.uniform(0.1, 0.5))
    return _opened(problem, path)


def _opened(problem: TuningProblem, path: Path) -> Any:
    optuna = _optuna()
    with _explained(path), warnings.catch_warnings():
        # Signs of life are an experiment of Optuna's; without them trials only stay unfinished.
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        storage = optuna.storages.RDBStorage(
            f"sqlite:///{path}",
            engine_kwargs={"connect_args": {"timeout": PATIENCE}},
            heartbeat_interval=HEARTBEAT,
            grace_period=GRACE,
        )
        study = optuna.create_study(
            storage=storage,
            study_name=name_of(problem),
            direction="maximize",
            load_if_exists=True,
            sampler=_sampler(0),
            pruner=optuna.pruners.MedianPruner(STARTUP, n_warmup_steps=problem.epochs // WARM_UP),
        )
        study.enqueue_trial(dict(_rounded(problem, problem.settings)), skip_if_exists=True)
    return study


def name_of(problem: TuningProblem) -> str:
    """What tells one study from another: all that trials are compared by."""
    return (
        f"{problem.boards.kind}, {problem.boards.digest[:16]}; around {problem.guess}, "
        f"{problem.most_clauses} clauses at the most; {problem.n_folds} folds without "
        f"{problem.test_fold + 1}; {problem.epochs} epochs, stop {problem.stop}"
    )


def _sampler(seed: int) -> Any:
    # Each setting is drawn by itself, when it is asked for, and thus from the trial's own seed.
    return _optuna().samplers.TPESampler(seed=seed % 2**32, multivariate=False)


def _ended(study: Any) -> Sequence[Any]:
    """The trials that count."""
    states = _optuna().trial.TrialState
    return study.get_trials(deepcopy=False, states=(states.COMPLETE, states.PRUNED))


def _page(problem: TuningProblem, trial: Any) -> Page:
    """What a report says of a trial; one that was broken off has the last mean it was known by."""
    complete = trial.state.name == "COMPLETE"
    accuracies = [100 * accuracy for accuracy in trial.user_attrs.get("accuracies", [])]
    page = trial_page(_rounded(problem, trial.params), accuracies, DONE if complete else PRUNED)
    if not complete:
        last = trial.intermediate_values[max(trial.intermediate_values)]
        page |= {"mean": round(100 * last, 4), "spread": None}
    return {
        **page,
        "epochs": round(len(trial.intermediate_values) / (len(accuracies) if complete else 1), 1),
        "seconds": round(trial.duration.total_seconds(), 3),
    }


def _optuna() -> Any:
    try:
        import optuna
    except ImportError as error:
        raise ValueError("This search needs Optuna: pip install 'clauseboard[search]'.") from error
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna


@contextlib.contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Say in a sentence what is wrong with the file of a study."""
    from sqlalchemy.exc import SQLAlchemyError

    try:
        yield
    except (SQLAlchemyError, _optuna().exceptions.StorageInternalError) as error:
        cause = error.__cause__ if isinstance(error.__cause__, SQLAlchemyError) else error
        said = str(getattr(cause, "orig", None) or cause).splitlines()[0]
        raise OSError(
            f"{path}: the study cannot be read or written ({said}); what has ended is kept."
        ) from error
