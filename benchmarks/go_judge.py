"""How good a judge of Go boards is that is made of clauses over concepts, on games held back.

python benchmarks/go_judge.py --games 400 --out benchmarks/results/go-judge.json

A player of 9x9 plays itself, after 2 to 8 random moves and with one later move in 25 at random. By
default it is the shipped one with 300 simulations a move, without tactics, and playing on until no
move is left, as it did when judges of boards were first compared; --player takes another. Clauses
are found and weighed on three games of four; on the fourth the judge says a chance for every board.
Of several settings the one is taken that is best on a fourth of the games to learn from, after
learning on the others; only then it learns from all of them and meets the games held back.
For comparison, by logistic regression on what they say: area alone; seven crude concepts (nearest
area, stones, stones in atari and with two and three liberties or fewer, groups, turn); the values
of the player's own search; and with --every N a search by 400 random games, on every Nth board.
--played keeps the games in a file, or takes them from it; --counts does the same with what their
boards count; --machine keeps the judge. --jobs counts and learns in so many processes.
"""

from __future__ import annotations

import dataclasses
import random
import sys
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from sklearn.linear_model import LogisticRegression

from clauseboard.evaluation import sides_of
from clauseboard.game import load_game
from clauseboard.games.concepts import bits_of_counts, concept_bits
from clauseboard.games.go.concepts import CONCEPTS, count
from clauseboard.games.go.rules import GoPosition
from clauseboard.players import read_player
from clauseboard.selfplay.concept_machine import ConceptData, concept_machine, log_loss
from clauseboard.selfplay.games import SelfPlayGame, play_self_game
from clauseboard.selfplay.settings import MachineSettings
from clauseboard.tsetlin.classifier import TsetlinMachineClassifier
from stamp import keep, new_parser, stamp

GAME = load_game("go", size=9)
SETTINGS = tuple(
    MachineSettings(
        n_clauses=n_clauses,
        kept=kept,
        max_literals=3,
        specificity=3.0,
        epochs=epochs,
        penalty=penalty,
        trees=trees,
        concepts=True,
    )
    for kept, penalty, trees, n_clauses, epochs in (
        (120, 20.0, 120, 600, 6),
        (250, 5.0, 200, 2000, 2),
    )
)
"""Numbers of clauses, what they cost, and how hard they are looked for."""
PLAYER = "shipped:simulations=300,tactics=false,score=0,settle=false,resign=0"
RANDOM_GAMES = "rollouts:rollouts=1,simulations=400"
A_TASK = 50
"""Games whose boards a process counts at a time."""
STAGES = ((0, 25), (25, 45), (45, 60), (60, 90), (90, 1000))
CRUDE = ("area", "stones", "atari", "two liberties", "three liberties", "groups", "turn")
NAMES = [concept.name for concept in CONCEPTS]


def played_games(path: Path | None, n: int, line: str, seed: int) -> list[SelfPlayGame]:
    """The games of a file, or new ones, which are kept there."""
    if path is not None and path.exists():
        return [SelfPlayGame.read(text) for text in path.read_text("utf-8").splitlines()[:n]]
    player, games = read_player(line, GAME), []
    for number in range(n):
        first = opening(seed + number)
        game = play_self_game(
            GAME,
            player,
            seed + number,
            openings=[first],
            random_moves=6,
            noise=0.04,
            most_moves=200,
        )
        games.append(dataclasses.replace(game, counts=tuple(() for _ in game.values)))
        if path is not None:
            with path.open("a", encoding="utf-8") as file:
                file.write(f"{games[-1].write()}\n")
    return games


def opening(seed: int) -> tuple[str, ...]:
    """Two moves at random, which are not both passes."""
    draws = random.Random(seed)
    while True:
        position, moves = GAME.start(), []
        for _ in range(2):
            move = draws.choice(position.moves())
            moves.append(position.write_move(move))
            position = position.play(move)
        if position.outcome() is None:
            return tuple(moves)


