"""Judges boards by the votes of a Tsetlin Machine, or of one for each colour.

A player's options say which machine judges what.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from clauseboard.checks import one_of
from clauseboard.game import Game

if TYPE_CHECKING:
    from clauseboard.evaluation import Evaluator
    from clauseboard.learners import Trainer

OPTIONS: Mapping[str, str] = {
    "machine": "the file of a machine that judges every board",
    "<colour>": "instead, the file of one for each colour, whose wins are wins of that colour",
    "by": "which of these two judges: that of the colour which has just moved ('last', the usual), "
    "or that of the colour which the player plays ('player')",
    "classes": "what the machine's classes mean: {label: 'win', 'loss', 'draw' or a colour}",
    "inverted": "take wins for losses and losses for wins",
    "view": "how the machine sees a board: 'board' as it is, or 'mover' as the side to move does",
    "scale": "the lead in votes that is worth 1; twice the threshold without it",
    "zero": "count no votes: what is left is the search",
    "moves": "the file of a machine that tells likely moves, for a search that takes priors; one "
    "that does so by what is around a move needs no other machine",
    "sharpness": "how much that machine's votes count; 1 is as it was calibrated",
}

SEARCH = "breadth_first"
USUAL: Mapping[str, object] = {}
TRAINERS: Sequence[str] = ("tsetlin",)

BY = ("last", "player")


def make_evaluator(
    game: Game, *, machine: Any = None, by: str = "last", **options: Any
) -> Evaluator | Mapping[str, Evaluator]:
    """The evaluator for a player's options; one for each colour to be played, if they differ.

    A machine of a colour judges the boards right after that colour's moves (`by="last"`, as the
    dual machines of the thesis on Hex), or every board that the player of that colour thinks of
    (`by="player"`, as Player 1 and Player 2 of the one on checkers).
    """
    from clauseboard.learners.tsetlin.board_evaluator import MachineEvaluator

    first, second = game.colours
    mine, theirs = options.pop(first, None), options.pop(second, None)
    one_of("by", by, BY)
    if machine is None and mine is None and theirs is None and options.get("moves") is not None:
        return _patterns(game, **options)
    if machine is not None and mine is None and theirs is None:
        return _judge_of_boards(game, machine, **options)
    if machine is not None or mine is None or theirs is None:
        raise ValueError(
            f"Name a machine, as machine=FILE, or one for each colour, as {first}=FILE and "
            f"{second}=FILE."
        )
    if by == "last":
        return MachineEvaluator(game, (theirs, mine), wins_of=(second, first), **options)
    return {
        first: MachineEvaluator(game, mine, wins_of=first, **options),
        second: MachineEvaluator(game, theirs, wins_of=second, **options),
    }


def _judge_of_boards(game: Game, machine: Any, **options: Any) -> Evaluator:
    """The evaluator of a machine over the game's cells, or over its concepts."""
    from clauseboard.learners.tsetlin.board_evaluator import MachineEvaluator, loaded
    from clauseboard.learners.tsetlin.concept_evaluator import ConceptEvaluator, is_conceptual
    from clauseboard.learners.tsetlin.move_votes import PatternVotes

    machine = loaded(machine)
    if not is_conceptual(machine, game):
        return MachineEvaluator(game, machine, **options)
    for name in options:
        if name not in ("zero", "view", "moves", "sharpness"):
            raise ValueError(f"{name} is for machines over cells; this one judges by concepts.")
    zero, patterns = options.get("zero", False), None
    if options.get("moves") is not None:
        patterns = PatternVotes(game, loaded(options["moves"]), options.get("sharpness", 1.0), zero)
    return ConceptEvaluator(game, machine, zero, patterns)


def _patterns(game: Game, *, moves: Any, **options: Any) -> Evaluator:
    """The evaluator of a machine for moves alone."""
    from clauseboard.learners.tsetlin.board_evaluator import loaded
    from clauseboard.learners.tsetlin.move_votes import PatternEvaluator, is_patterns

    machine = loaded(moves)
    if not is_patterns(machine):
        raise ValueError(
            f"{moves} votes for moves by the whole board, beside a machine that judges boards: "
            "name that one, too, as machine=FILE."
        )
    for name in options:
        if name not in ("sharpness", "zero", "view"):
            raise ValueError(
                f"{name} is about a machine that judges boards: name it by machine=FILE."
            )
    options.pop("view", None)
    return PatternEvaluator(game, machine, **options)


def load_trainer(name: str) -> type[Trainer]:
    """The way to train a machine."""
    from clauseboard.learners.tsetlin.trainer import MachineTrainer

    return MachineTrainer
