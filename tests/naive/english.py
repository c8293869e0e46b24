"""Sentences about boards, read as a person reads them: word by word, without the code that writes.

`true_of(text, game, position)` says whether a sentence such as "black has men on 14 and 18 and no
king on 3, and 5 is empty" is true. A board is looked at through its bits only.
"""

import re

PLACES = {"checkers": r"\d+", "go": r"[A-T]\d+", "hex": r"[a-s]\d+"}
KINDS = {"man": "man", "men": "man", "king": "king", "kings": "king", "stone": "stone"}
KINDS["stones"] = "stone"


def pieces_on(game, position):
    """For each cell with a piece on it: colour and kind."""
    row = game.encode([position])[0]
    found = {}
    for bit, there in zip(game.bits(), row, strict=True):
        if there:
            colour, *kind = bit.piece.split()
            found[bit.cell] = (colour, *(kind or ["stone"]))
    return found


def true_of(text, game, position):
    """Whether every part of a sentence is true of a position."""
    if text == "always":
        return True
    if text == "what no board can show":
        return False
    pieces = pieces_on(game, position)
    start = rf"(?:{'|'.join(game.colours)}) has|{PLACES[game.name]}(?:, | and | is | are )"
    parts = re.split(rf", and (?={start})", text)
    return all(_part(part, game, pieces) for part in parts)


def _part(text, game, pieces):
    place = PLACES[game.name]
    if text.endswith("empty"):
        cells = re.findall(place, text)
        assert cells
        return not any(cell in pieces for cell in cells)
    colour, predicates = re.fullmatch(r"(\w+) has (.*)", text).groups()
    begin = r"(?:a |no |nothing |men |kings |stones )"
    return all(
        _predicate(predicate, colour, place, pieces)
        for predicate in re.split(rf"(?:, | and )(?={begin})", predicates)
    )


def _predicate(text, colour, place, pieces):
    what, where = re.fullmatch(r"(.+?) (?:on|at) (.*)", text).groups()
    cells = re.findall(place, where)
    assert cells, text
    if what == "nothing":
        return not any(pieces.get(cell, ("",))[0] == colour for cell in cells)
    kind = KINDS[what.split()[-1]]
    if what.startswith("no "):
        assert " and " not in where
        return not any(pieces.get(cell) == (colour, kind) for cell in cells)
    assert " or " not in where
    return all(pieces.get(cell) == (colour, kind) for cell in cells)
