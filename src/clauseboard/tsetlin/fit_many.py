"""Training many machines at once: folds, settings, seeds."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

from joblib import Parallel, delayed
from numpy.typing import ArrayLike

from clauseboard.tsetlin import gpu
from clauseboard.tsetlin.machine import BaseTsetlinMachine
from clauseboard.tsetlin.packing import Samples
from clauseboard.tsetlin.stopping import AdaptiveEpochs
from clauseboard.tsetlin.training import EpochCallback, FitJob, TrainingProgress


@dataclass(frozen=True)
class Fit:
    """A machine and the arguments of its `fit`."""

    machine: BaseTsetlinMachine
    X: Samples
    y: ArrayLike
    sample_weight: ArrayLike | None = None
    validation: tuple[ArrayLike, ArrayLike] | None = None
    stop: AdaptiveEpochs | None = None
    callback: EpochCallback | None = None
    bit_names: Sequence[str] | None = None

    def job(self) -> FitJob:
        """Check the arguments and begin."""
        _, *arguments = (getattr(self, field.name) for field in fields(self))
        return self.machine._fit_job(*arguments)


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
        on_gpu = [machine._on_gpu() for machine in machines]
        jobs = [fit.job() for fit in fits]
    except BaseException:
        for machine, attributes in zip(machines, before, strict=True):
            machine.__dict__.clear()
            machine.__dict__.update(attributes)
        raise
    gpu_jobs = [job for job, there in zip(jobs, on_gpu, strict=True) if there]
    try:
        if gpu_jobs:
            gpu.train(gpu_jobs, progress)
        cpu_jobs = [job for job, there in zip(jobs, on_gpu, strict=True) if not there]
        _run_on_cpu(cpu_jobs, n_jobs, progress)
    finally:
        for job in jobs:
            job.finish()
    return machines


def _run_on_cpu(jobs: list[FitJob], n_jobs: int | None, progress: bool | None) -> None:
    total = sum(job.samples_an_epoch * job.epochs for job in jobs)
    lock = threading.Lock()
    with TrainingProgress(progress, 1, round(total)) as bar:

        def advance(samples: int) -> None:
            with lock:
                bar.advance(samples)

        Parallel(n_jobs=n_jobs, prefer="threads")(
            delayed(job.run)(progress=False, advance=advance) for job in jobs
        )
