"""Draws the pictures of docs/concepts.md: for each concept of checkers a board that shows it.

python docs/draw_concepts.py            # writes docs/concepts/*.svg
python docs/draw_concepts.py --check    # only checks that they are up to date
"""

from __future__ import annotations

import sys
from pathlib import Path

from clauseboard.game import load_game
from clauseboard.games.checkers.concepts import cells

FOLDER = Path(__file__).parent / "concepts"

EXAMPLES = {
    "safe moves": ("B:W22,26,30:B6,10,11", "black"),
    "blocked men": ("B:W13,17,22:B5,6,9", "black"),
    "back row": ("W:W18,22,30,32:B9,10,14", "white"),
    "bridge": ("W:W18,22,30,32:B9,10,14", "white"),
    "triangle": ("B:W21,22,25:B2,3,7,10", "black"),
    "centre": ("B:W21,25,27:B10,14,15,19", "black"),
    "edges": ("B:W18,22,23:B5,12,13,20", "black"),
    "runaway": ("W:W10,23,27:B13,17,20", "white"),
    "advanced men": ("B:W30,31,32:B22,23,11", "black"),
    "trapped kings": ("W:W22,25,K29:BK18,21", "white"),
    "corner kings": ("B:WK14,K15,K18:BK1", "black"),
    "double corner": ("B:W23,26,30:B1,5,10", "black"),
    "long diagonal": ("B:W21,30:BK11,12", "black"),
    "hanging": ("W:W18,32:B14,6", "white"),
    "exchange": ("B:W18,22,25:B14,10,6", "black"),
    "backed men": ("B:W22,26,30:B6,10,15", "black"),
    "lone men": ("B:W22,26,30:B6,15,24", "black"),
    "dog hole": ("B:W32,23:B28,10", "black"),
}
"""By concept a position and the side that has it."""


def pictures() -> dict[Path, str]:
    """The file of each picture, and the picture."""
    game = load_game("checkers")
    drawn = {}
    for name, (text, side) in EXAMPLES.items():
        position = game.read_position(text)
        ringed = cells(position, name, side)
        if not ringed:
            raise ValueError(f"The example of {name!r} does not show it.")
        drawn[FOLDER / f"{name.replace(' ', '-')}.svg"] = game.draw(position, ringed=ringed) + "\n"
    return drawn


def main() -> int:
    """Write the pictures, or check them; 1 if one is not up to date."""
    drawn = pictures()
    if "--check" in sys.argv[1:]:
        old = [p.name for p, picture in drawn.items() if not p.exists() or p.read_text() != picture]
        print(f"not up to date: {', '.join(old)}" if old else "up to date")
        return 1 if old else 0
    FOLDER.mkdir(exist_ok=True)
    for path, picture in drawn.items():
        path.write_text(picture, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
