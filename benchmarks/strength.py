"""The table of strength in the README, from the cards of the players that come with the package.

    python benchmarks/strength.py

Nothing is measured here: each card says how its player was measured, and `docs/learning.md` gives
the commands.
"""

import json
from pathlib import Path

ROOT = Path(__file__).parent.parent
CARDS = ROOT / "src/clauseboard/players/shipped"
OUT = Path(__file__).parent / "results/strength.md"


def main() -> None:
    """Write the table."""
    lines = ["| player | clauses | measured |", "|---|---:|---|"]
    for path in sorted(CARDS.glob("*.json")):
        card = json.loads(path.read_text("utf-8"))
        size = card["parameters"].get("size")
        name = card["game"] if size is None else f"{card['game']} {size}x{size}"
        clauses = card["clauses"] + card["move_clauses"]
        lines.append(f"| {name} | {clauses:,} | {'; '.join(card['strength'])} |")
    text = "\n".join(lines) + "\n"
    OUT.write_text(text, "utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
