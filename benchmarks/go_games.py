"""The player whose games the tables of the Go thesis use where its archive is not given.

Its strength, in games against players of known settings, half with either colour, on 9x9 with a
komi of 7; and how many positions a second it plays, by the processor time of one process.

    python benchmarks/go_games.py --out benchmarks/results/go-games.json
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from clauseboard.arena.playing import derived_seed, play_game
from clauseboard.arena.ratings import score_interval
from clauseboard.evaluation import Limit
from clauseboard.game import Position
from clauseboard.games.go import kernels
from clauseboard.games.go.rules import PASS, GoMove, GoPosition, state_of
from clauseboard.papers.go_boards import GAME, RANDOM, USUAL, GameStyle, best_of, play_some
from clauseboard.player import Choice
from clauseboard.players import read_player
from clauseboard.players.simple import RandomPlayer
from stamp import keep, new_parser, stamp

GAMES = 100
TIMED = 100
OPPONENTS = tuple(f"rollouts:simulations={number}" for number in (5, 10, 20, 50))


class StylePlayer(RandomPlayer):
    """Plays as the games are played."""

    plays_at_random = False

    def __init__(self, style: GameStyle) -> None:
        super().__init__(GAME)
        self.style = style

    def choose(self, position: Position, limit: Limit | None = None) -> Choice:
        """The move of the style."""
        assert isinstance(position, GoPosition)
        counter = np.uint64(self.picker(position.to_move)(1 << 62))
        mine = 1 + GAME.colours.index(position.to_move)
        before, board = np.zeros(GAME.size**2, np.uint8), np.zeros(GAME.size**2, np.uint8)
        state = state_of(position)
        kernels.read_board(state, before)
        after, _ = best_of(state, mine, self.style, counter)
        kernels.read_board(after, board)
        put = np.flatnonzero((before == 0) & (board == mine))
        return Choice(GoMove(int(put[0])) if len(put) else PASS, value=0.0)


def main() -> None:
    """Play, count and keep."""
    options = new_parser(__doc__, quick="ten games a match").parse_args()
    n_games = 10 if options.quick else GAMES
    result: dict[str, Any] = {"what": "games of Go for tables", **stamp(), "rows": []}
    play_some(range(2), USUAL)
    began = time.process_time()
    _, games = play_some(range(TIMED), USUAL)
    seconds = time.process_time() - began
    n_moves = sum(game.count(";") - 1 for game in games)
    result["style"], result["games_a_second"] = str(USUAL), round(TIMED / seconds, 1)
    result["positions_a_second"] = round(n_moves / seconds)
    ours = StylePlayer(USUAL)
    others: list[tuple[str, Any]] = [(str(RANDOM), StylePlayer(RANDOM))]
    others += [(line, read_player(line, GAME)) for line in OPPONENTS]
    for name, other in others:
        wins = draws = 0
        for number in range(n_games):
            swapped = number % 2 == 1
            players = (other, ours) if swapped else (ours, other)
            winner = play_game(GAME, players, seed=derived_seed(7, number)).winner
            wins += winner == GAME.colours[swapped]
            draws += winner is None
        losses = n_games - wins - draws
        share = score_interval(wins, draws, losses)
        row = {
            "against": name,
            "wins": wins,
            "draws": draws,
            "losses": losses,
            "score": [round(100 * part, 1) for part in (share.score, share.low, share.high)],
        }
        result["rows"].append(row)
        print(row, flush=True)
        keep(result, options.out, page(result))


def page(result: dict[str, Any]) -> str:
    """The result as a page."""
    lines = [
        f"Measured {result['date'][:10]} on {result['machine']['cpu']} by `{result['command']}`: "
        f"{result['style'].removeprefix('games of ')}, on 9x9, plays "
        f"{result['games_a_second']} games and {result['positions_a_second']:,} positions a second "
        "of one processor. Its games against random moves (any that fill no eye) and Monte-Carlo "
        "search, half with either colour:", "",
        "| against | wins | draws | losses | score, % (95 % interval) |",
        "|---|---:|---:|---:|---|",
    ]  # fmt: skip
    for row in result["rows"]:
        score, low, high = row["score"]
        counts = f"{row['wins']} | {row['draws']} | {row['losses']}"
        lines.append(f"| {row['against']} | {counts} | {score} ({low} to {high}) |")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    main()