def boards_of(games: list[SelfPlayGame]) -> tuple[list[GoPosition], Any, Any, Any]:
    """Positions, whether their side to move won, the number of the game, and that of the move."""
    positions, won, numbers, moves = [], [], [], []
    for number, game in enumerate(games):
        if game.winner is None:
            continue
        position = GAME.start()
        for n, text in enumerate(game.moves):
            if n >= game.n_given:
                positions.append(position)
                won.append(game.winner == position.to_move)
                numbers.append(number)
                moves.append(n)
            position = position.play(position.read_move(text))
    return positions, np.array(won), np.array(numbers), np.array(moves)


def by_values(values: Any, won: Any, learned: Any, test: Any) -> float:
    """The log loss of chances by a search's values for the side to move, scaled on other games."""
    odds = np.arctanh(np.clip(values, -0.999, 0.999))[:, None]
    fitted = LogisticRegression(C=1.0, fit_intercept=False).fit(odds[learned], won[learned])
    chance = np.clip(fitted.predict_proba(odds[test])[:, 1], 1e-6, 1 - 1e-6)
    return float(-np.log(np.where(won[test], chance, 1 - chance)).mean())


def by_random_games(positions: list[GoPosition], won: Any, test: Any, every: int) -> list[Any]:
    """Boards held back that were looked at, and the log loss of a search by 400 random games."""
    player, some = read_player(RANDOM_GAMES, GAME), np.arange(0, len(positions), every)
    values = [float(player.choose(positions[n]).value or 0.0) for n in some]
    held = test[some]
    return [int(held.sum()), by_values(np.array(values), won[some], ~held, held)]


def by_leads(leads: Any, names: tuple[str, ...], won: Any, test: Any) -> float:
    """The log loss of a logistic regression on whether leads reach some levels."""
    columns = []
    for name in names:
        lead = leads[:, NAMES.index(name)]
        for level in (1, 2, 3, 4, 6, 8, 12, 16, 24):
            columns.append((lead >= level).astype(float) - (lead <= -level))
    table = np.array(columns).T
    fitted = LogisticRegression(C=0.1, max_iter=500, fit_intercept=False)
    fitted.fit(table[~test], won[~test])
    chance = fitted.predict_proba(table[test])[:, 1]
    return float(-np.log(np.where(won[test], chance, 1 - chance)).mean())


def counted(games: list[SelfPlayGame]) -> tuple[Any, Any, Any, Any, Any]:
    """What boards count for the side to move and for the other, with what `boards_of` tells."""
    positions, won, numbers, moves = boards_of(games)
    counts, sides, rows = count(positions), sides_of(GAME, positions), np.arange(len(won))
    return counts[rows, sides], counts[rows, 1 - sides], won, numbers, moves


def counted_by(games: list[SelfPlayGame], jobs: int) -> tuple[Any, Any, Any, Any, Any]:
    """The same in so many processes."""
    starts = range(0, len(games), A_TASK)
    found = Parallel(jobs)(delayed(counted)(games[n : n + A_TASK]) for n in starts)
    parts = list(zip(*found, strict=True))
    parts[3] = [part + start for part, start in zip(parts[3], starts, strict=True)]
    ours, theirs, won, numbers, moves = (np.concatenate(part) for part in parts)
    return ours, theirs, won, numbers, moves


def learned(known: ConceptData, settings: MachineSettings) -> TsetlinMachineClassifier:
    """A judge by clauses over concepts."""
    return concept_machine(known, concept_bits(CONCEPTS), settings)


def data_of(ours: Any, theirs: Any, won: Any) -> ConceptData:
    """Counts as bits."""
    bits = concept_bits(CONCEPTS)
    views = bits_of_counts(bits, ours, theirs), bits_of_counts(bits, theirs, ours)
    return ConceptData(*views, np.where(won, 1.0, -1.0))


def inner_losses(ours: Any, theirs: Any, won: Any, numbers: Any, jobs: int) -> list[float]:
    """The log loss of each of the settings on a fourth of some games, learned from the others."""
    test = numbers // 4 % 4 == 0
    known, held = (data_of(ours[some], theirs[some], won[some]) for some in (~test, test))
    machines = Parallel(jobs)(delayed(learned)(known, settings) for settings in SETTINGS)
    return [log_loss(machine, held) for machine in machines]


