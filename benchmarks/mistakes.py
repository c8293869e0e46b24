"""Which moves the page should mark as mistakes: how often each judge's marks are right.

    python benchmarks/mistakes.py
    python benchmarks/mistakes.py --quick

A weak player plays where the truth is known: Hex 6 by 6, which is solved (random games, 300
simulations a move), and checkers with up to five pieces, of which there are tables (any move). A
*real* mistake is a move after which the game ends worse for who made it, if both play perfectly
from then on. A judge is asked just as the page asks it, and a move counts as marked if by its
judgement it costs at least the threshold. In checkers the judges must do without the tables
(`endgames=false`), or they would know the truth themselves; and boards on which they see a certain
end are left out: to win later is no mistake, and on the page, with the tables, none to them either.

Precision is the share of the marks that are real mistakes, recall the share of the real mistakes
that are marked. What a judge can do for one move is given in simulations or moves ahead, so that
the figures do not hang on the machine.
"""

import itertools
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clauseboard.evaluation import Limit
from clauseboard.game import load_game
from clauseboard.games.solving import best_move
from clauseboard.play import BLUNDER
from clauseboard.player import expectation
from clauseboard.players import read_player
from clauseboard.web.board_view import looked_as_far
from clauseboard.web.opponents import MISTAKES
from stamp import keep, new_parser, stamp

OUT = Path(__file__).parent / "results/mistakes.json"
THRESHOLDS = (0.02, 0.04, 0.06, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.7, 1.0)
AT_RANDOM = 4
"""Moves at random that begin each game, so that no two are alike."""
FEW = 20
"""Real mistakes that there must be for a threshold to be chosen by them."""
CHANCE = 0.2
"""What the shipped players call a mistake: ten points of the chance of winning, on the scale from
-1 to 1. Their chances are fitted to the results of games, so that a point means the same to both;
three times as much is a blunder."""
TWO_THIRDS_OF_A_MAN = 0.04
"""For who counts pieces a man is worth 0.056, which is no chance. Endings do not decide it: what
counts there is to see the end, and the best threshold would mark nothing in the middle of a game,
where no truth is known."""
ENDING_MOVES = 12
"""Moves of a checkers ending that are judged: without an end it would go round in circles."""


@dataclass(frozen=True)
class Judge:
    """A judge of the page: its title, its line, what it may do for a move, and its ids there.

    `threshold` is the one that is taken, where that is not the best of those measured.
    """

    title: str
    line: str
    limit: Limit
    ids: tuple[str, ...]
    threshold: float | None = None


@dataclass(frozen=True)
class Trial:
    """A game in which the truth is known, who plays it badly, and who judges that.

    `opened_by` plays, after some moves at random, to where the truth is known. `certain`: whether
    boards count on which the judge sees a certain end.
    """

    game: str
    opened_by: str
    weak: str
    judges: tuple[Judge, ...]
    n_moves: int
    certain: bool = True
    parameters: dict[str, Any] = field(default_factory=dict)


TRIALS = (
    Trial(
        "hex",
        "random",
        "rollouts:simulations=300,rollouts=1",
        (
            Judge("Clauses", "shipped", Limit(simulations=1600), ("shipped",), CHANCE),
            Judge("Random games", "rollouts", Limit(simulations=1000), ("rollouts",)),
        ),
        400,
        parameters={"size": 6},
    ),
    Trial(
        "checkers",
        "material:depth=3,endgames=false",
        "random",
        (
            Judge("Clauses", "shipped:endgames=false", Limit(depth=8), ("shipped",), CHANCE),
            Judge(
                "Piece counter",
                "material:endgames=false",
                Limit(depth=8),
                ("material", "shallow"),
                TWO_THIRDS_OF_A_MAN,
            ),
        ),
        1200,
        certain=False,
    ),
)


@dataclass(frozen=True)
class Played:
    """A move, and whether it was a real mistake."""

    before: Any
    move: Any
    real: bool


def main() -> None:
    """Judge the moves, and write what came of it."""
    parser = new_parser(__doc__, quick="40 moves of each game")
    told = parser.parse_args()
    result: dict[str, Any] = {"what": "marks of mistakes", **stamp(), "found": []}
    page: list[str] = []
    thresholds: dict[str, dict[str, float]] = {}
    for trial in TRIALS:
        game = load_game(trial.game, **trial.parameters)
        n_moves = 40 if told.quick else trial.n_moves
        played = list(itertools.islice(badly_played(game, trial), n_moves))
        for judge in trial.judges:
            player = read_player(judge.line, game)
            judged = [(one, loss(player, one, judge.limit, trial.certain)) for one in played]
            moves = [one for one, cost in judged if cost is not None]
            losses = [cost for _, cost in judged if cost is not None]
            n_real = sum(one.real for one in moves)
            rows = [row(losses, moves, threshold) for threshold in THRESHOLDS]
            about = {"game": trial.game, "judge": judge.title, "line": judge.line}
            about |= {"limit": repr(judge.limit), "moves": len(moves), "real": n_real}
            about["chosen"] = judge.threshold or chosen(rows, n_real)
            for id in judge.ids if about["chosen"] is not None else ():
                thresholds.setdefault(trial.game, {})[id] = about["chosen"]
            result["found"].append({**about, "rows": rows})
            page += described(about, rows)
            print("\n".join(page[-len(rows) - 5 :]), flush=True)
    if not told.quick:
        MISTAKES.write_text(json.dumps(thresholds, indent=1) + "\n", "utf-8")
    head = f"Measured {result['date'][:10]} by `{result['command']}`; seed 1."
    keep(result, told.out or OUT, "\n".join([head, "", *page]))


