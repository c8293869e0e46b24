"""A player as one folder of files that plays and explains itself in a browser, without a server.

Its clauses become data, and the kernels that count what the clauses are about become JavaScript
(`kernels.javascript`), so that it judges boards exactly as it does here. The rules and the search
are those of `static_player/player.js`: an alpha-beta of a fixed depth.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from clauseboard import __version__
from clauseboard.explaining.lines import STEPS
from clauseboard.explanation import UNIT
from clauseboard.files import write_text
from clauseboard.game import Game
from clauseboard.games.concepts import LEAD, THEY, WE
from clauseboard.kernels.javascript import javascript
from clauseboard.learners.tsetlin.concept_evaluator import ConceptEvaluator
from clauseboard.player import Player

FOLDER = Path(__file__).parent / "static_player"
FILES = ("index.html", "style.css", "player.js", "page.js")
GAMES = ("checkers",)
"""Games whose rules are there in JavaScript."""


def export_player(game: Game, player: Player, folder: Path) -> list[Path]:
    """Write the folder; the files in it. It must not have other files of these names."""
    evaluator = evaluator_of(game, player)
    folder.mkdir(parents=True, exist_ok=True)
    made = {"concepts.js": concepts_script(), "data.js": data_script(evaluator, player)}
    for name in (*FILES, *made):
        if (folder / name).exists() and not (folder / "data.js").exists():
            raise ValueError(f"{folder / name} is there already; name an empty folder.")
    for name in FILES:
        shutil.copyfile(FOLDER / name, folder / name)
    for name, text in made.items():
        write_text(folder / name, text)
    return [folder / name for name in (*FILES, *made)]


def evaluator_of(game: Game, player: Player) -> ConceptEvaluator:
    """The evaluator of a player that can be exported; a `ValueError` says why one cannot."""
    if game.name not in GAMES:
        raise ValueError(f"Only players of {', '.join(GAMES)} can be exported, not of {game.name}.")
    if game != type(game)():
        raise ValueError(f"The exported page plays by the usual rules, not {game!r}.")
    evaluators = getattr(player, "evaluators", {})
    evaluator = next(iter(evaluators.values()), None)
    if not isinstance(evaluator, ConceptEvaluator) or evaluator.zero:
        raise ValueError(
            f"The player {player} has no clauses over concepts; use 'shipped', or a machine of "
            "`clauseboard learn checkers`."
        )
    return evaluator


def concepts_script() -> str:
    """What counts concepts, as JavaScript."""
    from clauseboard.games.checkers.concept_kernels import count_concepts

    return f'"use strict";\n{javascript(count_concepts)}'


def data_script(evaluator: ConceptEvaluator, player: Player) -> str:
    """The clauses and their words."""
    game = evaluator.game
    sides = [(side, game.other(side)) for side in game.colours]
    clauses: list[dict[str, Any]] = [
        {
            "votes": clause.votes,
            "concept": clause.subject.concept.line,
            "when": [[bit.index, bit.kind, bit.level, held] for bit, held in clause.conditions],
            "text": {we: clause.text(we, they) for we, they in sides},
            "subject": {we: clause.subject_text(we, they) for we, they in sides},
        }
        for clause in evaluator.clauses
    ]
    page = {
        "about": f"Clauseboard {__version__}, the player {player!s}: {evaluator}.",
        "concepts": len(evaluator.plugin.CONCEPTS),
        "unit": UNIT,
        "we": WE,
        "they": THEY,
        "lead": LEAD,
        "steps": STEPS,
        "clauses": clauses,
    }
    return f'"use strict";\nconst PLAYER = {json.dumps(page, ensure_ascii=False, indent=1)};\n'
