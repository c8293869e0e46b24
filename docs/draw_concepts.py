"""Draws the pictures of docs/concepts.md: for each concept a board that shows it.

python docs/draw_concepts.py            # writes docs/concepts/*.svg
python docs/draw_concepts.py --check    # only checks that they are up to date
"""

from __future__ import annotations

import sys
from pathlib import Path

from clauseboard.game import load_game
from clauseboard.games.plugins import CONCEPTS

FOLDER = Path(__file__).parent / "concepts"

CHECKERS = {
    "safe moves": ("B:W22,26,30:B6,10,11", "black"),
    "blocked men": ("B:W13,17,22:B5,6,9", "black"),
    "held men": ("B:W22,23,30:B15,11,12", "black"),
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
HEX = {
    "needs": ("......./..B..../....R../...B.../..R..../......./....... red", "red"),
    "ways": ("......./..B..../....R../...B.../..R..../......./....... red", "blue"),
    "second way": ("......./..B..../....R../...B.../..R..../......./....... red", "red"),
    "flow": ("......./..B..../....R../...B.../..R..../......./....... red", "red"),
    "edges": ("......./......./....R../......./..B..../......./....... blue", "red"),
    "span": ("......./..B.R../......./...R.B./......./..B.R../....... blue", "red"),
    "threats": ("......./..B.R../......./...R.B./......./..B.R../....... blue", "red"),
    "answers": ("......./..B.R../......./...R.B./......./..B.R../....... blue", "blue"),
    "ladder": ("......./...B.../.R...../BR...B./.R...../.R...../BB..... red", "red"),
    "escape": ("......./...B.../.R...../BR...B./.R...R./.R...../BB..... red", "red"),
    "both need": ("......./......./....R../...B.../..R..../....B../....... red", "red"),
}

EXAMPLES = {"checkers": ({}, "", CHECKERS), "hex": ({"size": 7}, "hex-", HEX)}
"""By game: its parameters, how its files begin, and by concept a position and whose it is."""


def pictures() -> dict[Path, str]:
    """The file of each picture, and the picture."""
    drawn = {}
    for game_name, (parameters, prefix, examples) in EXAMPLES.items():
        game = load_game(game_name, **parameters)
        for name, (text, side) in examples.items():
            position = game.read_position(text)
            ringed = CONCEPTS.of(game).cells(position, name, side)
            if not ringed:
                raise ValueError(f"The example of {name!r} does not show it.")
            path = FOLDER / f"{prefix}{name.replace(' ', '-')}.svg"
            drawn[path] = game.draw(position, ringed=ringed) + "\n"
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
