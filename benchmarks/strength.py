"""The table of strength in the README, from the cards of the players that come with the package.

    python benchmarks/strength.py

Nothing is measured here: each card says how its player was measured, and `docs/learning.md` gives
the commands.
"""

from pathlib import Path

from clauseboard.arena.reporting import (
    counts_text,
    elo_text,
    gain_of,
    share_text,
    without_votes,
)
from clauseboard.players.shipped import MeasuredMatch, cards

OUT = Path(__file__).parent / "results/strength.md"


def main() -> None:
    """Write the table."""
    lines = ["| player | against | score | without votes | gain |", "|---|---|---|---|---|"]
    for card in cards():
        name = f"**{card.board}**, {card.n_clauses:,} clauses"
        for match in card.measured:
            lines.append(row(name, match))
            name = ""
    text = "\n".join(lines) + "\n"
    OUT.write_text(text, "utf-8")
    print(text, end="")


def row(name: str, match: MeasuredMatch) -> str:
    """A match as a row of the table; the gain is in points of a hundred."""
    gained, added = gain_of(match), ""
    if gained is not None:
        share, low, high = (100 * part for part in (gained.score, gained.low, gained.high))
        added = f"{share:+.0f} ({low:+.0f} to {high:+.0f})"
    score = f"{share_text(match.games)}: {counts_text(match.games)}; {elo_text(match.games)}"
    return f"| {name} | {match.against}; {match.how} | {score} | {without_votes(match)} | {added} |"


if __name__ == "__main__":
    main()
