"""A player as one folder of files that plays and explains itself in a browser, without a server.

Its clauses become data, and the kernels that count what the clauses are about become JavaScript
(`kernels.javascript`), so that it judges boards exactly as it does here. In Hex the rules and the
search are kernels, too: it is the same Monte-Carlo search. The rules of checkers and its search, an
alpha-beta of a fixed depth, are those of `static_player/checkers.js`.
"""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType
from typing import Any

from clauseboard import __version__
from clauseboard.explaining.lines import STEPS
from clauseboard.explanation import UNIT
from clauseboard.files import write_text
from clauseboard.game import Game
from clauseboard.games.concepts import LEAD, THEY, WE
from clauseboard.kernels.javascript import javascript, literal
from clauseboard.learners.tsetlin.concept_evaluator import ConceptEvaluator
from clauseboard.player import Player

FOLDER = Path(__file__).parent / "static_player"
PAGE = "index.html"
FILES = ("style.css", "judge.js", "page.js")
GAMES = ("checkers", "hex")
"""Games that have a file of their own in the folder."""

MOST_NODES = 100_000
"""Nodes of a tree in the browser."""


def export_player(game: Game, player: Player, folder: Path) -> list[Path]:
    """Write the folder; the files in it, the page first. It must not have other files of theirs."""
    evaluator = evaluator_of(game, player)
    own = f"{game.name}.js"
    page = (FOLDER / PAGE).read_text("utf-8").replace("GAME.js", own)
    kernels, machine = _hex(evaluator, player) if game.name == "hex" else (_checkers(), "")
    made = {
        PAGE: page,
        **{name: (FOLDER / name).read_text("utf-8") for name in (*FILES, own)},
        "kernels.js": f'"use strict";\nconst KERNELS = (() => {{\n{kernels}}})();\n',
        "data.js": data_script(evaluator, player) + machine,
    }
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder} is a file; name a folder.")
    folder.mkdir(parents=True, exist_ok=True)
    for name in made:
        if (folder / name).exists() and not (folder / "data.js").exists():
            raise ValueError(f"{folder / name} is there already; name an empty folder.")
    for name, text in made.items():
        write_text(folder / name, text)
    return [folder / name for name in made]


def evaluator_of(game: Game, player: Player) -> ConceptEvaluator:
    """The evaluator of a player that can be exported; a `ValueError` says why one cannot."""
    from clauseboard.search.mcts import MonteCarlo

    if game.name not in GAMES:
        known = " and ".join(GAMES)
        raise ValueError(f"Only players of {known} can be exported, not of {game.name}.")
    if game.name == "checkers" and game != type(game)():
        raise ValueError(f"The exported page plays by the usual rules, not {game!r}.")
    evaluators = getattr(player, "evaluators", {})
    evaluator = next(iter(evaluators.values()), None)
    if not isinstance(evaluator, ConceptEvaluator) or evaluator.zero:
        raise ValueError(
            f"The player {player} has no clauses over concepts; use 'shipped', or a machine of "
            f"`clauseboard learn {game.name}`."
        )
    search = getattr(player, "search", None)
    if game.name == "hex" and not (
        isinstance(search, MonteCarlo) and not search.rollouts and evaluator.patterns is not None
    ):
        raise ValueError(
            f"The player {player} cannot be exported: a player of Hex needs patterns for moves, "
            "search=mcts and rollouts=0."
        )
    return evaluator


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
    names = [concept.name for concept in evaluator.plugin.CONCEPTS]
    page = {
        "about": f"Clauseboard {__version__}, the player {player!s}: {evaluator}.",
        "game": {name: getattr(game, name) for name in game.parameters()},
        "concepts": len(names),
        "needs": names.index("needs") if "needs" in names else -1,
        "unit": UNIT,
        "we": WE,
        "they": THEY,
        "lead": LEAD,
        "steps": STEPS,
        "clauses": clauses,
    }
    return f'"use strict";\nconst PLAYER = {json.dumps(page, ensure_ascii=False, indent=1)};\n'


def _checkers() -> str:
    """What counts concepts, as JavaScript."""
    from clauseboard.games.checkers.concept_kernels import count_concepts

    return f"{javascript(count_concepts)}return {{ count_concepts }};\n"


# ---- Hex: rules, counts and search are kernels

