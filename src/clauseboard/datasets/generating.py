"""Data of our own making: records of games that players play, and boards that a search finds.

The games are those of a match in the arena, which stores each as it ends, so that an interrupted
run goes on. They begin with many openings. A game in which a player failed is left out of the
records; it stays in the store, and is counted.

Perfect games of Hex show few of the boards that a search meets. So random boards are made, all
boards some moves on are scored, and the best of them are written to files with their true winners,
found by the solver, which also shows how good the scores are. One file holds the results from a
hundred boards.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import cast

import numpy as np

from clauseboard.arena.match import MatchResult, Opening
from clauseboard.arena.playing import GameRecord, written_game
from clauseboard.checks import whole_number
from clauseboard.evaluation import Evaluator
from clauseboard.files import replaced
from clauseboard.game import Ending, Game
from clauseboard.games.hex import Hex, HexPosition
from clauseboard.games.hex.datasets import ENDING, SearchedBoard, write_line
from clauseboard.games.hex.encoding import boards_of
from clauseboard.games.hex.rules import cells_of
from clauseboard.games.hex.solving import Solver, check
from clauseboard.games.plugins import RECORDS
from clauseboard.games.solving import Progress
from clauseboard.parallel import spread
from clauseboard.players import SearchPlayer, describe_players, read_player, read_spec, write_spec
from clauseboard.search.full_width import FullWidth

N_OPENINGS = 2000
"""Random openings that are drawn, unless there are fewer; so that more games can be asked later."""

TRIES = 20
"""For how many times as many openings are drawn at most."""


def random_openings(game: Game, n_moves: int, seed: int, most: int = N_OPENINGS) -> list[Opening]:
    """Different openings of so many moves, any legal ones, after which the game goes on.

    There are `most` of them, or as many as were found; with `n_moves` 0 the one without moves.

    >>> from clauseboard.game import load_game
    >>> sorted(random_openings(load_game("hex", size=2), 1, seed=1))
    [('a1',), ('a2',), ('b1',), ('b2',)]
    """
    whole_number("n_moves", n_moves, 0)
    draws = random.Random(f"openings {seed}")
    openings: dict[Opening, None] = {}
    misses = 0
    while len(openings) < most and misses < TRIES * (len(openings) + 10):
        opening = _random_opening(game, n_moves, draws)
        if opening is None or opening in openings:
            misses += 1
        else:
            openings[opening] = None
    if not openings:
        raise ValueError(
            f"No game of {game!r} goes on after {n_moves} random moves; ask for fewer."
        )
    return list(openings)


def _random_opening(game: Game, n_moves: int, draws: random.Random) -> Opening | None:
    position, texts = game.start(), []
    for _ in range(n_moves):
        moves = position.moves()
        if not moves:
            return None
        move = draws.choice(moves)
        texts.append(position.write_move(move))
        position = position.play(move)
    return tuple(texts) if position.outcome() is None else None


def usual_player(game: Game) -> str:
    """The default player: one that is not too slow, and plays this game."""
    refusals = {kind.name: kind.refuses for kind in describe_players(game)}
    return next(text for text in USUAL if not refusals[text.partition(":")[0]])


USUAL = ("material:depth=4", "rollouts:simulations=200,rollouts=1", "random")
"""Players to choose from, the best one first."""


@dataclass(frozen=True)
class Written:
    """Records that were written: games, and those left out by how they ended."""

    path: Path
    games: int
    left_out: Counter[str]
    repeats: int
    """Games among them that were played before, move by move."""


def write_records(result: MatchResult, path: Path) -> Written:
    """Write the sound games of a match to a file as other programs read them, in their order.

    If there is none, the error says how the first game ended.
    """
    match = result.match
    suffixes = RECORDS.of(match.game).SUFFIXES
    if path.suffix.lower() not in suffixes:
        listed = " or ".join(f"*{suffix}" for suffix in suffixes)
        raise ValueError(f"Games of {match.game.name} go to a file named {listed}, not {path}.")
    left_out: Counter[str] = Counter()
    sound = []
    for record in result.games:
        why = unsound(record)
        if why:
            left_out[why] += 1
        else:
            sound.append(record)
    if not sound:
        raise ValueError(
            f"None of {len(result.games):,} games is one to learn from; the first ended with: "
            f"{result.games[0].outcome}."
        )
    with replaced(path) as file:
        for record in sound:
            file.write(written_game(match, record).encode())
    repeats = len(sound) - len({record.moves for record in sound})
    return Written(path, len(sound), left_out, repeats)


def unsound(record: GameRecord) -> str:
    """Why a game says nothing about its boards; an empty text if it does."""
    return UNSOUND.get(record.ending, "")


UNSOUND = {
    Ending.FAILURE: "a player failed",
    Ending.ILLEGAL_MOVE: "an illegal move",
    Ending.SOLVED: "broken off where best play loses",
    Ending.UNFINISHED: "no end",
}
"""The endings that are not by the rules, in few words."""


# ---- boards of Hex that a search rates highest


@dataclass(frozen=True)
class SearchPlan:
    """What is searched: the player whose judges score, on which boards, and how far.

    An iteration makes `boards` random boards with `fewest` to `most` stones, and keeps the `top`
    boards of all that come up `depth` moves later.
    """

    game: Hex
    player: str
    boards: int = 100
    fewest: int = 2
    most: int = 15
    depth: int = 3
    top: int = 100
    seed: int = 1

    def __post_init__(self) -> None:
        check(self.game)
        if self.game.swap:
            raise ValueError("Boards are searched without swaps; leave swap=True out.")
        for name in ("boards", "fewest", "most", "depth", "top"):
            whole_number(name, getattr(self, name), 1)
        if self.depth % 2 == 0:
            raise ValueError(
                f"depth={self.depth} is even; it must be odd, for a machine judges its own moves."
            )
        if not self.fewest <= self.most <= self.game.size**2 - self.depth:
            raise ValueError(
                f"fewest={self.fewest} and most={self.most} stones must leave room for "
                f"{self.depth} more on {self.game.size**2} cells."
            )
        whole_number("seed", self.seed, 0)

    def head(self) -> str:
        """The first line of a file: what its boards depend on, and no folder of this machine."""
        page = {**asdict(self), "game": repr(self.game), "player": named_by_hashes(self.player)}
        return f"# {json.dumps(page, sort_keys=True)}\n"


def search_boards(
    plan: SearchPlan,
    folder: Path,
    iterations: int = 27,
    jobs: int = 1,
    progress: Progress | None = None,
) -> list[Path]:
    """Write the files of so many iterations, those that are not there yet; all of their names.

    A file is there as a whole or not at all, so that an interrupted run can go on.
    """
    whole_number("iterations", iterations, 1)
    judges_of(plan)  # so that a wrong description is refused before anything is written
    paths = [folder / f"iteration-{number:04}{ENDING}" for number in range(1, iterations + 1)]
    head = plan.head()
    for path in paths:
        if path.exists() and path.open(encoding="utf-8", errors="replace").readline() != head:
            raise ValueError(f"{path} was made otherwise, or is no such file; name another folder.")
    folder.mkdir(parents=True, exist_ok=True)
    missing = [(plan, n, path) for n, path in enumerate(paths) if not path.exists()]
    written = spread(write_iteration, missing, jobs)
    for done, _ in enumerate(written, len(paths) - len(missing) + 1):
        if progress is not None:
            progress(done / len(paths))
    return paths


def write_iteration(plan: SearchPlan, number: int, path: Path) -> Path:
    """Search the boards of one iteration, and write what was found."""
    judges, solver = judges_of(plan), Solver(plan.game.size)
    with replaced(path) as file:
        file.write(plan.head().encode())
        for board in range(plan.boards):
            draws = random.Random(f"{plan.seed} {number} {board}")
            position = random_board(plan.game, plan.fewest, plan.most, draws)
            for line in found_from(position, board, judges, plan, solver):
                file.write(write_line(line).encode())
    return path


def random_board(game: Hex, fewest: int, most: int, draws: random.Random) -> HexPosition:
    """A board with so many stones, put anywhere in turn, on which nobody has won yet."""
    while True:
        stones = draws.randint(fewest, most)
        cells = draws.sample(range(len(cells_of(game.size))), stones)
        red, blue = (sum(1 << cell for cell in cells[side::2]) for side in range(2))
        try:
            position = game.position(red, blue, game.colours[stones % 2])
        except ValueError:
            continue  # the side to move has connected its sides
        if position.outcome() is None:
            return position


def found_from(
    position: HexPosition,
    number: int,
    judges: Mapping[str, Evaluator],
    plan: SearchPlan,
    solver: Solver,
) -> Iterator[SearchedBoard]:
    """The boards that the side to move rates highest, best first, each with its winner."""
    colour, other = position.to_move, plan.game.other(position.to_move)
    top = FullWidth(depth=plan.depth).top(position, judges[colour], plan.top)
    boards = cast(tuple[HexPosition, ...], top.positions)
    sides = np.array([plan.game.colours.index(board.to_move) for board in boards], np.int8)
    winners = solver.label(plan.game, boards_of(plan.game, boards), sides)
    for board, score, winner in zip(boards, top.scores, winners, strict=True):
        predicted = colour if score > 0 else other
        yield SearchedBoard(number, float(score), predicted, plan.game.colours[winner], board)


def judges_of(plan: SearchPlan) -> Mapping[str, Evaluator]:
    """What scores boards for each colour."""
    player = read_player(plan.player, plan.game)
    if not isinstance(player, SearchPlayer):
        player.close()
        raise ValueError(
            f"The player {plan.player!r} has no judge that scores boards; name one that searches, "
            "such as tsetlin:red=red.tm,blue=blue.tm."
        )
    return player.evaluators


def named_by_hashes(player: str) -> str:
    """A player's description in which the first digits of their hashes stand for files.

    >>> named_by_hashes("tsetlin:machine=no-such-file.tm")
    'tsetlin:machine=no-such-file.tm'
    """
    name, options = read_spec(player)
    for key, value in options.items():
        if isinstance(value, str) and os.path.isfile(value):
            options[key] = hashlib.sha256(Path(value).read_bytes()).hexdigest()[:16]
    return write_spec(name, options)
