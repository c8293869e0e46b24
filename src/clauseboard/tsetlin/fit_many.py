"""Training many machines at once: folds, settings, seeds."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from joblib import Parallel, delayed

from clauseboard.tsetlin import gpu
from clauseboard.tsetlin.fit_job import Course, Epoch
from clauseboard.tsetlin.machine import BaseTsetlinMachine
from clauseboard.tsetlin.progress import TrainingProgress
from clauseboard.tsetlin.stopping import AdaptiveEpochs


@dataclass(frozen=True)
class Fit:
    """A machine and what its `fit` is to be called with."""

    machine: BaseTsetlinMachine
    X: Any
    y: Any
    sample_weight: Any = None
    validation: tuple[Any, Any] | None = None
    stop: AdaptiveEpochs | None = None
    callback: Callable[[Epoch], bool | None] | None = None
    bit_names: Any = None

    def course(self) -> Course:
        """Check everything and begin."""
        settings = {
            "validation": self.validation,
            "stop": self.stop,
            "callback": self.callback,
            "bit_names": self.bit_names,
        }
        given = {name: value for name, value in settings.items() if value is not None}
        return self.machine._whole_course(self.X, self.y, self.sample_weight, **given)


def fit_many(
    fits: Iterable[Fit], *, n_jobs: int | None = None, progress: bool | None = None
) -> list[BaseTsetlinMachine]:
    """Fit many machines at once; each becomes what its own `fit` would have made of it.

    On a GPU (those with `device="gpu"`, or "auto" where there is one) all learn side by side,
    which is what fills it: ten folds take hardly longer than one. If its memory is too small for
    all, they take turns. On the CPU, `n_jobs` machines learn at a time, through joblib; give the
    machines themselves `n_jobs=1` then.

    If anything given is refused, that is before training begins, and all machines stay as they
    were. Returns the machines in the order given.

    >>> import numpy as np
    >>> from clauseboard.tsetlin import TsetlinMachineClassifier
    >>> X = np.random.default_rng(0).integers(2, size=(500, 4))
    >>> y = X[:, 0] ^ X[:, 1]
    >>> machines = fit_many(
    ...     Fit(TsetlinMachineClassifier(10, specificity=s, random_state=1), X, y)
    ...     for s in (2.0, 4.0)
    ... )
    >>> [machine.score(X, y) for machine in machines]
    [1.0, 1.0]
    """
    fits = list(fits)
    machines = [fit.machine for fit in fits]
    if len({id(machine) for machine in machines}) < len(machines):
        raise ValueError("A machine is given twice; every fit needs a machine of its own.")
    before = [dict(machine.__dict__) for machine in machines]
    try:
        on_gpu = [gpu.chosen(machine.device) for machine in machines]
        courses = [fit.course() for fit in fits]
    except BaseException:
        for machine, attributes in zip(machines, before, strict=True):
            machine.__dict__.clear()
            machine.__dict__.update(attributes)
        raise
    try:
        gpu_courses = [c for c, there in zip(courses, on_gpu, strict=True) if there]
        if gpu_courses:
            gpu.train(gpu_courses, progress)
        _train_on_cpu(
            [c for c, there in zip(courses, on_gpu, strict=True) if not there], n_jobs, progress
        )
    finally:
        for course in courses:
            course.finish()
    return machines


def _train_on_cpu(courses: list[Course], n_jobs: int | None, progress: bool | None) -> None:
    boards = sum(course.boards_an_epoch * course.epochs for course in courses)
    lock = threading.Lock()
    with TrainingProgress(progress, 1, round(boards)) as bar:

        def advance(boards: int) -> None:
            with lock:
                bar.advance(boards)

        def run(course: Course) -> None:
            course.machine._train_on_cpu(course, progress=False, advance=advance)

        Parallel(n_jobs=n_jobs, prefer="threads")(delayed(run)(course) for course in courses)
