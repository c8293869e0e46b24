"""Self-play of chapter 8 of the Go thesis: its machines against each other and against chance.

The thesis plays ten games a pairing and does not say what makes them differ. Here each game has
machines of its own: those that were trained without the first fold play the first game, and so on.
A game ends after 70 moves and is counted by area.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from clauseboard.game import load_game
from clauseboard.papers.boards import Kind
from clauseboard.papers.go_clauses import clause_rows
from clauseboard.papers.go_searching import evaluator_of
from clauseboard.papers.go_tables import ALL, SEARCHER, SIZES, UNFINISHED, course
from clauseboard.papers.machines import Machine, fold_tasks
from clauseboard.papers.materials import Materials
from clauseboard.papers.table import Size, Task, Told

MACHINES: dict[str, tuple[Machine, Kind]] = {
    "TM1": (Machine(26_000, 16_000, 27), ALL),
    "TM2": (SEARCHER, UNFINISHED),
    "TM3": (Machine(1_000, 16_000, 27), ALL),
    "TM4": (Machine(20_000, 4_000, 27), ALL),
}
"""By the names of table 8.6, with the boards that each has learned from."""

RANDOM = "Random"
GAMES = 10
MOVES = {"quick": 16, "default": 70, "full": 70}
"""After which a game ends, by size: a quick one only shows that it can be played."""

WIDTH, DEPTH = 3, 3
WATCHED = ("TM4", "TM3")
"""Black and white of the pairing whose clauses and boards the thesis shows; its first game here."""

SHOWN_TURNS = (1, 16, 60, 61, 69, 70)
"""The turns of figures 8.28 to 8.33."""

PLAYING_SIZES = {
    "quick": replace(SIZES["quick"], games=2),
    "default": replace(SIZES["default"], folds=GAMES, share=1 / 10, games=GAMES),
    "full": SIZES["full"],
}


def machine_tasks(name: str, size: Size, materials: Materials) -> tuple[Task, ...]:
    """The tasks that train a machine, without one fold each, and keep it."""
    machine, kind = MACHINES[name]
    return fold_tasks(materials.boards(kind), size, machine.at(size), course(size), keep=True)


def game_tasks(black: str, white: str, size: Size, materials: Materials) -> tuple[Task, ...]:
    """The games of a pairing, one a task; of the pairing that is watched, more is told."""
    trained = [machine_tasks(name, size, materials) for name in (black, white) if name != RANDOM]
    settings = {
        "players": [black, white],
        "rules": {"size": 9, "max_moves": MOVES[size.name]},
        "width": WIDTH,
        "depth": DEPTH,
        "passes": False,
    }
    return tuple(
        Task(
            play,
            {**settings, "seed": game + 1, "watched": (black, white) == WATCHED and game == 0},
            needs=tuple(by_fold[game % len(by_fold)] for by_fold in trained),
        )
        for game in range(size.games_of(GAMES))
    )


def play(tasks: Sequence[Task], told: Told, device: str) -> list[Mapping[str, Any]]:
    """Do such tasks."""
    return [played(task.settings, task.given) for task in tasks]


def played(settings: Mapping[str, Any], machines: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """A game: who won, why, after how many moves; and of one that is watched, what was thought."""
    from clauseboard.arena.playing import play_game
    from clauseboard.explaining.clause_statistics import Counting
    from clauseboard.papers.go_stones import RandomStones, StoneSearch
    from clauseboard.players.searcher import SearchPlayer

    game, left = load_game("go", **settings["rules"]), iter(machines)
    judges: list[Any] = [
        None if name == RANDOM else evaluator_of(next(left), game) for name in settings["players"]
    ]
    if settings["watched"]:
        judges[0] = Counting(judges[0])
    players = [
        RandomStones(game)
        if judge is None
        else SearchPlayer(judge, StoneSearch(settings["width"], settings["depth"]))
        for judge in judges
    ]
    record = play_game(game, players, seed=settings["seed"])
    winner = None if record.winner is None else game.colours.index(record.winner)
    found = {"winner": winner, "reason": record.reason, "moves": len(record.moves)}
    if not settings["watched"]:
        return {"games": [found]}
    judges[0].ended(record.winner)
    return {
        "games": [found],
        "turns": turns_of(game, record.moves, judges),
        "clauses": clause_rows(judges[0].counts()),
    }


def turns_of(game: Any, moves: Sequence[str], judges: Sequence[Any]) -> list[dict[str, Any]]:
    """Each move of a game, and what the machine that made it thinks of the board after it."""
    position, turns = game.start(), []
    for number, name in enumerate(moves):
        mover = position.to_move
        position = position.play(position.read_move(name))
        turns.append({"mover": mover, "move": name, **thought(position, judges[number % 2])})
    return turns


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
