"""The search for good settings by Optuna (the extra `search`).

The study is an SQLite file. Processes that work on it, of one command or of several, draw the next
settings from the results of all; a trial that falls behind the others, epoch by epoch, is pruned. A
study that was stopped resumes; a trial that was interrupted is not counted, and another one takes
its place.
"""

from __future__ import annotations

import contextlib
import os
import random
import statistics
import time
import warnings
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from clauseboard.checks import whole_number
from clauseboard.papers.experiment import EpochResult, Page, Task
from clauseboard.papers.runner import (
    ProgressCallback,
    TaskStore,
    check_device,
    end_if_orphaned,
    finish_tasks,
)
from clauseboard.papers.training import train
from clauseboard.parallel import spread
from clauseboard.tuning.problem import (
    DONE,
    PRUNED,
    STUDY,
    Settings,
    TuningProblem,
    tested_once,
    trial_page,
    tuning_page,
)

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
