"""The headline of an account: one sentence, of facts that were checked on the boards of its line.

What a line of moves brings is said by the game (`games.plugins.LineFactsPlugin`). Where nothing
happens on it, the headline is the verdict and how the side stands, where the game has a sentence
for that, or else the biggest line that speaks for the verdict.
"""

from __future__ import annotations

from collections.abc import Sequence

from clauseboard.explaining.lines import OTHER, Verdict
from clauseboard.explanation import CONNECTION, SEARCH, TABLE, Explanation, Line
from clauseboard.game import Position, line_texts
from clauseboard.games.plugins import CONCEPTS, LINE_FACTS
from clauseboard.games.solving import exact_words

EVEN_GAME = "The game is even"
"""What a headline says of a game in which no side is better."""
LOSES = "loses "
"""How facts begin that speak against a move; the one that was chosen is not to blame for them."""


def headline(
    explanation: Explanation, asked: Position, verdict: Verdict, lines: Sequence[Line], chosen: bool
) -> str:
    """What matters most about a board, or about the move that was asked about or `chosen`."""
    colour: str = asked.to_move
    moves = explanation.line or (() if explanation.move is None else (explanation.move,))
    if not moves or asked.outcome() is not None:
        return exact_words(asked) or _plain(explanation, verdict, lines, colour)
    name, legal = asked.write_move(moves[0]), len(asked.moves())
    facts = LINE_FACTS.find(asked.game)
    fact = explanation.aim or (None if facts is None else facts.line_fact(asked, moves))
    after = exact_words(asked.play(moves[0]))
    if legal == 1:
        rest = f": it {fact}." if fact else "."
        return f"{name} is the only move{rest}"
    if after is not None:
        return f"After {name}: {after}"
    if fact:
        blameless = chosen and fact.startswith(LOSES) and verdict.chance < 0.5
        brings = f"Even the best move, {name}, {fact}." if blameless else f"{name} {fact}."
        return f"{brings}{_further_on(lines)}"
    if lines and lines[0].concept == TABLE:
        return f"{name} leads to a known ending: {lines[0].text}."
    if said := _standing(explanation, verdict, colour):
        return f"After {' '.join(line_texts(asked, moves))}: {said}.{_further_on(lines)}"
    return _plain(explanation, verdict, lines, colour)


def lost_headline(explanation: Explanation, asked: Position) -> str:
    """That every move loses, and why, where a connection proves it.

    It may be there on the board that was asked about, or only at the end of the expected line.
    """
    line = explanation.lines[0] if explanation.lines else None
    if line is None or line.concept != CONNECTION:
        return "Every move loses."
    known = CONCEPTS.call(asked.game, "proof", asked)
    if known is not None and known[0] != asked.to_move:
        return f"Every move loses: {known[1]}."
    if refuted := LINE_FACTS.call(asked.game, "lost_fact", asked):
        return f"Every move loses: {refuted[0]}."
    return f"Every move loses, and the search has refuted each; for one, {line.text}."


def headline_cells(explanation: Explanation, asked: Position, lost: bool) -> tuple[str, ...]:
    """The cells that the headline names, where the game says which these are."""
    if lost:
        if (known := CONCEPTS.call(asked.game, "proof", asked)) is not None:
            return tuple(known[2])
        refuted = LINE_FACTS.call(asked.game, "lost_fact", asked)
        return tuple(refuted[1]) if refuted else ()
    moves = explanation.line or (() if explanation.move is None else (explanation.move,))
    if not moves or asked.outcome() is not None:
        return ()
    return LINE_FACTS.call(asked.game, "fact_cells", asked, moves) or ()


def won_headline(said: str, move: str, explanation: Explanation) -> str:
    """The headline of a move that is certain to win, if that is not what it says already.

    >>> from clauseboard.game import load_game
    >>> explanation = Explanation(load_game("hex", size=3).start(), 1.0, "connections")
    >>> won_headline("e7 threatens to connect at a1.", "e7", explanation)
    'e7 wins: it threatens to connect at a1.'
    """
    fact = said.removeprefix(f"{move} ")
    if fact.startswith(
        ("wins", "only tidies", "takes over", "is the only move", "is the only win")
    ):
        return said
    if fact != said:
        return f"{move} wins: it {fact}"
    connects = explanation.is_settled and explanation.lines[0].concept == CONNECTION
    return f"{move} wins: {explanation.lines[0].text}." if connects else said


def _plain(explanation: Explanation, verdict: Verdict, lines: Sequence[Line], colour: str) -> str:
    """The verdict and how the side stands, or else the biggest line that speaks for the verdict,
    unless small things outweigh it."""
    stands = EVEN_GAME if verdict.words == "even" else ""
    stands = stands or f"{colour.capitalize()} is {verdict.words}"
    if said := _standing(explanation, verdict, colour):
        return f"{stands}: {said}."
    if verdict.words == "even":
        return f"{stands}."
    concepts = [line for line in lines if line.concept != SEARCH]
    speaking = [line for line in concepts if line.votes * (verdict.chance - 0.5) > 0]
    if not speaking or speaking[0].concept == OTHER:
        return f"{stands}."
    text = speaking[0].text
    if not explanation.lines:  # the name of a term, and no sentence
        return f"{stands}: {text}."
    return f"{text[0].upper()}{text[1:]}."  # the verdict itself is told below it


def _further_on(lines: Sequence[Line]) -> str:
    """What a search has seen on later boards, where that counts most, as one more sentence."""
    if not lines or lines[0].concept != SEARCH:
        return ""
    seen = lines[0].text.partition(": ")[2]
    return f" Looking ahead counts most: {seen}." if seen else ""


def _standing(explanation: Explanation, verdict: Verdict, colour: str) -> str | None:
    """How the better side stands on the board explained, where the game has a sentence for it."""
    board = explanation.position
    if not explanation.lines or explanation.is_settled:
        return None
    better = colour if verdict.total >= 0 else board.game.other(colour)
    said: str | None = LINE_FACTS.call(board.game, "standing", board, better)
    return said