PATTERN_VOTES = """
function add_up_clauses(evaluator, features, fired, votes) {
  const seen = features[0][0];
  let low = 0, high = 0, total = 0;
  for (let n = 0; n < 4; n++) {
    low |= seen[n] << (8 * n);
    high |= seen[n + 4] << (8 * n);
  }
  for (const [needLow, needHigh, refuseLow, refuseHigh, weight] of evaluator[TABLE]) {
    if ((low & needLow) === needLow && (high & needHigh) === needHigh
      && (low & refuseLow) === 0 && (high & refuseHigh) === 0) total += weight;
  }
  votes[0][0] = total;
}
""".strip()
"""What patterns vote on a move: the table of the kernel is made for the registers of a processor,
this one is a list of clauses, each two words of 32 bits for what it needs and what it refuses."""


def _hex(evaluator: ConceptEvaluator, player: Player) -> tuple[str, str]:
    """The kernels, and what they are given."""
    from clauseboard.games.hex import compiled_rules as rules
    from clauseboard.games.hex import concept_kernels
    from clauseboard.games.hex.kernels import add_stone, has_stone
    from clauseboard.games.hex.rules import Hex
    from clauseboard.kernels import evaluators
    from clauseboard.kernels.compiler import specialised
    from clauseboard.search.mcts_trees import TEMPLATE

    game: Any = evaluator.game
    assert isinstance(game, Hex)
    if not rules.counts_concepts(game):
        raise ValueError(f"{game!r} is too large: its concepts are not counted.")
    template: ModuleType = specialised(TEMPLATE, rules)
    wanted = (
        template.simulate, rules.list_moves, rules.play, rules.count_state, rules.settled,
        add_stone, has_stone,
    )  # fmt: skip
    votes = PATTERN_VOTES.replace("TABLE", str(evaluators.TABLE))
    script = javascript(*wanted, given={evaluators.add_up_clauses: votes})
    names = ", ".join(("zeros", *(kernel.__name__ for kernel in wanted)))
    judge, _ = evaluator.compiled()
    search: Any = getattr(player, "search", None)
    kinds = ("int32", "float64", "int32", "int32", "int32", "int32", "int8", "float64", *("",) * 4)
    machine = {
        "judge": literal(judge.arguments()),
        "priors": literal(_patterns(evaluator)),
        "state": _shapes(rules.new_state(game)),
        "scratch": _shapes(rules.new_scratch(game)),
        "room": _shapes(concept_kernels.new_scratch(game.size)),
        "tree": json.dumps(kinds),
        "nodes": literal(MOST_NODES),
        "bytes": literal(-(-len(game.bits()) // 8)),
        "exploration": literal(search.exploration),
        "prior_weight": literal(search.prior_weight),
        "simulations": literal(search.simulations),
    }
    listed = ",\n".join(f" {json.dumps(name)}: {text}" for name, text in machine.items())
    return f"{script}return {{ {names} }};\n", f"const MACHINE = {{\n{listed}\n}};\n"


def _patterns(evaluator: ConceptEvaluator) -> tuple[Any, ...]:
    """The compiled patterns, with a list of clauses for their table."""
    from clauseboard.kernels.evaluators import TABLE
    from clauseboard.learners.tsetlin.move_votes import CLASSES

    assert evaluator.patterns is not None
    machine, (both, _) = evaluator.patterns.machine, evaluator.patterns.compiled
    place = {name: n for n, name in enumerate(machine.bit_names_)}
    clauses = []
    for label, sign in zip(CLASSES, (1, -1), strict=True):
        for clause in machine.clauses_of(label):
            words = [_signed_words(place[name] for name in names) for names in (
                clause.required, clause.forbidden)]  # fmt: skip
            clauses.append([*words[0], *words[1], sign * clause.votes])
    arguments = list(both.arguments())
    nothing: list[Any] = []
    return tuple(
        clauses if n == TABLE else nothing if hasattr(one, "shape") else one
        for n, one in enumerate(arguments)
    )


def _signed_words(places: Any) -> tuple[int, ...]:
    """Bits as two words of 32, as JavaScript has them: with a sign.

    >>> _signed_words([0, 31, 33])
    (-2147483647, 2)
    """
    bits = sum(1 << place for place in places)
    low, high = bits & 0xFFFF_FFFF, bits >> 32
    return tuple(word - (1 << 32) if word >> 31 else word for word in (low, high))


def _shapes(arrays: Any) -> str:
    """The shapes and kinds of arrays, for JavaScript to make them."""

    def told(part: Any) -> Any:
        if isinstance(part, tuple):
            return [told(one) for one in part]
        return {"shape": part.shape, "kind": part.dtype.name}

    return json.dumps(told(arrays))
