"""What a move brings in Go at once: stones captured, put into atari or saved from it, the end."""

from __future__ import annotations

from collections.abc import Sequence

from clauseboard.games.go.board import names, neighbours
from clauseboard.games.go.rules import Chain, GoMove, GoPosition, score
from clauseboard.games.vocabulary import in_words


def line_fact(position: GoPosition, line: Sequence[GoMove]) -> str | None:
    """What the first move of a line does, as the rest of a sentence; None if it is quiet."""
    point = line[0].point
    after = position.play(line[0])
    if after.outcome() is not None:
        return f"ends the game: {score(after)}"
    if point is None:
        return None
    beside = neighbours(position.game.size)[point]
    if taken := _chains(position, beside, 3 - position.colour, 1):
        return f"captures {_stones(position, taken)}"
    saved = _chains(position, beside, position.colour, 1)
    if saved and len(after.chains[point].liberties) > 1:
        return f"saves {_stones(position, saved)} from atari"
    if threatened := _chains(after, beside, 3 - position.colour, 1):
        return f"puts {_stones(position, threatened)} in atari"
    return None


def _chains(
    position: GoPosition, points: Sequence[int], colour: int, liberties: int
) -> list[Chain]:
    """The chains of a colour at some points that have so many liberties, each once."""
    there = {position.chains[p] for p in points if position.board[p] == colour}
    return [chain for chain in there if len(chain.liberties) == liberties]


def _stones(position: GoPosition, chains: Sequence[Chain]) -> str:
    """Stones in words, by the first of them: "three stones at C3"."""
    stones = sorted(stone for chain in chains for stone in chain.stones)
    number = len(stones)
    at = names(position.game.size)[stones[0]]
    if number == 1:
        return f"the stone at {at}"
    return f"{in_words(number)} stones at {at}"