def badly_played(game: Any, trial: Trial) -> Iterator[Played]:
    """Moves of a weak player from boards whose truth is known, game after game."""
    draws = random.Random(1)
    opener, player = (read_player(line, game) for line in (trial.opened_by, trial.weak))
    while True:
        for one in (opener, player):
            for colour in game.colours:
                one.begin(game, colour, draws.getrandbits(63))
        position = opened(game, opener, draws)
        for _ in range(ENDING_MOVES if game.name == "checkers" else 1000):
            if position.outcome() is not None:
                break
            mover, truth = position.to_move, result_of(position)
            move = player.choose(position).move
            after = position.play(move)
            if len(position.moves()) > 1:  # who has no choice makes no mistake
                real = worth(result_of(after), mover) < worth(truth, mover)
                yield Played(position, move, real)
            position = after


def opened(game: Any, opener: Any, draws: random.Random) -> Any:
    """A board to begin from: some moves at random, and others until the truth is known."""
    while True:
        position, plies = game.start(), 0
        while position.outcome() is None:
            if plies >= AT_RANDOM and best_move(position) is not None:
                return position
            if plies < AT_RANDOM:
                move = draws.choice(position.moves())
            else:
                move = opener.choose(position).move
            position = position.play(move)
            plies += 1


def result_of(position: Any) -> str | None:
    """Who wins with best play; None for a draw."""
    outcome = position.outcome()
    if outcome is not None:
        winner: str | None = outcome.winner
        return winner
    found = best_move(position)
    assert found is not None
    return found[1]


def worth(winner: str | None, colour: str) -> int:
    """A result for a colour: 1, 0 or -1."""
    return 0 if winner is None else 1 if winner == colour else -1


def loss(judge: Any, played: Played, limit: Limit, certain: bool) -> float | None:
    """What a move has cost by a judge, asked as `web.judging` asks it, as if it were its first."""
    for colour in played.before.game.colours:
        judge.begin(played.before.game, colour, 1)
    best = judge.choose(played.before, limit)
    if not certain and best.value is not None and abs(best.value) == 1:
        return None
    if best.resigns or best.move == played.move or best.value is None:
        return 0.0
    as_far = looked_as_far(best, played.move)
    if as_far is not None:
        return float(expectation(best) - expectation(as_far))
    after = played.before.play(played.move)
    if after.outcome() is not None:
        value = float(worth(after.outcome().winner, played.before.to_move))
    else:
        reply = expectation(judge.choose(after, limit))
        if reply is None:
            return 0.0
        value = reply if after.to_move == played.before.to_move else -reply
    return float(expectation(best) - value)


def row(losses: list[float], moves: list[Played], threshold: float) -> dict[str, Any]:
    """What a threshold marks, and how much of it rightly."""
    marked = [cost >= threshold for cost in losses]
    right = sum(mark and one.real for mark, one in zip(marked, moves, strict=True))
    real = sum(one.real for one in moves)
    blunders = [one.real for cost, one in zip(losses, moves, strict=True)
                if cost >= BLUNDER * threshold]  # fmt: skip
    return {
        "threshold": threshold,
        "marked": sum(marked),
        "precision": right / sum(marked) if any(marked) else None,
        "recall": right / real if real else None,
        "blunders": len(blunders),
        "blunder_precision": sum(blunders) / len(blunders) if blunders else None,
    }


def chosen(rows: list[dict[str, Any]], n_real: int) -> float | None:
    """The threshold whose marks have the best balance of precision and recall (F1)."""
    if n_real < FEW:
        return None

    def balance(one: dict[str, Any]) -> float:
        precision, recall = one["precision"] or 0.0, one["recall"] or 0.0
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0

    best = max(rows, key=balance)
    threshold: float = best["threshold"]
    return threshold if balance(best) else None


def described(about: dict[str, Any], rows: list[dict[str, Any]]) -> list[str]:
    """A table of one judge."""
    share = lambda value: "-" if value is None else f"{value:.0%}"  # noqa: E731
    return [
        f"{about['game']}, {about['judge']} (`{about['line']}`, {about['limit']}): "
        f"{about['moves']} moves, {about['real']} real mistakes; "
        f"chosen: {about['chosen'] or 'none'}",
        "",
        "| threshold | marked | precision | recall | blunders | precision of these |",
        "|---|---|---|---|---|---|",
        *(
            f"| {one['threshold']:g} | {one['marked']} | {share(one['precision'])} | "
            f"{share(one['recall'])} | {one['blunders']} | {share(one['blunder_precision'])} |"
            for one in rows
        ),
        "",
    ]


if __name__ == "__main__":
    main()