def kept_counts(path: Path | None, games: list[SelfPlayGame], jobs: int) -> tuple[Any, ...]:
    """What boards count, from a file, or counted and kept there."""
    names = ("ours", "theirs", "won", "numbers", "moves")
    if path is not None and path.exists():
        with np.load(path) as file:
            return tuple(file[name] for name in names)
    found = counted_by(games, jobs)
    if path is not None:
        np.savez_compressed(path, **dict(zip(names, found, strict=True)))
    return found


def measured(
    games: list[SelfPlayGame], counts: tuple[Any, ...], machine_file: Path | None, options: Any
) -> dict[str, Any]:
    """Log loss and share of boards judged rightly, on games that were not learned from."""
    ours, theirs, won, numbers, moves = counts
    searched = np.concatenate([game.values for game in games if game.winner is not None])
    test = numbers % 4 == 0

    def data(some: Any) -> ConceptData:
        return data_of(ours[some], theirs[some], won[some])

    inner = inner_losses(*(part[~test] for part in (ours, theirs, won, numbers)), options.jobs)
    settings = SETTINGS[int(np.argmin(inner))]
    machine = learned(data(~test), settings)
    if machine_file is not None:
        machine.save(machine_file, inference_only=True)
    held = data(test)
    votes = machine.votes(held.ours) - machine.votes(held.theirs)
    stages = {}
    for low, high in STAGES:
        some = test & (moves >= low) & (moves < high)
        stages[f"{low} to {high - 1}"] = [int(some.sum()), log_loss(machine, data(some))]
    return {
        "games": len(games),
        "held_back": len(set(numbers[test].tolist())),
        "boards": int(test.sum()),
        "clauses": sum(len(machine.clauses_of(label)) for label in machine.classes_),
        "inner": inner,
        "settings": dataclasses.asdict(settings),
        "log_loss": log_loss(machine, held),
        "log_loss_learned_from": log_loss(machine, data(~test)),
        "right": float(((votes[:, 1] > votes[:, 0]) == won[test]).mean()),
        "stages": stages,
        "area_alone": by_leads(ours - theirs, ("area",), won, test),
        "crude_concepts": by_leads(ours - theirs, CRUDE, won, test),
        "own_search": by_values(searched, won, ~test, test),
        "random_games": by_random_games(boards_of(games)[0], won, test, options.every)
        if options.every
        else None,
    }


def page(result: dict[str, Any]) -> str:
    """The result as Markdown."""
    head = (
        f"{result['held_back']} of {result['games']} games held back, {result['boards']:,} boards"
    )
    rows = [
        ("area by the nearest stone alone", result["area_alone"]),
        ("seven crude concepts", result["crude_concepts"]),
        *(
            (f"a search by 400 random games, {found[0]:,} of the boards", found[1])
            for found in (result["random_games"],)
            if found
        ),
        ("the search of the player itself, 300 simulations", result["own_search"]),
        (f"{result['clauses']} clauses over concepts", result["log_loss"]),
        *(
            (f"… moves {stage}, {n:,} boards", loss)
            for stage, (n, loss) in result["stages"].items()
        ),
    ]
    lines = [f"{head}; {result['right']:.1%} judged rightly by the clauses.", ""]
    lines += ["| judge | log loss |", "|---|---:|"]
    lines += [f"| {name} | {loss:.3f} |" for name, loss in rows]
    return "\n".join([*lines, ""])


def main(argv: list[str] | None = None) -> int:
    """Measure, print the page and keep the result."""
    parser = new_parser(__doc__)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--player", default=PLAYER, help="who plays the games, in one line")
    parser.add_argument("--seed", type=int, default=81_000, help="seed of the first game")
    parser.add_argument("--played", type=Path, help="a file of games, one a line")
    parser.add_argument("--machine", type=Path, help="where the judge is kept")
    parser.add_argument("--every", type=int, help="every how many boards random games judge")
    parser.add_argument("--counts", type=Path, help="a file (.npz) of what the boards count")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    arguments = parser.parse_args(argv)
    games = played_games(arguments.played, arguments.games, arguments.player, arguments.seed)
    counts = kept_counts(arguments.counts, games, arguments.jobs)
    result = {**stamp(), **measured(games, counts, arguments.machine, arguments)}
    text = page(result)
    print(text)
    keep(result, arguments.out, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
