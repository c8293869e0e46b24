"""Other learners that the tables compare with: those of scikit-learn, on the same folds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from clauseboard.papers.boards import LabelledBoards
from clauseboard.papers.experiment import EpochCallback, RunSize, Task
from clauseboard.papers.training import judged

NETWORK = (512, 512)
"""Units of the hidden layers of the network at full size."""


def _logistic(seed: int, hidden: Sequence[int]) -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(solver="lbfgs", max_iter=1000)


def _tree(seed: int, hidden: Sequence[int]) -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(random_state=seed)


def _descent(seed: int, hidden: Sequence[int]) -> Any:
    from sklearn.linear_model import SGDClassifier

    return SGDClassifier(random_state=seed)


def _gaussian(seed: int, hidden: Sequence[int]) -> Any:
    from sklearn.naive_bayes import GaussianNB

    return GaussianNB()


def _multinomial(seed: int, hidden: Sequence[int]) -> Any:
    from sklearn.naive_bayes import MultinomialNB

    return MultinomialNB()


def _bernoulli(seed: int, hidden: Sequence[int]) -> Any:
    from sklearn.naive_bayes import BernoulliNB

    return BernoulliNB()


def _boosting(seed: int, hidden: Sequence[int]) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(random_state=seed, early_stopping=True)


def _network(seed: int, hidden: Sequence[int]) -> Any:
    from sklearn.neural_network import MLPClassifier

    # It stops by a tenth of its training boards: the test boards are looked at once.
    return MLPClassifier(
        tuple(hidden), random_state=seed, early_stopping=True, n_iter_no_change=5, alpha=ALPHA
    )


ALPHA = 1.0
"""How much the network is kept from large weights: far more than is usual, since it has more than
ten times as many of them as there are boards."""

MODELS: dict[str, Callable[[int, Sequence[int]], Any]] = {
    "Log Reg": _logistic,
    "DTC": _tree,
    "SGD": _descent,
    "GNB": _gaussian,
    "MNB": _multinomial,
    "BNB": _bernoulli,
    "gradient boosting": _boosting,
    "network": _network,
}
"""Six of the checkers thesis by its short names, with its parameters, and two of ours."""


def model_tasks(boards: LabelledBoards, size: RunSize, model: str) -> tuple[Task, ...]:
    """Fit a model and test it, on as many folds as the size has."""
    if model not in MODELS:
        raise ValueError(f"There is no model {model!r}; there are {', '.join(map(repr, MODELS))}.")
    hidden = [max(4, round(units * size.share**0.5)) for units in NETWORK]
    return tuple(
        Task(fit, {"model": model, "fold": fold, "seed": fold + 1, "hidden": hidden}, boards)
        for fold in range(min(size.folds, boards.n_folds))
    )


def fit(tasks: Sequence[Task], told: EpochCallback, device: str) -> list[Mapping[str, Any]]:
    """Do such tasks, one after the other on the CPU."""
    return [_fitted(task) for task in tasks]


def _fitted(task: Task) -> dict[str, Any]:
    import warnings

    from sklearn.exceptions import ConvergenceWarning
    from threadpoolctl import threadpool_limits

    assert task.boards is not None
    settings, X, y = task.settings, task.boards.X, task.boards.results
    test = task.boards.folds == settings["fold"]
    model = MODELS[settings["model"]](settings["seed"], settings["hidden"])
    # One core a task; threads that wait for each other are no help where others work, too.
    with warnings.catch_warnings(), threadpool_limits(1):
        # Small sizes stop learning early; that is what they are for.
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(X[~test], y[~test])
    return judged(y[test], model.predict(X[test]))
