"""The process that trains: `python -m clauseboard.web.lab.training_process`.

The first line of its input is the plan, as JSON; a line "stop" ends it after the current step, and
the end of the input (the server has ended) at once. It prints a line of JSON for each event. After
every step the machine is in its file, so that killing the process loses one step at most.

Boards to learn from come from games that a player plays against itself after a few random moves,
with the results of the games or with what the player thinks of them, or from a composition that
makes its own games, such as the perfect games of Hex. All are seen from the
side to move, so that one machine plays both colours.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import sys
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from clauseboard.arena.match import Match, MatchResult, run_matches
from clauseboard.arena.playing import GameRecord
from clauseboard.datasets import DataSet, build, make_folds
from clauseboard.datasets.generating import random_openings, unsound
from clauseboard.evaluation import Limit
from clauseboard.explanation import Reason
from clauseboard.game import Game, load_game
from clauseboard.games.datasets import (
    DRAW,
    Composition,
    compositions,
    load_composition,
)
from clauseboard.games.plugins import DATASETS
from clauseboard.player import chance_of
from clauseboard.web.board_view import settings_of
from clauseboard.web.lab.training import BoardsFrom, TrainingPlan
from clauseboard.web.lab.training_queue import (
    HELD_OUT,
    MACHINE,
    player_line,
    player_options,
)
from clauseboard.web.models import TrainedClause
from clauseboard.web.opponents import games_won

MOST_CLAUSES = 8
"""Clauses that are shown after a step."""
MOST_HELD_OUT = 2000
LOOK_EVERY = 1.0
"""Seconds between two looks at the clauses: pictures take time, too."""
NICE = 5
FOLDS = 10
"""One in so many boards is held out, to see what was understood and what only remembered."""
HELD_OUT_FOLD = 5
"""Not the first fold: it has the longest games, which are harder than others."""
SECONDS = 0.02
"""Thinking time of a move in games that are played for their boards."""
MOST_BOARDS = 40_000
MOST_BITS = 50
"""Bits of a board for compositions that make their own games: solving larger ones takes long."""
OPENING, MOST_OPENING = 2, 8
"""Random moves before the players begin."""
MOST_MOVES = 150
"""Moves of a game whose boards are judged."""
UNDECIDED = 0.03
"""Chances so near to one half say nothing about who is better."""
MATCH_GAMES = 20
MATCH_SECONDS = 5.0
"""Games against the random player after a training; no game begins after so many seconds."""

Report = Callable[[float], None]
"""Is called with the share that is done; it may raise to stop the work."""


class TrainingStoppedError(Exception):
    """The person has stopped the training."""


# ---- boards


def solved(game: Game) -> list[Composition]:
    """The compositions that make games of these rules themselves, and quickly.

    Theirs have no swap; who wins on a board is the same with it, once the second move is made.
    """
    if game.name not in DATASETS.games() or len(game.bits()) > MOST_BITS:
        return []
    size = {"size": game.size} if hasattr(game, "size") else {}
    made = [
        load_composition(game.name, kind.name, **size)
        for kind in compositions(game.name).values()
        if not kind.from_files
    ]
    settings = settings_of(game)
    plain = load_game(game.name, **{**settings, "swap": False}) if "swap" in settings else game
    return [composition for composition in made if composition.game in (game, plain)]


def solved_boards(game: Game, name: str, report: Report | None = None) -> DataSet:
    """The boards of a composition that makes its own games."""
    (composition,) = (candidate for candidate in solved(game) if candidate.name == name)
    data = build(composition, progress=report)
    ends = (*game.colours, None)
    rows = (
        (data.position(n), ends[data.labels[n]], int(data.games[n]), int(data.plies[n]))
        for n in range(len(data))
    )
    return _data_set(game, rows, "mover", composition.text)


def played_boards(
    game: Game,
    line: str,
    n_games: int,
    seed: int = 1,
    view: str = "mover",
    report: Report | None = None,
) -> DataSet:
    """The boards of games that a player plays against itself."""
    openings = tuple(random_openings(game, OPENING, seed, n_games))
    match = Match(game, (line, line), n_games, seed, Limit(seconds=SECONDS), openings)
    done = 0

    def count(place: int, record: GameRecord) -> None:
        nonlocal done
        done += 1
        if report is not None:
            report(done / n_games)

    (result,) = run_matches([match], on_game=count)
    rows = []
    for number, record in enumerate(record for record in result.games if not unsound(record)):
        position = game.start()
        for ply, text in enumerate(record.moves):
            if ply >= record.n_given:
                rows.append((position, record.winner, number, ply))
            position = position.play(position.read_move(text))
    return _data_set(game, rows, view, f"{n_games:,} games of {line} against itself")


def judged_boards(
    game: Game, line: str, n_games: int, seed: int = 1, report: Report | None = None
) -> DataSet:
    """The boards of games that a player plays against itself, each with the side that it likes
    better as its winner; boards on which it hardly likes either are left out."""
    from clauseboard.players import read_player

    player, draws = read_player(line, game), random.Random(seed)
    rows = []
    for number in range(n_games):
        for colour in game.colours:
            player.begin(game, colour, draws.getrandbits(63))
        position, opening = game.start(), draws.randint(OPENING, MOST_OPENING)
        for ply in range(MOST_MOVES):
            if position.outcome() is not None:
                break
            if ply < opening:
                position = position.play(draws.choice(position.moves()))
                continue
            choice = player.choose(position)
            chance = max((chance_of(one) or 0.0 for one in choice.candidates), default=0.5)
            if abs(chance - 0.5) > UNDECIDED:
                side = position.to_move if chance > 0.5 else game.other(position.to_move)
                rows.append((position, side, number, ply))
            position = position.play(choice.move)
        if report is not None:
            report((number + 1) / n_games)
    return _data_set(game, rows, "mover", f"{n_games:,} games of {line}, judged by itself")


def _data_set(game: Game, rows: Iterable[tuple[Any, ...]], view: str, about: str) -> DataSet:
    listed = list(rows)
    listed = listed[:: -(-len(listed) // MOST_BOARDS) or 1]
    if not listed:
        raise ValueError("These games have no board to learn from; choose another player.")
    positions, winners, numbers, plies = zip(*listed, strict=True)
    ends = {colour: n for n, colour in enumerate(game.colours)} | {None: DRAW}
    labels = np.array([ends[winner] for winner in winners], np.uint8)
    games = np.array(numbers, np.int64)
    return DataSet(
        game,
        game.bits(),
        np.packbits(game.encode(positions, view=view), axis=1, bitorder="little"),
        labels,
        games,
        np.array(plies, np.int32),
        np.array([game.colours.index(position.to_move) for position in positions], np.uint8),
        make_folds(labels, games, FOLDS),
        FOLDS,
        view,
        {"composition": about},
    )


def split(boards: DataSet, most: int) -> tuple[Any, Any]:
    """The numbers of the boards to learn from, and of up to `most` others, to test on.

    Different games may reach the same board: no board that was learned is tested on.
    """
    learned, held_out = boards.split(HELD_OUT_FOLD)
    seen = {row.tobytes() for row in boards.packed[learned]}
    fresh = [n for n in held_out if boards.packed[n].tobytes() not in seen]
    if not fresh:
        raise ValueError("No board is left to test on; ask for more games.")
    return learned, np.array(fresh[:most])


def results(boards: DataSet) -> Any:
    """The results for the side to move: "win", "loss" or "draw"."""
    own = np.where(boards.labels == boards.to_move, "win", "loss")
    return np.where(boards.labels == DRAW, "draw", own)


def measure(game: Game, line: str, report: Report) -> str:
    """The results of a short match of a player against the random one, one move ahead."""
    from clauseboard.players import read_player

    match = Match(game, (line, "random"), MATCH_GAMES, limit=Limit(depth=1))
    players = [read_player(text, game) for text in match.players]
    games, ends = [], time.monotonic() + MATCH_SECONDS
    report(0.0)
    for number in range(MATCH_GAMES):
        games.append(match.play(number, players))
        report(len(games) / MATCH_GAMES)
        if time.monotonic() > ends:
            break
    won = games_won(MatchResult(match, tuple(games)).counts(0))
    return f"{won} against the random mover, looking one move ahead"


# ---- training


class TrainingRun:
    """A training in this process; `send` passes on its events."""

    def __init__(self, plan: TrainingPlan, send: Callable[..., None]) -> None:
        self.plan, self.send = plan, send
        self.game = load_game(plan.game, **plan.settings)
        self.folder = Path(plan.folder)
        self.stopped = False
        self._reported = 0.0
        self._before: dict[Any, Reason] = {}
        """The clauses at the last look, by their places in the machine."""
        self._looked, self._since = 0.0, 0

    def run(self) -> None:
        """Make the boards, if they are needed, and learn step by step."""
        from clauseboard.learners import load_trainer, make_options

        kind = load_trainer(self.plan.learner)
        options = make_options(kind, self.plan.options)
        held_out = None
        if self.plan.source is None:
            trainer: Any = kind.begin(self.game, options)
        else:
            try:
                boards, held_out = self._boards(self.plan.source)
            except TrainingStoppedError:
                self.send("done", stopped=True)
                return
            trainer = kind.begin(self.game, options, boards)
        path = self.folder / MACHINE
        steps = trainer.steps()
        self.send("phase", phase="training", text="")
        for progress in steps:
            trainer.save(path)
            figures = {}
            if held_out is not None:
                right = trainer.machine.predict(held_out.X) == results(held_out)
                figures["accuracy on boards never seen"] = float(right.mean())
            self.send(
                "step",
                step=progress.step,
                of=progress.of,
                figures={**figures, **progress.figures},
                notes=list(progress.notes),
            )
            ends = self.stopped or progress.step == progress.of
            if ends or time.monotonic() - self._looked > LOOK_EVERY:
                self._look(path, held_out, progress.step)
            if self.stopped:
                break
        stopped, self.stopped = self.stopped, False
        text = f"It plays {MATCH_GAMES} games against the random mover."
        self.send("phase", phase="measuring", text=text)
        with contextlib.suppress(TrainingStoppedError):
            line = player_line(self.plan.learner, path)
            self.send("measured", text=measure(self.game, line, self.report))
        self.send("done", stopped=stopped)

    def report(self, share: float) -> None:
        """Send how far boards or games are, a few times a second; the person may stop there."""
        if self.stopped:
            raise TrainingStoppedError
        if time.monotonic() - self._reported > 0.3 or share >= 1:
            self._reported = time.monotonic()
            self.send("share", share=share)

    def _boards(self, source: BoardsFrom) -> tuple[Path, DataSet]:
        """A file of boards to learn from, and those that are held out."""
        self.send("phase", phase="boards", text=source.title)
        if source.composition is not None:
            boards = solved_boards(self.game, source.composition, self.report)
        else:
            make = judged_boards if source.judged else played_boards
            plan = self.plan
            boards = make(self.game, source.line, plan.games, plan.seed, report=self.report)
        learned, tested = split(boards, MOST_HELD_OUT)
        path = self.folder / "boards.npz"
        y = results(boards)
        np.savez(path, X=boards.packed[learned], y=y[learned])
        held_out = boards.take(tested)
        held_out.save(self.folder / HELD_OUT)
        names, counts = np.unique(y[learned], return_counts=True)
        self.send(
            "boards",
            learned=len(learned),
            held_out=len(held_out),
            results=dict(zip(names.tolist(), counts.tolist(), strict=True)),
            guess=float(np.unique(y[tested], return_counts=True)[1].max() / len(tested)),
        )
        return path, held_out

    def _look(self, path: Path, held_out: DataSet | None, step: int) -> None:
        """Send the strongest clauses that were learned so far, and which of them are new."""
        from clauseboard.explaining.clause_statistics import count_clauses
        from clauseboard.learners import learner_of_trainer
        from clauseboard.web.lab.clauses import clause_card

        learner = self.plan.learner
        evaluator: Any = learner_of_trainer(learner).make_evaluator(
            self.game, **player_options(learner, path)
        )
        if held_out is None or not hasattr(evaluator, "judges"):
            return
        counts = count_clauses(evaluator, held_out.packed, held_out.to_move, held_out.labels)
        counts.sort(key=lambda one: -one.reason.weight * (one.right - one.wrong))
        cards = [
            TrainedClause(
                **clause_card(self.game, count).model_dump(),
                **since(count, self._before.get(_place(count))),
            ).model_dump()
            for count in counts[:MOST_CLAUSES]
        ]
        self._before = {_place(count): count.reason for count in counts}
        self.send("clauses", step=step, since=self._since, count=len(counts), clauses=cards)
        self._looked, self._since = time.monotonic(), step


def _place(count: Any) -> Any:
    return count.reason.about, count.index


def since(count: Any, before: Reason | None) -> dict[str, Any]:
    """What became of a clause, as `TrainedClause` has it; most of them change a little each epoch.

    >>> from clauseboard.explaining.clause_statistics import ClauseCount
    >>> from clauseboard.game import Bit
    >>> a, b, c = (Bit(name, name, "black") for name in "abc")
    >>> count = ClauseCount(Reason((a, b, c), (), 4, True, "black"), 0, 9, 9, 9)
    >>> since(count, Reason((a, b), (), 3, True, "black"))
    {'weight_before': 3, 'changed': 1}
    >>> since(count, Reason((a,), (b,), 3, True, "black"))
    {'weight_before': None, 'changed': 0}
    """
    if before is None:
        return {"weight_before": None, "changed": 0}
    now, then = (
        {*((bit, True) for bit in one.needed), *((bit, False) for bit in one.forbidden)}
        for one in (count.reason, before)
    )
    if count.reason.favours != before.favours or 2 * len(now & then) < len(now | then):
        return {"weight_before": None, "changed": 0}
    return {"weight_before": before.weight, "changed": len(now ^ then)}


def main() -> None:
    """Train as the first line of the input says."""
    if hasattr(os, "nice"):
        os.nice(NICE)  # games go first
    output = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())

    def send(kind: str, **content: Any) -> None:
        output.write(json.dumps({"kind": kind, **content}) + "\n")
        output.flush()

    try:
        training = TrainingRun(TrainingPlan.model_validate_json(sys.stdin.readline()), send)

        def read_commands() -> None:
            for line in sys.stdin:
                if line.strip() == "stop":
                    training.stopped = True
            os._exit(3)  # the server has ended, and no one needs the machine

        threading.Thread(target=read_commands, daemon=True).start()
        training.run()
    except BrokenPipeError:
        pass  # the server has ended
    except (ValueError, OSError, RuntimeError) as error:
        send("failed", text=str(error))


if __name__ == "__main__":
    main()
