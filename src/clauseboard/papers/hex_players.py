"""The players of the tournament of the Hex thesis, and the games that they play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from clauseboard.papers.boards import BoardSet
from clauseboard.papers.experiment import Figure, ReadValues, RunSize, Task
from clauseboard.papers.hex_boards import PERFECT, SEARCHED, side_of
from clauseboard.papers.hex_dual import SIDES, half
from clauseboard.papers.hex_tables import sizes as hex_sizes
from clauseboard.papers.matches import Pairing
from clauseboard.papers.materials import BoardSource
from clauseboard.papers.training import MachineParameters, TrainingSchedule, fold_task

GAMES = 10
"""Of each pairing."""

SCALE = 100_000
"""The lead in votes that the thesis holds for a sure win."""

SIMULATIONS, ROLLOUT_SIMULATIONS, ROLLOUTS = 10_000, 1_000, 20

SMALL_COURSE, FULL_COURSE = 10, 50
"""Epochs that the machines learn at less than full size, and as published."""


@dataclass(frozen=True)
class TournamentPlayer:
    """A player of table 5.8: its machines, what they learned from, and how it searches."""

    name: str
    machine: MachineParameters
    kind: BoardSet
    search: str

    def tasks(self, size: RunSize, source: BoardSource) -> tuple[Task, Task]:
        """The tasks that train its machines, red's and blue's, each on nine folds of ten."""
        boards = source.boards(self.kind)
        epochs = min(size.epochs, FULL_COURSE if size.name == "full" else SMALL_COURSE)
        machine = self.machine.at(size)
        red, blue = (
            fold_task(
                half(boards, colour),
                0,
                machine,
                TrainingSchedule(epochs, stop=None, side=side),
                keep=True,
            )
            for colour, side in SIDES.items()
        )
        return red, blue

    def line(self, size: RunSize, first: int) -> str:
        """The player in a line; its machines are the two from number `first` on."""
        machine = self.machine.at(size)
        machines = f"tsetlin:red={{{first}}},blue={{{first + 1}}}"
        if self.search == TREE:
            return f"{machines},search=full_width,depth=3,sees_end=false"
        scale = SCALE * machine.T / self.machine.T
        return f"{machines},search=mcts,simulations={simulations(size)},scale={scale:g}"


MONTE_CARLO, TREE = "MCTS", "tree search"

MACHINE_PLAYERS = (
    TournamentPlayer("TM1", MachineParameters(500, 6_000, 10), PERFECT, MONTE_CARLO),
    TournamentPlayer("TM2", MachineParameters(500, 12_000, 40), SEARCHED, MONTE_CARLO),
    TournamentPlayer("TM3", MachineParameters(9_600, 12_000, 40), SEARCHED, MONTE_CARLO),
    TournamentPlayer("TM4", MachineParameters(500, 6_000, 10), PERFECT, TREE),
    TournamentPlayer("TM5", MachineParameters(9_600, 12_000, 40), SEARCHED, TREE),
)
"""Table 5.8."""

PLAYERS = ("Rand.", "RR", *(player.name for player in MACHINE_PLAYERS))
"""In the order of tables 5.9 and 5.10."""

DATA_NAMES = {PERFECT: "17k", SEARCHED: "287k"}


def simulations(size: RunSize, of: int = SIMULATIONS) -> int:
    """How many simulations there are for a move: fewer with fewer clauses."""
    return max(20, round(of * min(1.0, 4 * size.share)))


def sizes() -> dict[str, RunSize]:
    """Of the tables that need the tournament, so that they share their games."""
    found = hex_sizes(share=1 / 4, games=4)
    return {**found, "quick": replace(found["quick"], games=1)}


def pairing(first: str, second: str, size: RunSize, source: BoardSource) -> tuple[Task, ...]:
    """The games in which one player is red, and another one is blue."""
    machines: list[Task] = []
    lines = []
    for name in (first, second):
        lines.append(_line(name, size, len(machines)))
        machines += [
            task
            for player in MACHINE_PLAYERS
            if player.name == name
            for task in player.tasks(size, source)
        ]
    side = side_of(source.boards(PERFECT))
    played = Pairing("hex", lines[0], lines[1], machines=tuple(machines), parameters={"size": side})
    return played.tasks(size.games_of(GAMES))


def _line(name: str, size: RunSize, first: int) -> str:
    """A player in a line, by its name in the thesis."""
    if name == "Rand.":
        return "random"
    if name == "RR":
        few = simulations(size, ROLLOUT_SIMULATIONS)
        return f"rollouts:simulations={few},rollouts={ROLLOUTS}"
    player = next(player for player in MACHINE_PLAYERS if player.name == name)
    return player.line(size, first)


def pairs(players: Sequence[str] = PLAYERS) -> list[tuple[str, str]]:
    """Who plays whom, red first; the two without a machine do not play themselves."""
    return [(a, b) for a in players for b in players if a != b or a not in ("Rand.", "RR")]


def pair_figures(
    published: Mapping[str, Sequence[float | None]],
    read: ReadValues,
    size: RunSize,
    source: BoardSource,
) -> list[Figure]:
    """A figure for each pairing; red's rows have the published numbers in the order of players."""
    return [
        Figure(
            f"{red} as red", f"against {blue}", published[red][PLAYERS.index(blue)],
            pairing(red, blue, size, source), read, digits=1,
        )
        for red, blue in pairs()
    ]  # fmt: skip


NOTES = (
    "Games are ten a pairing, as published, at full size; at less there are fewer, and ours are "
    "counted as if there had been ten. Monte-Carlo players make fewer simulations then, too.",
    "The tree search looks at boards three moves on as the machine judges them, and does not know "
    "that a game is over, as in the thesis.",
)
