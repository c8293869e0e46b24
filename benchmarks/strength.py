"""The table of strength in the README, from the cards of the players that come with the package.

    python benchmarks/strength.py

Nothing is measured here: each card says how its player was measured, and `docs/learning.md` gives
the commands.
"""

from pathlib import Path

from clauseboard.players.shipped import cards

OUT = Path(__file__).parent / "results/strength.md"


def main() -> None:
    """Write the table."""
    lines = ["| player | clauses | measured |", "|---|---:|---|"]
    lines += [
        f"| {card.board} | {card.n_clauses:,} | {'; '.join(card.strength)} |" for card in cards()
    ]
    text = "\n".join(lines) + "\n"
    OUT.write_text(text, "utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
