"""The process that trains: `python -m clauseboard.web.lab.training_process`.

The first line of its input is what to train, as JSON; a line "stop" ends it after the step at hand,
and the end of the input (the server is gone) at once. It answers with a line of JSON for each thing
that happens. After every step the machine is in its file, so that whoever kills it loses one step.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

from clauseboard.learners.training import learner_of_trainer

MACHINE, HELD_OUT = "machine", "held-out.npz"
"""Files in the folder of a training."""

MOST_CLAUSES = 8
"""Clauses that are shown after a step."""
MOST_HELD_OUT = 2000
LOOK_EVERY = 1.0
"""Seconds between two looks at the clauses: pictures take time, too."""
NICE = 5


class TrainingStoppedError(Exception):
    """The person wants no more."""


class Training:
    """A training in this process; `say` passes on what happens."""

    def __init__(self, wish: dict[str, Any], say: Any) -> None:
        from clauseboard.game import load_game

        self.wish, self.say = wish, say
        self.game = load_game(wish["game"], **wish["settings"])
        self.folder = Path(wish["folder"])
        self.stopped = False
        self._before: dict[Any, int] = {}
        self._looked, self._since = 0.0, 0

    def run(self) -> None:
        """Make the boards, if they are needed, and learn step by step."""
        from clauseboard.learners.training import load_trainer, make_options

        kind = load_trainer(self.wish["learner"])
        options = make_options(kind, self.wish["options"])
        held_out = None
        if kind.data_help is None:
            trainer = kind.begin(self.game, options)
        else:
            try:
                boards, held_out = self._boards()
            except TrainingStoppedError:
                self.say("done", stopped=True)
                return
            trainer = kind.begin(self.game, options, boards)
        path = self.folder / MACHINE
        steps = trainer.steps()
        self.say("phase", phase="training", text="")
        for progress in steps:
            trainer.save(path)
            measured = self._measured(trainer, held_out)
            self.say(
                "step",
                step=progress.step,
                of=progress.of,
                figures={**measured, **progress.figures},
                notes=list(progress.notes),
            )
            ends = self.stopped or progress.step == progress.of
            if ends or time.monotonic() - self._looked > LOOK_EVERY:
                self._look(path, held_out, progress.step)
            if self.stopped:
                break
        stopped, self.stopped = self.stopped, False
        self._measure(path)
        self.say("done", stopped=stopped)

    def _measure(self, path: Path) -> None:
        """Play a few games, so that it is known how strong the machine is; Stop ends that, too."""
        from clauseboard.players.spec import write_spec
        from clauseboard.web.lab.measuring import GAMES, measure

        learner = self.wish["learner"]
        line = write_spec(player_of(learner), options_of(learner, path))
        self.say("phase", phase="measuring", text=f"It plays {GAMES} games against chance.")
        with contextlib.suppress(TrainingStoppedError):
            self.say("measured", text=measure(self.game, line, _Seldom(self)))

    def _boards(self) -> tuple[Path, Any]:
        """A file of boards to learn from, and those that are kept back."""
        import numpy as np

        from clauseboard.web.lab import training_boards

        source = self.wish["source"]
        self.say("phase", phase="boards", text=source["title"])
        told = _Seldom(self)
        if source["composition"] is not None:
            boards = training_boards.solved_boards(self.game, source["composition"], told)
        else:
            n_games, seed = self.wish["games"], self.wish["seed"]
            boards = training_boards.played_boards(
                self.game, source["line"], n_games, seed, told=told
            )
        learned, kept_back = training_boards.split(boards, MOST_HELD_OUT)
        path = self.folder / "boards.npz"
        y = training_boards.results(boards)
        np.savez(path, X=boards.packed[learned], y=y[learned])
        held_out = boards.take(kept_back)
        held_out.save(self.folder / HELD_OUT)
        names, counts = np.unique(y[learned], return_counts=True)
        self.say(
            "boards",
            learned=len(learned),
            held_out=len(held_out),
            results=dict(zip(names.tolist(), counts.tolist(), strict=True)),
        )
        return path, held_out

    def _measured(self, trainer: Any, held_out: Any) -> dict[str, float]:
        """How often a machine is right about the boards that were kept back."""
        if held_out is None:
            return {}
        from clauseboard.web.lab.training_boards import results

        right = trainer.machine.predict(held_out.X) == results(held_out)
        return {"accuracy on boards never seen": float(right.mean())}

    def _look(self, path: Path, held_out: Any, step: int) -> None:
        """The strongest clauses of what was learned so far, and which of them are new."""
        from clauseboard.explaining.statistics import count_clauses
        from clauseboard.web.lab.clauses import card

        learner = learner_of_trainer(self.wish["learner"])
        evaluator = learner.make_evaluator(self.game, **options_of(self.wish["learner"], path))
        if held_out is None or not hasattr(evaluator, "judges"):
            return
        counts = count_clauses(evaluator, held_out.packed, held_out.to_move, held_out.labels)
        cards = []
        for one in counts[:MOST_CLAUSES]:
            before = self._before.get(_pattern(one.reason))
            cards.append({**card(self.game, one), "weight_before": before})
        self._before = {_pattern(one.reason): one.reason.weight for one in counts}
        self.say("clauses", since=self._since, count=len(counts), clauses=cards)
        self._looked, self._since = time.monotonic(), step


class _Seldom:
    """Tells how far boards or games are, a few times a second; the person may stop there, too."""

    def __init__(self, training: Training) -> None:
        self.training, self.told = training, 0.0

    def __call__(self, share: float) -> None:
        if self.training.stopped:
            raise TrainingStoppedError
        if time.monotonic() - self.told > 0.3 or share >= 1:
            self.told = time.monotonic()
            self.training.say("share", share=share)


def _pattern(reason: Any) -> Any:
    return reason.about, reason.favours, frozenset(reason.needed), frozenset(reason.forbidden)


def player_of(learner: str) -> str:
    """The player of a trainer; "swarm-descent" is another way to train "swarm"."""
    return learner_of_trainer(learner).__name__.rpartition(".")[2].replace("_", "-")


def options_of(learner: str, path: Path) -> dict[str, Any]:
    """The options of the player of a file: the first one of every learner is its file."""
    known = list(learner_of_trainer(learner).OPTIONS)
    return {known[0]: str(path), **({"view": "mover"} if "view" in known else {})}


def main() -> None:
    """Train what the first line of the input says."""
    if hasattr(os, "nice"):
        os.nice(NICE)  # games go first
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())

    def say(kind: str, **content: Any) -> None:
        answers.write(json.dumps({"kind": kind, **content}) + "\n")
        answers.flush()

    try:
        training = Training(json.loads(sys.stdin.readline()), say)

        def obey() -> None:
            for line in sys.stdin:
                if line.strip() == "stop":
                    training.stopped = True
            os._exit(3)  # the server is gone, and nobody waits for a machine

        threading.Thread(target=obey, daemon=True).start()
        training.run()
    except BrokenPipeError:
        pass  # the server is gone
    except (ValueError, OSError, RuntimeError) as error:
        say("failed", text=str(error))


if __name__ == "__main__":
    main()
