"""Self-play of chapter 8 of the Go thesis: its machines against each other and against chance.

The thesis plays ten games a pairing and does not say what makes them differ. Here each game has
machines of its own: those that were trained without the first fold play the first game, and so on.
A game ends after 70 moves and is counted by area.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from clauseboard.experiments.boards import Kind
from clauseboard.experiments.go_clauses import clause_rows
from clauseboard.experiments.go_searching import evaluator_of
from clauseboard.experiments.go_tables import ALL, SEARCHER, SIZES, UNFINISHED, course
from clauseboard.experiments.machines import Machine, fold_task
from clauseboard.experiments.matches import Pairing
from clauseboard.experiments.materials import Materials
from clauseboard.experiments.table import Size, Task, Told
from clauseboard.game import load_game

MACHINES: dict[str, tuple[Machine, Kind]] = {
    "TM1": (Machine(26_000, 16_000, 27), ALL),
    "TM2": (SEARCHER, UNFINISHED),
    "TM3": (Machine(1_000, 16_000, 27), ALL),
    "TM4": (Machine(20_000, 4_000, 27), ALL),
}
"""By the names of table 8.6, with the boards that each has learned from."""

RANDOM = "Random"
GAMES = 10
MOVES = 70
WIDTH, DEPTH = 3, 3
SEARCH = f"search=width_depth,width={WIDTH},depth={DEPTH}"
PARAMETERS = {"size": 9, "max_moves": MOVES}

PLAYING_SIZES = {
    "quick": replace(SIZES["quick"], games=2),
    "default": replace(SIZES["default"], folds=GAMES, share=1 / 10, games=GAMES),
    "full": SIZES["full"],
}


def machine_tasks(name: str, size: Size, materials: Materials) -> tuple[Task, ...]:
    """The tasks that train a machine, without one fold each, and keep it."""
    machine, kind = MACHINES[name]
    boards = materials.boards(kind)
    folds = range(min(size.folds, boards.n_folds))
    return tuple(
        fold_task(boards, fold, machine.at(size), course(size), keep=True) for fold in folds
    )


def game_tasks(black: str, white: str, size: Size, materials: Materials) -> tuple[Task, ...]:
    """The games of a pairing, one a task."""
    trained = [machine_tasks(name, size, materials) for name in (black, white) if name != RANDOM]
    first, second = _line(black, 0), _line(white, 0 if black == RANDOM else 1)
    tasks: list[Task] = []
    for game in range(min(GAMES, size.games or GAMES)):
        machines = tuple(by_fold[game % len(by_fold)] for by_fold in trained)
        pairing = Pairing("go", first, second, machines, parameters=PARAMETERS, seed=game + 1)
        tasks += pairing.tasks(1)
    return tuple(tasks)


def _line(name: str, number: int) -> str:
    """A player as the command line takes it; `number` is that of its machine."""
    return "random" if name == RANDOM else f"tsetlin:machine={{{number}}},{SEARCH}"


# ---- the game that is watched

WATCHED = ("TM4", "TM3")
"""Black and white of the pairing whose clauses and boards the thesis shows."""

SHOWN_TURNS = (1, 16, 60, 61, 69, 70)
"""The turns of figures 8.28 to 8.33."""


def watched_task(size: Size, materials: Materials) -> Task:
    """The first game of the pairing once more; black's clauses are counted, and boards kept."""
    machines = tuple(machine_tasks(name, size, materials)[0] for name in WATCHED)
    return Task(watch, {"width": WIDTH, "depth": DEPTH, "moves": MOVES, "seed": 1}, needs=machines)


def watch(tasks: Sequence[Task], told: Told, device: str) -> list[Mapping[str, Any]]:
    """Do such tasks."""
    return [watched(task.given[0], task.given[1], **task.settings) for task in tasks]


def watched(
    black: Mapping[str, Any], white: Mapping[str, Any], width: int, depth: int, moves: int,
    seed: int,
) -> dict[str, Any]:  # fmt: skip
    """A game of two machines: its boards with what was thought of each, and black's clauses."""
    from clauseboard.arena.playing import derived_seed, play_game
    from clauseboard.explaining.statistics import Counting
    from clauseboard.players.searcher import SearchPlayer
    from clauseboard.search.width_depth import WidthDepth

    game = load_game("go", **{**PARAMETERS, "max_moves": moves})
    counting = Counting(evaluator_of(black, game))
    judges = {"black": counting, "white": evaluator_of(white, game)}
    players = [SearchPlayer(judge, WidthDepth(width, depth)) for judge in judges.values()]
    record = play_game(game, players, seed=derived_seed(seed, 0))
    counting.ended(record.winner)
    position, turns = game.start(), []
    for name in record.moves:
        judge, mover = judges[position.to_move], position.to_move
        position = position.play(position.read_move(name))
        turns.append({"mover": mover, "move": name, **thought(position, judge)})
    return {"turns": turns, "clauses": clause_rows(counting.counts()), "winner": record.winner}


def thought(position: Any, judge: Any) -> dict[str, Any]:
    """What a machine predicts of a board, with how many votes; its area, and the board itself."""
    from clauseboard.games.go.scoring import score

    judged = getattr(judge, "inner", judge).judge([position])
    place = int(judged.predicted()[0])
    return {
        "predicted": judged.winners[place] or "draw",
        "votes": int(judged.votes[0, place]),
        "area": score(position).margin,
        "position": position.game.write_position(position),
    }
