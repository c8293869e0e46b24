"""How strong the players without a file are, for the start screen of the page.

    python benchmarks/opponents.py

Each plays against chance, with colours swapped after each game. The sentences go to
src/clauseboard/web/strengths.json, which the page reads, and to results/opponents.json.
"""

import json
from pathlib import Path

from clauseboard.arena.match import Match
from clauseboard.arena.running import run_matches
from clauseboard.evaluation import Limit
from clauseboard.game import load_game
from clauseboard.web.opponents import BUILT_IN, STRENGTHS
from stamp import keep, stamp

OUT = Path(__file__).parent / "results/opponents.json"
SECONDS = 0.05
MATCHES = {
    "checkers": ({}, {"material": 40, "rollouts": 20, "shallow": 200}),
    "go": ({"size": 9}, {"rollouts": 20}),
    "hex": ({"size": 6}, {"rollouts": 40, "solver": 40}),
}
"""Of each game: its parameters, and how many games each player plays."""


def main() -> None:
    """Play the matches and write what came of them."""
    lines = {one.id: one.line for one in BUILT_IN}
    found: dict[str, dict[str, str]] = {}
    table = ["| game | player | measured |", "|---|---|---|"]
    for name, (parameters, players) in MATCHES.items():
        game = load_game(name, **parameters)
        size = parameters.get("size")
        on = f" on {size} by {size}" if size else ""
        for player, n_games in players.items():
            match = Match(game, (lines[player], "random"), n_games, limit=Limit(seconds=SECONDS))
            counts = run_matches([match])[0].counts(0)
            drawn = f" and {counts.draws} drawn" if counts.draws else ""
            said = f"{counts.wins} of {counts.games} games won{drawn} against chance{on}"
            if player != "shallow":  # its depth is its limit
                said += f", at {SECONDS:g} s a move"
            found.setdefault(name, {})[player] = said
            table.append(f"| {name} | {lines[player]} | {said} |")
            print(table[-1], flush=True)
    STRENGTHS.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    result = {"what": "players without a file, against chance", **stamp(), "found": found}
    head = f"Measured {result['date'][:10]} on {result['machine']['cpu']} by `{result['command']}`."
    keep(result, OUT, "\n".join([head, "", *table, ""]))


if __name__ == "__main__":
    main()
