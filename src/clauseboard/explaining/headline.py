"""The headline of an account: one sentence, of facts that were checked on the boards of its line.

What a line of moves brings is said by the game (`games.plugins.LineFactsPlugin`). Where nothing
happens on it, the headline is the verdict and how the side stands, where the game has a sentence
for that, or else the biggest line that speaks for the verdict.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clauseboard.explaining.lines import OTHER, Verdict
from clauseboard.explanation import CONNECTION, SEARCH, TABLE, Explanation, Line
from clauseboard.game import Position, line_texts
from clauseboard.games.plugins import LINE_FACTS
from clauseboard.games.solving import exact_words

EVEN_GAME = "The game is even"
"""What a headline says of a game in which no side is better."""
LOSES, FAULTS = "loses ", ("lets ", "misses ")
"""How facts begin that speak against a move; the one that was chosen is not to blame for them."""
MOST_LETTERS = 160
"""What a headline has at most: what does not fit stands below it."""


def headline(
    explanation: Explanation, asked: Position, verdict: Verdict, lines: Sequence[Line], chosen: bool
) -> str:
    """What matters most about a board, or about the move that was asked about or `chosen`."""
    colour: str = asked.to_move
    moves = _moves(explanation)
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
        blameless = chosen and verdict.chance < 0.5
        brings = f"{name} {fact}."
        if blameless and fact.startswith(LOSES):
            brings = f"Even the best move, {name}, {fact}."
        elif blameless and fact.startswith(FAULTS):
            brings = f"Nothing better than {name} was found: it {fact}."
        further = _further_on(lines)
        return brings + further if len(brings + further) <= MOST_LETTERS else brings
    if lines and lines[0].concept == TABLE:
        return f"{name} leads to a known ending: {lines[0].text}."
    if said := _standing(explanation, verdict, colour):
        quiet = f"{name} is a quiet move. After it {said}."
        if len(moves) > 1 or explanation.position != asked.play(moves[0]):
            quiet = f"After {' '.join(line_texts(asked, moves))}: {said}."
        further = _further_on(lines)
        return quiet + further if len(quiet + further) <= MOST_LETTERS else quiet
    return _plain(explanation, verdict, lines, colour)


def lost_headline(explanation: Explanation, asked: Position) -> str:
    """That every move loses, and how long this one holds out, where the game can say so."""
    lost = _lost_fact(explanation, asked)
    return f"Every move loses; {lost[0]}." if lost else "Every move loses."


LostFact = tuple[str, tuple[str, ...], tuple[str, ...]]


def _lost_fact(explanation: Explanation, asked: Position) -> LostFact | None:
    """How long a move holds out, sentences about why every move loses, and the cells named."""
    return LINE_FACTS.call(asked.game, "lost_fact", asked, _moves(explanation))


def _moves(explanation: Explanation) -> tuple[Any, ...]:
    """The line of an explanation, or the move that it is about."""
    return explanation.line or (() if explanation.move is None else (explanation.move,))


def details(explanation: Explanation, asked: Position, lost: bool) -> tuple[str, ...]:
    """What belongs to the headline and had no room there, as sentences: links, further facts."""
    if lost:
        found = _lost_fact(explanation, asked)
        return found[1] if found else ()
    moves = _moves(explanation)
    if not moves or asked.outcome() is not None:
        return ()
    return LINE_FACTS.call(asked.game, "fact_details", asked, moves) or ()


def headline_cells(explanation: Explanation, asked: Position, lost: bool) -> tuple[str, ...]:
    """The cells that the headline and its details name, where the game says which these are."""
    if lost:
        found = _lost_fact(explanation, asked)
        return found[2] if found else ()
    moves = _moves(explanation)
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
        wins = f"{move} wins: it "
        return f"{wins}{_first_part(fact.removesuffix('.'), MOST_LETTERS - len(wins))}."
    connects = explanation.is_settled and explanation.lines[0].concept == CONNECTION
    return f"{move} wins: {_first_part(explanation.lines[0].text)}." if connects else said


def _first_part(text: str, room: int = MOST_LETTERS) -> str:
    """A sentence, or if it is too long what stands before its details."""
    if len(text) < room:
        return text
    parts = (text.partition(mark)[0] for mark in ("; ", ": ", " ("))
    return max((part for part in parts if len(part) < room), key=len, default=text)


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
    text = _first_part(speaking[0].text)
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
