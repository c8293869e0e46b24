"""How strong the players without a file are, for the start screen of the page.

    python benchmarks/opponents.py
    python benchmarks/opponents.py --only solver gnugo-1

Each plays against one of the others, with colours swapped after each game. The sentences go to
src/clauseboard/web/strengths.json, which the page reads, and to results/opponents.json; with --only
those of the other players stay as they were.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clauseboard.arena.match import Match, run_matches
from clauseboard.evaluation import Limit
from clauseboard.game import load_game
from clauseboard.web.opponents import STRENGTHS, Opponents, games_won
from stamp import keep, new_parser, stamp

OUT = Path(__file__).parent / "results/opponents.json"
QUICK = Limit(seconds=0.05)
NAMES = {"random": "the random mover", "material": "the material counter", "rollouts": "playouts"}
"""What the page calls whom they play against, in a sentence."""


@dataclass(frozen=True)
class Plan:
    """A match of a player, by its id on the page, against another."""

    game: str
    player: str
    n_games: int
    limit: Limit = QUICK
    against: str = "random"
    parameters: dict[str, Any] = field(default_factory=dict)


GO, HEX = {"size": 9}, {"size": 6}
PLANS = (
    Plan("checkers", "material", 40),
    Plan("checkers", "rollouts", 20),
    Plan("checkers", "shallow", 200, Limit()),  # its depth is its limit
    Plan("checkers", "solver", 100, Limit(depth=6), "material"),
    Plan("go", "rollouts", 20, parameters=GO),
    Plan("go", "gnugo-1", 20, Limit(simulations=200), "rollouts", GO),
    Plan("go", "gnugo-10", 20, Limit(simulations=200), "rollouts", GO),
    Plan("hex", "rollouts", 40, parameters=HEX),
    Plan("hex", "solver", 40, parameters=HEX),
)


def main() -> None:
    """Play the matches and write what came of them."""
    parser = new_parser(__doc__)
    ids = sorted({plan.player for plan in PLANS})
    parser.add_argument("--only", nargs="+", choices=ids, default=ids, help="these players")
    told = parser.parse_args()
    found: dict[str, dict[str, str]] = json.loads(STRENGTHS.read_text("utf-8"))
    opponents = Opponents()
    for plan in PLANS:
        if plan.player in told.only:
            found.setdefault(plan.game, {})[plan.player] = measured(plan, opponents)
            print(plan.game, plan.player, found[plan.game][plan.player], flush=True)
    STRENGTHS.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    result = {"what": "players without a file", **stamp(), "found": found}
    head = f"Measured {result['date'][:10]} on {result['machine']['cpu']} by `{result['command']}`."
    if told.only != ids:
        head += " What is told of the others was measured before."
    table = ["| game | player | measured |", "|---|---|---|"]
    table += [
        f"| {g} | {player} | {said} |" for g, of in found.items() for player, said in of.items()
    ]
    keep(result, told.out or OUT, "\n".join([head, "", *table, ""]))


def measured(plan: Plan, opponents: Opponents) -> str:
    """A sentence about how a match ended."""
    game = load_game(plan.game, **plan.parameters)
    players = tuple(opponents.get(game, id).line for id in (plan.player, plan.against))
    match = Match(game, (players[0], players[1]), plan.n_games, limit=plan.limit)
    counts = run_matches([match])[0].counts(0)
    size = plan.parameters.get("size")
    on = f" on {size} by {size}" if size else ""
    return f"{games_won(counts)} against {NAMES[plan.against]}{on}{limited(plan.limit)}"


def limited(limit: Limit) -> str:
    """What a match allowed for a move, in words."""
    if limit.seconds is not None:
        return f", at {limit.seconds:g} s a move"
    if limit.simulations is not None:
        return f" with {limit.simulations:,} simulations a move"
    return "" if limit.depth is None else f", both looking {limit.depth} moves ahead"


if __name__ == "__main__":
    main()
